//! Functions of a batch against the same functions of one element after the other: every operation, with each choice of
//! operands that differ from element to element, and sizes of the batch that are known and of the call.

use crate::check::{complex, module, numbered, places, real, some, sound, truth};
use iree_abi::Dim;
use iree_dsl_interpreter::{Host, Tensor};
use iree_dsl_ir::{FunctionId, Verified};
use iree_dsl_transform::{Derived, Error, vmap};
use ndarray::{ArrayD, Axis};
use num_complex::Complex64;

type Numbers = fn(usize) -> Tensor;

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

/// Checks the last function of a module. Each argument is a function of the element.
fn check(text: &str, arguments: &[Numbers]) {
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

fn check_derived(
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
fn check_body(parameters: &str, results: &str, body: &str, arguments: &[Numbers]) {
    let text = format!("module @m {{ func public @f({parameters}) -> {results} {{ {body} }} }}");
    check(&text, arguments);
}

#[test]
fn elementwise() {
    for name in ["abs", "sin", "floor", "stop_gradient"] {
        let body = format!("%1 = {name} %0 : Tensor<f64, 2> return %1");
        check_body(
            "%0 x: Tensor<f64, 2>",
            "Tensor<f64, 2>",
            &body,
            &[|at| some(&[2], at)],
        );
    }
    for name in ["add", "power", "atan2", "maximum"] {
        let body = format!("%2 = {name} %0, %1 : Tensor<f64, 2> return %2");
        let arguments: &[Numbers] = &[|at| some(&[2], at), |at| some(&[2], at + 9)];
        check_body(
            "%0 x: Tensor<f64, 2>, %1 y: Tensor<f64, 2>",
            "Tensor<f64, 2>",
            &body,
            arguments,
        );
    }
    let body = "%2 = less %0, %1 : Tensor<bool> %3 = select %2, %0, %1 : Tensor<f64>
        %4 = convert %3 : Tensor<i32> %5 = bitcast %0 : Tensor<i64> return %3, %4, %5, %2";
    let results = "Tensor<f64>, Tensor<i32>, Tensor<i64>, Tensor<bool>";
    let arguments: &[Numbers] = &[|at| some(&[], at), |at| some(&[], at + 9)];
    check_body(
        "%0 x: Tensor<f64>, %1 y: Tensor<f64>",
        results,
        body,
        arguments,
    );
    let body = "%3 = select %0, %1, %2 : Tensor<f64, 2> return %3";
    let parameters = "%0 m: Tensor<bool, 2>, %1 x: Tensor<f64, 2>, %2 y: Tensor<f64, 2>";
    let arguments: &[Numbers] = &[
        |at| Tensor::from(ndarray::arr1(&[at == 1, at != 1]).into_dyn()),
        |at| some(&[2], at),
        |at| some(&[2], at + 9),
    ];
    check_body(parameters, "Tensor<f64, 2>", body, arguments);
}

#[test]
fn what_has_no_operands() {
    let body = "%1 = constant splat 2.0 : Tensor<f64, 2> %2 = iota axis 0 : Tensor<i32, 2>
        %3 = size of [3*N + 1] : Tensor<i32> return %0, %1, %2, %3";
    let results = "Tensor<f64, N>, Tensor<f64, 2>, Tensor<i32, 2>, Tensor<i32>";
    check_body(
        "%0 x: Tensor<f64, N>",
        results,
        body,
        &[|at| some(&[2], at)],
    );
}

#[test]
fn shapes() {
    let body = "%1 = transpose %0 permutation [2, 0, 1] : Tensor<f64, 4, 2, N>
        %2 = reverse %1 axes [0, 2] : Tensor<f64, 4, 2, N>
        %3 = reshape %2 : Tensor<f64, 8, N>
        %4 = broadcast %3 axes [1, 2] : Tensor<f64, 2, 8, N>
        %5 = slice %4 start [0, 1, 1] limit [2, 7, N] stride [1, 2, 1] : Tensor<f64, 2, 3, N - 1>
        return %5, %3";
    let results = "Tensor<f64, 2, 3, N - 1>, Tensor<f64, 8, N>";
    check_body(
        "%0 x: Tensor<f64, 2, N, 4>",
        results,
        body,
        &[|at| some(&[2, 3, 4], at)],
    );
    let body = "%2 = concatenate %0, %1, %0 axis 1 : Tensor<f64, 2, 8> return %2";
    let arguments: &[Numbers] = &[|at| some(&[2, 3], at), |at| some(&[2, 2], at + 9)];
    check_body(
        "%0 x: Tensor<f64, 2, 3>, %1 y: Tensor<f64, 2, 2>",
        "Tensor<f64, 2, 8>",
        body,
        arguments,
    );
    let body =
        "%2 = pad %0, %1 low [1, -1] high [0, 2] interior [1, 0] : Tensor<f64, 4, 4> return %2";
    let arguments: &[Numbers] = &[|at| some(&[2, 3], at), |at| some(&[], at + 9)];
    check_body(
        "%0 x: Tensor<f64, 2, 3>, %1 y: Tensor<f64>",
        "Tensor<f64, 4, 4>",
        body,
        arguments,
    );
}

#[test]
fn contractions() {
    for (batch, contract, x, y, result) in [
        ("[] x []", "[1] x [0]", "2, 3", "3, 4", "2, 4"),
        ("[] x []", "[1] x [0]", "2, 3", "3", "2"),
        ("[] x []", "[0] x [0]", "3", "3, 4", "4"),
        ("[] x []", "[0] x [0]", "3", "3", ""),
        ("[] x []", "[] x []", "2", "3", "2, 3"),
        (
            "[1] x [2]",
            "[0, 3] x [3, 0]",
            "3, 2, 4, 5",
            "5, 2, 2, 3",
            "2, 4, 2",
        ),
        ("[0] x [0]", "[1] x [2]", "2, 3", "2, 4, 3", "2, 4"),
        ("[0] x [0]", "[2] x [1]", "2, 4, 3", "2, 3", "2, 4"),
    ] {
        let ty = |dims: &str| match dims {
            "" => "Tensor<f64>".to_owned(),
            dims => format!("Tensor<f64, {dims}>"),
        };
        let (x, y, result) = (ty(x), ty(y), ty(result));
        let body = format!(
            "%2 = dot_general %0, %1 batch {batch} contract {contract} : {result} return %2"
        );
        let sizes = |ty: &str| -> Vec<usize> {
            let dims = ty.trim_end_matches('>').split(", ").skip(1);
            dims.map(|dim| dim.parse().expect("a size")).collect()
        };
        let text = format!(
            "module @m {{ func public @f(%0 x: {x}, %1 y: {y}) -> {result} {{ {body} }} }}"
        );
        let (x, y) = (sizes(&x), sizes(&y));
        check_with(&text, &[&|at| some(&x, at), &|at| some(&y, at + 9)]);
    }
}

/// The same for functions that capture something.
fn check_with(text: &str, arguments: &[&dyn Fn(usize) -> Tensor]) {
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

#[test]
fn convolutions() {
    let tail = "strides [2, 1] padding [1, 0] x [0, 1] dilation [1, 2] input_dilation [1, 1]";
    for (input, kernel, groups, layout, result) in [
        (
            "2, 6, 5, 4",
            "3, 6, 2, 2",
            1,
            "input [0, 1, 2, 3] kernel [0, 1, 2, 3] output [0, 1, 2, 3]",
            "2, 3, 3, 3",
        ),
        (
            "2, 5, 4, 6",
            "2, 2, 6, 3",
            1,
            "input [0, 3, 1, 2] kernel [3, 2, 0, 1] output [0, 3, 1, 2]",
            "2, 3, 3, 3",
        ),
        (
            "5, 2, 4, 6",
            "2, 4, 2, 3",
            2,
            "input [1, 3, 0, 2] kernel [1, 3, 0, 2] output [3, 0, 2, 1]",
            "4, 3, 3, 2",
        ),
    ] {
        let body = format!(
            "%2 = convolution %0, %1 {tail} groups {groups} {layout} : Tensor<f64, {result}> return %2"
        );
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64, {input}>, %1 k: Tensor<f64, {kernel}>) -> Tensor<f64, {result}> {{ {body} }} }}"
        );
        let sizes = |dims: &str| -> Vec<usize> {
            dims.split(", ")
                .map(|dim| dim.parse().expect("a size"))
                .collect()
        };
        let (x, k) = (sizes(input), sizes(kernel));
        check_with(&text, &[&|at| some(&x, at), &|at| some(&k, at + 9)]);
    }
}

