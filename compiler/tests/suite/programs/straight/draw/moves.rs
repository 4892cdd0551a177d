//! Operations that move elements, and those that put tensors together.

use super::{Draw, broadcast};
use crate::programs::straight::{
    size::Size,
    step::{Operation, Part, Step, Type},
};
use iree_abi::DType;

impl Draw {
    pub(super) fn movement(&mut self) -> Option<Step> {
        let x = self.value(|ty| ty.rank() > 0)?;
        let ty = self.ty(x);
        let axis = self.axis(&ty)?;
        let moved = |operation, sizes: &[Size]| (operation, sizes.to_vec());
        let sizes = &ty.sizes;
        let (operation, sizes) = match self.below(22) {
            0..4 => {
                let axis = self.below(ty.rank() + 1);
                let mut sizes = sizes.clone();
                sizes.insert(axis, Size::ONE);
                moved(Operation::InsertAxis(axis), &sizes)
            }
            4..7 if ty.rank() > 1 => {
                let sizes: Vec<_> = sizes.iter().rev().copied().collect();
                moved(Operation::Transpose, &sizes)
            }
            7 if ty.rank() > 1 => {
                let other = self.below(ty.rank());
                let mut sizes = sizes.clone();
                sizes.swap(axis, other);
                moved(Operation::SwapAxes(axis, other), &sizes)
            }
            8 if ty.rank() > 2 => self.permuted(&ty),
            9 => self.reshaped(&ty)?,
            10 => {
                let mut wider = sizes.clone();
                for size in &mut wider {
                    if *size == Size::ONE {
                        *size = self.size();
                    }
                }
                wider.insert(0, self.size());
                // Others cannot be written.
                wider.iter().all(|size| size.has_name()).then_some(())?;
                (Operation::BroadcastTo, wider)
            }
            11..14 => self.sliced(&ty)?,
            14 => moved(Operation::Reverse(vec![axis]), sizes),
            15 => {
                let axes = (0..ty.rank()).collect();
                moved(Operation::Reverse(axes), sizes)
            }
            16 => moved(Operation::Roll(self.below(7) as isize - 3, axis), sizes),
            17 => self.repeated(&ty, axis)?,
            18 => self.padded(&ty)?,
            19 if ty.rank() > 1 => {
                let name = self.one_of(&["tri_lower", "tri_upper"]);
                moved(Operation::Triangle(name, self.below(4) as isize - 1), sizes)
            }
            20 if sizes[axis] == Size::ONE => {
                let mut sizes = sizes.clone();
                sizes.remove(axis);
                moved(Operation::RemoveAxis(axis), &sizes)
            }
            _ => return None,
        };
        self.step(operation, &[x], ty.dtype, &sizes)
    }

    fn permuted(&mut self, ty: &Type) -> (Operation, Vec<Size>) {
        let mut axes: Vec<_> = (0..ty.rank()).collect();
        for place in 1..axes.len() {
            axes.swap(place, self.below(place + 1));
        }
        let sizes = axes.iter().map(|axis| ty.sizes[*axis]).collect();
        (Operation::Permute(axes), sizes)
    }

    /// Two axes become one, or one becomes two.
    fn reshaped(&mut self, ty: &Type) -> Option<(Operation, Vec<Size>)> {
        let axis = self.axis(ty)?;
        let mut sizes = ty.sizes.clone();
        let place = match (self.below(2), sizes[axis].constant()) {
            (0, _) if axis + 1 < sizes.len() => {
                let next = sizes.remove(axis + 1);
                sizes[axis] = sizes[axis].times(next)?;
                axis
            }
            (_, Some(size)) if size > 3 => {
                let divisors: Vec<_> = (2..size).filter(|by| size % by == 0).collect();
                let by = *divisors.get(self.below(divisors.len().max(1)))?;
                sizes[axis] = Size::known(size / by);
                sizes.insert(axis + 1, Size::known(by));
                axis
            }
            _ => return None,
        };
        // Without elements, -1 may be any size.
        let is_empty = sizes.iter().any(|size| size.constant() == Some(0));
        let texts = sizes
            .iter()
            .enumerate()
            .map(|(axis, size)| match axis == place && !is_empty {
                true => "-1".to_owned(),
                false => size.to_string(),
            });
        let text = texts.collect::<Vec<_>>().join(", ");
        let is_named = !text.contains('_');
        is_named.then_some((Operation::Reshape(text), sizes))
    }

    fn sliced(&mut self, ty: &Type) -> Option<(Operation, Vec<Size>)> {
        let (parts, sizes) = self.parts(ty)?;
        Some((Operation::Slice(parts), sizes))
    }

    /// A part of a tensor, and its sizes.
    pub(super) fn parts(&mut self, ty: &Type) -> Option<(Vec<Part>, Vec<Size>)> {
        let mut sizes = Vec::new();
        let mut parts = Vec::new();
        for size in &ty.sizes {
            let part = self.part(size.constant());
            sizes.extend(part_size(&part, *size)?);
            parts.push(part);
        }
        Some((parts, sizes))
    }

    fn part(&mut self, size: Option<usize>) -> Part {
        let Some(size) = size else {
            return match self.below(7) {
                0 => Part::Range(1, None, 1),
                1 => Part::Range(0, None, 2),
                2 => Part::Less(1),
                3 => Part::Backwards(1),
                4 => Part::At(0),
                _ => Part::All,
            };
        };
        if size == 0 {
            return Part::All;
        }
        match self.below(8) {
            0 => Part::At(self.below(size)),
            1 => Part::Range(self.below(size), None, 1 + self.below(3)),
            2 => Part::Backwards(1 + self.below(2)),
            3 => {
                let start = self.below(size);
                let end = start + self.below(size - start + 1);
                Part::Range(start, Some(end), 1 + self.below(2))
            }
            4 => Part::Less(1),
            _ => Part::All,
        }
    }

