//! Several steps at once that the IREE compiler may put into one dispatch: a value that is read along different axes,
//! reduced along several, or put together with what it was reduced to.

use super::{Draw, broadcast};
use crate::programs::straight::step::{Operation, Step, Type};
use iree_abi::DType;

impl Draw {
    /// Adds some steps; those that do not fit are left out.
    pub(super) fn add_pattern(&mut self) -> Option<()> {
        match self.below(6) {
            0 => self.crossed(),
            1 | 2 => self.put_beside_reduced(),
            3 => self.reduced_along_two(),
            4 => self.multiplied_with_transposed(),
            _ => self.layer(),
        }
    }

    /// `n.insert_axis(1) + n.insert_axis(0)`, most often of what was reduced.
    fn crossed(&mut self) -> Option<()> {
        let x = match self.below(2) {
            0 => self.value(|ty| ty.rank() == 1)?,
            _ => {
                let x = self.value(|ty| ty.rank() == 2)?;
                let axis = self.below(2);
                self.reduced_by_any(x, axis)?
            }
        };
        let [one, other] = [1, 0].map(|axis| self.widened(x, axis));
        self.combined(one?, other?)
    }

    /// `x - x.max_axis(1).insert_axis(1)`.
    fn put_beside_reduced(&mut self) -> Option<()> {
        let x = self.value(|ty| ty.rank() > 0)?;
        let axis = self.axis(&self.ty(x))?;
        let reduced = self.reduced_by_any(x, axis)?;
        let widened = self.widened(reduced, axis)?;
        let y = match self.below(3) {
            0 => self.meeting(&self.ty(widened))?,
            _ => x,
        };
        self.combined(y, widened)
    }

    /// The same tensor reduced along two axes, and both put together.
    fn reduced_along_two(&mut self) -> Option<()> {
        let x = self.value(|ty| ty.rank() > 1)?;
        let last = self.ty(x).rank() - 1;
        let rows = self.reduced_by_any(x, last)?;
        let columns = self.reduced_by_any(x, 0)?;
        let (rows, columns) = match self.below(3) {
            0 => return Some(()),
            1 => (self.widened(rows, last)?, columns),
            _ => (self.widened(rows, last)?, self.widened(columns, 0)?),
        };
        self.combined(rows, columns)
    }

    /// `x.matmul(x.t())`, and the same with another tensor.
    pub(super) fn multiplied_with_transposed(&mut self) -> Option<()> {
        let x = self.value(|ty| ty.rank() == 2 && ty.dtype != DType::Bool)?;
        let ty = self.ty(x);
        let sizes = [ty.sizes[1], ty.sizes[0]];
        let transposed = self.add(Operation::Transpose, &[x], ty.dtype, &sizes)?;
        let [y, by] = match self.below(2) {
            0 => [x, transposed],
            _ => [transposed, x],
        };
        let sizes = [self.ty(y).sizes[0], self.ty(by).sizes[1]];
        let product = self.add(Operation::Matmul, &[y, by], ty.dtype, &sizes)?;
        self.along_any(product)
    }

    /// A product, a bias, and what is done along an axis.
    pub(super) fn layer(&mut self) -> Option<()> {
        let x = self.value(|ty| ty.rank() > 0 && ty.dtype.is_float())?;
        let ty = self.ty(x);
        let product = match self.contraction() {
            Some(step) if step.ty.rank() > 0 => self.keep_numbered(step)?,
            _ => x,
        };
        let product_ty = self.ty(product);
        let bias = self.meeting(&product_ty).unwrap_or(x);
        let sizes = broadcast(&product_ty.sizes, &self.ty(bias).sizes)?;
        let dtype = product_ty.dtype;
        let sum = match dtype == self.ty(bias).dtype && dtype != DType::Bool {
            true => self.add(Operation::Binary("+"), &[product, bias], dtype, &sizes)?,
            false => product,
        };
        let function = self.one_of(&["relu", "tanh", "sigmoid", "gelu", "exp"]);
        let is_float = ty.dtype == dtype && dtype.is_float();
        let value = match is_float && self.below(2) == 0 {
            true => {
                let sizes = self.ty(sum).sizes;
                self.add(Operation::Unary(function), &[sum], dtype, &sizes)?
            }
            false => sum,
        };
        self.along_any(value)
    }

    fn along_any(&mut self, x: usize) -> Option<()> {
        let ty = self.ty(x);
        let axis = self.axis(&ty)?;
        let step = match self.below(2) {
            0 => self.along(x, &ty, axis)?,
            _ => self.reduced(x, &ty, Some(axis))?,
        };
        self.keep(step)
    }

    fn reduced_by_any(&mut self, x: usize, axis: usize) -> Option<usize> {
        let ty = self.ty(x);
        let step = self.reduced(x, &ty, Some(axis))?;
        self.keep_numbered(step)
    }

    fn widened(&mut self, x: usize, axis: usize) -> Option<usize> {
        let Type { dtype, mut sizes } = self.ty(x);
        sizes.insert(axis, super::Size::ONE);
        self.add(Operation::InsertAxis(axis), &[x], dtype, &sizes)
    }

    fn combined(&mut self, x: usize, y: usize) -> Option<()> {
        let ty = self.ty(x);
        let sizes = broadcast(&ty.sizes, &self.ty(y).sizes)?;
        let is_same = self.ty(y).dtype == ty.dtype;
        for _ in 0..5 {
            let name = self.binary_name(ty.dtype);
            let operands = if self.below(2) == 0 { [x, y] } else { [y, x] };
            if is_same
                && self
                    .add(Operation::Binary(name), &operands, ty.dtype, &sizes)
                    .is_some()
            {
                return Some(());
            }
        }
        None
    }

    /// Adds a step; the number of its value.
    fn add(
        &mut self,
        operation: Operation,
        operands: &[usize],
        dtype: DType,
        sizes: &[super::Size],
    ) -> Option<usize> {
        let step = self.step(operation, operands, dtype, sizes)?;
        self.keep_numbered(step)
    }

    fn keep_numbered(&mut self, step: Step) -> Option<usize> {
        self.keep(step)?;
        Some(self.procedure.count() - 1)
    }
}
