//! How much memory values take.

use crate::{Cause, Tensor};
use iree_abi::TensorType;

/// Counts the bytes of the values of running functions, each by itself, also where some share memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    limit: usize,
    used: usize,
}

impl Memory {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, used: 0 }
    }

    /// Refuses a tensor of these sizes before it is made.
    pub(crate) fn check(&self, ty: &TensorType, shape: &[usize]) -> Result<(), Cause> {
        let available = self.limit.saturating_sub(self.used);
        let too_large = || Cause::Memory {
            ty: ty.clone(),
            available,
            limit: self.limit,
        };
        // Axes of 0 count too: an array has none whose other axes are too large.
        let mut sizes = shape.iter().filter(|size| **size > 0);
        let bytes = sizes.try_fold(ty.dtype.size(), |bytes, size| bytes.checked_mul(*size));
        let bytes = bytes.filter(|bytes| isize::try_from(*bytes).is_ok());
        match bytes.ok_or_else(too_large)? {
            _ if shape.contains(&0) => Ok(()),
            bytes if bytes <= available => Ok(()),
            _ => Err(too_large()),
        }
    }

    pub(crate) fn take(&mut self, tensor: &Tensor) {
        self.used = self.used.saturating_add(bytes(tensor));
    }

    pub(crate) fn free(&mut self, tensor: &Tensor) {
        self.used = self.used.saturating_sub(bytes(tensor));
    }
}

fn bytes(tensor: &Tensor) -> usize {
    tensor.len().saturating_mul(tensor.dtype().size())
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_abi::DType;

    #[test]
    fn what_is_too_large_is_refused() {
        let mut memory = Memory::new(1000);
        let fits = |memory: &Memory, shape: &[usize]| {
            memory
                .check(&TensorType::new(DType::F32, shape), shape)
                .is_ok()
        };
        assert!(fits(&memory, &[250]));
        assert!(!fits(&memory, &[251]));
        assert!(fits(&memory, &[0, 1 << 40]));
        assert!(!fits(&memory, &[usize::MAX, 0]));
        assert!(!fits(&memory, &[usize::MAX, 5]));
        let tensor = Tensor::from(1.0_f64);
        memory.take(&tensor);
        assert!(!fits(&memory, &[250]));
        memory.free(&tensor);
        assert!(fits(&memory, &[250]));
    }
}
