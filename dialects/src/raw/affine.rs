//! Affine maps.

use crate::{AffineExpression, AffineMap, AffineOperator};
use melior::ir::{Attribute, AttributeLike};
use mlir_sys::{
    MlirAffineExpr, mlirAffineBinaryOpExprGetLHS, mlirAffineBinaryOpExprGetRHS,
    mlirAffineConstantExprGetValue, mlirAffineDimExprGetPosition, mlirAffineExprIsAAdd,
    mlirAffineExprIsACeilDiv, mlirAffineExprIsAConstant, mlirAffineExprIsADim,
    mlirAffineExprIsAFloorDiv, mlirAffineExprIsAMod, mlirAffineExprIsAMul, mlirAffineExprIsASymbol,
    mlirAffineMapAttrGetValue, mlirAffineMapGetNumDims, mlirAffineMapGetNumResults,
    mlirAffineMapGetNumSymbols, mlirAffineMapGetResult, mlirAffineSymbolExprGetPosition,
    mlirAttributeIsAAffineMap,
};

/// The map that an attribute is, if it is one.
pub(crate) fn affine_map(attribute: Attribute<'_>) -> Option<AffineMap> {
    // SAFETY: the attribute is alive.
    if !unsafe { mlirAttributeIsAAffineMap(attribute.to_raw()) } {
        return None;
    }
    // SAFETY: the attribute is alive and a map, which lives as long as the context.
    let map = unsafe { mlirAffineMapAttrGetValue(attribute.to_raw()) };
    // SAFETY: the map is alive.
    let dimensions = unsafe { mlirAffineMapGetNumDims(map) };
    // SAFETY: as above.
    let symbols = unsafe { mlirAffineMapGetNumSymbols(map) };
    // SAFETY: as above.
    let count = unsafe { mlirAffineMapGetNumResults(map) };
    let results = (0..count).map(|index| {
        // SAFETY: as above, and there are so many results.
        affine_expression(unsafe { mlirAffineMapGetResult(map, index) })
    });
    Some(AffineMap {
        dimensions: dimensions.cast_unsigned(),
        symbols: symbols.cast_unsigned(),
        results: results.collect::<Option<_>>()?,
    })
}

/// An expression, which must be alive.
fn affine_expression(raw: MlirAffineExpr) -> Option<AffineExpression> {
    type Kind = (unsafe extern "C" fn(MlirAffineExpr) -> bool, AffineOperator);
    const KINDS: [Kind; 5] = [
        (mlirAffineExprIsAAdd, AffineOperator::Add),
        (mlirAffineExprIsAMul, AffineOperator::Multiply),
        (mlirAffineExprIsAMod, AffineOperator::Modulo),
        (mlirAffineExprIsAFloorDiv, AffineOperator::FloorDivide),
        (mlirAffineExprIsACeilDiv, AffineOperator::CeilDivide),
    ];
    // SAFETY: the expression is alive.
    if unsafe { mlirAffineExprIsADim(raw) } {
        // SAFETY: it is a dimension.
        let position = unsafe { mlirAffineDimExprGetPosition(raw) };
        return Some(AffineExpression::Dimension(position.cast_unsigned()));
    }
    // SAFETY: the expression is alive.
    if unsafe { mlirAffineExprIsASymbol(raw) } {
        // SAFETY: it is a symbol.
        let position = unsafe { mlirAffineSymbolExprGetPosition(raw) };
        return Some(AffineExpression::Symbol(position.cast_unsigned()));
    }
    // SAFETY: the expression is alive.
    if unsafe { mlirAffineExprIsAConstant(raw) } {
        // SAFETY: it is a constant.
        let value = unsafe { mlirAffineConstantExprGetValue(raw) };
        return Some(AffineExpression::Constant(value));
    }
    // SAFETY: the expression is alive.
    let mut kinds = KINDS.into_iter().filter(|(is, _)| unsafe { is(raw) });
    let (_, operator) = kinds.next()?;
    // SAFETY: it is none of the others, so it has two operands.
    let lhs = affine_expression(unsafe { mlirAffineBinaryOpExprGetLHS(raw) })?;
    // SAFETY: as above.
    let rhs = affine_expression(unsafe { mlirAffineBinaryOpExprGetRHS(raw) })?;
    Some(AffineExpression::Binary(operator, Box::new((lhs, rhs))))
}
