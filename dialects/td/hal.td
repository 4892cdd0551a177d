// IREE's `hal` dialect: devices, their memory, and what they are told to do.

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Hal_Dialect : Dialect {
  let name = "hal";
  let cppNamespace = "::hal";
}

class Hal_Op<string mnemonic, list<Trait> traits = []> : Op<Hal_Dialect, mnemonic, traits>;

class Hal_Same<string one, string other = "result">
    : TypesMatchWith<"the " # other # " is the " # one, one, other, "$_self">;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Hal_Type<string name, string word, string brief> : TypeDef<Hal_Dialect, name> {
  let mnemonic = word;
  let summary = brief;
}
def Hal_Allocator : Hal_Type<"Allocator", "allocator", "what gives memory of a device">;
def Hal_Buffer : Hal_Type<"Buffer", "buffer", "memory of a device">;
def Hal_BufferView : Hal_Type<"BufferView", "buffer_view", "memory of a device with a shape and an element type">;
def Hal_Channel : Hal_Type<"Channel", "channel", "what devices exchange tensors over">;
def Hal_CommandBuffer : Hal_Type<"CommandBuffer", "command_buffer", "commands for a device, in order">;
def Hal_Device : Hal_Type<"Device", "device", "what computes">;
def Hal_Event : Hal_Type<"Event", "event", "what commands of one buffer wait for">;
def Hal_Executable : Hal_Type<"Executable", "executable", "code that a device has loaded">;
def Hal_Fence : Hal_Type<"Fence", "fence", "points in time that something is reached at">;
def Hal_File : Hal_Type<"File", "file", "what queues read and write besides buffers">;

def Hal_Storage : AnyTypeOf<[Hal_Buffer, Hal_BufferView]>;
// In commands a number stands for the buffer that the command buffer gets when it is executed.
def Hal_BufferOrSlot : AnyTypeOf<[Index, Hal_Buffer]>;
def Hal_FillPattern : AnyTypeOf<[I8, I16, I32]>;
def Hal_Primitive : AnyTypeOf<[Index, AnySignlessInteger, AnyFloat, AnyComplex]>;
def Hal_Element : AnyTypeOf<[Index, AnySignlessInteger, AnyFloat, AnyComplex, AnyVectorOfNonZeroRank]>;
def Hal_HostBuffer : Type<CPred<"true">, "buffer of the host, a `!util.buffer`">;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Hal_Enum<string name, string brief, list<I32EnumAttrCase> cases> : I32EnumAttr<name, brief, cases> {
  let cppNamespace = "::hal";
}
class Hal_Bits<string name, string brief, list<I32BitEnumAttrCase> cases> : I32BitEnumAttr<name, brief, cases> {
  let cppNamespace = "::hal";
}
class Hal_LongBits<string name, string brief, list<I64BitEnumAttrCase> cases> : I64BitEnumAttr<name, brief, cases> {
  let cppNamespace = "::hal";
}

def Hal_LifetimeAttr : Hal_Enum<"Lifetime", "What memory is for, and for how long.", [
  I32EnumAttrCase<"Unknown", 0, "*">,
  I32EnumAttrCase<"External", 1, "external">,
  I32EnumAttrCase<"Staging", 2, "staging">,
  I32EnumAttrCase<"Transient", 3, "transient">,
  I32EnumAttrCase<"Variable", 4, "variable">,
  I32EnumAttrCase<"Constant", 5, "constant">
]>;
def Hal_MemoryTypeAttr : Hal_Bits<"MemoryType", "Which memory it is, and who sees it.", [
  I32BitEnumAttrCase<"None", 0x00>,
  I32BitEnumAttrCase<"Optimal", 0x01>,
  I32BitEnumAttrCase<"HostVisible", 0x02>,
  I32BitEnumAttrCase<"HostCoherent", 0x04>,
  I32BitEnumAttrCase<"HostCached", 0x08>,
  I32BitEnumAttrCase<"HostLocal", 0x46>,
  I32BitEnumAttrCase<"DeviceVisible", 0x10>,
  I32BitEnumAttrCase<"DeviceLocal", 0x30>
]>;
def Hal_BufferUsageAttr : Hal_Bits<"BufferUsage", "What is done with a buffer.", [
  I32BitEnumAttrCase<"None", 0>,
  I32BitEnumAttrCase<"TransferSource", 0x00000001>,
  I32BitEnumAttrCase<"TransferTarget", 0x00000002>,
  I32BitEnumAttrCase<"Transfer", 0x00000003>,
  I32BitEnumAttrCase<"DispatchIndirectParameters", 0x00000100>,
  I32BitEnumAttrCase<"DispatchUniformRead", 0x00000200>,
  I32BitEnumAttrCase<"DispatchStorageRead", 0x00000400>,
  I32BitEnumAttrCase<"DispatchStorageWrite", 0x00000800>,
  I32BitEnumAttrCase<"DispatchStorage", 0x00000C00>,
  I32BitEnumAttrCase<"DispatchImageRead", 0x00001000>,
  I32BitEnumAttrCase<"DispatchImageWrite", 0x00002000>,
  I32BitEnumAttrCase<"DispatchImage", 0x00003000>,
  I32BitEnumAttrCase<"SharingExport", 0x00010000>,
  I32BitEnumAttrCase<"SharingReplicate", 0x00020000>,
  I32BitEnumAttrCase<"SharingConcurrent", 0x00040000>,
  I32BitEnumAttrCase<"SharingImmutable", 0x00080000>,
  I32BitEnumAttrCase<"MappingScoped", 0x01000000>,
  I32BitEnumAttrCase<"MappingPersistent", 0x02000000>,
  I32BitEnumAttrCase<"MappingOptional", 0x04000000>,
  I32BitEnumAttrCase<"MappingAccessRandom", 0x08000000>,
  I32BitEnumAttrCase<"MappingAccessSequentialWrite", 0x10000000>,
  I32BitEnumAttrCase<"Mapping", 0x09000000>
]>;
def Hal_MemoryAccessAttr : Hal_Bits<"MemoryAccess", "What memory may be accessed for.", [
  I32BitEnumAttrCase<"None", 0x00>,
  I32BitEnumAttrCase<"Read", 0x01>,
  I32BitEnumAttrCase<"Write", 0x02>,
  I32BitEnumAttrCase<"Discard", 0x04>,
  I32BitEnumAttrCase<"MayAlias", 0x08>,
  I32BitEnumAttrCase<"Unaligned", 0x10>,
  I32BitEnumAttrCase<"Any", 0x20>
]>;
def Hal_CommandBufferModeAttr : Hal_Bits<"CommandBufferMode", "How often commands run, and when.", [
  I32BitEnumAttrCase<"None", 0x00>,
  I32BitEnumAttrCase<"OneShot", 0x01>,
  I32BitEnumAttrCase<"AllowInlineExecution", 0x10>
]>;
def Hal_CommandCategoryAttr : Hal_Bits<"CommandCategory", "What commands there are.", [
  I32BitEnumAttrCase<"None", 0>,
  I32BitEnumAttrCase<"Transfer", 1>,
  I32BitEnumAttrCase<"Dispatch", 2>
]>;
def Hal_ExecutionStageAttr : Hal_Bits<"ExecutionStage", "A stage that commands go through.", [
  I32BitEnumAttrCase<"None", 0x00>,
  I32BitEnumAttrCase<"CommandIssue", 0x01>,
  I32BitEnumAttrCase<"CommandProcess", 0x02>,
  I32BitEnumAttrCase<"Dispatch", 0x04>,
  I32BitEnumAttrCase<"Transfer", 0x08>,
  I32BitEnumAttrCase<"CommandRetire", 0x10>,
  I32BitEnumAttrCase<"Host", 0x20>
]>;
def Hal_AllocaFlagsAttr : Hal_LongBits<"AllocaFlags", "What is known of memory that a queue gives.", [
  I64BitEnumAttrCase<"None", 0>,
  I64BitEnumAttrCase<"IndeterminateLifetime", 1>
]>;
def Hal_DeallocaFlagsAttr : Hal_LongBits<"DeallocaFlags", "Which queue gets memory back.", [
  I64BitEnumAttrCase<"None", 0>,
  I64BitEnumAttrCase<"PreferOrigin", 1>
]>;
// These have no bits with a meaning yet: zero.
def Hal_FlagsAttr : TypedSignlessIntegerAttrBase<I64, "uint64_t", "flags, which are zero">;

