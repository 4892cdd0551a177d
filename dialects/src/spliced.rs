//! Functions that are added to the text of a module, in a form that this MLIR need not understand.
//!
//! The module calls them before they exist, which MLIR would refuse of a `func.call`.

use crate::{Error, raw};
use melior::{
    Context,
    ir::{
        Identifier, Location, Operation, Type, Value, attribute::FlatSymbolRefAttribute,
        operation::OperationBuilder,
    },
};

/// What a call is until the text is written. No dialect has it.
const CALL: &str = "spliced.call";

/// A call of a function that the text of the module will have.
///
/// # Errors
///
/// If MLIR does not make the operation.
pub fn call<'c>(
    context: &'c Context,
    callee: &str,
    operands: &[Value<'c, '_>],
    results: &[Type<'c>],
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    let callee = FlatSymbolRefAttribute::new(context, callee);
    let builder = OperationBuilder::new(CALL, location)
        .add_attributes(&[(Identifier::new(context, "callee"), callee.into())])
        .add_operands(operands)
        .add_results(results);
    let (built, diagnostics) = raw::capture(context.to_raw(), || builder.build());
    built.map_err(|_| Error::Build {
        operation: CALL,
        diagnostics,
    })
}

/// The text of a module with functions added, which its calls then call.
pub fn splice(module: &str, functions: &[String]) -> String {
    // Quotes inside strings are escaped, so that only operations are written like this.
    let module = module.replace(&format!("\"{CALL}\""), "\"func.call\"");
    match module.rfind('}') {
        Some(end) => {
            let (before, behind) = module.split_at(end);
            format!("{before}{}{behind}", functions.concat())
        }
        None => module,
    }
}

#[cfg(test)]
mod tests {
    use super::splice;

    #[test]
    fn functions_come_last() {
        let module = "module {\n  \"spliced.call\"() <{callee = @f}> : () -> ()\n} loc(unknown)\n";
        let text = splice(module, &["  func.func @f() {}\n".to_owned()]);
        let expected = "module {\n  \"func.call\"() <{callee = @f}> : () -> ()\n  func.func @f() {}\n} loc(unknown)\n";
        assert_eq!(text, expected);
    }
}
