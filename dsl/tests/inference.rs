//! What the generic parameters of kernels are inferred from: trees within trees, and aliases of them.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod inference {
    #[derive(Clone)]
    pub struct Pair<T: Element, const N: usize> {
        pub a: Tensor<T, N>,
        pub b: Tensor<T>,
    }

    pub struct Holder<A> {
        pub inner: A,
    }

    pub struct Two<A> {
        pub x: A,
        pub y: A,
    }

    type Singles<const N: usize> = Pair<f32, N>;
    type Held<T, const N: usize> = Holder<Pair<T, N>>;
    type Nested<T, const N: usize> = Two<Held<T, N>>;

    pub struct Inference;

    #[kernel]
    fn filled<B: Dims>(by: f64) -> Tensor<f32, B> {
        full(by)
    }

    #[kernel]
    fn shifted<K: Dims>(x: Tensor<f32, K, 2>) -> Tensor<f32, K, 2> {
        x + filled::<K>(0.5).insert_axis(-1)
    }

    #[kernel]
    fn folded<S, B>(f: impl Fn(S, B) -> S, first: S, second: S) -> S {
        let start: B = ones();
        f(f(first, start), start) + second
    }

    #[kernel]
    fn shorter(x: Tensor<f32, 2>, y: Tensor<f32, 3>) -> Tensor<f32, 2> {
        x + y[s![1..]]
    }

    impl Inference {
        pub fn handed_on(&self, x: Tensor<f32, 3, 2>) -> Tensor<f32, 3, 2> {
            shifted(x)
        }

        /// Nothing but the functions tells what `B` is.
        pub fn by_functions(&self, x: Tensor<f32, 2>) -> (Tensor<f32, 2>, Tensor<f32, 2>) {
            let closure = |x, y: Tensor<f32, 4>| x * y.sum();
            (folded(closure, x, x), folded(shorter, x, x))
        }

        pub fn tree(&self, p: Holder<Pair<f32, 3>>) -> Tensor<f32> {
            of_tree(p)
        }

        pub fn tensor(&self, p: Holder<Tensor<f32, 3>>) -> Tensor<f32> {
            of_tensor(p)
        }

        pub fn tuple(&self, p: Holder<(Tensor<f64, 3>, Tensor<i32>)>) -> Tensor<f64> {
            of_tuple(p)
        }

        pub fn array(&self, p: Holder<[Pair<f32, 2>; 3]>) -> Tensor<f32> {
            of_array(p)
        }

        pub fn same(&self, p: Two<Tensor<i8>>) -> Two<Tensor<i8>> {
            swapped(p)
        }

        pub fn alias(&self, p: Pair<f32, 3>) -> Tensor<f32> {
            of_alias(p)
        }

        pub fn alias_of_aliases(&self, p: Two<Holder<Pair<f64, 2>>>) -> Tensor<f64> {
            of_aliases(p)
        }

        pub fn halved(&self, x: Tensor<f32, 7, 8>) -> Tensor<f32, 3, 4> {
            of_arithmetic(x)
        }

        pub fn halved_at_run_time<const N: usize>(
            &self,
            x: Tensor<f32, N, 4>,
        ) -> Tensor<f32, N, 2> {
            let doubled = concatenate([x, x, x[s![..1]]], 0);
            of_arithmetic(doubled)
        }

        pub fn framed<const N: usize>(&self, x: Tensor<f32, 3, N>) -> Tensor<f32, 3> {
            of_product(x, concatenate([x, x, x], 1))
        }

        pub fn run_time<const N: usize>(&self, a: Tensor<f32, N>, b: Tensor<f32>) -> Tensor<f32> {
            let inner = Pair { a, b };
            of_tree(Holder { inner }) * of_held(Holder { inner })
        }

        pub fn literal(&self, x: Tensor<f32, 3>) -> Tensor<f32> {
            of_tree(Holder {
                inner: Pair { a: x, b: 2.0 },
            })
        }
    }

    #[kernel]
    fn of_arithmetic<const M: usize, const N: usize>(
        x: Tensor<f32, { 2 * M + 1 }, { N + N }>,
    ) -> Tensor<f32, M, N> {
        x[s![1..M + 1, ..N]]
    }

    #[kernel]
    fn of_product<const M: usize, const N: usize, const K: usize>(
        x: Tensor<f32, M, N>,
        y: Tensor<f32, M, { K * N }>,
    ) -> Tensor<f32, M> {
        (x.sum_axis(1) + y.sum_axis(1)) * K as f32
    }

    #[kernel]
    fn of_tree<T: Num, const N: usize>(p: Holder<Pair<T, N>>) -> Tensor<T> {
        p.inner.a.sum() * p.inner.b
    }

    #[kernel]
    fn of_tensor<const N: usize>(p: Holder<Tensor<f32, N>>) -> Tensor<f32> {
        p.inner.sum() * N as f32
    }

    #[kernel]
    fn of_tuple<T: Num, const N: usize>(p: Holder<(Tensor<T, N>, Tensor<i32>)>) -> Tensor<T> {
        p.inner.0.sum() * p.inner.1 as T
    }

    #[kernel]
    fn of_array<T: Num, const N: usize, const K: usize>(p: Holder<[Pair<T, N>; K]>) -> Tensor<T> {
        let mut sum: Tensor<T> = 0;
        for pair in p.inner {
            sum += pair.a.sum() * pair.b;
        }
        sum * K as T + N as T
    }

    #[kernel]
    fn swapped<T: Num>(p: Two<Tensor<T>>) -> Two<Tensor<T>> {
        Two { x: p.y, y: p.x + 1 }
    }

    #[kernel]
    fn of_alias<const N: usize>(p: Singles<N>) -> Tensor<f32> {
        p.a.sum() * p.b + N as f32
    }

    #[kernel]
    fn of_held<T: Num, const N: usize>(p: Held<T, N>) -> Tensor<T> {
        p.inner.b + N as T
    }

    #[kernel]
    fn of_aliases<T: Num, const N: usize>(p: Nested<T, N>) -> Tensor<T> {
        of_tree(p.x) - of_held(p.y)
    }
}

