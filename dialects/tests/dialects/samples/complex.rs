use iree_dialects::complex as dialect;

use super::{Sample, samples};

pub(crate) fn samples() -> Vec<Sample> {
    samples! {
        AddOperation: |s, builder| {
            let number = s.complex_number();
            builder.lhs(number).rhs(number)
        };
        MulOperation: |s, builder| {
            let number = s.complex_number();
            builder.lhs(number).rhs(number)
        };
    }
}
