//! Numbers of element types that change nothing, and those at the ends of their ranges.

use super::Scalar;
use crate::op::ReduceKind;
use iree_abi::{DType, DTypeClass};

/// The number below all others: the least integer, minus infinity, false.
pub fn least(dtype: DType) -> Scalar {
    match dtype.class() {
        DTypeClass::Bool => Scalar::Bool(false),
        DTypeClass::Unsigned => Scalar::Integer(0),
        DTypeClass::Signed => Scalar::Integer(-(1 << (bits(dtype) - 1))),
        DTypeClass::Float | DTypeClass::Complex => Scalar::Float(f64::NEG_INFINITY),
    }
}

/// The number above all others: the greatest integer, infinity, true.
pub fn greatest(dtype: DType) -> Scalar {
    match dtype.class() {
        DTypeClass::Bool => Scalar::Bool(true),
        DTypeClass::Unsigned => Scalar::Integer((1 << bits(dtype)) - 1),
        DTypeClass::Signed => Scalar::Integer((1 << (bits(dtype) - 1)) - 1),
        DTypeClass::Float | DTypeClass::Complex => Scalar::Float(f64::INFINITY),
    }
}

/// The number that changes nothing when it is reduced with others.
pub fn identity(kind: ReduceKind, dtype: DType) -> Scalar {
    match kind {
        ReduceKind::Sum => Scalar::Integer(0),
        ReduceKind::Product => Scalar::Integer(1),
        ReduceKind::Maximum => least(dtype),
        ReduceKind::Minimum => greatest(dtype),
        ReduceKind::All => Scalar::Bool(true),
        ReduceKind::Any => Scalar::Bool(false),
    }
}

fn bits(dtype: DType) -> u32 {
    8 * dtype.size() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_end_where_rust_says() {
        assert_eq!(least(DType::I64), Scalar::Integer(i64::MIN.into()));
        assert_eq!(greatest(DType::I64), Scalar::Integer(i64::MAX.into()));
        assert_eq!(greatest(DType::U64), Scalar::Integer(u64::MAX.into()));
        assert_eq!(greatest(DType::U8), Scalar::Integer(255));
    }
}
