use std::{
    cell::RefCell,
    rc::Rc,
    time::{Duration, Instant},
};

use melior::{
    ir::{
        OperationRef,
        attribute::StringAttribute,
        operation::{OperationLike, OperationPrintingFlags},
    },
    pass::Pass,
};
use similar::TextDiff;

use crate::{attributes, pass, raw, support::name};

/// What passes did, in the order in which they ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace(Vec<Step>);

impl Trace {
    /// Each run of a pass on an operation.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Those that changed something.
    pub fn changed(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().filter(|step| step.is_change())
    }

    /// The step that failed, if one did.
    pub fn failed(&self) -> Option<&Step> {
        self.0.iter().find(|step| step.after.is_none())
    }
}

/// A run of a pass on an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pass: String,
    operation: String,
    before: String,
    after: Option<String>,
    duration: Duration,
}

impl Step {
    /// The name of the pass.
    pub fn pass(&self) -> &str {
        &self.pass
    }

    /// The name of the operation, and that of its symbol if it has one: `func.func @main`.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The text of the operation before.
    pub fn before(&self) -> &str {
        &self.before
    }

    /// The text of the operation after, unless the pass failed or left it wrong.
    pub fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// How long it took, with verification.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// Whether the pass changed the operation.
    pub fn is_change(&self) -> bool {
        self.after
            .as_ref()
            .is_some_and(|after| *after != self.before)
    }

    /// The lines that differ, in the unified form of `diff`, with three lines around them; empty if none does.
    pub fn difference(&self) -> String {
        let after = self.after.as_deref().unwrap_or(&self.before);
        let difference = TextDiff::from_lines(self.before.as_str(), after);
        let mut unified = difference.unified_diff();
        unified.header("before", &self.pass);
        unified.to_string()
    }
}

/// Records what passes do, by a pass before and one after each.
#[derive(Default)]
pub(crate) struct Recorder {
    steps: RefCell<Vec<Step>>,
    begun: RefCell<Vec<(Step, Instant)>>,
}

impl Recorder {
    /// The passes that go before and after another.
    pub(crate) fn passes(self: &Rc<Self>, name: &str) -> (Pass, Pass) {
        let (before, after) = (self.clone(), self.clone());
        let pass = name.to_owned();
        let before = move |operation: OperationRef<'_, '_>| before.begin(&pass, operation);
        let after = move |operation: OperationRef<'_, '_>| after.end(operation);
        (marker(before), marker(after))
    }

    fn begin(&self, pass: &str, operation: OperationRef<'_, '_>) {
        let step = Step {
            pass: pass.to_owned(),
            operation: title(operation),
            before: text(operation),
            after: None,
            duration: Duration::ZERO,
        };
        self.begun.borrow_mut().push((step, Instant::now()));
    }

    fn end(&self, operation: OperationRef<'_, '_>) {
        if let Some((step, start)) = self.begun.borrow_mut().pop() {
            let duration = start.elapsed();
            self.steps.borrow_mut().push(Step {
                after: Some(text(operation)),
                duration,
                ..step
            });
        }
    }

    /// What was recorded; what was not ended has failed.
    pub(crate) fn finish(&self) -> Trace {
        let mut steps = self.steps.take();
        let failed = self.begun.take().into_iter();
        steps.extend(failed.map(|(step, start)| Step {
            duration: start.elapsed(),
            ..step
        }));
        Trace(steps)
    }
}

fn marker(record: impl Fn(OperationRef<'_, '_>)) -> Pass {
    let body = move |editor: &crate::Editor<'_, '_>| {
        record(editor.root());
        Ok(())
    };
    pass::create("trace", Rc::new(RefCell::new(body)))
}

fn title(operation: OperationRef<'_, '_>) -> String {
    let name = name(operation);
    let symbol = operation.attribute("sym_name").ok();
    match symbol.and_then(|symbol| StringAttribute::try_from(symbol).ok()) {
        Some(symbol) => format!("{name} @{}", attributes::string(symbol)),
        None => name,
    }
}

fn text(operation: OperationRef<'_, '_>) -> String {
    let flags = OperationPrintingFlags::new().use_local_scope();
    let mut text = raw::print(operation, &flags);
    text.push('\n');
    text
}
