use melior::{
    Context,
    ir::{Location, Module, operation::OperationPrintingFlags},
};

use crate::{Diagnostics, raw};

/// How operations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In the syntax of their dialects where MLIR knows it: for humans.
    Pretty,
    /// In the syntax that all operations share: for other versions of MLIR.
    Generic,
}

/// Whether locations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locations {
    /// They are.
    Include,
    /// They are not, so that the text does not depend on them.
    Omit,
}

/// A module without operations.
///
/// Unlike [`Module::new`], it cannot outlive its context.
pub fn module(location: Location<'_>) -> Module<'_> {
    Module::new(location)
}

/// The text of a module.
pub fn print(module: &Module<'_>, form: Form, locations: Locations) -> String {
    let flags =
        OperationPrintingFlags::new().enable_debug_info(locations == Locations::Include, false);
    let flags = match form {
        Form::Pretty => flags,
        Form::Generic => flags.print_generic_operation_form(),
    };

    raw::print(module.as_operation(), &flags)
}

/// Reads the text of a module.
///
/// # Errors
///
/// What MLIR says, if the text is malformed or the module in it wrong.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, Diagnostics> {
    if text.contains('\0') {
        return Err(Diagnostics::error("the text contains a null character"));
    }

    let (module, diagnostics) = raw::capture(context.to_raw(), || Module::parse(context, text));

    module.ok_or(diagnostics)
}
