//! What the machine computes. Division and shifts never get operands for which the machine, like C, does not
//! say what comes out.

use super::{Register, bits, register_type, stored_type};
use crate::lower::{
    emit::{Emitter, Result},
    error::LowerCause,
    vm::Vm,
};
use iree_abi::{DType, DTypeClass};
use iree_dialects::{arith::CmpIPredicate, prelude::*};
use iree_dsl_ir::op::{BinaryOp, CompareOp, Op, UnaryOp};

/// Computes an operation whose result has the element type `dtype`.
pub(in crate::lower) fn compute<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Op,
    operands: &[Register<'c, 'b>],
    dtype: DType,
) -> Result<Register<'c, 'b>> {
    let vm = Vm(emitter);
    let value = match (op, operands) {
        (Op::Binary(op), [a, b]) => vm.binary(*op, [a.value, b.value], dtype)?,
        (Op::Unary(op), [x]) => vm.unary(*op, x.value, dtype)?,
        (Op::Compare(op), [a, b]) => vm.compare(*op, [a.value, b.value], a.dtype)?,
        (Op::Select, [mask, a, b]) => vm.select(mask.value, a.value, b.value)?,
        (Op::Convert(_) | Op::Bitcast(_), [x]) => vm.convert(x, dtype)?,
        (Op::Reshape(_) | Op::Broadcast(_), [x]) => x.value,
        _ => return Err(LowerCause::Lost("an operand")),
    };
    Ok(Register { value, dtype })
}

