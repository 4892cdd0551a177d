//! Operations on one element of each operand.

use super::{Draw, broadcast};
use crate::programs::straight::{
    array::is_signed,
    function::{UNARY, UNARY_COMPLEX},
    step::{Operation, Step, Type},
};
use iree_abi::DType;

impl Draw {
    pub(super) fn one_element(&mut self) -> Option<Step> {
        let x = self.value(|_| true)?;
        let ty = self.ty(x);
        let dtype = ty.dtype;
        if self.below(5) == 0 {
            return self.cast(x, &ty);
        }
        let (operation, result) = if dtype.is_complex() {
            match self.below(4) {
                0 => (
                    Operation::PartOfComplex(self.one_of(&["re", "im", "abs"])),
                    dtype.real(),
                ),
                1 => (Operation::Negate, dtype),
                _ => (
                    Operation::Unary(UNARY_COMPLEX[self.below(UNARY_COMPLEX.len())].name),
                    dtype,
                ),
            }
        } else if dtype.is_float() {
            let low = self.below(5) as f64 / 4.0 - 1.0;
            match self.below(10) {
                0 => (Operation::Negate, dtype),
                1 => (Operation::Powi(2 + self.below(2) as i32), dtype),
                2 => (Operation::Clamp(low, low + 1.5), dtype),
                _ => (Operation::Unary(UNARY[self.below(UNARY.len())].name), dtype),
            }
        } else if dtype == DType::Bool {
            (Operation::Not, dtype)
        } else {
            let mut names = vec!["count_ones", "leading_zeros", "relu", "signum"];
            if is_signed(dtype) {
                names.push("abs");
            }
            let low = self.below(3) as f64;
            match self.below(8) {
                0 => (Operation::Not, dtype),
                1 if is_signed(dtype) => (Operation::Negate, dtype),
                2 => (Operation::Clamp(low, low + 4.0), dtype),
                3 => (Operation::Powi(2 + self.below(2) as i32), dtype),
                _ => (Operation::Unary(self.one_of(&names)), dtype),
            }
        };
        self.step(operation, &[x], result, &ty.sizes)
    }

    fn cast(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let mut to = self.dtype();
        // Most often to what another value is, so that they meet.
        if self.below(2) == 0 {
            let other = self.value(|other| other.dtype != ty.dtype)?;
            to = self.ty(other).dtype;
        }
        let is_allowed = to != ty.dtype && !ty.dtype.is_complex();
        is_allowed.then(|| self.step(Operation::Cast, &[x], to, &ty.sizes))?
    }

    /// Most often of values that meet along some of their axes only.
    pub(super) fn several_elements(&mut self) -> Option<Step> {
        let x = self.value(|_| true)?;
        let ty = self.ty(x);
        match self.below(12) {
            0 => self.selected(x, &ty),
            1 => self.multiplied_and_added(x, &ty),
            2 | 3 => self.compared(x, &ty),
            4 | 5 => self.with_number(x, &ty),
            6 if matches!(ty.dtype, DType::F32 | DType::F64) && self.below(4) == 0 => {
                let y = self.meeting(&ty)?;
                let sizes = broadcast(&ty.sizes, &self.ty(y).sizes)?;
                let dtype = if ty.dtype == DType::F32 {
                    DType::C64
                } else {
                    DType::C128
                };
                self.step(Operation::Complex, &[x, y], dtype, &sizes)
            }
            _ => {
                let y = self.meeting(&ty)?;
                let sizes = broadcast(&ty.sizes, &self.ty(y).sizes)?;
                let name = self.binary_name(ty.dtype);
                self.step(Operation::Binary(name), &[x, y], ty.dtype, &sizes)
            }
        }
    }

    /// A value of the same element type that broadcasts with one.
    pub(super) fn meeting(&mut self, ty: &Type) -> Option<usize> {
        let fits =
            |other: &Type| other.dtype == ty.dtype && broadcast(&ty.sizes, &other.sizes).is_some();
        let other_shape = |other: &Type| fits(other) && other.sizes != ty.sizes;
        match self.below(2) {
            0 => self.value(other_shape).or_else(|| self.value(fits)),
            _ => self.value(fits),
        }
    }

    pub(super) fn binary_name(&mut self, dtype: DType) -> &'static str {
        let names: &[&str] = if dtype == DType::Bool {
            &["&", "|", "^", "maximum"]
        } else if dtype.is_complex() {
            &["+", "-", "*", "/"]
        } else if dtype.is_float() {
            &[
                "+",
                "+",
                "+",
                "-",
                "-",
                "-",
                "*",
                "*",
                "*",
                "/",
                "/",
                "maximum",
                "minimum",
                "atan2",
                "hypot",
                "powf",
                "copysign",
                "%",
                "rem_euclid",
            ]
        } else {
            &[
                "+",
                "+",
                "-",
                "-",
                "*",
                "*",
                "/",
                "%",
                "&",
                "|",
                "^",
                "maximum",
                "minimum",
                "rem_euclid",
            ]
        };
        self.one_of(names)
    }

    fn with_number(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let dtype = ty.dtype;
        if dtype == DType::Bool {
            return None;
        }
        let number = match dtype.is_float() || dtype.is_complex() {
            true => (1 + self.below(12)) as f64 / 4.0,
            false => (1 + self.below(5)) as f64,
        };
        let names = ["+", "-", "*", "/"];
        let name = self.one_of(&names);
        let operation = match self.below(3) {
            0 => Operation::NumberFirst(name, number),
            1 if dtype.is_integer() => {
                Operation::WithNumber(self.one_of(&["%", "<<", ">>", "&"]), number)
            }
            _ => Operation::WithNumber(name, number),
        };
        self.step(operation, &[x], dtype, &ty.sizes)
    }

    fn compared(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let names: &[&str] = match ty.dtype.is_complex() || ty.dtype == DType::Bool {
            true => &["==", "!="],
            false => &["<", "<=", ">", ">=", "==", "!="],
        };
        let name = self.one_of(names);
        let is_number = ty.dtype != DType::Bool && !ty.dtype.is_complex();
        if is_number && self.below(3) == 0 {
            let by = self.below(3) as f64;
            return self.step(
                Operation::CompareNumber(name, by),
                &[x],
                DType::Bool,
                &ty.sizes,
            );
        }
        let y = self.meeting(ty)?;
        let sizes = broadcast(&ty.sizes, &self.ty(y).sizes)?;
        self.step(Operation::Compare(name), &[x, y], DType::Bool, &sizes)
    }

    fn selected(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let y = self.meeting(ty)?;
        let sizes = broadcast(&ty.sizes, &self.ty(y).sizes)?;
        let fits = |mask: &Type| {
            mask.dtype == DType::Bool && broadcast(&mask.sizes, &sizes).as_ref() == Some(&sizes)
        };
        let mask = self.value(fits)?;
        self.step(Operation::Select, &[mask, x, y], ty.dtype, &sizes)
    }

    fn multiplied_and_added(&mut self, x: usize, ty: &Type) -> Option<Step> {
        if ty.dtype == DType::Bool {
            return None;
        }
        let (y, z) = (self.meeting(ty)?, self.meeting(ty)?);
        let sizes = broadcast(&ty.sizes, &self.ty(y).sizes)?;
        let sizes = broadcast(&sizes, &self.ty(z).sizes)?;
        self.step(Operation::MulAdd, &[x, y, z], ty.dtype, &sizes)
    }
}
