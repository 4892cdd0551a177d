//! A program's globals written to a file, to stop and to go on.

use iree_dsl::{Error, Parameters, prelude::*};
use ndarray::{arr0, array};
use std::{fs, process::Command};

#[program]
mod training {
    pub struct Layer {
        #[param("weight")]
        w: Tensor<f32, 2>,
        fixed: Tensor<f32, 2>,
    }

    pub struct Training {
        #[global(parameter = "model")]
        layer: Layer,
        #[global(parameter = "other")]
        #[param("layer.weight")]
        other: Tensor<i8>,
        #[global(init = Layer { w: ones(), fixed: full(3.0) })]
        momentum: Layer,
        #[global]
        step: Tensor<u64>,
        #[global]
        seen: Tensor<bool, 3>,
        #[global]
        phase: Tensor<Complex<f32>>,
        #[global]
        nothing: Tensor<f32, 0>,
    }

    impl Training {
        pub fn train(&mut self, x: Tensor<f32, 2>) -> Tensor<f32, 2> {
            self.momentum.w = self.momentum.w * 0.5 + x;
            self.layer.w += self.momentum.w * self.layer.fixed;
            self.step += 1;
            self.seen[1] = true;
            self.phase += 1.0;
            self.layer.w
        }

        pub fn forget(&mut self, nothing: Tensor<f32, 0>) {
            self.nothing = nothing;
        }

        pub fn state(&self) -> (Tensor<f32, 2>, Tensor<u64>, Tensor<bool, 3>, Tensor<i8>) {
            (
                self.layer.w * self.momentum.fixed,
                self.step,
                self.seen,
                self.other,
            )
        }
    }
}

use training::Training;

fn weights() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.insert("layer.weight", &array![1.0f32, 2.0]);
    parameters.insert("layer.fixed", &array![10.0f32, 20.0]);
    parameters
}

fn other() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.insert("layer.weight", &arr0(-7i8));
    parameters
}

fn load(device: &Device, weights: Parameters) -> Training {
    let loader = Training::loader(device).parameters("model", weights);
    loader.parameters("other", other()).load().unwrap()
}

#[test]
fn training_goes_on_where_it_stopped() {
    let device = Device::open("local-sync").unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in ["state.irpa", "state.safetensors"] {
        let path = folder.path().join(name);
        let mut first = load(&device, weights());
        for _ in 0..3 {
            first.train([1.0, 2.0]).unwrap();
        }
        first.save_parameters(&path).unwrap();
        let expected = first.train([0.5, 0.25]).unwrap().to_array().unwrap();

        let saved = Parameters::open(&path).unwrap();
        let mut second = load(&device, weights());
        second.load_parameters(&saved).unwrap();
        let (_, step, seen, _) = second.state().unwrap();
        assert_eq!(step.to_scalar().unwrap(), 3);
        assert_eq!(seen.to_array().unwrap(), array![false, true, false]);
        let found = second.train([0.5, 0.25]).unwrap().to_array().unwrap();
        assert_eq!(found, expected, "{name}");

        // What archives supplied is in it too, also what does not change.
        let third = load(&device, saved);
        let (weight, step, ..) = third.state().unwrap();
        assert_eq!(step.to_scalar().unwrap(), 0);
        let (before, ..) = second.state().unwrap();
        assert_ne!(weight.to_array().unwrap(), before.to_array().unwrap());
    }
}

#[test]
fn every_global_has_a_name() {
    let device = Device::open("local-sync").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.safetensors");
    load(&device, weights()).save_parameters(&path).unwrap();
    let saved = Parameters::open(&path).unwrap();
    let names = [
        "layer.fixed",
        "layer.weight",
        "momentum.w",
        "nothing",
        "other::layer.weight",
        "phase",
        "seen",
        "step",
    ];
    assert_eq!(saved.keys().collect::<Vec<_>>(), names);
    let ty = saved.ty("phase").map(ToString::to_string);
    assert_eq!(ty.as_deref(), Some("Tensor<Complex<f32>>"));
}

#[test]
fn tools_of_iree_read_the_archive() {
    let tool = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../.tools/python/iree/_runtime_libs/iree-dump-parameters"
    );
    let device = Device::open("local-sync").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.irpa");
    load(&device, weights()).save_parameters(&path).unwrap();
    let output = Command::new(tool)
        .arg(format!("--parameters={}", path.display()))
        .output()
        .expect("`./x setup` installs it");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("`momentum.w`") && text.contains("8 entries"),
        "{text}"
    );
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let device = Device::open("local-sync").unwrap();
    let mut program = load(&device, weights());
    program.train([1.0, 1.0]).unwrap();
    let before = program.state().unwrap().0.to_array().unwrap();
    let mut wrong = weights();
    wrong.insert("step", &arr0(7i64));
    let error = program.load_parameters(wrong).unwrap_err();
    assert!(matches!(error, Error::Parameters { .. }));
    let message = error.to_string();
    let lines: Vec<_> = message.lines().collect();
    assert_eq!(lines.len(), 6, "{message}");
    assert_eq!(
        lines[1],
        "  momentum.w: Tensor<f32, 2>: the archive does not have it"
    );
    assert_eq!(
        lines[2],
        "  step: Tensor<u64>: the archive has `Tensor<i64>`"
    );
    assert_eq!(program.state().unwrap().0.to_array().unwrap(), before);
}

#[test]
fn a_file_is_replaced_as_a_whole() {
    let device = Device::open("local-sync").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.irpa");
    let mut program = load(&device, weights());
    program.save_parameters(&path).unwrap();
    // The program uses the file that is replaced.
    let mut resumed = load(&device, Parameters::open(&path).unwrap());
    for _ in 0..3 {
        program.train([1.0, 1.0]).unwrap();
        program.save_parameters(&path).unwrap();
    }
    assert_eq!(
        resumed.train([0.0, 0.0]).unwrap().to_array().unwrap(),
        array![6.0, 12.0]
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let nowhere = folder.path().join("nowhere/state.irpa");
    assert!(matches!(
        program.save_parameters(&nowhere),
        Err(Error::Io { .. })
    ));
    let unknown = program.save_parameters(folder.path().join("state.bin"));
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .contains("`.irpa` or `.safetensors`")
    );
}

#[program]
mod precise {
    pub struct Precise {
        #[global]
        z: Tensor<Complex<f64>, 2>,
    }

    impl Precise {
        pub fn add(&mut self, z: Tensor<Complex<f64>, 2>) -> Tensor<Complex<f64>, 2> {
            self.z += z;
            self.z
        }
    }
}

#[test]
fn a_format_that_lacks_a_type_says_so() {
    let device = Device::open("local-sync").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut program = precise::Precise::load(&device).unwrap();
    let z = array![Complex::new(1.0, 2.0), Complex::new(-1.0, 0.5)];
    program.add(&z).unwrap();
    let error = program
        .save_parameters(folder.path().join("z.safetensors"))
        .unwrap_err();
    assert!(
        error.to_string().contains("no element type for `z`"),
        "{error}"
    );
    let path = folder.path().join("z.irpa");
    program.save_parameters(&path).unwrap();
    let mut resumed = precise::Precise::load(&device).unwrap();
    resumed
        .load_parameters(Parameters::open(&path).unwrap())
        .unwrap();
    assert_eq!(resumed.add(&z).unwrap().to_array().unwrap(), &z + &z);
}
