//! Globals that archives supply when the program is loaded.

use iree_dsl::prelude::*;
use iree_dsl::{Error, Parameters};
use ndarray::{Array1, Array2, arr0, array};

#[program]
mod model {
    pub struct Layer {
        #[param("weight")]
        w: Tensor<f32, 2, 3>,
        b: Tensor<f32, 3>,
    }

    pub struct Model {
        #[global(parameter = "model")]
        layers: [Layer; 2],
        #[global(alias = layers[1].b)]
        last: Tensor<f32, 3>,
        #[global(parameter = "model")]
        #[param("scale.factor")]
        scale: Tensor<f64>,
        #[global(parameter = "state")]
        steps: Tensor<u32, 2>,
    }

    impl Model {
        pub fn run(&self, x: Tensor<f32, 2>) -> (Tensor<f32, 3>, Tensor<f64>) {
            let first = x.dot(self.layers[0].w) + self.layers[0].b;
            let second = x.dot(self.layers[1].w) + self.layers[1].b;
            (first * second, self.scale * 2.0)
        }

        pub fn step(&mut self) -> Tensor<u32, 2> {
            self.steps[1] += 1;
            self.last = self.last * 2.0;
            self.steps
        }

        pub fn last(&self) -> Tensor<f32, 3> {
            self.layers[1].b
        }
    }
}

fn weights() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.insert(
        "layers.0.weight",
        &array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]],
    );
    parameters.insert("layers.0.b", &array![0.5f32, 0.5, 0.5]);
    parameters.insert(
        "layers.1.weight",
        &Array2::<f32>::eye(3).slice(ndarray::s![..2, ..]),
    );
    parameters.insert("layers.1.b", &array![1.0f32, 2.0, 4.0]);
    parameters.insert("scale.factor", &arr0(0.25f64));
    parameters
}

fn state() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.insert("steps", &array![7u32, u32::MAX]);
    parameters
}

fn load() -> iree_dsl::Result<model::Model> {
    let device = Device::open("local-sync")?;
    model::Model::loader(&device)
        .parameters("model", weights())
        .parameters("state", state())
        .load()
}

#[test]
fn parameters_are_the_first_values_of_globals() {
    let mut model = load().unwrap();
    let (product, scale) = model.run([1.0, 1.0]).unwrap();
    let expected = array![5.5 * 2.0, 7.5 * 3.0, 9.5 * 4.0f32];
    assert_eq!(product.to_array().unwrap(), expected);
    assert_eq!(scale.to_scalar().unwrap(), 0.5);
    assert_eq!(model.step().unwrap().to_array().unwrap(), array![7, 0]);
    assert_eq!(model.step().unwrap().to_array().unwrap(), array![7, 1]);
    let last = model.last().unwrap().to_array().unwrap();
    assert_eq!(last, array![4.0, 8.0, 16.0]);
}

#[test]
fn programs_do_not_share_what_they_change() {
    let (weights, state) = (weights(), state());
    let device = Device::open("local-sync").unwrap();
    let load = || {
        let loader = model::Model::loader(&device);
        let loader = loader.parameters("model", &weights);
        loader.parameters("state", &state).load().unwrap()
    };
    let (mut first, mut second) = (load(), load());
    first.step().unwrap();
    first.step().unwrap();
    assert_eq!(second.step().unwrap().to_array().unwrap(), array![7, 0]);
    let last = second.last().unwrap().to_array().unwrap();
    assert_eq!(last, array![2.0, 4.0, 8.0]);
}

#[program]
mod alike {
    pub struct Alike {
        #[global(parameter = "model")]
        a: Tensor<f32, 4>,
        #[global(parameter = "model")]
        b: Tensor<f32, 4>,
        #[global(parameter = "model")]
        c: Tensor<f32, 4>,
        #[global(parameter = "model")]
        d: Tensor<f32, 4>,
    }

    impl Alike {
        /// Everything that is ever stored in `a` is what `b` has.
        pub fn copy(&mut self) {
            self.a = self.b;
        }

