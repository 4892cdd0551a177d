//! What is best said in the language itself: closures, in files of their own below `language`, which a front end reads where
//! a program calls for them. Matrices come as batches, one axis before rows and columns.

macro_rules! closures {
    ($($(#[$documentation:meta])+ $name:ident: $file:literal,)+) => {
        $($(#[$documentation])+
        pub const $name: &str = include_str!(concat!("../language/", $file, ".rs"));)+

        /// All of them, by the names of their files.
        pub const ALL: &[(&str, &str)] = &[$(($file, $name),)+];
    };
}

closures! {
    /// `(n, state, step)`: applies `step` to the numbers below `n` and a state, which is written out.
    UNROLLED: "unrolled",
    /// The same, as a loop of the program.
    LOOPED: "looped",
    /// `(diagonal)`: the root of a diagonal.
    REAL_ROOT: "real_root",
    /// `(diagonal)`: the root of a diagonal, of which only the real part counts.
    COMPLEX_ROOT: "complex_root",
    /// `(a, n, root, conjugate, rounds)`: the Cholesky factor of `n` rows.
    CHOLESKY: "cholesky",
    /// `(a, conjugate)`: the same matrices, whose derivative is that of their symmetrical part.
    SYMMETRICAL: "symmetrical",
    /// `(a, b, n, lower, unit, rounds)`: solves a triangular system.
    SUBSTITUTE: "substitute",
    /// `(m, n, rounds)`: Gaussian elimination, the upper triangle and the sign of the exchanges.
    ELIMINATE: "eliminate",
    /// `(a, b, n, rounds, eliminate, substitute)`: solves a system.
    SOLVE: "solve",
    /// `(a, n)`: the identity, of the type of `a`.
    IDENTITY: "identity",
    /// `(a, n, rounds, eliminate)`: the determinant.
    DETERMINANT: "determinant",
    /// `(rows, roots, m, n)`: Fourier transforms whose length is a power of two.
    RADIX_2: "radix_2",
    /// `(x, n, sign, inverse, narrow, radix_2)`: Fourier transforms of any length, by Bluestein's chirps.
    CHIRP_TRANSFORM: "chirp_transform",
    /// `(key, n, count, rounds)`: the numbers below `n` in random order.
    PERMUTATION: "permutation",
}
