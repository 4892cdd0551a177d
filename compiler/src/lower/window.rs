use super::{
    contract::{multiply, turned},
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    opaque, pad, reduce, slice, types,
};
use crate::{
    ir::Scalar,
    op::{Convolution, Op, Pad, ReduceWindow, WindowStep},
};
use iree_abi::{Shape, TensorType};
use iree_dialects::{
    attributes,
    prelude::*,
    stablehlo::{
        self,
        attributes::{
            ActivationDimensions, ConvolutionDimensions, KernelDimensions,
            convolution_dimension_numbers,
        },
    },
};

/// Sums of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower_convolution<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Convolution,
    input: &Tensor<'c, 'b>,
    kernel: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if !types::has_elements(&input.ty) || !types::has_elements(&kernel.ty) {
        return emitter.splat(Scalar::Integer(0), ty);
    }
    multiply(emitter, input, kernel, ty, |input, kernel, ty| {
        convolve_plain(emitter, op, input, kernel, ty)
    })
}

/// A convolution whose features are along the last axis, of operands with their axes turned. IREE 3.13 takes
/// forty times as long for other layouts. It must not see the transposes, which it would move into the
/// convolution again, nor compute them while compiling.
fn convolve_plain<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Convolution,
    input: &Tensor<'c, 'b>,
    kernel: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let hidden = |operand: &Tensor<'c, 'b>, axes: Vec<usize>| {
        if axes.is_sorted() {
            return Ok(operand.clone());
        }
        let operand = opaque::identity(emitter, operand)?;
        opaque::barrier(emitter, &turned(emitter, &operand, axes)?)
    };
    let (output_axes, kernel_axes) = (features_last(&op.output)?, kernel_order(&op.kernel)?);
    let input = hidden(input, features_last(&op.input)?)?;
    let kernel = hidden(kernel, kernel_axes)?;
    let rank = output_axes.len();
    let activation: Vec<_> = [0, rank - 1].into_iter().chain(1..rank - 1).collect();
    let plain = Convolution {
        input: activation.clone(),
        kernel: [rank - 1, rank - 2]
            .into_iter()
            .chain(0..rank - 2)
            .collect(),
        output: activation,
        ..op.clone()
    };
    let dims = output_axes
        .iter()
        .filter_map(|axis| ty.shape.dims().get(*axis));
    let plain_type = TensorType::new(ty.dtype, Shape::new(dims.cloned().collect()));
    let result = convolve(emitter, &plain, &input, &kernel, plain_type)?;
    let mut back: Vec<_> = (0..rank).collect();
    back.sort_by_key(|place| output_axes.get(*place));
    turned(emitter, &result, back)
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
    let signed = |axes: &[usize]| axes.iter().map(|axis| *axis as i64).collect::<Vec<_>>();
    let [input, kernel, output] = [&op.input, &op.kernel, &op.output].map(|axes| signed(axes));
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
    Ok(convolution_dimension_numbers(context, &dimensions)?)
}

fn activation(axes: &[i64]) -> Result<ActivationDimensions<'_>> {
    let (batch, feature, spatial) = split(axes)?;
    Ok(ActivationDimensions {
        batch,
        feature,
        spatial,
    })
}

fn split(axes: &[i64]) -> Result<(i64, i64, &[i64])> {
    match axes {
        [first, second, spatial @ ..] => Ok((*first, *second, spatial)),
        _ => Err(LowerCause::Lost("the axes of a convolution")),
    }
}

/// Sums of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower_reduction<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ReduceWindow,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let narrow = operand.dtype();
    let kind = op.kind.reduction();
    let dtype = reduce::combined_in(kind, narrow);
    if !types::has_elements(&operand.ty) {
        return emitter.splat(reduce::identity(kind, narrow), ty);
    }
    if narrow.is_complex() {
        // IREE cannot fill what is around complex numbers.
        let part = types::with_dtype(ty, narrow.real());
        let re = reduce_windows(emitter, op, &emitter.real(operand)?, &part)?;
        let im = reduce_windows(emitter, op, &emitter.imag(operand)?, &part)?;
        return emitter.complex(&re, &im, narrow);
    }
    if dtype == narrow {
        return reduce_windows(emitter, op, operand, ty);
    }
    let operand = emitter.convert(operand, dtype)?;
    let result = reduce_windows(emitter, op, &operand, &types::with_dtype(ty, dtype))?;
    emitter.convert(&result, narrow)
}

