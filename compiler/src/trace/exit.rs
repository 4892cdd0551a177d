//! `return`, `break` and `continue` that happen only if something is so when the program runs.
//!
//! Where a branch leaves early, a hidden variable says so, and what comes after the branch becomes a
//! branch over that variable. The variables are carried like those of the user.

use super::{
    frame::{Flow, Identity, Interrupt},
    statics::Static,
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    diagnostic::Code,
    ir::Scalar,
    op::{BinaryOp, Op, UnaryOp},
    span::SpanId,
};

/// A way to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The function.
    Return,
    /// The loop.
    Break,
    /// The round of the loop.
    Continue,
}

/// Whether the control flow leaves.
enum Certainty {
    No,
    Yes,
    Depends(Tensor),
}

impl Exit {
    const ALL: [Self; 3] = [Self::Return, Self::Break, Self::Continue];

    /// The hidden variable that says whether it happened.
    const fn flag(self) -> &'static str {
        match self {
            Self::Return => "<returned>",
            Self::Break => "<broken>",
            Self::Continue => "<continued>",
        }
    }

    /// The hidden variable for the value.
    const fn value(self) -> &'static str {
        match self {
            Self::Return => "<result>",
            Self::Break | Self::Continue => "<broken with>",
        }
    }
}

impl Tracer<'_> {
    /// Makes an exit possible from here on, in the innermost block.
    pub(crate) fn allow_exit(&mut self, exit: Exit) {
        self.hide(exit.flag(), Some(Static::bool(false).into()));
        if exit != Exit::Continue {
            self.hide(exit.value(), None);
        }
    }

    /// Records that this branch leaves.
    pub(crate) fn note_exit(&mut self, interrupt: Interrupt) {
        let (exit, value) = match interrupt {
            Interrupt::Return(_, span) if self.frame.identity == Identity::Closure => {
                let message = "a closure cannot return early where that depends on the program";
                (Exit::Return, self.error(Code::Unsupported, span, message))
            }
            Interrupt::Return(value, span) => {
                let expected = self.frame.result.clone();
                let place = "the result";
                (Exit::Return, self.conform(value, &expected, span, place))
            }
            Interrupt::Break(value) => (Exit::Break, value),
            Interrupt::Continue => (Exit::Continue, Value::unit()),
        };
        self.set_hidden(exit.flag(), Static::bool(true).into());
        if exit != Exit::Continue {
            self.set_hidden(exit.value(), value);
        }
    }

    fn certainty(&self, exit: Exit) -> Certainty {
        match self.hidden(exit.flag()) {
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
        for exit in Exit::ALL {
            if matches!(self.certainty(exit), Certainty::Yes) {
                self.set_hidden(exit.flag(), Static::bool(false).into());
                let value = self.hidden(exit.value()).unwrap_or(Value::unit());
                return Err(match exit {
                    Exit::Return => Interrupt::Return(value, SpanId::CALL_SITE),
                    Exit::Break => Interrupt::Break(value),
                    Exit::Continue => Interrupt::Continue,
                });
            }
        }
        Ok(value)
    }

    /// Whether the control flow may have left, one way or other.
    pub(crate) fn may_have_left_somehow(&self) -> bool {
        let mut exits = Exit::ALL.into_iter();
        exits.any(|exit| matches!(self.certainty(exit), Certainty::Depends(_)))
    }

    /// Whether the control flow may have left; `None` if it has not for certain.
    pub(crate) fn may_have_left(&mut self, exits: &[Exit], span: SpanId) -> Option<Tensor> {
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

    /// Traces what comes after a branch that may have left.
    pub(crate) fn unless_left(
        &mut self,
        rest: impl FnOnce(&mut Self) -> Flow,
        span: SpanId,
    ) -> Flow {
        let Some(left) = self.may_have_left(&Exit::ALL, span) else {
            return rest(self);
        };
        let Ok(stays) = self.emit(Op::Unary(UnaryOp::Not), &[&left], span) else {
            return Ok(Value::POISON);
        };
        let stay = |tracer: &mut Self| {
            for exit in Exit::ALL {
                tracer.forget_exit(exit);
            }
            rest(tracer).map(Some)
        };
        self.branch_with(&stays, stay, |_| Ok(None), span)
    }

    /// The value of a loop or function that may have been left with another.
    pub(crate) fn value_or_left_with(&mut self, exit: Exit, value: Value, span: SpanId) -> Value {
        let Certainty::Depends(flag) = self.certainty(exit) else {
            return value;
        };
        let Some(other) = self.hidden(exit.value()) else {
            return value;
        };
        let result = self.branch(&flag, |_| Ok(other), |_| Ok(value), span);
        result.unwrap_or(Value::POISON)
    }

    /// What a loop was left with.
    pub(crate) fn left_with(&self, exit: Exit) -> Value {
        self.hidden(exit.value()).unwrap_or(Value::unit())
    }

    /// Forgets that a loop or a round was left, which is over.
    pub(crate) fn forget_exit(&mut self, exit: Exit) {
        self.set_hidden(exit.flag(), Static::bool(false).into());
    }
}
