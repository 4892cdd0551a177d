use super::{
    element::{Element, HostTensor},
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use iree_abi::TensorType;
use iree_dsl_ir::op::{BinaryOp, CompareOp, Op, Reduce, ReduceKind};
use num_complex::{Complex32, Complex64};

/// For each element type, reductions along every choice of axes, of nothing, and of edge values.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(program.call(reductions::<$ty>());)*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    macro_rules! ordered {
        ($($ty:ty)*) => {
            $(
                program.call(edges::<$ty>());
                program.call(arguments::<$ty>());
            )*
        };
    }
    ordered!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);
    program.call(long_sums());
    program
}

fn name<T: Element>(what: &str) -> String {
    format!("{what}_{:?}", T::DTYPE).to_lowercase()
}

fn accepts(kind: ReduceKind, axes: &[usize], ty: &TensorType) -> bool {
    let axes = axes.to_vec();
    let op = Op::Reduce(Reduce { kind, axes });
    op.infer(std::slice::from_ref(ty), &[]).is_ok()
}

/// Combines two elements; the order of combinations does not matter for the values used here.
pub(super) fn combine<T: Number>(kind: ReduceKind, a: T, b: T) -> T {
    let op = match kind {
        ReduceKind::Sum => BinaryOp::Add,
        ReduceKind::Product => BinaryOp::Multiply,
        ReduceKind::Maximum => BinaryOp::Maximum,
        ReduceKind::Minimum => BinaryOp::Minimum,
        ReduceKind::All => BinaryOp::And,
        ReduceKind::Any => BinaryOp::Or,
    };
    T::binary(op, a, b).expect("the reference has the operation")
}

/// What a reduction of nothing gives.
fn nothing<T: Number>(kind: ReduceKind) -> T {
    match kind {
        ReduceKind::Product | ReduceKind::All => T::count(1),
        _ => T::count(0),
    }
}

/// Reduces elements in row-major order.
pub(super) fn reduce<T: Number>(
    kind: ReduceKind,
    shape: &[usize],
    elements: &[T],
    axes: &[usize],
) -> HostTensor {
    let kept: Vec<_> = (0..shape.len())
        .filter(|axis| !axes.contains(axis))
        .collect();
    let sizes: Vec<_> = kept.iter().map(|axis| shape[*axis]).collect();
    let mut results: Vec<Option<T>> = vec![None; sizes.iter().product()];
    for (index, element) in elements.iter().enumerate() {
        let along = |axis: usize| {
            let inner: usize = shape[axis + 1..].iter().product();
            index / inner % shape[axis]
        };
        let place = kept
            .iter()
            .fold(0, |place, axis| place * shape[*axis] + along(*axis));
        results[place] = Some(match results[place] {
            Some(so_far) => combine(kind, so_far, *element),
            None => *element,
        });
    }
    let results: Vec<T> = results
        .into_iter()
        .map(|result| result.unwrap_or_else(|| nothing(kind)))
        .collect();
    HostTensor::new(&sizes, &results)
}

fn add<T: Number>(
    function: &mut Function,
    kind: ReduceKind,
    value: usize,
    shape: &[usize],
    elements: &[T],
    axes: &[usize],
) {
    if accepts(kind, axes, &TensorType::new(T::DTYPE, shape)) {
        let expected = reduce(kind, shape, elements, axes);
        let operation = format!("{} %{value} axes {axes:?}", kind.name());
        function.check(&operation, expected, 0.0);
    }
}

fn reductions<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("reduce"));
    let shape = [3, 4, 5];
    let pattern = [1, 2, 0, 1, 3, 1, -1, 2, 1, 1, -2, 1, 1];
    let sums: Vec<T> = (0..60).map(|index| T::small(pattern[index % 13])).collect();
    let signs: Vec<T> = (0..60)
        .map(|index| T::small([1, 1, -1][index % 3]))
        .collect();
    let scalar = [T::small(3)];
    let x = function.input(HostTensor::new(&shape, &sums));
    let y = function.input(HostTensor::new(&shape, &signs));
    let z = function.input(HostTensor::new(&[], &scalar));
    let empty = function.input(HostTensor::new::<T>(&[2, 0, 3], &[]));
    let choices: &[&[usize]] = &[&[], &[0], &[1], &[2], &[0, 2], &[1, 2], &[2, 0], &[0, 1, 2]];
    for kind in ReduceKind::ALL {
        // Products of many numbers would leave the range.
        let (value, elements) = match kind {
            ReduceKind::Product => (y, &signs),
            _ => (x, &sums),
        };
        for axes in choices {
            add(&mut function, *kind, value, &shape, elements, axes);
        }
        add(&mut function, *kind, z, &[], &scalar, &[]);
        for axes in [&[0][..], &[1], &[0, 1, 2]] {
            add::<T>(&mut function, *kind, empty, &[2, 0, 3], &[], axes);
        }
    }
    function
}

