//! What `break` and `continue` leave: loops, and blocks with a label.

use super::{
    exit::Exit,
    frame::{Flow, Identity, Interrupt},
    tracer::Tracer,
    types::Type,
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
    /// Where it stands.
    span: SpanId,
    /// The type of its place, if that is known.
    expected: Option<Type>,
    /// The type of the values that it was left with so far, and where the first stands.
    value: Option<(Type, SpanId)>,
}

/// What can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakableKind {
    /// `loop`, which may be left with a value.
    Loop,
    /// `for` or `while`.
    Iterations,
    /// A block with a label.
    Block,
}

impl BreakableKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Loop | Self::Iterations => "loop",
            Self::Block => "block",
        }
    }
}

impl Breakable {
    /// What can be left there.
    pub(crate) fn new(kind: BreakableKind, label: Option<&Ident>, span: SpanId) -> Self {
        Self {
            label: label.map(|label| label.name.clone()),
            kind,
            span,
            expected: None,
            value: None,
        }
    }

    /// The same with the type of its place.
    pub(crate) fn expecting(self, expected: Option<&Type>) -> Self {
        Self {
            expected: expected.cloned(),
            ..self
        }
    }

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
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow {
        match &inner.kind {
            ExprKind::Block(block) => self.labelled_block(label, block, expected, span),
            _ => self.looping(Some(label), inner, expected, span),
        }
    }

    fn labelled_block(
        &mut self,
        label: &Ident,
        block: &Block,
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow {
        let breakable = Breakable::new(BreakableKind::Block, Some(label), span);
        self.inside(breakable.expecting(expected), |tracer, depth| {
            let exit = Exit::Break(depth);
            match tracer.block(block, expected) {
                Err(Interrupt::Break(left, value)) if left == depth => Ok(value),
                Err(Interrupt::Left) if tracer.may_have_left_by(exit) => Ok(tracer.left_with(exit)),
                Err(interrupt) => Err(interrupt),
                Ok(value) => {
                    let at = block.value.as_ref().map_or(block.span, |value| value.span);
                    let value = tracer.agreed(depth, value, at);
                    Ok(tracer.value_or_left_with(exit, value, at))
                }
            }
        })
    }

    /// Runs in a block where `break`, and `continue` in a loop, are possible, and forgets afterwards that
    /// it was left. What runs is told the depth.
    pub(crate) fn inside<R>(
        &mut self,
        breakable: Breakable,
        run: impl FnOnce(&mut Self, usize) -> Flow<R>,
    ) -> Flow<R> {
        let depth = self.frame.breakables.len();
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
        value: Option<&Expr>,
        span: SpanId,
    ) -> Flow {
        let leaves = |kind: BreakableKind| kind != BreakableKind::Block || label.is_some();
        let left = self.breakable("break", label, leaves, span);
        let around = left.and_then(|(depth, _)| self.frame.breakables.get(depth));
        let expected = around.and_then(|breakable| breakable.expected.clone());
        let (value, at) = match value {
            Some(value) => (self.expr(value, expected.as_ref())?, value.span),
            None => (Value::unit(), span),
        };
        let Some((depth, kind)) = left else {
            return Ok(Value::POISON);
        };
        if kind == BreakableKind::Iterations {
            if at != span {
                let message = "`for` and `while` have no value that `break` could give";
                let help = "assign it to a variable, or write `loop`";
                self.report(Diagnostic::new(Code::Unsupported, at, message).help(help));
            }
            return Err(Interrupt::Break(depth, Value::unit()));
        }
        let value = self.agreed(depth, value, at);
        Err(Interrupt::Break(depth, value))
    }

    /// A value that a loop or block is left with, which must have the type of those before.
    fn agreed(&mut self, depth: usize, value: Value, span: SpanId) -> Value {
        let Some(breakable) = self.frame.breakables.get(depth).cloned() else {
            return value;
        };
        let value = self.adopt(value, breakable.expected.as_ref(), span);
        let ty = value.ty();
        let Some((first, first_at)) = &breakable.value else {
            self.note_value(breakable.span, span);
            return self.agree_on(depth, ty, value, span);
        };
        // A literal has become a tensor where branches met.
        let met = self.value_left_with(Exit::Break(depth));
        let first = &met.map_or_else(|| first.clone(), |value| value.ty());
        if let Some(common) = first.common(&ty) {
            return self.agree_on(depth, common, value, *first_at);
        }
        let fits = |ty: &Type| {
            let expected = breakable.expected.as_ref();
            expected.is_some_and(|expected| expected.common(ty).is_some())
        };
        let (expected, (found, at), other_at) = match fits(&ty) && !fits(first) {
            true => (&ty, (first, *first_at), span),
            false => (first, (&ty, span), *first_at),
        };
        let what = breakable.kind.name();
        let message = format!(
            "the values that this {what} is left with must have one type: expected `{expected}`, found `{found}`"
        );
        let place = self.location_of(other_at);
        let note = format!("the value of type `{expected}` is at {place}");
        self.report(Diagnostic::new(Code::TypeMismatch, at, message).note(note));
        Value::poison_of(first)
    }

    /// Remembers the type that values have so far.
    fn agree_on(&mut self, depth: usize, ty: Type, value: Value, at: SpanId) -> Value {
        let value = match value.is_poisoned() {
            true => Value::poison_of(&ty),
            false => value,
        };
        if let Some(breakable) = self.frame.breakables.get_mut(depth) {
            breakable.value = Some((ty, at));
        }
        value
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
                let message = "a block has no next iteration to `continue` with";
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
