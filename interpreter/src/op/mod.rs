//! What operations compute, one family a file, named as in [`iree_dsl_ir::op`].

mod binary;
pub(crate) mod build;
mod compare;
mod contract;
pub(crate) mod convert;
mod convolution;
mod fourier;
mod index;
pub(crate) mod linalg;
mod order;
mod pad;
mod reduce;
mod select;
mod shape;
mod size;
mod slice;
mod unary;
mod window;

use crate::{Array, Cause, Element, Tensor, sizes::Sizes, tensor::from_elements};
use iree_abi::{Dim, TensorType};
use iree_dsl_ir::op::{Call, GlobalAccess, Import, Observation, Op};
use ndarray::{Dimension, IxDyn};

/// What an operation computes, or what the running function has to do for it.
pub(crate) enum Evaluated<'o> {
    /// The one result.
    Result(Tensor),
    Inner(Inner<'o>),
    Effect(Effect<'o>),
}

/// What runs other operations.
pub(crate) enum Inner<'o> {
    If,
    While,
    Call(&'o Call),
}

/// What reads or changes more than its operands, or tells the host.
pub(crate) enum Effect<'o> {
    Load(&'o GlobalAccess),
    Store(&'o GlobalAccess),
    Import(&'o Import),
    Trace(&'o Observation),
    Assert(&'o Observation),
}

/// What an operation computes with.
pub(crate) struct Operands<'a> {
    pub(crate) operands: &'a [Tensor],
    /// The types of the operands, with sizes that are known at the call by their names.
    pub(crate) types: &'a [TensorType],
    /// The sizes of the results.
    pub(crate) shapes: &'a [Vec<usize>],
    /// The sizes that are known at the call.
    pub(crate) sizes: &'a Sizes,
}

impl Operands<'_> {
    /// The operands as an array, if there are as many.
    fn exactly<const N: usize>(&self) -> Result<&[Tensor; N], Cause> {
        let operands = self.operands.try_into();
        operands.map_err(|_| Cause::Lost("an operand"))
    }

    /// The sizes of an operand by their names.
    fn dims(&self, operand: usize) -> &[Dim] {
        let ty = self.types.get(operand);
        ty.map_or(&[], |ty| ty.shape.dims())
    }

    /// The sizes of the one result.
    fn shape(&self) -> Result<&[usize], Cause> {
        let shape = self.shapes.first().map(Vec::as_slice);
        shape.ok_or(Cause::Lost("the type of a result"))
    }
}

/// Evaluates an operation, if it depends on nothing but its operands.
pub(crate) fn evaluate<'o>(op: &'o Op, operands: &Operands<'_>) -> Result<Evaluated<'o>, Cause> {
    let result = match op {
        Op::Constant(constant) => build::constant(constant, operands.shape()?),
        Op::Iota(op) => build::iota(op, operands.shape()?),
        Op::Size(op) => size::evaluate(op, operands.sizes),
        Op::Unary(op) => unary::evaluate(*op, operands),
        Op::Binary(op) => binary::evaluate(*op, operands),
        Op::Compare(op) => compare::evaluate(*op, operands),
        Op::Select => select::evaluate(operands),
        Op::Convert(dtype) => convert::evaluate(*dtype, operands),
        Op::Bitcast(dtype) => convert::bitcast(*dtype, operands),
        Op::Broadcast(op) => shape::broadcast(op, operands),
        Op::Reshape(_) => shape::reshape(operands),
        Op::Transpose(op) => shape::transpose(op, operands),
        Op::DotGeneral(op) => contract::evaluate(op, operands),
        Op::Convolution(op) => convolution::evaluate(op, operands),
        Op::Fourier(op) => fourier::evaluate(*op, operands),
        Op::Cholesky => linalg::cholesky(operands),
        Op::Solve(op) => linalg::solve(*op, operands),
        Op::Reduce(op) => reduce::evaluate(op, operands),
        Op::ReduceWindow(op) => window::reduction(op, operands),
        Op::ArgReduce(op) => reduce::argument(op, operands),
        Op::Slice(op) => slice::evaluate(op, operands),
        Op::DynamicSlice(op) => slice::dynamic(op, operands),
        Op::DynamicUpdateSlice => slice::dynamic_update(operands),
        Op::Concatenate(axis) => slice::concatenate(*axis, operands),
        Op::Pad(op) => pad::evaluate(op, operands),
        Op::Reverse(axes) => shape::reverse(axes, operands),
        Op::Gather(op) => index::gather(op, operands),
        Op::Scatter(op) => index::scatter(op, operands),
        Op::ArgSort(op) => order::arg_sort(op, operands),
        Op::Cumulate(op) => order::cumulate(op, operands),
        Op::If => return Ok(Evaluated::Inner(Inner::If)),
        Op::While => return Ok(Evaluated::Inner(Inner::While)),
        Op::Call(call) => return Ok(Evaluated::Inner(Inner::Call(call))),
        Op::Mlir(_) => Err(Cause::Mlir),
        Op::GlobalLoad(access) => return Ok(Evaluated::Effect(Effect::Load(access))),
        Op::GlobalStore(access) => return Ok(Evaluated::Effect(Effect::Store(access))),
        Op::Import(import) => return Ok(Evaluated::Effect(Effect::Import(import))),
        Op::Trace(observation) => return Ok(Evaluated::Effect(Effect::Trace(observation))),
        Op::Assert(observation) => return Ok(Evaluated::Effect(Effect::Assert(observation))),
    };
    result.map(Evaluated::Result)
}

/// The array of a tensor that has this element type, as the other operands of its operation.
fn array<T: Element>(tensor: &Tensor) -> Result<&Array<T>, Cause> {
    tensor.array().ok_or(Cause::DType(tensor.dtype()))
}

/// The tensor with the element that a function has for each index.
fn from_indices<T: Element>(
    shape: &[usize],
    mut element: impl FnMut(&[usize]) -> Result<T, Cause>,
) -> Result<Tensor, Cause> {
    let elements = indices(shape).map(|index| element(&index));
    from_elements(shape, elements.collect::<Result<_, _>>()?)
}

/// Every index of a tensor with these sizes, last axis fastest.
fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let indices = ndarray::indices(IxDyn(shape)).into_iter();
    indices.map(|index| places_of(&index))
}

/// The places along each axis.
fn places_of(index: &IxDyn) -> Vec<usize> {
    index.as_array_view().to_vec()
}

/// The element at an index.
fn at<T: Element>(array: &Array<T>, index: &[usize]) -> Result<T, Cause> {
    let element = array.get(index).copied();
    element.ok_or(Cause::Lost("an element"))
}

/// The tensor of a function of each element.
fn map<T: Element, R: Element>(array: &Array<T>, function: impl Fn(T) -> R) -> Tensor {
    Tensor::from(array.map(|element| function(*element)))
}

/// The tensor of a function of each two elements at one place.
fn zip<T: Element, R: Element>(
    lhs: &Array<T>,
    rhs: &Tensor,
    function: impl Fn(T, T) -> R,
) -> Result<Tensor, Cause> {
    let rhs = array::<T>(rhs)?;
    if lhs.shape() != rhs.shape() {
        return Err(Cause::Sizes {
            expected: lhs.shape().to_vec(),
            found: rhs.shape().to_vec(),
        });
    }
    let elements = lhs.iter().zip(rhs.iter());
    let elements = elements.map(|(lhs, rhs)| function(*lhs, *rhs));
    from_elements(lhs.shape(), elements.collect())
}

/// The sizes along some axes.
fn sizes_along(shape: &[usize], axes: &[usize]) -> Vec<usize> {
    let sizes = axes.iter().filter_map(|axis| shape.get(*axis).copied());
    sizes.collect()
}

/// The axes that are not among some.
fn other_axes(rank: usize, axes: &[usize]) -> Vec<usize> {
    (0..rank).filter(|axis| !axes.contains(axis)).collect()
}
