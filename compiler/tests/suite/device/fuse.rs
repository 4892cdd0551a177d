use super::{
    compare::number,
    convert::{Source, convert},
    element::HostTensor,
    elementwise::{binary_units, unary_units},
    number::Number,
    program::{Function, Program},
    reduce::reduce,
};
use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{BinaryOp, CompareOp, Op, ReduceKind, UnaryOp};
use num_complex::{Complex32, Complex64};

/// Operations on a matrix product, and products of their results: IREE fuses them, and stores products
/// in tiles. The product is one with the identity, so that what comes before and after is all that
/// there is to see.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(
                program.call(after::<$ty>());
                program.call(before::<$ty>());
                program.call(converted::<$ty>());
            )*
        };
    }
    functions!(i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program
}

const ROWS: usize = 12;
const COLUMNS: usize = 17;
/// Functions that are one operation of IREE, and one of those that are written with others: so much is
/// made of these that more of them would only take time.
const FUSED: &[UnaryOp] = &[
    UnaryOp::Abs,
    UnaryOp::Negate,
    UnaryOp::Not,
    UnaryOp::Sqrt,
    UnaryOp::Exp,
    UnaryOp::ExpM1,
    UnaryOp::Ln,
    UnaryOp::Ln1p,
    UnaryOp::Tanh,
    UnaryOp::Sigmoid,
    UnaryOp::Cos,
    UnaryOp::CountOnes,
    UnaryOp::LeadingZeros,
];

const CONTRACT: &str = "batch [] x [] contract [1] x [0]";

fn name<T: Number>(what: &str) -> String {
    format!("{what}_{:?}", T::DTYPE).to_lowercase()
}

fn numbers<T: Number>() -> Vec<T> {
    let pattern = [1, 2, -1, 3, 0, 2, -3, 1, 4, -2, 5];
    let numbers = (0..ROWS * COLUMNS).map(|index| T::count(pattern[index % 11]));
    numbers.collect()
}

fn identity<T: Number>() -> HostTensor {
    let elements: Vec<T> = (0..COLUMNS * COLUMNS)
        .map(|index| T::count(i8::from(index % (COLUMNS + 1) == 0)))
        .collect();
    HostTensor::new(&[COLUMNS, COLUMNS], &elements)
}

fn table<T: Number>(elements: impl Iterator<Item = T>) -> HostTensor {
    HostTensor::new(&[ROWS, COLUMNS], &elements.collect::<Vec<_>>())
}

fn after<T: Source>() -> Function {
    let mut function = Function::new(name::<T>("after"));
    let numbers = numbers::<T>();
    let shifted: Vec<T> = numbers
        .iter()
        .cycle()
        .skip(3)
        .take(numbers.len())
        .copied()
        .collect();
    let x = function.input(table(numbers.iter().copied()));
    let y = function.input(table(shifted.iter().copied()));
    let one = function.input(identity::<T>());
    let ty = TensorType::new(T::DTYPE, [ROWS, COLUMNS]);
    let product = format!("dot_general %{x}, %{one} {CONTRACT}");
    let p = function.operation(&product, &ty);
    let pairs = || numbers.iter().zip(&shifted);

    for op in FUSED {
        let accepted = Op::Unary(*op).infer(std::slice::from_ref(&ty), &[]).is_ok();
        if accepted && !(*op == UnaryOp::Abs && T::DTYPE.is_complex()) {
            let results: Option<Vec<T>> = numbers.iter().map(|x| T::unary(*op, *x)).collect();
            if let Some(results) = results {
                let units = unary_units(*op, T::DTYPE);
                let operation = format!("{} %{p}", op.name());
                function.check(&operation, table(results.into_iter()), units);
            }
        }
    }
    for op in BinaryOp::ALL {
        if Op::Binary(*op)
            .infer(&[ty.clone(), ty.clone()], &[])
            .is_ok()
        {
            let results: Option<Vec<T>> = pairs().map(|(a, b)| T::binary(*op, *a, *b)).collect();
            if let Some(results) = results {
                let units = binary_units(*op, T::DTYPE);
                let operation = format!("{} %{p}, %{y}", op.name());
                function.check(&operation, table(results.into_iter()), units);
            }
        }
    }
    for op in CompareOp::ALL {
        if Op::Compare(*op)
            .infer(&[ty.clone(), ty.clone()], &[])
            .is_ok()
        {
            let results = pairs().map(|(a, b)| T::compare(*op, *a, *b));
            function.check(&format!("{} %{p}, %{y}", op.name()), table(results), 0.0);
        }
    }
    for dtype in DType::ALL {
        if T::DTYPE.is_complex() && !dtype.is_complex() {
            continue;
        }
        let converted = numbers.iter().map(|number| convert(number.any(), dtype));
        let expected = HostTensor {
            ty: TensorType::new(dtype, [ROWS, COLUMNS]),
            bytes: converted.collect::<Vec<_>>().concat(),
        };
        function.check(&format!("convert %{p}"), expected, 0.0);
    }
    moves(&mut function, p, &numbers);
    function
}

