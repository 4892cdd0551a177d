use super::{InferError, arity};
use iree_abi::{DTypeClass, TensorType};

/// One number from one number, at each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// The absolute value; of a complex number, a real one. Numbers with a sign.
    Abs,
    /// The number with the other sign; integers wrap. Numbers with a sign.
    Negate,
    /// The complement of each bit; of `bool`, the other value. Integers and `bool`.
    Not,
    /// *e* to the power of the number. Real and complex numbers.
    Exp,
    /// The natural logarithm. Real and complex numbers.
    Ln,
    /// The square root. Real and complex numbers.
    Sqrt,
    /// The hyperbolic tangent. Real and complex numbers.
    Tanh,
}

impl UnaryOp {
    /// Every operation of the family.
    pub const ALL: &[Self] = &[
        Self::Abs,
        Self::Negate,
        Self::Not,
        Self::Exp,
        Self::Ln,
        Self::Sqrt,
        Self::Tanh,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::Negate => "negate",
            Self::Not => "not",
            Self::Exp => "exp",
            Self::Ln => "ln",
            Self::Sqrt => "sqrt",
            Self::Tanh => "tanh",
        }
    }

    const fn accepts(self, class: DTypeClass) -> bool {
        use DTypeClass::{Bool, Complex, Float, Signed, Unsigned};
        match self {
            Self::Abs => matches!(class, Signed | Float | Complex),
            Self::Negate => !matches!(class, Bool | Unsigned),
            Self::Not => matches!(class, Bool | Signed | Unsigned),
            Self::Exp | Self::Ln | Self::Sqrt | Self::Tanh => matches!(class, Float | Complex),
        }
    }

    pub(super) fn infer(self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        if !self.accepts(operand.dtype.class()) {
            return Err(InferError::DType {
                operation: self.name(),
                dtype: operand.dtype,
            });
        }
        let dtype = match self {
            Self::Abs => operand.dtype.real(),
            _ => operand.dtype,
        };
        Ok(vec![TensorType::new(dtype, operand.shape.clone())])
    }
}
