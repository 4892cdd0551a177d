//! What builds tensors takes its type from the other operand, the other branch, a loop or a result.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, array};

#[program]
mod deferred {
    pub struct Deferred;

    impl Deferred {
        pub fn damped(&self, a: Tensor<f64, 3, 3>, lambda: Tensor<f64>) -> Tensor<f64> {
            let damped = a + lambda * eye();
            damped.det()
        }

        pub fn gram<const B: usize, const N: usize>(
            &self,
            x: Tensor<f32, B, N>,
            lambda: Tensor<f32>,
        ) -> (Tensor<f32>, Tensor<f32, N>) {
            let gram = eye() * (lambda * 2.0) + x.t().dot(x) - -eye();
            (gram.sum(), ((1 - eye()) * gram).sum_axis(0))
        }

        /// The smallest of those that a mask chooses, of all integers.
        pub fn smallest<const N: usize>(
            &self,
            mask: Tensor<bool, N>,
            x: Tensor<i32, N>,
            y: Tensor<u8, N>,
        ) -> (Tensor<i32>, Tensor<u8>, Tensor<i32>) {
            let one = select(mask, x, full(i32::MAX)).min();
            let other = select(!mask, full(u8::MAX), y).min();
            (one, other, select(mask, ones(), full(7)).sum())
        }

        pub fn masks(
            &self,
            mask: Tensor<bool, 2, 3>,
        ) -> (Tensor<bool>, Tensor<bool>, Tensor<bool>) {
            let nothing = mask & zeros();
            (
                (mask | full(true)).all(),
                nothing.any(),
                (mask == ones()).all(),
            )
        }

        /// Builders of one axis build the last.
        pub fn weighted<const B: usize>(
            &self,
            x: Tensor<f32, B, 3>,
        ) -> (Tensor<f32>, Tensor<f32, B>) {
            let counted = x * (2.0 * arange() + 1.0);
            (counted.sum(), (x * linspace(0.0, 1.0)).sum_axis(1))
        }

        /// A variable holds what is built of each type that it meets.
        pub fn variable(
            &self,
            x: Tensor<f32, 3>,
            n: Tensor<i64, 2, 2>,
            z: Tensor<Complex<f32>, 2>,
        ) -> (Tensor<f32>, Tensor<i64>, Tensor<Complex<f32>>) {
            let one = ones();
            let sum = (z + one).sum();
            ((x + one).prod(), (one + n).prod(), sum)
        }

        /// A scalar beside a builder may be all that there is.
        pub fn scalars(&self, s: Tensor<f16>, key: Tensor<u32, 2>) -> (Tensor<f16>, Tensor<bool>) {
            let sum = s + 2 * ones();
            let noise = s * random::uniform(key);
            (sum.sqrt(), noise.is_finite() & (s > zeros()))
        }

        pub fn chosen(&self, first: Tensor<bool>, x: Tensor<f32, 4>) -> (Tensor<f32>, Tensor<f32>) {
            let one = if first { x.exp() } else { zeros() };
            let other = cond(first, || full(0.5), || x.cumsum(0));
            (one.sum(), other.sum())
        }

        pub fn accumulated<const N: usize>(
            &self,
            x: Tensor<f64, N, 2>,
            n: Tensor<i32>,
        ) -> Tensor<f64> {
            let mut sum = zeros();
            let mut product = ones();
            for i in range(0, n) {
                sum += x[i];
                product = product * x[i];
                if (sum > full(100.0)).any() {
                    sum = zeros();
                }
            }
            sum.max() + product.min()
        }

        pub fn assigned(&self, x: Tensor<f32, 4, 3>, i: Tensor<i32>) -> Tensor<f32, 4, 3> {
            let mut x = x;
            x[0] = full(9.0);
            x[1] += arange();
            x.scatter_add([2, 3], ones(), 0)
                .scatter(i.insert_axis(0), full(-1.0), 0)
        }

        pub fn stacked(&self, x: Tensor<i16, 2>) -> Tensor<i16> {
            let both = stack([zeros(), x, full(3)], 0);
            both.max_axis(0).sum()
        }

        /// Which argument tells the sizes makes no difference.
        pub fn argument<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32> {
            distance(zeros(), x) + distance(x, ones()) + pair(Two { a: ones(), b: x })
        }

