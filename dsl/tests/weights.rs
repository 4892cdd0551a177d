//! Weights of models as they come: in files that start anywhere, in other types, and under other names.

use half::{bf16, f16};
use iree_dsl::{Element, Error, Parameters, prelude::*};
use ndarray::{Array, Array1, Array2, Array3, Dimension, Ix2, arr0, array};
use std::{fs, io::Write, path::Path, thread, time::Duration};

const DEVICES: [&str; 2] = ["local-sync", "local-task?workers=2"];

const SIZE: usize = 512;
/// What the large tensor takes.
const BYTES: usize = 4 * SIZE * SIZE;
/// What all else takes at most.
const LITTLE: usize = BYTES / 16;

#[program]
mod scaled {
    pub struct Scaled {
        #[global(immutable, parameter = "model")]
        weight: Tensor<f32, 512, 512>,
        #[global(parameter = "model")]
        bias: Tensor<f32, 3>,
    }

    impl Scaled {
        pub fn run(&self, x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32, 3>) {
            ((self.weight * x).sum(), self.bias)
        }

        pub fn weight(&self) -> Tensor<f32, 512, 512> {
            self.weight
        }

        pub fn add(&mut self, x: Tensor<f32, 3>) {
            self.bias += x;
        }
    }
}

#[program]
mod stored {
    pub struct Stored {
        #[global(parameter = "model")]
        weight: Tensor<f32, 512, 512>,
    }

    impl Stored {
        pub fn run<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            self.weight.sum() * x
        }

        pub fn store(&mut self, row: Tensor<f32, 512>, at: Tensor<i32>) {
            self.weight[s![at, ..]] = row;
        }
    }
}

#[program]
mod summed {
    pub struct Summed {
        #[global(parameter = "model")]
        weight: Tensor<f32, 512, 512>,
    }

    impl Summed {
        pub fn run(&self) -> Tensor<f32, 512> {
            self.weight.sum_axis(0)
        }
    }
}

#[kernel]
mod layers {
    pub fn dense<const N: usize>(
        x: Tensor<f32, N, 512>,
        weight: Tensor<f32, 512, 512>,
    ) -> Tensor<f32, N, 512> {
        x.matmul(weight.t())
    }
}

/// Many rows at a time, as fast as can be.
#[program]
mod fast {
    #[kernel]
    use super::layers::dense;

    pub struct Fast {
        #[global(immutable, parameter = "model")]
        weight: Tensor<f32, 512, 512>,
    }

    impl Fast {
        pub fn run<const N: usize>(&self, x: Tensor<f32, N, 512>) -> Tensor<f32, N, 512> {
            dense(x, self.weight)
        }
    }
}

/// The same kernel with other options, which keep the weights as they are.
#[program(opt = "size", flags = ["--iree-llvmcpu-loop-interleaving=false"])]
mod small {
    #[kernel]
    use super::layers::dense;

    pub struct Small {
        #[global(immutable, parameter = "model")]
        weight: Tensor<f32, 512, 512>,
    }

    impl Small {
        pub fn run(&self, x: Tensor<f32, 1, 512>) -> Tensor<f32, 1, 512> {
            dense(x, self.weight)
        }
    }
}

