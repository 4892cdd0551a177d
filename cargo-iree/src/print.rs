//! Arrays as people read them: few digits, columns below each other, and of long axes the ends.

use half::{bf16, f16};
use iree_abi::DType;
use iree_runtime::HostArray;

/// Arrays with more elements are shown in part.
const MOST: usize = 1000;

/// How many elements are shown at each end of an axis in part.
const EDGE: usize = 3;

/// How long a line gets before the next one begins, in characters.
const WIDTH: usize = 100;

/// How arrays are printed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Style {
    /// Print all elements of large results, not only those at the ends of each axis
    #[arg(long)]
    all: bool,
    /// How many digits of floating-point numbers to print at most
    #[arg(long, value_name = "NUMBER", default_value = "6", value_parser = clap::value_parser!(u8).range(1..=17))]
    digits: u8,
}

impl Style {
    /// The elements of an array in brackets, one pair for each axis.
    pub(crate) fn text(self, array: &HostArray) -> String {
        let shape = array.shape();
        let is_whole = self.all || array_len(&shape) <= MOST;
        let axes = shape.iter().map(|size| places(*size, is_whole));
        let mut page = Page {
            cells: Cells::new(array, self.digits.into()),
            axes: axes.collect(),
            shape,
            text: String::new(),
        };
        page.measure(0, 0);
        page.write(0, 0);
        page.text
    }
}

fn array_len(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The places along an axis that are shown; `None` stands for those that are left out.
fn places(size: usize, is_whole: bool) -> Vec<Option<usize>> {
    match is_whole || size <= 2 * EDGE {
        true => (0..size).map(Some).collect(),
        false => {
            let (start, end) = (0..EDGE, size - EDGE..size);
            start.map(Some).chain([None]).chain(end.map(Some)).collect()
        }
    }
}

/// A text that is being written.
struct Page<'a> {
    cells: Cells<'a>,
    shape: Vec<usize>,
    axes: Vec<Vec<Option<usize>>>,
    text: String,
}

impl Page<'_> {
    /// Finds out how wide columns are, of the part of the array with so many axes fixed.
    fn measure(&mut self, axis: usize, start: usize) {
        let Some(places) = self.axes.get(axis) else {
            self.cells.measure(start);
            return;
        };
        for place in places.clone().into_iter().flatten() {
            self.measure(axis + 1, start * self.shape[axis] + place);
        }
    }

    /// Writes that part.
    fn write(&mut self, axis: usize, start: usize) {
        let Some(places) = self.axes.get(axis).cloned() else {
            let cell = self.cells.aligned(start, !self.shape.is_empty());
            self.text.push_str(&cell);
            return;
        };
        let is_last = axis + 1 == self.shape.len();
        self.text.push('[');
        for (number, place) in places.into_iter().enumerate() {
            if number > 0 {
                self.separate(axis, is_last);
            }
            match place {
                Some(place) => self.write(axis + 1, start * self.shape[axis] + place),
                None => self.text.push('…'),
            }
        }
        self.text.push(']');
    }

    fn separate(&mut self, axis: usize, is_last: bool) {
        let indent = " ".repeat(axis + 1);
        self.text.push(',');
        if !is_last {
            self.text
                .push_str(&"\n".repeat(self.shape.len() - axis - 1));
            self.text.push_str(&indent);
            return;
        }
        let line = self.text.rsplit('\n').next().unwrap_or_default();
        match line.chars().count() + self.cells.width() + 2 > WIDTH {
            true => {
                self.text.push('\n');
                self.text.push_str(&indent);
            }
            false => self.text.push(' '),
        }
    }
}

/// Elements as texts.
struct Cells<'a> {
    dtype: DType,
    bytes: &'a [u8],
    digits: usize,
    /// How much room there is before and from the point on, and for what has no point.
    before: usize,
    after: usize,
    whole: usize,
}

impl<'a> Cells<'a> {
    fn new(array: &'a HostArray, digits: usize) -> Self {
        Self {
            dtype: array.ty().dtype,
            bytes: array.bytes(),
            digits,
            before: 0,
            after: 0,
            whole: 0,
        }
    }

