//! Random numbers, which are those of JAX: bit for bit, but where they pass through a function that is
//! rounded.

use crate::{
    compare::{Close, differences},
    data::{Data, Stored},
};
use half::{bf16, f16};
use iree_dsl::{Element, prelude::*};
use ndarray::{Array1, ArrayD, ArrayViewD, Axis, Ix1, Ix2, Slice};

/// Every how many numbers of many one is in the file.
const STRIDE: isize = 641;

/// Where few numbers are, the inverse of the error function that JAX draws complex numbers with is off by some
/// tens of units in the last place. Real ones are compared with mpmath.
const TAIL: f64 = 32.0;

/// Uniform numbers between bounds other than those of `normal` are rounded, which counts as much near the
/// middle as it does elsewhere.
const MIDDLE: f64 = 1.0;

/// The seeds of a family and what the file has for them.
struct Oracle {
    data: Data,
    keys: Vec<[u32; 2]>,
    failures: Vec<String>,
}

impl Oracle {
    fn new(family: &str) -> Self {
        let keys = Data::read("distributions", "keys").array::<u32>("key");
        let keys = keys.outer_iter().map(|key| [key[[0]], key[[1]]]);
        Self {
            data: Data::read("distributions", family),
            keys: keys.collect(),
            failures: Vec::new(),
        }
    }

    /// Compares what was drawn with each key, bit for bit.
    fn check<T: Stored + PartialEq>(&mut self, name: &str, draw: impl Fn([u32; 2]) -> ArrayD<T>) {
        let right = self.data.array::<T>(name);
        for (key, right) in self.keys.clone().into_iter().zip(right.outer_iter()) {
            self.compare(name, &format!("{key:x?}"), &draw(key), right);
        }
    }

    fn compare<T: Element + PartialEq>(
        &mut self,
        name: &str,
        what: &str,
        found: &ArrayD<T>,
        right: ArrayViewD<'_, T>,
    ) {
        if *found != right {
            self.failures
                .push(format!("{name} of {what}: expected {right}, found {found}"));
        }
    }

    /// Compares what was drawn with each key, up to rounding. Errors count as if no number were smaller
    /// than `floor`.
    fn check_close<T: Stored + Close>(
        &mut self,
        name: &str,
        floor: f64,
        draw: impl Fn([u32; 2]) -> ArrayD<T>,
    ) {
        let right = self.data.array::<T>(name);
        for (key, right) in self.keys.iter().zip(right.outer_iter()) {
            let difference = differences(&draw(*key), &right.to_owned(), floor, |index| {
                index.to_string()
            });
            let difference = difference.map(|text| format!("{name} of {key:x?}: {text}"));
            self.failures.extend(difference);
        }
    }

    /// Compares many numbers by some of them and the sum of all bits.
    fn check_many<T: Stored + PartialEq + Bits>(
        &mut self,
        name: &str,
        draw: impl Fn([u32; 2]) -> ArrayD<T>,
    ) {
        let sums = self.data.array::<u64>(&format!("{name}_sum"));
        let some = self.data.array::<T>(&format!("{name}_large"));
        let right = some.outer_iter().zip(sums);
        for (key, (some, sum)) in self.keys.clone().into_iter().zip(right) {
            let found = draw(key);
            let every = Slice::new(0, None, STRIDE);
            let found_some = found.slice_axis(Axis(0), every).to_owned();
            self.compare(name, &format!("{key:x?}"), &found_some, some);
            let bits = found.iter().map(Bits::to_u64);
            let found = bits.fold(0, u64::wrapping_add);
            if found != sum {
                let failure = format!("{name} of {key:x?}: the bits sum to {found}, not {sum}");
                self.failures.push(failure);
            }
        }
    }

