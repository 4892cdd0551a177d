//! Sizes that follow from dimensions which are computed from them, and shapes that need sizes to be multiples.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array4, array};

#[program]
mod told {
    pub struct Told;

    impl Told {
        pub fn rows<const H: usize>(&self, x: Tensor<f32, { 8 * H }>) -> Tensor<f32, H> {
            x.reshape([H, 8]).sum_axis(1)
        }

        pub fn doubled<const H: usize>(
            &self,
            x: Tensor<f32, { 2 * H + 1 }, 2>,
            y: Tensor<f32, { 2 * H + 1 }, 1>,
        ) -> (Tensor<f32, { 2 * H + 1 }, 2>, Tensor<i32>) {
            (x * zeros::<f32, { 2 * H + 1 }, 2>() + y, H as i32)
        }

        /// What follows a prefix.
        pub fn rest<const A: usize, const B: usize>(
            &self,
            x: Tensor<f32, { A + B }>,
            prefix: Tensor<f32, A>,
        ) -> Tensor<f32, B> {
            x[s![A..]] + prefix.sum()
        }

        pub fn differences<const N: usize>(&self, x: Tensor<f32, { N + 1 }>) -> Tensor<f32, N> {
            let mut sum = zeros();
            for i in 0..N {
                sum += difference(x) * (i as f32);
            }
            sum
        }

        pub fn blocks<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, H, W>,
        ) -> Tensor<f32, { H / 2 }, { W / 3 }> {
            x.reshape([H / 2, 2, W / 3, 3]).sum_axis([1, 3])
        }

        pub fn rest_of_blocks(&self, x: Tensor<f32, _, _>) -> Tensor<f32, _, 2, _, 3> {
            x.reshape([x.dim(0) / 2, 2, -1, 3]) + 0.0
        }
    }

    #[kernel]
    fn difference<const K: usize>(x: Tensor<f32, { K + 1 }>) -> Tensor<f32, K> {
        x[s![1..]] - x[s![..-1]]
    }
}

const DEVICES: [&str; 2] = ["local-sync", "local-task"];

fn counted(size: usize) -> Array1<f32> {
    Array1::from_iter((0..size).map(|index| index as f32))
}

#[test]
fn a_dimension_tells_what_it_is_a_multiple_of() {
    for name in DEVICES {
        let program = told::Told::load(&Device::open(name).unwrap()).unwrap();
        for size in [1, 2, 5] {
            let x = counted(8 * size);
            let expected = x.clone().into_shape_with_order((size, 8)).unwrap();
            let rows = program.rows(&x).unwrap().to_array().unwrap();
            assert_eq!(rows, expected.sum_axis(ndarray::Axis(1)));
        }
        let (x, y) = (Array2::ones((7, 2)), Array2::ones((7, 1)));
        let (sum, size) = program.doubled(&x, &y).unwrap();
        assert_eq!(sum.to_array().unwrap(), Array2::<f32>::ones((7, 2)));
        assert_eq!(size.to_scalar().unwrap(), 3);
        let rest = program.rest([1.0, 2.0, 3.0, 4.0], [10.0]).unwrap();
        assert_eq!(rest.to_array().unwrap(), array![12.0, 13.0, 14.0]);
        let differences = program.differences([1.0, 2.0, 4.0, 7.0]).unwrap();
        assert_eq!(differences.to_array().unwrap(), array![3.0, 6.0, 9.0]);
    }
}

#[test]
fn what_is_no_multiple_is_refused() {
    let program = told::Told::load(&Device::open("local-sync").unwrap()).unwrap();
    let said = |error: iree_dsl::Error| error.to_string();
    assert_eq!(
        said(program.rows(&counted(27)).unwrap_err()),
        "`rows`: the size of `x` along axis 0 should be `8*H`, but it is 27"
    );
    assert_eq!(
        said(program.rest([1.0], [1.0, 2.0]).unwrap_err()),
        "`rest`: the size of `x` along axis 0 should be `A + B`, but it is 1 and A is 2"
    );
    let (x, y) = (Array2::ones((7, 2)), Array2::ones((5, 1)));
    assert_eq!(
        said(program.doubled(&x, &y).unwrap_err()),
        "`doubled`: the size of `y` along axis 0 should be `2*H + 1`, but it is 5 and H is 3"
    );
}

#[test]
fn blocks_need_multiples() {
    for name in DEVICES {
        let program = told::Told::load(&Device::open(name).unwrap()).unwrap();
        for (rows, columns) in [(2, 3), (4, 9), (6, 6)] {
            let x = counted(rows * columns);
            let x = x.into_shape_with_order((rows, columns)).unwrap();
            let blocks = x.to_shape((rows / 2, 2, columns / 3, 3)).unwrap();
            let rest = program.rest_of_blocks(&x).unwrap().to_array().unwrap();
            assert_eq!(rest, Array4::from_shape_fn(blocks.dim(), |at| blocks[at]));
            let sums = program.blocks(&x).unwrap().to_array().unwrap();
            let sum = |(row, column)| blocks.slice(ndarray::s![row, .., column, ..]).sum();
            assert_eq!(sums, Array2::from_shape_fn((rows / 2, columns / 3), sum));
        }
        let error = program.blocks(&Array2::zeros((4, 8))).unwrap_err();
        assert_eq!(error.to_string(), "`blocks` needs `W % 3 == 0`, but W is 8");
        let error = program.rest_of_blocks(&Array2::zeros((3, 6))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`rest_of_blocks` needs `x.0 % 2 == 0`, but x.0 is 3"
        );
    }
}