#[test]
fn along_axes() {
    let body = "%1 = reduce_sum %0 axes [0, 2] : Tensor<f64, 3> %2 = reduce_maximum %0 axes [1] : Tensor<f64, 2, 4>
        %3 = arg_minimum %0 axis 2 : Tensor<i32, 2, 3> %4 = cumulate_product %0 axis 1 : Tensor<f64, 2, 3, 4>
        %5 = window_maximum %0 sizes [1, 2, 2] strides [1, 1, 2] padding [0, 1, 0] x [0, 0, 0] dilation [1, 1, 1] input_dilation [1, 1, 1] : Tensor<f64, 2, 3, 2>
        %6 = convert %0 : Tensor<Complex<f64>, 2, 3, 4> %7 = fourier %6 : Tensor<Complex<f64>, 2, 3, 4>
        %8 = arg_sort %0 axis 1 : Tensor<i32, 2, 3, 4> %9 = arg_sort_descending %0 axis 2 : Tensor<i32, 2, 3, 4>
        return %1, %2, %3, %4, %5, %7, %8, %9";
    let results = "Tensor<f64, 3>, Tensor<f64, 2, 4>, Tensor<i32, 2, 3>, Tensor<f64, 2, 3, 4>, Tensor<f64, 2, 3, 2>,
        Tensor<Complex<f64>, 2, 3, 4>, Tensor<i32, 2, 3, 4>, Tensor<i32, 2, 3, 4>";
    check_body(
        "%0 x: Tensor<f64, 2, 3, 4>",
        results,
        body,
        &[|at| some(&[2, 3, 4], at)],
    );
    let body = "%1 = inverse_fourier %0 : Tensor<Complex<f64>, 3> return %1";
    let ty = "Tensor<Complex<f64>, 3>";
    check_body(
        "%0 x: Tensor<Complex<f64>, 3>",
        ty,
        body,
        &[|at| complex(&[3], at)],
    );
}

