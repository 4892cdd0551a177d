//! Turns a module into the text of an MLIR module that the IREE compiler reads.
//!
//! Tensors are lowered to StableHLO, functions to `func`, globals to `util`. Where IREE lacks an
//! operation for an element type, or leaves a case undefined that the language defines, the operation
//! becomes several.
//!
//! Numbers that are too small for the full precision of their type count as zero on the device.

mod binary;
mod body;
mod branching;
mod build;
mod compare;
mod constant;
mod contained;
mod contract;
mod control;
mod convert;
mod convolution;
mod cumulate;
mod emit;
mod error;
mod fill;
mod fourier;
mod function;
mod global;
mod import;
mod index;
mod initialization;
mod initializer;
mod inner_product;
mod long;
mod long_contract;
mod masks;
mod math;
mod mlir;
mod narrow;
mod observe;
mod opaque;
mod operation;
mod order;
mod pad;
mod pairs;
mod parameter;
mod placement;
mod reduce;
mod register;
mod repeat;
mod rows;
mod select;
mod shape;
mod signs;
mod sizes;
mod slice;
mod split;
mod structure;
mod symbols;
mod types;
mod unary;
mod vm;
mod window;

pub use error::{LowerCause, LowerError};
pub use mlir::{Text, texts};

use crate::{
    legalize::{Initializer, Legalized},
    machine::Machine,
    span::{SpanId, SpanTable},
};
use iree_dialects::{melior::ir::operation::OperationMutLike, prelude::*, spliced};
use iree_dsl_ir::{self as ir};
use symbols::Symbols;

/// The text of the module in MLIR. With `locations`, every operation carries the place in the user's
/// source that it came from; without, the text does not depend on places.
///
/// # Errors
///
/// If a dimension is not known, or if MLIR refuses something, which is a mistake of ours.
pub fn lower(module: &Legalized, locations: Option<&SpanTable>) -> Result<String, LowerError> {
    let printed = match locations {
        Some(_) => Locations::Include,
        None => Locations::Omit,
    };
    let machine = Machine::default();
    lower_with(module, locations, machine, |print| print(printed))
}

/// The text of the module in MLIR without locations, for a machine.
///
/// # Errors
///
/// As [`lower()`].
pub fn lower_for(module: &Legalized, machine: Machine) -> Result<String, LowerError> {
    lower_with(module, None, machine, |print| print(Locations::Omit))
}

/// The text of the module in MLIR, with and without places in the user's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// As [`lower`] gives it without places.
    pub text: String,
    /// As it gives it with places.
    pub located: String,
}

/// Both texts of the module, for hardly more than the price of one.
///
/// # Errors
///
/// As [`lower()`].
pub fn lower_located(
    module: &Legalized,
    machine: Machine,
    places: &SpanTable,
) -> Result<Lowered, LowerError> {
    lower_with(module, Some(places), machine, |print| Lowered {
        text: print(Locations::Omit),
        located: print(Locations::Include),
    })
}

fn lower_with<T>(
    legalized: &Legalized,
    locations: Option<&SpanTable>,
    machine: Machine,
    take: impl FnOnce(&dyn Fn(Locations) -> String) -> T,
) -> Result<T, LowerError> {
    let context = iree_dialects::context();
    let module = legalized.module();
    let lowering = Lowering {
        context: &context,
        legalized,
        module,
        symbols: Symbols::of(module),
        texts: texts(module),
        locations,
        machine,
    };
    let mut text = Module::new(lowering.location(SpanId::CALL_SITE));
    let name = StringAttribute::new(&context, &module.name);
    text.as_operation_mut()
        .set_attribute("sym_name", name.into());
    for (id, global) in module.globals.iter() {
        let declared = global::declare(&lowering, &text.body(), id, global);
        declared.map_err(|cause| cause.at(global.span))?;
    }
    initializer::lower_all(&lowering, &text.body())?;
    for (id, function) in module.functions.iter() {
        function::lower(&lowering, id, function, &text.body())?;
    }
    iree_dialects::verify(&text)
        .map_err(|diagnostics| LowerCause::from(diagnostics).at(SpanId::CALL_SITE))?;
    let functions = lowering.texts.iter().map(Text::function);
    let functions: Vec<_> = import::declarations(module)
        .into_iter()
        .chain(functions)
        .collect();
    Ok(take(&|locations| {
        let text = iree_dialects::print(&text, Form::Pretty, locations);
        spliced::splice(&text, &functions)
    }))
}

/// What stays the same for a whole module.
struct Lowering<'a, 'c> {
    context: &'c Context,
    legalized: &'a Legalized,
    module: &'a ir::Module,
    symbols: Symbols<'a>,
    /// The functions that are written as MLIR.
    texts: Vec<Text<'a>>,
    machine: Machine,
    locations: Option<&'a SpanTable>,
}

impl<'c> Lowering<'_, 'c> {
    /// Whether the exported function stores the first value of a global.
    fn is_stored_by_export(&self, global: &ir::Global) -> bool {
        match &global.init {
            ir::GlobalInit::Function(id, _) => self.is_initialized_by_export(*id),
            ir::GlobalInit::Constant(_) | ir::GlobalInit::Uninitialized => false,
            ir::GlobalInit::Parameter(_) => false,
        }
    }

    /// Whether the exported function stores what a function computes.
    fn is_initialized_by_export(&self, function: ir::FunctionId) -> bool {
        self.legalized.initializer(function) == Some(Initializer::Exported)
    }

    fn location(&self, span: SpanId) -> Location<'c> {
        match self.locations {
            Some(table) => {
                let place = table.location(span);
                Location::new(self.context, &place.file, place.line, place.column)
            }
            None => Location::unknown(self.context),
        }
    }
}

#[cfg(test)]
mod tests;
