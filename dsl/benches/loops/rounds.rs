//! Loops of a few numbers and of a small tensor.

use crate::{
    common::median,
    jax::Jax,
    measure::{compile, session, time},
};
use iree_dsl::{DynamicArray, Result, Session, prelude::*};
use ndarray::Ix0;

const BY_HAND: &str = include_str!("rounds.mlir");
/// How often each takes its turn, and the calls of a turn. A turn of JAX takes a fifth of a second.
const TURNS: usize = 101;
const CALLS: u32 = 10;
const JAX_TURNS: usize = 7;

#[program]
mod rounds {
    pub struct Rounds;

    impl Rounds {
        /// How many steps a number takes to 1: integers alone.
        pub fn collatz(&self, start: Tensor<i64>) -> Tensor<i32> {
            let mut n = start;
            let mut steps = 0;
            while n != 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            steps
        }

        /// A square root: the condition depends on what the device computes.
        pub fn root(&self, x: Tensor<f32>) -> Tensor<f32> {
            let mut guess = x;
            let mut change = x;
            while change > 1e-3 {
                let next = 0.5 * (guess + x / guess);
                change = (next - guess).abs();
                guess = next;
            }
            guess
        }

        /// A small network again and again.
        pub fn iterate(&self, rounds: Tensor<i32>) -> Tensor<f32> {
            let row = iota::<f32, 64>();
            let weights = (row.insert_axis(1) - row) * 0.01;
            let mut x = zeros::<f32, 64>();
            for _ in range(0, rounds) {
                x = (weights.dot(x) + 0.1).tanh();
            }
            x.sum()
        }

        /// Loops in loops.
        pub fn nested(&self, rounds: Tensor<i32>) -> Tensor<i32> {
            let mut count = 0;
            for i in range(0, rounds) {
                for j in range(0, i) {
                    count += (i * j) % 7;
                }
            }
            count
        }
    }
}

/// A loop with its argument.
struct Case {
    name: &'static str,
    argument: Argument,
    about: &'static str,
}

#[derive(Clone, Copy)]
enum Argument {
    I64(i64),
    I32(i32),
    F32(f32),
}

const CASES: [Case; 4] = [
    Case {
        name: "collatz",
        argument: Argument::I64(6171),
        about: "261 rounds of an integer",
    },
    Case {
        name: "nested",
        argument: Argument::I32(40),
        about: "780 rounds in 40",
    },
    Case {
        name: "root",
        argument: Argument::F32(2e6),
        about: "Newton's method, f32",
    },
    Case {
        name: "iterate",
        argument: Argument::I32(100),
        about: "100 products 64×64 by 64",
    },
];

/// Prints what a call of each takes.
pub(crate) fn run() -> Result<()> {
    let device = Device::open("local-sync")?;
    let [here, there] = [compile(rounds::Rounds::MLIR), compile(BY_HAND)];
    let sessions = [
        session(&device, &here, None)?,
        session(&device, &there, None)?,
    ];
    let mut jax = Jax::start();
    println!("loops on local-sync, in microseconds for a call");
    println!(
        "{:<10} {:<26} {:>8} {:>8} {:>8} {:>8}",
        "", "", "JAX", "by hand", "here", "ratio"
    );
    for case in &CASES {
        measure(case, &sessions, jax.as_mut())?;
    }
    println!();
    Ok(())
}

fn measure(case: &Case, sessions: &[Session; 2], jax: Option<&mut Jax>) -> Result<()> {
    let [ours, theirs] = sessions;
    let results = [case.call(ours)?, case.call(theirs)?];
    assert!(close(results[0], results[1]), "{}: {results:?}", case.name);
    let repeat =
        |session| -> Result<()> { (0..CALLS).try_for_each(|_| case.call(session).map(drop)) };
    let times = time(TURNS, [&|| repeat(ours), &|| repeat(theirs)])?;
    let [here, there] = times.medians.map(|time| time * 1e6 / f64::from(CALLS));
    let jax = jax.map(|jax| {
        let answers = (0..JAX_TURNS).map(|_| jax.ask(case.name, case.argument.number()));
        let (found, times): (Vec<_>, Vec<_>) = answers.unzip();
        assert!(close(results[0], found[0]), "{}: {found:?}", case.name);
        median(times)
    });
    let jax = jax.map_or("-".to_owned(), |time| format!("{time:.1}"));
    let (name, about, ratio) = (case.name, case.about, times.ratio);
    println!("{name:<10} {about:<26} {jax:>8} {there:>8.1} {here:>8.1} {ratio:>8.3}");
    Ok(())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-4 * a.abs().max(1.0)
}

impl Case {
    /// Calls the loop, and returns its result as a number.
    fn call(&self, session: &Session) -> Result<f64> {
        let function = session.function(self.name)?;
        let results = match self.argument {
            Argument::I64(number) => function.call(&[&number])?,
            Argument::I32(number) => function.call(&[&number])?,
            Argument::F32(number) => function.call(&[&number])?,
        };
        number(&results[0])
    }
}

impl Argument {
    fn number(self) -> f64 {
        match self {
            Self::I64(number) => number as f64,
            Self::I32(number) => number.into(),
            Self::F32(number) => number.into(),
        }
    }
}

fn number(result: &DynamicArray) -> Result<f64> {
    match result.downcast::<i32, Ix0>() {
        Ok(integer) => Ok(integer.to_scalar()?.into()),
        Err(_) => Ok(result.downcast::<f32, Ix0>()?.to_scalar()?.into()),
    }
}
