use melior::{
    Context,
    ir::{
        Attribute, Type, TypeLike,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
            DenseI64ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
        r#type::{FunctionType, IntegerType, RankedTensorType},
    },
};

use crate::{AttributeInfo, Error, Number};

/// A Rust value that an attribute of a dialect holds.
///
/// It is read by `TryFrom<Attribute>`, which checks that the attribute is the right one.
pub trait AttributeValue<'c>: TryFrom<Attribute<'c>> {
    /// The attribute.
    ///
    /// # Errors
    ///
    /// If MLIR refuses it.
    fn to_attribute(&self, context: &'c Context) -> Result<Attribute<'c>, Error>;
}

/// A Rust value that is a type of a dialect.
///
/// It is read by `TryFrom<Type>`, which checks that the type is the right one.
pub trait TypeValue<'c>: TryFrom<Type<'c>> {
    /// The type.
    ///
    /// # Errors
    ///
    /// If MLIR refuses it.
    fn to_type(&self, context: &'c Context) -> Result<Type<'c>, Error>;
}

/// What may be given where an attribute of the type `T` belongs: the attribute, or a Rust value that it holds.
pub trait IntoAttribute<'c, T> {
    /// The attribute, for the place that a definition describes.
    ///
    /// # Errors
    ///
    /// If there is none for the value.
    fn into_attribute(
        self,
        context: &'c Context,
        place: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error>;
}

impl<'c> AttributeValue<'c> for Attribute<'c> {
    fn to_attribute(&self, _context: &'c Context) -> Result<Attribute<'c>, Error> {
        Ok(*self)
    }
}

impl<'c, T: AttributeValue<'c>> IntoAttribute<'c, T> for T {
    fn into_attribute(
        self,
        context: &'c Context,
        _: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error> {
        self.to_attribute(context)
    }
}

/// Attributes stand for themselves.
macro_rules! themselves {
    ($($name:ident),*) => {
        $(impl<'c> IntoAttribute<'c, $name<'c>> for $name<'c> {
            fn into_attribute(self, _: &'c Context, _: &AttributeInfo) -> Result<Attribute<'c>, Error> {
                Ok(self.into())
            }
        })*
    };
}

themselves!(
    ArrayAttribute,
    BoolAttribute,
    DenseElementsAttribute,
    DenseI32ArrayAttribute,
    DenseI64ArrayAttribute,
    DictionaryAttribute,
    FlatSymbolRefAttribute,
    FloatAttribute,
    IntegerAttribute,
    StringAttribute,
    TypeAttribute
);

/// Values of Rust stand for attributes of a type, by an expression.
macro_rules! values {
    ($($attribute:ident: $value:ty => |$self:ident, $context:ident| $expression:expr;)*) => {
        $(impl<'c> IntoAttribute<'c, $attribute<'c>> for $value {
            fn into_attribute(
                self,
                $context: &'c Context,
                _: &AttributeInfo,
            ) -> Result<Attribute<'c>, Error> {
                let $self = self;
                Ok($expression.into())
            }
        })*
    };
}

values! {
    BoolAttribute: bool => |value, context| BoolAttribute::new(context, value);
    StringAttribute: &str => |text, context| StringAttribute::new(context, text);
    StringAttribute: &String => |text, context| StringAttribute::new(context, text);
    StringAttribute: String => |text, context| StringAttribute::new(context, &text);
    FlatSymbolRefAttribute: &str => |name, context| FlatSymbolRefAttribute::new(context, name);
    FlatSymbolRefAttribute: &String => |name, context| FlatSymbolRefAttribute::new(context, name);
    FlatSymbolRefAttribute: String => |name, context| FlatSymbolRefAttribute::new(context, &name);
    TypeAttribute: Type<'c> => |r#type, _context| TypeAttribute::new(r#type);
    TypeAttribute: FunctionType<'c> => |r#type, _context| TypeAttribute::new(r#type.into());
    TypeAttribute: RankedTensorType<'c> => |r#type, _context| TypeAttribute::new(r#type.into());
    DenseI32ArrayAttribute: &[i32] => |values, context| DenseI32ArrayAttribute::new(context, values);
    DenseI32ArrayAttribute: Vec<i32> => |values, context| DenseI32ArrayAttribute::new(context, &values);
    DenseI64ArrayAttribute: &[i64] => |values, context| DenseI64ArrayAttribute::new(context, values);
    DenseI64ArrayAttribute: Vec<i64> => |values, context| DenseI64ArrayAttribute::new(context, &values);
}

/// Arrays of Rust stand for dense arrays.
macro_rules! arrays {
    ($($attribute:ident: $element:ty),*) => {
        $(
            impl<'c, const N: usize> IntoAttribute<'c, $attribute<'c>> for [$element; N] {
                fn into_attribute(self, context: &'c Context, place: &AttributeInfo) -> Result<Attribute<'c>, Error> {
                    self.as_slice().into_attribute(context, place)
                }
            }

            impl<'c, const N: usize> IntoAttribute<'c, $attribute<'c>> for &[$element; N] {
                fn into_attribute(self, context: &'c Context, place: &AttributeInfo) -> Result<Attribute<'c>, Error> {
                    self.as_slice().into_attribute(context, place)
                }
            }
        )*
    };
}

arrays!(DenseI32ArrayAttribute: i32, DenseI64ArrayAttribute: i64);

impl<'c, T: AttributeValue<'c>> IntoAttribute<'c, ArrayAttribute<'c>> for &[T] {
    fn into_attribute(
        self,
        context: &'c Context,
        _: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error> {
        let elements = self.iter().map(|element| element.to_attribute(context));
        let elements = elements.collect::<Result<Vec<_>, _>>()?;
        Ok(ArrayAttribute::new(context, &elements).into())
    }
}

impl<'c, T: AttributeValue<'c>, const N: usize> IntoAttribute<'c, ArrayAttribute<'c>> for &[T; N] {
    fn into_attribute(
        self,
        context: &'c Context,
        place: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error> {
        self.as_slice().into_attribute(context, place)
    }
}

macro_rules! integers {
    ($($name:ident),*) => {
        $(impl<'c> IntoAttribute<'c, IntegerAttribute<'c>> for $name {
            fn into_attribute(
                self,
                context: &'c Context,
                place: &AttributeInfo,
            ) -> Result<Attribute<'c>, Error> {
                integer(context, i128::from(self), place)
            }
        })*
    };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl<'c> IntoAttribute<'c, IntegerAttribute<'c>> for usize {
    fn into_attribute(
        self,
        context: &'c Context,
        place: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error> {
        integer(context, self as i128, place)
    }
}

/// The attribute of an integer, if its place has a type and the integer fits it.
fn integer<'c>(
    context: &'c Context,
    value: i128,
    place: &AttributeInfo,
) -> Result<Attribute<'c>, Error> {
    let error = |reason| Error::Value {
        value: value.to_string(),
        name: place.name,
        reason,
    };
    let signed = |width: u32| -(1_i128 << (width - 1))..1 << (width - 1);
    let unsigned = |width: u32| 0..1_i128 << width;
    let any = |width: u32| signed(width).start..unsigned(width).end;
    let (r#type, range) = match place.number {
        Some(Number::Index) => (Type::index(context), signed(64)),
        Some(Number::Signless(width @ 1..=64)) => {
            (IntegerType::new(context, width).into(), any(width))
        }
        Some(Number::Signed(width @ 1..=64)) => {
            (IntegerType::signed(context, width).into(), signed(width))
        }
        Some(Number::Unsigned(width @ 1..=64)) => (
            IntegerType::unsigned(context, width).into(),
            unsigned(width),
        ),
        _ => return Err(error("its type is open, so give an `IntegerAttribute`")),
    };
    if !range.contains(&value) {
        return Err(error("it is out of range"));
    }
    // The lower 64 bits are the value in either way of reading it.
    Ok(IntegerAttribute::new(r#type, value as i64).into())
}

impl<'c> IntoAttribute<'c, FloatAttribute<'c>> for f64 {
    fn into_attribute(
        self,
        context: &'c Context,
        place: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error> {
        let r#type = match place.number {
            Some(Number::Float(16)) => Type::float16(context),
            Some(Number::Float(32)) => Type::float32(context),
            Some(Number::Float(64)) => Type::float64(context),
            _ => {
                return Err(Error::Value {
                    value: self.to_string(),
                    name: place.name,
                    reason: "its type is open, so give a `FloatAttribute`",
                });
            }
        };
        debug_assert!(r#type.is_float());
        Ok(FloatAttribute::new(context, r#type, self).into())
    }
}

impl<'c> IntoAttribute<'c, FloatAttribute<'c>> for f32 {
    fn into_attribute(
        self,
        context: &'c Context,
        place: &AttributeInfo,
    ) -> Result<Attribute<'c>, Error> {
        f64::from(self).into_attribute(context, place)
    }
}
