//! Times programs of the language next to the same work in JAX or PyTorch, candle and ndarray, in one run.
//!
//! With `--gradients`, it is derivatives, with `--model` one whole model.
//!
//! Every side gets the same numbers and computes the same, which is compared first. Then they take turns,
//! so that what else the machine does disturbs all of them alike.

mod contest;
mod model;
mod options;
mod python;
mod side;
mod statistics;
mod table;
mod work;

use anyhow::{Context, Result};
use clap::Parser;
use iree_dsl::Device;
use options::Options;
use python::Python;

fn main() -> Result<()> {
    let options = Options::parse();
    if options.model {
        return model::time(&options);
    }
    let (device, other_device) = options.devices();
    let device = Device::open(&device).context("the device")?;
    let library = options.library();
    let mut python = match &options.python {
        Some(python) => Some(Python::start(
            library,
            python,
            options.threads,
            &other_device,
        )?),
        None => {
            let name = library.name();
            eprintln!("without {name}: set IREE_DSL_ORACLE_PYTHON to a Python that has it");
            None
        }
    };
    let mut rows = Vec::new();
    for work in work::of(&options).filter(|work| options.names(work.name)) {
        eprintln!("{}", work.name);
        rows.push(contest::hold(&work, &device, python.as_mut(), &options)?);
    }
    print!(
        "{}",
        table::written(&rows, &contest::names(&options), options.markdown)
    );
    Ok(())
}
