//! Floating-point numbers of one type as those of another.

use half::{bf16, f16};
use iree_abi::{DType, to_odd_f32};

/// How the bytes of numbers become those of the same numbers in another type. Numbers between two of that type become the
/// nearer one, and in the middle that with an even last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    from: Float,
    to: Float,
}

/// The types of real numbers. Complex numbers are two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Float {
    F16,
    BF16,
    F32,
    F64,
}

impl Float {
    const fn of(dtype: DType) -> Option<Self> {
        match dtype.real() {
            DType::F16 => Some(Self::F16),
            DType::BF16 => Some(Self::BF16),
            DType::F32 => Some(Self::F32),
            DType::F64 => Some(Self::F64),
            _ => None,
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::F16 | Self::BF16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The least number that this type rounds to infinity: half a step above its greatest.
    fn limit(self) -> f64 {
        let (digits, exponent) = match self {
            Self::F16 => (11, 16),
            Self::BF16 => (8, 128),
            Self::F32 => (24, 128),
            Self::F64 => return f64::INFINITY,
        };
        2f64.powi(exponent) - 2f64.powi(exponent - digits - 1)
    }
}

impl Conversion {
    /// `None` if the types are not both of real or both of complex floating-point numbers, or are the same.
    pub(crate) fn new(from: DType, to: DType) -> Option<Self> {
        let is_possible = from != to && from.is_complex() == to.is_complex();
        let (from, to) = Float::of(from).zip(Float::of(to))?;
        is_possible.then_some(Self { from, to })
    }

    /// How many bytes there are of numbers that were so many.
    pub(crate) const fn length_of(self, stored: usize) -> usize {
        stored / self.from.size() * self.to.size()
    }

    /// The reverse: how many bytes become so many; `None` if there are no such numbers.
    pub(crate) fn stored_length_of(self, converted: usize) -> Option<usize> {
        let size = self.to.size();
        let stored = (converted / size).checked_mul(self.from.size())?;
        converted.is_multiple_of(size).then_some(stored)
    }

    /// Converts as many numbers as there are in both.
    pub(crate) fn write(self, stored: &[u8], target: &mut [u8]) {
        use Float::{BF16, F16, F32, F64};
        match (self.from, self.to) {
            (F16, F32) => each(stored, target, |x| {
                f16::from_ne_bytes(x).to_f32().to_ne_bytes()
            }),
            (BF16, F32) => each(stored, target, |x| {
                bf16::from_ne_bytes(x).to_f32().to_ne_bytes()
            }),
            (F16, F64) => each(stored, target, |x| {
                f16::from_ne_bytes(x).to_f64().to_ne_bytes()
            }),
            (BF16, F64) => each(stored, target, |x| {
                bf16::from_ne_bytes(x).to_f64().to_ne_bytes()
            }),
            (F32, F64) => each(stored, target, |x| {
                f64::from(f32::from_ne_bytes(x)).to_ne_bytes()
            }),
            (F16, BF16) => each(stored, target, |x| {
                bf16::from_f32(f16::from_ne_bytes(x).to_f32()).to_ne_bytes()
            }),
            (BF16, F16) => each(stored, target, |x| {
                f16::from_f32(bf16::from_ne_bytes(x).to_f32()).to_ne_bytes()
            }),
            (F32, F16) => each(stored, target, |x| {
                f16::from_f32(f32::from_ne_bytes(x)).to_ne_bytes()
            }),
            (F32, BF16) => each(stored, target, |x| {
                bf16::from_f32(f32::from_ne_bytes(x)).to_ne_bytes()
            }),
            (F64, F32) => each(stored, target, |x| {
                (f64::from_ne_bytes(x) as f32).to_ne_bytes()
            }),
            (F64, F16) => each(stored, target, |x| {
                f16::from_f32(to_odd_f32(f64::from_ne_bytes(x))).to_ne_bytes()
            }),
            (F64, BF16) => each(stored, target, |x| {
                bf16::from_f32(to_odd_f32(f64::from_ne_bytes(x))).to_ne_bytes()
            }),
            (F16, F16) | (BF16, BF16) | (F32, F32) | (F64, F64) => {
                let both = target.iter_mut().zip(stored);
                both.for_each(|(target, stored)| *target = *stored);
            }
        }
    }

    /// Whether a finite number may become infinite.
    pub(crate) fn may_overflow(self) -> bool {
        self.from.limit() > self.to.limit()
    }

    /// A finite number that becomes infinite.
    pub(crate) fn overflow(self, stored: &[u8]) -> Option<f64> {
        let limit = self.to.limit();
        let is_lost = move |number: &f64| number.is_finite() && number.abs() >= limit;
        match self.from {
            Float::F16 => numbers(stored, |x| f16::from_ne_bytes(x).to_f64()).find(is_lost),
            Float::BF16 => numbers(stored, |x| bf16::from_ne_bytes(x).to_f64()).find(is_lost),
            Float::F32 => numbers(stored, |x| f64::from(f32::from_ne_bytes(x))).find(is_lost),
            Float::F64 => numbers(stored, f64::from_ne_bytes).find(is_lost),
        }
    }
}

fn each<const FROM: usize, const TO: usize>(
    stored: &[u8],
    target: &mut [u8],
    convert: impl Fn([u8; FROM]) -> [u8; TO],
) {
    let stored = stored.as_chunks::<FROM>().0;
    let target = target.as_chunks_mut::<TO>().0;
    for (target, stored) in target.iter_mut().zip(stored) {
        *target = convert(*stored);
    }
}

fn numbers<const SIZE: usize>(
    stored: &[u8],
    number: impl Fn([u8; SIZE]) -> f64,
) -> impl Iterator<Item = f64> {
    let stored = stored.as_chunks::<SIZE>().0.iter();
    stored.map(move |bytes| number(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(from: DType, to: DType, stored: &[u8]) -> Vec<u8> {
        let conversion = Conversion::new(from, to).unwrap();
        let mut target = vec![0; conversion.length_of(stored.len())];
        assert_eq!(
            conversion.stored_length_of(target.len()),
            Some(stored.len())
        );
        conversion.write(stored, &mut target);
        target
    }

    #[test]
    fn every_number_of_16_bits_comes_back() {
        let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
        for small in [DType::F16, DType::BF16] {
            for large in [DType::F32, DType::F64] {
                let back = convert(large, small, &convert(small, large, &all));
                for (number, (before, after)) in all.chunks(2).zip(back.chunks(2)).enumerate() {
                    let bits = u16::from_ne_bytes([before[0], before[1]]);
                    let is_nan = match small {
                        DType::F16 => f16::from_bits(bits).is_nan(),
                        _ => bf16::from_bits(bits).is_nan(),
                    };
                    assert!(is_nan || before == after, "{small} {large} {number:04x}");
                }
            }
        }
    }

    /// The nearest number of 16 bits, found by going through all.
    fn nearest(number: f64, value: impl Fn(u16) -> f64) -> u16 {
        let finite = (0..=u16::MAX).filter(|bits| value(*bits).is_finite());
        let distance = |bits: &u16| (value(*bits) - number).abs();
        let signed =
            finite.filter(|bits| value(*bits).is_sign_negative() == number.is_sign_negative());
        let by_distance = |a: &u16, b: &u16| {
            distance(a)
                .total_cmp(&distance(b))
                .then((a % 2).cmp(&(b % 2)))
        };
        signed.min_by(by_distance).unwrap()
    }

    #[test]
    fn numbers_are_rounded_once() {
        // Middles between two numbers of 16 bits, and what is so near to one that `f32` cannot tell.
        for middle in [
            1.0 + 2f64.powi(-11),
            1.0 + 3.0 * 2f64.powi(-11),
            2f64.powi(-25),
            0.1,
        ] {
            for offset in [-1e-12, 0.0, 1e-12] {
                for number in [middle + offset * middle, -(middle + offset * middle)] {
                    let found = convert(DType::F64, DType::F16, &number.to_ne_bytes());
                    let expected = nearest(number, |bits| f16::from_bits(bits).to_f64());
                    assert_eq!(found, expected.to_ne_bytes(), "{number:e}");
                }
            }
        }
        for middle in [1.0 + 2f64.powi(-8), 1.0 + 3.0 * 2f64.powi(-8), 0.1] {
            for offset in [-1e-12, 0.0, 1e-12] {
                let number = middle + offset;
                let found = convert(DType::F64, DType::BF16, &number.to_ne_bytes());
                let expected = nearest(number, |bits| bf16::from_bits(bits).to_f64());
                assert_eq!(found, expected.to_ne_bytes(), "{number:e}");
            }
        }
    }

    #[test]
    fn what_becomes_infinite_is_found() {
        let cases = [
            (DType::F16, 65519.99, 65520.0),
            (DType::BF16, 3.39e38, 3.3962e38),
            (DType::F32, f64::from(f32::MAX), 3.5e38),
        ];
        for (to, fits, lost) in cases {
            let conversion = Conversion::new(DType::F64, to).unwrap();
            assert!(conversion.may_overflow());
            let numbers = |numbers: [f64; 3]| numbers.map(f64::to_ne_bytes).concat();
            let found = conversion.overflow(&numbers([f64::NAN, f64::INFINITY, fits]));
            assert_eq!(found, None, "{to}");
            assert_eq!(
                conversion.overflow(&numbers([1.0, -lost, 0.0])),
                Some(-lost),
                "{to}"
            );
            let converted = convert(DType::F64, to, &numbers([fits, lost, -lost]));
            let again = convert(
                to,
                if to == DType::F32 {
                    DType::F64
                } else {
                    DType::F32
                },
                &converted,
            );
            let infinite = match to {
                DType::F32 => again
                    .as_chunks::<8>()
                    .0
                    .iter()
                    .map(|x| f64::from_ne_bytes(*x).is_infinite())
                    .collect(),
                _ => again
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|x| f32::from_ne_bytes(*x).is_infinite())
                    .collect::<Vec<_>>(),
            };
            assert_eq!(infinite, [false, true, true], "{to}");
        }
        assert!(
            !Conversion::new(DType::F16, DType::BF16)
                .unwrap()
                .may_overflow()
        );
        assert!(
            Conversion::new(DType::BF16, DType::F16)
                .unwrap()
                .may_overflow()
        );
    }

    #[test]
    fn complex_numbers_are_two_real_ones() {
        let stored = [1.5f32, -2.0].map(f32::to_ne_bytes).concat();
        let found = convert(DType::C64, DType::C128, &stored);
        assert_eq!(found, [1.5f64, -2.0].map(f64::to_ne_bytes).concat());
        assert_eq!(convert(DType::C128, DType::C64, &found), stored);
    }

    #[test]
    fn other_types_are_not_converted() {
        for (from, to) in [
            (DType::F32, DType::F32),
            (DType::F32, DType::C64),
            (DType::C64, DType::F32),
            (DType::I32, DType::F32),
            (DType::F32, DType::I32),
            (DType::Bool, DType::F32),
        ] {
            assert_eq!(Conversion::new(from, to), None, "{from} {to}");
        }
    }
}
