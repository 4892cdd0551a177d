//! `return`, `break` and `continue` that happen only if something is so when the program runs.
//!
//! Where a branch leaves early, a hidden variable says so, and what comes after the branch becomes a
//! branch over that variable. The variables are carried like those of the user. Each loop and each block
//! with a label has its own, named by how many stand around it.

use super::{
    frame::{Flow, Identity, Interrupt},
    statics::Static,
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_dsl_ir::{
    Scalar,
    op::{BinaryOp, Op, UnaryOp},
};

/// A way to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The function.
    Return,
    /// The loop or block at this depth.
    Break(usize),
    /// The iteration of the loop at this depth.
    Continue(usize),
}

/// Whether the control flow leaves.
enum Certainty {
    No,
    Yes,
    Depends(Tensor),
}

impl Exit {
    /// The hidden variable that says whether it happened.
    fn flag(self) -> String {
        match self {
            Self::Return => "<returned>".to_owned(),
            Self::Break(depth) => format!("<broken {depth}>"),
            Self::Continue(depth) => format!("<continued {depth}>"),
        }
    }

    /// The hidden variable for the value; `continue` has none.
    fn value(self) -> Option<String> {
        match self {
            Self::Return => Some("<result>".to_owned()),
            Self::Break(depth) => Some(format!("<broken {depth} with>")),
            Self::Continue(_) => None,
        }
    }
}

impl Tracer<'_> {
    /// Makes an exit possible from here on, in the innermost block.
    pub(crate) fn allow_exit(&mut self, exit: Exit) {
        self.hide(&exit.flag(), Some(Static::bool(false).into()));
        if let Some(value) = exit.value() {
            self.hide(&value, None);
        }
    }

    /// Every way to leave from here.
    fn exits(&self) -> Vec<Exit> {
        let around = self.frame.breakables.iter().enumerate();
        let own = around.flat_map(|(depth, breakable)| breakable.exits(depth));
        std::iter::once(Exit::Return).chain(own).collect()
    }

    /// Every way to leave that ends the innermost loop.
    fn exits_of_loop(&self) -> Vec<Exit> {
        let innermost = self.frame.breakables.len().saturating_sub(1);
        let mut exits = self.exits();
        exits.retain(|exit| *exit != Exit::Continue(innermost));
        exits
    }

    /// Records that this branch leaves.
    pub(crate) fn note_exit(&mut self, interrupt: Interrupt) {
        let (exit, value) = match interrupt {
            // Each way was recorded in its branch.
            Interrupt::Left => return,
            Interrupt::Return(_, span) if self.frame.identity == Identity::Closure => {
                let message = "a closure cannot return early where that depends on the program";
                let diagnostic = Diagnostic::new(Code::Unsupported, span, message);
                let help = "make it the value of an `if` with an `else`";
                (Exit::Return, self.report(diagnostic.help(help)))
            }
            Interrupt::Return(value, span) => (Exit::Return, self.returned(value, span)),
            Interrupt::Break(depth, value) => (Exit::Break(depth), value),
            Interrupt::Continue(depth) => (Exit::Continue(depth), Value::unit()),
        };
        self.set_hidden(&exit.flag(), Static::bool(true).into());
        if let Some(name) = exit.value() {
            self.set_hidden(&name, value);
        }
    }

    fn certainty(&self, exit: Exit) -> Certainty {
        match self.hidden(&exit.flag()) {
            Some(Value::Leaf(ValueLeaf::Tensor(flag))) => Certainty::Depends(flag),
            Some(Value::Leaf(ValueLeaf::Static(Static {
                value: Scalar::Bool(true),
                ..
            }))) => Certainty::Yes,
            _ => Certainty::No,
        }
    }

    /// Leaves, if every branch did.
    pub(crate) fn leave_if_certain(&mut self, value: Value) -> Flow {
        for exit in self.exits() {
            if matches!(self.certainty(exit), Certainty::Yes) {
                self.forget_exit(exit);
                let value = self.left_with(exit);
                return Err(match exit {
                    Exit::Return => Interrupt::Return(value, SpanId::CALL_SITE),
                    Exit::Break(depth) => Interrupt::Break(depth, value),
                    Exit::Continue(depth) => Interrupt::Continue(depth),
                });
            }
        }
        Ok(value)
    }

    /// Whether the control flow may have left, one way or other.
    pub(crate) fn may_have_left_somehow(&self) -> bool {
        let mut exits = self.exits().into_iter();
        exits.any(|exit| matches!(self.certainty(exit), Certainty::Depends(_)))
    }

    /// Whether the control flow may have left in this way.
    pub(crate) fn may_have_left_by(&self, exit: Exit) -> bool {
        !matches!(self.certainty(exit), Certainty::No)
    }

    /// Whether the control flow may have left the innermost loop; `None` if it has not for certain.
    pub(crate) fn may_have_left_loop(&mut self, span: SpanId) -> Option<Tensor> {
        let exits = self.exits_of_loop();
        self.may_have_left(&exits, span)
    }

    fn may_have_left(&mut self, exits: &[Exit], span: SpanId) -> Option<Tensor> {
        let mut left: Option<Tensor> = None;
        for exit in exits {
            if let Certainty::Depends(flag) = self.certainty(*exit) {
                left = Some(match left {
                    None => flag,
                    Some(other) => {
                        let or = Op::Binary(BinaryOp::Or);
                        self.emit(or, &[&other, &flag], span).ok()?
                    }
                });
            }
        }
        left
    }

    /// Traces what comes after something that may have left.
    pub(crate) fn unless_left(
        &mut self,
        rest: impl FnOnce(&mut Self) -> Flow,
        span: SpanId,
    ) -> Flow {
        let exits = self.exits();
        let Some(left) = self.may_have_left(&exits, span) else {
            return rest(self);
        };
        let Ok(stays) = self.emit(Op::Unary(UnaryOp::Not), &[&left], span) else {
            return Ok(Value::POISON);
        };
        let stay = |tracer: &mut Self| {
            exits.iter().for_each(|exit| tracer.forget_exit(*exit));
            rest(tracer).map(Some)
        };
        self.branch_with(&stays, stay, |_| Ok(None), span)
    }

    /// The value of a loop, block or function that may have been left with another.
    pub(crate) fn value_or_left_with(&mut self, exit: Exit, value: Value, span: SpanId) -> Value {
        let Certainty::Depends(flag) = self.certainty(exit) else {
            return value;
        };
        let Some(other) = self.value_left_with(exit) else {
            return value;
        };
        let result = self.branch(&flag, |_| Ok(other), |_| Ok(value), span);
        result.unwrap_or(Value::POISON)
    }

    /// What a loop, block or function was left with.
    pub(crate) fn left_with(&self, exit: Exit) -> Value {
        self.value_left_with(exit).unwrap_or(Value::unit())
    }

    /// The same, if it may have been left.
    pub(crate) fn value_left_with(&self, exit: Exit) -> Option<Value> {
        exit.value().and_then(|name| self.hidden(&name))
    }

    /// Forgets that a loop or an iteration was left, which is over.
    pub(crate) fn forget_exit(&mut self, exit: Exit) {
        self.set_hidden(&exit.flag(), Static::bool(false).into());
    }

    /// Forgets that the innermost loop was left: an iteration runs only if it was not.
    pub(crate) fn forget_exits_of_loop(&mut self) {
        for exit in self.exits_of_loop() {
            self.forget_exit(exit);
        }
    }
}
