//! Divisions of which nothing remains.

use super::{Extent, Factor, Term, common_factor, gcd};
use std::collections::BTreeSet;

/// A number divided by another, which is positive: of what is rounded down elsewhere nothing remains.
struct Fraction {
    numerator: Extent,
    denominator: i128,
}

impl Extent {
    /// The divisions that must leave nothing for two numbers to be equal, each as what is divided and by what: none if they
    /// always are, `None` if that does not tell.
    pub(crate) fn remainders_between(&self, other: &Self) -> Option<Vec<(Self, i128)>> {
        if self == other {
            return Some(Vec::new());
        }
        let [own, others] = [self, other].map(Self::quotients);
        let [only_own, only_others] = [&own - &others, &others - &own];
        let both = &only_own | &only_others;
        let mut ways = [only_own, only_others, both].into_iter();
        let whole = ways.find(|whole| self.equals_if(other, whole) == Some(true))?;
        let divided = whole.into_iter().filter_map(|factor| match factor {
            Factor::Quotient(dividend, divisor) => Some((dividend, divisor)),
            Factor::Name(_) => None,
        });
        Some(divided.collect())
    }

    /// `self / other` rounded down, where the divisions in `other` leave nothing; `None` if that cannot be written.
    pub fn over_whole(&self, other: &Self) -> Option<Self> {
        let Fraction {
            numerator,
            denominator,
        } = other.if_whole(&other.quotients())?;
        let common = common_factor(&numerator.terms);
        let primitive = numerator.exactly_over(&Self::constant(common))?;
        let times = self.times(&Self::constant(denominator))?;
        times.exactly_over(&primitive)?.over(common)
    }

    fn equals_if(&self, other: &Self, whole: &BTreeSet<Factor>) -> Option<bool> {
        let (one, other) = (self.if_whole(whole)?, other.if_whole(whole)?);
        let [left, right] = [(&one, &other), (&other, &one)]
            .map(|(one, other)| one.numerator.times(&Self::constant(other.denominator)));
        Some(left? == right?)
    }

    /// The divisions in it that are no part of what others divide.
    fn quotients(&self) -> BTreeSet<Factor> {
        let factors = self.terms.iter().flat_map(|term| &term.factors);
        let quotients = factors.filter(|factor| matches!(factor, Factor::Quotient(..)));
        quotients.cloned().collect()
    }

    /// What it is where these divisions leave nothing.
    fn if_whole(&self, whole: &BTreeSet<Factor>) -> Option<Fraction> {
        let mut sum = Fraction {
            numerator: Self::constant(0),
            denominator: 1,
        };
        for term in &self.terms {
            sum = sum.plus(&term.if_whole(whole)?)?;
        }
        Some(sum)
    }
}

impl Term {
    fn if_whole(&self, whole: &BTreeSet<Factor>) -> Option<Fraction> {
        let mut product = Fraction {
            numerator: Extent::constant(self.coefficient),
            denominator: 1,
        };
        for factor in &self.factors {
            let single = || Extent::from_terms([(vec![factor.clone()], 1)]);
            let (dividend, divisor) = match factor {
                Factor::Quotient(dividend, divisor) if whole.contains(factor) => {
                    (dividend.clone(), *divisor)
                }
                _ => (single(), 1),
            };
            product.numerator = product.numerator.times(&dividend)?;
            product.denominator = product.denominator.checked_mul(divisor)?;
        }
        Some(product)
    }
}

impl Fraction {
    fn plus(&self, other: &Self) -> Option<Self> {
        let common = gcd(self.denominator, other.denominator);
        let [own, others] = [other, self].map(|other| other.denominator / common);
        let own = self.numerator.times(&Extent::constant(own))?;
        let other_numerator = other.numerator.times(&Extent::constant(others))?;
        Some(Self {
            numerator: own.plus(&other_numerator)?,
            denominator: others.checked_mul(other.denominator)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Extent {
        text.parse().expect("an extent")
    }

    #[test]
    fn numbers_are_equal_where_divisions_leave_nothing() {
        let of = |one: &str, other: &str| {
            let divisions = read(one).remainders_between(&read(other))?;
            let words = divisions
                .iter()
                .map(|(dividend, divisor)| format!("({dividend})/{divisor}"));
            Some(words.collect::<Vec<_>>().join(", "))
        };
        let divisions = |text: &str| Some(text.to_owned());
        assert_eq!(of("A*B", "B*A"), divisions(""));
        assert_eq!(of("N", "32*(N/32)"), divisions("(N)/32"));
        assert_eq!(of("64*(H/8)*(W/8)", "H*W"), divisions("(H)/8, (W)/8"));
        assert_eq!(of("8*(H/8)*W", "H*W"), divisions("(H)/8"));
        assert_eq!(of("2*((H/2)/2)*(W/2)", "(H/2)*(W/2)"), divisions("(H/2)/2"));
        assert_eq!(of("4*((A + B)/4)", "A + B"), divisions("(A + B)/4"));
        assert_eq!(of("N/2 + (N + 1)/2", "N"), None);
        assert_eq!(of("32*(H/8)", "H"), None);
        assert_eq!(of("A", "B"), None);
    }

    #[test]
    fn numbers_are_divided_as_if_nothing_remained() {
        let of = |one: &str, other: &str| {
            let quotient = read(one).over_whole(&read(other));
            quotient.map(|quotient| quotient.to_string())
        };
        assert_eq!(of("H*W", "64*(H/8)").as_deref(), Some("W/8"));
        assert_eq!(of("H*W", "8*H").as_deref(), Some("W/8"));
        assert_eq!(of("N + 3", "2").as_deref(), Some("(N + 1)/2 + 1"));
        assert_eq!(of("H*W", "K"), None);
        assert_eq!(of("H*W", "0"), None);
    }
}
