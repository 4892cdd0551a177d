//! Maps between indices, as values.

use std::{
    fmt::{self, Display, Formatter, Write as _},
    ops::{Add, Mul, Neg, Sub},
};

use melior::{Context, ir::Attribute};

use crate::{AttributeValue, Error, attributes, raw};

/// What an index is computed by.
///
/// # Examples
///
/// ```
/// use iree_dialects::AffineExpression;
///
/// let (row, column) = (AffineExpression::Dimension(0), AffineExpression::Dimension(1));
/// let index = row * 4 + column.floor_div(2);
/// assert_eq!(index.to_string(), "d0 * 4 + d1 floordiv 2");
/// assert_eq!(index.evaluate(&[2, 5], &[]), Some(10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AffineExpression {
    /// An index that the map gets.
    Dimension(usize),
    /// A size that the map gets.
    Symbol(usize),
    /// A number.
    Constant(i64),
    /// Two expressions combined, of which MLIR takes a constant or symbols on the right only, unless they are added.
    Binary(AffineOperator, Box<(AffineExpression, AffineExpression)>),
}

/// How expressions are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AffineOperator {
    /// The sum.
    Add,
    /// The product.
    Multiply,
    /// The remainder, which is never negative.
    Modulo,
    /// The quotient, rounded down.
    FloorDivide,
    /// The quotient, rounded up.
    CeilDivide,
}

impl AffineOperator {
    /// What stands between the operands.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Multiply => "*",
            Self::Modulo => "mod",
            Self::FloorDivide => "floordiv",
            Self::CeilDivide => "ceildiv",
        }
    }

    fn evaluate(self, lhs: i64, rhs: i64) -> Option<i64> {
        match self {
            Self::Add => lhs.checked_add(rhs),
            Self::Multiply => lhs.checked_mul(rhs),
            // Others than positive divisors have no meaning.
            _ if rhs <= 0 => None,
            Self::Modulo => lhs.checked_rem_euclid(rhs),
            Self::FloorDivide => lhs.checked_div_euclid(rhs),
            Self::CeilDivide => lhs.checked_neg()?.checked_div_euclid(rhs)?.checked_neg(),
        }
    }
}

impl AffineExpression {
    fn binary(operator: AffineOperator, lhs: Self, rhs: impl Into<Self>) -> Self {
        Self::Binary(operator, Box::new((lhs, rhs.into())))
    }

    /// The remainder of a division, which is never negative.
    #[must_use]
    pub fn modulo(self, divisor: impl Into<Self>) -> Self {
        Self::binary(AffineOperator::Modulo, self, divisor)
    }

    /// The quotient, rounded down.
    #[must_use]
    pub fn floor_div(self, divisor: impl Into<Self>) -> Self {
        Self::binary(AffineOperator::FloorDivide, self, divisor)
    }

    /// The quotient, rounded up.
    #[must_use]
    pub fn ceil_div(self, divisor: impl Into<Self>) -> Self {
        Self::binary(AffineOperator::CeilDivide, self, divisor)
    }

    /// The value for indices and sizes, if there are as many as it needs, and if it has one.
    pub fn evaluate(&self, dimensions: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            Self::Dimension(position) => dimensions.get(*position).copied(),
            Self::Symbol(position) => symbols.get(*position).copied(),
            Self::Constant(value) => Some(*value),
            Self::Binary(operator, operands) => {
                let (lhs, rhs) = operands.as_ref();
                let lhs = lhs.evaluate(dimensions, symbols)?;
                operator.evaluate(lhs, rhs.evaluate(dimensions, symbols)?)
            }
        }
    }

    /// The same with expressions instead of dimensions, and with symbols that are counted from another number.
    fn replace(&self, dimensions: &[Self], first_symbol: usize) -> Option<Self> {
        Some(match self {
            Self::Dimension(position) => dimensions.get(*position)?.clone(),
            Self::Symbol(position) => Self::Symbol(position.checked_add(first_symbol)?),
            Self::Constant(value) => Self::Constant(*value),
            Self::Binary(operator, operands) => {
                let (lhs, rhs) = operands.as_ref();
                let lhs = lhs.replace(dimensions, first_symbol)?;
                Self::binary(*operator, lhs, rhs.replace(dimensions, first_symbol)?)
            }
        })
    }

    /// Writes it, in parentheses if it is weaker than what is around it.
    fn write(&self, formatter: &mut Formatter<'_>, is_factor: bool) -> fmt::Result {
        let (operator, operands) = match self {
            Self::Dimension(position) => return write!(formatter, "d{position}"),
            Self::Symbol(position) => return write!(formatter, "s{position}"),
            Self::Constant(value) => return write!(formatter, "{value}"),
            Self::Binary(operator, operands) => (operator, operands),
        };
        let is_sum = *operator == AffineOperator::Add;
        if is_factor && is_sum {
            formatter.write_char('(')?;
        }
        let (lhs, rhs) = operands.as_ref();
        lhs.write(formatter, !is_sum)?;
        write!(formatter, " {} ", operator.as_str())?;
        // All operators of a kind bind to the left.
        if matches!(rhs, Self::Binary(..)) && !is_sum {
            write!(formatter, "({rhs})")?;
        } else {
            rhs.write(formatter, !is_sum)?;
        }
        if is_factor && is_sum {
            formatter.write_char(')')?;
        }
        Ok(())
    }
}

impl From<i64> for AffineExpression {
    fn from(value: i64) -> Self {
        Self::Constant(value)
    }
}

impl<T: Into<AffineExpression>> Add<T> for AffineExpression {
    type Output = Self;

