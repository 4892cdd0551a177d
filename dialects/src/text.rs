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

    read(context, text.as_bytes())
}

/// The bytecode of a module, which is smaller than its text and read faster.
///
/// # Examples
///
/// ```
/// use iree_dialects::{parse, read_bytecode, write_bytecode};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let module = parse(&context, "func.func @f() { return }")?;
/// let bytecode = write_bytecode(&module);
/// let copy = read_bytecode(&context, &bytecode)?;
/// assert_eq!(copy.as_operation().to_string(), module.as_operation().to_string());
/// # Ok(())
/// # }
/// ```
pub fn write_bytecode(module: &Module<'_>) -> Vec<u8> {
    raw::bytecode(module.as_operation())
}

/// Reads the bytecode of a module.
///
/// # Errors
///
/// What MLIR says, if it is no bytecode, or the module in it wrong.
pub fn read_bytecode<'c>(context: &'c Context, bytecode: &[u8]) -> Result<Module<'c>, Diagnostics> {
    // Otherwise MLIR would take it for text.
    if !bytecode.starts_with(b"ML\xefR") {
        return Err(Diagnostics::error("this is no bytecode of MLIR"));
    }

    read(context, bytecode)
}

fn read<'c>(context: &'c Context, source: &[u8]) -> Result<Module<'c>, Diagnostics> {
    let (module, diagnostics) = raw::capture(context.to_raw(), || raw::parse(context, source));

    module.ok_or(diagnostics)
}
