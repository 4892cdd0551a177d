//! Operations that have names in others, such as functions in modules.
//!
//! # Examples
//!
//! ```
//! use iree_dialects::{func, parse, prelude::*, symbols};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = iree_dialects::context();
//! let module = parse(
//!     &context,
//!     "func.func private @helper()
//!     func.func @main() { func.call @helper() : () -> () return }",
//! )?;
//! let table = module.as_operation();
//! let helper = symbols::lookup(table, "helper").ok_or("it is there")?;
//! symbols::rename(table, helper, "assistant")?;
//! assert!(table.to_string().contains("call @assistant()"));
//!
//! // Another one gets a name that is free.
//! let name = symbols::free_name(table, "assistant");
//! let builder = Builder::at_end(module.body(), Location::unknown(&context));
//! builder.insert::<func::FuncOperation>(|function| {
//!     let r#type = types::function(&context, &[], &[]);
//!     function.sym_name(&name).sym_visibility("private").function_type(r#type).body(Region::new())
//! })?;
//! assert_eq!(name, "assistant_0");
//! assert!(symbols::lookup(table, &name).is_some());
//! iree_dialects::verify(&module)?;
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeSet;

use melior::ir::{OperationRef, RegionLike, attribute::StringAttribute, operation::OperationLike};

use crate::{Error, attributes, raw, traverse::BlockExt, tree};

/// The attribute that has the name of a symbol.
const NAME: &str = "sym_name";

/// The name of an operation, if it has one.
pub fn name(operation: OperationRef<'_, '_>) -> Option<String> {
    let attribute = operation.attribute(NAME).ok()?;
    let text = StringAttribute::try_from(attribute).ok()?;
    Some(attributes::string(text))
}

/// The operations right inside of another one that have names.
pub fn all<'c: 'a, 'a>(table: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let blocks = table.region(0).ok().and_then(|region| region.first_block());
    let operations = blocks.into_iter().flat_map(|block| block.operations());
    operations.filter(|operation| name(*operation).is_some())
}

/// The operation of a name right inside of another one.
pub fn lookup<'c: 'a, 'a>(
    table: OperationRef<'c, 'a>,
    wanted: &str,
) -> Option<OperationRef<'c, 'a>> {
    all(table).find(|operation| name(*operation).is_some_and(|name| name == wanted))
}

/// A name that no operation right inside of another one has: the wanted one, or that with the first number that makes it free.
pub fn free_name(table: OperationRef<'_, '_>, wanted: &str) -> String {
    let taken: BTreeSet<_> = all(table).filter_map(name).collect();
    let numbered = (0..).map(|number: u64| format!("{wanted}_{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names
        .find(|name| !taken.contains(name))
        .unwrap_or_else(|| wanted.to_owned())
}

/// Gives an operation another name, and all that refer to it, inside of the operation that it is in.
///
/// # Errors
///
/// [`Error::Edit`] if it has no name, if it is not right inside of that operation, if another one has the name, or if there is an operation that
/// MLIR does not know and that may refer to it in its own way; then nothing is changed.
pub fn rename(
    table: OperationRef<'_, '_>,
    symbol: OperationRef<'_, '_>,
    to: &str,
) -> Result<(), Error> {
    let error = |reason| tree::error(symbol, reason);
    let from = name(symbol).ok_or_else(|| error("it has no name"))?;
    if symbol.parent_operation() != Some(table) {
        return Err(error("it is not right inside of the operation"));
    }
    if from == to {
        return Ok(());
    }
    if lookup(table, to).is_some() {
        return Err(error("another one has the name"));
    }
    if to.is_empty() || to.contains('\0') {
        return Err(error("that is no name"));
    }
    if !raw::replace_symbol(table, &from, to) {
        return Err(error(
            "an operation may refer to it that MLIR does not know",
        ));
    }
    let context = raw::context_of(symbol.context());
    raw::set_attribute(symbol, NAME, StringAttribute::new(context, to).into());
    Ok(())
}
