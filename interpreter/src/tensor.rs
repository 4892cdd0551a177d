use crate::{Cause, Element};
use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use ndarray::{ArcArray, ArrayBase, ArrayD, Data, Dimension, IxDyn};
use num_complex::{Complex32, Complex64};
use thiserror::Error;

/// The elements of a tensor; copies share them.
pub type Array<T> = ArcArray<T, IxDyn>;

/// A tensor on the host, of any element type.
///
/// # Examples
///
/// ```
/// use iree_dsl_interpreter::Tensor;
/// use ndarray::array;
///
/// let x = Tensor::from(array![[1_i32, 2], [3, 4]]);
/// assert_eq!(x.ty().to_string(), "Tensor<i32, 2, 2>");
/// assert_eq!(x.array::<i32>().unwrap()[[1, 0]], 3);
/// assert!(x.array::<f32>().is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Tensor {
    /// Of truth values.
    Bool(Array<bool>),
    /// Of `i8`.
    I8(Array<i8>),
    /// Of `i16`.
    I16(Array<i16>),
    /// Of `i32`.
    I32(Array<i32>),
    /// Of `i64`.
    I64(Array<i64>),
    /// Of `u8`.
    U8(Array<u8>),
    /// Of `u16`.
    U16(Array<u16>),
    /// Of `u32`.
    U32(Array<u32>),
    /// Of `u64`.
    U64(Array<u64>),
    /// Of `f16`.
    F16(Array<f16>),
    /// Of `bf16`.
    BF16(Array<bf16>),
    /// Of `f32`.
    F32(Array<f32>),
    /// Of `f64`.
    F64(Array<f64>),
    /// Of `Complex<f32>`.
    C64(Array<Complex32>),
    /// Of `Complex<f64>`.
    C128(Array<Complex64>),
}

/// Bytes that are not the elements of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{bytes} bytes are no `{ty}`")]
pub struct TensorError {
    /// The type.
    pub ty: TensorType,
    /// How many bytes there are.
    pub bytes: usize,
}

/// Evaluates an expression with the array of a tensor, whose element type is one of a list; another one
/// is an error.
macro_rules! of_types {
    ([$($variant:ident)+] $tensor:expr, $array:ident => $body:expr) => {
        match $tensor {
            $($crate::Tensor::$variant($array) => $body,)+
            #[allow(unreachable_patterns, reason = "the list may be of all types")]
            other => Err($crate::Cause::DType(other.dtype())),
        }
    };
}

macro_rules! each {
    ($tensor:expr, $array:ident => $body:expr) => {
        match $tensor {
            $crate::Tensor::Bool($array) => $body,
            $crate::Tensor::I8($array) => $body,
            $crate::Tensor::I16($array) => $body,
            $crate::Tensor::I32($array) => $body,
            $crate::Tensor::I64($array) => $body,
            $crate::Tensor::U8($array) => $body,
            $crate::Tensor::U16($array) => $body,
            $crate::Tensor::U32($array) => $body,
            $crate::Tensor::U64($array) => $body,
            $crate::Tensor::F16($array) => $body,
            $crate::Tensor::BF16($array) => $body,
            $crate::Tensor::F32($array) => $body,
            $crate::Tensor::F64($array) => $body,
            $crate::Tensor::C64($array) => $body,
            $crate::Tensor::C128($array) => $body,
        }
    };
}

macro_rules! each_number {
    ($tensor:expr, $array:ident => $body:expr) => {
        $crate::tensor::of_types!(
            [I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64 C64 C128] $tensor, $array => $body
        )
    };
}

macro_rules! each_ordered {
    ($tensor:expr, $array:ident => $body:expr) => {
        $crate::tensor::of_types!(
            [Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64] $tensor, $array => $body
        )
    };
}

/// Evaluates an expression with a type parameter for the Rust type of an element type.
macro_rules! with_element {
    ($dtype:expr, $ty:ident => $body:expr) => {
        $crate::tensor::with_element!(@each $dtype, $ty => $body;
            Bool: bool, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64,
            F16: half::f16, BF16: half::bf16, F32: f32, F64: f64,
            C64: num_complex::Complex32, C128: num_complex::Complex64)
    };
    (@each $dtype:expr, $ty:ident => $body:expr; $($variant:ident: $element:ty),+) => {
        match $dtype {
            $(iree_abi::DType::$variant => {
                type $ty = $element;
                $body
            })+
            other => Err($crate::Cause::DType(other)),
        }
    };
}

