//! The meaning of texts as vectors, by all-MiniLM-L6-v2, a BERT encoder whose weights `./x model` fetches.
//!
//! ```sh
//! cargo run --release --example bert -- embed "A cat sleeps." "A kitten dozes."
//! cargo run --release --example bert -- search guide/src/sizes.md "What is checked when a procedure is called?"
//! ```

mod batches;
mod embedder;
mod model;
mod options;
#[cfg(test)]
mod reference;
mod search;
#[cfg(test)]
mod tests;

use clap::Parser;
use embedder::Embedder;
use indicatif::{ProgressBar, ProgressStyle};
use iree_dsl::prelude::*;
use options::{Command, Options};
use search::Passages;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<()> {
    // What is quick to find wrong comes before the weights are loaded.
    let passages = match &options.command {
        Command::Search { file, .. } => Some(Passages::read(file)?),
        Command::Embed { .. } => None,
    };
    let device = Device::open(&options.device)?;
    let embedder = Embedder::open(&options.model, &device)?;
    match (&options.command, passages) {
        (Command::Search { query, best, .. }, Some(passages)) => {
            search(&embedder, &passages, query, *best)
        }
        (Command::Embed { texts }, _) => embed(&embedder, texts),
        (Command::Search { .. }, None) => Ok(()),
    }
}

/// Prints the vector of each text, and how similar each is to the first.
fn embed(embedder: &Embedder, texts: &[String]) -> anyhow::Result<()> {
    let vectors = embedder.embed(texts, |_| ())?;
    let similarities = vectors.dot(&vectors.row(0));
    for ((text, vector), similarity) in texts.iter().zip(vectors.outer_iter()).zip(similarities) {
        println!("{similarity:.3} {text}");
        println!("{vector}");
    }
    Ok(())
}

/// Prints the lines that are nearest to the query.
fn search(
    embedder: &Embedder,
    passages: &Passages,
    query: &str,
    best: usize,
) -> anyhow::Result<()> {
    let query = embedder.embed(&[query.to_owned()], |_| ())?;
    let progress = progress(passages.texts.len());
    let vectors = embedder.embed(&passages.texts, |done| progress.inc(done as u64))?;
    progress.finish_and_clear();
    let scores = vectors.dot(&query.row(0)).to_vec();
    for place in search::best(&scores, best) {
        let (number, text) = (passages.numbers[place], &passages.texts[place]);
        println!("{:.3} {number:>4}: {text}", scores[place]);
    }
    Ok(())
}

fn progress(texts: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("reading {bar:20} {pos}/{len}  {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(texts as u64).with_style(style)
}
