//! Who stores the first values of globals that a function computes.
//!
//! IREE 3.13 does not convert the tensors that blocks of an initialiser hand to each other. Nor does it take barriers there,
//! without which it fuses long computations, such as random numbers, for minutes. Where control flow computes such values,
//! or many operations do, an exported function stores them.
//! Defect `initializer-blocks-hand-on-tensors`.

use iree_dsl_ir::{FunctionId, GlobalInit, Module, op::Effect};
use std::collections::{BTreeMap, BTreeSet};

/// Who stores what a function computes of first values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Initializer {
    /// An initialiser of the module.
    Internal,
    /// The exported function, which the runtime calls when it has linked the module.
    Exported,
}

/// For each function that computes first values, who stores them.
pub(in crate::legalize) fn initializers(module: &Module) -> BTreeMap<FunctionId, Initializer> {
    let globals = module.globals.iter();
    let functions = globals.filter_map(|(_, global)| match &global.init {
        GlobalInit::Function(id, _) => Some(*id),
        GlobalInit::Constant(_) | GlobalInit::Uninitialized | GlobalInit::Parameter(_) => None,
    });
    let functions: BTreeSet<_> = functions.collect();
    let functions = functions.into_iter();
    functions.map(|id| (id, initializer(module, id))).collect()
}

/// So many operations IREE fuses in an initialiser in no time.
const FEW: usize = 64;

/// Who stores what a function computes: not an initialiser if that, or a function that it calls, has control flow, or many
/// operations.
fn initializer(module: &Module, id: FunctionId) -> Initializer {
    let (mut seen, mut pending) = (BTreeSet::from([id]), vec![id]);
    let mut count = 0;
    while let Some(function) = pending.pop().and_then(|id| module.functions.get(id)) {
        for (_, operation) in function.operations.iter() {
            count += 1;
            if count > FEW || operation.op.effect() == Effect::Regions {
                return Initializer::Exported;
            }
            let callee = operation.op.callee().map(|call| call.callee);
            pending.extend(callee.filter(|callee| seen.insert(*callee)));
        }
    }
    Initializer::Internal
}
