//! Derivatives of one operation, or a few, at a time: of sums of the results times some numbers.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::Ix2;

#[program]
mod operations {
    pub struct Operations;

    impl Operations {
        pub fn cholesky(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = (x.dot(x.t()) + eye::<f64, 4, 4>() * 3.0).cholesky();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn factor(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| x.cholesky().sin().sum())(x)
        }

        pub fn solve(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = (x + eye::<f64, 4, 4>() * 4.0).solve(x.sin());
                (y * y.sin()).sum()
            })(x)
        }

        pub fn inv(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = (x + eye::<f64, 4, 4>() * 4.0).inv();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn det(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = (x + eye::<f64, 4, 4>() * 4.0).det();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn triangular(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = triangular_solve!(x + eye::<f64, 4, 4>() * 4.0, x.sin());
                (y * y.sin()).sum()
            })(x)
        }

        pub fn sort(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.sort(1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn top_k(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.top_k(2).0;
                (y * y.sin()).sum()
            })(x)
        }

        pub fn softmax(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.softmax(-1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn log_softmax(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.log_softmax(0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn logsumexp(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.logsumexp_axis(0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn normalize(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.normalize_axis(-1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn std(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.std_axis(0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn var(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.var(1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn cumprod(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.cumprod(1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn cumsum(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.cumsum(0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn cummax(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.cummax(1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn max(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.max_axis(0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn prod(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.prod_axis(0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn roll(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.roll(1, 0) * x;
                (y * y.sin()).sum()
            })(x)
        }

        pub fn concat(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = concatenate([x, x * 2.0], 1);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn pad(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = pad!(
                    x,
                    low = [1, 0],
                    high = [2, 0],
                    interior = [0, 1],
                    value = 0.5
                );
                (y * y.sin()).sum()
            })(x)
        }

        pub fn slice(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x[s![1..3, ..]] * x[s![0..2, ..]];
                (y * y.sin()).sum()
            })(x)
        }

        pub fn take(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.take(tensor([0, 2, 2]), 0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn scatter(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.scatter_add(tensor([0, 2, 2]), x[s![0..3, ..]] * 3.0, 0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn scatter_max(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.scatter_max(tensor([0, 1, 3]), x[s![0..3, ..]] * 3.0, 0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn assigned(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = {
                    let mut y = x.exp();
                    y[1] = x[0] * x[2];
                    y
                };
                (y * y.sin()).sum()
            })(x)
        }

        pub fn einsum(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = einsum!("ij,kj->ik", x, x.sin());
                (y * y.sin()).sum()
            })(x)
        }

        pub fn conv(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = conv!(
                    x.reshape([1, 4, 4, 1]),
                    x.sin().reshape([2, 2, 2, 2])[s![.., .., 0..1, ..]],
                    padding = "same"
                );
                (y * y.sin()).sum()
            })(x)
        }

        pub fn max_pool(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = max_pool!(x.reshape([1, 4, 4, 1]), window = [2, 2], strides = [1, 1]);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn avg_pool(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = avg_pool!(x.reshape([1, 4, 4, 1]), window = [2, 2]);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn fft(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = {
                    let z = x.fft();
                    (z * z.conj()).re() * x
                };
                (y * y.sin()).sum()
            })(x)
        }

        pub fn rfft(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.rfft().im();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn abs_of_complex(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = complex(x, x * 2.0 + 1.0).abs();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn power(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.abs().powf(x);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn atan2(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.atan2(x.t() + 3.0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn clamp(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.clamp(-0.5, 0.5) * x;
                (y * y.sin()).sum()
            })(x)
        }

        pub fn hypot(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.hypot(x.t() + 2.0);
                (y * y.sin()).sum()
            })(x)
        }

        pub fn erf(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.erf() + x.gelu() + x.silu() + x.softplus();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn trigonometry(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.tan() + x.asinh() + x.atan() + x.sinh().tanh();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn rounding(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.floor() * x + x.fract();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn selected(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = select(x > x.t(), x * x, x.exp());
                (y * y.sin()).sum()
            })(x)
        }

        pub fn attention(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = {
                    let s = (x.dot(x.t()) * 0.5).softmax(-1);
                    s.dot(x)
                };
                (y * y.sin()).sum()
            })(x)
        }

        pub fn dynamic(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.dynamic_slice([1, 1], [2, 3]) * 2.0;
                (y * y.sin()).sum()
            })(x)
        }

        pub fn tril(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.tri_lower() * x.t();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn diagonal(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.dot(x).diagonal() * x.sin().trace();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn scale_of_samples(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = random::normal::<f64, 4, 4>(random::key(3)) * x + x.sum();
                (y * y.sin()).sum()
            })(x)
        }

        pub fn matmul_batch(&self, x: Tensor<f64, 4, 4>) -> Tensor<f64, 4, 4> {
            grad(|x: Tensor<f64, 4, 4>| {
                let y = x.reshape([2, 2, 4]).matmul(x.reshape([2, 4, 2]));
                (y * y.sin()).sum()
            })(x)
        }
    }
}

#[test]
fn operations() {
    let program = operations::Operations::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let x = check.input::<f64, Ix2>("matrix");

    check.conditioned("operation.cholesky", 16.0, program.cholesky(&x));
    let definite = check.input::<f64, Ix2>("definite");
    check.conditioned("factor.slope", 16.0, program.factor(&definite));
    check.conditioned("operation.solve", 16.0, program.solve(&x));
    check.conditioned("operation.inv", 16.0, program.inv(&x));
    // The determinant is 346, and its sine is as far off as that.
    check.conditioned("operation.det", 346.0, program.det(&x));
    check.conditioned("operation.triangular", 16.0, program.triangular(&x));
    check.conditioned("operation.sort", 16.0, program.sort(&x));
    check.conditioned("operation.top_k", 16.0, program.top_k(&x));
    check.conditioned("operation.softmax", 16.0, program.softmax(&x));
    check.conditioned("operation.log_softmax", 16.0, program.log_softmax(&x));
    check.conditioned("operation.logsumexp", 16.0, program.logsumexp(&x));
    check.conditioned("operation.normalize", 16.0, program.normalize(&x));
    check.conditioned("operation.std", 16.0, program.std(&x));
    check.conditioned("operation.var", 16.0, program.var(&x));
    check.conditioned("operation.cumprod", 16.0, program.cumprod(&x));
    check.conditioned("operation.cumsum", 16.0, program.cumsum(&x));
    check.conditioned("operation.cummax", 16.0, program.cummax(&x));
    check.conditioned("operation.max", 16.0, program.max(&x));
    check.conditioned("operation.prod", 16.0, program.prod(&x));
    check.conditioned("operation.roll", 16.0, program.roll(&x));
    check.conditioned("operation.concat", 16.0, program.concat(&x));
    check.conditioned("operation.pad", 16.0, program.pad(&x));
    check.conditioned("operation.slice", 16.0, program.slice(&x));
    check.conditioned("operation.take", 16.0, program.take(&x));
    check.conditioned("operation.scatter", 16.0, program.scatter(&x));
    check.conditioned("operation.scatter_max", 16.0, program.scatter_max(&x));
    check.conditioned("operation.assigned", 16.0, program.assigned(&x));
    check.conditioned("operation.einsum", 16.0, program.einsum(&x));
    check.conditioned("operation.conv", 16.0, program.conv(&x));
    check.conditioned("operation.max_pool", 16.0, program.max_pool(&x));
    check.conditioned("operation.avg_pool", 16.0, program.avg_pool(&x));
    check.conditioned("operation.fft", 16.0, program.fft(&x));
    check.conditioned("operation.rfft", 16.0, program.rfft(&x));
    check.conditioned("operation.abs_of_complex", 16.0, program.abs_of_complex(&x));
    check.conditioned("operation.power", 16.0, program.power(&x));
    check.conditioned("operation.atan2", 16.0, program.atan2(&x));
    check.conditioned("operation.clamp", 16.0, program.clamp(&x));
    check.conditioned("operation.hypot", 16.0, program.hypot(&x));
    check.conditioned("operation.erf", 16.0, program.erf(&x));
    check.conditioned("operation.trigonometry", 16.0, program.trigonometry(&x));
    check.conditioned("operation.rounding", 16.0, program.rounding(&x));
    check.conditioned("operation.selected", 16.0, program.selected(&x));
    check.conditioned("operation.attention", 16.0, program.attention(&x));
    check.conditioned("operation.dynamic", 16.0, program.dynamic(&x));
    check.conditioned("operation.tril", 16.0, program.tril(&x));
    check.conditioned("operation.diagonal", 16.0, program.diagonal(&x));
    check.conditioned(
        "operation.scale_of_samples",
        16.0,
        program.scale_of_samples(&x),
    );
    check.conditioned("operation.matmul_batch", 16.0, program.matmul_batch(&x));
    check.finish();
}
