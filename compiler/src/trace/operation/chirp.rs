//! Fourier transforms of lengths that are known at the call only, written in the language itself.
//!
//! As Bluestein has it: with 2 j k = j² + k² - (k - j)², a transform of any length is a convolution, and that
//! is a product of transforms whose length is a power of two.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    index::{Rows, from_rows, rows},
    linalg::{apply, written},
};
use iree_abi::DType;
use iree_dsl_ir::op::Fourier;

/// Transforms rows of `4 * n` numbers, of which the first `m` count, a power of two from 2 on; `roots` are the powers
/// of a root of unity of that order. In each round, pairs of transforms become one of twice the length, put
/// where nothing has to be reordered, as Stockham has it. There are fewer rounds than an `i32` has bits, which
/// derivatives need to know.
const RADIX_2: &str = "|rows, roots, m, n| {
    let place = iota::<i32, { 4 * n }>(0);
    let mut rows = rows;
    let mut half = ones::<i32>();
    for _ in range(0, 31) {
        let twist = roots.take(place % half * (m / (half * 2)), 0);
        let first = place / (half * 2) * half + place % half;
        let a = rows.take(first, 1);
        let b = rows.take(first + m / 2, 1) * twist;
        rows = select(place / half % 2 == 0, a + b, a - b);
        half = half * 2;
        if half >= m {
            break;
        }
    }
    rows
}";

/// The chirp of a place is the root of unity of its square, modulo the order, so that angles are exact.
/// They are computed in `f64`: what `f32` loses would add up.
const TRANSFORM: &str = "|x, n, sign, inverse, narrow, radix_2| {
    let length = zeros::<i32>() + (n as i32);
    let mut m = ones::<i32>() * 2;
    while m < length * 2 - 1 {
        m = m * 2;
    }
    let root = |turns, order| {
        let angle = turns as f64 / (order as f64) * 6.283185307179586;
        complex(narrow(angle.cos()), narrow(angle.sin()))
    };
    let place = iota::<i32, { 4 * n }>(0);
    let roots = root(place, -m);
    let own = iota::<i64, { n }>(0);
    let order = (length as i64) * 2;
    let chirp = root(own * own % order, order * sign);
    let distance = place.minimum(m - place);
    let echo = chirp.take(distance, 0).conj();
    let echo = select((distance >= 0) & (distance < length), echo, zeros_like(echo));
    let zero = zeros_like(x);
    let long = concatenate([x * chirp, zero, zero, zero], 1);
    let echo = radix_2(echo.insert_axis(0), roots, m, n);
    let product = radix_2(long, roots, m, n) * echo;
    let long = radix_2(product.conj(), roots, m, n).conj();
    let count = if inverse { (m as f64) * (length as f64) } else { m as f64 };
    let scale = narrow(1.0 / count);
    long[s![.., ..n]] * chirp * complex(scale, zeros_like(scale))
}";

/// A transform along the last axis.
pub(super) fn transform(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    op: Fourier,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let axis = operand.ty.shape.rank().checked_sub(1)?;
    let Rows { table, size, .. } = rows(tracer, operand, axis, call)?;
    let narrow = match operand.ty.dtype {
        DType::C64 => "|x| x as f32",
        _ => "|x| x",
    };
    let sign = match op {
        Fourier::Forward => -1,
        Fourier::Inverse => 1,
    };
    let arguments = vec![
        table.into(),
        Value::size(size),
        Static::integer(sign).into(),
        Static::bool(op == Fourier::Inverse).into(),
        written(tracer, narrow, call)?,
        written(tracer, RADIX_2, call)?,
    ];
    let result = apply(tracer, TRANSFORM, arguments, call)?;
    let result = tracer.tensor(result, call.name, call.span)?;
    from_rows(tracer, &result, (&operand.ty.shape, axis), call)
}