/// A file of safetensors with both tensors, whose data starts so many bytes after a multiple of 64.
fn write<T: Element>(path: &Path, name: &str, offset: usize, number: impl Fn(f32) -> T) {
    let size = size_of::<T>();
    let (bias, end) = (3 * size, (3 + SIZE * SIZE) * size);
    let mut header = format!(
        r#"{{"bias":{{"dtype":"{name}","shape":[3],"data_offsets":[0,{bias}]}},"weight":{{"dtype":"{name}","shape":[512,512],"data_offsets":[{bias},{end}]}}}}"#
    );
    // The large tensor comes after the small one.
    let length = (header.len() + 8 + bias).next_multiple_of(64) + offset - 8 - bias;
    header.push_str(&" ".repeat(length - header.len()));
    let mut file = fs::File::create(path).unwrap();
    file.write_all(&(length as u64).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    let numbers = [1.0, 2.0, 3.0]
        .into_iter()
        .chain((0..SIZE * SIZE).map(|_| 0.5));
    let numbers: Vec<T> = numbers.map(number).collect();
    let array = Array1::from(numbers);
    let npy = path.with_extension("npy");
    // The elements of NumPy's file come last.
    Device::open("local-sync")
        .unwrap()
        .upload(&array)
        .unwrap()
        .save_npy(&npy)
        .unwrap();
    let contents = fs::read(npy).unwrap();
    file.write_all(&contents[contents.len() - end..]).unwrap();
}

/// Waits until a device has about so many bytes in use: its threads give back what a call used when those who wait for it
/// are told already.
fn assert_live(device: &Device, from: usize, to: usize) {
    for _ in 0..500 {
        if (from..=to).contains(&device.memory().live) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let live = device.memory().live;
    panic!("{live} bytes are in use instead of {from} to {to}");
}

fn scaled(device: &Device, archive: &Parameters) -> scaled::Scaled {
    let loader = scaled::Scaled::loader(device).parameters("model", archive);
    loader.load().unwrap()
}

fn result(program: &scaled::Scaled) -> (f32, Vec<f32>) {
    let (sum, bias) = program.run(2.0).unwrap();
    (sum.to_scalar().unwrap(), bias.to_array().unwrap().to_vec())
}

const SUM: f32 = (SIZE * SIZE) as f32;

#[test]
fn programs_share_one_copy_of_what_they_do_not_change() {
    let folder = tempfile::tempdir().unwrap();
    for (offset, once) in [(0, 0), (4, BYTES), (20, BYTES), (1, BYTES)] {
        let path = folder.path().join(format!("{offset}.safetensors"));
        write(&path, "F32", offset, |x| x);
        let archive = Parameters::open(&path).unwrap();
        for name in DEVICES {
            let device = Device::open(name).unwrap();
            let before = device.memory().live;
            let mut first = scaled(&device, &archive);
            assert_live(&device, before + once, before + once + LITTLE);
            let second = scaled(&device, &archive.clone());
            let other = summed::Summed::loader(&device).parameters("model", &archive);
            let other = other.load().unwrap();
            let pool = scaled::Scaled::loader(&device).parameters("model", &archive);
            let pool = pool.pool(3).unwrap();
            assert_live(&device, before + once, before + once + LITTLE);

            first.add([10.0, 20.0, 30.0]).unwrap();
            assert_eq!(result(&first), (SUM, vec![11.0, 22.0, 33.0]));
            assert_eq!(result(&second), (SUM, vec![1.0, 2.0, 3.0]));
            assert_eq!(result(&pool.get()), (SUM, vec![1.0, 2.0, 3.0]));
            let sums = other.run().unwrap().to_array().unwrap();
            assert_eq!(sums, Array1::from_elem(SIZE, SIZE as f32 / 2.0));
            assert_live(&device, before + once, before + once + LITTLE);

            // The copy goes with the last that uses it.
            drop((first, other, pool));
            assert_eq!(result(&second).0, SUM);
            assert_live(&device, before + once, before + once + LITTLE);
            drop(second);
            assert_live(&device, before, before + LITTLE);
            let again = scaled(&device, &archive);
            assert_eq!(result(&again).0, SUM);
        }
    }
}

#[test]
fn programs_with_other_options_share_kernels_and_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.safetensors");
    write(&path, "F32", 4, |x| x);
    let archive = Parameters::open(&path).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let before = device.memory().live;
        let small = || {
            let loader = small::Small::loader(&device).parameters("model", &archive);
            loader.load().unwrap()
        };
        let (first, second) = (small(), small());
        assert_live(&device, before + BYTES, before + BYTES + LITTLE);
        let fast = fast::Fast::loader(&device).parameters("model", &archive);
        let fast = fast.load().unwrap();
        let x = Array2::from_shape_fn((1, SIZE), |(_, column)| column as f32 / 64.0);
        let expected = x.dot(&Array2::from_elem((SIZE, SIZE), 0.5));
        for result in [first.run(&x), second.run(&x), fast.run(&x)] {
            assert_eq!(result.unwrap().to_array().unwrap(), expected);
        }
    }
}

