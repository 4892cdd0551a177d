//! The stage `trace`: runs the program on symbols.
//!
//! An abstract interpreter over the syntax tree. Tensors are values of the function that is being built;
//! everything else (numbers, trees, conditions, loop bounds) is known and disappears. Kernels are
//! instantiated once for each combination of argument types; private procedures are traced into their
//! callers, so that the globals are plain values in between.
//!
//! A mistake is reported and yields a poison value, which everything accepts in silence, so that one
//! mistake gives one message and tracing goes on.

mod array_lengths;
mod assign;
mod branch;
mod breakable;
mod builder;
mod closure;
mod conform;
mod consts;
mod control;
mod declarations;
mod declared;
mod deferred;
mod definitions;
mod derive;
mod destructure;
mod duplicates;
mod effect;
mod elements;
mod endless;
mod exit;
mod expr;
mod file;
mod frame;
mod function;
mod generics;
mod given;
mod globals;
mod hidden;
mod host_limits;
mod imports;
mod index;
mod infer;
mod instance;
mod interface;
mod kernel;
mod looping;
mod mlir;
mod operation;
mod parameters;
mod parts;
mod pattern;
mod persistent;
mod place;
mod procedure;
mod range;
mod recursion;
mod repeat;
mod requirements;
mod resolve;
mod saved;
mod scope;
mod sites;
mod size;
mod solve;
mod state;
mod statics;
#[cfg(test)]
mod tests;
mod tracer;
mod tree;
mod types;
mod unify;
mod value;
mod weak;

pub use operation::{OPERATIONS, OperationForm, OperationInfo};

use crate::{
    ast,
    diagnostic::{Remark, Report},
    interface::Interface,
    span::SpanTable,
};
use iree_dsl_ir as ir;

/// A program after tracing.
#[derive(Clone, Debug)]
pub struct Traced {
    /// What it means; to be trusted only if nothing was reported.
    pub module: ir::Module,
    /// What the host sees, mistakes or not.
    pub interface: Interface,
    /// What the user asked to be told.
    pub remarks: Vec<Remark>,
}

/// Traces every procedure of the program, and every kernel of its module that is not generic.
pub fn trace(program: &ast::Program, spans: &SpanTable, report: &mut Report) -> Traced {
    let interface = interface::interface(program);
    let mut tracer = tracer::Tracer::new(program, spans, report);
    tracer.duplicates();
    tracer.host_limits();
    tracer.declared_types();
    tracer.globals();
    let functions = tracer.procedures();
    tracer.unused_kernels();
    tracer.check_callable();
    let files = tracer.files.keys().cloned().collect();
    let consts = tracer.host_consts();
    let remarks = std::mem::take(&mut tracer.remarks);
    let parameters = tracer.supplied();
    let state = tracer.saved();
    let sites = tracer.sites();
    let imports = tracer.imports();
    let ir = tracer.finish();
    let name = ir.name.clone();
    let signature = iree_abi::Signature {
        name,
        functions,
        parameters,
        state,
        imports,
        sites,
    };
    Traced {
        module: ir,
        interface: Interface {
            signature,
            files,
            consts,
            ..interface
        },
        remarks,
    }
}
