//! Elementwise operations of one and two operands, for each element type that they take.

use crate::{
    compare::{Close, differences},
    data::{Data, Stored},
};
use iree_dsl::{Element, prelude::*};
use ndarray::{ArrayD, Ix1};

/// What operations gave, by the names that the file has for them.
type Results<T> = Vec<(&'static str, DeviceArray<T, Ix1>)>;

/// A program with the operations of a kind of element type, and a test that compares them.
macro_rules! program {
    ($test:ident $module:ident $program:ident [$($ty:tt)+] {
        $($function:ident[$size:literal]($($operand:ident),+) -> [$result:tt; $count:literal] {
            $($name:literal: $value:tt,)+
        })+
    }) => {
        #[program]
        mod $module {
            type Element = $($ty)+;

            pub struct $program;

            impl $program {
                $(pub fn $function(
                    &self,
                    $($operand: Tensor<Element, $size>),+
                ) -> [Tensor<$result, $size>; $count] {
                    [$($value),+]
                })+
            }
        }

        #[test]
        fn $test() {
            type Element = $($ty)+;
            let data = Data::read("elementwise", stringify!($test));
            let program = $module::$program::load(&Device::open("local-sync").unwrap()).unwrap();
            let mut failures = Vec::new();
            $({
                $(let $operand = data.array::<Element>(stringify!($operand));)+
                let results = program.$function($(one_axis(&$operand)),+).unwrap();
                let results = [$($name),+].into_iter().zip(results).collect();
                failures.extend(wrong(&data, &[$($operand),+], results));
            })+
            data.finish();
            assert!(failures.is_empty(), "{}", failures.join("\n"));
        }
    };
}

fn one_axis<T: Element>(array: &ArrayD<T>) -> Argument<'_, T, Ix1> {
    array.view().into_dimensionality::<Ix1>().unwrap().into()
}

fn wrong<T: Stored, R: Stored + Close>(
    data: &Data,
    operands: &[ArrayD<T>],
    results: Results<R>,
) -> Vec<String> {
    let describe = |index| {
        let operands: Vec<_> = operands
            .iter()
            .map(|operand| operand.as_slice().unwrap()[index])
            .collect();
        format!("{operands:?}")
    };
    let results = results.into_iter().filter_map(|(name, result)| {
        let found = result.to_array().unwrap().into_dyn();
        let difference = differences(&found, &data.array::<R>(name), floor(name), describe)?;
        Some(format!("{name}: {difference}"))
    });
    results.collect()
}

/// The size that errors of an operation count against at least: where what is added cancels, the sum is as
/// precise as its summands.
fn floor(name: &str) -> f64 {
    match name {
        "lgamma" | "gelu" | "gelu_tanh" => 1.0,
        // Reflection takes the logarithm of the number from a cotangent.
        "digamma" => 8.0,
        // A sigmoid that is too small for the full precision of `f32` counts as zero.
        "silu" => 1e-30,
        _ => 0.0,
    }
}

macro_rules! floats {
    ($($ty:ident $module:ident $program:ident;)+) => {
        $(program! { $ty $module $program [$ty] {
            unary[160](x) -> [Element; 49] {
                "neg": (-x),
                "abs": (x.abs()),
                "signum": (x.signum()),
                "floor": (x.floor()),
                "ceil": (x.ceil()),
                "round": (x.round()),
                "round_ties_even": (x.round_ties_even()),
                "trunc": (x.trunc()),
                "fract": (x.fract()),
                "recip": (x.recip()),
                "sqrt": (x.sqrt()),
                "rsqrt": (x.rsqrt()),
                "cbrt": (x.cbrt()),
                "exp": (x.exp()),
                "exp2": (x.exp2()),
                "exp_m1": (x.exp_m1()),
                "ln": (x.ln()),
                "ln_1p": (x.ln_1p()),
                "log2": (x.log2()),
                "log10": (x.log10()),
                "sin": (x.sin()),
                "cos": (x.cos()),
                "tan": (x.tan()),
                "asin": (x.asin()),
                "acos": (x.acos()),
                "atan": (x.atan()),
                "sinh": (x.sinh()),
                "cosh": (x.cosh()),
                "tanh": (x.tanh()),
                "asinh": (x.asinh()),
                "acosh": (x.acosh()),
                "atanh": (x.atanh()),
                "erf": (x.erf()),
                "erfc": (x.erfc()),
                "erf_inv": (x.erf_inv()),
                "lgamma": (x.lgamma()),
                "digamma": (x.digamma()),
                "sigmoid": (x.sigmoid()),
                "relu": (x.relu()),
                "gelu": (x.gelu()),
                "gelu_tanh": (x.gelu_tanh()),
                "silu": (x.silu()),
                "softplus": (x.softplus()),
                "cubed": (x.powi(3)),
                "per_square": (x.powi(-2)),
                "to_itself": (x.powf(x)),
                "angle": (x.atan2(2.0)),
                "rest": (x % 0.75),
                "hypotenuse": (x.hypot(2.0)),
            }
            predicates[160](x) -> [bool; 3] {
                "is_finite": (x.is_finite()),
                "is_nan": (x.is_nan()),
                "is_infinite": (x.is_infinite()),
            }
            binary[256](a, b) -> [Element; 12] {
                "add": (a + b),
                "sub": (a - b),
                "mul": (a * b),
                "div": (a / b),
                "rem": (a % b),
                "maximum": (a.maximum(b)),
                "minimum": (a.minimum(b)),
                "powf": (a.powf(b)),
                "atan2": (a.atan2(b)),
                "hypot": (a.hypot(b)),
                "copysign": (a.copysign(b)),
                "rem_euclid": (a.rem_euclid(b)),
            }
        } })+
    };
}

