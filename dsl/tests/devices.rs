//! The same programs on every device that this build and this machine have, against the CPU on one thread.
//! With `--features vulkan` or `--features cuda`, GPUs are among them.

use iree_dsl::{Error, Parameters, prelude::*};
use ndarray::{Array1, Array2, Array4, Ix1, IxDyn, array};
use std::{
    sync::{Arc, Mutex},
    thread,
};

#[program(targets = ["cpu:host", "cuda", "vulkan"], opt = "size")]
mod devices {
    /// What is learnt.
    pub struct Params {
        w: Tensor<f32, 8, 4>,
        b: Tensor<f32, 4>,
    }

    pub struct Devices {
        #[global(init = Params { w: random::uniform(random::key(3)) * 0.5, b: zeros() })]
        params: Params,
        #[global]
        cache: Tensor<f32, 6, 4>,
    }

    impl Devices {
        pub fn elementwise(&self, x: Tensor<f32, 37>, y: Tensor<f32, 37>) -> Tensor<f32, 37> {
            select(x < y, (x * y).gelu(), x.sin() - y.exp())
        }

        pub fn integers(
            &self,
            x: Tensor<i32, 16>,
        ) -> (Tensor<i32, 16>, Tensor<u8, 16>, Tensor<bool, 16>) {
            (x / 3 + (x << 2), x as u8, x % 2 == 0)
        }

        pub fn halves(&self, x: Tensor<f16, 5, 7>, y: Tensor<f16, 7, 3>) -> Tensor<f16, 5, 3> {
            x.dot(y) * 2.0
        }

        pub fn reduce<const B: usize>(
            &self,
            x: Tensor<f32, B, 12>,
        ) -> (Tensor<f32, B, 12>, Tensor<f32>, Tensor<i32, B>) {
            (x.softmax(1), x.mean(), x.argmax_axis(1))
        }

        pub fn order(&self, x: Tensor<f32, 33>) -> (Tensor<f32, 33>, Tensor<f32, 33>) {
            (x.sort(0), x.cumsum(0))
        }

        pub fn convolve(
            &self,
            x: Tensor<f32, 1, 9, 9, 2>,
            w: Tensor<f32, 3, 3, 2, 4>,
        ) -> Tensor<f32, 1, 9, 9, 4> {
            conv!(x, w, strides = [1, 1], padding = "same")
        }

        pub fn random(&self, seed: Tensor<u32, 2>) -> (Tensor<u32, 9>, Tensor<f32, 9>) {
            (random::bits(seed), random::uniform(seed))
        }

        pub fn empty(&self, x: Tensor<f32, 0, 4>) -> (Tensor<f32, 0, 4>, Tensor<f32, 4>) {
            (x * 2.0, x.sum_axis(0))
        }

        pub fn rounds(&self, n: Tensor<i32>) -> Tensor<i32> {
            let mut value = n;
            let mut count = 0;
            while value != 1 {
                value = if value % 2 == 0 {
                    value / 2
                } else {
                    value * 3 + 1
                };
                count += 1;
            }
            count
        }

        pub fn train<const B: usize>(
            &mut self,
            x: Tensor<f32, B, 8>,
            y: Tensor<f32, B, 4>,
        ) -> Tensor<f32> {
            let error = x.dot(self.params.w) + self.params.b - y;
            self.params.w -= x.t().dot(error) * 0.005;
            self.params.b -= error.mean_axis(0) * 0.05;
            (error * error).mean()
        }

        pub fn remember(&mut self, at: Tensor<i32>, row: Tensor<f32, 4>) -> Tensor<f32, 6, 4> {
            assert!(at < 6, "there are six rows");
            trace!("row", row);
            self.cache[s![at, ..]] = row;
            self.cache
        }
    }
}

use devices::Devices;

/// Devices other than the one that results are compared with.
fn others() -> Vec<Device> {
    let available = Device::available();
    let names = available.iter().map(|info| info.name.as_str());
    let names = names.filter(|name| *name != "local-sync");
    names.map(|name| Device::open(name).unwrap()).collect()
}

fn reference() -> Devices {
    Devices::load(&Device::open("local-sync").unwrap()).unwrap()
}

/// Compares the results of an expression for every device with those of the CPU.
macro_rules! compare {
    ($tolerance:expr, |$program:ident| $results:expr) => {{
        let expected = {
            let $program = reference();
            $results
        };
        for device in others() {
            let $program = Devices::load(&device).unwrap();
            let found = $results;
            for (found, expected) in found.iter().zip(&expected) {
                assert_close(device.name(), found, expected, $tolerance);
            }
        }
    }};
}

fn assert_close(device: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{device}");
    for (found, expected) in found.iter().zip(expected) {
        let difference = (found - expected).abs();
        let bound = tolerance * expected.abs().max(1.0);
        assert!(
            difference <= bound,
            "{device}: {found} instead of {expected}"
        );
    }
}

/// The elements of an array of any type, as one that holds them all.
macro_rules! numbers {
    ($array:expr) => {
        $array
            .to_array()
            .unwrap()
            .iter()
            .map(|value| f64::from(*value))
            .collect::<Vec<f64>>()
    };
}

fn ramp(count: usize) -> Array1<f32> {
    Array1::from_shape_fn(count, |index| (index * 7 % 23) as f32 / 5.0 - 2.0)
}

#[test]
fn elementwise_operations() {
    let (x, y) = (ramp(37), ramp(37).slice_move(ndarray::s![..;-1]));
    compare!(1e-5, |program| vec![numbers!(
        program.elementwise(&x, &y).unwrap()
    )]);
}

