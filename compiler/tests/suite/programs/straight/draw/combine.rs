//! Reductions and contractions.

use super::{Draw, broadcast};
use crate::programs::straight::{
    size::Size,
    step::{Operation, Step, Type},
};
use iree_abi::DType;

impl Draw {
    pub(super) fn reduction(&mut self) -> Option<Step> {
        let x = self.value(|ty| ty.rank() > 0)?;
        let ty = self.ty(x);
        match self.below(20) {
            0..11 => self.reduced(x, &ty, None),
            11..18 => {
                let axis = self.axis(&ty)?;
                self.along(x, &ty, axis)
            }
            18 => self.mapped(x, &ty),
            _ => {
                let is_number = ty.dtype != DType::Bool;
                is_number.then(|| self.step(Operation::ScanRows, &[x], ty.dtype, &ty.sizes))?
            }
        }
    }

    /// A reduction along an axis, or along any.
    pub(super) fn reduced(&mut self, x: usize, ty: &Type, along: Option<usize>) -> Option<Step> {
        let dtype = ty.dtype;
        let names: &[&str] = if dtype == DType::Bool {
            &["all", "any", "max", "min"]
        } else if dtype.is_complex() {
            &["sum", "prod", "mean"]
        } else if dtype.is_float() {
            &[
                "sum", "sum", "sum", "prod", "mean", "mean", "max", "max", "min", "var", "std",
            ]
        } else {
            &["sum", "sum", "prod", "max", "min"]
        };
        let name = self.one_of(names);
        if along.is_none() && self.below(4) == 0 {
            return self.step(Operation::Reduce(name, None), &[x], dtype, &[]);
        }
        let axis = self.axis(ty)?;
        let mut axes = vec![along.unwrap_or(axis)];
        if along.is_none() && self.below(5) == 0 {
            axes = (0..ty.rank()).filter(|_| self.below(2) == 0).collect();
        }
        if axes.is_empty() {
            return None;
        }
        let sizes = without(ty, &axes);
        if dtype.is_integer() && axes.len() == 1 && self.below(12) == 0 {
            return self.step(Operation::ReduceXor(axes[0]), &[x], dtype, &sizes);
        }
        self.step(Operation::Reduce(name, Some(axes)), &[x], dtype, &sizes)
    }

    pub(super) fn along(&mut self, x: usize, ty: &Type, axis: usize) -> Option<Step> {
        let names: &[&str] = if ty.dtype == DType::Bool {
            &["argmax_axis", "sort", "argsort"]
        } else if ty.dtype.is_complex() {
            &["cumsum"]
        } else if ty.dtype.is_float() {
            &[
                "softmax",
                "softmax",
                "log_softmax",
                "logsumexp_axis",
                "normalize_axis",
                "normalize_axis",
                "cumsum",
                "cumprod",
                "cummax",
                "cummin",
                "sort",
                "argsort",
                "argmax_axis",
                "argmin_axis",
            ]
        } else {
            &[
                "cumsum",
                "cumprod",
                "cummax",
                "cummin",
                "sort",
                "argsort",
                "argmax_axis",
                "argmin_axis",
            ]
        };
        let name = self.one_of(names);
        let (dtype, sizes) = match name {
            "argmax_axis" | "argmin_axis" => (DType::I32, without(ty, &[axis])),
            "logsumexp_axis" => (ty.dtype, without(ty, &[axis])),
            "argsort" => (DType::I32, ty.sizes.clone()),
            _ => (ty.dtype, ty.sizes.clone()),
        };
        self.step(Operation::Along(name, axis), &[x], dtype, &sizes)
    }

    fn mapped(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let names: &[&str] = match ty.dtype {
            DType::Bool => &["reverse"],
            dtype if dtype.is_integer() => &["sum", "scaled", "reverse", "cumsum"],
            _ => &["sum", "centred", "scaled", "reverse", "cumsum"],
        };
        let name = self.one_of(names);
        let sizes = match name {
            "sum" => &ty.sizes[..1],
            _ => &ty.sizes[..],
        };
        let fits = ty.rank() == 2;
        fits.then(|| self.step(Operation::MapRows(name), &[x], ty.dtype, sizes))?
    }

