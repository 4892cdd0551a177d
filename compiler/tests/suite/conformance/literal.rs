//! Types and tensors as the suite writes them: `tensor<2x3xi64>`, `dense<[[1, 2, 3], [4, 5, 6]]>`.

use crate::device::HostTensor;
use half::{bf16, f16};
use iree_abi::{DType, TensorType};

/// An element type that the language does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnknownType(pub(super) String);

/// The type behind `tensor<`, with the closing bracket.
pub(super) fn tensor_type(text: &str) -> Result<TensorType, UnknownType> {
    let mut rest = text
        .trim()
        .strip_prefix("tensor<")
        .and_then(|text| text.strip_suffix('>'))
        .expect("the type of a tensor");
    let mut sizes: Vec<usize> = Vec::new();
    while let Some((size, behind)) = rest.split_once('x') {
        let Ok(size) = size.parse() else { break };
        sizes.push(size);
        rest = behind;
    }
    Ok(TensorType::new(dtype(rest)?, &*sizes))
}

fn dtype(name: &str) -> Result<DType, UnknownType> {
    Ok(match name {
        "i1" => DType::Bool,
        "i8" => DType::I8,
        "i16" => DType::I16,
        "i32" => DType::I32,
        "i64" => DType::I64,
        "ui8" => DType::U8,
        "ui16" => DType::U16,
        "ui32" => DType::U32,
        "ui64" => DType::U64,
        "f16" => DType::F16,
        "bf16" => DType::BF16,
        "f32" => DType::F32,
        "f64" => DType::F64,
        "complex<f32>" => DType::C64,
        "complex<f64>" => DType::C128,
        other => return Err(UnknownType(other.to_owned())),
    })
}

/// The tensor that a literal with its type stands for.
pub(super) fn tensor(literal: &str) -> Result<HostTensor, UnknownType> {
    let literal = literal.trim();
    let (elements, ty) = literal.rsplit_once(':').expect("a literal has a type");
    let ty = tensor_type(ty)?;
    let elements = elements.trim().strip_prefix("dense<");
    let elements = elements.and_then(|elements| elements.strip_suffix('>'));
    let elements = numbers(elements.expect("the elements of a tensor"));
    let bytes: Vec<_> = elements
        .iter()
        .map(|element| encode(element, ty.dtype))
        .collect();
    let count = ty.shape.known().map(|sizes| sizes.iter().product());
    let count: usize = count.expect("the sizes of a literal");
    let bytes = match bytes.as_slice() {
        [splat] => splat.repeat(count),
        _ => bytes.concat(),
    };
    assert_eq!(bytes.len(), count * ty.dtype.size(), "{literal}");
    Ok(HostTensor { ty, bytes })
}

/// The numbers in nested lists, complex ones as their two parts.
fn numbers(text: &str) -> Vec<Vec<&str>> {
    let mut numbers = Vec::new();
    let mut rest = text;
    loop {
        rest = rest
            .trim_start_matches(|letter: char| ",[]".contains(letter) || letter.is_whitespace());
        if rest.is_empty() {
            return numbers;
        }
        let complex = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (number, behind) = match complex {
            Some((parts, behind)) => (parts.split(',').map(str::trim).collect(), behind),
            None => {
                let end = rest.find([',', ']']).unwrap_or(rest.len());
                let (number, behind) = rest.split_at(end);
                (vec![number.trim()], behind)
            }
        };
        numbers.push(number);
        rest = behind;
    }
}

fn encode(parts: &[&str], dtype: DType) -> Vec<u8> {
    let part = dtype.real();
    let parts = parts.iter();
    parts.flat_map(|number| encode_real(number, part)).collect()
}

/// A hexadecimal number stands for the bits of the element.
fn encode_real(number: &str, dtype: DType) -> Vec<u8> {
    let size = dtype.size();
    if let Some(digits) = number.strip_prefix("0x") {
        let bits = u64::from_str_radix(digits, 16).expect("hexadecimal digits");
        return bits.to_le_bytes()[..size].to_vec();
    }
    match dtype {
        DType::Bool => vec![u8::from(number == "true")],
        DType::F16 => f16::from_f64(real(number)).to_le_bytes().to_vec(),
        DType::BF16 => bf16::from_f64(real(number)).to_le_bytes().to_vec(),
        DType::F32 => (number.parse::<f32>().expect("a number"))
            .to_le_bytes()
            .to_vec(),
        DType::F64 => real(number).to_le_bytes().to_vec(),
        _ => {
            let integer: i128 = number.parse().expect("an integer");
            integer.to_le_bytes()[..size].to_vec()
        }
    }
}

fn real(number: &str) -> f64 {
    number.parse().expect("a number")
}
