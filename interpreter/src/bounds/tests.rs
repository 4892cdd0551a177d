use super::{Bound, Comparison};
use crate::{Host, Interpreter, Tensor, Value};
use iree_dsl_ir::{text, verify};
use ndarray::{Array2, array};

fn interpreter(functions: &str) -> Interpreter {
    let module = text::parse(&format!("module @m {{\n{functions}\n}}")).expect("a module");
    let verified = verify(module).expect("a sound module");
    Host::default().load_within(verified).expect("no globals")
}

/// The result `%last` of a function with one parameter and so many lines that each have a result.
fn run(parameters: &str, result: &str, lines: &str, arguments: &[Tensor]) -> Value {
    // Values are numbered without gaps.
    let last = format!("%{}", lines.lines().count());
    let lines = lines.replace("%last", &last);
    let mut program = interpreter(&format!(
        "func public @f({parameters}) -> {result} {{\n{lines}\nreturn {last}\n}}"
    ));
    let mut results = program.call_within("f", arguments).expect("results");
    results.remove(0)
}

fn distances(value: &Value) -> Vec<f64> {
    let distances = value.bound.distances(value.tensor.shape());
    distances.iter().copied().collect()
}

fn is_one_of(value: &Value, found: Tensor) -> bool {
    let compared = Comparison::of(&value.tensor, &value.bound, &found);
    compared.expect("the same type").mismatch.is_none()
}

const UNIT: f64 = f32::EPSILON as f64;

#[test]
fn functions_add_their_last_places() {
    let x = Tensor::from(array![1.0_f32, 2.0]);
    let ty = "Tensor<f32, 2>";
    let exp = run(
        &format!("%0 x: {ty}"),
        ty,
        &format!("%last = exp %0 : {ty}"),
        &[x],
    );
    for (distance, y) in distances(&exp)
        .into_iter()
        .zip([1.0_f64.exp(), 2.0_f64.exp()])
    {
        assert!(
            (distance / (5.0 * UNIT * y) - 1.0).abs() < 1e-6,
            "{distance}"
        );
    }
}

#[test]
fn what_is_off_is_amplified() {
    let x = Tensor::from(array![3.0_f32, 0.0]);
    let ty = "Tensor<f32, 2>";
    let lines = format!("%1 = exp %0 : {ty}\n%last = exp %1 : {ty}");
    let twice = run(&format!("%0 x: {ty}"), ty, &lines, &[x]);
    let [large, small] = distances(&twice)[..] else {
        panic!()
    };
    let (e3, e1) = (3.0_f64.exp(), 1.0_f64.exp());
    // Up to the rounding of the result itself: the distance of the operand, times the derivative, and the function's own.
    let expected = e3.exp() * 5.0 * UNIT * (e3 + 1.0);
    assert!((large / expected - 1.0).abs() < 1e-3, "{large} {expected}");
    assert!(
        (small / (e1 * 5.0 * UNIT * 2.0) - 1.0).abs() < 0.1,
        "{small}"
    );
}

#[test]
fn sums_grow_with_their_length() {
    let x = Tensor::from(ndarray::Array1::<f32>::ones(100));
    let lines = "%last = reduce_sum %0 axes [0] : Tensor<f32>";
    let sum = run("%0 x: Tensor<f32, 100>", "Tensor<f32>", lines, &[x]);
    let expected = 100.0 * (101.0 * UNIT / 2.0 + UNIT);
    assert!((distances(&sum)[0] / expected - 1.0).abs() < 1e-6);
    assert!(is_one_of(&sum, Tensor::from(100.0005_f32)));
    assert!(!is_one_of(&sum, Tensor::from(100.002_f32)));
}

#[test]
fn movement_is_exact_and_carries_distances() {
    let x = Tensor::from(array![[1.0_f32, f32::NAN], [-0.0, 4.0]]);
    let ty = "Tensor<f32, 2, 2>";
    let lines = format!("%last = transpose %0 permutation [1, 0] : {ty}");
    let moved = run(&format!("%0 x: {ty}"), ty, &lines, std::slice::from_ref(&x));
    assert_eq!(moved.bound, Bound::Exact);
    let lines = format!("%1 = exp %0 : {ty}\n%last = transpose %1 permutation [1, 0] : {ty}");
    let moved = run(&format!("%0 x: {ty}"), ty, &lines, &[x]);
    let distances = distances(&moved);
    assert!(
        distances[0] > 0.0 && distances[3] > distances[1],
        "{distances:?}"
    );
}