        pub fn dropped<const N: usize>(
            &self,
            key: Tensor<u32, 2>,
            x: Tensor<f32, N>,
        ) -> Tensor<f32> {
            let kept = select(random::bernoulli(key, 0.5), x, zeros());
            kept.sum() / x.sum()
        }

        /// What comes after an exit is a branch, whose scalars are gone after it.
        pub fn left(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            for i in range(0, 3) {
                if x[i] > 5.0 {
                    return x;
                }
            }
            let sum = x.sum() * ones();
            sum
        }

        pub fn noisy(&self, key: Tensor<u32, 2>, x: Tensor<f64, 1000>) -> Tensor<f64> {
            let noisy = x + 0.5 * random::normal(key);
            noisy.std()
        }
    }

    pub struct Two<const N: usize> {
        pub a: Tensor<f32, N>,
        pub b: Tensor<f32, N>,
    }

    #[kernel]
    fn pair<const N: usize>(two: Two<N>) -> Tensor<f32> {
        (two.a * two.b).sum()
    }

    #[kernel]
    fn distance<T: Float, const N: usize>(a: Tensor<T, N>, b: Tensor<T, N>) -> Tensor<T> {
        ((a - b) * (a - b)).sum()
    }
}

#[program]
mod rounds {
    pub struct Rounds;

    impl Rounds {
        pub fn running<const N: usize>(
            &self,
            x: Tensor<f32, N, 2>,
        ) -> (Tensor<f32, 2>, Tensor<f32, N, 2>) {
            scan(zeros(), x, |carry, row| {
                let next = carry + row;
                (next, next)
            })
        }

        /// Nothing but the rounds tells the type of the carry.
        pub fn last(&self, x: Tensor<f64, 5, 2>) -> (Tensor<f64>, Tensor<f64, 2>) {
            let (last, before) = scan((zeros(), 1.0), x, |(sum, product), row| {
                ((sum + row, product * row[0]), sum)
            });
            (last.1, last.0 - before[4])
        }

        /// Nothing but the result tells the type of the carry, which no round changes.
        pub fn kept(&self, x: Tensor<f32, 3>) -> (Tensor<f32, 2, 2>, Tensor<f32, 3, 2>) {
            scan(eye(), x, |carry, _| (carry, zeros()))
        }

        pub fn annotated(&self, x: Tensor<f32, 3>) -> Tensor<f32> {
            let kept: Tensor<f64, 2> = fori(3, ones(), |_, carry| carry * 2);
            let rows: Tensor<f32, 3, 2> = map(x, |_| full(0.5));
            rows.sum() + kept.sum() as f32
        }

        pub fn power(&self, x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
            fori(n, 1.0, |_, c| c * x)
        }

        pub fn powers<const N: usize>(&self, x: Tensor<f16, N>, n: Tensor<i32>) -> Tensor<f16> {
            let powers = fori(n, ones(), |_, c| c * x);
            powers.sum()
        }

        pub fn longest(&self, x: Tensor<i64, 6>) -> (Tensor<i64>, Tensor<i64>) {
            let ((longest, _), runs) = scan((0, 0), x, |(longest, run), x| {
                let run = (run + 1) * (x > 0) as i64;
                ((longest.maximum(run), run), run)
            });
            (longest, runs.sum())
        }

        pub fn in_a_kernel(&self, x: Tensor<f32, 4, 3>) -> Tensor<f32, 3> {
            total(x)
        }

        pub fn until(&self, x: Tensor<f64, 3>, limit: Tensor<f64>) -> Tensor<f64> {
            let mut sum = zeros();
            let mut count = 0;
            while (sum < full(10.0)).all() {
                sum = sum + x;
                count += 1;
                if sum.sum() > limit {
                    break;
                }
            }
            sum.sum() + count as f64
        }
    }

    #[kernel]
    fn total<T: Num, const N: usize, const M: usize>(x: Tensor<T, N, M>) -> Tensor<T, M> {
        let (total, _) = scan(zeros(), x, |sum, row| (sum + row, sum));
        total
    }
}

