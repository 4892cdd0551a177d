use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// Globals of every element type, their initialisers, calls, and the order of reads and writes.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! globals {
        ($($ty:ty)*) => {
            $(globals::<$ty>(&mut program);)*
        };
    }
    globals!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    order(&mut program);
    calls(&mut program);
    constants(&mut program);
    program
}

/// A constant, a computed and a mutable global, read and written.
fn globals<T: Number>(program: &mut Program) {
    let dtype = format!("{:?}", T::DTYPE).to_lowercase();
    let elements: Vec<T> = T::edges().into_iter().cycle().take(6).collect();
    let tensor = HostTensor::new(&[2, 3], &elements);
    let bytes = hexadecimal(&tensor);
    let ty = &tensor.ty;
    let scalar = HostTensor::new(&[], &[T::small(1)]);

    program.global(&format!("@constant.{dtype}: {ty} = bytes \"{bytes}\""));
    program.global(&format!(
        "@splat.{dtype}: {ty} = splat bytes \"{}\"",
        hexadecimal(&scalar)
    ));
    program.global(&format!("@made.{dtype}: {ty} = @make_{dtype} result 1"));
    program.global(&format!(
        "@scalar.{dtype}: {} = @make_{dtype} result 0",
        scalar.ty
    ));
    program.global(&format!("mutable @state.{dtype}: {ty} uninitialized"));
    let mut make = Function::new(format!("make_{dtype}"));
    let one = hexadecimal(&scalar);
    let one = make.operation(&format!("constant bytes \"{one}\""), &scalar.ty);
    make.output(one, scalar.ty.clone());
    let all = make.operation(&format!("constant bytes \"{bytes}\""), ty);
    make.output(all, ty.clone());
    program.helper(&make);

    let mut function = Function::new(format!("globals_{dtype}"));
    let reversed: Vec<T> = elements.iter().rev().copied().collect();
    let reversed = HostTensor::new(&[2, 3], &reversed);
    let given = function.input(reversed.clone());
    function.check(
        &format!("global_load @constant.{dtype}"),
        tensor.clone(),
        0.0,
    );
    let splat = HostTensor::new(&[2, 3], &[T::small(1); 6]);
    function.check(&format!("global_load @splat.{dtype}"), splat, 0.0);
    function.check(&format!("global_load @made.{dtype}"), tensor.clone(), 0.0);
    function.check(&format!("global_load @scalar.{dtype}"), scalar, 0.0);
    function.statement(&format!("global_store @state.{dtype} %{given}"));
    function.check(&format!("global_load @state.{dtype}"), reversed, 0.0);
    program.call(function);
}

fn hexadecimal(tensor: &HostTensor) -> String {
    let bytes = tensor.bytes.iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn single(number: f32) -> HostTensor {
    HostTensor::new(&[], &[number])
}

/// Reads and writes happen in program order.
fn order(program: &mut Program) {
    program.global("mutable @first: Tensor<f32> = splat 1.0");
    program.global("mutable @second: Tensor<f32> = splat 2.0");
    let ty = single(0.0).ty;
    let mut function = Function::new("order");
    let given = function.input(single(3.0));
    let first = function.operation("global_load @first", &ty);
    let second = function.operation("global_load @second", &ty);
    function.statement(&format!("global_store @first %{second}"));
    function.statement(&format!("global_store @second %{first}"));
    function.expect("the value before the store", first, single(1.0), 0.0);
    function.check("global_load @first", single(2.0), 0.0);
    function.check("global_load @second", single(1.0), 0.0);
    function.statement(&format!("global_store @first %{given}"));
    function.check("global_load @first", single(3.0), 0.0);
    program.call(function);
}

/// Calls of functions that store, of functions that call, and of exported ones.
fn calls(program: &mut Program) {
    program.global("mutable @count: Tensor<u16> = splat 65535");
    // A function and a global may have one name.
    program.global("@advance: Tensor<u16> = splat 1");
    let count = |number: u16| HostTensor::new(&[], &[number]);
    let ty = count(0).ty;

    let mut advance = Function::new("advance");
    let by = advance.operation("global_load @advance", &ty);
    let old = advance.operation("global_load @count", &ty);
    let new = advance.operation(&format!("add %{old}, %{by}"), &ty);
    advance.statement(&format!("global_store @count %{new}"));
    advance.expect("the count before", old, count(65535), 0.0);
    advance.expect("the count after", new, count(0), 0.0);
    program.call(advance);

    let mut twice = Function::new("twice");
    for (old, new) in [(65535, 0), (0, 1)] {
        let results = twice.pair("call @advance", &ty);
        twice.expect("the count before", results, count(old), 0.0);
        twice.expect("the count after", results + 1, count(new), 0.0);
    }
    twice.check("global_load @count", count(1), 0.0);
    program.call(twice);
}

/// Stores of constants, of arguments and of other globals, beside each other.
fn constants(program: &mut Program) {
    let list = |numbers: [i32; 3]| HostTensor::list(&numbers);
    let (first, second, third) = (list([1, 2, 3]), list([4, 5, 6]), list([7, 8, 9]));
    let ty = first.ty.clone();
    program.global(&format!("mutable @table: {ty} = [1, 2, 3]"));
    program.global(&format!("mutable @backup: {ty} = [4, 5, 6]"));
    program.global(&format!("mutable @counter: {ty} = @count result 0"));
    program.global("mutable @enabled: Tensor<bool> = splat false");
    let mut count = Function::new("count");
    let numbers = count.operation("iota axis 0", &ty);
    count.output(numbers, ty.clone());
    program.helper(&count);

    let mut get = Function::new("get");
    get.check("global_load @table", first.clone(), 0.0);
    get.check("global_load @backup", second.clone(), 0.0);
    get.check("global_load @counter", list([0, 1, 2]), 0.0);
    get.check("global_load @enabled", HostTensor::new(&[], &[false]), 0.0);
    program.call(get);

    let mut set = Function::new("set");
    let given = set.input(third.clone());
    set.statement(&format!("global_store @table %{given}"));
    set.check("global_load @table", third, 0.0);
    program.call(set);

    let mut reset = Function::new("reset");
    let old = reset.operation("global_load @table", &ty);
    let constant = reset.operation("constant [10, 20, 30]", &ty);
    reset.statement(&format!("global_store @table %{constant}"));
    let same = reset.operation("constant splat 1", &ty);
    reset.statement(&format!("global_store @counter %{same}"));
    let enabled = HostTensor::new(&[], &[true]);
    let enable = reset.operation("constant splat true", &enabled.ty);
    reset.statement(&format!("global_store @enabled %{enable}"));
    reset.expect("the table before", old, first.clone(), 0.0);
    reset.check("global_load @table", list([10, 20, 30]), 0.0);
    reset.check("global_load @counter", list([1, 1, 1]), 0.0);
    reset.check("global_load @enabled", enabled, 0.0);
    program.call(reset);

    let mut back_up = Function::new("back_up");
    let table = back_up.operation("global_load @table", &ty);
    back_up.statement(&format!("global_store @backup %{table}"));
    let negated = back_up.operation(&format!("negate %{table}"), &ty);
    back_up.statement(&format!("global_store @table %{negated}"));
    back_up.check("global_load @table", list([-1, -2, -3]), 0.0);
    back_up.check("global_load @backup", first, 0.0);
    program.call(back_up);
}
