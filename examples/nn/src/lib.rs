//! Neural networks and how they learn, as kernels and trees for programs to import.
//!
//! | module | what it has |
//! |---|---|
//! | [`layers`] | linear layers, embeddings, layer normalisation, activations |
//! | [`mod@mlp`] | a perceptron with one hidden layer |
//! | [`convolution`] | convolutions of signals and pictures |
//! | [`regularization`] | normalisation by root mean squares and by batches, dropout |
//! | [`recurrent`] | RNN, LSTM and GRU |
//! | [`mod@attention`] | attention with masks and several heads |
//! | [`decoding`] | rotary positions, attention with a cache |
//! | [`transformer`] | the encoder of PyTorch, and blocks |
//! | [`initializers`] | what weights begin with |
//! | [`losses`] | cross entropy, squares, Huber's loss, divergence |
//! | [`optimizers`] | SGD, momentum, Adam, AdamW, Lion |
//! | [`schedules`] | learning rates by the number of the step |
//! | [`gradients`] | clipping, accumulation, moving averages |
//!
//! # Layers
//!
//! A layer is a tree, which holds its parameters, and a kernel that applies it. Both have the names that PyTorch
//! has for them, trees those of `torch.nn` and kernels those of `torch.nn.functional` or of the module in snake
//! case, and so do parameters, in their layouts: a state dict is read as it is. What may be left out in PyTorch
//! must be given, but for sizes with a [default](https://doc.rust-lang.org/reference/items/generics.html).
//!
//! Axes in front of those that a kernel names are axes of a batch, of which there may be any number. A program
//! imports what it needs; on the host, the trees are ordinary structs of this crate with arrays on the device for
//! leaves, the same for all programs.
//!
//! ```
//! use iree_dsl::{Parameters, prelude::*};
//! use ndarray::{Array2, arr1, array};
//!
//! #[program]
//! pub mod encoder {
//!     #[kernel]
//!     use nn::layers::{Embedding, Linear, embedding, gelu, linear};
//!
//!     pub struct Encoder {
//!         #[global(immutable, parameter = "model")]
//!         tokens: Embedding<{ NUM_EMBEDDINGS = 5 }, { EMBEDDING_DIM = 2 }>,
//!         #[global(immutable, parameter = "model")]
//!         output: Linear<{ IN_FEATURES = 2 }, { OUT_FEATURES = 3 }>,
//!     }
//!
//!     impl Encoder {
//!         pub fn run<const N: usize>(&self, tokens: Tensor<i32, N>) -> Tensor<f32, N, 3> {
//!             gelu(linear(self.output, embedding(self.tokens, tokens)))
//!         }
//!     }
//! }
//!
//! fn main() -> iree_dsl::Result<()> {
//!     // From a file: `Parameters::open("model.safetensors")?`, with the keys of a PyTorch module.
//!     let mut weights = Parameters::default();
//!     weights.insert("tokens.weight", &Array2::from_shape_fn((5, 2), |(i, j)| (i + 10 * j) as f32));
//!     weights.insert("output.weight", &array![[1.0f32, 0.0], [0.0, 1.0], [-1.0, 1.0]]);
//!     weights.insert("output.bias", &arr1(&[0.0f32, 0.5, 100.0]));
//!     let device = Device::open("local-sync")?;
//!     let encoder = encoder::Encoder::loader(&device).parameters("model", &weights).load()?;
//!     let y = encoder.run([4, 3])?.to_array()?;
//!     assert_eq!(y.mapv(f32::round), array![[4.0, 15.0, 110.0], [3.0, 14.0, 110.0]]);
//!     Ok(())
//! }
//! ```
//!
//! # Training
//!
//! A model is a tree, its gradient is a tree of the same structure, and the state of an optimiser has such trees. All of
//! them are globals of the program, and a step is a procedure:
//!
//! ```
//! use iree_dsl::prelude::*;
//!
//! #[program]
//! pub mod xor {
//!     #[kernel]
//!     use nn::gradients::clip_by_global_norm;
//!     #[kernel]
//!     use nn::initializers::glorot_normal;
//!     #[kernel]
//!     use nn::layers::{Linear, linear};
//!     #[kernel]
//!     use nn::losses::binary_cross_entropy_with_logits;
//!     #[kernel]
//!     use nn::optimizers::{Adam, adamw};
//!     #[kernel]
//!     use nn::schedules::cosine_decay;
//!
//!     pub struct Model {
//!         pub hidden: Linear<2, 8>,
//!         pub output: Linear<8, 1>,
//!     }
//!
//!     pub struct Xor {
//!         #[global]
//!         model: Model,
//!         #[global]
//!         state: Adam<Model>,
//!     }
//!
//!     #[kernel]
//!     fn apply<const N: usize>(model: Model, x: Tensor<f32, N, 2>) -> Tensor<f32, N, 1> {
//!         linear(model.output, linear(model.hidden, x).tanh())
//!     }
//!
//!     impl Xor {
//!         pub fn begin(&mut self, seed: Tensor<u32>) {
//!             let [hidden, output] = random::split(random::key(seed));
//!             self.model.hidden.weight = glorot_normal(hidden);
//!             self.model.output.weight = glorot_normal(output);
//!         }
//!
//!         pub fn step(&mut self, x: Tensor<f32, 4, 2>, y: Tensor<f32, 4, 1>) -> Tensor<f32> {
//!             let loss = |model| binary_cross_entropy_with_logits(apply(model, x), y);
//!             let (loss, gradient) = value_and_grad(loss)(self.model);
//!             let gradient = clip_by_global_norm(gradient, 1.0);
//!             let rate = cosine_decay(self.state.count, 0.05, 200, 0.1);
//!             let (model, state) = adamw(self.state, self.model, gradient, rate, 0.01);
//!             self.model = model;
//!             self.state = state;
//!             loss
//!         }
//!     }
//! }
//!
//! fn main() -> iree_dsl::Result<()> {
//!     let mut program = xor::Xor::load(&Device::open("local-sync")?)?;
//!     program.begin(1)?;
//!     let x = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
//!     let y = [[0.0], [1.0], [1.0], [0.0]];
//!     for _ in 0..200 {
//!         program.step(x, y)?;
//!     }
//!     assert!(program.step(x, y)?.to_scalar()? < 0.05);
//!     Ok(())
//! }
//! ```

mod attend;
mod basic;
mod begin;
mod blocks;
mod convolve;
mod decode;
mod descend;
mod gradient;
mod loss;
mod perceptron;
mod recur;
mod regular;
mod schedule;

pub use attend::attention;
pub use basic::layers;
pub use begin::initializers;
pub use blocks::transformer;
pub use convolve::convolution;
pub use decode::decoding;
pub use descend::optimizers;
pub use gradient::gradients;
pub use loss::losses;
pub use perceptron::mlp;
pub use recur::recurrent;
pub use regular::regularization;
pub use schedule::schedules;
