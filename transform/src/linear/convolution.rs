//! Convolutions, transposed: of the input a convolution with the strides as distances between elements, of the kernel a
//! contraction for each of its places.

use super::{transpose::resized, window};
use crate::{
    builder::Builder,
    error::{Error, Result},
};
use iree_abi::{Dim, Shape, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{Convolution, DotGeneral, Op, Pad},
};

/// The size along the axis with a role.
fn dim(shape: &Shape, roles: &[usize], role: usize) -> Result<Dim> {
    let axis = roles.get(role).copied();
    let dim = axis.and_then(|axis| shape.dims().get(axis).cloned());
    dim.ok_or(Error::Lost("an axis of a convolution"))
}

fn known(dim: &Dim) -> Result<usize> {
    dim.known().ok_or(Error::Lost("the size of a kernel"))
}

/// The place of each axis among the roles: what `x` in the order of its roles is transposed by.
fn places(roles: &[usize]) -> Vec<usize> {
    let axes = 0..roles.len();
    axes.filter_map(|axis| roles.iter().position(|other| *other == axis))
        .collect()
}

/// The cotangent of the input, of this type.
pub(super) fn input(
    builder: &mut Builder,
    op: &Convolution,
    kernel: ValueId,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let (counts, sizes) = (builder.shape(cotangent)?, builder.shape(kernel)?);
    let mut steps = Vec::with_capacity(op.steps.len());
    for (index, step) in op.steps.iter().enumerate() {
        let size = known(&dim(&sizes, &op.kernel, index + 2)?)?;
        let count = dim(&counts, &op.output, index + 2)?;
        let step = window::back(step, size, &dim(&ty.shape, &op.input, index + 2)?, &count);
        steps.push(step.ok_or(Error::Lost("a size"))?);
    }
    let back = Convolution {
        steps,
        groups: op.groups,
        input: op.output.clone(),
        kernel: (0..op.kernel.len()).collect(),
        output: op.input.clone(),
    };
    let kernel = turned(builder, op, kernel)?;
    let sums = builder.emit(Op::Convolution(back), &[cotangent, kernel])?;
    resized(builder, sums, &ty.shape)
}

/// The kernel with its places in reverse order and features in the place of outputs, in the order of its roles.
fn turned(builder: &mut Builder, op: &Convolution, kernel: ValueId) -> Result<ValueId> {
    let spatial = op.kernel.iter().skip(2).copied().collect();
    let kernel = builder.reverse(kernel, spatial)?;
    let kernel = builder.transpose(kernel, op.kernel.clone())?;
    let rank = op.kernel.len();
    let swap: Vec<_> = [1, 0].into_iter().chain(2..rank).collect();
    if op.groups == 1 {
        return builder.transpose(kernel, swap);
    }
    let shape = builder.shape(kernel)?;
    let [outputs, inputs, spatial @ ..] = shape.dims() else {
        return Err(Error::Lost("an axis of a convolution"));
    };
    let each = known(outputs)?.checked_div(op.groups);
    let each = Dim::Static(each.ok_or(Error::Lost("a group"))?);
    let groups = Dim::Static(op.groups);
    let dims = |first: &[Dim]| Shape::new([first, spatial].concat());
    let kernel = builder.reshape(kernel, &dims(&[groups, each.clone(), inputs.clone()]))?;
    let swap = [0, 2, 1].into_iter().chain(3..rank + 1).collect();
    let kernel = builder.transpose(kernel, swap)?;
    let features = known(inputs)?.checked_mul(op.groups);
    let features = Dim::Static(features.ok_or(Error::Lost("a group"))?);
    builder.reshape(kernel, &dims(&[features, each]))
}

