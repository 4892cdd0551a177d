//! Trees with type parameters that have no bounds: what their fields make of them tells whether they are element
//! types or trees.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod unbounded {
    #[derive(Clone)]
    pub struct Pair<T, const N: usize> {
        pub a: Tensor<T, N>,
        pub b: Tensor<T>,
    }

    type Row<T> = Tensor<T, 2>;

    /// Elements of another tree and of an alias, and a tree.
    pub struct Several<T, U, P> {
        pub pairs: [(Pair<T, 3>, Row<U>); 1],
        pub rest: Held<P>,
    }

    /// A tree.
    pub struct Held<A> {
        pub inner: A,
    }

    /// An element type, as an argument of an argument.
    pub struct Deep<T> {
        pub held: Held<Held<Pair<T, 2>>>,
    }

    pub struct Unbounded {
        #[global]
        last: Pair<i32, 2>,
    }

    impl Unbounded {
        pub fn swap(&mut self, p: Pair<i32, 2>) -> Pair<i32, 2> {
            let last = self.last;
            self.last = doubled(p);
            last
        }

        pub fn several(
            &self,
            x: Several<f64, u8, Pair<f32, 1>>,
        ) -> (Tensor<f64>, Tensor<u8, 2>, Held<Pair<f32, 1>>) {
            let (pair, row) = x.pairs[0];
            (
                pair.a.sum() * pair.b,
                row,
                Held {
                    inner: doubled(x.rest.inner),
                },
            )
        }

        pub fn deep(&self, x: Deep<i64>) -> Deep<i64> {
            let inner = Held {
                inner: doubled(x.held.inner.inner),
            };
            Deep {
                held: Held { inner },
            }
        }
    }

    #[kernel]
    fn doubled<T: Num, const N: usize>(p: Pair<T, N>) -> Pair<T, N> {
        Pair {
            a: p.a + p.a,
            b: p.b + p.b,
        }
    }
}

use unbounded::{Deep, Held, Pair, Several, Unbounded};

fn device() -> Device {
    Device::open("local-sync").unwrap()
}

fn pair<T: iree_dsl::Element, const N: usize>(device: &Device, a: [T; N], b: T) -> Pair<T, N> {
    Pair {
        a: device.upload(&Array1::from(a.to_vec())).unwrap(),
        b: device.upload(&ndarray::arr0(b)).unwrap(),
    }
}

#[test]
fn element_types_need_no_bound() {
    let device = device();
    let mut program = Unbounded::load(&device).unwrap();
    let zero = program.swap(pair(&device, [1, -2], 3)).unwrap();
    assert_eq!(zero.a.to_array().unwrap(), array![0, 0]);
    let Pair { a, b } = program.swap(pair(&device, [0, 0], 0)).unwrap();
    assert_eq!(a.to_array().unwrap(), array![2, -4]);
    assert_eq!(b.to_scalar().unwrap(), 6);
}

#[test]
fn element_types_may_be_arguments() {
    let device = device();
    let program = Unbounded::load(&device).unwrap();
    let row = device.upload(&array![7_u8, 9]).unwrap();
    let several = Several {
        pairs: [(pair(&device, [0.5, 0.25, 4.0], 2.0_f64), row)],
        rest: Held {
            inner: pair(&device, [0.25_f32], 1.0),
        },
    };
    let (product, row, held) = program.several(&several).unwrap();
    assert_eq!(product.to_scalar().unwrap(), 9.5);
    assert_eq!(row.to_array().unwrap(), array![7, 9]);
    assert_eq!(held.inner.a.to_array().unwrap(), array![0.5]);
    let inner = Held {
        inner: pair(&device, [i64::MAX, 4], -1),
    };
    let deep = program
        .deep(&Deep {
            held: Held { inner },
        })
        .unwrap();
    let Pair { a, b } = deep.held.inner.inner;
    assert_eq!(a.to_array().unwrap(), array![-2, 8]);
    assert_eq!(b.to_scalar().unwrap(), -2);
}
