//! What a batch computes is what a loop over its elements does: lookups, parts, orders and the like.

use iree_dsl::{Element, prelude::*};
use ndarray::{Array, Array2, Array3, Dimension, array};

#[program]
mod elements {
    pub struct Elements;

    impl Elements {
        pub fn taken<const B: usize>(
            &self,
            x: Tensor<f32, B, 3, 4>,
            i: Tensor<i32, B, 2>,
        ) -> [(Tensor<f32, B, 3, 2>, Tensor<f32, B, 3, 2>, Tensor<f32, B>); 2] {
            let shared = x[0];
            let f = |(x, i): (Tensor<f32, 3, 4>, Tensor<i32, 2>)| {
                let a = i[0].clamp(0, 2);
                (x.take(i, 1), shared.take(i, 1), x[(a, 1)] + shared[(a, 2)])
            };
            [vmap(f)((x, i)), map((x, i), f)]
        }

        pub fn put(
            &self,
            x: Tensor<f32, 4, 3, 4>,
            i: Tensor<i32, 4, 2>,
            y: Tensor<f32, 4, 3, 2>,
        ) -> [(
            Tensor<f32, 4, 3, 4>,
            Tensor<f32, 4, 3, 4>,
            Tensor<f32, 4, 3, 4>,
        ); 2] {
            let shared = x[1];
            let f = |(x, i, y): (Tensor<f32, 3, 4>, Tensor<i32, 2>, Tensor<f32, 3, 2>)| {
                let mut z = x;
                z[s![.., i[1].clamp(0, 3)]] = y[s![.., 0]];
                (x.scatter_max(i, y, 1), shared.scatter_add(i, y, 1), z)
            };
            [vmap(f)((x, i, y)), map((x, i, y), f)]
        }

        pub fn ordered<const B: usize>(
            &self,
            x: Tensor<f32, B, 3, 4>,
            i: Tensor<i32, B, 2>,
        ) -> [(
            Tensor<f32, B, 3, 4>,
            Tensor<i32, B, 3>,
            Tensor<f32, B, 3, 4>,
            Tensor<f32, B, 2, 4>,
        ); 2] {
            let f = |(x, i): (Tensor<f32, 3, 4>, Tensor<i32, 2>)| {
                let order = x.argsort(1);
                let places = x.argmax_axis(1);
                (
                    x.take_along_axis(order, 1),
                    places,
                    x.cummax(0) + x.roll(1, 1),
                    i.one_hot::<f32, 4>(),
                )
            };
            [vmap(f)((x, i)), map((x, i), f)]
        }

        /// Loops over rows, in which a row is read and one written.
        pub fn rows<const B: usize>(
            &self,
            x: Tensor<f32, B, 3, 4>,
            n: Tensor<i32, B>,
        ) -> [(Tensor<f32, B, 3, 4>, Tensor<f32, B, 3, 4>); 2] {
            let f = |(x, n): (Tensor<f32, 3, 4>, Tensor<i32>)| {
                let mut y = x;
                for i in range(0, 3) {
                    if i < n {
                        y[i] = y[i] * 2.0 + x[2 - i];
                    }
                }
                let mut z = x;
                for i in range(0, n) {
                    z[i] = z[i] - y[i];
                }
                (y, z)
            };
            [vmap(f)((x, n)), map((x, n), f)]
        }

        pub fn within<const B: usize>(&self, x: Tensor<f32, B>, n: Tensor<i32>) -> Tensor<f32, B> {
            let mut y = x;
            for i in range(0, n) {
                if i % 2 == 0 {
                    y = vmap(|a: Tensor<f32>| if a > 1.0 { a / 2.0 } else { a + n as f32 })(y);
                }
            }
            y
        }
    }
}

fn equal<T: Element + PartialEq + std::fmt::Debug, D: Dimension>(
    x: DeviceArray<T, D>,
    y: DeviceArray<T, D>,
) {
    let (x, y): (Array<T, D>, Array<T, D>) = (x.to_array().unwrap(), y.to_array().unwrap());
    assert_eq!(x, y);
}

#[test]
fn batches_are_loops() {
    let program = elements::Elements::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = Array3::from_shape_fn((4, 3, 4), |(a, b, c)| ((a * 7 + b * 5 + c * 3) % 11) as f32);
    let y = Array3::from_shape_fn((4, 3, 2), |(a, b, c)| ((a * 5 + b * 3 + c * 7) % 13) as f32);
    let i: Array2<i32> = array![[0, 3], [2, 2], [-1, 5], [1, 0]];
    let [(a, b, c), (d, e, f)] = program.taken(&x, &i).unwrap();
    equal(a, d);
    equal(b, e);
    equal(c, f);
    let [(a, b, c), (d, e, f)] = program.put(&x, &i, &y).unwrap();
    equal(a, d);
    equal(b, e);
    equal(c, f);
    let [(a, b, c, d), (e, f, g, h)] = program.ordered(&x, &i).unwrap();
    equal(a, e);
    equal(b, f);
    equal(c, g);
    equal(d, h);
    let [(a, b), (c, d)] = program.rows(&x, &array![3, 0, 2, 1]).unwrap();
    equal(a, c);
    equal(b, d);
    let within = program.within(&array![0.5, 3.0], 3).unwrap();
    // In rounds 0 and 2.
    assert_eq!(within.to_array().unwrap(), array![1.75, 0.75]);
}
