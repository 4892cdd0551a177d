//! The bytecode of a module, as the compiler would pack it: with checksums, which would otherwise find
//! every change first. What IREE accepts is read, not run.
#![no_main]

use iree_runtime::Module;
use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Write};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

fn packed(bytecode: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .with_alignment(64);
    archive.start_file("module.fb", options).expect("memory");
    archive.write_all(bytecode).expect("memory");
    archive.finish().expect("memory").into_inner()
}

fuzz_target!(|bytecode: &[u8]| {
    // As they are, for what reads the archive.
    let _ = Module::from_bytes(bytecode);
    if let Ok(module) = Module::from_bytes(&packed(bytecode)) {
        let _ = format!("{module:?}");
    }
});
