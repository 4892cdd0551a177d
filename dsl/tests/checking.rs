//! The check mode: calls that the interpreter makes too. Each test runs in a process of its own, with the variable that asks
//! for it.

use iree_dsl::{DynamicArray, Error, prelude::*};
use ndarray::{Array1, Array2, Ix1, array};
use std::process::{Command, Output};

#[program]
mod right {
    pub struct Right {
        #[global(init = ones())]
        weights: Tensor<f32, 64>,
        #[global]
        at: Tensor<i32>,
    }

    impl Right {
        pub fn step(
            &mut self,
            x: Tensor<f32, 8, 64>,
            rate: Tensor<f32>,
        ) -> (Tensor<f32, 8>, Tensor<i32>) {
            let y = (x.exp() * self.weights).sum_axis(1).ln();
            self.weights -= rate * x.mean_axis(0) * y.mean();
            self.at += 1;
            (y, self.at)
        }

        pub fn overwrite(&self, x: Tensor<f32, 4>, i: Tensor<i32>) -> Tensor<f32, 4> {
            let mut x = x;
            x[i] = 7.0;
            x
        }

        pub fn ask(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            trace!("asked", x);
            told(x) * 2.0
        }

        pub fn undecided(&self, x: Tensor<f32, 4>) -> Tensor<i32> {
            let y = x.sin();
            select(y.sum() > y[0] + y[1] + y[2] + y[3], 1, 2)
        }

        pub fn order(&self, x: Tensor<f32, 4>) -> (Tensor<f32, 4>, Tensor<i32, 4>) {
            let y = x.sin();
            (y.sort(0), y.argsort(0))
        }

        pub fn either(&self, x: Tensor<f32, 4>) -> (Tensor<f32, 4>, Tensor<i32>) {
            let y = x.sin();
            if y.sum() > y[0] + y[1] + y[2] + y[3] {
                (x * 2.0, 1)
            } else {
                (x + x, 2)
            }
        }
    }

