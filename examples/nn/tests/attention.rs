//! Attention next to plain Rust, with the masks of PyTorch.

mod common;

use common::{DEVICES, Multihead, Number, Numbers, assert_near, attend, wide};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, Array4, s};
use nn::{attention::MultiheadAttention, layers::Linear};

const WIDTH: usize = 8;
const HEADS: usize = 2;

macro_rules! programs {
    ($name:ident, $t:ident) => {
        #[program]
        pub mod $name {
            #[kernel]
            use nn::attention::{
                MultiheadAttention, multihead_attention, scaled_dot_product_attention,
                square_subsequent_mask,
            };

            type Layer = MultiheadAttention<{ EMBED_DIM = 8 }, { NUM_HEADS = 2 }, T = $t>;

            pub struct Program;

            impl Program {
                pub fn plain(
                    &self,
                    query: Tensor<$t, 3, 4>,
                    key: Tensor<$t, 5, 4>,
                    value: Tensor<$t, 5, 2>,
                ) -> Tensor<$t, 3, 2> {
                    scaled_dot_product_attention(query, key, value, true, false)
                }

                pub fn causal<const L: usize, const S: usize>(
                    &self,
                    query: Tensor<$t, L, 4>,
                    key: Tensor<$t, S, 4>,
                    value: Tensor<$t, S, 4>,
                ) -> Tensor<$t, L, 4> {
                    scaled_dot_product_attention(query, key, value, true, true)
                }

                pub fn masked<const B: usize, const L: usize, const S: usize>(
                    &self,
                    query: Tensor<$t, B, 2, L, 4>,
                    key: Tensor<$t, B, 2, S, 4>,
                    value: Tensor<$t, B, 2, S, 4>,
                    mask: Tensor<bool, L, S>,
                ) -> Tensor<$t, B, 2, L, 4> {
                    scaled_dot_product_attention(query, key, value, mask, false)
                }

                pub fn itself<const B: usize, const L: usize>(
                    &self,
                    layer: Layer,
                    x: Tensor<$t, B, L, 8>,
                    padding: Tensor<bool, B, L>,
                ) -> Tensor<$t, B, L, 8> {
                    multihead_attention(layer, x, x, x, padding, false)
                }

                pub fn cross<const B: usize, const L: usize, const S: usize>(
                    &self,
                    layer: Layer,
                    query: Tensor<$t, B, L, 8>,
                    key: Tensor<$t, B, S, 8>,
                    value: Tensor<$t, B, S, 8>,
                    mask: Tensor<bool, L, S>,
                ) -> Tensor<$t, B, L, 8> {
                    multihead_attention(layer, query, key, value, false, mask)
                }

                pub fn fixed(
                    &self,
                    layer: Layer,
                    x: Tensor<$t, 2, 5, 8>,
                    padding: Tensor<bool, 2, 5>,
                ) -> Tensor<$t, 2, 5, 8> {
                    let mask = square_subsequent_mask::<{ SZ = 5 }>();
                    multihead_attention(layer, x, x, x, padding, mask)
                }

                pub fn one<const L: usize>(
                    &self,
                    layer: Layer,
                    x: Tensor<$t, L, 8>,
                ) -> Tensor<$t, L, 8> {
                    let mask = square_subsequent_mask::<L>();
                    multihead_attention(layer, x, x, x, false, mask)
                }
            }
        }
    };
}

programs!(single, f32);
programs!(double, f64);
programs!(short, bf16);

/// A layer on the device, and the same in plain Rust.
fn layer<T: Number>(
    device: &Device,
    numbers: &mut Numbers,
) -> (MultiheadAttention<WIDTH, HEADS, T>, Multihead) {
    let input: (Array2<T>, Array1<T>) =
        (numbers.array((3 * WIDTH, WIDTH)), numbers.array(3 * WIDTH));
    let output: (Array2<T>, Array1<T>) = (numbers.array((WIDTH, WIDTH)), numbers.array(WIDTH));
    let layer = MultiheadAttention {
        in_proj_weight: device.upload(&input.0).unwrap(),
        in_proj_bias: device.upload(&input.1).unwrap(),
        out_proj: Linear {
            weight: device.upload(&output.0).unwrap(),
            bias: device.upload(&output.1).unwrap(),
        },
    };
    let reference = Multihead {
        heads: HEADS,
        input: (wide(&input.0), wide(&input.1)),
        output: (wide(&output.0), wide(&output.1)),
    };
    (layer, reference)
}

/// What each text of a batch takes from itself.
fn texts<T: Number>(
    reference: &Multihead,
    x: &Array3<T>,
    sees: impl Fn(usize, usize, usize) -> bool,
) -> Array3<f64> {
    let x = wide(x);
    let mut expected = x.clone();
    for (text, mut expected) in expected.outer_iter_mut().enumerate() {
        let x = x.slice(s![text, .., ..]).to_owned();
        let sees = |query: usize, key: usize| sees(text, query, key);
        expected.assign(&reference.apply([&x; 3], sees));
    }
    expected
}

