//! What goes wrong is an error that says what was expected and what was found.

mod common;

use common::{ADD, add_signature, artifacts, compile, compile_with, folder};
use iree_abi::{
    Artifact, DType, Dim, FunctionSignature, Leaf, Parameter, Shape, Signature, TensorType,
};
use iree_runtime::{Argument, Code, Device, Error, Input, Module, Session, program::Program};
use ndarray::{Array2, Ix1, Ix2, arr1};
use std::error::Error as _;

fn add_session() -> Session {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    Session::new(&Device::open("local-sync").unwrap(), [&module]).unwrap()
}

fn message(error: &Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        message += &format!(": {cause}");
        source = cause.source();
    }
    message
}

#[test]
fn unknown_devices_are_named_with_those_that_exist() {
    let open = |spec| message(&Device::open(spec).unwrap_err());
    // GPUs follow, where there are some.
    for unknown in ["tpu", "local-sync://0"] {
        let known = format!("there is no device `{unknown}`; there are `local-sync`, `local-task`");
        assert!(open(unknown).starts_with(&known), "{}", open(unknown));
    }
    let left_out = |spec: &str, feature: &str| {
        format!(
            "cannot open the device `{spec}`: this build leaves out such devices; \
             enable the feature `{feature}` of `iree-dsl`"
        )
    };
    if cfg!(not(feature = "cuda")) {
        assert_eq!(open("cuda://0"), left_out("cuda://0", "cuda"));
    }
    if cfg!(not(feature = "interpreter")) {
        let told = left_out("interpreter", "interpreter");
        assert_eq!(open("interpreter"), told);
    }
    assert_eq!(
        open("local-task?workers=many"),
        "cannot open the device `local-task?workers=many`: \
         `workers` must be a number from 1 to 256, found `many`"
    );
    assert_eq!(
        open("local-task?threads=2"),
        "cannot open the device `local-task?threads=2`: unknown option `threads=2`, expected `workers=N`, \
         `pinned` or `queued`"
    );
    assert_eq!(
        open("local-sync?workers=2"),
        "cannot open the device `local-sync?workers=2`: this device takes no options"
    );
    let available = Device::available();
    let names: Vec<_> = available.iter().map(|info| info.name.as_str()).collect();
    assert!(
        names.starts_with(&["local-sync", "local-task"]),
        "{names:?}"
    );
}

#[test]
fn wrong_arguments_are_found_before_anything_runs() {
    let session = add_session();
    let add = session.function("add").unwrap();
    let four = arr1(&[1.0f32; 4]);
    let call = |arguments: &[&dyn Input]| message(&add.call(arguments).unwrap_err());
    assert_eq!(call(&[&four]), "`add` takes 2 arguments, found 1");
    assert_eq!(
        call(&[&four, &[1.0f64; 4]]),
        "`add`: argument `input1` has the wrong element type: \
         expected `Tensor<f32, 4>`, found `Tensor<f64, 4>`"
    );
    assert_eq!(
        call(&[&[1.0f32; 5], &four]),
        "`add`: argument `input0` has the wrong shape: \
         expected `Tensor<f32, 4>`, found `Tensor<f32, 5>`"
    );
    assert_eq!(
        call(&[&[[1.0f32; 4]], &four]),
        "`add`: argument `input0` has the wrong shape: \
         expected `Tensor<f32, 4>`, found `Tensor<f32, 1, 4>`"
    );
    let elsewhere = Device::open("local-task?workers=1").unwrap();
    let elsewhere = elsewhere.upload(&four).unwrap();
    assert_eq!(
        call(&[&elsewhere, &four]),
        "`add`: argument `input0` is on another device: expected local-sync, found local-task"
    );
    // The session goes on.
    assert!(add.call(&[&four, &four]).is_ok());
}

