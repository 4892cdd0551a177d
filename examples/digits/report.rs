//! What the user sees.

use crate::{dataset::Dataset, digits::Classifier, plot, table::Table, training::Accuracy};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

pub(crate) fn data(table: &Table, dataset: &Dataset) {
    println!(
        "{} rows of {} numbers, {} classes: {}",
        table.labels.len(),
        table.features.ncols(),
        table.classes.len(),
        table.classes.join(", ")
    );
    println!(
        "{} to learn from, {} held out",
        dataset.training.len(),
        dataset.held_out.len()
    );
}

pub(crate) fn progress(epochs: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("training {bar:20} {pos}/{len}  {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(epochs.into()).with_style(style)
}

pub(crate) fn epoch(progress: &ProgressBar, losses: &[f32], accuracy: Accuracy) {
    let loss = losses.last().copied().unwrap_or_default();
    progress.set_message(format!("loss {loss:.4}  held-out accuracy {accuracy}"));
    progress.inc(1);
}

pub(crate) fn result(losses: &[f32], accuracy: Accuracy) {
    if let [first, .., last] = losses {
        let epochs = losses.len();
        println!("loss: {first:.4} in the first epoch, {last:.4} after {epochs} epochs");
    }
    println!("held-out accuracy: {accuracy}");
}

/// Draws the loss, and says where that and the compiled program are.
pub(crate) fn files(plot: Option<&Path>, losses: &[f32]) -> Result<()> {
    let folder = build_folder();
    let plot = plot.map_or_else(
        || folder.clone().unwrap_or_default().join("digits-loss.svg"),
        Path::to_owned,
    );
    plot::draw_loss(&plot, "Loss on the training rows", "epoch", losses)?;
    println!("plot of the loss: {}", shorten(&plot).display());
    if let Some(folder) = folder {
        for path in compiled_program(&folder)? {
            println!("compiled program: {}", shorten(&path).display());
        }
    }
    Ok(())
}

/// A path as seen from where the user is.
fn shorten(path: &Path) -> &Path {
    env::current_dir()
        .ok()
        .and_then(|here| path.strip_prefix(here).ok())
        .unwrap_or(path)
}

/// Where the build put the compiled programs of this package.
fn build_folder() -> Option<PathBuf> {
    let executable = env::current_exe().ok()?;
    executable
        .ancestors()
        .map(|folder| folder.join("iree").join(env!("CARGO_PKG_NAME")))
        .find(|folder| folder.is_dir())
}

fn compiled_program(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.split('.').next() == Some(Classifier::NAME)
        })
        .collect();
    paths.sort();
    Ok(paths)
}
