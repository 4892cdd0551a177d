//! Feeds a text to the program.

use crate::{
    interrupt,
    options::Train,
    plot,
    writer::{BATCH, CONTEXT, Writer},
    writing,
};
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use iree_dsl::{Parameters, prelude::*};
use ndarray::Array1;
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

/// Sonnets of Shakespeare.
pub(crate) const SONNETS: &[u8] = include_bytes!("../data/sonnets.txt");

/// Trains, saves, draws the loss, and shows what was learnt.
pub(crate) fn train(device: &Device, mut program: Writer, options: &Train) -> Result<()> {
    let text = device.upload(&read(options.data.as_deref())?)?;
    match &options.resume {
        Some(path) => resume(&mut program, path)?,
        None => program.begin(options.seed)?,
    }
    let start = Instant::now();
    let losses = learn(&mut program, &text, options)?;
    report(&losses, start.elapsed());
    if let Some(path) = &options.save {
        program.save_parameters(path)?;
        println!("saved: {}", path.display());
    }
    if let (Some(path), [_, ..]) = (&options.plot, &losses[..]) {
        plot::draw_loss(path, "Loss", "step", &losses)?;
        println!("plot of the loss: {}", path.display());
    }
    println!();
    writing::go_on(&mut program, "\n", 300, 0.8, options.seed)
}

/// The bytes of a text, or of the sonnets.
fn read(path: Option<&Path>) -> Result<Array1<u8>> {
    let Some(path) = path else {
        return Ok(SONNETS.iter().copied().collect());
    };
    let text = fs::read(path).with_context(|| path.display().to_string())?;
    ensure!(
        text.len() > CONTEXT,
        "{}: there are {} bytes; more than {CONTEXT} are needed",
        path.display(),
        text.len()
    );
    Ok(text.into())
}

/// Takes up what an earlier run saved.
pub(crate) fn resume(program: &mut Writer, path: &Path) -> Result<()> {
    let name = || path.display().to_string();
    let archive = Parameters::open(path).with_context(name)?;
    program.load_parameters(archive).with_context(name)
}

/// The loss of each step; fewer than asked for if the user pressed Ctrl-C.
fn learn(
    program: &mut Writer,
    text: &DeviceArray<u8, ndarray::Ix1>,
    options: &Train,
) -> Result<Vec<f32>> {
    let interrupt = interrupt::catch()?;
    let done = program.steps()?.to_scalar()?;
    let progress = progress(done, options.steps);
    let mut losses = Vec::new();
    for _ in done..options.steps {
        let loss = program.train(text, options.rate, options.steps)?;
        losses.push(loss.to_scalar()?);
        progress.set_message(format!("loss {:.3}", recent(&losses)));
        progress.inc(1);
        if interrupt.is_set() {
            break;
        }
    }
    progress.abandon();
    Ok(losses)
}

fn report(losses: &[f32], elapsed: Duration) {
    if let [first, ..] = losses {
        let tokens = (losses.len() * BATCH * CONTEXT) as f64;
        let speed = tokens / elapsed.as_secs_f64();
        let (steps, last) = (losses.len(), recent(losses));
        println!("loss: {first:.3} at first, {last:.3} after {steps} steps");
        println!("{speed:.0} tokens per second");
    }
}

/// The mean of the last losses, which go up and down by the batch.
fn recent(losses: &[f32]) -> f32 {
    let last = &losses[losses.len().saturating_sub(10)..];
    last.iter().sum::<f32>() / last.len() as f32
}

fn progress(done: i32, steps: i32) -> ProgressBar {
    let style = "training {bar:20} {pos}/{len}  {per_sec}  {eta} left  {msg}";
    let style = ProgressStyle::with_template(style);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(steps.max(done) as u64).with_style(style);
    bar.set_position(done as u64);
    bar.reset_eta();
    bar
}
