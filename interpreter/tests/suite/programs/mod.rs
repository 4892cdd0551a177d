//! Random programs.

mod straight;

pub(crate) use straight::trials;