#[test]
fn what_one_program_changes_others_do_not_see() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.safetensors");
    for offset in [0, 4] {
        write(&path, "F32", offset, |x| x);
        let archive = Parameters::open(&path).unwrap();
        for name in DEVICES {
            let device = Device::open(name).unwrap();
            let load = || {
                let loader = stored::Stored::loader(&device).parameters("model", &archive);
                loader.load().unwrap()
            };
            let (mut first, mut second, reader) = (load(), load(), scaled(&device, &archive));
            first.store(&Array1::zeros(SIZE), 0).unwrap();
            second.store(&Array1::ones(SIZE), 1).unwrap();
            let row = SIZE as f32 / 2.0;
            assert_eq!(
                first.run([2.0]).unwrap().to_array().unwrap(),
                array![SUM - 2.0 * row]
            );
            assert_eq!(
                second.run([2.0]).unwrap().to_array().unwrap(),
                array![SUM + 2.0 * row]
            );
            assert_eq!(result(&reader).0, SUM);
            assert_eq!(result(&scaled(&device, &archive)).0, SUM);
        }
    }
}

#[test]
fn arrays_that_are_returned_outlive_what_is_shared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.safetensors");
    write(&path, "F32", 4, |x| x);
    for name in DEVICES {
        let weight = {
            let archive = Parameters::open(&path).unwrap();
            let device = Device::open(name).unwrap();
            let program = scaled(&device, &archive);
            program.weight().unwrap()
        };
        assert_eq!(
            weight.to_array().unwrap(),
            Array2::from_elem((SIZE, SIZE), 0.5)
        );
    }
}

#[test]
fn what_is_shared_counts_once_for_the_limit_of_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.safetensors");
    write(&path, "F32", 4, |x| x);
    let archive = Parameters::open(&path).unwrap();
    let device = Device::builder("local-sync").memory_limit(BYTES + BYTES / 2);
    let device = device.open().unwrap();
    let programs: Vec<_> = (0..4).map(|_| scaled(&device, &archive)).collect();
    assert_eq!(result(&programs[3]).0, SUM);
    let other = Parameters::open(&path).unwrap();
    let refused = scaled::Scaled::loader(&device)
        .parameters("model", &other)
        .load();
    assert!(refused.is_err(), "another archive has another copy");
}

#[test]
fn numbers_are_converted_if_the_program_asks() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let path = folder.path().join(name);
        match name {
            "F16" => write(&path, name, 2, f16::from_f32),
            "BF16" => write(&path, name, 2, bf16::from_f32),
            _ => write(&path, name, 0, f64::from),
        }
        Parameters::open(path).unwrap()
    };
    for archive in ["F16", "BF16", "F64"].map(open) {
        for name in DEVICES {
            let device = Device::open(name).unwrap();
            let loader = || scaled::Scaled::loader(&device).parameters("model", &archive);
            let error = loader().load().err().unwrap().to_string();
            assert!(
                error.contains("`convert_parameters()` of the loader converts it"),
                "{error}"
            );
            let before = device.memory().live;
            let mut first = loader().convert_parameters().load().unwrap();
            let second = loader().convert_parameters().load().unwrap();
            assert_live(&device, before + BYTES, before + BYTES + LITTLE);
            first.add([1.0, 1.0, 1.0]).unwrap();
            assert_eq!(result(&first), (SUM, vec![2.0, 3.0, 4.0]));
            assert_eq!(result(&second), (SUM, vec![1.0, 2.0, 3.0]));
        }
    }
}

/// A program with a parameter of each floating-point type, that is changed, and one that is not.
macro_rules! types {
    ($($program:ident, $struct:ident: $ty:ty;)+) => {
        $(#[program]
        mod $program {
            pub struct $struct {
                #[global(immutable, parameter = "model")]
                read: Tensor<$ty, 2, 2>,
                #[global(parameter = "model")]
                changed: Tensor<$ty, 2, 2>,
            }

            impl $struct {
                pub fn run(&mut self) -> (Tensor<$ty, 2, 2>, Tensor<$ty, 2, 2>) {
                    self.changed = self.changed + self.read;
                    (self.read, self.changed)
                }
            }
        })+

        /// The numbers of an archive in each type, as `f64`.
        fn converted(device: &Device, archive: &Parameters) -> Vec<(Array2<f64>, Array2<f64>)> {
            vec![$({
                let loader = $program::$struct::loader(device).parameters("model", archive);
                let mut program = loader.convert_parameters().load().unwrap();
                let (read, changed) = program.run().unwrap();
                let wide = |array: Array2<$ty>| array.mapv(|x| f64::from(x));
                (wide(read.to_array().unwrap()), wide(changed.to_array().unwrap()))
            }),+]
        }
    };
}

