//! Calls one after the other, where the work of an earlier one is not done yet: what it reads is what was there when
//! it was called, and what it computes can be handed on.

use iree_dsl::prelude::*;
use ndarray::Array2;

const SIZE: usize = 512;

#[program]
mod globals {
    const SIZE: usize = 512;

    pub struct Globals {
        #[global(init = full(1.0))]
        read: Tensor<f32, SIZE, SIZE>,
        #[global]
        kept: Tensor<f32, SIZE, SIZE>,
    }

    impl Globals {
        /// Reads the global after a while.
        pub fn keep(&mut self, ones: Tensor<f32, SIZE, SIZE>) {
            let mut product = ones;
            for _ in 0..4 {
                product = product.dot(ones) / SIZE as f32;
            }
            self.kept = product * self.read;
        }

        pub fn replace(&mut self, row: Tensor<i32>) {
            self.read[s![row, ..]] = full(7.0);
        }

        pub fn sums(&self) -> [Tensor<f32>; 2] {
            [self.kept.sum(), self.read.sum()]
        }
    }
}

#[program]
mod arguments {
    const SIZE: usize = 512;

    pub struct Arguments;

    impl Arguments {
        /// Reads `read` after a while.
        pub fn keep(
            &self,
            ones: Tensor<f32, SIZE, SIZE>,
            read: Tensor<f32, SIZE, SIZE>,
        ) -> Tensor<f32, SIZE, SIZE> {
            let mut product = ones;
            for _ in 0..4 {
                product = product.dot(ones) / SIZE as f32;
            }
            product * read
        }

        pub fn replace(
            &self,
            x: Tensor<f32, SIZE, SIZE>,
            row: Tensor<i32>,
        ) -> Tensor<f32, SIZE, SIZE> {
            let mut x = x;
            x[s![row, ..]] = full(7.0);
            x
        }
    }
}

const COUNT: f32 = (SIZE * SIZE) as f32;

#[test]
fn globals_are_replaced_after_earlier_calls_have_read_them() {
    for device in ["local-sync", "local-task", "local-task?queued"] {
        let device = Device::open(device).unwrap();
        let ones = device.upload(&Array2::<f32>::ones((SIZE, SIZE))).unwrap();
        for _ in 0..10 {
            let mut program = globals::Globals::load(&device).unwrap();
            program.keep(&ones).unwrap();
            for row in 0..SIZE as i32 {
                program.replace(row).unwrap();
            }
            let [kept, read] = program.sums().unwrap();
            assert_eq!(kept.to_scalar().unwrap(), COUNT);
            assert_eq!(read.to_scalar().unwrap(), 7.0 * COUNT);
        }
    }
}

#[test]
fn arguments_are_overwritten_after_earlier_calls_have_read_them() {
    for device in ["local-sync", "local-task", "local-task?queued"] {
        let device = Device::open(device).unwrap();
        let program = arguments::Arguments::load(&device).unwrap();
        let ones = device.upload(&Array2::<f32>::ones((SIZE, SIZE))).unwrap();
        for _ in 0..10 {
            let mut read = device.upload(&Array2::<f32>::ones((SIZE, SIZE))).unwrap();
            let kept = program.keep(&ones, &read).unwrap();
            for row in 0..SIZE as i32 {
                read = program.replace(read, row).unwrap();
            }
            assert_eq!(kept.to_array().unwrap(), Array2::<f32>::ones((SIZE, SIZE)));
            assert_eq!(
                read.to_array().unwrap(),
                Array2::<f32>::from_elem((SIZE, SIZE), 7.0)
            );
        }
    }
}

#[program]
mod parts {
    const SIZE: usize = 512;

    pub struct Parts;

    impl Parts {
        /// Two results in one buffer, after a while.
        pub fn both(&self, ones: Tensor<f32, SIZE, SIZE>) -> [Tensor<f32, SIZE, SIZE>; 2] {
            let mut product = ones;
            for _ in 0..4 {
                product = product.dot(ones) / SIZE as f32;
            }
            [product + 1.0, product.t() + 2.0]
        }

        /// With a size that the call tells, for which IREE records commands anew.
        pub fn doubled<const N: usize>(&self, x: Tensor<f32, N, N>) -> Tensor<f32, N, N> {
            x * 2.0
        }
    }
}

#[test]
fn parts_of_a_buffer_are_arguments_before_they_are_computed() {
    for device in ["local-sync", "local-task", "local-task?queued"] {
        let device = Device::open(device).unwrap();
        let program = parts::Parts::load(&device).unwrap();
        let ones = device.upload(&Array2::<f32>::ones((SIZE, SIZE))).unwrap();
        let both = program.both(&ones).unwrap();
        // It waits for the others.
        let both = program.both(&both[0]).unwrap();
        for (array, expected) in both.iter().zip([66.0, 68.0]) {
            let doubled = program.doubled(array).unwrap().to_array().unwrap();
            assert_eq!(doubled, Array2::<f32>::from_elem((SIZE, SIZE), expected));
        }
    }
}

#[program]
mod winners {
    pub struct Winners;

    impl Winners {
        /// Second derivatives, for which elements are added to equal tensors at places, one of them in place, beside loops.
        pub fn slopes<const B: usize, const N: usize>(
            &self,
            x: Tensor<f64, B, N>,
            v: Tensor<f64, B, N>,
        ) -> (Tensor<f64>, Tensor<f64, B, N>) {
            let f = |x: Tensor<f64, N>| {
                let largest = ((x * 3.0).floor() as i32).rem_euclid(N as i32);
                let replaced = ((x * 5.0).floor() as i32).rem_euclid(N as i32);
                full::<f64, N>(-9.0).scatter_max(largest, x, 0) + x.scatter(replaced, x.exp(), 0)
            };
            let sum = |x: Tensor<f64, N>| f(x).sin().sum();
            let w = vmap(f)(x).cos() + 0.3;
            let first = grad(|x: Tensor<f64, B, N>| (vmap(f)(x) * w).sum())(x);
            let changes = |x: Tensor<f64, B, N>| jvp(|x| map(x, sum).sum(), x, v).1;
            (first.sum() + w.sum(), grad(changes)(x))
        }
    }
}

#[test]
fn elements_are_replaced_after_others_have_read_them() {
    let [sync, queued] = ["local-sync", "local-task?queued"].map(|device| {
        let device = Device::open(device).unwrap();
        winners::Winners::load(&device).unwrap()
    });
    for seed in 0..60 {
        let number = |index: usize, factor: f64| ((index * 37 + seed * 11) as f64 * factor).sin();
        let of = |factor| Array2::from_shape_fn((17, 6), |(i, j)| number(6 * i + j, factor));
        let (x, v) = (of(0.71), of(0.53));
        let (sum, expected) = sync.slopes(&x, &v).unwrap();
        let (other_sum, found) = queued.slopes(&x, &v).unwrap();
        let (sum, other_sum) = (sum.to_scalar().unwrap(), other_sum.to_scalar().unwrap());
        assert!((sum - other_sum).abs() < 1e-9, "{sum} {other_sum}");
        let far = expected.to_array().unwrap() - found.to_array().unwrap();
        assert!(far.iter().all(|far| far.abs() < 1e-9), "{seed}: {far}");
    }
}
