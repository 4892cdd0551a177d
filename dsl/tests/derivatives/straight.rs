//! Functions without loops.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix0, Ix1, Ix2};

#[program]
mod straight {
    pub struct Layer {
        pub w: Tensor<f64, 3, 2>,
        pub b: Tensor<f64, 2>,
    }

    pub struct Network {
        pub layer: Layer,
        pub v: Tensor<f64, 2, 3>,
    }

    pub struct Straight {
        #[global]
        scale: Tensor<f64>,
    }

    #[kernel]
    fn cross_entropy<const N: usize>(
        network: Network,
        x: Tensor<f64, N, 3>,
        labels: Tensor<i32, N>,
    ) -> Tensor<f64> {
        let hidden = (x.dot(network.layer.w) + network.layer.b).tanh();
        let scores = hidden.dot(network.v).log_softmax(-1);
        -scores.take_along_axis(labels.insert_axis(1), 1).mean()
    }

    #[kernel]
    fn product(a: Tensor<f64, 4, 3>, b: Tensor<f64, 3, 2>) -> Tensor<f64> {
        a.sin().dot(b).sum()
    }

    #[kernel]
    fn derived(x: Tensor<f64>) -> Tensor<f64> {
        grad(|x| x.powi(3) + x.sin())(x)
    }

    #[kernel]
    fn twice(f: impl Fn(Tensor<f64>) -> Tensor<f64>, x: Tensor<f64>) -> Tensor<f64> {
        grad(f)(x)
    }

    impl Straight {
        pub fn loss<const N: usize>(
            &self,
            network: Network,
            x: Tensor<f64, N, 3>,
            labels: Tensor<i32, N>,
        ) -> (Tensor<f64>, Network) {
            value_and_grad(cross_entropy)(network, x, labels)
        }