#[test]
fn matrices_and_right_sides() {
    let parameters = "%0 a: Tensor<f64, 2, N, N>, %1 b: Tensor<f64, 2, N, 3>";
    let body = "%2 = transpose %0 permutation [0, 2, 1] : Tensor<f64, 2, N, N>
        %3 = dot_general %0, %2 batch [0] x [0] contract [2] x [1] : Tensor<f64, 2, N, N>
        %4 = cholesky %3 : Tensor<f64, 2, N, N>
        %5 = solve_upper_transposed %0, %1 : Tensor<f64, 2, N, 3>
        %6 = solve %0, %1 : Tensor<f64, 2, N, 3>
        return %4, %5, %6";
    check_body(
        parameters,
        "Tensor<f64, 2, N, N>, Tensor<f64, 2, N, 3>, Tensor<f64, 2, N, 3>",
        body,
        &[|at| some(&[2, 4, 4], at), |at| some(&[2, 4, 3], at + 9)],
    );
}

#[test]
fn windows_that_start_apart() {
    let parameters = "%0 x: Tensor<f64, 2, N, 4>, %1 i: Tensor<i32>, %2 j: Tensor<i32>, %3 y: Tensor<f64, 1, 2, 4>";
    let body = "%4 = dynamic_slice %0, %1, %2, %1 sizes [1, 2, 4] : Tensor<f64, 1, 2, 4>
        %5 = dynamic_slice %0, %1, %1, %2 sizes [2, N, 3] : Tensor<f64, 2, N, 3>
        %6 = dynamic_slice %0, %1, %2, %1 sizes [2, N, 4] : Tensor<f64, 2, N, 4>
        %7 = dynamic_update_slice %0, %3, %1, %2, %2 : Tensor<f64, 2, N, 4>
        %8 = dynamic_update_slice %0, %5, %1, %2, %2 : Tensor<f64, 2, N, 4>
        %9 = dynamic_update_slice %0, %6, %1, %2, %2 : Tensor<f64, 2, N, 4>
        return %4, %5, %6, %7, %8, %9";
    let results =
        "Tensor<f64, 1, 2, 4>, Tensor<f64, 2, N, 3>, Tensor<f64, 2, N, 4>, Tensor<f64, 2, N, 4>,
        Tensor<f64, 2, N, 4>, Tensor<f64, 2, N, 4>";
    let arguments: &[Numbers] = &[
        |at| some(&[2, 3, 4], at),
        |at| places(&[], &[[1, -2, 7][at]]),
        |at| places(&[], &[[0, 9, 1][at]]),
        |at| some(&[1, 2, 4], at + 9),
    ];
    check_body(parameters, results, body, arguments);
}

