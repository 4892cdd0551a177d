//! What becomes of a module.

use std::error::Error;

use iree_dialects::{
    Pipeline, arith,
    melior::pass::{conversion, transform},
    prelude::*,
};

/// Leaves out what computes nothing, and computes nothing twice.
pub fn simplify() -> Pipeline<'static> {
    Pipeline::new("builtin.module").nested(
        Pipeline::new("func.func")
            .rust("drop-factors-of-one", drop_factors_of_one)
            .mlir(transform::create_canonicalizer)
            .mlir(transform::create_cse),
    )
}

/// Goes on to the dialect `llvm`.
pub fn to_llvm() -> Pipeline<'static> {
    Pipeline::new("builtin.module")
        .mlir(conversion::create_scf_to_control_flow)
        .mlir(conversion::create_arith_to_llvm)
        .mlir(conversion::create_control_flow_to_llvm)
        .mlir(conversion::create_func_to_llvm)
        .mlir(conversion::create_reconcile_unrealized_casts)
}

fn drop_factors_of_one(editor: &Editor<'_, '_>) -> Result<(), Box<dyn Error>> {
    for operation in editor.root().descendants() {
        let Some(product) = operation.cast::<arith::MulfOperation>() else {
            continue;
        };
        for (factor, other) in [
            (product.lhs()?, product.rhs()?),
            (product.rhs()?, product.lhs()?),
        ] {
            if is_one(factor)? && !editor.is_erased(operation) {
                editor.replace(operation, &[other])?;
            }
        }
    }
    Ok(())
}

fn is_one(value: Value<'_, '_>) -> Result<bool, iree_dialects::Error> {
    let constant = value
        .defining_operation()
        .and_then(|one| one.cast::<arith::ConstantOperation>());
    Ok(match constant {
        Some(constant) => {
            FloatAttribute::try_from(constant.value()?).is_ok_and(|one| one.value() == 1.0)
        }
        None => false,
    })
}
