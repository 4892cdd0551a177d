//! What functions do besides computing their value, once for a batch or for each element.

use iree_dsl::{DynamicArray, Trace, prelude::*};
use ndarray::{Ix0, Ix1, array};
use std::sync::{Arc, Mutex};

#[program]
mod effects {
    pub struct Effects {
        #[global]
        scale: Tensor<f64>,
    }

    impl Effects {
        pub fn checked<const B: usize>(&self, x: Tensor<f64, B>) -> Tensor<f64, B> {
            vmap(|x: Tensor<f64>| {
                if x > 0.0 {
                    assert!(x < 10.0, "small");
                    trace!("positive", x);
                    x.sqrt() * self.scale
                } else {
                    x
                }
            })(x)
        }

        pub fn shown<const B: usize>(&self, x: Tensor<f64, B>, y: Tensor<f64>) -> Tensor<f64, B> {
            vmap(|x: Tensor<f64>| {
                trace!("both", x, y);
                trace!("shared", y);
                x * y
            })(x)
        }

        /// The function runs once, whatever is asked of its derivatives.
        pub fn once(
            &self,
            x: Tensor<f64, 3>,
        ) -> (Tensor<f64, 3, 3>, Tensor<f64, 3, 3>, Tensor<f64, 3, 3>) {
            let f = |x: Tensor<f64, 3>| {
                trace!("once", x);
                x.sin() * x.sum()
            };
            (jacfwd(f)(x), jacrev(f)(x), hessian(|x| f(x).sum())(x))
        }

        /// What is stored is what it is without derivatives, also where a loop has both.
        pub fn stored(&mut self, x: Tensor<f64, 3>) -> Tensor<f64, 3, 3> {
            jacfwd(|x: Tensor<f64, 3>| {
                let y = fori(3, x, |_, y| y.sin() * 2.0);
                self.scale = y.sum();
                y
            })(x)
        }

        /// By nothing.
        pub fn by_nothing(&mut self, x: Tensor<f64, 0>) -> (Tensor<f64, 2, 0>, Tensor<f64>) {
            let slope = jacfwd(|x: Tensor<f64, 0>| {
                self.scale = x.sum() + 4.0;
                tensor([1.0, 2.0]) * x.sum()
            })(x);
            (slope, self.scale)
        }

        pub fn set_scale(&mut self, scale: Tensor<f64>) {
            self.scale = scale;
        }

        /// Asks for elements that get there.
        pub fn asked<const B: usize>(&self, x: Tensor<f64, B>) -> Tensor<f64, B> {
            vmap(|x: Tensor<f64>| if x > 0.0 { ask(x) + 1.0 } else { x })(x)
        }

        pub fn asked_for_all(&self, x: Tensor<f64, 3>) -> Tensor<f64, 3> {
            vmap(|x: Tensor<f64>| x + ask(2.0))(x)
        }

        pub fn draws(
            &self,
            seeds: Tensor<u32, 4>,
        ) -> (Tensor<f32, 4, 2>, Tensor<f32, 4, 2>, Tensor<f32, 4>) {
            let draw = |seed| random::normal::<f32, 2>(random::key(seed));
            let keys = map(seeds, |seed| random::key(seed));
            let one = |key| random::uniform::<f32>(random::fold_in(key, 7));
            (
                vmap(draw)(seeds),
                map(seeds, draw),
                vmap(one)(keys) - map(keys, one),
            )
        }

        pub fn foreign<const B: usize>(&self, x: Tensor<f32, B, 3>) -> Tensor<f32, B, 3> {
            vmap(|x| doubled(x))(x)
        }
    }

    #[kernel(mlir = "
        %y = stablehlo.add %x, %x : {x}
        return %y : {result}
    ")]
    fn doubled<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N>;

    #[import]
    fn ask(x: Tensor<f64>) -> Tensor<f64>;
}

type Log = Arc<Mutex<Vec<String>>>;

