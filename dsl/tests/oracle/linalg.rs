//! Linear algebra against NumPy and SciPy.

use crate::check::Check;
use half::{bf16, f16};
use iree_dsl::{DeviceArray, Element, Result, prelude::*};
use ndarray::{Array3, ArrayD, Axis, Dimension, IntoDimension, Ix0, Ix1, Ix2, Ix3};
use num_complex::Complex;

macro_rules! program {
    ($test:ident $module:ident $program:ident $path:literal $element:ty) => {
        #[program]
        mod $module {
            type Small = Tensor<$element, 2, 3, 3>;
            type Large = Tensor<$element, 12, 12>;
            type Right = Tensor<$element, 2, 3, 2>;
            type Column = Tensor<$element, 12>;

            pub struct $program;

            impl $program {
                pub fn cholesky(&self, a: Large) -> Large {
                    a.cholesky()
                }

                pub fn solve(&self, a: Large, b: Column) -> Column {
                    a.solve(b)
                }

                pub fn solve_batch(&self, a: Small, b: Right) -> Right {
                    a.solve(b)
                }

                pub fn inv(&self, a: Large) -> Large {
                    a.inv()
                }

                pub fn inv_batch(&self, a: Small) -> Small {
                    a.inv()
                }

                pub fn det(&self, a: Large) -> Tensor<$element> {
                    a.det()
                }

                pub fn det_batch(&self, a: Small) -> Tensor<$element, 2> {
                    a.det()
                }

                pub fn diagonal(&self, a: Large) -> Column {
                    a.diagonal()
                }

                pub fn diagonal_batch(&self, a: Right) -> Tensor<$element, 2, 2> {
                    a.diagonal()
                }

                pub fn trace(&self, a: Large) -> Tensor<$element> {
                    a.trace()
                }

                pub fn trace_batch(&self, a: Right) -> Tensor<$element, 2> {
                    a.trace()
                }

                pub fn lower(&self, a: Large, b: Column) -> Column {
                    triangular_solve!(a, b)
                }

                pub fn upper(&self, a: Large, b: Column) -> Column {
                    triangular_solve!(a, b, lower = false)
                }

                pub fn transposed(&self, a: Large, b: Column) -> Column {
                    triangular_solve!(a, b, transpose = true)
                }

                pub fn unit(&self, a: Large, b: Column) -> Column {
                    triangular_solve!(a, b, unit_diagonal = true)
                }
            }
        }

        #[test]
        fn $test() {
            let program = $module::$program::load(&Device::open("local-sync").unwrap()).unwrap();
            let mut check = Check::new("linalg", $path);
            let small = check.input::<$element, Ix3>("small");
            let large = check.input::<$element, Ix2>("large");
            let positive = check.input::<$element, Ix2>("positive");
            let right = check.input::<$element, Ix3>("right");
            let column = check.input::<$element, Ix1>("column");
            check.result("cholesky", program.cholesky(&positive));
            let condition = check.input::<f64, Ix0>("condition").into_scalar();
            check.conditioned("solve", condition, program.solve(&large, &column));
            check.result("solve_batch", program.solve_batch(&small, &right));
            check.conditioned("inv", condition, program.inv(&large));
            check.result("inv_batch", program.inv_batch(&small));
            check.conditioned("det", condition, program.det(&large));
            check.result("det_batch", program.det_batch(&small));
            check.result("diagonal", program.diagonal(&large));
            check.result("diagonal_batch", program.diagonal_batch(&right));
            check.result("trace", program.trace(&large));
            check.result("trace_batch", program.trace_batch(&right));
            check.result("lower", program.lower(&positive, &column));
            check.result("upper", program.upper(&positive, &column));
            check.result("transposed", program.transposed(&positive, &column));
            check.result("unit", program.unit(&positive, &column));
            check.finish();
        }
    };
}

