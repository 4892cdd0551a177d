use super::{
    element::HostTensor,
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use iree_abi::DType;
use iree_dsl_ir::op::BinaryOp;
use num_complex::{Complex32, Complex64};

/// Windows of every form for `f32`, of some forms for each other element type: their sums of products
/// and what they are reduced to.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($function:ident: $($ty:ty)*) => {
            $(program.call($function::<$ty>());)*
        };
    }
    functions!(convolutions: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    functions!(sums: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    functions!(extrema: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);
    program
}

/// How a window moves along an axis: size of the tensor, size of the window, stride, padding, dilation
/// of the window, dilation of the tensor.
type Axis = (usize, usize, usize, (i64, i64), usize, usize);

/// How many windows there are along an axis.
fn count((size, window, stride, (low, high), dilation, input_dilation): Axis) -> usize {
    let wide = |size: usize, dilation: usize| match size {
        0 => 0,
        _ => (size as i64 - 1) * dilation as i64 + 1,
    };
    let room = wide(size, input_dilation) + low + high - wide(window, dilation);
    usize::try_from(room / stride as i64 + 1).expect("the window fits")
}

/// The place in the tensor of an element of a window, if there is one.
fn place(axis: Axis, window: usize, element: usize) -> Option<usize> {
    let (size, _, stride, (low, _), dilation, input_dilation) = axis;
    let wide = (window * stride + element * dilation) as i64 - low;
    let place = usize::try_from(wide).ok()?;
    (place % input_dilation == 0 && place / input_dilation < size).then_some(place / input_dilation)
}

/// Every tuple of indices below the sizes, the last counting fastest.
fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for size in sizes {
        let longer = all
            .iter()
            .flat_map(|index| (0..*size).map(|next| [index.as_slice(), &[next]].concat()));
        all = longer.collect();
    }
    all
}

fn offset(index: &[usize], sizes: &[usize]) -> usize {
    index
        .iter()
        .zip(sizes)
        .fold(0, |sum, (index, size)| sum * size + index)
}

fn attributes(axes: &[Axis]) -> String {
    let list = |of: fn(&Axis) -> i64| format!("{:?}", axes.iter().map(of).collect::<Vec<_>>());
    format!(
        "strides {} padding {} x {} dilation {} input_dilation {}",
        list(|axis| axis.2 as i64),
        list(|axis| axis.3.0),
        list(|axis| axis.3.1),
        list(|axis| axis.4 as i64),
        list(|axis| axis.5 as i64)
    )
}

fn fill<T: Number>(sizes: &[usize], pattern: &[i8]) -> Vec<T> {
    let numbers = pattern.iter().cycle().take(sizes.iter().product());
    numbers.map(|number| T::small(*number)).collect()
}

fn combine<T: Number>(op: BinaryOp, a: T, b: T) -> T {
    T::binary(op, a, b).expect("the reference has the operation")
}