#[test]
fn lookups() {
    let parameters = "%0 x: Tensor<f64, 2, 5, 3>, %1 i: Tensor<i32, 2, 2>, %2 j: Tensor<i32, 2, 2>";
    let body = "%3 = gather %0, %1 axes [0] : Tensor<f64, 2, 2, 5, 3>
        %4 = gather %0, %1 axes [1] : Tensor<f64, 2, 2, 2, 3>
        %5 = gather %0, %1, %2 axes [0, 2] : Tensor<f64, 2, 2, 5>
        %6 = gather %0, %1, %2 axes [1, 2] : Tensor<f64, 2, 2, 2>
        return %3, %4, %5, %6";
    let results = "Tensor<f64, 2, 2, 5, 3>, Tensor<f64, 2, 2, 2, 3>, Tensor<f64, 2, 2, 5>, Tensor<f64, 2, 2, 2>";
    let arguments: &[Numbers] = &[
        |at| some(&[2, 5, 3], at),
        |at| places(&[2, 2], &[[0, 1, -1, 9], [2, 4, 1, 1], [3, 0, 0, 5]][at]),
        |at| places(&[2, 2], &[[0, 1, 1, 2], [2, 4, -1, 1], [1, 0, 0, 1]][at]),
    ];
    check_body(parameters, results, body, arguments);
}

/// For one place, several elements, and some outside.
#[test]
fn elements_at_places() {
    for kind in [
        "scatter",
        "scatter_add",
        "scatter_multiply",
        "scatter_maximum",
        "scatter_minimum",
    ] {
        let parameters =
            "%0 x: Tensor<f64, 2, 4, 3>, %1 y: Tensor<f64, 2, 3, 3>, %2 z: Tensor<f64, 3, 4>,
            %3 i: Tensor<i32, 3>, %4 j: Tensor<i32, 3>";
        let body = format!(
            "%5 = {kind} %0, %1, %3 axes [1] : Tensor<f64, 2, 4, 3>
            %6 = {kind} %0, %2, %4, %3 axes [0, 2] : Tensor<f64, 2, 4, 3> return %5, %6"
        );
        let arguments: &[Numbers] = &[
            |at| some(&[2, 4, 3], at),
            |at| some(&[2, 3, 3], at + 9),
            |at| some(&[3, 4], at + 5),
            |at| places(&[3], &[[1, 1, 2], [3, -1, 0], [4, 2, 2]][at]),
            |at| places(&[3], &[[0, 0, 1], [1, 1, 7], [0, 1, 1]][at]),
        ];
        check_body(
            parameters,
            "Tensor<f64, 2, 4, 3>, Tensor<f64, 2, 4, 3>",
            &body,
            arguments,
        );
    }
}

