use super::{
    Machine,
    contract::{self, multiply, turned},
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    opaque,
    pairs::Pairs,
    slice, types,
    window::{self, list, padding},
};
use crate::legalize::MOST;
use iree_abi::{Dim, Extent, Shape, TensorType};
use iree_dialects::{
    AttributeValue,
    prelude::*,
    stablehlo::{self, ActivationDimensions, ConvolutionDimensions, KernelDimensions},
};
use iree_dsl_ir::{
    Scalar,
    op::{Convolution, DotGeneral, Op, Slice, WindowStep},
};

/// Sums of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &Convolution,
    (input, kernel): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if !types::has_elements(&input.ty) || !types::has_elements(&kernel.ty) {
        return emitter.splat(Scalar::Integer(0), ty);
    }
    multiply(emitter, input, kernel, ty, |input, kernel, ty| {
        convolve_plain(emitter, machine, op, (input, kernel), ty)
    })
}

/// A convolution whose features are along the last axis.
fn convolve_plain<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &Convolution,
    (input, kernel): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let is_known = is_known(op, input, kernel);
    let pairs = Pairs::of(machine, op, input, kernel).filter(|_| is_known);
    let (steps, input, kernel) = plain_operands(emitter, pairs, op, (input, kernel))?;
    let output_axes = features_last(&op.output)?;
    let rank = output_axes.len();
    let activation: Vec<_> = [0, rank - 1].into_iter().chain(1..rank - 1).collect();
    let plain = Convolution {
        input: activation.clone(),
        kernel: [rank - 1, rank - 2]
            .into_iter()
            .chain(0..rank - 2)
            .collect(),
        output: activation,
        steps,
        ..op.clone()
    };
    let dims = output_axes
        .iter()
        .filter_map(|axis| ty.shape.dims().get(*axis));
    let plain_type = TensorType::new(ty.dtype, Shape::new(dims.cloned().collect()));
    let result = match is_known {
        true => convolve(emitter, &plain, &input, &kernel, plain_type)?,
        false => by_elements(emitter, &plain, &input, &kernel, plain_type)?,
    };
    let mut back: Vec<_> = (0..rank).collect();
    back.sort_by_key(|place| output_axes.get(*place));
    turned(emitter, &result, back)
}

/// Whether all sizes are known that IREE 3.13 wants to know. It takes a batch of unknown size, but not in groups.
/// Defect `grouped-convolution-of-unknown-batch`.
fn is_known(op: &Convolution, input: &Tensor<'_, '_>, kernel: &Tensor<'_, '_>) -> bool {
    let from = usize::from(op.groups == 1);
    let dims = input.ty.shape.dims();
    let mut wanted = op
        .input
        .iter()
        .skip(from)
        .filter_map(|axis| dims.get(*axis));
    wanted.all(|dim| dim.known().is_some()) && kernel.ty.shape.known().is_some()
}

/// How the windows move, and the operands with the features along the last axis. IREE 3.13 takes forty times as long for other
/// layouts. It must not see the transposes, which it would move into the convolution again, nor compute them while compiling.
/// Defect `convolution-with-features-first`.
fn plain_operands<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    pairs: Option<Pairs>,
    op: &Convolution,
    (input, kernel): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
) -> Result<(Vec<WindowStep>, Tensor<'c, 'b>, Tensor<'c, 'b>)> {
    if let Some(pairs) = pairs {
        let input = pairs.of_input(emitter, op, input)?;
        let kernel = pairs.of_kernel(emitter, op, kernel)?;
        return Ok((pairs.steps(&op.steps), input, kernel));
    }
    let hidden = |operand: &Tensor<'c, 'b>, axes: Vec<usize>| {
        if axes.is_sorted() {
            return Ok(operand.clone());
        }
        let operand = opaque::identity(emitter, operand)?;
        opaque::unfused(emitter, &turned(emitter, &operand, axes)?)
    };
    let input = hidden(input, features_last(&op.input)?)?;
    let kernel = hidden(kernel, kernel_order(&op.kernel)?)?;
    Ok((op.steps.clone(), input, kernel))
}

