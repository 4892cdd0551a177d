//! JAX, in a process of its own.

use crate::{
    side::{Clock, Prepared},
    work::InJax,
};
use anyhow::{Context, Result, ensure};
use ndarray::ArrayD;
use ndarray_npy::{read_npy, write_npy};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};
use tempfile::TempDir;

const SCRIPT: &str = include_str!("jax.py");

/// A Python that runs `jax.py` and waits for requests.
pub(crate) struct Jax {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Where arrays are handed over.
    folder: TempDir,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Request<'a> {
    Prepare {
        prepare: &'a str,
        inputs: Vec<PathBuf>,
        bf16: bool,
        result: &'a Path,
    },
    Time {
        calls: u32,
        clock: Clock,
    },
}

impl Jax {
    /// Starts it on some of the machine's processors.
    pub(crate) fn start(python: &Path, threads: u32) -> Result<Self> {
        let mut process = Command::new(python)
            .args(["-c", SCRIPT, &threads.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be started", python.display()))?;
        let requests = process.stdin.take().context("no standard input")?;
        let answers = process.stdout.take().context("no standard output")?;
        let mut jax = Self {
            process,
            requests,
            answers: BufReader::new(answers),
            folder: tempfile::tempdir()?,
        };
        let version: String = jax.answer().with_context(|| {
            format!(
                "{} has no JAX: install tests/oracle/requirements.txt",
                python.display()
            )
        })?;
        eprintln!("with JAX {version}");
        Ok(jax)
    }

    /// Has it read the inputs and compute once.
    pub(crate) fn prepare<'a>(
        &'a mut self,
        name: &str,
        work: InJax,
        inputs: &[ArrayD<f32>],
    ) -> Result<Box<dyn Prepared + 'a>> {
        let mut files = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            let file = self.folder.path().join(format!("{number}.npy"));
            write_npy(&file, input)?;
            files.push(file);
        }
        let result = self.folder.path().join("result.npy");
        let request = Request::Prepare {
            prepare: work.name,
            inputs: files,
            bf16: work.bf16,
            result: &result,
        };
        let _: f64 = self
            .ask(&request)
            .with_context(|| format!("{name} in JAX"))?;
        Ok(Box::new(Ready { jax: self, result }))
    }

    fn ask<T: DeserializeOwned>(&mut self, request: &Request<'_>) -> Result<T> {
        let request = serde_json::to_string(request)?;
        writeln!(self.requests, "{request}")?;
        self.requests.flush()?;
        self.answer()
    }

    fn answer<T: DeserializeOwned>(&mut self) -> Result<T> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        ensure!(!line.is_empty(), "the Python process has ended");
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Jax {
    fn drop(&mut self) {
        // It has ended already if this fails.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Ready<'a> {
    jax: &'a mut Jax,
    result: PathBuf,
}

impl Prepared for Ready<'_> {
    fn result(&mut self) -> Result<ArrayD<f32>> {
        Ok(read_npy(&self.result)?)
    }

    fn time(&mut self, calls: u32, clock: Clock) -> Result<Duration> {
        let seconds: f64 = self.jax.ask(&Request::Time { calls, clock })?;
        Ok(Duration::try_from_secs_f64(seconds)?)
    }
}
