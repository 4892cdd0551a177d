//! Types of tensors and complex numbers.

use melior::ir::{Location, Type, TypeLike};
use mlir_sys::{
    mlirAttributeGetNull, mlirComplexTypeGet, mlirComplexTypeGetElementType,
    mlirRankedTensorTypeGetChecked, mlirShapedTypeGetDynamicSize,
};

/// The size that stands for a dimension known only at run time.
pub(crate) fn dynamic_size() -> i64 {
    // SAFETY: the function returns a constant.
    unsafe { mlirShapedTypeGetDynamicSize() }
}

/// The type of complex numbers of an element type, which must be a floating-point type.
pub(crate) fn complex(element: Type<'_>) -> Type<'_> {
    // SAFETY: the element type is alive.
    let raw = unsafe { mlirComplexTypeGet(element.to_raw()) };

    // SAFETY: the context of the element type owns the type.
    unsafe { Type::from_raw(raw) }
}

/// The type of tensors of a shape and an element type, if there is one.
pub(crate) fn tensor<'c>(
    shape: &[i64],
    element: Type<'c>,
    location: Location<'c>,
) -> Option<Type<'c>> {
    // SAFETY: the function returns a constant.
    let no_encoding = unsafe { mlirAttributeGetNull() };
    // SAFETY: the arguments are alive for the whole call, and the length is that of the shape.
    let raw = unsafe {
        mlirRankedTensorTypeGetChecked(
            location.to_raw(),
            shape.len().cast_signed(),
            shape.as_ptr(),
            element.to_raw(),
            no_encoding,
        )
    };

    // SAFETY: a type that is not null is owned by the context.
    (!raw.ptr.is_null()).then(|| unsafe { Type::from_raw(raw) })
}

/// The element type of a complex type.
pub(crate) fn complex_element(r#type: Type<'_>) -> Option<Type<'_>> {
    if !r#type.is_complex() {
        return None;
    }

    // SAFETY: the type is alive and complex.
    let raw = unsafe { mlirComplexTypeGetElementType(r#type.to_raw()) };

    // SAFETY: the context of the type owns the element type.
    Some(unsafe { Type::from_raw(raw) })
}
