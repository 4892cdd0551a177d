use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// For each element type, elements put elsewhere: padded and reversed.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(program.call(rearrange::<$ty>());)*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program
}

/// How a tensor of these sizes is padded: before, behind and between.
type Padding<'p> = (&'p [usize], &'p [i64], &'p [i64], &'p [usize]);

const PADDINGS: &[Padding<'_>] = &[
    (&[3, 4], &[1, 0], &[2, 3], &[0, 0]),
    (&[3, 4], &[0, 0], &[0, 0], &[1, 2]),
    (&[3, 4], &[-1, 2], &[1, -3], &[0, 1]),
    (&[3, 4], &[-2, -1], &[0, -1], &[0, 0]),
    (&[3, 4], &[-3, 0], &[0, 0], &[0, 0]),
    (&[3, 4], &[0, 0], &[0, 0], &[0, 0]),
    (&[1, 12], &[2, -2], &[0, 0], &[3, 0]),
    (&[0, 3], &[2, 0], &[1, 1], &[0, 0]),
    (&[], &[], &[], &[]),
];

const REVERSALS: &[(&[usize], &[usize])] = &[
    (&[3, 4], &[0]),
    (&[3, 4], &[1]),
    (&[2, 3, 2], &[2, 0]),
    (&[3, 4], &[]),
    (&[1, 12], &[0]),
    (&[0, 3], &[1]),
    (&[], &[]),
];

fn rearrange<T: Number>() -> Function {
    let mut function = Function::new(format!("rearrange_{:?}", T::DTYPE).to_lowercase());
    let edges: Vec<T> = T::edges().into_iter().cycle().take(12).collect();
    let filling = T::count(1);
    let value = function.input(HostTensor::new(&[], &[filling]));
    let inputs: Vec<_> = PADDINGS
        .iter()
        .map(|(sizes, ..)| sizes)
        .chain(REVERSALS.iter().map(|(sizes, _)| sizes))
        .map(|sizes| {
            let elements = &edges[..sizes.iter().product()];
            function.input(HostTensor::new(sizes, elements))
        })
        .collect();
    let (padded, reversed) = inputs.split_at(PADDINGS.len());
    for (x, (sizes, low, high, interior)) in padded.iter().zip(PADDINGS) {
        let operation =
            format!("pad %{x}, %{value} low {low:?} high {high:?} interior {interior:?}");
        let expected = pad(&edges, filling, &(*sizes, *low, *high, *interior));
        function.check(&operation, expected, 0.0);
    }
    for (x, (sizes, axes)) in reversed.iter().zip(REVERSALS) {
        let expected = table(sizes, |place| {
            let source = place.iter().zip(*sizes).enumerate();
            let source = source.map(|(axis, (at, size))| match axes.contains(&axis) {
                true => size - 1 - at,
                false => *at,
            });
            edges[flat(sizes, &source.collect::<Vec<_>>())]
        });
        function.check(&format!("reverse %{x} axes {axes:?}"), expected, 0.0);
    }
    function
}

fn pad<T: Number>(
    elements: &[T],
    filling: T,
    (sizes, low, high, interior): &Padding<'_>,
) -> HostTensor {
    let axes = 0..sizes.len();
    let padded = axes.clone().map(|axis| {
        let between = sizes[axis].saturating_sub(1) * interior[axis];
        (sizes[axis] + between) as i64 + low[axis] + high[axis]
    });
    let padded: Vec<_> = padded.map(|size| size as usize).collect();
    table(&padded, |place| {
        let source: Option<Vec<_>> = axes
            .clone()
            .map(|axis| {
                let moved = usize::try_from(place[axis] as i64 - low[axis]).ok()?;
                let step = interior[axis] + 1;
                let at = moved / step;
                (moved % step == 0 && at < sizes[axis]).then_some(at)
            })
            .collect();
        source.map_or(filling, |source| elements[flat(sizes, &source)])
    })
}

/// The tensor that has at each place what a function says.
pub(super) fn table<T: Number>(sizes: &[usize], at: impl Fn(&[usize]) -> T) -> HostTensor {
    let count: usize = sizes.iter().product();
    let elements: Vec<T> = (0..count).map(|index| at(&place(sizes, index))).collect();
    HostTensor::new(sizes, &elements)
}

/// The place of an element in row-major order.
pub(super) fn place(sizes: &[usize], index: usize) -> Vec<usize> {
    let axes = 0..sizes.len();
    let along = axes.map(|axis| index / sizes[axis + 1..].iter().product::<usize>() % sizes[axis]);
    along.collect()
}

/// The index of a place in row-major order.
pub(super) fn flat(sizes: &[usize], place: &[usize]) -> usize {
    let axes = sizes.iter().zip(place);
    axes.fold(0, |index, (size, at)| index * size + at)
}
