//! Views of a tensor beside updates of it in place, whatever the tensor comes from, and constants of which IREE makes
//! one: what is read after an update is what it was before.

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_on_all_devices},
    language::trace_right,
};
use libtest_mimic::{Failed, Trial};
use ndarray::{Array2, Axis, s};

type Rows = Array2<i32>;

/// What a tensor comes from.
struct Source {
    name: &'static str,
    text: &'static str,
    value: fn(&Rows) -> Rows,
}

const SOURCES: &[Source] = &[
    Source {
        name: "argument",
        text: "let v = x;",
        value: Rows::clone,
    },
    Source {
        name: "computed",
        text: "let v = x * 2;",
        value: |x| x * 2,
    },
    Source {
        name: "cumulated",
        text: "let v = x.cumsum(0);",
        value: |x| {
            let mut v = x.clone();
            v.accumulate_axis_inplace(Axis(0), |before, number| *number += before);
            v
        },
    },
    Source {
        name: "filled",
        text: "let v = zeros_like(x);",
        value: |x| Rows::zeros(x.dim()),
    },
    Source {
        name: "counted",
        text: "let v = iota::<i32, N, 4>(0) + 1;",
        value: |x| Rows::from_shape_fn(x.dim(), |(i, _)| i as i32 + 1),
    },
    Source {
        name: "carried",
        text: "let mut v = x; for i in range(0, k) { v = v * 2; }",
        value: |x| x * 4,
    },
    Source {
        name: "chosen",
        text: "let v = if k > 1 { x * 3 } else { x };",
        value: |x| x * 3,
    },
];

/// A value that may be in the memory of another.
struct View {
    text: &'static str,
    ty: &'static str,
    value: fn(&Rows) -> Vec<i32>,
}

const VIEWS: &[View] = &[
    View {
        text: "v",
        ty: "i32, N, 4",
        value: all,
    },
    View {
        text: "v.reshape([-1])",
        ty: "i32, { 4 * N }",
        value: all,
    },
    View {
        text: "v.insert_axis(0)",
        ty: "i32, 1, N, 4",
        value: all,
    },
    View {
        text: "v.insert_axis(0).swap_axes(0, 1)",
        ty: "i32, N, 1, 4",
        value: all,
    },
    View {
        text: "v.swap_axes(0, 1)",
        ty: "i32, 4, N",
        value: |v| v.t().iter().copied().collect(),
    },
    View {
        text: "v[1]",
        ty: "i32, 4",
        value: |v| v.row(1).to_vec(),
    },
    View {
        text: "v[s![.., 1..3]]",
        ty: "i32, N, 2",
        value: |v| v.slice(s![.., 1..3]).iter().copied().collect(),
    },
    View {
        text: "v.reshape([-1])[s![2..6]].reshape([2, 2])",
        ty: "i32, 2, 2",
        value: |v| all(v)[2..6].to_vec(),
    },
    View {
        text: "v.broadcast_to([1, N, 4])",
        ty: "i32, 1, N, 4",
        value: all,
    },
    View {
        text: "v as u32",
        ty: "u32, N, 4",
        value: all,
    },
    View {
        text: "v.insert_axis(2).sum_axis(2)",
        ty: "i32, N, 4",
        value: all,
    },
    View {
        text: "v.sum_axis(1)",
        ty: "i32, N",
        value: |v| v.sum_axis(Axis(1)).to_vec(),
    },
];

/// An update of some rows, and what they are then.
struct Update {
    name: &'static str,
    text: &'static str,
    value: fn(&Rows) -> Rows,
}

const UPDATES: &[Update] = &[
    Update {
        name: "row",
        text: "t[1] = 7;",
        value: |v| with_rows(v, &[(1, 7)]),
    },
    Update {
        name: "several",
        text: "t[k] = 8; t[s![0..2]] = full(7);",
        value: |v| with_rows(v, &[(2, 8), (0, 7), (1, 7)]),
    },
    Update {
        name: "added",
        text: "t = t.scatter_add([1, 2], ones::<i32, 2, 4>(), 0);",
        value: |v| {
            let mut v = v.clone();
            v.slice_mut(s![1..3, ..]).mapv_inplace(|number| number + 1);
            v
        },
    },
    Update {
        name: "rounds",
        text: "for i in range(0, k) { t[i] = i; }",
        value: |v| with_rows(v, &[(0, 0), (1, 1)]),
    },
    Update {
        name: "branch",
        text: "if k > 1 { t[k] = 9; }",
        value: |v| with_rows(v, &[(2, 9)]),
    },
];

fn all(v: &Rows) -> Vec<i32> {
    v.iter().copied().collect()
}

fn with_rows(v: &Rows, rows: &[(usize, i32)]) -> Rows {
    let mut v = v.clone();
    for (row, number) in rows {
        v.row_mut(*row).fill(*number);
    }
    v
}

pub(crate) fn trials() -> Vec<Trial> {
    let views = SOURCES.iter().flat_map(|source| {
        let known = move || check(source, Some(6), &[6]);
        let unknown = move || check(source, None, &[6, 3, 40]);
        [
            Trial::test(format!("views/{}/known", source.name), known),
            Trial::test(format!("views/{}/unknown", source.name), unknown),
        ]
    });
    views
        .chain([Trial::test("views/constants", constants)])
        .collect()
}

/// Whether the views are made before what they are of is updated, or after it.
const ORDERS: [&str; 2] = ["before", "after"];