program! { linear_algebra_of_f16 half_precision HalfPrecision "f16" f16 }
program! { linear_algebra_of_bf16 brain Brain "bf16" bf16 }
program! { linear_algebra_of_f32 single Single "f32" f32 }
program! { linear_algebra_of_f64 double Double "f64" f64 }
program! { linear_algebra_of_c64 complex_single ComplexSingle "c64" Complex<f32> }
program! { linear_algebra_of_c128 complex_double ComplexDouble "c128" Complex<f64> }

/// The same for a number of matrices that the call says.
macro_rules! any_batch {
    ($test:ident $module:ident $program:ident $path:literal $element:ty) => {
        #[program]
        mod $module {
            pub struct $program;

            impl $program {
                pub fn solve<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 3, 3>,
                    b: Tensor<$element, B, 3, 2>,
                ) -> Tensor<$element, B, 3, 2> {
                    a.solve(b)
                }

                pub fn solve_large<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 12, 12>,
                    b: Tensor<$element, B, 12, 1>,
                ) -> Tensor<$element, B, 12, 1> {
                    a.solve(b)
                }

                pub fn inv<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 3, 3>,
                ) -> Tensor<$element, B, 3, 3> {
                    a.inv()
                }

                pub fn inv_large<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 12, 12>,
                ) -> Tensor<$element, B, 12, 12> {
                    a.inv()
                }

                pub fn det<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 3, 3>,
                ) -> Tensor<$element, B> {
                    a.det()
                }

                pub fn det_large<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 12, 12>,
                ) -> Tensor<$element, B> {
                    a.det()
                }

                pub fn cholesky<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 12, 12>,
                ) -> Tensor<$element, B, 12, 12> {
                    a.cholesky()
                }

                pub fn cholesky_small<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 3, 3>,
                ) -> Tensor<$element, B, 3, 3> {
                    a.cholesky()
                }

                pub fn lower<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 12, 12>,
                    b: Tensor<$element, B, 12, 1>,
                ) -> Tensor<$element, B, 12, 1> {
                    triangular_solve!(a, b)
                }

                pub fn lower_small<const B: usize>(
                    &self,
                    a: Tensor<$element, B, 3, 3>,
                    b: Tensor<$element, B, 3, 2>,
                ) -> Tensor<$element, B, 3, 2> {
                    triangular_solve!(a, b)
                }
            }
        }

        #[test]
        fn $test() {
            let device = Device::open("local-sync").unwrap();
            let program = $module::$program::load(&device).unwrap();
            let mut check = Check::new("linalg", $path);
            let small = check.input::<$element, Ix3>("small");
            let right = check.input::<$element, Ix3>("right");
            let large = check.input::<$element, Ix2>("large").insert_axis(Axis(0));
            let positive = check
                .input::<$element, Ix2>("positive")
                .insert_axis(Axis(0));
            let column = check.input::<$element, Ix1>("column");
            let column = column.insert_axis(Axis(0)).insert_axis(Axis(2));
            let condition = check.input::<f64, Ix0>("condition").into_scalar();
            check.result("solve_batch", program.solve(&small, &right));
            check.result("inv_batch", program.inv(&small));
            let solution = alone(program.solve_large(&large, &column), [12]);
            check.conditioned("solve", condition, solution);
            let inverse = alone(program.inv_large(&large), [12, 12]);
            check.conditioned("inv", condition, inverse);
            check.result("det_batch", program.det(&small));
            let det = alone(program.det_large(&large), []);
            check.conditioned("det", condition, det);
            let factor = alone(program.cholesky(&positive), [12, 12]);
            check.result("cholesky", factor);
            let solution = alone(program.lower(&positive, &column), [12]);
            check.result("lower", solution);

            let positive = check.input::<$element, Ix3>("positive_batch");
            check.result("cholesky_batch", program.cholesky_small(&positive));
            check.result("lower_batch", program.lower_small(&positive, &right));
            check.finish();
        }
    };
}

/// The result of a batch of one, in the shape that it has alone.
fn alone<T: Element, D: Dimension, const RANK: usize>(
    result: Result<DeviceArray<T, D>>,
    shape: [usize; RANK],
) -> Result<DeviceArray<T, <[usize; RANK] as IntoDimension>::Dim>>
where
    [usize; RANK]: IntoDimension,
{
    let result = result?;
    let array = result.to_array()?.into_shape_with_order(shape);
    result.device().upload(&array.expect("a batch of one"))
}