macro_rules! tests {
    ($($name:ident: $t:ident;)+) => {
        $(mod $name {
            use super::super::*;
            use super::super::$name::Program;

            #[test]
            fn queries_take_from_what_is_like_them() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = Program::load(&device).unwrap();
                    let mut numbers = Numbers::new(1);
                    let query: Array2<$t> = numbers.array((3, 4));
                    let (key, value): (Array2<$t>, Array2<$t>) =
                        (numbers.array((5, 4)), numbers.array((5, 2)));
                    let expected =
                        attend(wide(&query).view(), wide(&key).view(), wide(&value).view(), |_, _| true);
                    assert_near(program.plain(&query, &key, &value), &expected);
                    for (queries, keys) in [(1, 1), (9, 9), (4, 7), (6, 2)] {
                        let query: Array2<$t> = numbers.array((queries, 4));
                        let (key, value): (Array2<$t>, Array2<$t>) =
                            (numbers.array((keys, 4)), numbers.array((keys, 4)));
                        let expected = attend(
                            wide(&query).view(),
                            wide(&key).view(),
                            wide(&value).view(),
                            |query, key| key <= query,
                        );
                        assert_near(program.causal(&query, &key, &value), &expected);
                    }
                }
            }

            #[test]
            fn a_mask_is_true_where_a_key_is_seen() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = Program::load(&device).unwrap();
                    let mut numbers = Numbers::new(2);
                    for (texts, queries, keys) in [(1, 1, 1), (2, 5, 9), (3, 4, 2), (1, 16, 33)] {
                        let query: Array4<$t> = numbers.array((texts, 2, queries, 4));
                        let key: Array4<$t> = numbers.array((texts, 2, keys, 4));
                        let value: Array4<$t> = numbers.array((texts, 2, keys, 4));
                        let mut mask = numbers.mask((queries, keys));
                        // One query sees nothing.
                        mask.row_mut(queries - 1).fill(false);
                        let mut expected = wide(&query);
                        for text in 0..texts {
                            for head in 0..2 {
                                let part = s![text, head, .., ..];
                                let (query, key) = (wide(&query), wide(&key));
                                let value = wide(&value);
                                let (query, key) = (query.slice(part), key.slice(part));
                                let sees = |query, key| mask[[query, key]];
                                let found = attend(query, key, value.slice(part), sees);
                                expected.slice_mut(part).assign(&found);
                            }
                        }
                        assert_near(program.masked(&query, &key, &value, &mask), &expected);
                    }
                }
            }

            #[test]
            fn texts_are_filled_up() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = Program::load(&device).unwrap();
                    let mut numbers = Numbers::new(3);
                    let (layer, reference) = layer::<$t>(&device, &mut numbers);
                    for (count, length) in [(1, 1), (3, 7), (2, 16), (1, 4)] {
                        let x: Array3<$t> = numbers.array((count, length, WIDTH));
                        let padding = Array2::from_shape_fn((count, length), |(text, at)| at > text + 2);
                        let expected = texts(&reference, &x, |text, _, key| !padding[[text, key]]);
                        assert_near(program.itself(&layer, &x, &padding), &expected);
                    }
                    let x: Array3<$t> = numbers.array((2, 5, WIDTH));
                    let padding = Array2::from_shape_fn((2, 5), |(text, at)| at < text);
                    let sees = |text, query, key| key <= query && !padding[[text, key]];
                    let expected = texts(&reference, &x, sees);
                    assert_near(program.fixed(&layer, &x, &padding), &expected);
                }
            }

            #[test]
            fn keys_may_be_of_another_text() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = Program::load(&device).unwrap();
                    let mut numbers = Numbers::new(4);
                    let (layer, reference) = layer::<$t>(&device, &mut numbers);
                    for (count, queries, keys) in [(1, 2, 1), (2, 3, 8), (2, 6, 5)] {
                        let query: Array3<$t> = numbers.array((count, queries, WIDTH));
                        let key: Array3<$t> = numbers.array((count, keys, WIDTH));
                        let value: Array3<$t> = numbers.array((count, keys, WIDTH));
                        let mut hidden = numbers.mask((queries, keys));
                        hidden.column_mut(0).fill(false);
                        let mut expected = wide(&query);
                        for (text, mut expected) in expected.outer_iter_mut().enumerate() {
                            let [query, key, value] = [&query, &key, &value]
                                .map(|x| wide(x).slice(s![text, .., ..]).to_owned());
                            let sees = |query: usize, key: usize| !hidden[[query, key]];
                            expected.assign(&reference.apply([&query, &key, &value], sees));
                        }
                        let found = program.cross(&layer, &query, &key, &value, &hidden);
                        assert_near(found, &expected);
                    }
                }
            }

            #[test]
            fn a_text_needs_no_batch() {
                for device in DEVICES {
                    let device = Device::open(device).unwrap();
                    let program = Program::load(&device).unwrap();
                    let mut numbers = Numbers::new(5);
                    let (layer, reference) = layer::<$t>(&device, &mut numbers);
                    for length in [1, 12, 3] {
                        let x: Array2<$t> = numbers.array((length, WIDTH));
                        let expected = reference.apply([&wide(&x); 3], |query, key| key <= query);
                        assert_near(program.one(&layer, &x), &expected);
                    }
                }
            }
        })+
    };
}

mod tests {
    tests! {
        single: f32;
        double: f64;
        short: bf16;
    }
}
