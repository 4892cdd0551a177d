//! The listings of the guide, as documentation tests. They are here for the tests alone: the guide is read as
//! a book.

#[doc = include_str!("../../guide/src/first.md")]
mod first {}

#[doc = include_str!("../../guide/src/items.md")]
mod items {}

#[doc = include_str!("../../guide/src/types.md")]
mod types {}

#[doc = include_str!("../../guide/src/sizes.md")]
mod sizes {}

#[doc = include_str!("../../guide/src/trees.md")]
mod trees {}

#[doc = include_str!("../../guide/src/globals.md")]
mod globals {}

#[doc = include_str!("../../guide/src/calls.md")]
mod calls {}

#[doc = include_str!("../../guide/src/parameters.md")]
mod parameters {}

#[doc = include_str!("../../guide/src/model.md")]
mod model {}

#[doc = include_str!("../../guide/src/control.md")]
mod control {}

#[doc = include_str!("../../guide/src/parts.md")]
mod parts {}

#[doc = include_str!("../../guide/src/kernels.md")]
mod kernels {}

#[doc = include_str!("../../guide/src/modules.md")]
mod modules {}

#[doc = include_str!("../../guide/src/operations.md")]
mod operations {}

#[doc = include_str!("../../guide/src/derivatives.md")]
mod derivatives {}

#[doc = include_str!("../../guide/src/random.md")]
mod random {}

#[doc = include_str!("../../guide/src/host.md")]
mod host {}

#[doc = include_str!("../../guide/src/observing.md")]
mod observing {}

#[doc = include_str!("../../guide/src/targets.md")]
mod targets {}

#[cfg(feature = "interpreter")]
#[doc = include_str!("../../guide/src/testing.md")]
mod testing {}
