//! Programs of the language against NumPy, SciPy, mpmath and JAX: what those compute lies in files, which
//! the scripts in `tests/oracle` write. One module, one script and one file for each family of operations.

mod check;
mod compare;
mod contract;
mod data;
mod distributions;
mod elementwise;
mod fourier;
mod index;
mod linalg;
mod window;
