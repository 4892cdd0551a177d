//! Layouts of tensors: a letter for each axis.

use super::{super::tracer::Tracer, OperationCall, steps};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::Shape;

/// The axes of a tensor: two with a letter of their own, and the spatial ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// The two axes, then the spatial ones, in the order of their letters in the first tensor.
    pub(super) axes: Vec<usize>,
    /// The letters of the spatial axes in that order.
    spatial: Vec<char>,
}

impl Layout {
    /// The layout of a first tensor, whose order of spatial axes is the one that counts.
    fn first(letters: &str) -> Option<Self> {
        let spatial: Vec<char> = letters
            .chars()
            .filter(|letter| !"NC".contains(*letter))
            .collect();
        Self::new(letters, ['N', 'C'], &spatial)
    }

    fn new(letters: &str, named: [char; 2], spatial: &[char]) -> Option<Self> {
        let letters: Vec<char> = letters.chars().collect();
        let place = |letter: &char| {
            let mut places = letters.iter().enumerate();
            let mut places = places.by_ref().filter(|(_, other)| *other == letter);
            let (place, _) = places.next()?;
            places.next().is_none().then_some(place)
        };
        let axes: Option<Vec<_>> = named.iter().chain(spatial).map(place).collect();
        let all_named = letters.len() == 2 + spatial.len();
        axes.filter(|_| all_named).map(|axes| Self {
            axes,
            spatial: spatial.to_vec(),
        })
    }

    /// The spatial axes.
    pub(super) fn spatial(&self) -> &[usize] {
        self.axes.get(2..).unwrap_or_default()
    }
}

/// The layouts of the input, the kernel and the result of a convolution.
pub(super) fn of_convolution(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    rank: usize,
) -> Option<[Layout; 3]> {
    let spatial = default_spatial(rank);
    let default = format!("N{spatial}C,{spatial}IO->N{spatial}C");
    let given = steps::text(tracer, call, "layout")?;
    let text = given.as_ref().map_or(default.as_str(), |(text, _)| text);
    let span = given.as_ref().map_or(call.span, |(_, span)| *span);
    match parse_convolution(text) {
        None => {
            let message = format!("`{text}` is not the layout of a convolution");
            let help = format!(
                "it has a letter for each axis, each once: `N` and `C` of the input, `I` and `O` of the kernel, `N` and `C` of the result, and the same spatial axes, for example \"{default}\""
            );
            tracer.report(Diagnostic::new(Code::Option, span, message).help(help));
            None
        }
        Some(layouts) => {
            check_rank(tracer, layouts.first()?, rank, span)?;
            Some(layouts)
        }
    }
}

/// Another layout in which the features of an input are those that a kernel takes, of those that libraries have:
/// features first, as in PyTorch, or last, of either operand.
pub(super) fn that_fits(
    [input, kernel]: [&Shape; 2],
    groups: usize,
    tried: &[Layout; 3],
) -> Option<String> {
    let spatial = default_spatial(input.rank());
    let inputs = [format!("NC{spatial}"), format!("N{spatial}C")];
    let kernels = ["OI", "IO"].map(|features| format!("{features}{spatial}"));
    let kernels = [kernels, [format!("{spatial}IO"), format!("{spatial}OI")]].concat();
    let mut layouts = inputs.iter().flat_map(|input| {
        let kernels = kernels.iter();
        kernels.map(move |kernel| format!("{input},{kernel}->{input}"))
    });
    let features = |shape: &Shape, layout: &Layout| shape.dims().get(*layout.axes.get(1)?)?.known();
    layouts.find(|text| {
        parse_convolution(text).is_some_and(|layouts| {
            let [in_input, in_kernel, _] = &layouts;
            let taken = features(kernel, in_kernel).and_then(|taken| taken.checked_mul(groups));
            layouts != *tried && taken.is_some() && taken == features(input, in_input)
        })
    })
}

