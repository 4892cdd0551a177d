use super::{InferError, arity};
use iree_abi::{DType, Dim, Shape, TensorType};

/// Every `stride`th element from `start` to before `limit`, along each axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// Where it starts, for each axis.
    pub start: Vec<usize>,
    /// Before which it ends, for each axis.
    pub limit: Vec<usize>,
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
        for (axis, ((&start, &limit), &stride)) in bounds.enumerate() {
            let size = arity::known_size(operand, axis)?;
            if start > limit || limit > size || stride == 0 {
                return Err(InferError::Bounds { axis, size });
            }
            dims.push(Dim::Static((limit - start).div_ceil(stride)));
        }
        Ok(vec![TensorType::new(operand.dtype, Shape::new(dims))])
    }
}

/// A window of fixed sizes. Operands: the tensor, then a scalar `i32` for each axis, where the window
/// starts; one that does not fit is moved until it does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynamicSlice {
    /// The sizes of the window.
    pub sizes: Vec<usize>,
}

impl DynamicSlice {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let Some((operand, starts)) = operands.split_first() else {
            return Err(count(1, 0));
        };
        let window = TensorType::new(operand.dtype, self.sizes.as_slice());
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
    let mut total = 0_usize;
    for operand in operands {
        arity::same_dtype(first, operand)?;
        let same = |(at, (a, b)): (usize, (&Dim, &Dim))| at == axis || a == b;
        let pairs = first.shape.dims().iter().zip(operand.shape.dims());
        if operand.shape.rank() != first.shape.rank() || !pairs.enumerate().all(same) {
            let shapes = (first.shape.clone(), operand.shape.clone());
            return Err(InferError::Shapes(shapes.0, shapes.1));
        }
        total = total.saturating_add(arity::known_size(operand, axis)?);
    }
    let dims = first.shape.dims().iter().enumerate();
    let dims = dims.map(|(at, dim)| match at == axis {
        true => Dim::Static(total),
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
    for axis in 0..expected {
        let size = arity::known_size(operand, axis)?;
        if arity::known_size(window, axis)? > size {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_counts_its_steps() {
        let op = Slice {
            start: vec![1, 0],
            limit: vec![6, 3],
            stride: vec![2, 1],
        };
        let operand = TensorType::new(DType::U8, [7, 3]);
        let result = TensorType::new(DType::U8, [3, 3]);
        assert_eq!(op.infer(&[operand]), Ok(vec![result]));
        let short = TensorType::new(DType::U8, [5, 3]);
        let error = InferError::Bounds { axis: 0, size: 5 };
        assert_eq!(op.infer(&[short]), Err(error));
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
