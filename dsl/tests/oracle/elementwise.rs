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
        let difference = differences(&found, &data.array::<R>(name), 0.0, describe)?;
        Some(format!("{name}: {difference}"))
    });
    results.collect()
}

macro_rules! floats {
    ($($ty:ident $module:ident $program:ident;)+) => {
        $(program! { $ty $module $program [$ty] {
            unary[160](x) -> [Element; 6] {
                "neg": (-x),
                "abs": (x.abs()),
                "sqrt": (x.sqrt()),
                "exp": (x.exp()),
                "ln": (x.ln()),
                "tanh": (x.tanh()),
            }
            binary[256](a, b) -> [Element; 7] {
                "add": (a + b),
                "sub": (a - b),
                "mul": (a * b),
                "div": (a / b),
                "rem": (a % b),
                "maximum": (a.maximum(b)),
                "minimum": (a.minimum(b)),
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
            unary[160](x) -> [Element; 2] {
                "neg": (-x),
                "exp": (x.exp()),
            }
            real[160](x) -> [$part; 1] {
                "abs": (x.abs()),
            }
            binary[256](a, b) -> [Element; 4] {
                "add": (a + b),
                "sub": (a - b),
                "mul": (a * b),
                "div": (a / b),
            }
        } })+
    };
}

complex! {
    c64 of_c64 OfC64 f32;
    c128 of_c128 OfC128 f64;
}

macro_rules! integers {
    ($($ty:ident $module:ident $program:ident;)+) => {
        $(program! { $ty $module $program [$ty] {
            binary[256](a, b) -> [Element; 13] {
                "add": (a + b),
                "sub": (a - b),
                "mul": (a * b),
                "div": (a / b),
                "rem": (a % b),
                "and": (a & b),
                "or": (a | b),
                "xor": (a ^ b),
                "shl": (a << b),
                "shr": (a >> b),
                "maximum": (a.maximum(b)),
                "minimum": (a.minimum(b)),
                "not": (!a),
            }
        } })+
    };
}

integers! {
    i8 of_i8 OfI8;
    i16 of_i16 OfI16;
    i32 of_i32 OfI32;
    i64 of_i64 OfI64;
    u8 of_u8 OfU8;
    u16 of_u16 OfU16;
    u32 of_u32 OfU32;
    u64 of_u64 OfU64;
}
