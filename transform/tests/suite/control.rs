//! Branches and loops, forwards and backwards, once and twice.

use crate::check::{check, check_by, last, module, numbered, places, real, some, truth};
use iree_dsl_interpreter::Tensor;
use iree_dsl_transform::{jvp, vjp};

/// Checks a function with static sizes, and with those of the call.
fn check_sizes(
    parameters: &str,
    results: &str,
    body: &str,
    (name, size): (&str, usize),
    arguments: &[Tensor],
) {
    for known in [true, false] {
        let number = size.to_string();
        let size = if known { &number } else { name };
        let text =
            format!("module @m {{ func public @f({parameters}) -> {results} {{ {body} }} }}");
        let text = text.replace(&format!("{{{name}}}"), size);
        let text = text.replace(
            &format!("size of [{number}]"),
            &format!("constant splat {number}"),
        );
        check(&module(&numbered(&text)), arguments, 2);
    }
}

/// A loop over `i` from 0 to a number, which hands on `c`.
fn counted(end: &str, carried: &str, body: &str) -> String {
    format!(
        "%10 = constant splat 0 : Tensor<i32>
        %11 = constant splat 1 : Tensor<i32>
        %12 = {end} : Tensor<i32>
        %13, %14 = while %10, %1 : Tensor<i32>, {carried} region(%20: Tensor<i32>, %21: {carried}) {{
            %22 = less %20, %12 : Tensor<bool>
            return %22
        }} region(%30: Tensor<i32>, %31: {carried}) {{
            {body}
            %49 = add %30, %11 : Tensor<i32>
            return %49, %40
        }}
        return %14"
    )
}

#[test]
fn the_branch_that_was_taken() {
    let body = "%3 = if %2 : Tensor<f64, {N}> region() {
            %4 = sin %0 : Tensor<f64, {N}>
            %5 = multiply %4, %1 : Tensor<f64, {N}>
            %6 = exp %5 : Tensor<f64, {N}>
            return %6
        } region() { return %0 }
        return %3";
    for taken in [true, false] {
        check_sizes(
            "%0 x: Tensor<f64, {N}>, %1 y: Tensor<f64, {N}>, %2 c: Tensor<bool>",
            "Tensor<f64, {N}>",
            body,
            ("N", 3),
            &[some(&[3], 1), some(&[3], 2), truth(taken)],
        );
    }
}

#[test]
fn what_is_not_taken_does_not_matter() {
    let text = "module @m { func public @f(%0 x: Tensor<f64>) -> Tensor<f64> {
        %1 = constant splat 0.0 : Tensor<f64>
        %2 = greater %0, %1 : Tensor<bool>
        %3 = if %2 : Tensor<f64> region() { %4 = sqrt %0 : Tensor<f64> return %4 } region() { return %1 }
        return %3 } }";
    let module = module(&numbered(text));
    let reverse = crate::check::derived(vjp(&module, last(&module), &[0]), &module);
    let zero = real(&[], &[0.0]);
    let results = crate::check::call(&reverse, last(&reverse), &[zero.clone(), real(&[], &[1.0])]);
    assert_eq!(results, [zero.clone(), zero]);
}

#[test]
fn iterations_hand_on() {
    let body = "%32 = sin %31 : Tensor<f64, {N}>
        %33 = multiply %32, %0 : Tensor<f64, {N}>
        %40 = add %33, %31 : Tensor<f64, {N}>";
    for end in ["constant splat 3", "size of [{N}]"] {
        let carried = "Tensor<f64, {N}>";
        check_sizes(
            "%0 x: Tensor<f64, {N}>, %1 y: Tensor<f64, {N}>",
            "Tensor<f64, {N}>",
            &counted(end, carried, body),
            ("N", 4),
            &[some(&[4], 1), some(&[4], 2)],
        );
    }
}

