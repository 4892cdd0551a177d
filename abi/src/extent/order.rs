//! Which of two extents is larger.

use super::{Extent, Factor, Factors, Term, common_factor};
use std::collections::BTreeMap;

impl Extent {
    /// Whether it is no negative number whatever the sizes are, as far as its form tells.
    pub fn is_never_negative(&self) -> bool {
        let never_negative = |factor: &Factor| match factor {
            Factor::Name(_) => true,
            Factor::Quotient(dividend, _) => dividend.is_never_negative(),
        };
        let mut terms = self.terms.iter();
        terms.all(|term| term.coefficient > 0 && term.factors.iter().all(never_negative))
    }

    /// What is subtracted, and what it is subtracted from.
    pub(crate) fn by_sign(&self) -> (Self, Self) {
        let side = |sign: i128| {
            let terms = self.terms.iter();
            let terms = terms.map(|term| (term.factors.clone(), (sign * term.coefficient).max(0)));
            Self::from_terms(terms)
        };
        (side(-1), side(1))
    }

    /// A number that leaves the same when it is divided, in which the number that stands alone is as near to 0 as it can
    /// be; `None` on overflow.
    pub(crate) fn nearest_to_multiple(&self, divisor: i128) -> Option<Self> {
        let mut terms = self.terms.iter();
        let alone = terms.find(|term| term.factors.is_empty());
        let alone = alone.map_or(0, |term| term.coefficient);
        let rest = alone.rem_euclid(divisor);
        let nearest = if rest > divisor / 2 {
            rest - divisor
        } else {
            rest
        };
        self.plus(&Self::constant(nearest.checked_sub(alone)?))
    }

    /// A number that is not negative exactly if this is not, without the division if there is one that nothing is
    /// multiplied with.
    pub(crate) fn undivided(&self) -> Option<Self> {
        let quotients = self.terms.iter().flat_map(|term| &term.factors);
        let quotients = quotients.filter(|factor| matches!(factor, Factor::Quotient(..)));
        if quotients.count() != 1 {
            return None;
        }
        let single = |term: &&Term| matches!(term.factors.as_slice(), [Factor::Quotient(..)]);
        let term = self.terms.iter().find(single)?;
        let [Factor::Quotient(dividend, divisor)] = term.factors.as_slice() else {
            return None;
        };
        let quotient = Self::from_terms([(term.factors.clone(), term.coefficient)]);
        let rest = self.minus(&quotient)?.times(&Self::constant(*divisor))?;
        match term.coefficient {
            1 => rest.plus(dividend),
            -1 => rest.plus(&Self::constant(divisor - 1))?.minus(dividend),
            _ => None,
        }
    }

    /// The names that are a factor of all that is added up, and what is left without them.
    pub(crate) fn common_names(&self) -> (Vec<&str>, Self) {
        let mut rest = self.clone();
        let mut common = Vec::new();
        let factors = self.terms.first().map(|term| term.factors.as_slice());
        for factor in factors.unwrap_or_default() {
            let Factor::Name(name) = factor else {
                continue;
            };
            let divided = rest.exactly_over(&Self::named(name));
            if let Some(divided) = divided {
                common.push(name.as_str());
                rest = divided;
            }
        }
        (common, rest)
    }

    /// A number and what it is divided by, if this is 0 where nothing remains and negative where something
    /// does.
    pub(crate) fn as_remainder(&self) -> Option<(Self, i128)> {
        self.terms.iter().find_map(|term| {
            let [Factor::Quotient(dividend, divisor)] = term.factors.as_slice() else {
                return None;
            };
            if term.coefficient < 1 || term.coefficient % divisor != 0 {
                return None;
            }
            let whole = Self::from_terms([(term.factors.clone(), term.coefficient)]);
            let times = Self::constant(term.coefficient / divisor);
            let rest = whole.minus(&dividend.times(&times)?)?;
            (rest == *self).then(|| (dividend.clone(), *divisor))
        })
    }

    /// Two numbers of which the first is at most the second exactly if this is not negative, with nothing in
    /// them that is not needed to say so; `None` if a coefficient overflows.
    pub(crate) fn simplest_bounds(&self) -> Option<(Self, Self)> {
        let (named, alone): (Vec<_>, Vec<_>) = (self.terms.iter()).partition(Term::is_named);
        let alone = alone.first().map_or(0, |term| term.coefficient);
        if let [term] = named.as_slice()
            && let [factor] = term.factors.as_slice()
        {
            return factor.bounds(term.coefficient, alone);
        }
        let common = common_factor(named.iter().copied());
        if common < 2 {
            return Some(self.by_sign());
        }
        let terms = named.iter();
        let terms = terms.map(|term| (term.factors.clone(), term.coefficient / common));
        let alone = (Vec::new(), alone.div_euclid(common));
        Some(Self::from_terms(terms.chain([alone])).by_sign())
    }

    /// A number that is not smaller than any of these, where none is negative: for each product of sizes, the
    /// most that one of them has of it. Dividends count too.
    pub fn bound<'e>(extents: impl IntoIterator<Item = &'e Self>) -> Self {
        let mut most = BTreeMap::new();
        for extent in extents {
            extent.raise(&mut most);
        }
        Self::from_terms(most)
    }

    fn raise(&self, most: &mut BTreeMap<Factors, i128>) {
        // What is rounded down has no negative parts, so that the sign of a term is that of its coefficient.
        for term in self.terms.iter().filter(|term| term.coefficient > 0) {
            let place = most.entry(term.factors.clone()).or_default();
            *place = term.coefficient.max(*place);
        }
        for factor in self.terms.iter().flat_map(|term| &term.factors) {
            if let Factor::Quotient(dividend, _) = factor {
                dividend.raise(most);
            }
        }
    }
}

impl Term {
    const fn is_named(self: &&Self) -> bool {
        !self.factors.is_empty()
    }
}

impl Factor {
    /// The simplest numbers of which the first is at most the second if `coefficient * self + alone` is not
    /// negative.
    fn bounds(&self, coefficient: i128, alone: i128) -> Option<(Extent, Extent)> {
        let is_least = coefficient > 0;
        let bound = match is_least {
            true => alone.checked_neg()?.checked_add(coefficient - 1)?,
            false => alone,
        };
        let bound = bound.div_euclid(coefficient.checked_abs()?);
        match (self, is_least) {
            (Self::Name(name), true) => Some((Extent::constant(bound), Extent::named(name))),
            (Self::Name(name), false) => Some((Extent::named(name), Extent::constant(bound))),
            (Self::Quotient(dividend, divisor), true) => {
                let least = bound.checked_mul(*divisor)?;
                dividend.minus(&Extent::constant(least))?.simplest_bounds()
            }
            (Self::Quotient(dividend, divisor), false) => {
                let most = bound.checked_mul(*divisor)?.checked_add(divisor - 1)?;
                Extent::constant(most).minus(dividend)?.simplest_bounds()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Extent {
        text.parse().expect("an extent")
    }

    #[test]
    fn a_bound_is_reached_by_none() {
        let extents = ["4*A*B - A", "2*A + 7", "3*A - 9", "8*((A + 5)/2)"].map(read);
        let bound = Extent::bound(&extents);
        assert_eq!(bound, read("4*A*B + 8*((A + 1)/2) + 16 + 3*A"));
        for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
            let value = |name: &str| Some(if name == "A" { a } else { b });
            let bound = bound.evaluate(&value).unwrap();
            assert!((extents.iter()).all(|one| one.evaluate(&value).unwrap() <= bound));
        }
    }
}
