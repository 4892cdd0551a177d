//! Each family of operations at random points, with sizes that are known and sizes of the call, up to order two.

use crate::check::{check, check_sizes, complex, module, places, real, some};
use iree_dsl_ir::op::Solve;

fn unary(name: &str, offset: f64) {
    let body = format!(
        "%1 = constant splat {offset:?} : Tensor<f64>
         %2 = broadcast %1 axes [] : Tensor<f64, {{N}}>
         %3 = add %0, %2 : Tensor<f64, {{N}}>
         %4 = {name} %3 : Tensor<f64, {{N}}>
         return %4"
    );
    check_sizes(
        "%0 x: Tensor<f64, {N}>",
        "Tensor<f64, {N}>",
        &body,
        &[("N", 3)],
        &[some(&[3], 1)],
    );
}

#[test]
fn functions_of_one_real_number() {
    for name in [
        "abs", "negate", "sqrt", "cbrt", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log2", "log10",
        "sin", "cos", "sinh", "cosh", "tanh", "asinh", "sigmoid", "erf", "erfc", "lgamma",
        "digamma",
    ] {
        unary(name, 0.0);
    }
    for name in ["acosh", "lgamma", "digamma", "trigamma"] {
        unary(name, 1.5);
    }
    for name in ["atanh", "erf_inv"] {
        unary(name, -0.7);
    }
    for name in ["trigamma", "digamma", "lgamma", "abs"] {
        unary(name, -2.65);
    }
}

#[test]
fn functions_of_one_complex_number() {
    for name in [
        "negate", "sqrt", "exp", "exp_m1", "ln", "ln_1p", "sin", "cos", "tanh", "sigmoid",
    ] {
        let body = format!("%1 = {name} %0 : Tensor<Complex<f64>, {{N}}> return %1");
        let ty = "Tensor<Complex<f64>, {N}>";
        check_sizes(
            &format!("%0 x: {ty}"),
            ty,
            &body,
            &[("N", 3)],
            &[complex(&[3], 2)],
        );
    }
    for name in ["abs", "real", "imag"] {
        let body = format!("%1 = {name} %0 : Tensor<f64, {{N}}> return %1");
        check_sizes(
            "%0 x: Tensor<Complex<f64>, {N}>",
            "Tensor<f64, {N}>",
            &body,
            &[("N", 3)],
            &[complex(&[3], 2)],
        );
    }
}

#[test]
fn functions_of_two_numbers() {
    for name in [
        "add",
        "subtract",
        "multiply",
        "divide",
        "remainder",
        "power",
        "atan2",
        "maximum",
        "minimum",
    ] {
        let body = format!("%2 = {name} %0, %1 : Tensor<f64, {{N}}> return %2");
        let parameters = "%0 x: Tensor<f64, {N}>, %1 y: Tensor<f64, {N}>";
        check_sizes(
            parameters,
            "Tensor<f64, {N}>",
            &body,
            &[("N", 4)],
            &[some(&[4], 1), some(&[4], 8)],
        );
        if !["add", "subtract", "multiply", "divide"].contains(&name) {
            continue;
        }
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<Complex<f64>, 3>, %1 y: Tensor<Complex<f64>, 3>)
                -> Tensor<Complex<f64>, 3> {{ %2 = {name} %0, %1 : Tensor<Complex<f64>, 3> return %2 }} }}"
        );
        check(&module(&text), &[complex(&[3], 1), complex(&[3], 4)], 2);
    }
    let body = "%2 = complex %0, %1 : Tensor<Complex<f64>, {N}> %3 = exp %2 : Tensor<Complex<f64>, {N}> return %3";
    let parameters = "%0 x: Tensor<f64, {N}>, %1 y: Tensor<f64, {N}>";
    check_sizes(
        parameters,
        "Tensor<Complex<f64>, {N}>",
        body,
        &[("N", 2)],
        &[some(&[2], 1), some(&[2], 8)],
    );
}

