//! Attributes of MLIR itself, built and read with checks.

use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, ShapedTypeLike, Type, TypeLike,
        attribute::{DenseElementsAttribute, FlatSymbolRefAttribute, StringAttribute},
        r#type::{DimSize, IntegerType, RankedTensorType},
    },
};

use crate::{Error, raw};

/// Reads an attribute from its text.
///
/// # Errors
///
/// [`Error::AttributeSyntax`] if it is malformed.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>, Error> {
    let (attribute, diagnostics) =
        raw::capture(context.to_raw(), || Attribute::parse(context, text));

    attribute.ok_or_else(|| Error::AttributeSyntax {
        text: text.into(),
        diagnostics,
    })
}

/// The elements of a tensor type of a static shape, from their bytes in row-major order.
///
/// Numbers are in the byte order of this machine; a complex number is its two parts; a boolean is a
/// byte that is zero or not.
///
/// # Errors
///
/// [`Error::Elements`] if the bytes are not the elements of the type.
pub fn dense_elements<'c>(
    r#type: Type<'c>,
    bytes: &[u8],
) -> Result<DenseElementsAttribute<'c>, Error> {
    let error = || Error::Elements {
        r#type: r#type.to_string(),
        bytes: bytes.len(),
    };
    let tensor = static_tensor(r#type).ok_or_else(error)?;
    let bits = element_bits(tensor.element()).ok_or_else(error)?;
    let size = usize::try_from(bits.div_ceil(8)).map_err(|_| error())?;

    if element_count(tensor).and_then(|count| count.checked_mul(size)) != Some(bytes.len()) {
        return Err(error());
    }

    let attribute = if bits == 1 {
        let values = bytes.iter().copied().map(i32::from).collect::<Vec<_>>();
        DenseElementsAttribute::bool_values(r#type, &values)
    } else {
        DenseElementsAttribute::raw_buffer(r#type, bytes)
    };

    if attribute.to_raw().ptr.is_null() {
        Err(error())
    } else {
        Ok(attribute)
    }
}

/// The elements of a tensor type of a static shape, all the same integer or floating-point number.
///
/// # Errors
///
/// [`Error::Splat`] if the element is not one of the type.
pub fn splat<'c>(
    r#type: Type<'c>,
    element: impl Into<Attribute<'c>>,
) -> Result<DenseElementsAttribute<'c>, Error> {
    let element = element.into();
    let fits = static_tensor(r#type).is_some_and(|tensor| tensor.element() == element.r#type());

    if fits && (element.is_integer() || element.is_float()) {
        Ok(DenseElementsAttribute::splat(r#type, element))
    } else {
        Err(Error::Splat {
            r#type: r#type.to_string(),
            element: element.to_string(),
        })
    }
}

/// A dense array of truth values, such as `array<i1: true, false>`.
///
/// # Errors
///
/// As [`parse`].
pub fn bool_array<'c>(context: &'c Context, values: &[bool]) -> Result<Attribute<'c>, Error> {
    let values = values
        .iter()
        .map(bool::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let separator = if values.is_empty() { "" } else { ": " };

    parse(context, &format!("array<i1{separator}{values}>"))
}

/// Pairs of integers as a tensor of type `tensor<Nx2xi64>`: the form of low and high paddings.
///
/// # Errors
///
/// As [`dense_elements`].
pub fn pairs<'c>(
    context: &'c Context,
    pairs: &[[i64; 2]],
) -> Result<DenseElementsAttribute<'c>, Error> {
    let element = IntegerType::new(context, 64).into();
    let r#type = RankedTensorType::new(&[pairs.len() as u64, 2], element, None);
    let bytes = pairs
        .iter()
        .flatten()
        .flat_map(|value| value.to_ne_bytes())
        .collect::<Vec<_>>();

    dense_elements(r#type.into(), &bytes)
}

/// The text of a string attribute.
///
/// melior's own accessor panics if it is empty.
pub fn string(attribute: StringAttribute<'_>) -> String {
    raw::string_attribute(attribute)
}

/// The name of the symbol that an attribute refers to.
///
/// melior's own accessor panics if it is empty.
pub fn symbol(attribute: FlatSymbolRefAttribute<'_>) -> String {
    raw::symbol_attribute(attribute)
}

fn static_tensor(r#type: Type<'_>) -> Option<RankedTensorType<'_>> {
    RankedTensorType::try_from(r#type)
        .ok()
        .filter(ShapedTypeLike::has_static_shape)
}

fn element_count(tensor: RankedTensorType<'_>) -> Option<usize> {
    (0..tensor.rank()).try_fold(1, |count: usize, index| match tensor.dim_size(index) {
        Ok(DimSize::Static(size)) => count.checked_mul(usize::try_from(size).ok()?),
        Ok(DimSize::Dynamic) | Err(_) => None,
    })
}

fn element_bits(element: Type<'_>) -> Option<u32> {
    if let Some(part) = raw::complex_element(element) {
        element_bits(part)?.checked_mul(2)
    } else if let Ok(integer) = IntegerType::try_from(element) {
        Some(integer.width())
    } else if element.is_index() {
        Some(64)
    } else if element.is_float() {
        Some(element.float_width())
    } else {
        None
    }
}