def Hal_DescriptorFlagsAttr : Hal_Bits<"DescriptorFlags", "What is known of a buffer of a dispatch.", [
  I32BitEnumAttrCase<"None", 0>,
  I32BitEnumAttrCase<"ReadOnly", 1>,
  I32BitEnumAttrCase<"Indirect", 2>
]>;
def Hal_PipelineLayoutFlagsAttr : Hal_Bits<"PipelineLayoutFlags", "What is known of all buffers of a dispatch.", [
  I32BitEnumAttrCase<"None", 0>,
  I32BitEnumAttrCase<"Indirect", 1>
]>;
def Hal_DescriptorType : I32Enum<"DescriptorType", "How code sees a buffer.", [
  I32EnumCase<"UniformBuffer", 6, "uniform_buffer">,
  I32EnumCase<"StorageBuffer", 7, "storage_buffer">
]> {
  let cppNamespace = "::hal";
}
def Hal_DescriptorTypeAttr : EnumAttr<Hal_Dialect, Hal_DescriptorType, "descriptor_type"> {
  let assemblyFormat = "`<` $value `>`";
}

def Hal_ExecutionModelAttr : Hal_Enum<"ExecutionModel", "Whether who calls a function waits for what it computes.", [
  I32EnumAttrCase<"Synchronous", 0, "synchronous">,
  I32EnumAttrCase<"CoarseFences", 1, "coarse_fences">
]>;

def Hal_CollectiveKindAttr : Hal_Enum<"CollectiveKind", "What the members of a group do together.", [
  I32EnumAttrCase<"AllGather", 0, "all_gather">,
  I32EnumAttrCase<"AllReduce", 1, "all_reduce">,
  I32EnumAttrCase<"AllToAll", 2, "all_to_all">,
  I32EnumAttrCase<"Broadcast", 3, "broadcast">,
  I32EnumAttrCase<"Reduce", 4, "reduce">,
  I32EnumAttrCase<"ReduceScatter", 5, "reduce_scatter">,
  I32EnumAttrCase<"Send", 6, "send">,
  I32EnumAttrCase<"Recv", 7, "recv">,
  I32EnumAttrCase<"SendRecv", 8, "send_recv">
]>;
def Hal_CollectiveReductionAttr : Hal_Enum<"CollectiveReduction", "How elements are combined.", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Sum", 1, "sum">,
  I32EnumAttrCase<"Product", 2, "product">,
  I32EnumAttrCase<"Minimum", 3, "minimum">,
  I32EnumAttrCase<"Maximum", 4, "maximum">,
  I32EnumAttrCase<"Average", 5, "average">
]>;
def Hal_CollectiveElementTypeAttr : Hal_Enum<"CollectiveElementType", "What elements are combined as.", [
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
  I32EnumAttrCase<"BFloat16", 11, "bf16">,
  I32EnumAttrCase<"Float8E5M2", 12, "f8E5M2">,
  I32EnumAttrCase<"Float8E4M3FN", 13, "f8E4M3FN">,
  I32EnumAttrCase<"Float8E5M2FNUZ", 14, "f8E5M2FNUZ">,
  I32EnumAttrCase<"Float8E4M3FNUZ", 15, "f8E4M3FNUZ">
]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// Those that globals of devices begin with, such as `#hal.device.target<..> : !hal.device`, and `#hal.device.topology<..>` of a module
// are taken by their text.

