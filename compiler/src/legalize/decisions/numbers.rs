//! Constants that are the same number everywhere.

use iree_dsl_ir::{Constant, ConstantData, Function, Operation, ValueId, op::Op};
use std::collections::BTreeMap;

/// What an operation repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Filling {
    /// It pads with zeros.
    Zeros,
    /// It does nothing but repeat a number of these bytes, to sizes that are not known while building.
    Number(Vec<u8>),
    /// It is a complex number of these bytes everywhere, in a buffer that is changed.
    Changed(Vec<u8>),
}

/// The constants of a function that are the same number everywhere.
pub(super) struct Numbers<'a>(BTreeMap<ValueId, &'a [u8]>);

impl<'a> Numbers<'a> {
    pub(super) fn of(function: &'a Function) -> Self {
        let operations = function.operations.iter();
        let numbers = operations.filter_map(|(_, operation)| {
            let (Op::Constant(constant), [result]) = (&operation.op, operation.results.as_slice())
            else {
                return None;
            };
            let Constant {
                data: ConstantData::Splat(bytes),
                ..
            } = constant
            else {
                return None;
            };
            Some((*result, bytes.as_slice()))
        });
        Self(numbers.collect())
    }

    /// What an operation repeats, as far as that decides how.
    pub(super) fn filling(&self, function: &Function, operation: &Operation) -> Option<Filling> {
        if let (Op::Pad(_), [_, value]) = (&operation.op, operation.operands.as_slice()) {
            return self.is_zero(*value).then_some(Filling::Zeros);
        }
        let number = self.repeated(operation)?;
        let ty = function.ty(*operation.results.first()?)?;
        let is_known = ty.shape.known().is_some();
        (!is_known).then(|| Filling::Number(number.to_vec()))
    }

    /// The bytes of a complex number, if a result of known sizes is that everywhere. IREE 3.13 has no filling for it but a
    /// dispatch that reads nothing, which it takes for one with others that are equal, also where the results are changed in
    /// place.
    /// Defect `equal-splats-share-memory`.
    pub(super) fn complex(&self, function: &Function, operation: &Operation) -> Option<&'a [u8]> {
        let result = *operation.results.first()?;
        let ty = function.ty(result)?;
        let is_filled = ty.dtype.is_complex() && ty.shape.rank() > 0 && ty.shape.known().is_some();
        let number = self.0.get(&result).copied();
        let number = number.or_else(|| self.repeated(operation));
        number.filter(|_| is_filled)
    }

    /// Whether a value is zero, of any type.
    fn is_zero(&self, id: ValueId) -> bool {
        let bytes = self.0.get(&id);
        bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
    }

    /// The bytes of the number that an operation repeats, if it does nothing else.
    pub(super) fn repeated(&self, operation: &Operation) -> Option<&'a [u8]> {
        let (Op::Broadcast(_), [operand]) = (&operation.op, operation.operands.as_slice()) else {
            return None;
        };
        self.0.get(operand).copied()
    }
}
