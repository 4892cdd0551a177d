//! Equations of motion, lattices and grids.

use crate::common::{cases, close, flat, same, wide};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, arr1};

/// Lorenz's equations, with steps of the length that the error allows.
#[program]
mod dormand_prince {
    pub struct Lorenz;

    impl Lorenz {
        /// The state at `until`, the steps that were taken, and those that were refused.
        pub fn solve(
            &self,
            start: Tensor<f64, 3>,
            until: Tensor<f64>,
            tolerance: Tensor<f64>,
        ) -> (Tensor<f64, 3>, Tensor<i32>, Tensor<i32>) {
            let mut y = start;
            let mut t = 0.0;
            let mut h = 0.01;
            let (mut taken, mut refused) = (0, 0);
            while t < until {
                let step = h.minimum(until - t);
                let k1 = slope(y);
                let k2 = slope(y + step * (k1 / 5.0));
                let k3 = slope(y + step * (k1 * 3.0 / 40.0 + k2 * 9.0 / 40.0));
                let k4 = slope(y + step * (k1 * 44.0 / 45.0 - k2 * 56.0 / 15.0 + k3 * 32.0 / 9.0));
                let k5 = slope(
                    y + step
                        * (k1 * 19372.0 / 6561.0 - k2 * 25360.0 / 2187.0 + k3 * 64448.0 / 6561.0
                            - k4 * 212.0 / 729.0),
                );
                let k6 = slope(
                    y + step
                        * (k1 * 9017.0 / 3168.0 - k2 * 355.0 / 33.0
                            + k3 * 46732.0 / 5247.0
                            + k4 * 49.0 / 176.0
                            - k5 * 5103.0 / 18656.0),
                );
                let next = y + step
                    * (k1 * 35.0 / 384.0 + k3 * 500.0 / 1113.0 + k4 * 125.0 / 192.0
                        - k5 * 2187.0 / 6784.0
                        + k6 * 11.0 / 84.0);
                let k7 = slope(next);
                let error = step
                    * (k1 * 71.0 / 57600.0 - k3 * 71.0 / 16695.0 + k4 * 71.0 / 1920.0
                        - k5 * 17253.0 / 339200.0
                        + k6 * 22.0 / 525.0
                        - k7 / 40.0);
                let scale = tolerance * (1.0 + y.abs().maximum(next.abs()));
                let ratio = (error / scale).powi(2).mean().sqrt();
                if ratio <= 1.0 {
                    y = next;
                    t += step;
                    taken += 1;
                } else {
                    refused += 1;
                }
                h = step * (0.9 * ratio.maximum(1e-10).powf(-0.2)).clamp(0.2, 5.0);
            }
            (y, taken, refused)
        }
    }

    #[kernel]
    fn slope(v: Tensor<f64, 3>) -> Tensor<f64, 3> {
        let (x, y, z) = (v[0], v[1], v[2]);
        stack(
            [10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z],
            0,
        )
    }
}

