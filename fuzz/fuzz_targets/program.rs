//! Whatever a program's tokens are, every stage up to MLIR ends without a mistake of ours. Inputs are texts
//! of programs; they start from those of the tests, the guide and the examples, and change by tokens.

#![no_main]

#[path = "../../compiler/tests/suite/mutations/stages.rs"]
mod stages;
#[path = "../../compiler/tests/suite/mutations/tokens.rs"]
mod tokens;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use proc_macro2::{TokenStream, TokenTree};
use std::str;
use tokens::{Random, mutated, pool, seeds};

fuzz_target!(|text: &str| {
    let Ok(program) = text.parse::<TokenStream>() else {
        return;
    };
    if let Err(mistake) = stages::run_stages(program) {
        panic!("{mistake}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random(u64::from(seed));
    let program = changed(&data[..size], &mut random).to_string();
    let length = program.len().min(max_size).min(data.len());
    data[..length].copy_from_slice(&program.as_bytes()[..length]);
    length
});

thread_local! {
    /// Programs to start from, and what is put into them.
    static START: (Vec<TokenStream>, Vec<TokenTree>) = {
        let seeds = seeds();
        let pool = pool(&seeds);
        (seeds, pool)
    };
}

/// The program with a few mutations, or another program to start from.
fn changed(text: &[u8], random: &mut Random) -> TokenStream {
    let program = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let program = program.filter(|program: &TokenStream| !program.is_empty());
    START.with(|(seeds, pool)| {
        let mut program = match program {
            Some(program) if random.below(50) != 0 => program,
            _ => seeds[random.below(seeds.len())].clone(),
        };
        for _ in 0..=random.below(3) {
            program = mutated(program, pool, random);
        }
        program
    })
}
