//! The calls into MLIR that melior does not offer, or offers in a form that can panic.

#![allow(unsafe_code)]

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::{CString, c_void},
    marker::PhantomData,
    ptr, slice,
    sync::{Mutex, PoisonError},
};

use melior::{
    Context, ContextRef, PatternRewriter, RewritePattern, StringRef, create_op_rewrite_pattern,
    ir::{
        Attribute, AttributeLike, BlockLike, BlockRef, Identifier, Location, Module, Operation,
        OperationRef, Region, Type, TypeLike, Value, ValueLike,
        attribute::{FlatSymbolRefAttribute, StringAttribute},
        operation::{OperationLike, OperationPrintingFlags},
    },
    pass::{OperationPassManager, PassManager},
};
use mlir_sys::{
    MlirAffineExpr, MlirContext, MlirDiagnostic, MlirDiagnosticHandlerID, MlirLogicalResult,
    MlirOperation, MlirPatternRewriter, MlirStringRef, mlirAffineBinaryOpExprGetLHS,
    mlirAffineBinaryOpExprGetRHS, mlirAffineConstantExprGetValue, mlirAffineDimExprGetPosition,
    mlirAffineExprIsAAdd, mlirAffineExprIsACeilDiv, mlirAffineExprIsAConstant,
    mlirAffineExprIsADim, mlirAffineExprIsAFloorDiv, mlirAffineExprIsAMod, mlirAffineExprIsAMul,
    mlirAffineExprIsASymbol, mlirAffineMapAttrGetValue, mlirAffineMapGetNumDims,
    mlirAffineMapGetNumResults, mlirAffineMapGetNumSymbols, mlirAffineMapGetResult,
    mlirAffineSymbolExprGetPosition, mlirAttributeGetNull, mlirAttributeIsAAffineMap,
    mlirBlockArgumentGetOwner, mlirComplexTypeGet, mlirComplexTypeGetElementType,
    mlirContextAttachDiagnosticHandler, mlirContextDetachDiagnosticHandler,
    mlirContextGetOrLoadDialect, mlirDiagnosticGetLocation, mlirDiagnosticGetNote,
    mlirDiagnosticGetNumNotes, mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
    mlirDialectHandleLoadDialect, mlirEmitError, mlirFlatSymbolRefAttrGetValue,
    mlirGetDialectHandle__irdl__, mlirLoadIRDLDialects, mlirLocationGetContext,
    mlirModuleCreateParse, mlirNamedAttributeGet, mlirOpOperandGetNextUse,
    mlirOpOperandGetOperandNumber, mlirOpOperandGetOwner, mlirOpOperandIsNull,
    mlirOpPassManagerAddPipeline, mlirOpResultGetOwner, mlirOperationCreate, mlirOperationDestroy,
    mlirOperationGetNumOperands, mlirOperationGetNumRegions, mlirOperationGetNumSuccessors,
    mlirOperationGetOperand, mlirOperationMoveAfter, mlirOperationMoveBefore,
    mlirOperationPrintWithFlags, mlirOperationRemoveAttributeByName,
    mlirOperationSetAttributeByName, mlirOperationSetInherentAttributeByName,
    mlirOperationSetOperands, mlirOperationSetSuccessor, mlirOperationStateAddAttributes,
    mlirOperationStateAddOperands, mlirOperationStateAddOwnedRegions, mlirOperationStateAddResults,
    mlirOperationStateAddSuccessors, mlirOperationStateGet, mlirOperationWriteBytecode,
    mlirPassManagerCreateOnOperation, mlirPassManagerRunOnOp, mlirRankedTensorTypeGetChecked,
    mlirShapedTypeGetDynamicSize, mlirStringAttrGetValue, mlirSymbolTableReplaceAllSymbolUses,
    mlirValueGetFirstUse, mlirValueIsABlockArgument, mlirValueReplaceAllUsesOfWith,
};

use smallvec::SmallVec;

use crate::{
    AffineExpression, AffineMap, AffineOperator, Diagnostic, Diagnostics, Severity, SourceLocation,
    tree::Source,
};

