//! Texts to vectors.

use crate::{
    batches::{Batch, batches},
    model::minilm::{MiniLm, POSITIONS, QUERY, WIDTH},
};
use anyhow::{Context, Result, anyhow, ensure};
use iree_dsl::{Parameters, prelude::*};
use ndarray::{Array2, Axis};
use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};

/// The tokens of a text that count. The model has more positions, but was not trained on longer texts.
const LONGEST: usize = 256;
const _: () = assert!(LONGEST <= POSITIONS);

/// The most texts of a call.
const TEXTS: usize = 32;

/// The program with its weights, and what makes tokens of texts.
pub(crate) struct Embedder {
    program: MiniLm,
    tokenizer: Tokenizer,
}

impl Embedder {
    /// The model in a folder.
    pub(crate) fn open(folder: &Path, device: &Device) -> Result<Self> {
        let [weights, tokenizer] =
            ["model.safetensors", "tokenizer.json"].map(|name| folder.join(name));
        for file in [&weights, &tokenizer] {
            let is_there = file.is_file();
            ensure!(is_there, "there is no `{}`: run ./x model", file.display());
        }
        let weights = Parameters::open(weights)?;
        let program = MiniLm::loader(device).parameters("model", &weights);
        Ok(Self {
            program: program.load()?,
            tokenizer: read_tokenizer(&tokenizer)?,
        })
    }

    /// A vector of length 1 for each text, in their order. Tells how many more texts are done each time that
    /// some are.
    pub(crate) fn embed(&self, texts: &[String], done: impl Fn(usize)) -> Result<Array2<f32>> {
        let tokens = texts.iter().map(|text| self.tokens(text));
        let tokens = tokens.collect::<Result<Vec<_>>>()?;
        let mut vectors = Array2::zeros((texts.len(), WIDTH));
        for batch in batches(&tokens, TEXTS) {
            let found = self.embed_batch(&batch)?;
            for (place, vector) in batch.places.iter().zip(found.outer_iter()) {
                vectors.index_axis_mut(Axis(0), *place).assign(&vector);
            }
            done(batch.places.len());
        }
        Ok(vectors)
    }

    /// The numbers that the model knows the pieces of a text by.
    pub(crate) fn tokens(&self, text: &str) -> Result<Vec<i32>> {
        let encoding = self.tokenizer.encode_fast(text, true);
        let encoding = encoding.map_err(|error| anyhow!("`{text}`: {error}"))?;
        let ids = encoding.get_ids().iter();
        Ok(ids.map(|id| *id as i32).collect())
    }

    /// One short text takes the procedure that is compiled for it.
    pub(crate) fn embed_batch(&self, batch: &Batch) -> Result<Array2<f32>> {
        let vectors = match batch.tokens.dim() {
            (1, ..=QUERY) => {
                let batch = batch.filled_up(QUERY);
                self.program.embed_query(&batch.tokens, &batch.mask)?
            }
            _ => self.program.embed(&batch.tokens, &batch.mask)?,
        };
        Ok(vectors.to_array()?)
    }
}

/// Without the filling up that the file asks for, since batches have their own.
fn read_tokenizer(file: &Path) -> Result<Tokenizer> {
    let tokenizer = Tokenizer::from_file(file);
    let mut tokenizer = tokenizer
        .map_err(|error| anyhow!(error))
        .with_context(|| file.display().to_string())?;
    let truncation = TruncationParams {
        max_length: LONGEST,
        ..TruncationParams::default()
    };
    tokenizer.with_padding(None);
    tokenizer
        .with_truncation(Some(truncation))
        .map_err(|error| anyhow!(error))?;
    Ok(tokenizer)
}
