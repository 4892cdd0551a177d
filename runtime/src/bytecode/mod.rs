//! Finds what would lead IREE out of a module while it loads it.
//!
//! IREE verifies modules itself: that the FlatBuffer is one, and each function operation by operation. But it
//! trusts some of what it is to check. In IREE 3.13 the number of a function that is called is compared with
//! nothing (`IREE_VM_ISA_VERIFY_FUNCTION_ORDINAL` closes a parenthesis too early) before its signature is read, the
//! signature of an import is read though it may be absent, and functions and the characters of a calling convention
//! are counted with 16 bits, without end if there are more. Checksums do not tell if who wrote the file wrote them
//! too. So these are looked at before IREE is given the module, and all else is left to it.

mod flat;
mod layout;
mod walk;

use crate::{Error, Result};
use flat::Table;

/// The positions of fields in the tables of `bytecode_module_def.fbs`.
mod field {
    pub(super) const IMPORTED_FUNCTIONS: usize = 6;
    pub(super) const FUNCTION_SIGNATURES: usize = 8;
    pub(super) const FUNCTION_DESCRIPTORS: usize = 12;
    pub(super) const BYTECODE_DATA: usize = 14;
    pub(super) const IMPORT_SIGNATURE: usize = 1;
    pub(super) const CALLING_CONVENTION: usize = 0;
}

/// How many bytes describe a function: where its code begins and how long it is, and what is left to IREE.
const DESCRIPTOR: usize = 20;

/// Checks that IREE can load a module without leaving it.
///
/// # Errors
///
/// [`Error::Damaged`].
pub(crate) fn verify(archive: &[u8]) -> Result<()> {
    let check = || check(flatbuffer(archive).ok_or("it does not begin with a module")?);
    check().map_err(|reason| Error::Damaged { reason })
}

/// The FlatBuffer in a module, found as IREE finds it.
fn flatbuffer(archive: &[u8]) -> Option<&[u8]> {
    let start = match archive.strip_prefix(b"PK\x03\x04") {
        // Behind the header are the file's name and further fields.
        Some(header) => {
            let length = |at: usize| Some(u16::from_le_bytes(*header.get(at..)?.first_chunk()?));
            30 + usize::from(length(22)?) + usize::from(length(24)?)
        }
        None => 0,
    };
    let (length, contents) = archive.get(start..)?.split_first_chunk()?;
    contents.get(..usize::try_from(u32::from_le_bytes(*length)).ok()?)
}

fn check(flatbuffer: &[u8]) -> Result<(), String> {
    let module = Table::root(flatbuffer)?;
    let imports = module.vector(field::IMPORTED_FUNCTIONS)?;
    for import in 0..imports.length {
        let import = imports.table(import)?;
        let signature = import.table(field::IMPORT_SIGNATURE)?;
        check_signature(signature.ok_or("an import has no signature")?)?;
    }
    let functions = module.vector(field::FUNCTION_DESCRIPTORS)?;
    if functions.length > usize::from(u16::MAX) {
        return Err(format!("it has {} functions", functions.length));
    }
    let signatures = module.vector(field::FUNCTION_SIGNATURES)?;
    for signature in 0..signatures.length {
        check_signature(signatures.table(signature)?)?;
    }
    let code = module.vector(field::BYTECODE_DATA)?.bytes()?;
    for function in 0..functions.length {
        let descriptor = functions.element::<DESCRIPTOR>(function)?;
        let function = span(code, &descriptor).ok_or("a function is outside of its code")?;
        // Functions and signatures are as many as each other, or IREE refuses them before it looks at calls.
        walk::check(function, functions.length)?;
    }
    Ok(())
}

fn check_signature(signature: Table<'_>) -> Result<(), String> {
    let length = signature.vector(field::CALLING_CONVENTION)?.length;
    match length < usize::from(u16::MAX) {
        true => Ok(()),
        false => Err(format!("a calling convention has {length} characters")),
    }
}

/// The code of the function that a descriptor describes.
fn span<'a>(code: &'a [u8], descriptor: &[u8; DESCRIPTOR]) -> Option<&'a [u8]> {
    let number = |at: usize| {
        let number = i32::from_le_bytes(*descriptor.get(at..)?.first_chunk()?);
        usize::try_from(number).ok()
    };
    code.get(number(0)?..)?.get(..number(4)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_functions_than_are_counted_are_refused() {
        // A table with the field of functions alone, and how many there are.
        let fields = field::FUNCTION_DESCRIPTORS + 1;
        let mut bytes = Vec::new();
        let table = 4 + 4 + 2 * fields as u32;
        bytes.extend(table.to_le_bytes());
        bytes.extend((4 + 2 * fields as u16).to_le_bytes());
        bytes.extend(8u16.to_le_bytes());
        bytes.extend([0; 2 * field::FUNCTION_DESCRIPTORS]);
        bytes.extend(4u16.to_le_bytes());
        bytes.extend((table - 4).to_le_bytes());
        bytes.extend(4u32.to_le_bytes());
        bytes.extend(65_536u32.to_le_bytes());
        assert_eq!(check(&bytes).unwrap_err(), "it has 65536 functions");
    }

    #[test]
    fn what_is_not_a_module_is_refused() {
        for bytes in [&b""[..], b"PK\x03\x04", &[0; 3], &[255; 64]] {
            assert!(verify(bytes).is_err(), "{bytes:?}");
        }
    }
}
