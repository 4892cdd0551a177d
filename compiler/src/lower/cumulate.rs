use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, long, reduce, shape, signs, types,
};
use iree_abi::{DType, DTypeClass, Dim, Extent, Shape, TensorType};
use iree_dialects::{arith, complex, iree_linalg_ext, prelude::*, tensor};
use iree_dsl_ir::{
    limits,
    op::{Cumulate, ReduceKind, Transpose},
};

/// Sums and products of 16-bit numbers are kept as `f32`, those of many numbers as `f64`, and rounded at the end.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let narrow = operand.dtype();
    match narrow.class() {
        DTypeClass::Unsigned => return cumulate_unsigned(emitter, op, operand),
        DTypeClass::Bool => {
            // IREE packs them while it cumulates, and then mixes up their types.
            let numbers = convert::lower(emitter, DType::I8, operand)?;
            let numbers = cumulate_lines(emitter, op, &numbers)?;
            return convert::lower(emitter, DType::Bool, &numbers);
        }
        _ => {}
    }
    let dtype = match op.kind {
        ReduceKind::Sum | ReduceKind::Product => long::combined_in(&operand.ty, &[op.axis]),
        _ => narrow,
    };
    let wide = cumulate_lines(emitter, op, &reduce::widened(emitter, operand, dtype)?)?;
    reduce::narrowed(emitter, &wide, narrow)
}

/// IREE cannot do this with integers without a sign. Their bits with a sign have the same sums and
/// products, and with another highest bit the same order.
fn cumulate_unsigned<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    match op.kind {
        ReduceKind::Sum | ReduceKind::Product => {
            global::in_storage(emitter, operand, |bits| cumulate_lines(emitter, op, &bits))
        }
        _ => {
            let signed = types::stored(&operand.ty).dtype;
            let ordered = signs::exchanged(emitter, operand, signed)?;
            let ordered = cumulate_lines(emitter, op, &ordered)?;
            signs::exchanged(emitter, &ordered, operand.dtype())
        }
    }
}

/// With sizes that are not known, IREE 3.13 gives a worker 64 places along each other axis, all of whose lines it keeps on
/// the stack, where they do not fit if there are several such axes. So those before the axis become one, and those behind.
fn cumulate_lines<'c, 'b>(
    e: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let shape = &operand.ty.shape;
    let dims = shape.dims();
    let others = dims.iter().enumerate().filter(|(axis, _)| *axis != op.axis);
    if others.filter(|(_, dim)| dim.known().is_none()).count() < 2 {
        return cumulate(e, op, operand);
    }
    let (before, rest) = dims.split_at(op.axis.min(dims.len()));
    let (along, behind) = rest.split_at(1.min(rest.len()));
    let (before, behind) = (product(before)?, product(behind)?);
    let lines = [
        std::slice::from_ref(&before),
        along,
        std::slice::from_ref(&behind),
    ]
    .concat();
    let lines = e.reshape(operand, &Shape::new(lines))?;
    let op = Cumulate {
        axis: 1,
        ..op.clone()
    };
    // Of the widest numbers, not even the lines of two axes fit.
    if operand.dtype().size() <= 8 || before.is_one() || behind.is_one() {
        return e.reshape(&cumulate(e, &op, &lines)?, shape);
    }
    let swapped = swap_last(e, &lines)?;
    let flat = e.reshape(&swapped, &flattened(&swapped.ty.shape)?)?;
    let cumulated = e.reshape(&cumulate(e, &op, &flat)?, &swapped.ty.shape)?;
    e.reshape(&swap_last(e, &cumulated)?, shape)
}

/// As many places as some axes have together.
fn product(dims: &[Dim]) -> Result<Dim> {
    let mut extent = Extent::from(1);
    for dim in dims {
        let next = dim.extent().and_then(|dim| extent.times(&dim));
        extent = next.ok_or(LowerCause::Lost("a size"))?;
    }
    Dim::from_extent(extent).ok_or(LowerCause::Lost("a size"))
}