floats! {
    f16 of_f16 OfF16;
    bf16 of_bf16 OfBf16;
    f32 of_f32 OfF32;
    f64 of_f64 OfF64;
}

macro_rules! complex {
    ($($test:ident $module:ident $program:ident $part:ident;)+) => {
        $(program! { $test $module $program [Complex<$part>] {
            powers[160](x) -> [Element; 11] {
                "neg": (-x),
                "conj": (x.conj()),
                "recip": (x.recip()),
                "sqrt": (x.sqrt()),
                "rsqrt": (x.rsqrt()),
                "cubed": (x.powi(3)),
                "exp": (x.exp()),
                "exp2": (x.exp2()),
                "ln": (x.ln()),
                "log2": (x.log2()),
                "log10": (x.log10()),
            }
            forward[160](x) -> [Element; 6] {
                "sin": (x.sin()),
                "cos": (x.cos()),
                "tan": (x.tan()),
                "sinh": (x.sinh()),
                "cosh": (x.cosh()),
                "tanh": (x.tanh()),
            }
            inverse[160](x) -> [Element; 6] {
                "asin": (x.asin()),
                "acos": (x.acos()),
                "atan": (x.atan()),
                "asinh": (x.asinh()),
                "acosh": (x.acosh()),
                "atanh": (x.atanh()),
            }
            parts[160](x) -> [$part; 3] {
                "abs": (x.abs()),
                "re": (x.re()),
                "im": (x.im()),
            }
            predicates[160](x) -> [bool; 3] {
                "is_finite": (x.is_finite()),
                "is_nan": (x.is_nan()),
                "is_infinite": (x.is_infinite()),
            }
            binary[256](a, b) -> [Element; 5] {
                "add": (a + b),
                "sub": (a - b),
                "mul": (a * b),
                "div": (a / b),
                "powf": (a.powf(b)),
            }
        } })+
    };
}

complex! {
    c64 of_c64 OfC64 f32;
    c128 of_c128 OfC128 f64;
}

macro_rules! integers {
    ($more:tt $($ty:ident $module:ident $program:ident;)+) => {
        $(integers! { @one $ty $module $program $more })+
    };
    (@one $ty:ident $module:ident $program:ident [$($more:tt)*]) => {
        program! { $ty $module $program [$ty] {
            both[256](a, b) -> [Element; 19] {
                "add": (a + b),
                "sub": (a - b),
                "mul": (a * b),
                "div": (a / b),
                "rem": (a % b),
                "rem_euclid": (a.rem_euclid(b)),
                "and": (a & b),
                "or": (a | b),
                "xor": (a ^ b),
                "shl": (a << b),
                "shr": (a >> b),
                "maximum": (a.maximum(b)),
                "minimum": (a.minimum(b)),
                "not": (!a),
                "signum": (a.signum()),
                "relu": (a.relu()),
                "cubed": (a.powi(3)),
                "count_ones": (a.count_ones()),
                "leading_zeros": (a.leading_zeros()),
            }
            $($more)*
        } }
    };
}

integers! {
    []
    u8 of_u8 OfU8;
    u16 of_u16 OfU16;
    u32 of_u32 OfU32;
    u64 of_u64 OfU64;
}

integers! {
    [
        signed[256](a) -> [Element; 2] {
            "neg": (-a),
            "abs": (a.abs()),
        }
    ]
    i8 of_i8 OfI8;
    i16 of_i16 OfI16;
    i32 of_i32 OfI32;
    i64 of_i64 OfI64;
}
