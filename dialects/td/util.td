// IREE's `util` dialect, what host programs are made of: globals, functions, numbers, lists, buffers, text.

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Util_Dialect : Dialect {
  let name = "util";
  let cppNamespace = "::util";
}

class Util_Op<string mnemonic, list<Trait> traits = []>
    : Op<Util_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

def Util_GlobalOp : Util_Op<"global"> {
  let summary = "a variable of the module that keeps its value between calls";
  let description = [{
    The initial value is a constant, or what the `util.initializer` that stores to it computes when
    the module is loaded, or zero.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttr:$type,
    UnitAttr:$is_mutable,
    OptionalAttr<AnyAttr>:$initial_value,
    OptionalAttr<AnyAttr>:$inlining_policy,
    OptionalAttr<StrAttr>:$sym_visibility
  );
}

def Util_GlobalLoadOp : Util_Op<"global.load"> {
  let summary = "the value of a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
}

def Util_GlobalStoreOp : Util_Op<"global.store"> {
  let summary = "gives a global a new value";
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
}

def Util_InitializerOp : Util_Op<"initializer"> {
  let summary = "code that runs once when the module is loaded";
  let description = [{
    Initialisers run in the order of the module. Their function type is `() -> ()`.
  }];
  let arguments = (ins
    TypeAttr:$function_type,
    OptionalAttr<StrAttr>:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Util_FuncOp : Util_Op<"func"> {
  let summary = "a function whose results may share storage with its arguments";
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttr:$function_type,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<AnyAttr>:$inlining_policy
  );
  let regions = (region AnyRegion:$body);
}

def Util_CallOp : Util_Op<"call"> {
  let summary = "the results of a function of the module";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>:$results);
}

def Util_ReturnOp : Util_Op<"return", [Terminator]> {
  let summary = "leaves a function or an initialiser with values";
  let arguments = (ins Variadic<AnyType>:$operands);
}

def Util_OptimizationBarrierOp : Util_Op<"optimization_barrier", [
    RangedTypesMatchWith<"results are the operands", "operands", "results", "$_self">]> {
  let summary = "its operands, which the compiler may not look through";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
}

//===----------------------------------------------------------------------===//
// References to globals
//===----------------------------------------------------------------------===//

def Util_GlobalAddressOp : Util_Op<"global.address", [Pure]> {
  let summary = "a pointer to a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
}

def Util_GlobalLoadIndirectOp : Util_Op<"global.load.indirect"> {
  let summary = "the value of the global that a pointer is to";
  let arguments = (ins AnyType:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
}

def Util_GlobalStoreIndirectOp : Util_Op<"global.store.indirect"> {
  let summary = "gives the global that a pointer is to a new value";
  let arguments = (ins AnyType:$value, AnyType:$global);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Util_NullOp : Util_Op<"null", [Pure]> {
  let summary = "nothing, of a type that may be nothing";
  let results = (outs AnyType:$result);
}

def Util_CastOp : Util_Op<"cast", [Pure]> {
  let summary = "the same value in another type";
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
}

def Util_CmpEqOp : Util_Op<"cmp.eq", [Commutative, Pure]> {
  let summary = "whether two references are to the same";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
}

def Util_CmpNeOp : Util_Op<"cmp.ne", [Commutative, Pure]> {
  let summary = "whether two references are to different things";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
}

def Util_SwitchOp : Util_Op<"switch", [Pure, TypesMatchWith<"the result is the default_value", "default_value", "result", "$_self">]> {
  let summary = "the value of an index, or another one if there is none of it";
  let arguments = (ins Index:$index, AnyType:$default_value, Variadic<AnyType>:$values);
  let results = (outs AnyType:$result);
}

def Util_UnfoldableConstantOp : Util_Op<"unfoldable_constant"> {
  let summary = "a constant that the compiler may not look at";
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
}

def Util_NumericOptionalNarrowOp : Util_Op<"numeric.optional_narrow", [Pure, SameOperandsAndResultType]> {
  let summary = "numbers that a type with fewer bits can hold";
  let arguments = (ins
    AnyType:$operand,
    TypeAttr:$semantic_type,
    OptionalAttr<AnyAttr>:$min_value,
    OptionalAttr<AnyAttr>:$max_value
  );
  let results = (outs AnyType:$result);
}

def Util_AssumeIntOp : Util_Op<"assume.int", [Pure, RangedTypesMatchWith<"results are the operands", "operands", "results", "$_self">]> {
  let summary = "integers of which something is known";
  let description = [{
    Of each operand there is a list, such as `[#util.int.assumption<umin = 1, umax = 9, udiv = 1>]`.
  }];
  let arguments = (ins Variadic<AnySignlessIntegerOrIndex>:$operands, ArrayAttr:$assumptions);
  let results = (outs Variadic<AnySignlessIntegerOrIndex>:$results);
}

def Util_HoistableConversionOp : Util_Op<"hoistable_conversion", [RecursiveMemoryEffects]> {
  let summary = "a change of form that meets its inverse if it is moved";
  let arguments = (ins StrAttr:$tag, StrAttr:$inverseTag, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

def Util_AlignOp : Util_Op<"align", [Pure, SameOperandsAndResultType]> {
  let summary = "the next multiple of an alignment";
  let arguments = (ins SignlessIntegerOrIndexLike:$value, SignlessIntegerOrIndexLike:$alignment);
  let results = (outs SignlessIntegerOrIndexLike:$result);
}

def Util_SizeofOp : Util_Op<"sizeof", [Pure]> {
  let summary = "how many bytes a value of a type takes";
  let arguments = (ins TypeAttr:$sizedType);
  let results = (outs Index:$size);
}

def Util_RangeMinOp : Util_Op<"range.min", [Pure]> {
  let summary = "the least of numbers";
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$result);
}

def Util_RangeMaxOp : Util_Op<"range.max", [Pure]> {
  let summary = "the largest of numbers";
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$result);
}

def Util_RangeExtentsOp : Util_Op<"range.extents", [Pure, SameVariadicOperandSize]> {
  let summary = "the least and the largest index in ranges";
  let arguments = (ins Variadic<Index>:$offsets, Variadic<Index>:$lengths);
  let results = (outs Index:$min, Index:$max);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

def Util_UnreachableOp : Util_Op<"unreachable", [Terminator]> {
  let summary = "a place that is never reached";
  let arguments = (ins OptionalAttr<StrAttr>:$message);
}

def Util_ScfUnreachableOp : Util_Op<"scf.unreachable"> {
  let summary = "a place that is never reached, inside of structured control flow";
  let arguments = (ins OptionalAttr<StrAttr>:$message);
}

def Util_StatusCheckOkOp : Util_Op<"status.check_ok"> {
  let summary = "fails if a status is not that all is well";
  let arguments = (ins I32:$status, OptionalAttr<StrAttr>:$message);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

def Util_ListCreateOp : Util_Op<"list.create"> {
  let summary = "an empty list";
  let arguments = (ins Optional<Index>:$initial_capacity);
  let results = (outs AnyType:$result);
}

def Util_ListConstructOp : Util_Op<"list.construct"> {
  let summary = "a list of values";
  let arguments = (ins Variadic<AnyType>:$values);
  let results = (outs AnyType:$result);
}

def Util_ListSizeOp : Util_Op<"list.size"> {
  let summary = "how many values a list has";
  let arguments = (ins AnyType:$list);
  let results = (outs Index:$result);
}

def Util_ListResizeOp : Util_Op<"list.resize"> {
  let summary = "makes a list longer or shorter";
  let arguments = (ins AnyType:$list, Index:$new_size);
}

def Util_ListGetOp : Util_Op<"list.get"> {
  let summary = "a value of a list";
  let arguments = (ins AnyType:$list, Index:$index);
  let results = (outs AnyType:$result);
}

def Util_ListSetOp : Util_Op<"list.set"> {
  let summary = "gives a place of a list another value";
  let arguments = (ins AnyType:$list, Index:$index, AnyType:$value);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// Sizes, offsets and lengths are in bytes.

def Util_BufferConstantOp : Util_Op<"buffer.constant", [Pure]> {
  let summary = "a buffer with bytes that are known";
  let arguments = (ins
    OptionalAttr<StrAttr>:$name,
    AnyAttr:$value,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<StrAttr>:$mime_type
  );
  let results = (outs AnyType:$result);
}

def Util_BufferAllocOp : Util_Op<"buffer.alloc"> {
  let summary = "a new buffer";
  let arguments = (ins Index:$storage_size, OptionalAttr<IndexAttr>:$alignment);
  let results = (outs AnyType:$result);
}

def Util_BufferDeallocOp : Util_Op<"buffer.dealloc"> {
  let summary = "gives back a buffer";
  let arguments = (ins AnyType:$operand, Index:$operand_size);
}

def Util_BufferSliceOp : Util_Op<"buffer.slice", [TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "a copy of a part of a buffer";
  let arguments = (ins
    AnyType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$result_size,
    OptionalAttr<IndexAttr>:$alignment
  );
  let results = (outs AnyType:$result);
}

def Util_BufferSubspanOp : Util_Op<"buffer.subspan", [Pure, TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "a part of a buffer";
  let arguments = (ins
    AnyType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$result_size
  );
  let results = (outs AnyType:$result);
}

def Util_BufferSizeOp : Util_Op<"buffer.size", [Pure]> {
  let summary = "how large a buffer is";
  let arguments = (ins AnyType:$operand);
  let results = (outs Index:$result);
}

def Util_BufferStorageOp : Util_Op<"buffer.storage", [Pure]> {
  let summary = "the memory of a buffer, and where it begins there";
  let arguments = (ins AnyType:$operand, Index:$operand_size);
  let results = (outs AnyType:$result, Index:$offset);
}

def Util_BufferCopyOp : Util_Op<"buffer.copy"> {
  let summary = "copies bytes from one buffer to another";
  let arguments = (ins
    AnyType:$source,
    Index:$source_size,
    Index:$source_offset,
    AnyType:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
}

def Util_BufferCompareOp : Util_Op<"buffer.compare"> {
  let summary = "whether parts of buffers are equal";
  let arguments = (ins
    AnyType:$lhs,
    Index:$lhs_size,
    Index:$lhs_offset,
    AnyType:$rhs,
    Index:$rhs_size,
    Index:$rhs_offset,
    Index:$length
  );
  let results = (outs I1:$result);
}

def Util_BufferFillOp : Util_Op<"buffer.fill"> {
  let summary = "fills a part of a buffer with a number";
  let arguments = (ins
    AnyType:$pattern,
    AnyType:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
}

def Util_BufferLoadOp : Util_Op<"buffer.load"> {
  let summary = "a number in a buffer";
  let arguments = (ins AnyType:$source, Index:$source_size, Index:$source_offset, Index:$length);
  let results = (outs AnyType:$result);
}

def Util_BufferStoreOp : Util_Op<"buffer.store"> {
  let summary = "writes a number to a buffer";
  let arguments = (ins
    AnyType:$source,
    AnyType:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
}

def Util_BufferHashOp : Util_Op<"buffer.hash"> {
  let summary = "a number that tells what is in a part of a buffer";
  let arguments = (ins AnyType:$source, Index:$source_size, Index:$source_offset, Index:$length);
  let results = (outs I64:$result);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

def Util_StringFormatOp : Util_Op<"string.format", [Pure]> {
  let summary = "a text with values in it";
  let arguments = (ins StrAttr:$format, Variadic<AnyType>:$args);
  let results = (outs AnyType:$result);
}

def Util_StringItoaOp : Util_Op<"string.itoa", [Pure]> {
  let summary = "a number as text";
  let arguments = (ins AnySignlessIntegerOrIndex:$value);
  let results = (outs AnyType:$result);
}
