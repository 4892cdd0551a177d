use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, types,
};
use iree_abi::{Extent, Shape, TensorType};
use iree_dialects::{prelude::*, stablehlo, tensor};
use iree_dsl_ir::op::{DynamicSlice, Slice};

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Slice,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let op = &without_single_steps(op, ty).ok_or(LowerCause::Lost("the end of a part"))?;
    let bounds = (known(&op.start), known(&op.limit), ty.shape.known());
    let value = match bounds {
        (Some(start), Some(limit), Some(_)) => {
            stablehlo::SliceOperation::builder(emitter.context, emitter.location)
                .operand(operand.value)
                .start_indices(emitter.axes(&start))
                .limit_indices(emitter.axes(&limit))
                .strides(emitter.axes(&op.stride))
                .result(emitter.tensor_type(ty)?)
                .append_to(&emitter.block)?
                .result()?
        }
        _ => {
            let stride: Vec<_> = op.stride.iter().copied().map(Extent::from).collect();
            stablehlo::RealDynamicSliceOperation::builder(emitter.context, emitter.location)
                .operand(operand.value)
                .start_indices(emitter.extents(&op.start)?)
                .limit_indices(emitter.extents(&op.limit)?)
                .strides(emitter.extents(&stride)?)
                .result(emitter.tensor_type(ty)?)
                .append_to(&emitter.block)?
                .result()?
        }
    };
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

/// The same part, without steps along axes of which it has one element: of an axis of one, they would reach over its end.
fn without_single_steps(op: &Slice, ty: &TensorType) -> Option<Slice> {
    let mut op = op.clone();
    let dims = ty.shape.dims().iter();
    let ends = op.start.iter().zip(&mut op.limit).zip(&mut op.stride);
    for (_, ((start, limit), stride)) in dims.zip(ends).filter(|(dim, _)| dim.is_one()) {
        (*limit, *stride) = (start.plus(&Extent::from(1))?, 1);
    }
    Some(op)
}

fn known(extents: &[Extent]) -> Option<Vec<usize>> {
    let extents = extents.iter();
    extents
        .map(|extent| usize::try_from(extent.known()?).ok())
        .collect()
}

pub(super) fn lower_dynamic<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DynamicSlice,
    operand: &Tensor<'c, 'b>,
    starts: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if starts.is_empty() {
        // The window of a scalar is the scalar; IREE crashes on it.
        return Ok(operand.clone());
    }
    let Some(sizes) = op.sizes.known() else {
        let window = Window::new(emitter, &operand.ty, &op.sizes, starts)?;
        return window.extract(operand, ty);
    };
    let starts: Vec<_> = starts.iter().map(|start| start.value).collect();
    let value = stablehlo::DynamicSliceOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .start_indices(&starts)
        .slice_sizes(emitter.axes(&sizes))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

pub(super) fn lower_dynamic_update<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    update: &Tensor<'c, 'b>,
    starts: &[Tensor<'c, 'b>],
) -> Result<Tensor<'c, 'b>> {
    if starts.is_empty() {
        return Ok(update.clone());
    }
    if !types::has_elements(&update.ty) {
        return Ok(operand.clone());
    }
    let shapes = [&operand.ty.shape, &update.ty.shape];
    if shapes.iter().any(|shape| shape.known().is_none()) {
        let window = Window::new(emitter, &operand.ty, &update.ty.shape, starts)?;
        return window.replace(operand, update);
    }
    let starts: Vec<_> = starts.iter().map(|start| start.value).collect();
    let value = stablehlo::DynamicUpdateSliceOperation::builder(emitter.context, emitter.location)
        .operand(operand.value)
        .update(update.value)
        .start_indices(&starts)
        .append_to(&emitter.block)?
        .result()?;
    let ty = operand.ty.clone();
    Ok(Tensor { value, ty })
}

