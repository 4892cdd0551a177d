//! First and second derivatives of determinants, also of matrices that are singular, next to minors.

use iree_dsl::prelude::*;
use ndarray::{Array2, array, stack};

#[program]
mod minors {
    pub struct Minors;

    impl Minors {
        pub fn of_each<const B: usize, const N: usize>(
            &self,
            x: Tensor<f64, B, N, N>,
        ) -> Tensor<f64, B, N, N> {
            vmap(grad(|x: Tensor<f64, N, N>| x.det()))(x)
        }

        /// The slope does not depend on the only element.
        pub fn of_one(&self, x: Tensor<f64, 1, 1>) -> (Tensor<f64>, Tensor<f64, 1, 1>) {
            value_and_grad(|x: Tensor<f64, 1, 1>| x.det())(x)
        }
    }
}

/// A program of matrices with as many rows, a constant generic of the procedure or a number.
macro_rules! of_rows {
    ($module:ident $program:ident <$(const $generic:ident: usize)?> $rows:tt) => {
        #[program]
        mod $module {
            pub struct $program;

            impl $program {
                /// The determinant, its slope, how that changes, and how the determinant changes.
                pub fn all<$(const $generic: usize)?>(
                    &self,
                    x: Tensor<f64, $rows, $rows>,
                    change: Tensor<f64, $rows, $rows>,
                ) -> (
                    Tensor<f64>,
                    Tensor<f64, $rows, $rows>,
                    Tensor<f64, $rows, $rows>,
                    Tensor<f64>,
                ) {
                    let det = |x: Tensor<f64, $rows, $rows>| x.det();
                    let (value, pushed) = jvp(det, x, change);
                    let slope = grad(det)(x);
                    let turned = grad(|x: Tensor<f64, $rows, $rows>| (grad(det)(x) * change).sum())(x);
                    (value, slope, turned, pushed)
                }
            }
        }
    };
}

of_rows! { any Any <const N: usize> N }
of_rows! { two Two <> 2 }
of_rows! { three Three <> 3 }
of_rows! { four Four <> 4 }
of_rows! { five Five <> 5 }

/// Of the definition, by the minors of the first row.
fn det(x: &Array2<f64>) -> f64 {
    if x.is_empty() {
        return 1.0;
    }
    let products = (0..x.ncols()).map(|column| {
        let sign = if column % 2 == 0 { 1.0 } else { -1.0 };
        sign * x[[0, column]] * det(&without(x, 0, column))
    });
    products.sum()
}

fn without(x: &Array2<f64>, row: usize, column: usize) -> Array2<f64> {
    let (rows, columns) = x.dim();
    let kept = |from: usize, index: usize| if index < from { index } else { index + 1 };
    Array2::from_shape_fn((rows - 1, columns - 1), |(i, j)| {
        x[[kept(row, i), kept(column, j)]]
    })
}

/// A matrix in which a row has a one in a column alone.
fn with(x: &Array2<f64>, row: usize, column: usize) -> Array2<f64> {
    let mut x = x.clone();
    x.row_mut(row).fill(0.0);
    x[[row, column]] = 1.0;
    x
}

/// The slope, as a determinant is linear in each row.
fn slope(x: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn(x.dim(), |(row, column)| det(&with(x, row, column)))
}

/// How the slope changes with the matrix.
fn turned(x: &Array2<f64>, change: &Array2<f64>) -> Array2<f64> {
    let mut turned = Array2::zeros(x.dim());
    for (row, column) in ndarray::indices(x.dim()) {
        let x = with(x, row, column);
        for (other, line) in change.rows().into_iter().enumerate() {
            if other != row {
                let mut x = x.clone();
                x.row_mut(other).assign(&line);
                turned[[row, column]] += det(&x);
            }
        }
    }
    turned
}

/// Matrices of each rank, also with zeros before the last column, and in the corner.
fn matrices(rows: usize) -> Vec<Array2<f64>> {
    let of = |seed: usize| {
        Array2::from_shape_fn((rows, rows), move |(i, j)| {
            ((i * 7 + j * 5 + i * j * seed + seed) % 11) as f64 - 4.0
        })
    };
    let mut matrices: Vec<_> = (0..=rows)
        .map(|rank| {
            let (mut left, right) = (of(1), of(3));
            left.slice_mut(ndarray::s![.., rank..]).fill(0.0);
            left.dot(&right)
        })
        .collect();
    for column in 0..rows {
        let mut empty = of(2);
        empty.column_mut(column).fill(0.0);
        matrices.push(empty.t().to_owned());
        matrices.push(empty);
    }
    let mut corner = of(2);
    if let Some(number) = corner.first_mut() {
        *number = 0.0;
    }
    matrices.push(corner);
    matrices
}

fn assert_near(found: &Array2<f64>, expected: &Array2<f64>, x: &Array2<f64>) {
    let largest = x
        .iter()
        .fold(1.0, |most: f64, number| most.max(number.abs()));
    let bound = 1e-13 * largest.powi(x.nrows() as i32) * 100.0;
    let far = (found - expected)
        .iter()
        .any(|far| far.is_nan() || far.abs() > bound);
    assert!(!far, "{found} is not {expected} for {x}");
}

/// Compares all that a procedure computes for each matrix.
macro_rules! check {
    ($program:expr, $rows:expr) => {
        let program = &$program;
        for x in matrices($rows) {
            let change = x.mapv(|x| x.sin() + 0.5);
            let (value, first, second, pushed) = program.all(&x, &change).unwrap();
            let number = |number: f64| array![[number]];
            assert_near(&number(value.to_scalar().unwrap()), &number(det(&x)), &x);
            assert_near(&first.to_array().unwrap(), &slope(&x), &x);
            assert_near(&second.to_array().unwrap(), &turned(&x, &change), &x);
            let expected = (slope(&x) * &change).sum();
            assert_near(&number(pushed.to_scalar().unwrap()), &number(expected), &x);
        }
    };
}

#[test]
fn determinants_have_the_slopes_of_polynomials() {
    for device in ["local-sync", "local-task"] {
        let device = Device::open(device).unwrap();
        let any = any::Any::load(&device).unwrap();
        for rows in [0, 1, 2, 3, 4, 5] {
            check!(any, rows);
        }
        check!(two::Two::load(&device).unwrap(), 2);
        check!(three::Three::load(&device).unwrap(), 3);
        check!(four::Four::load(&device).unwrap(), 4);
        check!(five::Five::load(&device).unwrap(), 5);
        let program = minors::Minors::load(&device).unwrap();
        let (value, of_one) = program.of_one(&array![[3.0]]).unwrap();
        assert_eq!(value.to_scalar().unwrap(), 3.0);
        assert_eq!(of_one.to_array().unwrap(), array![[1.0]]);
        let [first, second, ..] = &matrices(5)[3..] else {
            unreachable!("as many matrices");
        };
        let both = stack![ndarray::Axis(0), *first, *second];
        let slopes = program.of_each(&both).unwrap().to_array().unwrap();
        for (x, found) in both.outer_iter().zip(slopes.outer_iter()) {
            assert_near(&found.to_owned(), &slope(&x.to_owned()), &x.to_owned());
        }
    }
}