#[test]
fn branches() {
    let parameters = "%0 c: Tensor<bool>, %1 x: Tensor<f64, 2>, %2 y: Tensor<f64, 2>";
    let cheap = "%3, %4 = if %0 : Tensor<f64, 2>, Tensor<f64, 2> region() {
            %5 = multiply %1, %2 : Tensor<f64, 2> return %5, %2
        } region() { return %1, %2 }
        return %3, %4";
    let dear = "%3, %4 = if %0 : Tensor<f64, 2>, Tensor<f64> region() {
            %5 = dot_general %1, %2 batch [] x [] contract [0] x [0] : Tensor<f64>
            %6 = greater %5, %5 : Tensor<bool> %7 = not %6 : Tensor<bool> assert @holds %7 site 0
            return %1, %5
        } region() {
            %8 = cumulate_sum %1 axis 0 : Tensor<f64, 2>
            %9 = reduce_sum %2 axes [0] : Tensor<f64>
            return %8, %9
        }
        return %3, %4";
    let arguments: &[Numbers] = &[
        |at| truth(at == 1),
        |at| some(&[2], at),
        |at| some(&[2], at + 9),
    ];
    check_body(
        parameters,
        "Tensor<f64, 2>, Tensor<f64, 2>",
        cheap,
        arguments,
    );
    check_body(parameters, "Tensor<f64, 2>, Tensor<f64>", dear, arguments);
}

/// What an element does not get to is not asserted for it.
#[test]
fn assertions_in_branches() {
    let text = "%1 = constant splat 0.0 : Tensor<f64> %2 = greater %0, %1 : Tensor<bool>
        %3 = if %2 : Tensor<f64> region() {
            %4 = greater %0, %1 : Tensor<bool> assert @positive %4 site 0
            %5 = sqrt %0 : Tensor<f64> return %5
        } region() { return %1 }
        return %3";
    check_body(
        "%0 x: Tensor<f64>",
        "Tensor<f64>",
        text,
        &[|at| real(&[], &[[-1.0, 4.0, -2.0][at]])],
    );
    check_body(
        "%0 x: Tensor<f64>",
        "Tensor<f64>",
        text,
        &[|_| real(&[], &[-1.0])],
    );
}

#[test]
fn loops() {
    let counted = "%3 = constant splat 0 : Tensor<i32> %4 = constant splat 1 : Tensor<i32>
        %5, %6, %7 = while %3, %0, %1 : Tensor<i32>, Tensor<f64, 2>, Tensor<f64> region(%10: Tensor<i32>, %11: Tensor<f64, 2>, %12: Tensor<f64>) {
            %13 = less %10, %2 : Tensor<bool> return %13
        } region(%20: Tensor<i32>, %21: Tensor<f64, 2>, %22: Tensor<f64>) {
            %23 = add %20, %4 : Tensor<i32>
            %24 = broadcast %22 axes [] : Tensor<f64, 2>
            %25 = multiply %21, %24 : Tensor<f64, 2>
            return %23, %25, %22
        }
        return %5, %6, %7";
    let parameters = "%0 x: Tensor<f64, 2>, %1 y: Tensor<f64>, %2 n: Tensor<i32>";
    let results = "Tensor<i32>, Tensor<f64, 2>, Tensor<f64>";
    let arguments: &[Numbers] = &[
        |at| some(&[2], at),
        |at| some(&[], at + 9),
        |at| places(&[], &[[3, 0, 5][at]]),
    ];
    check_body(parameters, results, counted, arguments);
}

