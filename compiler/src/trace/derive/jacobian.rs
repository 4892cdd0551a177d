//! `jacrev`, `jacfwd` and `hessian`: the derivatives of all elements, by all elements of arguments.
//!
//! The function runs once. Its derivative is applied to a batch: of cotangents, one for each element of the result, or of
//! tangents, one for each element of the arguments.

use super::{
    super::{
        closure::Callable,
        operation::OperationCall,
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    Derived,
    gradient::Gradient,
    pieces::one_or_several,
    trees::leaf_by_leaf,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::op::{BinaryOp, CompareOp, Iota, Op, Slice, Transpose};
use iree_dsl_transform::Variable;

/// A function that computes the derivatives of all elements of the result of another.
#[derive(Debug)]
pub(crate) struct Jacobian {
    /// The other.
    pub(super) function: Callable,
    /// The arguments that it is differentiated by.
    positions: Vec<usize>,
    mode: Mode,
    name: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    /// A tangent for each element of an argument.
    Forward,
    /// A cotangent for each element of the result.
    Reverse,
}

pub(crate) fn jacfwd(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    jacobian(tracer, &call, Mode::Forward)
}

pub(crate) fn jacrev(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    jacobian(tracer, &call, Mode::Reverse)
}

fn jacobian(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, mode: Mode) -> Option<Value> {
    let function = tracer.function_of(call.argument(0)?, call.name)?;
    let positions = tracer.positions(call, &function)?;
    let jacobian = Jacobian {
        function,
        positions,
        mode,
        name: call.name,
    };
    Some(Derived::Jacobian(jacobian).into())
}

pub(crate) fn hessian(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let function = tracer.function_of(call.argument(0)?, call.name)?;
    let positions = tracer.positions(&call, &function)?;
    let gradient = Gradient::new(function, positions.clone(), call.name);
    let function = Derived::Gradient(gradient).into();
    let jacobian = Jacobian {
        function,
        positions,
        mode: Mode::Forward,
        name: call.name,
    };
    Some(Derived::Jacobian(jacobian).into())
}

impl Tracer<'_> {
    pub(super) fn apply_jacobian(
        &mut self,
        jacobian: &Jacobian,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        match jacobian.mode {
            Mode::Forward => self.jacobian_forward(jacobian, arguments, span),
            Mode::Reverse => self.jacobian_reverse(jacobian, arguments, span),
        }
    }

    fn jacobian_reverse(
        &mut self,
        jacobian: &Jacobian,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let Jacobian {
            function,
            positions,
            name,
            ..
        } = jacobian;
        let (value, pullback) = self.pullback(function, arguments, positions, name, span)?;
        self.check_numbers(&value, name, span)?;
        let tensors = value.tensors();
        let mut rows = Vec::with_capacity(tensors.len());
        for (position, tensor) in tensors.iter().enumerate() {
            let count = Dim::from_extent(tensor.ty.shape.element_count()?)?;
            let direction = self.direction(tensor, &count, &Extent::from(0), span)?;
            let mark = self.builder.mark();
            let mut seeds = vec![None; tensors.len()];
            *seeds.get_mut(position)? = Some(direction.name);
            let back = self.pulled_back(&pullback, &seeds, span)?;
            let stacked = self.in_batch(&mark, &count, &[direction], &back, (name, span))?;
            rows.push(self.each_tensor(&stacked, &mut |tracer, row| {
                let axes = row.ty.shape.dims().iter().skip(1);
                let shape = tensor.ty.shape.dims().iter().chain(axes).cloned();
                tracer.emit_checked(Op::Reshape(Shape::new(shape.collect())), &[row], name, span)
            })?);
        }
        let mut rows = rows.into_iter();
        let all = leaf_by_leaf(&value, &mut |_| rows.next().unwrap_or(Value::POISON));
        Some(all)
    }

    fn jacobian_forward(
        &mut self,
        jacobian: &Jacobian,
        mut arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let Jacobian {
            function,
            positions,
            name,
            ..
        } = jacobian;
        let mut by = Vec::with_capacity(positions.len());
        for position in positions {
            let (value, span) = arguments.get_mut(*position)?;
            *value = self.differentiable(value.clone(), *position, name, *span)?;
            by.push((value.clone(), *span));
        }
        let (count, starts) = numbered(by.iter().flat_map(|(value, _)| value.tensors()))?;
        let (mut directions, mut tangents) = (Vec::new(), Vec::with_capacity(by.len()));
        for (value, span) in &by {
            let first = directions.len();
            for tensor in value.tensors() {
                let start = starts.get(directions.len())?;
                directions.push(self.direction(&tensor, &count, start, *span)?);
            }
            let own = directions
                .iter()
                .skip(first)
                .map(|direction| direction.name);
            tangents.push((self.tree_of(value, &own.collect::<Vec<_>>()), *span));
        }
        let mark = self.builder.mark();
        let pushed = self.pushed(function, arguments, positions, tangents, name, span);
        let (_, tangent) = pushed?;
        self.check_numbers(&tangent, name, span)?;
        let stacked = match count.known() {
            // Without directions, the function runs all the same.
            Some(0) => self.none_of(&tangent, span)?,
            _ => self.in_batch(&mark, &count, &directions, &tangent, (name, span))?,
        };
        let by = one_or_several(by.into_iter().map(|(value, _)| value).collect());
        let mut failed = false;
        let all = leaf_by_leaf(&stacked, &mut |leaf| {
            let mut starts = starts.iter();
            let parts = self.each_tensor(&by, &mut |tracer, tensor| {
                let ValueLeaf::Tensor(columns) = leaf else {
                    return None;
                };
                let own = tracer.columns_of(columns, tensor, starts.next()?, name, span)?;
                tracer.first_to_end(&own, &tensor.ty.shape, name, span)
            });
            failed |= parts.is_none();
            parts.unwrap_or(Value::POISON)
        });
        (!failed).then_some(all)
    }

    /// The part of derivatives by all elements, along a first axis, that is by those of one tensor.
    fn columns_of(
        &mut self,
        columns: &Tensor,
        tensor: &Tensor,
        start: &Extent,
        name: &str,
        span: SpanId,
    ) -> Option<Tensor> {
        let mut limit = columns.ty.shape.extents()?;
        let end = start.plus(&tensor.ty.shape.element_count()?)?;
        let all = std::mem::replace(limit.first_mut()?, end.clone());
        if all == end && start.known() == Some(0) {
            return Some(columns.clone());
        }
        let mut first = vec![Extent::from(0); limit.len()];
        *first.first_mut()? = start.clone();
        let part = Op::Slice(Slice {
            start: first,
            stride: vec![1; limit.len()],
            limit,
        });
        self.emit_checked(part, &[columns], name, span)
    }

    /// The first axis at the end, as axes of a shape.
    fn first_to_end(
        &mut self,
        tensor: &Tensor,
        shape: &Shape,
        name: &str,
        span: SpanId,
    ) -> Option<Tensor> {
        let rank = tensor.ty.shape.rank();
        let permutation = (1..rank).chain([0]).collect();
        let turned = Op::Transpose(Transpose { permutation });
        let turned = self.emit_checked(turned, &[tensor], name, span)?;
        let axes = tensor.ty.shape.dims().iter().skip(1);
        let shape = axes.chain(shape.dims()).cloned().collect();
        self.emit_checked(Op::Reshape(Shape::new(shape)), &[&turned], name, span)
    }

    /// A name for a tensor of the type of another, which stands for as many as there are numbers: the elements of the other
    /// have numbers from a start on, and the tensor for such a number is 1 at that element and 0 elsewhere.
    fn direction(
        &mut self,
        tensor: &Tensor,
        count: &Dim,
        start: &Extent,
        span: SpanId,
    ) -> Option<Variable> {
        let name = "eye";
        let own = Dim::from_extent(tensor.ty.shape.element_count()?)?;
        let iota = TensorType::new(DType::I32, Shape::new(vec![count.clone(), own]));
        let mut index = |axis| {
            let ty = iota.clone();
            self.emit_checked(Op::Iota(Iota { ty, axis }), &[], name, span)
        };
        let (row, mut column) = (index(0)?, index(1)?);
        if start.known() != Some(0) {
            let start = self.place_tensor(start.clone(), span)?;
            let start = self.broadcast_to(start, &iota.shape, name, span)?;
            let sum = Op::Binary(BinaryOp::Add);
            column = self.emit_checked(sum, &[&column, &start], name, span)?;
        }
        let equal = Op::Compare(CompareOp::Equal);
        let equal = self.emit_checked(equal, &[&row, &column], name, span)?;
        let ones = Op::Convert(tensor.ty.dtype);
        let ones = self.emit_checked(ones, &[&equal], name, span)?;
        let dims = std::iter::once(count).chain(tensor.ty.shape.dims());
        let shape = Shape::new(dims.cloned().collect());
        let value = self.emit_checked(Op::Reshape(shape), &[&ones], name, span)?;
        let name = match count.known() {
            Some(0) => self.any_tensor(&tensor.ty, span)?,
            _ => self.builder.undefined(tensor.ty.clone()),
        };
        Some(Variable {
            name: name.id,
            value: value.id,
        })
    }

    /// No tensors of the types of those in a tree, along a new first axis.
    fn none_of(&mut self, tree: &Value, span: SpanId) -> Option<Value> {
        self.each_tensor(tree, &mut |tracer, tensor| {
            let TensorType { dtype, shape } = &tensor.ty;
            let dims = std::iter::once(&Dim::Static(0)).chain(shape.dims());
            let ty = TensorType::new(*dtype, Shape::new(dims.cloned().collect()));
            tracer.any_tensor(&ty, span)
        })
    }

    /// A tree with other tensors in the place of its own; `None` if something was reported.
    fn each_tensor(
        &mut self,
        tree: &Value,
        change: &mut dyn FnMut(&mut Self, &Tensor) -> Option<Tensor>,
    ) -> Option<Value> {
        let changed = tree.map(&mut |leaf| match leaf {
            ValueLeaf::Tensor(tensor) => {
                change(self, tensor).map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
            }
            _ => ValueLeaf::Poison,
        });
        (!changed.is_poisoned()).then_some(changed)
    }

    /// Refuses a result that is not of real numbers.
    fn check_numbers(&mut self, value: &Value, name: &str, span: SpanId) -> Option<()> {
        let tensors = value.tensors().into_iter();
        let wrong = tensors
            .map(|tensor| tensor.ty)
            .find(|ty| !ty.dtype.is_float());
        let Some(ty) = wrong else {
            return Some(());
        };
        let message = format!("`{name}` differentiates results of real numbers, found `{ty}`");
        self.error(Code::NotDifferentiable, span, message);
        None
    }
}

/// How many elements tensors have, and how many those before each of them.
fn numbered(tensors: impl Iterator<Item = Tensor>) -> Option<(Dim, Vec<Extent>)> {
    let (mut starts, mut end) = (Vec::new(), Extent::from(0));
    for tensor in tensors {
        let next = end.plus(&tensor.ty.shape.element_count()?)?;
        starts.push(std::mem::replace(&mut end, next));
    }
    Some((Dim::from_extent(end)?, starts))
}
