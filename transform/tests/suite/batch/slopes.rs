//! Derivatives of functions of a batch.

use super::check::{Numbers, check_body, check_slopes};
use crate::check::{places, some, truth};

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
