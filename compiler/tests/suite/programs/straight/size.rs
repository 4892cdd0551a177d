use std::fmt::{Display, Formatter, Result};

/// A size along an axis: a polynomial of two sizes that are known at the call only, or one that follows from them in
/// another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Sum {
        n: usize,
        m: usize,
        product: usize,
        one: isize,
    },
    /// What is left of so many elements, from a place on in steps.
    Steps {
        of: [usize; 2],
        start: usize,
        step: usize,
    },
}

impl Size {
    pub(super) const ONE: Self = Self::known(1);

    pub(super) const N: Self = Self::Sum {
        n: 1,
        m: 0,
        product: 0,
        one: 0,
    };

    pub(super) const M: Self = Self::Sum {
        n: 0,
        m: 1,
        product: 0,
        one: 0,
    };

    pub(super) const fn known(size: usize) -> Self {
        Self::Sum {
            n: 0,
            m: 0,
            product: 0,
            one: size as isize,
        }
    }

    /// The size if it is known while building.
    pub(super) const fn constant(self) -> Option<usize> {
        match self {
            Self::Sum {
                n: 0,
                m: 0,
                product: 0,
                one,
            } => Some(one as usize),
            _ => None,
        }
    }

    /// Whether it is a number or a name.
    pub(super) fn has_name(self) -> bool {
        self.constant().is_some() || self == Self::N || self == Self::M
    }

    /// The size for values of both names.
    pub(super) fn at(self, [first, second]: [usize; 2]) -> Option<usize> {
        match self {
            Self::Sum { n, m, product, one } => {
                let sum = n * first + m * second + product * first * second;
                usize::try_from(sum as isize + one).ok()
            }
            Self::Steps {
                of: [n, m],
                start,
                step,
            } => {
                let rest = (n * first + m * second).checked_sub(start)?;
                Some(rest.div_ceil(step))
            }
        }
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let (Self::Sum { n, m, product, one }, Self::Sum { .. }) = (self, other) else {
            return None;
        };
        let [other_n, other_m, other_product, other_one] = other.parts()?;
        Some(Self::Sum {
            n: n + other_n as usize,
            m: m + other_m as usize,
            product: product + other_product as usize,
            one: one + other_one,
        })
    }

    pub(super) fn less(self, by: usize) -> Option<Self> {
        match self {
            Self::Sum { n, m, product, one } => Some(Self::Sum {
                n,
                m,
                product,
                one: one - by as isize,
            }),
            Self::Steps { .. } => None,
        }
    }

    /// The product, if no power of a name is in it.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        let ([n, m, product, one], [a, b, both, number]) = (self.parts()?, other.parts()?);
        let powers = [n * a, m * b, product * (a + b + both), both * (n + m)];
        if powers != [0; 4] {
            return None;
        }
        Some(Self::Sum {
            n: usize::try_from(n * number + one * a).ok()?,
            m: usize::try_from(m * number + one * b).ok()?,
            product: usize::try_from(product * number + one * both + n * b + m * a).ok()?,
            one: one * number,
        })
    }

    fn parts(self) -> Option<[isize; 4]> {
        match self {
            Self::Sum { n, m, product, one } => {
                Some([n as isize, m as isize, product as isize, one])
            }
            Self::Steps { .. } => None,
        }
    }
}

/// As a dimension in the type of a parameter or result.
impl Display for Size {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match (self.constant(), *self) {
            (Some(size), _) => write!(formatter, "{size}"),
            (None, Self::N) => formatter.write_str("N"),
            (None, Self::M) => formatter.write_str("M"),
            _ => formatter.write_str("_"),
        }
    }
}
