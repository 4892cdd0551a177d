//! MLIR's C API, as a program in C calls it: what does not change is made once, and nothing is checked.

#![allow(unsafe_code, reason = "it is what the safe sides are compared with")]
#![allow(
    clippy::multiple_unsafe_ops_per_block,
    reason = "all of them need that the context is alive"
)]

use crate::work::{OPERATIONS, Work};
use iree_dialects::prelude::*;
use mlir_sys::{
    MlirAttribute, MlirBlock, MlirIdentifier, MlirLocation, MlirNamedAttribute, MlirRegion,
    MlirStringRef, MlirType, MlirValue, mlirBlockAppendOwnedOperation, mlirBlockCreate,
    mlirBlockGetArgument, mlirFlatSymbolRefAttrGet, mlirFunctionTypeGet, mlirIdentifierGet,
    mlirIntegerAttrGet, mlirIntegerTypeGet, mlirNamedAttributeGet, mlirOperationCreate,
    mlirOperationGetResult, mlirOperationStateAddAttributes, mlirOperationStateAddOperands,
    mlirOperationStateAddOwnedRegions, mlirOperationStateAddResults, mlirOperationStateGet,
    mlirRegionAppendOwnedBlock, mlirRegionCreate, mlirStringAttrGet, mlirTypeAttrGet,
};

/// `slt` of the predicates of `arith.cmpi`.
const LESS: i64 = 2;

pub(crate) fn build(
    context: &Context,
    module: &Module<'_>,
    work: Work,
) -> Result<(), Box<dyn std::error::Error>> {
    let location = Location::unknown(context).to_raw();
    let context = context.to_raw();
    // SAFETY: the context is alive, and all else is made of it here and used before this function returns.
    unsafe {
        let i32 = mlirIntegerTypeGet(context, 32);
        let name = |name| mlirIdentifierGet(context, text(name));
        let block = mlirBlockCreate(1, &raw const i32, &raw const location);
        let x = mlirBlockGetArgument(block, 0);
        let scene = Scene { block, location };
        let result = match work {
            Work::Sums => {
                (0..OPERATIONS).fold(x, |sum, _| scene.append("arith.addi", &[sum, x], &[], i32))
            }
            Work::Mixed => {
                let names = Names {
                    value: name("value"),
                    predicate: name("predicate"),
                    callee: name("callee"),
                };
                let callee = mlirFlatSymbolRefAttrGet(context, text("main"));
                let (i1, i64) = (
                    mlirIntegerTypeGet(context, 1),
                    mlirIntegerTypeGet(context, 64),
                );
                let less = mlirIntegerAttrGet(i64, LESS);
                scene.mixed(x, &names, callee, less, [i1, i32])
            }
        };
        scene.create("func.return", &[result], &[], &[], None);
        let body = mlirRegionCreate();
        mlirRegionAppendOwnedBlock(body, block);
        let function = mlirFunctionTypeGet(context, 1, &raw const i32, 1, &raw const i32);
        let attributes = [
            mlirNamedAttributeGet(name("sym_name"), mlirStringAttrGet(context, text("main"))),
            mlirNamedAttributeGet(name("function_type"), mlirTypeAttrGet(function)),
        ];
        let module = Scene {
            block: BlockLike::to_raw(&module.body()),
            location,
        };
        module.create("func.func", &[], &attributes, &[], Some(body));
    }
    Ok(())
}

fn text(text: &'static str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

struct Names {
    value: MlirIdentifier,
    predicate: MlirIdentifier,
    callee: MlirIdentifier,
}

/// Where operations are appended.
#[derive(Clone, Copy)]
struct Scene {
    block: MlirBlock,
    location: MlirLocation,
}

impl Scene {
    /// # Safety
    ///
    /// All must be of one context that is alive.
    unsafe fn mixed(
        self,
        x: MlirValue,
        names: &Names,
        callee: MlirAttribute,
        less: MlirAttribute,
        [i1, i32]: [MlirType; 2],
    ) -> MlirValue {
        let mut last = x;
        for index in 0..OPERATIONS / 5 {
            // SAFETY: as this function's.
            unsafe {
                let number = mlirIntegerAttrGet(i32, index as i64);
                let number = [mlirNamedAttributeGet(names.value, number)];
                let number = self.append("arith.constant", &[], &number, i32);
                let less = [mlirNamedAttributeGet(names.predicate, less)];
                let less = self.append("arith.cmpi", &[last, number], &less, i1);
                let chosen = self.append("arith.select", &[less, x, number], &[], i32);
                let callee = [mlirNamedAttributeGet(names.callee, callee)];
                let called = self.append("func.call", &[chosen], &callee, i32);
                last = self.append("arith.addi", &[last, called], &[], i32);
            }
        }
        last
    }

    /// An operation of one result, which this returns.
    ///
    /// # Safety
    ///
    /// All must be of one context that is alive.
    unsafe fn append(
        self,
        name: &'static str,
        operands: &[MlirValue],
        attributes: &[MlirNamedAttribute],
        result: MlirType,
    ) -> MlirValue {
        // SAFETY: as this function's; the operation is in a block, and has a result.
        unsafe {
            let operation = self.create(name, operands, attributes, &[result], None);
            mlirOperationGetResult(operation, 0)
        }
    }

    /// # Safety
    ///
    /// All must be of one context that is alive.
    unsafe fn create(
        self,
        name: &'static str,
        operands: &[MlirValue],
        attributes: &[MlirNamedAttribute],
        results: &[MlirType],
        region: Option<MlirRegion>,
    ) -> mlir_sys::MlirOperation {
        // SAFETY: as this function's, and each length is that of its list.
        unsafe {
            let mut state = mlirOperationStateGet(text(name), self.location);
            if !operands.is_empty() {
                let count = operands.len().cast_signed();
                mlirOperationStateAddOperands(&raw mut state, count, operands.as_ptr());
            }
            if !attributes.is_empty() {
                let count = attributes.len().cast_signed();
                mlirOperationStateAddAttributes(&raw mut state, count, attributes.as_ptr());
            }
            if !results.is_empty() {
                let count = results.len().cast_signed();
                mlirOperationStateAddResults(&raw mut state, count, results.as_ptr());
            }
            if let Some(region) = region {
                mlirOperationStateAddOwnedRegions(&raw mut state, 1, &raw const region);
            }
            let operation = mlirOperationCreate(&raw mut state);
            mlirBlockAppendOwnedOperation(self.block, operation);
            operation
        }
    }
}
