//! How a function of a batch is compared with the function of one element.

use crate::check::{module, numbered, sound};
use iree_abi::Dim;
use iree_dsl_interpreter::{Host, Tensor};
use iree_dsl_ir::{FunctionId, Verified};
use iree_dsl_transform::{Derived, Error, vmap};
use ndarray::{ArrayD, Axis};
use num_complex::Complex64;

pub(super) type Numbers = fn(usize) -> Tensor;

/// Loads a module with a function of the host, which counts how often it was asked.
pub(super) fn call(
    module: &Verified,
    function: FunctionId,
    arguments: &[Tensor],
) -> (Vec<Tensor>, usize) {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = asked.clone();
    let mut host = Host::default();
    host.import("double", move |arguments| {
        counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let x = arguments[0].array::<f64>().expect("numbers");
        Ok(vec![Tensor::from((x.to_owned() * 2.0).into_dyn())])
    });
    let text = module.module().to_string();
    let mut program = host.load(module.clone()).expect("it loads");
    let name = &module
        .module()
        .functions
        .get(function)
        .expect("a function")
        .name;
    let results = program.call(name, arguments);
    let results = results.unwrap_or_else(|error| panic!("{error} in\n{text}"));
    (results, asked.load(std::sync::atomic::Ordering::Relaxed))
}

/// Tensors along a new first axis; an example says what one would be.
pub(super) fn stacked(tensors: &[Tensor], example: &Tensor) -> Tensor {
    macro_rules! stack {
        ($($ty:ty)*) => {$(
            if example.array::<$ty>().is_some() {
                let arrays: Vec<_> = tensors.iter().map(|one| one.array::<$ty>().expect("one type").view()).collect();
                let shape = [&[0], example.shape()].concat();
                return match arrays.as_slice() {
                    [] => Tensor::from(ArrayD::<$ty>::from_shape_vec(shape, Vec::new()).expect("nothing")),
                    arrays => Tensor::from(ndarray::stack(Axis(0), arrays).expect("one shape")),
                };
            }
        )*};
    }
    stack!(f64 f32 i32 i64 u8 u64 bool Complex64);
    panic!("elements of another type")
}

pub(super) fn is_near(x: &Tensor, y: &Tensor) -> bool {
    let near = |x: f64, y: f64| {
        x == y || x.is_nan() && y.is_nan() || (x - y).abs() < 1e-9 * (1.0 + x.abs())
    };
    if x.shape() != y.shape() {
        return false;
    }
    if let (Some(x), Some(y)) = (x.array::<f64>(), y.array::<f64>()) {
        return x.iter().zip(y).all(|(x, y)| near(*x, *y));
    }
    if let (Some(x), Some(y)) = (x.array::<Complex64>(), y.array::<Complex64>()) {
        return x
            .iter()
            .zip(y)
            .all(|(x, y)| near(x.re, y.re) && near(x.im, y.im));
    }
    x == y
}

/// Checks the last function of a module. Each argument is a function of the element.
pub(super) fn check(text: &str, arguments: &[Numbers]) {
    let text = numbered(text);
    let module = module(&text);
    let function = crate::check::last(&module);
    for chosen in 1..1_usize << arguments.len() {
        let mapped: Vec<_> = (0..arguments.len())
            .filter(|at| chosen >> at & 1 == 1)
            .collect();
        for (size, count) in [
            (Dim::Static(3), 3),
            (Dim::Static(1), 1),
            (Dim::Static(0), 0),
            (Dim::named("Q"), 3),
            (Dim::named("Q"), 1),
            (Dim::named("Q"), 0),
        ] {
            check_batch(&module, function, arguments, &mapped, &size, count);
        }
    }
}

pub(super) fn check_batch(
    module: &Verified,
    function: FunctionId,
    arguments: &[Numbers],
    mapped: &[usize],
    size: &Dim,
    count: usize,
) {
    for deriving in [false, true] {
        let derived = vmap(module, function, mapped, size, deriving);
        check_derived(module, function, derived, (arguments, mapped, count));
    }
}

