//! What programs are lowered for.

use std::fmt;

/// What a machine has that decides how a program is lowered. Most have none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Machine {
    /// Products of matrices of `bf16`. Others multiply matrices of `f32`.
    pub multiplies_bf16: bool,
    /// Vector registers that hold no more than 512 bytes in all.
    pub has_few_registers: bool,
    /// Another kind of processor, for which IREE has other code, with mistakes of its own.
    pub is_gpu: bool,
    /// Calls as C functions, and no virtual machine. IREE writes no switches in C, and where a branch hands on a buffer
    /// twice, one of the two is lost.
    /// Defect `switches-are-refused-in-c`.
    pub is_in_c: bool,
}

impl Machine {
    /// Whether one worker is about as fast as a core, so that it may as well run a small loop.
    pub(crate) const fn runs_loops_in_dispatches(self) -> bool {
        !self.is_gpu
    }
}

/// A name for files.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.multiplies_bf16, "bf16"),
            (self.has_few_registers, "few-registers"),
            (self.is_gpu, "gpu"),
            (self.is_in_c, "c"),
        ];
        let parts = parts.iter().filter_map(|(has, name)| has.then_some(*name));
        f.write_str(&parts.collect::<Vec<_>>().join("-"))
    }
}
