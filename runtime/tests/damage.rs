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

/// The bytecode of a module without code for the device, which would be a file of its own. It calls what it imports.
fn bytecode() -> Vec<u8> {
    let module = compile(
        "module @zeros { func.func @zeros() -> tensor<4xf32> {
           %zeros = arith.constant dense<0.0> : tensor<4xf32>
           return %zeros : tensor<4xf32>
        } }",
    );
    let mut archive = ZipArchive::new(Cursor::new(&module)).unwrap();
    let mut bytecode = Vec::new();
    let mut file = archive.by_name("module.fb").unwrap();
    file.read_to_end(&mut bytecode).unwrap();
    assert!(Module::from_bytes(&packed(&bytecode)).is_ok());
    bytecode
}

/// How often writing these bytes somewhere makes a module that is refused with such an error.
fn refused(
    bytecode: &[u8],
    positions: impl IntoIterator<Item = usize>,
    bytes: &[u8],
    expected: impl Fn(Error) -> bool,
) -> usize {
    let is_expected = |at: &usize| {
        let mut damaged = bytecode.to_vec();
        damaged[*at..*at + bytes.len()].copy_from_slice(bytes);
        Module::from_bytes(&packed(&damaged)).is_err_and(&expected)
    };
    positions.into_iter().filter(is_expected).count()
}

fn is_damaged(expected: &str) -> impl Fn(Error) -> bool {
    move |error| matches!(error, Error::Damaged { reason } if reason.contains(expected))
}

#[test]
fn a_module_that_asks_for_more_memory_than_it_needs_is_refused() {
    // Among the numbers is how many blocks a function has, which IREE takes memory for: 16 GiB if it is negative.
    let is_refused =
        |error| matches!(error, Error::Load { source } if source.code() == Code::ResourceExhausted);
    let (bytecode, count) = (bytecode(), (-3069i16).to_le_bytes());
    let positions = (0..bytecode.len() - 2).step_by(2);
    assert!(refused(&bytecode, positions, &count, is_refused) > 0);
}

#[test]
fn a_call_of_a_function_that_is_not_there_is_refused() {
    // IREE would look for the signature of the function 8 GiB behind those that there are.
    let (bytecode, number) = (bytecode(), 0x7fff_fff0u32.to_le_bytes());
    let is_refused = is_damaged("it calls function 2147483632");
    let positions = 0..bytecode.len() - 4;
    assert!(refused(&bytecode, positions, &number, is_refused) > 0);
}

#[test]
fn an_import_without_a_signature_is_refused() {
    // A zero in the table that says where fields are: the field is not there, and IREE follows a null pointer.
    let bytecode = bytecode();
    let is_refused = is_damaged("an import has no signature");
    let positions = (0..bytecode.len() - 2).step_by(2);
    assert!(refused(&bytecode, positions, &[0; 2], is_refused) > 0);
}

#[test]
fn a_calling_convention_that_is_too_long_is_refused() {
    // A string behind all else, for whose length the 16 bits of IREE's counter are too few.
    let mut bytecode = bytecode();
    bytecode.resize(bytecode.len().next_multiple_of(4), 0);
    let end = bytecode.len();
    let convention = format!("0v_{}", "v".repeat(1 << 16));
    bytecode.extend((convention.len() as u32).to_le_bytes());
    bytecode.extend(convention.as_bytes());
    bytecode.push(0);
    let length = bytecode.len() as u32 - 4;
    bytecode[..4].copy_from_slice(&length.to_le_bytes());
    // References to the calling conventions that there are lead there instead.
    let number = |at: usize| Some(u32::from_le_bytes(*bytecode.get(at..)?.first_chunk()?) as usize);
    let leads_to_convention = |at: &usize| {
        let text = number(*at).and_then(|distance| bytecode.get(at + distance + 4..));
        text.is_some_and(|text| text.starts_with(b"0"))
    };
    let references = (4..end).step_by(4).filter(leads_to_convention);
    let is_refused = is_damaged("a calling convention has 65539 characters");
    let refused = references.map(|at| {
        let reference = (end - at) as u32;
        refused(&bytecode, [at], &reference.to_le_bytes(), &is_refused)
    });
    assert!(refused.sum::<usize>() > 0);
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
