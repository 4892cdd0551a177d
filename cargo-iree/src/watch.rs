//! Waits for a build and shows which compilations it waits for.

use crate::{scratch::Scratch, units};
use anyhow::{Context, Result};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use iree_abi::build::{Event, PROGRESS_VARIABLE, Progress};
use std::{
    collections::BTreeMap,
    env, fs,
    io::{BufRead, BufReader, IsTerminal, Read, stderr},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long the screen may lag behind.
const PERIOD: Duration = Duration::from_millis(100);

/// Runs a build, and returns what it prints to standard output. On a terminal each compilation has a line while it
/// runs; elsewhere, one when it has ended.
///
/// # Errors
///
/// If it cannot be started.
pub(crate) fn run(mut build: Command) -> Result<(ExitStatus, Vec<u8>)> {
    let scratch = Scratch::create_in(&env::temp_dir()).context("no temporary file")?;
    let screen = MultiProgress::new();
    build.env(PROGRESS_VARIABLE, scratch.path());
    // Two tools cannot draw at the bottom of one screen.
    build.env("CARGO_TERM_PROGRESS_WHEN", "never");
    if stderr().is_terminal() && env::var_os("CARGO_TERM_COLOR").is_none() {
        build.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = build
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let (output, said) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let lines = BufReader::new(said.context("cargo has no output")?).lines();
        let printer = screen.clone();
        scope.spawn(move || {
            for line in lines.map_while(Result::ok) {
                print(&printer, &line);
            }
        });
        let printed = scope.spawn(|| {
            let mut printed = Vec::new();
            output.map(|mut output| output.read_to_end(&mut printed));
            printed
        });
        let mut watch = Watch::new(scratch.path(), screen);
        let status = watch.wait(&mut child)?;
        Ok((status, printed.join().unwrap_or_default()))
    })
}

fn print(screen: &MultiProgress, line: &str) {
    screen.suspend(|| eprintln!("{line}"));
}

struct Watch<'a> {
    path: &'a Path,
    /// How many lines of it are done with.
    lines: usize,
    running: BTreeMap<(String, String), (Instant, ProgressBar)>,
    screen: MultiProgress,
}

impl<'a> Watch<'a> {
    fn new(path: &'a Path, screen: MultiProgress) -> Self {
        Self {
            path,
            lines: 0,
            running: BTreeMap::new(),
            screen,
        }
    }

    fn wait(&mut self, child: &mut Child) -> Result<ExitStatus> {
        loop {
            let ended = child.try_wait()?;
            self.update();
            if let Some(status) = ended {
                for (_, bar) in self.running.values() {
                    bar.finish_and_clear();
                }
                return Ok(status);
            }
            thread::sleep(PERIOD);
        }
    }

    /// Shows what the build has told since the last time.
    fn update(&mut self) {
        let text = fs::read_to_string(self.path).unwrap_or_default();
        // A line without its end is still being written.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for line in whole.lines().skip(self.lines) {
            self.lines += 1;
            if let Ok(progress) = line.parse() {
                self.show(progress);
            }
        }
    }

    fn show(&mut self, progress: Progress) {
        let Progress {
            program,
            target,
            event,
        } = progress;
        let what = format!("{program} for {target}");
        match event {
            Event::Begun => {
                let bar = self.screen.add(ProgressBar::new_spinner());
                let style = ProgressStyle::with_template("{spinner} compiling {msg}, {elapsed}");
                bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
                bar.set_message(what);
                bar.enable_steady_tick(PERIOD);
                self.running
                    .insert((program, target), (Instant::now(), bar));
            }
            Event::Ended | Event::Failed => {
                if let Some((start, bar)) = self.running.remove(&(program, target)) {
                    bar.finish_and_clear();
                    let time = units::seconds(start.elapsed().as_secs_f64());
                    let line = match event {
                        Event::Failed => format!("      Failed {what} after {time}"),
                        _ => format!("    Compiled {what} in {time}"),
                    };
                    print(&self.screen, &line);
                }
            }
        }
    }
}
