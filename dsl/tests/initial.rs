//! First values of globals that operations compute which IREE prepares in functions only: lookups and
//! changes of elements, sorting, factorisations, loops that fill a table.

use iree_dsl::prelude::*;
use ndarray::{Array2, array};

#[program]
mod tables {
    pub struct Tables {
        #[global(immutable, init = inverse())]
        inverse: Tensor<i32, 6>,
        #[global(init = counted())]
        counted: Tensor<i32, 6>,
        #[global(immutable, init = tensor([3.0, -1.0, 2.0, 0.5]).argsort(0))]
        order: Tensor<i32, 4>,
        #[global(init = tensor([3.0, -1.0, 2.0, 0.5]).top_k(2))]
        largest: (Tensor<f32, 2>, Tensor<i32, 2>),
        #[global(immutable, init = random::permutation(random::key(1), arange::<i32, 6>()))]
        shuffled: Tensor<i32, 6>,
        #[global(immutable, init = matrix().cholesky())]
        factor: Tensor<f64, 3, 3>,
        #[global(init = matrix().solve(tensor([9.0_f64, 10.0, 11.0])))]
        solution: Tensor<f64, 3>,
        #[global(immutable, init = map(random::split::<6>(random::key(1)), |key| random::uniform::<f32, 3>(key).sum()))]
        draws: Tensor<f32, 6>,
        #[global(immutable, init = exponents())]
        exponents: Tensor<u8, 512>,
        #[global(immutable, init = logarithms())]
        logarithms: Tensor<i32, 256>,
    }

    #[kernel]
    fn inverse() -> Tensor<i32, 6> {
        let places: Tensor<i32, 6> = tensor([3, 1, 0, 2, 5, 4]);
        zeros::<i32, 6>().scatter(places, arange::<i32, 6>(), 0)
    }

    #[kernel]
    fn counted() -> Tensor<i32, 6> {
        zeros::<i32, 6>().scatter_add(arange::<i32, 6>() / 2, ones(), 0)
    }

    #[kernel]
    fn matrix() -> Tensor<f64, 3, 3> {
        eye::<f64, 3, 3>() * 3.0 + 1.0
    }

    /// Powers of two in the field of 256 elements.
    #[kernel]
    fn exponents() -> Tensor<u8, 512> {
        let mut table = zeros::<u8, 512>();
        let mut x = 1;
        for i in range(0, 512) {
            table[i] = x as u8;
            x = x << 1;
            if x & 256 != 0 {
                x = x ^ 285;
            }
        }
        table
    }

    #[kernel]
    fn logarithms() -> Tensor<i32, 256> {
        let powers = exponents()[s![..255]] as i32;
        zeros::<i32, 256>().scatter(powers, arange::<i32, 255>(), 0)
    }

    impl Tables {
        pub fn places(&self) -> (Tensor<i32, 6>, Tensor<i32, 6>, Tensor<i32, 4>) {
            (self.inverse, self.counted, self.order)
        }

        pub fn largest(&self) -> (Tensor<f32, 2>, Tensor<i32, 2>) {
            self.largest
        }

        pub fn linear(&self) -> (Tensor<f64, 3, 3>, Tensor<f64, 3>) {
            (self.factor, self.solution)
        }

        pub fn random(&self) -> (Tensor<i32, 6>, Tensor<f32, 6>) {
            (self.shuffled, self.draws)
        }

        /// What the initial values are made by, in a procedure.
        pub fn random_here(&self) -> (Tensor<i32, 6>, Tensor<f32, 6>) {
            let shuffled = random::permutation(random::key(1), arange::<i32, 6>());
            let keys = random::split::<6>(random::key(1));
            (
                shuffled,
                map(keys, |key| random::uniform::<f32, 3>(key).sum()),
            )
        }

        pub fn product(&self, a: Tensor<u8>, b: Tensor<u8>) -> Tensor<u8> {
            let log = self.logarithms;
            if a == 0 || b == 0 {
                0
            } else {
                self.exponents[log[a as i32] + log[b as i32]]
            }
        }

        pub fn count(&mut self, place: Tensor<i32>) -> Tensor<i32, 6> {
            self.counted[place] += 1;
            self.counted
        }
    }
}

fn load(device: &str) -> tables::Tables {
    tables::Tables::load(&Device::open(device).unwrap()).unwrap()
}

const DEVICES: [&str; 2] = ["local-sync", "local-task"];

#[program]
mod networks {
    pub struct Layer<const I: usize, const O: usize> {
        pub weights: Tensor<f32, I, O>,
        pub bias: Tensor<f32, O>,
    }

    pub struct Layers {
        pub hidden: Layer<2, 8>,
        pub last: Layer<8, 1>,
    }

    pub struct Network {
        #[global(init = drawn(random::key(0)))]
        layers: Layers,
    }

    #[kernel]
    fn drawn(key: Tensor<u32, 2>) -> Layers {
        let [one, other] = random::split(key);
        Layers {
            hidden: Layer {
                weights: random::normal(one),
                bias: zeros(),
            },
            last: Layer {
                weights: random::normal(other) * 0.5,
                bias: ones(),
            },
        }
    }