class Hal_Attr<string name, string word, string brief> : AttrDef<Hal_Dialect, name> {
  let mnemonic = word;
  let summary = brief;
}

def Hal_AbiConventionAttr : Hal_Attr<"AbiConvention", "abi.convention", "how other modules call a function"> {
  let parameters = (ins "::hal::ExecutionModel":$execution_model);
  let assemblyFormat = "`<` $execution_model `>`";
}
def Hal_CollectiveAttr : Hal_Attr<"Collective", "collective", "what the members of a group do together"> {
  let parameters = (ins
    "::hal::CollectiveKind":$kind,
    OptionalParameter<"::std::optional<::hal::CollectiveReduction>">:$reduction,
    "::hal::CollectiveElementType":$element_type
  );
  let assemblyFormat = "`<` $kind (`with` $reduction^)? `:` $element_type `>`";
}

def Hal_PipelineBindingAttr : Hal_Attr<"PipelineBinding", "pipeline.binding", "a buffer of a dispatch"> {
  let parameters = (ins
    "::hal::DescriptorType":$type,
    OptionalParameter<"::std::optional<::hal::DescriptorFlags>">:$flags
  );
  let assemblyFormat = "`<` $type (`,` $flags^)? `>`";
}
def Hal_PipelineLayoutAttr : Hal_Attr<"PipelineLayout", "pipeline.layout", "the numbers and buffers that a dispatch gets"> {
  let parameters = (ins
    OptionalParameter<"int64_t">:$constants,
    ArrayRefParameter<"::hal::PipelineBindingAttr">:$bindings,
    OptionalParameter<"::std::optional<::hal::PipelineLayoutFlags>">:$flags
  );
  let assemblyFormat = "`<` (`constants` `=` $constants^ `,`)? `bindings` `=` `[` $bindings `]` (`,` `flags` `=` $flags^)? `>`";
}

def Hal_ExecutableTargetAttr : Hal_Attr<"ExecutableTarget", "executable.target", "what code is made for, and in which format"> {
  let parameters = (ins
    StringRefParameter<>:$backend,
    StringRefParameter<>:$format,
    OptionalParameter<"::mlir::DictionaryAttr">:$configuration
  );
  let assemblyFormat = "`<` $backend `,` $format (`,` $configuration^)? `>`";
}
def Hal_ExecutableObjectAttr : Hal_Attr<"ExecutableObject", "executable.object", "a file with code, or its bytes"> {
  let parameters = (ins
    StringRefParameter<>:$path,
    OptionalParameter<"::mlir::Attribute">:$data
  );
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}
def Hal_ExecutableObjectsAttr : TypedArrayAttrBase<Hal_ExecutableObjectAttr, "files with code">;

// Queues are numbered from zero; none are all.
def Hal_DeviceAffinityAttr : Hal_Attr<"DeviceAffinity", "device.affinity", "a device, or some of its queues"> {
  let parameters = (ins "::mlir::SymbolRefAttr":$device, OptionalArrayRefParameter<"int64_t">:$queues);
  let assemblyFormat = "`<` $device (`,` `[` $queues^ `]`)? `>`";
}
def Hal_DevicePromiseAttr : Hal_Attr<"DevicePromise", "device.promise", "a device that is declared later, or some of its queues"> {
  let parameters = (ins "::mlir::SymbolRefAttr":$device, OptionalArrayRefParameter<"int64_t">:$queues);
  let assemblyFormat = "`<` $device (`,` `[` $queues^ `]`)? `>`";
}
def Hal_DeviceOptimalAttr : Hal_Attr<"DeviceOptimal", "device.optimal", "the device of some that does it best"> {
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$affinities);
  let assemblyFormat = "`<` `[` $affinities `]` `>`";
}

def Hal_IndexArrayAttr : TypedArrayAttrBase<IndexAttr, "numbers of the type `index`">;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

def Hal_TensorImportOp : Hal_Op<"tensor.import", [AttrSizedOperandSegments, Pure]> {
  let summary = "the tensor in memory that the host hands over";
  let arguments = (ins
    Hal_Storage:$source,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_dims,
    UnitAttr:$consume,
    Optional<Hal_Fence>:$wait_fence,
    Optional<Index>:$byte_offset,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$target);
}

def Hal_TensorExportOp : Hal_Op<"tensor.export", [Pure]> {
  let summary = "the memory of a tensor, for the host";
  let arguments = (ins
    AnyTensor:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_dims,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Hal_Storage:$target);
}

def Hal_TensorAliasOp : Hal_Op<"tensor.alias", [AttrSizedOperandSegments, Pure, Hal_Same<"source">]> {
  let summary = "a tensor that is put into memory which the host hands over";
  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    Hal_Storage:$storage,
    Optional<Hal_Fence>:$wait_fence,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$result);
}

def Hal_TensorTransientsOp : Hal_Op<"tensor.transients", [Pure, Hal_Same<"source">]> {
  let summary = "a tensor for which memory that the host hands over is used meanwhile";
  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    Hal_Storage:$storage,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$result);
}

def Hal_TensorBarrierOp : Hal_Op<"tensor.barrier", [RangedTypesMatchWith<"results are the sources", "sources", "results", "$_self">]> {
  let summary = "tensors that are ready when a fence is reached";
  let arguments = (ins Variadic<AnyTensor>:$sources, Hal_Fence:$signal_fence);
  let results = (outs Variadic<AnyTensor>:$results);
}

