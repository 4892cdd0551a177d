//! Recurrent networks.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3};

#[program]
mod lstm {
    const I: usize = 3;
    const H: usize = 5;

    pub struct Cell {
        pub input: Tensor<f32, I, { 4 * H }>,
        pub hidden: Tensor<f32, H, { 4 * H }>,
        pub bias: Tensor<f32, { 4 * H }>,
    }

    pub struct Lstm;

    impl Lstm {
        /// The states of each time, and the last ones.
        pub fn run<const T: usize, const B: usize>(
            &self,
            cell: Cell,
            x: Tensor<f32, T, B, I>,
        ) -> (Tensor<f32, T, B, H>, Tensor<f32, B, H>, Tensor<f32, B, H>) {
            let start = (zeros::<f32, B, H>(), zeros::<f32, B, H>());
            let ((h, c), all) = scan(start, x, |(h, c), x| {
                let gates = x.dot(cell.input) + h.dot(cell.hidden) + cell.bias;
                let [i, f, g, o] = gates.split(4, -1);
                let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
                let h = o.sigmoid() * c.tanh();
                ((h, c), h)
            });
            (all, h, c)
        }

        /// A class for each sequence, by its last state.
        pub fn classify<const T: usize, const B: usize>(
            &self,
            cell: Cell,
            output: Tensor<f32, H, 2>,
            x: Tensor<f32, B, T, I>,
        ) -> Tensor<f32, B, 2> {
            let (_, h, _) = self.run(cell, x.swap_axes(0, 1));
            h.dot(output).softmax(-1)
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `x` times the columns of `w` from `from` on.
fn times(x: &[f64], w: &Array2<f32>, column: usize) -> f64 {
    x.iter()
        .enumerate()
        .map(|(i, x)| x * f64::from(w[(i, column)]))
        .sum()
}

#[test]
fn long_short_term_memory_keeps_what_it_saw() {
    let mut numbers = Numbers::new(7);
    let (wi, wh) = (numbers.array((3, 20)), numbers.array((5, 20)));
    let (bias, output) = (numbers.array(20), numbers.array((5, 2)));
    on_devices(|device| {
        let program = lstm::Lstm::load(device).unwrap();
        let cell = lstm::Cell::upload(device, &wi, &wh, &bias).unwrap();
        at_sizes(
            device,
            &[(1, 1), (4, 1), (1, 6), (9, 3), (30, 17)],
            |(t, b)| {
                let x = Numbers::new((t * 50 + b) as u64).array((t, b, 3));
                let (mut all, mut last, mut classes) = (Array3::zeros((t, b, 5)), vec![], vec![]);
                let mut cells = vec![];
                for k in 0..b {
                    let (mut h, mut c) = (vec![0.0; 5], vec![0.0; 5]);
                    for time in 0..t {
                        let x: Vec<_> = (0..3).map(|i| f64::from(x[(time, k, i)])).collect();
                        let gate =
                            |g: usize| times(&x, &wi, g) + times(&h, &wh, g) + f64::from(bias[g]);
                        let gates: Vec<_> = (0..20).map(gate).collect();
                        for j in 0..5 {
                            c[j] = sigmoid(gates[5 + j]) * c[j]
                                + sigmoid(gates[j]) * gates[10 + j].tanh();
                            h[j] = sigmoid(gates[15 + j]) * c[j].tanh();
                            all[(time, k, j)] = h[j];
                        }
                    }
                    let logits = [times(&h, &output, 0), times(&h, &output, 1)].map(f64::exp);
                    classes.extend(logits.map(|p| p / (logits[0] + logits[1])));
                    last.extend(h);
                    cells.extend(c);
                }
                // Errors of a round, of sums of 9 numbers and some functions, are forgotten in some rounds.
                let within = 40.0 * t.min(10) as f64 * ROUND;
                let all: Vec<f64> = all.iter().copied().collect();
                let found = program.run(&cell, &x).unwrap();
                close(("all", t, b), &found.0, &all, within);
                close(("h", t, b), &found.1, &last, within);
                close(("c", t, b), &found.2, &cells, within);
                let turned = x.view().permuted_axes([1, 0, 2]);
                let found = program.classify(&cell, &output, turned).unwrap();
                close(("classes", t, b), &found, &classes, within);
            },
        );
    });
}

/// Gated units over sequences of different lengths.
#[program]
mod gru {
    pub struct Gru;

    impl Gru {
        /// The last state of each sequence, which stays what it is where its mask is false, and the mean of its
        /// states.
        pub fn run<const B: usize, const T: usize>(
            &self,
            wx: Tensor<f32, 4, 18>,
            wh: Tensor<f32, 6, 18>,
            b: Tensor<f32, 18>,
            x: Tensor<f32, B, T, 4>,
            mask: Tensor<bool, B, T>,
        ) -> (Tensor<f32, B, 6>, Tensor<f32, B, 6>) {
            let inputs = (x.matmul(wx) + b).swap_axes(0, 1);
            let (h, all) = scan(zeros::<f32, B, 6>(), (inputs, mask.t()), |h, (x, m)| {
                let y = h.dot(wh);
                let r = (x[s![.., ..6]] + y[s![.., ..6]]).sigmoid();
                let z = (x[s![.., 6..12]] + y[s![.., 6..12]]).sigmoid();
                let n = (x[s![.., 12..]] + r * y[s![.., 12..]]).tanh();
                let next = (1.0 - z) * n + z * h;
                let h = select(m.insert_axis(1), next, h);
                (h, h)
            });
            let there = (mask as f32).t().insert_axis(-1);
            (
                h,
                (all * there).sum_axis(0) / there.sum_axis(0).maximum(1.0),
            )
        }
    }
}

#[test]
fn gated_units_wait_where_nothing_comes() {
    let mut numbers = Numbers::new(8);
    let (wx, wh, bias) = (
        numbers.array((4, 18)),
        numbers.array((6, 18)),
        numbers.array(18),
    );
    on_devices(|device| {
        let program = gru::Gru::load(device).unwrap();
        at_sizes(
            device,
            &[(1, 1), (3, 1), (1, 5), (4, 9), (13, 20)],
            |(b, t)| {
                let mut numbers = Numbers::new((t * 50 + b) as u64);
                let x = numbers.array((b, t, 4));
                let lengths = Array1::from_shape_simple_fn(b, || numbers.below(t + 1));
                let mask = Array2::from_shape_fn((b, t), |(k, time)| time < lengths[k]);
                let (mut last, mut means) = (vec![], vec![]);
                for k in 0..b {
                    let (mut h, mut sum) = (vec![0.0; 6], vec![0.0; 6]);
                    for time in 0..lengths[k] {
                        let x: Vec<_> = (0..4).map(|i| f64::from(x[(k, time, i)])).collect();
                        let old = h.clone();
                        for j in 0..6 {
                            let input = |g: usize| times(&x, &wx, g) + f64::from(bias[g]);
                            let r = sigmoid(input(j) + times(&old, &wh, j));
                            let z = sigmoid(input(6 + j) + times(&old, &wh, 6 + j));
                            let n = (input(12 + j) + r * times(&old, &wh, 12 + j)).tanh();
                            h[j] = (1.0 - z) * n + z * old[j];
                            sum[j] += h[j];
                        }
                    }
                    last.extend(h);
                    means.extend(sum.iter().map(|sum| sum / lengths[k].max(1) as f64));
                }
                let within = 40.0 * t.min(10) as f64 * ROUND;
                let found = program.run(&wx, &wh, &bias, &x, &mask).unwrap();
                close(("last", b, t), &found.0, &last, within);
                close(("means", b, t), &found.1, &means, within);
            },
        );
    });
}