/// The text of a string that MLIR lends.
///
/// melior's own conversion panics on an empty string.
pub(crate) fn text(string: MlirStringRef) -> String {
    String::from_utf8_lossy(bytes(&string)).into_owned()
}

fn bytes(string: &MlirStringRef) -> &[u8] {
    if string.data.is_null() || string.length == 0 {
        return &[];
    }

    // SAFETY: MLIR hands out references to strings that live as long as what they belong to, which
    // all callers hold; the pointer is not null and the length is that of the string.
    unsafe { slice::from_raw_parts(string.data.cast(), string.length) }
}

/// Whether an operation has a name.
#[inline]
pub(crate) fn is_named(operation: OperationRef<'_, '_>, name: &str) -> bool {
    bytes(&operation.name().as_string_ref().to_raw()) == name.as_bytes()
}

/// Appends a piece of text to the `Vec<u8>` that the data points to.
unsafe extern "C" fn append(string: MlirStringRef, data: *mut c_void) {
    // SAFETY: the callers in this module pass a `Vec<u8>` that outlives the call.
    let output = unsafe { &mut *data.cast::<Vec<u8>>() };

    output.extend_from_slice(bytes(&string));
}

/// The text of an operation.
pub(crate) fn print(operation: OperationRef<'_, '_>, flags: &OperationPrintingFlags) -> String {
    let mut output = Vec::<u8>::new();

    // SAFETY: the operation and the flags are alive for the whole call, and `append` gets the
    // vector that it expects.
    unsafe {
        mlirOperationPrintWithFlags(
            operation.to_raw(),
            flags.to_raw(),
            Some(append),
            (&raw mut output).cast(),
        );
    }

    String::from_utf8_lossy(&output).into_owned()
}

/// Runs a function and returns the diagnostics that MLIR emits meanwhile.
pub(crate) fn capture<T>(context: MlirContext, function: impl FnOnce() -> T) -> (T, Diagnostics) {
    // MLIR may verify on several threads.
    let diagnostics = Mutex::new(Vec::new());

    let value = {
        let _handler = Handler::attach(context, &diagnostics);
        function()
    };

    let diagnostics = diagnostics
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);

    (value, Diagnostics::from(diagnostics))
}

/// A diagnostic handler that is attached as long as this value lives.
struct Handler<'a> {
    context: MlirContext,
    id: MlirDiagnosticHandlerID,
    _diagnostics: PhantomData<&'a Mutex<Vec<Diagnostic>>>,
}

impl<'a> Handler<'a> {
    fn attach(context: MlirContext, diagnostics: &'a Mutex<Vec<Diagnostic>>) -> Self {
        // SAFETY: the context is alive, and the handler, which borrows the diagnostics, is
        // detached when this value is dropped; `capture` does not forget it.
        let id = unsafe {
            mlirContextAttachDiagnosticHandler(
                context,
                Some(collect),
                ptr::from_ref(diagnostics).cast_mut().cast(),
                None,
            )
        };

        Self {
            context,
            id,
            _diagnostics: PhantomData,
        }
    }
}

impl Drop for Handler<'_> {
    fn drop(&mut self) {
        // SAFETY: the identifier comes from the same context and was not detached before.
        unsafe { mlirContextDetachDiagnosticHandler(self.context, self.id) }
    }
}

unsafe extern "C" fn collect(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `Handler::attach` passes a mutex that outlives the handler, of which there are only
    // shared references.
    let diagnostics = unsafe { &*data.cast_const().cast::<Mutex<Vec<Diagnostic>>>() };

    diagnostics
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(read(diagnostic));

    // Success means that no other handler needs to see it.
    MlirLogicalResult { value: 1 }
}