/// A loop that would not end for values that do not get to it, in a branch.
#[test]
fn loops_that_end_apart() {
    let text = "%1 = constant splat 0 : Tensor<i32> %2 = constant splat 7 : Tensor<i32>
        %3 = less %1, %0 : Tensor<bool>
        %4 = if %3 : Tensor<i32> region() {
            %10 = while %0 : Tensor<i32> region(%11: Tensor<i32>) {
                %12 = not_equal %11, %2 : Tensor<bool> return %12
            } region(%13: Tensor<i32>) {
                %14 = constant splat 1 : Tensor<i32> %15 = add %13, %14 : Tensor<i32> return %15
            }
            return %10
        } region() { return %0 }
        return %4";
    let arguments: &[Numbers] = &[|at| places(&[], &[[3, -1_000_000, 5][at]])];
    check_body("%0 x: Tensor<i32>", "Tensor<i32>", text, arguments);
}

/// A counted loop that may end before: what counts is the same for all.
#[test]
fn loops_that_are_left() {
    let text = "%2 = constant splat 0 : Tensor<i32> %3 = constant splat 1 : Tensor<i32> %4 = constant splat 4 : Tensor<i32>
        %5 = constant splat true : Tensor<bool> %6 = constant splat 0.0 : Tensor<f64>
        %7, %8, %9 = while %2, %5, %6 : Tensor<i32>, Tensor<bool>, Tensor<f64> region(%10: Tensor<i32>, %11: Tensor<bool>, %12: Tensor<f64>) {
            %13 = less %10, %4 : Tensor<bool> %14 = and %13, %11 : Tensor<bool> return %14
        } region(%20: Tensor<i32>, %21: Tensor<bool>, %22: Tensor<f64>) {
            %23 = dynamic_slice %0, %20 sizes [1] : Tensor<f64, 1>
            %24 = reshape %23 : Tensor<f64>
            %25 = add %22, %24 : Tensor<f64>
            %26 = less %25, %1 : Tensor<bool>
            %27 = add %20, %3 : Tensor<i32>
            return %27, %26, %25
        }
        return %7, %8, %9";
    let arguments: &[Numbers] = &[
        |at| some(&[4], at),
        |at| real(&[], &[[1.5, 0.2, 100.0][at]]),
    ];
    let results = "Tensor<i32>, Tensor<bool>, Tensor<f64>";
    check_body(
        "%0 x: Tensor<f64, 4>, %1 most: Tensor<f64>",
        results,
        text,
        arguments,
    );
}

#[test]
fn calls() {
    let text = "module @m {
        global @scale: Tensor<f64> = splat 3.0
        func private @g(%0 x: Tensor<f64, N>, %1 y: Tensor<f64>) -> Tensor<f64, N>, Tensor<f64> {
            %2 = sin %0 : Tensor<f64, N> %3 = broadcast %1 axes [] : Tensor<f64, N>
            %4 = multiply %2, %3 : Tensor<f64, N> %5 = global_load @scale : Tensor<f64>
            %6 = multiply %5, %1 : Tensor<f64> return %4, %6
        }
        func public @f(%0 x: Tensor<f64, N>, %1 y: Tensor<f64>) -> Tensor<f64, N>, Tensor<f64> {
            %2, %3 = call @g %0, %1 : Tensor<f64, N>, Tensor<f64>
            %4, %5 = call @g %2, %1 : Tensor<f64, N>, Tensor<f64>
            trace @seen %4, %5 site 0
            return %4, %5
        } }";
    let arguments: &[Numbers] = &[|at| some(&[2], at), |at| some(&[], at + 9)];
    check_without_numbers(text, arguments);
}

