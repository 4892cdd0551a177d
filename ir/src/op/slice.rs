use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure, Update},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use std::fmt;

/// Every `stride`th element from `start` to before `limit`, along each axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// Where it starts, for each axis.
    pub start: Vec<Extent>,
    /// Before which it ends, for each axis.
    pub limit: Vec<Extent>,
    /// The step, for each axis; at least 1.
    pub stride: Vec<usize>,
}

impl Slice {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        let rank = operand.shape.rank();
        for found in [self.start.len(), self.limit.len(), self.stride.len()] {
            if found != rank {
                return Err(InferError::AxisCount {
                    expected: rank,
                    found,
                });
            }
        }
        let mut dims = Vec::with_capacity(rank);
        let bounds = self.start.iter().zip(&self.limit).zip(&self.stride);
        for ((axis, size), ((start, limit), &stride)) in
            operand.shape.dims().iter().enumerate().zip(bounds)
        {
            let outside = || InferError::Bounds {
                axis,
                size: size.clone(),
            };
            let fits = is_at_most(&Extent::from(0), start)
                && is_at_most(start, limit)
                && size.extent().is_some_and(|size| is_at_most(limit, &size));
            let dim = steps(start, limit, stride).and_then(Dim::from_extent);
            match dim {
                Some(dim) if fits => dims.push(dim),
                _ => return Err(outside()),
            }
        }
        Ok(vec![TensorType::new(operand.dtype, Shape::new(dims))])
    }
}

/// How many steps it is from one place to before another.
pub fn steps(start: &Extent, limit: &Extent, stride: usize) -> Option<Extent> {
    let last_step = Extent::from(stride.checked_sub(1)?);
    limit.minus(start)?.plus(&last_step)?.over(stride as i128)
}

/// Whether one number is at most another, as far as that is known while building.
fn is_at_most(least: &Extent, most: &Extent) -> bool {
    let distance = most.minus(least);
    distance.is_some_and(|distance| distance.known().is_none_or(|known| known >= 0))
}

/// A window of certain sizes. Operands: the tensor, then a scalar `i32` for each axis, where the window
/// starts; one that does not fit is moved until it does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynamicSlice {
    /// The sizes of the window.
    pub sizes: Shape,
}

impl DynamicSlice {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let Some((operand, starts)) = operands.split_first() else {
            return Err(count(1, 0));
        };
        let window = TensorType::new(operand.dtype, self.sizes.clone());
        check_window(operand, &window)?;
        check_starts(operand, starts)?;
        Ok(vec![window])
    }
}

/// A tensor with a window replaced. Operands: the tensor, the new contents of the window, then a scalar
/// `i32` for each axis as in [`DynamicSlice`].
pub(super) fn infer_dynamic_update(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [operand, update, starts @ ..] = operands else {
        return Err(count(2, operands.len()));
    };
    arity::same_dtype(operand, update)?;
    check_window(operand, update)?;
    check_starts(operand, starts)?;
    Ok(vec![operand.clone()])
}

/// The operands one after the other along an axis.
pub(super) fn infer_concatenate(
    axis: usize,
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let Some(first) = operands.first() else {
        return Err(count(1, 0));
    };
    arity::check_axis(axis, first)?;
    let mut total = Extent::from(0);
    for operand in operands {
        arity::same_dtype(first, operand)?;
        let same = |(at, (a, b)): (usize, (&Dim, &Dim))| at == axis || a == b;
        let pairs = first.shape.dims().iter().zip(operand.shape.dims());
        if operand.shape.rank() != first.shape.rank() || !pairs.enumerate().all(same) {
            let shapes = (first.shape.clone(), operand.shape.clone());
            return Err(InferError::Shapes(shapes.0, shapes.1));
        }
        let size = operand.shape.dims().get(axis).and_then(Dim::extent);
        let sum = size.and_then(|size| total.plus(&size));
        total = sum.ok_or_else(|| InferError::UnknownShape(operand.shape.clone()))?;
    }
    let total = Dim::from_extent(total);
    let total = total.ok_or_else(|| InferError::UnknownShape(first.shape.clone()))?;
    let dims = first.shape.dims().iter().enumerate();
    let dims = dims.map(|(at, dim)| match at == axis {
        true => total.clone(),
        false => dim.clone(),
    });
    Ok(vec![TensorType::new(
        first.dtype,
        Shape::new(dims.collect()),
    )])
}

