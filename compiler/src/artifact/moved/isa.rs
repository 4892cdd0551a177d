//! What follows the code of an instruction of IREE's virtual machine, version 17 of its bytecode, as the table of
//! <https://github.com/iree-org/iree/blob/main/runtime/src/iree/vm/bytecode/isa/isa.json> has it.

/// A part of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A register with a number.
    Number,
    /// A register with a reference that is read, or written.
    Read,
    Write,
    /// 32 bits: a constant, or which function, global, type or data.
    Word,
    /// A constant of 64 bits.
    Long,
    /// A length of 16 bits, and as many bytes.
    Text,
    /// How many operands the arguments of a function have.
    Sizes,
    /// Registers of any kind, as many as 16 bits say.
    Operands,
    Results,
    /// Where another block begins, 32 bits.
    Target,
    /// What that block is handed: pairs of registers, as many as 16 bits say.
    Arguments,
    /// Targets with arguments, as many as 16 bits say.
    Cases,
}

use Field::{
    Arguments, Cases, Long, Number, Operands, Read, Results, Sizes, Target, Text, Word, Write,
};

/// A set of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Core,
    /// With numbers of `f32`.
    Single,
    /// With numbers of `f64`.
    Double,
}

/// The instructions that end a function: with results, and with an error.
pub(super) const RETURN: u8 = 0x5a;
pub(super) const FAIL: u8 = 0x5b;

impl Set {
    /// The set that a code says the next code is of.
    pub(super) const fn prefixed(code: u8) -> Option<Self> {
        match code {
            0xe0 => Some(Self::Single),
            0xe1 => Some(Self::Double),
            _ => None,
        }
    }

    /// What an instruction consists of, if there is one.
    pub(super) const fn fields(self, code: u8) -> Option<&'static [Field]> {
        match self {
            Self::Core => core(code),
            Self::Single => single(code),
            Self::Double => double(code),
        }
    }
}

const fn core(code: u8) -> Option<&'static [Field]> {
    Some(match code {
        0x00..=0x01 | 0x04..=0x05 | 0x0d | 0x5c => &[Word, Number],
        0x02..=0x03 | 0x06..=0x07 | 0x32 | 0x36 | 0x40..=0x48 | 0x4d | 0x52 | 0x75..=0x78 => {
            &[Number, Number]
        }
        0x08 => &[Word, Word, Write],
        0x09 => &[Word, Word, Read],
        0x0a => &[Number, Word, Write],
        0x0b => &[Number, Word, Read],
        0x0c | 0x0e => &[Number],
        0x0f => &[Long, Number],
        0x10 => &[Write],
        0x11 => &[Word, Write],
        0x12 => &[Word, Number, Write],
        0x13..=0x15 | 0x55 | 0x6e => &[Read, Number],
        0x16..=0x19 | 0x62..=0x6b => &[Read, Number, Number],
        0x1a => &[Read, Number, Word, Write],
        0x1b => &[Read, Number, Read],
        0x1c..=0x1d | 0x29 | 0x31 => &[Number, Number, Number, Number],
        0x1e => &[Number, Word, Read, Read, Write],
        0x1f..=0x20 => &[Number, Number, Operands, Number],
        0x21 => &[Number, Word, Read, Operands, Write],
        0x22..=0x28
        | 0x2a..=0x30
        | 0x33..=0x35
        | 0x37..=0x3f
        | 0x49..=0x4c
        | 0x4e..=0x51
        | 0x7a..=0x81 => &[Number, Number, Number],
        0x53..=0x54 => &[Read, Read, Number],
        0x56 | 0x5d | 0x61 => &[Target, Arguments],
        0x57 => &[Number, Target, Arguments, Target, Arguments],
        0x58 => &[Word, Operands, Results],
        0x59 => &[Word, Sizes, Operands, Results],
        0x5a | 0x85 => &[Operands],
        0x5b => &[Number, Text],
        0x5e..=0x5f => &[Text, Operands],
        0x60 => &[Number, Target, Arguments],
        0x6c => &[Number, Number, Write],
        0x6d => &[Read, Number, Number, Number, Write],
        0x6f => &[Read, Number, Read, Number, Number],
        0x70 => &[Read, Number, Read, Number, Number, Number],
        0x71..=0x74 | 0x84 => &[Read, Number, Number, Number],
        0x79 => &[],
        0x82 => &[Read, Word, Write],
        0x83 => &[Number, Target, Arguments, Cases],
        0x86 => &[Read, Write],
        0x87 => &[Word, Operands, Target, Results],
        0x88 => &[Word, Sizes, Operands, Target, Results],
        _ => return None,
    })
}

const fn single(code: u8) -> Option<&'static [Field]> {
    Some(match code {
        0x00..=0x01 | 0x05 => &[Word, Number],
        0x02..=0x03 | 0x10..=0x1a | 0x1c..=0x24 | 0x26..=0x29 | 0x32 | 0x36 | 0x39..=0x3d => {
            &[Number, Number]
        }
        0x04 => &[Number],
        0x06..=0x07 | 0x33..=0x34 => &[Read, Number, Number],
        0x08 | 0x0f => &[Number, Number, Number, Number],
        0x09 => &[Number, Number, Operands, Number],
        0x0a..=0x0e | 0x1b | 0x25 | 0x2a..=0x31 | 0x37..=0x38 | 0x3e => &[Number, Number, Number],
        0x35 => &[Read, Number, Number, Number],
        _ => return None,
    })
}

const fn double(code: u8) -> Option<&'static [Field]> {
    Some(match code {
        0x00..=0x01 => &[Word, Number],
        0x02..=0x03 | 0x10..=0x20 | 0x22..=0x2a | 0x2c..=0x2f | 0x38 | 0x3c | 0x3f => {
            &[Number, Number]
        }
        0x04 => &[Number],
        0x05 => &[Long, Number],
        0x06..=0x07 | 0x39..=0x3a => &[Read, Number, Number],
        0x08 | 0x0f => &[Number, Number, Number, Number],
        0x09 => &[Number, Number, Operands, Number],
        0x0a..=0x0e | 0x21 | 0x2b | 0x30..=0x37 | 0x3d..=0x3e | 0x40 => &[Number, Number, Number],
        0x3b => &[Read, Number, Number, Number],
        _ => return None,
    })
}
