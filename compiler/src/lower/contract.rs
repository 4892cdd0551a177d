use super::{
    Machine, convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    long_contract::Long,
    opaque, reduce, shape, sizes, types,
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dialects::stablehlo::{self, DotDimensionNumbers};
use iree_dsl_ir::{
    Scalar,
    op::{DotGeneral, Transpose},
};

type Factors<'a, 'c, 'b> = (&'a Tensor<'c, 'b>, &'a Tensor<'c, 'b>);

/// A contraction and its factors.
pub(super) type Merged<'c, 'b> = (DotGeneral, Tensor<'c, 'b>, Tensor<'c, 'b>);

/// Sums of 16-bit numbers are kept as `f32`, some long ones as `f64`, and rounded at the end.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &DotGeneral,
    factors: Factors<'_, 'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    empty_or_long(emitter, machine, op, factors, ty)
        .unwrap_or_else(|| contraction(emitter, machine, op, factors, ty))
}

/// The same, written as a tensor of products that is reduced, which IREE does not take for a contraction.
pub(super) fn lower_sums<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &DotGeneral,
    factors: Factors<'_, 'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    empty_or_long(emitter, machine, op, factors, ty)
        .unwrap_or_else(|| reduction(emitter, op, factors, ty))
}

/// A product without elements, of nothing, or of sums that are so long that they are added up in parts.
fn empty_or_long<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &DotGeneral,
    factors: Factors<'_, 'c, 'b>,
    ty: &TensorType,
) -> Option<Result<Tensor<'c, 'b>>> {
    let (lhs, rhs) = factors;
    if !types::has_elements(ty) {
        return Some(emitter.empty(ty));
    }
    if !types::has_elements(&lhs.ty) {
        return Some(emitter.splat(Scalar::Integer(0), ty));
    }
    let way = Long::of(op, &lhs.ty, &rhs.ty, ty)?;
    Some(way.lower(emitter, machine, op, factors, ty))
}

fn contraction<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &DotGeneral,
    (lhs, rhs): Factors<'_, 'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let sums = accumulator(ty.dtype);
    let is_bf16 = lhs.dtype() == DType::BF16 && rhs.dtype() == DType::BF16 && sums == DType::F32;
    let (lhs, rhs) = match is_bf16 && machine.multiplies_bf16 {
        true => (lhs.clone(), rhs.clone()),
        false => (summand(emitter, lhs, sums)?, summand(emitter, rhs, sums)?),
    };
    let is_known = lhs.ty.shape.known().is_some() && rhs.ty.shape.known().is_some();
    let is_outer = is_one(&lhs, &op.contract.0);
    multiply(emitter, &lhs, &rhs, ty, |lhs, rhs, ty| {
        match (is_known, is_outer) {
            (true, true) => outer(emitter, op, lhs, rhs, ty),
            (true, false) => contract_along_one(emitter, op, lhs, rhs, ty),
            (false, _) => contract_matrices(emitter, op, lhs, rhs, ty),
        }
    })
}

fn reduction<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    (lhs, rhs): Factors<'_, 'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let rows = free(lhs, &op.batch.0, &op.contract.0);
    let columns = free(rhs, &op.batch.1, &op.contract.1);
    let wide = types::with_dtype(ty, accumulator(ty.dtype));
    let (lhs, rhs) = (&emitter.as_factor(lhs)?, &emitter.as_factor(rhs)?);
    let products = products(emitter, op, (lhs, &rows), (rhs, &columns), &wide)?;
    let hidden = opaque::identity(emitter, &products)?;
    let sums = add_up(emitter, &hidden, wide)?;
    reduce::narrowed(emitter, &sums, ty.dtype)
}

/// A factor of products whose sums have a type. IREE widens integers with a sign by itself.
///
/// It also widens 16-bit numbers by itself, but in each product anew: without instructions for them, a product
/// of matrices of `bf16` takes a hundred times as long as one of `f32`. Hence what hides that they were
/// narrow.
/// Defect `products-of-bf16-without-instructions`.
fn summand<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    factor: &Tensor<'c, 'b>,
    dtype: DType,
) -> Result<Tensor<'c, 'b>> {
    match (factor.dtype(), dtype) {
        (DType::F16 | DType::BF16, DType::F32 | DType::F64) => {
            let wide = convert::lower(emitter, dtype, factor)?;
            let hidden = opaque::identity(emitter, &wide)?;
            match hidden.ty.shape.known() {
                Some(_) => Ok(hidden),
                None => opaque::unfused(emitter, &hidden),
            }
        }
        (narrow, _) if narrow.class() == DTypeClass::Signed => Ok(factor.clone()),
        (same, _) if same == dtype => Ok(factor.clone()),
        _ => convert::lower(emitter, dtype, factor),
    }
}

