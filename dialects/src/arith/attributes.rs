//! The attributes of `arith` that are numbers with names.

use melior::{
    Context,
    ir::{Attribute, attribute::IntegerAttribute, r#type::IntegerType},
};

/// The relation that a comparison of integers tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i64)]
pub enum IntegerPredicate {
    /// Equal.
    Equal = 0,
    /// Not equal.
    NotEqual = 1,
    /// Less, as signed integers.
    SignedLess = 2,
    /// Less or equal, as signed integers.
    SignedLessOrEqual = 3,
    /// Greater, as signed integers.
    SignedGreater = 4,
    /// Greater or equal, as signed integers.
    SignedGreaterOrEqual = 5,
    /// Less, as unsigned integers.
    UnsignedLess = 6,
    /// Less or equal, as unsigned integers.
    UnsignedLessOrEqual = 7,
    /// Greater, as unsigned integers.
    UnsignedGreater = 8,
    /// Greater or equal, as unsigned integers.
    UnsignedGreaterOrEqual = 9,
}

/// The relation that a comparison of floating-point numbers tests.
///
/// Ordered ones do not hold if an operand is NaN, unordered ones do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i64)]
pub enum FloatPredicate {
    /// Never.
    AlwaysFalse = 0,
    /// Equal, ordered.
    OrderedEqual = 1,
    /// Greater, ordered.
    OrderedGreater = 2,
    /// Greater or equal, ordered.
    OrderedGreaterOrEqual = 3,
    /// Less, ordered.
    OrderedLess = 4,
    /// Less or equal, ordered.
    OrderedLessOrEqual = 5,
    /// Not equal, ordered.
    OrderedNotEqual = 6,
    /// Neither is NaN.
    Ordered = 7,
    /// Equal, unordered.
    UnorderedEqual = 8,
    /// Greater, unordered.
    UnorderedGreater = 9,
    /// Greater or equal, unordered.
    UnorderedGreaterOrEqual = 10,
    /// Less, unordered.
    UnorderedLess = 11,
    /// Less or equal, unordered.
    UnorderedLessOrEqual = 12,
    /// Not equal, unordered.
    UnorderedNotEqual = 13,
    /// One is NaN.
    Unordered = 14,
    /// Always.
    AlwaysTrue = 15,
}

/// The attribute `predicate` of `arith.cmpi`.
pub fn integer_predicate(context: &Context, predicate: IntegerPredicate) -> Attribute<'_> {
    number(context, predicate as i64)
}

/// The attribute `predicate` of `arith.cmpf`.
pub fn float_predicate(context: &Context, predicate: FloatPredicate) -> Attribute<'_> {
    number(context, predicate as i64)
}

fn number(context: &Context, number: i64) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, 64).into(), number).into()
}
