//! Numbers in registers of IREE's virtual machine, which runs the program between dispatches.
//!
//! A tensor without axes is a buffer, and computing with it is a dispatch of some microseconds; what a
//! branch or a window depends on is then read back. In a register, a number costs some nanoseconds, and a
//! dispatch that needs it gets it as a constant of the launch.
//!
//! The machine has registers of 32 and 64 bits. Narrower integers are kept in 32, extended by their sign
//! or by zeros, and brought back to that form by every operation that may leave it.

mod arithmetic;

pub(super) use arithmetic::compute;

use super::{
    emit::{Emitter, Result, Tensor},
    fill, global, opaque, types,
    vm::Vm,
};
use iree_abi::{DType, DTypeClass, TensorType};
use iree_dialects::prelude::*;
use iree_dsl_ir::{Constant, ConstantData};

/// A number in a register.
#[derive(Clone, Debug)]
pub(super) struct Register<'c, 'b> {
    pub(super) value: Value<'c, 'b>,
    pub(super) dtype: DType,
}

/// The type of the register that a number is in.
fn register_type(context: &Context, dtype: DType) -> Type<'_> {
    IntegerType::new(context, bits(dtype)).into()
}

/// The width of the register that a number is in.
fn bits(dtype: DType) -> u32 {
    match dtype {
        DType::Bool => 1,
        DType::I64 | DType::U64 => 64,
        _ => 32,
    }
}

/// The type that a number has in a buffer, without its sign.
fn stored_type(context: &Context, dtype: DType) -> Type<'_> {
    let bits = match dtype {
        DType::Bool => 1,
        _ => 8 * dtype.size() as u32,
    };
    IntegerType::new(context, bits).into()
}

/// The width in which a block takes numbers.
///
/// Where IREE 3.13 moves registers of both widths to the next block, it does not see that one may overlap half
/// of another, and loses it. With a tensor it may hand on sizes, in 64 bits.
///
/// Where the first that a block does is also the last that needs a value, IREE gives the register of this value
/// to what the block takes, if that is the same value on one of the ways to the block. On another way the value
/// is lost before it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Width {
    /// That of each register.
    Own,
    /// 64 bits for all.
    Double,
    /// 64 bits for all, such that nothing handed on is needed otherwise: a block first finds its own numbers in
    /// it, by an operation that needs no other value. Those of 64 bits are at a distance for this.
    Apart,
}

/// The distance from a number to what it is handed on as. No program adds or compares with numbers around it.
const DISTANCE: i64 = 0x5A3C_96E1_4B2D_8F70;

impl Width {
    /// The width for numbers of these types.
    pub(super) fn of(mut taken: impl Iterator<Item = DType>) -> Self {
        match taken.any(|dtype| bits(dtype) == 64) {
            true => Self::Double,
            false => Self::Own,
        }
    }

    /// The type that a block takes a number as.
    pub(super) fn register_type(self, context: &Context, dtype: DType) -> Type<'_> {
        match self {
            Self::Own => register_type(context, dtype),
            Self::Double | Self::Apart => register_type(context, DType::I64),
        }
    }
}

impl<'c, 'b> Register<'c, 'b> {
    /// A number that is known while building.
    pub(super) fn literal(emitter: &Emitter<'c, 'b>, constant: &Constant) -> Result<Self> {
        let dtype = constant.ty.dtype;
        let (ConstantData::Splat(bytes) | ConstantData::Dense(bytes)) = &constant.data;
        let value = Vm(emitter).constant(dtype, number(bytes, dtype))?;
        Ok(Self { value, dtype })
    }

    /// The number in a tensor without axes, for which the machine waits.
    pub(super) fn read(emitter: &Emitter<'c, 'b>, scalar: &Tensor<'c, 'b>) -> Result<Self> {
        let dtype = scalar.dtype();
        let stored = global::cast(emitter, scalar.clone(), &types::stored(&scalar.ty))?;
        let vm = Vm(emitter);
        let value = vm.read(stored.value, stored_type(emitter.context, dtype))?;
        let value = vm.extend(value, dtype)?;
        Ok(Self { value, dtype })
    }