    impl Network {
        pub fn shrink(&mut self) {
            self.layers = map_tree(self.layers, |x| x * 0.5);
        }

        pub fn weights(&self) -> (Tensor<f32, 2, 8>, Tensor<f32, 8, 1>) {
            (self.layers.hidden.weights, self.layers.last.weights)
        }

        pub fn draw(&self, seed: Tensor<u32>) -> (Tensor<f32, 2, 8>, Tensor<f32, 8, 1>) {
            let layers = drawn(random::key(seed));
            (layers.hidden.weights, layers.last.weights)
        }
    }
}

#[test]
fn elements_are_placed_counted_and_sorted() {
    for device in DEVICES {
        let program = load(device);
        let (inverse, counted, order) = program.places().unwrap();
        assert_eq!(inverse.to_array().unwrap(), array![2, 1, 3, 0, 5, 4]);
        assert_eq!(counted.to_array().unwrap(), array![2, 2, 2, 0, 0, 0]);
        assert_eq!(order.to_array().unwrap(), array![1, 3, 2, 0]);
        let (values, places) = program.largest().unwrap();
        assert_eq!(values.to_array().unwrap(), array![3.0, 2.0]);
        assert_eq!(places.to_array().unwrap(), array![0, 2]);
    }
}

#[test]
fn a_matrix_is_factored_and_solved() {
    for device in DEVICES {
        let (factor, solution) = load(device).linear().unwrap();
        let (factor, solution) = (factor.to_array().unwrap(), solution.to_array().unwrap());
        let matrix = Array2::<f64>::eye(3) * 3.0 + 1.0;
        let product = factor.dot(&factor.t());
        for (found, expected) in product.iter().zip(&matrix) {
            assert!((found - expected).abs() < 1e-14, "{product}");
        }
        assert!(factor[[0, 1]] == 0.0 && factor[[0, 2]] == 0.0 && factor[[1, 2]] == 0.0);
        let right = matrix.dot(&solution);
        for (found, expected) in right.iter().zip([9.0, 10.0, 11.0]) {
            assert!((found - expected).abs() < 1e-13, "{right}");
        }
    }
}

#[test]
fn random_numbers_are_those_that_procedures_draw() {
    for device in DEVICES {
        let program = load(device);
        let (shuffled, draws) = program.random().unwrap();
        let (shuffled_here, draws_here) = program.random_here().unwrap();
        assert_eq!(
            shuffled.to_array().unwrap(),
            shuffled_here.to_array().unwrap()
        );
        assert_eq!(draws.to_array().unwrap(), draws_here.to_array().unwrap());
        let mut elements = shuffled.to_array().unwrap().to_vec();
        elements.sort_unstable();
        assert_eq!(elements, [0, 1, 2, 3, 4, 5]);
    }
}

/// The product of two polynomials over bits, modulo x⁸ + x⁴ + x³ + x² + 1.
fn product(a: u8, b: u8) -> u8 {
    let mut product = 0;
    let mut shifted = u16::from(a);
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            product ^= shifted;
        }
        shifted <<= 1;
        if shifted & 256 != 0 {
            shifted ^= 285;
        }
    }
    product as u8
}

#[test]
fn a_loop_fills_a_table_that_another_is_made_from() {
    for device in DEVICES {
        let program = load(device);
        for (a, b) in [
            (0, 7),
            (1, 1),
            (2, 128),
            (3, 7),
            (29, 200),
            (255, 255),
            (255, 254),
        ] {
            let found = program.product(a, b).unwrap().to_scalar().unwrap();
            assert_eq!(found, product(a, b), "{a} times {b}");
        }
    }
}

#[test]
fn sessions_start_from_the_first_values() {
    for device in DEVICES {
        let mut one = load(device);
        assert_eq!(
            one.count(1).unwrap().to_array().unwrap(),
            array![2, 3, 2, 0, 0, 0]
        );
        assert_eq!(
            one.count(5).unwrap().to_array().unwrap(),
            array![2, 3, 2, 0, 0, 1]
        );
        let mut other = load(device);
        assert_eq!(
            other.count(0).unwrap().to_array().unwrap(),
            array![3, 2, 2, 0, 0, 0]
        );
    }
}

#[test]
fn weights_are_drawn_as_a_procedure_draws_them() {
    for device in DEVICES {
        let device = Device::open(device).unwrap();
        let mut network = networks::Network::load(&device).unwrap();
        let (hidden, last) = network.weights().unwrap();
        let (drawn, other) = network.draw(0).unwrap();
        let drawn = drawn.to_array().unwrap();
        assert_close(&hidden.to_array().unwrap(), &drawn);
        assert_close(&last.to_array().unwrap(), &other.to_array().unwrap());
        network.shrink().unwrap();
        let (halved, _) = network.weights().unwrap();
        assert_close(&(halved.to_array().unwrap() * 2.0), &drawn);
    }
}

/// IREE may round what it computes while building another way.
fn assert_close(found: &Array2<f32>, expected: &Array2<f32>) {
    let difference = (found - expected).mapv(f32::abs);
    assert!(
        difference.iter().all(|x| *x < 1e-6),
        "{found} and {expected}"
    );
}
