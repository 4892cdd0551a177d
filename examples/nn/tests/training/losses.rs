//! Losses and their slopes.

use crate::oracle::on_devices;
use iree_dsl::prelude::*;
use ndarray::{Array2, Array3};

#[program]
mod losses {
    #[kernel]
    use nn::losses::{
        binary_cross_entropy_with_logits, cross_entropy, cross_entropy_smooth, huber_loss, kl_div,
        mse_loss,
    };

    pub struct Losses;

    impl Losses {
        pub fn cross_entropy(
            &self,
            x: Tensor<f32, 2, 3, 5>,
            labels: Tensor<i32, 2, 3>,
        ) -> (Tensor<f32>, Tensor<f32, 2, 3, 5>) {
            value_and_grad(|x| cross_entropy(x * 4.0, labels))(x)
        }

        pub fn smooth<const N: usize>(
            &self,
            x: Tensor<f32, N, 3, 5>,
            labels: Tensor<i32, N, 3>,
        ) -> (Tensor<f32>, Tensor<f32, N, 3, 5>) {
            value_and_grad(|x| cross_entropy_smooth(x * 4.0, labels, 0.1))(x)
        }

        pub fn mse(
            &self,
            x: Tensor<f32, 4, 3>,
            y: Tensor<f32, 4, 3>,
        ) -> (Tensor<f32>, Tensor<f32, 4, 3>) {
            value_and_grad(mse_loss)(x, y)
        }

        pub fn huber(
            &self,
            x: Tensor<f32, 4, 3>,
            y: Tensor<f32, 4, 3>,
        ) -> (Tensor<f32>, Tensor<f32, 4, 3>) {
            value_and_grad(|x| huber_loss(x, y, 0.5))(x)
        }

        pub fn binary(
            &self,
            x: Tensor<f32, 4, 3>,
            y: Tensor<f32, 4, 3>,
        ) -> (Tensor<f32>, Tensor<f32, 4, 3>) {
            value_and_grad(|x| binary_cross_entropy_with_logits(x * 9.0, y))(x)
        }

        pub fn kl<const N: usize>(
            &self,
            x: Tensor<f32, N, 3>,
            shares: Tensor<f32, N, 3>,
        ) -> (Tensor<f32>, Tensor<f32, N, 3>) {
            value_and_grad(|x| kl_div(x.log_softmax(-1), shares))(x)
        }

        /// By the shares, of which some are zero.
        pub fn kl_by_shares(&self, shares: Tensor<f32, 4, 3>) -> Tensor<f32, 4, 3> {
            grad(|p| kl_div(zeros::<f32, 4, 3>(), p))(shares)
        }
    }
}

#[test]
fn losses_and_their_slopes_are_right() {
    on_devices(|device, oracle| {
        let program = losses::Losses::load(device).unwrap();
        let logits: Array3<f32> = oracle.array("loss/logits");
        let labels: Array2<i32> = oracle.array("loss/labels");
        let (loss, slope) = program.cross_entropy(&logits, &labels).unwrap();
        oracle.check("loss/cross_entropy", &loss);
        oracle.check("loss/cross_entropy_slope", &slope);
        let (loss, slope) = program.smooth(&logits, &labels).unwrap();
        oracle.check("loss/smooth", &loss);
        oracle.check("loss/smooth_slope", &slope);

        let [x, y]: [Array2<f32>; 2] = ["loss/input", "loss/target"].map(|name| oracle.array(name));
        let truth = y.mapv(|y| f32::from(u8::from(y > 0.0)));
        let shares: Array2<f32> = oracle.array("loss/shares");
        for (name, found) in [
            ("mse", program.mse(&x, &y)),
            ("huber", program.huber(&x, &y)),
            ("binary", program.binary(&x, &truth)),
            ("kl", program.kl(&x, &shares)),
        ] {
            let (loss, slope) = found.unwrap();
            oracle.check(&format!("loss/{name}"), &loss);
            oracle.check(&format!("loss/{name}_slope"), &slope);
        }
        let slope = program.kl_by_shares(&shares).unwrap().to_array().unwrap();
        for (slope, share) in slope.iter().zip(&shares) {
            let right = if *share > 0.0 {
                (share.ln() + 1.0) / 4.0
            } else {
                0.0
            };
            assert!((slope - right).abs() < 1e-5, "{slope} for {right}");
        }
    });
}
