//! Einstein's notation, compared with a loop over all indices of all letters.

use crate::building::evaluated;
use iree_dsl_interpreter::Tensor;
use iree_dsl_library::einsum::{Notation, einsum};
use ndarray::{ArrayD, IxDyn};
use std::collections::BTreeMap;

/// Numbers that differ, and whose products and sums are exact.
fn numbers(shape: &[usize], first: usize) -> ArrayD<f64> {
    let count = shape.iter().product();
    let numbers = (0..count).map(|place| ((place * 7 + first) % 11) as f64 - 5.0);
    ArrayD::from_shape_vec(shape, numbers.collect()).expect("as many as the shape has")
}

/// The sum of the products over all letters, each with its size.
fn expected(operands: &[(&str, &ArrayD<f64>)], output: &str) -> ArrayD<f64> {
    let axes = operands
        .iter()
        .flat_map(|(letters, x)| letters.chars().zip(x.shape().iter().copied()));
    let sizes: BTreeMap<char, usize> = axes.collect();
    let shape: Vec<_> = output.chars().map(|letter| sizes[&letter]).collect();
    let mut sums = ArrayD::zeros(shape);
    for mut place in 0..sizes.values().product() {
        let mut index = BTreeMap::new();
        for (letter, size) in &sizes {
            index.insert(*letter, place % size);
            place /= size;
        }
        let at = |letters: &str| {
            let index: Vec<_> = letters.chars().map(|letter| index[&letter]).collect();
            IxDyn(&index)
        };
        let factors = operands.iter().map(|(letters, x)| x[at(letters)]);
        sums[at(output)] += factors.product::<f64>();
    }
    sums
}

/// What the library makes of operands, by a notation.
fn found<const N: usize>(text: &str, operands: [&ArrayD<f64>; N]) -> ArrayD<f64> {
    let ranks = operands.iter().map(|operand| operand.ndim());
    let notation = Notation::parse(text).and_then(|notation| notation.expand(ranks));
    let notation = notation.expect("a notation");
    let tensors = operands.map(|operand| Tensor::from(operand.view()));
    let found = evaluated(tensors, |factors| {
        einsum(factors.into(), &notation).expect("a factor")
    });
    let found = found.expect("sizes that fit");
    found.array::<f64>().expect("numbers").to_owned()
}

#[test]
fn products_of_two_are_those_of_the_loop() {
    for (text, [lhs, rhs]) in [
        ("ij,jk->ik", [&[2, 3][..], &[3, 4]]),
        ("ij,jk->ki", [&[2, 3], &[3, 4]]),
        ("bij,bjk->bik", [&[2, 3, 4], &[2, 4, 5]]),
        ("i,j->ij", [&[3], &[4]]),
        ("ij,ij->", [&[2, 3], &[2, 3]]),
        ("ij,kj->i", [&[2, 3], &[4, 3]]),
        ("iij,jk->k", [&[3, 3, 2], &[2, 4]]),
    ] {
        let (x, y) = (numbers(lhs, 1), numbers(rhs, 3));
        let (operands, output) = text.split_once("->").expect("a result");
        let (left, right) = operands.split_once(',').expect("two operands");
        let expected = expected(&[(left, &x), (right, &y)], output);
        assert_eq!(found(text, [&x, &y]), expected, "{text}");
    }
}

#[test]
fn one_operand_is_turned_summed_and_cut() {
    let x = numbers(&[3, 3, 2], 2);
    for output in ["ij", "ji", "i", "j", ""] {
        let text = format!("iij->{output}");
        assert_eq!(
            found(&text, [&x]),
            expected(&[("iij", &x)], output),
            "{text}"
        );
    }
    assert_eq!(
        found("ba", [&numbers(&[2, 3], 0)]),
        numbers(&[2, 3], 0).reversed_axes()
    );
}

#[test]
fn of_three_the_smaller_product_comes_first() {
    let (x, y, z) = (
        numbers(&[2, 5], 1),
        numbers(&[5, 3], 2),
        numbers(&[3, 2], 4),
    );
    let operands = [("ij", &x), ("jk", &y), ("kl", &z)];
    assert_eq!(
        found("ij,jk,kl->il", [&x, &y, &z]),
        expected(&operands, "il")
    );
}

#[test]
fn further_axes_stretch() {
    let (x, y) = (numbers(&[2, 1, 3], 1), numbers(&[4, 3, 5], 2));
    let operands = [
        ("ai", &x.clone().index_axis_move(ndarray::Axis(1), 0)),
        ("bij", &y),
    ];
    assert_eq!(
        found("...i,...ij->...j", [&x, &y]),
        expected(&operands, "abj")
    );
}
