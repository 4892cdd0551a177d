//! Programs that IREE 3.13 refuses if they are handed to it as they are.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod filter {
    pub struct Belief {
        pub mean: Tensor<f64, 2>,
        pub spread: Tensor<f64, 2, 2>,
    }

    /// Follows a thing that moves at a speed, of which only the place is measured.
    pub struct Filter {
        #[global(init = Belief { mean: zeros(), spread: eye() })]
        belief: Belief,
    }

    impl Filter {
        pub fn update(&mut self, place: Tensor<f64>, time: Tensor<f64>) -> Belief {
            let one = full_like(time, 1.0);
            let zero = zeros_like(time);
            let movement = stack([stack([one, time], 0), stack([zero, one], 0)], 0);
            let noise = eye::<f64, 2, 2>() * 0.01;
            let measured = tensor([[1.0, 0.0]]).cast::<f64>();
            let mean = movement.dot(self.belief.mean);
            // Used by two products, one of which uses the other and what both use.
            let spread = movement.dot(self.belief.spread).dot(movement.t()) + noise;
            let error = measured.dot(spread).dot(measured.t()) + 0.5;
            let gain = spread.dot(measured.t()).dot(error.inv());
            self.belief.mean = mean + gain.dot(place - measured.dot(mean));
            self.belief.spread = (eye::<f64, 2, 2>() - gain.dot(measured)).dot(spread);
            self.belief
        }
    }
}

#[test]
fn tensors_that_are_fused_crosswise() {
    let device = Device::open("local-sync").unwrap();
    let mut filter = filter::Filter::load(&device).unwrap();
    let (mut mean, mut spread) = (Array1::<f64>::zeros(2), Array2::<f64>::eye(2));
    let (movement, measured) = (array![[1.0, 0.5], [0.0, 1.0]], array![[1.0, 0.0]]);
    for place in [0.4, 1.1, 1.4, 2.1] {
        let predicted = movement.dot(&mean);
        let prior = movement.dot(&spread).dot(&movement.t()) + Array2::<f64>::eye(2) * 0.01;
        let error = measured.dot(&prior).dot(&measured.t())[(0, 0)] + 0.5;
        let gain = prior.dot(&measured.t()) / error;
        let surprise = place - measured.dot(&predicted);
        mean = predicted + gain.dot(&surprise);
        spread = (Array2::<f64>::eye(2) - gain.dot(&measured)).dot(&prior);

        let belief = filter.update(place, 0.5).unwrap();
        let close = |a: &f64, b: &f64| (a - b).abs() < 1e-12;
        let found = belief.mean.to_array().unwrap();
        assert!(
            found.iter().zip(&mean).all(|(a, b)| close(a, b)),
            "{found} {mean}"
        );
        let found = belief.spread.to_array().unwrap();
        assert!(
            found.iter().zip(&spread).all(|(a, b)| close(a, b)),
            "{found} {spread}"
        );
    }
}

/// Stores constants in two globals of a type, which could come to share a buffer.
macro_rules! resets {
    ($($module:ident, $dtype:ty, $first:literal, $second:literal;)+) => {$(
        #[program]
        mod $module {
            pub struct Resets {
                #[global]
                number: Tensor<$dtype>,
                #[global]
                several: Tensor<$dtype, 5>,
            }

            impl Resets {
                pub fn set(&mut self, x: Tensor<$dtype, 5>) {
                    self.number = x[3];
                    self.several = x;
                }

                pub fn reset(&mut self) {
                    self.several = full($first);
                    self.number = $first;
                }

                pub fn change(&mut self) {
                    self.number = $second;
                    self.several = full($second);
                }

                pub fn get(&self) -> (Tensor<$dtype>, Tensor<$dtype, 5>) {
                    (self.number, self.several)
                }
            }
        }

        #[test]
        fn $module() {
            let device = Device::open("local-sync").unwrap();
            let mut program = $module::Resets::load(&device).unwrap();
            let mut expect = |change: fn(&mut $module::Resets) -> iree_dsl::Result<()>, value: $dtype| {
                change(&mut program).unwrap();
                let (number, several) = program.get().unwrap();
                assert_eq!(number.to_array().unwrap().into_scalar(), value);
                assert_eq!(several.to_array().unwrap(), Array1::from_elem(5, value));
            };
            expect(|program| program.reset(), $first);
            expect(|program| program.set(&Array1::from_elem(5, $second)), $second);
            expect(|program| program.reset(), $first);
            expect(|program| program.change(), $second);
        }
    )+};
}

resets! {
    of_bool, bool, false, true;
    of_i8, i8, 0, 7;
    of_i16, i16, 0, 7;
    of_i32, i32, 0, 7;
    of_i64, i64, 0, 7;
    of_u8, u8, 0, 200;
    of_u16, u16, 0, 60000;
    of_u32, u32, 0, 4000000000;
    of_u64, u64, 0, 10000000000;
    of_f32, f32, 0.0, 0.5;
    of_f64, f64, 0.0, 0.5;
}