#[test]
fn one_operand_twice() {
    let body = "%1 = multiply %0, %0 : Tensor<f64, {N}> %2 = subtract %1, %0 : Tensor<f64, {N}>
        %3 = divide %2, %1 : Tensor<f64, {N}> return %3, %1";
    let results = "Tensor<f64, {N}>, Tensor<f64, {N}>";
    check_sizes(
        "%0 x: Tensor<f64, {N}>",
        results,
        body,
        &[("N", 3)],
        &[some(&[3], 3)],
    );
}

#[test]
fn shapes() {
    let body = "%1 = sin %0 : Tensor<f64, {N}, 2>
        %2 = transpose %1 permutation [1, 0] : Tensor<f64, 2, {N}>
        %3 = reverse %2 axes [1] : Tensor<f64, 2, {N}>
        %4 = reshape %3 : Tensor<f64, 2*{N}>
        %5 = reshape %4 : Tensor<f64, 1, 2*{N}>
        %6 = broadcast %5 axes [1, 2] : Tensor<f64, 3, 4, 2*{N}>
        %7 = convert %6 as Complex<f64> : Tensor<Complex<f64>, 3, 4, 2*{N}>
        %8 = exp %7 : Tensor<Complex<f64>, 3, 4, 2*{N}>
        return %8";
    let body = body.replace("convert %6 as Complex<f64>", "convert %6");
    for (size, known) in [(3, true), (3, false)] {
        let name = if known {
            size.to_string()
        } else {
            "N".to_owned()
        };
        let double = if known {
            (2 * size).to_string()
        } else {
            "2*N".to_owned()
        };
        let body = body.replace("2*{N}", &double).replace("{N}", &name);
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64, {name}, 2>) -> Tensor<Complex<f64>, 3, 4, {double}> {{ {body} }} }}"
        );
        check(&module(&text), &[some(&[size, 2], 1)], 2);
    }
}

#[test]
fn choices_and_pads() {
    let body = "%3 = less %0, %1 : Tensor<bool, {N}>
        %4 = sin %0 : Tensor<f64, {N}>
        %5 = multiply %1, %1 : Tensor<f64, {N}>
        %6 = select %3, %4, %5 : Tensor<f64, {N}>
        %7 = select %3, %4, %6 : Tensor<f64, {N}>
        %8 = exp %2 : Tensor<f64>
        %9 = pad %7, %8 low [1] high [-1] interior [0] : Tensor<f64, {N}>
        return %6, %9";
    let parameters = "%0 x: Tensor<f64, {N}>, %1 y: Tensor<f64, {N}>, %2 z: Tensor<f64>";
    let arguments = [some(&[4], 1), some(&[4], 8), some(&[], 3)];
    check_sizes(
        parameters,
        "Tensor<f64, {N}>, Tensor<f64, {N}>",
        body,
        &[("N", 4)],
        &arguments,
    );
    let text = "module @m { func public @f(%0 x: Tensor<f64, 3, 4>, %1 v: Tensor<f64>) -> Tensor<f64, 8, 5> {
        %2 = exp %0 : Tensor<f64, 3, 4>
        %3 = pad %2, %1 low [1, -2] high [0, 0] interior [2, 1] : Tensor<f64, 8, 5>
        return %3 } }";
    check(&module(text), &[some(&[3, 4], 2), some(&[], 4)], 2);
}

#[test]
fn slices() {
    let body = "%1 = exp %0 : Tensor<f64, {N}, 4>
        %2 = slice %1 start [1, 0] limit [{N}, 3] stride [1, 1] : Tensor<f64, {M}, 3>
        %3 = slice %1 start [0, 1] limit [{M}, 4] stride [1, 1] : Tensor<f64, {M}, 3>
        %4 = multiply %2, %3 : Tensor<f64, {M}, 3>
        %5 = slice %1 start [0, 1] limit [{N}, 4] stride [2, 2] : Tensor<f64, {H}, 2>
        %6 = concatenate %5, %5, %5 axis 1 : Tensor<f64, {H}, 6>
        return %4, %6";
    for dims in [["5", "4", "3"], ["N", "N - 1", "(N + 1)/2"]] {
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64, {{N}}, 4>) -> Tensor<f64, {{M}}, 3>, Tensor<f64, {{H}}, 6> {{ {body} }} }}"
        );
        let text = text
            .replace("{N}", dims[0])
            .replace("{M}", dims[1])
            .replace("{H}", dims[2]);
        check(&module(&text), &[some(&[5, 4], 2)], 2);
    }
}

