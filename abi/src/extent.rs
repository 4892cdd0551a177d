mod order;
mod text;
mod whole;

pub use text::ParseExtentError;

use std::collections::BTreeMap;

/// A whole number computed from sizes that are known only at the call: a polynomial over named sizes
/// and rounded quotients of such polynomials.
///
/// Extents are kept in one canonical form, so that two that are equal for algebraic reasons are equal
/// as values: `A + B` is `B + A`, and `(4*B)/2` is `2*B`.
///
/// # Examples
///
/// ```
/// use iree_abi::Extent;
///
/// let (a, b) = (Extent::named("A"), Extent::named("B"));
/// let sum = a.plus(&b).unwrap();
/// assert_eq!(sum, b.plus(&a).unwrap());
/// assert_eq!(sum.times(&Extent::from(2)).unwrap().to_string(), "2*A + 2*B");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extent {
    /// What is added up, highest degree first; no coefficient is 0.
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Term {
    factors: Factors,
    coefficient: i128,
}

/// What a coefficient is multiplied with, in rising order.
type Factors = Vec<Factor>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Factor {
    Name(String),
    /// A polynomial divided by a number, rounded down.
    Quotient(Extent, i128),
}

impl From<usize> for Extent {
    fn from(size: usize) -> Self {
        Self::constant(size as i128)
    }
}

impl Extent {
    /// A number.
    pub fn constant(value: i128) -> Self {
        Self::from_terms([(Vec::new(), value)])
    }

    /// A size with a name.
    pub fn named(name: impl Into<String>) -> Self {
        Self::from_terms([(vec![Factor::Name(name.into())], 1)])
    }

    fn from_terms(terms: impl IntoIterator<Item = (Factors, i128)>) -> Self {
        let terms = terms.into_iter().filter(|(_, value)| *value != 0);
        let mut terms: Vec<_> = terms
            .map(|(factors, coefficient)| Term {
                factors,
                coefficient,
            })
            .collect();
        terms.sort_by(|a, b| {
            let degree = b.factors.len().cmp(&a.factors.len());
            degree.then_with(|| a.factors.cmp(&b.factors))
        });
        Self { terms }
    }

