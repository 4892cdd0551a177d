use half::{bf16, f16};
use num_complex::Complex;

/// Types without padding whose values are stored on devices as they are in host memory.
///
/// # Safety
///
/// The type has no padding. Every bit pattern that `is_valid` accepts is a value of it.
pub(crate) unsafe trait Plain: Copy {
    /// Whether the bytes, whose length is a multiple of the type's size, are values of it.
    fn is_valid(_bytes: &[u8]) -> bool {
        true
    }
}

macro_rules! plain {
    ($($ty:ty)*) => {
        // SAFETY: no padding, and every bit pattern is a value.
        $(unsafe impl Plain for $ty {})*
    };
}

plain! { i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex<f32> Complex<f64> }

// SAFETY: one byte, of which 0 and 1 are values.
unsafe impl Plain for bool {
    fn is_valid(bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| *byte <= 1)
    }
}

/// The memory of some values.
pub(crate) fn as_bytes<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: the type has no padding, so every byte is initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The values in some memory; `None` if alignment, length or contents forbid it.
pub(crate) fn from_bytes<T: Plain>(bytes: &[u8]) -> Option<&[T]> {
    let fits = bytes.as_ptr().addr().is_multiple_of(align_of::<T>())
        && bytes.len().is_multiple_of(size_of::<T>())
        && T::is_valid(bytes);
    // SAFETY: alignment, length and contents were just checked, and the lifetime is the same.
    fits.then(|| unsafe {
        std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>())
    })
}
