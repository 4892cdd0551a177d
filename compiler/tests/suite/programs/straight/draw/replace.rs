//! Operations with indices, and parts of variables that are assigned.

use super::{Draw, moves::fits_into};
use crate::programs::straight::{
    size::Size,
    step::{Operation, Step, Type},
};
use iree_abi::DType;

fn is_index(ty: &Type) -> bool {
    matches!(ty.dtype, DType::I32 | DType::I64)
}

impl Draw {
    pub(super) fn picked(&mut self) -> Option<Step> {
        let indices = self.value(|ty| is_index(ty) && ty.rank() < 3)?;
        let of_indices = self.ty(indices);
        if self.below(5) == 0 {
            let classes = 1 + self.below(6);
            let sizes = [&of_indices.sizes[..], &[Size::known(classes)]].concat();
            return self.step(Operation::OneHot(classes), &[indices], DType::F32, &sizes);
        }
        let x = self.value(|ty| ty.rank() > 0)?;
        let ty = self.ty(x);
        let axis = self.axis(&ty)?;
        let (before, after) = (&ty.sizes[..axis], &ty.sizes[axis + 1..]);
        let taken = [before, &of_indices.sizes, after].concat();
        match self.below(5) {
            0 if of_indices.rank() == 0 => {
                self.step(Operation::AtIndex, &[x, indices], ty.dtype, &ty.sizes[1..])
            }
            1 if of_indices.sizes == ty.sizes => {
                let operation = Operation::TakeAlongAxis(axis);
                self.step(operation, &[x, indices], ty.dtype, &ty.sizes)
            }
            2 if ty.dtype != DType::Bool => {
                let fits = |updates: &Type| updates.dtype == ty.dtype && updates.sizes == taken;
                let updates = self.value(fits)?;
                let operation = Operation::ScatterAdd(axis);
                self.step(operation, &[x, indices, updates], ty.dtype, &ty.sizes)
            }
            _ => self.step(Operation::Take(axis), &[x, indices], ty.dtype, &taken),
        }
    }

    pub(super) fn replaced(&mut self) -> Option<Step> {
        let x = self.value(|ty| ty.rank() > 0)?;
        let ty = self.ty(x);
        if self.below(4) == 0 {
            let index = self.value(|other| is_index(other) && other.rank() == 0)?;
            let fits =
                |other: &Type| other.dtype == ty.dtype && fits_into(&other.sizes, &ty.sizes[1..]);
            let value = self.value(fits)?;
            return self.step(Operation::AssignAt, &[x, index, value], ty.dtype, &ty.sizes);
        }
        let (parts, sizes) = self.parts(&ty)?;
        let operator = match ty.dtype {
            DType::Bool => "=",
            _ => self.one_of(&["=", "=", "+=", "*=", "-="]),
        };
        let fits = |other: &Type| other.dtype == ty.dtype && fits_into(&other.sizes, &sizes);
        let (value, number) = match (self.value(fits), self.below(4)) {
            (Some(value), 1..) => (Some(value), None),
            _ if ty.dtype == DType::Bool => return None,
            _ => (None, Some(self.below(3) as f64)),
        };
        let operation = Operation::Assign {
            parts,
            operator,
            number,
        };
        let operands: Vec<_> = [Some(x), value].into_iter().flatten().collect();
        self.step(operation, &operands, ty.dtype, &ty.sizes)
    }
}