/// The extrema of each pair of edge values.
fn edges<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("edges"));
    let (shape, elements) = pairs::<T>();
    let x = function.input(HostTensor::new(&shape, &elements));
    for kind in [ReduceKind::Maximum, ReduceKind::Minimum] {
        add(&mut function, kind, x, &shape, &elements, &[1]);
    }
    function
}

fn pairs<T: Number>() -> ([usize; 2], Vec<T>) {
    let edges = T::edges();
    let pairs = edges
        .iter()
        .flat_map(|a| edges.iter().map(move |b| [*a, *b]));
    let elements: Vec<T> = pairs.flatten().collect();
    ([elements.len() / 2, 2], elements)
}

/// The first NaN, or else the first extremum.
fn argument<T: Number>(better: CompareOp, row: &[T]) -> i32 {
    let mut best = 0;
    for (index, element) in row.iter().enumerate() {
        if row[best].is_nan() {
            break;
        }
        if element.is_nan() || T::compare(better, *element, row[best]) {
            best = index;
        }
    }
    best as i32
}

fn arguments<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("argument"));
    let (pair_shape, pair_elements) = pairs::<T>();
    let edges = T::edges();
    let rotate = |start: usize| edges.iter().cycle().skip(start).take(edges.len());
    let rows: Vec<T> = (0..edges.len()).flat_map(rotate).copied().collect();
    let pattern = [3, 1, 7, 7, 0, 7, -2, 0, 5, -2, 6];
    let ties: Vec<T> = (0..88).map(|index| T::small(pattern[index % 11])).collect();
    let tables = [
        (pair_shape, pair_elements),
        ([edges.len(), edges.len()], rows),
        ([8, 11], ties),
    ];
    let names = [
        ("arg_maximum", CompareOp::Greater),
        ("arg_minimum", CompareOp::Less),
    ];
    let inputs: Vec<_> = tables
        .iter()
        .map(|(shape, elements)| function.input(HostTensor::new(shape, elements)))
        .collect();
    let empty = function.input(HostTensor::new::<T>(&[0, 3], &[]));
    for (name, better) in names {
        for (value, (shape, elements)) in inputs.iter().zip(&tables) {
            let rows = elements.chunks(shape[1]);
            let expected: Vec<_> = rows.map(|row| argument(better, row)).collect();
            let expected = HostTensor::list(&expected);
            function.check(&format!("{name} %{value} axis 1"), expected, 0.0);
            let columns = (0..shape[1]).map(|column| {
                let column: Vec<T> = elements
                    .iter()
                    .skip(column)
                    .step_by(shape[1])
                    .copied()
                    .collect();
                argument(better, &column)
            });
            let expected = HostTensor::list(&columns.collect::<Vec<_>>());
            function.check(&format!("{name} %{value} axis 0"), expected, 0.0);
        }
        let expected = HostTensor::list::<i32>(&[]);
        function.check(&format!("{name} %{empty} axis 1"), expected, 0.0);
    }
    function
}

/// Sums that 16-bit numbers cannot keep while they add up.
fn long_sums() -> Function {
    let mut function = Function::new("long_sums");
    let half = function.input(HostTensor::list(&[f16::ONE; 4000]));
    let brain = function.input(HostTensor::list(&[bf16::ONE; 1000]));
    let single = function.input(HostTensor::list(&[0.5_f32; 100_000]));
    let sum = |value| format!("reduce_sum %{value} axes [0]");
    function.check(
        &sum(half),
        HostTensor::new(&[], &[f16::from_f32(4000.0)]),
        0.0,
    );
    function.check(
        &sum(brain),
        HostTensor::new(&[], &[bf16::from_f32(1000.0)]),
        0.0,
    );
    function.check(&sum(single), HostTensor::new(&[], &[50_000.0_f32]), 0.0);
    function
}
