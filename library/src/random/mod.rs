//! Random numbers: the same as those of the default generator of JAX 0.10, with
//! `jax_threefry_partitionable`. Equal keys give equal numbers, on every device.
//!
//! Every distribution is written with others and, in the end, with Threefry: the number at an index
//! depends on the key and the index alone, so that all of it is elementwise and fuses with what reads it.
//! A key is two words of 32 bits, `Tensor<u32, 2>`.

mod bernoulli;
mod bits;
mod categorical;
mod key;
mod normal;
mod randint;
mod threefry;
mod uniform;

pub use bernoulli::bernoulli;
pub use bits::bits;
pub use categorical::categorical;
pub use key::{fold_in, key, split};
pub use normal::{normal, truncated_normal};
pub use randint::{randint, randint_between};
pub use uniform::{uniform, uniform_between};
