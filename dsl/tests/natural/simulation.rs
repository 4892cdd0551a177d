//! Things that move by rules.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

/// Bodies that attract each other.
#[program]
mod bodies {
    pub struct Bodies<const N: usize> {
        pub x: Tensor<f64, N, 3>,
        pub v: Tensor<f64, N, 3>,
        pub m: Tensor<f64, N>,
    }

    pub struct Simulation;

    impl Simulation {
        fn acceleration<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            m: Tensor<f64, N>,
        ) -> Tensor<f64, N, 3> {
            let d = x.insert_axis(0) - x.insert_axis(1);
            let r2 = (d * d).sum_axis(-1) + 0.01;
            let pull = m.insert_axis(0) / (r2 * r2.sqrt());
            (d * pull.insert_axis(-1)).sum_axis(1)
        }

        /// By the leapfrog.
        pub fn run<const N: usize>(
            &self,
            bodies: Bodies<N>,
            dt: Tensor<f64>,
            steps: Tensor<i32>,
        ) -> Bodies<N> {
            let Bodies { mut x, mut v, m } = bodies;
            let mut a = self.acceleration(x, m);
            for _ in range(0, steps) {
                v += a * (dt / 2.0);
                x += v * dt;
                a = self.acceleration(x, m);
                v += a * (dt / 2.0);
            }
            Bodies { x, v, m }
        }

        pub fn energy<const N: usize>(&self, bodies: Bodies<N>) -> Tensor<f64> {
            let kinetic = 0.5 * (bodies.m * (bodies.v * bodies.v).sum_axis(1)).sum();
            let d = bodies.x.insert_axis(0) - bodies.x.insert_axis(1);
            let r = ((d * d).sum_axis(-1) + 0.01).sqrt();
            let pairs = bodies.m.outer(bodies.m) / r;
            kinetic - pairs.tri_upper(1).sum()
        }
    }
}

fn pulls(x: &[[f64; 3]], m: &[f64]) -> Vec<[f64; 3]> {
    let mut a = vec![[0.0; 3]; x.len()];
    for i in 0..x.len() {
        for j in 0..x.len() {
            let d = [0, 1, 2].map(|k| x[j][k] - x[i][k]);
            let r2 = d.iter().map(|d| d * d).sum::<f64>() + 0.01;
            (0..3).for_each(|k| a[i][k] += m[j] * d[k] / r2.powf(1.5));
        }
    }
    a
}

#[test]
fn bodies_attract_each_other() {
    on_devices(|device| {
        let program = bodies::Simulation::load(device).unwrap();
        at_sizes(device, &[1, 2, 5, 33], |n| {
            let mut numbers = Numbers::new(n as u64);
            let (x, v) = (numbers.array((n, 3)), numbers.array((n, 3)) * 0.1);
            let m = numbers.array(n) * 0.4 + 0.5;
            let (x, v, m) = (x.mapv(f64::from), v.mapv(f64::from), m.mapv(f64::from));
            let rows = |x: &Array2<f64>| -> Vec<[f64; 3]> {
                x.rows()
                    .into_iter()
                    .map(|row| [row[0], row[1], row[2]])
                    .collect()
            };
            let given = || bodies::Bodies::upload(device, &x, &v, &m).unwrap();
            let pm = m.to_vec();
            for steps in [0, 1, 10] {
                let dt = 0.01;
                let (mut px, mut pv) = (rows(&x), rows(&v));
                for _ in 0..steps {
                    let half = |v: &mut [[f64; 3]], a: &[[f64; 3]]| {
                        let parts = v.iter_mut().flatten().zip(a.iter().flatten());
                        parts.for_each(|(v, a)| *v += a * dt / 2.0);
                    };
                    half(&mut pv, &pulls(&px, &pm));
                    px.iter_mut()
                        .flatten()
                        .zip(pv.iter().flatten())
                        .for_each(|(x, v)| *x += v * dt);
                    half(&mut pv, &pulls(&px, &pm));
                }
                let found = program.run(given(), dt, steps).unwrap();
                // Pulls of up to 33 / 0.01, summed over 10 steps of 0.01.
                close(("x", n, steps), &found.x, px.as_flattened(), 1e-12);
                close(("v", n, steps), &found.v, pv.as_flattened(), 1e-12);
                same(("m", n, steps), &found.m, &pm);
                let mut energy = 0.0;
                for i in 0..n {
                    energy += 0.5 * pm[i] * pv[i].iter().map(|v| v * v).sum::<f64>();
                    for j in 0..i {
                        let d = [0, 1, 2].map(|k| px[j][k] - px[i][k]);
                        let r = (d.iter().map(|d| d * d).sum::<f64>() + 0.01).sqrt();
                        energy -= pm[i] * pm[j] / r;
                    }
                }
                close(
                    ("energy", n, steps),
                    &program.energy(&found).unwrap(),
                    &[energy],
                    1e-12,
                );
            }
        });
    });
}

