//! What is best said in the language itself: closures, in files of their own below `language`, which a front end reads where
//! a program calls for them.

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
    /// `(rows, roots, m, n)`: Fourier transforms whose length is a power of two.
    RADIX_2: "radix_2",
    /// `(x, n, sign, inverse, narrow, radix_2)`: Fourier transforms of any length, by Bluestein's chirps.
    CHIRP_TRANSFORM: "chirp_transform",
    /// `(key, n, count, rounds)`: the numbers below `n` in random order.
    PERMUTATION: "permutation",
}