    #[import]
    fn told(x: Tensor<f32, 3>) -> Tensor<f32, 3>;
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

/// What another process, with the variable, says to one of these tests.
fn checked(test: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env("IREE_DSL_CHECK", "1");
    command.args([test, "--exact", "--ignored", "--nocapture"]);
    command.output().unwrap()
}

fn passes(test: &str) -> String {
    let output = checked(test);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn load(device: &str) -> right::Right {
    let device = Device::open(device).unwrap();
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let told = move |[x]: [DynamicArray; 1]| {
        let asked = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let y = x.downcast::<f32, Ix1>()?.to_array()? + asked as f32;
        Ok([x.device().upload(&y)?.into_dynamic()])
    };
    right::Right::loader(&device)
        .import("told", told)
        .load()
        .unwrap()
}

#[test]
fn what_is_right_passes() {
    let told = passes("right_calls");
    assert_eq!(told.matches("[trace] asked").count(), 4, "{told}");
    assert!(!told.contains("not checked"), "{told}");
}

#[test]
#[ignore = "for the process of another test"]
fn right_calls() {
    for device in ["local-sync", "local-task?workers=2"] {
        let mut program = load(device);
        let x = Array2::from_shape_fn((8, 64), |(i, j)| ((i * 64 + j) as f32 * 0.37).sin());
        for step in 1..4 {
            let (_, at) = program.step(&x, 1e-4).unwrap();
            assert_eq!(at.to_scalar().unwrap(), step);
        }
        let given = program.overwrite([1.0f32, 2.0, 3.0, 4.0], 1).unwrap();
        let again = program.overwrite(given, 2).unwrap();
        assert_eq!(again.to_array().unwrap(), array![1.0, 7.0, 7.0, 4.0]);
        for asked in 0..2 {
            let y = program.ask([1.0f32, 2.0, 3.0]).unwrap().to_array().unwrap();
            assert_eq!(y, (array![1.0f32, 2.0, 3.0] + asked as f32) * 2.0);
        }
    }
}

#[test]
fn what_rounding_decides_is_not_compared() {
    let told = passes("undecided_calls");
    assert!(told.contains("[check] `right`: "), "{told}");
    assert!(
        told.contains("1 are decided by how others are rounded"),
        "{told}"
    );
}

#[test]
#[ignore = "for the process of another test"]
fn undecided_calls() {
    load("local-sync").undecided([0.1, 0.2, 0.3, 0.4]).unwrap();
}

#[test]
fn of_an_order_all_is_compared_that_is_not_close() {
    let told = passes("ordered_calls");
    let compared = "[check] `right`: 142 numbers of 2 calls were compared; 4 are decided by how others are rounded";
    assert!(told.contains(compared), "{told}");
}

#[test]
#[ignore = "for the process of another test"]
fn ordered_calls() {
    let program = load("local-sync");
    program.order([0.4, -0.1, 0.2, 0.3]).unwrap();
    // The second and the fourth are one step apart, so both elements and both places may be exchanged.
    let close = f32::from_bits(0.3f32.to_bits() + 1);
    program.order([0.4, 0.3, 0.2, close]).unwrap();
}

#[test]
fn of_a_branch_that_is_undecided_all_is_compared_in_which_both_sides_agree() {
    let told = passes("calls_with_a_branch");
    let compared = "[check] `right`: 69 numbers of 1 calls were compared; 1 are decided by how others are rounded";
    assert!(told.contains(compared), "{told}");
}

#[test]
#[ignore = "for the process of another test"]
fn calls_with_a_branch() {
    load("local-sync").either([0.1, 0.2, 0.3, 0.4]).unwrap();
}

#[test]
fn what_only_a_compiler_knows_is_told_once() {
    let told = passes("calls_as_text");
    assert_eq!(told.matches("is not checked").count(), 1, "{told}");
    assert!(told.contains("[check] `run` is not checked: "), "{told}");
}

#[test]
#[ignore = "for the process of another test"]
fn calls_as_text() {
    let program = as_text::AsText::load(&Device::open("local-sync").unwrap()).unwrap();
    for _ in 0..3 {
        assert_eq!(program.run(1.5).unwrap().to_scalar().unwrap(), 3.0);
    }
}

/// A program whose compiled form is that of another one, which computes something else.
mod wrong {
    use iree_dsl::prelude::*;

    #[program]
    pub(crate) mod meant {
        pub struct Meant {
            #[global]
            sum: Tensor<f32>,
        }

        impl Meant {
            pub fn run(&mut self, x: Tensor<f32, 5>) -> (Tensor<f32>, Tensor<f32, 5>) {
                self.sum = x.sum();
                (x.max(), (x * 3.0).exp())
            }
        }
    }

    /// Of the same name and signature.
    pub(crate) mod compiled {
        use iree_dsl::prelude::*;

        #[program]
        pub(crate) mod meant {
            pub struct Meant {
                #[global]
                sum: Tensor<f32>,
            }

            impl Meant {
                pub fn run(&mut self, x: Tensor<f32, 5>) -> (Tensor<f32>, Tensor<f32, 5>) {
                    self.sum = x.sum();
                    let y = (x * 3.0).exp();
                    (x.max(), y + select(x > 0.35, 1e-4, 0.0))
                }
            }
        }
    }
}

#[test]
fn what_differs_is_an_error() {
    passes("wrong_calls");
}

#[test]
#[ignore = "for the process of another test"]
fn wrong_calls() {
    use iree_dsl::{__private::Program, Artifact, DifferenceKind};
    let (meant, compiled) = (
        wrong::meant::Meant::ARTIFACTS,
        wrong::compiled::meant::Meant::ARTIFACTS,
    );
    let artifacts: Vec<Artifact> = meant
        .iter()
        .map(|artifact| match artifact.target {
            "interpreter" => *artifact,
            target => *compiled
                .iter()
                .find(|other| other.target == target)
                .unwrap(),
        })
        .collect();
    let device = Device::open("local-sync").unwrap();
    let program =
        Program::load(&device, artifacts.leak(), wrong::meant::Meant::signature()).unwrap();
    let x = Array1::from(vec![0.1f32, 0.2, 0.3, 0.4, 0.5]);
    let mut call = program.call(0).unwrap();
    call.argument::<f32, Ix1>((&x).into()).unwrap();
    let error = call.invoke().err().unwrap();
    let Error::Difference(difference) = &error else {
        panic!("{error:?}")
    };
    let DifferenceKind::Element {
        index,
        count,
        bound,
        ..
    } = &difference.kind
    else {
        panic!("{error:?}")
    };
    assert_eq!((index.as_slice(), *count), (&[3][..], 2));
    assert!(*bound > 0.0 && *bound < 1e-5, "{error:?}");
    let told = error.to_string();
    for part in [
        "`run` differs from the interpreter: its result `.1[3]`",
        " on local-sync",
        " on the interpreter",
        "2 elements differ, of which this is the first",
    ] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn nothing_is_checked_unless_it_is_asked_for() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env_remove("IREE_DSL_CHECK");
    command.args(["undecided_calls", "--exact", "--ignored", "--nocapture"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("[check]"));
}
