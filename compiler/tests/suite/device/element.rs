use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use num_complex::{Complex32, Complex64};

/// A Rust type whose values are elements of tensors.
pub(crate) trait Element: Copy {
    const DTYPE: DType;

    fn to_bytes(self) -> Vec<u8>;
}

macro_rules! element {
    ($($ty:ty: $dtype:ident,)+) => {
        $(impl Element for $ty {
            const DTYPE: DType = DType::$dtype;

            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        })+
    };
}

element! {
    i8: I8,
    i16: I16,
    i32: I32,
    i64: I64,
    u8: U8,
    u16: U16,
    u32: U32,
    u64: U64,
    f16: F16,
    bf16: BF16,
    f32: F32,
    f64: F64,
}

impl Element for bool {
    const DTYPE: DType = DType::Bool;

    fn to_bytes(self) -> Vec<u8> {
        vec![u8::from(self)]
    }
}

impl Element for Complex32 {
    const DTYPE: DType = DType::C64;

    fn to_bytes(self) -> Vec<u8> {
        [self.re.to_le_bytes(), self.im.to_le_bytes()].concat()
    }
}

impl Element for Complex64 {
    const DTYPE: DType = DType::C128;

    fn to_bytes(self) -> Vec<u8> {
        [self.re.to_le_bytes(), self.im.to_le_bytes()].concat()
    }
}

/// A tensor on the host.
#[derive(Clone, Debug)]
pub(crate) struct HostTensor {
    pub(crate) ty: TensorType,
    pub(crate) bytes: Vec<u8>,
}

impl HostTensor {
    pub(crate) fn new<T: Element>(shape: &[usize], elements: &[T]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), elements.len());
        let elements = elements.iter();
        Self {
            ty: TensorType::new(T::DTYPE, shape),
            bytes: elements.flat_map(|element| element.to_bytes()).collect(),
        }
    }

    /// A tensor with one axis.
    pub(crate) fn list<T: Element>(elements: &[T]) -> Self {
        Self::new(&[elements.len()], elements)
    }
}
