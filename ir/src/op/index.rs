use super::{
    InferError, Op, ReduceKind, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure, Update},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, Dim, Shape, TensorType};
use std::fmt;

/// Elements looked up. Operands: the tensor, then for each of the axes a tensor of `i32`, all of one
/// shape, with places along it; a place outside the axis is moved to its nearest end. The axes of these
/// tensors stand in the result in place of the first of the axes, the others are gone. The axes rise,
/// and none of them is empty unless the result is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gather {
    /// The axes along which elements are looked up; at least one.
    pub axes: Vec<usize>,
}

impl Gather {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let Some((operand, places)) = operands.split_first() else {
            return Err(count(1 + self.axes.len(), 0));
        };
        let shape = looked_up(&self.axes, operand, places)?;
        let empty = |axis: &usize| operand.shape.dims().get(*axis) == Some(&Dim::Static(0));
        if self.axes.iter().any(empty) && !shape.dims().contains(&Dim::Static(0)) {
            return Err(InferError::Empty("gather"));
        }
        Ok(vec![TensorType::new(operand.dtype, shape)])
    }
}

/// Elements combined with others at certain places. Operands: the tensor, the other elements, then
/// tensors of places as for a [`Gather`] that would look up as many elements; an element whose place is
/// outside the tensor is left out. For one place, they are combined one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scatter {
    /// What becomes of an element of the tensor and another.
    pub kind: ScatterKind,
    /// The axes along which places are given; at least one.
    pub axes: Vec<usize>,
}

/// What becomes of an element and another for its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScatterKind {
    /// The other one; of several, the last.
    Replace,
    /// The sum. Not `bool`.
    Add,
    /// The product. Not `bool`.
    Multiply,
    /// The larger one; NaN if one is. Not complex.
    Maximum,
    /// The smaller one; NaN if one is. Not complex.
    Minimum,
}

impl ScatterKind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::Replace,
        Self::Add,
        Self::Multiply,
        Self::Maximum,
        Self::Minimum,
    ];

    /// The name of the operation in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replace => "scatter",
            Self::Add => "scatter_add",
            Self::Multiply => "scatter_multiply",
            Self::Maximum => "scatter_maximum",
            Self::Minimum => "scatter_minimum",
        }
    }

    /// The reduction that combines elements likewise.
    pub const fn reduction(self) -> Option<ReduceKind> {
        match self {
            Self::Replace => None,
            Self::Add => Some(ReduceKind::Sum),
            Self::Multiply => Some(ReduceKind::Product),
            Self::Maximum => Some(ReduceKind::Maximum),
            Self::Minimum => Some(ReduceKind::Minimum),
        }
    }
}

impl Scatter {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand, updates, places @ ..] = operands else {
            return Err(count(2 + self.axes.len(), operands.len()));
        };
        let dtype = arity::same_dtype(operand, updates)?;
        if let Some(kind) = self.kind.reduction() {
            kind.check(self.kind.name(), dtype)?;
        }
        let expected = looked_up(&self.axes, operand, places)?;
        if updates.shape != expected {
            return Err(InferError::Shapes(expected, updates.shape.clone()));
        }
        Ok(vec![operand.clone()])
    }
}

/// The shape of the elements at places along some axes.
fn looked_up(
    axes: &[usize],
    operand: &TensorType,
    places: &[TensorType],
) -> Result<Shape, InferError> {
    arity::check_axes(axes, operand)?;
    let (Some(first_axis), Some(first)) = (axes.first(), places.first()) else {
        return Err(count(1, 0));
    };
    if places.len() != axes.len() {
        return Err(count(axes.len(), places.len()));
    }
    if !axes.is_sorted() {
        return Err(InferError::UnsortedAxes);
    }
    for place in places {
        if place.dtype != DType::I32 {
            return Err(InferError::DTypes(DType::I32, place.dtype));
        }
        if place.shape != first.shape {
            return Err(InferError::Shapes(first.shape.clone(), place.shape.clone()));
        }
    }
    let dims = operand.shape.dims().iter().enumerate();
    let kept = dims.filter(|(axis, _)| !axes.contains(axis));
    let (before, behind): (Vec<_>, Vec<_>) = kept.partition(|(axis, _)| axis < first_axis);
    let dim = |(_, dim): (usize, &Dim)| dim.clone();
    let before = before.into_iter().map(dim);
    let behind = behind.into_iter().map(dim);
    let dims = before
        .chain(first.shape.dims().iter().cloned())
        .chain(behind);
    Ok(Shape::new(dims.collect()))
}

const fn count(expected: usize, found: usize) -> InferError {
    InferError::OperandCount { expected, found }
}

impl<'a> Family<'a> for &'a Gather {
    fn name(self) -> &'static str {
        "gather"
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
            cost: Cost::Movement,
            structure: Structure::Gather(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("axes", &self.axes)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("gather") {
            return Ok(None);
        }
        text.operands()?;
        let axes = text.list("axes")?;
        done(Op::Gather(Gather { axes }))
    }
}

impl<'a> Family<'a> for &'a Scatter {
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
            alias: Alias::InPlace(Update::Elements),
            cost: Cost::Reduction,
            structure: Structure::Scatter(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("axes", &self.axes)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        let Some(kind) = text.member(ScatterKind::ALL, ScatterKind::name) else {
            return Ok(None);
        };
        text.operands()?;
        let axes = text.list("axes")?;
        done(Op::Scatter(Scatter { kind, axes }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(dtype: DType, sizes: &[usize]) -> TensorType {
        TensorType::new(dtype, sizes)
    }

    #[test]
    fn places_stand_where_the_first_axis_was() {
        let table = ty(DType::F32, &[2, 3, 4]);
        let places = ty(DType::I32, &[5, 6]);
        let along = |axes: &[usize]| {
            let mut operands = vec![table.clone()];
            operands.extend(axes.iter().map(|_| places.clone()));
            let axes = axes.to_vec();
            Gather { axes }
                .infer(&operands)
                .map(|types| types[0].clone())
        };
        assert_eq!(along(&[1]), Ok(ty(DType::F32, &[2, 5, 6, 4])));
        assert_eq!(along(&[0, 2]), Ok(ty(DType::F32, &[5, 6, 3])));
        assert_eq!(along(&[0, 1, 2]), Ok(ty(DType::F32, &[5, 6])));
        assert_eq!(along(&[2, 0]), Err(InferError::UnsortedAxes));
    }

    #[test]
    fn nothing_is_looked_up_in_nothing() {
        let gather = Gather { axes: vec![0] };
        let empty = ty(DType::U8, &[0, 2]);
        assert!(
            gather
                .infer(&[empty.clone(), ty(DType::I32, &[3])])
                .is_err()
        );
        assert!(gather.infer(&[empty, ty(DType::I32, &[0])]).is_ok());
    }

    #[test]
    fn updates_have_the_shape_of_what_would_be_looked_up() {
        let op = Scatter {
            kind: ScatterKind::Add,
            axes: vec![1],
        };
        let (table, places) = (ty(DType::I8, &[2, 3]), ty(DType::I32, &[4]));
        let update = |sizes: &[usize]| ty(DType::I8, sizes);
        let good = [table.clone(), update(&[2, 4]), places.clone()];
        assert_eq!(op.infer(&good), Ok(vec![table.clone()]));
        assert!(op.infer(&[table, update(&[4, 2]), places]).is_err());
    }
}
