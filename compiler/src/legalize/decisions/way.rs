use crate::machine::Machine;
use iree_abi::TensorType;

/// How a branch hands on what may be in one buffer.
///
/// IREE keeps tensors that it computes together in one buffer, which a branch then hands on several times. The
/// last time that a branch names a buffer, IREE 3.13 moves it out of its register, even if that is also the
/// register that an argument before takes it from, which then is nothing. The same goes for what says when the
/// buffer is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// No more than one tensor.
    Once,
    /// All are named a second time, in cases of a switch that are never taken: it is there that IREE moves.
    Twice,
    /// Each tensor is in a buffer of its own, for which the machine waits. IREE has no switches with tensors
    /// of sizes that it does not know, and none in C.
    Apart,
}

impl Way {
    /// The way of a branch that hands on tensors of these types.
    pub(crate) fn of<'a>(tensors: impl IntoIterator<Item = &'a TensorType>) -> Self {
        let tensors: Vec<_> = tensors.into_iter().collect();
        match tensors.iter().all(|ty| ty.shape.known().is_some()) {
            _ if tensors.len() < 2 => Self::Once,
            true => Self::Twice,
            false => Self::Apart,
        }
    }

    /// The way of the same branch on a machine.
    /// Defect `switches-are-refused-in-c`.
    pub(crate) fn on(self, machine: Machine) -> Self {
        match self {
            Self::Twice if machine.is_in_c => Self::Apart,
            way => way,
        }
    }
}
