use super::{
    element::HostTensor,
    number::Number,
    order::SHAPED,
    program::{Function, Program},
    rearrange::{flat, place, table},
};
use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{BinaryOp, Op, Scatter, ScatterKind};
use num_complex::{Complex32, Complex64};

/// For each element type, elements looked up and combined at places known at run time.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(
                program.call(gathers::<$ty>());
                program.call(scatters::<$ty>());
            )*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program.call(long_sums());
    program.call(many_updates());
    program
}

/// More updates than fit on a stack, computed where they are used.
fn many_updates() -> Function {
    const COUNT: usize = 20_000;
    let mut function = Function::new("many_updates");
    let start: Vec<f32> = vec![0.5; 50];
    let places: Vec<i32> = (0..COUNT).map(|index| (index % 53) as i32 - 1).collect();
    let numbers: Vec<f32> = (0..COUNT).map(|index| (index % 5) as f32).collect();
    let mut expected = start.clone();
    for (place, number) in places.iter().zip(&numbers) {
        let place = usize::try_from(*place).ok();
        if let Some(sum) = place.and_then(|place| expected.get_mut(place)) {
            *sum += number * number;
        }
    }
    let x = function.input(HostTensor::list(&start));
    let at = function.input(HostTensor::list(&places));
    let y = function.input(HostTensor::list(&numbers));
    let squares = TensorType::new(DType::F32, [COUNT]);
    let squares = function.operation(&format!("multiply %{y}, %{y}"), &squares);
    let operation = format!("scatter_add %{x}, %{squares}, %{at} axes [0]");
    function.check(&operation, HostTensor::list(&expected), 0.0);
    function
}

/// The sizes of a tensor, axes of it, and the sizes of the places along them.
type Case<'c> = (&'c [usize], &'c [usize], &'c [usize]);

const CASES: &[Case<'_>] = &[
    (&[4, 3], &[0], &[5]),
    (&[4, 3], &[1], &[2, 3]),
    (&[2, 3, 2], &[1], &[4]),
    (&[12], &[0], &[]),
    (&[4, 3], &[0], &[]),
    (&[4, 3], &[0, 1], &[5]),
    (&[2, 3, 2], &[0, 2], &[3]),
    (&[2, 3, 2], &[1, 2], &[2, 2]),
    (&[2, 3, 2], &[0, 1, 2], &[7]),
    (&[1, 12], &[0], &[3]),
    (&[4, 3], &[0], &[0]),
    (&[4, 0], &[0], &[3]),
    (&[0, 3], &[0], &[0]),
];

/// Inside and outside any of the axes.
const PLACES: [i32; 11] = [1, 0, 2, 1, -1, 3, 0, 100, 1, i32::MIN, i32::MAX];

/// All cases for one element type, one for each number of axes for the others.
fn cases<T: Number>() -> impl Iterator<Item = &'static Case<'static>> {
    let all = T::DTYPE == SHAPED;
    let cases = CASES.iter().enumerate();
    let cases = cases.filter(move |(index, _)| all || matches!(index, 1 | 6));
    cases.map(|(_, case)| case)
}

/// The places of a case along each of its axes.
fn places((_, axes, sizes): &Case<'_>) -> Vec<Vec<i32>> {
    let count = sizes.iter().product();
    let from = |start: usize| PLACES.into_iter().cycle().skip(start).take(count).collect();
    (0..axes.len()).map(|index| from(4 * index)).collect()
}

/// The sizes of what is looked up.
fn looked_up((sizes, axes, places): &Case<'_>) -> Vec<usize> {
    let kept = |range: std::ops::Range<usize>| range.filter(|axis| !axes.contains(axis));
    let size = |axis: usize| sizes[axis];
    let before = kept(0..axes[0]).map(size);
    let behind = kept(axes[0]..sizes.len()).map(size);
    before.chain(places.iter().copied()).chain(behind).collect()
}

/// The place in the tensor that belongs to one of what is looked up, as far as the tensor goes.
fn source(case: &Case<'_>, result: &[usize], places: &[Vec<i32>]) -> Vec<i64> {
    let (sizes, axes, place_sizes) = case;
    let list = &result[axes[0]..axes[0] + place_sizes.len()];
    let mut kept = result[..axes[0]]
        .iter()
        .chain(&result[axes[0] + list.len()..]);
    (0..sizes.len())
        .map(|axis| match axes.iter().position(|other| *other == axis) {
            Some(index) => i64::from(places[index][flat(place_sizes, list)]),
            None => *kept.next().expect("there is a place along each axis") as i64,
        })
        .collect()
}

