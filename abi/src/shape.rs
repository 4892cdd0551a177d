use crate::DType;
use std::fmt;

/// The size of a tensor along one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// Known while building.
    Static(usize),
    /// Known at the call. Dimensions of one signature with the same name are equal; an empty name
    /// stands for a size of its own.
    Dynamic(String),
}

impl Dim {
    /// The size, if it is known while building.
    pub const fn known(&self) -> Option<usize> {
        match self {
            Self::Static(size) => Some(*size),
            Self::Dynamic(_) => None,
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(size) => write!(formatter, "{size}"),
            Self::Dynamic(name) if name.is_empty() => formatter.write_str("_"),
            Self::Dynamic(name) => formatter.write_str(name),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_as_in_the_language() {
        let shape = Shape::new(vec![Dim::Dynamic("B".into()), Dim::Static(784)]);
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
        let shape = Shape::new(vec![Dim::Dynamic(String::new()), Dim::Static(2)]);
        assert!(shape.accepts(&[7, 2]));
        assert!(!shape.accepts(&[7, 3]));
        assert!(!shape.accepts(&[7]));
        assert_eq!(shape.known(), None);
    }
}
