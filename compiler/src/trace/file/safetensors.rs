//! Files of [safetensors](https://huggingface.co/docs/safetensors).

use super::Refusal;
use crate::diagnostic::nearest;
use iree_abi::{DType, TensorType, foreign_file};
use iree_dsl_ir::{Constant, ConstantData};
use safetensors::{Dtype, SafeTensors};

/// The most names that are listed where none is similar.
const LISTED: usize = 8;

/// The tensors of a file.
pub(super) fn open(file: &[u8]) -> Result<SafeTensors<'_>, Refusal> {
    let tensors = SafeTensors::deserialize(file);
    tensors.map_err(|error| match other(file) {
        Some(reason) => reason.into(),
        None => format!("this is no file of safetensors: {error}").into(),
    })
}

/// What a file is that is none of safetensors.
fn other(file: &[u8]) -> Option<String> {
    match file {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => {
            Some("this is a file of NumPy, which `include_npy!` reads".to_owned())
        }
        [b'I', b'R', b'P', b'A', ..] => Some(
            "this is an archive of IREE, which says no types: give it when the program is loaded"
                .to_owned(),
        ),
        _ => foreign_file(file),
    }
}

/// The tensor of that name.
pub(super) fn tensor(tensors: &SafeTensors<'_>, name: &str) -> Result<Constant, Refusal> {
    let Ok(tensor) = tensors.tensor(name) else {
        let mut names = tensors.names();
        names.sort_unstable();
        return Err(unknown(name, &names));
    };
    let Some(dtype) = dtype(tensor.dtype()) else {
        let found = format!("{:?}", tensor.dtype());
        return Err(format!("there is no element type for the `{found}` of `{name}`").into());
    };
    Ok(Constant {
        ty: TensorType::new(dtype, tensor.shape()),
        data: ConstantData::Dense(tensor.data().to_vec()),
    })
}

fn unknown(name: &str, names: &[&str]) -> Refusal {
    let message = format!("there is no tensor `{name}` in the file");
    let help = match nearest(name, names.iter().copied()) {
        Some(similar) => format!("there is a tensor with a similar name: `{similar}`"),
        None if names.len() > LISTED => format!("it has {} others", names.len()),
        None => format!("its tensors are `{}`", names.join("`, `")),
    };
    let help = Some(help);
    Refusal { message, help }
}

const fn dtype(dtype: Dtype) -> Option<DType> {
    Some(match dtype {
        Dtype::BOOL => DType::Bool,
        Dtype::I8 => DType::I8,
        Dtype::I16 => DType::I16,
        Dtype::I32 => DType::I32,
        Dtype::I64 => DType::I64,
        Dtype::U8 => DType::U8,
        Dtype::U16 => DType::U16,
        Dtype::U32 => DType::U32,
        Dtype::U64 => DType::U64,
        Dtype::F16 => DType::F16,
        Dtype::BF16 => DType::BF16,
        Dtype::F32 => DType::F32,
        Dtype::F64 => DType::F64,
        Dtype::C64 => DType::C64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::{TensorView, serialize};

    fn read(file: &[u8], name: &str) -> Result<Constant, Refusal> {
        tensor(&open(file)?, name)
    }

    fn file(tensors: &[(&str, Dtype, Vec<usize>, &[u8])]) -> Vec<u8> {
        let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
            (
                *name,
                TensorView::new(*dtype, shape.clone(), bytes).unwrap(),
            )
        });
        serialize(views, None).unwrap()
    }

    #[test]
    fn tensors_are_found_by_name() {
        let file = file(&[
            ("a.weight", Dtype::BF16, vec![2, 1], &[1, 2, 3, 4]),
            ("a.bias", Dtype::F64, vec![], &[0; 8]),
            ("a.none", Dtype::U8, vec![0], &[]),
        ]);
        let constant = read(&file, "a.weight").unwrap();
        assert_eq!(constant.ty.to_string(), "Tensor<bf16, 2, 1>");
        assert_eq!(constant.data, ConstantData::Dense(vec![1, 2, 3, 4]));
        let scalar = read(&file, "a.bias").unwrap();
        assert_eq!(scalar.ty.to_string(), "Tensor<f64>");
        assert_eq!(
            read(&file, "a.none").unwrap().ty.to_string(),
            "Tensor<u8, 0>"
        );
        let refusal = read(&file, "a.weights").unwrap_err();
        assert!(refusal.help.unwrap().ends_with("`a.weight`"));
        let refusal = read(&file, "encoder.layers.0").unwrap_err();
        assert!(
            refusal
                .help
                .unwrap()
                .contains("`a.bias`, `a.none`, `a.weight`")
        );
    }

    #[test]
    fn other_files_are_named() {
        let refusal = |file: &[u8]| open(file).unwrap_err().message;
        let pointer = refusal(b"version https://git-lfs.github.com/spec/v1\nsize 1\n");
        assert!(pointer.contains("Git LFS"), "{pointer}");
        assert!(refusal(b"\x93NUMPY\x01\0").contains("`include_npy!`"));
        assert!(refusal(b"IRPA\0\0\0\0").contains("archive of IREE"));
    }

    #[test]
    fn damaged_files_and_unknown_elements_are_refused() {
        let whole = file(&[("x", Dtype::F32, vec![2], &[7; 8])]);
        assert!(read(&whole, "x").is_ok());
        for length in 0..whole.len() {
            assert!(read(&whole[..length], "x").is_err(), "{length}");
        }
        let eight = file(&[("x", Dtype::F8_E4M3, vec![2], &[7; 2])]);
        assert!(read(&eight, "x").is_err());
    }
}