        pub fn second_argument(
            &self,
            a: Tensor<f64, 4, 3>,
            b: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, 3, 2> {
            grad::<1>(product)(a, b)
        }

        pub fn both(
            &self,
            a: Tensor<f64, 4, 3>,
            b: Tensor<f64, 3, 2>,
        ) -> (Tensor<f64, 4, 3>, Tensor<f64, 3, 2>) {
            let derivative = grad::<0, 1>(|a, b| product(a, b));
            derivative(a, b)
        }

        pub fn third(&self, x: Tensor<f64>) -> Tensor<f64> {
            let f = |x| x.powi(3) + x.sin();
            grad(grad(grad(f)))(x)
        }

        pub fn third_of_kernel(&self, x: Tensor<f64>) -> Tensor<f64> {
            grad(|x| twice(derived, x))(x)
        }

        pub fn perturbations(&self, x: Tensor<f64>) -> Tensor<f64> {
            grad(|x| x * grad(|y| x * y * y)(x * x))(x)
        }

        pub fn stopped(&self, x: Tensor<f64, 7>) -> Tensor<f64, 7> {
            grad(|x| (x * x.stop_gradient()).sum())(x)
        }

        pub fn stopped_tree(&self, x: Tensor<f64, 7>) -> Tensor<f64, 7> {
            grad(|(x, n)| (x * stop_gradient((x, n)).0).sum() + n)((x, 1.0f64)).0
        }

        /// What is captured, and what is read of the program, is constant; a store that is read back is not.
        pub fn stored(&mut self, x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
            self.scale = x;
            let captured = x;
            let before = grad(|x| x * captured * self.scale)(x);
            let after = grad(|x| {
                self.scale = x * x;
                self.scale * captured
            })(x);
            (before, after)
        }

        pub fn scale(&self) -> Tensor<f64> {
            self.scale
        }

        pub fn rest(&self, x: Tensor<f64, 7>) -> (Tensor<f64>, Tensor<f64, 7>, Tensor<f64, 7>) {
            let ((loss, rest), g) = value_and_grad(|x| (x.sin().sum(), x * 2.0))(x);
            (loss, rest, g)
        }

        pub fn pushed(
            &self,
            a: Tensor<f64, 4, 3>,
            da: Tensor<f64, 4, 3>,
            b: Tensor<f64, 3, 2>,
        ) -> (Tensor<f64, 4, 2>, Tensor<f64, 4, 2>) {
            jvp(|a| a.dot(b).exp(), a, da)
        }

        pub fn pulled(
            &self,
            a: Tensor<f64, 4, 3>,
            b: Tensor<f64, 3, 2>,
            cotangent: Tensor<f64, 4, 2>,
        ) -> (Tensor<f64, 4, 3>, Tensor<f64, 3, 2>, Tensor<f64, 4, 3>) {
            let (_, back) = vjp(|a, b| a.dot(b).exp(), a, b);
            let (da, db) = back(cotangent);
            let (again, _) = back(cotangent * 3.0);
            (da, db, again)
        }

        pub fn hvp(&self, x: Tensor<f64, 7>) -> Tensor<f64, 7> {
            let (_, change) = jvp(grad(|x| x.exp().prod()), (x,), (x * 2.0,));
            change
        }

        pub fn step(&self, network: Network, g: Network) -> Network {
            let halves = map_tree(g, |g| g * 0.5);
            zip_tree(network, halves, |p, g| p - g)
        }

        /// The squares of all numbers of a tree, and their slopes.
        pub fn squares(&self, network: Network) -> (Tensor<f64>, Network) {
            value_and_grad(|network| fold_tree(network, 0.0, |sum, x| sum + (x * x).sum()))(network)
        }
    }
}

use straight::{Layer, Network, Straight};

fn network(device: &Device, check: &Check) -> Network {
    let upload = |name| device.upload(&check.input::<f64, Ix2>(name)).unwrap();
    let b = device.upload(&check.input::<f64, Ix1>("b")).unwrap();
    let layer = Layer { w: upload("w"), b };
    let v = upload("v");
    Network { layer, v }
}

#[test]
fn trees_and_several_arguments() {
    let device = Device::open("local-sync").unwrap();
    let program = Straight::load(&device).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (x, w) = (check.input::<f64, Ix2>("x"), check.input::<f64, Ix2>("w"));
    let labels = check.input::<i32, Ix1>("labels");
    let network = network(&device, &check);
    let (loss, g) = program.loss(&network, &x, &labels).unwrap();
    check.result("loss", Ok(loss));
    check.result("network.w", Ok(g.layer.w.clone()));
    check.result("network.b", Ok(g.layer.b.clone()));
    check.result("network.v", Ok(g.v.clone()));
    let stepped = program.step(&network, &g).unwrap();
    let expected = check.input::<f64, Ix2>("v") - check.input::<f64, Ix2>("network.v") * 0.5;
    let distance = (stepped.v.to_array().unwrap() - expected)
        .mapv(f64::abs)
        .sum();
    assert!(distance < 1e-14, "{distance}");
    let (squares, slopes) = program.squares(&network).unwrap();
    let parts = ["w", "v"].map(|name| check.input::<f64, Ix2>(name).mapv(|x| x * x).sum());
    let b = check.input::<f64, Ix1>("b").mapv(|x| x * x).sum();
    let error = squares.to_scalar().unwrap() - parts[0] - parts[1] - b;
    assert!(error.abs() < 1e-13, "{error}");
    let expected = check.input::<f64, Ix2>("v") * 2.0;
    assert_eq!(slopes.v.to_array().unwrap(), expected);
    check.result("second_argument", program.second_argument(&x, &w));
    let (a, b) = program.both(&x, &w).unwrap();
    check.result("both.0", Ok(a));
    check.result("both.1", Ok(b));
    check.finish();
}

#[test]
fn derivatives_of_derivatives() {
    let program = Straight::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let scalar = check.input::<f64, Ix0>("scalar").into_scalar();
    let long = check.input::<f64, Ix1>("long");
    check.result("third", program.third(scalar));
    check.result("third", program.third_of_kernel(scalar));
    check.result("perturbations", program.perturbations(scalar));
    check.conditioned("hvp", 10.0, program.hvp(&long));
    check.finish();
}

#[test]
fn what_is_constant() {
    let mut program = Straight::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let long = check.input::<f64, Ix1>("long");
    check.result("stopped", program.stopped(&long));
    check.result("stopped", program.stopped_tree(&long));
    let (before, after) = program.stored(3.0).unwrap();
    assert_eq!(before.to_scalar().unwrap(), 9.0);
    assert_eq!(after.to_scalar().unwrap(), 18.0);
    assert_eq!(program.scale().unwrap().to_scalar().unwrap(), 9.0);
    let (loss, rest, g) = program.rest(&long).unwrap();
    assert!((loss.to_scalar().unwrap() - long.mapv(f64::sin).sum()).abs() < 1e-14);
    assert_eq!(rest.to_array().unwrap(), &long * 2.0);
    let slopes = (g.to_array().unwrap() - long.mapv(f64::cos)).mapv(f64::abs);
    assert!(slopes.sum() < 1e-14);
    check.finish();
}

#[test]
fn forwards_and_backwards() {
    let program = Straight::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (x, w) = (check.input::<f64, Ix2>("x"), check.input::<f64, Ix2>("w"));
    let tangent = check.input::<f64, Ix2>("tangent");
    let (value, change) = program.pushed(&x, &tangent, &w).unwrap();
    check.result("pushed.value", Ok(value));
    check.result("pushed", Ok(change));
    let cotangent = check.input::<f64, Ix2>("cotangent");
    let (a, b, again) = program.pulled(&x, &w, &cotangent).unwrap();
    check.result("pulled.a", Ok(a));
    check.result("pulled.b", Ok(b));
    check.result("pulled_twice.a", Ok(again));
    check.finish();
}