#[test]
fn concatenations() {
    let body = "%3 = exp %0 : Tensor<f64, 2, {N}>
        %4 = concatenate %3, %2, %1, %3 axis 0 : Tensor<f64, 9, {N}>
        %5 = sin %4 : Tensor<f64, 9, {N}> return %5";
    let parameters =
        "%0 x: Tensor<f64, 2, {N}>, %1 y: Tensor<f64, 2, {N}>, %2 z: Tensor<f64, 3, {N}>";
    let arguments = [some(&[2, 3], 1), some(&[2, 3], 2), some(&[3, 3], 3)];
    check_sizes(
        parameters,
        "Tensor<f64, 9, {N}>",
        body,
        &[("N", 3)],
        &arguments,
    );
}

#[test]
fn dynamic_slices() {
    let body = "%4 = exp %0 : Tensor<f64, {N}, 3>
        %5 = dynamic_slice %4, %1, %2 sizes [2, 2] : Tensor<f64, 2, 2>
        %6 = multiply %5, %3 : Tensor<f64, 2, 2>
        %7 = dynamic_update_slice %4, %6, %2, %1 : Tensor<f64, {N}, 3>
        %8 = multiply %7, %4 : Tensor<f64, {N}, 3>
        return %8";
    let parameters =
        "%0 x: Tensor<f64, {N}, 3>, %1 i: Tensor<i32>, %2 j: Tensor<i32>, %3 y: Tensor<f64, 2, 2>";
    for (i, j) in [(1, 0), (-3, 1), (9, 9)] {
        let arguments = [
            some(&[4, 3], 1),
            places(&[], &[i]),
            places(&[], &[j]),
            some(&[2, 2], 9),
        ];
        check_sizes(
            parameters,
            "Tensor<f64, {N}, 3>",
            body,
            &[("N", 4)],
            &arguments,
        );
    }
}

#[test]
fn contractions() {
    let body =
        "%2 = dot_general %0, %1 batch [1] x [2] contract [0, 3] x [3, 0] : Tensor<f64, 2, {N}, 4>
        %3 = sin %2 : Tensor<f64, 2, {N}, 4> return %3";
    let parameters = "%0 x: Tensor<f64, 3, 2, {N}, 5>, %1 y: Tensor<f64, 5, 4, 2, 3>";
    let arguments = [some(&[3, 2, 3, 5], 1), some(&[5, 4, 2, 3], 2)];
    check_sizes(
        parameters,
        "Tensor<f64, 2, {N}, 4>",
        body,
        &[("N", 3)],
        &arguments,
    );
    let text = "module @m { func public @f(%0 x: Tensor<Complex<f64>, 2, 3>) -> Tensor<Complex<f64>, 2, 2> {
        %1 = dot_general %0, %0 batch [] x [] contract [1] x [1] : Tensor<Complex<f64>, 2, 2> return %1 } }";
    check(&module(text), &[complex(&[2, 3], 5)], 2);
}

#[test]
fn fourier_transforms() {
    for name in ["fourier", "inverse_fourier"] {
        let body = format!(
            "%1 = exp %0 : Tensor<Complex<f64>, 2, {{N}}> %2 = {name} %1 : Tensor<Complex<f64>, 2, {{N}}>
             %3 = multiply %2, %2 : Tensor<Complex<f64>, 2, {{N}}> return %3"
        );
        let ty = "Tensor<Complex<f64>, 2, {N}>";
        check_sizes(
            &format!("%0 x: {ty}"),
            ty,
            &body,
            &[("N", 3)],
            &[complex(&[2, 3], 2)],
        );
    }
}

