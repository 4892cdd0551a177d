//! Random numbers: where their types and keys come from, and that they are as random as they say. Their
//! values are compared with those of JAX in `oracle`.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array, s};

#[program]
mod dice {
    const SCALE: f32 = 0.5;

    pub struct Layer {
        pub weight: Tensor<f32, 3, 4>,
        pub bias: Tensor<f32, 4>,
    }

    pub struct Dice {
        #[global(init = random::key(7))]
        key: Tensor<u32, 2>,
        #[global(init = Layer { weight: random::uniform(random::key(7)), bias: zeros() })]
        layer: Layer,
        #[global(immutable, init = random::uniform(random::fold_in(random::key(7), 1)) * SCALE - 0.25)]
        shifted: Tensor<f32, 3, 4>,
        #[global(init = initial(random::key(7)))]
        table: [Tensor<f64, 5>; 2],
    }

    impl Dice {
        pub fn layer(&self) -> Layer {
            self.layer
        }

        pub fn shifted(&self) -> Tensor<f32, 3, 4> {
            self.shifted
        }

        pub fn table(&self) -> [Tensor<f64, 5>; 2] {
            self.table
        }

        pub fn again(&self, seed: Tensor<u8>) -> (Layer, Tensor<f32, 3, 4>, [Tensor<f64, 5>; 2]) {
            let key = random::key(seed);
            let layer = Layer {
                weight: random::uniform(key),
                bias: zeros(),
            };
            (
                layer,
                random::uniform(random::fold_in(key, 1)) * SCALE - 0.25,
                initial(key),
            )
        }

        pub fn throw(&mut self) -> Tensor<i32, 6000> {
            let [next, key] = random::split(self.key);
            self.key = next;
            random::randint(key, 1, 7)
        }

        pub fn uniform(&self, key: Tensor<u32, 2>) -> Tensor<f64, 10000> {
            1.0 - random::uniform(key) * 2.0
        }

        pub fn coins(&self, key: Tensor<u32, 2>, p: Tensor<f32>) -> Tensor<bool, 10000> {
            random::bernoulli(key, p)
        }

        pub fn fair(&self, key: Tensor<u32, 2>) -> Tensor<bool, 10000> {
            random::bernoulli(key)
        }

        pub fn mask(&self, key: Tensor<u32, 2>, p: Tensor<f32, 2>) -> Tensor<f32, 2> {
            random::bernoulli(key, p) as f32
        }

        pub fn classes(&self, key: Tensor<u32, 2>, logits: Tensor<f32, 3>) -> Tensor<i32, 10000> {
            random::categorical(key, logits)
        }

        pub fn noise<const B: usize>(
            &self,
            key: Tensor<u32, 2>,
            x: Tensor<f64, B, 3>,
        ) -> Tensor<f64, B, 3> {
            x + random::uniform(key)
        }

        pub fn dice<const B: usize>(
            &self,
            key: Tensor<u32, 2>,
            sides: Tensor<u8, B>,
        ) -> (Tensor<u8, 2, B>, Tensor<bool, B>) {
            (random::randint(key, 0, sides), random::bernoulli(key, 0.5))
        }

        pub fn several(&self, key: Tensor<u32, 2>) -> Tensor<f32, 4, 3> {
            let keys = random::split::<4>(key);
            map(stack(keys, 0), |key| random::uniform::<f32, 3>(key))
        }

        pub fn one_by_one(&self, key: Tensor<u32, 2>) -> Tensor<f32, 4, 3> {
            stack(each(random::split(key)), 0)
        }
    }

    #[kernel]
    fn initial<T: Float, const N: usize>(key: Tensor<u32, 2>) -> [Tensor<T, N>; 2] {
        let [a, b] = random::split(key);
        [random::uniform(a), random::uniform::<T, N>(b)]
    }

    #[kernel]
    fn each(keys: [Tensor<u32, 2>; 4]) -> [Tensor<f32, 3>; 4] {
        let [a, b, c, d] = keys;
        [
            random::uniform(a),
            random::uniform(b),
            random::uniform(c),
            random::uniform(d),
        ]
    }
}

const KEY: [u32; 2] = [3, 4];

fn program() -> dice::Dice {
    dice::Dice::load(&Device::open("local-sync").unwrap()).unwrap()
}