#[test]
fn unknown_functions_and_wrong_types_are_named() {
    let session = add_session();
    assert_eq!(
        message(&session.function("sub").unwrap_err()),
        "there is no function `sub`; the session has `add`"
    );
    let add = session.function("arith.add").unwrap();
    let sum = &add.call(&[&[1.0f32; 4], &[1.0f32; 4]]).unwrap()[0];
    assert_eq!(
        message(&sum.downcast::<f32, Ix2>().unwrap_err()),
        "the array is a `Tensor<f32, 4>`, not a `Tensor<f32, _, _>`"
    );
    assert_eq!(
        message(&sum.downcast::<i32, Ix1>().unwrap_err()),
        "the array is a `Tensor<f32, 4>`, not a `Tensor<i32, _>`"
    );
}

#[test]
fn functions_of_other_values_say_so() {
    let vmfb = compile("module @m { func.func @f(%a: i32) -> i32 { return %a : i32 } }");
    let module = Module::from_bytes(&vmfb).unwrap();
    assert!(module.signature().functions.is_empty());
    let session = Session::new(&Device::open("local-sync").unwrap(), [&module]).unwrap();
    assert_eq!(
        message(&session.function("f").unwrap_err()),
        "cannot call `f`: values of type `i32` are not supported"
    );
}

#[test]
fn modules_that_are_none_say_so() {
    let error = Module::from_bytes(b"not a module").unwrap_err();
    assert_eq!(
        message(&error),
        "the module is damaged: it is not a whole ZIP archive, as IREE's compiler writes them"
    );
    let flat = compile_with(ADD, &["--iree-vm-emit-polyglot-zip=false"]);
    assert!(matches!(
        Module::from_bytes(&flat),
        Err(Error::Damaged { .. })
    ));
    let path = folder().join("none.vmfb");
    let error = Module::from_file(&path).unwrap_err();
    assert!(message(&error).starts_with(&format!("cannot read {}: ", path.display())));
}

#[test]
fn code_for_other_machines_is_refused_by_iree() {
    let flags = ["--iree-llvmcpu-target-triple=riscv64-unknown-linux-gnu"];
    let features = ["--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c"];
    let vmfb = compile_with(ADD, &[flags, features].concat());
    let module = Module::from_bytes(&vmfb).unwrap();
    let device = Device::open("local-sync").unwrap();
    let error = Session::new(&device, [&module]).unwrap_err();
    let Error::Load { source } = &error else {
        panic!("{error}");
    };
    assert_eq!(source.code(), Code::Incompatible);
    assert!(
        source.message().contains("HAL device"),
        "{}",
        message(&error)
    );
}

#[test]
fn failures_at_run_time_name_the_function() {
    let vmfb = compile(
        "module @m {
          func.func @positive(%a: tensor<i32>) -> tensor<i32> {
            %value = tensor.extract %a[] : tensor<i32>
            %zero = arith.constant 0 : i32
            %positive = arith.cmpi sgt, %value, %zero : i32
            cf.assert %positive, \"the number must be positive\"
            return %a : tensor<i32>
          }
        }",
    );
    let module = Module::from_bytes(&vmfb).unwrap();
    let session = Session::new(&Device::open("local-sync").unwrap(), [&module]).unwrap();
    let positive = session.function("positive").unwrap();
    let error = positive.call(&[&-1i32]).unwrap_err();
    assert_eq!(
        message(&error),
        "`positive` failed: IREE: FAILED_PRECONDITION: the number must be positive"
    );
    // The session goes on.
    assert!(positive.call(&[&1i32]).is_ok());
}

const NO_ARTIFACT: &[Artifact] = &[
    Artifact {
        target: "cpu-riscv64",
        bytes: &[],
    },
    Artifact {
        target: "cuda-sm-80",
        bytes: &[],
    },
];

