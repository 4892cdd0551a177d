//! Branches, loops and calls, which elements take apart, and functions of the host.

use super::check::{Numbers, check_body, check_without_numbers};
use crate::check::{module, places, real, some, sound, truth};
use iree_abi::Dim;
use iree_dsl_transform::vmap;

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
