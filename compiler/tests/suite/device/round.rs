use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{BinaryOp, UnaryOp};

/// Numbers of 16 bits that are computed from others: each operation rounds, also where IREE computes several
/// together.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty: $widen:expr, $narrow:expr;)+) => {
            $(
                program.call(elementwise::<$ty>($widen, $narrow));
                program.call(summed::<$ty>($widen, $narrow));
            )+
        };
    }
    functions! {
        f16: f16::to_f32, f16::from_f32;
        bf16: bf16::to_f32, bf16::from_f32;
    }
    program
}

fn name<T: Number>(what: &str) -> String {
    format!("{what}_{:?}", T::DTYPE).to_lowercase()
}

const FIRST: [BinaryOp; 4] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
];

fn binary<T: Number>(op: BinaryOp, a: T, b: T) -> T {
    T::binary(op, a, b).expect("operations on two numbers")
}

fn elementwise<T: Number>(widen: impl Fn(T) -> f32, narrow: impl Fn(f32) -> T) -> Function {
    let edges = T::edges();
    let pairs = edges
        .iter()
        .flat_map(|a| edges.iter().map(move |b| (*a, *b)));
    // The least level of CPUs takes subnormal numbers of `f16` for 0, and all do those of `f32`, so of `bf16`.
    let least = match T::DTYPE {
        DType::F16 => f16::MIN_POSITIVE.to_f32(),
        _ => f32::MIN_POSITIVE,
    };
    let is_subnormal = |number: f32| number != 0.0 && number.abs() < least;
    let pairs = pairs.filter(|(a, b)| {
        !FIRST
            .iter()
            .any(|op| is_subnormal(widen(binary(*op, *a, *b))))
    });
    let pairs: Vec<(T, T)> = pairs.collect();
    let wide: Vec<f32> = (0..pairs.len())
        .map(|index| 1.0 + index as f32 / 1000.0)
        .collect();
    let mut function = Function::new(name::<T>("elementwise"));
    let a = function.input(HostTensor::list(
        &pairs.iter().map(|it| it.0).collect::<Vec<_>>(),
    ));
    let b = function.input(HostTensor::list(
        &pairs.iter().map(|it| it.1).collect::<Vec<_>>(),
    ));
    let w = function.input(HostTensor::list(&wide));
    let ty = TensorType::new(T::DTYPE, [pairs.len()]);
    for first in FIRST {
        for second in [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply] {
            let results = pairs.iter();
            let results = results.map(|(a, b)| binary(second, binary(first, *a, *b), *a));
            let results: Vec<T> = results.collect();
            let inner = function.operation(&format!("{} %{a}, %{b}", first.name()), &ty);
            let outer = format!("{} %{inner}, %{a}", second.name());
            function.check(&outer, HostTensor::list(&results), 0.0);
        }
    }
    let sum = function.operation(&format!("add %{a}, %{b}"), &ty);
    let sums: Vec<f32> = pairs
        .iter()
        .map(|(a, b)| widen(binary(BinaryOp::Add, *a, *b)))
        .collect();
    function.check(&format!("convert %{sum}"), HostTensor::list(&sums), 0.0);
    let root = |x| T::unary(UnaryOp::Sqrt, x).expect("square roots");
    let roots: Vec<T> = pairs
        .iter()
        .map(|(a, _)| binary(BinaryOp::Multiply, root(*a), root(*a)))
        .collect();
    let inner = function.operation(&format!("sqrt %{a}"), &ty);
    let square = format!("multiply %{inner}, %{inner}");
    function.check(&square, HostTensor::list(&roots), 0.0);
    let rounded: Vec<f32> = wide.iter().map(|x| widen(narrow(*x))).collect();
    let inner = function.operation(&format!("convert %{w}"), &ty);
    function.check(
        &format!("convert %{inner}"),
        HostTensor::list(&rounded),
        0.0,
    );
    function
}

/// Sums that are exact in `f32`, and have more digits than the type.
fn summed<T: Number>(widen: impl Fn(T) -> f32, narrow: impl Fn(f32) -> T) -> Function {
    const ROWS: usize = 9;
    const COLUMNS: usize = 33;
    let numbers: Vec<T> = (0..ROWS * COLUMNS)
        .map(|index| T::small((index % 101) as i8))
        .collect();
    let factors: Vec<T> = (0..COLUMNS)
        .map(|index| T::small((index % 7) as i8))
        .collect();
    let tensor = TensorType::new(T::DTYPE, [ROWS]);
    let mut function = Function::new(name::<T>("summed"));
    let x = function.input(HostTensor::new(&[ROWS, COLUMNS], &numbers));
    let y = function.input(HostTensor::list(&factors));
    let offset = function.input(HostTensor::list(&[narrow(-1000.0); ROWS]));
    let behind = |sum: f32| narrow(widen(narrow(sum)) - 1000.0);
    let rows = || numbers.chunks(COLUMNS);
    let sums = rows().map(|row| behind(row.iter().map(|x| widen(*x)).sum()));
    let products = rows().map(|row| {
        let pairs = row.iter().zip(&factors);
        behind(pairs.map(|(x, y)| widen(*x) * widen(*y)).sum())
    });
    for (operation, results) in [
        (
            format!("reduce_sum %{x} axes [1]"),
            sums.collect::<Vec<T>>(),
        ),
        (
            format!("dot_general %{x}, %{y} batch [] x [] contract [1] x [0]"),
            products.collect(),
        ),
    ] {
        let inner = function.operation(&operation, &tensor);
        let outer = format!("add %{inner}, %{offset}");
        function.check(&outer, HostTensor::list(&results), 0.0);
    }
    function
}