pub(super) fn check_derived(
    module: &Verified,
    function: FunctionId,
    derived: Result<Derived, Error>,
    (arguments, mapped, count): (&[Numbers], &[usize], usize),
) {
    let derived = derived.unwrap_or_else(|error| panic!("{error} in\n{}", module.module()));
    let (batched, function_of_batch) = (sound(derived.module), derived.function);
    let of = |element: usize| -> Vec<Tensor> {
        let each = arguments.iter().enumerate();
        each.map(|(at, numbers)| numbers(if mapped.contains(&at) { element } else { 0 }))
            .collect()
    };
    let given = arguments
        .iter()
        .enumerate()
        .map(|(at, numbers)| match mapped.contains(&at) {
            true => stacked(&(0..count).map(numbers).collect::<Vec<_>>(), &numbers(0)),
            false => numbers(0),
        });
    let given: Vec<_> = given.collect();
    let example = call(module, function, &of(0)).0;
    let all: Vec<_> = (0..count)
        .map(|element| call(module, function, &of(element)))
        .collect();
    let (found, asked) = call(&batched, function_of_batch, &given);
    assert_eq!(
        asked,
        all.iter().map(|(_, asked)| asked).sum::<usize>(),
        "{}",
        batched.module()
    );
    assert_eq!(found.len(), example.len());
    for (position, found) in found.iter().enumerate() {
        let each: Vec<_> = all
            .iter()
            .map(|(results, _)| results[position].clone())
            .collect();
        let expected = stacked(&each, &example[position]);
        assert!(
            is_near(&expected, found),
            "{mapped:?} of {count}: expected {expected:?}, found {found:?} in\n{}",
            batched.module()
        );
    }
}

/// A function with one operation, or a few.
pub(super) fn check_body(parameters: &str, results: &str, body: &str, arguments: &[Numbers]) {
    let text = format!("module @m {{ func public @f({parameters}) -> {results} {{ {body} }} }}");
    check(&text, arguments);
}

/// The same for functions that capture something.
pub(super) fn check_with(text: &str, arguments: &[&dyn Fn(usize) -> Tensor]) {
    let module = module(&numbered(text));
    let function = crate::check::last(&module);
    for chosen in 1..1_usize << arguments.len() {
        let is_mapped = |at: usize| chosen >> at & 1 == 1;
        let mapped: Vec<_> = (0..arguments.len()).filter(|at| is_mapped(*at)).collect();
        for (size, count) in [(Dim::Static(3), 3), (Dim::named("Q"), 2)] {
            let derived = vmap(&module, function, &mapped, &size, false).expect("it has a rule");
            let (batched, of_batch) = (sound(derived.module), derived.function);
            let given = arguments
                .iter()
                .enumerate()
                .map(|(at, numbers)| match is_mapped(at) {
                    true => stacked(&(0..count).map(numbers).collect::<Vec<_>>(), &numbers(0)),
                    false => numbers(0),
                });
            let found = call(&batched, of_batch, &given.collect::<Vec<_>>()).0;
            let all: Vec<_> = (0..count)
                .map(|element| {
                    let each = arguments.iter().enumerate();
                    let each =
                        each.map(|(at, numbers)| numbers(if is_mapped(at) { element } else { 0 }));
                    call(&module, function, &each.collect::<Vec<_>>())
                        .0
                        .remove(0)
                })
                .collect();
            let expected = stacked(&all, &all[0]);
            assert!(
                is_near(&expected, &found[0]),
                "{mapped:?} of {size}: expected {expected:?}, found {:?} in\n{}",
                found[0],
                batched.module()
            );
        }
    }
}

/// Values of several functions have the same numbers.
pub(super) fn check_without_numbers(text: &str, arguments: &[Numbers]) {
    let module = module(text);
    let function = crate::check::last(&module);
    for chosen in 1..1_usize << arguments.len() {
        let mapped: Vec<_> = (0..arguments.len())
            .filter(|at| chosen >> at & 1 == 1)
            .collect();
        for (size, count) in [(Dim::Static(3), 3), (Dim::named("Q"), 2)] {
            check_batch(&module, function, arguments, &mapped, &size, count);
        }
    }
}

/// Checks the derivatives of a function of a batch, up to the second.
pub(super) fn check_slopes(parameters: &str, results: &str, body: &str, arguments: &[Numbers]) {
    let text = format!("module @m {{ func public @f({parameters}) -> {results} {{ {body} }} }}");
    let module = module(&numbered(&text));
    let function = crate::check::last(&module);
    for chosen in 1..1_usize << arguments.len() {
        let mapped: Vec<_> = (0..arguments.len())
            .filter(|at| chosen >> at & 1 == 1)
            .collect();
        for size in [Dim::Static(3), Dim::named("Q")] {
            let derived = vmap(&module, function, &mapped, &size, true).expect("it has a rule");
            let given = arguments.iter().enumerate();
            let given = given.map(|(at, numbers)| match mapped.contains(&at) {
                true => stacked(&(0..3).map(numbers).collect::<Vec<_>>(), &numbers(0)),
                false => numbers(0),
            });
            crate::check::check(&sound(derived.module), &given.collect::<Vec<_>>(), 2);
        }
    }
}
