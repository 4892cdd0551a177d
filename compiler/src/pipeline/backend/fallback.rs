//! What is said of programs that the IREE compiler failed on, and compiled in another way.

use crate::{
    artifact::{Compiled, Failure, Fallback, Place, Plan},
    diagnostic::Remark,
    span::{SpanId, SpanTable},
};
use iree_dsl_ir::{Linkage, Module, Operation};

/// What the warning is about, as `rustc` shows it.
const TOPIC: &str = "compiled_slower";

/// One warning of all artifacts that are not as they should be, at the first expression that the compiler failed on.
pub(super) fn remarks(plan: &Plan<'_>, artifacts: &[Compiled], spans: &SpanTable) -> Vec<Remark> {
    let fallen = artifacts
        .iter()
        .filter_map(|artifact| Some((artifact, artifact.fallback.as_ref()?)));
    let fallen: Vec<_> = fallen.collect();
    let Some((first, fallback)) = fallen.first() else {
        return Vec::new();
    };
    let targets = fallen.iter().map(|(artifact, _)| artifact.target.as_str());
    let targets: Vec<_> = targets.collect();
    let script = first.reproducer.0.clone();
    let shown = Failure::command_of(script.as_ref());
    let shown = shown.map_or_else(String::new, |command| {
        format!("; `{command}` shows it again")
    });
    let span = widest(plan.program.module(), fallback, spans);
    let called = span.map_or_else(Vec::new, |span| calls(plan.program.module(), span, spans));
    let called: String = called.iter().map(|note| format!("\n{note}")).collect();
    vec![Remark {
        topic: TOPIC,
        span: span.unwrap_or(SpanId::CALL_SITE),
        text: format!(
            "{}. It compiled another way: {}{called}\nin `{}` for {}{shown}",
            fallback.reason,
            fallback.cost(),
            plan.name(),
            targets.join(", "),
        ),
    }]
}

/// The operations of a module, and where they are.
pub(super) fn operations(module: &Module) -> impl Iterator<Item = (Place, &Operation)> {
    module.functions.iter().flat_map(|(function, content)| {
        let operations = content.operations.iter();
        operations.map(move |(id, operation)| {
            let place = Place {
                function: function.index(),
                operation: id.index(),
            };
            (place, operation)
        })
    })
}

/// Where an operation stands in the source.
pub(super) fn span(module: &Module, place: Place) -> Option<SpanId> {
    let mut all = operations(module);
    all.find_map(|(found, operation)| (found == place).then_some(operation.span))
}

/// The widest expression that starts where the compiler failed first.
fn widest(module: &Module, fallback: &Fallback, spans: &SpanTable) -> Option<SpanId> {
    let first = span(module, *fallback.places.first()?)?;
    let all = fallback.places.iter();
    spans.widest_at(
        &spans.location(first),
        all.filter_map(|place| span(module, *place)),
    )
}

/// How many calls are told of the way to an expression.
const MOST_CALLS: usize = 4;

/// The calls that lead from a procedure to an expression, the last one first.
pub(super) fn calls(module: &Module, expression: SpanId, spans: &SpanTable) -> Vec<String> {
    let mut notes = Vec::new();
    let stands = operations(module).find(|(_, operation)| operation.span == expression);
    let mut stands = stands.map(|(place, _)| place.function);
    while let Some(callee) = stands.take()
        && notes.len() < MOST_CALLS
    {
        let mut functions = module.functions.iter();
        let function = functions.find(|(id, _)| id.index() == callee);
        let kernel = function.filter(|(_, function)| function.linkage == Linkage::Private);
        let Some((id, kernel)) = kernel else { break };
        let is_call =
            |operation: &Operation| operation.op.callee().is_some_and(|call| call.callee == id);
        let call = operations(module).find(|(_, operation)| is_call(operation));
        if let Some((place, call)) = call {
            let at = spans.location(call.span);
            notes.push(format!("in the kernel `{}`, called at {at}", kernel.name));
            stands = Some(place.function);
        }
    }
    notes
}