fn read(diagnostic: MlirDiagnostic) -> Diagnostic {
    // SAFETY: MLIR keeps a diagnostic alive while a handler runs.
    let severity = unsafe { mlirDiagnosticGetSeverity(diagnostic) };
    // SAFETY: as above.
    let location = unsafe { mlirDiagnosticGetLocation(diagnostic) };
    // SAFETY: as above, and its context, which is alive, owns the location.
    let location = unsafe { Location::from_raw(location) };
    // SAFETY: as above.
    let notes = unsafe { mlirDiagnosticGetNumNotes(diagnostic) };

    Diagnostic {
        severity: Severity::from_raw(severity),
        message: message(diagnostic),
        location: SourceLocation::find(location),
        notes: (0..notes)
            // SAFETY: as above, and the index is less than the number of notes.
            .map(|index| read(unsafe { mlirDiagnosticGetNote(diagnostic, index) }))
            .collect(),
    }
}

fn message(diagnostic: MlirDiagnostic) -> String {
    let mut output = Vec::<u8>::new();

    // SAFETY: the diagnostic is alive for the whole call, and `append` gets the vector that it
    // expects.
    unsafe { mlirDiagnosticPrint(diagnostic, Some(append), (&raw mut output).cast()) }

    String::from_utf8_lossy(&output).into_owned()
}

thread_local! {
    /// A handle of each context that was asked for, by its address.
    static HANDLES: RefCell<BTreeMap<usize, &'static ContextRef<'static>>> = RefCell::default();
}

/// The context that a reference is to.
///
/// melior's own conversion borrows the reference, which lives less long than the context. So a handle is kept for each
/// address, one word that is never freed.
pub(crate) fn context_of<'c>(context: ContextRef<'c>) -> &'c Context {
    // SAFETY: the reference outlives the borrow, and was lent by something that lives no longer than the context.
    let raw = unsafe { context.to_ref() }.to_raw();
    let handle: &'static ContextRef<'static> = HANDLES.with_borrow_mut(|handles| {
        *handles.entry(raw.ptr.addr()).or_insert_with(|| {
            // SAFETY: the pointer is that of a context, and is used for `'c` only, while the context is alive.
            Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) }))
        })
    });
    // SAFETY: the handle is never freed, and its address is that of a context which is alive for `'c`.
    unsafe { handle.to_ref() }
}

/// Sets an attribute of an operation, inherent if the operation defines it.
pub(crate) fn set_attribute<'c>(
    operation: OperationRef<'c, '_>,
    name: &str,
    attribute: Attribute<'c>,
) {
    let name = StringRef::new(name);
    // SAFETY: the operation, the name and the attribute are alive, and attributes are of the same context.
    unsafe {
        mlirOperationSetAttributeByName(operation.to_raw(), name.to_raw(), attribute.to_raw());
    }
}

/// Sets an inherent attribute of an operation that MLIR does not know.
pub(crate) fn set_inherent_attribute<'c>(
    operation: OperationRef<'c, '_>,
    name: &str,
    attribute: Attribute<'c>,
) {
    let name = StringRef::new(name);
    // SAFETY: as in `set_attribute`.
    unsafe {
        mlirOperationSetInherentAttributeByName(
            operation.to_raw(),
            name.to_raw(),
            attribute.to_raw(),
        );
    }
}

/// Has all references to a symbol inside of an operation be to another, unless there may be some that MLIR does not know.
pub(crate) fn replace_symbol(table: OperationRef<'_, '_>, from: &str, to: &str) -> bool {
    let (from, to) = (StringRef::new(from), StringRef::new(to));
    let table = table.to_raw();
    // SAFETY: the operation and the names are alive.
    let result = unsafe { mlirSymbolTableReplaceAllSymbolUses(from.to_raw(), to.to_raw(), table) };
    result.value != 0
}

/// Removes an attribute of an operation that MLIR knows, and says whether it was there.
pub(crate) fn remove_attribute(operation: OperationRef<'_, '_>, name: &str) -> bool {
    let name = StringRef::new(name);
    // SAFETY: the operation and the name are alive.
    unsafe { mlirOperationRemoveAttributeByName(operation.to_raw(), name.to_raw()) }
}

