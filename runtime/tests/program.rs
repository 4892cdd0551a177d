//! Calls through the interface that generated code uses, with a program written the way the macro
//! writes it.

mod common;

use common::{DEVICES, artifacts, compile};
use iree_abi::{Artifact, DType, FunctionSignature, Leaf, Parameter, Signature, TensorType};
use iree_runtime::{
    Argument, Device, DeviceArray, DynamicArray, Result,
    program::{Call, Loader, Program, Results, Tree, TreeArgument},
};
use ndarray::{Array2, Ix0, Ix2, array};
use std::sync::LazyLock;

const MLIR: &str = "
module @trivial {
  util.global private mutable @x = dense<4.0> : tensor<2x3xf32>
  util.global private mutable @b = dense<1.0> : tensor<2x3xf32>
  func.func @get_params() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %x = util.global.load @x : tensor<2x3xf32>
    %b = util.global.load @b : tensor<2x3xf32>
    return %x, %b : tensor<2x3xf32>, tensor<2x3xf32>
  }
  func.func @run(%multiplier: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %x = util.global.load @x : tensor<2x3xf32>
    %b = util.global.load @b : tensor<2x3xf32>
    %0 = stablehlo.multiply %multiplier, %x : tensor<2x3xf32>
    %1 = stablehlo.add %0, %b : tensor<2x3xf32>
    util.global.store %1, @x : tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func @set_params(%x: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
    util.global.store %x, @x : tensor<2x3xf32>
    util.global.store %b, @b : tensor<2x3xf32>
    return
  }
}";

struct Params {
    x: DeviceArray<f32, Ix2>,
    b: DeviceArray<f32, Ix2>,
}

impl Tree for Params {
    fn push(&self, call: &mut Call<'_>) -> Result<()> {
        self.x.push(call)?;
        self.b.push(call)
    }

    fn give(self, call: &mut Call<'_>) -> Result<()> {
        self.x.give(call)?;
        self.b.give(call)
    }

    fn visit(&self, see: &mut dyn FnMut(&DynamicArray)) {
        self.x.visit(see);
        self.b.visit(see);
    }

    fn pull(results: &mut Results<'_>) -> Result<Self> {
        Ok(Self {
            x: Tree::pull(results)?,
            b: Tree::pull(results)?,
        })
    }
}

struct Trivial(Program);

impl Trivial {
    fn artifacts() -> &'static [Artifact] {
        static ARTIFACTS: LazyLock<&'static [Artifact]> =
            LazyLock::new(|| artifacts(compile(MLIR)));
        *ARTIFACTS
    }

    fn signature() -> &'static Signature {
        static SIGNATURE: LazyLock<Signature> = LazyLock::new(|| {
            let leaf = |path: &str| Leaf {
                path: path.into(),
                ty: TensorType::new(DType::F32, [2, 3]),
            };
            let params = || vec![leaf("x"), leaf("b")];
            let function = |name: &str, parameters: Vec<Parameter>, results| FunctionSignature {
                name: name.into(),
                parameters,
                results,
                requirements: Vec::new(),
            };
            let parameter = |name: &str, leaves| Parameter {
                name: name.into(),
                leaves,
            };
            Signature {
                name: "trivial".into(),
                functions: vec![
                    function("get_params", vec![], params()),
                    function(
                        "run",
                        vec![parameter("multiplier", vec![leaf("")])],
                        vec![leaf("")],
                    ),
                    function(
                        "set_params",
                        vec![parameter("new_params", params())],
                        vec![],
                    ),
                ],
                ..Signature::default()
            }
        });
        &SIGNATURE
    }

    fn loader(device: &Device) -> Loader<'_, Self> {
        Loader::new(device, Self::artifacts(), Self::signature(), Self)
    }

    fn load(device: &Device) -> Result<Self> {
        Self::loader(device).load()
    }

    fn get_params(&self) -> Result<Params> {
        Params::pull(&mut self.0.call(0)?.invoke()?)
    }

    fn run<'a>(
        &mut self,
        multiplier: impl Into<Argument<'a, f32, Ix2>>,
    ) -> Result<DeviceArray<f32, Ix2>> {
        let mut call = self.0.call(1)?;
        call.argument(multiplier.into())?;
        call.invoke()?.next()
    }

    fn set_params<'a>(&mut self, new_params: impl Into<TreeArgument<'a, Params>>) -> Result<()> {
        let mut call = self.0.call(2)?;
        new_params.into().push(&mut call)?;
        <()>::pull(&mut call.invoke()?)
    }
}

#[test]
fn globals_keep_their_values_between_calls() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let mut program = Trivial::load(&device).unwrap();
        let ones = Array2::<f32>::ones((2, 3));
        let y = program.run(&ones).unwrap();
        assert_eq!(y.to_array().unwrap(), Array2::from_elem((2, 3), 5.0));
        let params = program.get_params().unwrap();
        assert_eq!(params.x.to_array().unwrap(), y.to_array().unwrap());
        assert_eq!(params.b.to_array().unwrap(), ones);
        // By reference, then given away.
        program.set_params(&params).unwrap();
        let x = device.upload([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
        program.set_params(Params { x, ..params }).unwrap();
        let y = program.run([[2.0; 3]; 2]).unwrap();
        assert_eq!(
            y.to_array().unwrap(),
            array![[3.0, 5.0, 7.0], [9.0, 11.0, 13.0]]
        );
    }
}

#[test]
fn a_call_within_a_call_is_an_error() {
    let device = Device::open("local-sync").unwrap();
    let mut program = Trivial::load(&device).unwrap();
    let open = program.0.call(0).unwrap();
    let error = program.0.call(1).err().unwrap();
    let expected = "cannot call `run`: this thread has not finished another call of the program";
    assert_eq!(error.to_string(), expected);
    assert_eq!(format!("{error:?}"), expected);
    let results = open.invoke().unwrap();
    assert!(program.0.call(1).is_err());
    drop(results);
    program.run(&Array2::ones((2, 3))).unwrap();
}

#[test]
fn results_are_taken_with_their_types_and_once() {
    let program = Trivial::load(&Device::open("local-sync").unwrap())
        .unwrap()
        .0;
    let call = || program.call(0).unwrap().invoke().unwrap();
    let [x, b] = <[DeviceArray<f32, Ix2>; 2]>::pull(&mut call()).unwrap();
    assert_eq!(x.view().unwrap()[(0, 0)], 4.0);
    assert_eq!(b.view().unwrap()[(0, 0)], 1.0);
    assert!(<[DeviceArray<f32, Ix2>; 3]>::pull(&mut call()).is_err());
    assert!(call().next::<f64, Ix2>().is_err());
    assert!(call().next::<f32, Ix0>().is_err());
    assert!(program.call(3).is_err());
}

#[test]
fn literals_take_the_type_of_the_parameter() {
    fn shape<'a>(argument: impl Into<Argument<'a, f32, Ix0>>) -> usize {
        argument.into().shape().len()
    }
    assert_eq!(shape(2.0), 0);
}