/// How often a number occurs, in parts of all.
fn share<T: PartialEq>(numbers: &Array1<T>, number: &T) -> f64 {
    let equal = numbers.iter().filter(|other| *other == number);
    equal.count() as f64 / numbers.len() as f64
}

#[test]
fn globals_start_with_what_a_procedure_draws() {
    let program = program();
    let (layer, shifted, table) = program.again(7).unwrap();
    let found = program.layer().unwrap();
    let weight = found.weight.to_array().unwrap();
    assert_eq!(weight, layer.weight.to_array().unwrap());
    assert_eq!(found.bias.to_array().unwrap(), Array1::<f32>::zeros(4));
    assert_eq!(
        program.shifted().unwrap().to_array().unwrap(),
        shifted.to_array().unwrap()
    );
    let found = program.table().unwrap().map(|row| row.to_array().unwrap());
    assert_eq!(found, table.map(|row| row.to_array().unwrap()));
    assert_ne!(found[0], found[1]);
}

#[test]
fn a_key_in_a_global_gives_other_numbers_at_each_call() {
    let mut program = program();
    let first = program.throw().unwrap().to_array().unwrap();
    let second = program.throw().unwrap().to_array().unwrap();
    assert_ne!(first, second);
    for numbers in [first, second] {
        for side in 1..=6 {
            assert!((share(&numbers, &side) - 1.0 / 6.0).abs() < 0.02);
        }
    }
}

#[test]
fn uniform_numbers_fill_their_range_evenly() {
    let numbers = program().uniform(KEY).unwrap().to_array().unwrap();
    assert!(numbers.iter().all(|number| (-1.0..=1.0).contains(number)));
    let tenths = numbers.mapv(|number| (5.0 * (number + 1.0)) as i32);
    for tenth in 0..10 {
        assert!((share(&tenths, &tenth) - 0.1).abs() < 0.015);
    }
}

#[test]
fn truth_values_are_true_as_often_as_asked() {
    let program = program();
    for p in [0.0, 0.25, 1.0] {
        let coins = program.coins(KEY, p).unwrap().to_array().unwrap();
        assert!((share(&coins, &true) - f64::from(p)).abs() < 0.02);
    }
    let coins = program.fair(KEY).unwrap().to_array().unwrap();
    assert!((share(&coins, &true) - 0.5).abs() < 0.02);
    let mask = program.mask(KEY, &array![0.0, 1.0]).unwrap();
    assert_eq!(mask.to_array().unwrap(), array![0.0, 1.0]);
}

#[test]
fn classes_are_drawn_by_their_probabilities() {
    let probabilities = array![0.5_f32, 0.2, 0.3];
    let classes = program().classes(KEY, &probabilities.ln()).unwrap();
    let classes = classes.to_array().unwrap();
    for (class, probability) in (0..).zip(&probabilities) {
        assert!((share(&classes, &class) - f64::from(*probability)).abs() < 0.02);
    }
}

#[test]
fn keys_in_a_tensor_give_the_same_numbers_as_one_by_one() {
    let program = program();
    let several: Array2<f32> = program.several(KEY).unwrap().to_array().unwrap();
    assert_eq!(
        several,
        program.one_by_one(KEY).unwrap().to_array().unwrap()
    );
}

#[test]
fn sizes_may_be_known_at_the_call_only() {
    let program = program();
    let uniform = program.uniform(KEY).unwrap().to_array().unwrap();
    let fractions = uniform.mapv(|number| (1.0 - number) / 2.0);
    for rows in [0, 1, 5] {
        let noise = program.noise(KEY, &Array2::ones((rows, 3))).unwrap();
        let right = fractions.slice(s![..3 * rows]).mapv(|number| number + 1.0);
        let noise = noise.to_array().unwrap();
        assert!(
            noise
                .iter()
                .zip(&right)
                .all(|(noise, right)| (noise - right).abs() < 1e-12)
        );
        assert_eq!(noise.len(), right.len());
    }
    let (dice, coins) = program.dice(KEY, &Array1::from_elem(400, 3)).unwrap();
    let dice = Array1::from_iter(dice.to_array().unwrap());
    for side in 0..3 {
        assert!((share(&dice, &side) - 1.0 / 3.0).abs() < 0.06);
    }
    let fair = program.fair(KEY).unwrap().to_array().unwrap();
    assert_eq!(coins.to_array().unwrap(), fair.slice(s![..400]));
}
