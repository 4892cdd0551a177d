use crate::work::{OPERATIONS, Work};
use std::{env, process::Command};

/// What measures a module in Python, if there is a Python with MLIR's bindings.
pub(crate) fn command(work: Work) -> Option<Command> {
    let mut command = Command::new(env::var_os("IREE_DSL_ORACLE_PYTHON")?);
    let script = include_str!("modules.py");
    command.args(["-c", script, work.name(), &OPERATIONS.to_string()]);
    Some(command)
}
