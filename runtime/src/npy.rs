use iree_abi::DType;
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes elements in standard layout as a file of
/// [NumPy's format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html),
/// version 1.0.
pub(crate) fn save(path: &Path, dtype: DType, shape: &[usize], elements: &[u8]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&header(dtype, shape))?;
    file.write_all(elements)?;
    file.flush()
}

/// The magic bytes, the version, and a Python dictionary, padded so that elements start at a multiple
/// of 64.
fn header(dtype: DType, shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let description = description(dtype);
    let mut dictionary =
        format!("{{'descr': '{description}', 'fortran_order': False, 'shape': ({sizes}), }}");
    const PREFIX: usize = 10;
    let length = (PREFIX + dictionary.len() + 1).next_multiple_of(64) - PREFIX;
    dictionary.extend(std::iter::repeat_n(' ', length - dictionary.len() - 1));
    dictionary.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    // A shape would need thousands of axes to be longer.
    header.extend((length as u16).to_le_bytes());
    header.extend(dictionary.bytes());
    header
}

fn description(dtype: DType) -> String {
    use iree_abi::DTypeClass::{Bool, Complex, Float, Signed, Unsigned};

    let order = match dtype.size() {
        1 => '|',
        _ if cfg!(target_endian = "little") => '<',
        _ => '>',
    };
    let size = dtype.size();
    match (dtype, dtype.class()) {
        (DType::BF16, _) => "|V2".to_owned(),
        (_, Bool) => "|b1".to_owned(),
        (_, Signed) => format!("{order}i{size}"),
        (_, Unsigned) => format!("{order}u{size}"),
        (_, Float) => format!("{order}f{size}"),
        (_, Complex) => format!("{order}c{size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_start_at_a_multiple_of_64() {
        for rank in 0..9 {
            let header = header(DType::F32, &vec![12_345; rank]);
            assert_eq!(header.len() % 64, 0, "rank {rank}");
            assert_eq!(header.last(), Some(&b'\n'));
        }
    }

    #[test]
    fn headers_describe_type_and_shape() {
        let text = String::from_utf8_lossy(&header(DType::C64, &[3])).into_owned();
        assert!(
            text.contains("{'descr': '<c8', 'fortran_order': False, 'shape': (3, ), }"),
            "{text}"
        );
        let text = String::from_utf8_lossy(&header(DType::Bool, &[])).into_owned();
        assert!(text.contains("'descr': '|b1'") && text.contains("'shape': ()"));
    }
}
