//! A small decoder of the kind of GPT with its keys and values in globals: 4 layers, 256 features, 4 heads,
//! 512 positions and 256 tokens.

use crate::measure::{compile, session, time};
use iree_dsl::{DeviceArray, Parameters, Result, Session, prelude::*};
use ndarray::{ArrayD, Ix0, Ix1};
use std::collections::BTreeSet;

const BY_HAND: &str = include_str!("decode.mlir");
/// How many tokens are decoded in a turn, and how many are compared before.
const TOKENS: i32 = 8;
const COMPARED: i32 = 64;
const TURNS: usize = 101;

#[program]
mod decoder {
    const WIDTH: usize = 256;
    const INNER: usize = 1024;
    const HEADS: usize = 4;
    const SIZE: usize = 64;
    const POSITIONS: usize = 512;
    const TOKENS: usize = 256;

    pub struct Norm {
        pub scale: Tensor<f32, WIDTH>,
        pub bias: Tensor<f32, WIDTH>,
    }

    pub struct Layer {
        pub first_norm: Norm,
        pub query: Tensor<f32, WIDTH, WIDTH>,
        pub key: Tensor<f32, WIDTH, WIDTH>,
        pub value: Tensor<f32, WIDTH, WIDTH>,
        pub output: Tensor<f32, WIDTH, WIDTH>,
        pub second_norm: Norm,
        pub up: Tensor<f32, WIDTH, INNER>,
        pub down: Tensor<f32, INNER, WIDTH>,
    }

    pub struct Cache {
        pub keys: Tensor<f32, HEADS, POSITIONS, SIZE>,
        pub values: Tensor<f32, HEADS, POSITIONS, SIZE>,
    }

    pub struct Decoder {
        #[global(immutable, parameter = "model")]
        embedding: Tensor<f32, TOKENS, WIDTH>,
        #[global(immutable, parameter = "model")]
        positions: Tensor<f32, POSITIONS, WIDTH>,
        #[global(immutable, parameter = "model")]
        layers: [Layer; 4],
        #[global(immutable, parameter = "model")]
        norm: Norm,
        #[global]
        caches: [Cache; 4],
    }

    impl Decoder {
        /// The token after one, and how likely each is.
        pub fn step(
            &mut self,
            token: Tensor<i32>,
            at: Tensor<i32>,
        ) -> (Tensor<i32>, Tensor<f32, TOKENS>) {
            let logits = self.decode(token, at);
            (logits.argmax_axis(0), logits)
        }

        /// The tokens after one.
        pub fn generate(
            &mut self,
            first: Tensor<i32>,
            count: Tensor<i32>,
        ) -> Tensor<i32, POSITIONS> {
            let mut token = first;
            let mut tokens = zeros::<i32, POSITIONS>();
            for at in range(0, count) {
                token = self.decode(token, at).argmax_axis(0);
                tokens[at] = token;
            }
            tokens
        }

        fn decode(&mut self, token: Tensor<i32>, at: Tensor<i32>) -> Tensor<f32, TOKENS> {
            let mut x = self.embedding[token] + self.positions[at];
            for l in 0..4 {
                let layer = self.layers[l];
                let h = normalize(layer.first_norm, x);
                let query = h.dot(layer.query);
                let (key, value) = (h.dot(layer.key), h.dot(layer.value));
                self.caches[l].keys[s![.., at, ..]] = key.reshape([HEADS, SIZE]);
                self.caches[l].values[s![.., at, ..]] = value.reshape([HEADS, SIZE]);
                x += attend(query, self.caches[l], at).dot(layer.output);
                let h = normalize(layer.second_norm, x);
                x += h.dot(layer.up).gelu_tanh().dot(layer.down);
            }
            self.embedding.dot(normalize(self.norm, x))
        }
    }

    #[kernel]
    fn normalize(norm: Norm, x: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
        let centered = x - x.mean();
        let variance = (centered * centered).mean();
        centered * (variance + 1e-5).rsqrt() * norm.scale + norm.bias
    }

    /// Attention of one token to those before it.
    #[kernel]
    fn attend(query: Tensor<f32, WIDTH>, cache: Cache, at: Tensor<i32>) -> Tensor<f32, WIDTH> {
        let query = query.reshape([HEADS, SIZE]);
        let scores = einsum!("hps,hs->hp", cache.keys, query) * 0.125;
        let seen = iota::<i32, POSITIONS>() <= at;
        let weights = select(seen, scores, -1e9).softmax(1);
        einsum!("hp,hps->hs", weights, cache.values).flatten()
    }
}

