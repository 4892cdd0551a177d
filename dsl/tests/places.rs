//! Elements looked up at single places that the call brings, wherever they are.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, arr0};

#[program]
mod lookup {
    pub struct Lookup;

    impl Lookup {
        pub fn element(&self, x: Tensor<i32, 4>, place: Tensor<i32>) -> Tensor<i32> {
            x.take(place, 0)
        }

        pub fn doubled(&self, x: Tensor<i32, 4>, place: Tensor<i32>) -> Tensor<i32> {
            (x * 2).take(place, 0)
        }

        pub fn row(&self, x: Tensor<i32, 4, 3>, place: Tensor<i32>) -> Tensor<i32, 3> {
            x.take(place, 0)
        }

        pub fn column(&self, x: Tensor<i32, 4, 3>, place: Tensor<i32>) -> Tensor<i32, 4> {
            x.take(place, 1)
        }

        pub fn any<const N: usize>(&self, x: Tensor<i32, N>, place: Tensor<i32>) -> Tensor<i32> {
            x.take(place, 0)
        }
    }
}

/// A place outside of the axis is moved to its nearest end.
fn nearest(place: i32, size: usize) -> usize {
    place.clamp(0, size as i32 - 1) as usize
}

#[test]
fn places_are_moved_into_the_tensor() {
    for device in ["local-sync", "local-task"] {
        let device = Device::open(device).unwrap();
        let program = lookup::Lookup::load(&device).unwrap();
        let x = Array1::from_iter(10..14);
        let rows = Array2::from_shape_fn((4, 3), |(i, j)| (10 * i + j) as i32);
        for place in [0, 1, 3, 4, 7, -1, -5, 100_000_000, i32::MAX, i32::MIN] {
            let at = arr0(place);
            let element = program.element(&x, &at).unwrap().to_scalar().unwrap();
            assert_eq!(element, x[nearest(place, 4)]);
            let doubled = program.doubled(&x, &at).unwrap().to_scalar().unwrap();
            assert_eq!(doubled, 2 * x[nearest(place, 4)]);
            let row = program.row(&rows, &at).unwrap().to_array().unwrap();
            assert_eq!(row, rows.row(nearest(place, 4)));
            let column = program.column(&rows, &at).unwrap().to_array().unwrap();
            assert_eq!(column, rows.column(nearest(place, 3)));
            for n in [1, 4, 9] {
                let x = Array1::from_iter(0..n as i32);
                let element = program.any(&x, &at).unwrap().to_scalar().unwrap();
                assert_eq!(element, x[nearest(place, n)]);
            }
        }
    }
}