    fn add(self, other: T) -> Self {
        Self::binary(AffineOperator::Add, self, other)
    }
}

impl<T: Into<AffineExpression>> Sub<T> for AffineExpression {
    type Output = Self;

    fn sub(self, other: T) -> Self {
        self + -other.into()
    }
}

impl<T: Into<AffineExpression>> Mul<T> for AffineExpression {
    type Output = Self;

    fn mul(self, other: T) -> Self {
        Self::binary(AffineOperator::Multiply, self, other)
    }
}

impl Neg for AffineExpression {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Constant(value) if value != i64::MIN => Self::Constant(-value),
            other => other * -1,
        }
    }
}

impl Display for AffineExpression {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.write(formatter, false)
    }
}

/// A list of indices that are computed from others, and from sizes.
///
/// Where an attribute stands, [`AttributeValue::to_attribute`] makes it one, in which MLIR has simplified it; where a list stands, a slice of maps
/// does. It is read by `TryFrom<Attribute>`.
///
/// # Examples
///
/// ```
/// use iree_dialects::{AffineExpression::Dimension, AffineMap, AttributeValue};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let transposed = AffineMap::permutation(&[1, 0]);
/// assert_eq!(transposed.to_string(), "(d0, d1) -> (d1, d0)");
/// let sum = AffineMap::new(2, 0, [Dimension(0) * 2 + Dimension(1)]);
/// let both = sum.compose(&transposed)?;
/// assert_eq!(both.evaluate(&[1, 10], &[]), Some(vec![21]));
///
/// let attribute = both.to_attribute(&context)?;
/// assert_eq!(attribute.to_string(), "affine_map<(d0, d1) -> (d1 * 2 + d0)>");
/// assert_eq!(AffineMap::try_from(attribute)?, both);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AffineMap {
    /// How many indices it gets.
    pub dimensions: usize,
    /// How many sizes it gets.
    pub symbols: usize,
    /// What it computes.
    pub results: Vec<AffineExpression>,
}

impl AffineMap {
    /// A map from numbers of indices and sizes.
    pub fn new(
        dimensions: usize,
        symbols: usize,
        results: impl IntoIterator<Item = AffineExpression>,
    ) -> Self {
        Self {
            dimensions,
            symbols,
            results: results.into_iter().collect(),
        }
    }

    /// The map that leaves indices as they are.
    pub fn identity(dimensions: usize) -> Self {
        let results = (0..dimensions).map(AffineExpression::Dimension);
        Self::new(dimensions, 0, results)
    }

    /// The map to the indices in another order.
    pub fn permutation(order: &[usize]) -> Self {
        let results = order.iter().copied().map(AffineExpression::Dimension);
        Self::new(order.len(), 0, results)
    }

    /// The map of what another one computes. Its own symbols come first.
    ///
    /// # Errors
    ///
    /// [`Error::AffineMap`] if the other does not compute as many indices as this gets, or if this uses one that it does not get.
    pub fn compose(&self, other: &Self) -> Result<Self, Error> {
        let error = |reason| Error::AffineMap {
            map: self.to_string(),
            reason,
        };
        if self.dimensions != other.results.len() {
            return Err(error(
                "it is composed with one of another number of results",
            ));
        }
        let identity: Vec<_> = (0..other.dimensions)
            .map(AffineExpression::Dimension)
            .collect();
        let shifted = other.results.iter();
        let shifted = shifted.map(|result| result.replace(&identity, self.symbols));
        let shifted: Option<Vec<_>> = shifted.collect();
        let shifted = shifted.ok_or_else(|| {
            error("it is composed with one that uses an index that it does not get")
        })?;
        let results = self
            .results
            .iter()
            .map(|result| result.replace(&shifted, 0));
        let results: Option<Vec<_>> = results.collect();
        let results = results.ok_or_else(|| error("it uses an index that it does not get"))?;
        Ok(Self::new(
            other.dimensions,
            self.symbols + other.symbols,
            results,
        ))
    }

    /// The values for indices and sizes, if there are as many as it gets, and if all results have one.
    pub fn evaluate(&self, dimensions: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        let fits = dimensions.len() == self.dimensions && symbols.len() == self.symbols;
        let results = self.results.iter().filter(|_| fits);
        let results: Option<Vec<_>> = results
            .map(|result| result.evaluate(dimensions, symbols))
            .collect();
        results.filter(|_| fits)
    }
}

impl Display for AffineMap {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let list = |texts: Vec<String>| texts.join(", ");
        let dimensions = (0..self.dimensions).map(|position| format!("d{position}"));
        let symbols = (0..self.symbols).map(|position| format!("s{position}"));
        let results = self.results.iter().map(ToString::to_string);
        write!(formatter, "({})", list(dimensions.collect()))?;
        if self.symbols > 0 {
            write!(formatter, "[{}]", list(symbols.collect()))?;
        }
        write!(formatter, " -> ({})", list(results.collect()))
    }
}

impl<'c> AttributeValue<'c> for AffineMap {
    fn to_attribute(&self, context: &'c Context) -> Result<Attribute<'c>, Error> {
        attributes::parse(context, &format!("affine_map<{self}>"))
    }
}

impl TryFrom<Attribute<'_>> for AffineMap {
    type Error = Error;

    fn try_from(attribute: Attribute<'_>) -> Result<Self, Error> {
        raw::affine_map(attribute).ok_or_else(|| Error::AffineMap {
            map: attribute.to_string(),
            reason: "it is another attribute",
        })
    }
}