/// Heat that spreads on a plate whose border is kept as it is.
#[program]
mod heat {
    pub struct Heat;

    impl Heat {
        /// By slices, which are replaced.
        pub fn by_slices<const H: usize, const W: usize>(
            &self,
            start: Tensor<f32, H, W>,
            steps: Tensor<i32>,
        ) -> Tensor<f32, H, W> {
            let mut u = start;
            for _ in range(0, steps) {
                let inner = u[s![1..-1, 1..-1]];
                let around =
                    u[s![..-2, 1..-1]] + u[s![2.., 1..-1]] + u[s![1..-1, ..-2]] + u[s![1..-1, 2..]];
                u[s![1..-1, 1..-1]] = inner + 0.2 * (around - 4.0 * inner);
            }
            u
        }

        /// On a torus, by rolling, until it is even.
        pub fn by_rolling<const H: usize, const W: usize>(
            &self,
            start: Tensor<f32, H, W>,
            steps: Tensor<i32>,
        ) -> Tensor<f32, H, W> {
            fori(steps, start, |_, u| {
                let around = u.roll(1, 0) + u.roll(-1, 0) + u.roll(1, 1) + u.roll(-1, 1);
                u + 0.2 * (around - 4.0 * u)
            })
        }

        /// Steps until no place changes by more than a limit, and the states of the middle row.
        pub fn settle(
            &self,
            start: Tensor<f32, 9, 9>,
            limit: Tensor<f32>,
        ) -> (Tensor<f32, 9, 9>, Tensor<i32>) {
            let mut u = start;
            let mut steps = 0;
            loop {
                let next = self.by_slices(u, 1);
                let change = (next - u).abs().max();
                u = next;
                steps += 1;
                if change < limit {
                    return (u, steps);
                }
            }
        }
    }
}

