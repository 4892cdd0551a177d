//! The interpreter as a device: everything that the host sees of a program is as on other devices.

use iree_dsl::{
    __private::Program, Artifact, Code, DynamicArray, Error, Module, Parameters, Session, Trace,
    prelude::*,
};
use ndarray::{Array1, Ix1, array};
use std::sync::{Arc, Mutex};

#[program]
mod whole {
    pub struct Layer {
        pub weight: Tensor<f32, 2>,
        pub count: Tensor<u32>,
    }

    pub struct Whole {
        #[global(parameter = "model")]
        scale: Tensor<bf16, 2>,
        #[global(init = Layer { weight: ones() * 2.0, count: random::bits(random::key(7)) })]
        layer: Layer,
        #[global]
        at: Tensor<i32>,
    }

    impl Whole {
        pub fn apply<const N: usize>(
            &mut self,
            x: Tensor<f32, N, 2>,
            given: Tensor<f32, N, 2>,
        ) -> (Tensor<f32, N, 2>, Tensor<u32>) {
            self.at += 1;
            self.layer.weight += 1.0;
            let scale = self.scale.cast::<f32>();
            (given + x * self.layer.weight * scale, self.layer.count)
        }

        pub fn at(&self) -> Tensor<i32> {
            self.at
        }

        pub fn trimmed<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, { N - 2 }> {
            x[1..N - 1]
        }

        pub fn draw(&self, seed: Tensor<u32, 2>) -> (Tensor<u32, 64>, Tensor<f32, 64>) {
            (random::bits(seed), random::normal(seed))
        }

        pub fn ask(&self, x: Tensor<u8, 3>) -> Tensor<u8, 3> {
            trace!("asked", x, 1.5);
            let y = told(x);
            assert!(y.max() < 90, "what is told is small");
            y
        }

        pub fn update(&self, x: Tensor<f32, 4>, i: Tensor<i32>) -> Tensor<f32, 4> {
            let mut x = x;
            x[i] = 7.0;
            x
        }
    }

    #[import]
    fn told(x: Tensor<u8, 3>) -> Tensor<u8, 3>;
}

#[program]
mod as_text {
    pub struct AsText;

    impl AsText {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            twice(x)
        }
    }

    #[kernel(mlir = "
        %0 = stablehlo.add %x, %x : {x}
        return %0 : {result}
    ")]
    fn twice(x: Tensor<f32>) -> Tensor<f32>;
}

use whole::Whole;

fn interpreter() -> Device {
    Device::open("interpreter").unwrap()
}

fn scale() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.insert("scale", &array![half::bf16::from_f32(0.5), half::bf16::ONE]);
    parameters
}

fn plus_one([x]: [DynamicArray; 1]) -> iree_dsl::Result<[DynamicArray; 1]> {
    let y = x.downcast::<u8, Ix1>()?.to_array()? + 1;
    Ok([x.device().upload(&y)?.into_dynamic()])
}

fn load(device: &Device) -> Whole {
    let loader = Whole::loader(device).import("told", plus_one);
    let quiet = loader.trace(|_| ());
    quiet.parameters("model", scale()).load().unwrap()
}

/// What both devices return, which is the same to the bit.
fn both<R: PartialEq + std::fmt::Debug>(run: impl Fn(&Device) -> R) -> R {
    let [here, there] = ["interpreter", "local-sync"].map(|name| run(&Device::open(name).unwrap()));
    assert_eq!(here, there);
    here
}

#[test]
fn it_is_a_device_among_others() {
    let names: Vec<_> = Device::available()
        .into_iter()
        .map(|info| info.name)
        .collect();
    assert!(names.contains(&"interpreter".to_owned()), "{names:?}");
    assert_eq!(interpreter().name(), "interpreter");
    let targets: Vec<_> = Whole::ARTIFACTS
        .iter()
        .map(|artifact| artifact.target)
        .collect();
    assert_eq!(targets.last(), Some(&"interpreter"));
    assert_eq!(
        targets
            .iter()
            .filter(|target| **target == "interpreter")
            .count(),
        1
    );
}