any_batch! { batches_of_f16 half_batch HalfBatch "f16" f16 }
any_batch! { batches_of_bf16 brain_batch BrainBatch "bf16" bf16 }
any_batch! { batches_of_f32 single_batch SingleBatch "f32" f32 }
any_batch! { batches_of_f64 double_batch DoubleBatch "f64" f64 }
any_batch! { batches_of_c64 complex_batch ComplexBatch "c64" Complex<f32> }
any_batch! { batches_of_c128 wide_batch WideBatch "c128" Complex<f64> }

#[program]
mod edges {
    type Matrix = Tensor<f32, 3, 3>;
    type Empty = Tensor<f32, 2, 0, 0>;

    pub struct Edges;

    impl Edges {
        /// The solution, the inverse, the determinant and the factor.
        pub fn all(
            &self,
            a: Matrix,
            b: Tensor<f32, 3>,
        ) -> (Tensor<f32, 3>, Matrix, Tensor<f32>, Matrix) {
            (a.solve(b), a.inv(), a.det(), a.cholesky())
        }

        pub fn triangular(&self, a: Matrix, b: Tensor<f32, 3>) -> Tensor<f32, 3> {
            triangular_solve!(a, b)
        }

        pub fn of_nothing(
            &self,
            a: Empty,
            b: Tensor<f32, 2, 0, 5>,
        ) -> (
            Empty,
            Empty,
            Tensor<f32, 2>,
            Tensor<f32, 2, 0, 5>,
            Tensor<f32, 2, 0, 5>,
        ) {
            (
                a.cholesky(),
                a.inv(),
                a.det(),
                a.solve(b),
                triangular_solve!(a, b),
            )
        }
    }
}

/// Where there is no solution, numbers are not finite, and nothing stops.
#[test]
fn singular_matrices() {
    let program = edges::Edges::load(&Device::open("local-sync").unwrap()).unwrap();
    let finite = |array: ArrayD<f32>| array.iter().all(|number| number.is_finite());
    let b = [1.0, 2.0, 3.0];
    let singular = [
        [[0.0; 3]; 3],
        [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 0.0]],
        [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 2.0]],
    ];
    for a in singular {
        let (x, inverse, det, factor) = program.all(a, b).unwrap();
        assert!(!finite(x.to_array().unwrap().into_dyn()), "{a:?}");
        assert!(!finite(inverse.to_array().unwrap().into_dyn()), "{a:?}");
        assert_eq!(det.to_array().unwrap().into_scalar(), 0.0, "{a:?}");
        assert!(!finite(factor.to_array().unwrap().into_dyn()), "{a:?}");
        let x = program.triangular(a, b).unwrap().to_array().unwrap();
        let zero = (0..3).any(|i| a[i][i] == 0.0);
        assert_eq!(finite(x.into_dyn()), !zero, "{a:?}");
    }
    let (_, _, _, factor) = program
        .all([[4.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]], b)
        .unwrap();
    let factor = factor.to_array().unwrap();
    assert_eq!(factor[[0, 0]], 2.0);
    assert!(factor[[1, 1]].is_nan());
}

#[test]
fn matrices_without_rows() {
    let program = edges::Edges::load(&Device::open("local-sync").unwrap()).unwrap();
    let (a, b) = (Array3::zeros((2, 0, 0)), Array3::zeros((2, 0, 5)));
    let (factor, inverse, det, x, y) = program.of_nothing(&a, &b).unwrap();
    assert_eq!(factor.shape(), [2, 0, 0]);
    assert_eq!(inverse.shape(), [2, 0, 0]);
    assert_eq!(det.to_array().unwrap().to_vec(), [1.0, 1.0]);
    assert_eq!(x.shape(), [2, 0, 5]);
    assert_eq!(y.shape(), [2, 0, 5]);
}