#[test]
fn rows_of_a_tensor_are_read() {
    let body = "%32 = constant splat 0 : Tensor<i32>
        %33 = dynamic_slice %0, %30, %32 sizes [1, 2] : Tensor<f64, 1, 2>
        %34 = reshape %33 : Tensor<f64, 2>
        %35 = multiply %34, %31 : Tensor<f64, 2>
        %40 = exp %35 : Tensor<f64, 2>";
    check_sizes(
        "%0 x: Tensor<f64, {N}, 2>, %1 y: Tensor<f64, 2>",
        "Tensor<f64, 2>",
        &counted("size of [{N}]", "Tensor<f64, 2>", body),
        ("N", 3),
        &[some(&[3, 2], 1), some(&[2], 2)],
    );
}

/// A loop that hands on a state, which iterations write into rows.
fn stacking(first: &str, (start, end): (usize, &str), place: &str, rows: &str) -> String {
    let (state, stack) = ("Tensor<f64, 2>", "Tensor<f64, {N}, 2>");
    format!(
        "%2 = constant splat {start} : Tensor<i32>
        %3 = {end} : Tensor<i32>
        %8 = constant splat 0.0 : Tensor<f64>
        %4 = broadcast %8 axes [] : {stack}
        %5, %6, %7 = while %2, %1, {first} : Tensor<i32>, {state}, {stack}
        region(%10: Tensor<i32>, %11: {state}, %12: {stack}) {{
            %13 = less %10, %3 : Tensor<bool>
            return %13
        }} region(%20: Tensor<i32>, %21: {state}, %22: {stack}) {{
            %25 = constant splat 0 : Tensor<i32>
            %26 = constant splat 1 : Tensor<i32>
            %60 = dynamic_slice %0, %20, %25 sizes [1, 2] : Tensor<f64, 1, 2>
            %61 = reshape %60 : {state}
            %23 = multiply %21, %61 : {state}
            %24 = sin %23 : {state}
            {place}
            %29 = reshape %24 : Tensor<f64, 1, 2>
            {rows}
            %50 = add %20, %26 : Tensor<i32>
            return %50, %49, %48
        }}
        return %7"
    )
}

/// The cotangents of rows are only read where nothing but an iteration of its own writes them.
#[test]
fn rows_that_iterations_write() {
    let (state, stack) = ("Tensor<f64, 2>", "Tensor<f64, {N}, 2>");
    let (here, fixed) = (
        "%27 = convert %20 : Tensor<i64> %28 = convert %27 : Tensor<i32>",
        "%28 = constant splat 1 : Tensor<i32>",
    );
    let write = format!("%48 = dynamic_update_slice %22, %29, %20, %25 : {stack}");
    let alone = format!("{write} %49 = add %24, %21 : {state}");
    let read_before = format!(
        "{write} %30 = dynamic_slice %22, %26, %25 sizes [1, 2] : Tensor<f64, 1, 2>
        %31 = reshape %30 : {state} %49 = add %24, %31 : {state}"
    );
    let read_behind = format!(
        "{write} %30 = dynamic_slice %48, %26, %25 sizes [1, 2] : Tensor<f64, 1, 2>
        %31 = reshape %30 : {state} %49 = add %24, %31 : {state}"
    );
    let counted = format!(
        "%48 = dynamic_update_slice %22, %29, %28, %25 : {stack} %49 = add %24, %21 : {state}"
    );
    let all = (0, "size of [{N}]");
    // There are four rows: of five iterations the last writes into that of another one.
    let cases = [
        ("%4", all, "", &alone),
        ("%4", all, here, &counted),
        ("%4", all, fixed, &counted),
        ("%4", all, "", &read_before),
        ("%4", all, "", &read_behind),
        ("%4", (1, "size of [{N}]"), "", &alone),
        ("%4", (0, "constant splat 5"), "", &alone),
        ("%4", (1, "constant splat 5"), "", &alone),
        ("%0", all, "", &alone),
        ("%0", (1, "size of [{N}]"), "", &alone),
    ];
    for (first, range, place, rows) in cases {
        check_sizes(
            &format!("%0 x: {stack}, %1 y: {state}"),
            stack,
            &stacking(first, range, place, rows),
            ("N", 4),
            &[some(&[4, 2], 1), some(&[2], 2)],
        );
    }
}