/// What a product of real numbers makes of numbers of any kind.
///
/// Complex numbers are multiplied by their parts: with data tiling, IREE cannot compile their products. Each part is
/// a factor of two products, of which none must compute it for the other one.
pub(super) fn multiply<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: &TensorType,
    product: impl Fn(&Tensor<'c, 'b>, &Tensor<'c, 'b>, TensorType) -> Result<Tensor<'c, 'b>>,
) -> Result<Tensor<'c, 'b>> {
    let wide = types::with_dtype(ty, accumulator(ty.dtype.real()));
    if !ty.dtype.is_complex() {
        let result = product(lhs, rhs, wide)?;
        return match result.ty == *ty {
            true => Ok(result),
            false => convert::lower(emitter, ty.dtype, &result),
        };
    }
    let parts = |factor| {
        let (re, im) = (emitter.real(factor)?, emitter.imag(factor)?);
        Ok::<_, LowerCause>((
            opaque::unfused(emitter, &re)?,
            opaque::unfused(emitter, &im)?,
        ))
    };
    let ((a, b), (c, d)) = (parts(lhs)?, parts(rhs)?);
    let product = |lhs, rhs| product(lhs, rhs, wide.clone());
    let re = emitter.subtract(&product(&a, &c)?, &product(&b, &d)?)?;
    let im = emitter.add(&product(&a, &d)?, &product(&b, &c)?)?;
    opaque::complex(emitter, &re, &im, ty.dtype)
}

/// Products that are not summed. On a CPU without wide vectors, IREE 3.13 fails where a contraction along axes of one is
/// fused with what reads it.
fn outer<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let batch = op.batch.0.len();
    let rows = free(lhs, &op.batch.0, &op.contract.0);
    let columns = free(rhs, &op.batch.1, &op.contract.1);
    let spread = |factor: &Tensor<'c, 'b>, axes: Vec<usize>, places: Vec<usize>| {
        let factor = reduce::widened(emitter, &turned(emitter, factor, axes)?, ty.dtype)?;
        let dims = factor.ty.shape.dims().iter().take(places.len());
        let factor = emitter.reshape(&factor, &Shape::new(dims.cloned().collect()))?;
        emitter.broadcast(&factor, &ty.shape, &places)
    };
    let end = batch + rows.len();
    let left = [op.batch.0.as_slice(), &rows, &op.contract.0].concat();
    let right = [op.batch.1.as_slice(), &columns, &op.contract.1].concat();
    let lhs = spread(lhs, left, (0..end).collect())?;
    let places = (0..batch).chain(end..ty.shape.rank());
    let rhs = spread(rhs, right, places.collect())?;
    emitter.multiply(&lhs, &rhs)
}

/// A contraction of which axes that follow each other in both factors are one. What a factor is computed from, another product
/// for example, IREE 3.13 divides into tiles of the axes that the factor has, and then refuses what is left to a single tile.
/// Defect `factor-is-packed-along-two-axes`.
fn contract_along_one<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    match merged(emitter, op, (lhs, rhs))? {
        Some((one, lhs, rhs)) => contract(emitter, &one, &lhs, &rhs, ty),
        None => contract(emitter, op, lhs, rhs, ty),
    }
}

/// A contraction along axes that follow each other in both factors, of known sizes, as one along a single axis.
pub(super) fn merged<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    (lhs, rhs): Factors<'_, 'c, 'b>,
) -> Result<Option<Merged<'c, 'b>>> {
    let (left, right) = (&op.contract.0, &op.contract.1);
    if left.len() < 2 || !follow(left) || !follow(right) {
        return Ok(None);
    }
    let one = DotGeneral {
        batch: (
            before_one(&op.batch.0, left),
            before_one(&op.batch.1, right),
        ),
        contract: (
            left.first().copied().into_iter().collect(),
            right.first().copied().into_iter().collect(),
        ),
        dtype: op.dtype,
    };
    let (lhs, rhs) = (
        along_one(emitter, lhs, left)?,
        along_one(emitter, rhs, right)?,
    );
    Ok(Some((one, lhs, rhs)))
}

/// Whether axes follow each other.
fn follow(axes: &[usize]) -> bool {
    axes.windows(2)
        .all(|pair| matches!(pair, [first, second] if first + 1 == *second))
}

