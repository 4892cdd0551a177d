//! Elements combined by closures, contractions over any axes, and spectra turned back, against plain Rust.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, Axis, array};
use num_complex::{Complex32, Complex64};
use std::f64::consts::TAU;

#[program]
mod combine {
    pub struct Combine;

    impl Combine {
        pub fn folds(
            &self,
            x: Tensor<u32, 3, 7>,
            y: Tensor<f64, 4, 0>,
            scale: Tensor<u32>,
        ) -> (
            Tensor<u32, 3>,
            Tensor<u32, 7>,
            Tensor<u32>,
            Tensor<f64, 4>,
            Tensor<u32, 3>,
        ) {
            (
                x.reduce(0, 1, |a, b| a ^ b),
                x.reduce(scale, 0, |a, b| a * b),
                x.reduce(1000, [0, 1], |a, b| a + b),
                y.reduce(0.5, -1, |a, b| a + b),
                x.reduce(0, 1, |_, last| last),
            )
        }

        pub fn folds_of_any_size<const B: usize>(
            &self,
            x: Tensor<i16, B, 3>,
        ) -> (Tensor<i16, 3>, Tensor<i16, B>, Tensor<bool>) {
            (
                x.reduce(-5, 0, maximum_of),
                x.reduce(3, 1, |a, b| a + b),
                (x == 7).reduce(false, [0, 1], |a, b| a | b),
            )
        }

        pub fn contractions(
            &self,
            x: Tensor<f32, 2, 3, 4>,
            w: Tensor<f32, 4, 5>,
            y: Tensor<f32, 1, 3, 4>,
        ) -> (
            Tensor<f32, 2, 3, 5>,
            Tensor<f32, 2, 3>,
            Tensor<f32, 4, 2, 3>,
            Tensor<f32, 2, 3, 4>,
        ) {
            (
                einsum!("...i,ij->...j", x, w),
                einsum!("...i,...i", x, y),
                einsum!("...i->i...", x),
                einsum!("...,...->...", x, w[(0, 0)]),
            )
        }

        pub fn rows<const B: usize>(
            &self,
            x: Tensor<f32, B, 3, 4>,
            w: Tensor<f32, 4, 5>,
        ) -> Tensor<f32, B, 3, 5> {
            einsum!("...i, ij -> ...j", x, w)
        }

        pub fn back(
            &self,
            x: Tensor<Complex<f64>, 2, 5>,
            y: Tensor<Complex<f32>, 4>,
        ) -> (
            Tensor<f64, 2, 8>,
            Tensor<f64, 2, 9>,
            Tensor<f64, 2, 4>,
            Tensor<f64, 2, 13>,
            Tensor<f32, 1>,
        ) {
            (x.irfft(), x.irfft(9), x.irfft(4), x.irfft(13), y.irfft(1))
        }

        pub fn there_and_back(
            &self,
            x: Tensor<f64, 12>,
            y: Tensor<f64, 7>,
        ) -> (Tensor<f64, 12>, Tensor<f64, 7>) {
            (x.rfft().irfft(), y.rfft().irfft(7))
        }
    }

    #[kernel]
    fn maximum_of<T: Int, const N: usize>(a: Tensor<T, N>, b: Tensor<T, N>) -> Tensor<T, N> {
        a.maximum(b)
    }
}

