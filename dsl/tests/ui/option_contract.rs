use iree_dsl::prelude::*;

#[program]
pub mod m {
    type Lhs = Tensor<f32, 3, 4>;
    type Rhs = Tensor<f32, 4, 5>;

    pub struct Model;

    impl Model {
        pub fn axes(&self, x: Lhs, y: Rhs) -> Tensor<f32, 3, 5> {
            einsum!("ijk,kl->il", x, y)
        }

        pub fn sizes(&self, x: Lhs, y: Rhs) -> Tensor<f32, 4, 5> {
            einsum!("ki,kj->ij", x, y)
        }

        pub fn unknown(&self, x: Lhs, y: Rhs) -> Tensor<f32, 3, 5> {
            einsum!("ik,kj->iz", x, y)
        }

        pub fn ellipsis(&self, x: Lhs) -> Tensor<f32, 4> {
            einsum!("...j->j", x)
        }

        pub fn count(&self, x: Lhs) -> Tensor<f32, 3, 5> {
            einsum!("ik,kj->ij", x)
        }

        pub fn notation(&self, x: Lhs, y: Rhs) -> Tensor<f32, 3, 5> {
            einsum!(x, y)
        }

        pub fn narrow(&self, x: Lhs, y: Rhs) -> Tensor<f16, 3, 5> {
            dot_general!(x, y, contract = ([1], [0]), accumulate = f16)
        }

        pub fn vectors(&self, x: Lhs, y: Rhs) -> Tensor<f32, 3, 4, 4, 5> {
            x.outer(y)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
