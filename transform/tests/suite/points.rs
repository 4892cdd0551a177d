//! Points where a convention decides. Unless it is said otherwise, the numbers are those of JAX's `grad`, computed in
//! `f64` for the same function and weights.

use crate::check::{call, derived, last, module, places, real};
use iree_dsl_interpreter::Tensor;
use iree_dsl_transform::vjp;
use ndarray::array;
use num_complex::Complex64;

/// The cotangents of the inputs of a function, for this cotangent of its result.
fn back(text: &str, arguments: &[Tensor], inputs: &[usize], seed: Tensor) -> Vec<Tensor> {
    let module = module(&format!("module @m {{ func public @f{text} }}"));
    let reverse = derived(vjp(&module, last(&module), inputs), &module);
    let results = call(&reverse, last(&reverse), &[arguments, &[seed]].concat());
    results[1..].to_vec()
}

fn row(numbers: &[f64]) -> Tensor {
    real(&[numbers.len()], numbers)
}

/// The cotangents of both operands of an elementwise operation.
fn binary(name: &str, x: &[f64], y: &[f64]) -> Vec<Tensor> {
    let n = x.len();
    let ty = format!("Tensor<f64, {n}>");
    let text =
        format!("(%0 x: {ty}, %1 y: {ty}) -> {ty} {{ %2 = {name} %0, %1 : {ty} return %2 }}");
    back(&text, &[row(x), row(y)], &[0, 1], row(&vec![1.0; n]))
}

/// The cotangent of the one operand of an operation with a row as result.
fn unary(operation: &str, x: &[f64], seed: &[f64]) -> Tensor {
    let (from, to) = (x.len(), seed.len());
    let text = format!(
        "(%0 x: Tensor<f64, {from}>) -> Tensor<f64, {to}> {{ %1 = {operation} : Tensor<f64, {to}> return %1 }}"
    );
    back(&text, &[row(x)], &[0], row(seed)).remove(0)
}

/// The cotangent of the one operand of a reduction.
fn reduced(name: &str, x: &[f64]) -> Tensor {
    let n = x.len();
    let text = format!(
        "(%0 x: Tensor<f64, {n}>) -> Tensor<f64> {{ %1 = {name} %0 axes [0] : Tensor<f64> return %1 }}"
    );
    back(&text, &[row(x)], &[0], real(&[], &[1.0])).remove(0)
}

/// By the convention of the language; JAX's has changed over its versions.
#[test]
fn absolute_values_have_no_slope_at_zero() {
    let slope = unary("abs %0", &[0.0, -2.0, 3.0], &[1.0; 3]);
    assert_eq!(slope, row(&[0.0, -1.0, 1.0]));
}

#[test]
fn ties_share_evenly() {
    let [x, y] = binary("maximum", &[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0])
        .try_into()
        .unwrap();
    assert_eq!(x, row(&[0.5, 0.0, 1.0]));
    assert_eq!(y, row(&[0.5, 1.0, 0.0]));
    assert_eq!(
        reduced("reduce_maximum", &[1.0, 3.0, 3.0, 2.0]),
        row(&[0.0, 0.5, 0.5, 0.0])
    );
    let text =
        "(%0 x: Tensor<f64, 3>, %1 y: Tensor<f64, 3>, %2 i: Tensor<i32, 3>) -> Tensor<f64, 3> {
        %3 = scatter_maximum %0, %1, %2 axes [0] : Tensor<f64, 3> return %3 }";
    let arguments = [
        row(&[5.0, 1.0, 2.0]),
        row(&[5.0, 5.0, 4.0]),
        places(&[3], &[0, 0, 1]),
    ];
    let shares = back(text, &arguments, &[0, 1], row(&[1.0, 2.0, 3.0]));
    assert_eq!(
        shares,
        [
            row(&[1.0 / 3.0, 0.0, 3.0]),
            row(&[1.0 / 3.0, 1.0 / 3.0, 2.0])
        ]
    );
}

#[test]
fn the_first_extremum_of_a_window_counts() {
    let window =
        "window_maximum %0 sizes [2] strides [1] padding [0] x [0] dilation [1] input_dilation [1]";
    let found = unary(window, &[1.0, 1.0, 1.0, 0.0], &[1.0, 10.0, 100.0]);
    assert_eq!(found, row(&[1.0, 10.0, 100.0, 0.0]));
}

/// By the convention of the language.
#[test]
fn the_first_element_of_a_record_counts() {
    let found = unary(
        "cumulate_maximum %0 axis 0",
        &[0.0, 2.0, 2.0, 1.0, 3.0],
        &[1.0, 2.0, 4.0, 8.0, 16.0],
    );
    assert_eq!(found, row(&[1.0, 14.0, 0.0, 0.0, 16.0]));
}

#[test]
fn products_are_exact_at_zeros() {
    assert_eq!(
        reduced("reduce_product", &[2.0, 0.0, 3.0]),
        row(&[0.0, 6.0, 0.0])
    );
    assert_eq!(
        reduced("reduce_product", &[0.0, 0.0, 3.0]),
        row(&[0.0, 0.0, 0.0])
    );
    let found = unary(
        "cumulate_product %0 axis 0",
        &[2.0, 0.0, 3.0],
        &[1.0, 2.0, 4.0],
    );
    assert_eq!(found, row(&[1.0, 28.0, 0.0]));
}

