use super::{InferError, arity};
use iree_abi::{DType, TensorType};

pub(super) fn infer(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [mask, on_true, on_false] = arity::exactly(operands)?;
    if mask.dtype != DType::Bool {
        return Err(InferError::DTypes(DType::Bool, mask.dtype));
    }
    arity::same_dtype(on_true, on_false)?;
    for other in [on_false, mask] {
        if other.shape != on_true.shape {
            let shapes = (on_true.shape.clone(), other.shape.clone());
            return Err(InferError::Shapes(shapes.0, shapes.1));
        }
    }
    Ok(vec![on_true.clone()])
}
