use crate::{DType, Extent};
use std::{fmt, str::FromStr};

/// The size of a tensor along one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// Known while building.
    Static(usize),
    /// Known at the call. Names that are equal within one signature stand for equal sizes.
    Dynamic(Extent),
    /// Any size, of which nothing is said.
    Any,
}

impl Dim {
    /// A size that is known at the call and has a name.
    pub fn named(name: impl Into<String>) -> Self {
        Self::Dynamic(Extent::named(name))
    }

    /// The size, if it is known while building.
    pub const fn known(&self) -> Option<usize> {
        match self {
            Self::Static(size) => Some(*size),
            Self::Dynamic(_) | Self::Any => None,
        }
    }

    /// Whether there is one place along the axis, which is known while building.
    pub fn is_one(&self) -> bool {
        *self == Self::Static(1)
    }

    /// What the size is computed from, if anything is said.
    pub fn extent(&self) -> Option<Extent> {
        match self {
            Self::Static(size) => Some(Extent::from(*size)),
            Self::Dynamic(extent) => Some(extent.clone()),
            Self::Any => None,
        }
    }

    /// The size that an extent stands for; `None` if it is known to be negative or too large.
    pub fn from_extent(extent: Extent) -> Option<Self> {
        match extent.known() {
            Some(size) => usize::try_from(size).ok().map(Self::Static),
            None => Some(Self::Dynamic(extent)),
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(size) => write!(formatter, "{size}"),
            Self::Dynamic(extent) => write!(formatter, "{extent}"),
            Self::Any => formatter.write_str("_"),
        }
    }
}

/// The sizes of a tensor along its axes, outermost first.
///
/// # Examples
///
/// ```
/// use iree_abi::Shape;
///
/// let shape = Shape::from([3, 4]);
/// assert_eq!(shape.rank(), 2);
/// assert_eq!(shape.to_string(), "[3, 4]");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(Vec<Dim>);

impl Shape {
    /// A shape with these dimensions.
    pub const fn new(dims: Vec<Dim>) -> Self {
        Self(dims)
    }

    /// The dimensions, outermost first.
    pub fn dims(&self) -> &[Dim] {
        &self.0
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// All sizes, if every one is known while building.
    pub fn known(&self) -> Option<Vec<usize>> {
        self.0.iter().map(Dim::known).collect()
    }

    /// What the sizes are computed from, if something is said of each.
    pub fn extents(&self) -> Option<Vec<Extent>> {
        self.0.iter().map(Dim::extent).collect()
    }

    /// The number of elements; `None` if nothing is said of a size, or if it overflows.
    pub fn element_count(&self) -> Option<Extent> {
        if self.0.contains(&Dim::Static(0)) {
            return Some(Extent::from(0));
        }
        let mut dims = self.0.iter();
        dims.try_fold(Extent::from(1), |count, dim| count.times(&dim.extent()?))
    }

    /// Whether an array of these sizes fits, names of run-time dimensions left aside.
    pub fn accepts(&self, sizes: &[usize]) -> bool {
        self.rank() == sizes.len()
            && self
                .0
                .iter()
                .zip(sizes)
                .all(|(dim, size)| dim.known().is_none_or(|known| known == *size))
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(sizes: [usize; N]) -> Self {
        Self(sizes.into_iter().map(Dim::Static).collect())
    }
}

impl From<&[usize]> for Shape {
    fn from(sizes: &[usize]) -> Self {
        Self(sizes.iter().copied().map(Dim::Static).collect())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[")?;
        for (axis, dim) in self.0.iter().enumerate() {
            if axis > 0 {
                formatter.write_str(", ")?;
            }
            write!(formatter, "{dim}")?;
        }
        formatter.write_str("]")
    }
}

/// The type of a tensor: what its elements are and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorType {
    /// The type of each element.
    pub dtype: DType,
    /// The sizes along the axes.
    pub shape: Shape,
}

impl TensorType {
    /// A tensor type.
    pub fn new(dtype: DType, shape: impl Into<Shape>) -> Self {
        Self {
            dtype,
            shape: shape.into(),
        }
    }
}

impl TensorType {
    /// Whether this type, in which a dimension may be [`Dim::Any`], covers another.
    pub fn admits(&self, other: &Self) -> bool {
        let mut dims = self.shape.dims().iter().zip(other.shape.dims());
        self.dtype == other.dtype
            && self.shape.rank() == other.shape.rank()
            && dims.all(|(own, other)| *own == Dim::Any || own == other)
    }

    /// Whether something is left open about its shape.
    pub fn is_open(&self) -> bool {
        self.shape.dims().contains(&Dim::Any)
    }
}

impl fmt::Display for TensorType {
    /// Writes the type as the language spells it, `Tensor<f32, 3, 4>`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tensor<{}", self.dtype)?;
        for dim in self.shape.dims() {
            write!(formatter, ", {dim}")?;
        }
        formatter.write_str(">")
    }
}

/// A text is not the type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTensorTypeError;

impl fmt::Display for ParseTensorTypeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not a type as in `Tensor<f32, 3, 4>`")
    }
}

impl std::error::Error for ParseTensorTypeError {}

impl FromStr for TensorType {
    type Err = ParseTensorTypeError;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inner = text
            .strip_prefix("Tensor<")
            .and_then(|rest| rest.strip_suffix('>'))
            .ok_or(ParseTensorTypeError)?;
        let mut parts = inner.split(',').map(str::trim);
        let dtype = parts.next().and_then(|name| name.parse().ok());
        let dims: Option<Vec<Dim>> = parts.map(dim).collect();
        match (dtype, dims) {
            (Some(dtype), Some(dims)) => Ok(Self::new(dtype, Shape::new(dims))),
            _ => Err(ParseTensorTypeError),
        }
    }
}

fn dim(text: &str) -> Option<Dim> {
    match text {
        "_" => Some(Dim::Any),
        _ => Dim::from_extent(text.parse().ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_as_in_the_language() {
        let shape = Shape::new(vec![Dim::named("B"), Dim::Static(784)]);
        assert_eq!(
            TensorType::new(DType::F32, shape).to_string(),
            "Tensor<f32, B, 784>"
        );
        assert_eq!(
            TensorType::new(DType::C64, []).to_string(),
            "Tensor<Complex<f32>>"
        );
    }

    #[test]
    fn run_time_dimensions_accept_any_size() {
        let shape = Shape::new(vec![Dim::Any, Dim::Static(2)]);
        assert!(shape.accepts(&[7, 2]));
        assert!(!shape.accepts(&[7, 3]));
        assert!(!shape.accepts(&[7]));
        assert_eq!(shape.known(), None);
    }

    #[test]
    fn types_read_back() {
        for text in [
            "Tensor<f32, 3, 4>",
            "Tensor<Complex<f64>>",
            "Tensor<bool, B, 2*B + 1, _>",
        ] {
            assert_eq!(text.parse::<TensorType>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "f32",
            "Tensor<>",
            "Tensor<f8>",
            "Tensor<f32, 3 4>",
            "Tensor<f32, -1>",
        ] {
            assert_eq!(
                text.parse::<TensorType>(),
                Err(ParseTensorTypeError),
                "{text}"
            );
        }
    }
}
