//! Arrays that are written out.

use super::{Size, elements::Elements, sized};
use anyhow::{Context, Result, bail};
use iree_abi::{DType, TensorType};
use iree_runtime::HostArray;

/// Reads an array of a type from a text. The text may say the type itself: `3x4xf32=1`.
pub(super) fn read(text: &str, ty: &TensorType, sizes: &[Size]) -> Result<HostArray> {
    let (shape, values) = match text.split_once('=') {
        Some((stated, values)) => (shape(stated, ty.dtype)?, values),
        None => match (sized(ty, sizes), nested(text)) {
            (Err(_), Some(shape)) if ty.shape.accepts(&shape) => (shape, text),
            (shape, _) => (shape?, text),
        },
    };
    let count = shape
        .iter()
        .try_fold(1usize, |count, size| count.checked_mul(*size));
    let count = count.context("it is too large")?;
    let elements = Elements::of(ty.dtype).context("its element type cannot be written out")?;
    let bytes = match values.trim() {
        "random" => random(count, ty.dtype, &elements),
        values => written(count, values, ty.dtype, &elements)?,
    };
    let ty = TensorType::new(ty.dtype, shape.as_slice());
    HostArray::new(ty, &bytes).context("it is too large")
}

/// The sizes in a type that is written as IREE does, `3x4xf32`.
fn shape(stated: &str, dtype: DType) -> Result<Vec<usize>> {
    let mut parts: Vec<&str> = stated.split('x').collect();
    let element = parts.pop().unwrap_or_default();
    if short_name(dtype) != element {
        bail!(
            "its elements are `{element}` instead of `{}`",
            short_name(dtype)
        );
    }
    let sizes = parts.into_iter().map(|size| {
        let size = size.trim();
        size.parse().with_context(|| format!("`{size}` is no size"))
    });
    sizes.collect()
}

/// The sizes of what is written in brackets, `[[1 2] [3 4]]`, if they are the same in each row.
fn nested(text: &str) -> Option<Vec<usize>> {
    let spaced = text.replace('[', " [ ").replace(']', " ] ");
    let parted = |c: char| c.is_whitespace() || ",;".contains(c);
    // How many there are so far in each bracket that is open.
    let mut open: Vec<usize> = Vec::new();
    let mut sizes: Vec<Option<usize>> = Vec::new();
    for word in spaced.split(parted).filter(|word| !word.is_empty()) {
        if word == "]" {
            let (count, depth) = (open.pop()?, open.len());
            if sizes[depth]
                .replace(count)
                .is_some_and(|known| known != count)
            {
                return None;
            }
            continue;
        }
        match open.last_mut() {
            Some(count) => *count += 1,
            None if word == "[" && sizes.is_empty() => {}
            None => return None,
        }
        if word == "[" {
            open.push(0);
            sizes.resize(sizes.len().max(open.len()), None);
        }
    }
    sizes.into_iter().collect()
}

/// A name without brackets, which shells mind.
fn short_name(dtype: DType) -> &'static str {
    match dtype {
        DType::C64 => "c64",
        DType::C128 => "c128",
        _ => dtype.name(),
    }
}

fn written(count: usize, values: &str, dtype: DType, elements: &Elements) -> Result<Vec<u8>> {
    let parted = |c: char| c.is_whitespace() || "[],;".contains(c);
    let values: Vec<&str> = values
        .split(parted)
        .filter(|value| !value.is_empty())
        .collect();
    let mut bytes = Vec::new();
    for value in &values {
        if !(elements.read)(value, &mut bytes) {
            bail!("`{value}` is no `{dtype}`");
        }
    }
    match values.len() {
        1 => Ok(bytes.repeat(count)),
        found if found == count => Ok(bytes),
        found => bail!("there are {found} elements instead of {count}"),
    }
}

/// Numbers from -1 to 1 for real types, from 0 to 7 for integers: always the same, so that runs can be compared.
fn random(count: usize, dtype: DType, elements: &Elements) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count.saturating_mul(dtype.size()));
    let mut state = 0u64;
    for _ in 0..count {
        let unit = next(&mut state);
        let value = match dtype.is_integer() {
            true => (unit * 8.0).floor(),
            false => unit * 2.0 - 1.0,
        };
        (elements.near)(value, &mut bytes);
    }
    bytes
}