/// At 0 to the power of 0 the language has 0, where versions of JAX differ.
#[test]
fn powers_are_guarded_at_zero() {
    let [x, y] = binary("power", &[0.0, 0.0, 2.0, 0.0], &[0.0, 2.0, 0.0, 1.0])
        .try_into()
        .unwrap();
    assert_eq!(x, row(&[0.0, 0.0, 0.0, 1.0]));
    assert_eq!(y, row(&[0.0, 0.0, std::f64::consts::LN_2, 0.0]));
}

#[test]
fn remainders_and_angles() {
    let found = binary("remainder", &[7.0, -7.0, 7.5], &[3.0, 3.0, -2.0]);
    assert_eq!(found, [row(&[1.0, 1.0, 1.0]), row(&[-2.0, 2.0, 3.0])]);
    let found = binary("atan2", &[0.0, 1.0], &[-1.0, 0.0]);
    assert_eq!(found, [row(&[-1.0, 0.0]), row(&[0.0, -1.0])]);
}

#[test]
fn places_outside_are_moved_or_left_out() {
    let text = "(%0 x: Tensor<f64, 3>, %1 i: Tensor<i32, 4>) -> Tensor<f64, 4> {
        %2 = gather %0, %1 axes [0] : Tensor<f64, 4> return %2 }";
    let arguments = [row(&[1.0, 2.0, 3.0]), places(&[4], &[0, 0, 7, -9])];
    let found = back(text, &arguments, &[0], row(&[1.0, 10.0, 100.0, 1000.0]));
    assert_eq!(found, [row(&[1011.0, 0.0, 100.0])]);
    // Of several for a place the last, and none for places outside: by the definition of the operation.
    let text =
        "(%0 x: Tensor<f64, 3>, %1 y: Tensor<f64, 4>, %2 i: Tensor<i32, 4>) -> Tensor<f64, 3> {
        %3 = scatter %0, %1, %2 axes [0] : Tensor<f64, 3> return %3 }";
    let arguments = [
        row(&[1.0, 2.0, 3.0]),
        row(&[4.0, 5.0, 6.0, 7.0]),
        places(&[4], &[1, 1, 7, -9]),
    ];
    let found = back(text, &arguments, &[0, 1], row(&[1.0, 10.0, 100.0]));
    assert_eq!(
        found,
        [row(&[1.0, 0.0, 100.0]), row(&[0.0, 10.0, 0.0, 0.0])]
    );
}

#[test]
fn cotangents_of_complex_numbers_are_not_conjugated() {
    let of = |operation: &str, z: [Complex64; 2]| {
        let text = format!(
            "(%0 z: Tensor<Complex<f64>, 2>) -> Tensor<f64, 2> {{
                %1 = multiply %0, %0 : Tensor<Complex<f64>, 2>
                %2 = {operation} : Tensor<f64, 2> return %2 }}"
        );
        back(
            &text,
            &[Tensor::from(array![z[0], z[1]])],
            &[0],
            row(&[1.0, 1.0]),
        )
        .remove(0)
    };
    let (zero, one, two) = (
        Complex64::new(0.0, 0.0),
        Complex64::new(1.0, 2.0),
        Complex64::new(3.0, 4.0),
    );
    let expected = |x: Complex64, y: Complex64| Tensor::from(array![x, y]);
    assert_eq!(
        of("abs %0", [zero, two]),
        expected(zero, Complex64::new(0.6, -0.8))
    );
    let down = Complex64::new(0.0, -1.0);
    assert_eq!(of("imag %0", [one, two]), expected(down, down));
    assert_eq!(
        of("real %1", [one, zero]),
        expected(Complex64::new(2.0, 4.0), zero)
    );
}

/// The second numbers are those of mpmath.
#[test]
fn derivatives_of_the_gamma_function() {
    let points = [0.25, 1.0, 3.5, -1.3];
    for (name, expected) in [
        (
            "digamma",
            [
                17.197329154507113,
                1.6449340668482264,
                0.3303577561002348,
                14.536876244137078,
            ],
        ),
        (
            "trigamma",
            [
                -129.32773993753693,
                -2.4041138063191885,
                -0.1082040516417274,
                68.54941347116214,
            ],
        ),
    ] {
        let found = unary(&format!("{name} %0"), &points, &[1.0; 4]);
        for (found, expected) in found.array::<f64>().expect("reals").iter().zip(expected) {
            assert!(
                (found / expected - 1.0).abs() < 1e-13,
                "{name}: {found} and {expected}"
            );
        }
    }
}

#[test]
fn nothing_has_nothing() {
    let text = "(%0 x: Tensor<f64, N>) -> Tensor<f64> {
        %1 = exp %0 : Tensor<f64, N> %2 = reduce_product %1 axes [0] : Tensor<f64>
        %3 = reduce_sum %1 axes [0] : Tensor<f64> %4 = add %2, %3 : Tensor<f64> return %4 }";
    let one = real(&[], &[1.0]);
    assert_eq!(back(text, &[row(&[])], &[0], one.clone()), [row(&[])]);
    assert_eq!(
        back(&text.replace('N', "0"), &[row(&[])], &[0], one),
        [row(&[])]
    );
}