fn inputs(function: &mut Function, sizes: &[usize], places: &[Vec<i32>]) -> String {
    let inputs = places
        .iter()
        .map(|places| function.input(HostTensor::new(sizes, places)));
    let inputs: Vec<_> = inputs.map(|input| format!("%{input}")).collect();
    inputs.join(", ")
}

fn gathers<T: Number>() -> Function {
    let mut function = Function::new(format!("gather_{:?}", T::DTYPE).to_lowercase());
    let edges: Vec<T> = T::edges().into_iter().cycle().take(12).collect();
    let values: Vec<_> = cases::<T>()
        .map(|case| {
            let elements = &edges[..case.0.iter().product()];
            let x = function.input(HostTensor::new(case.0, elements));
            (x, inputs(&mut function, case.2, &places(case)))
        })
        .collect();
    for (case, (x, indices)) in cases::<T>().zip(values) {
        let places = places(case);
        let expected = table(&looked_up(case), |result| {
            let source = source(case, result, &places);
            let inside = source.iter().zip(case.0);
            let inside = inside.map(|(at, size)| (*at).clamp(0, *size as i64 - 1) as usize);
            edges[flat(case.0, &inside.collect::<Vec<_>>())]
        });
        let operation = format!("gather %{x}, {indices} axes {:?}", case.1);
        function.check(&operation, expected, 0.0);
    }
    function
}

fn accepts(kind: ScatterKind, ty: TensorType) -> bool {
    let op = Op::Scatter(Scatter {
        kind,
        axes: vec![0],
    });
    let places = TensorType::new(iree_abi::DType::I32, ty.shape.clone());
    op.infer(&[ty.clone(), ty, places], &[]).is_ok()
}

fn combine<T: Number>(kind: ScatterKind, a: T, b: T) -> T {
    let op = match kind {
        ScatterKind::Replace => return b,
        ScatterKind::Add => BinaryOp::Add,
        ScatterKind::Multiply => BinaryOp::Multiply,
        ScatterKind::Maximum => BinaryOp::Maximum,
        ScatterKind::Minimum => BinaryOp::Minimum,
    };
    T::binary(op, a, b).expect("the reference has the operation")
}

fn scatters<T: Number>() -> Function {
    let mut function = Function::new(format!("scatter_{:?}", T::DTYPE).to_lowercase());
    let elements: Vec<T> = (0..12)
        .map(|index| T::small([1, -2, 3, 0][index % 4]))
        .collect();
    let updates = |count| -> Vec<T> {
        let small = [2, -1, 1, 3, -3];
        (0..count).map(|index| T::small(small[index % 5])).collect()
    };
    let values: Vec<_> = cases::<T>()
        .map(|case| {
            let x = HostTensor::new(case.0, &elements[..case.0.iter().product()]);
            let sizes = looked_up(case);
            let others = HostTensor::new(&sizes, &updates(sizes.iter().product()));
            let (x, others) = (function.input(x), function.input(others));
            (x, others, inputs(&mut function, case.2, &places(case)))
        })
        .collect();
    let kinds = ScatterKind::ALL.iter().copied();
    for kind in kinds.filter(|kind| accepts(*kind, TensorType::new(T::DTYPE, [1]))) {
        for (case, (x, others, indices)) in cases::<T>().zip(&values) {
            let mut expected = elements[..case.0.iter().product()].to_vec();
            let (sizes, places) = (looked_up(case), places(case));
            let count = sizes.iter().product();
            for (index, other) in updates(count).into_iter().enumerate() {
                let source = source(case, &place(&sizes, index), &places);
                let inside = source.iter().zip(case.0);
                let inside =
                    inside.map(|(at, size)| usize::try_from(*at).ok().filter(|at| at < size));
                if let Some(at) = inside.collect::<Option<Vec<_>>>() {
                    let element = &mut expected[flat(case.0, &at)];
                    *element = combine(kind, *element, other);
                }
            }
            let operation = format!(
                "{} %{x}, %{others}, {indices} axes {:?}",
                kind.name(),
                case.1
            );
            function.check(&operation, HostTensor::new(case.0, &expected), 0.0);
        }
    }
    function
}

/// Sums that 16-bit numbers cannot keep while they add up.
fn long_sums() -> Function {
    let mut function = Function::new("scatter_long_sums");
    let zero = function.input(HostTensor::list(&[f16::ZERO; 2]));
    let ones = function.input(HostTensor::list(&[f16::ONE; 4000]));
    let places = function.input(HostTensor::list(&[1_i32; 4000]));
    let expected = HostTensor::list(&[f16::ZERO, f16::from_f32(4000.0)]);
    function.check(
        &format!("scatter_add %{zero}, %{ones}, %{places} axes [0]"),
        expected,
        0.0,
    );
    function
}
