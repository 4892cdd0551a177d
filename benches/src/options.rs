use crate::{python::Library, side::Clock};
use clap::Parser;
use std::path::PathBuf;

/// Times programs of the language next to the same work in JAX or PyTorch, candle and ndarray
#[derive(Parser, Debug)]
#[command(name = "iree-dsl-benches")]
pub(crate) struct Options {
    /// Only work with one of these in its name
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// How often each side has its turn
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// How long a turn takes at least, in milliseconds
    #[arg(long, default_value_t = 60, value_name = "MS")]
    pub(crate) turn: u64,
    /// What is measured
    #[arg(long, value_enum, default_value_t = Clock::Wall)]
    pub(crate) clock: Clock,
    /// How many threads each side uses
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: u32,
    /// The device of iree-dsl, and of PyTorch, if not the CPU; candle and ndarray are left out for another
    #[arg(long, value_name = "DEVICE", requires = "torch")]
    pub(crate) device: Option<String>,
    /// Compare with PyTorch instead of JAX
    #[arg(long)]
    pub(crate) torch: bool,
    /// Time derivatives next to those of JAX
    #[arg(long, conflicts_with = "torch")]
    pub(crate) gradients: bool,
    /// Time all-MiniLM-L6-v2, which `./x model` fetches, next to JAX, candle and ONNX Runtime, on one thread and on so many
    #[arg(long, conflicts_with_all = ["torch", "only", "gradients"])]
    pub(crate) model: bool,
    /// A Python that has JAX, as in `tests/oracle/requirements.txt`, or PyTorch
    #[arg(long, env = "IREE_DSL_ORACLE_PYTHON", value_name = "FILE")]
    pub(crate) python: Option<PathBuf>,
    /// Leave candle and ndarray out
    #[arg(long)]
    pub(crate) python_only: bool,
    /// Print the table as Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
}

impl Options {
    /// What is run in Python.
    pub(crate) const fn library(&self) -> Library {
        match self.torch {
            true => Library::Torch,
            false => Library::Jax,
        }
    }

    /// The devices of iree-dsl and of the library.
    pub(crate) fn devices(&self) -> (String, String) {
        let device = match (&self.device, self.threads) {
            (Some(device), _) => device.clone(),
            (None, 1) => "local-sync".to_owned(),
            (None, workers) => format!("local-task?workers={workers}"),
        };
        let other = match device.split_once("://") {
            _ if device.starts_with("local-") => "cpu".to_owned(),
            // PyTorch counts GPUs so, whoever made them.
            Some((_, ordinal)) => format!("cuda:{ordinal}"),
            None => "cuda:0".to_owned(),
        };
        (device, other)
    }

    /// Whether candle and ndarray, which are on the CPU, take part.
    pub(crate) fn compares_crates(&self) -> bool {
        !self.python_only && self.device.is_none()
    }

    /// Whether work of that name is asked for.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Options::command().debug_assert();
}
