//! What benchmarks share.

use std::{env, process::Command};

/// The middle one of some times.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A script in the Python that has JAX; `None`, with a line that says how to get it, if none is named.
pub(crate) fn python(script: &str) -> Option<Command> {
    const PYTHON: &str = "IREE_DSL_ORACLE_PYTHON";
    let Some(python) = env::var_os(PYTHON) else {
        println!("without JAX: {PYTHON} names no Python that has `tests/oracle/requirements.txt`");
        return None;
    };
    let mut command = Command::new(python);
    command.args(["-c", script]);
    Some(command)
}
