//! What another device may have done where the interpreter went one of several ways.

use crate::frame::World;
use iree_dsl_ir::{
    Function, Operation, Region,
    op::{Effect, Op},
};

/// Whether a region may run whether it is wanted or not: nothing but its results is there afterwards, and it ends.
pub(crate) fn is_harmless(function: &Function, region: &Region) -> bool {
    let operations = region.operations.iter();
    let mut operations = operations.filter_map(|id| function.operations.get(*id));
    operations.all(|operation| match operation.op.effect() {
        Effect::Pure => true,
        Effect::Regions => {
            let mut inner = operation.regions.iter();
            operation.op == Op::If && inner.all(|region| is_harmless(function, region))
        }
        Effect::Reads(_)
        | Effect::Writes(_)
        | Effect::Calls(_)
        | Effect::CallsHost(_)
        | Effect::Shows(_)
        | Effect::Checks(_)
        | Effect::Foreign(_) => false,
    })
}

/// Forgets the globals that the regions of an operation store: another device may have stored others.
pub(crate) fn forget(world: &mut World<'_>, function: &Function, operation: &Operation) {
    let mut stored = Vec::new();
    for region in &operation.regions {
        stores(world, function, region, &mut stored);
    }
    for global in stored {
        if let Some(place) = world.globals.get_mut(global)
            && let Some(value) = place.take()
        {
            *place = Some(value.undecided());
        }
    }
}

/// The indices of the globals that a region stores, also in what it calls.
fn stores(world: &World<'_>, function: &Function, region: &Region, stored: &mut Vec<usize>) {
    let operations = region.operations.iter();
    for operation in operations.filter_map(|id| function.operations.get(*id)) {
        for region in &operation.regions {
            stores(world, function, region, stored);
        }
        match operation.op.effect() {
            Effect::Writes(access) => stored.push(access.global.index()),
            Effect::Calls(call) => {
                if let Some(callee) = world.module.functions.get(call.callee) {
                    stores(world, callee, &callee.body, stored);
                }
            }
            Effect::Pure
            | Effect::Regions
            | Effect::Reads(_)
            | Effect::CallsHost(_)
            | Effect::Shows(_)
            | Effect::Checks(_)
            | Effect::Foreign(_) => {}
        }
    }
}