/// A convolution by its definition.
struct Form {
    batch: usize,
    groups: usize,
    /// The features of one group: of the input and of the output.
    features: (usize, usize),
    axes: &'static [Axis],
    /// The axes of input, kernel and output, in the order of their roles.
    layouts: [&'static [usize]; 3],
}

const FORMS: &[Form] = &[
    Form {
        batch: 2,
        groups: 1,
        features: (3, 4),
        axes: &[(7, 3, 1, (1, 1), 1, 1)],
        layouts: [&[0, 2, 1], &[2, 1, 0], &[0, 2, 1]],
    },
    Form {
        batch: 2,
        groups: 1,
        features: (3, 2),
        axes: &[(8, 3, 2, (1, 2), 2, 1), (5, 2, 1, (0, 0), 1, 1)],
        layouts: [&[0, 3, 1, 2], &[3, 2, 0, 1], &[0, 3, 1, 2]],
    },
    Form {
        batch: 1,
        groups: 2,
        features: (2, 3),
        axes: &[(5, 3, 1, (1, 1), 1, 1), (4, 3, 2, (1, 1), 1, 1)],
        layouts: [&[0, 1, 2, 3], &[0, 1, 2, 3], &[0, 1, 2, 3]],
    },
    Form {
        batch: 2,
        groups: 3,
        features: (1, 2),
        axes: &[(4, 2, 1, (0, 0), 1, 1), (4, 2, 1, (0, 0), 1, 1)],
        layouts: [&[0, 3, 1, 2], &[3, 2, 0, 1], &[0, 3, 1, 2]],
    },
    Form {
        batch: 1,
        groups: 1,
        features: (2, 2),
        axes: &[(3, 3, 1, (2, 2), 1, 2), (3, 2, 1, (1, 1), 1, 3)],
        layouts: [&[0, 3, 1, 2], &[3, 2, 0, 1], &[3, 0, 2, 1]],
    },
    Form {
        batch: 1,
        groups: 1,
        features: (2, 1),
        axes: &[
            (3, 2, 1, (0, 0), 1, 1),
            (4, 2, 2, (1, 0), 1, 1),
            (3, 1, 1, (0, 0), 1, 1),
        ],
        layouts: [&[0, 4, 1, 2, 3], &[4, 3, 0, 1, 2], &[0, 4, 1, 2, 3]],
    },
    Form {
        batch: 1,
        groups: 1,
        features: (1, 1),
        axes: &[(6, 2, 1, (-1, -2), 1, 1)],
        layouts: [&[0, 2, 1], &[2, 1, 0], &[0, 2, 1]],
    },
    Form {
        batch: 3,
        groups: 1,
        features: (4, 5),
        axes: &[(1, 1, 1, (0, 0), 1, 1), (2, 1, 1, (0, 0), 1, 1)],
        layouts: [&[3, 0, 1, 2], &[0, 3, 2, 1], &[1, 0, 2, 3]],
    },
    Form {
        batch: 2,
        groups: 1,
        features: (0, 2),
        axes: &[(3, 2, 1, (0, 0), 1, 1)],
        layouts: [&[0, 2, 1], &[2, 1, 0], &[0, 2, 1]],
    },
    Form {
        batch: 2,
        groups: 1,
        features: (2, 2),
        axes: &[(0, 1, 1, (1, 1), 1, 1)],
        layouts: [&[0, 2, 1], &[2, 1, 0], &[0, 2, 1]],
    },
];

impl Form {
    /// The sizes in the order of their roles: of input, kernel and output.
    fn roles(&self) -> [Vec<usize>; 3] {
        let (inputs, outputs) = (self.features.0, self.groups * self.features.1);
        let sizes = |first: [usize; 2], of: fn(&Axis) -> usize| {
            first.into_iter().chain(self.axes.iter().map(of)).collect()
        };
        [
            sizes([self.batch, self.groups * inputs], |axis| axis.0),
            sizes([outputs, inputs], |axis| axis.1),
            sizes([self.batch, outputs], |axis| count(*axis)),
        ]
    }

    /// The sizes of input, kernel and output.
    fn shapes(&self) -> [Vec<usize>; 3] {
        let mut index = 0;
        self.roles().map(|roles| {
            index += 1;
            placed(&roles, self.layouts[index - 1])
        })
    }

    fn convolve<T: Number>(&self, input: &[T], kernel: &[T]) -> Vec<T> {
        let [input_shape, kernel_shape, shape] = self.shapes();
        let window: Vec<_> = self.axes.iter().map(|axis| axis.1).collect();
        let sum = |index: &Vec<usize>| {
            let index: Vec<_> = self.layouts[2].iter().map(|axis| index[*axis]).collect();
            let (feature, group) = (index[1], index[1] / self.features.1);
            let mut sum = T::count(0);
            for element in indices(&window) {
                let axes = self.axes.iter().zip(&index[2..]).zip(&element);
                let places = axes.map(|((axis, window), element)| place(*axis, *window, *element));
                let Some(places) = places.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                for channel in 0..self.features.0 {
                    let at = [&[index[0], group * self.features.0 + channel], &places[..]];
                    let a = input[offset(&placed(&at.concat(), self.layouts[0]), &input_shape)];
                    let at = [&[feature, channel], &element[..]].concat();
                    let b = kernel[offset(&placed(&at, self.layouts[1]), &kernel_shape)];
                    sum = combine(BinaryOp::Add, sum, combine(BinaryOp::Multiply, a, b));
                }
            }
            sum
        };
        indices(&shape).iter().map(sum).collect()
    }

