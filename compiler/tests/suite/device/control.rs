use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// Branches and loops that carry tensors of every element type, and that load and store globals.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(
                program.call(branches::<$ty>());
                program.call(loops::<$ty>());
            )*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program.call(nested());
    program.global("mutable @total: Tensor<i32> = splat 10");
    program.call(stores());
    program
}

fn name<T: Number>(what: &str) -> String {
    format!("{what}_{:?}", T::DTYPE).to_lowercase()
}

/// Two different tensors.
fn pair<T: Number>() -> [HostTensor; 2] {
    let edges = T::edges();
    let reversed: Vec<T> = edges.iter().rev().copied().collect();
    [HostTensor::list(&edges), HostTensor::list(&reversed)]
}

/// Two that are too large for a branch to become a selection.
fn large_pair<T: Number>() -> [HostTensor; 2] {
    let edges = T::edges().into_iter().cycle();
    let first: Vec<T> = edges.take(16 * 1024 + 1).collect();
    let reversed: Vec<T> = first.iter().rev().copied().collect();
    [HostTensor::list(&first), HostTensor::list(&reversed)]
}

fn branches<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("branch"));
    let conditions = [true, false].map(|condition| {
        let input = HostTensor::new(&[], &[condition]);
        (condition, function.input(input))
    });
    let pairs = [pair::<T>(), large_pair::<T>()].map(|pair| {
        let inputs = [0, 1].map(|side: usize| function.input(pair[side].clone()));
        (pair, inputs)
    });
    for ([a, b], [x, y]) in pairs {
        let ty = &a.ty;
        for (condition, input) in conditions {
            let result = function.reserve(1);
            function.statement(&format!(
                "%{result} = if %{input} : {ty} region() {{ return %{x} }} region() {{ return %{y} }}"
            ));
            let expected = if condition { &a } else { &b };
            function.expect(format!("if {condition}"), result, expected.clone(), 0.0);
        }
    }
    function
}

/// Exchanges two tensors three times.
fn loops<T: Number>() -> Function {
    let mut function = Function::new(name::<T>("loop"));
    let [a, b] = pair::<T>();
    let ty = &a.ty;
    let start = function.input(HostTensor::new(&[], &[0_i32]));
    let (x, y) = (function.input(a.clone()), function.input(b.clone()));
    let result = function.reserve(3);
    let inner = function.reserve(10);
    let of = |index: usize| inner + index;
    function.statement(&format!(
        "%{result}, %{}, %{} = while %{start}, %{x}, %{y} : Tensor<i32>, {ty}, {ty}",
        result + 1,
        result + 2
    ));
    function.statement(&format!(
        "region(%{}: Tensor<i32>, %{}: {ty}, %{}: {ty}) {{
           %{} = constant splat 3 : Tensor<i32>
           %{} = less %{}, %{} : Tensor<bool>
           return %{}
         }}",
        of(0),
        of(1),
        of(2),
        of(3),
        of(4),
        of(0),
        of(3),
        of(4)
    ));
    function.statement(&format!(
        "region(%{}: Tensor<i32>, %{}: {ty}, %{}: {ty}) {{
           %{} = constant splat 1 : Tensor<i32>
           %{} = add %{}, %{} : Tensor<i32>
           return %{}, %{}, %{}
         }}",
        of(5),
        of(6),
        of(7),
        of(8),
        of(9),
        of(5),
        of(8),
        of(9),
        of(7),
        of(6)
    ));
    function.expect("the count", result, HostTensor::new(&[], &[3_i32]), 0.0);
    function.expect("the first", result + 1, b.clone(), 0.0);
    function.expect("the second", result + 2, a.clone(), 0.0);
    function
}

/// The sum of the rounds of a loop that branches.
fn nested() -> Function {
    let mut function = Function::new("nested");
    let limit = function.input(HostTensor::new(&[], &[10_i32]));
    function.statement(&format!(
        "%1 = constant splat 0 : Tensor<i32>
         %2, %3 = while %1, %1 : Tensor<i32>, Tensor<i32>
         region(%4: Tensor<i32>, %5: Tensor<i32>) {{
           %6 = less %4, %{limit} : Tensor<bool>
           return %6
         }} region(%7: Tensor<i32>, %8: Tensor<i32>) {{
           %9 = constant splat 5 : Tensor<i32>
           %10 = less %7, %9 : Tensor<bool>
           %11 = if %10 : Tensor<i32> region() {{
             %12 = dot_general %7, %7 batch [] x [] contract [] x [] : Tensor<i32>
             %13 = add %8, %12 : Tensor<i32>
             return %13
           }} region() {{
             %14 = subtract %8, %9 : Tensor<i32>
             return %14
           }}
           %15 = constant splat 1 : Tensor<i32>
           %16 = add %7, %15 : Tensor<i32>
           return %16, %11
         }}"
    ));
    function.reserve(16);
    function.expect("the rounds", 2, HostTensor::new(&[], &[10_i32]), 0.0);
    let sum = (0..5).map(|round| round * round).sum::<i32>() - 25;
    function.expect("the sum", 3, HostTensor::new(&[], &[sum]), 0.0);
    function
}

/// A global that is read before and stored after a loop.
fn stores() -> Function {
    let mut function = Function::new("stores");
    let limit = function.input(HostTensor::new(&[], &[4_i32]));
    function.statement(&format!(
        "%1 = global_load @total : Tensor<i32>
         %2 = constant splat 0 : Tensor<i32>
         %3, %4 = while %2, %1 : Tensor<i32>, Tensor<i32>
         region(%5: Tensor<i32>, %6: Tensor<i32>) {{
           %7 = less %5, %{limit} : Tensor<bool>
           return %7
         }} region(%8: Tensor<i32>, %9: Tensor<i32>) {{
           %10 = constant splat 1 : Tensor<i32>
           %11 = add %8, %10 : Tensor<i32>
           %12 = add %9, %11 : Tensor<i32>
           return %11, %12
         }}
         global_store @total %4"
    ));
    function.reserve(12);
    let total = HostTensor::new(&[], &[20_i32]);
    function.expect("the total before", 1, HostTensor::new(&[], &[10_i32]), 0.0);
    function.check("global_load @total", total, 0.0);
    function
}
