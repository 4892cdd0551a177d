//! Models that learn by derivatives, next to differences of the same losses, and to what is known of their slopes, in plain
//! Rust.

use crate::common::{Numbers, cases, close, flat, wide};
use iree_dsl::prelude::*;
use ndarray::{Array, Array1, Array2, Array3, Array4, Dimension, Ix3, Ix4};

/// Pictures, sorted by strides over them.
#[program]
mod pictures {
    pub struct Net {
        pub kernel: Tensor<f32, 3, 3, 2, 4>,
        pub w: Tensor<f32, 36, 3>,
        pub b: Tensor<f32, 3>,
    }

    pub struct Pictures;

    #[kernel]
    fn loss<const N: usize>(
        net: Net,
        x: Tensor<f32, N, 5, 5, 2>,
        labels: Tensor<i32, N>,
    ) -> Tensor<f32> {
        let seen = conv!(x, net.kernel, padding = "same", strides = [2, 2]).relu();
        let scores = seen.reshape([N, 36]).dot(net.w) + net.b;
        -scores
            .log_softmax(-1)
            .take_along_axis(labels.insert_axis(1), 1)
            .mean()
    }

    impl Pictures {
        pub fn slope<const N: usize>(
            &self,
            net: Net,
            x: Tensor<f32, N, 5, 5, 2>,
            labels: Tensor<i32, N>,
        ) -> (Tensor<f32>, Net) {
            value_and_grad(loss)(net, x, labels)
        }

        /// How each picture would move the offsets.
        pub fn each<const N: usize>(
            &self,
            net: Net,
            x: Tensor<f32, N, 5, 5, 2>,
            labels: Tensor<i32, N>,
        ) -> Tensor<f32, N, 3> {
            vmap(|x, label| grad(loss)(net, x.insert_axis(0), label.insert_axis(0)).b)(x, labels)
        }
    }
}

/// The scores of a picture: 3 × 3 × 2 × 4 parameters, 36 × 3, and 3.
fn scores(p: &[f64], x: &Array3<f64>) -> [f64; 3] {
    let mut scores = [p[180], p[181], p[182]];
    for (i, j, o) in ndarray::indices((3, 3, 4)) {
        let mut sum = 0.0;
        for (k, l, c) in ndarray::indices((3, 3, 2)) {
            if let (Some(row), Some(column)) =
                ((2 * i + k).checked_sub(1), (2 * j + l).checked_sub(1))
            {
                let pixel = x.get((row, column, c)).unwrap_or(&0.0);
                sum += pixel * p[((k * 3 + l) * 2 + c) * 4 + o];
            }
        }
        for (class, score) in scores.iter_mut().enumerate() {
            *score += sum.max(0.0) * p[72 + ((i * 3 + j) * 4 + o) * 3 + class];
        }
    }
    scores
}

fn shares(scores: [f64; 3]) -> [f64; 3] {
    let total: f64 = scores.iter().map(|score| score.exp()).sum();
    scores.map(|score| score.exp() / total)
}

/// The slope of a function, by differences.
fn differences(p: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let at = |place: usize, step: f64| {
        let mut p = p.to_vec();
        p[place] += step;
        f(&p)
    };
    let slope = |place| (at(place, 1e-5) - at(place, -1e-5)) / 2e-5;
    (0..p.len()).map(slope).collect()
}

fn row<D, E>(x: &Array<f64, D>, i: usize) -> Array<f64, E>
where
    D: ndarray::RemoveAxis<Smaller = E>,
    E: Dimension,
{
    x.index_axis(ndarray::Axis(0), i).to_owned()
}

#[test]
fn pictures_are_sorted() {
    cases(&[1, 3, 8], |device, n, numbers| {
        let (kernel, w) = (numbers.array((3, 3, 2, 4)), numbers.array((36, 3)));
        let b = numbers.array(3);
        let (x, labels) = (numbers.array((n, 5, 5, 2)), numbers.integers(n, 3));
        let p = [flat(&wide(&kernel)), flat(&wide(&w)), flat(&wide(&b))].concat();
        let wide_x: Array4<f64> = wide(&x);
        let of = |p: &[f64], i: usize| shares(scores(p, &row::<Ix4, Ix3>(&wide_x, i)));
        let loss = |p: &[f64]| {
            let logs = (0..n).map(|i| -of(p, i)[labels[i] as usize].ln());
            logs.sum::<f64>() / n as f64
        };

        let program = pictures::Pictures::load(device).unwrap();
        let net = pictures::Net::upload(device, &kernel, &w, &b).unwrap();
        let (found, slope) = program.slope(&net, &x, &labels).unwrap();
        close(("loss", n), &found, &[loss(&p)], 1e-5);
        let right = differences(&p, loss);
        close(("kernel", n), &slope.kernel, &right[..72], 1e-5);
        close(("w", n), &slope.w, &right[72..180], 1e-5);
        close(("b", n), &slope.b, &right[180..], 1e-5);

        let hit = |i: usize, class: usize| f64::from(u8::from(labels[i] as usize == class));
        let each = Array2::from_shape_fn((n, 3), |(i, class)| of(&p, i)[class] - hit(i, class));
        let found = program.each(&net, &x, &labels).unwrap();
        close(("each", n), &found, &flat(&each), 1e-5);
    });
}

