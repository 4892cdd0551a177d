//! The derivative of each operation, one family a file, named as in [`iree_dsl_ir::op`].

mod binary;
mod contract;
mod index;
mod linalg;
mod order;
mod reduce;
mod shape;
mod slice;
mod unary;
mod window;

use crate::{
    builder::Builder,
    error::{Error, Reason, Result},
    linear::Linear,
    tape::{Input, NodeId, Tape},
    walk::refused,
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{Operation, ValueId, op::Op};

/// A value, and how it changes, if it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dual {
    pub(crate) primal: ValueId,
    pub(crate) tangent: Option<NodeId>,
}

/// Where rules compute factors and note linear maps.
pub(crate) struct Context {
    pub(crate) builder: Builder,
    pub(crate) tape: Tape,
    /// In forward mode, what the tangents are that were noted.
    pub(crate) values: Vec<ValueId>,
}

impl Context {
    /// Computes the tangents that were noted.
    pub(crate) fn compute(&mut self) -> Result<()> {
        self.tape.replay(&mut self.builder, &mut self.values)
    }

    /// A tangent that was computed.
    pub(crate) fn value(&self, node: NodeId) -> Result<ValueId> {
        let value = self.values.get(node.index()).copied();
        value.ok_or(Error::Lost("a tangent"))
    }

    /// A map of one tangent, with a result of this type.
    fn apply(&mut self, map: Linear, input: NodeId, ty: TensorType) -> NodeId {
        let span = self.builder.span;
        self.tape.apply(map, vec![Input::Node(input)], ty, span)
    }

    /// A map of one tangent to another of its type.
    fn same(&mut self, map: Linear, input: NodeId) -> Result<NodeId> {
        let ty = self.tape.ty(input)?;
        Ok(self.apply(map, input, ty))
    }

    fn scale(&mut self, input: NodeId, factor: ValueId) -> Result<NodeId> {
        self.same(Linear::Scale(factor), input)
    }

    /// The sum of the tangents that there are.
    fn add(&mut self, x: Option<NodeId>, y: Option<NodeId>) -> Result<Option<NodeId>> {
        let (Some(x), Some(y)) = (x, y) else {
            return Ok(x.or(y));
        };
        let (ty, span) = (self.tape.ty(x)?, self.builder.span);
        let inputs = vec![Input::Node(x), Input::Node(y)];
        Ok(Some(self.tape.apply(Linear::Add, inputs, ty, span)))
    }

    /// A map of several tangents, zeros for those that there are not, with a result of the type of a value.
    fn join(&mut self, map: Linear, inputs: &[Dual], result: ValueId) -> Result<NodeId> {
        let mut found = Vec::with_capacity(inputs.len());
        for dual in inputs {
            found.push(match dual.tangent {
                Some(node) => Input::Node(node),
                None => Input::Zero(self.builder.ty(dual.primal)?),
            });
        }
        let ty = self.builder.ty(result)?;
        Ok(self.tape.apply(map, found, ty, self.builder.span))
    }

    /// 1 where a mask is true, 0 elsewhere.
    fn indicator(&mut self, mask: ValueId, dtype: DType) -> Result<ValueId> {
        self.builder.convert(mask, dtype)
    }
}

/// The operands as an array, if there are as many.
fn exactly<const N: usize>(operands: &[Dual]) -> Result<&[Dual; N]> {
    let operands = operands.try_into();
    operands.map_err(|_| Error::Lost("an operand"))
}

/// The tangent of the real or complex result of an operation, some of whose operands have tangents. The result is
/// computed already.
pub(crate) fn tangent(
    context: &mut Context,
    operation: &Operation,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    match &operation.op {
        Op::Unary(op) => unary::tangent(context, *op, operands, result),
        Op::Binary(op) => binary::tangent(context, *op, operands, result),
        Op::Select => shape::select(context, operands, result),
        Op::Convert(dtype) => shape::linear(context, Linear::Convert(*dtype), operands, result),
        Op::Broadcast(op) => {
            shape::linear(context, Linear::Broadcast(op.clone()), operands, result)
        }
        Op::Reshape(to) => shape::linear(context, Linear::Reshape(to.clone()), operands, result),
        Op::Transpose(op) => shape::linear(context, Linear::Permute(op.clone()), operands, result),
        Op::Reverse(axes) => {
            shape::linear(context, Linear::Reverse(axes.clone()), operands, result)
        }
        Op::Slice(op) => shape::linear(context, Linear::Slice(op.clone()), operands, result),
        Op::Fourier(op) => shape::linear(context, Linear::Fourier(*op), operands, result),
        Op::Pad(op) => shape::pad(context, op, operands, result),
        Op::Concatenate(axis) => slice::concatenate(context, *axis, operands, result),
        Op::DynamicSlice(op) => slice::dynamic(context, op, operands, result),
        Op::DynamicUpdateSlice => slice::dynamic_update(context, operands, result),
        Op::DotGeneral(op) => contract::tangent(context, op, operands, result),
        Op::Convolution(op) => window::convolution(context, op, operands, result),
        Op::ReduceWindow(op) => window::reduction(context, op, operands, result),
        Op::Reduce(op) => reduce::tangent(context, op, operands, result),
        Op::Cumulate(op) => order::tangent(context, op, operands, result),
        Op::Cholesky => linalg::factor(context, operands, result),
        Op::Solve(op) => linalg::solution(context, *op, operands, result),
        Op::Gather(op) => index::gather(context, op, operands, result),
        Op::Scatter(op) => index::scatter(context, op, operands, result),
        // Steps, or numbers that depend on no values.
        Op::Constant(_)
        | Op::Iota(_)
        | Op::Size(_)
        | Op::Compare(_)
        | Op::Bitcast(_)
        | Op::ArgReduce(_)
        | Op::ArgSort(_)
        | Op::Trace(_)
        | Op::Assert(_) => Ok(None),
        Op::Mlir(_) | Op::Import(_) => Err(refused(operation, Reason::Opaque)),
        // The walk follows these.
        Op::If | Op::While | Op::Call(_) | Op::GlobalLoad(_) | Op::GlobalStore(_) => {
            Err(Error::Lost("a function, region or global"))
        }
    }
}
