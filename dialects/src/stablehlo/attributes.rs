//! The attributes of StableHLO that have a syntax of their own.
//!
//! MLIR carries them unread, since it does not know the dialect.

mod dimensions;

use melior::{
    Context,
    ir::{Attribute, attribute::ArrayAttribute},
};

pub use dimensions::{
    ActivationDimensions, ConvolutionDimensions, DotDimensions, GatherDimensions, KernelDimensions,
    ScatterDimensions, convolution_dimension_numbers, dot_dimension_numbers,
    gather_dimension_numbers, scatter_dimension_numbers,
};

use crate::{Error, attributes::parse};

macro_rules! keywords {
    (
        $(#[$documentation:meta])*
        $name:ident, $function:ident, $mnemonic:literal {
            $($(#[$variant_documentation:meta])* $variant:ident = $keyword:literal,)*
        }
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_documentation])* $variant,)*
        }

        impl $name {
            /// The keyword in the syntax of StableHLO.
            pub const fn keyword(self) -> &'static str {
                match self {
                    $(Self::$variant => $keyword,)*
                }
            }
        }

        #[doc = concat!("The attribute `#stablehlo<", $mnemonic, " …>`.")]
        ///
        /// # Errors
        ///
        /// If the context does not carry dialects that it does not know.
        pub fn $function(context: &Context, value: $name) -> Result<Attribute<'_>, Error> {
            parse(context, &format!(concat!("#stablehlo<", $mnemonic, " {}>"), value.keyword()))
        }
    };
}

keywords! {
    /// The relation that a comparison tests.
    ComparisonDirection, comparison_direction, "comparison_direction" {
        /// Equal.
        Equal = "EQ",
        /// Not equal.
        NotEqual = "NE",
        /// Greater or equal.
        GreaterOrEqual = "GE",
        /// Greater.
        Greater = "GT",
        /// Less or equal.
        LessOrEqual = "LE",
        /// Less.
        Less = "LT",
    }
}

keywords! {
    /// How a comparison reads its operands.
    ComparisonType, comparison_type, "comparison_type" {
        /// As floating-point or complex numbers, where NaN is unordered.
        Float = "FLOAT",
        /// As floating-point numbers in a total order.
        TotalOrder = "TOTALORDER",
        /// As signed integers.
        Signed = "SIGNED",
        /// As unsigned integers or booleans.
        Unsigned = "UNSIGNED",
    }
}

keywords! {
    /// How precisely a contraction is computed.
    Precision, precision, "precision" {
        /// Fast.
        Default = "DEFAULT",
        /// More precise.
        High = "HIGH",
        /// Most precise.
        Highest = "HIGHEST",
    }
}

keywords! {
    /// The kind of a Fourier transform.
    FftType, fft_type, "fft_type" {
        /// Complex to complex.
        Fft = "FFT",
        /// Complex to complex, inverse.
        Ifft = "IFFT",
        /// Real to complex.
        Rfft = "RFFT",
        /// Complex to real, inverse.
        Irfft = "IRFFT",
    }
}

keywords! {
    /// How the matrix of a system of equations is transposed.
    Transpose, transpose, "transpose" {
        /// Not.
        NoTranspose = "NO_TRANSPOSE",
        /// Transposed.
        Transpose = "TRANSPOSE",
        /// Transposed and conjugated.
        Adjoint = "ADJOINT",
    }
}

keywords! {
    /// The algorithm of a generator of random bits.
    RngAlgorithm, rng_algorithm, "rng_algorithm" {
        /// What the compiler chooses.
        Default = "DEFAULT",
        /// Threefry.
        ThreeFry = "THREE_FRY",
        /// Philox.
        Philox = "PHILOX",
    }
}

/// A precision for each operand of a contraction.
///
/// # Errors
///
/// As [`precision`].
pub fn precision_config<'c>(
    context: &'c Context,
    precisions: &[Precision],
) -> Result<ArrayAttribute<'c>, Error> {
    let precisions = precisions
        .iter()
        .map(|value| precision(context, *value))
        .collect::<Result<Vec<_>, _>>()?;

    Ok(ArrayAttribute::new(context, &precisions))
}
