//! A damaged VMFB is an error, or loads as the undamaged one does; it never ends the process.
//!
//! The damage is done in a child process, so that a crash is a failure of the test and names the file
//! that caused it.

mod common;

use common::{compile, folder};
use iree_runtime::{Code, Device, Error, Module, Session};
use ndarray::{Ix1, arr1};
use std::{
    env, fs,
    io::{Cursor, Read, Write},
    path::PathBuf,
    process::Command,
};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// Code, a constant outside the FlatBuffer, and a global.
const MLIR: &str = "
module @scaled {
  util.global private mutable @total = dense<0.0> : tensor<512xf32>
  func.func @scale(%a: tensor<512xf32>) -> tensor<512xf32> {
    %weights = util.unfoldable_constant dense<WEIGHTS> : tensor<512xf32>
    %total = util.global.load @total : tensor<512xf32>
    %0 = arith.mulf %a, %weights : tensor<512xf32>
    %1 = arith.addf %0, %total : tensor<512xf32>
    util.global.store %1, @total : tensor<512xf32>
    return %1 : tensor<512xf32>
  }
}";

/// What names the folder of the undamaged file to the child.
const FOLDER: &str = "IREE_RUNTIME_DAMAGE_FOLDER";

#[test]
fn damaged_modules_are_errors() {
    let folder = folder();
    let weights: Vec<String> = (0..512).map(|i| format!("{}.0", i % 7)).collect();
    let mlir = MLIR.replace("WEIGHTS", &format!("[{}]", weights.join(", ")));
    fs::write(folder.join("module.vmfb"), compile(&mlir)).unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(FOLDER, &folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let last = fs::read_to_string(folder.join("last")).unwrap_or_default();
    assert!(
        output.status.success(),
        "{} after `{last}`\n{text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    // That the child did its work, and that the checks let something through at all.
    let count = |key: &str| -> usize {
        let found = text.split_once(key).expect("the child reports").1;
        found.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(count("refused=") > 10_000, "{text}");
    assert!(count("unharmed=") > 0, "{text}");
}

/// A module with other bytecode, as the compiler would pack it: its checksum does not tell.
fn packed(bytecode: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .with_alignment(64);
    archive.start_file("module.fb", options).unwrap();
    archive.write_all(bytecode).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_module_that_asks_for_more_memory_than_it_needs_is_refused() {
    // Without code for the device, which would be a file of its own.
    let module = compile(
        "module @same { func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> } }",
    );
    let mut archive = ZipArchive::new(Cursor::new(&module)).unwrap();
    let mut bytecode = Vec::new();
    let mut file = archive.by_name("module.fb").unwrap();
    file.read_to_end(&mut bytecode).unwrap();
    assert!(Module::from_bytes(&packed(&bytecode)).is_ok());
    // Among the numbers is how many blocks a function has, which IREE takes memory for: 16 GiB if it is negative.
    let refused = (0..bytecode.len() - 2).step_by(2).filter(|at| {
        let mut damaged = bytecode.clone();
        damaged[*at..*at + 2].copy_from_slice(&(-3069i16).to_le_bytes());
        let Err(Error::Load { source }) = Module::from_bytes(&packed(&damaged)) else {
            return false;
        };
        source.code() == Code::ResourceExhausted
    });
    assert!(refused.count() > 0);
}

#[test]
#[ignore = "runs in the child process of the other test"]
fn child() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let original = fs::read(folder.join("module.vmfb")).unwrap();
    let device = Device::open("local-sync").unwrap();
    let expected = run(&device, &original).unwrap();
    let (mut refused, mut unharmed) = (0, 0);
    let mut attempt = |name: String, bytes: &[u8]| {
        // Cheap enough to do always, and what is left when the process is gone.
        fs::write(folder.join("last"), &name).unwrap();
        match run(&device, bytes) {
            Ok(result) => {
                assert_eq!(result, expected, "{name}");
                unharmed += 1;
            }
            Err(Error::Damaged { .. } | Error::Load { .. }) => refused += 1,
            Err(other) => panic!("{name}: {other}"),
        }
    };
    for length in 0..original.len() {
        attempt(format!("cut at {length}"), &original[..length]);
    }
    let mut random = Random(42);
    for position in 0..original.len() {
        let mut bytes = original.clone();
        bytes[position] ^= 1 << random.below(8);
        attempt(format!("bit flipped in byte {position}"), &bytes);
    }
    for seed in 0..2_000 {
        attempt(
            format!("damaged with seed {seed}"),
            &damage(&original, seed),
        );
    }
    println!("refused={refused} unharmed={unharmed} ");
}

/// Bytes replaced, zeroed, moved, doubled or lost, here and there.
fn damage(original: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(4) {
        let start = random.below(bytes.len());
        let end = (start + 1 + random.below(64)).min(bytes.len());
        let piece = bytes[start..end].to_vec();
        let target = random.below(bytes.len() - piece.len() + 1);
        match random.below(5) {
            0 => bytes[start..end].fill_with(|| random.below(256) as u8),
            1 => bytes[start..end].fill(0),
            2 => bytes[target..target + piece.len()].copy_from_slice(&piece),
            3 => drop(bytes.splice(target..target, piece)),
            _ => drop(bytes.drain(start..end)),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

fn run(device: &Device, bytes: &[u8]) -> Result<[Vec<f32>; 2], Error> {
    let module = Module::from_bytes(bytes)?;
    let session = Session::new(device, [&module])?;
    let scale = session.function("scale")?;
    let ones = arr1(&[1.0f32; 512]);
    let call = || {
        let result = &scale.call(&[&ones])?[0];
        Ok::<_, Error>(result.downcast::<f32, Ix1>()?.to_array()?.to_vec())
    };
    Ok([call()?, call()?])
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound as u64) as usize
    }
}
