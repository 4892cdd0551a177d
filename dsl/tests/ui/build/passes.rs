//! A program without mistakes: with one, the others are built and not only checked, so that the IREE
//! compiler runs.

fn main() {}