/// Channels of signals, each with filters of its own.
#[program]
mod channels {
    pub struct Channels;

    #[kernel]
    fn power<const N: usize>(
        filters: Tensor<f32, 3, 1, 4>,
        x: Tensor<f32, N, 6, 2>,
    ) -> Tensor<f32> {
        let y = conv!(x, filters, strides = [2], padding = [[2, 0]], groups = 2);
        (y * y).sum() / N as f32
    }

    impl Channels {
        pub fn slope<const N: usize>(
            &self,
            filters: Tensor<f32, 3, 1, 4>,
            x: Tensor<f32, N, 6, 2>,
        ) -> (Tensor<f32>, Tensor<f32, 3, 1, 4>) {
            value_and_grad(power)(filters, x)
        }
    }
}

#[test]
fn channels_are_filtered() {
    cases(&[1, 2, 7], |device, n, numbers| {
        let (filters, x) = (numbers.array((3, 1, 4)), numbers.array((n, 6, 2)));
        let power = |p: &[f64]| {
            let mut sum = 0.0;
            for (i, t, o) in ndarray::indices((n, 3, 4)) {
                let mut y = 0.0;
                for k in 0..3 {
                    if let Some(place) = (2 * t + k).checked_sub(2) {
                        y += f64::from(x[(i, place, o / 2)]) * p[k * 4 + o];
                    }
                }
                sum += y * y;
            }
            sum / n as f64
        };
        let p = flat(&wide(&filters));
        let program = channels::Channels::load(device).unwrap();
        let (found, slope) = program.slope(&filters, &x).unwrap();
        close(("power", n), &found, &[power(&p)], 1e-5);
        close(("filters", n), &slope, &differences(&p, power), 1e-5);
    });
}

/// A number of each sequence, by what is handed on.
#[program]
mod sequences {
    pub struct Cell {
        pub x: Tensor<f32, 2, 3>,
        pub h: Tensor<f32, 3, 3>,
        pub b: Tensor<f32, 3>,
    }

    pub struct Sequences;

    #[kernel]
    fn loss<const T: usize>(cell: Cell, xs: Tensor<f32, T, 2>, target: Tensor<f32>) -> Tensor<f32> {
        let (last, _) = scan(zeros::<f32, 3>(), xs, |h, x| {
            let h = (x.dot(cell.x) + h.dot(cell.h) + cell.b).tanh();
            (h, h)
        });
        let error = last.sum() - target;
        error * error
    }

    impl Sequences {
        /// The slope for all sequences.
        pub fn slope<const B: usize, const T: usize>(
            &self,
            cell: Cell,
            xs: Tensor<f32, B, T, 2>,
            targets: Tensor<f32, B>,
        ) -> Cell {
            grad(|cell| vmap(|xs, target| loss(cell, xs, target))(xs, targets).mean())(cell)
        }
    }
}

#[test]
fn sequences_are_read() {
    cases(&[(1, 1), (2, 5), (4, 12)], |device, (b, t), numbers| {
        let (wx, wh) = (numbers.array((2, 3)), numbers.array((3, 3)));
        let (bias, xs) = (numbers.array(3), numbers.array((b, t, 2)));
        let targets: Array1<f32> = numbers.array(b);
        let p = [flat(&wide(&wx)), flat(&wide(&wh)), flat(&wide(&bias))].concat();
        let loss = |p: &[f64]| {
            let mut total = 0.0;
            for i in 0..b {
                let mut h = [0.0; 3];
                for k in 0..t {
                    let sum = |o: usize| {
                        let seen = (0..2).map(|c| f64::from(xs[(i, k, c)]) * p[c * 3 + o]);
                        let kept = (0..3).map(|c| h[c] * p[6 + c * 3 + o]);
                        seen.chain(kept).sum::<f64>() + p[15 + o]
                    };
                    h = [sum(0).tanh(), sum(1).tanh(), sum(2).tanh()];
                }
                total += (h.iter().sum::<f64>() - f64::from(targets[i])).powi(2);
            }
            total / b as f64
        };

        let program = sequences::Sequences::load(device).unwrap();
        let cell = sequences::Cell::upload(device, &wx, &wh, &bias).unwrap();
        let slope = program.slope(&cell, &xs, &targets).unwrap();
        let right = differences(&p, loss);
        close(("x", b, t), &slope.x, &right[..6], 1e-4);
        close(("h", b, t), &slope.h, &right[6..15], 1e-4);
        close(("b", b, t), &slope.b, &right[15..], 1e-4);
    });
}

