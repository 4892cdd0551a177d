use ndarray::{ArrayD, Axis, IxDyn, Slice, concatenate, stack};
use proptest::{collection::vec, prelude::*, sample::select};

/// An expression of `x`, and what it should be.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) input: ArrayD<i32>,
    pub(super) expression: String,
    pub(super) expected: ArrayD<i32>,
    /// Along which axes the size may be known at the call only.
    pub(super) unknown: Vec<bool>,
}

/// What an expression is made from: an axis, and numbers from which it takes what it needs.
#[derive(Clone, Debug)]
struct Draw {
    axis: usize,
    numbers: Vec<usize>,
}

type Operation = fn(&ArrayD<i32>, &Draw) -> (String, ArrayD<i32>, Needs);

/// Of which axes an operation needs to know the sizes.
enum Needs {
    Nothing,
    Axis(usize),
    Everything,
}

const OPERATIONS: &[Operation] = &[
    permute, reverse, slice, join, pile, pad, roll, take, repeat, tile, split, flatten, sum,
    broadcast,
];

pub(super) fn case() -> impl Strategy<Value = Case> {
    let sizes = vec(0_usize..5, 1..4);
    let draw = (0_usize..3, vec(0_usize..6, 12));
    let unknown = vec(any::<bool>(), 3);
    (sizes, select(OPERATIONS), draw, unknown).prop_map(|(sizes, operation, draw, unknown)| {
        let count = sizes.iter().product::<usize>() as i32;
        let input = ArrayD::from_shape_vec(IxDyn(&sizes), (1..=count).collect());
        let input = input.expect("as many elements as the sizes say");
        let (axis, numbers) = (draw.0 % sizes.len(), draw.1);
        let (expression, expected, needs) = operation(&input, &Draw { axis, numbers });
        let free = |axis: usize| match needs {
            Needs::Nothing => true,
            Needs::Axis(needed) => axis != needed,
            Needs::Everything => false,
        };
        let unknown = unknown.into_iter().enumerate();
        let unknown = unknown.map(|(axis, unknown)| unknown && free(axis));
        Case {
            input,
            expression,
            expected,
            unknown: unknown.collect(),
        }
    })
}

fn permute(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let mut order: Vec<_> = (0..x.ndim()).collect();
    order.sort_by_key(|axis| draw.numbers[*axis]);
    let expected = x.clone().permuted_axes(IxDyn(&order));
    (format!("x.permute({order:?})"), expected, Needs::Nothing)
}

fn reverse(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let mut expected = x.clone();
    expected.invert_axis(Axis(draw.axis));
    (
        format!("x.reverse({})", draw.axis),
        expected,
        Needs::Nothing,
    )
}

fn slice(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let mut expected = x.clone();
    let mut bounds = Vec::new();
    for axis in 0..x.ndim() {
        let size = x.len_of(Axis(axis));
        let (one, other) = (
            draw.numbers[axis] % (size + 1),
            draw.numbers[axis + 3] % (size + 1),
        );
        let (start, end) = (one.min(other), one.max(other));
        let step = draw.numbers[axis + 6] % 3 + 1;
        let part = Slice::new(start as isize, Some(end as isize), step as isize);
        expected = expected.slice_axis(Axis(axis), part).to_owned();
        bounds.push(format!("{start}..{end};{step}"));
    }
    (
        format!("x.slice(s![{}])", bounds.join(", ")),
        expected,
        Needs::Everything,
    )
}

fn join(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let expected = concatenate(Axis(draw.axis), &[x.view(), (x + 100).view()]);
    let expression = format!("concatenate([x, x + 100], {})", draw.axis);
    (
        expression,
        expected.expect("the other sizes agree"),
        Needs::Nothing,
    )
}

fn pile(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let expected = stack(Axis(draw.axis), &[x.view(), (x + 100).view()]);
    let expression = format!("stack([x, x + 100], {})", draw.axis);
    (
        expression,
        expected.expect("all sizes agree"),
        Needs::Nothing,
    )
}

