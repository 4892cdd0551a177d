//! The encoder next to plain Rust, with random weights, and the model next to NumPy, where its weights are.

use crate::{batches::Batch, embedder::Embedder, model::minilm::WIDTH, reference::Reference};
use iree_dsl::{Parameters, prelude::*};
use ndarray::{Array1, Array2, Ix1, Ix2};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::{collections::BTreeMap, io::Write, path::Path};
use tiny::Tiny;

const DEVICES: [&str; 2] = ["local-sync", "local-task"];

/// How far vectors of length 1 may be from those in double precision.
const TOLERANCE: f64 = 1e-6;

#[program]
pub mod tiny {
    #[kernel]
    use crate::model::bert::{Encoder, encode, pool};

    pub struct Tiny {
        #[global(immutable, parameter = "model")]
        #[param("")]
        encoder: Encoder<
            { VOCABULARY = 100 },
            { POSITIONS = 40 },
            { WIDTH = 32 },
            { INNER = 64 },
            { LAYERS = 2 },
            { HEADS = 4 },
        >,
    }

    impl Tiny {
        pub fn embed<const TEXTS: usize, const TOKENS: usize>(
            &self,
            tokens: Tensor<i32, TEXTS, TOKENS>,
            mask: Tensor<bool, TEXTS, TOKENS>,
        ) -> Tensor<f32, TEXTS, 32> {
            pool(encode(self.encoder, tokens, mask), mask)
        }

        pub fn embed_three(
            &self,
            tokens: Tensor<i32, 3, 9>,
            mask: Tensor<bool, 3, 9>,
        ) -> Tensor<f32, 3, 32> {
            self.embed(tokens, mask)
        }
    }
}

/// Random weights of the tiny model, and the same in double precision.
fn random_weights(rng: &mut StdRng) -> (Parameters, Reference) {
    let mut weights = Parameters::default();
    let mut reference = BTreeMap::new();
    for parameter in &Tiny::signature().parameters {
        let shape = parameter
            .ty
            .shape
            .known()
            .expect("weights have known sizes");
        let (rows, columns) = match shape[..] {
            [columns] => (1, columns),
            [rows, columns] => (rows, columns),
            _ => panic!("{parameter:?}"),
        };
        let matrix =
            Array2::from_shape_simple_fn((rows, columns), || rng.random_range(-0.5_f32..0.5));
        match shape.len() {
            1 => weights.insert(&parameter.key, &matrix.row(0)),
            _ => weights.insert(&parameter.key, &matrix),
        }
        reference.insert(parameter.key.clone(), matrix.mapv(f64::from));
    }
    let reference = Reference {
        weights: reference,
        layers: 2,
        heads: 4,
    };
    (weights, reference)
}

fn random_texts(lengths: &[usize], rng: &mut StdRng) -> Vec<Vec<i32>> {
    let text = |length: usize| (0..length).map(|_| rng.random_range(0..100)).collect();
    lengths.iter().copied().map(text).collect()
}

/// A batch of all of these texts, with tokens where the mask is false.
fn with_noise(texts: &[Vec<i32>]) -> Batch {
    let mut batch = Batch::new(texts, (0..texts.len()).collect());
    batch.tokens.zip_mut_with(&batch.mask, |token, is_token| {
        if !is_token {
            *token = 99;
        }
    });
    batch
}

fn assert_near(found: &Array2<f32>, expected: impl Iterator<Item = Array1<f64>>) {
    let mut rows = found.outer_iter();
    for (place, expected) in expected.enumerate() {
        let row = rows.next().expect("a row for each text");
        let errors = (row.mapv(f64::from) - expected).mapv(f64::abs);
        let is_near = errors.iter().all(|error| *error < TOLERANCE);
        assert!(is_near, "text {place} of {}: {errors}", found.nrows());
    }
    assert!(rows.next().is_none(), "a row for each text");
}

