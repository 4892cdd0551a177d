//! Windows that move over a tensor: what becomes of the numbers in each, and how many there are.

use super::{
    InferError, Op, ReduceKind, RegionType, Slice, arity,
    family::Family,
    pad,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{ParseError, Printer, ReadResult, Reader, done};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use std::fmt;

/// How windows move along an axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WindowStep {
    /// How far the next window is; at least 1.
    pub stride: usize,
    /// What is added to the axis before and behind; what is negative is cut off.
    pub padding: (i64, i64),
    /// How far the next element of a window is; at least 1.
    pub dilation: usize,
    /// How far apart the elements of the tensor are before it is padded; at least 1.
    pub input_dilation: usize,
}

impl WindowStep {
    /// Windows side by side, over the elements as they are.
    pub const ONE: Self = Self {
        stride: 1,
        padding: (0, 0),
        dilation: 1,
        input_dilation: 1,
    };

    /// How many windows of a size there are along an axis.
    fn count(&self, dim: &Dim, window: usize) -> Option<Dim> {
        let reach = dilated(window as i128, self.dilation);
        let room = self.padded(dim)?.plus(&Extent::constant(-reach))?;
        if room.known().is_some_and(|room| room < 0) {
            return (dim.known() == Some(0)).then_some(Dim::Static(0));
        }
        let count = room.over(self.stride as i128)?.plus(&Extent::from(1))?;
        Dim::from_extent(count)
    }

    /// The slice with one element of each window along an axis of a tensor that is padded already; `None`
    /// if no window fits.
    pub fn slice(
        &self,
        ty: &TensorType,
        axis: usize,
        window: usize,
        element: usize,
    ) -> Option<Slice> {
        let limit = ty.shape.extents()?;
        let mut slice = Slice {
            start: vec![Extent::from(0); limit.len()],
            stride: vec![1; limit.len()],
            limit,
        };
        let start = element.checked_mul(self.dilation)? as i128;
        let behind = start + 1 - dilated(window as i128, self.dilation);
        let limit = slice.limit.get_mut(axis)?;
        *limit = limit.plus(&Extent::constant(behind))?;
        if limit.known().is_some_and(|limit| limit <= start) {
            return None;
        }
        *slice.start.get_mut(axis)? = Extent::constant(start);
        *slice.stride.get_mut(axis)? = self.stride;
        Some(slice)
    }

    /// How long an axis is with what is put between its elements and around it.
    pub fn padded(&self, dim: &Dim) -> Option<Extent> {
        let added = i128::from(self.padding.0) + i128::from(self.padding.1);
        let spread = pad::spread(dim, self.input_dilation.checked_sub(1)?)?;
        spread.plus(&Extent::constant(added))
    }
}

/// The size of so many elements with others between them.
fn dilated(size: i128, dilation: usize) -> i128 {
    match size {
        0 => 0,
        _ => (size - 1) * dilation as i128 + 1,
    }
}

/// What becomes of an axis over which windows of a size move.
fn moved(axis: usize, dim: &Dim, window: &Dim, step: &WindowStep) -> Result<Dim, InferError> {
    if [step.stride, step.dilation, step.input_dilation].contains(&0) {
        return Err(InferError::Step(axis));
    }
    let count = window.known().and_then(|window| step.count(dim, window));
    count.ok_or_else(|| InferError::Window {
        axis,
        size: dim.clone(),
        window: window.clone(),
    })
}

/// The numbers in each window combined to one. Outside of the tensor there is what changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReduceWindow {
    /// How two become one.
    pub kind: WindowKind,
    /// The size of the window along each axis, at least 1.
    pub sizes: Vec<usize>,
    /// How it moves along each axis.
    pub steps: Vec<WindowStep>,
}

/// How two numbers in a window become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// The sum. Not `bool`.
    Sum,
    /// The largest; NaN if one is. Not complex.
    Maximum,
    /// The smallest; NaN if one is. Not complex.
    Minimum,
}

impl WindowKind {
    /// Every kind.
    pub const ALL: &[Self] = &[Self::Sum, Self::Maximum, Self::Minimum];

    /// The name of the operation in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "window_sum",
            Self::Maximum => "window_maximum",
            Self::Minimum => "window_minimum",
        }
    }

    /// The reduction that does the same to all numbers.
    pub const fn reduction(self) -> ReduceKind {
        match self {
            Self::Sum => ReduceKind::Sum,
            Self::Maximum => ReduceKind::Maximum,
            Self::Minimum => ReduceKind::Minimum,
        }
    }
}