/// Prints how many tokens each decodes in a second.
pub(crate) fn run() -> Result<()> {
    let modules = [compile(decoder::Decoder::MLIR), compile(BY_HAND)];
    println!("a decoder of 4 layers, 256 features and 512 positions, in tokens per second;");
    println!("the ratio is that of the times");
    println!(
        "{:<12} {:<10} {:>8} {:>8} {:>8}",
        "device", "", "by hand", "here", "ratio"
    );
    let weights = weights();
    for name in ["local-sync", "local-task"] {
        let device = Device::open(name)?;
        let load = |module| session(&device, module, Some(("model", &weights)));
        let [ours, theirs] = [load(&modules[0])?, load(&modules[1])?];
        compare(&ours, &theirs)?;
        for (way, decode) in [("called", step as fn(&_) -> _), ("a loop", generate)] {
            let times = time(TURNS, [&|| decode(&ours), &|| decode(&theirs)])?;
            let [here, there] = times.medians.map(|time| f64::from(TOKENS) / time);
            let ratio = times.ratio;
            println!("{name:<12} {way:<10} {there:>8.0} {here:>8.0} {ratio:>8.3}");
        }
    }
    println!();
    Ok(())
}

/// Decodes, one call for each token.
fn step(session: &Session) -> Result<()> {
    let function = session.function("step")?;
    let mut token = session.device().upload(0)?;
    for at in 0..TOKENS {
        let results = function.call(&[&token, &at])?;
        token = results[0].downcast::<i32, Ix0>()?;
    }
    token.to_scalar()?;
    Ok(())
}

/// Decodes in one call.
fn generate(session: &Session) -> Result<()> {
    tokens(session, TOKENS)?.to_array()?;
    Ok(())
}

fn tokens(session: &Session, count: i32) -> Result<DeviceArray<i32, Ix1>> {
    let results = session.function("generate")?.call(&[&0, &count])?;
    results[0].downcast()
}

/// Both decode the same, to rounding.
fn compare(ours: &Session, theirs: &Session) -> Result<()> {
    let [a, b] = [tokens(ours, COMPARED)?, tokens(theirs, COMPARED)?];
    let [a, b] = [a.to_array()?, b.to_array()?];
    assert_eq!(a, b, "both decode the same tokens");
    let different = a.iter().collect::<BTreeSet<_>>().len();
    assert!(different > 10, "the tokens tell something: {a}");
    for at in 0..COMPARED {
        let token = if at == 0 { 0 } else { a[at as usize - 1] };
        let logits = |session: &Session| -> Result<_> {
            let results = session.function("step")?.call(&[&token, &at])?;
            results[1].downcast::<f32, Ix1>()?.to_array()
        };
        let errors = (logits(ours)? - logits(theirs)?).mapv(f32::abs);
        assert!(errors.iter().all(|error| *error < 1e-3), "{errors}");
    }
    Ok(())
}

/// Weights that are not learned, but as large as those.
fn weights() -> Parameters {
    let mut weights = Parameters::default();
    let mut state = 1;
    let mut add = |name: &str, shape: &[usize]| {
        let center = if name.ends_with("scale") { 1.0 } else { 0.0 };
        let spread = if shape.len() == 1 { 0.1 } else { 0.2 };
        weights.insert(name, &random(shape, center, spread, &mut state));
    };
    add("embedding", &[256, 256]);
    add("positions", &[512, 256]);
    for layer in 0..4 {
        for name in ["query", "key", "value", "output"] {
            add(&format!("layers.{layer}.{name}"), &[256, 256]);
        }
        add(&format!("layers.{layer}.up"), &[256, 1024]);
        add(&format!("layers.{layer}.down"), &[1024, 256]);
        for norm in ["first_norm", "second_norm"] {
            add(&format!("layers.{layer}.{norm}.scale"), &[256]);
            add(&format!("layers.{layer}.{norm}.bias"), &[256]);
        }
    }
    add("norm.scale", &[256]);
    add("norm.bias", &[256]);
    weights
}

/// Numbers around another, up to a distance, from a linear congruential generator.
fn random(shape: &[usize], center: f32, spread: f32, state: &mut u32) -> ArrayD<f32> {
    ArrayD::from_shape_simple_fn(shape, || {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let unit = (*state >> 8) as f32 / (1 << 24) as f32;
        center + spread * (2.0 * unit - 1.0)
    })
}
