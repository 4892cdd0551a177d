//! What is built.

/// How many operations a module has, besides its function and the return of that.
pub(crate) const OPERATIONS: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// `arith.addi` of the sum so far and the argument.
    Sums,
    /// A constant, a comparison, a selection, a call and a sum, again and again.
    Mixed,
}

impl Work {
    pub(crate) const ALL: [Self; 2] = [Self::Sums, Self::Mixed];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sums => "sums",
            Self::Mixed => "mixed",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.name() == name)
    }
}