    fn repeated(&mut self, ty: &Type, axis: usize) -> Option<(Operation, Vec<Size>)> {
        let times = 2 + self.below(2);
        let mut sizes = ty.sizes.clone();
        sizes[axis] = sizes[axis].times(Size::known(times))?;
        if self.below(2) == 0 {
            return Some((Operation::Repeat(times, axis), sizes));
        }
        let mut all = vec![1; ty.rank()];
        all[axis] = times;
        Some((Operation::Tile(all), sizes))
    }

    fn padded(&mut self, ty: &Type) -> Option<(Operation, Vec<Size>)> {
        let count = ty.rank();
        let low: Vec<_> = (0..count).map(|_| self.below(4) as isize - 1).collect();
        let high: Vec<_> = (0..count).map(|_| self.below(3) as isize).collect();
        let mut interior = vec![0; count];
        let mut sizes = Vec::new();
        for (axis, size) in ty.sizes.iter().enumerate() {
            let mut inside = *size;
            if let Some(size) = size.constant() {
                interior[axis] = usize::from(self.below(6) == 0);
                inside = Size::known((size + interior[axis] * size.saturating_sub(1)).max(size));
            }
            let more = low[axis] + high[axis];
            let size = match usize::try_from(more) {
                Ok(more) => inside.plus(Size::known(more))?,
                Err(_) => inside.less(more.unsigned_abs())?,
            };
            sizes.push(size);
        }
        let value = match ty.dtype {
            DType::Bool => self.below(2) as f64,
            _ => self.below(3) as f64,
        };
        let operation = Operation::Pad {
            low,
            high,
            interior,
            value,
        };
        Some((operation, sizes))
    }

    pub(super) fn joined(&mut self) -> Option<Step> {
        let x = self.value(|ty| ty.rank() > 0)?;
        let ty = self.ty(x);
        let axis = self.axis(&ty)?;
        if self.below(3) == 0 {
            let y = self.value(|other| *other == ty)?;
            let axis = self.below(ty.rank() + 1);
            let mut sizes = ty.sizes.clone();
            sizes.insert(axis, Size::known(2));
            return self.step(Operation::Stack(axis), &[x, y], ty.dtype, &sizes);
        }
        let fits = |other: &Type| {
            let same = |one: usize| one == axis || other.sizes[one] == ty.sizes[one];
            other.dtype == ty.dtype && other.rank() == ty.rank() && (0..ty.rank()).all(same)
        };
        let mut operands = vec![x];
        let mut sizes = ty.sizes.clone();
        for _ in 0..1 + self.below(2) {
            let y = self.value(fits)?;
            sizes[axis] = sizes[axis].plus(self.ty(y).sizes[axis])?;
            operands.push(y);
        }
        self.step(Operation::Concatenate(axis), &operands, ty.dtype, &sizes)
    }
}

impl Draw {
    /// What is made of nothing, or of a type.
    pub(super) fn built(&mut self) -> Option<Step> {
        let x = self.value(|ty| ty.dtype != DType::Bool)?;
        let ty = self.ty(x);
        let number = self.below(4) as f64;
        let name = self.one_of(&["zeros_like", "ones_like"]);
        match self.below(5) {
            0 => self.step(Operation::Like(name), &[x], ty.dtype, &ty.sizes),
            1 => self.step(Operation::FullLike(number), &[x], ty.dtype, &ty.sizes),
            _ if !ty.sizes.iter().all(|size| self.is_named(*size)) => None,
            2 => self.step(Operation::Full(number), &[], ty.dtype, &ty.sizes),
            3 => {
                let axis = self.axis(&ty)?;
                self.step(Operation::Iota(axis), &[], ty.dtype, &ty.sizes)
            }
            _ => {
                let fits = ty.rank() == 2;
                fits.then(|| self.step(Operation::Eye, &[], ty.dtype, &ty.sizes))?
            }
        }
    }

    fn is_named(&self, size: Size) -> bool {
        size.constant().is_some() || size == Size::N || size == Size::M
    }
}

fn part_size(part: &Part, size: Size) -> Option<Option<Size>> {
    let steps = |start: usize, step: usize| match (size, size.constant()) {
        (_, Some(size)) => Some(Size::known(size.checked_sub(start)?.div_ceil(step))),
        (size, None) if step == 1 => size.less(start),
        (
            Size::Sum {
                n,
                m,
                product: 0,
                one: 0,
            },
            None,
        ) => Some(Size::Steps {
            of: [n, m],
            start,
            step,
        }),
        _ => None,
    };
    Some(Some(match part {
        Part::All => size,
        Part::At(_) => return Some(None),
        Part::Range(start, Some(end), step) => Size::known((end - start).div_ceil(*step)),
        Part::Range(start, None, step) => steps(*start, *step)?,
        Part::Backwards(step) => steps(0, *step)?,
        Part::Less(by) => size.less(*by)?,
    }))
}

/// Whether one shape broadcasts to another.
pub(super) fn fits_into(one: &[Size], whole: &[Size]) -> bool {
    one.len() <= whole.len() && broadcast(one, whole).as_deref() == Some(whole)
}