/// The batch, the spatial axes, then the features.
fn features_last(axes: &[usize]) -> Result<Vec<usize>> {
    match axes {
        [batch, feature, spatial @ ..] => Ok([&[*batch], spatial, &[*feature]].concat()),
        _ => Err(LowerCause::Lost("the axes of a convolution")),
    }
}

/// The spatial axes, then the features of the input and of the output.
fn kernel_order(axes: &[usize]) -> Result<Vec<usize>> {
    match axes {
        [output, input, spatial @ ..] => Ok([spatial, &[*input, *output]].concat()),
        _ => Err(LowerCause::Lost("the axes of a convolution")),
    }
}

fn convolve<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Convolution,
    input: &Tensor<'c, 'b>,
    kernel: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let context = emitter.context;
    let count = |count: usize| {
        let index_type = IntegerType::new(context, 64).into();
        IntegerAttribute::new(index_type, count as i64)
    };
    let list = |of: fn(&WindowStep) -> usize| list(emitter, &op.steps, of);
    let value = stablehlo::ConvolutionOperation::builder(context, emitter.location)
        .lhs(input.value)
        .rhs(kernel.value)
        .window_strides(list(|step| step.stride))
        .padding(padding(emitter, &op.steps)?)
        .lhs_dilation(list(|step| step.input_dilation))
        .rhs_dilation(list(|step| step.dilation))
        .dimension_numbers(dimension_numbers(context, op)?)
        .feature_group_count(count(op.groups))
        .batch_group_count(count(1))
        .result(emitter.tensor_type(&ty)?)
        .append_to(&emitter.block)?
        .result()?;
    Ok(Tensor { value, ty })
}

fn dimension_numbers<'c>(context: &'c Context, op: &Convolution) -> Result<Attribute<'c>> {
    let [input, kernel, output] = [&op.input, &op.kernel, &op.output].map(|axes| types::axes(axes));
    let (output_feature, input_feature, spatial) = split(&kernel)?;
    let dimensions = ConvolutionDimensions {
        input: activation(&input)?,
        kernel: KernelDimensions {
            output_feature,
            input_feature,
            spatial,
        },
        output: activation(&output)?,
    };
    Ok(dimensions.to_attribute(context)?)
}

fn activation(axes: &[i64]) -> Result<ActivationDimensions> {
    let (batch, feature, spatial) = split(axes)?;
    Ok(ActivationDimensions {
        batch,
        feature,
        spatial,
    })
}

fn split(axes: &[i64]) -> Result<(i64, i64, Vec<i64>)> {
    match axes {
        [first, second, spatial @ ..] => Ok((*first, *second, spatial.to_vec())),
        _ => Err(LowerCause::Lost("the axes of a convolution")),
    }
}