#[test]
fn what_rounding_decides_is_undecided() {
    let x = Tensor::from(array![0.5_f32, 0.7]);
    let ty = "Tensor<f32, 2>";
    let lines = "%1 = sin %0 : Tensor<f32, 2>
        %2 = asinh %0 : Tensor<f32, 2>
        %3 = sin %0 : Tensor<f32, 2>
        %4 = less %1, %3 : Tensor<bool, 2>
        %5 = less %1, %2 : Tensor<bool, 2>
        %last = select %4, %1, %2 : Tensor<f32, 2>";
    let chosen = run(&format!("%0 x: {ty}"), ty, lines, std::slice::from_ref(&x));
    // Either of both.
    assert!(is_one_of(
        &chosen,
        Tensor::from(array![0.5_f32.sin(), 0.7_f32.asinh()])
    ));
    assert!(!is_one_of(&chosen, Tensor::from(array![0.4_f32, 0.7])));
    let floor = "%1 = sin %0 : Tensor<f32, 2>\n%2 = divide %1, %1 : Tensor<f32, 2>\n%last = floor %2 : Tensor<f32, 2>";
    let floor = run(&format!("%0 x: {ty}"), ty, floor, &[x]);
    assert_eq!(distances(&floor), [f64::INFINITY; 2]);
    assert!(is_one_of(&floor, Tensor::from(array![0.0_f32, 1.0])));
}

/// Matrices that are nearly singular, a little or not.
fn hilbert(size: usize) -> Array2<f32> {
    Array2::from_shape_fn((size, size), |(row, column)| {
        1.0 / (row + column + 1) as f32
    })
}

#[test]
fn matrices_are_off_as_far_as_they_are_near_to_singular_ones() {
    let of = |size: usize, op: &str| {
        let ty = format!("Tensor<f32, {size}, {size}>");
        let lines = format!(
            "%last = {op} %0{} : {ty}",
            if op == "cholesky" { "" } else { ", %0" }
        );
        let x = Tensor::from(hilbert(size));
        let value = run(&format!("%0 x: {ty}"), &ty, &lines, &[x]);
        distances(&value).into_iter().fold(0.0, f64::max)
    };
    for op in [
        "cholesky",
        "solve",
        "solve_lower",
        "solve_unit_upper_transposed",
    ] {
        let (small, large) = (of(2, op), of(3, op));
        assert!(small > UNIT / 2.0 && small < 1e3 * UNIT, "{op}: {small}");
        assert!(small < large && large < 0.1, "{op}: {large}");
    }
    // Of f32 nothing is left of these.
    assert_eq!(of(9, "cholesky"), f64::INFINITY);
    assert_eq!(of(9, "solve"), f64::INFINITY);
}

#[test]
fn integers_are_equal() {
    let x = Tensor::from(array![1_i32, 2]);
    let ty = "Tensor<i32, 2>";
    let twice = run(
        &format!("%0 x: {ty}"),
        ty,
        &format!("%last = add %0, %0 : {ty}"),
        &[x],
    );
    assert!(is_one_of(&twice, Tensor::from(array![2_i32, 4])));
    assert!(!is_one_of(&twice, Tensor::from(array![2_i32, 5])));
}

#[test]
fn an_order_is_known_where_elements_are_far_apart() {
    let ty = "Tensor<f32, 6>";
    // 1 and the next number may be exchanged, two zeros may not.
    let x = array![0.0_f32, 1.0 + 2.0 * f32::EPSILON, 5.0, 0.0, 1.0, f32::NAN];
    let sorted = |operation: &str| {
        let lines = format!(
            "%1 = abs %0 : {ty}\n%2 = sqrt %1 : {ty}\n%3 = {operation} %2 axis 0 : Tensor<i32, 6>"
        );
        run(
            &format!("%0 x: {ty}"),
            "Tensor<i32, 6>",
            &lines,
            &[x.clone().into()],
        )
    };
    let unknown = f64::INFINITY;
    let rising = sorted("arg_sort");
    assert_eq!(rising.tensor, Tensor::from(array![0_i32, 3, 4, 1, 2, 5]));
    assert_eq!(distances(&rising), [0.0, 0.0, unknown, unknown, 0.0, 0.0]);
    let falling = sorted("arg_sort_descending");
    assert_eq!(distances(&falling), [0.0, unknown, unknown, 0.0, 0.0, 0.0]);
}

