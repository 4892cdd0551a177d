//! Dimensions that are known at the call only.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, Array4, Axis, arr1, array, s};

#[program]
mod sizes {
    pub struct Batch<const N: usize> {
        pub x: Tensor<f32, N, 3>,
        pub labels: Tensor<i32, N>,
    }

    pub struct Sizes {
        #[global(init = tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))]
        w: Tensor<f32, 3, 2>,
        #[global]
        count: Tensor<i32>,
    }

    impl Sizes {
        pub fn predict<const B: usize>(&self, x: Tensor<f32, B, 3>) -> Tensor<f32, B, 2> {
            dense(x, self.w, 0.5)
        }

        pub fn loss<const B: usize>(
            &mut self,
            x: Tensor<f32, B, 3>,
            labels: Tensor<i32, B>,
        ) -> Tensor<f32> {
            self.count += B as i32;
            let logits = self.predict(x).log_softmax(-1);
            let picked = (logits * labels.one_hot::<f32, 2>()).sum();
            -picked / B as f32
        }

        pub fn on_tree<const B: usize>(&self, batch: Batch<B>) -> (Tensor<f32, 3>, Tensor<i32>) {
            (batch.x.mean_axis(0), batch.labels.sum())
        }

        pub fn seen(&self) -> Tensor<i32> {
            self.count
        }

        pub fn joined<const A: usize, const B: usize>(
            &self,
            a: Tensor<i64, A>,
            b: Tensor<i64, B>,
        ) -> Tensor<i64, { A + B }> {
            concatenate([a, b], 0)
        }

        pub fn outer<const A: usize, const B: usize>(
            &self,
            a: Tensor<f32, A>,
            b: Tensor<f32, B>,
        ) -> Tensor<f32, A, B> {
            a.reshape([A, 1]) * b
        }

        pub fn flat(&self, x: Tensor<u8, _, 4>) -> Tensor<u8, _> {
            let flat = x.flatten();
            flat + 1
        }

        pub fn pairs<const N: usize>(
            &self,
            x: Tensor<f32, { 2 * N }>,
            n: Tensor<f32, N>,
        ) -> Tensor<f32, N> {
            x.reshape([-1, 2]).sum_axis(1) + n
        }

        pub fn inner<const N: usize>(
            &self,
            x: Tensor<f32, N>,
        ) -> (Tensor<f32, _>, Tensor<f32>, Tensor<f32>, Tensor<f32, _>) {
            (x[s![1..-1]], x[0], x[-1], x[s![..;2]])
        }

        pub fn sizes<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N, M>,
        ) -> (
            Tensor<i32>,
            Tensor<f32>,
            Tensor<u8>,
            Tensor<bool>,
            Tensor<i64>,
        ) {
            let small = if N < 3 { 1 } else { x.len() as i64 };
            (x.dim(1) as i32, x.len() as f32, N as u8, N == M, small)
        }

        pub fn counted<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32> {
            let mut total = 0;
            for i in 0..N {
                total += x[i] * (i as i32 + 1);
            }
            total
        }

        pub fn running<const N: usize>(
            &self,
            x: Tensor<f32, N, 2>,
        ) -> (Tensor<f32, 2>, Tensor<f32, N, 2>) {
            scan(zeros::<f32, 2>(), x, |carry, row| {
                let next = carry + row;
                (next, next)
            })
        }

        pub fn doubled<const N: usize>(&self, x: Tensor<f32, N, 2>) -> Tensor<f32, N, 2> {
            map(x, |row| row * 2.0)
        }

        pub fn filled<const N: usize>(
            &self,
            x: Tensor<f32, N>,
        ) -> (Tensor<f32, N>, Tensor<i32, N>, Tensor<f32, N, N>) {
            let mut y = zeros::<f32, N>();
            y[N - 1] = 3.0;
            (
                full::<f32, N>(2.0) * x + y,
                iota::<i32, N>(),
                ones::<f32, N, N>(),
            )
        }