fn reduce_windows<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ReduceWindow,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if operand.ty.shape.known().is_none() {
        return combine_slices(emitter, op, operand);
    }
    let element = types::scalar(operand.dtype());
    let kind = op.kind.reduction();
    let init = emitter.splat(reduce::identity(kind, operand.dtype()), &element)?;
    let body = emitter.reducer(&element, |emitter, lhs, rhs| {
        reduce::combine(emitter, kind, lhs, rhs)
    })?;
    let list = |of: fn(&WindowStep) -> usize| list(emitter, &op.steps, of);
    let results = stablehlo::ReduceWindowOperation::builder(emitter.context, emitter.location)
        .inputs(&[operand.value])
        .init_values(&[init.value])
        .window_dimensions(emitter.axes(&op.sizes))
        .window_strides(list(|step| step.stride))
        .base_dilations(list(|step| step.input_dilation))
        .window_dilations(list(|step| step.dilation))
        .padding(padding(emitter, &op.steps)?)
        .body(body)
        .results(&[emitter.tensor_type(ty)?])
        .append_to(&emitter.block)?
        .results()?;
    let value = results.first().copied();
    let value = value.ok_or(LowerCause::Lost("the result of a reduction"))?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

/// Combines slices with one element of each window, along one axis after the other: IREE 3.13 does not
/// reduce windows of a tensor whose size it does not know.
fn combine_slices<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ReduceWindow,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let kind = op.kind.reduction();
    let element = types::scalar(operand.dtype());
    let identity = emitter.splat(reduce::identity(kind, operand.dtype()), &element)?;
    let pad = Pad {
        low: op.steps.iter().map(|step| step.padding.0).collect(),
        high: op.steps.iter().map(|step| step.padding.1).collect(),
        interior: op
            .steps
            .iter()
            .map(|step| step.input_dilation - 1)
            .collect(),
    };
    let ty = inferred(&Op::Pad(pad.clone()), &[&operand.ty, &element])?;
    let mut combined = pad::lower(emitter, &pad, operand, &identity, &ty)?;
    for (axis, (size, step)) in op.sizes.iter().zip(&op.steps).enumerate() {
        let mut result: Option<Tensor<'c, 'b>> = None;
        for element in 0..*size {
            let slice = step.slice(&combined.ty, axis, *size, element);
            let slice = slice.ok_or(LowerCause::Lost("a window"))?;
            let ty = inferred(&Op::Slice(slice.clone()), &[&combined.ty])?;
            let part = slice::lower(emitter, &slice, &combined, &ty)?;
            result = Some(match result {
                None => part,
                Some(before) => reduce::combine(emitter, kind, &before, &part)?,
            });
        }
        combined = result.ok_or(LowerCause::Lost("a window"))?;
    }
    Ok(combined)
}

fn inferred(op: &Op, operands: &[&TensorType]) -> Result<TensorType> {
    let operands: Vec<_> = operands.iter().map(|ty| (*ty).clone()).collect();
    let results = op.infer(&operands, &[]).unwrap_or_default();
    let result = results.into_iter().next();
    result.ok_or(LowerCause::Lost("the type of a part"))
}

fn list<'c>(
    emitter: &Emitter<'c, '_>,
    steps: &[WindowStep],
    of: fn(&WindowStep) -> usize,
) -> DenseI64ArrayAttribute<'c> {
    let numbers: Vec<_> = steps.iter().map(of).collect();
    emitter.axes(&numbers)
}

fn padding<'c>(
    emitter: &Emitter<'c, '_>,
    steps: &[WindowStep],
) -> Result<DenseElementsAttribute<'c>> {
    let pairs: Vec<_> = steps
        .iter()
        .map(|step| [step.padding.0, step.padding.1])
        .collect();
    Ok(attributes::pairs(emitter.context, &pairs)?)
}
