//! Passes and rewrite patterns.

use super::text::append;
use melior::{
    Context, PatternRewriter, RewritePattern, StringRef, create_op_rewrite_pattern,
    ir::{OperationRef, Value},
    pass::{OperationPassManager, PassManager},
};
use mlir_sys::{
    MlirOperation, MlirPatternRewriter, mlirOpPassManagerAddPipeline,
    mlirPassManagerCreateOnOperation, mlirPassManagerRunOnOp,
};

/// A manager of passes that run on operations of a name.
pub(crate) fn pass_manager<'c>(context: &'c Context, anchor: &str) -> PassManager<'c> {
    let anchor = StringRef::new(anchor);
    // SAFETY: the context and the name are alive.
    let raw = unsafe { mlirPassManagerCreateOnOperation(context.to_raw(), anchor.to_raw()) };
    // SAFETY: the manager is new, and its context outlives it.
    unsafe { PassManager::from_raw(raw) }
}

/// Adds the passes of a text to a manager.
pub(crate) fn add_passes(manager: OperationPassManager<'_, '_>, text: &str) -> Result<(), String> {
    let mut reason = Vec::<u8>::new();
    let text = StringRef::new(text);
    // SAFETY: the manager and the text are alive, and `append` gets the vector that it expects.
    let result = unsafe {
        mlirOpPassManagerAddPipeline(
            manager.to_raw(),
            text.to_raw(),
            Some(append),
            (&raw mut reason).cast(),
        )
    };
    if result.value == 0 {
        Err(String::from_utf8_lossy(&reason).into_owned())
    } else {
        Ok(())
    }
}

/// Runs the passes of a manager on an operation, and says whether none failed.
pub(crate) fn run_passes(manager: &PassManager<'_>, operation: OperationRef<'_, '_>) -> bool {
    // SAFETY: both are alive, and of one context.
    let result = unsafe { mlirPassManagerRunOnOp(manager.to_raw(), operation.to_raw()) };
    result.value != 0
}

/// Calls a function with each operation of a name that MLIR's driver comes to, and replaces the operation by the values that it returns.
pub(crate) fn pattern<F>(context: &Context, name: &str, benefit: u32, rewrite: F) -> RewritePattern
where
    F: for<'c, 'e> Fn(OperationRef<'c, 'e>) -> Option<Vec<Value<'c, 'e>>> + 'static,
{
    let callback = move |_, operation: MlirOperation, rewriter: MlirPatternRewriter| {
        // SAFETY: the driver calls this with an operation that is alive until it is replaced, which is the last thing that happens.
        let operation = unsafe { OperationRef::from_raw(operation) };
        let Some(values) = rewrite(operation) else {
            return false;
        };
        // SAFETY: the rewriter is alive while the driver calls this.
        let rewriter = unsafe { PatternRewriter::from_raw(rewriter) };
        rewriter
            .as_rewriter_base()
            .replace_op_with_values(operation, &values);
        true
    };
    create_op_rewrite_pattern(name, benefit, context, callback, &[])
}