/// Lines that make matrices far from singular ones of `%0`: the last one has this number, the first one that behind `from`.
fn with_diagonal(dtype: &str, from: usize) -> String {
    let [numbers, wide, all, sum] = [1, 2, 3, 4].map(|line| from + line);
    format!(
        "%{numbers} = constant [4.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 6.0] : Tensor<f64, 3, 3>
         %{wide} = convert %{numbers} : Tensor<{dtype}, 3, 3>
         %{all} = broadcast %{wide} axes [1, 2] : Tensor<{dtype}, 2, 3, 3>
         %{sum} = add %0, %{all} : Tensor<{dtype}, 2, 3, 3>"
    )
}

#[test]
fn cholesky_factors() {
    let (real, wave) = ("Tensor<f64, 2, 3, 3>", "Tensor<Complex<f64>, 2, 3, 3>");
    let diagonal = with_diagonal("f64", 0);
    let text = format!(
        "module @m {{ func public @f(%0 x: {real}) -> {real} {{
            {diagonal}
            %5 = transpose %4 permutation [0, 2, 1] : {real} %6 = add %4, %5 : {real}
            %7 = cholesky %6 : {real} %8 = exp %7 : {real} return %8 }} }}"
    );
    check(&module(&text), &[some(&[2, 3, 3], 4)], 2);
    let diagonal = with_diagonal("Complex<f64>", 0);
    let text = format!(
        "module @m {{ func public @f(%0 x: {wave}) -> {wave} {{
            {diagonal}
            %5 = transpose %4 permutation [0, 2, 1] : {wave}
            %6 = real %5 : {real} %7 = imag %5 : {real} %8 = negate %7 : {real} %9 = complex %6, %8 : {wave}
            %10 = add %4, %9 : {wave}
            %11 = cholesky %10 : {wave} %12 = exp %11 : {wave} return %12 }} }}"
    );
    check(&module(&text), &[complex(&[2, 3, 3], 4)], 2);
}

#[test]
fn linear_systems() {
    for op in Solve::ALL {
        for (dtype, numbers) in [
            ("f64", [some(&[2, 3, 3], 4), some(&[2, 3, 2], 5)]),
            (
                "Complex<f64>",
                [complex(&[2, 3, 3], 4), complex(&[2, 3, 2], 5)],
            ),
        ] {
            let (name, diagonal) = (op.name(), with_diagonal(dtype, 1));
            let (matrices, right) = (
                format!("Tensor<{dtype}, 2, 3, 3>"),
                format!("Tensor<{dtype}, 2, 3, 2>"),
            );
            let text = format!(
                "module @m {{ func public @f(%0 x: {matrices}, %1 b: {right}) -> {right} {{
                    {diagonal}
                    %6 = sin %1 : {right} %7 = {name} %5, %6 : {right} %8 = exp %7 : {right} return %8 }} }}"
            );
            check(&module(&text), &numbers, 2);
        }
    }
}

#[test]
fn reductions() {
    for name in [
        "reduce_sum",
        "reduce_product",
        "reduce_maximum",
        "reduce_minimum",
    ] {
        let body = format!(
            "%1 = sin %0 : Tensor<f64, 2, {{N}}, 3> %2 = {name} %1 axes [0, 2] : Tensor<f64, {{N}}>
             %3 = sin %2 : Tensor<f64, {{N}}> return %3"
        );
        check_sizes(
            "%0 x: Tensor<f64, 2, {N}, 3>",
            "Tensor<f64, {N}>",
            &body,
            &[("N", 4)],
            &[some(&[2, 4, 3], 2)],
        );
    }
}

#[test]
fn cumulative_reductions() {
    for name in [
        "cumulate_sum",
        "cumulate_product",
        "cumulate_maximum",
        "cumulate_minimum",
    ] {
        for axis in 0..2 {
            let body = format!(
                "%1 = sin %0 : Tensor<f64, {{N}}, 3> %2 = {name} %1 axis {axis} : Tensor<f64, {{N}}, 3>
                 %3 = exp %2 : Tensor<f64, {{N}}, 3> return %3"
            );
            let ty = "Tensor<f64, {N}, 3>";
            check_sizes(
                &format!("%0 x: {ty}"),
                ty,
                &body,
                &[("N", 4)],
                &[some(&[4, 3], 2)],
            );
        }
    }
}

