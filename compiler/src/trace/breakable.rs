//! What `break` and `continue` leave: loops, and blocks with a label.

use super::{
    exit::Exit,
    frame::{Flow, Identity, Interrupt},
    tracer::Tracer,
    value::Value,
};
use crate::{
    ast::{Block, Expr, ExprKind, Ident},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};

/// A loop, or a block with a label, around what is being traced.
#[derive(Clone, Debug)]
pub(crate) struct Breakable {
    label: Option<String>,
    kind: BreakableKind,
}

/// What can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakableKind {
    /// `loop`, which may be left with a value.
    Loop,
    /// `for` or `while`.
    Rounds,
    /// A block with a label.
    Block,
}

impl Breakable {
    /// The ways to leave it.
    pub(crate) fn exits(&self, depth: usize) -> impl Iterator<Item = Exit> + use<> {
        let repeats = self.kind != BreakableKind::Block;
        let next = repeats.then_some(Exit::Continue(depth));
        std::iter::once(Exit::Break(depth)).chain(next)
    }
}

impl Tracer<'_> {
    /// A loop or a block, with the label before it.
    pub(crate) fn labelled(
        &mut self,
        label: &Ident,
        inner: &Expr,
        expected: Option<&super::types::Type>,
    ) -> Flow {
        match &inner.kind {
            ExprKind::Block(block) => self.labelled_block(label, block, expected),
            _ => self.looping(Some(label), inner),
        }
    }

    fn labelled_block(
        &mut self,
        label: &Ident,
        block: &Block,
        expected: Option<&super::types::Type>,
    ) -> Flow {
        self.inside(
            BreakableKind::Block,
            Some(label),
            |tracer, depth| match tracer.block(block, expected) {
                Err(Interrupt::Break(left, value)) if left == depth => Ok(value),
                Err(Interrupt::Left) if tracer.may_have_left_by(Exit::Break(depth)) => {
                    Ok(tracer.left_with(Exit::Break(depth)))
                }
                Err(interrupt) => Err(interrupt),
                Ok(value) => Ok(tracer.value_or_left_with(Exit::Break(depth), value, block.span)),
            },
        )
    }

    /// Runs in a block where `break`, and `continue` in a loop, are possible, and forgets afterwards that
    /// it was left. What runs is told the depth.
    pub(crate) fn inside<R>(
        &mut self,
        kind: BreakableKind,
        label: Option<&Ident>,
        run: impl FnOnce(&mut Self, usize) -> Flow<R>,
    ) -> Flow<R> {
        let depth = self.frame.breakables.len();
        let label = label.map(|label| label.name.clone());
        let breakable = Breakable { label, kind };
        self.frame.scopes.enter();
        for exit in breakable.exits(depth) {
            self.allow_exit(exit);
        }
        self.frame.breakables.push(breakable);
        let result = run(self, depth);
        self.frame.breakables.pop();
        self.frame.scopes.leave();
        result
    }

    /// `break`, with the value that is left with.
    pub(crate) fn break_with(
        &mut self,
        label: Option<&Ident>,
        value: Option<(Value, SpanId)>,
        span: SpanId,
    ) -> Flow {
        let leaves = |kind: BreakableKind| kind != BreakableKind::Block || label.is_some();
        let Some((depth, kind)) = self.breakable("break", label, leaves, span) else {
            return Ok(Value::POISON);
        };
        match value {
            Some((_, span)) if kind == BreakableKind::Rounds => {
                let message = "`for` and `while` have no value that `break` could give";
                let help = "assign it to a variable, or write `loop`";
                self.report(Diagnostic::new(Code::Unsupported, span, message).help(help));
                Err(Interrupt::Break(depth, Value::unit()))
            }
            Some((value, _)) => Err(Interrupt::Break(depth, value)),
            None => Err(Interrupt::Break(depth, Value::unit())),
        }
    }

    /// `continue`.
    pub(crate) fn continue_at(&mut self, label: Option<&Ident>, span: SpanId) -> Flow {
        let repeats = |kind: BreakableKind| kind != BreakableKind::Block;
        match self.breakable("continue", label, repeats, span) {
            Some((depth, _)) => Err(Interrupt::Continue(depth)),
            None => Ok(Value::POISON),
        }
    }

    /// What is left, by its depth; `None` if it was reported that there is nothing.
    fn breakable(
        &mut self,
        word: &str,
        label: Option<&Ident>,
        fits: impl Fn(BreakableKind) -> bool,
        span: SpanId,
    ) -> Option<(usize, BreakableKind)> {
        let around = self.frame.breakables.iter().enumerate().rev();
        let named = |breakable: &Breakable| match label {
            Some(label) => breakable.label.as_ref() == Some(&label.name),
            None => fits(breakable.kind),
        };
        let found = around.clone().find(|(_, breakable)| named(breakable));
        match (found, label) {
            (Some((depth, breakable)), _) if fits(breakable.kind) => Some((depth, breakable.kind)),
            (Some(_), _) => {
                let message = "a block has no next round to `continue` with";
                let span = label.map_or(span, |label| label.span);
                self.report(
                    Diagnostic::new(Code::Unsupported, span, message).help("write `break`"),
                );
                None
            }
            (None, Some(label)) => {
                let labels = around.filter_map(|(_, breakable)| breakable.label.as_deref());
                let similar = nearest(&label.name, labels).map(str::to_owned);
                let message = format!("there is no loop or block `'{}` around this", label.name);
                let diagnostic = Diagnostic::new(Code::UnknownName, label.span, message);
                self.report(match similar {
                    Some(similar) => diagnostic.help(format!(
                        "there is a label with a similar name: `'{similar}`"
                    )),
                    None => diagnostic,
                });
                None
            }
            (None, None) => {
                let message = match self.frame.identity {
                    Identity::Closure => format!("`{word}` cannot leave a loop around a closure"),
                    _ => format!("there is no loop around this `{word}`"),
                };
                self.error(Code::Unsupported, span, message);
                None
            }
        }
    }
}
