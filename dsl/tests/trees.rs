//! Trees, tuples and arrays within each other, as globals, parameters and results.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod nested {
    /// A layer.
    #[derive(Clone, Debug)]
    pub struct Layer<const N: usize, T: Float> {
        pub weights: Tensor<T, N>,
        pub bias: Tensor<T>,
    }

    pub struct Model {
        pub layers: [Layer<2, f32>; 2],
        pub extra: (Tensor<i32>, [Tensor<bool, 2>; 1]),
    }

    pub struct Holder<T> {
        pub inner: T,
    }

    /// What is inside is twice as wide.
    pub struct Block<const WIDTH: usize> {
        pub up: Layer<{ 2 * WIDTH }, f32>,
        pub down: [Layer<WIDTH, f32>; 2],
        pub hidden: Holder<Layer<{ 2 * WIDTH }, f32>>,
    }

    pub struct Nested {
        #[global]
        model: Model,
        #[global(init = block(1.0))]
        block: Block<2>,
    }

    #[kernel]
    fn block<const WIDTH: usize>(first: f64) -> Block<WIDTH> {
        let narrow = Layer {
            weights: zeros::<f32, WIDTH>(),
            bias: 0.0,
        };
        Block {
            up: wide(first),
            down: [narrow, narrow],
            hidden: Holder { inner: wide(first) },
        }
    }

    #[kernel]
    fn wide<const N: usize>(first: f64) -> Layer<N, f32> {
        Layer {
            weights: arange() + first,
            bias: first,
        }
    }

    #[kernel]
    fn width<const WIDTH: usize>(block: Block<WIDTH>) -> Tensor<f32> {
        (block.up.weights + block.hidden.inner.weights).sum() * WIDTH as f32
    }

    impl Nested {
        pub fn set(&mut self, model: Model) {
            self.model = model;
        }

        pub fn get(&self) -> Model {
            self.model
        }

        pub fn layer(&self) -> Layer<2, f32> {
            self.model.layers[1]
        }

        pub fn hold(&self, layer: Layer<3, f64>) -> Holder<Layer<3, f64>> {
            Holder { inner: layer }
        }

        pub fn mixed(
            &self,
            pairs: [(Layer<2, f32>, Tensor<f32>); 2],
            single: (Tensor<f32, 2>,),
        ) -> ((Tensor<f32, 2>, Tensor<f32>), [Layer<2, f32>; 2]) {
            let sum = pairs[0].0.weights * pairs[0].1 + pairs[1].0.weights * pairs[1].1;
            (
                (sum + single.0, pairs[0].1 + pairs[1].1),
                [pairs[1].0, pairs[0].0],
            )
        }

        pub fn nothing(&self) {}

        /// The leaves of the results have another element type, or other sizes.
        pub fn changed(&self, block: Block<2>) -> (Layer<2, f64>, Block<4>) {
            let double = map_tree(block.down[0], |x| x as f64 * 2.0);
            let longer = |x| {
                if x.rank() == 0 {
                    x
                } else {
                    concatenate([x, x], 0)
                }
            };
            (double, map_tree(block, longer))
        }

        pub fn widths(&self, other: Block<3>) -> (Tensor<f32>, Tensor<f32>) {
            (width(self.block), width(other))
        }

        pub fn block(&self) -> Block<2> {
            self.block
        }
    }
}

use nested::{Layer, Model};

fn device() -> Device {
    Device::open("local-sync").unwrap()
}

fn layer(device: &Device, weights: [f32; 2], bias: f32) -> Layer<2, f32> {
    Layer {
        weights: device.upload(&Array1::from(weights.to_vec())).unwrap(),
        bias: device.upload(&ndarray::arr0(bias)).unwrap(),
    }
}

fn weights(layer: &Layer<2, f32>) -> Array1<f32> {
    layer.weights.to_array().unwrap()
}

#[test]
fn a_tree_comes_back_as_it_went() {
    let device = device();
    let mut program = nested::Nested::load(&device).unwrap();
    let truth = device.upload(&array![true, false]).unwrap();
    let model = Model {
        layers: [
            layer(&device, [1.0, 2.0], 3.0),
            layer(&device, [4.0, 5.0], 6.0),
        ],
        extra: (device.upload(&ndarray::arr0(7)).unwrap(), [truth]),
    };
    program.set(&model).unwrap();
    let back = program.get().unwrap();
    assert_eq!(weights(&back.layers[0]), array![1.0, 2.0]);
    assert_eq!(weights(&back.layers[1]), array![4.0, 5.0]);
    assert_eq!(back.layers[1].bias.to_scalar().unwrap(), 6.0);
    assert_eq!(back.extra.0.to_scalar().unwrap(), 7);
    assert_eq!(back.extra.1[0].to_array().unwrap(), array![true, false]);
    assert_eq!(weights(&program.layer().unwrap()), array![4.0, 5.0]);
}

