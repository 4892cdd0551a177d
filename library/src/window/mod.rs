//! Windows that move over tensors: what becomes of the numbers in each, and convolutions.

mod around;
mod convolution;
mod fold;
mod pointwise;
mod pool;
mod steps;

pub use convolution::{Layout, convolution, transposed_convolution};
pub use fold::fold;
pub use pool::{avg_pool, max_pool};

/// A window along an axis of a tensor, and how it moves there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The axis.
    pub axis: usize,
    /// How many elements of it are in the window; at least 1.
    pub size: usize,
    /// How far the next window is; at least 1.
    pub stride: usize,
    /// How far the next element of a window is; at least 1.
    pub dilation: usize,
    /// How far apart the elements of the tensor are before it is padded; at least 1.
    pub input_dilation: usize,
    /// What is around the tensor.
    pub padding: Padding,
}

/// What is around a tensor along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Nothing.
    Valid,
    /// So much that there are as many windows as strides fit.
    Same,
    /// So much before and behind; what is negative is cut off.
    Explicit(i64, i64),
}
