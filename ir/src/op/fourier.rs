use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::TensorType;
use std::fmt;

/// A discrete Fourier transform along the last axis, of any length; the inverse one divides by the
/// length. Complex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fourier {
    /// From values to their frequencies.
    Forward,
    /// Back.
    Inverse,
}

impl Fourier {
    /// Both directions.
    pub const ALL: &[Self] = &[Self::Forward, Self::Inverse];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forward => "fourier",
            Self::Inverse => "inverse_fourier",
        }
    }

    pub(super) fn infer(self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        if !operand.dtype.is_complex() {
            return Err(InferError::DType {
                operation: self.name(),
                dtype: operand.dtype,
            });
        }
        arity::check_axis(0, operand)?;
        Ok(vec![operand.clone()])
    }
}

impl<'a> Family<'a> for Fourier {
    fn name(self) -> &'static str {
        self.name()
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost: Cost::Along,
            structure: Structure::Transform,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        match text.member(Self::ALL, Self::name) {
            Some(op) => text.bare(Op::Fourier(op)),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_abi::DType;

    #[test]
    fn frequencies_are_complex() {
        let of = |dtype, sizes: &[usize]| {
            Fourier::Forward
                .infer(&[TensorType::new(dtype, sizes)])
                .is_ok()
        };
        assert!(of(DType::C128, &[3, 5]));
        assert!(!of(DType::F64, &[3, 5]));
        assert!(!of(DType::C64, &[]));
    }
}
