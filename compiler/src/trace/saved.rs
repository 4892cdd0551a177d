//! Two functions that no program names: one returns the globals that the program changes, the other gives
//! them new values.

use super::{builder::FunctionBuilder, tracer::Tracer};
use crate::span::SpanId;
use iree_abi::{Leaf, RESTORE, SAVE};
use iree_dsl_ir::{Global, GlobalId, GlobalInit, Linkage};

impl Tracer<'_> {
    /// Adds the functions, if anything changes, and returns what they return and take.
    pub(crate) fn saved(&mut self) -> Vec<Leaf> {
        let globals = self.ir.globals.iter();
        let changed = globals.filter(|(_, global)| global.mutable);
        let changed: Vec<_> = changed.map(|(id, global)| (id, global.clone())).collect();
        if changed.is_empty() {
            return Vec::new();
        }
        let functions = [save(&changed), restore(&changed)];
        for function in functions.into_iter().flatten() {
            self.ir.functions.push(function);
        }
        let leaves = changed.iter().map(|(_, global)| Leaf {
            path: saved_name(global, &changed),
            ty: global.ty.clone(),
        });
        leaves.collect()
    }
}

/// What a global is called in archives: a parameter by its key, so that the archive can be given to the
/// program again, unless another global is called so.
fn saved_name(global: &Global, changed: &[(GlobalId, Global)]) -> String {
    let GlobalInit::Parameter(parameter) = &global.init else {
        return global.name.clone();
    };
    let is_called = |other: &Global| match &other.init {
        GlobalInit::Parameter(name) => name.key == parameter.key,
        _ => other.name == parameter.key,
    };
    let namesakes = changed.iter().filter(|(_, other)| is_called(other));
    match namesakes.count() {
        1 => parameter.key.clone(),
        _ => parameter.to_string(),
    }
}

fn save(changed: &[(GlobalId, Global)]) -> Option<iree_dsl_ir::Function> {
    let mut builder = FunctionBuilder::new(SAVE, Linkage::Public, SpanId::CALL_SITE);
    let values = changed
        .iter()
        .map(|(id, global)| builder.load_global(*id, &global.ty, global.span));
    let values: Vec<_> = values.collect::<Result<_, _>>().ok()?;
    let (function, _) = builder.finish(&values).ok()?;
    Some(function)
}

fn restore(changed: &[(GlobalId, Global)]) -> Option<iree_dsl_ir::Function> {
    let mut builder = FunctionBuilder::new(RESTORE, Linkage::Public, SpanId::CALL_SITE);
    for (id, global) in changed {
        let value = builder.parameter(&global.name, &global.ty);
        builder.store_global(*id, value, global.span);
    }
    let (function, _) = builder.finish(&[]).ok()?;
    Some(function)
}