/// Contractions with what is around a loop, as the first or second operand, through other maps, several times, and beside others.
#[test]
fn weights_of_loops() {
    let (state, weights) = ("Tensor<f64, {N}, 3>", "Tensor<f64, 3, 3>");
    let dot = "dot_general %31, %0 batch [] x [] contract [1] x [0]";
    let bodies = [
        format!("%32 = {dot} : {state} %40 = sin %32 : {state}"),
        format!(
            "%32 = dot_general %0, %31 batch [] x [] contract [1] x [1] : Tensor<f64, 3, {{N}}>
             %33 = transpose %32 permutation [1, 0] : {state} %40 = sin %33 : {state}"
        ),
        format!(
            "%32 = transpose %0 permutation [1, 0] : {weights} %33 = negate %32 : {weights}
             %34 = dot_general %31, %33 batch [] x [] contract [1] x [0] : {state} %40 = sin %34 : {state}"
        ),
        format!(
            "%32 = {dot} : {state} %33 = sin %32 : {state}
             %34 = dot_general %33, %0 batch [] x [] contract [1] x [1] : {state}
             %40 = add %34, %31 : {state}"
        ),
        format!(
            "%32 = {dot} : {state} %33 = multiply %0, %0 : {weights}
             %34 = dot_general %32, %33 batch [] x [] contract [1] x [0] : {state} %40 = sin %34 : {state}"
        ),
    ];
    for body in bodies {
        for end in ["constant splat 3", "size of [{N}]"] {
            check_sizes(
                &format!("%0 x: {weights}, %1 y: {state}"),
                state,
                &counted(end, state, &body),
                ("N", 2),
                &[some(&[3, 3], 1), some(&[2, 3], 2)],
            );
        }
    }
}

/// A loop over `i` with at most 9 iterations that is left after the fourth, and hands on `c`.
fn left(carried: &str, body: &str) -> String {
    format!(
        "%2 = constant splat 0 : Tensor<i32>
        %3 = constant splat 1 : Tensor<i32>
        %4 = constant splat 9 : Tensor<i32>
        %5 = constant splat false : Tensor<bool>
        %6 = constant splat 2 : Tensor<i32>
        %7, %8, %9 = while %2, %1, %5 : Tensor<i32>, {carried}, Tensor<bool>
        region(%10: Tensor<i32>, %11: {carried}, %12: Tensor<bool>) {{
            %13 = less %10, %4 : Tensor<bool>
            %14 = not %12 : Tensor<bool>
            %15 = and %13, %14 : Tensor<bool>
            return %15
        }} region(%20: Tensor<i32>, %21: {carried}, %22: Tensor<bool>) {{
            {body}
            %48 = greater %20, %6 : Tensor<bool>
            %49 = add %20, %3 : Tensor<i32>
            return %49, %40, %48
        }}
        return %8"
    )
}

/// Of a loop that is left, the rows of iterations that did not run are those of before it.
#[test]
fn rows_of_loops_that_are_left() {
    let body = "%23 = convert %20 : Tensor<f64>
        %24 = multiply %23, %0 : Tensor<f64>
        %25 = sin %24 : Tensor<f64>
        %26 = reshape %25 : Tensor<f64, 1>
        %40 = dynamic_update_slice %21, %26, %20 : Tensor<f64, 9>";
    let body = left("Tensor<f64, 9>", body);
    let text = format!(
        "module @m {{ func public @f(%0 x: Tensor<f64>) -> Tensor<f64, 9> {{
            %1 = constant splat 1.0 : Tensor<f64, 9> {body} }} }}"
    );
    check(&module(&numbered(&text)), &[some(&[], 1)], 1);
}

