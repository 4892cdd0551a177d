//! Functions of the host, which the module declares and the host has.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, types,
};
use iree_abi::TensorType;
use iree_dialects::{prelude::*, spliced};
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
        global::cast(emitter, tensor.clone(), &ty).map(|tensor| tensor.value)
    };
    let operands = operands.iter().map(stored).collect::<Result<Vec<_>>>()?;
    let results = import.results.iter();
    let results = results.map(|ty| emitter.tensor_type(&types::stored(ty)));
    let results = results.collect::<Result<Vec<_>>>()?;
    let (context, location) = (emitter.context, emitter.location);
    let call = spliced::call(context, &import.symbol(), &operands, &results, location)?;
    let call = emitter.block.append_operation(call);
    let results = import.results.iter().enumerate().map(|(index, ty)| {
        let value = call.result(index);
        let value = value.map_err(|_| LowerCause::Lost("a result"))?.into();
        let tensor = Tensor {
            value,
            ty: types::stored(ty),
        };
        global::cast(emitter, tensor, ty)
    });
    results.collect()
}
