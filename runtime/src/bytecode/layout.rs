//! What follows the codes of IREE's operations, which is `isa.json` of IREE 3.13 (version 17.0 of bytecode).
//!
//! Each layout is a string with a character for each part, in the order of the file:
//!
//! | character | part |
//! |---|---|
//! | `r` | a register, in 2 bytes |
//! | `4`, `8` | so many bytes: a constant, a type, a global, data, or where a branch leads |
//! | `f` | a function, in 4 bytes |
//! | `s` | a text, behind its length in 2 bytes |
//! | `l` | registers, behind their number, which is aligned to 2 bytes |
//! | `b` | pairs of registers, likewise: what is carried into a block |
//! | `c` | the cases of a table, each a branch, behind their number |

/// The code before those of operations on `f32`.
pub(super) const F32: u8 = 0xe0;

/// The code before those of operations on `f64`.
pub(super) const F64: u8 = 0xe1;

/// Operations on integers and references, and control flow.
pub(super) const fn core(code: u8) -> Option<&'static str> {
    Some(match code {
        // Globals and constants.
        0x00 | 0x01 | 0x04 | 0x05 | 0x0d | 0x11 => "4r",
        0x08 | 0x09 => "44r",
        0x0a | 0x0b | 0x82 => "r4r",
        0x0c | 0x0e | 0x10 => "r",
        0x0f => "8r",
        // Lists, and values that are chosen.
        0x12 => "4rr",
        0x1a => "rr4r",
        0x1e => "r4rrr",
        0x1f | 0x20 => "rrlr",
        0x21 => "r4rlr",
        // Arithmetic, comparison, conversion and buffers.
        0x02
        | 0x03
        | 0x06
        | 0x07
        | 0x13..=0x15
        | 0x32
        | 0x36
        | 0x40..=0x48
        | 0x4d
        | 0x52
        | 0x55
        | 0x6e
        | 0x75..=0x78
        | 0x86 => "rr",
        0x16..=0x19
        | 0x1b
        | 0x22..=0x28
        | 0x2a..=0x30
        | 0x33..=0x35
        | 0x37..=0x3f
        | 0x49..=0x4c
        | 0x4e..=0x51
        | 0x53
        | 0x54
        | 0x62..=0x6c
        | 0x7a..=0x81 => "rrr",
        0x1c | 0x1d | 0x29 | 0x31 | 0x71..=0x74 | 0x84 => "rrrr",
        0x6d | 0x6f => "rrrrr",
        0x70 => "rrrrrr",
        // Blocks, branches, and what ends a function.
        0x79 => "",
        0x56 | 0x5d | 0x61 => "4b",
        0x57 => "r4b4b",
        0x60 => "r4b",
        0x83 => "r4bc",
        0x5a | 0x85 => "l",
        0x5b => "rs",
        // Calls.
        0x58 => "fll",
        0x59 => "flll",
        0x5c => "fr",
        0x87 => "fl4l",
        0x88 => "fll4l",
        // Texts for whoever debugs.
        0x5e | 0x5f => "sl",
        _ => return None,
    })
}

/// Operations on `f32`.
pub(super) const fn f32([code]: [u8; 1]) -> Option<&'static str> {
    Some(match code {
        0x00 | 0x01 | 0x05 => "4r",
        0x02 | 0x03 | 0x10..=0x1a | 0x1c..=0x24 | 0x26..=0x29 | 0x32 | 0x36 | 0x39..=0x3d => "rr",
        0x04 => "r",
        0x06
        | 0x07
        | 0x0a..=0x0e
        | 0x1b
        | 0x25
        | 0x2a..=0x31
        | 0x33
        | 0x34
        | 0x37
        | 0x38
        | 0x3e => "rrr",
        0x08 | 0x0f | 0x35 => "rrrr",
        0x09 => "rrlr",
        _ => return None,
    })
}

/// Operations on `f64`.
pub(super) const fn f64([code]: [u8; 1]) -> Option<&'static str> {
    Some(match code {
        0x00 | 0x01 => "4r",
        0x02 | 0x03 | 0x10..=0x20 | 0x22..=0x2a | 0x2c..=0x2f | 0x38 | 0x3c | 0x3f => "rr",
        0x04 => "r",
        0x05 => "8r",
        0x06
        | 0x07
        | 0x0a..=0x0e
        | 0x21
        | 0x2b
        | 0x30..=0x37
        | 0x39
        | 0x3a
        | 0x3d
        | 0x3e
        | 0x40 => "rrr",
        0x08 | 0x0f | 0x3b => "rrrr",
        0x09 => "rrlr",
        _ => return None,
    })
}
