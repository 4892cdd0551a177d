//! What IREE would put into one dispatch and compute wrongly, or not at all: programs of the language against plain Rust, for
//! this machine and for the least one.

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};

/// The body of a procedure of `x: Tensor<f64, N, M>` that returns a `Tensor<f64, N, N>`, and an element of the result.
type Square = (&'static str, fn(&Rows, usize, usize) -> f64);

/// Rows of numbers.
type Rows = [Vec<f64>];

/// What is read along two axes.
const TWICE: &[Square] = &[
    (
        "let n = (x * x).sum_axis(1); n.insert_axis(1) + n.insert_axis(0) - x.dot(x.t()) * 2.0",
        |x, i, j| square(x, i) + square(x, j) - 2.0 * product(x, i, j),
    ),
    (
        "let n = (x * x).sum_axis(1); x.dot(x.t()) / n.sqrt().outer(n.sqrt())",
        |x, i, j| product(x, i, j) / (square(x, i).sqrt() * square(x, j).sqrt()),
    ),
    (
        "let a = x.dot(x.t()); let d = a.sum_axis(1).rsqrt(); d.insert_axis(1) * a * d.insert_axis(0)",
        |x, i, j| {
            let degree = |i| (0..x.len()).map(|j| product(x, i, j)).sum::<f64>();
            product(x, i, j) / (degree(i).sqrt() * degree(j).sqrt())
        },
    ),
    ("let w = x.sum_axis(1); w.outer(w)", |x, i, j| {
        sum(x, i) * sum(x, j)
    }),
    ("x.sum_axis(1).outer(x.sum_axis(1))", |x, i, j| {
        sum(x, i) * sum(x, j)
    }),
    ("let w = x.var_axis(1); w.outer(w)", |x, i, j| {
        variance(x, i) * variance(x, j)
    }),
    (
        "let v = x.sum_axis(1).insert_axis(1); v.dot(v.t())",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    ("let w = x.prod_axis(1); w.outer(w).floor()", |x, i, j| {
        let all = |i: usize| x[i].iter().product::<f64>();
        (all(i) * all(j)).floor()
    }),
    (
        "let a = x.dot(x.t()).exp(); a / a.sum_axis(1).insert_axis(0)",
        |x, i, j| {
            let sum: f64 = (0..x.len()).map(|k| product(x, j, k).exp()).sum();
            product(x, i, j).exp() / sum
        },
    ),
    ("rows(x).outer(rows(x) + 1.0)", |x, i, j| {
        sum(x, i) * (sum(x, j) + 1.0)
    }),
    ("let r = rows(x); both(r, r.max() - r)", |x, i, j| {
        let most = (0..x.len()).map(|i| sum(x, i)).fold(f64::MIN, f64::max);
        sum(x, i) - (most - sum(x, j))
    }),
    ("let y = x - (x * x).max(); y.dot(y.t())", |x, i, j| {
        let most = x.iter().flatten().map(|a| a * a).fold(f64::MIN, f64::max);
        let terms = x[i].iter().zip(&x[j]);
        terms.map(|(a, b)| (a - most) * (b - most)).sum()
    }),
    (
        "let y = x - stack([x, x + 1.0, x * 2.0], 0).max(); y.dot(x.t())",
        |x, i, j| {
            let each = x.iter().flatten().map(|a| (a + 1.0).max(a * 2.0));
            let most = each.fold(f64::MIN, f64::max);
            let terms = x[i].iter().zip(&x[j]);
            terms.map(|(a, b)| (a - most) * b).sum()
        },
    ),
    // The same reductions, but for axes of one.
    (
        "let y = x.insert_axis(1); y.sum_axis(2) * y.sum_axis([1, 2])",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    (
        "let w = x.insert_axis(2).sum_axis(1); w.dot(x.insert_axis(0).sum_axis([0, 2]).insert_axis(0))",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    (
        "let y = x.insert_axis(2); y.max_axis(2).var_axis(1).insert_axis(0) / (y.var_axis(1) + 1.0)",
        |x, i, j| variance(x, j) / (variance(x, i) + 1.0),
    ),
    (
        "let y = x.t().insert_axis(1); y.swap_axes(0, 2).sum_axis([1, 2]).outer(x.t().t().sum_axis(1))",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    (
        "let u = x.max_axis(0); x.dot(u).outer(x.insert_axis(0).matmul(u.insert_axis(1)).sum_axis([0, 2]))",
        |x, i, j| times_most(x, i) * times_most(x, j),
    ),
    (
        "let u = x.max_axis(0); let v = x.insert_axis(1).dot(u); v.dot(x.dot(u.insert_axis(1)).t())",
        |x, i, j| times_most(x, i) * times_most(x, j),
    ),
    // What replaces all of a tensor, and tensors with nothing added.
    (
        "let mut w = x.sum_axis(1); let v = w; w[s![..]] = v; w.outer(w)",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    (
        "let w = x.sum_axis(1).roll(0, 0)[s![..]]; w.outer(w)",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    (
        "let w = x.sum_axis(1).insert_axis(1).reverse(1); w.dot(w.t())",
        |x, i, j| sum(x, i) * sum(x, j),
    ),
    (
        "let r = x.max_axis(1); let s = (x - r.insert_axis(1)).exp().sum_axis(1); s.insert_axis(1) - r.insert_axis(0)",
        |x, i, j| {
            let most = |i: usize| x[i].iter().copied().fold(f64::MIN, f64::max);
            let sum: f64 = x[i].iter().map(|a| (a - most(i)).exp()).sum();
            sum - most(j)
        },
    ),
];

const KERNELS: &str = "
    #[kernel] fn rows<const N: usize, const M: usize>(x: Tensor<f64, N, M>) -> Tensor<f64, N> { x.sum_axis(1) }
    #[kernel] fn both<const N: usize>(a: Tensor<f64, N>, b: Tensor<f64, N>) -> Tensor<f64, N, N> {
        a.insert_axis(1) - b.insert_axis(0)
    }";

/// The body of a procedure of `x: Tensor<f64, N, M>` and `y: Tensor<f64, M>` that returns a number.
type Number = (&'static str, fn(&Rows, &[f64]) -> f64);

/// Sums of products in which a factor has not all the axes, and products that share factors.
const SUMS: &[Number] = &[
    ("(x * y).sum()", |x, y| scaled(x, y, |a, b| a * b)),
    ("(x.exp() * y).sum()", |x, y| {
        scaled(x, y, |a, b| a.exp() * b)
    }),
    ("((x - y) * y).sum()", |x, y| {
        scaled(x, y, |a, b| (a - b) * b)
    }),
    ("x.sum_axis(1).outer(y).sum()", |x, y| {
        (0..x.len()).map(|i| sum(x, i)).sum::<f64>() * y.iter().sum::<f64>()
    }),
    ("(x * y).t().insert_axis(1).min_axis(1).sum()", |x, y| {
        scaled(x, y, |a, b| a * b)
    }),
    (
        "y.insert_axis(1).tanh().matmul(y.insert_axis(0)).insert_axis(1).min_axis(1).sum()",
        |_, y| y.iter().map(|a| a.tanh()).sum::<f64>() * y.iter().sum::<f64>(),
    ),
    (
        "ones_like(y).abs().dot(ones_like(y).abs()) * y.sum() + (x * 0.0).sum()",
        |_, y| y.len() as f64 * y.iter().sum::<f64>(),
    ),
    (
        "let o = ones_like(x).abs(); (o.sum_axis(1).insert_axis(1) * x).sum() * y.max()",
        |x, y| {
            let all: f64 = x.iter().flatten().sum();
            all * y.len() as f64 * y.iter().copied().fold(f64::MIN, f64::max)
        },
    ),
    // A matrix that is multiplied by a vector, and used besides.
    (
        "let e = x.exp(); (e.sum_axis(1).dot(e) * y).sum() + (e * y).sum()",
        |x, y| {
            let row = |i: usize| x[i].iter().map(|a| a.exp()).sum::<f64>();
            let rows = (0..x.len()).map(|i| (row(i) + 1.0, &x[i]));
            let terms =
                rows.flat_map(|(sum, row)| row.iter().zip(y).map(move |(a, b)| sum * a.exp() * b));
            terms.sum()
        },
    ),
    // Each of the last two products could be computed along with a factor that the other one waits for.
    (
        "let e = x.exp(); let w = x.sum_axis(1).sqrt(); let p = e.dot(y); w.dot(e).dot(y) - p.dot(w) * 2.0",
        |x, y| {
            let row = |i: usize| x[i].iter().zip(y).map(|(a, b)| a.exp() * b).sum::<f64>();
            let rows = (0..x.len()).map(|i| sum(x, i).sqrt() * row(i));
            -rows.sum::<f64>()
        },
    ),
];

/// The body of a procedure of `x: Tensor<f64, N, M>` that returns several tensors of that type, and elements of them.
type Several = (&'static str, fn(&Rows, usize, usize) -> Vec<f64>);

/// Softmax beside others that read what it reads.
const SOFTMAX: &[Several] = &[
    (
        "let t = x * 2.0; (t.softmax(1), t.softmax(0), t.log_softmax(1))",
        |x, i, j| {
            let t: Vec<Vec<f64>> = x
                .iter()
                .map(|row| row.iter().map(|a| 2.0 * a).collect())
                .collect();
            let row: f64 = t[i].iter().map(|a| a.exp()).sum();
            let column: f64 = t.iter().map(|row| row[j].exp()).sum();
            let e = t[i][j].exp();
            vec![e / row, e / column, (e / row).ln()]
        },
    ),
    (
        "let t = x + 1.0; (t.log_softmax(-1), x * 0.0 + t.softmax(-1).sum_axis(0), t.minimum(x * x))",
        |x, i, j| {
            let soft = |i: usize| x[i][j].exp() / x[i].iter().map(|a| a.exp()).sum::<f64>();
            let sum = (0..x.len()).map(soft).sum();
            vec![soft(i).ln(), sum, (x[i][j] + 1.0).min(x[i][j] * x[i][j])]
        },
    ),
    (
        "let t = x * x; (t.softmax(1), t.hypot(x), t.cumsum(0))",
        |x, i, j| {
            let row: f64 = x[i].iter().map(|a| (a * a).exp()).sum();
            let a = x[i][j];
            let above = x[..=i].iter().map(|row| row[j] * row[j]).sum();
            vec![(a * a).exp() / row, (a * a).hypot(a), above]
        },
    ),
];

const SIZES: &[(usize, usize)] = &[(1, 1), (2, 2), (4, 7), (17, 33)];

pub(crate) fn trials() -> Vec<Trial> {
    let mut levels = vec![CpuLevel::of_this_machine(), CpuLevel::Baseline];
    levels.dedup();
    let mut trials = Vec::new();
    for level in levels {
        for (name, is_static) in [("known", true), ("unknown", false)] {
            trials.push(Trial::test(
                format!("dispatches/{name}_sizes/{level:?}"),
                move || check(level, is_static),
            ));
        }
    }
    trials
}

fn check(level: CpuLevel, is_static: bool) -> Result<(), Failed> {
    if is_static {
        return SIZES[1..]
            .iter()
            .try_for_each(|size| check_sizes(level, Some(*size), &[*size]));
    }
    check_sizes(level, None, SIZES)
}

/// All procedures as one program, whose sizes are known, or not.
fn check_sizes(
    level: CpuLevel,
    known: Option<(usize, usize)>,
    called: &[(usize, usize)],
) -> Result<(), Failed> {
    let (constants, generics) = match known {
        Some((n, m)) => (format!("const N: usize = {n}; const M: usize = {m};"), ""),
        None => (String::new(), "<const N: usize, const M: usize>"),
    };
    let square = procedures(
        "square",
        TWICE,
        generics,
        "x: Tensor<f64, N, M>",
        "Tensor<f64, N, N>",
    );
    let parameters = "x: Tensor<f64, N, M>, y: Tensor<f64, M>";
    let number = procedures("number", SUMS, generics, parameters, "Tensor<f64>");
    let results = "(Tensor<f64, N, M>, Tensor<f64, N, M>, Tensor<f64, N, M>)";
    let several = procedures(
        "several",
        SOFTMAX,
        generics,
        "x: Tensor<f64, N, M>",
        results,
    );
    let source = format!(
        "mod p {{ {constants} pub struct P {{ }} impl P {{ {square}{number}{several} }} {KERNELS} }}"
    );
    let calls = called
        .iter()
        .flat_map(|(n, m)| calls(*n, *m))
        .collect::<Vec<_>>();
    check_calls(trace_right(&source)?, &calls, level)
}

fn procedures<F>(
    name: &str,
    cases: &[(&str, F)],
    generics: &str,
    parameters: &str,
    results: &str,
) -> String {
    let cases = cases.iter().enumerate();
    let cases = cases.map(|(index, (body, _))| {
        format!("pub fn {name}_{index}{generics}(&self, {parameters}) -> {results} {{ {body} }}\n")
    });
    cases.collect()
}

fn calls(n: usize, m: usize) -> Vec<Call> {
    let number = |index: usize| 0.25 + 0.5 * ((index * 37 + 11) % 64) as f64 / 64.0;
    let x: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..m).map(|j| number(i * m + j)).collect())
        .collect();
    let y: Vec<f64> = (0..m).map(|j| number(3 * j + 5)).collect();
    let inputs = || vec![HostTensor::new(&[n, m], &x.concat())];
    let each = |columns: usize, element: &dyn Fn(usize, usize) -> f64| {
        let places = (0..n).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let elements: Vec<f64> = places.map(|(i, j)| element(i, j)).collect();
        expected(HostTensor::new(&[n, columns], &elements))
    };
    let square = TWICE.iter().enumerate().map(|(index, (_, element))| Call {
        function: format!("square_{index}"),
        inputs: inputs(),
        expected: vec![each(n, &|i, j| element(&x, i, j))],
    });
    let number = SUMS.iter().enumerate().map(|(index, (_, value))| Call {
        function: format!("number_{index}"),
        inputs: [inputs(), vec![HostTensor::list(&y)]].concat(),
        expected: vec![expected(HostTensor::new(&[], &[value(&x, &y)]))],
    });
    let several = SOFTMAX
        .iter()
        .enumerate()
        .map(|(index, (_, elements))| Call {
            function: format!("several_{index}"),
            inputs: inputs(),
            expected: (0..3)
                .map(|result| each(m, &|i, j| elements(&x, i, j)[result]))
                .collect(),
        });
    square.chain(number).chain(several).collect()
}

/// Sums of some hundred numbers in another order.
fn expected(tensor: HostTensor) -> Expected {
    Expected {
        label: "the result".to_owned(),
        tensor,
        tolerance: Tolerance {
            units: 4000.0,
            least: 0.01,
        },
    }
}

fn sum(x: &Rows, i: usize) -> f64 {
    x[i].iter().sum()
}

/// A row times the largest numbers of the columns.
fn times_most(x: &Rows, i: usize) -> f64 {
    let most = |j: usize| x.iter().map(|row| row[j]).fold(f64::MIN, f64::max);
    (0..x[i].len()).map(|j| x[i][j] * most(j)).sum()
}

fn square(x: &Rows, i: usize) -> f64 {
    product(x, i, i)
}

fn product(x: &Rows, i: usize, j: usize) -> f64 {
    x[i].iter().zip(&x[j]).map(|(a, b)| a * b).sum()
}

fn variance(x: &Rows, i: usize) -> f64 {
    let mean = sum(x, i) / x[i].len() as f64;
    let squares = x[i].iter().map(|a| (a - mean) * (a - mean));
    squares.sum::<f64>() / x[i].len() as f64
}

fn scaled(x: &Rows, y: &[f64], term: fn(f64, f64) -> f64) -> f64 {
    let rows = x.iter();
    rows.flat_map(|row| row.iter().zip(y).map(|(a, b)| term(*a, *b)))
        .sum()
}
