//! Operations, each with every choice of operands that differ from element to element.

use super::check::{Numbers, check_body, check_with};
use crate::check::{complex, places, some};
use iree_dsl_interpreter::Tensor;

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
