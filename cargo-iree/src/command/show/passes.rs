//! What passes did.

use super::{Show, Stage, arguments};
use crate::{advice::Advice, output::say, programs::Program, table::Table, toolchain::Compiler};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use iree_abi::build::Compilation;
use iree_dialects_trace::{OPTIONS, Step, Trace};
use std::{cell::RefCell, collections::BTreeSet, fmt::Write as _};

/// Prints the passes of the stage `legalize`, and what each did to a program.
pub(super) fn of_legalize(program: &Program) -> Result<()> {
    let titles = ["pass", "edits", "what it does", "what IREE does otherwise"];
    let mut table = Table::new(titles).texts_at_end(2);
    for pass in program.passes()? {
        let edits = pass.edits.map(|edits| edits.to_string());
        table.row([
            pass.name.clone(),
            edits.unwrap_or_else(|| "left out".to_owned()),
            pass.summary.clone(),
            pass.avoids.clone(),
        ]);
    }
    table.print();
    Ok(())
}

/// Prints those passes of the IREE compiler that changed something, with their numbers.
pub(super) fn list(trace: &Trace) {
    let titles = ["pass", "number", "lines out", "lines in", "operation"];
    let mut table = Table::new(titles).texts_at_end(1);
    for (number, step) in numbered(trace).filter(|(_, step)| step.is_change()) {
        let lines = step.lines();
        table.row([
            step.pass().to_owned(),
            number.to_string(),
            lines.removed.to_string(),
            lines.added.to_string(),
            step.operation().to_owned(),
        ]);
    }
    table.print();
    let (all, changed) = (trace.steps().len(), trace.changed().count());
    say!("{} of {all} runs of passes changed nothing", all - changed);
}

/// The steps, counted from 1.
fn numbered(trace: &Trace) -> impl Iterator<Item = (usize, &Step)> {
    (1..).zip(trace.steps())
}

impl Show {
    /// The changes that are asked for, each below a line that says whose it is.
    pub(super) fn changes(&self, program: &Program, compilation: &Compilation) -> Result<String> {
        let number = self.after.as_ref().and_then(|after| after.parse().ok());
        let name = self.after.as_deref().filter(|_| number.is_none());
        let trace = self.trace(program, compilation, name)?;
        let is_asked_for = |at: usize| number.is_none_or(|number: usize| number == at);
        let mut steps = numbered(&trace)
            .filter(|(at, _)| is_asked_for(*at))
            .peekable();
        if let (Some(number), None) = (number, steps.peek()) {
            let count = trace.steps().len();
            return Err(Advice::error(
                format!("there is no pass {number}"),
                format!("{count} ran; `--passes` lists them"),
            ));
        }
        let mut text = String::new();
        let (mut ran, mut changed) = (0, 0);
        for (at, step) in steps {
            ran += 1;
            // Of a name, the numbers are those among the runs of that name only.
            let at = name.is_none().then_some(at);
            if step.is_change() {
                changed += 1;
                self.write(&mut text, at, step);
            }
        }
        if changed == 0 {
            let pass = self.after.as_deref().unwrap_or("any");
            let _ = writeln!(
                text,
                "// {pass} ran, {ran} times in all, and changed nothing"
            );
        }
        Ok(text)
    }

    fn write(&self, text: &mut String, number: Option<usize>, step: &Step) {
        let bold = Style::new().bold();
        let number = number
            .map(|number| format!("{number}: "))
            .unwrap_or_default();
        // A `String` takes all that is written to it.
        let _ = writeln!(
            text,
            "{bold}// {number}{} on {}{bold:#}",
            step.pass(),
            step.operation()
        );
        if self.diff {
            for line in step.difference().lines() {
                let style = style(line);
                let _ = writeln!(text, "{style}{line}{style:#}");
            }
        } else {
            text.push_str(step.after().unwrap_or_default());
        }
        text.push('\n');
    }

    /// What the passes of the IREE compiler do until the stage, all of them or those of a name.
    pub(super) fn trace(
        &self,
        program: &Program,
        compilation: &Compilation,
        name: Option<&str>,
    ) -> Result<Trace> {
        let stage = self.stage.name().or(Stage::Vm.name()).unwrap_or_default();
        let compiler = Compiler::find(Some(&compilation.path))?;
        let mut arguments = arguments(stage, program, compilation, self.constants)?;
        arguments.extend(OPTIONS.map(Into::into));
        let known = RefCell::new(BTreeSet::new());
        let wanted = |pass: &str| {
            if name.is_none() {
                return true;
            }
            if !known.borrow().contains(pass) {
                known.borrow_mut().insert(pass.to_owned());
            }
            name == Some(pass)
        };
        let trace = compiler
            .read(arguments, |printed| Trace::read(printed, wanted))
            .with_context(|| format!("`{}` does not get to `{stage}`", program.name()))?;
        match name {
            Some(name) if trace.steps().is_empty() => {
                let known = known.borrow();
                let known: Vec<_> = known.iter().map(String::as_str).collect();
                Err(Advice::unknown("pass", name, &known))
            }
            Some(_) | None => Ok(trace),
        }
    }
}

/// How a line of a difference looks.
fn style(line: &str) -> Style {
    let colour = match line.as_bytes().first() {
        Some(b'+') => AnsiColor::Green,
        Some(b'-') => AnsiColor::Red,
        Some(b'@') => AnsiColor::Cyan,
        Some(_) | None => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}
