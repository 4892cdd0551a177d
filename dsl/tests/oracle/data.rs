use half::{bf16, f16};
use iree_dsl::Element;
use ndarray::ArrayD;
use ndarray_npy::{NpzReader, ReadableElement};
use num_complex::{Complex32, Complex64};
use std::{cell::RefCell, collections::BTreeSet, fs::File, path::Path};

/// The file of a family.
pub(crate) struct Data {
    file: RefCell<NpzReader<File>>,
    /// The arrays below the path that no test has asked for yet.
    unread: RefCell<BTreeSet<String>>,
    path: String,
}

impl Data {
    /// The arrays of a family below a path, such as those of one element type.
    pub(crate) fn read(family: &str, path: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/oracle/data");
        let file = File::open(folder.join(format!("{family}.npz"))).expect("the family has a file");
        let mut file = NpzReader::new(file).expect("the file is one of NumPy");
        let names = file.names().expect("the arrays have names");
        let below = names.into_iter().filter_map(|name| {
            let name = name.strip_prefix(path)?.strip_prefix('/')?;
            Some(name.to_owned())
        });
        Self {
            unread: RefCell::new(below.collect()),
            file: RefCell::new(file),
            path: path.to_owned(),
        }
    }

    /// An array.
    pub(crate) fn array<T: Stored>(&self, name: &str) -> ArrayD<T> {
        self.unread.borrow_mut().remove(name);
        let path = format!("{}/{name}", self.path);
        let array = self.file.borrow_mut().by_name(&path);
        let array: ArrayD<T::Bits> = array.unwrap_or_else(|error| panic!("{path}: {error}"));
        array.mapv(T::from_stored)
    }

    /// Fails if an array was not asked for.
    pub(crate) fn finish(self) {
        let unread = self.unread.into_inner();
        assert!(unread.is_empty(), "not tested: {unread:?}");
    }
}

/// An element as the files have it.
pub(crate) trait Stored: Element {
    type Bits: ReadableElement + Clone + 'static;

    fn from_stored(stored: Self::Bits) -> Self;
}

macro_rules! stored {
    ($($ty:ty: $bits:ty = $from:expr;)+) => {
        $(impl Stored for $ty {
            type Bits = $bits;

            fn from_stored(stored: $bits) -> Self {
                $from(stored)
            }
        })+
    };
    ($($ty:ty)+) => {
        stored! { $($ty: $ty = std::convert::identity;)+ }
    };
}

stored! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex32 Complex64 }

stored! {
    f16: u16 = f16::from_bits;
    bf16: u16 = bf16::from_bits;
}
