use half::{bf16, f16};
use iree_abi::DType;
use iree_dsl_interpreter::Tensor;
use libtest_mimic::Failed;
use ndarray::ArrayD;
use ndarray_npy::{NpzReader, ReadNpzError, ReadableElement};
use num_complex::{Complex32, Complex64};
use std::{cell::RefCell, fs::File, path::Path};

/// The arrays of a family below a path, such as those of one element type.
pub(super) struct Data {
    file: RefCell<NpzReader<File>>,
    path: String,
}

impl Data {
    pub(super) fn new(family: &str, path: &str) -> Result<Self, Failed> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/oracle/data");
        let file = File::open(folder.join(format!("{family}.npz")))?;
        Ok(Self {
            file: RefCell::new(NpzReader::new(file)?),
            path: path.to_owned(),
        })
    }

    /// An array with elements of a type. Those of 16-bit numbers are stored as their bits.
    pub(super) fn tensor(&self, name: &str, dtype: DType) -> Result<Tensor, Failed> {
        let name = format!("{}/{name}", self.path);
        let tensor = match dtype {
            DType::Bool => self.read::<bool>(&name).map(Tensor::from),
            DType::I8 => self.read::<i8>(&name).map(Tensor::from),
            DType::I16 => self.read::<i16>(&name).map(Tensor::from),
            DType::I32 => self.read::<i32>(&name).map(Tensor::from),
            DType::I64 => self.read::<i64>(&name).map(Tensor::from),
            DType::U8 => self.read::<u8>(&name).map(Tensor::from),
            DType::U16 => self.read::<u16>(&name).map(Tensor::from),
            DType::U32 => self.read::<u32>(&name).map(Tensor::from),
            DType::U64 => self.read::<u64>(&name).map(Tensor::from),
            DType::F16 => self.bits(&name, f16::from_bits).map(Tensor::from),
            DType::BF16 => self.bits(&name, bf16::from_bits).map(Tensor::from),
            DType::F32 => self.read::<f32>(&name).map(Tensor::from),
            DType::F64 => self.read::<f64>(&name).map(Tensor::from),
            DType::C64 => self.read::<Complex32>(&name).map(Tensor::from),
            DType::C128 => self.read::<Complex64>(&name).map(Tensor::from),
            other => return Err(format!("no files have `{other}`").into()),
        };
        tensor.map_err(|error| format!("{name}: {error}").into())
    }

    fn read<T: ReadableElement>(&self, name: &str) -> Result<ArrayD<T>, ReadNpzError> {
        self.file.borrow_mut().by_name(name)
    }

    fn bits<T>(&self, name: &str, from: fn(u16) -> T) -> Result<ArrayD<T>, ReadNpzError> {
        Ok(self.read::<u16>(name)?.mapv(from))
    }
}
