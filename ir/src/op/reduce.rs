use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use std::fmt;

/// All numbers along some axes made one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    /// How two become one.
    pub kind: ReduceKind,
    /// The axes, which the result does not have.
    pub axes: Vec<usize>,
}

/// How two numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReduceKind {
    /// The sum; of nothing, 0. Not `bool`.
    Sum,
    /// The product; of nothing, 1. Not `bool`.
    Product,
    /// The largest; NaN if one is. Not complex, and not of nothing that is known while building; where a size of the
    /// call is 0, the least number of the type.
    Maximum,
    /// The smallest; NaN if one is. Not complex, and not of nothing that is known while building; where a size of the
    /// call is 0, the greatest number of the type.
    Minimum,
    /// Whether all are true; of nothing, true. `bool`.
    All,
    /// Whether one is true; of nothing, false. `bool`.
    Any,
}

impl ReduceKind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::Sum,
        Self::Product,
        Self::Maximum,
        Self::Minimum,
        Self::All,
        Self::Any,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "reduce_sum",
            Self::Product => "reduce_product",
            Self::Maximum => "reduce_maximum",
            Self::Minimum => "reduce_minimum",
            Self::All => "reduce_all",
            Self::Any => "reduce_any",
        }
    }

    /// Refuses an element type whose numbers cannot be combined so.
    pub(super) fn check(self, operation: &'static str, dtype: DType) -> Result<(), InferError> {
        match self.accepts(dtype.class()) {
            true => Ok(()),
            false => Err(InferError::DType { operation, dtype }),
        }
    }

    const fn accepts(self, class: DTypeClass) -> bool {
        match self {
            Self::Sum | Self::Product => !matches!(class, DTypeClass::Bool),
            Self::Maximum | Self::Minimum => !matches!(class, DTypeClass::Complex),
            Self::All | Self::Any => matches!(class, DTypeClass::Bool),
        }
    }
}

impl Reduce {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::check_axes(&self.axes, operand)?;
        let dtype = operand.dtype;
        self.kind.check(self.kind.name(), dtype)?;
        if matches!(self.kind, ReduceKind::Maximum | ReduceKind::Minimum) {
            refuse_empty(self.kind.name(), operand, &self.axes)?;
        }
        Ok(vec![TensorType::new(dtype, remove(operand, &self.axes))])
    }
}

/// Where the largest or smallest number along an axis is, as `i32`; the first of equal ones, and the
/// first NaN before any number. Not complex, and not of nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgReduce {
    /// Which one.
    pub kind: ExtremumKind,
    /// The axis, which the result does not have.
    pub axis: usize,
}

/// The largest or the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExtremumKind {
    /// The largest.
    Maximum,
    /// The smallest.
    Minimum,
}

impl ExtremumKind {
    /// Both kinds.
    pub const ALL: &[Self] = &[Self::Maximum, Self::Minimum];

    /// The name of the operation in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maximum => "arg_maximum",
            Self::Minimum => "arg_minimum",
        }
    }
}

impl ArgReduce {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::check_axis(self.axis, operand)?;
        if operand.dtype.is_complex() {
            return Err(InferError::DType {
                operation: self.kind.name(),
                dtype: operand.dtype,
            });
        }
        refuse_empty(self.kind.name(), operand, &[self.axis])?;
        let shape = remove(operand, &[self.axis]);
        Ok(vec![TensorType::new(DType::I32, shape)])
    }
}

fn refuse_empty(
    name: &'static str,
    operand: &TensorType,
    axes: &[usize],
) -> Result<(), InferError> {
    let empty = |axis: &usize| operand.shape.dims().get(*axis) == Some(&Dim::Static(0));
    if axes.iter().any(empty) {
        Err(InferError::Empty(name))
    } else {
        Ok(())
    }
}

fn remove(operand: &TensorType, axes: &[usize]) -> Shape {
    let dims = operand.shape.dims().iter().enumerate();
    let kept = dims.filter(|(axis, _)| !axes.contains(axis));
    Shape::new(kept.map(|(_, dim)| dim.clone()).collect())
}

impl<'a> Family<'a> for &'a Reduce {
    fn name(self) -> &'static str {
        self.kind.name()
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
            cost: Cost::Reduction,
            structure: Structure::Reduction(&self.axes),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("axes", &self.axes)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        let Some(kind) = text.member(ReduceKind::ALL, ReduceKind::name) else {
            return Ok(None);
        };
        text.operands()?;
        let axes = text.list("axes")?;
        done(Op::Reduce(Reduce { kind, axes }))
    }
}

impl<'a> Family<'a> for &'a ArgReduce {
    fn name(self) -> &'static str {
        self.kind.name()
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
            cost: Cost::Reduction,
            structure: Structure::Extremum(std::slice::from_ref(&self.axis)),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " axis {}", self.axis)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        let Some(kind) = text.member(ExtremumKind::ALL, ExtremumKind::name) else {
            return Ok(None);
        };
        text.operands()?;
        let axis = text.number("axis")?;
        done(Op::ArgReduce(ArgReduce { kind, axis }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduced_axes_are_gone() {
        let op = Reduce {
            kind: ReduceKind::Sum,
            axes: vec![0, 2],
        };
        let operand = TensorType::new(DType::I8, [2, 3, 4]);
        let result = TensorType::new(DType::I8, [3]);
        assert_eq!(op.infer(&[operand]), Ok(vec![result]));
    }

    #[test]
    fn there_is_no_largest_of_nothing() {
        let operand = TensorType::new(DType::F32, [2, 0]);
        let kind = ReduceKind::Maximum;
        let of = |axis| Reduce {
            kind,
            axes: vec![axis],
        };
        assert!(of(1).infer(std::slice::from_ref(&operand)).is_err());
        assert!(of(0).infer(&[operand]).is_ok());
    }
}