fn moves<T: Number>(function: &mut Function, p: usize, numbers: &[T]) {
    let shape = [ROWS, COLUMNS];
    for kind in [ReduceKind::Sum, ReduceKind::Maximum, ReduceKind::Minimum] {
        if kind == ReduceKind::Sum || !T::DTYPE.is_complex() {
            for axis in 0..2 {
                let expected = reduce(kind, &shape, numbers, &[axis]);
                let operation = format!("{} %{p} axes [{axis}]", kind.name());
                function.check(&operation, expected, 0.0);
            }
        }
    }
    if !T::DTYPE.is_complex() {
        let rows = numbers.chunks(COLUMNS);
        let largest = rows.map(|row| {
            let largest = row.iter().copied().reduce(|a, b| {
                let is_larger = T::compare(CompareOp::Greater, b, a);
                if is_larger { b } else { a }
            });
            let largest = largest.expect("a row has numbers");
            let here = |x: &T| T::compare(CompareOp::Equal, *x, largest);
            row.iter().position(here).expect("it is there") as i32
        });
        let expected = HostTensor::list(&largest.collect::<Vec<_>>());
        function.check(&format!("arg_maximum %{p} axis 1"), expected, 0.0);
    }
    let turned = (0..COLUMNS).flat_map(|column| numbers.iter().skip(column).step_by(COLUMNS));
    let turned = HostTensor::new(&[COLUMNS, ROWS], &turned.copied().collect::<Vec<_>>());
    function.check(&format!("transpose %{p} permutation [1, 0]"), turned, 0.0);
    let twice = HostTensor::new(&[2, ROWS, COLUMNS], &numbers.repeat(2));
    function.check(&format!("broadcast %{p} axes [1, 2]"), twice, 0.0);
    let flat = HostTensor::list(numbers);
    function.check(&format!("reshape %{p}"), flat, 0.0);
    let row = HostTensor::new(&[1, COLUMNS], &numbers[COLUMNS..2 * COLUMNS]);
    let window = format!("start [1, 0] limit [2, {COLUMNS}] stride [1, 1]");
    function.check(&format!("slice %{p} {window}"), row, 0.0);
    let doubled = HostTensor::new(&[2 * ROWS, COLUMNS], &numbers.repeat(2));
    function.check(&format!("concatenate %{p}, %{p} axis 0"), doubled, 0.0);
}