pub(crate) use {each, each_number, each_ordered, of_types, with_element};

impl Tensor {
    /// The element type.
    pub fn dtype(&self) -> DType {
        fn of<T: Element>(_: &Array<T>) -> DType {
            T::DTYPE
        }
        each!(self, array => of(array))
    }

    /// The sizes along the axes.
    pub fn shape(&self) -> &[usize] {
        each!(self, array => array.shape())
    }

    /// The type.
    pub fn ty(&self) -> TensorType {
        TensorType::new(self.dtype(), self.shape())
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        each!(self, array => array.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements, if they are of this type.
    pub fn array<T: Element>(&self) -> Option<&Array<T>> {
        T::array_of(self)
    }

    /// The tensor of a type with these elements, each in little-endian bytes, last axis fastest.
    ///
    /// # Errors
    ///
    /// If the type has sizes that are not known, or another number of bytes.
    pub fn from_bytes(ty: &TensorType, bytes: &[u8]) -> Result<Self, TensorError> {
        let wrong = || TensorError {
            ty: ty.clone(),
            bytes: bytes.len(),
        };
        let shape = ty.shape.known().ok_or_else(wrong)?;
        let read = || {
            with_element!(ty.dtype, T => {
                let elements = bytes.chunks_exact(T::DTYPE.size()).map(T::from_bytes);
                from_elements::<T>(&shape, elements.collect())
            })
        };
        match bytes.len().is_multiple_of(ty.dtype.size()) {
            true => read().map_err(|_| wrong()),
            false => Err(wrong()),
        }
    }

    /// The elements, each in little-endian bytes, last axis fastest.
    pub fn to_bytes(&self) -> Vec<u8> {
        fn bytes<T: Element>(array: &Array<T>) -> Vec<u8> {
            let mut bytes = Vec::with_capacity(array.len() * T::DTYPE.size());
            array
                .iter()
                .for_each(|element| element.append_bytes(&mut bytes));
            bytes
        }
        each!(self, array => bytes(array))
    }
}

/// The tensor with these elements, last axis fastest.
pub(crate) fn from_elements<T: Element>(
    shape: &[usize],
    elements: Vec<T>,
) -> Result<Tensor, Cause> {
    let array = ArrayD::from_shape_vec(shape, elements);
    let array = array.map_err(|_| Cause::Lost("the elements of a tensor"))?;
    Ok(T::tensor(array.into_shared()))
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> From<ArrayBase<S, D>> for Tensor {
    fn from(array: ArrayBase<S, D>) -> Self {
        T::tensor(array.into_dyn().into_owned().into_shared())
    }
}

impl<T: Element> From<T> for Tensor {
    fn from(element: T) -> Self {
        T::tensor(ArcArray::from_elem(IxDyn(&[]), element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn bytes_are_there_and_back() {
        for dtype in DType::ALL {
            let ty = TensorType::new(dtype, [2, 3]);
            let bytes: Vec<u8> = (0..6 * dtype.size()).map(|byte| (byte % 2) as u8).collect();
            let tensor = Tensor::from_bytes(&ty, &bytes).expect("enough bytes");
            assert_eq!(
                (tensor.ty(), tensor.to_bytes()),
                (ty.clone(), bytes.clone())
            );
            assert!(Tensor::from_bytes(&ty, &bytes[1..]).is_err());
            assert!(Tensor::from_bytes(&ty, &[bytes.clone(), bytes].concat()).is_err());
        }
    }

    #[test]
    fn bytes_are_in_the_order_of_the_axes() {
        let turned = Tensor::from(array![[1_u8, 2], [3, 4]].reversed_axes());
        assert_eq!(turned.to_bytes(), [1, 3, 2, 4]);
    }

    #[test]
    fn a_number_is_a_tensor_without_axes() {
        assert_eq!(Tensor::from(1.5_f32).ty().to_string(), "Tensor<f32>");
    }
}