        pub fn fit<const N: usize>(
            &mut self,
            x: Tensor<f32, N, 3>,
            y: Tensor<f32, N, 1>,
            rounds: Tensor<i32>,
        ) -> (Tensor<f32, 3, 1>, Tensor<f32>) {
            let mut w = zeros::<f32, 3, 1>();
            for _ in range(0, rounds) {
                let error = x.dot(w) - y;
                w -= x.t().dot(error) / N as f32;
            }
            let y = y.flatten();
            (w, y.dot(y))
        }

        pub fn contracted<const A: usize, const B: usize>(
            &self,
            x: Tensor<f32, A, B, 2>,
            y: Tensor<f32, B, 2, 3>,
        ) -> Tensor<f32, A, 3> {
            einsum!("abc,bcd->ad", x, y)
        }

        pub fn attention<const B: usize, const Q: usize, const K: usize>(
            &self,
            q: Tensor<f32, B, Q, 4>,
            k: Tensor<f32, B, K, 4>,
            v: Tensor<f32, B, K, 2>,
        ) -> Tensor<f32, B, Q, 2> {
            let scores = q.matmul(k.swap_axes(1, 2)) / 2.0;
            scores.softmax(-1).matmul(v)
        }

        pub fn shared<const A: usize, const B: usize, const O: usize>(
            &self,
            x: Tensor<f32, A, 2, B, 3>,
            w: Tensor<f32, O, 3>,
        ) -> Tensor<f32, A, 2, B, O> {
            x.matmul(w.t())
        }
    }

    #[kernel]
    fn dense<T: Float, const N: usize, const I: usize, const O: usize>(
        x: Tensor<T, N, I>,
        w: Tensor<T, I, O>,
        b: Tensor<T>,
    ) -> Tensor<T, N, O> {
        x.dot(w) + b
    }
}

fn program() -> sizes::Sizes {
    let device = Device::open("local-task").expect("a device");
    sizes::Sizes::load(&device).expect("the program loads")
}