fn pad(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let low = &draw.numbers[..x.ndim()];
    let high = &draw.numbers[3..3 + x.ndim()];
    let shape = (0..x.ndim()).map(|axis| low[axis] + x.len_of(Axis(axis)) + high[axis]);
    let mut expected = ArrayD::from_elem(IxDyn(&shape.collect::<Vec<_>>()), -1);
    let inside = expected.slice_each_axis_mut(|axis| {
        let start = low[axis.axis.index()];
        Slice::from(start..start + x.len_of(axis.axis))
    });
    x.assign_to(inside);
    let expression = format!("pad!(x, low = {low:?}, high = {high:?}, value = -1)");
    (expression, expected, Needs::Nothing)
}

fn roll(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let places = draw.numbers[0] as isize - 3;
    let size = x.len_of(Axis(draw.axis)) as isize;
    let from: Vec<_> = (0..size)
        .map(|place| (place - places).rem_euclid(size) as usize)
        .collect();
    let expected = x.select(Axis(draw.axis), &from);
    (
        format!("x.roll({places}, {})", draw.axis),
        expected,
        Needs::Axis(draw.axis),
    )
}

fn take(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let size = x.len_of(Axis(draw.axis));
    if size == 0 {
        return reverse(x, draw);
    }
    let places: Vec<_> = draw.numbers[..4]
        .iter()
        .map(|number| number % size)
        .collect();
    let expected = x.select(Axis(draw.axis), &places);
    (
        format!("x.take(tensor({places:?}), {})", draw.axis),
        expected,
        Needs::Nothing,
    )
}

fn repeat(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let times = draw.numbers[0] % 3 + 1;
    let from: Vec<_> = (0..x.len_of(Axis(draw.axis)) * times)
        .map(|place| place / times)
        .collect();
    let expected = x.select(Axis(draw.axis), &from);
    (
        format!("x.repeat({times}, {})", draw.axis),
        expected,
        Needs::Nothing,
    )
}

fn tile(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let times: Vec<_> = (0..x.ndim())
        .map(|axis| draw.numbers[axis] % 3 + 1)
        .collect();
    let mut expected = x.clone();
    for (axis, times) in times.iter().enumerate() {
        let size = x.len_of(Axis(axis));
        let from: Vec<_> = (0..size * times).map(|place| place % size).collect();
        expected = expected.select(Axis(axis), &from);
    }
    (format!("x.tile({times:?})"), expected, Needs::Nothing)
}

fn split(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let size = x.len_of(Axis(draw.axis));
    let parts = (1..=size.max(1))
        .rev()
        .find(|parts| size.is_multiple_of(*parts) && *parts <= 3)
        .unwrap_or(1);
    let chosen = draw.numbers[0] % parts;
    let part = size / parts;
    let slice = Slice::from(chosen * part..(chosen + 1) * part);
    let expected = x.slice_axis(Axis(draw.axis), slice).to_owned();
    (
        format!("x.split({parts}, {})[{chosen}]", draw.axis),
        expected,
        Needs::Axis(draw.axis),
    )
}

fn flatten(x: &ArrayD<i32>, _: &Draw) -> (String, ArrayD<i32>, Needs) {
    let expected = x.iter().copied().collect::<Vec<_>>();
    let expected = ArrayD::from_shape_vec(IxDyn(&[expected.len()]), expected);
    (
        "x.reshape([x.len()])".to_owned(),
        expected.expect("one axis"),
        Needs::Nothing,
    )
}

fn sum(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    (
        format!("x.sum_axis({})", draw.axis),
        x.sum_axis(Axis(draw.axis)),
        Needs::Nothing,
    )
}

fn broadcast(x: &ArrayD<i32>, draw: &Draw) -> (String, ArrayD<i32>, Needs) {
    let mut shape = x.shape().to_vec();
    let times = draw.numbers[0];
    shape.insert(0, times);
    let expected = x
        .broadcast(IxDyn(&shape))
        .expect("a new first axis")
        .to_owned();
    (
        format!(
            "x + zeros::<i32, {times}>().reshape([{times}{}])",
            ", 1".repeat(x.ndim())
        ),
        expected,
        Needs::Nothing,
    )
}
