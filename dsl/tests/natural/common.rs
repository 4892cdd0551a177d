//! What the tests share: devices, used memory, numbers to begin with, comparisons.

use iree_dsl::{Element, prelude::*};
use ndarray::{Array, Dimension};
use std::fmt::Debug;

/// What one rounding of an `f32` changes at most, as a part of the number.
pub(crate) const ROUND: f64 = 1.0 / (1 << 24) as f64;

/// Does the same on each device of the CPU.
pub(crate) fn on_devices(check: impl Fn(&Device)) {
    for name in [
        "local-sync",
        "local-task?workers=2",
        "local-task?workers=2&queued",
    ] {
        check(&Device::open(name).unwrap());
    }
}

/// Does the same for each size, twice, from the first to the last and back, each time in memory that was used before.
pub(crate) fn at_sizes<S: Copy>(device: &Device, sizes: &[S], mut check: impl FnMut(S)) {
    for size in sizes.iter().chain(sizes.iter().rev()) {
        soil(device);
        check(*size);
    }
}

/// Does the same on each device of the CPU for each size, forward and back, with other numbers each time.
pub(crate) fn cases<S: Copy>(sizes: &[S], check: impl Fn(&Device, S, &mut Numbers)) {
    on_devices(|device| {
        let mut seed = 0;
        at_sizes(device, sizes, |size| {
            seed += 1;
            check(device, size, &mut Numbers::new(seed));
        });
    });
}

/// Leaves memory behind that holds NaNs, on the device and on the host, in blocks of all magnitudes.
pub(crate) fn soil(device: &Device) {
    let sizes = (2..20).map(|bits| 1 << bits);
    let arrays = sizes.flat_map(|n| [n, n + n / 2]).map(|n| {
        let array = Array::from_elem(n, f32::from_bits(0xFFFF_FFFF));
        (device.upload(&array).unwrap(), array)
    });
    drop(arrays.collect::<Vec<_>>());
}

/// Numbers that look random, the same in each run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// 32 bits.
    pub(crate) fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// An integer from 0 to before `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.bits() as usize % end
    }

    /// A number from `low` to before `high`.
    pub(crate) fn number(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 8) as f32 / (1 << 24) as f32)
    }

    /// An array of numbers from -1 to before 1.
    pub(crate) fn array<Sh: ndarray::ShapeBuilder>(&mut self, shape: Sh) -> Array<f32, Sh::Dim> {
        Array::from_shape_simple_fn(shape, || self.number(-1.0, 1.0))
    }

    /// An array of integers from 0 to before `end`.
    pub(crate) fn integers<Sh: ndarray::ShapeBuilder>(
        &mut self,
        shape: Sh,
        end: usize,
    ) -> Array<i32, Sh::Dim> {
        Array::from_shape_simple_fn(shape, || self.below(end) as i32)
    }
}

/// The same numbers with more digits.
pub(crate) fn wide<D: Dimension>(x: &Array<f32, D>) -> Array<f64, D> {
    x.mapv(f64::from)
}

/// The elements in their order.
pub(crate) fn flat<D: Dimension>(x: &Array<f64, D>) -> Vec<f64> {
    x.iter().copied().collect()
}

/// Asserts that each number is right but for `within`, of the number itself where it is larger than one.
#[track_caller]
pub(crate) fn close<T, D>(what: impl Debug, found: &DeviceArray<T, D>, right: &[f64], within: f64)
where
    T: Element + Into<f64>,
    D: Dimension,
{
    let found = found.to_array().unwrap();
    assert_eq!(found.len(), right.len(), "{what:?}: {:?}", found.shape());
    for (at, (found, right)) in found.iter().zip(right).enumerate() {
        let found: f64 = (*found).into();
        assert!(
            (found - right).abs() <= within * right.abs().max(1.0),
            "{what:?} at {at}: {found} for {right}, {} too far",
            (found - right).abs() / (within * right.abs().max(1.0))
        );
    }
}

/// Asserts that all are equal.
#[track_caller]
pub(crate) fn same<T, D>(what: impl Debug, found: &DeviceArray<T, D>, right: &[T])
where
    T: Element + PartialEq + Debug,
    D: Dimension,
{
    let found = found.to_array().unwrap();
    assert_eq!(found.iter().copied().collect::<Vec<_>>(), right, "{what:?}");
}
