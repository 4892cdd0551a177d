//! Arrays of every element type and many shapes go to devices and back unchanged.

mod common;

use common::{DEVICES, compile, folder};
use half::{bf16, f16};
use iree_abi::DType;
use iree_runtime::{Device, DeviceArray, Element, Error, Module, Session};
use ndarray::{Array, Array2, Array3, Ix0, Ix1, Ix2, IxDyn, arr0, arr1, arr2, s};
use num_complex::Complex;
use std::fs;

/// The name of an element type in MLIR.
fn mlir_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "i1",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::U8 => "ui8",
        DType::U16 => "ui16",
        DType::U32 => "ui32",
        DType::U64 => "ui64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::C64 => "complex<f32>",
        DType::C128 => "complex<f64>",
        other => panic!("no MLIR name for {other}"),
    }
}

/// For each element type a function that adds arrays of three to themselves; `bool` is negated.
fn doubles() -> Module {
    let functions: String = DType::ALL
        .into_iter()
        .enumerate()
        .map(|(index, dtype)| {
            let ty = format!("tensor<3x{}>", mlir_name(dtype));
            let value = match dtype {
                DType::Bool => format!("stablehlo.not %a : {ty}"),
                _ => format!("stablehlo.add %a, %a : {ty}"),
            };
            format!("func.func @f{index}(%a: {ty}) -> {ty} {{ %0 = {value} return %0 : {ty} }}\n")
        })
        .collect();
    Module::from_bytes(&compile(&format!("module @doubles {{ {functions} }}"))).unwrap()
}

fn doubled<T: Element>(session: &Session, values: [T; 3], expected: [T; 3]) {
    let device = session.device();
    let array = arr1(&values);
    // There and back.
    let uploaded = device.upload(&array).unwrap();
    assert_eq!(uploaded.to_array().unwrap(), array);
    assert_eq!(uploaded.as_dynamic().dtype().unwrap(), T::DTYPE);
    // Through a program.
    let index = DType::ALL.iter().position(|dtype| *dtype == T::DTYPE);
    let function = session.function(&format!("f{}", index.unwrap())).unwrap();
    let result = &function.call(&[&uploaded]).unwrap()[0];
    assert_eq!(result.dtype().unwrap(), T::DTYPE);
    let result = result.downcast::<T, Ix1>().unwrap();
    assert_eq!(result.to_array().unwrap(), arr1(&expected));
    assert_eq!(*result.view().unwrap(), arr1(&expected));
}

#[test]
fn every_element_type_goes_through_a_program() {
    let module = doubles();
    for name in DEVICES {
        let session = Session::new(&Device::open(name).unwrap(), [&module]).unwrap();
        doubled(&session, [true, false, true], [false, true, false]);
        doubled(&session, [1i8, -2, 63], [2, -4, 126]);
        doubled(&session, [1i16, -2, 16_000], [2, -4, 32_000]);
        doubled(&session, [1i32, -2, 1 << 29], [2, -4, 1 << 30]);
        doubled(&session, [1i64, -2, 1 << 61], [2, -4, 1 << 62]);
        doubled(&session, [1u8, 2, 127], [2, 4, 254]);
        doubled(&session, [1u16, 2, 32_767], [2, 4, 65_534]);
        doubled(&session, [1u32, 2, 1 << 30], [2, 4, 1 << 31]);
        doubled(&session, [1u64, 2, 1 << 62], [2, 4, 1 << 63]);
        doubled(
            &session,
            [1.0, -2.5, 1000.0].map(f16::from_f32),
            [2.0, -5.0, 2000.0].map(f16::from_f32),
        );
        doubled(
            &session,
            [1.0, -2.5, 1024.0].map(bf16::from_f32),
            [2.0, -5.0, 2048.0].map(bf16::from_f32),
        );
        doubled(&session, [1.0f32, -2.5, 1e30], [2.0, -5.0, 2e30]);
        doubled(&session, [1.0f64, 0.1, 1e300], [2.0, 0.2, 2e300]);
        doubled(
            &session,
            [Complex::new(1.0f32, -2.0); 3],
            [Complex::new(2.0, -4.0); 3],
        );
        doubled(
            &session,
            [Complex::new(0.1f64, 1e300); 3],
            [Complex::new(0.2, 2e300); 3],
        );
    }
}

