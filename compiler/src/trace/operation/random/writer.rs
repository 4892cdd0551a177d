use super::super::{
    super::{tracer::Tracer, value::Tensor},
    OperationCall,
};
use crate::{
    ir::Scalar,
    op::{BinaryOp, CompareOp, Op, Slice, UnaryOp},
    span::SpanId,
};
use iree_abi::{DType, Extent, Shape, TensorType};

/// Writes a distribution with other operations; what they refuse is reported under the name of the
/// distribution, at its call.
pub(super) struct Writer<'w, 'a> {
    pub(super) tracer: &'w mut Tracer<'a>,
    pub(super) name: &'static str,
    pub(super) span: SpanId,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(super) fn new(tracer: &'w mut Tracer<'a>, call: &OperationCall<'_>) -> Self {
        Self {
            tracer,
            name: call.name,
            span: call.span,
        }
    }

    pub(super) fn emit(&mut self, op: Op, operands: &[&Tensor]) -> Option<Tensor> {
        self.tracer.emit_checked(op, operands, self.name, self.span)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Tensor) -> Option<Tensor> {
        self.emit(Op::Unary(op), &[operand])
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.emit(Op::Binary(op), &[lhs, rhs])
    }

    pub(super) fn compare(&mut self, op: CompareOp, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.emit(Op::Compare(op), &[lhs, rhs])
    }

    pub(super) fn add(&mut self, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.binary(BinaryOp::Add, lhs, rhs)
    }

    pub(super) fn subtract(&mut self, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.binary(BinaryOp::Subtract, lhs, rhs)
    }

    pub(super) fn multiply(&mut self, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.binary(BinaryOp::Multiply, lhs, rhs)
    }

    pub(super) fn remainder(&mut self, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.binary(BinaryOp::Remainder, lhs, rhs)
    }

    pub(super) fn xor(&mut self, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.binary(BinaryOp::Xor, lhs, rhs)
    }

    pub(super) fn or(&mut self, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
        self.binary(BinaryOp::Or, lhs, rhs)
    }

    /// The bits moved up.
    pub(super) fn shift_left(&mut self, operand: &Tensor, by: u32) -> Option<Tensor> {
        let by = self.integer(by.into(), &operand.ty)?;
        self.binary(BinaryOp::ShiftLeft, operand, &by)
    }

    /// The bits moved down.
    pub(super) fn shift_right(&mut self, operand: &Tensor, by: u32) -> Option<Tensor> {
        let by = self.integer(by.into(), &operand.ty)?;
        self.binary(BinaryOp::ShiftRight, operand, &by)
    }

    /// Rust's `as`.
    pub(super) fn convert(&mut self, operand: &Tensor, dtype: DType) -> Option<Tensor> {
        if operand.ty.dtype == dtype {
            return Some(operand.clone());
        }
        self.emit(Op::Convert(dtype), &[operand])
    }

    pub(super) fn select(
        &mut self,
        mask: &Tensor,
        on_true: &Tensor,
        on_false: &Tensor,
    ) -> Option<Tensor> {
        self.emit(Op::Select, &[mask, on_true, on_false])
    }

    /// An integer everywhere.
    pub(super) fn integer(&mut self, value: i128, ty: &TensorType) -> Option<Tensor> {
        self.splat(Scalar::Integer(value), ty)
    }

    /// A real number everywhere.
    pub(super) fn real(&mut self, value: f64, ty: &TensorType) -> Option<Tensor> {
        self.splat(Scalar::Float(value), ty)
    }

    fn splat(&mut self, number: Scalar, ty: &TensorType) -> Option<Tensor> {
        let builder = &mut self.tracer.builder;
        let splat = builder.splat(number, ty.dtype, &ty.shape, self.span);
        splat.ok()
    }

    pub(super) fn reshape(&mut self, operand: &Tensor, shape: &Shape) -> Option<Tensor> {
        if operand.ty.shape == *shape {
            return Some(operand.clone());
        }
        self.emit(Op::Reshape(shape.clone()), &[operand])
    }

    /// Repeats a scalar, or a tensor that broadcasts, to a shape.
    pub(super) fn broadcast(&mut self, operand: &Tensor, shape: &Shape) -> Option<Tensor> {
        self.tracer
            .broadcast_to(operand.clone(), shape, self.name, self.span)
    }

    /// What stands at an index of the first axis, without that axis.
    pub(super) fn item(&mut self, operand: &Tensor, index: usize) -> Option<Tensor> {
        let (_, rest) = operand.ty.shape.dims().split_first()?;
        let shape = Shape::new(rest.to_vec());
        let mut start = vec![Extent::from(index)];
        let mut limit = vec![Extent::from(index + 1)];
        start.resize(operand.ty.shape.rank(), Extent::from(0));
        limit.extend(shape.extents()?);
        let stride = vec![1; limit.len()];
        let slice = Op::Slice(Slice {
            start,
            limit,
            stride,
        });
        let slice = self.emit(slice, &[operand])?;
        self.reshape(&slice, &shape)
    }
}