#[program]
mod arrays {
    pub struct Layer {
        pub w: Tensor<f32, 2, 2>,
        pub b: Tensor<f32, 2>,
    }

    pub struct Arrays;

    impl Arrays {
        pub fn draws(&self, key: Tensor<u32, 2>) -> (Tensor<f32, 200, 3>, Tensor<f32, 200, 3>) {
            let keys = random::split::<200>(key);
            let of_variable = map(keys, |key| random::normal::<f32, 3>(key));
            let at_once = map(random::split::<200>(key), |key| {
                random::normal::<f32, 3>(key)
            });
            (of_variable, at_once)
        }

        pub fn one_by_one(&self, key: Tensor<u32, 2>) -> Tensor<f32, 5, 3> {
            let [a, b, c, d, e] = random::split(key);
            let row = |key| random::normal::<f32, 3>(key);
            stack([row(a), row(b), row(c), row(d), row(e)], 0)
        }

        /// As many as rows of the call.
        pub fn rows<const N: usize>(
            &self,
            key: Tensor<u32, 2>,
            x: Tensor<f32, N, 3>,
        ) -> Tensor<f32, N, 3> {
            let keys = random::split::<N>(key);
            map((keys, x), |(key, row)| row + random::normal(key))
        }

        pub fn chained(&self, key: Tensor<u32, 2>) -> (Tensor<f32>, Tensor<f32, 4>) {
            scan(0.0, random::split::<4>(key), |sum, key| {
                let next = sum + random::uniform(key);
                (next, next)
            })
        }

        pub fn layers(
            &self,
            layers: [Layer; 3],
            x: Tensor<f32, 2>,
        ) -> (Tensor<f32, 2>, Tensor<f32, 3>) {
            scan(x, layers, |x, layer| {
                let y = layer.w.dot(x) + layer.b;
                (y, y.sum())
            })
        }

        pub fn numbers(&self, x: Tensor<f32>) -> Tensor<f32, 3> {
            map([1.0, 2.0, 4.0], |factor| factor * x)
        }

        pub fn expected(&self, key: Tensor<u32, 2>) -> Tensor<u32, 3, 2> {
            let keys: Tensor<u32, 3, 2> = random::split::<3>(key);
            keys
        }
    }
}

const DEVICES: [&str; 2] = ["local-sync", "local-task"];

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * b.abs().max(1.0)
}

#[test]
fn operands_take_the_type_of_the_other() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = deferred::Deferred::load(&device).unwrap();
        let a = array![[2.0, 1.0, 0.0], [0.5, 3.0, 1.0], [0.0, 1.0, 4.0]];
        let det = program.damped(&a, 0.5).unwrap().to_scalar().unwrap();
        assert!(close(det, 2.5 * (3.5 * 4.5 - 1.0) - 0.5 * 4.5), "{det}");
        let x = Array2::from_shape_fn((4, 3), |(i, j)| (i as f32 - j as f32) / 2.0);
        let (sum, off) = program.gram(&x, 0.25).unwrap();
        let mut gram = x.t().dot(&x);
        let off_diagonal = &gram - Array2::from_diag(&gram.diag());
        gram = gram + Array2::<f32>::eye(3) * 1.5;
        assert!((sum.to_scalar().unwrap() - gram.sum()).abs() < 1e-4);
        let expected = off_diagonal.sum_axis(ndarray::Axis(0));
        let difference = &off.to_array().unwrap() - &expected;
        assert!(difference.iter().all(|number| number.abs() < 1e-4));
    }
}

#[test]
fn choices_take_the_type_of_the_other() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = deferred::Deferred::load(&device).unwrap();
        for (mask, expected) in [
            ([true, false, true], (-4, 20, 9)),
            ([false, true, false], (9, 10, 15)),
            ([false; 3], (i32::MAX, u8::MAX, 21)),
        ] {
            let (x, y) = ([5, 9, -4], [30_u8, 10, 20]);
            let (one, other, counts) = program.smallest(mask, x, y).unwrap();
            let found = (one.to_scalar(), other.to_scalar(), counts.to_scalar());
            assert_eq!(
                (found.0.unwrap(), found.1.unwrap(), found.2.unwrap()),
                expected
            );
        }
        let mask = array![[true, false, true], [true, true, true]];
        let (all, any, same) = program.masks(&mask).unwrap();
        assert!(all.to_scalar().unwrap());
        assert!(!any.to_scalar().unwrap());
        assert!(!same.to_scalar().unwrap());
        for (first, expected) in [(true, (4.0, 2.0)), (false, (0.0, 0.0))] {
            let (one, other) = program.chosen(first, [0.0_f32; 4]).unwrap();
            assert_eq!(
                (one.to_scalar().unwrap(), other.to_scalar().unwrap()),
                expected
            );
        }
    }
}