/// Replaces all operands of an operation.
pub(crate) fn set_operands<'c, 'a>(operation: OperationRef<'c, 'a>, operands: &[Value<'c, 'a>]) {
    let operands: Vec<_> = operands.iter().map(|value| value.to_raw()).collect();
    // SAFETY: the operation and the values are alive, and the length is that of the list.
    unsafe {
        mlirOperationSetOperands(
            operation.to_raw(),
            operands.len().cast_signed(),
            operands.as_ptr(),
        );
    }
}

/// The size that stands for a dimension known only at run time.
pub(crate) fn dynamic_size() -> i64 {
    // SAFETY: the function returns a constant.
    unsafe { mlirShapedTypeGetDynamicSize() }
}

/// The type of complex numbers of an element type, which must be a floating-point type.
pub(crate) fn complex(element: Type<'_>) -> Type<'_> {
    // SAFETY: the element type is alive.
    let raw = unsafe { mlirComplexTypeGet(element.to_raw()) };

    // SAFETY: the context of the element type owns the type.
    unsafe { Type::from_raw(raw) }
}

/// The type of tensors of a shape and an element type, if there is one.
pub(crate) fn tensor<'c>(
    shape: &[i64],
    element: Type<'c>,
    location: Location<'c>,
) -> Option<Type<'c>> {
    // SAFETY: the function returns a constant.
    let no_encoding = unsafe { mlirAttributeGetNull() };
    // SAFETY: the arguments are alive for the whole call, and the length is that of the shape.
    let raw = unsafe {
        mlirRankedTensorTypeGetChecked(
            location.to_raw(),
            shape.len().cast_signed(),
            shape.as_ptr(),
            element.to_raw(),
            no_encoding,
        )
    };

    // SAFETY: a type that is not null is owned by the context.
    (!raw.ptr.is_null()).then(|| unsafe { Type::from_raw(raw) })
}

/// The context of a location, for functions of this module.
pub(crate) fn context(location: Location<'_>) -> MlirContext {
    // SAFETY: the location is alive.
    unsafe { mlirLocationGetContext(location.to_raw()) }
}

/// Loads the dialect of definitions of dialects.
pub(crate) fn load_irdl(context: &Context) {
    // SAFETY: the handle is a constant of MLIR's.
    let handle = unsafe { mlirGetDialectHandle__irdl__() };
    // SAFETY: the context is alive.
    unsafe { mlirDialectHandleLoadDialect(handle, context.to_raw()) };
}

/// Whether a context has a dialect, loaded or to be loaded.
pub(crate) fn knows_dialect(context: &Context, name: &str) -> bool {
    let name = StringRef::new(name);
    // SAFETY: the context and the name are alive.
    let dialect = unsafe { mlirContextGetOrLoadDialect(context.to_raw(), name.to_raw()) };
    !dialect.ptr.is_null()
}

/// Has the context of a module know the dialects that the module defines. None of them may be known, else MLIR aborts.
pub(crate) fn load_dialects(module: &Module<'_>) -> Result<(), Diagnostics> {
    let context = context(module.as_operation().location());
    // SAFETY: the module is alive, and was verified when it was read.
    let load = || unsafe { mlirLoadIRDLDialects(module.to_raw()) };
    let (result, diagnostics) = capture(context, load);
    if result.value == 0 {
        Err(diagnostics)
    } else {
        Ok(())
    }
}

