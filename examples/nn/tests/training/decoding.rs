//! Positions, and tokens one after the other next to all at once.

use crate::oracle::on_devices;
use iree_dsl::prelude::*;
use ndarray::{Array4, Axis, concatenate, s};

#[program]
mod decoding {
    #[kernel]
    use nn::attention::scaled_dot_product_attention;
    #[kernel]
    use nn::decoding::{KvCache, cached_attention, rotary};

    pub struct Decoding {
        #[global]
        cache: KvCache<2, 3, 6, 8>,
        #[global]
        at: Tensor<i32>,
    }

    impl Decoding {
        pub fn turned(&self, x: Tensor<f32, 2, 3, 5, 8>) -> Tensor<f32, 2, 3, 5, 8> {
            rotary(x, arange::<i32, 5>() + 3, 100.0)
        }

        pub fn restart(&mut self) {
            self.at = 0;
        }

        pub fn next<const L: usize>(
            &mut self,
            x: Tensor<f32, 2, 3, L, 8>,
        ) -> Tensor<f32, 2, 3, L, 8> {
            let (y, cache) = cached_attention(self.cache, self.at, x, x.sin(), x.cos());
            self.cache = cache;
            self.at += L as i32;
            y
        }

        /// Each token sees six at most.
        pub fn windowed(&self, x: Tensor<f32, 2, 3, 10, 8>) -> Tensor<f32, 2, 3, 10, 8> {
            let near = iota::<i32, 10, 10>(0) - iota::<i32, 10, 10>(1) < 6;
            scaled_dot_product_attention(x, x.sin(), x.cos(), near, true)
        }

        pub fn all(&self, x: Tensor<f32, 2, 3, 5, 8>) -> Tensor<f32, 2, 3, 5, 8> {
            scaled_dot_product_attention(x, x.sin(), x.cos(), true, true)
        }
    }
}

#[test]
fn rows_are_turned_by_their_positions() {
    on_devices(|device, oracle| {
        let program = decoding::Decoding::load(device).unwrap();
        let x: Array4<f32> = oracle.array("decoding/x");
        oracle.check("decoding/turned", &program.turned(&x).unwrap());
    });
}

#[test]
fn tokens_one_after_the_other_are_all_at_once() {
    on_devices(|device, oracle| {
        let mut program = decoding::Decoding::load(device).unwrap();
        let x: Array4<f32> = oracle.array("decoding/x");
        let right = program.all(&x).unwrap().to_array().unwrap();
        for parts in [&[1, 1, 1, 1, 1][..], &[3, 1, 1], &[5], &[2, 3]] {
            program.restart().unwrap();
            let mut at = 0;
            for length in parts {
                let part = s![.., .., at..at + length, ..];
                let found = program.next(x.slice(part)).unwrap().to_array().unwrap();
                let error = (found - right.slice(part)).mapv(f32::abs);
                assert!(error.iter().all(|error| *error < 1e-6), "{parts:?} {at}");
                at += length;
            }
        }
    });
}

#[test]
fn a_full_cache_forgets_the_oldest() {
    on_devices(|device, oracle| {
        let mut program = decoding::Decoding::load(device).unwrap();
        let x: Array4<f32> = oracle.array("decoding/x");
        let x = concatenate(Axis(2), &[x.view(), (&x * 2.0).view()]).unwrap();
        let right = program.windowed(&x).unwrap().to_array().unwrap();
        program.restart().unwrap();
        for at in 0..10 {
            let part = s![.., .., at..=at, ..];
            let found = program.next(x.slice(part)).unwrap().to_array().unwrap();
            let error = (found - right.slice(part)).mapv(f32::abs);
            assert!(error.iter().all(|error| *error < 1e-6), "{at}");
        }
    });
}
