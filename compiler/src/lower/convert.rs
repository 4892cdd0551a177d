use super::{
    emit::{Emitter, Result, Tensor},
    narrow, opaque, types,
};
use iree_abi::{DType, DTypeClass};
use iree_dialects::stablehlo::ComparisonDirection;
use iree_dsl_ir::{Scalar, limits};

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    dtype: DType,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    use DTypeClass::{Bool, Complex, Float, Unsigned};
    match (operand.dtype().class(), dtype.class()) {
        _ if operand.dtype() == dtype => Ok(operand.clone()),
        (Complex, Complex) => {
            let re = emitter.real(operand)?;
            let im = emitter.imag(operand)?;
            let re = emitter.convert(&re, dtype.real())?;
            let im = emitter.convert(&im, dtype.real())?;
            emitter.complex(&re, &im, dtype)
        }
        (_, Complex) => {
            let re = lower(emitter, dtype.real(), operand)?;
            let im = emitter.number(0.0, &re)?;
            opaque::complex(emitter, &re, &im, dtype)
        }
        (_, Bool) => {
            let zero = emitter.splat(Scalar::Integer(0), &operand.ty)?;
            emitter.compare(ComparisonDirection::NotEqual, operand, &zero)
        }
        (_, Float) if dtype == DType::BF16 && operand.dtype().is_integer() => {
            narrow::to_bf16(emitter, &narrow::from_integer(emitter, operand)?)
        }
        (Float, Float) if operand.dtype() == DType::F64 && dtype.size() == 2 => {
            lower(emitter, dtype, &narrow::from_f64(emitter, operand)?)
        }
        (Float, Float) if dtype == DType::BF16 => {
            narrow::to_bf16(emitter, &emitter.convert(operand, DType::F32)?)
        }
        (Unsigned, _) if operand.dtype().size() < dtype.size() || dtype.is_float() => {
            unsigned_to_wider(emitter, dtype, operand)
        }
        (Bool, _) => bool_to_number(emitter, dtype, operand),
        (Float, _) if dtype.is_integer() => float_to_integer(emitter, dtype, operand),
        _ => emitter.convert(operand, dtype),
    }
}

/// Selects between two numbers. IREE takes a conversion into matrix products, where it takes true for -1
/// or crashes; the selection of 1 and 0 as integers it would make a conversion first.
fn bool_to_number<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    dtype: DType,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let ty = types::with_dtype(&operand.ty, dtype);
    let number = |number| emitter.splat(Scalar::Integer(number), &ty);
    if dtype.is_float() {
        return emitter.select(operand, &number(1)?, &number(0)?);
    }
    let next = emitter.select(operand, &number(2)?, &number(1)?)?;
    emitter.subtract(&next, &number(1)?)
}

/// Converts, and then does what changes nothing: IREE takes a mere conversion into matrix products, where
/// it reads the number as one with a sign.
fn unsigned_to_wider<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    dtype: DType,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if dtype.is_float() {
        return emitter.abs(&emitter.convert(operand, dtype)?);
    }
    let signed = emitter.bitcast_convert(operand, types::stored(&operand.ty).dtype)?;
    let wide = emitter.convert(&signed, dtype)?;
    let mask = emitter.splat(limits::greatest(operand.dtype()), &wide.ty)?;
    emitter.and(&wide, &mask)
}

/// Keeps the number in the range of the integers, since IREE leaves what is outside it undefined.
fn float_to_integer<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    dtype: DType,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let operand = match operand.dtype() {
        // Their range or precision is too small for the bounds.
        DType::F16 | DType::BF16 => &emitter.convert(operand, DType::F32)?,
        _ => operand,
    };
    let bounds = Bounds::of(dtype, operand.dtype());
    let is_number = emitter.compare(ComparisonDirection::Equal, operand, operand)?;
    let zero = emitter.number(0.0, operand)?;
    let number = emitter.select(&is_number, operand, &zero)?;
    let least = emitter.number(bounds.least, operand)?;
    let number_up = emitter.maximum(&number, &least)?;
    let greatest = emitter.number(bounds.greatest, operand)?;
    let inside = emitter.minimum(&number_up, &greatest)?;
    let integer = emitter.convert(&inside, dtype)?;
    let Some(end) = bounds.end else {
        return Ok(integer);
    };
    let end = emitter.number(end, operand)?;
    let above = emitter.compare(ComparisonDirection::GreaterOrEqual, operand, &end)?;
    let all = emitter.splat(limits::greatest(dtype), &integer.ty)?;
    emitter.select(&above, &all, &integer)
}

/// The range of an integer type in numbers of a floating-point type.
struct Bounds {
    least: f64,
    /// The greatest number of the floating-point type that is in the range.
    greatest: f64,
    /// One more than the greatest integer, if that integer itself is none of the numbers.
    end: Option<f64>,
}

impl Bounds {
    fn of(integer: DType, float: DType) -> Self {
        let signed = integer.class() == DTypeClass::Signed;
        let bits = 8 * integer.size() as i32 - i32::from(signed);
        let precision = match float {
            DType::F64 => f64::MANTISSA_DIGITS,
            _ => f32::MANTISSA_DIGITS,
        } as i32;
        let end = 2_f64.powi(bits);
        // Below a power of two, numbers are this far apart.
        let step = 2_f64.powi((bits - precision).max(0));
        Self {
            least: if signed { -end } else { 0.0 },
            greatest: end - step,
            end: (bits > precision).then_some(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_numbers_of_the_type() {
        let bounds = Bounds::of(DType::I32, DType::F32);
        assert_eq!(bounds.least, f64::from(i32::MIN as f32));
        assert_eq!(bounds.greatest, f64::from((i32::MAX as f32).next_down()));
        assert_eq!(bounds.end, Some(f64::from(i32::MAX as f32)));
        let bounds = Bounds::of(DType::U32, DType::F64);
        assert_eq!((bounds.least, bounds.greatest), (0.0, f64::from(u32::MAX)));
        assert_eq!(bounds.end, None);
        let bounds = Bounds::of(DType::U64, DType::F64);
        assert_eq!(bounds.greatest, (u64::MAX as f64).next_down());
    }
}