impl ReduceWindow {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        let dtype = operand.dtype;
        self.kind.reduction().check(self.kind.name(), dtype)?;
        let dims = operand.shape.dims();
        arity::check_count(dims.len(), self.sizes.len())?;
        arity::check_count(dims.len(), self.steps.len())?;
        let axes = dims.iter().zip(&self.sizes).zip(&self.steps).enumerate();
        let dims = axes.map(|(axis, ((dim, size), step))| match size {
            0 => Err(InferError::Step(axis)),
            size => moved(axis, dim, &Dim::Static(*size), step),
        });
        let dims = dims.collect::<Result<_, _>>()?;
        Ok(vec![TensorType::new(dtype, Shape::new(dims))])
    }
}

/// For each window of the first operand and each output feature, the sum of its products with the
/// second operand, the kernel, which is not turned around. Not `bool`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Convolution {
    /// How the window moves along each spatial axis.
    pub steps: Vec<WindowStep>,
    /// Into how many groups the features fall that have nothing to do with each other.
    pub groups: usize,
    /// The axes of the first operand: batch, features, and the spatial ones.
    pub input: Vec<usize>,
    /// The axes of the kernel: output features, input features of one group, and the spatial ones.
    pub kernel: Vec<usize>,
    /// The axes of the result: batch, features, and the spatial ones.
    pub output: Vec<usize>,
}

impl Convolution {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [input, kernel] = arity::exactly(operands)?;
        let dtype = arity::same_dtype(input, kernel)?;
        if dtype == DType::Bool {
            return Err(InferError::DType {
                operation: "convolution",
                dtype,
            });
        }
        let [batch, features, spatial @ ..] = &roles(&self.input, input)?[..] else {
            return Err(InferError::Roles(self.input.clone()));
        };
        let [outputs, inputs, window @ ..] = &roles(&self.kernel, kernel)?[..] else {
            return Err(InferError::Roles(self.kernel.clone()));
        };
        arity::check_count(self.steps.len(), spatial.len())?;
        arity::check_count(spatial.len(), window.len())?;
        self.check_features(features, inputs, outputs)?;
        let mut dims = vec![batch.clone(), outputs.clone()];
        let axes = spatial.iter().zip(window).zip(&self.steps);
        for (((dim, window), step), axis) in axes.zip(self.input.iter().skip(2)) {
            dims.push(moved(*axis, dim, window, step)?);
        }
        let shape = placed(&self.output, &dims);
        let shape = shape.ok_or_else(|| InferError::Roles(self.output.clone()))?;
        Ok(vec![TensorType::new(dtype, shape)])
    }

    /// Refuses features that do not fit the kernel or fall into no groups.
    fn check_features(
        &self,
        features: &Dim,
        inputs: &Dim,
        outputs: &Dim,
    ) -> Result<(), InferError> {
        let groups = self.groups;
        let fits = match (features.known(), inputs.known()) {
            (Some(features), Some(inputs)) => inputs.checked_mul(groups) == Some(features),
            _ => groups == 1 && features == inputs,
        };
        let falls = match outputs.known() {
            Some(outputs) => outputs.checked_rem(groups) == Some(0),
            None => groups == 1,
        };
        if fits && falls {
            return Ok(());
        }
        Err(InferError::Features {
            features: features.clone(),
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            groups,
        })
    }
}

/// The dimensions in the order of their roles.
fn roles(axes: &[usize], ty: &TensorType) -> Result<Vec<Dim>, InferError> {
    arity::check_count(ty.shape.rank(), axes.len())?;
    arity::check_axes(axes, ty)?;
    let dims = ty.shape.dims();
    Ok(axes
        .iter()
        .filter_map(|axis| dims.get(*axis).cloned())
        .collect())
}

/// The shape with each dimension at its axis.
fn placed(axes: &[usize], dims: &[Dim]) -> Option<Shape> {
    let dim_at = |axis| {
        let role = axes.iter().position(|other| *other == axis)?;
        dims.get(role).cloned()
    };
    let shape: Option<Vec<_>> = (0..dims.len()).map(dim_at).collect();
    shape.filter(|_| axes.len() == dims.len()).map(Shape::new)
}

impl<'a> Family<'a> for &'a ReduceWindow {
    fn name(self) -> &'static str {
        self.kind.name()
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
            cost: Cost::Windows,
            structure: Structure::ReduceWindow(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.list("sizes", &self.sizes)?;
        print_steps(text, &self.steps)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        let Some(kind) = text.member(WindowKind::ALL, WindowKind::name) else {
            return Ok(None);
        };
        text.operands()?;
        let sizes = text.list("sizes")?;
        let steps = read_steps(text)?;
        done(Op::ReduceWindow(ReduceWindow { kind, sizes, steps }))
    }
}

