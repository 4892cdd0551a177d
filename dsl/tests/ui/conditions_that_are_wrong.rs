use iree_dsl::prelude::*;

#[program]
pub mod p {
    pub struct P {
        #[global]
        scale: Tensor<f32>,
    }

    impl P {
        /// Both branches are looked through, and what they change is not complained about afterwards.
        pub fn run(&mut self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let mut y = x;
            let factor;
            if x.summ() > 0.0 {
                y = x.means();
                factor = 2.0;
            } else if self.scale {
                self.scale = true;
                factor = x;
            } else {
                factor = x.dott(x);
            }
            y * factor
        }

        pub fn rounds(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let mut y = x;
            while y.maximun() > 0.0 {
                y = y.reshape([4]);
                if y.is_all() {
                    break;
                }
            }
            y
        }

        /// What is decided while building may be meant for another case.
        pub fn known(&self, x: Tensor<f32, 3>) -> Tensor<f32> {
            if x.rank() > LIMITS {
                x.sum_axis(1)
            } else {
                x.sum()
            }
        }
    }
}

fn main() {
    let _ = p::P::load;
}
