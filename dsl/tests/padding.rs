//! Padding by as many elements as the call tells.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array, s};

#[program]
mod padding {
    pub struct Padding;

    impl Padding {
        pub fn doubled<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, { 2 * N }> {
            pad!(x, high = [N])
        }

        pub fn both<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N, 2>,
            y: Tensor<i32, M>,
        ) -> Tensor<i32, { N + 2 * M + 1 }, _> {
            pad!(x, low = [{ 2 * M }, 1], high = [1, y.dim(0)], value = 7)
        }

        pub fn shorter<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, { 2 * N - 2 }> {
            pad!(x, low = [{ N - 2 }], value = -1.5)
        }

        pub fn around<const N: usize>(&self, x: Tensor<bool, N, 3>) -> Tensor<bool, { 3 * N }, _> {
            pad!(x, low = N, high = N, value = true)
        }

        /// What is taken away, and what comes between neighbours, is known while building.
        pub fn mixed<const N: usize>(&self, x: Tensor<u8, N, 3>) -> Tensor<u8, _, _> {
            pad!(
                x,
                low = [-1, N],
                high = [N, -1],
                interior = [1, 0],
                value = 9
            )
        }

        pub fn complex<const N: usize>(
            &self,
            x: Tensor<Complex<f64>, N>,
        ) -> Tensor<Complex<f64>, _> {
            pad!(x, low = [N], value = complex(1.0f64, -1.0f64))
        }

        /// Several paddings with elements of 64 bits that are not zero.
        pub fn several<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            y: Tensor<u64, 3>,
            z: Tensor<Complex<f32>, N>,
        ) -> (
            (Tensor<f64, { N + 1 }>, Tensor<f64, { N + 1 }>),
            (Tensor<u64, 4>, Tensor<u64, 5>),
            (
                Tensor<Complex<f32>, { N + 1 }>,
                Tensor<Complex<f32>, { N + 1 }>,
            ),
        ) {
            let one = complex(1.0, 0.5);
            (
                (
                    pad!(x, low = [1], value = 1.0),
                    pad!(x, high = [1], value = -0.0),
                ),
                (
                    pad!(y, low = [1], value = 7),
                    pad!(y, high = [2], value = u64::MAX),
                ),
                (
                    pad!(z, low = [1], value = one),
                    pad!(z, high = [1], value = one),
                ),
            )
        }

        /// The same by concatenation, and by assignment.
        pub fn beside<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            y: Tensor<i64, 3>,
        ) -> (
            (Tensor<f64, { N + 1 }>, Tensor<f64, { N + 1 }>),
            (Tensor<i64, 4>, Tensor<i64, 5>),
        ) {
            let one = ones::<f64, 1>();
            let mut high = full::<i64, 5>(-3);
            high[s![..3]] = y;
            let mut low = full::<i64, 4>(8);
            low[s![1..]] = y;
            (
                (concatenate([one, x], 0), concatenate([x, one], 0)),
                (low, high),
            )
        }

        /// The greatest of each and the next, and of each and both neighbours.
        pub fn greatest<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f64, N>) {
            (
                reduce_window!(
                    x,
                    f64::NEG_INFINITY,
                    |a, b| a.maximum(b),
                    window = [2],
                    padding = "same"
                ),
                reduce_window!(
                    x,
                    f64::NEG_INFINITY,
                    |a, b| a.maximum(b),
                    window = [3],
                    padding = "same"
                ),
            )
        }

        /// As known sizes, where the sizes are known.
        pub fn known(&self, x: Tensor<f32, 3>) -> Tensor<f32, 9> {
            thrice(x)
        }

        pub fn thrice<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, { 3 * N }> {
            thrice(x)
        }
    }

    #[kernel]
    fn thrice<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, { 3 * N }> {
        pad!(x, low = [N], high = [N], value = 2.0)
    }
}

fn programs() -> [padding::Padding; 2] {
    ["local-sync", "local-task"].map(|name| {
        let device = Device::open(name).unwrap();
        padding::Padding::load(&device).unwrap()
    })
}