#[test]
fn heat_spreads() {
    on_devices(|device| {
        let program = heat::Heat::load(device).unwrap();
        let step = |u: &Array2<f64>, torus: bool| {
            let (h, w) = u.dim();
            Array2::from_shape_fn((h, w), |(i, j)| {
                let border = i == 0 || j == 0 || i + 1 == h || j + 1 == w;
                if border && !torus {
                    return u[(i, j)];
                }
                let around = u[((i + h - 1) % h, j)]
                    + u[((i + 1) % h, j)]
                    + u[(i, (j + w - 1) % w)]
                    + u[(i, (j + 1) % w)];
                u[(i, j)] + 0.2 * (around - 4.0 * u[(i, j)])
            })
        };
        at_sizes(
            device,
            &[(2, 2), (3, 3), (2, 5), (9, 9), (17, 30)],
            |(h, w)| {
                let start = Numbers::new((h * 40 + w) as u64).array((h, w)) * 10.0;
                for steps in [0, 1, 7] {
                    let (mut plate, mut torus) = (start.mapv(f64::from), start.mapv(f64::from));
                    for _ in 0..steps {
                        (plate, torus) = (step(&plate, false), step(&torus, true));
                    }
                    let flat = |u: &Array2<f64>| u.iter().copied().collect::<Vec<_>>();
                    // 6 roundings of numbers of up to 40 in each step, of which a fifth counts.
                    let within = 50.0 * f64::from(steps) * ROUND;
                    let found = program.by_slices(&start, steps).unwrap();
                    close(("plate", h, w, steps), &found, &flat(&plate), within);
                    let found = program.by_rolling(&start, steps).unwrap();
                    close(("torus", h, w, steps), &found, &flat(&torus), within);
                }
            },
        );
        at_sizes(device, &[0.5, 0.01_f32], |limit| {
            let start = Numbers::new(3).array((9, 9)) * 10.0;
            let (mut u, mut steps) = (start.mapv(f64::from), 0);
            loop {
                let next = step(&u, false);
                let change = (&next - &u)
                    .iter()
                    .fold(0.0_f64, |most, d| most.max(d.abs()));
                u = next;
                steps += 1;
                if change < f64::from(limit) {
                    break;
                }
            }
            let found = program.settle(&start, limit).unwrap();
            same(("steps", limit), &found.1, &[steps]);
            let right: Vec<f64> = u.iter().copied().collect();
            close(("settled", limit), &found.0, &right, 500.0 * ROUND);
        });
    });
}

/// Conway's Game of Life on a torus.
#[program]
mod life {
    pub struct Life;

    impl Life {
        pub fn run<const H: usize, const W: usize>(
            &self,
            start: Tensor<bool, H, W>,
            rounds: Tensor<i32>,
        ) -> (Tensor<bool, H, W>, Tensor<i32>) {
            let mut alive = start;
            for _ in range(0, rounds) {
                let cells = alive as i32;
                let rows = cells + cells.roll(1, 0) + cells.roll(-1, 0);
                let around = rows + rows.roll(1, 1) + rows.roll(-1, 1) - cells;
                alive = (around == 3) | (alive & (around == 2));
            }
            (alive, (alive as i32).sum())
        }

        /// The same with bits of rows of 64 cells.
        pub fn run_bits<const H: usize>(
            &self,
            start: Tensor<u64, H>,
            rounds: Tensor<i32>,
        ) -> Tensor<u64, H> {
            let mut x = start;
            for _ in range(0, rounds) {
                let left = (x << 1) | (x >> 63);
                let right = (x >> 1) | (x << 63);
                let two = left ^ right;
                let both = left & right;
                let (one3, two3) = (two ^ x, both | (two & x));
                let mut count = [two, both, zeros_like(x), zeros_like(x)];
                for by in [1, -1] {
                    let (a, b) = (one3.roll(by, 0), two3.roll(by, 0));
                    let carry = count[0] & a;
                    count[0] = count[0] ^ a;
                    let sum = count[1] ^ b ^ carry;
                    let carry = (count[1] & b) | (count[1] & carry) | (b & carry);
                    count[1] = sum;
                    let over = count[2] & carry;
                    count[2] = count[2] ^ carry;
                    count[3] = count[3] | over;
                }
                let twos = count[1] & !count[2] & !count[3];
                x = twos & (count[0] | x);
            }
            x
        }
    }
}