    /// The number, if it depends on no name.
    pub fn known(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [term] if term.factors.is_empty() => Some(term.coefficient),
            _ => None,
        }
    }

    /// The name, if it is nothing but one.
    pub fn as_name(&self) -> Option<&str> {
        match self.terms.as_slice() {
            [term] if term.coefficient == 1 => match term.factors.as_slice() {
                [Factor::Name(name)] => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Every name in it, in no particular order and perhaps more than once.
    pub fn names(&self) -> Vec<&str> {
        let factors = self.terms.iter().flat_map(|term| &term.factors);
        factors
            .flat_map(|factor| match factor {
                Factor::Name(name) => vec![name.as_str()],
                Factor::Quotient(dividend, _) => dividend.names(),
            })
            .collect()
    }

    /// `self + other`; `None` if a coefficient overflows.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum: BTreeMap<Factors, i128> = BTreeMap::new();
        for term in self.terms.iter().chain(&other.terms) {
            let place = sum.entry(term.factors.clone()).or_default();
            *place = place.checked_add(term.coefficient)?;
        }
        Some(Self::from_terms(sum))
    }

    /// `self - other`; `None` if a coefficient overflows.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::constant(-1))?)
    }

    /// `self * other`; `None` if a coefficient overflows.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product: BTreeMap<Factors, i128> = BTreeMap::new();
        for a in &self.terms {
            for b in &other.terms {
                let mut factors = [a.factors.as_slice(), &b.factors].concat();
                factors.sort();
                let coefficient = a.coefficient.checked_mul(b.coefficient)?;
                let place = product.entry(factors).or_default();
                *place = place.checked_add(coefficient)?;
            }
        }
        Some(Self::from_terms(product))
    }

    /// `self / divisor` rounded down; `None` if the divisor is not positive.
    pub fn over(&self, divisor: i128) -> Option<Self> {
        if divisor < 1 {
            return None;
        }
        let part = |part: fn(i128, i128) -> i128| {
            let terms = self.terms.iter();
            Self::from_terms(
                terms.map(|term| (term.factors.clone(), part(term.coefficient, divisor))),
            )
        };
        let (whole, rest) = (part(i128::div_euclid), part(i128::rem_euclid));
        if rest.known().is_some() {
            // Less than the divisor.
            return Some(whole);
        }
        // A divisor of all but the number that stands alone is one of it too, but for what is rounded down.
        let named = rest.terms.iter().filter(|term| !term.factors.is_empty());
        let common = named.fold(divisor, |common, term| gcd(common, term.coefficient));
        let terms = rest.terms.iter();
        let rest = Self::from_terms(
            terms.map(|term| (term.factors.clone(), term.coefficient.div_euclid(common))),
        );
        let quotient = Factor::Quotient(rest, divisor / common);
        whole.plus(&Self::from_terms([(vec![quotient], 1)]))
    }

    /// `self / divisor`; `None` if something could remain.
    pub fn exactly_over(&self, divisor: &Self) -> Option<Self> {
        let lead = divisor.terms.first()?;
        let (mut rest, mut quotient) = (self.clone(), Self::constant(0));
        while let Some(term) = rest.terms.first() {
            let factors = without(&term.factors, &lead.factors)?;
            if term.coefficient % lead.coefficient != 0 {
                return None;
            }
            let next = Self::from_terms([(factors, term.coefficient / lead.coefficient)]);
            rest = rest.minus(&next.times(divisor)?)?;
            quotient = quotient.plus(&next)?;
        }
        Some(quotient)
    }

    /// How many times a name it is, at least once, and what is added to that; `None` if it is anything else.
    pub(crate) fn as_line(&self, name: &str) -> Option<(i128, Self)> {
        let named = [Factor::Name(name.to_owned())];
        let term = self.terms.iter().find(|term| term.factors == named)?;
        let multiple = Self::named(name).times(&Self::constant(term.coefficient))?;
        let offset = self.minus(&multiple)?;
        let is_line = term.coefficient > 0 && !offset.names().contains(&name);
        is_line.then_some((term.coefficient, offset))
    }

    /// The number for given values of the names; `None` if one has no value, or on overflow.
    pub fn evaluate(&self, value: &impl Fn(&str) -> Option<usize>) -> Option<i128> {
        let mut sum = 0_i128;
        for term in &self.terms {
            let mut product = term.coefficient;
            for factor in &term.factors {
                let factor = match factor {
                    Factor::Name(name) => value(name)? as i128,
                    Factor::Quotient(dividend, divisor) => {
                        dividend.evaluate(value)?.div_euclid(*divisor)
                    }
                };
                product = product.checked_mul(factor)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// Computes the number with other arithmetic: that of the program that is built.
    ///
    /// # Errors
    ///
    /// What the arithmetic returns.
    pub fn fold<A: ExtentArithmetic>(&self, arithmetic: &mut A) -> Result<A::Number, A::Error> {
        let mut sum = None;
        for term in &self.terms {
            let mut product = None;
            for factor in &term.factors {
                let factor = match factor {
                    Factor::Name(name) => arithmetic.name(name)?,
                    Factor::Quotient(dividend, divisor) => {
                        let dividend = dividend.fold(arithmetic)?;
                        let divisor = arithmetic.constant(*divisor)?;
                        arithmetic.quotient(dividend, divisor)?
                    }
                };
                product = Some(match product {
                    Some(product) => arithmetic.product(product, factor)?,
                    None => factor,
                });
            }
            let term = match (product, term.coefficient) {
                (Some(product), 1) => product,
                (Some(product), coefficient) => {
                    let coefficient = arithmetic.constant(coefficient)?;
                    arithmetic.product(product, coefficient)?
                }
                (None, coefficient) => arithmetic.constant(coefficient)?,
            };
            sum = Some(match sum {
                Some(sum) => arithmetic.sum(sum, term)?,
                None => term,
            });
        }
        match sum {
            Some(sum) => Ok(sum),
            None => arithmetic.constant(0),
        }
    }
}

/// What [`Extent::fold`] computes with.
pub trait ExtentArithmetic {
    /// A number.
    type Number;
    /// What can go wrong.
    type Error;

    /// A number that is known.
    ///
    /// # Errors
    ///
    /// Those of the implementation, here and below.
    fn constant(&mut self, value: i128) -> Result<Self::Number, Self::Error>;

    /// The size of this name.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn name(&mut self, name: &str) -> Result<Self::Number, Self::Error>;

    /// `a + b`.
    ///
    /// # Errors
    ///
    /// Those of the implementation.
    fn sum(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Self::Error>;

    /// `a * b`.
    ///
    /// # Errors
    ///
    /// Those of the implementation.
    fn product(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Self::Error>;

    /// `a / b` rounded down, for a positive `b`.
    ///
    /// # Errors
    ///
    /// Those of the implementation.
    fn quotient(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Self::Error>;
}

/// The factors that are left when others are taken out, each once.
fn without(factors: &[Factor], taken: &[Factor]) -> Option<Factors> {
    let mut left = factors.to_vec();
    for factor in taken {
        let place = left.iter().position(|other| other == factor)?;
        left.remove(place);
    }
    Some(left)
}

/// What divides the coefficients of all terms; 0 if there are none.
fn common_factor<'t>(terms: impl IntoIterator<Item = &'t Term>) -> i128 {
    let mut coefficients = terms.into_iter().map(|term| term.coefficient);
    let first = coefficients
        .next()
        .map(|first| first.checked_abs().unwrap_or(1));
    coefficients.fold(first.unwrap_or(0), gcd)
}

/// The greatest number that divides both, of which the first is positive.
const fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a.rem_euclid(b));
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Extent {
        text.parse().expect("an extent")
    }

    #[test]
    fn equal_polynomials_are_equal_values() {
        for (a, b) in [
            ("A + B", "B + A"),
            ("2*B - B - B", "0"),
            ("(A + B)*(A - B)", "A*A - B*B"),
            ("(4*B + 6)/2", "2*B + 3"),
            ("(3*B + 5)/2", "B + 2 + (B + 1)/2"),
            ("(6*B + 4*A + 3)/8", "(3*B + 2*A + 1)/4"),
        ] {
            assert_eq!(read(a), read(b), "{a} and {b}");
        }
        assert_ne!(read("A"), read("B"));
    }

    #[test]
    fn division_is_exact_or_refused() {
        let divide = |a: &str, b: &str| {
            let quotient = read(a).exactly_over(&read(b));
            quotient.map(|quotient| quotient.to_string())
        };
        assert_eq!(divide("6*B", "3").as_deref(), Some("2*B"));
        assert_eq!(divide("A*B + A", "A").as_deref(), Some("B + 1"));
        assert_eq!(divide("A*A - B*B", "A + B").as_deref(), Some("A - B"));
        assert_eq!(divide("6*B", "4"), None);
        assert_eq!(divide("A", "B"), None);
        assert_eq!(divide("A", "0"), None);
    }

    #[test]
    fn values_are_computed_and_checked() {
        let value = |name: &str| (name == "B").then_some(5);
        assert_eq!(read("2*B - 7 + (B + 1)/4").evaluate(&value), Some(4));
        assert_eq!(read("(B - 8)/2").evaluate(&value), Some(-2));
        assert_eq!(read("A").evaluate(&value), None);
        let huge = |_: &str| Some(usize::MAX);
        assert_eq!(read("A*A*A").evaluate(&huge), None);
    }

    #[test]
    fn overflow_is_no_value() {
        let huge = Extent::constant(i128::MAX);
        assert_eq!(huge.plus(&Extent::constant(1)), None);
        assert_eq!(huge.times(&huge), None);
    }
}
