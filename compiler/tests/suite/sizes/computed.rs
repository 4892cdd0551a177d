//! Random numbers computed from sizes, as the sizes of tensors, against the same in plain Rust: a call has the
//! sizes that it should, or is refused if one would be negative.

use crate::{
    device::{Call, HostTensor, arrays},
    language::trace_interface,
    mutations::Random,
};
use iree_abi::FunctionSignature;
use libtest_mimic::Failed;
use std::fmt::{self, Display, Formatter};

/// How many pairs of numbers are looked at.
const PAIRS: usize = 400;

/// How many of them are computed by a device too.
const RUN: usize = 12;

/// The sizes go up to before this.
const SIZES: usize = 7;

/// A number computed from two sizes.
enum Number {
    N,
    M,
    Literal(usize),
    Sum(Box<[Self; 2]>),
    Difference(Box<[Self; 2]>),
    Product(Box<[Self; 2]>),
    Quotient(Box<Self>, usize),
    Remainder(Box<Self>, usize),
}

impl Number {
    fn drawn(random: &mut Random, depth: usize) -> Self {
        let deeper = depth.saturating_sub(1);
        match random.below(if depth == 0 { 5 } else { 12 }) {
            0 | 1 => Self::N,
            2 | 3 => Self::M,
            4 => Self::Literal(random.below(6)),
            5 | 6 => Self::Sum(Self::both(random, deeper)),
            7 | 8 => Self::Difference(Self::both(random, deeper)),
            9 => Self::Product(Self::both(random, deeper)),
            10 => Self::Quotient(Self::drawn(random, deeper).into(), 1 + random.below(4)),
            _ => Self::Remainder(Self::drawn(random, deeper).into(), 1 + random.below(4)),
        }
    }

    fn both(random: &mut Random, depth: usize) -> Box<[Self; 2]> {
        Box::new([(); 2].map(|()| Self::drawn(random, depth)))
    }

    fn value(&self, n: usize, m: usize) -> i128 {
        let both = |pair: &[Self; 2]| [pair[0].value(n, m), pair[1].value(n, m)];
        match self {
            Self::N => n as i128,
            Self::M => m as i128,
            Self::Literal(number) => *number as i128,
            Self::Sum(pair) => both(pair).iter().sum(),
            Self::Difference(pair) => both(pair)[0] - both(pair)[1],
            Self::Product(pair) => both(pair).iter().product(),
            Self::Quotient(number, divisor) => number.value(n, m).div_euclid(*divisor as i128),
            Self::Remainder(number, divisor) => number.value(n, m).rem_euclid(*divisor as i128),
        }
    }

    /// Whether it depends on the sizes: what does not, and is negative, is a mistake of the program.
    fn depends(&self) -> bool {
        let first = self.value(0, 0);
        sizes().any(|(n, m)| self.value(n, m) != first)
    }
}

impl Display for Number {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::N => formatter.write_str("N"),
            Self::M => formatter.write_str("M"),
            Self::Literal(number) => write!(formatter, "{number}"),
            Self::Sum(pair) => write!(formatter, "({} + {})", pair[0], pair[1]),
            Self::Difference(pair) => write!(formatter, "({} - {})", pair[0], pair[1]),
            Self::Product(pair) => write!(formatter, "({} * {})", pair[0], pair[1]),
            Self::Quotient(number, divisor) => write!(formatter, "({number} / {divisor})"),
            Self::Remainder(number, divisor) => write!(formatter, "({number} % {divisor})"),
        }
    }
}

fn sizes() -> impl Iterator<Item = (usize, usize)> {
    (0..SIZES).flat_map(|n| (0..SIZES).map(move |m| (n, m)))
}