#[test]
fn integers_and_truth_values() {
    let x = Array1::from_shape_fn(16, |index| index as i32 * 37 - 200);
    compare!(0.0, |program| {
        let (a, b, c) = program.integers(&x).unwrap();
        let c = c.to_array().unwrap().mapv(u8::from);
        let c = c.iter().map(|value| f64::from(*value)).collect();
        vec![numbers!(a), numbers!(b), c]
    });
}

#[test]
fn halves() {
    let of = |count| ramp(count).mapv(f16::from_f32);
    let x = of(35).into_shape_with_order((5, 7)).unwrap();
    let y = of(21).into_shape_with_order((7, 3)).unwrap();
    compare!(2e-3, |program| vec![numbers!(
        program.halves(&x, &y).unwrap()
    )]);
}

#[test]
fn reductions_of_sizes_of_the_call() {
    for rows in [1, 5, 64] {
        let x = ramp(rows * 12).into_shape_with_order((rows, 12)).unwrap();
        compare!(1e-5, |program| {
            let (a, b, c) = program.reduce(&x).unwrap();
            vec![numbers!(a), numbers!(b), numbers!(c)]
        });
    }
}

#[test]
fn order_and_sums() {
    let x = ramp(33);
    compare!(1e-5, |program| {
        let (a, b) = program.order(&x).unwrap();
        vec![numbers!(a), numbers!(b)]
    });
}

#[test]
fn convolutions() {
    let x = Array4::from_shape_vec((1, 9, 9, 2), ramp(162).to_vec()).unwrap();
    let w = Array4::from_shape_vec((3, 3, 2, 4), ramp(72).to_vec()).unwrap();
    compare!(1e-4, |program| vec![numbers!(
        program.convolve(&x, &w).unwrap()
    )]);
}

#[test]
fn random_numbers_have_the_same_bits() {
    compare!(0.0, |program| {
        let (bits, uniform) = program.random([1u32, 2]).unwrap();
        vec![numbers!(bits), numbers!(uniform)]
    });
}

#[test]
fn nothing_is_an_array_too() {
    let x = Array2::zeros((0, 4));
    compare!(0.0, |program| {
        let (a, b) = program.empty(&x).unwrap();
        vec![numbers!(a), numbers!(b)]
    });
}

#[test]
fn loops() {
    compare!(0.0, |program| vec![numbers!(program.rounds(27).unwrap())]);
}

#[test]
fn training_and_what_is_saved_of_it() {
    let x = ramp(80).into_shape_with_order((10, 8)).unwrap();
    let y = x.dot(&ramp(32).into_shape_with_order((8, 4)).unwrap());
    let train = |mut program: Devices| {
        let losses = (0..5).map(|_| program.train(&x, &y).unwrap().to_scalar().unwrap());
        let losses: Vec<f64> = losses.map(f64::from).collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("params.safetensors");
        program.save_parameters(&file).unwrap();
        (
            losses,
            Parameters::open(&file).is_ok(),
            std::fs::read(&file).unwrap().len(),
        )
    };
    let (expected, _, length) = train(reference());
    assert!(expected[4] < expected[0]);
    for device in others() {
        let (losses, reads, written) = train(Devices::load(&device).unwrap());
        assert_close(device.name(), &losses, &expected, 1e-4);
        assert!(reads);
        assert_eq!(written, length);
    }
}

#[test]
fn state_traces_and_assertions() {
    for device in others() {
        let traced = Arc::new(Mutex::new(Vec::new()));
        let sink = traced.clone();
        let loader = Devices::loader(&device).trace(move |trace| {
            let row = trace.arrays()[0].view::<f32, IxDyn>().unwrap().to_owned();
            sink.lock().unwrap().push(row);
        });
        let mut program = loader.load().unwrap();
        program.remember(4, &array![1.0, 2.0, 3.0, 4.0]).unwrap();
        let failure = program
            .remember(6, &array![0.0f32, 0.0, 0.0, 0.0])
            .unwrap_err();
        assert!(matches!(failure, Error::Assertion { .. }), "{failure}");
        let cache = program.remember(0, &array![5.0, 6.0, 7.0, 8.0]).unwrap();
        let cache = cache.to_array().unwrap();
        assert_eq!(
            cache.row(4),
            array![1.0, 2.0, 3.0, 4.0],
            "{}",
            device.name()
        );
        assert_eq!(
            cache.row(0),
            array![5.0, 6.0, 7.0, 8.0],
            "{}",
            device.name()
        );
        let traced = traced.lock().unwrap();
        assert_eq!(traced[0].as_slice().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    }
}

#[test]
fn arrays_move_between_devices_and_threads() {
    let here = Device::open("local-sync").unwrap();
    let values = ramp(1000);
    for device in others() {
        let there = device.upload(&values).unwrap();
        let back = here.upload(&there).unwrap();
        assert_eq!(back.to_array().unwrap(), values);
        let there: DeviceArray<f32, Ix1> = device.upload(&back).unwrap();
        // Read and dropped where the device was not opened.
        let read = thread::spawn(move || there.view().unwrap().to_owned());
        assert_eq!(read.join().unwrap(), values);
        let program = Devices::load(&device).unwrap();
        let error = program.rounds(here.upload(27).unwrap()).unwrap_err();
        assert!(matches!(error, Error::ArgumentDevice { .. }), "{error}");
        let called = thread::spawn(move || program.rounds(27).unwrap().to_scalar().unwrap());
        assert_eq!(called.join().unwrap(), 111);
    }
}
