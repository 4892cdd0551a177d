//! Discrete Fourier transforms against NumPy.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix2, Ix3};
use num_complex::Complex;

macro_rules! program {
    ($test:ident $module:ident $program:ident $real:ident) => {
        #[program]
        mod $module {
            type Real = Tensor<$real, 3, 60>;
            type Prime = Tensor<$real, 2, 263>;
            type Numbers = Tensor<Complex<$real>, 4, 5, 6>;

            pub struct $program;

            impl $program {
                pub fn fft_real(&self, x: Real) -> Tensor<Complex<$real>, 3, 60> {
                    x.fft()
                }

                pub fn rfft_batch<const B: usize>(
                    &self,
                    x: Tensor<$real, B, 60>,
                ) -> Tensor<Complex<$real>, B, 31> {
                    x.rfft()
                }

                pub fn fft_prime(&self, x: Prime) -> Tensor<Complex<$real>, 2, 263> {
                    x.fft()
                }

                pub fn rfft(&self, x: Real) -> Tensor<Complex<$real>, 3, 31> {
                    x.rfft()
                }

                pub fn rfft_odd(&self, x: Prime) -> Tensor<Complex<$real>, 2, 132> {
                    x.rfft()
                }

                pub fn fft(&self, x: Numbers) -> Numbers {
                    x.fft()
                }

                pub fn ifft(&self, x: Numbers) -> Numbers {
                    x.ifft()
                }

                pub fn fft_axes(&self, x: Numbers) -> Numbers {
                    fft!(x, axes = [0, -1])
                }

                pub fn fft_all(&self, x: Numbers) -> Numbers {
                    fft!(x)
                }

                pub fn ifft_axis(&self, x: Numbers) -> Numbers {
                    ifft!(x, axes = 1)
                }
            }
        }

        #[test]
        fn $test() {
            let program = $module::$program::load(&Device::open("local-sync").unwrap()).unwrap();
            let mut check = Check::new("fourier", stringify!($real));
            let real = check.input::<$real, Ix2>("real");
            let prime = check.input::<$real, Ix2>("prime");
            let numbers = check.input::<Complex<$real>, Ix3>("complex");
            check.result("fft_real", program.fft_real(&real));
            check.result("fft_prime", program.fft_prime(&prime));
            check.result("rfft", program.rfft(&real));
            check.result("rfft", program.rfft_batch(&real));
            check.result("rfft_odd", program.rfft_odd(&prime));
            check.result("fft", program.fft(&numbers));
            check.result("ifft", program.ifft(&numbers));
            check.result("fft_axes", program.fft_axes(&numbers));
            check.result("fft_all", program.fft_all(&numbers));
            check.result("ifft_axis", program.ifft_axis(&numbers));
            check.finish();
        }
    };
}

program! { transforms_of_f32 single Single f32 }
program! { transforms_of_f64 double Double f64 }
