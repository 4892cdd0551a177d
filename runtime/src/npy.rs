use iree_abi::{DType, npy_header};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes elements in standard layout as a file of NumPy.
pub(crate) fn save(path: &Path, dtype: DType, shape: &[usize], elements: &[u8]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&npy_header(dtype, shape))?;
    file.write_all(elements)?;
    file.flush()
}
