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

    pub struct Nested {
        #[global]
        model: Model,
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