def Hal_DispatchExternOp : Hal_Op<"dispatch.extern", [AttrSizedOperandSegments, Pure]> {
  let summary = "runs an entry point of code that is given as files, on tensors";
  let description = [{
    For each of `targets` there are the files in `target_objects`, the number of the entry point in them in `target_ordinals`, and a
    region, which may be empty, that says whether a device takes them. The region `workgroup_count` gets the device and the workload.
    The operands `argument_dims` and `result_dims` are the sizes that the types of arguments and results do not tell, in order.
  }];
  let arguments = (ins
    StrAttr:$export_name,
    Variadic<Index>:$workload,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    Hal_PipelineLayoutAttr:$layout,
    ArrayAttr:$targets,
    Hal_IndexArrayAttr:$target_ordinals,
    ArrayAttr:$target_objects,
    OptionalAttr<Hal_IndexArrayAttr>:$workgroup_size,
    OptionalAttr<IndexAttr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory,
    OptionalAttr<I64ArrayAttr>:$tied_operands
  );
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_count, VariadicRegion<AnyRegion>:$target_regions);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// Sizes, offsets and lengths are in bytes. Queues are bits of `queue_affinity`.

def Hal_MemoryTypeOp : Hal_Op<"memory_type", [Pure]> {
  let summary = "the number that stands for properties of memory";
  let arguments = (ins Hal_MemoryTypeAttr:$type);
  let results = (outs I32:$result);
}

def Hal_BufferUsageOp : Hal_Op<"buffer_usage", [Pure]> {
  let summary = "the number that stands for uses of a buffer";
  let arguments = (ins Hal_BufferUsageAttr:$usage);
  let results = (outs I32:$result);
}

def Hal_AllocatorSelectOp : Hal_Op<"allocator.select", [Pure, SameVariadicOperandSize]> {
  let summary = "the device and queues of some whose memory fits";
  let arguments = (ins
    Variadic<Hal_Device>:$devices,
    Variadic<I64>:$queue_affinities,
    I32:$memory_types,
    I32:$buffer_usage
  );
  let results = (outs Hal_Device:$selected_device, I64:$selected_queue_affinity);
}

def Hal_AllocatorAllocateOp : Hal_Op<"allocator.allocate"> {
  let summary = "a new buffer";
  let arguments = (ins
    Hal_Allocator:$allocator,
    I64:$queue_affinity,
    I32:$memory_types,
    I32:$buffer_usage,
    Index:$result_size
  );
  let results = (outs Hal_Buffer:$result);
}

def Hal_AllocatorImportOp : Hal_Op<"allocator.import"> {
  let summary = "a buffer that is memory of the host, and whether the device can do that";
  let arguments = (ins
    Hal_Allocator:$allocator,
    I64:$queue_affinity,
    I32:$memory_types,
    I32:$buffer_usage,
    Hal_HostBuffer:$source,
    Index:$offset,
    Index:$length
  );
  let results = (outs I1:$did_import, Hal_Buffer:$result);
}

