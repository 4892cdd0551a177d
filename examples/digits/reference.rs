//! The same training written with ndarray, to compare with.

use crate::dataset::{BATCH, CLASSES};
use ndarray::{Array1, Array2, Axis};

const LEARNING_RATE: f32 = 0.1;
const MOMENTUM: f32 = 0.9;

#[derive(Clone)]
struct Layer {
    weights: Array2<f32>,
    biases: Array1<f32>,
}

/// Two layers and their velocities.
pub(crate) struct Reference {
    layers: [Layer; 2],
    velocities: [Layer; 2],
}

impl Reference {
    pub(crate) fn new(weights: [&Array2<f32>; 2]) -> Self {
        let layer = |weights: &Array2<f32>| Layer {
            weights: weights.clone(),
            biases: Array1::zeros(weights.ncols()),
        };
        let at_rest = |weights: &Array2<f32>| layer(&Array2::zeros(weights.dim()));
        Self {
            layers: weights.map(layer),
            velocities: weights.map(at_rest),
        }
    }

    /// The loss before the step.
    pub(crate) fn train_step(&mut self, x: &Array2<f32>, y: &Array1<i32>) -> f32 {
        let [hidden, output] = &self.layers;
        let activation = (x.dot(&hidden.weights) + &hidden.biases).mapv(f32::tanh);
        let exponentials = (activation.dot(&output.weights) + &output.biases).mapv(f32::exp);
        let sums = exponentials.sum_axis(Axis(1)).insert_axis(Axis(1));
        let likelihood = exponentials / sums;
        let wanted = Array2::from_shape_fn((BATCH, CLASSES), |(row, class)| {
            f32::from(u8::from(y[row] == class as i32))
        });
        let loss = -(&wanted * &likelihood.mapv(f32::ln)).sum() / BATCH as f32;

        let by_output = (likelihood - wanted) / BATCH as f32;
        let by_hidden = by_output.dot(&output.weights.t()) * activation.mapv(|a| 1.0 - a * a);
        let gradients = [(x, by_hidden), (&activation, by_output)].map(|(x, by)| Layer {
            weights: x.t().dot(&by),
            biases: by.sum_axis(Axis(0)),
        });
        self.descend(&gradients);
        loss
    }

    fn descend(&mut self, gradients: &[Layer; 2]) {
        let layers = self.layers.iter_mut().zip(&mut self.velocities);
        for ((layer, velocity), gradient) in layers.zip(gradients) {
            velocity.weights = &velocity.weights * MOMENTUM - &gradient.weights * LEARNING_RATE;
            velocity.biases = &velocity.biases * MOMENTUM - &gradient.biases * LEARNING_RATE;
            layer.weights += &velocity.weights;
            layer.biases += &velocity.biases;
        }
    }
}
