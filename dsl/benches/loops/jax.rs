//! The loops in JAX, in a process that is asked again and again.

use crate::common::python;
use std::{
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

/// A running process.
pub(crate) struct Jax {
    process: Child,
    questions: Option<ChildStdin>,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Jax {
    /// `None`, with a line that says how to get it, if no Python is named.
    pub(crate) fn start() -> Option<Self> {
        let mut process = python(include_str!("jax.py"))?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let questions = process.stdin.take();
        let answers = process.stdout.take().expect("it is a pipe");
        Some(Self {
            process,
            questions,
            answers: BufReader::new(answers).lines(),
        })
    }

    /// The result of a loop, and the microseconds that a call takes.
    pub(crate) fn ask(&mut self, name: &str, argument: f64) -> (f64, f64) {
        let questions = self.questions.as_mut().expect("it is a pipe");
        writeln!(questions, "{name} {argument}").expect("it reads");
        let answer = self.answers.next().expect("it answers").expect("a line");
        let number = |text: &str| text.parse().expect("a number");
        let (result, time) = answer.split_once(' ').expect("two numbers");
        (number(result), number(time))
    }
}

impl Drop for Jax {
    fn drop(&mut self) {
        // It ends when there are no more questions.
        self.questions = None;
        self.process.wait().expect("it ends");
    }
}
