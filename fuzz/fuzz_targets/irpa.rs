//! Archives of parameters, read and uploaded.
#![no_main]

mod archive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| archive::read(bytes, "irpa"));
