//! What globals can be: tensors of one element and of none, scalars, trees, names for parts of others, and
//! first values that are computed.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod globals {
    const COUNT: usize = 3;
    const SCALE: f32 = 0.5;
    const LENGTH: usize = 2 * COUNT;

    pub struct Block {
        pub weight: Tensor<f32, COUNT>,
        pub bias: Tensor<f32>,
    }

    pub struct Globals {
        #[global(init = 1.5)]
        scalar: Tensor<f64>,
        #[global(init = true)]
        flag: Tensor<bool>,
        #[global(init = tensor([7]))]
        one: Tensor<u8, 1>,
        #[global]
        nothing: Tensor<f32, 2, 0>,
        #[global(init = ones())]
        constant_nothing: Tensor<i64, 0>,
        #[global(init = [
            Block { weight: full(SCALE), bias: 1.0 },
            Block { weight: ramp(2.0), bias: ramp::<COUNT>(SCALE).sum() },
        ])]
        blocks: [Block; 2],
        #[global(alias = blocks[1].weight)]
        weight: Tensor<f32, COUNT>,
        #[global(alias = blocks[1])]
        last: Block,
        #[global(alias = weight)]
        again: Tensor<f32, COUNT>,
        #[global(init = (ramp::<LENGTH>(1.0), zeros()))]
        pair: (Tensor<f32, LENGTH>, Tensor<i32, { COUNT - 1 }, 1>),
        #[global(uninit)]
        later: Tensor<f32, 1>,
    }

    impl Globals {
        pub fn small(&self) -> (Tensor<f64>, Tensor<bool>, Tensor<u8, 1>) {
            (self.scalar, self.flag, self.one)
        }

        pub fn nothing(&self) -> (Tensor<f32, 2, 0>, Tensor<i64, 0>) {
            (self.nothing, self.constant_nothing)
        }

        pub fn store_small(&mut self, flag: Tensor<bool>, one: Tensor<u8, 1>) {
            self.scalar *= 2.0;
            self.flag = flag;
            self.one = one;
        }

        pub fn store_nothing(&mut self, nothing: Tensor<f32, 2, 0>) {
            self.nothing = nothing;
        }

        pub fn blocks(&self) -> [Block; 2] {
            self.blocks
        }

        pub fn names(&self) -> (Tensor<f32, COUNT>, Tensor<f32, COUNT>, Tensor<f32, COUNT>) {
            (self.weight, self.last.weight, self.again)
        }

        pub fn store_weight(&mut self, weight: Tensor<f32, COUNT>) -> Tensor<f32, COUNT> {
            self.again = weight;
            self.blocks[1].weight
        }

        pub fn store_element(&mut self, i: Tensor<i32>) {
            self.last.weight[i] = -1.0;
        }

        pub fn pair(&self) -> (Tensor<f32, LENGTH>, Tensor<i32, 2, 1>) {
            self.pair
        }

        pub fn store_later(&mut self, x: Tensor<f32, 1>) -> Tensor<f32, 1> {
            self.later = x;
            self.later * 2.0
        }
    }

    #[kernel]
    fn ramp<const N: usize>(step: Tensor<f32>) -> Tensor<f32, N> {
        iota::<f32, N>() * step
    }
}

fn load() -> globals::Globals {
    globals::Globals::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn one_element_and_none_are_stored_like_many() {
    let mut program = load();
    let (scalar, flag, one) = program.small().unwrap();
    assert_eq!(scalar.to_scalar().unwrap(), 1.5);
    assert!(flag.to_scalar().unwrap());
    assert_eq!(one.to_array().unwrap(), array![7]);
    program.store_small(false, &array![9_u8]).unwrap();
    program.store_nothing(&Array2::zeros((2, 0))).unwrap();
    let (scalar, flag, one) = program.small().unwrap();
    assert_eq!(scalar.to_scalar().unwrap(), 3.0);
    assert!(!flag.to_scalar().unwrap());
    assert_eq!(one.to_array().unwrap(), array![9]);
    let (nothing, constant) = program.nothing().unwrap();
    assert_eq!(nothing.shape(), [2, 0]);
    assert_eq!(constant.shape(), [0]);
    let later = program.store_later(&array![4.0]).unwrap();
    assert_eq!(later.to_array().unwrap(), array![8.0]);
}

#[test]
fn first_values_are_computed_from_constants_and_by_kernels() {
    let program = load();
    let [first, second] = program.blocks().unwrap();
    assert_eq!(first.weight.to_array().unwrap(), Array1::from_elem(3, 0.5));
    assert_eq!(first.bias.to_scalar().unwrap(), 1.0);
    assert_eq!(second.weight.to_array().unwrap(), array![0.0, 2.0, 4.0]);
    assert_eq!(second.bias.to_scalar().unwrap(), 1.5);
    let (ramp, zeros) = program.pair().unwrap();
    assert_eq!(
        ramp.to_array().unwrap(),
        array![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    );
    assert_eq!(zeros.to_array().unwrap(), Array2::<i32>::zeros((2, 1)));
}

#[test]
fn a_store_is_seen_by_every_name() {
    let mut program = load();
    let seen = |program: &globals::Globals| {
        let (weight, last, again) = program.names().unwrap();
        let names = [weight, last, again].map(|name| name.to_array().unwrap());
        let [_, block] = program.blocks().unwrap();
        let block = block.weight.to_array().unwrap();
        assert!(names.iter().all(|name| *name == block));
        block
    };
    assert_eq!(seen(&program), array![0.0, 2.0, 4.0]);
    let stored = program.store_weight(&array![5.0, 6.0, 7.0]).unwrap();
    assert_eq!(stored.to_array().unwrap(), array![5.0, 6.0, 7.0]);
    program.store_element(1).unwrap();
    assert_eq!(seen(&program), array![5.0, -1.0, 7.0]);
}

/// Stores what IREE finds to be a table, or nothing.
#[program]
mod choice {
    pub struct Choice {
        #[global(init = iota())]
        table: Tensor<i32, 4>,
    }

    impl Choice {
        pub fn choose(
            &mut self,
            x: Tensor<i32, 4>,
            k: Tensor<i32>,
        ) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            if k < k {
                return (x * 3, self.table);
            }
            self.table = tensor([4, 0, 0, 2]);
            (x, self.table)
        }

        pub fn replace(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) -> Tensor<i32, 4> {
            self.table = select(k != k, self.table, tensor([1, 3, 0, 5]));
            self.table + x
        }

        pub fn table(&self) -> Tensor<i32, 4> {
            self.table
        }
    }
}

#[test]
fn a_table_is_stored_behind_a_condition_that_always_holds() {
    let device = Device::open("local-task").unwrap();
    let mut program = choice::Choice::load(&device).unwrap();
    let table = |program: &choice::Choice| program.table().unwrap().to_array().unwrap();
    let x = array![1, 2, 3, 4];
    assert_eq!(table(&program), array![0, 1, 2, 3]);
    let (same, stored) = program.choose(&x, 5).unwrap();
    assert_eq!(same.to_array().unwrap(), x);
    assert_eq!(stored.to_array().unwrap(), array![4, 0, 0, 2]);
    assert_eq!(table(&program), array![4, 0, 0, 2]);
    let sum = program.replace(&x, 5).unwrap();
    assert_eq!(sum.to_array().unwrap(), array![2, 5, 3, 9]);
    assert_eq!(table(&program), array![1, 3, 0, 5]);
}