fn check_window(operand: &TensorType, window: &TensorType) -> Result<(), InferError> {
    let (expected, found) = (operand.shape.rank(), window.shape.rank());
    if expected != found {
        return Err(InferError::AxisCount { expected, found });
    }
    let pairs = operand.shape.dims().iter().zip(window.shape.dims());
    for (axis, (size, part)) in pairs.enumerate() {
        let fits = match (part.extent(), size.extent()) {
            (Some(part), Some(size)) => is_at_most(&part, &size),
            _ => false,
        };
        if !fits {
            let size = size.clone();
            return Err(InferError::Bounds { axis, size });
        }
    }
    Ok(())
}

fn check_starts(operand: &TensorType, starts: &[TensorType]) -> Result<(), InferError> {
    if starts.len() != operand.shape.rank() {
        return Err(count(operand.shape.rank(), starts.len()));
    }
    let expected = TensorType::new(DType::I32, []);
    match starts.iter().find(|start| **start != expected) {
        Some(start) => Err(InferError::RegionTypes(expected, start.clone())),
        None => Ok(()),
    }
}

const fn count(expected: usize, found: usize) -> InferError {
    InferError::OperandCount { expected, found }
}

impl<'a> Family<'a> for &'a Slice {
    fn name(self) -> &'static str {
        "slice"
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
            alias: Alias::View,
            cost: Cost::Movement,
            structure: Structure::Slice(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("start", &self.start)?;
        text.list("limit", &self.limit)?;
        text.list("stride", &self.stride)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("slice") {
            return Ok(None);
        }
        text.operands()?;
        done(Op::Slice(Slice {
            start: text.extents("start")?,
            limit: text.extents("limit")?,
            stride: text.list("stride")?,
        }))
    }
}

impl<'a> Family<'a> for &'a DynamicSlice {
    fn name(self) -> &'static str {
        "dynamic_slice"
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
            structure: Structure::Window(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " sizes {}", self.sizes)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("dynamic_slice") {
            return Ok(None);
        }
        text.operands()?;
        let sizes = text.dims("sizes")?;
        done(Op::DynamicSlice(DynamicSlice { sizes }))
    }
}

/// The operation [`Op::DynamicUpdateSlice`].
#[derive(Clone, Copy)]
pub(super) struct DynamicUpdate;

impl<'a> Family<'a> for DynamicUpdate {
    fn name(self) -> &'static str {
        "dynamic_update_slice"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_dynamic_update(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::InPlace(Update::Window),
            cost: Cost::Movement,
            structure: Structure::Update,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        text.plain("dynamic_update_slice", Op::DynamicUpdateSlice)
    }
}

/// The operation [`Op::Concatenate`].
#[derive(Clone, Copy)]
pub(super) struct Concatenate(pub(super) usize);

impl<'a> Family<'a> for Concatenate {
    fn name(self) -> &'static str {
        "concatenate"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_concatenate(self.0, operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost: Cost::Movement,
            structure: Structure::Concatenate(self.0),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " axis {}", self.0)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("concatenate") {
            return Ok(None);
        }
        text.operands()?;
        let axis = text.number("axis")?;
        done(Op::Concatenate(axis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_counts_its_steps() {
        let op = Slice {
            start: [1, 0].map(Extent::from).into(),
            limit: [6, 3].map(Extent::from).into(),
            stride: vec![2, 1],
        };
        let operand = TensorType::new(DType::U8, [7, 3]);
        let result = TensorType::new(DType::U8, [3, 3]);
        assert_eq!(op.infer(&[operand]), Ok(vec![result]));
        let short = TensorType::new(DType::U8, [5, 3]);
        let size = Dim::Static(5);
        let error = InferError::Bounds { axis: 0, size };
        assert_eq!(op.infer(&[short]), Err(error));
    }

    #[test]
    fn sizes_with_names_are_computed() {
        let named = |dim: &str| {
            let dim = Dim::Dynamic(dim.parse().unwrap());
            TensorType::new(DType::F32, Shape::new(vec![dim]))
        };
        let op = Slice {
            start: vec![Extent::from(1)],
            limit: vec![Extent::named("B")],
            stride: vec![2],
        };
        assert_eq!(op.infer(&[named("B")]), Ok(vec![named("B/2")]));
        assert!(op.infer(&[named("B - 1")]).is_err());
        let joined = infer_concatenate(0, &[named("A"), named("B")]);
        assert_eq!(joined, Ok(vec![named("A + B")]));
    }

    #[test]
    fn concatenation_adds_sizes() {
        let of = |sizes: [usize; 2]| TensorType::new(DType::F32, sizes);
        assert_eq!(
            infer_concatenate(1, &[of([2, 3]), of([2, 0])]),
            Ok(vec![of([2, 3])])
        );
        assert!(infer_concatenate(0, &[of([2, 3]), of([2, 1])]).is_err());
    }
}