    fn finish(self) {
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

/// The bits of a number, as an integer without a sign.
trait Bits {
    fn to_u64(&self) -> u64;
}

macro_rules! bits {
    ($($ty:ty: $number:ident => $bits:expr;)+) => {
        $(impl Bits for $ty {
            fn to_u64(&self) -> u64 {
                let $number = *self;
                $bits.into()
            }
        })+
    };
}

bits! {
    i8: x => x.cast_unsigned();
    i16: x => x.cast_unsigned();
    i32: x => x.cast_unsigned();
    i64: x => x.cast_unsigned();
    u8: x => x;
    u16: x => x;
    u32: x => x;
    u64: x => x;
    f16: x => x.to_bits();
    bf16: x => x.to_bits();
    f32: x => x.to_bits();
    f64: x => x.to_bits();
}

fn open() -> Device {
    Device::open("local-sync").unwrap()
}

fn host<T: Element, D: ndarray::Dimension>(array: DeviceArray<T, D>) -> ArrayD<T> {
    array.to_array().unwrap().into_dyn()
}

#[program]
mod keys {
    pub struct Keys;

    impl Keys {
        pub fn key(&self, seed: Tensor<i64>) -> Tensor<u32, 2> {
            random::key(seed)
        }

        pub fn narrow_key(&self, seed: Tensor<i32>) -> Tensor<u32, 2> {
            random::key(seed)
        }

        /// The seeds of the file, known while building.
        pub fn known_keys(&self) -> [Tensor<u32, 2>; 5] {
            [
                random::key(0),
                random::key(42),
                random::key(-1i64),
                random::key(1099511627781),
                random::key(i64::MIN),
            ]
        }

        pub fn narrow_known_key(&self) -> Tensor<u32, 2> {
            random::key(-1)
        }

        pub fn split(&self, key: Tensor<u32, 2>) -> Tensor<u32, 5, 2> {
            random::split(key)
        }

        pub fn split_apart(&self, key: Tensor<u32, 2>) -> Tensor<u32, 5, 2> {
            let [a, b, c, d, e] = random::split(key);
            stack([a, b, c, d, e], 0)
        }

        pub fn fold_in(&self, key: Tensor<u32, 2>) -> Tensor<u32, 2> {
            random::fold_in(key, 77)
        }

        pub fn fold_in_computed(&self, key: Tensor<u32, 2>, data: Tensor<u8>) -> Tensor<u32, 2> {
            random::fold_in(key, data)
        }
    }
}

#[test]
fn keys_are_those_of_jax() {
    let program = keys::Keys::load(&open()).unwrap();
    let mut oracle = Oracle::new("keys");
    let seeds = oracle.data.array::<i64>("seed");
    let right = oracle.data.array::<u32>("key");
    for (seed, right) in seeds.iter().zip(right.outer_iter()) {
        let found = host(program.key(*seed).unwrap());
        oracle.compare("key", &seed.to_string(), &found, right);
    }
    let known = program.known_keys().unwrap();
    for ((seed, right), found) in seeds.iter().zip(right.outer_iter()).zip(known) {
        oracle.compare("known key", &seed.to_string(), &host(found), right);
    }
    let seeds = oracle.data.array::<i32>("narrow_seed");
    let right = oracle.data.array::<u32>("narrow_key");
    for (seed, right) in seeds.iter().zip(right.outer_iter()) {
        let found = host(program.narrow_key(*seed).unwrap());
        oracle.compare("narrow key", &seed.to_string(), &found, right);
    }
    let negative = host(program.narrow_known_key().unwrap());
    oracle.compare("narrow key", "-1", &negative, right.index_axis(Axis(0), 2));
    oracle.check("split", |key| host(program.split(key).unwrap()));
    oracle.check("split", |key| host(program.split_apart(key).unwrap()));
    oracle.check("fold_in", |key| host(program.fold_in(key).unwrap()));
    oracle.check("fold_in", |key| {
        host(program.fold_in_computed(key, 77).unwrap())
    });
    oracle.finish();
}

macro_rules! integers {
    ($($ty:ident $module:ident $program:ident [$low:expr, $high:expr] [$least:expr, $end:expr];)+) => {
        $(#[program]
        mod $module {
            type Element = $ty;

            pub struct $program;

            impl $program {
                pub fn bits(
                    &self,
                    key: Tensor<u32, 2>,
                ) -> (Tensor<Element>, Tensor<Element, 3, 5>, Tensor<Element, 65539>) {
                    (random::bits(key), random::bits(key), random::bits(key))
                }

                pub fn nothing(&self, key: Tensor<u32, 2>) -> Tensor<Element, 3, 0> {
                    random::bits(key)
                }

                pub fn bounded(&self, key: Tensor<u32, 2>) -> [Tensor<Element, 131>; 3] {
                    [
                        random::randint(key, 1, 7),
                        random::randint(key, $low, $high),
                        random::randint(key, $least, $end),
                    ]
                }

                pub fn computed(
                    &self,
                    key: Tensor<u32, 2>,
                    low: Tensor<Element>,
                    high: Tensor<Element>,
                ) -> Tensor<Element, 131> {
                    random::randint(key, low, high)
                }
            }
        }

        #[test]
        fn $module() {
            let program = $module::$program::load(&open()).unwrap();
            let mut oracle = Oracle::new(stringify!($ty));
            let nothing = program.nothing(&oracle.keys[0]).unwrap();
            assert_eq!(nothing.shape(), [3, 0]);
            oracle.check::<$ty>("bits_scalar", |key| host(program.bits(key).unwrap().0));
            oracle.check::<$ty>("bits_small", |key| host(program.bits(key).unwrap().1));
            oracle.check_many::<$ty>("bits", |key| host(program.bits(key).unwrap().2));
            for (index, name) in ["dice", "wide", "all"].into_iter().enumerate() {
                if name == "all" && size_of::<$ty>() == 8 {
                    continue;
                }
                oracle.check::<$ty>(name, |key| {
                    let drawn = program.bounded(key).unwrap();
                    host(drawn.into_iter().nth(index).unwrap())
                });
            }
            let [low, high] = ["low", "high"].map(|name| oracle.data.array::<$ty>(name));
            let right = oracle.data.array::<$ty>("computed");
            for ((low, high), right) in low.iter().zip(&high).zip(right.outer_iter()) {
                let found = host(program.computed(&oracle.keys[0], *low, *high).unwrap());
                oracle.compare("computed", &format!("{low}..{high}"), &found, right);
            }
            oracle.finish();
        })+
    };
}

integers! {
    i8 of_i8 RandomI8 [-127, 127] [-128, 128];
    i16 of_i16 RandomI16 [-32767, 32767] [i16::MIN, 32768];
    i32 of_i32 RandomI32 [-2147483647, i32::MAX] [i32::MIN, 2147483648];
    i64 of_i64 RandomI64 [-9223372036854775807, i64::MAX] [i64::MIN, 9223372036854775808];
    u8 of_u8 RandomU8 [1, 255] [0, 256];
    u16 of_u16 RandomU16 [1, 65535] [0, 65536];
    u32 of_u32 RandomU32 [1, 4294967295] [0, 4294967296];
    u64 of_u64 RandomU64 [1, 18446744073709551615] [0, 18446744073709551616];
}

macro_rules! floats {
    ($($ty:ident $module:ident $program:ident;)+) => {
        $(#[program]
        mod $module {
            type Element = $ty;

            pub struct $program;

            impl $program {
                pub fn uniform(
                    &self,
                    key: Tensor<u32, 2>,
                ) -> (Tensor<Element>, Tensor<Element, 3, 5>, Tensor<Element, 65539>) {
                    (random::uniform(key), random::uniform(key), random::uniform(key))
                }

                pub fn ranges(&self, key: Tensor<u32, 2>) -> [Tensor<Element, 131>; 2] {
                    [random::uniform(key, -1.5, 2.5), random::uniform(key, -1.3, 1.9)]
                }

                pub fn computed_range(
                    &self,
                    key: Tensor<u32, 2>,
                    low: Tensor<f32>,
                    high: Tensor<f32, 131>,
                ) -> Tensor<Element, 131> {
                    random::uniform(key, low as Element, high as Element)
                }

                pub fn normal(
                    &self,
                    key: Tensor<u32, 2>,
                    low: Tensor<Element>,
                ) -> [Tensor<Element, 2048>; 3] {
                    [
                        random::normal(key),
                        random::truncated_normal(key, -0.5, 2.0),
                        random::truncated_normal(key, low, 2.0),
                    ]
                }

                pub fn bernoulli(
                    &self,
                    key: Tensor<u32, 2>,
                    p: Tensor<Element, 11>,
                ) -> Tensor<bool, 23, 11> {
                    random::bernoulli(key, p)
                }

                pub fn categorical(
                    &self,
                    key: Tensor<u32, 2>,
                    logits: Tensor<Element, 4, 9>,
                ) -> (Tensor<i32, 4>, Tensor<i32, 9>, Tensor<i32, 20, 4>) {
                    (
                        random::categorical(key, logits),
                        random::categorical(key, logits, 0),
                        random::categorical::<i32, 20, 4>(key, logits),
                    )
                }
            }
        }

        #[test]
        fn $module() {
            let program = $module::$program::load(&open()).unwrap();
            let mut oracle = Oracle::new(stringify!($ty));
            oracle.check::<$ty>("uniform_scalar", |key| host(program.uniform(key).unwrap().0));
            oracle.check::<$ty>("uniform_small", |key| host(program.uniform(key).unwrap().1));
            oracle.check_many::<$ty>("uniform", |key| host(program.uniform(key).unwrap().2));
            oracle.check::<$ty>("exact_range", |key| {
                let [exact, _] = program.ranges(key).unwrap();
                host(exact)
            });
            let high = Array1::from_elem(131, 2.5);
            oracle.check::<$ty>("exact_range", |key| {
                host(program.computed_range(key, -1.5, &high).unwrap())
            });
            oracle.check_close::<$ty>("range", 1.0, |key| {
                let [_, range] = program.ranges(key).unwrap();
                host(range)
            });
            let low = "-0.5".parse::<$ty>().unwrap();
            let drawn = [("normal", 0.0), ("truncated", MIDDLE), ("truncated", MIDDLE)];
            for (index, (name, floor)) in drawn.into_iter().enumerate() {
                oracle.check_close::<$ty>(name, floor, |key| {
                    let drawn = program.normal(key, low).unwrap();
                    host(drawn.into_iter().nth(index).unwrap())
                });
            }
            let p = oracle.data.array::<$ty>("probability").into_dimensionality::<Ix1>().unwrap();
            oracle.check::<bool>("bernoulli", |key| host(program.bernoulli(key, &p).unwrap()));
            let logits = oracle.data.array::<$ty>("logits").into_dimensionality::<Ix2>().unwrap();
            oracle.check::<i32>("categorical", |key| {
                host(program.categorical(key, &logits).unwrap().0)
            });
            oracle.check::<i32>("categorical_first", |key| {
                host(program.categorical(key, &logits).unwrap().1)
            });
            oracle.check::<i32>("categorical_many", |key| {
                host(program.categorical(key, &logits).unwrap().2)
            });
            oracle.finish();
        })+
    };
}

floats! {
    f16 of_f16 RandomF16;
    bf16 of_bf16 RandomBf16;
    f32 of_f32 RandomF32;
    f64 of_f64 RandomF64;
}

macro_rules! complex_numbers {
    ($($real:ident $family:literal $module:ident $program:ident;)+) => {
        $(#[program]
        mod $module {
            pub struct $program;

            impl $program {
                pub fn normal(&self, key: Tensor<u32, 2>) -> Tensor<Complex<$real>, 131> {
                    random::normal(key)
                }
            }
        }

        #[test]
        fn $module() {
            let program = $module::$program::load(&open()).unwrap();
            let mut oracle = Oracle::new($family);
            oracle.check_close::<Complex<$real>>("normal", TAIL, |key| host(program.normal(key).unwrap()));
            oracle.finish();
        })+
    };
}

complex_numbers! {
    f32 "c64" of_c64 RandomC64;
    f64 "c128" of_c128 RandomC128;
}

#[program]
mod permutations {
    const COUNT: usize = 1000;

    pub struct Permutations;

    impl Permutations {
        pub fn places(
            &self,
            key: Tensor<u32, 2>,
        ) -> (Tensor<i32, 1000>, Tensor<i32, 5000>, Tensor<i32, 1>) {
            (
                random::permutation(key, COUNT),
                random::permutation(key, arange::<i32, 5000>()),
                random::permutation(key, 1),
            )
        }

        pub fn lines(
            &self,
            key: Tensor<u32, 2>,
            x: Tensor<i32, 77, 2>,
        ) -> (Tensor<i32, 77, 2>, Tensor<i32, 2, 77>) {
            (
                random::permutation(key, x),
                random::permutation(key, x.t(), -1),
            )
        }
    }
}

#[test]
fn permutations_are_those_of_jax() {
    let program = permutations::Permutations::load(&open()).unwrap();
    let mut oracle = Oracle::new("permutation");
    oracle.check::<i32>("range", |key| host(program.places(key).unwrap().0));
    oracle.check::<i32>("long", |key| host(program.places(key).unwrap().1));
    oracle.check::<i32>("one", |key| host(program.places(key).unwrap().2));
    let matrix = Array1::from_iter(0..154)
        .into_shape_with_order((77, 2))
        .unwrap();
    oracle.check::<i32>("rows", |key| host(program.lines(key, &matrix).unwrap().0));
    oracle.check::<i32>("columns", |key| {
        host(program.lines(key, &matrix).unwrap().1)
    });
    oracle.finish();
}
