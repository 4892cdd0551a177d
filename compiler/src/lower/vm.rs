//! Single operations of IREE's virtual machine on integers and on `index`, of which the result is known
//! between dispatches.

use super::emit::{Emitter, Result};
use iree_dialects::{
    arith::{self, CmpIPredicate},
    prelude::*,
    tensor,
};

/// Appends operations of the machine.
pub(super) struct Vm<'e, 'c, 'b>(pub(super) &'e Emitter<'c, 'b>);

/// Defines methods for operations of two operands of one type, which is that of the result.
macro_rules! operations {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(&self, a: Value<'c, 'b>, b: Value<'c, 'b>) -> Result<Value<'c, 'b>> {
            let operation = arith::$operation::builder(self.0.context, self.0.location)
                .lhs(a)
                .rhs(b)
                .append_to(&self.0.block)?;
            Ok(operation.result()?)
        })+
    };
}

/// Defines methods for operations that give another type.
macro_rules! conversions {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(&self, number: Value<'c, 'b>, ty: Type<'c>) -> Result<Value<'c, 'b>> {
            let operation = arith::$operation::builder(self.0.context, self.0.location)
                .r#in(number)
                .out(ty)
                .append_to(&self.0.block)?;
            Ok(operation.out()?)
        })+
    };
}

impl<'c, 'b> Vm<'_, 'c, 'b> {
    operations! {
        add: AddiOperation,
        and: AndiOperation,
        divide_floor: FloordivsiOperation,
        divide_signed: DivsiOperation,
        divide_unsigned: DivuiOperation,
        maximum_signed: MaxsiOperation,
        maximum_unsigned: MaxuiOperation,
        minimum_signed: MinsiOperation,
        minimum_unsigned: MinuiOperation,
        multiply: MuliOperation,
        or: OriOperation,
        remainder_signed: RemsiOperation,
        remainder_unsigned: RemuiOperation,
        shift_left: ShliOperation,
        shift_right_signed: ShrsiOperation,
        shift_right_unsigned: ShruiOperation,
        subtract: SubiOperation,
        xor: XoriOperation,
    }

    conversions! {
        cast_index: IndexCastOperation,
        extend_signed: ExtsiOperation,
        extend_unsigned: ExtuiOperation,
        truncate: TrunciOperation,
    }

    /// A number of an integer type or of `index`.
    pub(super) fn number(&self, ty: Type<'c>, number: i64) -> Result<Value<'c, 'b>> {
        let operation = arith::ConstantOperation::builder(self.0.context, self.0.location)
            .value(IntegerAttribute::new(ty, number))
            .result(ty)
            .append_to(&self.0.block)?;
        Ok(operation.result()?)
    }

    /// The number in a tensor without axes and without a sign, for which the machine waits.
    pub(super) fn read(&self, scalar: Value<'c, 'b>, ty: Type<'c>) -> Result<Value<'c, 'b>> {
        let operation = tensor::ExtractOperation::builder(self.0.context, self.0.location)
            .tensor(scalar)
            .result(ty)
            .indices(&[])
            .append_to(&self.0.block)?;
        Ok(operation.result()?)
    }

    pub(super) fn select(
        &self,
        condition: Value<'c, 'b>,
        on_true: Value<'c, 'b>,
        on_false: Value<'c, 'b>,
    ) -> Result<Value<'c, 'b>> {
        let operation = arith::SelectOperation::builder(self.0.context, self.0.location)
            .condition(condition)
            .true_value(on_true)
            .false_value(on_false)
            .result(on_true.r#type())
            .append_to(&self.0.block)?;
        Ok(operation.result()?)
    }

    pub(super) fn test(
        &self,
        predicate: CmpIPredicate,
        a: Value<'c, 'b>,
        b: Value<'c, 'b>,
    ) -> Result<Value<'c, 'b>> {
        let operation = arith::CmpiOperation::builder(self.0.context, self.0.location)
            .predicate(predicate)
            .lhs(a)
            .rhs(b)
            .result(Type::from(IntegerType::new(self.0.context, 1)))
            .append_to(&self.0.block)?;
        Ok(operation.result()?)
    }
}