impl<'c, 'b> Vm<'_, 'c, 'b> {
    /// A number in the form of a register of the type.
    pub(in crate::lower) fn constant(&self, dtype: DType, number: i64) -> Result<Value<'c, 'b>> {
        self.number(register_type(self.0.context, dtype), number)
    }

    /// A number of the width that its type has in a buffer, in the form of a register.
    pub(super) fn extend(&self, number: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        let ty = register_type(self.0.context, dtype);
        match dtype.class() {
            _ if !is_narrow(dtype) => Ok(number),
            DTypeClass::Signed => self.extend_signed(number, ty),
            _ => self.extend_unsigned(number, ty),
        }
    }

    /// A number of the width that its type has in a buffer.
    pub(super) fn narrow(&self, number: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        match is_narrow(dtype) {
            true => self.truncate(number, stored_type(self.0.context, dtype)),
            false => Ok(number),
        }
    }

    /// A number that was computed in 32 bits, in the range of its type.
    pub(super) fn wrap(&self, number: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        self.extend(self.narrow(number, dtype)?, dtype)
    }

    /// The opposite of a truth value.
    pub(super) fn not(&self, truth: Value<'c, 'b>) -> Result<Value<'c, 'b>> {
        self.xor(truth, self.constant(DType::Bool, 1)?)
    }

    fn compare(
        &self,
        op: CompareOp,
        operands: [Value<'c, 'b>; 2],
        dtype: DType,
    ) -> Result<Value<'c, 'b>> {
        use CmpIPredicate as Is;
        let (predicate, unsigned) = match op {
            CompareOp::Equal => (Is::Eq, Is::Eq),
            CompareOp::NotEqual => (Is::Ne, Is::Ne),
            CompareOp::Less => (Is::Slt, Is::Ult),
            CompareOp::LessEqual => (Is::Sle, Is::Ule),
            CompareOp::Greater => (Is::Sgt, Is::Ugt),
            CompareOp::GreaterEqual => (Is::Sge, Is::Uge),
        };
        let [a, b] = operands;
        match dtype.class() {
            DTypeClass::Signed => self.test(predicate, a, b),
            _ => self.test(unsigned, a, b),
        }
    }

    fn unary(&self, op: UnaryOp, x: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        match op {
            UnaryOp::StopGradient | UnaryOp::Barrier => Ok(x),
            UnaryOp::Not if dtype == DType::Bool => self.not(x),
            UnaryOp::Not => self.wrap(self.xor(x, self.constant(dtype, -1)?)?, dtype),
            UnaryOp::Negate => self.negate(x, dtype),
            UnaryOp::Abs if dtype.class() == DTypeClass::Signed => {
                let zero = self.constant(dtype, 0)?;
                let is_negative = self.test(CmpIPredicate::Slt, x, zero)?;
                self.select(is_negative, self.negate(x, dtype)?, x)
            }
            UnaryOp::Abs => Ok(x),
            _ => Err(LowerCause::Lost("a function")),
        }
    }

    fn negate(&self, x: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        self.wrap(self.subtract(self.constant(dtype, 0)?, x)?, dtype)
    }

    fn binary(
        &self,
        op: BinaryOp,
        [a, b]: [Value<'c, 'b>; 2],
        dtype: DType,
    ) -> Result<Value<'c, 'b>> {
        let is_signed = dtype.class() == DTypeClass::Signed;
        match op {
            BinaryOp::Add => self.wrap(self.add(a, b)?, dtype),
            BinaryOp::Subtract => self.wrap(self.subtract(a, b)?, dtype),
            BinaryOp::Multiply => self.wrap(self.multiply(a, b)?, dtype),
            BinaryOp::Divide if is_signed => self.quotient(a, b, dtype),
            BinaryOp::Divide => self.quotient_unsigned(a, b, dtype),
            BinaryOp::Remainder => self.remainder(a, b, dtype),
            BinaryOp::Maximum if dtype == DType::Bool => self.or(a, b),
            BinaryOp::Maximum if is_signed => self.maximum_signed(a, b),
            BinaryOp::Maximum => self.maximum_unsigned(a, b),
            BinaryOp::Minimum if dtype == DType::Bool => self.and(a, b),
            BinaryOp::Minimum if is_signed => self.minimum_signed(a, b),
            BinaryOp::Minimum => self.minimum_unsigned(a, b),
            BinaryOp::And => self.and(a, b),
            BinaryOp::Or => self.or(a, b),
            BinaryOp::Xor => self.xor(a, b),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(op, a, b, dtype),
            _ => Err(LowerCause::Lost("a function")),
        }
    }

    /// All ones for a division by zero. The least number divided by -1 wraps.
    fn quotient(&self, a: Value<'c, 'b>, b: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        let (zero, ones) = (self.constant(dtype, 0)?, self.constant(dtype, -1)?);
        let is_zero = self.test(CmpIPredicate::Eq, b, zero)?;
        let is_ones = self.test(CmpIPredicate::Eq, b, ones)?;
        let divided = self.divide_signed(a, self.divisor(b, dtype)?)?;
        let divided = self.select(is_ones, self.negate(a, dtype)?, divided)?;
        self.select(is_zero, ones, divided)
    }

    fn quotient_unsigned(
        &self,
        a: Value<'c, 'b>,
        b: Value<'c, 'b>,
        dtype: DType,
    ) -> Result<Value<'c, 'b>> {
        let is_zero = self.test(CmpIPredicate::Eq, b, self.constant(dtype, 0)?)?;
        let ones = self.wrap(self.constant(dtype, -1)?, dtype)?;
        let divided = self.divide_unsigned(a, self.divisor(b, dtype)?)?;
        self.select(is_zero, ones, divided)
    }

    /// The dividend for a division by zero.
    fn remainder(&self, a: Value<'c, 'b>, b: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        let is_zero = self.test(CmpIPredicate::Eq, b, self.constant(dtype, 0)?)?;
        let divisor = self.divisor(b, dtype)?;
        let remainder = match dtype.class() {
            DTypeClass::Signed => self.remainder_signed(a, divisor)?,
            _ => self.remainder_unsigned(a, divisor)?,
        };
        self.select(is_zero, a, remainder)
    }

    /// A divisor, but 1 instead of 0 and of -1, which the machine cannot divide the least number by.
    fn divisor(&self, b: Value<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        let one = self.constant(dtype, 1)?;
        let is_zero = self.test(CmpIPredicate::Eq, b, self.constant(dtype, 0)?)?;
        let divisor = self.select(is_zero, one, b)?;
        if dtype.class() != DTypeClass::Signed {
            return Ok(divisor);
        }
        let is_ones = self.test(CmpIPredicate::Eq, b, self.constant(dtype, -1)?)?;
        self.select(is_ones, one, divisor)
    }

    /// The machine takes the distance modulo the width of the register.
    fn shift(
        &self,
        op: BinaryOp,
        a: Value<'c, 'b>,
        b: Value<'c, 'b>,
        dtype: DType,
    ) -> Result<Value<'c, 'b>> {
        let last = self.constant(dtype, 8 * dtype.size() as i64 - 1)?;
        let is_past = self.test(CmpIPredicate::Ugt, b, last)?;
        let distance = self.select(is_past, last, b)?;
        let shifted = match op {
            BinaryOp::ShiftLeft => self.wrap(self.shift_left(a, distance)?, dtype)?,
            _ if dtype.class() == DTypeClass::Signed => {
                return self.shift_right_signed(a, distance);
            }
            _ => self.shift_right_unsigned(a, distance)?,
        };
        self.select(is_past, self.constant(dtype, 0)?, shifted)
    }

    fn convert(&self, x: &Register<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        match dtype {
            _ if dtype == x.dtype => Ok(x.value),
            DType::Bool => self.is_not_zero(x),
            _ => self.wrap(self.resize(x, dtype)?, dtype),
        }
    }

    pub(super) fn is_not_zero(&self, x: &Register<'c, 'b>) -> Result<Value<'c, 'b>> {
        let zero = self.constant(x.dtype, 0)?;
        self.test(CmpIPredicate::Ne, x.value, zero)
    }

    /// A number in a register for another type, modulo the width of that register.
    pub(super) fn resize(&self, x: &Register<'c, 'b>, dtype: DType) -> Result<Value<'c, 'b>> {
        let target = register_type(self.0.context, dtype);
        match (bits(x.dtype), bits(dtype)) {
            (from, to) if from == to => Ok(x.value),
            (64, _) => self.truncate(x.value, target),
            _ if x.dtype.class() == DTypeClass::Signed => self.extend_signed(x.value, target),
            _ => self.extend_unsigned(x.value, target),
        }
    }
}

/// Whether a type is narrower in a buffer than in a register.
fn is_narrow(dtype: DType) -> bool {
    dtype.is_integer() && dtype.size() < 4
}
