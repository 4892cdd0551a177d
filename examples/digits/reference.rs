//! The same training written with ndarray and a gradient by hand, to compare with.

use crate::{
    dataset::{BATCH, CLASSES},
    digits::Network,
};
use ndarray::{Array1, Array2, Axis, Zip};

const LEARNING_RATE: f32 = 3e-3;
const WEIGHT_DECAY: f32 = 0.01;

/// The weights of two layers and the sums of AdamW.
pub(crate) struct Reference {
    layers: [Layer; 2],
    means: [Layer; 2],
    squares: [Layer; 2],
    steps: i32,
}

#[derive(Clone)]
struct Layer {
    weight: Array2<f32>,
    bias: Array2<f32>,
}

impl Layer {
    fn zeros(&self) -> Self {
        Self {
            weight: Array2::zeros(self.weight.dim()),
            bias: Array2::zeros(self.bias.dim()),
        }
    }

    fn parts(&mut self) -> [&mut Array2<f32>; 2] {
        [&mut self.weight, &mut self.bias]
    }
}

impl Reference {
    pub(crate) fn new(network: &Network) -> Self {
        let layers = layers(network);
        let zeros = layers.each_ref().map(Layer::zeros);
        Self {
            layers,
            means: zeros.clone(),
            squares: zeros,
            steps: 0,
        }
    }

    /// The loss before the step.
    pub(crate) fn train_step(&mut self, x: &Array2<f32>, y: &Array1<i32>) -> f32 {
        let [hidden, output] = &self.layers;
        let activation = (x.dot(&hidden.weight.t()) + &hidden.bias).mapv(f32::tanh);
        let exponentials = (activation.dot(&output.weight.t()) + &output.bias).mapv(f32::exp);
        let sums = exponentials.sum_axis(Axis(1)).insert_axis(Axis(1));
        let likelihood = exponentials / sums;
        let wanted = Array2::from_shape_fn((BATCH, CLASSES), |(row, class)| {
            f32::from(u8::from(y[row] == class as i32))
        });
        let loss = -(&wanted * &likelihood.mapv(f32::ln)).sum() / BATCH as f32;

        let by_output = (likelihood - wanted) / BATCH as f32;
        let by_hidden = by_output.dot(&output.weight) * activation.mapv(|a| 1.0 - a * a);
        let gradients = [(x, by_hidden), (&activation, by_output)].map(|(x, by)| Layer {
            weight: by.t().dot(x),
            bias: by.sum_axis(Axis(0)).insert_axis(Axis(0)),
        });
        self.descend(gradients);
        loss
    }

    fn descend(&mut self, mut gradients: [Layer; 2]) {
        self.steps += 1;
        let corrections = [0.9_f32, 0.999].map(|decay| 1.0 - decay.powi(self.steps));
        for (layer, gradient) in gradients.iter_mut().enumerate() {
            let parts = self.layers[layer].parts().into_iter();
            let state = self.means[layer].parts().into_iter();
            let state = state.zip(self.squares[layer].parts());
            for ((p, g), (m, v)) in parts.zip(gradient.parts()).zip(state) {
                Zip::from(p).and(g).and(m).and(v).for_each(|p, g, m, v| {
                    *m = 0.9 * *m + 0.1 * *g;
                    *v = 0.999 * *v + 0.001 * *g * *g;
                    let update = *m / corrections[0] / ((*v / corrections[1]).sqrt() + 1e-8);
                    *p -= LEARNING_RATE * (update + WEIGHT_DECAY * *p);
                });
            }
        }
    }

    /// How far the weights of a network are from these, at most.
    pub(crate) fn distance(&self, network: &Network) -> f32 {
        let pairs = self.layers.iter().zip(layers(network));
        let largest = pairs.map(|(ours, theirs)| {
            let weight = (&ours.weight - &theirs.weight).mapv(f32::abs);
            let bias = (&ours.bias - &theirs.bias).mapv(f32::abs);
            weight.into_iter().chain(bias).fold(0.0, f32::max)
        });
        largest.fold(0.0, f32::max)
    }
}

fn layers(network: &Network) -> [Layer; 2] {
    let (hidden, output) = (&network.hidden, &network.output);
    [
        (&hidden.weight, &hidden.bias),
        (&output.weight, &output.bias),
    ]
    .map(|(weight, bias)| Layer {
        weight: weight.to_array().expect("the weights can be read"),
        bias: bias
            .to_array()
            .expect("the bias can be read")
            .insert_axis(Axis(0)),
    })
}
