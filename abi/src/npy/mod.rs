//! NumPy's [files](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) of one array.

mod literal;
#[cfg(test)]
mod tests;

use crate::{DType, DTypeClass, TensorType};
use literal::Literal;
use std::{error::Error, fmt};

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array in a file of NumPy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyFile<'f> {
    /// Its type.
    pub ty: TensorType,
    /// Where in the file its elements begin.
    pub start: usize,
    /// Its elements, as the file has them.
    pub elements: &'f [u8],
    order: Order,
}

/// How elements differ from those in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    /// The order of their bytes.
    swapped: bool,
    /// The first axis is the fastest.
    transposed: bool,
    /// Any byte but zero is true.
    truth: bool,
}

/// Why a file is no array of NumPy that the language has a type for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseNpyError {
    /// It does not begin with a header of NumPy.
    Header,
    /// The element type is none of the language.
    Element(String),
    /// There are more elements than memory has addresses.
    TooLarge,
    /// There are fewer elements than the header says.
    EndsEarly {
        /// What the header says.
        ty: TensorType,
        /// How many bytes of elements there are.
        found: usize,
    },
}

impl fmt::Display for ParseNpyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => formatter.write_str("it has no header of NumPy"),
            Self::Element(description) => {
                write!(
                    formatter,
                    "there is no element type for NumPy's {description}"
                )
            }
            Self::TooLarge => formatter.write_str("the array is too large to address"),
            Self::EndsEarly { ty, found } => write!(
                formatter,
                "it ends early: there are {found} bytes of elements for `{ty}`"
            ),
        }
    }
}

impl Error for ParseNpyError {}

impl<'f> NpyFile<'f> {
    /// Reads the header of a file. What is behind the elements does not matter.
    ///
    /// # Errors
    ///
    /// If it is no array, or one with elements that the language has no type for.
    pub fn parse(file: &'f [u8]) -> Result<Self, ParseNpyError> {
        let (header, start) = split(file).ok_or(ParseNpyError::Header)?;
        let header = Literal::parse(header).ok_or(ParseNpyError::Header)?;
        let element = header.element.trim_matches(['\'', '"']);
        let dtype = dtype(element).ok_or_else(|| ParseNpyError::Element(header.element.into()))?;
        let sizes = header.sizes.ok_or(ParseNpyError::TooLarge)?;
        let mut factors = sizes.iter().copied();
        let bytes = factors.try_fold(dtype.size(), usize::checked_mul);
        let bytes = bytes.ok_or(ParseNpyError::TooLarge)?;
        let rest = file.get(start..).unwrap_or_default();
        let is_matrix = sizes.len() > 1;
        let ty = TensorType::new(dtype, sizes.as_slice());
        let Some(elements) = rest.get(..bytes) else {
            let found = rest.len();
            return Err(ParseNpyError::EndsEarly { ty, found });
        };
        let foreign = if cfg!(target_endian = "little") {
            '>'
        } else {
            '<'
        };
        Ok(Self {
            order: Order {
                swapped: element.starts_with(foreign) && dtype.real().size() > 1,
                transposed: header.fortran_order && is_matrix,
                truth: dtype == DType::Bool,
            },
            ty,
            start,
            elements,
        })
    }

    /// Whether the elements are as they are in memory, so that they can be used where they lie.
    pub const fn is_as_in_memory(&self) -> bool {
        let Order {
            swapped,
            transposed,
            truth,
        } = self.order;
        !(swapped || transposed || truth)
    }

    /// Writes the elements as they are in memory. As many bytes as there are in both are written.
    pub fn write_to(&self, memory: &mut [u8]) {
        if self.order.transposed {
            self.write_transposed(memory);
        } else {
            for (place, byte) in memory.iter_mut().zip(self.elements) {
                *place = *byte;
            }
        }
        if self.order.swapped {
            let part = self.ty.dtype.real().size();
            memory.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        if self.order.truth {
            memory
                .iter_mut()
                .for_each(|byte| *byte = u8::from(*byte != 0));
        }
    }

    /// Writes elements in the order in which the last axis is fastest, from that in which the first is.
    fn write_transposed(&self, memory: &mut [u8]) {
        let size = self.ty.dtype.size();
        let sizes = self.ty.shape.known().unwrap_or_default();
        let mut index = vec![0; sizes.len()];
        for place in memory.chunks_exact_mut(size) {
            let axes = index.iter().zip(&sizes).rev();
            let number = axes.fold(0, |number, (at, size)| number * size + at);
            let element = self.elements.get(number * size..).unwrap_or_default();
            for (place, byte) in place.iter_mut().zip(element) {
                *place = *byte;
            }
            for (at, size) in index.iter_mut().zip(&sizes).rev() {
                *at += 1;
                if *at < *size {
                    break;
                }
                *at = 0;
            }
        }
    }
}

/// The header of a file with elements in memory order, version 1.0: the magic bytes, the version, and a dictionary of
/// Python, padded so that elements start at a multiple of 64.
pub fn npy_header(dtype: DType, shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let description = description(dtype);
    let mut dictionary =
        format!("{{'descr': '{description}', 'fortran_order': False, 'shape': ({sizes}), }}");
    const PREFIX: usize = 10;
    let length = (PREFIX + dictionary.len() + 1).next_multiple_of(64) - PREFIX;
    dictionary.extend(std::iter::repeat_n(' ', length - dictionary.len() - 1));
    dictionary.push('\n');
    // A shape would need thousands of axes to be longer.
    let length = (length as u16).to_le_bytes();
    [MAGIC, b"\x01\x00", &length, dictionary.as_bytes()].concat()
}

/// The text of the header, and where elements begin. Its length has two bytes in version 1, and four in later ones.
fn split(file: &[u8]) -> Option<(&str, usize)> {
    let rest = file.strip_prefix(MAGIC)?;
    let (length, start) = match *rest.first()? {
        1 => {
            let length = rest.get(2..4)?.try_into().ok()?;
            (u16::from_le_bytes(length).into(), MAGIC.len() + 4)
        }
        2 | 3 => {
            let length = rest.get(2..6)?.try_into().ok()?;
            (u32::from_le_bytes(length), MAGIC.len() + 6)
        }
        _ => return None,
    };
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    let header = file.get(start..end)?;
    Some((std::str::from_utf8(header).ok()?, end))
}

/// The element type of a description such as `<f4`.
fn dtype(description: &str) -> Option<DType> {
    let description = description
        .strip_prefix(['<', '>', '|', '='])
        .unwrap_or(description);
    // NumPy has no name for it, and writes it as two bytes of anything.
    if description == "V2" {
        return Some(DType::BF16);
    }
    let mut rest = description.chars();
    let class = match rest.next()? {
        'b' => DTypeClass::Bool,
        'i' => DTypeClass::Signed,
        'u' => DTypeClass::Unsigned,
        'f' => DTypeClass::Float,
        'c' => DTypeClass::Complex,
        _ => return None,
    };
    let size: usize = rest.as_str().parse().ok()?;
    let mut all = DType::ALL.into_iter();
    all.find(|dtype| *dtype != DType::BF16 && dtype.class() == class && dtype.size() == size)
}

fn description(dtype: DType) -> String {
    use DTypeClass::{Bool, Complex, Float, Signed, Unsigned};

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