#[test]
fn builders_of_one_axis_build_the_last() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = deferred::Deferred::load(&device).unwrap();
        let x = array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let (sum, rows) = program.weighted(&x).unwrap();
        assert_eq!(sum.to_scalar().unwrap(), 5.0 + 3.0 * 7.0 + 5.0 * 9.0);
        assert_eq!(rows.to_array().unwrap(), array![4.0, 8.5]);
    }
}

#[test]
fn a_variable_is_of_each_type_that_it_meets() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = deferred::Deferred::load(&device).unwrap();
        let z = array![Complex::new(1.0_f32, 2.0), Complex::new(0.0, -0.5)];
        let n = array![[1_i64, 2], [3, 4]];
        let (x, n, z) = program.variable([0.5, 1.0, 2.0], &n, &z).unwrap();
        assert_eq!(x.to_scalar().unwrap(), 9.0);
        assert_eq!(n.to_scalar().unwrap(), 120);
        assert_eq!(z.to_scalar().unwrap(), Complex::new(3.0, 1.5));
        let two = f16::from_f32(2.0);
        let (root, finite) = program.scalars(two, [1, 2]).unwrap();
        assert_eq!(root.to_scalar().unwrap(), two);
        assert!(finite.to_scalar().unwrap());
        let sum = program.stacked([-4, 5]).unwrap().to_scalar().unwrap();
        assert_eq!(sum, 8);
    }
}

#[test]
fn variables_of_loops_and_parts_take_their_type() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = deferred::Deferred::load(&device).unwrap();
        let x = array![[1.0, 2.0], [60.0, 0.5], [50.0, 3.0], [2.0, 4.0]];
        let found = program.accumulated(&x, 4).unwrap().to_scalar().unwrap();
        assert_eq!(found, 4.0 + 12.0);
        let x = Array2::from_shape_fn((4, 3), |(i, j)| (3 * i + j) as f32);
        let found = program.assigned(&x, 3).unwrap().to_array().unwrap();
        let expected = array![[9.0, 9.0, 9.0], [3.0, 5.0, 7.0], [7.0, 8.0, 9.0], [-1.0; 3]];
        assert_eq!(found, expected);
        let left = program.left([1.0, 2.0, 4.0]).unwrap().to_array().unwrap();
        assert_eq!(left.to_vec(), [7.0; 3]);
        let left = program.left([1.0, 2.0, 6.0]).unwrap().to_array().unwrap();
        assert_eq!(left.to_vec(), [1.0, 2.0, 6.0]);
        let found = program.argument([1.0, 2.0, 3.0]).unwrap();
        assert_eq!(found.to_scalar().unwrap(), 14.0 + 5.0 + 6.0);
    }
}

#[test]
fn draws_take_the_type_of_the_other() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = deferred::Deferred::load(&device).unwrap();
        let ones = Array1::<f32>::ones(10_000);
        let kept = program.dropped([3, 4], &ones).unwrap();
        assert!((kept.to_scalar().unwrap() - 0.5).abs() < 0.03);
        let zeros = Array1::<f64>::zeros(1000);
        let std = program.noisy([3, 4], &zeros).unwrap();
        assert!((std.to_scalar().unwrap() - 0.5).abs() < 0.05);
    }
}

