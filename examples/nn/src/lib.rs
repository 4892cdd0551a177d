//! Layers of neural networks, as kernels and trees for programs to import.
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

mod attend;
mod basic;
mod blocks;
mod perceptron;

pub use attend::attention;
pub use basic::layers;
pub use blocks::transformer;
pub use perceptron::mlp;