types! {
    halves, Halves: f16;
    brains, Brains: bf16;
    singles, Singles: f32;
    doubles, Doubles: f64;
}

#[test]
fn every_type_becomes_every_other() {
    let numbers = array![[1.0, -2.5], [0.125, 96.0]];
    fn both<T: Element>(numbers: &Array2<f64>, number: impl Fn(f64) -> T) -> Parameters {
        let mut archive = Parameters::default();
        let array = numbers.mapv(number);
        archive.insert("read", &array);
        archive.insert("changed", &array);
        archive
    }
    let archives = [
        both(&numbers, f16::from_f64),
        both(&numbers, bf16::from_f64),
        both(&numbers, |x| x as f32),
        both(&numbers, |x| x),
    ];
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        for archive in &archives {
            for (read, changed) in converted(&device, archive) {
                assert_eq!(read, numbers, "{archive:?}");
                assert_eq!(changed, &numbers * 2.0, "{archive:?}");
            }
        }
    }
}

#[test]
fn numbers_that_become_infinite_are_an_error() {
    let device = Device::open("local-sync").unwrap();
    let mut archive = Parameters::default();
    archive.insert(
        "read",
        &array![[1.0f32, f32::INFINITY], [f32::NAN, -65504.0]],
    );
    archive.insert("changed", &array![[1.0f32, 2.0], [3.0, -7e4]]);
    let loader = halves::Halves::loader(&device).parameters("model", &archive);
    let error = loader
        .convert_parameters()
        .load()
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        error,
        "the parameters do not fit the program `halves`:\n  \
         model::changed: Tensor<f16, 2, 2>: the archive has -70000.0, which `f16` has no room for"
    );
}

#[test]
fn what_was_converted_is_saved_as_the_program_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let device = Device::open("local-sync").unwrap();
    let mut archive = Parameters::default();
    for key in ["read", "changed"] {
        archive.insert(key, &Array2::from_elem((2, 2), f16::from_f32(0.5)));
    }
    let load =
        |archive: &Parameters| singles::Singles::loader(&device).parameters("model", archive);
    let mut program = load(&archive).convert_parameters().load().unwrap();
    program.run().unwrap();
    let path = folder.path().join("state.safetensors");
    program.save_parameters(&path).unwrap();
    let saved = Parameters::open(&path).unwrap();
    assert_eq!(saved.ty("read").unwrap().to_string(), "Tensor<f32, 2, 2>");
    let mut program = load(&saved).load().unwrap();
    let (read, changed) = program.run().unwrap();
    assert_eq!(read.to_array().unwrap(), Array2::from_elem((2, 2), 0.5));
    assert_eq!(changed.to_array().unwrap(), Array2::from_elem((2, 2), 1.5));

    // State in another type: an error, but for a program that was loaded so.
    let error = program
        .load_parameters(archive.clone())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("changed: Tensor<f32, 2, 2>: the archive has `Tensor<f16, 2, 2>`"),
        "{error}"
    );
    let mut program = load(&archive).convert_parameters().load().unwrap();
    program.load_parameters(archive).unwrap();
    let (_, changed) = program.run().unwrap();
    assert_eq!(changed.to_array().unwrap(), Array2::from_elem((2, 2), 1.0));
}

#[program]
mod layered {
    pub struct Dense {
        weight: Tensor<f32, 4, 2>,
        bias: Tensor<f32, 4>,
    }

    pub struct Layer {
        query: Dense,
        key: Dense,
    }

    pub struct Layered {
        #[global(immutable, parameter = "model")]
        layers: [Layer; 6],
    }