fn program() -> combine::Combine {
    combine::Combine::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn closures_combine_the_elements_of_axes() {
    let x = Array2::from_shape_fn((3, 7), |(row, column)| (1 + row * 31 + column * 17) as u32);
    let (xor, product, sum, nothing, last) =
        program().folds(&x, &Array2::zeros((4, 0)), 3).unwrap();
    assert_eq!(
        xor.to_array().unwrap(),
        x.fold_axis(Axis(1), 0, |a, b| a ^ b)
    );
    let expected = x.fold_axis(Axis(0), 3_u32, |a, b| a.wrapping_mul(*b));
    assert_eq!(product.to_array().unwrap(), expected);
    assert_eq!(sum.to_scalar().unwrap(), x.sum() + 1000);
    assert_eq!(nothing.to_array().unwrap(), Array1::from_elem(4, 0.5));
    assert_eq!(last.to_array().unwrap(), x.column(6));
}

#[test]
fn closures_combine_axes_of_any_size() {
    let program = program();
    for size in [0, 1, 6] {
        let x = Array2::from_shape_fn((size, 3), |(row, column)| (row * 5 + column) as i16 - 9);
        let (most, sums, seven) = program.folds_of_any_size(&x).unwrap();
        let expected = x.fold_axis(Axis(0), -5, |a, b| *a.max(b));
        assert_eq!(most.to_array().unwrap(), expected);
        let expected = x.sum_axis(Axis(1)) + 3;
        assert_eq!(sums.to_array().unwrap(), expected);
        assert_eq!(seven.to_scalar().unwrap(), x.iter().any(|x| *x == 7));
    }
}

#[test]
fn further_axes_of_contractions_broadcast() {
    let program = program();
    let x = Array3::from_shape_fn((2, 3, 4), |(a, b, c)| (a * 12 + b * 4 + c) as f32);
    let w = Array2::from_shape_fn((4, 5), |(a, b)| (a * 5 + b) as f32 - 7.0);
    let y = Array3::from_shape_fn((1, 3, 4), |(_, b, c)| (b * 4 + c) as f32 / 2.0);
    let (product, dots, turned, scaled) = program.contractions(&x, &w, &y).unwrap();
    let flat = x.to_shape((6, 4)).unwrap().dot(&w);
    let expected = flat.into_shape_with_order((2, 3, 5)).unwrap();
    assert_eq!(product.to_array().unwrap(), expected);
    assert_eq!(dots.to_array().unwrap(), (&x * &y).sum_axis(Axis(2)));
    assert_eq!(
        turned.to_array().unwrap(),
        x.view().permuted_axes([2, 0, 1])
    );
    assert_eq!(scaled.to_array().unwrap(), &x * w[(0, 0)]);
    assert_eq!(program.rows(&x, &w).unwrap().to_array().unwrap(), expected);
}

/// The real numbers with these first frequencies, by the definition.
fn inverse(frequencies: &[Complex64], length: usize) -> Array1<f64> {
    let half = (0..=length / 2).map(|k| frequencies.get(k).copied().unwrap_or_default());
    let half: Vec<_> = half.collect();
    Array1::from_shape_fn(length, |place| {
        let terms = half.iter().enumerate().map(|(k, frequency)| {
            let wave = Complex64::cis(TAU * (k * place) as f64 / length as f64);
            let mirrored = k > 0 && 2 * k != length;
            (frequency * wave).re * if mirrored { 2.0 } else { 1.0 }
        });
        terms.sum::<f64>() / length as f64
    })
}

fn assert_close(found: &Array1<f64>, expected: &Array1<f64>) {
    let distance = (found - expected).mapv(f64::abs);
    assert!(
        distance.iter().all(|distance| *distance < 1e-13),
        "{found} {expected}"
    );
}

#[test]
fn spectra_are_turned_back() {
    let x = Array2::from_shape_fn((2, 5), |(row, k)| {
        Complex64::new(1.0 / (1.0 + k as f64) - row as f64, (k * k) as f64 / 7.0)
    });
    let y = array![3.5, 1.0, 2.0, -1.0].mapv(|re| Complex32::new(re, 0.25));
    let (even, odd, cut, padded, one) = program().back(&x, &y).unwrap();
    let (even, odd) = (even.to_array().unwrap(), odd.to_array().unwrap());
    let (cut, padded) = (cut.to_array().unwrap(), padded.to_array().unwrap());
    for row in 0..2 {
        let frequencies = x.row(row).to_vec();
        assert_close(&even.row(row).to_owned(), &inverse(&frequencies, 8));
        assert_close(&odd.row(row).to_owned(), &inverse(&frequencies, 9));
        assert_close(&cut.row(row).to_owned(), &inverse(&frequencies, 4));
        assert_close(&padded.row(row).to_owned(), &inverse(&frequencies, 13));
    }
    assert_eq!(one.to_array().unwrap(), array![3.5]);
}

#[test]
fn transforms_are_undone() {
    let x = Array1::from_shape_fn(12, |place| (place * place % 7) as f64 - 2.5);
    let y = Array1::from_shape_fn(7, |place| (place as f64).sin());
    let (same_x, same_y) = program().there_and_back(&x, &y).unwrap();
    assert_close(&same_x.to_array().unwrap(), &x);
    assert_close(&same_y.to_array().unwrap(), &y);
}