    fn width(&self) -> usize {
        self.whole.max(self.before + self.after)
    }

    fn measure(&mut self, place: usize) {
        let text = self.text(place);
        match at_point(&text) {
            Some((before, after)) => {
                self.before = self.before.max(before);
                self.after = self.after.max(after);
            }
            None => self.whole = self.whole.max(text.chars().count()),
        }
    }

    /// An element with its point below those of others.
    fn aligned(&self, place: usize, is_column: bool) -> String {
        let mut text = self.text(place);
        if !is_column {
            return text;
        }
        if let Some((_, after)) = at_point(&text).filter(|(_, after)| *after < self.after) {
            let point = if after == 0 { "." } else { "" };
            let zeros = self.after - after - point.len();
            text = format!("{text}{point}{}", "0".repeat(zeros));
        }
        let width = self.width();
        format!("{text:>width$}")
    }

    fn text(&self, place: usize) -> String {
        let size = self.dtype.size();
        let bytes = self.bytes.get(place * size..(place + 1) * size);
        let bytes = bytes.unwrap_or_default();
        match self.dtype {
            DType::Bool => (bytes != [0]).to_string(),
            DType::C64 | DType::C128 => {
                let (real, imaginary) = bytes.split_at(size / 2);
                let part = |bytes| element(self.dtype.real(), bytes, self.digits);
                let imaginary = part(imaginary);
                let sign = if imaginary.starts_with('-') { "" } else { "+" };
                format!("{}{sign}{imaginary}i", part(real))
            }
            dtype => element(dtype, bytes, self.digits),
        }
    }
}

/// How many characters stand before the point of a number, and how many from there on; `None` if it is written otherwise.
fn at_point(text: &str) -> Option<(usize, usize)> {
    let is_plain = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let before = text.find('.').unwrap_or(text.len());
    is_plain.then_some((before, text.len() - before))
}

/// A number of some bytes.
fn element(dtype: DType, bytes: &[u8], digits: usize) -> String {
    macro_rules! number {
        ($ty:ty, $show:expr) => {
            bytes.try_into().map_or_else(
                |_| String::new(),
                |bytes| $show(<$ty>::from_ne_bytes(bytes)),
            )
        };
    }
    let single = |number: f32| float(number.into(), &format!("{number:e}"), digits);
    match dtype {
        DType::I8 => number!(i8, |x: i8| x.to_string()),
        DType::I16 => number!(i16, |x: i16| x.to_string()),
        DType::I32 => number!(i32, |x: i32| x.to_string()),
        DType::I64 => number!(i64, |x: i64| x.to_string()),
        DType::U8 => number!(u8, |x: u8| x.to_string()),
        DType::U16 => number!(u16, |x: u16| x.to_string()),
        DType::U32 => number!(u32, |x: u32| x.to_string()),
        DType::U64 => number!(u64, |x: u64| x.to_string()),
        DType::F16 => number!(f16, |x: f16| single(x.to_f32())),
        DType::BF16 => number!(bf16, |x: bf16| single(x.to_f32())),
        DType::F32 => number!(f32, single),
        DType::F64 => number!(f64, |x: f64| float(x, &format!("{x:e}"), digits)),
        _ => format!("{bytes:?}"),
    }
}

/// Numbers from the one up to the other are written without an exponent.
const PLAIN: std::ops::Range<i32> = -4..8;

/// A number with so many digits at most, and no more than `shortest` has, which tells it from all others of its type.
fn float(number: f64, shortest: &str, digits: usize) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let mantissa = shortest.split('e').next().unwrap_or_default();
    let enough = mantissa.chars().filter(char::is_ascii_digit).count();
    let digits = digits.min(enough).max(1);
    let rounded = format!("{number:.*e}", digits - 1);
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !PLAIN.contains(&exponent) && number != 0.0 {
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    // What stands before the point is written whole.
    let behind = usize::try_from(i32::try_from(digits).unwrap_or(0) - 1 - exponent).unwrap_or(0);
    without_zeros(&format!("{number:.behind$}")).to_owned()
}

