//! Functions that call themselves: tracing them would never end.

use super::{
    frame::{Frame, Identity},
    function,
    tracer::Tracer,
};
use crate::{
    ast,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// Closures that are given themselves can be applied without end; nobody nests as many calls as this.
const CALL_LIMIT: usize = 256;

impl Tracer<'_> {
    /// Reports a call of something that is running already.
    pub(crate) fn refuse_recursion(
        &mut self,
        identity: Identity,
        function: &ast::Function,
        span: SpanId,
    ) -> bool {
        let (kind, name) = (function::kind(function), &function.name.name);
        let running = self.running();
        let Some(first) = running.iter().position(|frame| frame.identity == identity) else {
            return false;
        };
        let cycle = running.get(first..).unwrap_or_default();
        let named = |frame: &&&Frame| {
            matches!(frame.identity, Identity::Kernel(_) | Identity::Procedure(_))
        };
        let cycle: Vec<_> = cycle.iter().filter(named).collect();
        let between = cycle.iter().skip(1);
        let between: Vec<_> = between.map(|frame| frame.description.as_str()).collect();
        let through = match between.is_empty() {
            true => String::new(),
            false => format!(" through {}", between.join(" and ")),
        };
        let cycle: Vec<_> = cycle.iter().map(|frame| frame.identity).collect();
        let message =
            format!("the {kind} `{name}` calls itself{through}; recursion is not possible");
        // Each function of a cycle finds it.
        let known = self.recursions.contains(&identity);
        self.recursions.extend(cycle);
        if !known {
            let diagnostic = Diagnostic::new(Code::Recursion, span, message);
            self.report(diagnostic.help("write a loop instead"));
        }
        true
    }

    /// Reports closures that are applied within each other without end.
    pub(crate) fn refuse_endless(&mut self, span: SpanId) -> bool {
        // Each of the calls that led to it may apply another closure.
        let known = self.recursions.contains(&Identity::Closure) && self.error_count() > 0;
        if known || self.callers.len() < CALL_LIMIT {
            return known;
        }
        self.recursions.push(Identity::Closure);
        let message = format!(
            "closures are applied within each other more than {CALL_LIMIT} deep; recursion is not possible"
        );
        let diagnostic = Diagnostic::new(Code::Recursion, span, message);
        self.report(diagnostic.help("write a loop instead"));
        true
    }

    /// What is running, the innermost last. Around a closure is what was running where it was written: what
    /// applies it does not run its body.
    fn running(&self) -> Vec<&Frame> {
        let frames: Vec<_> = self.callers.iter().chain([&self.frame]).collect();
        let mut running = Vec::new();
        let mut around = frames.len();
        while let Some(index) = around.checked_sub(1)
            && let Some(frame) = frames.get(index)
        {
            running.push(*frame);
            around = match frame.written_at {
                Some(written_at) => index.min(written_at + 1),
                None => index,
            };
        }
        running.reverse();
        running
    }
}
