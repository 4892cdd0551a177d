// IREE's `flow` dialect: tensors between the parts of a program that are compiled on their own, and these parts.

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let cppNamespace = "::flow";
}

class Flow_Op<string mnemonic, list<Trait> traits = []>
    : Op<Flow_Dialect, mnemonic, traits>;

def Flow_TensorConstantOp : Flow_Op<"tensor.constant"> {
  let summary = "a tensor that is known when the module is loaded";
  let description = [{
    The value is the elements, or `#flow.parameter.named<"scope"::"key">` for what the host supplies.
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
}

def Flow_TensorBarrierOp : Flow_Op<"tensor.barrier"> {
  let summary = "the same tensor, which is on a certain device from here on";
  let arguments = (ins AnyType:$operand, Variadic<Index>:$dynamic_dims, AnyAttr:$target);
  let results = (outs AnyType:$result);
}

def Flow_TensorTieShapeOp : Flow_Op<"tensor.tie_shape"> {
  let summary = "the operand, with sizes for those that its type does not tell";
  let arguments = (ins AnyType:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyType:$result);
}

def Flow_TensorTraceOp : Flow_Op<"tensor.trace", [AttrSizedOperandSegments]> {
  let summary = "tensors that the host is shown when the program gets here";
  let description = [{
    The operands `value_dims` are the sizes of the values that their types do not tell, in order.
  }];
  let arguments = (ins
    StrAttr:$key,
    Variadic<AnyType>:$values,
    Variadic<Index>:$value_dims
  );
}

def Flow_TensorReshapeOp : Flow_Op<"tensor.reshape", [AttrSizedOperandSegments]> {
  let summary = "the same elements in another shape";
  let description = [{
    The operands `source_dims` and `result_dims` are the sizes of the source and of the result that
    their types do not tell, in order.
  }];
  let arguments = (ins
    AnyType:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyType:$result);
}

def Flow_TensorBitcastOp : Flow_Op<"tensor.bitcast", [AttrSizedOperandSegments]> {
  let summary = "the same bytes as elements of another type";
  let description = [{
    The operands `source_dims` and `result_dims` are the sizes of the source and of the result that
    their types do not tell, in order.
  }];
  let arguments = (ins
    AnyType:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyType:$result);
}

class Flow_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : Flow_Op<mnemonic, !listconcat(traits, [
        TypesMatchWith<"the result is the operand", "operand", "result", "$_self">])>;

def Flow_TensorDynamicConstantOp : Flow_Op<"tensor.dynamic_constant"> {
  let summary = "a tensor that is known, in a type whose sizes the compiler is not to know";
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
}

def Flow_TensorEmptyOp : Flow_Op<"tensor.empty", [Pure]> {
  let summary = "a tensor whose elements nobody knows";
  let arguments = (ins Variadic<Index>:$result_dims);
  let results = (outs AnyType:$result);
}

def Flow_TensorAllocaOp : Flow_Op<"tensor.alloca"> {
  let summary = "memory for a tensor, for as long as that is used";
  let arguments = (ins Variadic<Index>:$result_dims);
  let results = (outs AnyType:$result);
}

def Flow_TensorSplatOp : Flow_Op<"tensor.splat", [Pure]> {
  let summary = "a tensor with the same number everywhere";
  let arguments = (ins AnyType:$value, Variadic<Index>:$result_dims);
  let results = (outs AnyType:$result);
}

def Flow_TensorCloneOp : Flow_SameTypeOp<"tensor.clone", [Pure]> {
  let summary = "the same tensor in memory of its own";
  let arguments = (ins AnyType:$operand, Variadic<Index>:$operand_dims);
  let results = (outs AnyType:$result);
}

def Flow_TensorEncodeOp : Flow_Op<"tensor.encode", [AttrSizedOperandSegments, Pure]> {
  let summary = "the same tensor with another encoding";
  let arguments = (ins
    AnyType:$operand,
    Variadic<Index>:$operand_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyType:$result);
}

def Flow_TensorTransferOp : Flow_SameTypeOp<"tensor.transfer", [Pure]> {
  let summary = "the same tensor, brought to a device";
  let arguments = (ins AnyType:$operand, Variadic<Index>:$operand_dims, AnyAttr:$target);
  let results = (outs AnyType:$result);
}

def Flow_TensorLoadOp : Flow_Op<"tensor.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "an element of a tensor, on the host";
  let arguments = (ins
    AnyType:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$indices
  );
  let results = (outs AnyType:$result);
}

def Flow_TensorStoreOp : Flow_Op<"tensor.store", [
    AttrSizedOperandSegments, Pure,
    TypesMatchWith<"the result is the target", "target", "result", "$_self">]> {
  let summary = "a tensor with another element in one place";
  let arguments = (ins
    AnyType:$value,
    AnyType:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$indices
  );
  let results = (outs AnyType:$result);
}

def Flow_TensorSliceOp : Flow_Op<"tensor.slice", [AttrSizedOperandSegments, Pure]> {
  let summary = "a part of a tensor without gaps";
  let arguments = (ins
    AnyType:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyType:$result);
}

def Flow_TensorUpdateOp : Flow_Op<"tensor.update", [
    AttrSizedOperandSegments, Pure,
    TypesMatchWith<"the result is the target", "target", "result", "$_self">]> {
  let summary = "a tensor with another one in a part of it";
  let arguments = (ins
    AnyType:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$start_indices,
    AnyType:$update,
    Variadic<Index>:$update_dims
  );
  let results = (outs AnyType:$result);
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

def Flow_DispatchOp : Flow_Op<"dispatch", [AttrSizedOperandSegments]> {
  let summary = "runs an entry point of an executable";
  let description = [{
    The operands `argument_dims` and `result_dims` are the sizes that the types of arguments and results do not tell, in order. Results
    may share the memory of arguments, which `tied_operands` says.
  }];
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<I64ArrayAttr>:$tied_operands
  );
  let results = (outs Variadic<AnyType>:$results);
}

def Flow_DispatchRegionOp : Flow_Op<"dispatch.region", [AttrSizedOperandSegments]> {
  let summary = "operations that become one dispatch, with the values around them";
  let description = [{
    The region `workgroup_count`, which may be empty, computes how many workgroups there are from the workload.
  }];
  let arguments = (ins Variadic<Index>:$result_dims, Variadic<Index>:$workload);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body, AnyRegion:$workgroup_count);
}

