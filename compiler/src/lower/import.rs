//! Functions of the host, which the module declares and the host has.

use super::{
    emit::{Emitter, Result, Tensor},
    global, structure, types,
};
use iree_abi::TensorType;
use iree_dsl_ir::{
    Module,
    op::{Import, Op, mlir_type},
};
use std::collections::BTreeMap;

/// The declarations of all functions of the host that a module calls.
pub(super) fn declarations(module: &Module) -> Vec<String> {
    let functions = module.functions.iter();
    let operations = functions.flat_map(|(_, function)| function.operations.iter());
    let imports = operations.filter_map(|(_, operation)| {
        let Op::Import(import) = &operation.op else {
            return None;
        };
        Some((import.name.as_str(), declaration(import)))
    });
    let imports: BTreeMap<_, _> = imports.collect();
    imports.into_values().collect()
}

/// Integers without a sign cross the border as those with one.
fn declaration(import: &Import) -> String {
    let list = |types: &[TensorType]| {
        let types = types.iter().map(|ty| mlir_type(&types::stored(ty)));
        types.collect::<Vec<_>>().join(", ")
    };
    let (parameters, results) = (list(&import.parameters), list(&import.results));
    let symbol = import.symbol();
    format!("  func.func private @{symbol}({parameters}) -> ({results})\n")
}

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    import: &Import,
    operands: &[Tensor<'c, 'b>],
) -> Result<Vec<Tensor<'c, 'b>>> {
    let stored = |tensor: &Tensor<'c, 'b>| {
        let ty = types::stored(&tensor.ty);
        global::cast(emitter, tensor.clone(), &ty)
    };
    let operands = operands.iter().map(stored).collect::<Result<Vec<_>>>()?;
    let types = import.results.iter().map(types::stored).collect();
    let results = structure::call_unresolved(emitter, &import.symbol(), &operands, types)?;
    let results = results.into_iter().zip(&import.results);
    results
        .map(|(tensor, ty)| global::cast(emitter, tensor, ty))
        .collect()
}
