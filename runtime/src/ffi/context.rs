//! What a driver keeps for each thread: nothing, in a build without CUDA, whose version of this is
//! `cuda.rs`.

use super::status::IreeError;

/// What each thread needs before it uses a device.
#[derive(Clone, Copy)]
pub(super) struct Context;

impl Context {
    /// Nothing.
    pub(super) const NONE: Self = Self;

    /// What the driver of this name left on this thread when it opened a device here.
    #[expect(clippy::unnecessary_wraps, reason = "CUDA may fail")]
    pub(super) const fn after_opening(_driver: &str) -> Result<Self, IreeError> {
        Ok(Self)
    }

    /// Prepares this thread for what comes next.
    #[expect(clippy::unused_self, reason = "CUDA needs it")]
    pub(super) const fn bind(self) {}
}
