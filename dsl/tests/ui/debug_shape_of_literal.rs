//! What a variable is that begins with a literal is told once, in the type that it turns out to have.

use iree_dsl::prelude::*;

#[program]
mod steps {
    pub struct Steps;

    impl Steps {
        pub fn halve(&self, x: Tensor<f64>) -> Tensor<f64> {
            let mut step = 1.0;
            while x * step > 1.0 {
                step /= 2.0;
            }
            debug_shape!(step);
            step + missing
        }
    }
}

fn main() {}
