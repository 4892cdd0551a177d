//! The name of a place in the source that a module was made from.

/// Names a range of the source. What it stands for is known to whoever made the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanId(u32);

impl SpanId {
    /// The whole program, for what has no better place.
    pub const CALL_SITE: Self = Self(0);

    /// The range with this number; 0 is the [call site](Self::CALL_SITE).
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The number of the range.
    pub const fn index(self) -> u32 {
        self.0
    }
}
