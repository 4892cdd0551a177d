use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{Dim, Requirement, Shape, TensorType};
use std::fmt;

/// The same numbers repeated along new or longer axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Broadcast {
    /// The shape of the result.
    pub shape: Shape,
    /// For each axis of the operand, the axis of the result; rising. The sizes are equal, or the
    /// operand's is 1.
    pub axes: Vec<usize>,
}

impl Broadcast {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        let result = TensorType::new(operand.dtype, self.shape.clone());
        if self.axes.len() != operand.shape.rank() {
            return Err(InferError::AxisCount {
                expected: operand.shape.rank(),
                found: self.axes.len(),
            });
        }
        arity::check_axes(&self.axes, &result)?;
        let fits =
            |(dim, axis): (&Dim, &usize)| dim.is_one() || self.shape.dims().get(*axis) == Some(dim);
        let rising = self.axes.is_sorted();
        if rising && operand.shape.dims().iter().zip(&self.axes).all(fits) {
            Ok(vec![result])
        } else {
            let (from, to) = (operand.shape.clone(), self.shape.clone());
            Err(InferError::Broadcast(from, to))
        }
    }
}

/// The same numbers with the axes in another order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transpose {
    /// For each axis of the result, the axis of the operand.
    pub permutation: Vec<usize>,
}

impl Transpose {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        if self.permutation.len() != operand.shape.rank() {
            return Err(InferError::AxisCount {
                expected: operand.shape.rank(),
                found: self.permutation.len(),
            });
        }
        arity::check_axes(&self.permutation, operand)?;
        let dims = self.permutation.iter();
        let dims = dims.filter_map(|axis| operand.shape.dims().get(*axis).cloned());
        Ok(vec![TensorType::new(
            operand.dtype,
            Shape::new(dims.collect()),
        )])
    }
}

pub(super) fn infer_reshape(
    shape: &Shape,
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let [operand] = arity::exactly(operands)?;
    let counts = [shape, &operand.shape].map(Shape::element_count);
    let [Some(count), Some(operand_count)] = counts else {
        return Err(InferError::UnknownShape(shape.clone()));
    };
    if Requirement::equal(&count, &operand_count).is_none() {
        let (from, to) = (operand.shape.clone(), shape.clone());
        return Err(InferError::Reshape(from, to));
    }
    Ok(vec![TensorType::new(operand.dtype, shape.clone())])
}

pub(super) fn infer_reverse(
    axes: &[usize],
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let [operand] = arity::exactly(operands)?;
    arity::check_axes(axes, operand)?;
    Ok(vec![operand.clone()])
}

/// The operation [`Op::Reshape`].
#[derive(Clone, Copy)]
pub(super) struct Reshape<'a>(pub(super) &'a Shape);

/// The operation [`Op::Reverse`].
#[derive(Clone, Copy)]
pub(super) struct Reverse<'a>(pub(super) &'a [usize]);

impl<'a> Family<'a> for &'a Broadcast {
    fn name(self) -> &'static str {
        "broadcast"
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
            structure: Structure::Broadcast(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("axes", &self.axes)?;
        text.shape(&self.shape)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("broadcast") {
            return Ok(None);
        }
        text.operands()?;
        let axes = text.list("axes")?;
        let shape = text.shape()?;
        done(Op::Broadcast(Broadcast { shape, axes }))
    }
}

impl<'a> Family<'a> for Reshape<'a> {
    fn name(self) -> &'static str {
        "reshape"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_reshape(self.0, operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::View,
            cost: Cost::View,
            structure: Structure::Reshape(self.0),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.shape(self.0)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("reshape") {
            return Ok(None);
        }
        text.operands()?;
        let shape = text.shape()?;
        done(Op::Reshape(shape))
    }
}

impl<'a> Family<'a> for &'a Transpose {
    fn name(self) -> &'static str {
        "transpose"
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
            structure: Structure::Transpose(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("permutation", &self.permutation)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("transpose") {
            return Ok(None);
        }
        text.operands()?;
        let permutation = text.list("permutation")?;
        done(Op::Transpose(Transpose { permutation }))
    }
}

impl<'a> Family<'a> for Reverse<'a> {
    fn name(self) -> &'static str {
        "reverse"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_reverse(self.0, operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost: Cost::Movement,
            structure: Structure::Reverse(self.0),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("axes", self.0)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("reverse") {
            return Ok(None);
        }
        text.operands()?;
        let axes = text.list("axes")?;
        done(Op::Reverse(axes))
    }
}

/// How many elements a tensor of this shape has, which is known while building.
pub(super) fn element_count(shape: &Shape) -> Result<usize, InferError> {
    let count = shape.element_count().and_then(|count| count.known());
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| InferError::UnknownShape(shape.clone()))
}

/// Whether a machine could address a tensor of this type, as far as its sizes are known.
pub fn is_addressable(ty: &TensorType) -> bool {
    let known = ty.shape.dims().iter().filter(|dim| dim.known().is_some());
    let known = Shape::new(known.cloned().collect());
    byte_size(&TensorType::new(ty.dtype, known)).is_some()
}

/// The size of a tensor in bytes; `None` if it is not known or no machine could address it.
pub fn byte_size(ty: &TensorType) -> Option<usize> {
    let bytes = element_count(&ty.shape)
        .ok()?
        .checked_mul(ty.dtype.size())?;
    isize::try_from(bytes).is_ok().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_abi::DType;

    fn f32(shape: impl Into<Shape>) -> TensorType {
        TensorType::new(DType::F32, shape)
    }

    #[test]
    fn broadcast_repeats_axes_of_one() {
        let op = Broadcast {
            shape: Shape::from([2, 3, 4]),
            axes: vec![1, 2],
        };
        assert_eq!(op.infer(&[f32([1, 4])]), Ok(vec![f32([2, 3, 4])]));
        let error = InferError::Broadcast(Shape::from([2, 4]), op.shape.clone());
        assert_eq!(op.infer(&[f32([2, 4])]), Err(error));
    }

    #[test]
    fn transpose_reorders_axes() {
        let op = Transpose {
            permutation: vec![2, 0, 1],
        };
        assert_eq!(op.infer(&[f32([2, 3, 4])]), Ok(vec![f32([4, 2, 3])]));
        let twice = Transpose {
            permutation: vec![0, 0],
        };
        assert_eq!(
            twice.infer(&[f32([2, 3])]),
            Err(InferError::RepeatedAxis(0))
        );
    }

    #[test]
    fn reshape_keeps_the_number_of_elements() {
        assert_eq!(
            infer_reshape(&Shape::from([6]), &[f32([2, 3])]),
            Ok(vec![f32([6])])
        );
        assert!(infer_reshape(&Shape::from([5]), &[f32([2, 3])]).is_err());
        assert_eq!(
            infer_reshape(&Shape::from([0]), &[f32([usize::MAX, 0, 3])]),
            Ok(vec![f32([0])])
        );
    }

    #[test]
    fn reshape_counts_with_names() {
        let named = |dims: [&str; 2]| {
            let dims = dims.map(|dim| Dim::Dynamic(dim.parse().unwrap()));
            Shape::new(dims.into())
        };
        let operand = f32(named(["A", "2*B + 2"]));
        assert!(infer_reshape(&named(["B + 1", "2*A"]), std::slice::from_ref(&operand)).is_ok());
        assert!(infer_reshape(&named(["A", "2*B"]), &[operand]).is_err());
    }
}