/// What a room makes of a sound, found from what is heard.
#[program]
mod echoes {
    pub struct Echoes;

    impl Echoes {
        pub fn slope<const N: usize>(
            &self,
            room: Tensor<f64, N>,
            sound: Tensor<f64, N>,
            heard: Tensor<f64, N>,
        ) -> Tensor<f64, N> {
            let loss = |room: Tensor<f64, N>| {
                let error = (room.fft() * sound.fft()).ifft().re() - heard;
                (error * error).sum()
            };
            grad(loss)(room)
        }
    }
}

#[test]
fn echoes_are_found() {
    cases(&[1, 2, 7, 16, 45], |device, n, numbers| {
        let [room, sound, heard]: [Array1<f64>; 3] = [(); 3].map(|()| wide(&numbers.array(n)));
        let error = |t: usize| {
            let echoes = (0..n).map(|j| room[j] * sound[(t + n - j) % n]);
            echoes.sum::<f64>() - heard[t]
        };
        let slope = |j: usize| {
            (0..n)
                .map(|t| 2.0 * error(t) * sound[(t + n - j) % n])
                .sum()
        };
        let right: Vec<f64> = (0..n).map(slope).collect();
        let program = echoes::Echoes::load(device).unwrap();
        let found = program.slope(&room, &sound, &heard).unwrap();
        close(n, &found, &right, 1e-11);
    });
}

/// The odds of an event, by Newton's method from zero.
#[program]
mod odds {
    pub struct Odds;

    #[kernel]
    fn newton<const D: usize>(
        loss: impl Fn(Tensor<f64, D>) -> Tensor<f64>,
        start: Tensor<f64, D>,
    ) -> Tensor<f64, D> {
        let (slope, curve) = (grad(loss), hessian(loss));
        fori(8, start, |_, w| w - curve(w).solve(slope(w)))
    }

    impl Odds {
        pub fn fit<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            y: Tensor<f64, N>,
        ) -> Tensor<f64, 3> {
            let loss = |w: Tensor<f64, 3>| {
                let odds = x.dot(w);
                (odds.softplus() - y * odds).sum() + 0.1 * (w * w).sum()
            };
            newton(loss, zeros())
        }
    }
}

#[test]
fn odds_are_found() {
    cases(&[1, 5, 40], |device, n, numbers| {
        let x = wide(&numbers.array((n, 3)));
        let y = numbers.integers(n, 2).mapv(f64::from);
        let program = odds::Odds::load(device).unwrap();
        let w = program.fit(&x, &y).unwrap().to_array().unwrap();
        let errors = x.dot(&w).mapv(|z| 1.0 / (1.0 + f64::exp(-z))) - &y;
        let slope = x.t().dot(&errors) + 0.2 * &w;
        assert!(
            slope.iter().all(|slope| slope.abs() < 1e-10),
            "{n}: {slope}"
        );
    });
}

/// Two pendulums, one below the other, by their Lagrangian.
#[program]
mod pendulums {
    pub struct Pendulums;

    #[kernel]
    fn lagrangian(at: Tensor<f64, 2>, speed: Tensor<f64, 2>) -> Tensor<f64> {
        let (a, b) = (speed[0], speed[1]);
        let kinetic = a * a + 0.5 * b * b + a * b * (at[0] - at[1]).cos();
        kinetic + 9.81 * (2.0 * at[0].cos() + at[1].cos())
    }

    impl Pendulums {
        pub fn accelerations<const N: usize>(
            &self,
            at: Tensor<f64, N, 2>,
            speed: Tensor<f64, N, 2>,
        ) -> Tensor<f64, N, 2> {
            let one = |at: Tensor<f64, 2>, speed: Tensor<f64, 2>| {
                let mass = hessian(|speed| lagrangian(at, speed))(speed);
                let turning = jacfwd(|at| grad::<1>(lagrangian)(at, speed))(at);
                mass.solve(grad(lagrangian)(at, speed) - turning.dot(speed))
            };
            vmap(one)(at, speed)
        }
    }
}

#[test]
fn pendulums_swing() {
    cases(&[1, 4, 9], |device, n, numbers: &mut Numbers| {
        let (at, speed) = (wide(&numbers.array((n, 2))), wide(&numbers.array((n, 2))));
        let mut right = Vec::new();
        for (at, speed) in at.rows().into_iter().zip(speed.rows()) {
            let (sine, cosine) = (at[0] - at[1]).sin_cos();
            let first = -sine * speed[1].powi(2) - 2.0 * 9.81 * at[0].sin();
            let second = sine * speed[0].powi(2) - 9.81 * at[1].sin();
            let determinant = 2.0 - cosine * cosine;
            right.push((first - cosine * second) / determinant);
            right.push((2.0 * second - cosine * first) / determinant);
        }
        let program = pendulums::Pendulums::load(device).unwrap();
        let found = program.accelerations(&at, &speed).unwrap();
        close(n, &found, &right, 1e-12);
    });
}
