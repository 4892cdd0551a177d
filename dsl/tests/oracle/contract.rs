//! Contractions against NumPy.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2, Ix3, Ix4};

#[program]
mod contract {
    type Q = Tensor<f32, 2, 5, 3, 4>;
    type K = Tensor<f32, 2, 6, 3, 4>;
    type M = Tensor<f32, 4, 7>;
    type S = Tensor<f32, 5, 5>;

    pub struct Contract;

    impl Contract {
        pub fn attention(&self, q: Q, k: K) -> Tensor<f32, 2, 3, 5, 6> {
            einsum!("bqhd,bkhd->bhqk", q, k)
        }

        pub fn attention_batch<const B: usize, const Q: usize>(
            &self,
            q: Tensor<f32, B, Q, 3, 4>,
            k: Tensor<f32, B, 6, 3, 4>,
        ) -> Tensor<f32, B, 3, Q, 6> {
            einsum!("bqhd,bkhd->bhqk", q, k)
        }

        pub fn chain(&self, q: Q, k: K, m: M) -> Tensor<f32, 7, 6, 5> {
            einsum!("bqhd, bkhd, dm -> mkq", q, k, m)
        }

        pub fn trace(&self, s: S) -> Tensor<f32> {
            einsum!("ii", s)
        }

        pub fn diagonal(&self, s: S) -> Tensor<f32, 5> {
            einsum!("ii->i", s)
        }

        pub fn twice(&self, c: Tensor<f32, 3, 5, 3>, s: S) -> Tensor<f32, 5, 3> {
            einsum!("aba,bc->ca", c, s)
        }

        pub fn implicit(&self, m: M) -> Tensor<f32, 7, 4> {
            einsum!("ba", m)
        }

        pub fn summed(&self, q: Q, m: M) -> Tensor<f32, 3> {
            einsum!("bqhd,dm->h", q, m)
        }

        pub fn outer(&self, u: Tensor<f32, 6>, v: Tensor<f32, 4>) -> Tensor<f32, 6, 4> {
            u.outer(v)
        }

        pub fn general(&self, q: Q, k: K) -> Tensor<f32, 2, 4, 5, 6> {
            dot_general!(q, k, batch = ([0, 3], [0, -1]), contract = ([2], [2]))
        }

        pub fn wide(&self, a: Tensor<i8, 3>, b: Tensor<i8, 3>) -> Tensor<i32> {
            dot_general!(a, b, contract = ([0], [0]), accumulate = i32)
        }
    }
}

#[test]
fn contractions_are_those_of_numpy() {
    let program = contract::Contract::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("contract", "f32");
    let (q, k) = (check.input::<f32, Ix4>("q"), check.input::<f32, Ix4>("k"));
    let (m, s) = (check.input::<f32, Ix2>("m"), check.input::<f32, Ix2>("s"));
    let (u, v) = (check.input::<f32, Ix1>("u"), check.input::<f32, Ix1>("v"));
    let c = check.input::<f32, Ix3>("c");
    check.result("attention", program.attention(&q, &k));
    check.result("attention", program.attention_batch(&q, &k));
    check.result("chain", program.chain(&q, &k, &m));
    check.result("trace", program.trace(&s));
    check.result("diagonal", program.diagonal(&s));
    check.result("twice", program.twice(&c, &s));
    check.result("implicit", program.implicit(&m));
    check.result("summed", program.summed(&q, &m));
    check.result("outer", program.outer(&u, &v));
    check.result("general", program.general(&q, &k));
    check.finish();
    let wide = program.wide([100, -100, 127], [100, 100, 127]).unwrap();
    assert_eq!(wide.to_array().unwrap().into_scalar(), 127 * 127);
}