    pub(super) fn contraction(&mut self) -> Option<Step> {
        let is_number = |ty: &Type| ty.dtype != DType::Bool && ty.rank() > 0;
        let x = self.value(is_number)?;
        let ty = self.ty(x);
        match (self.below(4), ty.rank()) {
            (0, 1) => {
                let y = self.value(|other| other.dtype == ty.dtype && other.rank() == 1)?;
                let sizes = [ty.sizes[0], self.ty(y).sizes[0]];
                self.step(Operation::Outer, &[x, y], ty.dtype, &sizes)
            }
            (0 | 1, 1 | 2) => self.dot(x, &ty),
            (2, 2..) => self.matmul(x, &ty),
            _ => self.einsum(x, &ty),
        }
    }

    fn dot(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let depth = *ty.sizes.last()?;
        let fits = |other: &Type| {
            other.dtype == ty.dtype && matches!(other.rank(), 1 | 2) && other.sizes[0] == depth
        };
        let y = self.value(fits)?;
        let other = self.ty(y);
        let sizes = [&ty.sizes[..ty.rank() - 1], &other.sizes[1..]].concat();
        self.step(Operation::Dot, &[x, y], ty.dtype, &sizes)
    }

    fn matmul(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let (batch, matrix) = ty.sizes.split_at(ty.rank() - 2);
        let fits = |other: &Type| {
            let rank = other.rank();
            other.dtype == ty.dtype
                && rank >= 2
                && other.sizes[rank - 2] == matrix[1]
                && broadcast(&other.sizes[..rank - 2], batch).is_some()
        };
        let y = self.value(fits)?;
        let other = self.ty(y);
        let (other_batch, other_matrix) = other.sizes.split_at(other.rank() - 2);
        let mut sizes = broadcast(batch, other_batch)?;
        sizes.extend([matrix[0], other_matrix[1]]);
        self.step(Operation::Matmul, &[x, y], ty.dtype, &sizes)
    }

    /// Letters for all axes, the same for some of one size.
    fn einsum(&mut self, x: usize, ty: &Type) -> Option<Step> {
        let y = self.value(|other| other.dtype == ty.dtype && other.rank() > 0)?;
        let other = self.ty(y);
        let mut letters: Vec<(char, Size)> = Vec::new();
        let mut inputs = Vec::new();
        for sizes in [&ty.sizes, &other.sizes] {
            let mut own = String::new();
            for size in sizes {
                let known = letters
                    .iter()
                    .filter(|(letter, known)| known == size && !own.contains(*letter));
                let known: Vec<_> = known.map(|(letter, _)| *letter).collect();
                let letter = match known.is_empty() || self.below(5) == 0 {
                    true => {
                        let letter = char::from(b'a' + letters.len() as u8);
                        letters.push((letter, *size));
                        letter
                    }
                    false => known[self.below(known.len())],
                };
                own.push(letter);
            }
            inputs.push(own);
        }
        let mut kept: Vec<_> = letters
            .iter()
            .filter(|_| self.below(5) < 3)
            .copied()
            .collect();
        for place in 1..kept.len() {
            kept.swap(place, self.below(place + 1));
        }
        let output: String = kept.iter().map(|(letter, _)| *letter).collect();
        let sizes: Vec<_> = kept.iter().map(|(_, size)| *size).collect();
        let letters = format!("{}->{output}", inputs.join(","));
        self.step(Operation::Einsum(letters), &[x, y], ty.dtype, &sizes)
    }
}

fn without(ty: &Type, axes: &[usize]) -> Vec<Size> {
    let sizes = ty.sizes.iter().enumerate();
    let kept = sizes.filter(|(axis, _)| !axes.contains(axis));
    kept.map(|(_, size)| *size).collect()
}