        pub fn change(&mut self, i: Tensor<i32>) {
            self.b[i] = -1.0;
        }

        /// Everything that is ever stored in `c` is one constant.
        pub fn clear(&mut self) {
            self.c = zeros();
        }

        pub fn all(&self) -> [Tensor<f32, 4>; 4] {
            [self.a, self.b, self.c, self.d]
        }
    }
}

#[test]
fn parameters_that_are_equal_are_not_one() {
    let device = Device::open("local-sync").unwrap();
    let mut archive = Parameters::default();
    for key in ["a", "b", "c", "d"] {
        archive.insert(key, &Array1::<f32>::ones(4));
    }
    let mut program = alike::Alike::loader(&device)
        .parameters("model", archive)
        .load()
        .unwrap();
    let all = |program: &alike::Alike| {
        let all = program.all().unwrap();
        all.map(|array| array.to_array().unwrap().to_vec())
    };
    let ones = vec![1.0; 4];
    assert_eq!(all(&program), [(); 4].map(|()| ones.clone()));
    program.change(1).unwrap();
    let changed = vec![1.0, -1.0, 1.0, 1.0];
    let expected = [&ones, &changed, &ones, &ones].map(Clone::clone);
    assert_eq!(all(&program), expected);
    program.copy().unwrap();
    program.change(2).unwrap();
    program.clear().unwrap();
    let again = vec![1.0, -1.0, -1.0, 1.0];
    assert_eq!(all(&program), [changed, again, vec![0.0; 4], ones]);
}

#[test]
fn the_signature_lists_them() {
    let listed: Vec<_> = model::Model::signature()
        .parameters
        .iter()
        .map(ToString::to_string)
        .collect();
    let expected = [
        "model::layers.0.weight: Tensor<f32, 2, 3>",
        "model::layers.0.b: Tensor<f32, 3>",
        "model::layers.1.weight: Tensor<f32, 2, 3>",
        "model::layers.1.b: Tensor<f32, 3>",
        "model::scale.factor: Tensor<f64>",
        "state::steps: Tensor<u32, 2>",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn all_that_does_not_fit_is_told_at_once() {
    let device = Device::open("local-sync").unwrap();
    let message = |loader: iree_dsl::Loader<'_, model::Model>| match loader.load() {
        Err(error @ Error::Parameters { .. }) => error.to_string(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it loads"),
    };
    let mut wrong = weights();
    wrong.insert("layers.0.b", &Array1::<f64>::zeros(3));
    wrong.insert("layers.1.weight", &Array2::<f32>::zeros((3, 2)));
    let mut repeated = Parameters::default();
    repeated.insert("scale.factor", &arr0(1.0f64));
    let mut missing = weights();
    missing.insert("layers", &arr0(1u8));
    let loader = model::Model::loader(&device)
        .parameters("model", wrong)
        .parameters("model", repeated)
        .parameters("modle", missing);
    assert_eq!(
        message(loader),
        "the parameters do not fit the program `model`:\n  \
         the program has no scope `modle`; its scopes are: `model`, `state`\n  \
         model::layers.0.b: Tensor<f32, 3>: the archive has `Tensor<f64, 3>`; \
         `convert_parameters()` of the loader converts it\n  \
         model::layers.1.weight: Tensor<f32, 2, 3>: the archive has `Tensor<f32, 3, 2>`; \
         declare this transpose, and use `.t()` of it\n  \
         model::scale.factor: Tensor<f64>: 2 archives have it\n  \
         state::steps: Tensor<u32, 2>: no archive was given for the scope `state`"
    );
    let none = message(model::Model::loader(&device).parameters("state", Parameters::default()));
    assert!(
        none.ends_with("state::steps: Tensor<u32, 2>: no archive has it"),
        "{none}"
    );
    assert!(
        none.contains(
            "no archive was given for the scope `model`, which has 5 tensors, as `layers.0.weight`"
        ),
        "{none}"
    );
    assert_eq!(none.lines().count(), 3);
}
