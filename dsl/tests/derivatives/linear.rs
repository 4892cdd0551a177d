//! Derivatives of all that is computed of matrices, in one function.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::Ix2;

#[program]
mod linear {
    pub struct Linear;

    impl Linear {
        pub fn slopes(
            &self,
            a: Tensor<f64, 9, 9>,
            b: Tensor<f64, 9, 2>,
        ) -> (Tensor<f64>, Tensor<f64, 9, 9>, Tensor<f64, 9, 2>) {
            let (value, (of_a, of_b)) = value_and_grad::<0, 1>(together)(a, b);
            (value, of_a, of_b)
        }

        pub fn slopes_of_any<const N: usize, const K: usize>(
            &self,
            a: Tensor<f64, N, N>,
            b: Tensor<f64, N, K>,
        ) -> (Tensor<f64>, Tensor<f64, N, N>, Tensor<f64, N, K>) {
            let (value, (of_a, of_b)) = value_and_grad::<0, 1>(together)(a, b);
            (value, of_a, of_b)
        }

        pub fn pushed<const N: usize>(
            &self,
            a: Tensor<f64, N, N>,
            b: Tensor<f64, N, 2>,
            change: Tensor<f64, N, N>,
        ) -> Tensor<f64> {
            jvp(|a| together(a, b), a, change).1
        }

        pub fn twice(
            &self,
            a: Tensor<f64, 9, 9>,
            b: Tensor<f64, 9, 2>,
            change: Tensor<f64, 9, 9>,
        ) -> Tensor<f64, 9, 9> {
            grad(|a: Tensor<f64, 9, 9>| (grad(|a| together(a, b))(a) * change).sum())(a)
        }

        pub fn jacobian<const N: usize>(
            &self,
            a: Tensor<f64, N, N>,
            b: Tensor<f64, N>,
        ) -> Tensor<f64, N, N> {
            jacfwd(|b: Tensor<f64, N>| a.solve(b))(b)
        }

        pub fn each<const N: usize, const K: usize>(
            &self,
            a: Tensor<f64, N, N>,
            b: Tensor<f64, K, N>,
        ) -> Tensor<f64, K, N> {
            vmap(|b: Tensor<f64, N>| a.solve(b))(b)
        }

        pub fn each_matrix<const K: usize>(
            &self,
            a: Tensor<f64, 9, 9>,
            b: Tensor<f64, 9, 2>,
            scales: Tensor<f64, K>,
        ) -> Tensor<f64, K, 9, 2> {
            vmap(|scale: Tensor<f64>| (a * scale).solve(b))(scales)
        }
    }

    #[kernel]
    fn together<const N: usize, const K: usize>(
        a: Tensor<f64, N, N>,
        b: Tensor<f64, N, K>,
    ) -> Tensor<f64> {
        let k = a.dot(a.t()) + eye() * 9.0;
        let root = k.cholesky();
        let y = triangular_solve!(root, b);
        let z = triangular_solve!(root, y, transpose = true);
        let moved = a + eye() * 9.0;
        let w = moved.solve(z) + triangular_solve!(moved, z, lower = false);
        let u = triangular_solve!(a / 9.0, w, unit_diagonal = true);
        (u * u.sin()).sum() + k.det().ln() + k.inv().sin().sum()
    }
}

/// Of the matrix `linear.a`, as NumPy has it, rounded up.
const CONDITION: f64 = 900.0;

#[test]
fn matrices_have_the_derivatives_of_jax() {
    for device in ["local-sync", "local-task"] {
        let program = linear::Linear::load(&Device::open(device).unwrap()).unwrap();
        let mut check = Check::new("derivatives", "f64");
        let a = check.input::<f64, Ix2>("linear.a");
        let b = check.input::<f64, Ix2>("linear.b");
        let change = check.input::<f64, Ix2>("linear.change");
        for (value, of_a, of_b) in [
            program.slopes(&a, &b).unwrap(),
            program.slopes_of_any(&a, &b).unwrap(),
        ] {
            check.conditioned("linear.value", 16.0, Ok(value));
            check.conditioned("linear.of_a", 64.0, Ok(of_a));
            check.conditioned("linear.of_b", 64.0, Ok(of_b));
        }
        check.conditioned("linear.pushed", 64.0, program.pushed(&a, &b, &change));
        check.conditioned("linear.twice", 64.0, program.twice(&a, &b, &change));
        let column = b.column(0).to_owned();
        check.conditioned("linear.jacobian", CONDITION, program.jacobian(&a, &column));
        let columns = b.t().as_standard_layout().to_owned();
        check.conditioned("linear.each", CONDITION, program.each(&a, &columns));
        let scales = column.slice(ndarray::s![..3]).to_owned();
        check.conditioned(
            "linear.each_matrix",
            CONDITION,
            program.each_matrix(&a, &b, &scales),
        );
        check.finish();
    }
}
