//! Elements moved, looked up, combined at places, put in order, and added up along an axis.

use crate::{
    compare::{Close, differences},
    data::{Data, Stored},
};
use iree_dsl::prelude::*;
use ndarray::{Dimension, Ix2};

/// What differs between a result and the right one.
fn wrong<T: Stored + Close, D: Dimension>(
    data: &Data,
    name: &str,
    result: &DeviceArray<T, D>,
) -> Option<String> {
    let found = result.to_array().unwrap().into_dyn();
    let place = |index| format!("element {index}");
    let difference = differences(&found, &data.array::<T>(name), 0.0, place)?;
    Some(format!("{name}: {difference}"))
}

/// Procedures of two tensors, each with several results, and a test that compares these.
macro_rules! program {
    ($test:ident $module:ident $program:ident [$($element:tt)+] $real:tt {
        $($function:ident($x:ident, $y:ident) {
            $($name:ident: [$($ty:tt)+] [$($size:literal),*] = $value:expr;)+
        })+
    }) => {
        #[program]
        mod $module {
            type Element = $($element)+;
            type Real = $real;

            pub struct $program;

            impl $program {
                $(pub fn $function(
                    &self,
                    $x: Tensor<Element, 4, 6>,
                    $y: Tensor<Element, 4, 5>,
                ) -> ($(Tensor<$($ty)+ $(, $size)*>,)+) {
                    ($($value,)+)
                })+
            }
        }

        #[test]
        fn $test() {
            type Element = $($element)+;
            let data = Data::read("index", stringify!($test));
            let program = $module::$program::load(&Device::open("local-sync").unwrap()).unwrap();
            let table = |name| data.array::<Element>(name).into_dimensionality::<Ix2>().unwrap();
            let mut failures: Vec<String> = Vec::new();
            $({
                let ($x, $y) = (table(stringify!($x)), table(stringify!($y)));
                let ($($name,)+) = program.$function(&$x, &$y).unwrap();
                $(failures.extend(wrong(&data, stringify!($name), &$name));)+
            })+
            assert!(failures.is_empty(), "{}", failures.join("\n"));
        }
    };
}

/// A program with some groups of operations.
macro_rules! groups {
    ([$($head:tt)+] { $($body:tt)+ }) => {
        program! { $($head)+ { $($body)+ } }
    };
    ([$($head:tt)+] { $($body:tt)* } moved $($groups:ident)*) => {
        groups! { [$($head)+] { $($body)*
            moved(x, updates) {
                reverse: [Element] [4, 6] = x.reverse(1);
                roll: [Element] [4, 6] = x.roll(2, 0);
                roll_back: [Element] [4, 6] = x.roll(-8, 1);
                repeat: [Element] [12, 6] = x.repeat(3, 0);
                tile: [Element] [2, 4, 12] = x.tile([2, 1, 2]);
                pad: [Element] [7, 7] =
                    pad!(x, low = [1, -2], high = [-1, 3], interior = [1, 0], value = ones::<Element>());
                take: [Element] [4, 5] = x.take(tensor([2, 0, 5, 2, 9]), 1);
                take_along_axis: [Element] [4, 3] =
                    x.take_along_axis(tensor([[0, 5, 2], [1, 1, 1], [4, 3, 0], [2, 2, 9]]), -1);
                scatter: [Element] [4, 6] =
                    x.scatter(tensor([2, 0, 5, 2, 9]), updates.take([0, 1, 2, 0, 4], 1), 1);
                sort_by_key: [Element] [4, 6] = x.sort_by_key(tensor([3, 1, 2, 1, 3, 0]), 1);
            }
        } $($groups)* }
    };
    ([$($head:tt)+] { $($body:tt)* } ordered $($groups:ident)*) => {
        groups! { [$($head)+] { $($body)*
            ordered(x, updates) {
                scatter_max: [Element] [4, 6] = x.scatter_max(tensor([2, 0, 5, 2, 9]), updates, 1);
                scatter_min: [Element] [4, 6] = x.scatter_min(tensor([2, 0, 5, 2, 9]), updates, 1);
                cummax: [Element] [4, 6] = x.cummax(1);
                cummin: [Element] [4, 6] = x.cummin(0);
                sort: [Element] [4, 6] = x.sort(-1);
                sort_columns: [Element] [4, 6] = x.sort(0);
                argsort: [i32] [4, 6] = x.argsort(1);
                top_k_values: [Element] [4, 3] = x.top_k(3).0;
                top_k_indices: [i32] [4, 3] = x.top_k(3).1;
            }
        } $($groups)* }
    };
    ([$($head:tt)+] { $($body:tt)* } summed $($groups:ident)*) => {
        groups! { [$($head)+] { $($body)*
            summed(x, updates) {
                scatter_add: [Element] [4, 6] = x.scatter_add(tensor([2, 0, 5, 2, 9]), updates, 1);
                scatter_mul: [Element] [4, 6] = x.scatter_mul(tensor([2, 0, 5, 2, 9]), updates, 1);
                cumsum: [Element] [4, 6] = x.cumsum(1);
                cumprod: [Element] [4, 6] = x.cumprod(0);
            }
        } $($groups)* }
    };
    ([$($head:tt)+] { $($body:tt)* } spread $($groups:ident)*) => {
        groups! { [$($head)+] { $($body)*
            spread(finite, updates) {
                var: [Real] [] = finite.var();
                std: [Real] [] = finite.std(1);
                var_axis: [Real] [6] = finite.var_axis(0, 1);
                std_axis: [Real] [] = finite.std_axis([0, 1]);
                normalize_axis: [Element] [4, 6] = finite.normalize_axis(-1);
            }
        } $($groups)* }
    };
}

groups! { [bool bools Bools [bool] bool] {} moved ordered }
groups! { [u8 bytes Bytes [u8] u8] {} moved ordered summed }
groups! { [i32 integers Integers [i32] i32] {} moved ordered summed }
groups! { [bf16 brains Brains [bf16] bf16] {} moved ordered summed spread }
groups! { [f32 singles Singles [f32] f32] {} moved ordered summed spread }
groups! { [f64 doubles Doubles [f64] f64] {} moved ordered summed spread }
groups! { [c64 complexes Complexes [Complex<f32>] f32] {} moved summed spread }
