use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Trains a small GPT on a text, and has it write more of the kind.
#[derive(Parser, Debug)]
#[command(name = "gpt")]
pub(crate) struct Options {
    /// Where to compute: local-task (all cores) or local-sync (one)
    #[arg(long, global = true, default_value = "local-task")]
    pub(crate) device: String,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Learns from a text
    Train(Train),
    /// Goes on with a text
    Write(Write),
}

#[derive(Args, Debug)]
pub(crate) struct Train {
    /// A text to learn from; without it, sonnets of Shakespeare
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// How many batches to learn from, with those of an earlier run that is resumed
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) steps: i32,
    /// The highest learning rate
    #[arg(long, default_value_t = 3e-3)]
    pub(crate) rate: f32,
    /// Chooses the first weights, and what is learnt from when
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u32,
    /// A file that an earlier run saved, to go on from
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Where to save what was learnt, at the end and on Ctrl-C
    #[arg(long, value_name = "FILE.irpa")]
    pub(crate) save: Option<PathBuf>,
    /// Where to put a plot of the loss
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Write {
    /// A file that training saved
    pub(crate) model: PathBuf,
    /// How the text begins
    #[arg(long, default_value = "\n")]
    pub(crate) prompt: String,
    /// How many bytes to write
    #[arg(long, default_value_t = 600)]
    pub(crate) length: usize,
    /// How bold to be: 0 always takes the likeliest
    #[arg(long, default_value_t = 0.8)]
    pub(crate) temperature: f32,
    /// Chooses among what is likely
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u32,
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Options::command().debug_assert();
}