#[test]
fn what_is_looked_up_at_a_known_place_is_known() {
    let x = Tensor::from(array![1.0_f32, 1.0 + 2.0 * f32::EPSILON, 5.0]);
    let lines = "%1 = sqrt %0 : Tensor<f32, 3>
        %2 = arg_sort %1 axis 0 : Tensor<i32, 3>
        %3 = constant [10, 20, 30] : Tensor<i32, 3>
        %4 = broadcast %3 axes [1] : Tensor<i32, 2, 3>
        %5 = gather %4, %2 axes [1] : Tensor<i32, 2, 3>";
    let looked_up = run("%0 x: Tensor<f32, 3>", "Tensor<i32, 2, 3>", lines, &[x]);
    let line = [f64::INFINITY, f64::INFINITY, 0.0];
    assert_eq!(distances(&looked_up), [line, line].concat());
}

/// The result `%result` of a branch of which it is undecided how it goes. Its sides have values from `%5` on.
fn undecided_branch(result: usize, ty: &str, then: &str, otherwise: &str) -> Vec<Value> {
    let mut program = interpreter(&format!(
        "func public @f(%0 x: Tensor<f32, 1>) -> {ty} {{
           %1 = reshape %0 : Tensor<f32>
           %2 = exp %1 : Tensor<f32>
           %3 = constant splat 2.7182817 : Tensor<f32>
           %4 = less %2, %3 : Tensor<bool>
           %{result} = if %4 : {ty} region() {{ {then} }} region() {{ {otherwise} }}
           return %{result}
         }}"
    ));
    let x = Tensor::from(array![1.0_f32]);
    program.call_within("f", &[x]).expect("results")
}

#[test]
fn a_branch_is_known_as_far_as_both_sides_agree() {
    let results = undecided_branch(
        7,
        "Tensor<f32>",
        "%5 = add %1, %1 : Tensor<f32> return %5",
        "%6 = constant splat 2.5 : Tensor<f32> return %6",
    );
    let [distance] = distances(&results[0])[..] else {
        panic!("one number")
    };
    assert!((0.5..0.500_001).contains(&distance), "{distance}");
    // Next to each other, but not as `f64` has them.
    let integers = undecided_branch(
        7,
        "Tensor<i64>",
        "%5 = constant splat 9007199254740993 : Tensor<i64> return %5",
        "%6 = constant splat 9007199254740992 : Tensor<i64> return %6",
    );
    assert_eq!(distances(&integers[0]), [f64::INFINITY]);
    let nested = undecided_branch(
        9,
        "Tensor<i64>",
        "%5 = constant splat 1 : Tensor<i64>
         %7 = if %4 : Tensor<i64> region() { return %5 } region() {
           %6 = constant splat 1 : Tensor<i64> return %6
         }
         return %7",
        "%8 = constant splat 1 : Tensor<i64> return %8",
    );
    assert_eq!(distances(&nested[0]), [0.0]);
}

#[test]
fn a_side_that_must_not_run_leaves_a_branch_undecided() {
    let looping = undecided_branch(
        10,
        "Tensor<i64>",
        "%5 = constant splat 1 : Tensor<i64> return %5",
        "%6 = constant splat 1 : Tensor<i64>
         %9 = while %6 : Tensor<i64> region(%7: Tensor<i64>) { return %4 } region(%8: Tensor<i64>) { return %8 }
         return %9",
    );
    assert_eq!(distances(&looping[0]), [f64::INFINITY]);
}

#[test]
fn what_is_infinite_here_is_so_elsewhere() {
    let x = Tensor::from(array![0.0_f32, 1.0, 0.0]);
    let lines = "%1 = exp %0 : Tensor<f32, 3>
        %2 = constant [-inf, 0.0, -inf] : Tensor<f32, 3>
        %3 = add %1, %2 : Tensor<f32, 3>
        %4 = arg_sort %3 axis 0 : Tensor<i32, 3>";
    let sorted = run("%0 x: Tensor<f32, 3>", "Tensor<i32, 3>", lines, &[x]);
    assert_eq!(sorted.tensor, Tensor::from(array![0_i32, 2, 1]));
    assert_eq!(distances(&sorted), [0.0; 3]);
    // The largest number may be infinite where it is rounded otherwise.
    let x = Tensor::from(array![
        half::f16::from_f32(65504.0),
        half::f16::from_f32(1.0),
        half::f16::INFINITY
    ]);
    let lines = "%1 = constant [1.0, 1.0, 1.0] : Tensor<f16, 3>
        %2 = sqrt %1 : Tensor<f16, 3>
        %3 = multiply %0, %2 : Tensor<f16, 3>
        %4 = arg_sort %3 axis 0 : Tensor<i32, 3>";
    let sorted = run("%0 x: Tensor<f16, 3>", "Tensor<i32, 3>", lines, &[x]);
    let unknown = f64::INFINITY;
    assert_eq!(distances(&sorted), [0.0, unknown, unknown]);
}