fn without_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Style = Style {
        all: false,
        digits: 6,
    };

    fn array(ty: &str, bytes: Vec<u8>) -> HostArray {
        HostArray::new(ty.parse().unwrap(), &bytes).unwrap()
    }

    fn doubles(ty: &str, numbers: &[f64]) -> HostArray {
        array(ty, numbers.iter().flat_map(|x| x.to_ne_bytes()).collect())
    }

    fn singles(ty: &str, numbers: impl IntoIterator<Item = f32>) -> HostArray {
        array(ty, numbers.into_iter().flat_map(f32::to_ne_bytes).collect())
    }

    #[test]
    fn numbers_have_few_digits() {
        for (number, text) in [
            (1.0, "1"),
            (-0.0, "-0"),
            (1.0 / 3.0, "0.333333"),
            (0.1 + 0.2, "0.3"),
            (2.0 / 3e4, "6.66667e-5"),
            (1.25e-4, "0.000125"),
            (1234567.89, "1234568"),
            (16777216.0, "16777216"),
            (1e8, "1e8"),
            (-1.5e300, "-1.5e300"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(USUAL.text(&doubles("Tensor<f64>", &[number])), text);
        }
        let many = Style {
            all: false,
            digits: 17,
        };
        assert_eq!(
            many.text(&doubles("Tensor<f64>", &[0.1 + 0.2])),
            "0.30000000000000004"
        );
        assert_eq!(many.text(&singles("Tensor<f32>", [0.1])), "0.1");
        let half = array("Tensor<f16>", f16::from_f32(0.5).to_ne_bytes().to_vec());
        assert_eq!(USUAL.text(&half), "0.5");
    }

    #[test]
    fn points_stand_below_each_other() {
        let text = USUAL.text(&singles("Tensor<f32, 2, 2>", [1.0, 2.5, -10.0, 0.125]));
        assert_eq!(text, "[[  1.000,   2.500],\n [-10.000,   0.125]]");
        let text = USUAL.text(&singles("Tensor<f32, 3>", [1.5, 1e-9, f32::NAN]));
        assert_eq!(text, "[ 1.5, 1e-9,  NaN]");
        let row = USUAL.text(&singles("Tensor<f32, 3>", [1.0, 2.0, 15.0]));
        assert_eq!(row, "[ 1,  2, 15]");
    }

    #[test]
    fn other_elements_are_written_as_in_the_language() {
        let text = USUAL.text(&array("Tensor<bool, 2>", vec![1, 0]));
        assert_eq!(text, "[ true, false]");
        let text = USUAL.text(&array("Tensor<u8, 1, 2>", vec![255, 7]));
        assert_eq!(text, "[[255,   7]]");
        let text = USUAL.text(&singles("Tensor<Complex<f32>, 2>", [1.0, -2.5, 0.0, 3.0]));
        assert_eq!(text, "[1-2.5i,   0+3i]");
        assert_eq!(USUAL.text(&singles("Tensor<f32, 0, 3>", [])), "[]");
    }

    #[test]
    fn long_axes_are_cut_unless_all_is_wanted() {
        let long = singles("Tensor<f32, 2000>", (0..2000).map(|x| x as f32));
        assert_eq!(USUAL.text(&long), "[   0,    1,    2, …, 1997, 1998, 1999]");
        let all = Style {
            all: true,
            digits: 6,
        };
        let text = all.text(&long);
        assert_eq!(text.matches(',').count(), 1999);
        assert!(
            text.lines().count() > 100 && text.lines().all(|line| line.chars().count() <= WIDTH)
        );
        let cube = singles("Tensor<f32, 2, 10, 100>", (0..2000).map(|_| 0.5));
        let text = USUAL.text(&cube);
        assert_eq!(text.lines().count(), 2 * 7 + 1);
        assert!(
            text.starts_with("[[[0.5, 0.5, 0.5, …, 0.5, 0.5, 0.5],\n  [0.5"),
            "{text}"
        );
        assert!(
            text.contains("\n  …,\n") && text.contains("]],\n\n [[0.5"),
            "{text}"
        );
    }
}
