//! The first program of the documentation, and what its struct offers.

use iree_dsl::prelude::*;
use ndarray::Array2;

#[program]
pub mod trivial {
    /// A struct of tensors is a tree. It crosses the program boundary as one value.
    pub struct Params {
        pub x: Tensor<f32, 3, 4>,
        pub b: Tensor<f32, 3, 4>,
    }

    /// The program: the struct that has the `impl`. Its fields are globals.
    pub struct TrivialKernel {
        #[global(init = Params { x: full(4.0), b: ones() })]
        params: Params,
        #[global(alias = params.x)]
        x: Tensor<f32, 3, 4>,
    }

    impl TrivialKernel {
        pub fn get_params(&self) -> Params {
            self.params
        }

        pub fn run(&mut self, multiplier: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let result = linear(multiplier, self.params.x, self.params.b);
            self.x = result;
            result
        }

        pub fn set_params(&mut self, new_params: Params) {
            self.params = new_params;
        }
    }

    #[kernel]
    fn linear<const M: usize, const N: usize>(
        m: Tensor<f32, M, N>,
        x: Tensor<f32, M, N>,
        b: Tensor<f32, M, N>,
    ) -> Tensor<f32, M, N> {
        m * x + b
    }
}

fn filled(value: f32) -> Array2<f32> {
    Array2::from_elem((3, 4), value)
}

fn load() -> trivial::TrivialKernel {
    let device = Device::open("local-sync").unwrap();
    trivial::TrivialKernel::load(&device).unwrap()
}

#[test]
fn it_runs_on_every_device() {
    for device in ["local-sync", "local-task"] {
        let device = Device::open(device).unwrap();
        let mut program = trivial::TrivialKernel::load(&device).unwrap();
        let y = program.run(&filled(1.0)).unwrap();
        assert_eq!(y.to_array().unwrap(), filled(5.0));
        let params = program.get_params().unwrap();
        assert_eq!(params.x.to_array().unwrap(), filled(5.0));
        assert_eq!(params.b.to_array().unwrap(), filled(1.0));
    }
}

#[test]
fn parameters_accept_all_kinds_of_arrays() {
    let mut program = load();
    let ones = filled(1.0);
    let nested = &[[1.0; 4]; 3];
    let expected = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0].map(filled);
    let y = program.run(&ones).unwrap();
    assert_eq!(y.to_array().unwrap(), expected[0]);
    assert_eq!(
        program.run(ones.view()).unwrap().to_array().unwrap(),
        expected[1]
    );
    assert_eq!(
        program.run(*nested).unwrap().to_array().unwrap(),
        expected[2]
    );
    assert_eq!(
        program.run(nested).unwrap().to_array().unwrap(),
        expected[3]
    );
    let transposed = Array2::ones((4, 3));
    assert_eq!(
        program.run(transposed.t()).unwrap().to_array().unwrap(),
        expected[4]
    );
    let y = program.run(&ones).unwrap();
    assert_eq!(program.run(&y).unwrap().to_array().unwrap(), filled(101.0));
    assert_eq!(program.run(y).unwrap().to_array().unwrap(), filled(1011.0));
}

#[test]
fn trees_are_lent_or_given() {
    let mut program = load();
    let saved = program.get_params().unwrap();
    program.run(&filled(2.0)).unwrap();
    assert_eq!(
        program.get_params().unwrap().x.to_array().unwrap(),
        filled(9.0)
    );
    assert_eq!(saved.x.to_array().unwrap(), filled(4.0));
    program.set_params(&saved).unwrap();
    assert_eq!(
        program.get_params().unwrap().x.to_array().unwrap(),
        filled(4.0)
    );
    let swapped = trivial::Params {
        x: saved.b,
        b: saved.x,
    };
    program.set_params(swapped).unwrap();
    assert_eq!(
        program.run(&filled(3.0)).unwrap().to_array().unwrap(),
        filled(7.0)
    );
}

#[test]
fn a_wrong_shape_is_an_error_that_names_everything() {
    let mut program = load();
    let error = program.run(&Array2::<f32>::ones((3, 5))).unwrap_err();
    let text = error.to_string();
    for part in ["run", "multiplier", "3, 4", "3, 5"] {
        assert!(text.contains(part), "`{part}` in: {text}");
    }
    assert_eq!(
        program.get_params().unwrap().x.to_array().unwrap(),
        filled(4.0)
    );
}

#[test]
fn arrays_of_another_device_are_refused() {
    let mut program = load();
    let elsewhere = Device::open("local-task").unwrap();
    let mut other = trivial::TrivialKernel::load(&elsewhere).unwrap();
    let y = other.run(&filled(1.0)).unwrap();
    let error = program.run(&y).unwrap_err().to_string();
    assert!(error.contains("multiplier"), "{error}");
}

#[test]
fn the_program_describes_itself() {
    use trivial::TrivialKernel;
    assert_eq!(TrivialKernel::NAME, "trivial_kernel");
    assert!(TrivialKernel::MLIR.contains("module @trivial_kernel"));
    let expected = "program trivial_kernel\n  \
        get_params() -> x: Tensor<f32, 3, 4>, b: Tensor<f32, 3, 4>\n  \
        run(multiplier: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4>\n  \
        set_params(new_params.x: Tensor<f32, 3, 4>, new_params.b: Tensor<f32, 3, 4>)\n";
    assert_eq!(TrivialKernel::signature().to_string(), expected);
}

#[test]
fn artifacts_are_aligned_and_can_be_saved() {
    let [artifact, ..] = trivial::TrivialKernel::ARTIFACTS else {
        panic!("there is an artifact");
    };
    assert!(artifact.target.starts_with("cpu-"));
    assert_eq!(artifact.bytes.as_ptr() as usize % 64, 0);
    let path = std::env::temp_dir().join(format!("trivial-{}.vmfb", std::process::id()));
    artifact.save(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), artifact.bytes);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn an_artifact_that_cannot_be_saved_names_the_file() {
    let save = || -> iree_dsl::Result<()> {
        for artifact in trivial::TrivialKernel::ARTIFACTS {
            artifact.save("/nonexistent/trivial.vmfb")?;
        }
        Ok(())
    };
    let error = save().unwrap_err();
    assert!(matches!(error, iree_dsl::Error::Io { .. }), "{error}");
    assert_eq!(error.to_string(), "cannot write /nonexistent/trivial.vmfb");
}

#[test]
fn programs_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let program = load();
    shared(&program);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let params = program.get_params().unwrap();
                assert_eq!(params.b.to_array().unwrap(), filled(1.0));
            });
        }
    });
}
