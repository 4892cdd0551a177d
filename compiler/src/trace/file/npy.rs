//! NumPy's files, for constants.

use super::Refusal;
use crate::ir::{Constant, ConstantData};
use iree_abi::NpyFile;

/// The array of a file.
pub(super) fn read(file: &[u8]) -> Result<Constant, Refusal> {
    let array = NpyFile::parse(file).map_err(|error| error.to_string())?;
    let mut elements = vec![0; array.elements.len()];
    array.write_to(&mut elements);
    Ok(Constant {
        ty: array.ty,
        data: ConstantData::Dense(elements),
    })
}