/// The first two axes as one.
fn flattened(shape: &Shape) -> Result<Shape> {
    let (first, last) = shape.dims().split_at(2.min(shape.rank()));
    Ok(Shape::new([&[product(first)?], last].concat()))
}

/// The same with the last two of three axes exchanged.
fn swap_last<'c, 'b>(e: &Emitter<'c, 'b>, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let op = Transpose {
        permutation: vec![0, 2, 1],
    };
    let dims = operand.ty.shape.dims();
    let dims = op.permutation.iter().filter_map(|axis| dims.get(*axis));
    let ty = TensorType::new(
        operand.dtype(),
        Shape::new(dims.cloned().collect::<Vec<_>>()),
    );
    shape::lower_transpose(e, &op, operand, &ty)
}

/// One pass along the axis, of numbers with a sign.
///
/// StableHLO says this with windows that reach beyond the first element, whose sizes must be known.
fn cumulate<'c, 'b>(
    e: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let (ty, dtype) = (&operand.ty, operand.dtype());
    let mut dims = ty.shape.dims().to_vec();
    if op.axis < dims.len() {
        dims.remove(op.axis);
    }
    let line = TensorType::new(dtype, Shape::new(dims));
    let none = e.splat(limits::identity(op.kind, dtype), &line)?;
    let output = tensor::EmptyOperation::builder(e.context, e.location)
        .dynamic_sizes(&e.unknown(&ty.shape)?)
        .result(e.tensor_type(ty)?)
        .append_to(&e.block)?;
    let index_type = IntegerType::new(e.context, 64).into();
    let value = iree_linalg_ext::ScanOperation::builder(e.context, e.location)
        .operand(operand.value)
        .output(output.result()?)
        .accumulator(none.value)
        .dimension(IntegerAttribute::new(index_type, op.axis as i64))
        .inclusive(BoolAttribute::new(e.context, true))
        .body(combination(e, op.kind, dtype)?)
        .result(e.tensor_type(ty)?)
        .last(e.tensor_type(&line)?)
        .append_to(&e.block)?
        .result()?;
    let ty = ty.clone();
    Ok(Tensor { value, ty })
}

/// A region that makes two numbers one.
fn combination<'c>(e: &Emitter<'c, '_>, kind: ReduceKind, dtype: DType) -> Result<Region<'c>> {
    let number = types::element(e.context, dtype)?;
    let block = Block::new(&[(number, e.location); 2]);
    let lost = |_| LowerCause::Lost("the argument of a block");
    let lhs: Value<'_, '_> = block.argument(0).map_err(lost)?.into();
    let rhs: Value<'_, '_> = block.argument(1).map_err(lost)?.into();
    macro_rules! combine {
        ($dialect:ident::$operation:ident) => {{
            let builder = $dialect::$operation::builder(e.context, e.location);
            builder.lhs(lhs).rhs(rhs).append_to(&block)?.result()?
        }};
    }
    let value = match (kind, dtype.class()) {
        (ReduceKind::Sum, DTypeClass::Complex) => combine!(complex::AddOperation),
        (ReduceKind::Sum, DTypeClass::Float) => combine!(arith::AddfOperation),
        (ReduceKind::Sum, _) => combine!(arith::AddiOperation),
        (ReduceKind::Product, DTypeClass::Complex) => combine!(complex::MulOperation),
        (ReduceKind::Product, DTypeClass::Float) => combine!(arith::MulfOperation),
        (ReduceKind::Product, _) => combine!(arith::MuliOperation),
        (ReduceKind::Maximum | ReduceKind::Any, DTypeClass::Float) => {
            combine!(arith::MaximumfOperation)
        }
        (ReduceKind::Maximum | ReduceKind::Any, _) => combine!(arith::MaxsiOperation),
        (ReduceKind::Minimum | ReduceKind::All, DTypeClass::Float) => {
            combine!(arith::MinimumfOperation)
        }
        (ReduceKind::Minimum | ReduceKind::All, _) => combine!(arith::MinsiOperation),
    };
    iree_linalg_ext::YieldOperation::builder(e.context, e.location)
        .values(&[value])
        .append_to(&block)?;
    let region = Region::new();
    region.append_block(block);
    Ok(region)
}
