use half::{bf16, f16};
use iree_abi::DType;
use num_complex::Complex64;

/// An element while it is computed: all integers are wide, and all real numbers are `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    Integer(i128),
    Real(f64),
    Complex(Complex64),
}

impl Scalar {
    pub(super) fn truth(holds: bool) -> Self {
        Self::Integer(holds.into())
    }

    /// A small number of an element type.
    pub(super) fn number(dtype: DType, number: f64) -> Self {
        if dtype.is_complex() {
            Self::Complex(number.into())
        } else if dtype.is_float() {
            Self::Real(number)
        } else {
            Self::Integer(number as i128)
        }
    }

    pub(super) fn integer(self) -> i128 {
        match self {
            Self::Integer(integer) => integer,
            _ => panic!("no integer: {self:?}"),
        }
    }

    pub(super) fn real(self) -> f64 {
        match self {
            Self::Real(real) => real,
            Self::Integer(integer) => integer as f64,
            Self::Complex(complex) => complex.re,
        }
    }

    pub(super) fn complex(self) -> Complex64 {
        match self {
            Self::Complex(complex) => complex,
            other => other.real().into(),
        }
    }

    /// How large it is.
    pub(super) fn size(self) -> f64 {
        self.complex().norm()
    }
}

/// An integer as a type keeps it.
pub(super) fn wrapped(dtype: DType, integer: i128) -> i128 {
    let bits = 8 * dtype.size() as u32;
    if dtype == DType::Bool {
        return integer & 1;
    }
    let low = integer & ((1 << bits) - 1);
    let is_negative = is_signed(dtype) && low >> (bits - 1) == 1;
    if is_negative { low - (1 << bits) } else { low }
}

pub(super) fn is_signed(dtype: DType) -> bool {
    matches!(dtype, DType::I8 | DType::I16 | DType::I32 | DType::I64)
}

/// A tensor while it is computed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) dtype: DType,
    pub(super) shape: Vec<usize>,
    pub(super) elements: Vec<Scalar>,
}

impl Array {
    /// The array whose elements follow from their indices.
    pub(super) fn build(
        dtype: DType,
        shape: &[usize],
        mut element: impl FnMut(&[usize]) -> Scalar,
    ) -> Self {
        let count = shape.iter().product();
        let mut index = vec![0; shape.len()];
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            elements.push(element(&index));
            advance(&mut index, shape);
        }
        Self {
            dtype,
            shape: shape.to_vec(),
            elements,
        }
    }

    pub(super) fn at(&self, index: &[usize]) -> Scalar {
        let places = index.iter().zip(&self.shape);
        let place = places.fold(0, |place, (index, size)| {
            debug_assert!(index < size);
            place * size + index
        });
        self.elements[place]
    }

    /// The element that broadcasting puts at an index.
    pub(super) fn broadcast_at(&self, index: &[usize]) -> Scalar {
        let own = &index[index.len() - self.shape.len()..];
        let sizes = own.iter().zip(&self.shape);
        let own: Vec<_> = sizes
            .map(|(index, size)| if *size == 1 { 0 } else { *index })
            .collect();
        self.at(&own)
    }

    /// Each element becomes another one.
    pub(super) fn map(&self, dtype: DType, change: impl FnMut(Scalar) -> Scalar) -> Self {
        Self {
            dtype,
            shape: self.shape.clone(),
            elements: self.elements.iter().copied().map(change).collect(),
        }
    }

    pub(super) fn largest(&self) -> f64 {
        let sizes = self.elements.iter().map(|element| element.size());
        sizes.fold(0.0, f64::max)
    }

    /// The element type by its name, and the sizes.
    pub(super) fn described(&self) -> (String, Vec<usize>) {
        (self.dtype.name().to_owned(), self.shape.clone())
    }

    /// The elements as the device has them.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let bytes = |element: &Scalar| bytes_of(self.dtype, *element);
        self.elements.iter().flat_map(bytes).collect()
    }
}

fn advance(index: &mut [usize], shape: &[usize]) {
    for (index, size) in index.iter_mut().zip(shape).rev() {
        *index += 1;
        if *index < *size {
            return;
        }
        *index = 0;
    }
}

fn bytes_of(dtype: DType, element: Scalar) -> Vec<u8> {
    match dtype {
        DType::F16 => f16::from_f64(element.real()).to_le_bytes().to_vec(),
        DType::BF16 => bf16::from_f64(element.real()).to_le_bytes().to_vec(),
        DType::F32 => (element.real() as f32).to_le_bytes().to_vec(),
        DType::F64 => element.real().to_le_bytes().to_vec(),
        DType::C64 | DType::C128 => {
            let Complex64 { re, im } = element.complex();
            let parts = [re, im].map(|part| bytes_of(dtype.real(), Scalar::Real(part)));
            parts.concat()
        }
        _ => element.integer().to_le_bytes()[..dtype.size()].to_vec(),
    }
}

/// The elements that the device returned.
pub(super) fn elements_of(dtype: DType, bytes: &[u8]) -> Vec<Scalar> {
    let chunks = bytes.chunks(dtype.size());
    chunks.map(|bytes| element_of(dtype, bytes)).collect()
}

fn element_of(dtype: DType, bytes: &[u8]) -> Scalar {
    let real = |bytes: &[u8]| crate::device::number(dtype.real(), bytes);
    if dtype.is_complex() {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        return Scalar::Complex(Complex64::new(real(re), real(im)));
    }
    if dtype.is_float() {
        return Scalar::Real(real(bytes));
    }
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    Scalar::Integer(wrapped_bytes(dtype, i128::from_le_bytes(wide)))
}

/// Whatever the bits of a truth value are, they are kept.
fn wrapped_bytes(dtype: DType, integer: i128) -> i128 {
    match dtype {
        DType::Bool => integer,
        _ => wrapped(dtype, integer),
    }
}
