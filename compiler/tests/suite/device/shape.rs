use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// For each element type, operations that move elements without looking at them, on edge values, and
/// tensors made from nothing.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(
                program.call(moves::<$ty>());
                program.call(constants::<$ty>());
            )*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    macro_rules! counts {
        ($($ty:ty)*) => {
            $(program.call(counts::<$ty>());)*
        };
    }
    counts!(i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program
}

fn name<T: Number>(what: &str) -> String {
    format!("{what}_{:?}", T::DTYPE).to_lowercase()
}

/// 24 edge values.
fn elements<T: Number>() -> Vec<T> {
    T::edges().into_iter().cycle().take(24).collect()
}

fn moves<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("move"));
    let elements = elements::<T>();
    let x = function.input(HostTensor::new(&[2, 3, 4], &elements));
    let row = function.input(HostTensor::new(&[1, 4], &elements[..4]));
    let scalar = function.input(HostTensor::new(&[], &elements[1..2]));
    let empty = function.input(HostTensor::new::<T>(&[0, 3], &[]));
    let mask: Vec<_> = (0..24).map(|index| index % 3 == 0).collect();
    let mask_input = function.input(HostTensor::new(&[2, 3, 4], &mask));
    let reversed: Vec<T> = elements.iter().rev().copied().collect();
    let other = function.input(HostTensor::new(&[2, 3, 4], &reversed));

    let mut check = |operation: String, shape: &[usize], elements: &[T]| {
        function.check(&operation, HostTensor::new(shape, elements), 0.0);
    };
    let at = |i: usize, j: usize, k: usize| elements[(i * 3 + j) * 4 + k];
    let mut turned = Vec::new();
    for k in 0..4 {
        for i in 0..2 {
            turned.extend((0..3).map(|j| at(i, j, k)));
        }
    }
    check(
        format!("transpose %{x} permutation [2, 0, 1]"),
        &[4, 2, 3],
        &turned,
    );
    check(
        format!("transpose %{scalar} permutation []"),
        &[],
        &elements[1..2],
    );
    check(
        format!("transpose %{empty} permutation [1, 0]"),
        &[3, 0],
        &[],
    );
    check(format!("reshape %{x}"), &[24], &elements);
    check(format!("reshape %{x}"), &[1, 6, 4, 1], &elements);
    check(format!("reshape %{scalar}"), &[1, 1], &elements[1..2]);
    check(format!("reshape %{empty}"), &[7, 0, 2], &[]);
    check(
        format!("broadcast %{scalar} axes []"),
        &[2, 5],
        &[elements[1]; 10],
    );
    check(format!("broadcast %{scalar} axes []"), &[2, 0], &[]);
    check(format!("broadcast %{empty} axes [1, 2]"), &[2, 0, 3], &[]);
    let rows: Vec<T> = (0..3).flat_map(|_| elements[..4].to_vec()).collect();
    check(format!("broadcast %{row} axes [0, 1]"), &[3, 4], &rows);
    let columns: Vec<T> = elements[..4]
        .iter()
        .flat_map(|element| [*element; 2])
        .collect();
    check(
        format!("broadcast %{row} axes [0, 1]"),
        &[1, 4],
        &elements[..4],
    );
    check(
        format!("broadcast %{row} axes [0, 1]"),
        &[1, 4, 2],
        &columns,
    );
    let chosen: Vec<T> = (0..24)
        .map(|index| {
            if mask[index] {
                elements[index]
            } else {
                reversed[index]
            }
        })
        .collect();
    check(
        format!("select %{mask_input}, %{x}, %{other}"),
        &[2, 3, 4],
        &chosen,
    );
    function
}

/// Constants as the text form writes them.
fn constants<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("constant"));
    let elements = elements::<T>();
    for tensor in [
        HostTensor::new(&[4, 6], &elements),
        HostTensor::new(&[], &elements[3..4]),
        HostTensor::new::<T>(&[3, 0], &[]),
    ] {
        let bytes = hexadecimal(&tensor.bytes);
        function.check(&format!("constant bytes \"{bytes}\""), tensor, 0.0);
    }
    for element in T::edges() {
        let tensor = HostTensor::list(&[element; 3]);
        let bytes = hexadecimal(&tensor.bytes[..T::DTYPE.size()]);
        function.check(&format!("constant splat bytes \"{bytes}\""), tensor, 0.0);
    }
    function
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn counts<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("iota"));
    let count = |number: usize| T::count(number as i8);
    let rows: Vec<T> = (0..6).map(|index| count(index / 3)).collect();
    let columns: Vec<T> = (0..6).map(|index| count(index % 3)).collect();
    function.check("iota axis 0", HostTensor::new(&[2, 3], &rows), 0.0);
    function.check("iota axis 1", HostTensor::new(&[2, 3], &columns), 0.0);
    function.check("iota axis 0", HostTensor::new::<T>(&[0, 3], &[]), 0.0);
    let many: Vec<T> = (0..120).map(count).collect();
    function.check("iota axis 0", HostTensor::list(&many), 0.0);
    function
}