/// Other axes of a tensor, when axes that follow each other have become the first of them.
fn before_one(axes: &[usize], merged: &[usize]) -> Vec<usize> {
    let first = merged.first().copied().unwrap_or_default();
    let moved = |axis: &usize| match *axis > first {
        true => axis + 1 - merged.len(),
        false => *axis,
    };
    axes.iter().map(moved).collect()
}

/// A tensor with axes that follow each other as one.
fn along_one<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
    merged: &[usize],
) -> Result<Tensor<'c, 'b>> {
    let first = merged.first().copied().unwrap_or_default();
    let sizes = tensor.ty.shape.known().ok_or(LowerCause::Lost("a size"))?;
    let of =
        |axes: &[usize]| -> usize { axes.iter().filter_map(|axis| sizes.get(*axis)).product() };
    let axes = (0..sizes.len()).filter(|axis| *axis == first || !merged.contains(axis));
    let dims = axes.map(|axis| match axis == first {
        true => Dim::Static(of(merged)),
        false => Dim::Static(of(&[axis])),
    });
    emitter.reshape(tensor, &Shape::new(dims.collect()))
}

fn contract<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions: types::axes(&op.batch.0),
        rhs_batching_dimensions: types::axes(&op.batch.1),
        lhs_contracting_dimensions: types::axes(&op.contract.0),
        rhs_contracting_dimensions: types::axes(&op.contract.1),
    };
    let value = stablehlo::DotGeneralOperation::builder(emitter.context, emitter.location)
        .lhs(lhs.value)
        .rhs(rhs.value)
        .dot_dimension_numbers(numbers)
        .result(emitter.tensor_type(&ty)?)
        .append_to(&emitter.block)?
        .result()?;
    Ok(Tensor { value, ty })
}

/// A product of which IREE cannot tell that it has as many columns as rows: what becomes of it may be a factor.
fn contract_unknown<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let is_batch = sizes::unknown(&ty.shape).count() > 2;
    let rhs = match is_batch {
        true => emitter.with_own_sizes(rhs)?,
        false => rhs.clone(),
    };
    contract(emitter, op, lhs, &rhs, ty)
}

/// A contraction as a product of matrices: for others IREE 3.13 would have to reshape tensors whose sizes
/// it does not know.
pub(super) fn contract_matrices<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let rows = free(lhs, &op.batch.0, &op.contract.0);
    let columns = free(rhs, &op.batch.1, &op.contract.1);
    let (lhs, rhs) = (&emitter.as_factor(lhs)?, &emitter.as_factor(rhs)?);
    if is_one(lhs, &rows) || is_one(rhs, &columns) || is_one(lhs, &op.contract.0) {
        return sum_products(emitter, op, (lhs, &rows), (rhs, &columns), ty);
    }
    // IREE takes away a batch of one where it knows the result, and then fails.
    let is_taken = is_one(lhs, &op.batch.0) && ty.shape.known().is_some();
    let has_batch = !op.batch.0.is_empty() && !is_taken;
    let groups = [&op.batch.0, &rows, &columns, &op.contract.0];
    if has_batch != op.batch.0.is_empty() && groups.iter().all(|axes| axes.len() <= 1) {
        return contract_unknown(emitter, op, lhs, rhs, ty);
    }
    let batch = usize::from(has_batch);
    let (first_rows, first_sums) = (
        [&op.batch.0, rows.as_slice()].concat(),
        [&op.batch.1, op.contract.1.as_slice()].concat(),
    );
    let (left, right): (&[&[usize]], &[&[usize]]) = match has_batch {
        true => (
            &[&op.batch.0, &rows, &op.contract.0],
            &[&op.batch.1, &op.contract.1, &columns],
        ),
        false => (&[&first_rows, &op.contract.0], &[&first_sums, &columns]),
    };
    let a = matrices(emitter, lhs, left)?;
    let b = matrices(emitter, rhs, right)?;
    let left = a.ty.shape.dims().iter().take(batch + 1);
    let right = b.ty.shape.dims().iter().skip(batch + 1);
    let dims = left.chain(right).cloned().collect();
    let plain = DotGeneral {
        batch: ((0..batch).collect(), (0..batch).collect()),
        contract: (vec![batch + 1], vec![batch]),
        dtype: op.dtype,
    };
    let product_type = TensorType::new(ty.dtype, Shape::new(dims));
    let product = contract_unknown(emitter, &plain, &a, &b, product_type)?;
    match op.batch.0.is_empty() && rows.len() > 1 && columns.len() == 1 && may_be_split(&ty) {
        true => emitter.split_first(&product, &ty.shape),
        false => emitter.reshape(&product, &ty.shape),
    }
}

