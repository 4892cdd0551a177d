use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Compares texts by their meaning.
#[derive(Parser, Debug)]
#[command(name = "bert")]
pub(crate) struct Options {
    /// The folder with `model.safetensors` and `tokenizer.json`, which `./x model` fetches
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.tools/minilm"))]
    pub(crate) model: PathBuf,
    /// Where to compute: local-task (all cores) or local-sync (one)
    #[arg(long, default_value = "local-task")]
    pub(crate) device: String,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Prints the vector of each text, after its similarity to the first
    Embed {
        #[arg(required = true, value_name = "TEXT")]
        texts: Vec<String>,
    },
    /// Finds the lines of a text file that are nearest to a query in meaning
    Search {
        /// A text file with a sentence, or some, in each line
        file: PathBuf,
        /// What to look for
        query: String,
        /// How many lines to print
        #[arg(short = 'k', long, default_value_t = 5)]
        best: usize,
    },
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Options::command().debug_assert();
}
