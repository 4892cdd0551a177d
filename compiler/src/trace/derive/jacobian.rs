//! `jacrev`, `jacfwd` and `hessian`: the derivatives of all elements, by all elements of arguments.
//!
//! A loop of the program goes over the elements, of the result or of the argument.

use super::{
    super::{
        closure::Callable,
        operation::OperationCall,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    Derived,
    gradient::Gradient,
    pieces::one_or_several,
    trees::leaf_by_leaf,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::{CompareOp, Iota, Op, Transpose};

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
    /// A round for each element of an argument.
    Forward,
    /// A round for each element of the result.
    Reverse,
}

/// How a function changes with some arguments.
#[derive(Debug)]
pub(crate) struct Pushforward {
    function: Callable,
    arguments: Vec<(Value, SpanId)>,
    positions: Vec<usize>,
    name: &'static str,
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
        let pullback = Callable::from(Derived::Pullback(pullback));
        let mut rows = Vec::new();
        for (position, tensor) in value.tensors().iter().enumerate() {
            let basis = self.basis(&value, position, span)?;
            let stacked = self.mapped(vec![basis], pullback.clone(), name, span)?;
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
            by.push(value.clone());
        }
        let by = one_or_several(by);
        let push = Callable::from(Derived::Pushforward(Pushforward {
            function: function.clone(),
            arguments,
            positions: positions.clone(),
            name,
        }));
        let mut columns = Vec::new();
        for (position, tensor) in by.tensors().iter().enumerate() {
            let basis = self.basis(&by, position, span)?;
            let stacked = self.mapped(vec![basis], push.clone(), name, span)?;
            self.check_numbers(&stacked, name, span)?;
            columns.push(self.each_tensor(&stacked, &mut |tracer, column| {
                tracer.first_to_end(column, &tensor.ty.shape, name, span)
            })?);
        }
        let shape = columns.first()?.clone();
        let mut at = 0;
        let all = leaf_by_leaf(&shape, &mut |_| {
            let own = columns.iter().map(|column| column.leaf(at).cloned());
            let mut own = own.collect::<Vec<_>>().into_iter();
            at += 1;
            by.map(&mut |_| own.next().flatten().unwrap_or(ValueLeaf::Poison))
        });
        Some(all)
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

    pub(super) fn apply_pushforward(
        &mut self,
        push: &Pushforward,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let (tangent, at) = arguments.into_iter().next()?;
        let tangents = match (push.positions.len(), tangent) {
            (1, tangent) => vec![tangent],
            (_, Tree::Tuple(tangents)) => tangents,
            _ => return None,
        };
        let tangents = tangents.into_iter().map(|tangent| (tangent, at)).collect();
        let (arguments, positions) = (push.arguments.clone(), &push.positions);
        let pushed = self.pushed(
            &push.function,
            arguments,
            positions,
            tangents,
            push.name,
            span,
        );
        pushed.map(|(_, tangent)| tangent)
    }

    /// For each element of the tensor at a position, a tree that has 1 there and 0 elsewhere, along a new first axis.
    fn basis(&mut self, tree: &Value, position: usize, span: SpanId) -> Option<Value> {
        let name = "eye";
        let tensors = tree.tensors();
        let own = tensors.get(position)?;
        let count = Dim::from_extent(own.ty.shape.element_count()?)?;
        let square = Shape::new(vec![count.clone(), count.clone()]);
        let mut at = 0;
        self.each_tensor(tree, &mut |tracer, tensor| {
            let dims = std::iter::once(&count).chain(tensor.ty.shape.dims());
            let dims = dims.cloned().collect();
            let ty = TensorType::new(tensor.ty.dtype, Shape::new(dims));
            let is_own = at == position;
            at += 1;
            if !is_own {
                return tracer.any_tensor(&ty, span);
            }
            let iota = TensorType::new(DType::I32, square.clone());
            let mut index = |axis| {
                let ty = iota.clone();
                tracer.emit_checked(Op::Iota(Iota { ty, axis }), &[], name, span)
            };
            let (row, column) = (index(0)?, index(1)?);
            let equal = Op::Compare(CompareOp::Equal);
            let equal = tracer.emit_checked(equal, &[&row, &column], name, span)?;
            let ones = tracer.emit_checked(Op::Convert(ty.dtype), &[&equal], name, span)?;
            tracer.emit_checked(Op::Reshape(ty.shape), &[&ones], name, span)
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