/// A part of a tensor whose place and sizes the program computes, for what IREE 3.13 does not take as
/// StableHLO.
struct Window<'e, 'c, 'b> {
    emitter: &'e Emitter<'c, 'b>,
    starts: Vec<Value<'c, 'b>>,
    /// Those of the sizes that are not known while building.
    sizes: Vec<Value<'c, 'b>>,
    /// All sizes, those that are not known while building as a mark.
    static_sizes: Vec<i64>,
}

impl<'e, 'c, 'b> Window<'e, 'c, 'b> {
    fn new(
        emitter: &'e Emitter<'c, 'b>,
        operand: &TensorType,
        window: &Shape,
        starts: &[Tensor<'c, 'b>],
    ) -> Result<Self> {
        let mut new = Self {
            emitter,
            starts: Vec::new(),
            sizes: Vec::new(),
            static_sizes: Vec::new(),
        };
        let dims = operand.shape.dims().iter().zip(window.dims());
        for ((whole, part), start) in dims.zip(starts) {
            let lost = || LowerCause::Lost("a size");
            let (whole, extent) = (whole.extent(), part.extent().ok_or_else(lost)?);
            let most = whole.and_then(|whole| whole.minus(&extent));
            let most = emitter.extent(&most.ok_or_else(lost)?)?;
            new.starts.push(emitter.place(start, most)?);
            match part.known() {
                Some(size) => new.static_sizes.push(size as i64),
                None => {
                    new.sizes.push(emitter.extent(&extent)?);
                    new.static_sizes.push(i64::MIN);
                }
            }
        }
        Ok(new)
    }

    fn marks(&self) -> DenseI64ArrayAttribute<'c> {
        DenseI64ArrayAttribute::new(self.emitter.context, &vec![i64::MIN; self.starts.len()])
    }

    fn ones(&self) -> DenseI64ArrayAttribute<'c> {
        DenseI64ArrayAttribute::new(self.emitter.context, &vec![1; self.starts.len()])
    }

    fn static_sizes(&self) -> DenseI64ArrayAttribute<'c> {
        DenseI64ArrayAttribute::new(self.emitter.context, &self.static_sizes)
    }

    fn extract(self, operand: &Tensor<'c, 'b>, ty: &TensorType) -> Result<Tensor<'c, 'b>> {
        let emitter = self.emitter;
        let operand = global::cast(emitter, operand.clone(), &types::stored(&operand.ty))?;
        let stored = types::stored(ty);
        let value = tensor::ExtractSliceOperation::builder(emitter.context, emitter.location)
            .source(operand.value)
            .offsets(&self.starts)
            .sizes(&self.sizes)
            .strides(&[])
            .static_offsets(self.marks())
            .static_sizes(self.static_sizes())
            .static_strides(self.ones())
            .result(emitter.tensor_type(&stored)?)
            .append_to(&emitter.block)?
            .result()?;
        global::cast(emitter, Tensor { value, ty: stored }, ty)
    }

    fn replace(self, operand: &Tensor<'c, 'b>, update: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        let (emitter, ty) = (self.emitter, &operand.ty);
        let stored = types::stored(ty);
        let operand = global::cast(emitter, operand.clone(), &stored)?;
        let update = global::cast(emitter, update.clone(), &types::stored(&update.ty))?;
        let value = tensor::InsertSliceOperation::builder(emitter.context, emitter.location)
            .source(update.value)
            .dest(operand.value)
            .offsets(&self.starts)
            .sizes(&self.sizes)
            .strides(&[])
            .static_offsets(self.marks())
            .static_sizes(self.static_sizes())
            .static_strides(self.ones())
            .append_to(&emitter.block)?
            .result()?;
        global::cast(emitter, Tensor { value, ty: stored }, ty)
    }
}

pub(super) fn lower_concatenate<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    axis: usize,
    operands: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let filled = operands
        .iter()
        .filter(|operand| types::has_elements(&operand.ty));
    let inputs: Vec<_> = filled.map(|operand| operand.value).collect();
    let index_type = IntegerType::new(emitter.context, 64).into();
    let value = stablehlo::ConcatenateOperation::builder(emitter.context, emitter.location)
        .inputs(&inputs)
        .dimension(IntegerAttribute::new(index_type, axis as i64))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}
