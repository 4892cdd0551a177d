use super::{
    element::{Element, HostTensor},
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use iree_dsl_ir::op::BinaryOp;
use num_complex::{Complex32, Complex64};

/// For each element type that has products, contractions of every form.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(program.call(contractions::<$ty>());)*
        };
    }
    functions!(i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program.call(large());
    program.call(long_sums());
    program.call(wide_sums());
    program
}

/// A contraction by its definition: for each batch, row and column, the sum over `depth`.
struct Form {
    lhs: &'static [usize],
    rhs: &'static [usize],
    axes: &'static str,
    result: &'static [usize],
    /// The sizes of batch, rows, columns and depth.
    sizes: [usize; 4],
    /// Whether the depth is the first axis of the second operand behind its batch, not the last.
    depth_first: bool,
}

const FORMS: &[Form] = &[
    Form {
        lhs: &[3, 4],
        rhs: &[4, 5],
        axes: "batch [] x [] contract [1] x [0]",
        result: &[3, 5],
        sizes: [1, 3, 5, 4],
        depth_first: true,
    },
    Form {
        lhs: &[2, 3, 4],
        rhs: &[2, 5, 4],
        axes: "batch [0] x [0] contract [2] x [2]",
        result: &[2, 3, 5],
        sizes: [2, 3, 5, 4],
        depth_first: false,
    },
    Form {
        lhs: &[4],
        rhs: &[4],
        axes: "batch [] x [] contract [0] x [0]",
        result: &[],
        sizes: [1, 1, 1, 4],
        depth_first: true,
    },
    Form {
        lhs: &[2],
        rhs: &[3],
        axes: "batch [] x [] contract [] x []",
        result: &[2, 3],
        sizes: [1, 2, 3, 1],
        depth_first: true,
    },
    Form {
        lhs: &[2, 2, 3],
        rhs: &[2, 3, 2],
        axes: "batch [] x [] contract [1, 2] x [0, 1]",
        result: &[2, 2],
        sizes: [1, 2, 2, 6],
        depth_first: true,
    },
    Form {
        lhs: &[3, 4],
        rhs: &[4],
        axes: "batch [] x [] contract [1] x [0]",
        result: &[3],
        sizes: [1, 3, 1, 4],
        depth_first: true,
    },
    Form {
        lhs: &[],
        rhs: &[],
        axes: "batch [] x [] contract [] x []",
        result: &[],
        sizes: [1, 1, 1, 1],
        depth_first: true,
    },
    Form {
        lhs: &[2, 0],
        rhs: &[0, 3],
        axes: "batch [] x [] contract [1] x [0]",
        result: &[2, 3],
        sizes: [1, 2, 3, 0],
        depth_first: true,
    },
    Form {
        lhs: &[0, 2],
        rhs: &[2, 3],
        axes: "batch [] x [] contract [1] x [0]",
        result: &[0, 3],
        sizes: [1, 0, 3, 2],
        depth_first: true,
    },
    Form {
        lhs: &[5],
        rhs: &[5],
        axes: "batch [0] x [0] contract [] x []",
        result: &[5],
        sizes: [5, 1, 1, 1],
        depth_first: true,
    },
];

fn contractions<T: Number>() -> Function {
    let mut function = Function::new(format!("contract_{:?}", T::DTYPE).to_lowercase());
    let fill = |shape: &[usize], pattern: &[i8]| -> Vec<T> {
        let count = shape.iter().product();
        let numbers = pattern.iter().cycle().take(count);
        numbers.map(|number| T::small(*number)).collect()
    };
    let operands: Vec<_> = FORMS
        .iter()
        .map(|form| {
            let lhs = fill(form.lhs, &[1, 2, -1, 3, 0, 2, -3]);
            let rhs = fill(form.rhs, &[2, -1, 1, 0, 3]);
            let inputs = (
                function.input(HostTensor::new(form.lhs, &lhs)),
                function.input(HostTensor::new(form.rhs, &rhs)),
            );
            (form, inputs, lhs, rhs)
        })
        .collect();
    for (form, (a, b), lhs, rhs) in operands {
        let elements = contract(form, &lhs, &rhs);
        let expected = HostTensor::new(form.result, &elements);
        let operation = format!("dot_general %{a}, %{b} {}", form.axes);
        function.check(&operation, expected, 0.0);
    }
    function
}