/// Sums products of the input and one element of the kernel: IREE 3.13 does not convolve tensors of which it
/// knows more than the batch at the call only.
/// Defect `convolution-of-unknown-sizes`.
fn by_elements<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Convolution,
    input: &Tensor<'c, 'b>,
    kernel: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let input = convert::lower(emitter, ty.dtype, input)?;
    let kernel = convert::lower(emitter, ty.dtype, kernel)?;
    let shape = grouped(op.groups, &input.ty.shape).ok_or(LowerCause::Lost("the features"))?;
    let input = emitter.reshape(&input, &shape)?;
    let mut steps = vec![WindowStep::ONE; input.ty.shape.rank()];
    for (own, step) in steps.iter_mut().skip(1).zip(&op.steps) {
        own.clone_from(step);
    }
    let padded = window::padded(emitter, &steps, &input, Scalar::Integer(0))?;
    let padded = opaque::unfused(emitter, &padded)?;
    let sizes = kernel.ty.shape.dims().iter().take(op.steps.len());
    let sizes: Option<Vec<_>> = sizes.map(Dim::known).collect();
    let sizes = sizes.ok_or(LowerCause::Lost("the size of a window"))?;
    let mut sum: Option<Tensor<'c, 'b>> = None;
    for (number, place) in places(&sizes).into_iter().enumerate() {
        let mut part = padded.clone();
        for ((axis, step), (size, element)) in (1..).zip(&op.steps).zip(sizes.iter().zip(&place)) {
            part = window::element_of_windows(emitter, step, &part, (axis, *size), *element)?;
        }
        let factors = element_of_kernel(emitter, op, &kernel, &place)?;
        let product = grouped_product(emitter, &part, &factors)?;
        sum = Some(match sum {
            None => product,
            // IREE adds all in one dispatch, which is told where each of them is, and cannot be told much.
            Some(before) if number % MOST == 0 => {
                emitter.add(&opaque::unfused(emitter, &before)?, &product)?
            }
            Some(before) => emitter.add(&before, &product)?,
        });
    }
    let sum = sum.ok_or(LowerCause::Lost("a window"))?;
    let last = sum.ty.shape.rank() - 1;
    let sum = turned(emitter, &sum, (1..last).chain([0, last]).collect())?;
    emitter.reshape(&sum, &ty.shape)
}

/// What each group of features of the input is multiplied with at a place of the kernel.
fn element_of_kernel<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Convolution,
    kernel: &Tensor<'c, 'b>,
    place: &[usize],
) -> Result<Tensor<'c, 'b>> {
    let lost = || LowerCause::Lost("the features of a kernel");
    let mut limit = kernel.ty.shape.extents().ok_or_else(lost)?;
    let mut start = vec![Extent::from(0); limit.len()];
    for ((start, limit), place) in start.iter_mut().zip(&mut limit).zip(place) {
        (*start, *limit) = (Extent::from(*place), Extent::from(place + 1));
    }
    let slice = Slice {
        stride: vec![1; limit.len()],
        start,
        limit,
    };
    let ty = window::inferred(&Op::Slice(slice.clone()), &[&kernel.ty])?;
    let element = slice::lower(emitter, &slice, kernel, &ty)?;
    let features = ty.shape.dims().iter().skip(place.len()).cloned().collect();
    let shape = grouped(op.groups, &Shape::new(features)).ok_or_else(lost)?;
    emitter.reshape(&element, &shape)
}

/// The products of groups of features, with the group as the first axis.
fn grouped_product<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    input: &Tensor<'c, 'b>,
    factors: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let rank = input.ty.shape.rank();
    let product = DotGeneral {
        batch: (vec![rank - 2], vec![1]),
        contract: (vec![rank - 1], vec![0]),
        dtype: input.dtype(),
    };
    let operands = [&input.ty, &factors.ty];
    let ty = window::inferred(&Op::DotGeneral(product.clone()), &operands)?;
    contract::contract_matrices(emitter, &product, input, factors, ty)
}

/// The indices of all elements of a window.
fn places(sizes: &[usize]) -> Vec<Vec<usize>> {
    sizes.iter().fold(vec![Vec::new()], |places, size| {
        let further = |place: &Vec<usize>| {
            let place = place.clone();
            (0..*size).map(move |next| [place.as_slice(), &[next]].concat())
        };
        places.iter().flat_map(further).collect()
    })
}

/// A shape with its last axis divided into groups of features.
fn grouped(groups: usize, shape: &Shape) -> Option<Shape> {
    let mut dims = shape.dims().to_vec();
    let features = match dims.pop()? {
        Dim::Static(features) => Dim::Static(features.checked_div(groups)?),
        unknown => unknown,
    };
    dims.extend([Dim::Static(groups), features]);
    Some(Shape::new(dims))
}
