use iree_abi::{DType, Dim, Shape, TensorType};
use thiserror::Error;

/// Why an operation has no result for its operands.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InferError {
    /// It takes another number of operands.
    #[error("expected {expected} operands, found {found}")]
    OperandCount {
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// It is not defined for elements of this type.
    #[error("`{operation}` is not defined for `{dtype}`")]
    DType {
        /// The operation.
        operation: &'static str,
        /// The element type.
        dtype: DType,
    },
    /// Two operands need one element type.
    #[error("needs one element type, found `{0}` and `{1}`")]
    DTypes(DType, DType),
    /// Two operands need one shape.
    #[error("needs one shape, found `{0}` and `{1}`")]
    Shapes(Shape, Shape),
    /// The tensor has no such axis.
    #[error("there is no axis {axis} in a tensor with {rank} axes")]
    Axis {
        /// The axis.
        axis: usize,
        /// How many there are.
        rank: usize,
    },
    /// An axis may occur once.
    #[error("the axis {0} is named twice")]
    RepeatedAxis(usize),
    /// The axes of a list do not rise.
    #[error("the axes do not rise")]
    UnsortedAxes,
    /// A list needs one entry for each axis.
    #[error("expected one entry for each of the {expected} axes, found {found}")]
    AxisCount {
        /// How many axes there are.
        expected: usize,
        /// How many entries there are.
        found: usize,
    },
    /// A shape cannot be repeated to become another.
    #[error("cannot broadcast `{0}` to `{1}`")]
    Broadcast(Shape, Shape),
    /// The numbers of elements differ.
    #[error("cannot reshape `{0}` to `{1}`: they hold different numbers of elements")]
    Reshape(Shape, Shape),
    /// Axes that are multiplied or matched have different sizes.
    #[error("the axes {lhs_axis} of `{lhs}` and {rhs_axis} of `{rhs}` have different sizes")]
    Contraction {
        /// The first operand.
        lhs: Shape,
        /// Its axis.
        lhs_axis: usize,
        /// The second operand.
        rhs: Shape,
        /// Its axis.
        rhs_axis: usize,
    },
    /// A tensor has no square matrices in its last two axes.
    #[error("needs square matrices in the last two axes, found `{0}`")]
    Square(Shape),
    /// The rows of matrices are not those of what is on the right side of systems.
    #[error("cannot solve for `{1}` with matrices `{0}`: the rows differ")]
    Systems(Shape, Shape),
    /// Sums cannot be kept in a type.
    #[error("sums of products of `{0}` cannot be kept as `{1}`")]
    Accumulator(DType, DType),
    /// A window is larger than what it moves over.
    #[error("a window of {window} does not fit into the size {size} of axis {axis}")]
    Window {
        /// The axis.
        axis: usize,
        /// Its size.
        size: Dim,
        /// The size of the window.
        window: Dim,
    },
    /// A size or step of a window is 0.
    #[error("sizes, strides and dilations of windows are at least 1, that along axis {0} is 0")]
    Step(usize),
    /// The axes of a layout are not those from 0 on, each once.
    #[error("the layout {0:?} does not name every axis once")]
    Roles(Vec<usize>),
    /// The features of a convolution do not fit.
    #[error(
        "an input with {features} features does not fit a kernel from {inputs} to {outputs} with `groups = {groups}`"
    )]
    Features {
        /// The features of the input.
        features: Dim,
        /// The input features of the kernel.
        inputs: Dim,
        /// The output features of the kernel.
        outputs: Dim,
        /// How many groups there are.
        groups: usize,
    },
    /// The largest or smallest of no numbers.
    #[error("`{0}` of no elements has no value")]
    Empty(&'static str),
    /// The bytes of a constant do not fit its type.
    #[error("the constant has {found} bytes, its type needs {expected}")]
    ConstantSize {
        /// How many the type needs.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A part reaches past the end of an axis.
    #[error("the bounds along axis {axis} do not fit its size {size}")]
    Bounds {
        /// The axis.
        axis: usize,
        /// Its size.
        size: Dim,
    },
    /// It runs another number of regions.
    #[error("expected {expected} regions, found {found}")]
    RegionCount {
        /// How many it runs.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A region or an index has another type.
    #[error("expected `{0}`, found `{1}`")]
    RegionTypes(TensorType, TensorType),
    /// A size that has to be known is not, or is too large to count.
    #[error("the shape `{0}` is not known while building")]
    UnknownShape(Shape),
}