#[test]
fn parts_of_any_size_are_added() {
    for program in programs() {
        for n in [0, 1, 3, 50, 2] {
            let x = Array1::from_iter((0..n).map(|i| i as f32 + 1.0));
            let found = program.doubled(&x).unwrap().to_array().unwrap();
            let mut expected = Array1::zeros(2 * n);
            expected.slice_mut(s![..n]).assign(&x);
            assert_eq!(found, expected);
            let found = program.thrice(&x).unwrap().to_array().unwrap();
            let mut expected = Array1::from_elem(3 * n, 2.0);
            expected.slice_mut(s![n..2 * n]).assign(&x);
            assert_eq!(found, expected);
            for m in [0, 4, 1] {
                let x = Array2::from_shape_fn((n, 2), |(i, j)| (2 * i + j) as i32);
                let found = program
                    .both(&x, &Array1::zeros(m))
                    .unwrap()
                    .to_array()
                    .unwrap();
                let mut expected = Array2::from_elem((n + 2 * m + 1, 3 + m), 7);
                expected.slice_mut(s![2 * m..2 * m + n, 1..3]).assign(&x);
                assert_eq!(found, expected);
            }
        }
        let known = program.known([1.0, 2.0, 3.0]).unwrap().to_array().unwrap();
        assert_eq!(
            known.to_vec(),
            [2.0, 2.0, 2.0, 1.0, 2.0, 3.0, 2.0, 2.0, 2.0]
        );
    }
}

#[test]
fn every_kind_of_element_is_added() {
    for program in programs() {
        let x = array![[true, false, true], [false, false, true]];
        let found = program.around(&x).unwrap().to_array().unwrap();
        let mut expected = Array2::from_elem((6, 7), true);
        expected.slice_mut(s![2..4, 2..5]).assign(&x);
        assert_eq!(found, expected);
        let x = array![[1_u8, 2, 3], [4, 5, 6]];
        let found = program.mixed(&x).unwrap().to_array().unwrap();
        let expected = array![[9, 9, 9, 9], [9, 9, 4, 5], [9, 9, 9, 9], [9, 9, 9, 9]];
        assert_eq!(found, expected);
        let x = array![Complex::new(2.0, 3.0)];
        let found = program.complex(&x).unwrap().to_array().unwrap();
        assert_eq!(
            found,
            array![Complex::new(1.0, -1.0), Complex::new(2.0, 3.0)]
        );
    }
}

#[test]
fn no_size_is_negative() {
    for program in programs() {
        let found = program
            .shorter(&array![1.0, 2.0, 3.0])
            .unwrap()
            .to_array()
            .unwrap();
        assert_eq!(found.to_vec(), [-1.5, 1.0, 2.0, 3.0]);
        let found = program
            .shorter(&array![1.0, 2.0])
            .unwrap()
            .to_array()
            .unwrap();
        assert_eq!(found.to_vec(), [1.0, 2.0]);
        let error = program.shorter(&array![1.0]).unwrap_err();
        assert_eq!(error.to_string(), "`shorter` needs `N >= 2`, but N is 1");
    }
}

#[test]
fn paddings_with_wide_elements_stand_side_by_side() {
    for program in programs() {
        let (x, y) = (array![2.0, f64::NAN, -0.0], array![1_u64, 2, 3]);
        let z = array![
            Complex::new(2.0_f32, 3.0),
            Complex::new(0.0, -1.0),
            Complex::new(1.0, 1.0)
        ];
        let ((low, high), (ylow, yhigh), (zlow, zhigh)) = program.several(&x, &y, &z).unwrap();
        let bits = |x: Array1<f64>| x.mapv(f64::to_bits);
        let expected = array![1.0, 2.0, f64::NAN, -0.0];
        assert_eq!(bits(low.to_array().unwrap()), bits(expected));
        let expected = array![2.0, f64::NAN, -0.0, -0.0];
        assert_eq!(bits(high.to_array().unwrap()), bits(expected));
        assert_eq!(ylow.to_array().unwrap(), array![7, 1, 2, 3]);
        assert_eq!(
            yhigh.to_array().unwrap(),
            array![1, 2, 3, u64::MAX, u64::MAX]
        );
        let one = Complex::new(1.0, 0.5);
        assert_eq!(zlow.to_array().unwrap(), array![one, z[0], z[1], z[2]]);
        assert_eq!(zhigh.to_array().unwrap(), array![z[0], z[1], z[2], one]);
    }
}

#[test]
fn wide_elements_stand_beside_others() {
    for program in programs() {
        let (x, y) = (array![2.0, 5.0], array![1_i64, 2, 3]);
        let ((low, high), (ylow, yhigh)) = program.beside(&x, &y).unwrap();
        assert_eq!(low.to_array().unwrap(), array![1.0, 2.0, 5.0]);
        assert_eq!(high.to_array().unwrap(), array![2.0, 5.0, 1.0]);
        assert_eq!(ylow.to_array().unwrap(), array![8, 1, 2, 3]);
        assert_eq!(yhigh.to_array().unwrap(), array![1, 2, 3, -3, -3]);
        let (next, around) = program.greatest(&array![1.0, -2.0, 3.0, -5.0]).unwrap();
        assert_eq!(next.to_array().unwrap(), array![1.0, 3.0, 3.0, -5.0]);
        assert_eq!(around.to_array().unwrap(), array![1.0, 3.0, 3.0, 3.0]);
    }
}
