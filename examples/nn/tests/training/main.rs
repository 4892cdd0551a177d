//! Layers, losses and optimisers against JAX and formulas in double precision, whose numbers `oracle.py` writes.

mod oracle;

mod convolutions;
mod decoding;
mod initial;
mod losses;
mod norms;
mod optimizers;
mod recurrent;