#[test]
fn carries_take_the_type_of_results_and_rounds() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = rounds::Rounds::load(&device).unwrap();
        let x = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let (total, running) = program.running(&x).unwrap();
        assert_eq!(total.to_array().unwrap(), array![9.0, 12.0]);
        let expected = array![[1.0, 2.0], [4.0, 6.0], [9.0, 12.0]];
        assert_eq!(running.to_array().unwrap(), expected);
        let x = Array2::from_shape_fn((5, 2), |(i, j)| (2 * i + j + 1) as f64);
        let (product, row) = program.last(&x).unwrap();
        assert_eq!(product.to_scalar().unwrap(), 945.0);
        assert_eq!(row.to_array().unwrap(), array![9.0, 10.0]);
        let (kept, zeros) = program.kept([1.0, 2.0, 3.0]).unwrap();
        assert_eq!(kept.to_array().unwrap(), Array2::<f32>::eye(2));
        assert_eq!(zeros.to_array().unwrap(), Array2::<f32>::zeros((3, 2)));
        let sum = program.annotated([0.0; 3]).unwrap().to_scalar().unwrap();
        assert_eq!(sum, 3.0 + 16.0);
    }
}

#[test]
fn literals_take_the_type_of_rounds() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = rounds::Rounds::load(&device).unwrap();
        assert_eq!(program.power(1.5, 2).unwrap().to_scalar().unwrap(), 2.25);
        let x = [1.0, 2.0, 3.0].map(f16::from_f32);
        let sum = program.powers(x, 2).unwrap().to_scalar().unwrap();
        assert_eq!(sum.to_f32(), 14.0);
        let (longest, runs) = program.longest([1, 5, 0, 2, 3, 4]).unwrap();
        assert_eq!(longest.to_scalar().unwrap(), 3);
        assert_eq!(runs.to_scalar().unwrap(), 1 + 2 + 1 + 2 + 3);
        let x = Array2::<f32>::ones((4, 3));
        let total = program.in_a_kernel(&x).unwrap().to_array().unwrap();
        assert_eq!(total, array![4.0, 4.0, 4.0]);
        let found = program.until([1.0, 2.0, 4.0], 1e9).unwrap();
        assert_eq!(found.to_scalar().unwrap(), 21.0 + 3.0);
        let found = program.until([1.0, 2.0, 4.0], 10.0).unwrap();
        assert_eq!(found.to_scalar().unwrap(), 14.0 + 2.0);
    }
}

#[test]
fn arrays_are_gone_through_item_by_item() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = arrays::Arrays::load(&device).unwrap();
        let key = [0, 7];
        let (one, other) = program.draws(key).unwrap();
        let one = one.to_array().unwrap();
        assert_eq!(one, other.to_array().unwrap());
        let mean = one.mean().unwrap();
        assert!(mean.abs() < 0.15, "{mean}");
        let (sum, sums) = program.chained(key).unwrap();
        let sums = sums.to_array().unwrap();
        assert_eq!(sum.to_scalar().unwrap(), sums[3]);
        assert!(sums.windows(2).into_iter().all(rises));
        let numbers = program.numbers(1.5).unwrap().to_array().unwrap();
        assert_eq!(numbers, array![1.5, 3.0, 6.0]);
        assert_eq!(program.expected(key).unwrap().shape(), [3, 2]);
    }
}

fn rises(pair: ArrayView1<'_, f32>) -> bool {
    pair[1] > pair[0]
}

#[test]
fn keys_are_split_into_as_many_as_the_call_has_rows() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = arrays::Arrays::load(&device).unwrap();
        let expected = program.one_by_one([0, 7]).unwrap().to_array().unwrap();
        let zeros = Array2::<f32>::zeros((5, 3));
        let found = program.rows([0, 7], &zeros).unwrap().to_array().unwrap();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_program_goes_through_an_array_of_layers() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = arrays::Arrays::load(&device).unwrap();
        let layer = |number: f32| arrays::Layer {
            w: device
                .upload(&(array![[1.0, 0.5], [0.0, 1.0]] * number))
                .unwrap(),
            b: device.upload(&array![number, -number]).unwrap(),
        };
        let layers = [1.0, 2.0, 3.0].map(layer);
        let (last, sums) = program.layers(layers.each_ref(), [1.0, 2.0]).unwrap();
        let mut x = array![1.0_f32, 2.0];
        let mut expected = Vec::new();
        for number in [1.0_f32, 2.0, 3.0] {
            let w = array![[1.0, 0.5], [0.0, 1.0]] * number;
            x = w.dot(&x) + array![number, -number];
            expected.push(x.sum());
        }
        assert_eq!(last.to_array().unwrap(), x);
        assert_eq!(sums.to_array().unwrap().to_vec(), expected);
    }
}

