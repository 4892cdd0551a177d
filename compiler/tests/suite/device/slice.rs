use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// For each element type, windows of tensors, at fixed places and at places known at run time.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(
                program.call(slices::<$ty>());
                program.call(updates::<$ty>());
            )*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program
}

const ROWS: usize = 4;
const COLUMNS: usize = 6;

fn name<T: Number>(what: &str) -> String {
    format!("{what}_{:?}", T::DTYPE).to_lowercase()
}

/// A table of edge values.
fn table<T: Number>() -> Vec<T> {
    let edges = T::edges().into_iter().cycle();
    edges.take(ROWS * COLUMNS).collect()
}

/// The window that starts at a row and a column.
fn window<T: Number>(table: &[T], start: [usize; 2], sizes: [usize; 2]) -> HostTensor {
    let rows = start[0]..start[0] + sizes[0];
    let at = |row, column| table[row * COLUMNS + column];
    let elements: Vec<T> = rows
        .flat_map(|row| (start[1]..start[1] + sizes[1]).map(move |column| at(row, column)))
        .collect();
    HostTensor::new(&sizes, &elements)
}

/// Starts as they are given, and as they are once the window of two rows and three columns fits.
const STARTS: [([i32; 2], [usize; 2]); 4] = [
    ([1, 2], [1, 2]),
    ([-5, 1], [0, 1]),
    ([3, 100], [2, 3]),
    ([i32::MIN, i32::MAX], [0, 3]),
];

/// Adds the starts as parameters.
fn starts(function: &mut Function) -> Vec<(String, [usize; 2])> {
    let starts = STARTS.iter().map(|(given, moved)| {
        let inputs = given.map(|start| function.input(HostTensor::new(&[], &[start])));
        (format!("%{}, %{}", inputs[0], inputs[1]), *moved)
    });
    starts.collect()
}

fn slices<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("slice"));
    let table = table::<T>();
    let x = function.input(HostTensor::new(&[ROWS, COLUMNS], &table));
    let scalar = function.input(HostTensor::new(&[], &table[1..2]));
    let empty = function.input(HostTensor::new::<T>(&[ROWS, 0], &[]));
    let starts = starts(&mut function);
    let whole = HostTensor::new(&[ROWS, COLUMNS], &table);

    let slice = |limits: &str| format!("slice %{x} {limits}");
    let inner = window(&table, [1, 2], [2, 3]);
    function.check(
        &slice("start [1, 2] limit [3, 5] stride [1, 1]"),
        inner,
        0.0,
    );
    let strided = [table[0], table[4], table[18], table[22]];
    let strided = HostTensor::new(&[2, 2], &strided);
    function.check(
        &slice("start [0, 0] limit [4, 6] stride [3, 4]"),
        strided,
        0.0,
    );
    let none = HostTensor::new::<T>(&[0, 6], &[]);
    function.check(&slice("start [2, 0] limit [2, 6] stride [1, 1]"), none, 0.0);
    for (start, moved) in starts {
        let operation = format!("dynamic_slice %{x}, {start} sizes [2, 3]");
        function.check(&operation, window(&table, moved, [2, 3]), 0.0);
    }
    let one = HostTensor::new(&[], &table[1..2]);
    function.check(&format!("dynamic_slice %{scalar} sizes []"), one, 0.0);
    let joined = [&table[..], &table].concat();
    let joined = HostTensor::new(&[2 * ROWS, COLUMNS], &joined);
    function.check(&format!("concatenate %{x}, %{x} axis 0"), joined, 0.0);
    function.check(
        &format!("concatenate %{empty}, %{x}, %{empty} axis 1"),
        whole.clone(),
        0.0,
    );
    function.check(&format!("concatenate %{x} axis 1"), whole, 0.0);
    function
}

fn updates<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("update"));
    let table = table::<T>();
    let patch: Vec<T> = table.iter().rev().take(6).copied().collect();
    let x = function.input(HostTensor::new(&[ROWS, COLUMNS], &table));
    let y = function.input(HostTensor::new(&[2, 3], &patch));
    let empty = function.input(HostTensor::new::<T>(&[0, 3], &[]));
    let scalar = function.input(HostTensor::new(&[], &table[1..2]));
    let starts = starts(&mut function);
    let first = starts[0].0.clone();
    for (start, moved) in starts {
        let mut expected = table.clone();
        for (index, element) in patch.iter().enumerate() {
            let (row, column) = (moved[0] + index / 3, moved[1] + index % 3);
            expected[row * COLUMNS + column] = *element;
        }
        let operation = format!("dynamic_update_slice %{x}, %{y}, {start}");
        function.check(
            &operation,
            HostTensor::new(&[ROWS, COLUMNS], &expected),
            0.0,
        );
    }
    let whole = HostTensor::new(&[ROWS, COLUMNS], &table);
    function.check(
        &format!("dynamic_update_slice %{x}, %{empty}, {first}"),
        whole,
        0.0,
    );
    let one = HostTensor::new(&[], &table[1..2]);
    function.check(
        &format!("dynamic_update_slice %{scalar}, %{scalar}"),
        one,
        0.0,
    );
    function
}