/// Whether IREE may see that a matrix has several axes of rows, and so compute what follows in the same dispatch: a bias,
/// an activation, what is added. It does not take integers without a sign there.
fn may_be_split(ty: &TensorType) -> bool {
    let last = ty.shape.dims().last();
    let is_last_known = last.is_some_and(|columns| columns.known().is_some());
    ty.dtype.class() == DTypeClass::Float && is_last_known && sizes::are_distinct(&ty.shape)
}

/// The sums written out. IREE does so itself where a factor is a vector, and then fails if a size is not
/// known.
fn sum_products<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: (&Tensor<'c, 'b>, &[usize]),
    rhs: (&Tensor<'c, 'b>, &[usize]),
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let products = products(emitter, op, lhs, rhs, &ty)?;
    add_up(emitter, &products, ty)
}

/// All products: along the axes of the result, and then along those that are added up.
fn products<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    (lhs, rows): (&Tensor<'c, 'b>, &[usize]),
    (rhs, columns): (&Tensor<'c, 'b>, &[usize]),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let (batch, summed) = (op.batch.0.len(), op.contract.0.len());
    let a = turned(emitter, lhs, [&op.batch.0, rows, &op.contract.0].concat())?;
    let b = turned(
        emitter,
        rhs,
        [&op.batch.1, columns, &op.contract.1].concat(),
    )?;
    let kept = ty.shape.rank();
    let sums: Vec<_> = (kept..kept + summed).collect();
    let dims = ty.shape.dims().iter();
    let dims = dims.chain(a.ty.shape.dims().iter().skip(batch + rows.len()));
    let shape = Shape::new(dims.cloned().collect());
    let spread = |factor: &Tensor<'c, 'b>, axes: Vec<usize>| {
        let factor = reduce::widened(emitter, factor, ty.dtype)?;
        emitter.broadcast(&factor, &shape, &[axes, sums.clone()].concat())
    };
    let a = spread(&a, (0..batch + rows.len()).collect())?;
    let b = spread(&b, (0..batch).chain(batch + rows.len()..kept).collect())?;
    emitter.multiply(&a, &b)
}

/// The sums along the axes that a result does not have.
fn add_up<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    products: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let sums: Vec<_> = (ty.shape.rank()..products.ty.shape.rank()).collect();
    let zero = emitter.splat(Scalar::Integer(0), &types::scalar(ty.dtype))?;
    emitter.reduce(products, &zero, &sums, &ty, |inner, a, b| inner.add(a, b))
}

/// The axes that are neither in a batch nor summed.
fn free(tensor: &Tensor<'_, '_>, batch: &[usize], summed: &[usize]) -> Vec<usize> {
    let axes = 0..tensor.ty.shape.rank();
    axes.filter(|axis| !batch.contains(axis) && !summed.contains(axis))
        .collect()
}

/// Whether a tensor has one place along each of some axes.
fn is_one(tensor: &Tensor<'_, '_>, axes: &[usize]) -> bool {
    let dims = tensor.ty.shape.dims();
    let mut sizes = axes.iter().filter_map(|axis| dims.get(*axis));
    sizes.all(Dim::is_one)
}

/// A tensor with its axes in another order.
pub(super) fn turned<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
    permutation: Vec<usize>,
) -> Result<Tensor<'c, 'b>> {
    let dims = tensor.ty.shape.dims();
    let dims = permutation.iter().filter_map(|axis| dims.get(*axis));
    let ty = TensorType::new(tensor.dtype(), Shape::new(dims.cloned().collect()));
    match permutation.is_sorted() {
        true => Ok(tensor.clone()),
        false => shape::lower_transpose(emitter, &Transpose { permutation }, tensor, &ty),
    }
}

/// A tensor with an axis for each group of its axes.
fn matrices<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
    groups: &[&[usize]],
) -> Result<Tensor<'c, 'b>> {
    let dims_of = |axes: &[usize]| {
        let dims = axes
            .iter()
            .filter_map(|axis| tensor.ty.shape.dims().get(*axis));
        Shape::new(dims.cloned().collect())
    };
    let turned = turned(emitter, tensor, groups.concat())?;
    let size = |axes: &[usize]| {
        let size = dims_of(axes).element_count().and_then(Dim::from_extent);
        size.ok_or(LowerCause::Lost("the size of a matrix"))
    };
    let dims = groups.iter().map(|axes| size(axes));
    let dims = dims.collect::<Result<Vec<_>>>()?;
    emitter.reshape(&turned, &Shape::new(dims))
}

/// The type in which sums of numbers of a type are kept.
pub(super) fn accumulator(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}
