use super::{
    InferError, Op, RegionType, Slice, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{Dim, Extent, Shape, TensorType};
use std::fmt;

/// More elements at the ends of each axis and between neighbours. Operands: the tensor, and the new
/// element, a scalar of its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pad {
    /// How many elements come before the first, for each axis; if negative, how many go.
    pub low: Vec<i64>,
    /// How many elements come behind the last, for each axis; if negative, how many go.
    pub high: Vec<i64>,
    /// How many elements come between neighbours, for each axis; before what is added at the ends.
    pub interior: Vec<usize>,
}

impl Pad {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand, value] = arity::exactly(operands)?;
        let expected = TensorType::new(operand.dtype, []);
        if *value != expected {
            return Err(InferError::RegionTypes(expected, value.clone()));
        }
        let shape = self.shape(&operand.shape)?;
        Ok(vec![TensorType::new(operand.dtype, shape)])
    }

    /// The shape of what an operand of a shape becomes.
    fn shape(&self, operand: &Shape) -> Result<Shape, InferError> {
        let rank = operand.rank();
        for found in [self.low.len(), self.high.len(), self.interior.len()] {
            if found != rank {
                return Err(InferError::AxisCount {
                    expected: rank,
                    found,
                });
            }
        }
        let mut dims = Vec::with_capacity(rank);
        let ends = self.low.iter().zip(&self.high).zip(&self.interior);
        for (axis, ((low, high), interior)) in ends.enumerate() {
            let size = operand.dims().get(axis).unwrap_or(&Dim::Any);
            let padded = padded(size, i128::from(*low) + i128::from(*high), *interior);
            let outside = || InferError::Bounds {
                axis,
                size: size.clone(),
            };
            dims.push(padded.ok_or_else(outside)?);
        }
        Ok(Shape::new(dims))
    }

    /// Whether elements come at an end or between others.
    pub fn adds(&self) -> bool {
        let mut ends = self.low.iter().chain(&self.high);
        ends.any(|end| *end > 0) || self.interior.iter().any(|count| *count > 0)
    }

    /// Whether elements go at an end.
    pub fn cuts(&self) -> bool {
        self.low.iter().chain(&self.high).any(|end| *end < 0)
    }

    /// What it is if it takes elements away: padding that only adds, and the part of its result that stays. `None` if it takes none
    /// away, or if the sizes of the operand are not known while building.
    pub fn cut(&self, operand: &Shape) -> Option<(Self, Slice)> {
        if !self.cuts() {
            return None;
        }
        let taken = |end: &i64| i128::from(*end).min(0);
        let added = |ends: &[i64]| ends.iter().map(|end| (*end).max(0)).collect();
        let whole = Self {
            low: added(&self.low),
            high: added(&self.high),
            interior: self.interior.clone(),
        };
        let whole_shape = whole.shape(operand).ok()?;
        let ends = whole_shape.dims().iter().zip(&self.high);
        let limit = ends.map(|(size, end)| size.extent()?.plus(&Extent::constant(taken(end))));
        let start = self.low.iter().map(|end| Extent::constant(-taken(end)));
        let part = Slice {
            start: start.collect(),
            limit: limit.collect::<Option<_>>()?,
            stride: vec![1; self.low.len()],
        };
        Some((whole, part))
    }
}

/// The size with elements between neighbours and at the ends.
fn padded(size: &Dim, ends: i128, interior: usize) -> Option<Dim> {
    let inside = spread(size, interior)?;
    Dim::from_extent(inside.plus(&Extent::constant(ends))?)
}

/// The size with so many elements between neighbours. Of nothing there are none, so one that is known only at the
/// call must not be 0, which whoever puts elements between has required.
pub fn spread(size: &Dim, interior: usize) -> Option<Extent> {
    let extent = size.extent()?;
    match (interior, size) {
        (0, _) | (_, Dim::Static(0)) => Some(extent),
        _ => {
            let gaps = extent.minus(&Extent::from(1))?;
            extent.plus(&gaps.times(&Extent::from(interior))?)
        }
    }
}

impl<'a> Family<'a> for &'a Pad {
    fn name(self) -> &'static str {
        "pad"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost: Cost::Movement,
            structure: Structure::Pad(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("low", &self.low)?;
        text.list("high", &self.high)?;
        text.list("interior", &self.interior)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("pad") {
            return Ok(None);
        }
        text.operands()?;
        done(Op::Pad(Pad {
            low: text.list("low")?,
            high: text.list("high")?,
            interior: text.list("interior")?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_abi::DType;

    fn f32(sizes: &[usize]) -> TensorType {
        TensorType::new(DType::F32, sizes)
    }

    fn infer(ends: (i64, i64), interior: usize, size: usize) -> Result<TensorType, InferError> {
        let op = Pad {
            low: vec![ends.0],
            high: vec![ends.1],
            interior: vec![interior],
        };
        let results = op.infer(&[f32(&[size]), f32(&[])])?;
        Ok(results[0].clone())
    }

    #[test]
    fn sizes_grow_at_the_ends_and_inside() {
        assert_eq!(infer((1, 2), 0, 3), Ok(f32(&[6])));
        assert_eq!(infer((-1, 0), 2, 3), Ok(f32(&[6])));
        assert_eq!(infer((0, 0), 2, 0), Ok(f32(&[0])));
        assert_eq!(infer((-3, 0), 0, 3), Ok(f32(&[0])));
    }

    #[test]
    fn no_more_goes_than_there_is() {
        let size = Dim::Static(3);
        let error = InferError::Bounds { axis: 0, size };
        assert_eq!(infer((-4, 0), 0, 3), Err(error.clone()));
        assert_eq!(infer((i64::MAX, i64::MAX), 0, 3), Err(error));
    }
}
