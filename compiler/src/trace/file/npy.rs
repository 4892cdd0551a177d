//! NumPy's files, for constants.

use super::Refusal;
use iree_abi::{NpyFile, ParseNpyError, foreign_file};
use iree_dsl_ir::{Constant, ConstantData};

/// The array of a file.
pub(super) fn read(file: &[u8]) -> Result<Constant, Refusal> {
    let array = NpyFile::parse(file).map_err(|error| match error {
        ParseNpyError::Header => other(file).unwrap_or_else(|| error.to_string()),
        error => error.to_string(),
    })?;
    let mut elements = vec![0; array.elements.len()];
    array.write_to(&mut elements);
    Ok(Constant {
        ty: array.ty,
        data: ConstantData::Dense(elements),
    })
}

/// What a file is that is none of NumPy.
fn other(file: &[u8]) -> Option<String> {
    match file {
        [b'P', b'K', ..] => Some(
            "this is an archive of several arrays, `.npz`: give it when the program is loaded, or unpack it".to_owned(),
        ),
        [_, _, _, _, 0, 0, 0, 0, b'{', ..] => {
            Some("this is a file of safetensors, which `include_safetensors!` reads".to_owned())
        }
        _ => foreign_file(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_named() {
        let refusal = |file: &[u8]| read(file).unwrap_err().message;
        assert!(refusal(b"version https://git-lfs.github.com/spec/v1\n").contains("Git LFS"));
        assert!(refusal(b"PK\x03\x04").contains(".npz"));
        assert!(refusal(b"\x02\0\0\0\0\0\0\0{}").contains("`include_safetensors!`"));
        assert!(refusal(b"something else").contains("no header of NumPy"));
    }
}
