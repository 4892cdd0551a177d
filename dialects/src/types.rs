//! Types, built with checks.

use melior::{
    Context,
    ir::{Location, Type, TypeLike, r#type::FunctionType},
};

use crate::{Diagnostics, Error, raw};

/// Reads a type from its text.
///
/// # Errors
///
/// [`Error::TypeSyntax`] if it is malformed.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Error> {
    let (r#type, diagnostics) = raw::capture(context.to_raw(), || Type::parse(context, text));

    r#type.ok_or_else(|| Error::TypeSyntax {
        text: text.into(),
        diagnostics,
    })
}

/// The type of tensors of a shape, with `None` for a dimension known only at run time.
///
/// # Errors
///
/// [`Error::Type`], at the location, if there are no tensors of the element type or if a dimension
/// is too large.
pub fn tensor<'c>(
    shape: &[Option<u64>],
    element: Type<'c>,
    location: Location<'c>,
) -> Result<Type<'c>, Error> {
    let shape = shape
        .iter()
        .map(|size| size.map_or(Ok(raw::dynamic_size()), i64::try_from))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| Error::Type(Diagnostics::error("a dimension is too large")))?;
    let (r#type, diagnostics) = raw::capture(raw::context(location), || {
        raw::tensor(&shape, element, location)
    });

    r#type.ok_or(Error::Type(diagnostics))
}

/// The type of complex numbers of a floating-point type.
///
/// # Errors
///
/// [`Error::Type`] if the element type is no floating-point type.
pub fn complex(element: Type<'_>) -> Result<Type<'_>, Error> {
    if element.is_float() {
        Ok(raw::complex(element))
    } else {
        Err(Error::Type(Diagnostics::error(
            "complex numbers consist of floating-point numbers",
        )))
    }
}

/// The type of functions from inputs to results.
pub fn function<'c>(context: &'c Context, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
    FunctionType::new(context, inputs, results).into()
}
