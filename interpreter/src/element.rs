use crate::{
    Tensor,
    number::{Exact, nearest_bf16, nearest_f16},
    tensor::Array,
};
use half::{bf16, f16};
use iree_abi::DType;
use num_complex::{Complex32, Complex64};
use std::fmt::Debug;

/// A Rust type whose values are elements of tensors.
pub trait Element: sealed::Sealed + Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The element type.
    const DTYPE: DType;

    /// The array as a tensor.
    fn tensor(array: Array<Self>) -> Tensor;

    /// The array of a tensor, if it has elements of this type.
    fn array_of(tensor: &Tensor) -> Option<&Array<Self>>;

    /// Adds the little-endian bytes of the element.
    fn append_bytes(self, bytes: &mut Vec<u8>);

    /// The element with these bytes; those that are missing are 0.
    fn from_bytes(bytes: &[u8]) -> Self;

    #[doc(hidden)]
    fn exact(self) -> Exact;

    /// The number in this type, as Rust's `as` has it. The imaginary part of a complex number is lost in a
    /// real one, which no operation asks for.
    #[doc(hidden)]
    fn nearest(number: Exact) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

/// The first bytes, filled up with zeros.
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut first = [0; N];
    first
        .iter_mut()
        .zip(bytes)
        .for_each(|(to, from)| *to = *from);
    first
}

macro_rules! element {
    ($($ty:ty: $dtype:ident, $exact:expr, $nearest:expr;)+) => {
        $(impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;

            fn tensor(array: Array<Self>) -> Tensor {
                Tensor::$dtype(array)
            }

            fn array_of(tensor: &Tensor) -> Option<&Array<Self>> {
                match tensor {
                    Tensor::$dtype(array) => Some(array),
                    _ => None,
                }
            }

            fn append_bytes(self, bytes: &mut Vec<u8>) {
                Bytes::append(self, bytes);
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                Bytes::read(bytes)
            }

            fn exact(self) -> Exact {
                $exact(self)
            }

            fn nearest(number: Exact) -> Self {
                $nearest(number)
            }
        })+
    };
}

element! {
    bool: Bool, |x: bool| Exact::Integer(x.into()), |number: Exact| !number.is_zero();
    i8: I8, integer, |number: Exact| number.integer(|x| x as i8, |x| x as i8);
    i16: I16, integer, |number: Exact| number.integer(|x| x as i16, |x| x as i16);
    i32: I32, integer, |number: Exact| number.integer(|x| x as i32, |x| x as i32);
    i64: I64, integer, |number: Exact| number.integer(|x| x as i64, |x| x as i64);
    u8: U8, integer, |number: Exact| number.integer(|x| x as u8, |x| x as u8);
    u16: U16, integer, |number: Exact| number.integer(|x| x as u16, |x| x as u16);
    u32: U32, integer, |number: Exact| number.integer(|x| x as u32, |x| x as u32);
    u64: U64, integer, |number: Exact| number.integer(|x| x as u64, |x| x as u64);
    f16: F16, |x: f16| Exact::Real(x.to_f64()), |number: Exact| nearest_f16(number.to_odd());
    bf16: BF16, |x: bf16| Exact::Real(x.to_f64()), |number: Exact| nearest_bf16(number.to_odd());
    f32: F32, |x: f32| Exact::Real(x.into()), Exact::to_f32;
    f64: F64, Exact::Real, Exact::to_f64;
    Complex32: C64,
        |z: Complex32| Exact::Complex(z.re.into(), z.im.into()),
        |number: Exact| Complex32::new(number.to_f32(), number.imaginary() as f32);
    Complex64: C128,
        |z: Complex64| Exact::Complex(z.re, z.im),
        |number: Exact| Complex64::new(number.to_f64(), number.imaginary());
}

fn integer<T: Into<i128>>(x: T) -> Exact {
    Exact::Integer(x.into())
}

/// Elements as bytes.
trait Bytes {
    fn append(self, bytes: &mut Vec<u8>);

    fn read(bytes: &[u8]) -> Self;
}

macro_rules! bytes {
    ($($ty:ty)+) => {
        $(impl Bytes for $ty {
            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(first(bytes))
            }
        })+
    };
}

bytes! { i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 }

impl Bytes for bool {
    fn append(self, bytes: &mut Vec<u8>) {
        bytes.push(self.into());
    }

    fn read(bytes: &[u8]) -> Self {
        first::<1>(bytes) != [0]
    }
}

impl<P: Bytes> Bytes for num_complex::Complex<P> {
    fn append(self, bytes: &mut Vec<u8>) {
        self.re.append(bytes);
        self.im.append(bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        Self::new(P::read(re), P::read(im))
    }
}