use inference::{Holder, Inference, Pair, Two};

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
fn a_tree_within_a_tree_tells() {
    let device = device();
    let program = Inference::load(&device).unwrap();
    let inner = pair(&device, [1.0_f32, 2.0, 3.0], 5.0);
    let held = Holder { inner };
    assert_eq!(program.tree(&held).unwrap().to_scalar().unwrap(), 30.0);
    let product = program.run_time([1.0, 2.0, 3.0], 5.0).unwrap();
    assert_eq!(product.to_scalar().unwrap(), 30.0 * 8.0);
    let literal = program.literal([1.0, 2.0, 3.5]).unwrap();
    assert_eq!(literal.to_scalar().unwrap(), 13.0);
}

#[test]
fn what_else_a_tree_holds_tells() {
    let device = device();
    let program = Inference::load(&device).unwrap();
    let row = device.upload(&array![1.0_f32, 2.0, 3.0]).unwrap();
    let sum = program.tensor(&Holder { inner: row }).unwrap();
    assert_eq!(sum.to_scalar().unwrap(), 18.0);
    let row = device.upload(&array![0.5_f64, 0.25, 4.0]).unwrap();
    let factor = device.upload(&ndarray::arr0(-7)).unwrap();
    let sum = program
        .tuple(&Holder {
            inner: (row, factor),
        })
        .unwrap();
    assert_eq!(sum.to_scalar().unwrap(), 4.75 * -7.0);
    let pairs = [1.0_f32, 10.0, 100.0].map(|scale| pair(&device, [1.0, 0.5], scale));
    let sum = program.array(&Holder { inner: pairs }).unwrap();
    assert_eq!(sum.to_scalar().unwrap(), 1.5 * 111.0 * 3.0 + 2.0);
    let [x, y] = [3_i8, -4].map(|x| device.upload(&ndarray::arr0(x)).unwrap());
    let swapped = program.same(&Two { x, y }).unwrap();
    assert_eq!(swapped.x.to_scalar().unwrap(), -4);
    assert_eq!(swapped.y.to_scalar().unwrap(), 4);
}

#[test]
fn an_alias_of_a_tree_tells() {
    let device = device();
    let program = Inference::load(&device).unwrap();
    let single = pair(&device, [1.0_f32, 2.0, 4.0], 0.5);
    assert_eq!(program.alias(&single).unwrap().to_scalar().unwrap(), 6.5);
    let two = Two {
        x: Holder {
            inner: pair(&device, [1.0_f64, 2.0], 3.0),
        },
        y: Holder {
            inner: pair(&device, [0.0_f64, 0.0], 4.0),
        },
    };
    let difference = program.alias_of_aliases(&two).unwrap();
    assert_eq!(difference.to_scalar().unwrap(), 9.0 - 6.0);
}

#[test]
fn sizes_follow_through_arithmetic() {
    let device = Device::open("local-sync").unwrap();
    let program = inference::Inference::load(&device).unwrap();
    let x = ndarray::Array2::from_shape_fn((7, 8), |(i, j)| (10 * i + j) as f32);
    let found = program.halved(&x).unwrap().to_array().unwrap();
    assert_eq!(found, x.slice(ndarray::s![1..4, ..4]));
    let x = array![[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]];
    let found = program.halved_at_run_time(&x).unwrap().to_array().unwrap();
    assert_eq!(found, array![[5.0, 6.0], [1.0, 2.0]]);
    let x = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let found = program.framed(&x).unwrap().to_array().unwrap();
    assert_eq!(found, array![36.0, 84.0, 132.0]);
}

#[test]
fn dimensions_are_handed_on() {
    let program = inference::Inference::load(&device()).unwrap();
    let found = program
        .handed_on([[1.0, 2.0]; 3])
        .unwrap()
        .to_array()
        .unwrap();
    assert_eq!(found.row(2), array![1.5, 2.5]);
}

#[test]
fn functions_tell_what_they_take() {
    let program = inference::Inference::load(&device()).unwrap();
    let (closure, kernel) = program.by_functions([1.0, 2.0]).unwrap();
    assert_eq!(closure.to_array().unwrap(), array![17.0, 34.0]);
    assert_eq!(kernel.to_array().unwrap(), array![4.0, 6.0]);
}