#[test]
fn the_encoder_computes_what_plain_rust_does() {
    let mut rng = StdRng::seed_from_u64(1);
    let (weights, reference) = random_weights(&mut rng);
    for device in DEVICES {
        let device = Device::open(device).unwrap();
        let program = Tiny::loader(&device).parameters("model", &weights);
        let program = program.load().unwrap();
        // More than one size, one after the other, so that memory is used again.
        let batches: [&[usize]; 7] = [
            &[1],
            &[40; 3],
            &[3, 17, 5, 9],
            &[2],
            &[7, 33],
            &[16; 8],
            &[3],
        ];
        for lengths in batches {
            let texts = random_texts(lengths, &mut rng);
            let batch = with_noise(&texts);
            let found = program.embed(&batch.tokens, &batch.mask).unwrap();
            let expected = texts.iter().map(|text| reference.embed(text));
            assert_near(&found.to_array().unwrap(), expected);
        }
        let texts = random_texts(&[9, 1, 4], &mut rng);
        let batch = with_noise(&texts);
        let found = program.embed_three(&batch.tokens, &batch.mask).unwrap();
        let expected = texts.iter().map(|text| reference.embed(text));
        assert_near(&found.to_array().unwrap(), expected);
    }
}

#[test]
fn a_text_may_not_be_longer_than_there_are_positions() {
    let (weights, _) = random_weights(&mut StdRng::seed_from_u64(2));
    let device = Device::open("local-sync").unwrap();
    let program = Tiny::loader(&device).parameters("model", &weights);
    let program = program.load().unwrap();
    let batch = with_noise(&[vec![1; 41]]);
    let error = program.embed(&batch.tokens, &batch.mask).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`embed` needs `TOKENS <= 40`, but TOKENS is 41"
    );
}

/// The model, if `./x model` was run.
fn model(device: &Device) -> Option<Embedder> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/minilm");
    if !folder.exists() {
        // Not by `eprintln`, which nobody sees of a test that passes.
        let text = "skipped: the model is not there; `./x model` fetches it";
        writeln!(std::io::stderr(), "{text}").unwrap();
        return None;
    }
    Some(Embedder::open(&folder, device).unwrap())
}

/// The texts that `tests/oracle/minilm.py` has computed the vectors of, their tokens, and the vectors.
fn expected() -> (Vec<String>, Vec<Vec<i32>>, Array2<f64>) {
    let texts = include_str!("sentences.txt").lines().map(str::to_owned);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/oracle/data");
    let data = Parameters::open(folder.join("minilm.npz")).unwrap();
    let [tokens, lengths] = ["tokens", "lengths"].map(|name| {
        let numbers = data.get(name).unwrap();
        numbers.view::<i32, Ix1>().unwrap().to_vec()
    });
    let mut rest = &tokens[..];
    let tokens = lengths.iter().map(|length| {
        let (text, others) = rest.split_at(*length as usize);
        rest = others;
        text.to_vec()
    });
    let tokens = tokens.collect();
    let vectors = data.get("embeddings").unwrap();
    let vectors = vectors.view::<f64, Ix2>().unwrap().to_owned();
    (texts.collect(), tokens, vectors)
}

#[test]
fn texts_have_the_tokens_of_the_oracle() {
    let device = Device::open("local-sync").unwrap();
    let Some(embedder) = model(&device) else {
        return;
    };
    let (texts, tokens, _) = expected();
    for (text, tokens) in texts.iter().zip(&tokens) {
        assert_eq!(&embedder.tokens(text).unwrap(), tokens, "{text}");
    }
}

#[test]
fn vectors_are_those_of_numpy() {
    for device in DEVICES {
        let device = Device::open(device).unwrap();
        let Some(embedder) = model(&device) else {
            return;
        };
        let (_, tokens, vectors) = expected();
        let count = tokens.len();
        assert_eq!(vectors.dim(), (count, WIDTH));
        let all: Vec<usize> = (0..count).collect();
        let some: [&[usize]; 9] = [
            &[0],
            &[3],
            &[38],
            &[0, 39],
            &[1, 2, 3, 4, 5, 6, 7],
            &[10, 3, 0, 36],
            &[39],
            &all,
            &[5, 0],
        ];
        for places in some {
            let batch = Batch::new(&tokens, places.to_vec());
            let found = embedder.embed_batch(&batch).unwrap();
            assert_near(
                &found,
                places.iter().map(|place| vectors.row(*place).to_owned()),
            );
        }
    }
}

#[test]
fn texts_of_one_meaning_are_nearer_than_others() {
    let device = Device::open("local-task").unwrap();
    let Some(embedder) = model(&device) else {
        return;
    };
    let (texts, _, expected) = expected();
    let vectors = embedder.embed(&texts, |_| ()).unwrap();
    assert_near(&vectors, expected.outer_iter().map(|row| row.to_owned()));
    let similarities = vectors.dot(&vectors.row(3));
    assert!(similarities[4] > 0.4 && similarities[5] < 0.1);
}