    fn text(&self) -> String {
        let [input, kernel, output] = self.layouts;
        format!(
            "{} groups {} input {input:?} kernel {kernel:?} output {output:?}",
            attributes(self.axes),
            self.groups
        )
    }
}

/// What is listed by role in the order of the axes.
fn placed(roles: &[usize], layout: &[usize]) -> Vec<usize> {
    let mut axes = vec![0; roles.len()];
    for (role, axis) in roles.iter().zip(layout) {
        axes[*axis] = *role;
    }
    axes
}

/// How many forms there are for an element type.
fn forms<T: Number>() -> usize {
    match T::DTYPE {
        DType::F32 => usize::MAX,
        _ => 2,
    }
}

fn convolutions<T: Number>() -> Function {
    let mut function = Function::new(format!("convolve_{:?}", T::DTYPE).to_lowercase());
    let operands: Vec<_> = FORMS
        .iter()
        .take(forms::<T>())
        .map(|form| {
            let [input, kernel, _] = form.shapes();
            let a = fill::<T>(&input, &[1, 2, -1, 3, 0, 2, -3]);
            let b = fill::<T>(&kernel, &[2, -1, 1, 0, 3]);
            let inputs = (
                function.input(HostTensor::new(&input, &a)),
                function.input(HostTensor::new(&kernel, &b)),
            );
            (form, inputs, a, b)
        })
        .collect();
    for (form, (a, b), input, kernel) in operands {
        let [_, _, shape] = form.shapes();
        let expected = HostTensor::new(&shape, &form.convolve(&input, &kernel));
        let operation = format!("convolution %{a}, %{b} {}", form.text());
        function.check(&operation, expected, 0.0);
    }
    function
}

/// Windows over the tensors of one shape each.
const REDUCTIONS: &[&[Axis]] = &[
    &[(7, 3, 1, (0, 0), 1, 1)],
    &[
        (1, 1, 1, (0, 0), 1, 1),
        (6, 2, 2, (0, 0), 1, 1),
        (5, 3, 2, (1, 1), 1, 1),
    ],
    &[
        (2, 1, 1, (0, 0), 1, 1),
        (6, 3, 1, (2, 1), 2, 1),
        (4, 2, 1, (0, 0), 1, 1),
        (2, 1, 1, (0, 0), 1, 1),
    ],
    &[(3, 2, 1, (1, 1), 1, 2), (3, 2, 2, (0, 1), 1, 3)],
    &[(6, 2, 1, (-1, -1), 1, 1)],
    &[(3, 3, 3, (3, 3), 1, 1)],
    &[(0, 2, 1, (1, 2), 1, 1)],
];

fn reductions<T: Number>(function: &mut Function, kinds: &[(&str, BinaryOp, T)], pattern: &[i8]) {
    let shape = |axes: &[Axis]| axes.iter().map(|axis| axis.0).collect::<Vec<_>>();
    let operands: Vec<_> = REDUCTIONS
        .iter()
        .take(forms::<T>())
        .map(|axes| {
            let elements = fill::<T>(&shape(axes), pattern);
            let input = function.input(HostTensor::new(&shape(axes), &elements));
            (*axes, input, elements)
        })
        .collect();
    for (name, op, identity) in kinds {
        for (axes, input, elements) in &operands {
            let counts: Vec<_> = axes.iter().map(|axis| count(*axis)).collect();
            let sizes: Vec<_> = axes.iter().map(|axis| axis.1).collect();
            let reduce = |window: &Vec<usize>| {
                indices(&sizes).iter().fold(*identity, |result, element| {
                    let steps = axes.iter().zip(window).zip(element);
                    let places =
                        steps.map(|((axis, window), element)| place(*axis, *window, *element));
                    match places.collect::<Option<Vec<_>>>() {
                        Some(places) => {
                            combine(*op, result, elements[offset(&places, &shape(axes))])
                        }
                        None => result,
                    }
                })
            };
            let results: Vec<_> = indices(&counts).iter().map(reduce).collect();
            let operation = format!("{name} %{input} sizes {sizes:?} {}", attributes(axes));
            function.check(&operation, HostTensor::new(&counts, &results), 0.0);
        }
    }
}

fn sums<T: Number>() -> Function {
    let mut function = Function::new(format!("window_sum_{:?}", T::DTYPE).to_lowercase());
    let kinds = [("window_sum", BinaryOp::Add, T::count(0))];
    reductions(&mut function, &kinds, &[1, 2, -1, 3, 2, -2]);
    function
}

fn extrema<T: Number>() -> Function {
    let mut function = Function::new(format!("window_extrema_{:?}", T::DTYPE).to_lowercase());
    let of = |op| {
        let edges = T::edges().into_iter().filter(|edge| !edge.is_nan());
        edges
            .reduce(|a, b| combine(op, a, b))
            .expect("there are edges")
    };
    let kinds = [
        ("window_maximum", BinaryOp::Maximum, of(BinaryOp::Minimum)),
        ("window_minimum", BinaryOp::Minimum, of(BinaryOp::Maximum)),
    ];
    reductions(&mut function, &kinds, &[1, 5, -1, 3, 0, -7]);
    function
}
