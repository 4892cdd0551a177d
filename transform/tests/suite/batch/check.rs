//! How a function of a batch is compared with the function of one element.

use crate::check::{call_of, module, numbered, sound};
use iree_abi::Dim;
use iree_dsl_interpreter::{Host, Tensor};
use iree_dsl_ir::{FunctionId, Verified};
use iree_dsl_transform::{Derived, Error, vmap};
use ndarray::{ArrayD, Axis};
use num_complex::Complex64;

pub(super) type Numbers = fn(usize) -> Tensor;

/// Loads a module with a function of the host, which counts how often it was asked.
fn call(module: &Verified, function: FunctionId, arguments: &[Tensor]) -> (Vec<Tensor>, usize) {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = asked.clone();
    let mut host = Host::default();
    host.import("double", move |arguments| {
        counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let x = arguments[0].array::<f64>().expect("numbers");
        Ok(vec![Tensor::from((x.to_owned() * 2.0).into_dyn())])
    });
    let program = host.load(module.clone()).expect("it loads");
    let results = call_of(program, module, function, arguments);
    (results, asked.load(std::sync::atomic::Ordering::Relaxed))
}

/// Tensors along a new first axis; an example says what one would be.
fn stacked(tensors: &[Tensor], example: &Tensor) -> Tensor {
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

fn is_near(x: &Tensor, y: &Tensor) -> bool {
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

/// Which arguments may differ from element to element: at least one.
fn choices(arguments: usize) -> impl Iterator<Item = Vec<usize>> {
    let choices = 1..1_usize << arguments;
    choices.map(move |chosen| (0..arguments).filter(|at| chosen >> at & 1 == 1).collect())
}

/// The arguments of one element.
fn of_one<N: Fn(usize) -> Tensor>(
    arguments: &[N],
    mapped: &[usize],
    element: usize,
) -> Vec<Tensor> {
    let each = arguments.iter().enumerate();
    each.map(|(at, numbers)| numbers(if mapped.contains(&at) { element } else { 0 }))
        .collect()
}

/// The arguments of a batch.
fn of_batch<N: Fn(usize) -> Tensor>(
    arguments: &[N],
    mapped: &[usize],
    count: usize,
) -> Vec<Tensor> {
    let each = arguments.iter().enumerate();
    each.map(|(at, numbers)| match mapped.contains(&at) {
        true => stacked(&(0..count).map(numbers).collect::<Vec<_>>(), &numbers(0)),
        false => numbers(0),
    })
    .collect()
}

/// Checks the last function of a module. Each argument is a function of the element.
pub(super) fn check(text: &str, arguments: &[Numbers]) {
    let text = numbered(text);
    let module = module(&text);
    let function = crate::check::last(&module);
    for mapped in choices(arguments.len()) {
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

fn check_batch(
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

fn check_derived<N: Fn(usize) -> Tensor>(
    module: &Verified,
    function: FunctionId,
    derived: Result<Derived, Error>,
    (arguments, mapped, count): (&[N], &[usize], usize),
) {
    let derived = derived.unwrap_or_else(|error| panic!("{error} in\n{}", module.module()));
    let (batched, function_of_batch) = (sound(derived.module), derived.function);
    let one = |element| call(module, function, &of_one(arguments, mapped, element));
    let example = one(0).0;
    let all: Vec<_> = (0..count).map(one).collect();
    let given = of_batch(arguments, mapped, count);
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
    for mapped in choices(arguments.len()) {
        for (size, count) in [(Dim::Static(3), 3), (Dim::named("Q"), 2)] {
            let derived = vmap(&module, function, &mapped, &size, false);
            check_derived(&module, function, derived, (arguments, &mapped, count));
        }
    }
}

/// Values of several functions have the same numbers.
pub(super) fn check_without_numbers(text: &str, arguments: &[Numbers]) {
    let module = module(text);
    let function = crate::check::last(&module);
    for mapped in choices(arguments.len()) {
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
    for mapped in choices(arguments.len()) {
        for size in [Dim::Static(3), Dim::named("Q")] {
            let derived = vmap(&module, function, &mapped, &size, true).expect("it has a rule");
            let given = of_batch(arguments, &mapped, 3);
            crate::check::check(&sound(derived.module), &given, 2);
        }
    }
}
