//! Libraries of Python, in a process of their own.

use crate::{
    side::{Clock, Prepared},
    work::InPython,
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

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Jax,
    Torch,
    /// The model in JAX, whose device is the folder of its weights.
    JaxModel,
    /// The model in ONNX Runtime, likewise.
    OnnxModel,
}

impl Library {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Jax | Self::JaxModel => "JAX",
            Self::Torch => "PyTorch",
            Self::OnnxModel => "ONNX Runtime",
        }
    }

    fn script(self) -> String {
        let work = match self {
            Self::Jax => include_str!("jax.py"),
            Self::Torch => include_str!("torch.py"),
            Self::JaxModel => include_str!("model/jax.py"),
            Self::OnnxModel => include_str!("model/onnx.py"),
        };
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
        format!(
            "EXAMPLES = {examples:?}\n\n{}\n\n{work}",
            include_str!("serve.py")
        )
    }

    const fn cure(self) -> &'static str {
        match self {
            Self::Jax => "install tests/oracle/requirements.txt",
            Self::Torch => "`pip install torch numpy`",
            Self::JaxModel | Self::OnnxModel => "install benches/src/model/requirements.txt",
        }
    }
}

/// A Python that runs the script of a library and waits for requests.
pub(crate) struct Python {
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

impl Python {
    /// Starts it on some of the machine's processors, or on a GPU.
    pub(crate) fn start(
        library: Library,
        python: &Path,
        threads: u32,
        device: &str,
    ) -> Result<Self> {
        let mut process = Command::new(python)
            .args(["-c", &library.script(), &threads.to_string(), device])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be started", python.display()))?;
        let requests = process.stdin.take().context("no standard input")?;
        let answers = process.stdout.take().context("no standard output")?;
        let mut started = Self {
            process,
            requests,
            answers: BufReader::new(answers),
            folder: tempfile::tempdir()?,
        };
        let (name, cure) = (library.name(), library.cure());
        let version: String = started
            .answer()
            .with_context(|| format!("{} has no {name}: {cure}", python.display()))?;
        eprintln!("with {name} {version}");
        Ok(started)
    }

    /// Has it read the inputs and compute once.
    pub(crate) fn prepare<'a>(
        &'a mut self,
        name: &str,
        work: InPython,
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
            .with_context(|| format!("{name} in Python"))?;
        Ok(Box::new(Ready {
            python: self,
            result,
        }))
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

impl Drop for Python {
    fn drop(&mut self) {
        // It has ended already if this fails.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Ready<'a> {
    python: &'a mut Python,
    result: PathBuf,
}

impl Prepared for Ready<'_> {
    fn result(&mut self) -> Result<ArrayD<f32>> {
        Ok(read_npy(&self.result)?)
    }

    fn time(&mut self, calls: u32, clock: Clock) -> Result<Duration> {
        let seconds: f64 = self.python.ask(&Request::Time { calls, clock })?;
        Ok(Duration::try_from_secs_f64(seconds)?)
    }
}