#[test]
fn globals_keep_their_values_between_calls() {
    let found = both(|device| {
        let mut program = load(device);
        let x = array![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let given = device.upload(&x).unwrap();
        let (first, _) = program.apply(&x, given).unwrap();
        let (second, count) = program.apply(&first, &first).unwrap();
        let at = program.at().unwrap().to_scalar().unwrap();
        let arrays = [first, second].map(|array| array.to_array().unwrap());
        (arrays, count.to_scalar().unwrap(), at)
    });
    assert_eq!(found.0[0], array![[2.5f32, 8.0], [7.5, 16.0], [12.5, 24.0]]);
    assert_eq!(found.2, 2);
}

#[test]
fn state_is_saved_and_restored_on_any_device() {
    let folder = tempfile::tempdir().unwrap();
    let x = array![[1.0f32, 1.0]];
    for (from, to) in [("interpreter", "local-sync"), ("local-sync", "interpreter")] {
        let [from, to] = [from, to].map(|name| Device::open(name).unwrap());
        let path = folder.path().join(format!("{}.irpa", from.name()));
        let mut first = load(&from);
        first.apply(&x, &x).unwrap();
        first.save_parameters(&path).unwrap();
        let mut second = load(&to);
        second
            .load_parameters(Parameters::open(&path).unwrap())
            .unwrap();
        assert_eq!(second.at().unwrap().to_scalar().unwrap(), 1);
        let sums = [first.apply(&x, &x), second.apply(&x, &x)];
        let [one, other] = sums.map(|sum| sum.unwrap().0.to_array().unwrap());
        assert_eq!(one, other);
    }
}

#[test]
fn random_numbers_are_the_same_to_the_bit() {
    both(|device| {
        let (bits, normal) = load(device).draw([3u32, 4]).unwrap();
        let normal = normal.to_array().unwrap();
        // What is computed from them is rounded in places of the device's own.
        assert!(normal.iter().all(|x| x.abs() < 6.0));
        bits.to_array().unwrap()
    });
}

#[test]
fn sizes_of_calls_are_checked() {
    let told = both(|device| {
        let program = load(device);
        let kept = program.trimmed(&Array1::<f32>::ones(5)).unwrap();
        assert_eq!(kept.shape(), [3]);
        let short = program.trimmed(&Array1::<f32>::ones(1)).unwrap_err();
        let mut program = load(device);
        let [x, y] = [2, 3].map(|rows| ndarray::Array2::<f32>::ones((rows, 2)));
        let differ = program.apply(&x, &y).unwrap_err();
        assert_eq!(program.at().unwrap().to_scalar().unwrap(), 0);
        [short, differ].map(|error| error.to_string())
    });
    assert!(told[0].contains("`N >= 2`"), "{told:?}");
}

#[test]
fn traces_assertions_and_imports_are_as_elsewhere() {
    let (shown, told) = both(|device| {
        let shown = Arc::new(Mutex::new(Vec::new()));
        let traces = shown.clone();
        let loader = Whole::loader(device).import("told", plus_one);
        let loader = loader.parameters("model", scale());
        let sink = move |trace: &Trace| traces.lock().unwrap().push(trace.to_string());
        let program = loader.trace(sink).load().unwrap();
        let y = program.ask([1u8, 2, 3]).unwrap();
        assert_eq!(y.to_array().unwrap(), array![2, 3, 4]);
        let error = program.ask([90u8, 90, 90]).unwrap_err();
        assert!(matches!(error, Error::Assertion { .. }), "{error:?}");
        let shown = shown.lock().unwrap().clone();
        (shown, format!("{error:?}"))
    });
    assert_eq!(shown.len(), 2);
    assert!(
        shown[0].starts_with("[trace] asked (dsl/tests/interpreter.rs:"),
        "{shown:?}"
    );
    assert!(
        told.contains("what is told is small (dsl/tests/interpreter.rs:"),
        "{told}"
    );
}

#[test]
fn what_fails_or_panics_on_the_host_fails_the_call() {
    let device = interpreter();
    let loader = || {
        Whole::loader(&device)
            .parameters("model", scale())
            .trace(|_| ())
    };
    let failing = |[_]: [DynamicArray; 1]| {
        Err::<[DynamicArray; 1], _>(Error::Reentered {
            function: "told".to_owned(),
        })
    };
    let program = loader().import("told", failing).load().unwrap();
    let error = program.ask([1u8, 2, 3]).unwrap_err();
    assert!(
        format!("{error:?}").contains("cannot call `told`"),
        "{error:?}"
    );
    let panicking = |_: [DynamicArray; 1]| -> iree_dsl::Result<[DynamicArray; 1]> { panic!("no") };
    let program = loader().import("told", panicking).load().unwrap();
    let error = program.ask([1u8, 2, 3]).unwrap_err();
    assert!(
        format!("{error:?}").contains("`told` panicked"),
        "{error:?}"
    );
    assert_eq!(program.at().unwrap().to_scalar().unwrap(), 0);
    assert!(matches!(loader().load(), Err(Error::Imports { .. })));
}

#[test]
fn arrays_that_are_lent_stay_as_they_are() {
    let device = interpreter();
    let program = load(&device);
    let x = device.upload([1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let kept = x.clone();
    let y = program.update(&x, 1).unwrap();
    let z = program.update(x, 2).unwrap();
    assert_eq!(kept.to_array().unwrap(), array![1.0, 2.0, 3.0, 4.0]);
    assert_eq!(y.to_array().unwrap(), array![1.0, 7.0, 3.0, 4.0]);
    assert_eq!(z.to_array().unwrap(), array![1.0, 2.0, 7.0, 4.0]);
}

#[test]
fn sessions_have_globals_of_their_own() {
    let device = interpreter();
    let loader = Whole::loader(&device).import("told", plus_one);
    let pool = loader.parameters("model", scale()).pool(2).unwrap();
    let [one, other] = [pool.get(), pool.get()];
    std::thread::scope(|scope| {
        for session in [&one, &other] {
            scope.spawn(|| assert_eq!(session.at().unwrap().to_scalar().unwrap(), 0));
        }
    });
}

#[test]
fn memory_can_be_limited() {
    let device = Device::builder("interpreter")
        .memory_limit(1000)
        .open()
        .unwrap();
    let program = load(&device);
    let error = program.draw([1u32, 2]).unwrap_err();
    let Error::Call { source, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(source.code(), Code::ResourceExhausted, "{error:?}");
    assert!(
        source
            .to_string()
            .starts_with("interpreter: RESOURCE_EXHAUSTED"),
        "{source}"
    );
}

#[test]
fn what_only_a_compiler_knows_says_so() {
    let program = as_text::AsText::load(&interpreter()).unwrap();
    let error = program.run(1.0).unwrap_err();
    let Error::Call { source, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(source.code(), Code::Unimplemented);
    assert!(source.message().contains("a text in MLIR"), "{source}");
}

#[test]
fn options_that_it_lacks_are_errors() {
    let told = |error: Error| error.to_string();
    let error = told(Device::open("interpreter?workers=2").unwrap_err());
    assert!(error.contains("takes no options"), "{error}");
    let error = told(
        Device::builder("interpreter")
            .profiled()
            .open()
            .unwrap_err(),
    );
    assert!(error.contains("does not note"), "{error}");
}

#[test]
fn modules_of_other_kinds_are_refused() {
    let compiled = Module::from_static(Whole::ARTIFACTS[0].bytes).unwrap();
    let error = Session::new(&interpreter(), [&compiled]).err().unwrap();
    let told = format!("{error:?}");
    assert!(
        told.contains("the interpreter runs no compiled modules"),
        "{told}"
    );
    for bytes in [
        &b"module @whole {"[..],
        b"\xff",
        b"module @whole { func public @f(%0 x: Tensor<f32>) -> Tensor<f32> { return %1 } }",
    ] {
        let artifacts = [Artifact {
            target: "interpreter",
            bytes,
        }];
        let loaded = Program::load(
            &interpreter(),
            artifacts.to_vec().leak(),
            as_text::AsText::signature(),
        );
        assert!(matches!(loaded, Err(Error::Damaged { .. })));
    }
}

/// What another process, with the variable, says to one of these tests.
fn with_backend(backend: &str, test: &str) -> std::process::Output {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.env("IREE_DSL_BACKEND", backend);
    command.args([test, "--exact", "--ignored", "--nocapture"]);
    command.output().unwrap()
}

#[test]
fn a_variable_puts_it_in_the_place_of_others() {
    let output = with_backend("interpreter", "every_device_is_the_interpreter");
    assert!(output.status.success(), "{output:?}");
    let output = with_backend("interpretre", "every_device_is_the_interpreter");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = "the variable `IREE_DSL_BACKEND` is `interpretre`; it can be `interpreter`";
    assert!(told.contains(expected), "{told}");
}

#[test]
#[ignore = "for the process of another test"]
fn every_device_is_the_interpreter() {
    for spec in ["local-sync", "local-task?workers=2", "interpreter"] {
        let device = Device::open(spec).unwrap();
        assert_eq!(device.name(), "interpreter");
        assert_eq!(load(&device).at().unwrap().to_scalar().unwrap(), 0);
    }
    assert!(Device::open("local-task?workers=none").is_err());
}