fn parse_convolution(text: &str) -> Option<[Layout; 3]> {
    let (operands, output) = text.split_once("->")?;
    let (input, kernel) = operands.split_once(',')?;
    let input = Layout::first(input)?;
    let kernel = Layout::new(kernel, ['O', 'I'], &input.spatial)?;
    let output = Layout::new(output, ['N', 'C'], &input.spatial)?;
    Some([input, kernel, output])
}

/// The layout of one tensor.
pub(super) fn of_tensor(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    rank: usize,
) -> Option<Layout> {
    let default = format!("N{}C", default_spatial(rank));
    let given = steps::text(tracer, call, "layout")?;
    let text = given.as_ref().map_or(default.as_str(), |(text, _)| text);
    let span = given.as_ref().map_or(call.span, |(_, span)| *span);
    let Some(layout) = Layout::first(text) else {
        let message = format!("`{text}` is not the layout of a tensor");
        let help = format!(
            "it has a letter for each axis, each once: `N`, `C` and the spatial axes, for example \"{default}\""
        );
        tracer.report(Diagnostic::new(Code::Option, span, message).help(help));
        return None;
    };
    check_rank(tracer, &layout, rank, span)?;
    Some(layout)
}

fn check_rank(tracer: &mut Tracer<'_>, layout: &Layout, rank: usize, span: SpanId) -> Option<()> {
    let named = layout.axes.len();
    if named == rank {
        return Some(());
    }
    let message = format!("the layout names {named} axes, the tensor has {rank}");
    tracer.error(Code::Option, span, message);
    None
}

/// The letters of the spatial axes of a tensor whose layout is not given.
const fn default_spatial(rank: usize) -> &'static str {
    match rank {
        0..=3 => "W",
        4 => "HW",
        _ => "DHW",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_say_where_the_axes_are() {
        let [input, kernel, output] = parse_convolution("NCHW,OIWH->NHWC").unwrap();
        assert_eq!(input.axes, [0, 1, 2, 3]);
        assert_eq!(kernel.axes, [0, 1, 3, 2]);
        assert_eq!(output.axes, [0, 3, 1, 2]);
        assert_eq!(Layout::first("HWCN").unwrap().spatial(), [0, 1]);
    }

    #[test]
    fn a_layout_fits_by_the_features() {
        let tried = parse_convolution("NHWC,HWIO->NHWC").unwrap();
        let of = |input: [usize; 4], kernel: [usize; 4]| {
            that_fits(
                [&Shape::from(&input[..]), &Shape::from(&kernel[..])],
                1,
                &tried,
            )
        };
        let fits = |text: &str| Some(text.to_owned());
        assert_eq!(of([8, 3, 32, 32], [16, 3, 5, 5]), fits("NCHW,OIHW->NCHW"));
        assert_eq!(of([8, 32, 32, 3], [16, 3, 5, 5]), fits("NHWC,OIHW->NHWC"));
        assert_eq!(of([8, 3, 32, 32], [5, 5, 3, 16]), fits("NCHW,HWIO->NCHW"));
        assert_eq!(of([8, 16, 32, 32], [16, 3, 5, 5]), fits("NCHW,IOHW->NCHW"));
        assert_eq!(of([8, 3, 32, 32], [5, 5, 4, 16]), None);
        assert_eq!(of([8, 32, 32, 3], [5, 5, 3, 16]), None);
        let shapes = [[8, 6, 9, 9], [6, 1, 5, 5]].map(|sizes| Shape::from(&sizes[..]));
        let grouped = that_fits(shapes.each_ref(), 6, &tried);
        assert_eq!(grouped, fits("NCHW,OIHW->NCHW"));
    }

    #[test]
    fn layouts_name_every_axis_once() {
        for wrong in [
            "NHWC,HWIO",
            "NHWC->NHWC",
            "NHHC,HHIO->NHHC",
            "NHWC,HWIO->NHC",
            "NHW,HWIO->NHW",
            "NHWC,HWIC->NHWC",
        ] {
            assert_eq!(parse_convolution(wrong), None, "{wrong}");
        }
    }
}
