use clap::Parser;
use std::path::PathBuf;

/// Trains a classifier on the device, and tells how well it does on rows that it has not seen.
#[derive(Parser, Debug)]
#[command(name = "digits")]
pub(crate) struct Options {
    /// A table in CSV, with the label in the last column; without it, the handwritten digits
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// How often training sees each row
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) epochs: u32,
    /// Chooses the first weights, the order of the rows, and which are held out
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Where to compute: local-task (all cores) or local-sync (one)
    #[arg(long, default_value = "local-task")]
    pub(crate) device: String,
    /// Where to put the plot of the loss; without it, next to the compiled program
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Options::command().debug_assert();
}
