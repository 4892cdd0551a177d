//! Times programs of the language next to the same work in JAX, candle and ndarray, in one run.
//!
//! Every side gets the same numbers and computes the same, which is compared first. Then they take turns,
//! so that what else the machine does disturbs all of them alike.

mod contest;
mod jax;
mod options;
mod side;
mod statistics;
mod table;
mod work;

use anyhow::{Context, Result};
use clap::Parser;
use iree_dsl::Device;
use jax::Jax;
use options::Options;

fn main() -> Result<()> {
    let options = Options::parse();
    let device = match options.threads {
        1 => "local-sync".to_owned(),
        workers => format!("local-task?workers={workers}"),
    };
    let device = Device::open(&device).context("the device")?;
    let mut jax = match &options.python {
        Some(python) => Some(Jax::start(python, options.threads)?),
        None => {
            eprintln!("without JAX: set IREE_DSL_ORACLE_PYTHON to a Python that has it");
            None
        }
    };
    let mut rows = Vec::new();
    for work in work::all().filter(|work| options.names(work.name)) {
        eprintln!("{}", work.name);
        rows.push(contest::hold(&work, &device, jax.as_mut(), &options)?);
    }
    print!("{}", table::written(&rows, options.markdown));
    Ok(())
}