#[test]
fn every_shape_is_accepted() {
    let device = Device::open("local-sync").unwrap();
    let two = device.upload([[1, 2], [3, 4]]).unwrap();
    assert_eq!(two.to_array().unwrap(), arr2(&[[1, 2], [3, 4]]));
    let three = device.upload(&[[[1u8, 2]], [[3, 4]]]).unwrap();
    assert_eq!(three.shape(), [2, 1, 2]);
    let scalar = device.upload(2.5f32).unwrap();
    assert_eq!(scalar.to_scalar().unwrap(), 2.5);
    assert_eq!(scalar.to_array().unwrap(), arr0(2.5));
    let empty = device.upload(&Array2::<f32>::zeros((0, 4))).unwrap();
    assert_eq!(empty.shape(), [0, 4]);
    assert_eq!(empty.to_array().unwrap(), Array2::<f32>::zeros((0, 4)));
    assert!(empty.view().unwrap().is_empty());
    let many = Array::from_shape_fn(IxDyn(&[2, 1, 3, 1, 2, 2]), |index| index[2] as i16);
    assert_eq!(device.upload(&many).unwrap().to_array().unwrap(), many);
    let given = device.upload(two.clone()).unwrap();
    assert_eq!(given.to_string(), "[[1, 2],\n [3, 4]]");
    assert!(format!("{given:?}").starts_with("[[1, 2],\n [3, 4]], shape=[2, 2]"));
}

#[test]
fn layout_in_host_memory_does_not_matter() {
    let device = Device::open("local-sync").unwrap();
    let array = Array3::from_shape_fn((3, 4, 5), |(i, j, k)| (100 * i + 10 * j + k) as f64);
    let transposed = array.t();
    assert_eq!(
        device.upload(transposed).unwrap().to_array().unwrap(),
        array.t()
    );
    let steps = array.slice(s![.., ..;2, ..;-1]);
    assert_eq!(device.upload(steps).unwrap().to_array().unwrap(), steps);
    let broadcast = arr1(&[1, 2, 3]);
    let broadcast = broadcast.broadcast((2, 3)).unwrap();
    let uploaded: DeviceArray<i32, Ix2> = device.upload(broadcast).unwrap();
    assert_eq!(uploaded.to_array().unwrap(), arr2(&[[1, 2, 3], [1, 2, 3]]));
}

#[test]
fn programs_take_and_return_empty_and_scalar_arrays() {
    let module = compile(
        "module @edges {
          func.func @rows(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
            %0 = arith.addf %a, %a : tensor<?x4xf32>
            return %0 : tensor<?x4xf32>
          }
          func.func @scalar(%a: tensor<f64>) -> tensor<f64> {
            %0 = arith.addf %a, %a : tensor<f64>
            return %0 : tensor<f64>
          }
        }",
    );
    let module = Module::from_bytes(&module).unwrap();
    for name in DEVICES {
        let session = Session::new(&Device::open(name).unwrap(), [&module]).unwrap();
        let rows = session.function("rows").unwrap();
        for count in [0, 1, 3] {
            let ones = Array2::<f32>::ones((count, 4));
            let result = &rows.call(&[&ones]).unwrap()[0];
            let result = result.downcast::<f32, Ix2>().unwrap();
            assert_eq!(result.to_array().unwrap(), 2.0 * ones);
        }
        let result = &session
            .function("scalar")
            .unwrap()
            .call(&[&1.5f64])
            .unwrap()[0];
        let result = result.downcast::<f64, Ix0>().unwrap();
        assert_eq!(result.to_scalar().unwrap(), 3.0);
    }
}

#[test]
fn arrays_are_saved_for_numpy() {
    let device = Device::open("local-sync").unwrap();
    let path = folder().join("array.npy");
    let array = arr2(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    device.upload(array.t()).unwrap().save_npy(&path).unwrap();
    let file = fs::read(&path).unwrap();
    assert!(file.starts_with(b"\x93NUMPY\x01\x00"));
    let elements: Vec<u8> = array.t().iter().flat_map(|x| x.to_ne_bytes()).collect();
    assert_eq!(file.len(), 64 * 2 + elements.len());
    assert!(file.ends_with(&elements));
    let missing = path.join("no-folder");
    let error = device
        .upload(1.0f32)
        .unwrap()
        .save_npy(missing)
        .unwrap_err();
    assert!(matches!(
        error,
        Error::Io {
            action: "write",
            ..
        }
    ));
}

#[test]
fn debug_shows_the_values() {
    let device = Device::open("local-sync").unwrap();
    let array = device.upload([[1.0_f32, 2.5], [3.0, 4.0]]).unwrap();
    let shown = format!("{array:?}");
    assert!(
        shown.contains("[1.0, 2.5]") && shown.contains("shape=[2, 2]"),
        "{shown}"
    );
    let large = device
        .upload(&ndarray::Array1::<i32>::zeros(100_000))
        .unwrap();
    let shown = format!("{large:?}");
    assert!(shown.contains("...") && shown.len() < 2000, "{shown}");
}
