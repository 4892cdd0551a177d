use iree_dsl::prelude::*;

#[program]
mod column {
    pub struct Column;

    impl Column {
        pub fn damped(&self, a: Tensor<f32, 2, 2>, v: Tensor<f32, 2>) -> Tensor<f32, 2, 2> {
            let damped = a + v.insert_axis(1) * eye();
            damped
        }

        pub fn negative(&self, a: Tensor<f32, 3, 3>, v: Tensor<f32, 3>) -> Tensor<f32> {
            let row = -(v.insert_axis(0) * eye()).abs();
            (a + row).sum()
        }

        pub fn long(&self, a: Tensor<f64, 2, 2>, v: Tensor<f64, 2>) -> Tensor<f64, 2, 2> {
            let sum = a + v.insert_axis(1) * eye();
            sum
        }

        pub fn right(
            &self,
            q: Tensor<f32, 1, 4>,
            centers: Tensor<f32, 2, 4>,
            v: Tensor<f32, 2>,
        ) -> Tensor<f32> {
            let q = q + random::normal(random::key(0)) * 0.1;
            let rows = centers + v.insert_axis(1) * iota();
            let one = eye() * v[s![..1]].insert_axis(0);
            (q - rows).sum() + one.sum()
        }
    }
}

fn main() {}