#[test]
fn lookups() {
    let body = "%2 = exp %0 : Tensor<f64, 2, {N}, 3>
        %3 = gather %2, %1, %1 axes [0, 2] : Tensor<f64, 4, {N}>
        %4 = gather %2, %1 axes [1] : Tensor<f64, 2, 4, 3>
        return %3, %4";
    let parameters = "%0 x: Tensor<f64, 2, {N}, 3>, %1 i: Tensor<i32, 4>";
    let arguments = [some(&[2, 3, 3], 1), places(&[4], &[1, -1, 7, 1])];
    check_sizes(
        parameters,
        "Tensor<f64, 4, {N}>, Tensor<f64, 2, 4, 3>",
        body,
        &[("N", 3)],
        &arguments,
    );
}

#[test]
fn scatters() {
    for name in [
        "scatter",
        "scatter_add",
        "scatter_multiply",
        "scatter_maximum",
        "scatter_minimum",
    ] {
        let body = format!(
            "%3 = exp %0 : Tensor<f64, 2, {{N}}> %4 = sin %1 : Tensor<f64, 2, 4>
             %5 = {name} %3, %4, %2 axes [1] : Tensor<f64, 2, {{N}}>
             %6 = multiply %5, %3 : Tensor<f64, 2, {{N}}> return %6"
        );
        let parameters = "%0 x: Tensor<f64, 2, {N}>, %1 y: Tensor<f64, 2, 4>, %2 i: Tensor<i32, 4>";
        for indices in [[1, 0, 2, 2], [1, -1, 7, 1]] {
            let arguments = [some(&[2, 3], 1), some(&[2, 4], 7), places(&[4], &indices)];
            check_sizes(
                parameters,
                "Tensor<f64, 2, {N}>",
                &body,
                &[("N", 3)],
                &arguments,
            );
        }
    }
    // Exact at zeros, of which there are two for one place, up to order two.
    let body = "%3 = scatter_multiply %0, %1, %2 axes [0] : Tensor<f64, {N}> return %3";
    let parameters = "%0 x: Tensor<f64, {N}>, %1 y: Tensor<f64, 5>, %2 i: Tensor<i32, 5>";
    for factors in [[0.5, 0.0, 2.0, 0.7, 0.3], [0.5, 0.0, 0.0, 0.7, 0.3]] {
        let arguments = [
            some(&[3], 1),
            real(&[5], &factors),
            places(&[5], &[1, 1, 1, 2, -4]),
        ];
        check_sizes(
            parameters,
            "Tensor<f64, {N}>",
            body,
            &[("N", 3)],
            &arguments,
        );
    }
}

#[test]
fn windows() {
    let steps = "strides [2, 1] padding [1, 0] x [2, -1] dilation [1, 2] input_dilation [1, 2]";
    // Each of these windows has an element of the tensor.
    let inside = "strides [2, 1] padding [1, 0] x [1, -1] dilation [1, 2] input_dilation [1, 1]";
    for (name, steps) in [
        ("window_sum", steps.to_owned()),
        ("window_maximum", inside.to_owned()),
        ("window_minimum", inside.to_owned()),
    ] {
        let sizes = if name == "window_sum" { "4, 4" } else { "3, 1" };
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64, 5, 4>) -> Tensor<f64, {sizes}> {{
                %1 = exp %0 : Tensor<f64, 5, 4>
                %2 = {name} %1 sizes [2, 2] {steps} : Tensor<f64, {sizes}>
                return %2 }} }}"
        );
        check(&module(&text), &[some(&[5, 4], 2)], 2);
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64, N>) -> Tensor<f64, N/2> {{
                %1 = exp %0 : Tensor<f64, N>
                %2 = {name} %1 sizes [2] strides [2] padding [0] x [0] dilation [1] input_dilation [1] : Tensor<f64, N/2>
                return %2 }} }}"
        );
        for size in [4, 5] {
            check(&module(&text), &[some(&[size], 2)], 2);
        }
    }
}