def Hal_AllocatorResolveMemoryPropertiesOp : Hal_Op<"allocator.resolve_memory_properties", [Pure]> {
  let summary = "the numbers that stand for memory and uses which a lifetime asks for";
  let arguments = (ins OptionalAttr<AnyAttr>:$affinity, Hal_LifetimeAttr:$lifetime);
  let results = (outs I32:$memory_types, I32:$buffer_usage);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

def Hal_FenceCreateOp : Hal_Op<"fence.create"> {
  let summary = "a fence of a device";
  let arguments = (ins Hal_Device:$device, Hal_FlagsAttr:$flags);
  let results = (outs Hal_Fence:$result);
}

def Hal_FenceJoinOp : Hal_Op<"fence.join"> {
  let summary = "a fence that is reached when others are";
  let arguments = (ins Hal_FlagsAttr:$flags, Variadic<Hal_Fence>:$fences);
  let results = (outs Hal_Fence:$result);
}

def Hal_FenceQueryOp : Hal_Op<"fence.query"> {
  let summary = "whether a fence is reached, as a status";
  let arguments = (ins Hal_Fence:$fence);
  let results = (outs I32:$status);
}

def Hal_FenceSignalOp : Hal_Op<"fence.signal"> {
  let summary = "has a fence be reached";
  let arguments = (ins Hal_Fence:$fence);
}

def Hal_FenceFailOp : Hal_Op<"fence.fail"> {
  let summary = "has a fence fail with a status";
  let arguments = (ins Hal_Fence:$fence, I32:$status);
}

def Hal_FenceAwaitOp : Hal_Op<"fence.await"> {
  let summary = "waits for fences";
  let arguments = (ins I32:$timeout_millis, Hal_FlagsAttr:$flags, Variadic<Hal_Fence>:$fences);
  let results = (outs I32:$status);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def Hal_BufferLengthOp : Hal_Op<"buffer.length", [Pure]> {
  let summary = "how long a buffer is";
  let arguments = (ins Hal_Buffer:$buffer);
  let results = (outs Index:$result);
}

def Hal_BufferSubspanOp : Hal_Op<"buffer.subspan", [Pure, Hal_Same<"source_buffer">]> {
  let summary = "a part of a buffer";
  let arguments = (ins Hal_Buffer:$source_buffer, Index:$source_offset, Index:$length);
  let results = (outs Hal_Buffer:$result);
}

def Hal_BufferLoadOp : Hal_Op<"buffer.load"> {
  let summary = "a number in a buffer";
  let arguments = (ins Hal_Buffer:$source_buffer, Index:$source_offset);
  let results = (outs Hal_Element:$result);
}

def Hal_BufferStoreOp : Hal_Op<"buffer.store"> {
  let summary = "writes a number to a buffer";
  let arguments = (ins Hal_Element:$value, Hal_Buffer:$target_buffer, Index:$target_offset);
}

def Hal_BufferAssertOp : Hal_Op<"buffer.assert"> {
  let summary = "fails unless a buffer is of an allocator, of memory and uses, and long enough";
  let arguments = (ins
    Hal_Buffer:$buffer,
    StrAttr:$message,
    Hal_Allocator:$allocator,
    Index:$minimum_length,
    Hal_MemoryTypeAttr:$memory_types,
    Hal_BufferUsageAttr:$buffer_usage
  );
}

def Hal_BufferAllocationPreserveOp : Hal_Op<"buffer.allocation.preserve"> {
  let summary = "counts one more owner of the memory of a buffer";
  let arguments = (ins Hal_Buffer:$buffer);
}

def Hal_BufferAllocationDiscardOp : Hal_Op<"buffer.allocation.discard"> {
  let summary = "counts one owner less, and says whether that was the last";
  let arguments = (ins Hal_Buffer:$buffer);
  let results = (outs I1:$result);
}

def Hal_BufferAllocationIsTerminalOp : Hal_Op<"buffer.allocation.is_terminal"> {
  let summary = "whether the memory of a buffer has one owner";
  let arguments = (ins Hal_Buffer:$buffer);
  let results = (outs I1:$result);
}

//===----------------------------------------------------------------------===//
// Views of buffers
//===----------------------------------------------------------------------===//

def Hal_ElementTypeOp : Hal_Op<"element_type", [Pure]> {
  let summary = "the number that stands for a type of elements";
  let arguments = (ins TypeAttr:$type);
  let results = (outs I32:$result);
}

def Hal_EncodingTypeOp : Hal_Op<"encoding_type", [Pure]> {
  let summary = "the number that stands for an encoding, or for none";
  let arguments = (ins OptionalAttr<AnyAttr>:$encoding);
  let results = (outs I32:$result);
}

def Hal_BufferViewCreateOp : Hal_Op<"buffer_view.create"> {
  let summary = "a part of a buffer with a shape";
  let arguments = (ins
    Hal_Buffer:$source_buffer,
    Index:$source_offset,
    Index:$source_length,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
  let results = (outs Hal_BufferView:$result);
}

def Hal_BufferViewAssertOp : Hal_Op<"buffer_view.assert"> {
  let summary = "fails unless a view has a shape and an element type";
  let arguments = (ins
    Hal_BufferView:$buffer_view,
    StrAttr:$message,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
}

def Hal_BufferViewBufferOp : Hal_Op<"buffer_view.buffer", [Pure]> {
  let summary = "the buffer of a view";
  let arguments = (ins Hal_BufferView:$buffer_view);
  let results = (outs Hal_Buffer:$result);
}

def Hal_BufferViewElementTypeOp : Hal_Op<"buffer_view.element_type", [Pure]> {
  let summary = "the number that stands for the element type of a view";
  let arguments = (ins Hal_BufferView:$buffer_view);
  let results = (outs I32:$result);
}

def Hal_BufferViewEncodingTypeOp : Hal_Op<"buffer_view.encoding_type", [Pure]> {
  let summary = "the number that stands for the encoding of a view";
  let arguments = (ins Hal_BufferView:$buffer_view);
  let results = (outs I32:$result);
}

def Hal_BufferViewRankOp : Hal_Op<"buffer_view.rank", [Pure]> {
  let summary = "how many dimensions a view has";
  let arguments = (ins Hal_BufferView:$buffer_view);
  let results = (outs Index:$result);
}

def Hal_BufferViewDimOp : Hal_Op<"buffer_view.dim", [Pure]> {
  let summary = "a size of a view";
  let arguments = (ins Hal_BufferView:$buffer_view, IndexAttr:$index);
  let results = (outs Index:$result);
}

def Hal_BufferViewTraceOp : Hal_Op<"buffer_view.trace"> {
  let summary = "views that the host is shown when the program gets here";
  let arguments = (ins StrAttr:$key, Variadic<Hal_BufferView>:$operands);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

def Hal_DevicesCountOp : Hal_Op<"devices.count", [Pure]> {
  let summary = "how many devices there are";
  let results = (outs Index:$result);
}

def Hal_DevicesGetOp : Hal_Op<"devices.get", [Pure]> {
  let summary = "the device of a number";
  let arguments = (ins Index:$index);
  let results = (outs Hal_Device:$result);
}

def Hal_DeviceResolveOp : Hal_Op<"device.resolve", [Pure]> {
  let summary = "the devices, allocators and queues that are meant";
  let arguments = (ins OptionalAttr<Hal_DeviceAffinityAttr>:$affinity);
  let results = (outs Variadic<AnyType>:$results);
}

def Hal_DeviceAllocatorOp : Hal_Op<"device.allocator", [Pure]> {
  let summary = "the allocator of a device";
  let arguments = (ins Hal_Device:$device);
  let results = (outs Hal_Allocator:$result);
}

def Hal_DeviceQueryOp : Hal_Op<"device.query", [Pure]> {
  let summary = "what a device says of itself, and whether it does";
  let arguments = (ins
    Hal_Device:$device,
    StrAttr:$category,
    StrAttr:$key,
    OptionalAttr<AnyAttr>:$default_value
  );
  let results = (outs I1:$ok, AnyType:$value);
}

def Hal_DeviceMemoizeOp : Hal_Op<"device.memoize", [RecursiveMemoryEffects]> {
  let summary = "what a region makes for a device and queues, made once";
  let arguments = (ins Hal_Device:$device, I64:$queue_affinity);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body);
}

def Hal_ReturnOp : Hal_Op<"return", [Terminator]> {
  let summary = "leaves a region of this dialect with values";
  let arguments = (ins Variadic<AnyType>:$operands);
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

// Each waits for one fence and has another be reached, which may be nothing, `util.null`, but not the same.

def Hal_DeviceQueueAllocaOp : Hal_Op<"device.queue.alloca"> {
  let summary = "memory from a queue, there when the fence is reached";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    I64:$pool,
    I32:$memory_types,
    I32:$buffer_usage,
    Index:$result_size,
    Hal_AllocaFlagsAttr:$flags
  );
  let results = (outs Hal_Buffer:$result);
}
def Hal_DeviceQueueDeallocaOp : Hal_Op<"device.queue.dealloca"> {
  let summary = "gives such memory back";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_Buffer:$buffer,
    Hal_DeallocaFlagsAttr:$flags
  );
}

def Hal_DeviceQueueFillOp : Hal_Op<"device.queue.fill"> {
  let summary = "fills a part of a buffer with a number";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FillPattern:$pattern,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueUpdateOp : Hal_Op<"device.queue.update"> {
  let summary = "copies memory of the host to a buffer";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_HostBuffer:$source_buffer,
    Index:$source_offset,
    Hal_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueCopyOp : Hal_Op<"device.queue.copy"> {
  let summary = "copies a part of a buffer to another";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_Buffer:$source_buffer,
    Index:$source_offset,
    Hal_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueReadOp : Hal_Op<"device.queue.read"> {
  let summary = "reads a part of a file to a buffer";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_File:$source_file,
    I64:$source_offset,
    Hal_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueWriteOp : Hal_Op<"device.queue.write"> {
  let summary = "writes a part of a buffer to a file";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_Buffer:$source_buffer,
    Index:$source_offset,
    Hal_File:$target_file,
    I64:$target_offset,
    Index:$length,
    Hal_FlagsAttr:$flags
  );
}

def Hal_DeviceQueueBarrierOp : Hal_Op<"device.queue.barrier"> {
  let summary = "has a fence be reached when another is";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueExecuteOp : Hal_Op<"device.queue.execute"> {
  let summary = "runs commands";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_CommandBuffer:$command_buffer,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueExecuteIndirectOp : Hal_Op<"device.queue.execute.indirect", [SameVariadicOperandSize]> {
  let summary = "runs commands with parts of buffers for the numbers in them";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_Fence:$wait_fence,
    Hal_Fence:$signal_fence,
    Hal_CommandBuffer:$command_buffer,
    Variadic<Hal_Buffer>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths,
    Hal_FlagsAttr:$flags
  );
}
def Hal_DeviceQueueFlushOp : Hal_Op<"device.queue.flush"> {
  let summary = "has a queue begin with what it was given";
  let arguments = (ins Hal_Device:$device, I64:$queue_affinity);
}

def Hal_ExFileFromMemoryOp : Hal_Op<"ex.file.from_memory"> {
  let summary = "a file that is memory of the host";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_MemoryAccessAttr:$access,
    Hal_HostBuffer:$buffer,
    Index:$offset,
    Index:$length,
    I32:$flags
  );
  let results = (outs Hal_File:$result);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

def Hal_CommandBufferCreateOp : Hal_Op<"command_buffer.create"> {
  let summary = "an empty list of commands, with room for buffers that it gets later";
  let arguments = (ins
    Hal_Device:$device,
    Hal_CommandBufferModeAttr:$modes,
    Hal_CommandCategoryAttr:$command_categories,
    I64:$queue_affinity,
    Optional<Index>:$binding_capacity
  );
  let results = (outs Hal_CommandBuffer:$result);
}
def Hal_CommandBufferFinalizeOp : Hal_Op<"command_buffer.finalize"> {
  let summary = "ends a list of commands";
  let arguments = (ins Hal_CommandBuffer:$command_buffer);
}
def Hal_CommandBufferDeviceOp : Hal_Op<"command_buffer.device", [Pure]> {
  let summary = "the device that commands are for";
  let arguments = (ins Hal_CommandBuffer:$command_buffer);
  let results = (outs Hal_Device:$device);
}
def Hal_CommandBufferBeginDebugGroupOp : Hal_Op<"command_buffer.begin_debug_group"> {
  let summary = "gives the commands from here on a name";
  let arguments = (ins Hal_CommandBuffer:$command_buffer, StrAttr:$label);
}
def Hal_CommandBufferEndDebugGroupOp : Hal_Op<"command_buffer.end_debug_group"> {
  let summary = "ends the commands with the last name";
  let arguments = (ins Hal_CommandBuffer:$command_buffer);
}

def Hal_CommandBufferExecutionBarrierOp : Hal_Op<"command_buffer.execution_barrier"> {
  let summary = "has stages of later commands wait for stages of earlier ones";
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_ExecutionStageAttr:$source_stage_mask,
    Hal_ExecutionStageAttr:$target_stage_mask,
    Hal_FlagsAttr:$flags
  );
}
def Hal_CommandBufferFillBufferOp : Hal_Op<"command_buffer.fill_buffer"> {
  let summary = "a command that fills a part of a buffer with a number";
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_BufferOrSlot:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FillPattern:$pattern,
    Hal_FlagsAttr:$flags
  );
}
def Hal_CommandBufferUpdateBufferOp : Hal_Op<"command_buffer.update_buffer"> {
  let summary = "a command that has the bytes of the host as they are now, and copies them to a buffer";
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_HostBuffer:$source_buffer,
    Index:$source_size,
    Index:$source_offset,
    Hal_BufferOrSlot:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FlagsAttr:$flags
  );
}
def Hal_CommandBufferCopyBufferOp : Hal_Op<"command_buffer.copy_buffer"> {
  let summary = "a command that copies a part of a buffer to another";
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_BufferOrSlot:$source_buffer,
    Index:$source_offset,
    Hal_BufferOrSlot:$target_buffer,
    Index:$target_offset,
    Index:$length,
    Hal_FlagsAttr:$flags
  );
}
def Hal_CommandBufferCollectiveOp : Hal_Op<"command_buffer.collective", [AttrSizedOperandSegments]> {
  let summary = "a command that a group of devices has together";
  let description = [{
    The operand `param` is the member that sends or receives, where the kind has one. Where only one side is needed the other is absent.
  }];
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_Channel:$channel,
    Hal_CollectiveAttr:$op,
    Index:$element_count,
    Optional<I32>:$param,
    Optional<Hal_BufferOrSlot>:$send_buffer,
    Optional<Index>:$send_offset,
    Optional<Index>:$send_length,
    Optional<Hal_BufferOrSlot>:$recv_buffer,
    Optional<Index>:$recv_offset,
    Optional<Index>:$recv_length
  );
}
def Hal_CommandBufferDispatchOp : Hal_Op<"command_buffer.dispatch", [AttrSizedOperandSegments]> {
  let summary = "a command that runs a function of an executable in workgroups";
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_Executable:$executable,
    I64:$entry_point,
    Index:$workgroup_x,
    Index:$workgroup_y,
    Index:$workgroup_z,
    Variadic<I32>:$constants,
    Variadic<Hal_BufferOrSlot>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths,
    Hal_FlagsAttr:$flags
  );
}
def Hal_CommandBufferDispatchIndirectOp : Hal_Op<"command_buffer.dispatch.indirect", [AttrSizedOperandSegments]> {
  let summary = "the same with numbers of workgroups that are in a buffer";
  let arguments = (ins
    Hal_CommandBuffer:$command_buffer,
    Hal_Executable:$executable,
    I64:$entry_point,
    Hal_BufferOrSlot:$workgroups_buffer,
    Index:$workgroups_offset,
    Variadic<I32>:$constants,
    Variadic<Hal_BufferOrSlot>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths,
    Hal_FlagsAttr:$flags
  );
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

def Hal_ExecutableSourceOp : Hal_Op<"executable.source"> {
  let summary = "code for whichever device, or files with it for some";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    // A `#hal.executable.objects<{target = [files], ..}>`.
    OptionalAttr<AnyAttr>:$objects
  );
  let regions = (region SizedRegion<1>:$body);
}
def Hal_ExecutableSourceEndOp : Hal_Op<"executable.source_end", [Terminator]> {
  let summary = "ends such code";
}

def Hal_ExecutableOp : Hal_Op<"executable"> {
  let summary = "code in a variant for each kind of device";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name, UnitAttr:$lazy);
  let regions = (region SizedRegion<1>:$body);
}
def Hal_ExecutableEndOp : Hal_Op<"executable_end", [Terminator]> {
  let summary = "ends an executable";
}
def Hal_ExecutableVariantOp : Hal_Op<"executable.variant"> {
  let summary = "code for a kind of device";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    Hal_ExecutableTargetAttr:$target,
    OptionalAttr<Hal_ExecutableObjectsAttr>:$objects,
    OptionalAttr<DictionaryAttr>:$sources
  );
  let regions = (region SizedRegion<1>:$body);
}
def Hal_ExecutableVariantEndOp : Hal_Op<"executable.variant_end", [Terminator]> {
  let summary = "ends a variant";
}
def Hal_ExecutableBinaryOp : Hal_Op<"executable.binary"> {
  let summary = "compiled code";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    StrAttr:$format,
    AnyAttr:$data,
    OptionalAttr<StrAttr>:$mime_type
  );
}