def Flow_DispatchWorkgroupsOp : Flow_Op<"dispatch.workgroups", [AttrSizedOperandSegments]> {
  let summary = "a dispatch with its code, which sees its arguments only";
  let arguments = (ins
    Variadic<Index>:$workload,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<I64ArrayAttr>:$tied_operands
  );
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_body, AnyRegion:$workgroup_count);
}

class Flow_WorkgroupOp<string mnemonic> : Flow_Op<mnemonic, [Pure]> {
  let arguments = (ins IndexAttr:$dimension);
  let results = (outs Index:$result);
}
def Flow_DispatchWorkgroupIdOp : Flow_WorkgroupOp<"dispatch.workgroup.id"> {
  let summary = "which workgroup of a dispatch this is, along an axis";
}
def Flow_DispatchWorkgroupCountOp : Flow_WorkgroupOp<"dispatch.workgroup.count"> {
  let summary = "how many workgroups a dispatch has, along an axis";
}
def Flow_DispatchWorkgroupSizeOp : Flow_WorkgroupOp<"dispatch.workgroup.size"> {
  let summary = "how large a workgroup of a dispatch is, along an axis";
}

def Flow_DispatchTieShapeOp : Flow_Op<"dispatch.tie_shape", [
    Pure, TypesMatchWith<"the result is the operand", "operand", "result", "$_self">]> {
  let summary = "an argument of a dispatch, with sizes for those that its type does not tell";
  let arguments = (ins AnyType:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyType:$result);
}

def Flow_ReturnOp : Flow_Op<"return", [Terminator]> {
  let summary = "leaves the region of a dispatch with values";
  let arguments = (ins Variadic<AnyType>:$operands);
}

def Flow_ExecutableOp : Flow_Op<"executable"> {
  let summary = "code for devices, which dispatches run";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region AnyRegion:$body);
}
def Flow_ExecutableEndOp : Flow_Op<"executable_end", [Terminator]> {
  let summary = "ends an executable";
}
def Flow_ExecutableExportOp : Flow_Op<"executable.export"> {
  let summary = "an entry point of an executable";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    FlatSymbolRefAttr:$function_ref
  );
  let regions = (region AnyRegion:$workgroup_count);
}

//===----------------------------------------------------------------------===//
// Functions that the host has
//===----------------------------------------------------------------------===//

def Flow_FuncOp : Flow_Op<"func"> {
  let summary = "declares a function of the host that works on tensors while a program goes on";
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttr:$function_type,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
}
def Flow_CallOp : Flow_Op<"call", [AttrSizedOperandSegments]> {
  let summary = "the results of such a function";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>:$results);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

// Scopes and keys are buffers of IREE with text.
def Flow_ParameterLoadOp : Flow_Op<"parameter.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "a tensor of an archive that the host supplies";
  let arguments = (ins
    Optional<AnyType>:$source_scope,
    AnyType:$source_key,
    I64:$source_offset,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyType:$result);
}
def Flow_ParameterWriteOp : Flow_Op<"parameter.write", [
    AttrSizedOperandSegments,
    TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "writes a tensor to an archive that the host supplies";
  let arguments = (ins
    AnyType:$source,
    Variadic<Index>:$source_dims,
    Optional<AnyType>:$target_scope,
    AnyType:$target_key,
    I64:$target_offset
  );
  let results = (outs AnyType:$result);
}

//===----------------------------------------------------------------------===//
// Groups of devices
//===----------------------------------------------------------------------===//