#[test]
fn programs_without_a_fitting_artifact_say_what_there_is() {
    let device = Device::open("local-sync").unwrap();
    let error = Program::load(&device, NO_ARTIFACT, add_signature()).unwrap_err();
    let text = message(&error);
    assert!(matches!(error, Error::NoArtifact { .. }));
    assert!(
        text.starts_with("no artifact fits the device `local-sync`, which runs `cpu-"),
        "{text}"
    );
    assert!(
        text.ends_with("the program has `cpu-riscv64`, `cuda-sm-80`"),
        "{text}"
    );
    let error = Program::load(&device, &[], add_signature()).unwrap_err();
    assert!(message(&error).ends_with("the program has none"));
}

/// A program whose arguments share a dimension.
fn sum_signature() -> &'static Signature {
    let leaf = |path: &str| Leaf {
        path: path.into(),
        ty: TensorType::new(
            DType::F32,
            Shape::new(vec![Dim::named("B"), Dim::Static(4)]),
        ),
    };
    let parameter = |name: &str, path: &str| Parameter {
        name: name.into(),
        leaves: vec![leaf(path)],
    };
    Box::leak(Box::new(Signature {
        name: "sums".into(),
        functions: vec![FunctionSignature {
            name: "sum".into(),
            parameters: vec![parameter("left", ""), parameter("right", "layers.0")],
            results: vec![leaf("")],
            requirements: Vec::new(),
        }],
        ..Signature::default()
    }))
}

const SUM: &str = "module @sums {
  func.func @sum(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = arith.addf %a, %b : tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
}";

#[test]
fn generated_calls_check_their_arguments() {
    let device = Device::open("local-sync").unwrap();
    let program = Program::load(&device, artifacts(compile(SUM)), sum_signature()).unwrap();
    let rows = |count| Array2::<f32>::ones((count, 4));
    let run = |left: Argument<'_, f32, Ix2>, right: Argument<'_, f32, Ix2>| {
        let mut call = program.call(0)?;
        call.argument(left)?;
        call.argument(right)?;
        call.invoke()?.next::<f32, Ix2>()?.to_array()
    };
    assert_eq!(
        run((&rows(3)).into(), (&rows(3)).into()).unwrap(),
        2.0 * rows(3)
    );
    assert_eq!(
        message(&run((&rows(3)).into(), (&rows(2)).into()).unwrap_err()),
        "`sum`: the dimension `B` is 3 in `left` and 2 in `right.layers.0`"
    );
    assert_eq!(
        message(&run((&rows(3)).into(), [[1.0f32; 3]; 3].into()).unwrap_err()),
        "`sum`: argument `right.layers.0` has the wrong shape: \
         expected `Tensor<f32, B, 4>`, found `Tensor<f32, 3, 3>`"
    );
    let mut call = program.call(0).unwrap();
    call.argument::<f32, Ix2>((&rows(1)).into()).unwrap();
    assert_eq!(
        message(&call.invoke().map(drop).unwrap_err()),
        "`sum` takes 2 arguments, found 1"
    );
    let mut call = program.call(0).unwrap();
    let error = call
        .argument::<f64, Ix1>((&arr1(&[1.0])).into())
        .unwrap_err();
    drop(call);
    assert!(matches!(error, Error::ArgumentDType { .. }));
    // A call that was given up leaves nothing behind.
    assert!(run((&rows(2)).into(), (&rows(2)).into()).is_ok());
}

#[test]
fn a_module_of_another_program_is_refused() {
    let device = Device::open("local-sync").unwrap();
    let load = |mlir, signature| {
        message(&Program::load(&device, artifacts(compile(mlir)), signature).unwrap_err())
    };
    assert_eq!(
        load(SUM, add_signature()),
        "the module `sums` does not have the signature of the program: it has no procedure `add`"
    );
    assert_eq!(
        load(
            "module @arith { func.func @add(%a: tensor<4xf32>) -> tensor<4xf32> {
               return %a : tensor<4xf32>
             } }",
            add_signature()
        ),
        "the module `arith` does not have the signature of the program: \
         `add` has 1 arguments and 1 results instead of 2 and 1"
    );
}
