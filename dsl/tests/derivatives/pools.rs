//! Derivatives of the largest of each window: side by side, overlapping, apart and dilated.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::Ix4;

#[program]
mod pools {
    pub struct Pools;

    #[kernel]
    fn waves<const N: usize, const H: usize, const W: usize>(
        y: Tensor<f64, N, H, W, 3>,
    ) -> Tensor<f64> {
        (y * y.sin()).sum()
    }

    impl Pools {
        pub fn stem(&self, x: Tensor<f64, 2, 9, 10, 3>) -> Tensor<f64, 2, 9, 10, 3> {
            grad(|x| {
                waves(max_pool!(
                    x,
                    window = [3, 3],
                    strides = [2, 2],
                    padding = "same"
                ))
            })(x)
        }

        pub fn stem_of_any<const N: usize, const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, N, H, W, 3>,
        ) -> Tensor<f64, N, H, W, 3> {
            grad(|x| {
                waves(max_pool!(
                    x,
                    window = [3, 3],
                    strides = [2, 2],
                    padding = "same"
                ))
            })(x)
        }

        pub fn overlapping(&self, x: Tensor<f64, 2, 9, 10, 3>) -> Tensor<f64, 2, 9, 10, 3> {
            grad(|x| waves(max_pool!(x, window = [3, 2], strides = [1, 1])))(x)
        }

        pub fn overlapping_of_any<const N: usize, const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, N, H, W, 3>,
        ) -> Tensor<f64, N, H, W, 3> {
            grad(|x| waves(max_pool!(x, window = [3, 2], strides = [1, 1])))(x)
        }

        pub fn side_by_side(&self, x: Tensor<f64, 2, 9, 10, 3>) -> Tensor<f64, 2, 9, 10, 3> {
            grad(|x| waves(max_pool!(x, window = [2, 2])))(x)
        }

        pub fn side_by_side_of_any<const N: usize, const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, N, H, W, 3>,
        ) -> Tensor<f64, N, H, W, 3> {
            grad(|x| waves(max_pool!(x, window = [2, 2])))(x)
        }

        pub fn apart(&self, x: Tensor<f64, 2, 9, 10, 3>) -> Tensor<f64, 2, 9, 10, 3> {
            grad(|x| {
                waves(max_pool!(
                    x,
                    window = [2, 1],
                    strides = [3, 2],
                    padding = "same"
                ))
            })(x)
        }

        pub fn apart_of_any<const N: usize, const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, N, H, W, 3>,
        ) -> Tensor<f64, N, H, W, 3> {
            grad(|x| {
                waves(max_pool!(
                    x,
                    window = [2, 1],
                    strides = [3, 2],
                    padding = "same"
                ))
            })(x)
        }

        pub fn dilated(&self, x: Tensor<f64, 2, 9, 10, 3>) -> Tensor<f64, 2, 9, 10, 3> {
            grad(|x| {
                waves(max_pool!(
                    x,
                    window = [2, 3],
                    strides = [2, 1],
                    dilation = [3, 2],
                    padding = "same"
                ))
            })(x)
        }

        pub fn dilated_of_any<const N: usize, const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, N, H, W, 3>,
        ) -> Tensor<f64, N, H, W, 3> {
            grad(|x| {
                waves(max_pool!(
                    x,
                    window = [2, 3],
                    strides = [2, 1],
                    dilation = [3, 2],
                    padding = "same"
                ))
            })(x)
        }

        pub fn pushed(
            &self,
            x: Tensor<f64, 2, 9, 10, 3>,
            t: Tensor<f64, 2, 9, 10, 3>,
        ) -> Tensor<f64, 2, 5, 5, 3> {
            jvp(
                |x| max_pool!(x, window = [3, 3], strides = [2, 2], padding = "same"),
                x,
                t,
            )
            .1
        }

        pub fn twice(
            &self,
            x: Tensor<f64, 2, 9, 10, 3>,
            t: Tensor<f64, 2, 9, 10, 3>,
        ) -> Tensor<f64, 2, 9, 10, 3> {
            let slope = grad(|x| {
                waves(max_pool!(
                    x,
                    window = [3, 3],
                    strides = [2, 2],
                    padding = "same"
                ))
            });
            grad(|x| (slope(x) * t).sum())(x)
        }
    }
}

#[test]
fn windows_give_their_cotangents_to_the_first_largest() {
    let program = pools::Pools::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    for (input, prefix) in [("image", "pool"), ("ties", "pool.ties")] {
        let x = check.input::<f64, Ix4>(input);
        let name = |kind: &str| format!("{prefix}.{kind}");
        check.result(&name("stem"), program.stem(&x));
        check.result(&name("stem"), program.stem_of_any(&x));
        check.result(&name("overlapping"), program.overlapping(&x));
        check.result(&name("overlapping"), program.overlapping_of_any(&x));
        check.result(&name("side_by_side"), program.side_by_side(&x));
        check.result(&name("side_by_side"), program.side_by_side_of_any(&x));
        check.result(&name("apart"), program.apart(&x));
        check.result(&name("apart"), program.apart_of_any(&x));
        check.result(&name("dilated"), program.dilated(&x));
        check.result(&name("dilated"), program.dilated_of_any(&x));
    }
    check.finish();
}

#[test]
fn winners_are_linear_both_ways() {
    let program = pools::Pools::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (x, t) = (check.input::<f64, Ix4>("image"), check.input("change"));
    check.result("pool.pushed", program.pushed(&x, &t));
    check.result("pool.twice", program.twice(&x, &t));
    check.finish();
}
