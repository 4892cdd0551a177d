use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, Dim, Shape, TensorType};
use std::fmt;

/// Sums of products over pairs of axes. The result has the batch axes, then the free axes of the first
/// operand, then those of the second. Not `bool`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotGeneral {
    /// Pairs of axes that run along together and stay.
    pub batch: (Vec<usize>, Vec<usize>),
    /// Pairs of axes that are multiplied and summed.
    pub contract: (Vec<usize>, Vec<usize>),
    /// The element type of the sums: that of the operands, or a wider one of the same kind.
    pub dtype: DType,
}

/// Along which axis of a contraction numbers follow each other in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consecutive {
    /// The last axis of the result, which is the last of each factor that has it.
    Result,
    /// The last pair of axes that are summed, which are the last of both factors.
    Summed,
    /// None.
    Nothing,
}

impl DotGeneral {
    /// Along which axis numbers follow each other, of factors with so many axes.
    pub fn consecutive(&self, lhs: usize, rhs: usize) -> Consecutive {
        let is_last = |axis: Option<&usize>, rank: usize| axis.is_some_and(|axis| axis + 1 == rank);
        let are_last = |(of_lhs, of_rhs): &(Vec<usize>, Vec<usize>)| {
            is_last(of_lhs.last(), lhs) && is_last(of_rhs.last(), rhs)
        };
        let free = |rank, batch: &[usize], summed: &[usize]| {
            (0..rank).rfind(|axis| !batch.contains(axis) && !summed.contains(axis))
        };
        let of_lhs = free(lhs, &self.batch.0, &self.contract.0);
        let of_rhs = free(rhs, &self.batch.1, &self.contract.1);
        let is_result = match (of_lhs, of_rhs) {
            (_, Some(axis)) => axis + 1 == rhs,
            (Some(axis), None) => axis + 1 == lhs,
            (None, None) => are_last(&self.batch),
        };
        match is_result {
            true => Consecutive::Result,
            false if are_last(&self.contract) => Consecutive::Summed,
            false => Consecutive::Nothing,
        }
    }

    /// Which factors, of these shapes, are vectors or have one for each place of the batch: along all other axes there
    /// is one place.
    pub fn vectors(&self, lhs: &Shape, rhs: &Shape) -> [bool; 2] {
        let factors = [
            (lhs, &self.batch.0, &self.contract.0),
            (rhs, &self.batch.1, &self.contract.1),
        ];
        factors.map(|(factor, batch, summed)| {
            let mut dims = factor.dims().iter().enumerate();
            dims.all(|(axis, dim)| dim.is_one() || batch.contains(&axis) || summed.contains(&axis))
        })
    }

    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [lhs, rhs] = arity::exactly(operands)?;
        let dtype = arity::same_dtype(lhs, rhs)?;
        if dtype == DType::Bool {
            return Err(InferError::DType {
                operation: "dot_general",
                dtype,
            });
        }
        if !holds(self.dtype, dtype) {
            return Err(InferError::Accumulator(dtype, self.dtype));
        }
        self.check_pairs(&self.batch, lhs, rhs)?;
        self.check_pairs(&self.contract, lhs, rhs)?;
        let (lhs_used, rhs_used) = (
            [self.batch.0.as_slice(), &self.contract.0].concat(),
            [self.batch.1.as_slice(), &self.contract.1].concat(),
        );
        arity::check_axes(&lhs_used, lhs)?;
        arity::check_axes(&rhs_used, rhs)?;
        let batch = self.batch.0.iter();
        let mut dims: Vec<Dim> = batch
            .filter_map(|axis| lhs.shape.dims().get(*axis).cloned())
            .collect();
        dims.extend(free(&lhs.shape, &lhs_used));
        dims.extend(free(&rhs.shape, &rhs_used));
        Ok(vec![TensorType::new(self.dtype, Shape::new(dims))])
    }

    fn check_pairs(
        &self,
        (lhs_axes, rhs_axes): &(Vec<usize>, Vec<usize>),
        lhs: &TensorType,
        rhs: &TensorType,
    ) -> Result<(), InferError> {
        if lhs_axes.len() != rhs_axes.len() {
            return Err(InferError::AxisCount {
                expected: lhs_axes.len(),
                found: rhs_axes.len(),
            });
        }
        for (&lhs_axis, &rhs_axis) in lhs_axes.iter().zip(rhs_axes) {
            arity::check_axis(lhs_axis, lhs)?;
            arity::check_axis(rhs_axis, rhs)?;
            if lhs.shape.dims().get(lhs_axis) != rhs.shape.dims().get(rhs_axis) {
                return Err(InferError::Contraction {
                    lhs: lhs.shape.clone(),
                    lhs_axis,
                    rhs: rhs.shape.clone(),
                    rhs_axis,
                });
            }
        }
        Ok(())
    }
}

/// Whether sums of numbers of a type lose nothing in another.
fn holds(wide: DType, dtype: DType) -> bool {
    wide == dtype || wide.class() == dtype.class() && wide.size() > dtype.size()
}

fn free<'a>(shape: &'a Shape, used: &'a [usize]) -> impl Iterator<Item = Dim> + 'a {
    let dims = shape.dims().iter().enumerate();
    dims.filter(|(axis, _)| !used.contains(axis))
        .map(|(_, dim)| dim.clone())
}

impl<'a> Family<'a> for &'a DotGeneral {
    fn name(self) -> &'static str {
        "dot_general"
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
            cost: Cost::Contraction,
            structure: Structure::Contraction(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("batch", &self.batch.0)?;
        text.list("x", &self.batch.1)?;
        text.list("contract", &self.contract.0)?;
        text.list("x", &self.contract.1)?;
        text.dtype(self.dtype)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("dot_general") {
            return Ok(None);
        }
        text.operands()?;
        done(Op::DotGeneral(DotGeneral {
            batch: (text.list("batch")?, text.list("x")?),
            contract: (text.list("contract")?, text.list("x")?),
            dtype: text.dtype()?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_axes_follow_the_batch() {
        let op = DotGeneral {
            batch: (vec![0], vec![0]),
            contract: (vec![2], vec![1]),
            dtype: DType::F32,
        };
        let lhs = TensorType::new(DType::F32, [2, 3, 4]);
        let rhs = TensorType::new(DType::F32, [2, 4, 5]);
        let result = TensorType::new(DType::F32, [2, 3, 5]);
        assert_eq!(op.infer(&[lhs.clone(), rhs]), Ok(vec![result]));
        let short = TensorType::new(DType::F32, [2, 3, 5]);
        assert!(op.infer(&[lhs, short]).is_err());
    }

    #[test]
    fn sums_are_kept_in_a_type_that_holds_them() {
        let of = |operand, dtype| {
            let operand = TensorType::new(operand, [3]);
            let op = DotGeneral {
                batch: (Vec::new(), Vec::new()),
                contract: (vec![0], vec![0]),
                dtype,
            };
            op.infer(&[operand.clone(), operand]).is_ok()
        };
        assert!(of(DType::I8, DType::I32));
        assert!(of(DType::BF16, DType::F32));
        assert!(!of(DType::BF16, DType::F16));
        assert!(!of(DType::F32, DType::BF16));
        assert!(!of(DType::U8, DType::I32));
    }
}