    /// A number that was computed as `index`.
    pub(super) fn of_index(
        emitter: &Emitter<'c, 'b>,
        number: Value<'c, 'b>,
        dtype: DType,
    ) -> Result<Self> {
        let vm = Vm(emitter);
        let number = vm.cast_index(number, register_type(emitter.context, dtype))?;
        let value = vm.wrap(number, dtype)?;
        Ok(Self { value, dtype })
    }

    /// What a block takes in the place of a number.
    pub(super) fn handed(&self, emitter: &Emitter<'c, 'b>, width: Width) -> Result<Value<'c, 'b>> {
        let vm = Vm(emitter);
        match width {
            Width::Own => Ok(self.value),
            Width::Apart if bits(self.dtype) == 64 => {
                vm.add(self.value, vm.constant(DType::I64, DISTANCE)?)
            }
            Width::Double | Width::Apart => vm.resize(self, DType::I64),
        }
    }

    /// What a block was handed.
    pub(super) fn taken(
        emitter: &Emitter<'c, 'b>,
        value: Value<'c, 'b>,
        dtype: DType,
        width: Width,
    ) -> Result<Self> {
        let vm = Vm(emitter);
        let handed = Self {
            value,
            dtype: DType::I64,
        };
        let value = match (width, dtype) {
            (Width::Own, _) => value,
            (Width::Apart, _) if bits(dtype) == 64 => {
                vm.subtract(value, vm.constant(DType::I64, DISTANCE)?)?
            }
            (_, DType::Bool) => vm.is_not_zero(&handed)?,
            _ => vm.resize(&handed, dtype)?,
        };
        Ok(Self { value, dtype })
    }

    /// The opposite of a truth value.
    pub(super) fn not(&self, emitter: &Emitter<'c, 'b>) -> Result<Self> {
        let value = Vm(emitter).not(self.value)?;
        Ok(Self { value, ..*self })
    }

    /// The same number, which IREE does not read again from the tensor that it comes from, where it is used in a dispatch: that may
    /// have changed.
    pub(super) fn hidden(&self, emitter: &Emitter<'c, 'b>) -> Result<Self> {
        let value = opaque::hidden(emitter, self.value)?;
        Ok(Self { value, ..*self })
    }

    /// The number as a tensor without axes.
    ///
    /// IREE makes what is filled a part of the dispatch that uses it. Of `tensor.from_elements` it makes a
    /// dispatch of its own.
    pub(super) fn tensor(&self, emitter: &Emitter<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        let ty = TensorType::new(self.dtype, []);
        let stored = types::stored(&ty);
        let number = Vm(emitter).narrow(self.value, self.dtype)?;
        global::cast(emitter, fill::with(emitter, number, &stored)?, &ty)
    }
}

/// The first number of little-endian bytes, as the bits of a register.
fn number(bytes: &[u8], dtype: DType) -> i64 {
    let bytes = bytes.iter().take(dtype.size()).rev();
    let bits = bytes.fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    let unused = 64_u32.saturating_sub(8 * dtype.size() as u32);
    match dtype.class() {
        DTypeClass::Signed => (bits << unused).cast_signed() >> unused,
        _ => bits.cast_signed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_extended_to_the_register() {
        assert_eq!(number(&[0xFE], DType::I8), -2);
        assert_eq!(number(&[0xFE], DType::U8), 254);
        assert_eq!(number(&[0, 0x80], DType::I16), -32768);
        assert_eq!(number(&[0xFF; 4], DType::U32), i64::from(u32::MAX));
        assert_eq!(number(&[0xFF; 8], DType::U64), -1);
        assert_eq!(number(&[1], DType::Bool), 1);
    }
}