#[test]
fn trees_start_with_zeros() {
    let program = nested::Nested::load(&device()).unwrap();
    let model = program.get().unwrap();
    assert_eq!(weights(&model.layers[0]), array![0.0, 0.0]);
    assert_eq!(model.extra.1[0].to_array().unwrap(), array![false, false]);
}

#[test]
fn leaves_within_tuples_within_arrays_are_converted() {
    let device = device();
    let program = nested::Nested::load(&device).unwrap();
    let (one, two) = (
        layer(&device, [1.0, 2.0], 0.0),
        layer(&device, [3.0, 4.0], 0.0),
    );
    let pairs = [(&one, 10.0), (&two, 100.0)];
    let ((sum, scale), [first, second]) = program.mixed(pairs, ([0.5, 0.25],)).unwrap();
    assert_eq!(sum.to_array().unwrap(), array![310.5, 420.25]);
    assert_eq!(scale.to_scalar().unwrap(), 110.0);
    assert_eq!(weights(&first), array![3.0, 4.0]);
    assert_eq!(weights(&second), array![1.0, 2.0]);
}

#[test]
fn generic_trees_hold_trees() {
    let device = device();
    let program = nested::Nested::load(&device).unwrap();
    let layer = Layer {
        weights: device.upload(&array![1.0_f64, 2.0, 3.0]).unwrap(),
        bias: device.upload(&ndarray::arr0(0.1_f64)).unwrap(),
    };
    let held = program.hold(layer.clone()).unwrap();
    assert_eq!(
        held.inner.weights.to_array().unwrap(),
        array![1.0, 2.0, 3.0]
    );
    assert_eq!(held.inner.bias.to_scalar().unwrap(), 0.1);
    assert!(format!("{layer:?}").contains("weights"));
}

#[test]
fn a_procedure_may_have_neither_parameters_nor_result() {
    let program = nested::Nested::load(&device()).unwrap();
    let () = program.nothing().unwrap();
}

#[test]
fn a_wrong_leaf_is_named_by_its_path() {
    let device = device();
    let mut program = nested::Nested::load(&device).unwrap();
    let mut model = program.get().unwrap();
    model.layers[1].weights = device.upload(&array![1.0_f32, 2.0, 3.0]).unwrap();
    let error = program.set(&model).unwrap_err().to_string();
    assert!(error.contains("model.layers.1.weights"), "{error}");
}

#[test]
fn trees_within_generic_trees_may_be_of_computed_sizes() {
    let device = device();
    let program = nested::Nested::load(&device).unwrap();
    let block = program.block().unwrap();
    assert_eq!(
        block.up.weights.to_array().unwrap(),
        array![1.0, 2.0, 3.0, 4.0]
    );
    assert_eq!(block.down[1].weights.shape(), [2]);
    let wide = Layer::upload(&device, [1.0; 6], 0.0).unwrap();
    let narrow = Layer::upload(&device, [0.0; 3], 0.0).unwrap();
    let other = nested::Block {
        up: wide.clone(),
        down: [narrow.clone(), narrow],
        hidden: nested::Holder { inner: wide },
    };
    let (own, given) = program.widths(&other).unwrap();
    assert_eq!(own.to_scalar().unwrap(), 40.0);
    assert_eq!(given.to_scalar().unwrap(), 36.0);
    let wrong = nested::Block {
        up: Layer::upload(&device, [1.0; 5], 0.0).unwrap(),
        ..other
    };
    let error = program.widths(wrong).unwrap_err().to_string();
    assert!(error.contains("`other.up.weights`"), "{error}");
}

#[test]
fn a_tree_with_other_leaves_is_of_another_type() {
    let device = device();
    let program = nested::Nested::load(&device).unwrap();
    let block = nested::Block {
        down: [
            layer(&device, [1.0, 2.0], 3.0),
            layer(&device, [4.0, 5.0], 6.0),
        ],
        ..program.block().unwrap()
    };
    let (double, longer) = program.changed(&block).unwrap();
    assert_eq!(double.weights.to_array().unwrap(), array![2.0, 4.0]);
    assert_eq!(longer.up.weights.shape(), [8]);
    let down = &longer.down[1];
    assert_eq!(down.weights.to_array().unwrap(), array![4.0, 5.0, 4.0, 5.0]);
    assert_eq!(down.bias.to_scalar().unwrap(), 6.0);
}