def Flow_Channel : TypeDef<Flow_Dialect, "Channel"> {
  let mnemonic = "channel";
  let summary = "what the members of a group exchange tensors over";
}

class Flow_EnumAttr<string name, string brief, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, brief, cases> {
  let cppNamespace = "::flow";
}
def Flow_CollectiveElementTypeAttr : Flow_EnumAttr<"CollectiveElementType", "What elements are combined as.", [
  I32EnumAttrCase<"Sint8", 0, "si8">,
  I32EnumAttrCase<"Uint8", 1, "ui8">,
  I32EnumAttrCase<"Sint16", 2, "si16">,
  I32EnumAttrCase<"Uint16", 3, "ui16">,
  I32EnumAttrCase<"Sint32", 4, "si32">,
  I32EnumAttrCase<"Uint32", 5, "ui32">,
  I32EnumAttrCase<"Sint64", 6, "si64">,
  I32EnumAttrCase<"Uint64", 7, "ui64">,
  I32EnumAttrCase<"Float16", 8, "f16">,
  I32EnumAttrCase<"Float32", 9, "f32">,
  I32EnumAttrCase<"Float64", 10, "f64">,
  I32EnumAttrCase<"BFloat16", 11, "bf16">
]>;
def Flow_CollectiveReductionAttr : Flow_EnumAttr<"CollectiveReduction", "How elements are combined.", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Sum", 1, "sum">,
  I32EnumAttrCase<"Product", 2, "product">,
  I32EnumAttrCase<"Minimum", 3, "minimum">,
  I32EnumAttrCase<"Maximum", 4, "maximum">,
  I32EnumAttrCase<"Average", 5, "average">
]>;

def Flow_ChannelDefaultOp : Flow_Op<"channel.default", [Pure]> {
  let summary = "the channel of all devices, or of a group with a name";
  let arguments = (ins OptionalAttr<StrAttr>:$group);
  let results = (outs AnyType:$result);
}
def Flow_ChannelSplitOp : Flow_Op<"channel.split"> {
  let summary = "a channel of those members that give the same colour";
  let arguments = (ins AnyType:$channel, Index:$color, Index:$key);
  let results = (outs AnyType:$result);
}
def Flow_ChannelRankOp : Flow_Op<"channel.rank", [Pure]> {
  let summary = "which member this device is";
  let arguments = (ins AnyType:$channel);
  let results = (outs Index:$result);
}
def Flow_ChannelCountOp : Flow_Op<"channel.count", [Pure]> {
  let summary = "how many members there are";
  let arguments = (ins AnyType:$channel);
  let results = (outs Index:$result);
}

// The operand `target` says how large the result is, and may share its memory.
class Flow_CollectiveOp<string mnemonic> : Flow_Op<mnemonic, [
    TypesMatchWith<"the result is the target", "target", "result", "$_self">]> {
  let arguments = (ins
    Flow_CollectiveElementTypeAttr:$element_type,
    AnyType:$target,
    Variadic<Index>:$target_dims,
    AnyType:$source,
    AnyType:$channel,
    OptionalAttr<I64ArrayAttr>:$tied_operands
  );
  let results = (outs AnyType:$result);
}
class Flow_ReducingCollectiveOp<string mnemonic> : Flow_Op<mnemonic, [
    TypesMatchWith<"the result is the target", "target", "result", "$_self">]> {
  let arguments = (ins
    Flow_CollectiveReductionAttr:$reduction_op,
    Flow_CollectiveElementTypeAttr:$element_type,
    AnyType:$target,
    Variadic<Index>:$target_dims,
    AnyType:$source,
    AnyType:$channel,
    OptionalAttr<I64ArrayAttr>:$tied_operands
  );
  let results = (outs AnyType:$result);
}
def Flow_CollectiveAllGatherOp : Flow_CollectiveOp<"collective.all_gather"> {
  let summary = "the tensors of all members, one behind the other";
}
def Flow_CollectiveAllReduceOp : Flow_ReducingCollectiveOp<"collective.all_reduce"> {
  let summary = "the tensors of all members, combined";
}
def Flow_CollectiveAllToAllOp : Flow_CollectiveOp<"collective.all_to_all"> {
  let summary = "the parts for this member of the tensors of all members";
}
def Flow_CollectiveReduceScatterOp : Flow_ReducingCollectiveOp<"collective.reduce_scatter"> {
  let summary = "the part for this member of the tensors of all members, combined";
}
def Flow_CollectiveSendRecvOp : Flow_Op<"collective.send_recv", [
    TypesMatchWith<"the result is the target", "target", "result", "$_self">]> {
  let summary = "the tensor of one member, while another gets that of this one";
  let arguments = (ins
    Flow_CollectiveElementTypeAttr:$element_type,
    AnyType:$target,
    Variadic<Index>:$target_dims,
    AnyType:$source,
    AnyType:$channel,
    Index:$send,
    Index:$recv,
    OptionalAttr<I64ArrayAttr>:$tied_operands
  );
  let results = (outs AnyType:$result);
}
