//! Random functions: derivatives against differences, both modes against each other, with against without checkpoints, and a
//! batch against its elements.
//!
//! `IREE_DSL_DERIVATIVES` says how many, `IREE_DSL_DERIVATIVE_SEED` from which on.

mod draw;

use crate::check::{call, check, last, module, some, sound};
use iree_abi::Dim;
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::{Function, OperationId, Verified, op::Op};
use iree_dsl_transform::{Checkpoints, Piece, Variable, remove_dead, vmap};
use ndarray::Axis;
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

fn setting(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn arguments(seed: u64) -> [Tensor; 3] {
    let seed = seed as usize % 1000;
    [
        some(&[3], seed),
        some(&[2, 3], seed + 1),
        some(&[], seed + 2),
    ]
}

/// All that is checked of a function.
fn holds(seed: u64) {
    let text = draw::module(seed);
    let module = module(&text);
    let order = if seed.is_multiple_of(8) { 2 } else { 1 };
    check(&module, &arguments(seed), order);
    checkpoints_change_nothing(&module, seed);
    batches_are_their_elements(&module, seed);
}

#[test]
fn random_functions() {
    let first = setting("IREE_DSL_DERIVATIVE_SEED", 0);
    let count = setting("IREE_DSL_DERIVATIVES", 60);
    let failed: Vec<_> = (first..first + count)
        .filter(|seed| catch_unwind(AssertUnwindSafe(|| holds(*seed))).is_err())
        .collect();
    assert!(failed.is_empty(), "of {count}, wrong: {failed:?}");
}

/// Marks some operations that follow each other, in any block, and the loops.
fn marks(function: &Function, operations: &[OperationId], seed: u64) -> Checkpoints {
    let mut marks = Checkpoints::default();
    mark(function, operations, seed, &mut marks);
    marks.bound(function, operations, 1 + seed as usize % 3, true);
    marks
}

fn mark(function: &Function, operations: &[OperationId], seed: u64, marks: &mut Checkpoints) {
    let third = operations.len() / 3;
    let start = seed as usize % (third + 1);
    let marked = &operations[start..operations.len() - third];
    // Those within are marked first, and half of them start where others do.
    marks.run_again(marked[..marked.len() / 2].to_vec());
    marks.run_again(marked.to_vec());
    for id in operations {
        let operation = function.operations.get(*id).expect("an operation");
        if operation.op == Op::While || operation.op == Op::If {
            for region in &operation.regions {
                mark(function, &region.operations, seed / 3, marks);
            }
        }
    }
}

/// The gradient of the last function of a module, with some operations marked.
fn gradient(
    module: &Verified,
    arguments: &[Tensor],
    mark: impl FnOnce(&Function, &[OperationId]) -> Checkpoints,
) -> Vec<Tensor> {
    let id = last(module);
    let mut whole = module.module().clone();
    let function = whole.functions.get(id).cloned();
    let mut function = function.expect("a function");
    let operations = std::mem::take(&mut function.body.operations);
    let checkpoints = mark(&function, &operations);
    let (parameters, results) = (
        function.body.parameters.clone(),
        function.body.results.clone(),
    );
    let mut piece = Piece {
        module: module.module(),
        rules: &BTreeMap::new(),
        checkpoints: &checkpoints,
        function,
        operations,
        first: 0,
    };
    let variables = parameters.iter().map(|id| Variable {
        name: *id,
        value: *id,
    });
    let variables: Vec<_> = variables.collect();
    let linear = piece.linearise(&variables, &results).expect("rules");
    // The seed is a number that the function computes: its value.
    let back = linear.pull_back(&mut piece, &[Some(linear.names().of(results[0]))]);
    let Piece {
        mut function,
        operations,
        ..
    } = piece;
    function.body.operations = operations;
    function.body.results = back.expect("cotangents");
    let function = remove_dead(module.module(), &function).expect("it is sound");
    *whole.functions.get_mut(id).expect("a function") = function;
    call(&sound(whole), id, arguments)
}

fn checkpoints_change_nothing(module: &Verified, seed: u64) {
    let arguments = arguments(seed);
    let plain = gradient(module, &arguments, |_, _| Checkpoints::default());
    let again = gradient(module, &arguments, |function, operations| {
        marks(function, operations, seed)
    });
    for (plain, again) in plain.iter().zip(&again) {
        assert!(
            near(plain, again),
            "{plain:?} {again:?}\n{}",
            module.module()
        );
    }
}

fn near(x: &Tensor, y: &Tensor) -> bool {
    let (x, y) = (x.array::<f64>(), y.array::<f64>());
    let (x, y) = (x.expect("reals"), y.expect("reals"));
    let mut pairs = x.iter().zip(y.iter());
    x.shape() == y.shape() && pairs.all(|(x, y)| (x - y).abs() <= 1e-10 * (1.0 + x.abs()))
}

fn batches_are_their_elements(module: &Verified, seed: u64) {
    let chosen = 1 + seed as usize % 7;
    let mapped: Vec<_> = (0..3).filter(|at| chosen >> at & 1 == 1).collect();
    let batched = vmap(
        module,
        last(module),
        &mapped,
        &Dim::Static(2),
        seed.is_multiple_of(4),
    );
    let batched = batched.expect("a batch");
    let elements = [arguments(seed), arguments(seed + 500)];
    let given: Vec<_> = (0..3)
        .map(|at| match mapped.contains(&at) {
            true => stacked(&elements.each_ref().map(|element| element[at].clone())),
            false => elements[0][at].clone(),
        })
        .collect();
    let found = call(&sound(batched.module), batched.function, &given);
    let each = elements.each_ref().map(|element| {
        let own = (0..3).map(|at| match mapped.contains(&at) {
            true => element[at].clone(),
            false => elements[0][at].clone(),
        });
        call(module, last(module), &own.collect::<Vec<_>>()).remove(0)
    });
    let expected = stacked(&each);
    assert!(
        near(&expected, &found[0]),
        "{expected:?} {found:?}\n{}",
        module.module()
    );
}

fn stacked(tensors: &[Tensor]) -> Tensor {
    let arrays = tensors.iter().map(|one| one.array::<f64>());
    let arrays: Vec<_> = arrays.map(|one| one.expect("reals").view()).collect();
    Tensor::from(ndarray::stack(Axis(0), &arrays).expect("one shape"))
}
