use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
    rearrange::{flat, place},
    reduce::combine,
};
use half::{bf16, f16};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{ArgSort, CompareOp, Cumulate, Op};
use num_complex::{Complex32, Complex64};
use std::cmp::Ordering;

/// For each element type, orders, and what adds up along an axis.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! ordered {
        ($($ty:ty)*) => {
            $(program.call(sorts::<$ty>());)*
        };
    }
    ordered!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(program.call(cumulates::<$ty>());)*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program.call(long_sums());
    program
}

/// The element type with which all shapes are tried: what they do does not depend on the type.
pub(super) const SHAPED: DType = DType::F32;

/// The indices of the elements along an axis that goes through an index.
fn line(sizes: &[usize], axis: usize, index: usize) -> Vec<usize> {
    let mut at = place(sizes, index);
    let along = 0..sizes[axis];
    along
        .map(|position| {
            at[axis] = position;
            flat(sizes, &at)
        })
        .collect()
}

fn sorts<T: Number>() -> Function {
    let mut function = Function::new(format!("sort_{:?}", T::DTYPE).to_lowercase());
    let pattern = [3, 1, 7, 7, 0, 7, -2, 0, 5, -2, 6];
    let ties: Vec<T> = (0..88)
        .map(|index| T::small(pattern[index * 5 % 11]))
        .collect();
    let edges: Vec<T> = T::edges().into_iter().cycle().take(60).collect();
    let long: Vec<T> = ties.iter().copied().cycle().take(4100).collect();
    let mut tables: Vec<(&[usize], &[T])> = vec![(&[60], &edges), (&[11, 8], &ties)];
    if T::DTYPE == DType::I32 {
        tables.extend([
            (&[3, 5, 4][..], &edges[..]),
            (&[60, 1], &edges),
            (&[0, 3], &[]),
            (&[4100], &long),
        ]);
    }
    let inputs: Vec<_> = tables
        .iter()
        .map(|(sizes, elements)| function.input(HostTensor::new(sizes, elements)))
        .collect();
    for (x, (sizes, elements)) in inputs.into_iter().zip(tables) {
        for axis in 0..sizes.len() {
            for descending in [false, true] {
                let mut expected = vec![0_i32; elements.len()];
                let firsts = (0..elements.len()).filter(|index| place(sizes, *index)[axis] == 0);
                for line in firsts.map(|index| line(sizes, axis, index)) {
                    let mut places: Vec<_> = (0..line.len()).collect();
                    places.sort_by(|one, other| {
                        comes_before(elements[line[*one]], elements[line[*other]], descending)
                    });
                    for (index, place) in line.into_iter().zip(places) {
                        expected[index] = place as i32;
                    }
                }
                let op = ArgSort { axis, descending };
                let operation = format!("{} %{x} axis {axis}", op.name());
                function.check(&operation, HostTensor::new(sizes, &expected), 0.0);
            }
        }
    }
    function
}

/// Which of two elements is first: NaN is last, in any order.
fn comes_before<T: Number>(one: T, other: T, descending: bool) -> Ordering {
    match (one.is_nan(), other.is_nan()) {
        (false, false) if T::compare(CompareOp::Equal, one, other) => Ordering::Equal,
        (false, false) if T::compare(CompareOp::Less, one, other) != descending => Ordering::Less,
        (false, false) => Ordering::Greater,
        (one, other) => one.cmp(&other),
    }
}

fn cumulates<T: Number>() -> Function {
    let mut function = Function::new(format!("cumulate_{:?}", T::DTYPE).to_lowercase());
    let pattern = [1, 2, 0, 1, -1, 1, -2, 2, 1];
    let small: Vec<T> = (0..60).map(|index| T::small(pattern[index % 9])).collect();
    let mut sizes: Vec<&[usize]> = vec![&[60]];
    if T::DTYPE == SHAPED {
        sizes.extend([&[3, 5, 4][..], &[60, 1], &[0, 3]]);
    }
    let inputs: Vec<_> = sizes
        .iter()
        .map(|sizes| {
            let elements = &small[..sizes.iter().product()];
            function.input(HostTensor::new(sizes, elements))
        })
        .collect();
    for (x, sizes) in inputs.into_iter().zip(sizes) {
        for (axis, kind) in
            (0..sizes.len()).flat_map(|axis| Cumulate::KINDS.iter().map(move |kind| (axis, *kind)))
        {
            let op = Cumulate { kind, axis };
            let ty = TensorType::new(T::DTYPE, sizes);
            if Op::Cumulate(op.clone()).infer(&[ty], &[]).is_err() {
                continue;
            }
            let count = sizes.iter().product();
            let expected: Vec<T> = (0..count)
                .map(|index| {
                    let line = line(sizes, axis, index);
                    let before = &line[..=place(sizes, index)[axis]];
                    let elements = before.iter().map(|index| small[*index]);
                    let combined = elements.reduce(|a, b| combine(kind, a, b));
                    combined.expect("an element is before itself")
                })
                .collect();
            let operation = format!("{} %{x} axis {axis}", op.name());
            function.check(&operation, HostTensor::new(sizes, &expected), 0.0);
        }
    }
    function
}

/// Sums that 16-bit numbers cannot keep while they add up, and NaN, which stays.
fn long_sums() -> Function {
    let mut function = Function::new("cumulate_long");
    let ones = function.input(HostTensor::list(&[bf16::ONE; 1000]));
    let nan = f32::NAN;
    let x = function.input(HostTensor::list(&[1.0, nan, 3.0, f32::INFINITY]));
    let expected: Vec<_> = (1..=1000).map(|sum| bf16::from_f32(sum as f32)).collect();
    function.check(
        &format!("cumulate_sum %{ones} axis 0"),
        HostTensor::list(&expected),
        0.0,
    );
    function.check(
        &format!("cumulate_maximum %{x} axis 0"),
        HostTensor::list(&[1.0, nan, nan, nan]),
        0.0,
    );
    function.check(
        &format!("cumulate_minimum %{x} axis 0"),
        HostTensor::list(&[1.0, nan, nan, nan]),
        0.0,
    );
    function
}