#[program]
mod met {
    pub struct Met;

    impl Met {
        pub fn loss<const B: usize, const C: usize>(
            &self,
            x: Tensor<f64, B, C>,
            labels: Tensor<i32, B>,
        ) -> (Tensor<f64>, Tensor<f64, B, C>) {
            let hot = labels.one_hot();
            let loss = -(hot * x.log_softmax(-1)).sum() / B as f64;
            (loss, labels.one_hot())
        }

        pub fn turned(
            &self,
            z: Tensor<Complex<f64>, 2, 2>,
            angle: Tensor<f64>,
        ) -> (Tensor<Complex<f64>, 2, 2>, Tensor<Complex<f64>, 2, 2>) {
            let turn = complex(eye(), angle);
            (z * turn, complex(ones(), zeros()))
        }

        pub fn scaled(&self, x: Tensor<f64, 2, 3>) -> Tensor<f64, 2, 3> {
            x * arange()
        }

        /// Literals that meet only others before they meet a tensor.
        pub fn chosen(
            &self,
            x: Tensor<f64, 3>,
            mask: Tensor<bool, 3>,
            flag: Tensor<bool>,
        ) -> (Tensor<f64, 3>, Tensor<f64, 3>, Tensor<f64>) {
            let mut stored = x;
            stored[0] = select(flag, 0.1, select(flag, 0.2, 0.3));
            let chosen = select(mask, select(flag, 0.1, zeros()), x);
            let sums = select(mask, 0.1, 0.2);
            (
                stored,
                chosen,
                x.sum() + sums.sum() + sums.dot(x) + sums.cumsum(0)[2],
            )
        }
    }
}

#[test]
fn classes_take_the_type_that_they_meet() {
    for name in DEVICES {
        let program = met::Met::load(&Device::open(name).unwrap()).unwrap();
        let x = array![[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]];
        let (loss, hot) = program.loss(&x, [2, 0]).unwrap();
        assert!((loss.to_scalar().unwrap() - 3.0_f64.ln()).abs() < 1e-12);
        let expected = array![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert_eq!(hot.to_array().unwrap(), expected);
    }
}

#[test]
fn parts_of_complex_numbers_take_the_type_that_these_meet() {
    use num_complex::Complex;
    for name in DEVICES {
        let program = met::Met::load(&Device::open(name).unwrap()).unwrap();
        let z = Array2::from_elem((2, 2), Complex::new(1.0, 2.0));
        let (turned, ones) = program.turned(&z, 0.5).unwrap();
        let turn = |(row, column)| z[(row, column)] * Complex::new(f64::from(row == column), 0.5);
        assert_eq!(
            turned.to_array().unwrap(),
            Array2::from_shape_fn((2, 2), turn)
        );
        let expected = Array2::from_elem((2, 2), Complex::new(1.0, 0.0));
        assert_eq!(ones.to_array().unwrap(), expected);
    }
}

#[test]
fn literals_among_themselves_take_the_type_that_they_meet_later() {
    for name in DEVICES {
        let program = met::Met::load(&Device::open(name).unwrap()).unwrap();
        let call = program.chosen([1.0, 2.0, 3.0], [true, false, true], false);
        let (stored, chosen, sums) = call.unwrap();
        assert_eq!(stored.to_array().unwrap(), array![0.3, 2.0, 3.0]);
        assert_eq!(chosen.to_array().unwrap(), array![0.0, 2.0, 0.0]);
        let sum = 0.1 + 0.2 + 0.1;
        let expected = 6.0 + sum + (0.1 + 0.4 + 0.3) + sum;
        assert!((sums.to_scalar().unwrap() - expected).abs() < 1e-14);
    }
}

#[test]
fn one_axis_is_the_last_of_a_result_too() {
    for name in DEVICES {
        let program = met::Met::load(&Device::open(name).unwrap()).unwrap();
        let scaled = program.scaled([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
        let expected = array![[0.0, 2.0, 6.0], [0.0, 5.0, 12.0]];
        assert_eq!(scaled.to_array().unwrap(), expected);
    }
}
