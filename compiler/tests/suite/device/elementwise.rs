use super::{
    element::{Element, HostTensor},
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{BinaryOp, CompareOp, Op, UnaryOp};
use num_complex::{Complex32, Complex64};

/// For each element type, all elementwise operations on all pairs of values.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(program.call(function::<$ty>());)*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program.call(complex_abs(
        "abs_c64",
        &Complex32::edges(),
        |z: Complex32| z.re.hypot(z.im),
    ));
    program.call(complex_abs(
        "abs_c128",
        &Complex64::edges(),
        |z: Complex64| z.re.hypot(z.im),
    ));
    program
}

fn function<T: Number>() -> Function {
    let edges = T::edges();
    let pairs: Vec<_> = edges
        .iter()
        .flat_map(|a| edges.iter().map(move |b| (*a, *b)))
        .collect();
    let lhs: Vec<T> = pairs.iter().map(|(a, _)| *a).collect();
    let rhs: Vec<T> = pairs.iter().map(|(_, b)| *b).collect();
    let ty = TensorType::new(T::DTYPE, [pairs.len()]);
    let mut function = Function::new(format!("elementwise_{:?}", T::DTYPE).to_lowercase());
    let a = function.input(HostTensor::list(&lhs));
    let b = function.input(HostTensor::list(&rhs));
    for op in UnaryOp::ALL {
        let complex_abs = *op == UnaryOp::Abs && T::DTYPE.is_complex();
        if Op::Unary(*op).infer(std::slice::from_ref(&ty), &[]).is_ok() && !complex_abs {
            let results: Option<Vec<T>> = lhs.iter().map(|x| T::unary(*op, *x)).collect();
            // What Rust's standard library lacks is compared with other oracles.
            if let Some(results) = results {
                let units = unary_units(*op, T::DTYPE);
                let operation = format!("{} %{a}", op.name());
                function.check(&operation, HostTensor::list(&results), units);
            }
        }
    }
    for op in BinaryOp::ALL {
        if Op::Binary(*op)
            .infer(&[ty.clone(), ty.clone()], &[])
            .is_ok()
        {
            let results: Option<Vec<T>> =
                pairs.iter().map(|(a, b)| T::binary(*op, *a, *b)).collect();
            if let Some(results) = results {
                let units = binary_units(*op, T::DTYPE);
                let operation = format!("{} %{a}, %{b}", op.name());
                function.check(&operation, HostTensor::list(&results), units);
            }
        }
    }
    for op in CompareOp::ALL {
        if Op::Compare(*op)
            .infer(&[ty.clone(), ty.clone()], &[])
            .is_ok()
        {
            let results: Vec<_> = pairs.iter().map(|(a, b)| T::compare(*op, *a, *b)).collect();
            let results = HostTensor::list(&results);
            function.check(&format!("{} %{a}, %{b}", op.name()), results, 0.0);
        }
    }
    function
}

/// By how many units in the last place a function may be wrong.
pub(super) fn unary_units(op: UnaryOp, dtype: DType) -> f64 {
    match (op, dtype) {
        (UnaryOp::Abs | UnaryOp::Negate | UnaryOp::Floor | UnaryOp::RoundTiesEven, _) => 0.0,
        (_, DType::F16 | DType::BF16) => 1.0,
        (_, DType::C64 | DType::C128) => 8.0,
        _ => 4.0,
    }
}

pub(super) fn binary_units(op: BinaryOp, dtype: DType) -> f64 {
    match (op, dtype) {
        (BinaryOp::Power | BinaryOp::Atan2, DType::F16 | DType::BF16) => 1.0,
        (BinaryOp::Power | BinaryOp::Atan2, _) => 4.0,
        (_, DType::C64 | DType::C128) => 4.0,
        _ => 0.0,
    }
}

fn complex_abs<T: Element, Part: Element>(
    name: &str,
    edges: &[T],
    abs: impl Fn(T) -> Part,
) -> Function {
    let mut function = Function::new(name);
    let x = function.input(HostTensor::list(edges));
    let results: Vec<_> = edges.iter().map(|x| abs(*x)).collect();
    function.check(&format!("abs %{x}"), HostTensor::list(&results), 4.0);
    function
}
