//! `for`, `while` and `loop`: unrolled while tracing where the number of iterations is known, loops of the
//! program otherwise.

use super::{
    breakable::{Breakable, BreakableKind},
    exit::Exit,
    frame::{Flow, Interrupt},
    repeat::Loop,
    statics::Static,
    tracer::Tracer,
    tree::Tree,
    types::Type,
    value::{Iterations, Value, ValueLeaf},
};
use crate::{
    ast::{BinaryOperator, Block, Expr, ExprKind, Ident, Pattern},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_dsl_ir::Scalar;

/// A loop with more iterations than this was hardly meant to be unrolled.
const UNROLL_LIMIT: usize = 100_000;

/// IREE 3.13 takes a minute for a row of this many operations, and four times as long for twice as many.
/// Defect `long-rows-take-minutes`. Orders of elements, which become some fifteen, count as one.
const OPERATION_LIMIT: usize = 10_000;

/// The hidden variable that counts the iterations of a loop of the program.
const COUNTER: &str = "<counter>";

/// The hidden variable that says whether there is another iteration, where that cannot be told from the counter:
/// after the greatest integer there is none.
const MORE: &str = "<more>";

/// How an iteration of an unrolled loop ended.
enum Iteration {
    Next,
    Done(Value),
    /// That depends on what happens at run time.
    Open,
}

impl Tracer<'_> {
    /// A loop, with the label before it.
    pub(crate) fn looping(
        &mut self,
        label: Option<&Ident>,
        expr: &Expr,
        expected: Option<&Type>,
        whole: SpanId,
    ) -> Flow {
        let span = expr.span;
        match &expr.kind {
            ExprKind::For {
                pattern,
                iterator,
                body,
            } => self.for_loop(label, pattern, iterator, body, span),
            ExprKind::While(condition, body) => self.while_loop(label, condition, body, span),
            ExprKind::Loop(body) => {
                let breakable = Breakable::new(BreakableKind::Loop, label, whole);
                self.endless_loop(breakable.expecting(expected), body, span)
            }
            _ => Ok(Value::POISON),
        }
    }

    /// `for pattern in iterator { … }`.
    fn for_loop(
        &mut self,
        label: Option<&Ident>,
        pattern: &Pattern,
        iterator: &Expr,
        body: &Block,
        span: SpanId,
    ) -> Flow {
        let items = match self.expr(iterator, None)? {
            Tree::Array(items) => items,
            Value::Leaf(ValueLeaf::Range(start, end)) => {
                if end.saturating_sub(start) > UNROLL_LIMIT as i128 {
                    self.unroll_limit(iterator.span);
                    return Ok(Tree::unit());
                }
                let iterations = start..end;
                iterations
                    .map(|index| loop_index(iterator, index))
                    .collect()
            }
            Value::Leaf(ValueLeaf::Iterations(iterations)) => {
                let breakable = Breakable::new(BreakableKind::Iterations, label, span);
                return self.inside(breakable, |tracer, _| {
                    tracer.counted_loop(pattern, *iterations, body, span)
                });
            }
            Value::Leaf(ValueLeaf::Poison) => return Ok(Tree::unit()),
            other => {
                let message = format!("cannot loop over `{}`", other.ty());
                let diagnostic = Diagnostic::new(Code::TypeMismatch, iterator.span, message);
                let help = "loop over an array, or a range: `for i in 0..x.dim(0) { … x[i] … }`";
                self.report(diagnostic.help(help));
                return Ok(Tree::unit());
            }
        };
        let breakable = Breakable::new(BreakableKind::Iterations, label, span);
        self.inside(breakable, |tracer, _| {
            tracer.unrolled_rounds(pattern, &items, body, span)
        })
    }

    /// Iterations one after the other. Those after an iteration that may have left become a branch.
    fn unrolled_rounds(
        &mut self,
        pattern: &Pattern,
        items: &[Value],
        body: &Block,
        span: SpanId,
    ) -> Flow {
        let start = self.builder.operation_count();
        for (position, item) in items.iter().enumerate() {
            if self.has_too_many_operations(start, (position, Some(items.len())), span) {
                return Ok(Tree::unit());
            }
            match self.iteration(body, Some((pattern, item.clone())))? {
                Iteration::Next => {}
                Iteration::Done(_) => break,
                Iteration::Open => {
                    let rest = items.get(position + 1..).unwrap_or_default();
                    let rest =
                        |tracer: &mut Self| tracer.unrolled_rounds(pattern, rest, body, span);
                    return self.unless_left(rest, span);
                }
            }
        }
        Ok(Tree::unit())
    }

    /// A loop over integers that are known when the program runs.
    fn counted_loop(
        &mut self,
        pattern: &Pattern,
        iterations: Iterations,
        body: &Block,
        span: SpanId,
    ) -> Flow {
        let (end, inclusive) = ((Value::from(iterations.end), span), iterations.inclusive);
        self.hide(COUNTER, Some(iterations.start.into()));
        if inclusive {
            let start = self.counter(span);
            let any = self.binary_value(BinaryOperator::LessEqual, start, end.clone(), span);
            self.hide(MORE, Some(any));
        }
        let before_end = |tracer: &mut Self| {
            let counter = tracer.counter(span);
            tracer.binary_value(BinaryOperator::Less, counter, end.clone(), span)
        };
        let condition = |tracer: &mut Self| {
            Ok(match inclusive {
                true => tracer.hidden(MORE).unwrap_or(Value::POISON),
                false => before_end(tracer),
            })
        };
        let body = |tracer: &mut Self| {
            let counter = tracer.counter(span);
            let result = tracer.bound_block(body, Some((pattern, counter.0.clone())));
            if inclusive {
                let more = before_end(tracer);
                tracer.set_hidden(MORE, more);
            }
            let one = (Static::integer(1).into(), span);
            let next = tracer.binary_value(BinaryOperator::Add, counter, one, span);
            tracer.set_hidden(COUNTER, next);
            result.map(|_| ())
        };
        self.repeat(&mut Loop {
            condition,
            body,
            span,
        })?;
        Ok(Tree::unit())
    }

    fn counter(&self, span: SpanId) -> (Value, SpanId) {
        (self.hidden(COUNTER).unwrap_or(Value::POISON), span)
    }

    /// `while condition { … }`.
    fn while_loop(
        &mut self,
        label: Option<&Ident>,
        condition: &Expr,
        body: &Block,
        span: SpanId,
    ) -> Flow {
        let breakable = Breakable::new(BreakableKind::Iterations, label, span);
        self.inside(breakable, |tracer, _| {
            let start = tracer.builder.operation_count();
            for iterations in 0..UNROLL_LIMIT {
                if tracer.has_too_many_operations(start, (iterations, None), span) {
                    return Ok(Tree::unit());
                }
                let (mark, state) = (tracer.builder.mark(), tracer.state());
                let (before, undecided) = (tracer.error_count(), tracer.undecided);
                let known = match tracer.expr(condition, None)? {
                    Value::Leaf(ValueLeaf::Static(Static {
                        value: Scalar::Bool(known),
                        ..
                    })) => Some(known),
                    value if tracer.is_condition(&value) => None,
                    // What an iteration makes of the variables may tell the type.
                    _ if tracer.lacks_type_since(before) => None,
                    value => {
                        tracer.wrong_condition(&value, "while", condition.span);
                        if tracer.is_about_tensors(condition) {
                            let body = |tracer: &mut Self| tracer.bound_block(body, None);
                            let none = |_: &mut Self| Ok(Tree::unit());
                            tracer.branches_of_nothing(body, none, span);
                        }
                        return Ok(Tree::unit());
                    }
                };
                match known {
                    Some(false) => return Ok(Tree::unit()),
                    Some(true) => match tracer.iteration(body, None)? {
                        Iteration::Next => {}
                        Iteration::Done(_) => return Ok(Tree::unit()),
                        Iteration::Open => {
                            tracer.undo(mark, &state, before);
                            return tracer.open_while(condition, body, span);
                        }
                    },
                    None => {
                        tracer.undo(mark, &state, before);
                        return tracer.open_while(condition, body, span);
                    }
                }
                if tracer.error_count() > before || tracer.undecided > undecided {
                    return Ok(Tree::unit());
                }
            }
            tracer.unroll_limit(condition.span);
            Ok(Tree::unit())
        })
    }

    pub(crate) fn undo(
        &mut self,
        mark: super::builder::Mark,
        state: &super::state::State,
        mistakes: usize,
    ) {
        self.builder.go_back(mark);
        self.restore(state);
        self.forget_mistakes(mistakes);
    }

    fn open_while(&mut self, condition: &Expr, body: &Block, span: SpanId) -> Flow {
        let condition = |tracer: &mut Self| tracer.expr(condition, None);
        let body = |tracer: &mut Self| tracer.bound_block(body, None).map(|_| ());
        self.repeat(&mut Loop {
            condition,
            body,
            span,
        })?;
        Ok(Tree::unit())
    }

    /// `loop { … }`.
    fn endless_loop(&mut self, breakable: Breakable, body: &Block, span: SpanId) -> Flow {
        if !can_leave(body) {
            let message = "this loop never ends: there is no `break` in it";
            let help = "write `break`, or a loop with an end: `for i in range(0, n)`";
            return Ok(self.report(Diagnostic::new(Code::UnrollLimit, span, message).help(help)));
        }
        self.inside(breakable, |tracer, depth| {
            let start = tracer.builder.operation_count();
            for iterations in 0..UNROLL_LIMIT {
                if tracer.has_too_many_operations(start, (iterations, None), span) {
                    return Ok(Value::POISON);
                }
                let (mark, state) = (tracer.builder.mark(), tracer.state());
                let (before, undecided) = (tracer.error_count(), tracer.undecided);
                match tracer.iteration(body, None)? {
                    Iteration::Next => {}
                    Iteration::Done(value) => return Ok(value),
                    Iteration::Open => {
                        tracer.undo(mark, &state, before);
                        return tracer.open_loop(body, depth, span);
                    }
                }
                if tracer.error_count() > before || tracer.undecided > undecided {
                    return Ok(Value::POISON);
                }
            }
            tracer.unroll_limit(span);
            Ok(Value::POISON)
        })
    }

    fn open_loop(&mut self, body: &Block, depth: usize, span: SpanId) -> Flow {
        let condition = |_: &mut Self| Ok(Static::bool(true).into());
        let body = |tracer: &mut Self| tracer.bound_block(body, None).map(|_| ());
        let mistakes = self.error_count();
        self.repeat(&mut Loop {
            condition,
            body,
            span,
        })?;
        if self.error_count() > mistakes {
            return Ok(Value::POISON);
        }
        let exit = Exit::Break(depth);
        match self.may_have_left_somehow() && !self.may_have_left_by(exit) {
            // What comes after it is never reached.
            true => Err(Interrupt::Left),
            false => Ok(self.left_with(exit)),
        }
    }

    fn bound_block(&mut self, body: &Block, binding: Option<(&Pattern, Value)>) -> Flow {
        self.frame.scopes.enter();
        if let Some((pattern, value)) = binding {
            self.bind(pattern, value);
        }
        let result = self.block(body, None);
        self.frame.scopes.leave();
        result
    }

    /// An iteration of an unrolled loop.
    fn iteration(&mut self, body: &Block, binding: Option<(&Pattern, Value)>) -> Flow<Iteration> {
        let depth = self.frame.breakables.len().saturating_sub(1);
        let result = self.bound_block(body, binding);
        self.forget_exit(Exit::Continue(depth));
        match result {
            Err(Interrupt::Break(left, value)) if left == depth => Ok(Iteration::Done(value)),
            Err(Interrupt::Continue(next)) if next != depth => Err(Interrupt::Continue(next)),
            Err(interrupt @ (Interrupt::Break(..) | Interrupt::Return(..))) => Err(interrupt),
            Ok(_) | Err(Interrupt::Continue(_) | Interrupt::Left) => {
                Ok(match self.may_have_left_somehow() {
                    true => Iteration::Open,
                    false => Iteration::Next,
                })
            }
        }
    }

    /// Reports it if iterations, of all of a loop where that is known, made more operations than a loop may.
    fn has_too_many_operations(
        &mut self,
        start: usize,
        (iterations, all): (usize, Option<usize>),
        span: SpanId,
    ) -> bool {
        if self.builder.operation_count() - start <= OPERATION_LIMIT {
            return false;
        }
        let which = match all {
            Some(all) => format!("{iterations} of the {all} iterations"),
            None => format!("the first {iterations} iterations"),
        };
        let message = format!(
            "{which} of this loop take more than {OPERATION_LIMIT} operations, with which IREE takes minutes"
        );
        let diagnostic = Diagnostic::new(Code::UnrollLimit, span, message);
        let help = "a loop over `range(0, n)` is not unrolled, but part of the program";
        self.report(diagnostic.help(help));
        true
    }

    fn unroll_limit(&mut self, span: SpanId) {
        let message = format!("the loop would be unrolled more than {UNROLL_LIMIT} times");
        let diagnostic = Diagnostic::new(Code::UnrollLimit, span, message);
        self.report(diagnostic.help("a loop over `range(0, n)` is part of the program"));
    }
}