/// Values of several functions have the same numbers.
fn check_without_numbers(text: &str, arguments: &[Numbers]) {
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

/// The host is asked for each element that gets there, in branches and loops too.
#[test]
fn functions_of_the_host() {
    let asks = |x: &str, y: &str| {
        format!(
            "{y} = import {x} name double parameters [x: Tensor<f64>] results [Tensor<f64>] : Tensor<f64>"
        )
    };
    let arguments: &[Numbers] = &[|at| real(&[], &[[0.5, -1.0, 3.0][at]]), |at| some(&[], at)];
    let parameters = "%0 x: Tensor<f64>, %1 y: Tensor<f64>";
    let plain = format!("{} {} return %2, %3", asks("%0", "%2"), asks("%1", "%3"));
    check_body(parameters, "Tensor<f64>, Tensor<f64>", &plain, arguments);
    let taken = format!(
        "%2 = less %1, %0 : Tensor<bool> %3 = if %2 : Tensor<f64> region() {{ {} return %4 }} region() {{ return %0 }} return %3",
        asks("%0", "%4")
    );
    check_body(parameters, "Tensor<f64>", &taken, arguments);
    let again = format!(
        "%2 = constant splat 20.0 : Tensor<f64> %3 = abs %0 : Tensor<f64> %4 = while %3 : Tensor<f64> region(%5: Tensor<f64>) {{
            %6 = less %5, %2 : Tensor<bool> return %6
        }} region(%7: Tensor<f64>) {{ {} return %8 }} return %4",
        asks("%7", "%8")
    );
    check_body(parameters, "Tensor<f64>", &again, arguments);
}

#[test]
fn what_is_the_same_for_all_is_computed_once() {
    let text = "module @m { func public @f(%0 x: Tensor<f64, 3>, %1 w: Tensor<f64, 4, 3>) -> Tensor<f64, 4> {
        %2 = tanh %1 : Tensor<f64, 4, 3>
        %3 = dot_general %2, %0 batch [] x [] contract [1] x [0] : Tensor<f64, 4>
        return %3 } }";
    let module = module(text);
    let derived = vmap(
        &module,
        crate::check::last(&module),
        &[0],
        &Dim::named("B"),
        false,
    );
    let text = sound(derived.expect("it has rules").module)
        .module()
        .to_string();
    let expected = "func public @f_vmap(%0 x: Tensor<f64, B, 3>, %1 w: Tensor<f64, 4, 3>) -> Tensor<f64, B, 4> {
    %2 = tanh %1 : Tensor<f64, 4, 3>
    %3 = dot_general %0, %2 batch [] x [] contract [1] x [1] : Tensor<f64, B, 4>
    return %3
  }";
    assert!(text.contains(expected), "{text}");
}

