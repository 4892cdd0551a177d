//! Random numbers: the same as those of the default generator of JAX 0.10, with
//! `jax_threefry_partitionable`. Equal keys give equal numbers, on every device.

mod bernoulli;
mod bits;
mod categorical;
mod key;
mod normal;
mod permutation;
mod randint;
mod uniform;

pub(super) use bernoulli::bernoulli;
pub(super) use bits::bits;
pub(super) use categorical::categorical;
pub(super) use key::{fold_in, key, split};
pub(super) use normal::{normal, truncated_normal};
pub(super) use permutation::permutation;
pub(super) use randint::randint;
pub(super) use uniform::uniform;
