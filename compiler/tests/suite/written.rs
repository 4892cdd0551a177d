//! The closures of the library that are written in the language, each called as a user's closure and evaluated by the
//! interpreter.

use crate::language::trace_right;
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::verify::verify;
use iree_dsl_library::language;
use libtest_mimic::{Failed, Trial};
use ndarray::{Array3, ArrayD, array, s};

type Check = fn() -> Result<(), Failed>;

pub(crate) fn trials() -> Vec<Trial> {
    let trials: [(&str, Check); 5] = [
        ("cholesky", cholesky),
        ("substitute", substitute),
        ("solve", solve),
        ("determinant", determinant),
        ("permutation", permutation),
    ];
    let trials = trials.map(|(name, run)| Trial::test(format!("written/{name}"), run));
    trials.into()
}

/// What the body of a procedure makes of tensors, with all closures under the names of their files.
fn evaluate(
    parameters: &str,
    result: &str,
    body: &str,
    arguments: &[Tensor],
) -> Result<Tensor, Failed> {
    let closures = language::ALL.iter();
    let closures = closures.map(|(name, source)| format!("let {name} = {source};\n"));
    let closures: String = closures.collect();
    let source = format!(
        "mod p {{ pub struct P {{}} impl P {{ pub fn f(&self, {parameters}) -> {result} {{\n{closures}{body}\n}} }} }}"
    );
    let module = verify(trace_right(&source)?).map_err(|error| format!("{error:?}"))?;
    let results = Interpreter::new(module)?.call("f", arguments)?;
    results.into_iter().next().ok_or("no result".into())
}

fn array_of(tensor: &Tensor) -> Result<ArrayD<f64>, Failed> {
    let array = tensor.array::<f64>().ok_or("not real numbers")?;
    Ok(array.to_owned().into_owned())
}

/// Two matrices that are symmetric and positive definite.
fn matrices() -> Array3<f64> {
    array![
        [[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 6.0]],
        [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]],
    ]
}

fn right_sides() -> Array3<f64> {
    array![[[1.0], [-2.0], [3.0]], [[0.5], [4.0], [-1.0]]]
}

/// Compares a product of batches of matrices with what it should be.
fn multiplies_to(a: &Array3<f64>, b: &Array3<f64>, expected: &Array3<f64>) -> Result<(), Failed> {
    for batch in 0..a.dim().0 {
        let product = a.slice(s![batch, .., ..]).dot(&b.slice(s![batch, .., ..]));
        let difference = &product - &expected.slice(s![batch, .., ..]);
        if !difference.iter().all(|number| number.abs() < 1e-13) {
            return Err(format!("{product} is not {expected}").into());
        }
    }
    Ok(())
}

fn three(tensor: &Tensor) -> Result<Array3<f64>, Failed> {
    Ok(array_of(tensor)?.into_dimensionality()?)
}

fn cholesky() -> Result<(), Failed> {
    let body = "cholesky(a, 3, real_root, |x| x, ROUNDS)";
    for rounds in ["unrolled", "looped"] {
        let ty = "Tensor<f64, 2, 3, 3>";
        let arguments = [matrices().into()];
        let body = body.replace("ROUNDS", rounds);
        let factor = three(&evaluate(&format!("a: {ty}"), ty, &body, &arguments)?)?;
        if factor
            .slice(s![.., 0, 1..])
            .iter()
            .any(|above| *above != 0.0)
        {
            return Err("the factor is not a lower triangle".into());
        }
        let turned = factor.clone().permuted_axes([0, 2, 1]);
        multiplies_to(&factor, &turned, &matrices())?;
    }
    Ok(())
}

fn substitute() -> Result<(), Failed> {
    for (lower, above) in [(true, 0.0), (false, 1.0)] {
        let mut a = matrices();
        for ((_, row, column), number) in a.indexed_iter_mut() {
            *number *= if row < column { above } else { 1.0 };
            *number *= if row > column { 1.0 - above } else { 1.0 };
        }
        let x = evaluate(
            "a: Tensor<f64, 2, 3, 3>, b: Tensor<f64, 2, 3, 1>",
            "Tensor<f64, 2, 3, 1>",
            &format!("substitute(a, b, 3, {lower}, false, unrolled)"),
            &[a.clone().into(), right_sides().into()],
        )?;
        multiplies_to(&a, &three(&x)?, &right_sides())?;
    }
    Ok(())
}

fn solve() -> Result<(), Failed> {
    // The first pivot is not in the first row.
    let mut a = matrices();
    a[(0, 0, 0)] = 0.0;
    for rounds in ["unrolled", "looped"] {
        let x = evaluate(
            "a: Tensor<f64, 2, 3, 3>, b: Tensor<f64, 2, 3, 1>",
            "Tensor<f64, 2, 3, 1>",
            &format!("solve(a, b, 3, {rounds}, eliminate, substitute)"),
            &[a.clone().into(), right_sides().into()],
        )?;
        multiplies_to(&a, &three(&x)?, &right_sides())?;
    }
    Ok(())
}

fn determinant() -> Result<(), Failed> {
    let found = evaluate(
        "a: Tensor<f64, 2, 3, 3>",
        "Tensor<f64, 2>",
        "determinant(a, 3, looped, eliminate)",
        &[matrices().into()],
    )?;
    let found = array_of(&found)?;
    // By the rule of Sarrus.
    let expected = array![70.0, 4.0].into_dyn();
    let right = (&found - &expected)
        .iter()
        .all(|number| number.abs() < 1e-13);
    right.then_some(()).ok_or(format!("{found}").into())
}

fn permutation() -> Result<(), Failed> {
    let key = ndarray::arr1(&[0_u32, 3]);
    let found = evaluate(
        "key: Tensor<u32, 2>",
        "Tensor<i32, 9>",
        "permutation(key, 9, 2, unrolled)",
        &[key.into()],
    )?;
    let found = found.array::<i32>().cloned().ok_or("places")?;
    let mut places: Vec<_> = found.iter().copied().collect();
    let is_moved = places.iter().zip(0..).any(|(place, own)| *place != own);
    places.sort_unstable();
    let is_whole = places.into_iter().eq(0..9);
    (is_moved && is_whole)
        .then_some(())
        .ok_or(format!("{found}").into())
}