def Hal_ExecutableExportOp : Hal_Op<"executable.export"> {
  let summary = "an entry point of code";
  let description = [{
    The regions, which may be empty, get the device and the workload: `workgroup_count` computes how many workgroups there are, and
    `condition` whether this entry point is taken, or else `condition_fallback`.
  }];
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    OptionalAttr<IndexAttr>:$ordinal,
    Hal_PipelineLayoutAttr:$layout,
    OptionalAttr<FlatSymbolRefAttr>:$condition_fallback,
    OptionalAttr<Hal_IndexArrayAttr>:$workgroup_size,
    OptionalAttr<IndexAttr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory,
    OptionalAttr<DictionaryAttr>:$source_locs
  );
  let regions = (region AnyRegion:$workgroup_count, AnyRegion:$condition);
}
def Hal_ExecutableConditionOp : Hal_Op<"executable.condition"> {
  let summary = "code of the host that says whether a device takes a variant";
  let arguments = (ins
    TypeAttr:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
}
def Hal_ExecutableConstantBlockOp : Hal_Op<"executable.constant.block"> {
  let summary = "code of the host that computes constants of code, one for each key";
  let arguments = (ins
    TypeAttr:$function_type,
    ArrayAttr:$keys,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
}
def Hal_ExecutableConstantLoadOp : Hal_Op<"executable.constant.load", [Pure]> {
  let summary = "the constant of a key";
  let arguments = (ins StrAttr:$key);
  let results = (outs Hal_Primitive:$result);
}

def Hal_ExecutableCreateOp : Hal_Op<"executable.create", [Pure]> {
  let summary = "loads the compiled code of a variant";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    SymbolRefAttr:$executable_target,
    Variadic<I32>:$constants
  );
  let results = (outs Hal_Executable:$result);
}
def Hal_ExecutableLookupOp : Hal_Op<"executable.lookup", [Pure]> {
  let summary = "what a device has loaded of an executable";
  let arguments = (ins Hal_Device:$device, FlatSymbolRefAttr:$executable);
  let results = (outs Hal_Executable:$result);
}
def Hal_ExecutableLookupFunctionOp : Hal_Op<"executable.lookup.function", [Pure]> {
  let summary = "the function of an entry point in what is loaded";
  let arguments = (ins Hal_Executable:$executable, SymbolRefAttr:$entry_point);
  let results = (outs I64:$result);
}
def Hal_ExecutableExportOrdinalOp : Hal_Op<"executable.export.ordinal", [Pure]> {
  let summary = "the number of an entry point";
  let arguments = (ins SymbolRefAttr:$entry_point);
  let results = (outs Index:$result);
}
def Hal_ExecutableCalculateWorkgroupsOp : Hal_Op<"executable.calculate_workgroups", [Pure]> {
  let summary = "how many workgroups an entry point has for a workload";
  let arguments = (ins Hal_Device:$device, SymbolRefAttr:$entry_point, Variadic<Index>:$workload);
  let results = (outs Index:$workgroup_x, Index:$workgroup_y, Index:$workgroup_z);
}

//===----------------------------------------------------------------------===//
// Code of executables
//===----------------------------------------------------------------------===//

class Hal_WorkgroupOp<string mnemonic> : Hal_Op<mnemonic, [Pure]> {
  let arguments = (ins IndexAttr:$dimension, OptionalAttr<IndexAttr>:$upper_bound);
  let results = (outs Index:$result);
}
def Hal_InterfaceWorkgroupIdOp : Hal_WorkgroupOp<"interface.workgroup.id"> {
  let summary = "which workgroup this is, along an axis";
}
def Hal_InterfaceWorkgroupCountOp : Hal_WorkgroupOp<"interface.workgroup.count"> {
  let summary = "how many workgroups there are, along an axis";
}
def Hal_InterfaceWorkgroupSizeOp : Hal_WorkgroupOp<"interface.workgroup.size"> {
  let summary = "how large a workgroup is, along an axis";
}
def Hal_InterfaceConstantLoadOp : Hal_Op<"interface.constant.load", [Pure]> {
  let summary = "a number that the dispatch gets";
  let arguments = (ins
    Hal_PipelineLayoutAttr:$layout,
    IndexAttr:$ordinal,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<ArrayAttr>:$values
  );
  let results = (outs Hal_Primitive:$result);
}
def Hal_InterfaceBindingSubspanOp : Hal_Op<"interface.binding.subspan", [AttrSizedOperandSegments, Pure]> {
  let summary = "a part of a buffer that the dispatch gets";
  let arguments = (ins
    Hal_PipelineLayoutAttr:$layout,
    IndexAttr:$binding,
    Optional<Index>:$byte_offset,
    Variadic<Index>:$dynamic_dims,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<Hal_DescriptorFlagsAttr>:$descriptor_flags
  );
  let results = (outs AnyType:$result);
}

// These write to a buffer what code does.
def Hal_InstrumentWorkgroupOp : Hal_Op<"instrument.workgroup"> {
  let summary = "writes that a workgroup begins; the key stands for it";
  let arguments = (ins AnyMemRef:$buffer, I32:$dispatchId);
  let results = (outs Index:$workgroupKey);
}
def Hal_InstrumentPrintOp : Hal_Op<"instrument.print"> {
  let summary = "writes values as a text";
  let arguments = (ins
    AnyMemRef:$buffer,
    Index:$workgroupKey,
    StrAttr:$format,
    Variadic<AnyType>:$values
  );
}
def Hal_InstrumentValueOp : Hal_Op<"instrument.value", [Hal_Same<"operand">]> {
  let summary = "writes a number, which is the result too";
  let arguments = (ins
    AnyMemRef:$buffer,
    Index:$workgroupKey,
    I8Attr:$ordinal,
    AnyType:$operand
  );
  let results = (outs AnyType:$result);
}
def Hal_InstrumentMemoryLoadOp : Hal_Op<"instrument.memory.load", [Hal_Same<"loadValue">, Pure]> {
  let summary = "writes which number was loaded from where";
  let arguments = (ins
    AnyMemRef:$buffer,
    Index:$workgroupKey,
    AnyType:$loadValue,
    AnyMemRef:$base,
    Variadic<Index>:$indices
  );
  let results = (outs AnyType:$result);
}
def Hal_InstrumentMemoryStoreOp : Hal_Op<"instrument.memory.store", [Hal_Same<"storeValue">, Pure]> {
  let summary = "writes which number is stored where";
  let arguments = (ins
    AnyMemRef:$buffer,
    Index:$workgroupKey,
    AnyType:$storeValue,
    AnyMemRef:$base,
    Variadic<Index>:$indices
  );
  let results = (outs AnyType:$result);
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

def Hal_ChannelCreateOp : Hal_Op<"channel.create"> {
  let summary = "a channel of a group, whose members agree on bytes that stand for it";
  let arguments = (ins
    Hal_Device:$device,
    I64:$queue_affinity,
    Hal_FlagsAttr:$flags,
    Hal_HostBuffer:$id,
    Hal_HostBuffer:$group,
    I32:$rank,
    I32:$count
  );
  let results = (outs Hal_Channel:$result);
}

def Hal_ChannelSplitOp : Hal_Op<"channel.split"> {
  let summary = "a channel of those members that give the same colour";
  let arguments = (ins Hal_Channel:$channel, I32:$color, I32:$key, Hal_FlagsAttr:$flags);
  let results = (outs Hal_Channel:$result);
}

def Hal_ChannelRankAndCountOp : Hal_Op<"channel.rank_and_count", [Pure]> {
  let summary = "which member this device is, and how many there are";
  let arguments = (ins Hal_Channel:$channel);
  let results = (outs I32:$rank, I32:$count);
}