#[test]
fn lorenz_by_dormand_and_prince() {
    let f = |v: &Array1<f64>| {
        arr1(&[
            10.0 * (v[1] - v[0]),
            v[0] * (28.0 - v[2]) - v[1],
            v[0] * v[1] - 8.0 / 3.0 * v[2],
        ])
    };
    cases(&[0.0, 0.5, 2.0], |device, until, r| {
        let p = dormand_prince::Lorenz::load(device).unwrap();
        let start = wide(&r.array(3)) * 5.0;
        let (mut y, mut t, mut h, mut taken, mut refused) = (start.clone(), 0.0, 0.01, 0, 0);
        while t < until {
            let step = f64::min(h, until - t);
            let k1 = f(&y);
            let k2 = f(&(&y + &(step * (&k1 / 5.0))));
            let k3 = f(&(&y + &(step * (&k1 * 3.0 / 40.0 + &k2 * 9.0 / 40.0))));
            let k4 =
                f(&(&y + &(step * (&k1 * 44.0 / 45.0 - &k2 * 56.0 / 15.0 + &k3 * 32.0 / 9.0))));
            let k5 = f(&(&y
                + &(step
                    * (&k1 * 19372.0 / 6561.0 - &k2 * 25360.0 / 2187.0 + &k3 * 64448.0 / 6561.0
                        - &k4 * 212.0 / 729.0))));
            let k6 = f(&(&y
                + &(step
                    * (&k1 * 9017.0 / 3168.0 - &k2 * 355.0 / 33.0
                        + &k3 * 46732.0 / 5247.0
                        + &k4 * 49.0 / 176.0
                        - &k5 * 5103.0 / 18656.0))));
            let next = &y
                + &(step
                    * (&k1 * 35.0 / 384.0 + &k3 * 500.0 / 1113.0 + &k4 * 125.0 / 192.0
                        - &k5 * 2187.0 / 6784.0
                        + &k6 * 11.0 / 84.0));
            let k7 = f(&next);
            let e = step
                * (&k1 * 71.0 / 57600.0 - &k3 * 71.0 / 16695.0 + &k4 * 71.0 / 1920.0
                    - &k5 * 17253.0 / 339200.0
                    + &k6 * 22.0 / 525.0
                    - &k7 / 40.0);
            let ratio = ((0..3)
                .map(|i| (e[i] / (1e-8 * (1.0 + y[i].abs().max(next[i].abs())))).powi(2))
                .sum::<f64>()
                / 3.0)
                .sqrt();
            if ratio <= 1.0 {
                y = next;
                t += step;
                taken += 1;
            } else {
                refused += 1;
            }
            h = step * (0.9 * ratio.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
        }
        let (found, a, b) = p.solve(&start, until, 1e-8).unwrap();
        close(("lorenz", until), &found, &flat(&y), 1e-6);
        assert!((a.to_scalar().unwrap() - taken).abs() <= 1, "{taken}");
        assert!((b.to_scalar().unwrap() - refused).abs() <= 1, "{refused}");
    });
}

/// Spins by chance, in Ising's model.
#[program]
mod ising {
    pub struct Ising;

    impl Ising {
        /// The numbers by which a round of `sweep` decides.
        pub fn numbers<const H: usize, const W: usize>(
            &self,
            spins: Tensor<i8, H, W>,
            seed: Tensor<u64>,
            round: Tensor<i32>,
        ) -> Tensor<f32, 2, H, W> {
            let [a, b] = random::split(random::fold_in(random::key(seed), round));
            stack(
                [
                    random::uniform::<f32, H, W>(a),
                    random::uniform::<f32, H, W>(b),
                ],
                0,
            )
        }

        /// Metropolis on a torus, by the colours of a chess board; energy and magnetisation after each round.
        pub fn sweep<const H: usize, const W: usize>(
            &self,
            spins: Tensor<i8, H, W>,
            seed: Tensor<u64>,
            beta: Tensor<f32>,
        ) -> (Tensor<i8, H, W>, Tensor<i32, 6>, Tensor<f32, 6>) {
            let key = random::key(seed);
            let white = (iota::<i32, H, W>(0) + iota::<i32, H, W>(1)) % 2 == 0;
            let mut spins = spins;
            let mut energies = zeros::<i32, 6>();
            let mut magnets = zeros::<f32, 6>();
            for round in range(0, 6) {
                let [a, b] = random::split(random::fold_in(key, round));
                for (key, mask) in [(a, white), (b, !white)] {
                    let cost = 2 * spins * around(spins);
                    let accept = random::uniform::<f32, H, W>(key) < (-beta * cost as f32).exp();
                    spins = select(mask & accept, -spins, spins);
                }
                energies[round] = -(spins as i32 * around(spins) as i32).sum() / 2;
                magnets[round] = (spins as f32).mean();
            }
            (spins, energies, magnets)
        }
    }

    #[kernel]
    fn around<const H: usize, const W: usize>(x: Tensor<i8, H, W>) -> Tensor<i8, H, W> {
        x.roll(1, 0) + x.roll(-1, 0) + x.roll(1, 1) + x.roll(-1, 1)
    }
}

#[test]
fn ising_model() {
    cases(&[(2, 2), (8, 6), (16, 16)], |device, (h, w), r| {
        let p = ising::Ising::load(device).unwrap();
        let mut s = Array2::from_shape_fn((h, w), |_| if r.below(2) == 1 { 1i8 } else { -1 });
        let seed = r.bits() as u64;
        let (found, e, m) = p.sweep(&s, seed, 0.4).unwrap();
        let (mut es, mut ms) = (vec![], vec![]);
        let start = s.clone();
        for round in 0..6 {
            let u = p.numbers(&start, seed, round).unwrap().to_array().unwrap();
            let near = |s: &Array2<i8>, i: usize, j: usize| {
                s[((i + 1) % h, j)]
                    + s[((i + h - 1) % h, j)]
                    + s[(i, (j + 1) % w)]
                    + s[(i, (j + w - 1) % w)]
            };
            for c in 0..2 {
                let old = s.clone();
                for i in 0..h {
                    for j in 0..w {
                        if (i + j) % 2 == c {
                            let cost = 2 * old[(i, j)] * near(&old, i, j);
                            if u[(c, i, j)] < (-0.4 * cost as f32).exp() {
                                s[(i, j)] = -s[(i, j)];
                            }
                        }
                    }
                }
            }
            es.push(
                -(0..h * w)
                    .map(|k| s[(k / w, k % w)] as i32 * near(&s, k / w, k % w) as i32)
                    .sum::<i32>()
                    / 2,
            );
            ms.push(s.iter().map(|x| *x as f64).sum::<f64>() / (h * w) as f64);
        }
        same(
            ("ising", h, w),
            &found,
            &s.iter().copied().collect::<Vec<_>>(),
        );
        same(("energy", h, w), &e, &es);
        close(("magnet", h, w), &m, &ms, 1e-6);
    });
}

/// Poisson's equation on two grids.
#[program]
mod multigrid {
    pub struct Poisson;

    impl Poisson {
        /// Cycles of two grids, of which the finer one has an odd number of places in each direction.
        pub fn solve<const M: usize>(
            &self,
            f: Tensor<f64, M, M>,
            cycles: Tensor<i32>,
        ) -> (Tensor<f64, M, M>, Tensor<f64>) {
            let h = 1.0 / (M + 1) as f64;
            let mut u = zeros_like(f);
            for _ in range(0, cycles) {
                u = smooth(u, f, h, 2);
                let r = f - laplace(u, h);
                let coarse = restrict(r);
                let e = smooth(zeros_like(coarse), coarse, 2.0 * h, 30);
                u = smooth(u + prolong(e)[s![..M, ..M]], f, h, 2);
            }
            let r = f - laplace(u, h);
            (u, (r * r).sum().sqrt() * h)
        }
    }

    #[kernel]
    fn laplace<const H: usize, const W: usize>(
        u: Tensor<f64, H, W>,
        h: Tensor<f64>,
    ) -> Tensor<f64, H, W> {
        let p = pad!(u, low = [1, 1], high = [1, 1]);
        let around =
            p[s![..-2, 1..-1]] + p[s![2.., 1..-1]] + p[s![1..-1, ..-2]] + p[s![1..-1, 2..]];
        (around - 4.0 * u) / (h * h)
    }

    #[kernel]
    fn smooth<const H: usize, const W: usize>(
        u: Tensor<f64, H, W>,
        f: Tensor<f64, H, W>,
        h: Tensor<f64>,
        rounds: usize,
    ) -> Tensor<f64, H, W> {
        fori(rounds, u, |_, u| u + (laplace(u, h) - f) * (h * h * 0.2))
    }

    #[kernel]
    fn restrict<const M: usize>(
        x: Tensor<f64, M, M>,
    ) -> Tensor<f64, { (M - 1) / 2 }, { (M - 1) / 2 }> {
        let rows = 0.25 * x[s![..-2;2, ..]] + 0.5 * x[s![1..-1;2, ..]] + 0.25 * x[s![2..;2, ..]];
        0.25 * rows[s![.., ..-2;2]] + 0.5 * rows[s![.., 1..-1;2]] + 0.25 * rows[s![.., 2..;2]]
    }

    #[kernel]
    fn prolong<const N: usize>(x: Tensor<f64, N, N>) -> Tensor<f64, { 2 * N + 1 }, { 2 * N + 1 }> {
        let wide = pad!(x, low = [2, 2], high = [2, 2], interior = [1, 1]);
        let rows = wide[s![1..-1, ..]] + 0.5 * (wide[s![..-2, ..]] + wide[s![2.., ..]]);
        rows[s![.., 1..-1]] + 0.5 * (rows[s![.., ..-2]] + rows[s![.., 2..]])
    }
}

fn laplace_ref(u: &Array2<f64>, h: f64) -> Array2<f64> {
    let (a, b) = u.dim();
    Array2::from_shape_fn((a, b), |(i, j)| {
        let g = |y: isize, x: isize| {
            if y < 0 || x < 0 || y >= a as isize || x >= b as isize {
                0.0
            } else {
                u[(y as usize, x as usize)]
            }
        };
        let (i, j) = (i as isize, j as isize);
        (g(i - 1, j) + g(i + 1, j) + g(i, j - 1) + g(i, j + 1) - 4.0 * g(i, j)) / (h * h)
    })
}

#[test]
fn multigrid_poisson() {
    let smooth = |u: Array2<f64>, f: &Array2<f64>, h: f64, n: usize| {
        (0..n).fold(u, |u, _| &u + &((laplace_ref(&u, h) - f) * (h * h * 0.2)))
    };
    cases(
        &[(1usize, 1), (3, 2), (8, 4), (15, 3)],
        |device, (n, cycles), r| {
            let p = multigrid::Poisson::load(device).unwrap();
            let m = 2 * n + 1;
            let f = wide(&r.array((m, m)));
            let h = 1.0 / (m + 1) as f64;
            let mut u = Array2::zeros((m, m));
            for _ in 0..cycles {
                u = smooth(u, &f, h, 2);
                let res = &f - &laplace_ref(&u, h);
                let c = Array2::from_shape_fn((n, n), |(i, j)| {
                    let mut s = 0.0;
                    for a in 0..3 {
                        for b in 0..3 {
                            s += [0.25, 0.5, 0.25][a]
                                * [0.25, 0.5, 0.25][b]
                                * res[(2 * i + a, 2 * j + b)];
                        }
                    }
                    s
                });
                let e = smooth(Array2::zeros((n, n)), &c, 2.0 * h, 30);
                let mut up = u.clone();
                for i in 0..n {
                    for j in 0..n {
                        for a in 0..3 {
                            for b in 0..3 {
                                up[(2 * i + a, 2 * j + b)] +=
                                    [0.5, 1.0, 0.5][a] * [0.5, 1.0, 0.5][b] * e[(i, j)];
                            }
                        }
                    }
                }
                u = smooth(up, &f, h, 2);
            }
            let res = &f - &laplace_ref(&u, h);
            let (found, norm) = p.solve(&f, cycles).unwrap();
            close(("multigrid", n), &found, &flat(&u), 1e-12);
            close(
                ("residual", n),
                &norm,
                &[res.mapv(|x| x * x).sum().sqrt() * h],
                1e-10,
            );
        },
    );
}

/// What flows around obstacles, by nine populations at each place.
#[program]
mod lattice {
    pub struct Lattice;

    impl Lattice {
        /// Steps on a torus with obstacles, which send back what comes.
        pub fn flow<const H: usize, const W: usize>(
            &self,
            f: Tensor<f32, 9, H, W>,
            wall: Tensor<bool, H, W>,
            omega: Tensor<f32>,
            steps: Tensor<i32>,
        ) -> (Tensor<f32, 9, H, W>, Tensor<f32, 2, H, W>) {
            let dx = tensor([0, 1, 0, -1, 0, 1, -1, -1, 1]);
            let dy = tensor([0, 0, 1, 0, -1, 1, 1, -1, -1]);
            let c = stack([dx, dy], 1) as f32;
            let opposite = tensor([0, 3, 4, 1, 2, 7, 8, 5, 6]);
            let weights = tensor([
                4.0 / 9.0,
                1.0 / 9.0,
                1.0 / 9.0,
                1.0 / 9.0,
                1.0 / 9.0,
                1.0 / 36.0,
                1.0 / 36.0,
                1.0 / 36.0,
                1.0 / 36.0,
            ]);
            let mut f = f;
            for _ in range(0, steps) {
                let rho = f.sum_axis(0);
                let u = einsum!("qd,qhw->dhw", c, f) / rho;
                let cu = einsum!("qd,dhw->qhw", c, u);
                let even = weights.reshape([9, 1, 1])
                    * rho
                    * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * (u * u).sum_axis(0));
                let collided = f + omega * (even - f);
                f = select(wall, f.take(opposite, 0), collided);
                let [f0, f1, f2, f3, f4, f5, f6, f7, f8] = f.split(9, 0);
                f = concatenate(
                    [
                        f0,
                        f1.roll(1, 2),
                        f2.roll(1, 1),
                        f3.roll(-1, 2),
                        f4.roll(-1, 1),
                        f5.roll(1, 2).roll(1, 1),
                        f6.roll(-1, 2).roll(1, 1),
                        f7.roll(-1, 2).roll(-1, 1),
                        f8.roll(1, 2).roll(-1, 1),
                    ],
                    0,
                );
            }
            let u = einsum!("qd,qhw->dhw", c, f) / f.sum_axis(0);
            (f, select(wall, 0.0, u))
        }
    }
}