#[test]
fn cells_live_and_die() {
    on_devices(|device| {
        let program = life::Life::load(device).unwrap();
        let step = |alive: &Array2<bool>| {
            let (h, w) = alive.dim();
            Array2::from_shape_fn((h, w), |(i, j)| {
                let mut around = 0;
                for (di, dj) in [
                    (0, 0),
                    (0, 1),
                    (0, 2),
                    (1, 0),
                    (1, 2),
                    (2, 0),
                    (2, 1),
                    (2, 2),
                ] {
                    around += i32::from(alive[((i + h + di - 1) % h, (j + w + dj - 1) % w)]);
                }
                around == 3 || around == 2 && alive[(i, j)]
            })
        };
        at_sizes(
            device,
            &[(1, 1), (2, 3), (1, 64), (8, 8), (7, 64), (19, 37)],
            |(h, w)| {
                let mut numbers = Numbers::new((h * 70 + w) as u64);
                let start = Array2::from_shape_simple_fn((h, w), || numbers.below(3) == 0);
                for rounds in [0, 1, 2, 9] {
                    let right = (0..rounds).fold(start.clone(), |alive, _| step(&alive));
                    let found = program.run(&start, rounds).unwrap();
                    same(
                        ("life", h, w, rounds),
                        &found.0,
                        &right.iter().copied().collect::<Vec<_>>(),
                    );
                    let living = right.iter().filter(|cell| **cell).count() as i32;
                    same(("living", h, w, rounds), &found.1, &[living]);
                    if w == 64 {
                        let bits = |cells: &Array2<bool>| -> Array1<u64> {
                            let row = |row: ndarray::ArrayView1<'_, bool>| {
                                row.iter()
                                    .enumerate()
                                    .map(|(j, cell)| u64::from(*cell) << j)
                                    .sum()
                            };
                            cells.rows().into_iter().map(row).collect()
                        };
                        let found = program.run_bits(&bits(&start), rounds).unwrap();
                        same(("bits", h, rounds), &found, &bits(&right).to_vec());
                    }
                }
            },
        );
    });
}

/// Predators and prey, by Runge and Kutta's method.
#[program]
mod prey {
    pub struct Prey;

    impl Prey {
        /// The numbers of both at each time, from several starts.
        pub fn run<const N: usize>(
            &self,
            start: Tensor<f64, N, 2>,
            rates: Tensor<f64, 4>,
            dt: Tensor<f64>,
        ) -> Tensor<f64, 25, N, 2> {
            let change = |y: Tensor<f64, N, 2>| {
                let (prey, hunters) = (y[s![.., 0]], y[s![.., 1]]);
                stack(
                    [
                        prey * (rates[0] - rates[1] * hunters),
                        hunters * (rates[2] * prey - rates[3]),
                    ],
                    1,
                )
            };
            let mut all = zeros::<f64, 25, N, 2>();
            let mut y = start;
            for t in range(0, 25) {
                all[t] = y;
                let k1 = change(y);
                let k2 = change(y + k1 * (dt / 2.0));
                let k3 = change(y + k2 * (dt / 2.0));
                let k4 = change(y + k3 * dt);
                y += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (dt / 6.0);
            }
            all
        }
    }
}

#[test]
fn prey_and_predators_take_turns() {
    on_devices(|device| {
        let program = prey::Prey::load(device).unwrap();
        at_sizes(device, &[1, 2, 11], |n| {
            let start = Numbers::new(n as u64)
                .array((n, 2))
                .mapv(|x| f64::from(x) + 2.0);
            let [a, b, c, d] = [1.1, 0.4, 0.1, 0.4];
            let dt = 0.1;
            let change = |[x, y]: [f64; 2]| [a * x - b * x * y, c * x * y - d * y];
            let add = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
            let mut right = vec![vec![0.0; 2 * n]; 25];
            for k in 0..n {
                let mut y = [start[(k, 0)], start[(k, 1)]];
                for row in &mut right {
                    row[2 * k..2 * k + 2].copy_from_slice(&y);
                    let k1 = change(y);
                    let k2 = change(add(y, k1, dt / 2.0));
                    let k3 = change(add(y, k2, dt / 2.0));
                    let k4 = change(add(y, k3, dt));
                    for i in 0..2 {
                        y[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
                    }
                }
            }
            let found = program.run(&start, [a, b, c, d], dt).unwrap();
            close(("prey", n), &found, &right.concat(), 1e-13);
        });
    });
}
