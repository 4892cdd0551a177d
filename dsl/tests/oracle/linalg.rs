//! Linear algebra against NumPy and SciPy.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix0, Ix1, Ix2, Ix3};

macro_rules! program {
    ($test:ident $module:ident $program:ident $real:ident) => {
        #[program]
        mod $module {
            type Small = Tensor<$real, 2, 3, 3>;
            type Large = Tensor<$real, 12, 12>;
            type Right = Tensor<$real, 2, 3, 2>;
            type Column = Tensor<$real, 12>;

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

                pub fn det(&self, a: Large) -> Tensor<$real> {
                    a.det()
                }

                pub fn det_batch(&self, a: Small) -> Tensor<$real, 2> {
                    a.det()
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
            let mut check = Check::new("linalg", stringify!($real));
            let small = check.input::<$real, Ix3>("small");
            let large = check.input::<$real, Ix2>("large");
            let positive = check.input::<$real, Ix2>("positive");
            let right = check.input::<$real, Ix3>("right");
            let column = check.input::<$real, Ix1>("column");
            check.result("cholesky", program.cholesky(&positive));
            let condition = check.input::<f64, Ix0>("condition").into_scalar();
            check.conditioned("solve", condition, program.solve(&large, &column));
            check.result("solve_batch", program.solve_batch(&small, &right));
            check.conditioned("inv", condition, program.inv(&large));
            check.result("inv_batch", program.inv_batch(&small));
            check.conditioned("det", condition, program.det(&large));
            check.result("det_batch", program.det_batch(&small));
            check.result("lower", program.lower(&positive, &column));
            check.result("upper", program.upper(&positive, &column));
            check.result("transposed", program.transposed(&positive, &column));
            check.result("unit", program.unit(&positive, &column));
            check.finish();
        }
    };
}

program! { linear_algebra_of_f32 single Single f32 }
program! { linear_algebra_of_f64 double Double f64 }