impl<'a> Family<'a> for &'a Convolution {
    fn name(self) -> &'static str {
        "convolution"
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
            cost: Cost::Windows,
            structure: Structure::Convolution(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        print_steps(text, &self.steps)?;
        write!(text, " groups {}", self.groups)?;
        text.list("input", &self.input)?;
        text.list("kernel", &self.kernel)?;
        text.list("output", &self.output)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("convolution") {
            return Ok(None);
        }
        text.operands()?;
        done(Op::Convolution(Convolution {
            steps: read_steps(text)?,
            groups: text.number("groups")?,
            input: text.list("input")?,
            kernel: text.list("kernel")?,
            output: text.list("output")?,
        }))
    }
}

fn print_steps(text: &mut Printer<'_, '_>, steps: &[WindowStep]) -> fmt::Result {
    let mut list = |keyword: &str, of: fn(&WindowStep) -> i64| {
        let numbers: Vec<_> = steps.iter().map(of).collect();
        text.list(keyword, &numbers)
    };
    list("strides", |step| step.stride as i64)?;
    list("padding", |step| step.padding.0)?;
    list("x", |step| step.padding.1)?;
    list("dilation", |step| step.dilation as i64)?;
    list("input_dilation", |step| step.input_dilation as i64)
}

fn read_steps(text: &mut Reader<'_, '_>) -> Result<Vec<WindowStep>, ParseError> {
    let strides = text.list("strides")?;
    let low = text.list("padding")?;
    let high = text.list("x")?;
    let dilation = text.list("dilation")?;
    let input_dilation = text.list("input_dilation")?;
    let lengths = [low.len(), high.len(), dilation.len(), input_dilation.len()];
    if lengths != [strides.len(); 4] {
        return Err(text.error("the lists of a window differ in length"));
    }
    let padding = low.into_iter().zip(high);
    let dilations = dilation.into_iter().zip(input_dilation);
    let steps = strides.into_iter().zip(padding).zip(dilations);
    let step = |((stride, padding), (dilation, input_dilation))| WindowStep {
        stride,
        padding,
        dilation,
        input_dilation,
    };
    Ok(steps.map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convolution() -> Convolution {
        Convolution {
            steps: vec![WindowStep::ONE; 2],
            groups: 1,
            input: vec![0, 3, 1, 2],
            kernel: vec![3, 2, 0, 1],
            output: vec![0, 3, 1, 2],
        }
    }

    #[test]
    fn windows_are_counted() {
        let step = WindowStep {
            stride: 2,
            padding: (1, 2),
            dilation: 2,
            input_dilation: 3,
        };
        // 3 elements reach over 7, padded 10; a window of 2 reaches over 3.
        assert_eq!(step.count(&Dim::Static(3), 2), Some(Dim::Static(4)));
        assert_eq!(WindowStep::ONE.count(&Dim::Static(3), 4), None);
        assert_eq!(
            WindowStep::ONE.count(&Dim::Static(0), 4),
            Some(Dim::Static(0))
        );
        let cut = WindowStep {
            padding: (-1, 0),
            ..WindowStep::ONE
        };
        assert_eq!(cut.count(&Dim::Static(3), 1), Some(Dim::Static(2)));
        let half = WindowStep {
            stride: 2,
            ..WindowStep::ONE
        };
        let named = |text: &str| Dim::Dynamic(text.parse().unwrap());
        assert_eq!(half.count(&named("2*B"), 2), Some(named("B")));
    }

    #[test]
    fn layouts_say_where_the_axes_are() {
        let input = TensorType::new(DType::F32, [1, 8, 9, 4]);
        let kernel = TensorType::new(DType::F32, [3, 3, 2, 6]);
        let grouped = Convolution {
            groups: 2,
            output: vec![3, 0, 2, 1],
            ..convolution()
        };
        let result = TensorType::new(DType::F32, [6, 7, 6, 1]);
        assert_eq!(
            grouped.infer(&[input.clone(), kernel.clone()]),
            Ok(vec![result])
        );
        let whole = convolution().infer(&[input, kernel]);
        assert!(matches!(whole, Err(InferError::Features { .. })));
    }

    #[test]
    fn every_axis_has_one_role() {
        let input = TensorType::new(DType::F32, [1, 8, 9, 4]);
        let twice = Convolution {
            output: vec![0, 3, 1, 1],
            ..convolution()
        };
        let kernel = TensorType::new(DType::F32, [3, 3, 4, 6]);
        let found = twice.infer(&[input, kernel]);
        assert_eq!(found, Err(InferError::Roles(vec![0, 3, 1, 1])));
    }

    #[test]
    fn windows_reduce_what_reductions_do() {
        let op = ReduceWindow {
            kind: WindowKind::Maximum,
            sizes: vec![1, 2],
            steps: vec![WindowStep::ONE; 2],
        };
        let of = |dtype| op.infer(&[TensorType::new(dtype, [3, 4])]);
        assert_eq!(of(DType::U8), Ok(vec![TensorType::new(DType::U8, [3, 3])]));
        assert!(of(DType::C64).is_err());
    }
}
