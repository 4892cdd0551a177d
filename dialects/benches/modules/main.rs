//! How long a module of 100,000 operations takes to build, and how much memory, next to MLIR's C API, melior's
//! builder of operations and the Python bindings.
//!
//! `cargo bench -p iree-dialects`; the Python is `IREE_DSL_ORACLE_PYTHON`, and one that has no bindings is left out. Each side has processes
//! of its own, in turns.

mod c;
mod melior;
mod python;
mod side;
mod typed;
mod work;

use side::Side;
use std::{env, process::ExitCode};
use work::Work;

/// How often each side has its turn.
const TURNS: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [one, side, work] if one == "--one" => side::run_here(side, work),
        _ => compare(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<(), Box<dyn std::error::Error>> {
    if cfg!(debug_assertions) {
        println!("These are times of a debug build.");
    }
    println!("| module | side | ms | ns an operation | to C | MiB |");
    println!("|---|---|--:|--:|--:|--:|");
    for work in Work::ALL {
        let mut best = Side::ALL.map(|_| None);
        for _ in 0..TURNS {
            for (side, best) in Side::ALL.into_iter().zip(&mut best) {
                *best = side::quicker(*best, side.run(work)?);
            }
        }
        let [c, ..] = best;
        for (side, best) in Side::ALL.into_iter().zip(best) {
            let Some(best) = best else {
                println!("| {} | {} | absent | | | |", work.name(), side.name());
                continue;
            };
            println!(
                "| {} | {} | {:.1} | {:.0} | {} | {:.1} |",
                work.name(),
                side.name(),
                best.seconds * 1e3,
                best.seconds * 1e9 / work::OPERATIONS as f64,
                c.map_or_else(String::new, |c| format!("{:.2}", best.seconds / c.seconds)),
                best.mebibytes,
            );
        }
    }
    Ok(())
}
