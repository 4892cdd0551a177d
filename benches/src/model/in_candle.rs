//! The model in candle.

use super::texts::Texts;
use crate::{side::Prepared, work::in_candle};
use anyhow::Result;
use candle_core::{DType, Device, Module, Tensor, safetensors};
use candle_nn::{LayerNorm, Linear, ops};
use ndarray::Array2;
use rayon::ThreadPoolBuilder;
use std::{collections::HashMap, path::Path};

const HEADS: usize = 12;
const LAYERS: usize = 6;
const EPSILON: f64 = 1e-12;

type Found<T> = candle_core::Result<T>;

/// The model on some threads, with the texts that it is called with.
pub(super) fn ready(weights: &Path, texts: &Texts, threads: u32) -> Result<Box<dyn Prepared>> {
    let model = Encoder::of(&safetensors::load(weights, &Device::Cpu)?)?;
    let tokens = tensor(&texts.tokens.mapv(|token| token as u32))?;
    let mask = tensor(&texts.mask.mapv(u8::from))?;
    let threads = ThreadPoolBuilder::new()
        .num_threads(threads as usize)
        .build()?;
    Ok(in_candle::ready(move || {
        threads.install(|| model.embed(&tokens, &mask))
    }))
}

fn tensor<T: candle_core::WithDType>(array: &Array2<T>) -> Found<Tensor> {
    Tensor::from_vec(array.iter().copied().collect(), array.dim(), &Device::Cpu)
}

struct Encoder {
    words: Tensor,
    positions: Tensor,
    first_type: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    joined: Linear,
    attention_norm: LayerNorm,
    hidden: Linear,
    output: Linear,
    norm: LayerNorm,
}

impl Encoder {
    fn of(weights: &HashMap<String, Tensor>) -> Found<Self> {
        let weights = Weights(weights);
        let table = |kind: &str| weights.get(&format!("embeddings.{kind}_embeddings.weight"));
        let layers = (0..LAYERS).map(|layer| Layer::of(&weights, layer));
        Ok(Self {
            words: table("word")?,
            positions: table("position")?,
            first_type: table("token_type")?.get(0)?,
            norm: weights.norm("embeddings.LayerNorm")?,
            layers: layers.collect::<Found<_>>()?,
        })
    }

    fn embed(&self, tokens: &Tensor, mask: &Tensor) -> Found<Tensor> {
        let (texts, places) = tokens.dims2()?;
        let words = self.words.index_select(&tokens.flatten_all()?, 0)?;
        let x = words.reshape((texts, places, ()))?;
        let x = x.broadcast_add(&self.positions.narrow(0, 0, places)?)?;
        let mut x = self.norm.forward(&x.broadcast_add(&self.first_type)?)?;
        let weights = mask.to_dtype(DType::F32)?;
        let unseen = ((&weights - 1.0)? * 1e9)?.unsqueeze(1)?.unsqueeze(1)?;
        for layer in &self.layers {
            x = layer.forward(&x, &unseen)?;
        }
        let weights = weights.unsqueeze(2)?;
        let mean = x
            .broadcast_mul(&weights)?
            .sum(1)?
            .broadcast_div(&weights.sum(1)?)?;
        mean.broadcast_div(&mean.sqr()?.sum_keepdim(1)?.sqrt()?)
    }
}

impl Layer {
    fn of(weights: &Weights<'_>, layer: usize) -> Found<Self> {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let linear = |part: &str| weights.linear(&name(part));
        let norm = |part: &str| weights.norm(&name(part));
        Ok(Self {
            query: linear("attention.self.query")?,
            key: linear("attention.self.key")?,
            value: linear("attention.self.value")?,
            joined: linear("attention.output.dense")?,
            attention_norm: norm("attention.output.LayerNorm")?,
            hidden: linear("intermediate.dense")?,
            output: linear("output.dense")?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn forward(&self, x: &Tensor, unseen: &Tensor) -> Found<Tensor> {
        let attended = self.joined.forward(&self.attend(x, unseen)?)?;
        let x = self.attention_norm.forward(&(x + attended)?)?;
        let hidden = self.hidden.forward(&x)?.gelu_erf()?;
        self.norm.forward(&(&x + self.output.forward(&hidden)?)?)
    }

    fn attend(&self, x: &Tensor, unseen: &Tensor) -> Found<Tensor> {
        let (texts, places, width) = x.dims3()?;
        let split = |linear: &Linear| {
            let heads = linear
                .forward(x)?
                .reshape((texts, places, HEADS, width / HEADS))?;
            heads.transpose(1, 2)?.contiguous()
        };
        let (query, key, value) = (split(&self.query)?, split(&self.key)?, split(&self.value)?);
        let root = ((width / HEADS) as f64).sqrt();
        let scores = (query.matmul(&key.t()?)? / root)?.broadcast_add(unseen)?;
        let joined = ops::softmax_last_dim(&scores)?.matmul(&value)?;
        joined.transpose(1, 2)?.reshape((texts, places, width))
    }
}

/// Weights by their names.
struct Weights<'a>(&'a HashMap<String, Tensor>);

impl Weights<'_> {
    fn get(&self, name: &str) -> Found<Tensor> {
        let found = self.0.get(name).cloned();
        found.ok_or_else(|| candle_core::Error::Msg(format!("there is no `{name}`")))
    }

    fn linear(&self, name: &str) -> Found<Linear> {
        let (weight, bias) = self.both(name)?;
        Ok(Linear::new(weight, Some(bias)))
    }

    fn norm(&self, name: &str) -> Found<LayerNorm> {
        let (weight, bias) = self.both(name)?;
        Ok(LayerNorm::new(weight, bias, EPSILON))
    }

    fn both(&self, name: &str) -> Found<(Tensor, Tensor)> {
        let get = |part: &str| self.get(&format!("{name}.{part}"));
        Ok((get("weight")?, get("bias")?))
    }
}