#[test]
fn lattice_boltzmann() {
    const DX: [isize; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
    const DY: [isize; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
    const O: [usize; 9] = [0, 3, 4, 1, 2, 7, 8, 5, 6];
    cases(
        &[(1usize, 1usize, 2), (3, 5, 0), (8, 6, 7)],
        |device, (h, w, steps), r| {
            let p = lattice::Lattice::load(device).unwrap();
            let f = r.array((9, h, w)) * 0.05 + 0.111;
            let wall = Array2::from_shape_fn((h, w), |_| r.below(6) == 0);
            let wt = |q: usize| {
                if q == 0 {
                    4.0 / 9.0
                } else if q < 5 {
                    1.0 / 9.0
                } else {
                    1.0 / 36.0
                }
            };
            let mut g = wide(&f);
            let vel = |g: &Array3<f64>, i: usize, j: usize| {
                let rho: f64 = (0..9).map(|q| g[(q, i, j)]).sum();
                (
                    rho,
                    (0..9).map(|q| DX[q] as f64 * g[(q, i, j)]).sum::<f64>() / rho,
                    (0..9).map(|q| DY[q] as f64 * g[(q, i, j)]).sum::<f64>() / rho,
                )
            };
            for _ in 0..steps {
                let mut next = g.clone();
                for i in 0..h {
                    for j in 0..w {
                        for q in 0..9 {
                            let v = if wall[(i, j)] {
                                g[(O[q], i, j)]
                            } else {
                                let (rho, ux, uy) = vel(&g, i, j);
                                let cu = DX[q] as f64 * ux + DY[q] as f64 * uy;
                                g[(q, i, j)]
                                    + 1.2
                                        * (wt(q)
                                            * rho
                                            * (1.0 + 3.0 * cu + 4.5 * cu * cu
                                                - 1.5 * (ux * ux + uy * uy))
                                            - g[(q, i, j)])
                            };
                            next[(
                                q,
                                (i as isize + DY[q]).rem_euclid(h as isize) as usize,
                                (j as isize + DX[q]).rem_euclid(w as isize) as usize,
                            )] = v;
                        }
                    }
                }
                g = next;
            }
            let (found, u) = p.flow(&f, &wall, 1.2, steps).unwrap();
            close(("f", h, w), &found, &flat(&g), 1e-5);
            let mut right = vec![];
            for d in 0..2 {
                for i in 0..h {
                    for j in 0..w {
                        let (_, x, y) = vel(&g, i, j);
                        right.push(if wall[(i, j)] {
                            0.0
                        } else if d == 0 {
                            x
                        } else {
                            y
                        });
                    }
                }
            }
            close(("u", h, w), &u, &right, 1e-4);
        },
    );
}