fn before<T: Source>() -> Function {
    let mut function = Function::new(name::<T>("before"));
    let numbers = numbers::<T>();
    let turned: Vec<T> = (0..COLUMNS)
        .flat_map(|column| numbers.iter().skip(column).step_by(COLUMNS).copied())
        .collect();
    let mask: Vec<_> = (0..ROWS * COLUMNS).map(|index| index % 3 == 0).collect();
    let x = function.input(table(numbers.iter().copied()));
    let t = function.input(HostTensor::new(&[COLUMNS, ROWS], &turned));
    let m = function.input(table(mask.iter().copied()));
    let row = function.input(HostTensor::list(&numbers[..COLUMNS]));
    let one = function.input(identity::<T>());
    let ty = TensorType::new(T::DTYPE, [ROWS, COLUMNS]);
    let zero = function.operation(&format!("subtract %{x}, %{x}"), &ty);

    let mut check = |operation: String, expected: HostTensor| {
        let operand = function.operation(&operation, &ty);
        let product = format!("dot_general %{operand}, %{one} {CONTRACT}");
        let value = function.operation(&product, &ty);
        function.expect(format!("dot_general of {operation}"), value, expected, 0.0);
    };
    let negated = numbers
        .iter()
        .map(|x| T::binary(BinaryOp::Subtract, T::count(0), *x));
    let negated = negated.map(|x| x.expect("numbers can be subtracted"));
    check(format!("subtract %{zero}, %{x}"), table(negated));
    let doubled = numbers.iter().map(|x| T::binary(BinaryOp::Add, *x, *x));
    let doubled = doubled.map(|x| x.expect("numbers can be added"));
    check(format!("add %{x}, %{x}"), table(doubled));
    check(
        format!("transpose %{t} permutation [1, 0]"),
        table(numbers.iter().copied()),
    );
    let masked = numbers.iter().zip(&mask);
    let masked = masked.map(|(x, mask)| if *mask { *x } else { T::count(0) });
    check(format!("select %{m}, %{x}, %{zero}"), table(masked));
    let rows = numbers[..COLUMNS]
        .iter()
        .copied()
        .cycle()
        .take(ROWS * COLUMNS);
    check(format!("broadcast %{row} axes [1]"), table(rows));
    let bits = mask.iter().map(|mask| T::count(i8::from(*mask)));
    check(format!("convert %{m}"), table(bits));
    let columns = (0..ROWS * COLUMNS).map(|index| T::count((index % COLUMNS) as i8));
    check("iota axis 1".to_owned(), table(columns));
    function
}

/// Products of numbers that were of another type just before, with each other and with others.
fn converted<T: Source>() -> Function {
    let mut function = Function::new(name::<T>("converted"));
    let one = function.input(identity::<T>());
    macro_rules! sources {
        ($($ty:ty)*) => {
            [$(source::<$ty>(&mut function, T::DTYPE),)*]
        };
    }
    let sources = sources!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);
    for (source, x, eye, expected) in sources {
        let ty = &expected.ty.clone();
        let eye_type = TensorType::new(T::DTYPE, [COLUMNS, COLUMNS]);
        let converted = function.operation(&format!("convert %{x}"), ty);
        let right = function.operation(&format!("convert %{eye}"), &eye_type);
        for right in [one, right] {
            let product = format!("dot_general %{converted}, %{right} {CONTRACT}");
            let value = function.operation(&product, ty);
            let label = format!("dot_general of {source} as {}", T::DTYPE);
            function.expect(label, value, expected.clone(), 0.0);
        }
    }
    function
}

/// A table and an identity of one type as parameters, and the table in another type; without what is not
/// finite there, since that times 0 is no number.
fn source<S: Source>(function: &mut Function, dtype: DType) -> (DType, usize, usize, HostTensor) {
    let is_finite = |edge: &S| {
        let bytes = convert(edge.any(), dtype.real());
        dtype.is_integer() || number(dtype.real(), &bytes).is_finite()
    };
    let elements: Vec<S> = S::edges().into_iter().filter(is_finite).collect();
    let elements = elements.iter().cycle().take(ROWS * COLUMNS).copied();
    let x = table(elements.clone());
    let converted = elements.map(|element| convert(element.any(), dtype));
    let expected = HostTensor {
        ty: TensorType::new(dtype, [ROWS, COLUMNS]),
        bytes: converted.collect::<Vec<_>>().concat(),
    };
    let (x, eye) = (function.input(x), function.input(identity::<S>()));
    (S::DTYPE, x, eye, expected)
}
