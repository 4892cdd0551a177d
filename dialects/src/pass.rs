//! Passes that are closures.

use std::{
    cell::RefCell,
    error::Error,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use melior::{
    ContextRef,
    ir::{OperationRef, operation::OperationLike, r#type::TypeId},
    pass::{ExternalPass, Pass, RunExternalPass, create_external},
};

use crate::{Editor, edit::change_operation, raw};

/// What a pass does with an operation.
pub(crate) type Body<'p> =
    dyn for<'c, 'e> FnMut(&Editor<'c, 'e>) -> Result<(), Box<dyn Error>> + 'p;

/// A closure as MLIR calls it.
#[derive(Clone)]
struct Closure<'p>(Rc<RefCell<Body<'p>>>);

/// Passes are told apart by an address.
#[repr(align(8))]
struct Id(#[expect(dead_code, reason = "only its address counts")] u64);

static ID: Id = Id(0);

impl<'c> RunExternalPass<'c> for Closure<'_> {
    fn initialize(&mut self, _: ContextRef<'c>) {}

    fn run(&mut self, operation: OperationRef<'c, '_>, pass: ExternalPass<'_>) {
        // A panic must not reach MLIR.
        let run = AssertUnwindSafe(|| match self.0.try_borrow_mut() {
            Ok(mut body) => change_operation(operation, &mut *body),
            Err(_) => Err("the pass runs inside of itself".into()),
        });
        let outcome = catch_unwind(run).unwrap_or_else(|_| Err("the pass panicked".into()));
        if let Err(error) = outcome {
            raw::emit_error(operation.location(), &error.to_string());
            pass.signal_failure();
        }
    }
}

/// The pass of a closure, which runs on operations of any name.
///
/// It must not be used after the closure's borrows end, nor on two threads.
pub(crate) fn create(name: &str, body: Rc<RefCell<Body<'_>>>) -> Pass {
    create_external(Closure(body), TypeId::create(&ID), name, name, "", "", &[])
}
