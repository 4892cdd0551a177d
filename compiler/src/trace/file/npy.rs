//! NumPy's [format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).

use super::Refusal;
use crate::ir::{Constant, ConstantData};
use iree_abi::{DType, TensorType};
use npyz::{Endianness, NpyHeader, Order, TypeChar, TypeStr};
use std::panic::catch_unwind;

/// The array of a file.
pub(super) fn read(file: &[u8]) -> Result<Constant, Refusal> {
    // The library multiplies sizes without a check.
    let header = catch_unwind(|| {
        let mut rest = file;
        let header = NpyHeader::from_reader(&mut rest)?;
        std::io::Result::Ok((header, rest))
    });
    let (header, elements) = match header {
        Ok(Ok(read)) => read,
        Ok(Err(error)) => return Err(format!("this is no file of NumPy: {error}").into()),
        Err(_) => {
            return Err("this is no file of NumPy: its sizes are too large"
                .to_owned()
                .into());
        }
    };
    let sizes = header.shape().iter().map(|size| usize::try_from(*size));
    let sizes: Result<Vec<_>, _> = sizes.collect();
    let sizes = sizes.map_err(|_| "the array is too large to address".to_owned())?;
    let (dtype, endianness) = element(&header)?;
    let elements = exactly(elements, &sizes, dtype.size())?;
    let mut elements = match header.order() {
        Order::C => elements.to_vec(),
        Order::Fortran => last_axis_fastest(elements, &sizes, dtype.size()),
    };
    if endianness == Endianness::Big {
        let part = dtype.real().size();
        elements.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    if dtype == DType::Bool {
        elements
            .iter_mut()
            .for_each(|byte| *byte = u8::from(*byte != 0));
    }
    Ok(Constant {
        ty: TensorType::new(dtype, sizes.as_slice()),
        data: ConstantData::Dense(elements),
    })
}

/// As many bytes as the elements take.
fn exactly<'f>(elements: &'f [u8], sizes: &[usize], size: usize) -> Result<&'f [u8], Refusal> {
    let mut factors = sizes.iter().copied();
    let expected = factors.try_fold(size, usize::checked_mul);
    let found = expected.and_then(|expected| elements.get(..expected));
    found.ok_or_else(|| {
        let found = elements.len();
        format!("the file ends early: there are {found} bytes of elements").into()
    })
}

/// The element type, and the order of its bytes.
fn element(header: &NpyHeader) -> Result<(DType, Endianness), Refusal> {
    let description = header.dtype();
    let found = match &description {
        npyz::DType::Plain(ty) => plain(ty).map(|dtype| (dtype, ty.endianness())),
        _ => None,
    };
    found.ok_or_else(|| {
        let description = description.descr();
        format!("there is no element type for NumPy's {description}").into()
    })
}

fn plain(ty: &TypeStr) -> Option<DType> {
    Some(match (ty.type_char(), ty.size_field()) {
        (TypeChar::Bool, 1) => DType::Bool,
        (TypeChar::Int, 1) => DType::I8,
        (TypeChar::Int, 2) => DType::I16,
        (TypeChar::Int, 4) => DType::I32,
        (TypeChar::Int, 8) => DType::I64,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Uint, 2) => DType::U16,
        (TypeChar::Uint, 4) => DType::U32,
        (TypeChar::Uint, 8) => DType::U64,
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Complex, 8) => DType::C64,
        (TypeChar::Complex, 16) => DType::C128,
        // NumPy has no name for it, and writes it as two bytes of anything.
        (TypeChar::RawData, 2) => DType::BF16,
        _ => return None,
    })
}

/// The elements in the order in which the last axis is fastest, from that in which the first is.
fn last_axis_fastest(elements: &[u8], sizes: &[usize], size: usize) -> Vec<u8> {
    let mut strides = Vec::with_capacity(sizes.len());
    let mut stride = size;
    for size in sizes {
        strides.push(stride);
        stride *= size;
    }
    let mut ordered = Vec::with_capacity(elements.len());
    let mut index = vec![0; sizes.len()];
    while ordered.len() < elements.len() {
        let offset: usize = index
            .iter()
            .zip(&strides)
            .map(|(at, stride)| at * stride)
            .sum();
        ordered.extend(elements.get(offset..offset + size).unwrap_or_default());
        for (at, size) in index.iter_mut().zip(sizes).rev() {
            *at += 1;
            if *at < *size {
                break;
            }
            *at = 0;
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(description: &str, fortran: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
        let mut header =
            format!("{{'descr': '{description}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
        while !(header.len() + 11).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [
            b"\x93NUMPY\x01\x00",
            &length[..],
            header.as_bytes(),
            elements,
        ]
        .concat()
    }

    fn elements(file: &[u8]) -> (String, Vec<u8>) {
        let constant = read(file).unwrap();
        match constant.data {
            ConstantData::Dense(bytes) => (constant.ty.to_string(), bytes),
            ConstantData::Splat(_) => unreachable!(),
        }
    }

    #[test]
    fn every_element_type_is_read() {
        let types = [
            ("|b1", "bool"),
            ("|i1", "i8"),
            ("<i2", "i16"),
            ("<i4", "i32"),
            ("<i8", "i64"),
            ("|u1", "u8"),
            ("<u2", "u16"),
            ("<u4", "u32"),
            ("<u8", "u64"),
            ("<f2", "f16"),
            ("|V2", "bf16"),
            ("<f4", "f32"),
            ("<f8", "f64"),
            ("<c8", "Complex<f32>"),
            ("<c16", "Complex<f64>"),
        ];
        for (description, name) in types {
            let file = file(description, "False", "(1,)", &[1; 16]);
            let (ty, bytes) = elements(&file);
            assert_eq!(ty, format!("Tensor<{name}, 1>"));
            assert!(bytes.iter().all(|byte| *byte == 1));
        }
    }

    #[test]
    fn scalars_and_arrays_of_nothing_are_read() {
        let (ty, bytes) = elements(&file("<i2", "False", "()", &[1, 2]));
        assert_eq!((ty.as_str(), bytes), ("Tensor<i16>", vec![1, 2]));
        let (ty, bytes) = elements(&file("<f8", "True", "(3, 0)", &[]));
        assert_eq!((ty.as_str(), bytes), ("Tensor<f64, 3, 0>", vec![]));
    }

    #[test]
    fn elements_come_in_the_order_of_the_language() {
        let (_, bytes) = elements(&file("|u1", "True", "(2, 3)", &[0, 3, 1, 4, 2, 5]));
        assert_eq!(bytes, [0, 1, 2, 3, 4, 5]);
        let (_, bytes) = elements(&file(">c8", "False", "(1,)", &[0, 1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(bytes, [3, 2, 1, 0, 7, 6, 5, 4]);
        let (_, bytes) = elements(&file("|b1", "False", "(2,)", &[0, 255]));
        assert_eq!(bytes, [0, 1]);
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = file("<f4", "False", "(2, 3)", &[7; 24]);
        assert!(read(&whole).is_ok());
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        let huge = file("<f4", "False", "(4294967296, 4294967296, 2)", &[]);
        assert!(read(&huge).is_err());
        for description in ["|O", "<U3", "<M8[ns]", "<f16", "|S4"] {
            assert!(read(&file(description, "False", "(1,)", &[0; 16])).is_err());
        }
    }
}
