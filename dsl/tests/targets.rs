//! Programs that are compiled for several targets.

use iree_dsl::{Error, prelude::*};
use ndarray::{Array2, array};

#[program(targets = ["cpu:host", "cpu:x86-64", "cpu:x86-64-v3", "vmvx", "cuda", "vulkan"], opt = "size")]
mod product {
    pub struct Product;

    impl Product {
        pub fn run(&self, x: Tensor<f32, 3, 4>, y: Tensor<f32, 4, 2>) -> Tensor<f32, 3, 2> {
            (x.dot(y) * 0.5).softmax(1)
        }
    }
}

use product::Product;

fn run(target: Option<&str>) -> iree_dsl::Result<Array2<f32>> {
    let device = Device::open("local-task")?;
    let loader = Product::loader(&device);
    let program = match target {
        Some(target) => loader.target(target),
        None => loader,
    };
    let x = Array2::from_shape_fn((3, 4), |(row, column)| (row * 4 + column) as f32 / 3.0);
    let y = array![[1.0, -1.0], [0.5, 0.25], [0.0, 2.0], [-1.0, 1.0]];
    program.load()?.run(&x, &y)?.to_array()
}

#[test]
fn every_target_that_runs_here_computes_the_same() {
    let expected = run(None).unwrap();
    assert!(
        expected
            .rows()
            .into_iter()
            .all(|row| (row.sum() - 1.0).abs() < 1e-6)
    );
    let here = Product::ARTIFACTS.iter().map(|artifact| artifact.target);
    let here: Vec<_> = here
        .filter(|target| target.starts_with("cpu") || *target == "vmvx")
        .collect();
    assert!(here.len() >= 3, "{here:?}");
    for target in here {
        match run(Some(target)) {
            Ok(result) => {
                let largest = (&result - &expected).abs().fold(0.0_f32, |a, b| a.max(*b));
                assert!(largest < 1e-6, "{target}: {result} {expected}");
            }
            // A level that this machine does not have.
            Err(Error::NoArtifact { .. }) => {}
            Err(error) => panic!("{target}: {error}"),
        }
    }
}

#[test]
fn a_target_of_another_device_is_refused() {
    let error = run(Some("cuda-sm_80")).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("no artifact for `cuda-sm_80` fits the device `local-task`")
            && message.contains("the program has `cpu-x86-64"),
        "{message}"
    );
}
