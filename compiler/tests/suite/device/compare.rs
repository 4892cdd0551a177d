use super::program::Tolerance;
use half::{bf16, f16};
use iree_abi::DType;

/// Compares elements of a type and says where they differ: numbers by more than what is tolerated,
/// everything else in any bit. All NaNs are equal, and so are the two zeros.
pub(super) fn difference(
    dtype: DType,
    expected: &[u8],
    found: &[u8],
    allowed: Tolerance,
) -> Option<String> {
    if expected.len() != found.len() {
        let sizes = (expected.len(), found.len());
        return Some(format!("expected {} bytes, found {}", sizes.0, sizes.1));
    }
    let elements = expected
        .chunks(dtype.size())
        .zip(found.chunks(dtype.size()));
    let differs = |(_, (expected, found)): &(usize, (&[u8], &[u8]))| {
        if dtype.is_complex() {
            !complex_equal(dtype.real(), expected, found, allowed)
        } else if dtype.is_float() {
            let (expected, found) = (number(dtype, expected), number(dtype, found));
            !close(expected, found, tolerance(dtype, expected.abs(), allowed))
        } else {
            expected != found
        }
    };
    let mut wrong = elements.enumerate().filter(differs).peekable();
    wrong.peek()?;
    let describe = |(index, (expected, found)): (usize, (&[u8], &[u8]))| {
        let (expected, found) = (show(dtype, expected), show(dtype, found));
        format!("[{index}]: expected {expected}, found {found}")
    };
    let all: Vec<_> = wrong.map(describe).collect();
    let shown = all
        .iter()
        .take(8)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n    ");
    Some(format!("{} elements differ:\n    {shown}", all.len()))
}

/// Compares complex numbers by their distance. What is not finite has no agreed parts.
fn complex_equal(part: DType, expected: &[u8], found: &[u8], allowed: Tolerance) -> bool {
    let parts = |bytes: &[u8]| {
        let (re, im) = bytes.split_at(part.size());
        (number(part, re), number(part, im))
    };
    let (expected, found) = (parts(expected), parts(found));
    let size = expected.0.hypot(expected.1);
    let distance = (expected.0 - found.0).hypot(expected.1 - found.1);
    !size.is_finite() || distance <= tolerance(part, size, allowed)
}

fn close(expected: f64, found: f64, tolerance: f64) -> bool {
    if expected.is_nan() || found.is_nan() {
        expected.is_nan() && found.is_nan()
    } else {
        expected == found || (expected - found).abs() <= tolerance && expected.is_finite()
    }
}

/// Numbers too small for their type's full precision may have become zero.
fn tolerance(dtype: DType, size: f64, allowed: Tolerance) -> f64 {
    let (epsilon, least) = match dtype {
        DType::F16 => (f16::EPSILON.to_f64(), f16::MIN_POSITIVE.to_f64()),
        DType::BF16 => (bf16::EPSILON.to_f64(), bf16::MIN_POSITIVE.to_f64()),
        DType::F32 => (f32::EPSILON.into(), f32::MIN_POSITIVE.into()),
        _ => (f64::EPSILON, f64::MIN_POSITIVE),
    };
    let small = if size < 2.0 * least { least } else { 0.0 };
    allowed.units * epsilon * size.max(allowed.least) + small
}

/// A real number of a type.
pub(crate) fn number(dtype: DType, bytes: &[u8]) -> f64 {
    let fits = "the bytes of one element";
    match dtype {
        DType::F16 => f16::from_le_bytes(bytes.try_into().expect(fits)).to_f64(),
        DType::BF16 => bf16::from_le_bytes(bytes.try_into().expect(fits)).to_f64(),
        DType::F32 => f32::from_le_bytes(bytes.try_into().expect(fits)).into(),
        _ => f64::from_le_bytes(bytes.try_into().expect(fits)),
    }
}

fn show(dtype: DType, bytes: &[u8]) -> String {
    if dtype.is_complex() {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        format!("({}, {})", show(dtype.real(), re), show(dtype.real(), im))
    } else if dtype.is_float() {
        format!("{:?}", number(dtype, bytes))
    } else {
        let digits: String = bytes
            .iter()
            .rev()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("0x{digits}")
    }
}
