use std::{cell::RefCell, rc::Rc, time::Instant};

use iree_dialects_trace::{Step, Trace};
use melior::{
    ir::{
        OperationRef,
        attribute::StringAttribute,
        operation::{OperationLike, OperationPrintingFlags},
    },
    pass::Pass,
};

use crate::{attributes, pass, raw, support::name};

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
        let step = Step::begin(pass, title(operation), text(operation));
        self.begun.borrow_mut().push((step, Instant::now()));
    }

    fn end(&self, operation: OperationRef<'_, '_>) {
        if let Some((step, start)) = self.begun.borrow_mut().pop() {
            let duration = start.elapsed();
            let step = step.end(text(operation)).lasting(duration);
            self.steps.borrow_mut().push(step);
        }
    }

    /// What was recorded; what was not ended has failed.
    pub(crate) fn finish(&self) -> Trace {
        let mut steps = self.steps.take();
        let failed = self.begun.take().into_iter();
        steps.extend(failed.map(|(step, start)| step.lasting(start.elapsed())));
        steps.into()
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
