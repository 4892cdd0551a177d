//! Shows what becomes of a source: `cargo run -p calc -- numbers.calc`.

use std::{
    env,
    error::Error,
    fs,
    io::{self, Write},
    process::ExitCode,
};

use iree_dialects::{Form, Locations, print};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: calc FILE")?;
    let source = fs::read_to_string(&path)?;
    let context = calc::context();
    let mut module =
        calc::compile(&context, &path, &source).map_err(|error| format!("{path}:{error}"))?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", print(&module, Form::Pretty, Locations::Omit))?;
    for pipeline in [calc::simplify(), calc::to_llvm()] {
        let (trace, result) = pipeline.trace(&mut module, |_| true);
        for step in trace.changed() {
            let (pass, operation) = (step.pass(), step.operation());
            writeln!(output, "// {pass} of {operation}\n{}", step.difference())?;
        }
        result?;
    }
    Ok(())
}