/// Whether a `break` or `return` may leave a loop with this body. One with a label may mean an outer loop,
/// which ends this one too.
fn can_leave(body: &Block) -> bool {
    leaves(body, false)
}

fn leaves(body: &Block, inner: bool) -> bool {
    body.any(&mut |expr| match &expr.kind {
        ExprKind::Return(_) | ExprKind::Error => Some(true),
        ExprKind::Continue(label) => label.is_some().then_some(true),
        ExprKind::Break { label, .. } if label.is_some() || !inner => Some(true),
        ExprKind::For { body, .. } | ExprKind::While(_, body) | ExprKind::Loop(body) => {
            Some(leaves(body, true))
        }
        ExprKind::Closure(_) => Some(false),
        _ => None,
    })
}

/// The index of an iteration: `usize` if an end of the range is, else as free as a literal.
fn loop_index(iterator: &Expr, index: i128) -> Value {
    let literal = |expr: &Option<Box<Expr>>| {
        let expr = expr.as_deref();
        expr.is_none_or(|expr| matches!(expr.kind, ExprKind::Literal(_)))
    };
    match (&iterator.kind, usize::try_from(index)) {
        (ExprKind::Range { start, end, .. }, Ok(size)) if !(literal(start) && literal(end)) => {
            Static::usize(size).into()
        }
        _ => Static::integer(index).into(),
    }
}