/// The cotangent of the kernel, of this type.
pub(super) fn kernel(
    builder: &mut Builder,
    op: &Convolution,
    input: ValueId,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    // Batch, groups, features of one group, and the spatial axes.
    let input = padded(builder, op, input)?;
    let cotangent = builder.transpose(cotangent, op.output.clone())?;
    let cotangent = grouped(builder, op.groups, cotangent)?;
    let sizes = op.kernel.iter().skip(2);
    let sizes = sizes.map(|axis| ty.shape.dims().get(*axis).and_then(Dim::known));
    let sizes: Option<Vec<_>> = sizes.collect();
    let sizes = sizes.ok_or(Error::Lost("the size of a kernel"))?;
    let mut parts = Vec::new();
    for place in odometer(&sizes) {
        parts.push(at_place(builder, op, &sizes, &place, input, cotangent)?);
    }
    for (index, size) in sizes.iter().enumerate().rev() {
        let mut joined = Vec::new();
        for part in parts.chunks((*size).max(1)) {
            joined.push(builder.emit(Op::Concatenate(index + 2), part)?);
        }
        parts = joined;
    }
    let [whole] = parts.as_slice() else {
        return Err(Error::Lost("a kernel"));
    };
    builder.transpose(*whole, places(&op.kernel))
}

/// The input in the order of its roles, with what is put around and between its elements.
fn padded(builder: &mut Builder, op: &Convolution, input: ValueId) -> Result<ValueId> {
    let input = builder.transpose(input, op.input.clone())?;
    let low = op.steps.iter().map(|step| step.padding.0);
    let high = op.steps.iter().map(|step| step.padding.1);
    let interior = op
        .steps
        .iter()
        .map(|step| step.input_dilation.saturating_sub(1));
    let pad = Pad {
        low: [0, 0].into_iter().chain(low).collect(),
        high: [0, 0].into_iter().chain(high).collect(),
        interior: [0, 0].into_iter().chain(interior).collect(),
    };
    let input = builder.pad(input, &pad, 0.0)?;
    grouped(builder, op.groups, input)
}

/// A tensor with its second axis split into groups.
fn grouped(builder: &mut Builder, groups: usize, value: ValueId) -> Result<ValueId> {
    let shape = builder.shape(value)?;
    let [batch, features, spatial @ ..] = shape.dims() else {
        return Err(Error::Lost("an axis of a convolution"));
    };
    let each = match groups {
        1 => features.clone(),
        _ => Dim::Static(known(features)?.checked_div(groups).unwrap_or(0)),
    };
    let first = [batch.clone(), Dim::Static(groups), each];
    builder.reshape(value, &Shape::new([&first, spatial].concat()))
}

/// The places of a kernel, the last axis fastest.
fn odometer(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new()];
    for size in sizes {
        let longer = places.iter().flat_map(|place: &Vec<usize>| {
            (0..*size).map(move |next| [place.as_slice(), &[next]].concat())
        });
        places = longer.collect();
    }
    places
}

/// The cotangent at one place of a kernel: outputs, features of one group, and axes of one.
fn at_place(
    builder: &mut Builder,
    op: &Convolution,
    sizes: &[usize],
    place: &[usize],
    input: ValueId,
    cotangent: ValueId,
) -> Result<ValueId> {
    let mut part = input;
    for (index, (step, (size, element))) in op.steps.iter().zip(sizes.iter().zip(place)).enumerate()
    {
        let slice = step.slice(&builder.ty(part)?, index + 3, *size, *element);
        let slice = slice.ok_or(Error::Lost("a window that fits"))?;
        part = builder.emit(Op::Slice(slice), &[part])?;
    }
    let summed: Vec<_> = [0].into_iter().chain(3..3 + sizes.len()).collect();
    let dot = DotGeneral {
        batch: (vec![1], vec![1]),
        contract: (summed.clone(), summed),
        dtype: builder.ty(cotangent)?.dtype,
    };
    let product = builder.emit(Op::DotGeneral(dot), &[cotangent, part])?;
    let shape = builder.shape(product)?;
    let [groups, outputs, features] = shape.dims() else {
        return Err(Error::Lost("an axis of a convolution"));
    };
    let outputs = match op.groups {
        1 => outputs.clone(),
        _ => Dim::Static(known(groups)?.saturating_mul(known(outputs)?)),
    };
    let ones = vec![Dim::Static(1); sizes.len()];
    let shape = [vec![outputs, features.clone()], ones].concat();
    builder.reshape(product, &Shape::new(shape))
}
