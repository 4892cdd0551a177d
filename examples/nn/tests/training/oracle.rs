//! The numbers of `oracle.py`, and how results are compared with them.

use iree_dsl::prelude::*;
use ndarray::{Array, Dimension};
use ndarray_npy::{NpzReader, ReadableElement};
use std::{cell::RefCell, fs::File};

/// How far results may be off, of the largest number of their array: some roundings of `f32`.
const TOLERANCE: f64 = 3e-6;

/// The file.
pub(crate) struct Oracle(RefCell<NpzReader<File>>);

impl Oracle {
    pub(crate) fn open() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/training/oracle.npz");
        let file = File::open(path).expect("the file is there");
        Self(RefCell::new(
            NpzReader::new(file).expect("the file is one of NumPy"),
        ))
    }

    /// An array by its name.
    pub(crate) fn array<T: ReadableElement, D: Dimension>(&self, name: &str) -> Array<T, D> {
        let array = self.0.borrow_mut().by_name(name);
        array.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Compares a result with the array of that name.
    #[track_caller]
    pub(crate) fn check<D: Dimension>(&self, name: &str, found: &DeviceArray<f32, D>) {
        let found = found.to_array().expect("the call succeeds");
        let right: Array<f32, D> = self.array(name);
        assert_eq!(found.shape(), right.shape(), "{name}");
        let size = right.iter().fold(0.0_f64, |a, b| a.max(b.abs().into()));
        let pairs = found.iter().zip(&right);
        let errors = pairs.map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs());
        let error = errors.fold(0.0, f64::max);
        assert!(
            error <= TOLERANCE * size,
            "{name}: off by {error}\n{found}\n{right}"
        );
    }
}

/// Does the same on each device of the CPU.
pub(crate) fn on_devices(check: impl Fn(&Device, &Oracle)) {
    let oracle = Oracle::open();
    for name in ["local-sync", "local-task?workers=2"] {
        check(&Device::open(name).expect("there is a CPU"), &oracle);
    }
}
