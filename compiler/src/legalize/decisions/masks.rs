//! Booleans that IREE would pack.
//!
//! With data tiling, IREE computes with the tiles of a product what it fuses with the product, and packs the other
//! tensors of the expression into tiles as well. IREE 3.13 cannot pack `i1`. So expressions of products read
//! booleans from memory as the bytes that they are there, of which nothing is copied.
//! Defect `mask-is-packed`.

use crate::legalize::{fusion::is_fused, program::steps};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Function, Operation, OperationId, ValueId,
    op::{Op, Structure, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

/// The operands, by their position, that operations read as bytes.
pub(super) fn of(function: &Function) -> BTreeSet<(OperationId, usize)> {
    let expressions = Expressions::of(function);
    let packed = steps(function).flat_map(|step| {
        let operands = step.operands();
        let packed = operands.filter(|(_, value)| expressions.packs(step.operation, *value));
        packed.map(move |(position, _)| (step.id, position))
    });
    packed.collect()
}

/// The products that a value is computed from or with, by their first result.
type Products = BTreeSet<ValueId>;

struct Expressions<'f> {
    function: &'f Function,
    /// Those that a value is an expression of.
    of: BTreeMap<ValueId, Products>,
    /// Those in expressions that a value is fused into.
    with: BTreeMap<ValueId, Products>,
    /// The values that IREE computes where they are used.
    inner: BTreeSet<ValueId>,
}

impl<'f> Expressions<'f> {
    fn of(function: &'f Function) -> Self {
        let mut expressions = Self {
            function,
            of: BTreeMap::new(),
            with: BTreeMap::new(),
            inner: inner(function),
        };
        let operations: Vec<_> = function.operations.iter().collect();
        for (_, operation) in &operations {
            expressions.extend(operation);
        }
        for (_, operation) in operations.iter().rev() {
            expressions.reach(operation);
        }
        expressions
    }

    fn extend(&mut self, operation: &Operation) {
        let products = match (is_product(&operation.op), is_fused(&operation.op)) {
            (true, _) => operation.results.iter().copied().collect(),
            (false, true) => union(&self.of, &operation.operands),
            (false, false) => Products::new(),
        };
        let results = operation.results.iter();
        self.of
            .extend(results.map(|result| (*result, products.clone())));
    }

    fn reach(&mut self, operation: &Operation) {
        if is_fused(&operation.op) {
            let products = self.around(operation);
            for operand in &operation.operands {
                let with = self.with.entry(*operand).or_default();
                with.extend(&products);
            }
        }
    }

    /// The products in the expressions that an operation is a part of.
    fn around(&self, operation: &Operation) -> Products {
        let mut products = union(&self.of, &operation.results);
        products.extend(union(&self.with, &operation.results));
        products
    }

    /// Whether an operand is booleans in memory, and the operation is fused with a product of which they are not.
    fn packs(&self, operation: &Operation, operand: ValueId) -> bool {
        let is_mask = |ty: &TensorType| ty.dtype == DType::Bool && ty.shape.rank() > 0;
        let is_read = is_fused(&operation.op)
            && !is_barrier(operation)
            && self.function.ty(operand).is_some_and(is_mask)
            && !self.inner.contains(&operand);
        let own = self.of.get(&operand);
        let is_own = |product| own.is_some_and(|own| own.contains(product));
        is_read && !self.around(operation).iter().all(is_own)
    }
}

/// Whether an operation sums products.
fn is_product(op: &Op) -> bool {
    matches!(
        op.structure(),
        Structure::Contraction(_) | Structure::Convolution(_)
    )
}

fn union(products: &BTreeMap<ValueId, Products>, values: &[ValueId]) -> Products {
    let products = values.iter().filter_map(|value| products.get(value));
    products.flatten().copied().collect()
}

/// What IREE computes where it is used: what one operation uses, and what is made of constants alone.
fn inner(function: &Function) -> BTreeSet<ValueId> {
    let mut uses: BTreeMap<ValueId, usize> = BTreeMap::new();
    let operations = || function.operations.iter().map(|(_, operation)| operation);
    let inside = operations().flat_map(|operation| &operation.regions);
    let ends = inside.flat_map(|region| &region.results);
    let operands = operations().flat_map(|operation| &operation.operands);
    for value in operands.chain(ends).chain(&function.body.results) {
        *uses.entry(*value).or_default() += 1;
    }
    let mut known: BTreeSet<ValueId> = BTreeSet::new();
    let mut inner = BTreeSet::new();
    for operation in operations() {
        let op = &operation.op;
        let mut operands = operation.operands.iter();
        let is_constant = op.is_source()
            || is_fused(op) && !is_barrier(operation) && operands.all(|id| known.contains(id));
        for result in &operation.results {
            let ty = function.ty(*result);
            let is_copied = matches!(operation.op, Op::Reshape(_))
                && ty.is_some_and(|ty| ty.shape.known().is_none());
            let is_single = uses.get(result) == Some(&1);
            if is_constant {
                known.insert(*result);
            }
            // What is behind a barrier is read as what is before it would be, but for what is known, which is in memory then.
            let mut operands = operation.operands.iter();
            let is_computed = match is_barrier(operation) {
                true => operands.all(|id| inner.contains(id) && !known.contains(id)),
                false => is_fused(op),
            };
            if !is_copied && (is_constant || is_single && is_computed) {
                inner.insert(*result);
            }
        }
    }
    inner
}

fn is_barrier(operation: &Operation) -> bool {
    operation.op == Op::Unary(UnaryOp::Barrier)
}