#[test]
fn convolutions() {
    let text = "module @m { func public @f(%0 x: Tensor<f64, 2, 6, 5, 4>, %1 k: Tensor<f64, 3, 2, 2, 4>)
        -> Tensor<f64, 3, 2, 4, 4> {
        %2 = exp %0 : Tensor<f64, 2, 6, 5, 4>
        %3 = convolution %2, %1 strides [2, 1] padding [1, 0] x [0, 1] dilation [1, 2] input_dilation [1, 1]
            groups 2 input [0, 3, 1, 2] kernel [3, 1, 0, 2] output [1, 3, 0, 2] : Tensor<f64, 3, 2, 4, 4>
        return %3 } }";
    let spread = text
        .replace("input_dilation [1, 1]", "input_dilation [2, 1]")
        .replace("Tensor<f64, 3, 2, 4, 4>", "Tensor<f64, 5, 2, 4, 4>");
    check(
        &module(&spread),
        &[some(&[2, 6, 5, 4], 2), some(&[3, 2, 2, 4], 3)],
        2,
    );
    check(
        &module(text),
        &[some(&[2, 6, 5, 4], 2), some(&[3, 2, 2, 4], 3)],
        2,
    );
    let text = "module @m { func public @f(%0 x: Tensor<f64, B, 2, N>, %1 k: Tensor<f64, 3, 2, 2>)
        -> Tensor<f64, B, 3, N/2> {
        %2 = convolution %0, %1 strides [2] padding [0] x [0] dilation [1] input_dilation [1]
            groups 1 input [0, 1, 2] kernel [0, 1, 2] output [0, 1, 2] : Tensor<f64, B, 3, N/2>
        %3 = sin %2 : Tensor<f64, B, 3, N/2>
        return %3 } }";
    for size in [4, 5] {
        check(
            &module(text),
            &[some(&[2, 2, size], 2), some(&[3, 2, 2], 3)],
            2,
        );
    }
}

#[test]
fn calls_and_globals_are_followed() {
    let text = "module @m {
        global mutable @s: Tensor<f64, 3> = splat 2.0
        func private @g(%0 x: Tensor<f64, N>, %1 y: Tensor<f64>) -> Tensor<f64, N>, Tensor<f64> {
            %2 = sin %0 : Tensor<f64, N>
            %3 = broadcast %1 axes [] : Tensor<f64, N>
            %4 = multiply %2, %3 : Tensor<f64, N>
            return %4, %1
        }
        func public @f(%0 x: Tensor<f64, 3>, %1 y: Tensor<f64>) -> Tensor<f64, 3> {
            %2 = global_load @s : Tensor<f64, 3>
            %3 = multiply %2, %0 : Tensor<f64, 3>
            global_store @s %3
            %4 = global_load @s : Tensor<f64, 3>
            %5 = multiply %4, %4 : Tensor<f64, 3>
            return %5
        }
    }";
    crate::check::check_by(&module(text), &[some(&[3], 1), some(&[], 2)], &[0], 2);
    let text = "module @m {
        func private @g(%0 x: Tensor<f64, N>, %1 y: Tensor<f64>) -> Tensor<f64, N>, Tensor<f64> {
            %2 = sin %0 : Tensor<f64, N>
            %3 = broadcast %1 axes [] : Tensor<f64, N>
            %4 = multiply %2, %3 : Tensor<f64, N>
            return %4, %1
        }
        func public @f(%0 x: Tensor<f64, N>, %1 y: Tensor<f64>) -> Tensor<f64, N> {
            %2, %3 = call @g %0, %1 : Tensor<f64, N>, Tensor<f64>
            %4, %5 = call @g %2, %3 : Tensor<f64, N>, Tensor<f64>
            return %4
        }
    }";
    check(&module(text), &[some(&[3], 1), some(&[], 2)], 2);
}