fn program() -> (effects::Effects, Log, Log) {
    let device = Device::open("local-sync").unwrap();
    let (traces, asked) = (Log::default(), Log::default());
    let (to, from) = (traces.clone(), asked.clone());
    let sink = move |trace: &Trace| to.lock().unwrap().push(trace.to_string());
    let ask = move |[x]: [DynamicArray; 1]| {
        let x = x.downcast::<f64, Ix0>()?;
        let (device, x) = (x.device().clone(), x.to_scalar()?);
        from.lock().unwrap().push(format!("{x}"));
        Ok([device.upload(x * 2.0)?.into_dynamic()])
    };
    let loader = effects::Effects::loader(&device).trace(sink);
    let mut program = loader.import("ask", ask).load().unwrap();
    program.set_scale(2.0).unwrap();
    (program, traces, asked)
}

fn taken(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

#[test]
fn assertions_hold_for_all() {
    let (program, traces, _) = program();
    let y = program.checked(&array![4.0, -20.0, 9.0]).unwrap();
    assert_eq!(y.to_array().unwrap(), array![4.0, -20.0, 6.0]);
    assert_eq!(taken(&traces).len(), 1);
    let error = program.checked(&array![4.0, 20.0]).map(|y| y.to_array());
    assert!(!matches!(error, Ok(Ok(_))), "20 is not small");
    taken(&traces);
    let y = program.checked(&array![-4.0, -20.0]).unwrap();
    assert_eq!(y.to_array().unwrap(), array![-4.0, -20.0]);
    assert!(taken(&traces).is_empty());
    let nothing = program.checked(&ndarray::Array1::zeros(0)).unwrap();
    assert_eq!(nothing.to_array().unwrap().len(), 0);
}

#[test]
fn traces_show_the_batch() {
    let (program, traces, _) = program();
    program.shown(&array![1.0, 2.0], 3.0).unwrap();
    let traces = taken(&traces);
    assert_eq!(traces.len(), 2, "{traces:?}");
    assert!(
        traces[0].contains("1") && traces[0].contains("2"),
        "{traces:?}"
    );
}

#[test]
fn functions_run_once() {
    let (program, traces, _) = program();
    let x = array![0.5, -1.0, 2.0];
    let (forwards, backwards, _) = program.once(&x).unwrap();
    let (forwards, backwards) = (forwards.to_array().unwrap(), backwards.to_array().unwrap());
    assert!((forwards - backwards).mapv(f64::abs).sum() < 1e-12);
    assert_eq!(taken(&traces).len(), 3);
}

#[test]
fn what_is_stored() {
    let (mut program, ..) = program();
    let x = array![0.5, -1.0, 2.0];
    let slope = program.stored(&x).unwrap().to_array().unwrap();
    let twice = |x: f64| 2.0 * x.sin();
    let slope_of = |x: f64| 8.0 * x.cos() * twice(x).cos() * twice(twice(x)).cos();
    assert!(
        (slope.diag().to_owned() - x.mapv(slope_of))
            .mapv(f64::abs)
            .sum()
            < 1e-12
    );
    let expected = x.mapv(|x| twice(twice(twice(x)))).sum();
    let y = program.checked(&array![1.0]).unwrap().to_array().unwrap();
    assert!((y[0] - expected).abs() < 1e-12);
    let (slope, scale) = program.by_nothing(&ndarray::Array1::zeros(0)).unwrap();
    assert_eq!(slope.to_array().unwrap().len(), 0);
    assert_eq!(scale.to_scalar().unwrap(), 4.0);
}

#[test]
fn the_host_is_asked_for_each_element() {
    let (program, _, asked) = program();
    let y = program.asked(&array![1.0, -2.0, 3.0]).unwrap();
    assert_eq!(y.to_array().unwrap(), array![3.0, -2.0, 7.0]);
    assert_eq!(taken(&asked), ["1", "3"]);
    let y = program.asked_for_all(&array![1.0, 2.0, 3.0]).unwrap();
    assert_eq!(y.to_array().unwrap(), array![5.0, 6.0, 7.0]);
    assert_eq!(taken(&asked).len(), 3);
}

#[test]
fn random_numbers_of_each_key() {
    let (program, ..) = program();
    let (batch, each, difference) = program.draws(&array![0, 1, 2, 3]).unwrap();
    assert_eq!(batch.to_array().unwrap(), each.to_array().unwrap());
    assert_eq!(
        difference.to_array().unwrap(),
        ndarray::Array::<f32, Ix1>::zeros(4)
    );
}

#[test]
fn foreign_operations() {
    let (program, ..) = program();
    let x = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let y = program.foreign(&x).unwrap();
    assert_eq!(y.to_array().unwrap(), &x * 2.0);
}
