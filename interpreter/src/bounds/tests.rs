use super::{Bound, Comparison};
use crate::{Host, Interpreter, Tensor, Value};
use iree_dsl_ir::{text, verify};
use ndarray::array;

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