fn check(source: &Source, known: Option<usize>, sizes: &[usize]) -> Result<(), Failed> {
    let mut calls = Vec::new();
    for n in sizes {
        let x = Rows::from_shape_fn((*n, 4), |(i, j)| (5 * i + 3 * j) as i32 - 9);
        let v = (source.value)(&x);
        let mut expected: Vec<_> = VIEWS
            .iter()
            .map(|view| numbers(view.text, &(view.value)(&v)))
            .collect();
        for update in UPDATES {
            expected.push(numbers("the update", &all(&(update.value)(&v))));
            for order in ORDERS {
                calls.push(Call {
                    function: format!("{}_{order}", update.name),
                    inputs: vec![
                        HostTensor::new(&[*n, 4], &all(&x)),
                        HostTensor::new(&[], &[2]),
                    ],
                    expected: expected.clone(),
                });
            }
            expected.pop();
        }
    }
    check_on_all_devices(trace_right(&program(source, known))?, &calls)
}

fn program(source: &Source, known: Option<usize>) -> String {
    let (views, types): (Vec<_>, Vec<_>) = VIEWS
        .iter()
        .map(|view| (view.text, format!("Tensor<{}>", view.ty)))
        .unzip();
    let (views, types) = (views.join(", "), types.join(", "));
    let generics = if known.is_some() {
        ""
    } else {
        "<const N: usize>"
    };
    let mut text = "mod views { pub struct Views; impl Views {\n".to_owned();
    if let Some(n) = known {
        text = format!("mod views {{ const N: usize = {n}; pub struct Views; impl Views {{\n");
    }
    for update in UPDATES {
        for order in ORDERS {
            let (made, changed) = (format!("let views = ({views});"), update.text);
            let body = match order {
                "before" => format!("{made} let mut t = v; {changed}"),
                _ => format!("let mut t = v; {changed} {made}"),
            };
            text += &format!(
                "pub fn {}_{order}{generics}(&self, x: Tensor<i32, N, 4>, k: Tensor<i32>) \
                 -> (({types}), Tensor<i32, N, 4>) {{ {} {body} (views, t) }}\n",
                update.name, source.text
            );
        }
    }
    text + "} }"
}

fn numbers(label: &str, elements: &[i32]) -> Expected {
    let exact = Tolerance {
        units: 0.0,
        least: 0.0,
    };
    Expected {
        label: label.to_owned(),
        tensor: HostTensor::list(elements),
        tolerance: exact,
    }
}

/// Equal constants, of which one becomes another tensor.
const CONSTANTS: &str = "
mod constants {
    pub struct Constants;

    impl Constants {
        pub fn mapped<const N: usize>(&self, x: Tensor<i32, N>) -> (Tensor<i32, N>, Tensor<i32, N>) {
            let y = map(x, |number| number * 2);
            (y, zeros_like(y))
        }

        pub fn added<const N: usize>(&self, x: Tensor<i32, N>) -> (Tensor<i32, N>, Tensor<i32, N>) {
            (zeros_like(x).scatter_add(x, 1, 0), zeros_like(x))
        }

        pub fn replaced<const N: usize>(
            &self,
            x: Tensor<i32, N>,
        ) -> (Tensor<i32, N>, Tensor<i32, { 2 * N }>, Tensor<i32, N>) {
            let before = zeros_like(x);
            let mut y = zeros_like(x);
            y[x[0]] = 7;
            (y, concatenate([zeros_like(x), x], 0), before)
        }

        pub fn flags<const N: usize>(&self, x: Tensor<i32, N>) -> (Tensor<bool, N>, Tensor<bool, N>) {
            let ones = ones::<bool, N>();
            let mut y = ones;
            y[1] = x[0] < 0;
            (y, ones::<bool, N>())
        }

        pub fn sorted<const N: usize>(&self, x: Tensor<i32, N>) -> (Tensor<i32, N>, Tensor<i32, N>) {
            let y = x.insert_axis(1).sort(1).remove_axis(1);
            (y.sort(0), y.argsort(0))
        }
    }
}";

fn constants() -> Result<(), Failed> {
    let mut calls = Vec::new();
    for n in [5, 3, 33] {
        // Each place occurs once.
        let x: Vec<_> = (0..n).map(|i| (n - i) as i32 % n as i32).collect();
        let mut call = |function: &str, expected: Vec<Expected>| {
            calls.push(Call {
                function: function.to_owned(),
                inputs: vec![HostTensor::list(&x)],
                expected,
            });
        };
        let (zeros, ones) = (vec![0; n], vec![1; n]);
        let with = |place: usize, number: i32, mut list: Vec<i32>| {
            list[place] = number;
            list
        };
        let doubled: Vec<_> = x.iter().map(|number| 2 * number).collect();
        call(
            "mapped",
            vec![numbers("y", &doubled), numbers("zeros", &zeros)],
        );
        call(
            "added",
            vec![numbers("sums", &ones), numbers("zeros", &zeros)],
        );
        let after = [zeros.clone(), x.clone()].concat();
        let replaced = with(x[0] as usize, 7, zeros.clone());
        let zeros = numbers("before", &zeros);
        call(
            "replaced",
            vec![numbers("y", &replaced), numbers("after", &after), zeros],
        );
        let flags = |list: Vec<i32>| Expected {
            tensor: HostTensor::list(&list.iter().map(|flag| *flag == 1).collect::<Vec<_>>()),
            ..numbers("flags", &[])
        };
        call("flags", vec![flags(with(1, 0, ones.clone())), flags(ones)]);
        let order: Vec<_> = (0..n as i32).collect();
        // The places of the numbers are the numbers: the list is its own inverse.
        call(
            "sorted",
            vec![numbers("sorted", &order), numbers("places", &x)],
        );
    }
    check_on_all_devices(trace_right(CONSTANTS)?, &calls)
}