/// What is contracted is computed again from what is around the loop, and stacked for that.
#[test]
fn weights_of_rows() {
    let body = "%32 = constant splat 0 : Tensor<i32>
        %33 = dynamic_slice %2, %30, %32 sizes [1, 3] : Tensor<f64, 1, 3>
        %34 = dot_general %33, %0 batch [] x [] contract [1] x [0] : Tensor<f64, 1, 2>
        %35 = reshape %34 : Tensor<f64, 2>
        %36 = add %35, %31 : Tensor<f64, 2>
        %40 = sin %36 : Tensor<f64, 2>";
    check_sizes(
        "%0 x: Tensor<f64, 3, 2>, %1 y: Tensor<f64, 2>, %2 z: Tensor<f64, {N}, 3>",
        "Tensor<f64, 2>",
        &counted("size of [{N}]", "Tensor<f64, 2>", body),
        ("N", 4),
        &[some(&[3, 2], 1), some(&[2], 2), some(&[4, 3], 3)],
    );
}

/// Nothing is added for the iterations that did not run.
#[test]
fn weights_of_loops_that_are_left() {
    let body = "%23 = dot_general %21, %0 batch [] x [] contract [0] x [0] : Tensor<f64, 2>
        %24 = sin %23 : Tensor<f64, 2>
        %40 = add %24, %21 : Tensor<f64, 2>";
    let body = left("Tensor<f64, 2>", body);
    let text = format!(
        "module @m {{ func public @f(%0 x: Tensor<f64, 2, 2>, %1 y: Tensor<f64, 2>) -> Tensor<f64, 2> {{ {body} }} }}"
    );
    check(
        &module(&numbered(&text)),
        &[some(&[2, 2], 1), some(&[2], 2)],
        2,
    );
}

#[test]
fn loops_in_loops_and_branches() {
    let body = "%32 = constant splat 0.9 : Tensor<f64>
        %33 = less %31, %32 : Tensor<bool>
        %40 = if %33 : Tensor<f64> region() {
            %50 = constant splat 2 : Tensor<i32>
            %51, %52 = while %10, %31 : Tensor<i32>, Tensor<f64> region(%60: Tensor<i32>, %61: Tensor<f64>) {
                %62 = less %60, %50 : Tensor<bool>
                return %62
            } region(%70: Tensor<i32>, %71: Tensor<f64>) {
                %72 = multiply %71, %0 : Tensor<f64>
                %73 = sin %72 : Tensor<f64>
                %74 = add %73, %31 : Tensor<f64>
                %75 = add %70, %11 : Tensor<i32>
                return %75, %74
            }
            return %52
        } region() {
            %53 = exp %0 : Tensor<f64>
            %54 = divide %31, %53 : Tensor<f64>
            return %54
        }";
    let text = counted("constant splat 4", "Tensor<f64>", body);
    let text = format!(
        "module @m {{ func public @f(%0 x: Tensor<f64>, %1 y: Tensor<f64>) -> Tensor<f64> {{ {text} }} }}"
    );
    check(&module(&numbered(&text)), &[some(&[], 1), some(&[], 2)], 2);
}

/// The loop is run again up to each iteration.
#[test]
fn counts_that_no_size_tells() {
    let body = "%32 = sin %31 : Tensor<f64>
        %33 = multiply %32, %0 : Tensor<f64>
        %40 = add %33, %31 : Tensor<f64>";
    let text = counted("convert %2", "Tensor<f64>", body);
    let text = format!(
        "module @m {{ func public @f(%0 x: Tensor<f64>, %1 y: Tensor<f64>, %2 n: Tensor<i32>) -> Tensor<f64> {{ {text} }} }}"
    );
    for count in [0, 1, 4] {
        let arguments = [some(&[], 1), some(&[], 2), places(&[], &[count])];
        let order = if count == 0 { 1 } else { 2 };
        check_by(&module(&numbered(&text)), &arguments, &[0, 1], order);
    }
}