/// SplitMix64, after Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), as a number
/// from 0 to 1.
fn next(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, ty: &str) -> String {
        match read(text, &ty.parse().unwrap(), &["B=2".parse().unwrap()]) {
            Ok(array) => format!("{} {array}", array.ty()),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn one_element_is_for_all() {
        assert_eq!(shown("1", "Tensor<f32, 2>"), "Tensor<f32, 2> [1, 1]");
        assert_eq!(shown("-3", "Tensor<i8>"), "Tensor<i8> -3");
        assert_eq!(shown("2xf32=1", "Tensor<f32, B>"), "Tensor<f32, 2> [1, 1]");
        assert_eq!(shown("7", "Tensor<u64, 0>"), "Tensor<u64, 0> []");
    }

    #[test]
    fn elements_are_parted_in_any_way() {
        let matrix = "Tensor<i32, 2, 2> [[1, 2],\n [3, 4]]";
        for text in [
            "1,2,3,4",
            "[[1 2] [3 4]]",
            "2x2xi32=[[1,2],[3,4]]",
            "1 2 3 4",
        ] {
            assert_eq!(shown(text, "Tensor<i32, B, 2>"), matrix, "{text}");
        }
    }

    #[test]
    fn brackets_tell_sizes() {
        let matrix = "Tensor<i32, 2, 3> [[1, 2, 3],\n [4, 5, 6]]";
        assert_eq!(shown("[[1 2 3] [4,5,6]]", "Tensor<i32, C, 3>"), matrix);
        assert_eq!(shown("[7]", "Tensor<i32, C>"), "Tensor<i32, 1> [7]");
        assert_eq!(shown("[]", "Tensor<i32, C>"), "Tensor<i32, 0> []");
        // Where sizes are known, brackets are no more than space.
        assert_eq!(shown("[7]", "Tensor<i32, 2>"), "Tensor<i32, 2> [7, 7]");
        for text in [
            "[[1 2] [3]]",
            "[1 2",
            "1 2]",
            "[1][2]",
            "[[1 2 3 4]]",
            "1 2",
        ] {
            let unknown = "error: the size `C` is known at the call only";
            assert_eq!(shown(text, "Tensor<i32, C, 2>"), unknown, "{text}");
        }
    }

    #[test]
    fn every_element_type_is_read() {
        for (text, ty, value) in [
            ("true,false", "Tensor<bool, 2>", "[true, false]"),
            ("255", "Tensor<u8>", "255"),
            (
                "-9223372036854775808",
                "Tensor<i64>",
                "-9223372036854775808",
            ),
            ("0.5", "Tensor<f16>", "0.5"),
            ("0.5", "Tensor<bf16>", "0.5"),
            ("1e300", "Tensor<f64>", &1e300f64.to_string()),
            ("inf,nan", "Tensor<f32, 2>", "[inf, NaN]"),
            ("1+2i", "Tensor<Complex<f32>>", "1+2i"),
            ("2xc128=1-2i", "Tensor<Complex<f64>, 2>", "[1-2i, 1-2i]"),
        ] {
            let shown = shown(text, ty);
            assert!(shown.ends_with(value), "{text}: {shown}");
        }
        for dtype in DType::ALL {
            assert!(Elements::of(dtype).is_some(), "{dtype}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for (text, ty, message) in [
            ("256", "Tensor<u8>", "`256` is no `u8`"),
            ("1,2", "Tensor<f32, 3>", "there are 2 elements instead of 3"),
            (
                "3xf64=1",
                "Tensor<f32, 3>",
                "its elements are `f64` instead of `f32`",
            ),
            ("axf32=1", "Tensor<f32, 3>", "`a` is no size"),
            (
                "1",
                "Tensor<f32, C>",
                "the size `C` is known at the call only",
            ),
            ("", "Tensor<f32, 2>", "there are 0 elements instead of 2"),
            (
                "18446744073709551615x2xf32=1",
                "Tensor<f32, 1, 2>",
                "it is too large",
            ),
        ] {
            assert_eq!(shown(text, ty), format!("error: {message}"));
        }
    }

    #[test]
    fn random_numbers_are_the_same_each_time() {
        let array = |text| shown(text, "Tensor<f32, 3>");
        assert_eq!(array("random"), array("3xf32=random"));
        assert_ne!(array("random"), array("0"));
        let integers = shown("random", "Tensor<i32, 100>");
        assert!(
            !integers.contains('-') && !integers.contains('8'),
            "{integers}"
        );
    }
}
