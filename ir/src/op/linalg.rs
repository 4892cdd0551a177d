use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::{DType, TensorType};
use std::fmt;

/// What is known of the matrices of linear systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matrices {
    /// Nothing.
    General,
    /// What is above the diagonal counts as zeros.
    Lower,
    /// What is below the diagonal counts as zeros.
    Upper,
    /// As [`Lower`](Self::Lower), and the diagonal counts as ones.
    UnitLower,
    /// As [`Upper`](Self::Upper), and the diagonal counts as ones.
    UnitUpper,
}

impl Matrices {
    /// Whether they are lower triangles.
    pub const fn is_lower(self) -> bool {
        match self {
            Self::Lower | Self::UnitLower => true,
            Self::General | Self::Upper | Self::UnitUpper => false,
        }
    }

    /// Whether their diagonals count as ones.
    pub const fn is_unit(self) -> bool {
        match self {
            Self::UnitLower | Self::UnitUpper => true,
            Self::General | Self::Lower | Self::Upper => false,
        }
    }
}

/// What times matrices in the last two axes of the first operand is the second operand. The axes before them are equal. NaN or
/// infinite where a matrix is singular. Real and complex numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solve {
    /// What is known of the matrices.
    pub matrices: Matrices,
    /// Whether their transposes stand for them; complex numbers are not conjugated.
    pub transposed: bool,
}

impl Solve {
    /// All forms.
    pub const ALL: &[Self] = &[
        Self::of(Matrices::General, false),
        Self::of(Matrices::General, true),
        Self::of(Matrices::Lower, false),
        Self::of(Matrices::Lower, true),
        Self::of(Matrices::Upper, false),
        Self::of(Matrices::Upper, true),
        Self::of(Matrices::UnitLower, false),
        Self::of(Matrices::UnitLower, true),
        Self::of(Matrices::UnitUpper, false),
        Self::of(Matrices::UnitUpper, true),
    ];

    /// Of matrices of a kind, or of their transposes.
    pub const fn of(matrices: Matrices, transposed: bool) -> Self {
        Self {
            matrices,
            transposed,
        }
    }

    /// The name of the operation in the text form.
    pub const fn name(&self) -> &'static str {
        match (self.matrices, self.transposed) {
            (Matrices::General, false) => "solve",
            (Matrices::General, true) => "solve_transposed",
            (Matrices::Lower, false) => "solve_lower",
            (Matrices::Lower, true) => "solve_lower_transposed",
            (Matrices::Upper, false) => "solve_upper",
            (Matrices::Upper, true) => "solve_upper_transposed",
            (Matrices::UnitLower, false) => "solve_unit_lower",
            (Matrices::UnitLower, true) => "solve_unit_lower_transposed",
            (Matrices::UnitUpper, false) => "solve_unit_upper",
            (Matrices::UnitUpper, true) => "solve_unit_upper_transposed",
        }
    }

    fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [matrices, right] = arity::exactly(operands)?;
        arity::same_dtype(matrices, right)?;
        check_square(self.name(), matrices)?;
        let (a, b) = (matrices.shape.dims(), right.shape.dims());
        let rows = a.len().saturating_sub(1);
        if a.len() != b.len() || a.get(..rows) != b.get(..rows) {
            let shapes = (matrices.shape.clone(), right.shape.clone());
            return Err(InferError::Systems(shapes.0, shapes.1));
        }
        Ok(vec![right.clone()])
    }
}

/// Refuses what are not square matrices of numbers that have quotients.
fn check_square(operation: &'static str, ty: &TensorType) -> Result<(), InferError> {
    let dtype: DType = ty.dtype;
    if !dtype.is_float() && !dtype.is_complex() {
        return Err(InferError::DType { operation, dtype });
    }
    match ty.shape.dims() {
        [.., rows, columns] if rows == columns => Ok(()),
        _ => Err(InferError::Square(ty.shape.clone())),
    }
}

/// The lower triangle whose product with its conjugate transpose is a matrix in the last two axes that is positive definite and
/// equal to its conjugate transpose, of which the lower half is read; NaN where there is none. Real and complex numbers.
#[derive(Clone, Copy)]
pub(crate) struct Cholesky;

impl Cholesky {
    const NAME: &'static str = "cholesky";
}

impl<'a> Family<'a> for Cholesky {
    fn name(self) -> &'static str {
        Self::NAME
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        let [matrices] = arity::exactly(operands)?;
        check_square(Self::NAME, matrices)?;
        Ok(vec![matrices.clone()])
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::New,
            cost: Cost::Along,
            structure: Structure::Factor,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        text.plain(Self::NAME, Op::Cholesky)
    }
}

impl<'a> Family<'a> for &'a Solve {
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
            alias: Alias::New,
            cost: Cost::Along,
            structure: Structure::System(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        match text.member(Solve::ALL, |op| op.name()) {
            Some(op) => text.bare(Op::Solve(op)),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_need_a_right_side_for_each_row() {
        let of = |a: &[usize], b: &[usize]| {
            let of = |sizes: &[usize]| TensorType::new(DType::C64, sizes);
            Solve::of(Matrices::Upper, true).infer(&[of(a), of(b)])
        };
        assert_eq!(
            of(&[2, 3, 3], &[2, 3, 5]),
            Ok(vec![TensorType::new(DType::C64, [2, 3, 5])])
        );
        for (a, b) in [
            (&[2, 3, 3][..], &[2, 4, 5][..]),
            (&[2, 3, 3], &[3, 5]),
            (&[3, 4], &[3, 5]),
            (&[3], &[3]),
        ] {
            assert!(of(a, b).is_err(), "{a:?} {b:?}");
        }
    }

    #[test]
    fn integers_have_no_factors() {
        let of = |dtype| Cholesky.infer(&[TensorType::new(dtype, [3, 3])], &[]);
        assert!(of(DType::F16).is_ok());
        assert!(of(DType::I32).is_err());
    }
}
