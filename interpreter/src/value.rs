use crate::{Bound, Tensor};

/// What a running function computes with: a tensor, and how far it may be from that of another device, if that is asked
/// for.
#[derive(Clone, Debug)]
pub struct Value {
    /// The tensor.
    pub tensor: Tensor,
    /// How far its elements may be off.
    pub bound: Bound,
}

impl Value {
    /// The same tensor, of which nothing is known.
    pub(crate) fn undecided(self) -> Self {
        let bound = Bound::undecided(self.tensor.shape());
        Self { bound, ..self }
    }
}

impl From<Tensor> for Value {
    /// A tensor that is the same on every device.
    fn from(tensor: Tensor) -> Self {
        let bound = Bound::Exact;
        Self { tensor, bound }
    }
}