    impl Layered {
        pub fn run(&self, x: Tensor<f32, 2>) -> Tensor<f32, 4> {
            let mut sum = zeros::<f32, 4>();
            for layer in self.layers {
                sum += layer.query.weight.dot(x)
                    + layer.query.bias
                    + layer.key.weight.dot(x)
                    + layer.key.bias;
            }
            sum
        }
    }
}

/// The program's parameters by other names and with other elements.
fn renamed<D: Dimension>(
    name: impl Fn(&str) -> String,
    weight: &Array<impl Element, D>,
    bias: &Array1<impl Element>,
) -> Parameters {
    let mut archive = Parameters::default();
    for parameter in &layered::Layered::signature().parameters {
        let name = name(&parameter.key);
        match parameter.key.ends_with("weight") {
            true => archive.insert(name, weight),
            false => archive.insert(name, bias),
        }
    }
    archive
}

fn weight() -> Array2<f32> {
    Array2::ones((4, 2))
}

fn bias() -> Array1<f32> {
    Array1::zeros(4)
}

/// What is said of an archive, line by line, after the first line.
fn message(archive: impl Into<Parameters>) -> Vec<String> {
    let device = Device::open("local-sync").unwrap();
    let loader = layered::Layered::loader(&device).parameters("model", archive);
    match loader.load() {
        Err(error @ Error::Parameters { .. }) => {
            let text = error.to_string();
            let lines = text.lines().skip(1).map(|line| line.trim().to_owned());
            lines.collect()
        }
        Err(other) => panic!("{other:?}"),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn a_prefix_is_told_once_and_its_cure_works() {
    let mut archive = renamed(|key| format!("bert.{key}"), &weight(), &bias());
    archive.insert("cls.bias", &arr0(1.0f32));
    assert_eq!(
        message(&archive),
        [
            "model: 24 tensors are in the archive with `bert.` in front, `bert.layers.0.query.weight` for \
          `layers.0.query.weight`: give `archive.without_prefix(\"bert.\")`"
        ]
    );
    assert!(message(archive.without_prefix("bert.")).is_empty());
    let archive = renamed(|key| key.replacen("layers.", "", 1), &weight(), &bias());
    assert_eq!(
        message(&archive),
        [
            "model: 24 tensors are in the archive without `layers.` in front, `0.query.weight` for \
          `layers.0.query.weight`: give `archive.with_prefix(\"layers.\")`"
        ]
    );
    assert!(message(archive.with_prefix("layers.")).is_empty());
}

#[test]
fn other_words_in_names_are_told_once() {
    let archive = renamed(|key| key.replacen("layers", "h", 1), &weight(), &bias());
    assert_eq!(
        message(archive),
        [
            "model: 24 tensors are in the archive with `h` for `layers`, `h.0.query.weight` for \
          `layers.0.query.weight`: say so with `#[param(\"…\")]`"
        ]
    );
}

#[test]
fn the_nearest_name_is_told() {
    let archive = renamed(
        |key| match key {
            "layers.3.key.bias" => "layers.3.key.bais".to_owned(),
            key => key.to_owned(),
        },
        &weight(),
        &bias(),
    );
    assert_eq!(
        message(archive),
        [
            "model::layers.3.key.bias: Tensor<f32, 4>: no archive has it; the nearest name is `layers.3.key.bais`"
        ]
    );
}

#[test]
fn transposes_and_other_types_are_told_once() {
    let transposed = renamed(str::to_owned, &Array2::<f32>::ones((2, 4)), &bias());
    assert_eq!(
        message(transposed),
        [
            "model: 12 tensors are transposed, as `layers.0.query.weight`, which is `Tensor<f32, 2, 4>` in the archive \
          instead of `Tensor<f32, 4, 2>`: declare the transposes, and use `.t()` of them"
        ]
    );
    let halves = renamed(
        str::to_owned,
        &weight().mapv(f16::from_f32),
        &bias().mapv(f16::from_f32),
    );
    assert_eq!(
        message(halves),
        [
            "model: 24 tensors have elements of `f16` in the archive instead of `f32`, as `layers.0.query.weight`: \
          `convert_parameters()` of the loader converts them"
        ]
    );
}

#[test]
fn single_tensors_are_told_with_their_cure() {
    let mut archive = renamed(str::to_owned, &weight(), &bias());
    archive.insert("layers.0.key.weight", &Array2::<f32>::ones((2, 4)));
    archive.insert("layers.1.key.weight", &Array3::<f32>::ones((4, 1, 2)));
    archive.insert("layers.2.key.weight", &Array1::<f32>::ones(5));
    archive.insert("layers.3.key.weight", &weight().mapv(f64::from));
    assert_eq!(
        message(archive),
        [
            "model::layers.0.key.weight: Tensor<f32, 4, 2>: the archive has `Tensor<f32, 2, 4>`; declare this transpose, \
             and use `.t()` of it",
            "model::layers.1.key.weight: Tensor<f32, 4, 2>: the archive has `Tensor<f32, 4, 1, 2>`; declare these sizes, \
             and use `.reshape([…])` of it",
            "model::layers.2.key.weight: Tensor<f32, 4, 2>: the archive has `Tensor<f32, 5>`",
            "model::layers.3.key.weight: Tensor<f32, 4, 2>: the archive has `Tensor<f64, 4, 2>`; \
             `convert_parameters()` of the loader converts it",
        ]
    );
}

#[test]
fn many_problems_are_counted() {
    let mut archive = Parameters::default();
    archive.insert("something", &arr0(1.0f32));
    let lines = message(archive);
    assert_eq!(lines.len(), 11);
    assert_eq!(
        lines[0],
        "model::layers.0.query.weight: Tensor<f32, 4, 2>: no archive has it"
    );
    assert_eq!(lines[10], "… and 14 more");
    let device = Device::open("local-sync").unwrap();
    let error = layered::Layered::loader(&device)
        .load()
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        error,
        "the parameters do not fit the program `layered`:\n  \
         no archive was given for the scope `model`, which has 24 tensors, as `layers.0.query.weight`"
    );
}

#[test]
fn files_of_other_kinds_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let pointer = "version https://git-lfs.github.com/spec/v1\n\
                   oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n\
                   size 90868376\n";
    let zip = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    for (contents, expected) in [
        (
            pointer.as_bytes(),
            "it is a pointer of Git LFS to a file of 90868376 bytes, not the file itself: `git lfs pull` fetches that",
        ),
        (b"", "it is empty"),
        (b"<!DOCTYPE html><html>", "it is a web page or XML"),
        (b"GGUF\x03\0\0\0", "it is a GGUF file"),
        (
            br#"{"metadata": {}, "weight_map": {}}"#,
            "the index of a model in several files",
        ),
        (zip, ""),
    ] {
        fs::write(&path, contents).unwrap();
        let opened = Parameters::open(&path);
        match opened {
            Err(error) => {
                let error = error.to_string();
                assert!(
                    error.contains("model.safetensors: ") && error.contains(expected),
                    "{error}"
                );
            }
            // An archive without tensors.
            Ok(archive) => assert_eq!((expected, archive.keys().count()), ("", 0)),
        }
    }
    // The name does not matter: what is an archive of IREE is read as one.
    let mut program = singles::Singles::loader(&Device::open("local-sync").unwrap())
        .parameters("model", renamed_singles())
        .load()
        .unwrap();
    program.run().unwrap();
    let irpa = folder.path().join("state.irpa");
    program.save_parameters(&irpa).unwrap();
    fs::copy(&irpa, &path).unwrap();
    let archive = Parameters::open(&path).unwrap();
    assert_eq!(archive.keys().collect::<Vec<_>>(), ["changed", "read"]);
    // It says no types, so nothing of it is converted.
    let device = Device::open("local-sync").unwrap();
    let loader = halves::Halves::loader(&device).parameters("model", &archive);
    let error = loader
        .convert_parameters()
        .load()
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("the archive has 16 bytes instead of 8; it says no types"),
        "{error}"
    );
}

fn renamed_singles() -> Parameters {
    let mut archive = Parameters::default();
    archive.insert("read", &Array::<f32, Ix2>::ones((2, 2)));
    archive.insert("changed", &Array::<f32, Ix2>::ones((2, 2)));
    archive
}