pub(super) fn computed() -> Result<(), Failed> {
    let mut random = Random(7);
    let mut number = || loop {
        let number = Number::drawn(&mut random, 3);
        if number.depends() {
            return number;
        }
    };
    let pairs: Vec<_> = (0..PAIRS).map(|_| [number(), number()]).collect();
    let (_, signature) = trace_interface(&program(&pairs))?;
    let mut wrong = Vec::new();
    for (pair, function) in pairs.iter().zip(&signature.functions) {
        for (n, m) in sizes() {
            let expected = expected(pair, n, m);
            let found = found(function, n, m);
            if found != expected {
                let [a, b] = pair;
                wrong.push(format!(
                    "[{a}, {b}] for {n} and {m}: {found:?}, not {expected:?}"
                ));
            }
        }
    }
    wrong.extend(run(&pairs[..RUN])?);
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

/// The sizes along both axes, if there is such a tensor.
fn expected(pair: &[Number; 2], n: usize, m: usize) -> Option<[usize; 2]> {
    let [a, b] = [&pair[0], &pair[1]].map(|number| usize::try_from(number.value(n, m)).ok());
    a.zip(b).map(|(a, b)| [a, b])
}

/// What the signature says of a call.
fn found(function: &FunctionSignature, n: usize, m: usize) -> Option<[usize; 2]> {
    let value = |name: &str| match name {
        "N" => Some(n),
        "M" => Some(m),
        _ => None,
    };
    let holds = function.requirements.iter().all(|requirement| {
        let least = requirement.least.evaluate(&value);
        let most = requirement.most.evaluate(&value);
        least.zip(most).is_some_and(|(least, most)| least <= most)
    });
    let dims = function.results.first()?.ty.shape.extents()?;
    let sizes = dims.iter().map(|dim| dim.evaluate(&value));
    let sizes: Option<Vec<_>> = sizes.collect();
    let sizes = sizes?.into_iter().map(|size| size as usize);
    holds.then(|| sizes.collect::<Vec<_>>().try_into().ok())?
}

/// A program with a procedure for each pair.
fn program(pairs: &[[Number; 2]]) -> String {
    let procedures = (0..).zip(pairs).map(|(number, [a, b])| {
        format!(
            "pub fn case_{number}<const N: usize, const M: usize>(&self, _n: Tensor<i32, N>, _m: Tensor<i32, M>) \
             -> Tensor<i32, {{ {a} }}, {{ {b} }}> {{ iota(0) * 10 + iota::<i32, {{ {b} }}>() }}\n"
        )
    });
    let procedures: String = procedures.collect();
    format!("mod computed {{ pub struct Computed; impl Computed {{\n{procedures}}} }}")
}

/// What is wrong with the tensors that a device computes.
fn run(pairs: &[[Number; 2]]) -> Result<Vec<String>, Failed> {
    let (module, _) = trace_interface(&program(pairs))?;
    let tried = || (0..pairs.len()).flat_map(|pair| [(1, 5), (6, 3)].map(|sizes| (pair, sizes)));
    let tried = tried().filter_map(|(number, (n, m))| {
        let sizes = expected(&pairs[number], n, m)?;
        (sizes[0] * sizes[1] < 1_000_000).then_some((number, (n, m), sizes))
    });
    let tried: Vec<_> = tried.collect();
    let calls = tried.iter().map(|(number, (n, m), _)| Call {
        function: format!("case_{number}"),
        inputs: [*n, *m]
            .map(|size| HostTensor::new(&[size], &vec![1_i32; size]))
            .into(),
        expected: Vec::new(),
    });
    let results = arrays(module, &calls.collect::<Vec<_>>())?;
    let mut wrong = Vec::new();
    for ((number, at, sizes), found) in tried.iter().zip(results) {
        let right = found.as_ref().is_ok_and(|found| {
            let mut elements = found.indexed_iter();
            found.shape() == sizes
                && elements.all(|(at, element)| *element == (10 * at[0] + at[1]) as i32)
        });
        if !right {
            let [a, b] = &pairs[*number];
            wrong.push(format!(
                "[{a}, {b}] for {at:?} is {sizes:?}, found {found:?}"
            ));
        }
    }
    Ok(wrong)
}
