//! A whole model: all-MiniLM-L6-v2 of the example `bert`, next to the same in JAX, candle and ONNX Runtime.

mod in_candle;
mod texts;

/// The program of the example.
#[path = "../../../examples/bert/model.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod example;

use crate::{
    contest::{self, Row, Side},
    options::Options,
    python::{Library, Python},
    table,
    work::{InPython, ours},
};
use anyhow::{Context, Result, ensure};
use example::minilm::MiniLm;
use iree_dsl::{Parameters, prelude::*};
use many::Many;
use ndarray::{ArrayD, Ix2};
use std::{
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};
use texts::Texts;

/// Sizes that are known while building, beside those of the example.
#[program]
pub(crate) mod many {
    #[kernel]
    use super::example::bert::{Encoder, encode, pool};

    pub struct Many {
        #[global(immutable, parameter = "model")]
        #[param("")]
        encoder: Encoder<
            { VOCABULARY = 30522 },
            { POSITIONS = 512 },
            { WIDTH = 384 },
            { INNER = 1536 },
            { LAYERS = 6 },
            { HEADS = 12 },
        >,
    }

    impl Many {
        pub fn embed(
            &self,
            tokens: Tensor<i32, 32, 128>,
            mask: Tensor<bool, 32, 128>,
        ) -> Tensor<f32, 32, 384> {
            pool(encode(self.encoder, tokens, mask), mask)
        }
    }
}

/// The sides, in the order of the columns. The last is the first with sizes that are known while building.
const NAMES: [&str; 5] = ["iree-dsl", "JAX", "candle", "ONNX Runtime", "fixed sizes"];

/// How far numbers of vectors of length 1 may be apart, as a part of the largest.
const TOLERANCE: f32 = 1e-4;

/// A row: how many texts of how many tokens, and whether iree-dsl knows that only when it is called.
struct Case {
    name: &'static str,
    shape: (usize, usize),
    is_of_call: bool,
}

const CASES: [Case; 4] = [
    Case::new("1×16", (1, 16), false),
    Case::new("1×16, sizes of the call", (1, 16), true),
    Case::new("32×128", (32, 128), false),
    Case::new("32×128, sizes of the call", (32, 128), true),
];

impl Case {
    const fn new(name: &'static str, shape: (usize, usize), is_of_call: bool) -> Self {
        Self {
            name,
            shape,
            is_of_call,
        }
    }
}

/// Prints a table for one thread, and one for as many as the options say.
pub(crate) fn time(options: &Options) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/minilm");
    let weights = folder.join("model.safetensors");
    ensure!(
        weights.is_file(),
        "there is no `{}`: run ./x model",
        weights.display()
    );
    let mut all = vec![1];
    all.extend((options.threads > 1).then_some(options.threads));
    for threads in all {
        let model = Model {
            weights: weights.clone(),
            device: Device::open(&match threads {
                1 => "local-sync".to_owned(),
                workers => format!("local-task?workers={workers}"),
            })?,
            threads,
            options,
        };
        let rows = model.rows(&folder)?;
        println!(
            "threads: {threads} of {}",
            thread::available_parallelism().map_or(1, NonZero::get)
        );
        println!("{}", table::written(&rows, &NAMES, options.markdown));
    }
    Ok(())
}

/// The model on a number of threads.
struct Model<'a> {
    weights: PathBuf,
    device: Device,
    threads: u32,
    options: &'a Options,
}

impl Model<'_> {
    fn rows(&self, folder: &Path) -> Result<Vec<Row>> {
        let start = |library| {
            let python = self.options.python.as_ref();
            let folder = folder.to_string_lossy();
            python
                .map(|python| Python::start(library, python, self.threads, &folder))
                .transpose()
        };
        let mut jax = start(Library::JaxModel)?;
        let mut onnx = start(Library::OnnxModel)?;
        if jax.is_none() {
            eprintln!(
                "without JAX and ONNX Runtime: set IREE_DSL_ORACLE_PYTHON to a Python that has them"
            );
        }
        let row = |case: &Case| {
            eprintln!("{}, threads: {}", case.name, self.threads);
            self.row(case, jax.as_mut(), onnx.as_mut())
        };
        CASES.iter().map(row).collect()
    }

    fn row(&self, case: &Case, jax: Option<&mut Python>, onnx: Option<&mut Python>) -> Result<Row> {
        let texts = Texts::of(case.shape);
        let inputs = texts.inputs();
        let candle = match self.options.compares_crates() {
            true => Some(in_candle::ready(&self.weights, &texts, self.threads).context("candle")?),
            false => None,
        };
        let sides: Vec<Side<'_>> = vec![
            Some(self.ours(&texts, case.is_of_call)?),
            in_python(jax, case, &inputs)?,
            candle,
            in_python(onnx, case, &inputs)?,
            match case.is_of_call {
                true => Some(self.ours(&texts, false)?),
                false => None,
            },
        ];
        contest::race(case.name, TOLERANCE, &NAMES, sides, self.options)
    }

    fn ours(&self, texts: &Texts, is_of_call: bool) -> Result<Box<dyn crate::side::Prepared>> {
        let weights = Parameters::open(&self.weights)?;
        let tokens: DeviceArray<i32, Ix2> = self.device.upload(texts.tokens.view())?;
        let mask: DeviceArray<bool, Ix2> = self.device.upload(texts.mask.view())?;
        let is_query = texts.tokens.nrows() == 1;
        if !is_of_call && !is_query {
            let program = Many::loader(&self.device)
                .parameters("model", &weights)
                .load()?;
            return Ok(ours(move || program.embed(&tokens, &mask)));
        }
        let program = MiniLm::loader(&self.device)
            .parameters("model", &weights)
            .load()?;
        Ok(match is_of_call {
            true => ours(move || program.embed(&tokens, &mask)),
            false => ours(move || program.embed_query(&tokens, &mask)),
        })
    }
}

fn in_python<'p>(
    python: Option<&'p mut Python>,
    case: &Case,
    inputs: &[ArrayD<f32>],
) -> Result<Side<'p>> {
    let ready = python.map(|python| python.prepare(case.name, InPython::of("minilm"), inputs));
    ready.transpose()
}