/// Checks the derivatives of a function of a batch, up to the second.
fn check_slopes(parameters: &str, results: &str, body: &str, arguments: &[Numbers]) {
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

#[test]
fn slopes_of_products_and_lookups() {
    let body = "%2 = sin %0 : Tensor<f64, 2, 3>
        %3 = dot_general %2, %1 batch [] x [] contract [1] x [0] : Tensor<f64, 2, 2>
        %4 = dot_general %1, %2 batch [] x [] contract [1] x [0] : Tensor<f64, 3, 3>
        %5 = exp %3 : Tensor<f64, 2, 2> return %5, %4";
    let arguments: &[Numbers] = &[|at| some(&[2, 3], at), |at| some(&[3, 2], at + 9)];
    let parameters = "%0 x: Tensor<f64, 2, 3>, %1 y: Tensor<f64, 3, 2>";
    check_slopes(
        parameters,
        "Tensor<f64, 2, 2>, Tensor<f64, 3, 3>",
        body,
        arguments,
    );
    let body = "%3 = exp %0 : Tensor<f64, 4, 2>
        %4 = dynamic_slice %3, %1, %2 sizes [2, 1] : Tensor<f64, 2, 1>
        %5 = multiply %4, %4 : Tensor<f64, 2, 1>
        %6 = dynamic_update_slice %3, %5, %2, %1 : Tensor<f64, 4, 2>
        %7 = reshape %1 : Tensor<i32, 1>
        %8 = gather %6, %7 axes [0] : Tensor<f64, 1, 2>
        %9 = scatter_add %6, %8, %7 axes [0] : Tensor<f64, 4, 2>
        return %9";
    let parameters = "%0 x: Tensor<f64, 4, 2>, %1 i: Tensor<i32>, %2 j: Tensor<i32>";
    let arguments: &[Numbers] = &[
        |at| some(&[4, 2], at),
        |at| places(&[], &[[1, -2, 3][at]]),
        |at| places(&[], &[[0, 9, 1][at]]),
    ];
    check_slopes(parameters, "Tensor<f64, 4, 2>", body, arguments);
}

#[test]
fn slopes_of_branches_and_loops() {
    let branch = "%2 = if %1 : Tensor<f64, 2> region() {
            %3 = sin %0 : Tensor<f64, 2> %4 = multiply %3, %0 : Tensor<f64, 2> return %4
        } region() { %5 = exp %0 : Tensor<f64, 2> return %5 }
        return %2";
    let arguments: &[Numbers] = &[|at| some(&[2], at), |at| truth(at == 1)];
    let parameters = "%0 x: Tensor<f64, 2>, %1 c: Tensor<bool>";
    check_slopes(parameters, "Tensor<f64, 2>", branch, arguments);
    let ends = [
        "%13 = less %10, %1 : Tensor<bool> %14 = and %13, %11 : Tensor<bool> return %14",
        "%13 = less %10, %4 : Tensor<bool> %14 = and %13, %11 : Tensor<bool> return %14",
    ];
    for end in ends {
        let text = format!(
            "%2 = constant splat 0 : Tensor<i32> %3 = constant splat 1 : Tensor<i32> %4 = constant splat 4 : Tensor<i32>
            %5 = constant splat true : Tensor<bool> %6 = constant splat 5.0 : Tensor<f64>
            %7, %8, %9 = while %2, %5, %0 : Tensor<i32>, Tensor<bool>, Tensor<f64> region(%10: Tensor<i32>, %11: Tensor<bool>, %12: Tensor<f64>) {{
                {end}
            }} region(%20: Tensor<i32>, %21: Tensor<bool>, %22: Tensor<f64>) {{
                %23 = multiply %22, %22 : Tensor<f64>
                %25 = add %23, %0 : Tensor<f64>
                %26 = less %25, %6 : Tensor<bool>
                %27 = add %20, %3 : Tensor<i32>
                return %27, %26, %25
            }}
            return %9"
        );
        let arguments: &[Numbers] = &[|at| some(&[], at), |at| places(&[], &[[3, 0, 2][at]])];
        let parameters = "%0 x: Tensor<f64>, %1 n: Tensor<i32>";
        check_slopes(parameters, "Tensor<f64>", &text, arguments);
    }
}

/// Iterations that start and end at numbers of each element.
#[test]
fn slopes_of_loops_that_start_apart() {
    let text = "%3 = constant splat 1 : Tensor<i32>
        %4, %5 = while %1, %0 : Tensor<i32>, Tensor<f64> region(%6: Tensor<i32>, %7: Tensor<f64>) {
            %8 = less %6, %2 : Tensor<bool> return %8
        } region(%9: Tensor<i32>, %10: Tensor<f64>) {
            %11 = convert %9 : Tensor<f64> %12 = sin %10 : Tensor<f64>
            %13 = multiply %11, %12 : Tensor<f64> %14 = add %9, %3 : Tensor<i32>
            return %14, %13
        }
        return %5";
    let arguments: &[Numbers] = &[
        |at| some(&[], at),
        |at| places(&[], &[[1, -1, 3][at]]),
        |at| places(&[], &[[3, 2, 2][at]]),
    ];
    let parameters = "%0 x: Tensor<f64>, %1 start: Tensor<i32>, %2 end: Tensor<i32>";
    check_slopes(parameters, "Tensor<f64>", text, arguments);
    check_body(parameters, "Tensor<f64>", text, arguments);
}