#[test]
fn one_artifact_serves_every_size() {
    let mut program = program();
    let w = array![[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    for n in [1, 2, 7, 64] {
        let x = Array2::from_shape_fn((n, 3), |(i, j)| (i as f32 - j as f32) / 32.0);
        let expected = x.dot(&w) + 0.5;
        assert_eq!(program.predict(&x).unwrap().to_array().unwrap(), expected);
        let labels = Array1::from_shape_fn(n, |i| (i % 2) as i32);
        let loss: f32 = program
            .loss(&x, &labels)
            .unwrap()
            .to_array()
            .unwrap()
            .into_scalar();
        let rows = expected.axis_iter(Axis(0)).zip(&labels);
        let expected = rows.map(|(row, label)| {
            let sum: f32 = row.iter().map(|z| z.exp()).sum();
            sum.ln() - row[*label as usize]
        });
        let expected = expected.sum::<f32>() / n as f32;
        assert!((loss - expected).abs() < 1e-5, "{loss} {expected}");
    }
    let seen = program.seen().unwrap().to_array().unwrap().into_scalar();
    assert_eq!(seen, 1 + 2 + 7 + 64);
}

#[test]
fn sizes_are_checked_by_name() {
    let mut program = program();
    let x = Array2::<f32>::ones((32, 3));
    let labels = Array1::<i32>::zeros(31);
    let error = program.loss(&x, &labels).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`loss`: the dimension `B` is 32 in `x` and 31 in `labels`"
    );
    let error = program
        .pairs(&arr1(&[1.0_f32; 5]), &arr1(&[1.0_f32; 2]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`pairs`: the size of `x` along axis 0 should be `2*N`, but it is 5 and N is 2"
    );
    let error = program.inner(&arr1(&[1.0_f32; 1])).unwrap_err();
    assert_eq!(error.to_string(), "`inner` needs `N >= 2`, but N is 1");
}

#[test]
fn sizes_are_computed_with() {
    let program = program();
    let joined = program.joined(&arr1(&[1_i64, 2]), &arr1(&[3_i64])).unwrap();
    assert_eq!(joined.to_array().unwrap(), arr1(&[1, 2, 3]));
    let outer = program
        .outer(&arr1(&[1.0_f32, 2.0]), &arr1(&[3.0_f32, 4.0, 5.0]))
        .unwrap();
    assert_eq!(
        outer.to_array().unwrap(),
        array![[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]
    );
    let flat = program
        .flat(&array![[1_u8, 2, 3, 255], [5, 6, 7, 8]])
        .unwrap();
    assert_eq!(flat.to_array().unwrap(), arr1(&[2, 3, 4, 0, 6, 7, 8, 9]));
    let pairs = program
        .pairs(&arr1(&[1.0_f32, 2.0, 3.0, 4.0]), &arr1(&[10.0_f32, 20.0]))
        .unwrap();
    assert_eq!(pairs.to_array().unwrap(), arr1(&[13.0, 27.0]));
    let (inner, first, last, second) = program.inner(&arr1(&[1.0_f32, 2.0, 3.0, 4.0])).unwrap();
    assert_eq!(inner.to_array().unwrap(), arr1(&[2.0, 3.0]));
    assert_eq!(first.to_array().unwrap().into_scalar(), 1.0);
    assert_eq!(last.to_array().unwrap().into_scalar(), 4.0);
    assert_eq!(second.to_array().unwrap(), arr1(&[1.0, 3.0]));
}

#[test]
fn sizes_are_values() {
    let program = program();
    let (columns, len, rows, square, small) = program.sizes(&Array2::zeros((4, 5))).unwrap();
    assert_eq!(columns.to_array().unwrap().into_scalar(), 5);
    assert_eq!(len.to_array().unwrap().into_scalar(), 20.0);
    assert_eq!(rows.to_array().unwrap().into_scalar(), 4);
    assert!(!square.to_array().unwrap().into_scalar());
    assert_eq!(small.to_array().unwrap().into_scalar(), 20);
    let (.., square, small) = program.sizes(&Array2::zeros((2, 2))).unwrap();
    assert!(square.to_array().unwrap().into_scalar());
    assert_eq!(small.to_array().unwrap().into_scalar(), 1);
    let total = program.counted(&arr1(&[1, 2, 3])).unwrap();
    assert_eq!(total.to_array().unwrap().into_scalar(), 14);
}

#[test]
fn loops_run_over_them() {
    let program = program();
    let x = array![[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let (carry, running) = program.running(&x).unwrap();
    assert_eq!(carry.to_array().unwrap(), arr1(&[9.0, 12.0]));
    assert_eq!(
        running.to_array().unwrap(),
        array![[1.0, 2.0], [4.0, 6.0], [9.0, 12.0]]
    );
    assert_eq!(program.doubled(&x).unwrap().to_array().unwrap(), &x * 2.0);
}

#[test]
fn trees_and_builders_take_them() {
    let device = Device::open("local-task").unwrap();
    let program = sizes::Sizes::load(&device).unwrap();
    let x = array![[1.0_f32, 2.0, 3.0], [3.0, 4.0, 5.0]];
    let batch = sizes::Batch {
        x: device.upload(&x).unwrap(),
        labels: device.upload(&arr1(&[4, 5])).unwrap(),
    };
    let (mean, sum) = program.on_tree(&batch).unwrap();
    assert_eq!(mean.to_array().unwrap(), arr1(&[2.0, 3.0, 4.0]));
    assert_eq!(sum.to_array().unwrap().into_scalar(), 9);
    let (filled, index, ones) = program.filled(&arr1(&[1.0_f32, 2.0, 3.0])).unwrap();
    assert_eq!(filled.to_array().unwrap(), arr1(&[2.0, 4.0, 9.0]));
    assert_eq!(index.to_array().unwrap(), arr1(&[0, 1, 2]));
    assert_eq!(ones.to_array().unwrap(), Array2::<f32>::ones((3, 3)));
}

#[test]
fn attention_takes_any_length() {
    let program = program();
    for (b, q, k) in [(1, 1, 1), (2, 3, 5), (1, 4, 9)] {
        let of = |n: usize, d: usize| {
            Array3::from_shape_fn((b, n, d), |(i, j, l)| {
                ((i + 2 * j + 3 * l) % 7) as f32 / 7.0
            })
        };
        let (query, key, value) = (of(q, 4), of(k, 4), of(k, 2));
        let found = program
            .attention(&query, &key, &value)
            .unwrap()
            .to_array()
            .unwrap();
        for i in 0..b {
            let scores = query
                .slice(s![i, .., ..])
                .dot(&key.slice(s![i, .., ..]).t())
                / 2.0;
            let scores = scores.mapv(f32::exp);
            let weights = &scores / &scores.sum_axis(Axis(1)).insert_axis(Axis(1));
            let expected = weights.dot(&value.slice(s![i, .., ..]));
            let distance = (&found.slice(s![i, .., ..]) - &expected).mapv(f32::abs);
            assert!(distance.iter().all(|d| *d < 1e-5));
        }
    }
}

#[test]
fn products_sum_over_them() {
    let mut program = program();
    let x = Array2::from_shape_fn((5, 3), |(i, j)| ((i * (j + 2)) % 7) as f32 / 7.0);
    let y = Array2::from_shape_fn((5, 1), |(i, _)| i as f32 / 4.0);
    let (found, squares) = program.fit(&x, &y, 3).unwrap();
    let mut expected = Array2::<f32>::zeros((3, 1));
    for _ in 0..3 {
        let error = x.dot(&expected) - &y;
        expected = expected - x.t().dot(&error) / 5.0;
    }
    let distance = (found.to_array().unwrap() - expected).mapv(f32::abs);
    assert!(distance.iter().all(|d| *d < 1e-5));
    assert!((squares.to_array().unwrap().into_scalar() - (&y * &y).sum()).abs() < 1e-5);

    let x = Array3::from_shape_fn((2, 4, 2), |(i, j, k)| (i + 2 * j + 3 * k) as f32);
    let y = Array3::from_shape_fn((4, 2, 3), |(i, j, k)| (3 * i + j) as f32 - k as f32);
    let found = program.contracted(&x, &y).unwrap().to_array().unwrap();
    let rows = x.to_shape((2, 8)).unwrap();
    assert_eq!(found, rows.dot(&y.to_shape((8, 3)).unwrap()));
}

#[test]
fn nothing_is_a_size_too() {
    let program = program();
    let empty = program.predict(&Array2::<f32>::zeros((0, 3))).unwrap();
    assert_eq!(empty.shape(), [0, 2]);
    let joined = program.joined(&Array1::zeros(0), &arr1(&[3_i64])).unwrap();
    assert_eq!(joined.to_array().unwrap(), arr1(&[3]));
}

#[test]
fn all_rows_are_multiplied_by_one_matrix() {
    let program = program();
    for (a, b, o) in [(1, 1, 1), (3, 17, 40), (5, 2, 9)] {
        let x = Array4::from_shape_fn((a, 2, b, 3), |(i, j, k, l)| {
            (i + 2 * j + 3 * k) as f32 - l as f32
        });
        let w = Array2::from_shape_fn((o, 3), |(i, j)| i as f32 - 2.0 * j as f32);
        let found = program.shared(&x, &w).unwrap().to_array().unwrap();
        let expected = Array4::from_shape_fn((a, 2, b, o), |(i, j, k, n)| {
            (0..3).map(|l| x[[i, j, k, l]] * w[[n, l]]).sum::<f32>()
        });
        assert_eq!(found, expected);
    }
}