/// The element type of a complex type.
pub(crate) fn complex_element(r#type: Type<'_>) -> Option<Type<'_>> {
    if !r#type.is_complex() {
        return None;
    }

    // SAFETY: the type is alive and complex.
    let raw = unsafe { mlirComplexTypeGetElementType(r#type.to_raw()) };

    // SAFETY: the context of the type owns the element type.
    Some(unsafe { Type::from_raw(raw) })
}

/// The text of a string attribute.
pub(crate) fn string_attribute(attribute: StringAttribute<'_>) -> String {
    // SAFETY: the attribute is alive and a string.
    text(unsafe { mlirStringAttrGetValue(attribute.to_raw()) })
}

/// The name of the symbol that an attribute refers to.
pub(crate) fn symbol_attribute(attribute: FlatSymbolRefAttribute<'_>) -> String {
    // SAFETY: the attribute is alive and a reference to a symbol.
    text(unsafe { mlirFlatSymbolRefAttrGetValue(attribute.to_raw()) })
}

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

/// A reference to an operation, as long as that is borrowed.
pub(crate) fn borrow<'c, 'a>(operation: &'a Operation<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: the operation is alive as long as it is borrowed.
    unsafe { OperationRef::from_raw(operation.to_raw()) }
}

/// What an operation is made of besides its name and location.
#[derive(Debug, Default)]
pub(crate) struct Parts<'p, 'c, 'a> {
    pub(crate) operands: &'p [Value<'c, 'a>],
    pub(crate) results: &'p [Type<'c>],
    pub(crate) attributes: &'p [(Identifier<'c>, Attribute<'c>)],
    pub(crate) regions: Vec<Region<'c>>,
    pub(crate) successors: &'p [BlockRef<'c, 'a>],
}

/// An operation, which MLIR must know or be allowed to carry unchecked.
///
/// melior's own builder is moved for each part, which takes a third of the time.
pub(crate) fn create<'c>(
    name: &str,
    location: Location<'c>,
    parts: Parts<'_, 'c, '_>,
) -> Option<Operation<'c>> {
    let name = StringRef::new(name).to_raw();
    // SAFETY: the name and the location are alive.
    let mut state = unsafe { mlirOperationStateGet(name, location.to_raw()) };
    // Of an empty list MLIR would allocate the memory too.
    if !parts.operands.is_empty() {
        let (count, first) = (parts.operands.len(), parts.operands.as_ptr());
        // SAFETY: the values are alive, and as `Value` is transparent, a list of them is one of its field.
        unsafe { mlirOperationStateAddOperands(&mut state, count.cast_signed(), first.cast()) };
    }
    if !parts.results.is_empty() {
        let types = parts.results.iter().map(|one| one.to_raw());
        let types: SmallVec<[_; 4]> = types.collect();
        // SAFETY: the types are alive, and the length is that of the list.
        unsafe {
            mlirOperationStateAddResults(&mut state, types.len().cast_signed(), types.as_ptr());
        }
    }
    for (name, attribute) in parts.attributes {
        // SAFETY: the name and the attribute are alive.
        let named = unsafe { mlirNamedAttributeGet(name.to_raw(), attribute.to_raw()) };
        // SAFETY: as above, and it is one.
        unsafe { mlirOperationStateAddAttributes(&mut state, 1, &raw const named) };
    }
    for region in parts.regions {
        let region = region.into_raw();
        // SAFETY: the region is handed over, and it is one.
        unsafe { mlirOperationStateAddOwnedRegions(&mut state, 1, &raw const region) };
    }
    for block in parts.successors {
        let block = BlockLike::to_raw(block);
        // SAFETY: the block is alive, and it is one.
        unsafe { mlirOperationStateAddSuccessors(&mut state, 1, &raw const block) };
    }
    // SAFETY: the state is whole, and is not used again.
    let raw = unsafe { mlirOperationCreate(&mut state) };
    // SAFETY: an operation that is not null is new, and its context outlives it.
    (!raw.ptr.is_null()).then(|| unsafe { Operation::from_raw(raw) })
}

