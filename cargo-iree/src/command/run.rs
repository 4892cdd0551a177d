use crate::{
    input::Missing,
    output::say,
    print::Style,
    running::{Ready, Running},
    scratch,
};
use anyhow::{Context, Result};
use iree_abi::Leaf;
use iree_runtime::HostArray;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Calls a procedure and prints its results, or writes them to files
#[derive(Debug, clap::Args)]
pub(super) struct Run {
    /// Write the results as NumPy files to this folder: `result.npy`, or one for each leaf
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Write the globals that the program changed, for --load-state: .irpa or .safetensors
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    running: Running,
}

impl Run {
    pub(super) fn run(self) -> Result<ExitCode> {
        let ready = self.running.prepare(Missing::Refused)?;
        let results = results(&ready)?;
        for (name, array) in &results {
            match &self.output {
                Some(folder) => write(folder, name, array)?,
                None => say!("{name}: {}\n{}", array.ty(), self.style.text(array)),
            }
        }
        if let Some(path) = &self.save_state {
            ready.program.save_parameters(path)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The results on the host, by name.
fn results(ready: &Ready) -> Result<Vec<(String, HostArray)>> {
    let leaves = &ready.procedure.results;
    let arrays = ready.call()?;
    let named = leaves.iter().zip(&arrays).map(|(leaf, array)| {
        let array = array.to_host(Some(leaf.ty.dtype))?;
        Ok((name(leaf), array))
    });
    named.collect()
}

fn name(leaf: &Leaf) -> String {
    match leaf.path.as_str() {
        "" => "result".to_owned(),
        path => path.to_owned(),
    }
}

fn write(folder: &Path, name: &str, array: &HostArray) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let path = folder.join(format!("{name}.npy"));
    scratch::replace(&path, |path| Ok(array.save_npy(path)?))?;
    say!("{name}: {} in {}", array.ty(), path.display());
    Ok(())
}