fn contract<T: Number>(form: &Form, lhs: &[T], rhs: &[T]) -> Vec<T> {
    let [batches, rows, columns, depths] = form.sizes;
    let binary = |op, a, b| T::binary(op, a, b).expect("the reference has the operation");
    let mut results = Vec::new();
    for place in 0..batches * rows * columns {
        let (batch, row, column) = (
            place / (rows * columns),
            place / columns % rows,
            place % columns,
        );
        let mut sum = T::count(0);
        for depth in 0..depths {
            let a = lhs[(batch * rows + row) * depths + depth];
            let b = match form.depth_first {
                true => rhs[(batch * depths + depth) * columns + column],
                false => rhs[(batch * columns + column) * depths + depth],
            };
            sum = binary(BinaryOp::Add, sum, binary(BinaryOp::Multiply, a, b));
        }
        results.push(sum);
    }
    results
}

/// Sizes that are no multiples of any tile.
fn large() -> Function {
    let mut function = Function::new("large");
    let (rows, columns, depths) = (65, 67, 130);
    let lhs: Vec<f32> = (0..rows * depths)
        .map(|i| ((i * 7) % 13) as f32 - 6.0)
        .collect();
    let rhs: Vec<f32> = (0..depths * columns)
        .map(|i| ((i * 5) % 11) as f32 - 5.0)
        .collect();
    let a = function.input(HostTensor::new(&[rows, depths], &lhs));
    let b = function.input(HostTensor::new(&[depths, columns], &rhs));
    let form = Form {
        lhs: &[],
        rhs: &[],
        axes: "batch [] x [] contract [1] x [0]",
        result: &[],
        sizes: [1, rows, columns, depths],
        depth_first: true,
    };
    let expected = HostTensor::new(&[rows, columns], &contract(&form, &lhs, &rhs));
    let operation = format!("dot_general %{a}, %{b} {}", form.axes);
    function.check(&operation, expected, 0.0);
    function
}

/// Sums that 16-bit numbers cannot keep while they add up.
fn long_sums() -> Function {
    fn add<T: Element>(function: &mut Function, inputs: (usize, usize), sum: T) {
        let (a, b) = inputs;
        let operation = format!("dot_general %{a}, %{b} batch [] x [] contract [0] x [0]");
        function.check(&operation, HostTensor::new(&[], &[sum]), 0.0);
    }
    let mut function = Function::new("long_sums");
    let half = HostTensor::list(&[f16::ONE; 4000]);
    let brain = HostTensor::list(&[bf16::ONE; 1000]);
    let halves = (function.input(half.clone()), function.input(half));
    let brains = (function.input(brain.clone()), function.input(brain));
    add(&mut function, halves, f16::from_f32(4000.0));
    add(&mut function, brains, bf16::from_f32(1000.0));
    function
}

/// Sums that are kept in a wider type than the products' factors.
fn wide_sums() -> Function {
    fn add<S: Element>(function: &mut Function, inputs: (usize, usize), sum: S) {
        let (a, b) = inputs;
        let operation = format!("dot_general %{a}, %{b} batch [] x [] contract [0] x [0]");
        function.check(&operation, HostTensor::new(&[], &[sum]), 0.0);
    }
    let mut function = Function::new("wide_sums");
    let mut twice = |tensor: HostTensor| (function.input(tensor.clone()), function.input(tensor));
    let signed = twice(HostTensor::list(&[-128_i8, 127, 100, -100]));
    let unsigned = twice(HostTensor::list(&[255_u8, 254, 1, 128]));
    let half = twice(HostTensor::list(&[f16::from_f32(300.0); 5]));
    let brain = twice(HostTensor::list(&[bf16::from_f32(257.0); 5]));
    let single = twice(HostTensor::list(&[16_777_216.0_f32, 1.0]));
    let complex = twice(HostTensor::list(&[
        Complex32::new(16_777_216.0, 0.0),
        Complex32::ONE,
    ]));
    add::<i32>(&mut function, signed, 128 * 128 + 127 * 127 + 20_000);
    add::<u64>(
        &mut function,
        unsigned,
        255 * 255 + 254 * 254 + 1 + 128 * 128,
    );
    add::<f32>(&mut function, half, 450_000.0);
    add::<f64>(&mut function, brain, 5.0 * 256.0 * 256.0);
    add::<f64>(&mut function, single, 2_f64.powi(48) + 1.0);
    add::<Complex64>(&mut function, complex, (2_f64.powi(48) + 1.0).into());
    function
}
