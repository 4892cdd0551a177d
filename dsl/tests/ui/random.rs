use iree_dsl::prelude::*;

#[program]
mod program {
    pub struct Program;

    impl Program {
        pub fn no_key(&self) -> Tensor<f32, 3> {
            random::uniform(42)
        }

        pub fn no_type(&self, key: Tensor<u32, 2>) -> Tensor<f32, 3> {
            let x = random::uniform(key);
            ones() * x.sum()
        }

        pub fn wrong_type(&self, key: Tensor<u32, 2>) -> Tensor<i32, 3> {
            random::uniform(key)
        }

        pub fn one_bound(&self, key: Tensor<u32, 2>) -> Tensor<f32, 3> {
            random::uniform(key, 2.0)
        }

        pub fn empty(&self, key: Tensor<u32, 2>) -> Tensor<i32, 3> {
            random::randint(key, 7, 1)
        }

        pub fn outside(&self, key: Tensor<u32, 2>) -> Tensor<u8, 3> {
            random::randint(key, 0, 257)
        }

        pub fn whole_probability(&self, key: Tensor<u32, 2>, p: Tensor<i32>) -> Tensor<bool, 3> {
            random::bernoulli(key, p)
        }

        pub fn samples(&self, key: Tensor<u32, 2>, logits: Tensor<f32, 4, 9>) -> Tensor<i32, 5> {
            random::categorical::<i32, 5>(key, logits)
        }

        pub fn seed(&self) -> Tensor<u32, 2> {
            random::key(0.5)
        }

        pub fn misspelt(&self, key: Tensor<u32, 2>) -> Tensor<f32, 3> {
            random::unifrom(key)
        }

        pub fn without_path(&self, key: Tensor<u32, 2>) -> Tensor<f32, 3> {
            uniform(key)
        }
    }
}

fn main() {}