/// Whether an operation without regions and successors uses values of one block only.
pub(crate) fn uses_only(operation: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> bool {
    let (operation, block) = (operation.to_raw(), BlockLike::to_raw(&block));
    // SAFETY: the operation is alive.
    let regions = unsafe { mlirOperationGetNumRegions(operation) };
    // SAFETY: as above.
    let successors = unsafe { mlirOperationGetNumSuccessors(operation) };
    // SAFETY: as above.
    let operands = unsafe { mlirOperationGetNumOperands(operation) };
    let is_inside = |index| {
        // SAFETY: the operation is alive and has so many operands.
        let value = unsafe { mlirOperationGetOperand(operation, index) };
        // SAFETY: an operand is alive as long as what uses it.
        let value = unsafe { Value::from_raw(value) };
        source(value)
            .block()
            .is_some_and(|own| BlockLike::to_raw(&own).ptr == block.ptr)
    };
    regions == 0 && successors == 0 && (0..operands).all(is_inside)
}

/// What a value comes from.
pub(crate) fn source<'c, 'a>(value: Value<'c, 'a>) -> Source<'c, 'a> {
    let raw = value.to_raw();
    // SAFETY: the value is alive.
    if unsafe { mlirValueIsABlockArgument(raw) } {
        // SAFETY: the value is alive, and an argument of a block.
        let owner = unsafe { mlirBlockArgumentGetOwner(raw) };
        // SAFETY: the block lives as long as its argument.
        Source::Block(unsafe { BlockRef::from_raw(owner) })
    } else {
        // SAFETY: the value is alive, and a result, as it is no argument.
        let owner = unsafe { mlirOpResultGetOwner(raw) };
        // SAFETY: the operation lives as long as its result.
        Source::Operation(unsafe { OperationRef::from_raw(owner) })
    }
}

/// The operations that have a value as an operand, and the position of that.
pub(crate) fn uses<'c, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let mut uses = Vec::new();
    // SAFETY: the value is alive.
    let mut operand = unsafe { mlirValueGetFirstUse(value.to_raw()) };
    // SAFETY: the operand is null, or a use of the value, which nothing changes meanwhile.
    while !unsafe { mlirOpOperandIsNull(operand) } {
        // SAFETY: as above, and it is not null.
        let owner = unsafe { mlirOpOperandGetOwner(operand) };
        // SAFETY: as above.
        let position = unsafe { mlirOpOperandGetOperandNumber(operand) };
        // SAFETY: an operation that uses a value is in the tree of that.
        let owner = unsafe { OperationRef::from_raw(owner) };
        uses.push((owner, position as usize));
        // SAFETY: as above.
        operand = unsafe { mlirOpOperandGetNextUse(operand) };
    }
    uses
}

/// Has all that use a value use another.
pub(crate) fn replace_uses<'c>(value: Value<'c, '_>, other: Value<'c, '_>) {
    // SAFETY: both values are alive.
    unsafe { mlirValueReplaceAllUsesOfWith(value.to_raw(), other.to_raw()) }
}

/// Replaces a successor of an operation, which has one at the index.
pub(crate) fn set_successor(
    operation: OperationRef<'_, '_>,
    index: usize,
    block: BlockRef<'_, '_>,
) {
    // SAFETY: the operation and the block are alive, and the operation has a successor there.
    unsafe {
        mlirOperationSetSuccessor(
            operation.to_raw(),
            index.cast_signed(),
            BlockLike::to_raw(&block),
        );
    }
}

/// Moves an operation in front of another, which is not inside of it and is in a block.
pub(crate) fn move_before(operation: OperationRef<'_, '_>, other: OperationRef<'_, '_>) {
    // SAFETY: both are alive and in blocks.
    unsafe { mlirOperationMoveBefore(operation.to_raw(), other.to_raw()) }
}

/// Moves an operation behind another, which is not inside of it and is in a block.
pub(crate) fn move_after(operation: OperationRef<'_, '_>, other: OperationRef<'_, '_>) {
    // SAFETY: both are alive and in blocks.
    unsafe { mlirOperationMoveAfter(operation.to_raw(), other.to_raw()) }
}

/// Erases an operation, by the only one who may do so.
///
/// Safe code is kept from it by [`Editor`](crate::Editor): nothing outside of the operation uses what is inside of it,
/// and no reference that is bound to its tree is used afterwards.
pub(crate) fn erase(operation: OperationRef<'_, '_>) {
    // SAFETY: the operation is alive, and nothing refers to it from now on.
    unsafe { mlirOperationDestroy(operation.to_raw()) }
}

