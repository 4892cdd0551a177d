//! What is said of calls whose sizes do not fit, in words that people read.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

#[program]
mod needs {
    pub struct Needs;

    impl Needs {
        pub fn reshaped<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N, M>,
        ) -> Tensor<f32, _, 32> {
            x.reshape([-1, 32])
        }

        pub fn blocks<const N: usize>(&self, x: Tensor<f32, N, 6>) -> Tensor<f32, _, 4> {
            x.reshape([-1, 4])
        }

        pub fn shorter<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, _, 32> {
            x[s![1..]].reshape([-1, 32])
        }

        pub fn parted<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, M>,
        ) -> Tensor<f32, _> {
            let parts = concatenate([x, y, x], 0).split(32, 0);
            parts[0] + parts[31]
        }

        pub fn window<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, { 2 * N }>,
            y: Tensor<f32, N>,
            z: Tensor<f32, M>,
            i: Tensor<i32>,
        ) -> Tensor<f32> {
            x.dynamic_slice([i], [{ M + 1 }]).sum() + y.sum() + z.sum()
        }

        pub fn half<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, M>,
        ) -> Tensor<f32> {
            x[s![..M]].sum() + y[s![..(N / 2)]].sum()
        }

        pub fn every_third<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, M>,
        ) -> Tensor<f32> {
            x[s![1..;3]][s![..M]].sum() + y.sum()
        }

        pub fn looked_up<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            places: Tensor<i32, M>,
        ) -> Tensor<f32, M> {
            x.take(places, 0)
        }

        /// What nobody gets to needs nothing.
        pub fn guarded<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<i32> {
            let mut place = -1;
            if x.dim(0) > 0 {
                place = x.argmax_axis(0);
            }
            place
        }

        pub fn place<const N: usize>(&self, x: Tensor<f32, 3, N>) -> Tensor<i32, 3> {
            x.argmax_axis(1)
        }

        pub fn drawn<const N: usize>(
            &self,
            key: Tensor<u32, 2>,
            logits: Tensor<f32, N>,
        ) -> Tensor<i32> {
            random::categorical(key, logits)
        }

        pub fn padded<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, M>,
        ) -> Tensor<f32, _> {
            pad!(x, low = [{ 2 * N - M - 3 }], high = [y.dim(0)])
        }
    }
}

fn need<T: std::fmt::Debug>(result: iree_dsl::Result<T>) -> String {
    let text = result.expect_err("the call is refused").to_string();
    let (_, need) = text.split_once(" needs ").expect("what it needs");
    need.to_owned()
}

fn vector(size: usize) -> Array1<f32> {
    Array1::ones(size)
}

#[test]
fn needs_are_told_in_words_that_people_read() {
    for name in ["local-sync", "local-task"] {
        let program = needs::Needs::load(&Device::open(name).unwrap()).unwrap();
        let told = [
            need(program.reshaped(&Array2::ones((5, 7)))),
            need(program.blocks(&Array2::ones((5, 6)))),
            need(program.shorter(&vector(32))),
            need(program.parted(&vector(15), &vector(5))),
            need(program.window(&vector(4), &vector(2), &vector(4), 0)),
            need(program.half(&vector(9), &vector(3))),
            need(program.every_third(&vector(7), &vector(3))),
            need(program.looked_up(&vector(0), &Array1::zeros(2))),
            need(program.padded(&vector(3), &vector(4))),
            need(program.place(&Array2::ones((3, 0)))),
            need(program.drawn([1, 2], &vector(0))),
        ];
        let expected = [
            "`(M*N) % 32 == 0`, but N is 5, M is 7",
            "`N % 2 == 0`, but N is 5",
            "`(N - 1) % 32 == 0`, but N is 32",
            "`(M + 2*N) % 32 == 0`, but N is 15, M is 5",
            "`2*N >= M + 1`, but N is 2, M is 4",
            "`2*M + 1 >= N`, but N is 9, M is 3",
            "`N + 1 >= 3*M`, but N is 7, M is 3",
            "`N >= 1 || M == 0`, but N is 0, M is 2",
            "`2*N >= M + 3`, but N is 3, M is 4",
            "`N >= 1`, but N is 0",
            "`N >= 1`, but N is 0",
        ];
        assert_eq!(told, expected);
        for (size, expected) in [(0, -1), (3, 0)] {
            let place = program.guarded(&vector(size)).unwrap();
            assert_eq!(place.to_scalar().unwrap(), expected);
        }
    }
}
