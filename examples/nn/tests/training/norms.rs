//! Normalisations and dropout.

use crate::oracle::on_devices;
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array4};

#[program]
mod norms {
    #[kernel]
    use nn::regularization::{BatchNorm, BatchStats, RmsNorm, batch_norm, dropout, rms_norm};

    pub struct Norms;

    impl Norms {
        pub fn trained<const N: usize>(
            &self,
            norm: BatchNorm<3>,
            stats: BatchStats<3>,
            x: Tensor<f32, N, 3, 2, 5>,
        ) -> (Tensor<f32, N, 3, 2, 5>, BatchStats<3>) {
            batch_norm(norm, stats, x, true, 0.1, 1e-5)
        }

        pub fn used(
            &self,
            norm: BatchNorm<3>,
            stats: BatchStats<3>,
            x: Tensor<f32, 4, 3, 2, 5>,
        ) -> (Tensor<f32, 4, 3, 2, 5>, BatchStats<3>) {
            batch_norm(norm, stats, x, false, 0.1, 1e-5)
        }

        pub fn slope(
            &self,
            norm: BatchNorm<3>,
            stats: BatchStats<3>,
            x: Tensor<f32, 4, 3, 2, 5>,
        ) -> Tensor<f32, 4, 3, 2, 5> {
            grad(|x| batch_norm(norm, stats, x, true, 0.1, 1e-5).0.sin().sum())(x)
        }

        pub fn rms(&self, norm: RmsNorm<6>, x: Tensor<f32, 4, 6>) -> Tensor<f32, 4, 6> {
            rms_norm(norm, x, 1e-6)
        }

        pub fn dropped<const N: usize>(&self, x: Tensor<f32, N, 6>) -> Tensor<f32, N, 6> {
            dropout(x, 0.25, random::key(9))
        }
    }
}

#[test]
fn batches_are_normalised() {
    on_devices(|device, oracle| {
        let program = norms::Norms::load(device).unwrap();
        let x: Array4<f32> = oracle.array("norm/x");
        let vector = |name: &str| -> Array1<f32> { oracle.array(name) };
        let norm =
            nn::regularization::BatchNorm::upload(device, &vector("norm/w"), &vector("norm/b"))
                .unwrap();
        let stats = nn::regularization::BatchStats::upload(
            device,
            &vector("norm/mean"),
            &vector("norm/var"),
        )
        .unwrap();
        let (y, new) = program.trained(&norm, &stats, &x).unwrap();
        oracle.check("norm/trained", &y);
        oracle.check("norm/new_mean", &new.running_mean);
        oracle.check("norm/new_var", &new.running_var);
        let (y, same) = program.used(&norm, &stats, &x).unwrap();
        oracle.check("norm/used", &y);
        oracle.check("norm/mean", &same.running_mean);
        let slope = program.slope(&norm, &stats, &x).unwrap();
        oracle.check("norm/dx", &slope);
    });
}

#[test]
fn rows_are_scaled_and_numbers_dropped() {
    on_devices(|device, oracle| {
        let program = norms::Norms::load(device).unwrap();
        let rows: Array2<f32> = oracle.array("norm/rows");
        let scale: Array1<f32> = oracle.array("norm/scale");
        let norm = nn::regularization::RmsNorm::upload(device, &scale).unwrap();
        oracle.check("norm/rms", &program.rms(&norm, &rows).unwrap());
        oracle.check("norm/dropped", &program.dropped(&rows).unwrap());
    });
}