/// A manager of passes that run on operations of a name.
pub(crate) fn pass_manager<'c>(context: &'c Context, anchor: &str) -> PassManager<'c> {
    let anchor = StringRef::new(anchor);
    // SAFETY: the context and the name are alive.
    let raw = unsafe { mlirPassManagerCreateOnOperation(context.to_raw(), anchor.to_raw()) };
    // SAFETY: the manager is new, and its context outlives it.
    unsafe { PassManager::from_raw(raw) }
}

/// Adds the passes of a text to a manager.
pub(crate) fn add_passes(manager: OperationPassManager<'_, '_>, text: &str) -> Result<(), String> {
    let mut reason = Vec::<u8>::new();
    let text = StringRef::new(text);
    // SAFETY: the manager and the text are alive, and `append` gets the vector that it expects.
    let result = unsafe {
        mlirOpPassManagerAddPipeline(
            manager.to_raw(),
            text.to_raw(),
            Some(append),
            (&raw mut reason).cast(),
        )
    };
    if result.value == 0 {
        Err(String::from_utf8_lossy(&reason).into_owned())
    } else {
        Ok(())
    }
}

/// Runs the passes of a manager on an operation, and says whether none failed.
pub(crate) fn run_passes(manager: &PassManager<'_>, operation: OperationRef<'_, '_>) -> bool {
    // SAFETY: both are alive, and of one context.
    let result = unsafe { mlirPassManagerRunOnOp(manager.to_raw(), operation.to_raw()) };
    result.value != 0
}

/// Emits an error.
pub(crate) fn emit_error(location: Location<'_>, message: &str) {
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the location and the message are alive.
    unsafe { mlirEmitError(location.to_raw(), message.as_ptr()) }
}

/// The bytecode of an operation.
pub(crate) fn bytecode(operation: OperationRef<'_, '_>) -> Vec<u8> {
    let mut output = Vec::<u8>::new();
    // SAFETY: the operation is alive, and `append` gets the vector that it expects.
    unsafe {
        mlirOperationWriteBytecode(operation.to_raw(), Some(append), (&raw mut output).cast());
    }
    output
}

/// The module of a text or of bytecode, if it is one.
pub(crate) fn parse<'c>(context: &'c Context, source: &[u8]) -> Option<Module<'c>> {
    const ALIGNMENT: usize = 64;
    // What MLIR reads ends in a null byte, which is not counted; bytecode must be aligned to what it has inside.
    let mut buffer = vec![0; source.len() + ALIGNMENT + 1];
    let start = buffer.as_ptr().align_offset(ALIGNMENT);
    let copy = buffer.get_mut(start..start + source.len())?;
    copy.copy_from_slice(source);
    let source = MlirStringRef {
        data: copy.as_ptr().cast(),
        length: copy.len(),
    };
    // SAFETY: the context and the buffer are alive, and a null byte follows what is read.
    let raw = unsafe { mlirModuleCreateParse(context.to_raw(), source) };
    // SAFETY: a module that is not null is new, and its context outlives it.
    unsafe { Module::from_option_raw(raw) }
}

/// Calls a function with each operation of a name that MLIR's driver comes to, and replaces the operation by the values that it returns.
pub(crate) fn pattern<F>(context: &Context, name: &str, benefit: u32, rewrite: F) -> RewritePattern
where
    F: for<'c, 'e> Fn(OperationRef<'c, 'e>) -> Option<Vec<Value<'c, 'e>>> + 'static,
{
    let callback = move |_, operation: MlirOperation, rewriter: MlirPatternRewriter| {
        // SAFETY: the driver calls this with an operation that is alive until it is replaced, which is the last thing that happens.
        let operation = unsafe { OperationRef::from_raw(operation) };
        let Some(values) = rewrite(operation) else {
            return false;
        };
        // SAFETY: the rewriter is alive while the driver calls this.
        let rewriter = unsafe { PatternRewriter::from_raw(rewriter) };
        rewriter
            .as_rewriter_base()
            .replace_op_with_values(operation, &values);
        true
    };
    create_op_rewrite_pattern(name, benefit, context, callback, &[])
}
