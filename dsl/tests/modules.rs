//! Kernel modules: what programs import from them, here and from another crate.

use iree_dsl::prelude::*;
use ndarray::array;

/// Kernels for the programs below.
#[kernel]
pub mod math {
    /// Twice as much.
    pub const FACTOR: f32 = 2.0;

    /// A number and a row.
    #[derive(Clone, Debug)]
    pub struct Pair<const N: usize> {
        /// The number.
        pub one: Tensor<f32>,
        /// The row.
        pub row: Tensor<f32, N>,
    }

    pub fn combine<const N: usize>(pair: Pair<N>) -> Tensor<f32, N> {
        scaled(pair.row) + pair.one
    }

    fn scaled<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
        FACTOR * x
    }
}

/// Kernels that others see only through the next module.
#[kernel]
mod hidden {
    pub fn negated<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
        -x
    }
}

/// A module with a name of its own for what it imports, some of which it hands on.
#[kernel]
pub mod between {
    #[kernel]
    use super::hidden::negated as minus;
    #[kernel]
    pub use super::math::{FACTOR, Pair, combine};

    /// The negative combination.
    pub fn opposite<const N: usize>(pair: Pair<N>) -> Tensor<f32, N> {
        minus(combine(pair))
    }
}

/// The same under another name.
pub mod library {
    pub use super::between as shared;
}

#[program]
mod first {
    #[kernel]
    use super::math::{Pair, combine};

    pub struct First {
        #[global(init = Pair { one: full(1.0), row: ones() })]
        pair: Pair<3>,
    }

    impl First {
        pub fn swap(&mut self, pair: Pair<3>) -> Pair<3> {
            let old = self.pair;
            self.pair = pair;
            old
        }

        pub fn run(&self) -> Tensor<f32, 3> {
            combine(self.pair)
        }
    }
}

#[program]
mod second {
    use super::*;

    #[kernel]
    pub use library::shared::{FACTOR, Pair as Both, opposite};

    const HALF: f32 = FACTOR / 4.0;

    pub struct Second;

    impl Second {
        pub fn run(&self, pair: Both<3>) -> Tensor<f32, 3> {
            let Both { one, row } = pair;
            combine(opposite(Both { one, row }))
        }
    }

    #[kernel]
    fn combine(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        HALF * x
    }
}

/// What `second` computes, written without modules.
#[program(name = "second")]
mod alone {
    pub struct Pair<const N: usize> {
        pub one: Tensor<f32>,
        pub row: Tensor<f32, N>,
    }

    pub struct Second;

    impl Second {
        pub fn run(&self, pair: Pair<3>) -> Tensor<f32, 3> {
            half(opposite(pair))
        }
    }

    #[kernel]
    fn half(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        0.5 * x
    }

    #[kernel]
    fn opposite(pair: Pair<3>) -> Tensor<f32, 3> {
        -(2.0 * pair.row + pair.one)
    }
}

fn device() -> Device {
    Device::open("local-sync").unwrap()
}

fn pair(device: &Device) -> math::Pair<3> {
    math::Pair {
        one: device.upload(&ndarray::arr0(0.5)).unwrap(),
        row: device.upload(&array![1.0, 2.0, 3.0]).unwrap(),
    }
}

#[test]
fn a_program_imports_kernels_and_trees() {
    let device = device();
    let mut program = first::First::load(&device).unwrap();
    let run = |program: &first::First| program.run().unwrap().to_array().unwrap();
    assert_eq!(run(&program), array![3.0, 3.0, 3.0]);
    let old: math::Pair<3> = program.swap(pair(&device)).unwrap();
    assert_eq!(old.one.to_scalar().unwrap(), 1.0);
    assert_eq!(run(&program), array![2.5, 4.5, 6.5]);
}

#[test]
fn programs_share_a_tree_and_reach_modules_through_others() {
    let device = device();
    let second = second::Second::load(&device).unwrap();
    let pair: second::Both<3> = pair(&device);
    let found = second.run(&pair).unwrap().to_array().unwrap();
    assert_eq!(found, array![-1.25, -2.25, -3.25]);
    let alone = alone::Second::load(&device).unwrap();
    let math::Pair { one, row } = pair;
    let same = alone.run(alone::Pair { one, row }).unwrap();
    assert_eq!(same.to_array().unwrap(), found);
}

#[test]
fn the_name_of_a_program_is_its_own() {
    assert_eq!(first::First::NAME, "first");
    assert!(first::First::MLIR.contains("combine_f32"));
    assert_eq!(
        second::Second::signature().to_string(),
        alone::Second::signature().to_string()
    );
}
