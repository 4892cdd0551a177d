//! What passes did.

use super::{Show, Stage, arguments};
use crate::{advice::Advice, output::say, programs::Program, table::Table, toolchain::Compiler};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use iree_abi::build::Compilation;
use iree_dialects_trace::{OPTIONS, Step, Trace};
use std::{cell::RefCell, collections::BTreeSet, fmt::Write as _, process::ExitStatus};

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

/// Prints those passes of the IREE compiler that changed something, or failed, with their numbers.
pub(super) fn list(trace: &Trace) {
    let titles = ["pass", "number", "lines out", "lines in", "operation"];
    let mut table = Table::new(titles).texts_at_end(1);
    for (number, step) in numbered(trace).filter(|(_, step)| is_of_interest(trace, step)) {
        let (removed, added) = match step.after() {
            Some(_) => {
                let lines = step.lines();
                (lines.removed.to_string(), lines.added.to_string())
            }
            None => ("failed".to_owned(), String::new()),
        };
        table.row([
            step.pass().to_owned(),
            number.to_string(),
            removed,
            added,
            step.operation().to_owned(),
        ]);
    }
    table.print();
    let all = trace.steps();
    let unchanged = all
        .iter()
        .filter(|step| step.after() == Some(step.before()));
    say!(
        "{} of {} runs of passes changed nothing",
        unchanged.count(),
        all.len()
    );
}

/// The steps, counted from 1.
fn numbered(trace: &Trace) -> impl Iterator<Item = (usize, &Step)> {
    (1..).zip(trace.steps())
}

/// Whether a step changed something, or is the one that failed.
fn is_of_interest(trace: &Trace, step: &Step) -> bool {
    let failed = trace.failed();
    step.is_change() || failed.is_some_and(|failed| std::ptr::eq(failed, step))
}

impl Show {
    /// The number of the pass that is asked for, if it is asked for by number.
    fn number(&self) -> Option<usize> {
        self.after.as_ref().and_then(|after| after.parse().ok())
    }

    /// Its name, if it is asked for by name.
    fn name(&self) -> Option<&str> {
        let name = self.after.as_deref();
        name.filter(|_| self.number().is_none())
    }

    /// The changes that are asked for, each below a line that says whose it is.
    pub(super) fn changes(&self, trace: &Trace) -> Result<String> {
        let number = self.number();
        let is_asked_for = |at: usize| number.is_none_or(|number: usize| number == at);
        let mut steps = numbered(trace)
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
        let (mut ran, mut shown) = (0, 0);
        for (at, step) in steps {
            ran += 1;
            // Of a name, the numbers are those among the runs of that name only.
            let at = self.name().is_none().then_some(at);
            if is_of_interest(trace, step) {
                shown += 1;
                self.write(&mut text, at, step);
            }
        }
        if shown == 0 {
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
        let (pass, operation) = (step.pass(), step.operation());
        let title = match step.after() {
            Some(_) => format!("{pass} on {operation}"),
            None => format!("{pass} failed on {operation}, which was"),
        };
        // A `String` takes all that is written to it.
        let _ = writeln!(text, "{bold}// {number}{title}{bold:#}");
        if self.diff && step.after().is_some() {
            for line in step.difference().lines() {
                let style = style(line);
                let _ = writeln!(text, "{style}{line}{style:#}");
            }
        } else {
            text.push_str(step.after().unwrap_or(step.before()));
        }
        text.push('\n');
    }

    /// What the passes of the IREE compiler do until the stage, all of them or those that are asked for by name, and why it does
    /// not get there, if it does not.
    pub(super) fn trace(
        &self,
        program: &Program,
        compilation: &Compilation,
    ) -> Result<(Trace, Result<()>)> {
        let stage = self.stage.name().or(Stage::Vm.name()).unwrap_or_default();
        let compiler = Compiler::find(Some(&compilation.path))?;
        let mut arguments = arguments(stage, program, compilation, self.constants)?;
        arguments.extend(OPTIONS.map(Into::into));
        let known = RefCell::new(BTreeSet::new());
        let name = self.name();
        let wanted = |pass: &str| {
            if name.is_none() {
                return true;
            }
            if !known.borrow().contains(pass) {
                known.borrow_mut().insert(pass.to_owned());
            }
            name == Some(pass)
        };
        let does_not = || format!("`{}` does not get to `{stage}`", program.name());
        let (trace, status) = compiler
            .read(arguments, |printed| Trace::read(printed, wanted))
            .with_context(does_not)?;
        if !status.success() {
            let failure = failure(&trace, status).context(does_not());
            return Ok((trace, Err(failure)));
        }
        match name {
            Some(name) if trace.steps().is_empty() => {
                let known = known.borrow();
                let known: Vec<_> = known.iter().map(String::as_str).collect();
                Err(Advice::unknown("pass", name, &known))
            }
            Some(_) | None => Ok((trace, Ok(()))),
        }
    }
}

/// What the IREE compiler says of a program that it fails on.
fn failure(trace: &Trace, status: ExitStatus) -> anyhow::Error {
    let said = match trace.messages() {
        "" => status.to_string(),
        messages => messages.to_owned(),
    };
    let error = anyhow::Error::msg(said);
    match trace.failed() {
        Some(step) => error.context(Advice::new(
            format!("its pass `{}` failed on {}", step.pass(), step.operation()),
            format!("`--after {}` prints what the pass was given", step.pass()),
        )),
        None => error,
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
