//! Globals that nothing changes and that are the same number everywhere: they are read as that number. IREE finds that out too, but
//! only when it has decided which values are stored from which memory, and refuses some of these stores.

use crate::legalize::known;
use iree_dsl_ir::{
    GlobalInit, Module, Operation,
    op::{Effect, Op},
};

/// The number that an operation reads everywhere.
pub(super) fn of(module: &Module, operation: &Operation) -> Option<Op> {
    let Effect::Reads(load) = operation.op.effect() else {
        return None;
    };
    let global = module.globals.get(load.global)?;
    match &global.init {
        GlobalInit::Constant(constant) if !global.mutable => {
            let constant = Op::Constant(constant.clone());
            known::is_splat(&constant).then_some(constant)
        }
        GlobalInit::Constant(_) | GlobalInit::Function(..) => None,
        GlobalInit::Uninitialized | GlobalInit::Parameter(_) => None,
    }
}
