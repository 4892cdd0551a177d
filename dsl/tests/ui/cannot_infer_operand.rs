use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, lambda: Tensor<f32>, a: Tensor<f32, 3, 3>) -> Tensor<f32> {
            let damped = lambda * eye();
            damped.sum() + a.dot(ones()).sum()
        }

        pub fn rounds(&self, n: Tensor<i32>) -> Tensor<f32> {
            let carry = fori(n, zeros(), |_, carry| carry);
            carry.sum()
        }

        pub fn carried<const N: usize>(&self, xs: Tensor<f32, N, 3>, a: Tensor<f32, 3, 3>) -> Tensor<f32, 3> {
            let (last, _) = scan(zeros(), xs, |before, x| (before.dot(a) * x, 0.0));
            last
        }

        pub fn drawn(&self) -> Tensor<f32, 50> {
            vmap(|key| random::uniform::<f32>(key))(random::split::<50>(random::key(0)))
        }

        pub fn wrong(&self, x: Tensor<f32, 3>, mask: Tensor<bool, 3>) -> Tensor<f32> {
            (x + full(i32::MAX)).sum() + select(mask, x, eye()).sum()
        }

        pub fn seen(&self, length: Tensor<i32>) -> Tensor<bool, 8> {
            arange() < length
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
