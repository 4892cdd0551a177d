//! Archives of parameters, opened and read.
#![no_main]

mod archive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| archive::read(bytes, "safetensors"));