/// A loop that doubles until a number is large: nobody knows how often.
const WHILE: &str =
    "module @m { func public @f(%0 x: Tensor<f64>, %1 y: Tensor<f64>) -> Tensor<f64> {
    %2 = constant splat 9.0 : Tensor<f64>
    %3 = while %0 : Tensor<f64> region(%4: Tensor<f64>) {
        %5 = less %4, %2 : Tensor<bool>
        return %5
    } region(%6: Tensor<f64>) {
        %7 = multiply %6, OTHER : Tensor<f64>
        %8 = add %7, %1 : Tensor<f64>
        return %8
    }
    return %3 } }";

#[test]
fn without_a_count_backwards_only_what_needs_no_iteration() {
    let linear = module(&numbered(&WHILE.replace("OTHER", "%2")));
    check(&linear, &[some(&[], 1), some(&[], 2)], 2);
    let square = module(&numbered(&WHILE.replace("OTHER", "%6")));
    let arguments = [real(&[], &[1.5]), real(&[], &[0.3])];
    let forward = jvp(&square, last(&square), &[0, 1]).expect("it has a derivative");
    let forward = crate::check::sound(forward.module);
    let tangents = [real(&[], &[1.0]), real(&[], &[0.0])];
    let results = crate::check::call(&forward, last(&forward), &[arguments, tangents].concat());
    // Three times x² + y: the derivative is 8 times the product of what was squared.
    let slope = results[1].array::<f64>().expect("reals").sum();
    let expected = 8.0 * 1.5 * 2.55 * (2.55 * 2.55 + 0.3);
    assert!((slope - expected).abs() < 1e-9, "{slope}");
    let error = vjp(&square, last(&square), &[0]).expect_err("it has no count");
    assert_eq!(
        error.to_string(),
        "`while` is not differentiable: in reverse mode the iterations must be counted"
    );
}

#[test]
fn loops_that_are_left() {
    // Until the sum is above 2, at most 9 times.
    let text = "module @m { func public @f(%0 x: Tensor<f64>, %1 y: Tensor<f64>) -> Tensor<f64> {
        %2 = constant splat 0 : Tensor<i32>
        %3 = constant splat 1 : Tensor<i32>
        %4 = constant splat 9 : Tensor<i32>
        %5 = constant splat false : Tensor<bool>
        %6 = constant splat 2.0 : Tensor<f64>
        %7, %8, %9 = while %2, %0, %5 : Tensor<i32>, Tensor<f64>, Tensor<bool>
        region(%10: Tensor<i32>, %11: Tensor<f64>, %12: Tensor<bool>) {
            %13 = less %10, %4 : Tensor<bool>
            %14 = not %12 : Tensor<bool>
            %15 = and %13, %14 : Tensor<bool>
            return %15
        } region(%20: Tensor<i32>, %21: Tensor<f64>, %22: Tensor<bool>) {
            %23 = sin %21 : Tensor<f64>
            %24 = multiply %23, %1 : Tensor<f64>
            %25 = add %24, %21 : Tensor<f64>
            %26 = greater %25, %6 : Tensor<bool>
            %27 = add %20, %3 : Tensor<i32>
            return %27, %25, %26
        }
        return %8 } }";
    check(&module(&numbered(text)), &[some(&[], 1), some(&[], 2)], 2);
}

#[test]
fn calls_in_regions_are_followed() {
    let text = "module @m { func private @g(%0 x: Tensor<f64>, %1 y: Tensor<f64>) -> Tensor<f64> {
            %2 = multiply %0, %1 : Tensor<f64> %3 = sin %2 : Tensor<f64> return %3 }
        func public @f(%0 x: Tensor<f64>, %1 n: Tensor<i32>) -> Tensor<f64> {
        %2 = constant splat 0 : Tensor<i32>
        %3 = greater %1, %2 : Tensor<bool>
        %4 = if %3 : Tensor<f64> region() {
            %5 = call @g %0, %0 : Tensor<f64>
            %6 = call @g %5, %0 : Tensor<f64>
            return %6
        } region() { return %0 }
        return %4 } }";
    check_by(&module(text), &[some(&[], 1), places(&[], &[1])], &[0], 2);
}
