// IREE's `stream` dialect: when what is computed, and where it lies meanwhile.

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Stream_Dialect : Dialect {
  let name = "stream";
  let cppNamespace = "::stream";
}

class Stream_Op<string mnemonic, list<Trait> traits = []> : Op<Stream_Dialect, mnemonic, traits>;

class Stream_Same<string one, string other = "result">
    : TypesMatchWith<"the " # other # " is the " # one, one, other, "$_self">;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Stream_Enum<string name, string brief, list<I32EnumAttrCase> cases> : I32EnumAttr<name, brief, cases> {
  let cppNamespace = "::stream";
}

def Stream_LifetimeAttr : Stream_Enum<"Lifetime", "What memory is for, and for how long.", [
  I32EnumAttrCase<"Unknown", 0, "*">,
  I32EnumAttrCase<"External", 1, "external">,
  I32EnumAttrCase<"Staging", 2, "staging">,
  I32EnumAttrCase<"Transient", 3, "transient">,
  I32EnumAttrCase<"Variable", 4, "variable">,
  I32EnumAttrCase<"Constant", 5, "constant">
]>;
def Stream_ResourceAccessAttr : I32BitEnumAttr<"ResourceAccess", "What is done with a part of a resource.", [
  I32BitEnumAttrCase<"None", 0>,
  I32BitEnumAttrCase<"Read", 1>,
  I32BitEnumAttrCase<"Write", 2>
]> {
  let cppNamespace = "::stream";
}
def Stream_ResourceAccessesAttr : TypedArrayAttrBase<Stream_ResourceAccessAttr, "what is done with each resource">;
def Stream_FavorAttr : Stream_Enum<"Favor", "What is better where operations are put together.", [
  I32EnumAttrCase<"Debug", 0, "debug">,
  I32EnumAttrCase<"MinPeakMemory", 1, "min-peak-memory">,
  I32EnumAttrCase<"MaxConcurrency", 2, "max-concurrency">
]>;
def Stream_MemoryModelAttr : Stream_Enum<"MemoryModel", "Whether host and device share memory.", [
  I32EnumAttrCase<"Unified", 0>,
  I32EnumAttrCase<"Discrete", 1>
]>;

def Stream_CollectiveKindAttr : Stream_Enum<"CollectiveKind", "What the members of a group do together.", [
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
def Stream_CollectiveReductionAttr : Stream_Enum<"CollectiveReduction", "How elements are combined.", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Sum", 1, "sum">,
  I32EnumAttrCase<"Product", 2, "product">,
  I32EnumAttrCase<"Minimum", 3, "minimum">,
  I32EnumAttrCase<"Maximum", 4, "maximum">,
  I32EnumAttrCase<"Average", 5, "average">
]>;
def Stream_CollectiveElementTypeAttr : Stream_Enum<"CollectiveElementType", "What elements are combined as.", [
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

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// Others are taken by their text: `#stream.timepoint<immediate>`, `#stream.parameter.named<"scope"::"key">` for what the host supplies,
// and `#stream.partitioning_config<"max-concurrency">`, which names what is favoured.

class Stream_Attr<string name, string word, string brief> : AttrDef<Stream_Dialect, name> {
  let mnemonic = word;
  let summary = brief;
}

def Stream_CollectiveAttr : Stream_Attr<"Collective", "collective", "what the members of a group do together"> {
  let parameters = (ins
    "::stream::CollectiveKind":$kind,
    OptionalParameter<"::std::optional<::stream::CollectiveReduction>">:$reduction,
    "::stream::CollectiveElementType":$element_type
  );
  let assemblyFormat = "`<` $kind (`with` $reduction^)? `:` $element_type `>`";
}

def Stream_ResourceConfigAttr : Stream_Attr<"ResourceConfig", "resource_config", "what memory a device takes, in bytes"> {
  let parameters = (ins
    "int64_t":$max_allocation_size,
    "int64_t":$min_buffer_offset_alignment,
    "int64_t":$max_buffer_range,
    "int64_t":$min_buffer_range_alignment,
    "int64_t":$index_bits,
    "bool":$alias_mutable_bindings,
    "::stream::MemoryModel":$memory_model
  );
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Stream_Type<string name, string word, string brief> : TypeDef<Stream_Dialect, name> {
  let mnemonic = word;
  let summary = brief;
}
def Stream_Binding : Stream_Type<"Binding", "binding", "a resource as the code of a dispatch sees it">;
def Stream_Channel : Stream_Type<"Channel", "channel", "what the members of a group exchange resources over">;
def Stream_File : Stream_Type<"File", "file", "what is read and written besides resources">;
def Stream_TestFence : Stream_Type<"TestFence", "test.fence", "a fence in tests of IREE">;
def Stream_Timepoint : Stream_Type<"Timepoint", "timepoint", "a point in time that something is reached at">;
def Stream_Resource : Stream_Type<"Resource", "resource", "memory for a value"> {
  let parameters = (ins "::stream::Lifetime":$lifetime);
  let assemblyFormat = "`<` $lifetime `>`";
}

// The host reads and writes no others.
def Stream_StagingResource : Type<Stream_Resource.predicate, "resource of the lifetime `staging`">;
def Stream_HostBuffer : Type<CPred<"true">, "buffer of the host, a `!util.buffer`">;
def Stream_Primitive : AnyTypeOf<[Index, AnyInteger, AnyFloat, AnyComplex]>;
def Stream_Element : AnyTypeOf<[Index, AnyInteger, AnyFloat, AnyComplex, AnyVectorOfNonZeroRank]>;
def Stream_FillPattern : AnyTypeOf<[I8, I16, I32, I64]>;
def Stream_ResourceOrPrimitive : AnyTypeOf<[Stream_Resource, Stream_Primitive]>;

// Sizes, offsets, ends and lengths are in bytes, and the size of a resource is given beside it. What has `await_timepoint` begins when
// that is reached, and `result_timepoint` is reached when it ends. An `affinity` says on which device, such as
// `#hal.device.affinity<@device>`. Results that share the memory of operands are in `tied_operands`.

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

def Stream_ContextResolveOp : Stream_Op<"context.resolve", [Pure]> {
  let summary = "the devices, allocators and queues that are meant";
  let arguments = (ins OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Variadic<AnyType>:$results);
}

def Stream_ResourceAllocOp : Stream_Op<"resource.alloc"> {
  let summary = "memory that stays as long as it is used";
  let arguments = (ins Index:$storage_size, UnitAttr:$uninitialized, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Stream_Resource:$result);
}
def Stream_ResourceAllocaOp : Stream_Op<"resource.alloca"> {
  let summary = "memory from a certain time on";
  let arguments = (ins
    Index:$storage_size,
    UnitAttr:$indeterminate_lifetime,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}
def Stream_ResourceDeallocaOp : Stream_Op<"resource.dealloca"> {
  let summary = "gives such memory back";
  let arguments = (ins
    Stream_Resource:$operand,
    Index:$operand_size,
    UnitAttr:$prefer_origin,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}

def Stream_ResourceRetainOp : Stream_Op<"resource.retain"> {
  let summary = "counts one more owner of memory";
  let arguments = (ins Stream_Resource:$operand, Index:$operand_size);
}
def Stream_ResourceReleaseOp : Stream_Op<"resource.release"> {
  let summary = "counts one owner less, and says whether that was the last";
  let arguments = (ins Stream_Resource:$operand, Index:$operand_size);
  let results = (outs I1:$result);
}
def Stream_ResourceIsTerminalOp : Stream_Op<"resource.is_terminal"> {
  let summary = "whether memory has one owner";
  let arguments = (ins Stream_Resource:$operand, Index:$operand_size);
  let results = (outs I1:$result);
}

def Stream_ResourceSizeOp : Stream_Op<"resource.size", [Pure]> {
  let summary = "how large a resource is";
  let arguments = (ins Stream_Resource:$operand, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Index:$result);
}
def Stream_ResourceTryMapOp : Stream_Op<"resource.try_map"> {
  let summary = "a resource that is memory of the host, and whether the device can do that";
  let arguments = (ins
    Stream_HostBuffer:$source,
    Index:$source_offset,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs I1:$did_map, Stream_Resource:$result);
}
def Stream_ResourceLoadOp : Stream_Op<"resource.load"> {
  let summary = "a number in a resource";
  let arguments = (ins Stream_StagingResource:$source, Index:$source_size, Index:$source_offset);
  let results = (outs Stream_Element:$result);
}
def Stream_ResourceStoreOp : Stream_Op<"resource.store"> {
  let summary = "writes a number to a resource";
  let arguments = (ins
    Stream_StagingResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Stream_Element:$value
  );
}

def Stream_ResourcePackOp : Stream_Op<"resource.pack", [AttrSizedOperandSegments, Pure]> {
  let summary = "where values of some sizes lie in one piece of memory, and how large that is";
  let description = [{
    Of each value `lifetime_intervals` has two numbers: from when to when it is needed. Those that are not at the same time may overlap.
  }];
  let arguments = (ins
    Optional<Index>:$offset,
    TypedArrayAttrBase<IndexAttr, "numbers of the type `index`">:$lifetime_intervals,
    Variadic<Index>:$dynamic_slice_sizes,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Index:$total_length, Variadic<Index>:$packed_offsets);
}
def Stream_ResourceConstantsOp : Stream_Op<"resource.constants", [Pure]> {
  let summary = "resources with bytes that are known, all of the same lifetime";
  let arguments = (ins ArrayAttr:$values, Variadic<Index>:$result_sizes, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Variadic<Stream_Resource>:$results, Stream_Timepoint:$result_timepoint);
}
def Stream_ResourceSubviewOp : Stream_Op<"resource.subview", [Pure, Stream_Same<"source">]> {
  let summary = "a part of a resource";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$result_size
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_ResourceTransientsOp : Stream_Op<"resource.transients", [Pure, Stream_Same<"resource">]> {
  let summary = "a resource for which other memory is used meanwhile";
  let arguments = (ins
    Stream_Resource:$resource,
    Index:$resource_size,
    Stream_Resource:$storage,
    Index:$storage_size,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

def Stream_FileConstantOp : Stream_Op<"file.constant", [Pure]> {
  let summary = "a file that is memory of the host";
  let arguments = (ins
    Stream_HostBuffer:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_length,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_File:$result);
}
def Stream_FileReadOp : Stream_Op<"file.read"> {
  let summary = "reads a part of a file to a resource";
  let arguments = (ins
    Stream_File:$source,
    I64:$source_offset,
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_FileWriteOp : Stream_Op<"file.write"> {
  let summary = "writes a part of a resource to a file";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Stream_File:$target,
    I64:$target_offset,
    Index:$length,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// Encodings are types of tensors, and `.._encoding_dims` the sizes that they do not tell, in order.

def Stream_TensorImportOp : Stream_Op<"tensor.import", [Pure]> {
  let summary = "what the host hands over as a resource";
  let arguments = (ins
    AnyType:$source,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    UnitAttr:$consume,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorExportOp : Stream_Op<"tensor.export", [Pure]> {
  let summary = "a resource as the host gets it";
  let arguments = (ins
    Stream_Resource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyType:$result);
}

def Stream_TensorSizeofOp : Stream_Op<"tensor.sizeof", [Pure]> {
  let summary = "how large a tensor is in memory";
  let arguments = (ins TypeAttr:$encoding, Variadic<Index>:$encoding_dims, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Index:$storage_size);
}
def Stream_TensorEmptyOp : Stream_Op<"tensor.empty", [Pure]> {
  let summary = "a tensor whose elements nobody knows";
  let arguments = (ins
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorConstantOp : Stream_Op<"tensor.constant", [Pure]> {
  let summary = "a tensor that is known when the module is loaded";
  let arguments = (ins
    AnyAttr:$value,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorSplatOp : Stream_Op<"tensor.splat", [Pure]> {
  let summary = "a tensor with the same number everywhere";
  let arguments = (ins
    Stream_Primitive:$value,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}

class Stream_TensorCopyOp<string mnemonic> : Stream_Op<mnemonic, [AttrSizedOperandSegments, Pure]> {
  let arguments = (ins
    Stream_Resource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorCloneOp : Stream_TensorCopyOp<"tensor.clone"> {
  let summary = "the same tensor in memory of its own";
}
def Stream_TensorEncodeOp : Stream_TensorCopyOp<"tensor.encode"> {
  let summary = "the same tensor with another encoding";
}

def Stream_TensorSliceOp : Stream_Op<"tensor.slice", [AttrSizedOperandSegments, Pure]> {
  let summary = "a part of a tensor in memory of its own";
  let arguments = (ins
    Stream_Resource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorFillOp : Stream_Op<"tensor.fill", [AttrSizedOperandSegments, Stream_Same<"target">]> {
  let summary = "a tensor with the same number everywhere in a part of it";
  let arguments = (ins
    Stream_Resource:$target,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_encoding_dims,
    Index:$target_size,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    Stream_Primitive:$value,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorUpdateOp : Stream_Op<"tensor.update", [AttrSizedOperandSegments, Stream_Same<"target">]> {
  let summary = "a tensor with another one in a part of it";
  let arguments = (ins
    Stream_Resource:$target,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_encoding_dims,
    Index:$target_size,
    Variadic<Index>:$start_indices,
    Stream_Resource:$update,
    TypeAttr:$update_encoding,
    Variadic<Index>:$update_encoding_dims,
    Index:$update_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorLoadOp : Stream_Op<"tensor.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "an element of a tensor, on the host";
  let arguments = (ins
    Stream_StagingResource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    Variadic<Index>:$indices
  );
  let results = (outs Stream_Element:$result);
}
def Stream_TensorStoreOp : Stream_Op<"tensor.store", [AttrSizedOperandSegments, Pure, Stream_Same<"target">]> {
  let summary = "a tensor with another element in one place";
  let arguments = (ins
    Stream_StagingResource:$target,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_encoding_dims,
    Index:$target_size,
    Variadic<Index>:$indices,
    Stream_Element:$value
  );
  let results = (outs Stream_StagingResource:$result);
}
def Stream_TensorTraceOp : Stream_Op<"tensor.trace", [AttrSizedOperandSegments]> {
  let summary = "tensors that the host is shown when the program gets here";
  let arguments = (ins
    StrAttr:$key,
    Variadic<Stream_StagingResource>:$resources,
    Variadic<Index>:$resource_sizes,
    TypeArrayAttr:$resource_encodings,
    Variadic<Index>:$resource_encoding_dims
  );
}

def Stream_TensorDispatchOp : Stream_Op<"tensor.dispatch", [AttrSizedOperandSegments, Pure]> {
  let summary = "runs an entry point of an executable on tensors";
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<Stream_ResourceOrPrimitive>:$mixed_operands,
    Variadic<Index>:$operand_sizes,
    TypeArrayAttr:$operand_encodings,
    Variadic<Index>:$operand_encoding_dims,
    Variadic<Index>:$result_sizes,
    TypeArrayAttr:$result_encodings,
    Variadic<Index>:$result_encoding_dims,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Variadic<Stream_Resource>:$results);
}

def Stream_TensorParameterLoadOp : Stream_Op<"tensor.parameter.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "a tensor of an archive that the host supplies";
  let arguments = (ins
    Optional<Stream_HostBuffer>:$source_scope,
    Stream_HostBuffer:$source_key,
    I64:$source_offset,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_TensorParameterWriteOp : Stream_Op<"tensor.parameter.write", [AttrSizedOperandSegments, Stream_Same<"source">]> {
  let summary = "writes a tensor to an archive that the host supplies";
  let arguments = (ins
    Stream_Resource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    Optional<Stream_HostBuffer>:$target_scope,
    Stream_HostBuffer:$target_key,
    I64:$target_offset,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}

//===----------------------------------------------------------------------===//
// Values without shapes
//===----------------------------------------------------------------------===//

def Stream_AsyncAllocaOp : Stream_Op<"async.alloca"> {
  let summary = "a value whose bytes nobody knows";
  let arguments = (ins Index:$storage_size, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncConstantOp : Stream_Op<"async.constant", [Pure]> {
  let summary = "a value with bytes that are known";
  let arguments = (ins
    Optional<Stream_Timepoint>:$await_timepoint,
    AnyAttr:$value,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncSplatOp : Stream_Op<"async.splat"> {
  let summary = "a value of one number again and again";
  let arguments = (ins
    Optional<Stream_Timepoint>:$await_timepoint,
    Stream_FillPattern:$value,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncCloneOp : Stream_Op<"async.clone"> {
  let summary = "the same value in memory of its own";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncSliceOp : Stream_Op<"async.slice", [Pure, Stream_Same<"source">]> {
  let summary = "a part of a value in memory of its own";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncFillOp : Stream_Op<"async.fill", [Stream_Same<"target">]> {
  let summary = "a value with one number again and again in a part of it";
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Index:$target_length,
    Stream_FillPattern:$value,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncUpdateOp : Stream_Op<"async.update", [Stream_Same<"target">]> {
  let summary = "a value with another one in a part of it";
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Stream_Resource:$update,
    Index:$update_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncCopyOp : Stream_Op<"async.copy", [Stream_Same<"target">]> {
  let summary = "a value with a part of another one in a part of it";
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$length,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncCollectiveOp : Stream_Op<"async.collective", [Stream_Same<"target">]> {
  let summary = "a value with what a group makes of others in a part of it";
  let description = [{
    The operand `param` is the member that sends or receives, where the kind has one.
  }];
  let arguments = (ins
    Stream_CollectiveAttr:$op,
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Index:$target_length,
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$source_length,
    Index:$element_count,
    Stream_Channel:$channel,
    Optional<I32>:$param,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncBarrierOp : Stream_Op<"async.barrier", [Stream_Same<"source">]> {
  let summary = "the same value, which is on a certain device from here on";
  let arguments = (ins Stream_Resource:$source, Index:$size, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncTransferOp : Stream_Op<"async.transfer", [Pure]> {
  let summary = "the same value on another device or with another lifetime";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$source_affinity,
    OptionalAttr<AnyAttr>:$target_affinity,
    OptionalAttr<AnyAttr>:$execution_affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncCastOp : Stream_Op<"async.cast", [Pure]> {
  let summary = "the same memory with another lifetime";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result);
}
def Stream_AsyncLoadOp : Stream_Op<"async.load", [Pure]> {
  let summary = "a number in a value, on the host";
  let arguments = (ins Stream_StagingResource:$source, Index:$source_size, Index:$source_offset);
  let results = (outs Stream_Element:$result);
}
def Stream_AsyncStoreOp : Stream_Op<"async.store", [Pure, Stream_Same<"target">]> {
  let summary = "a value with another number in one place";
  let arguments = (ins
    Stream_StagingResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Stream_Element:$value
  );
  let results = (outs Stream_StagingResource:$result);
}

// Of operands that are resources there are offsets, ends and lengths.

def Stream_AsyncDispatchOp : Stream_Op<"async.dispatch", [AttrSizedOperandSegments, Pure]> {
  let summary = "runs an entry point of an executable on values";
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<Stream_ResourceOrPrimitive>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$resource_operand_offsets,
    Variadic<Index>:$resource_operand_ends,
    Variadic<Index>:$resource_operand_lengths,
    Variadic<Index>:$result_sizes,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Variadic<Stream_Resource>:$results);
}
def Stream_AsyncFuncOp : Stream_Op<"async.func"> {
  let summary = "declares a function of the host that works on values while a program goes on";
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
def Stream_AsyncCallOp : Stream_Op<"async.call", [AttrSizedOperandSegments]> {
  let summary = "the results of such a function";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$resource_operand_offsets,
    Variadic<Index>:$resource_operand_ends,
    Variadic<Index>:$resource_operand_lengths,
    Variadic<Index>:$result_sizes,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Variadic<Stream_Resource>:$results);
}

// Regions get the resources that are operands, and yield the results.

def Stream_AsyncExecuteOp : Stream_Op<"async.execute", [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "operations that a device runs as their values need each other";
  let arguments = (ins
    Variadic<Stream_Resource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$result_sizes,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Variadic<Stream_Resource>:$results, Stream_Timepoint:$result_timepoint);
  let regions = (region AnyRegion:$body);
}
def Stream_AsyncConcurrentOp : Stream_Op<"async.concurrent", [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "some of them that run at the same time";
  let arguments = (ins
    Variadic<Stream_Resource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$result_sizes,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Variadic<Stream_Resource>:$results);
  let regions = (region AnyRegion:$body);
}

def Stream_AsyncParameterLoadOp : Stream_Op<"async.parameter.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "a value of an archive that the host supplies";
  let arguments = (ins
    Optional<Stream_Timepoint>:$await_timepoint,
    Optional<Stream_HostBuffer>:$source_scope,
    Stream_HostBuffer:$source_key,
    I64:$source_offset,
    Index:$result_size,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}
def Stream_AsyncParameterReadOp : Stream_Op<"async.parameter.read", [AttrSizedOperandSegments, Stream_Same<"target">]> {
  let summary = "a value with one of an archive in a part of it";
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Index:$target_length,
    Optional<Stream_HostBuffer>:$source_scope,
    Stream_HostBuffer:$source_key,
    I64:$source_offset,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}
def Stream_AsyncParameterWriteOp : Stream_Op<"async.parameter.write", [AttrSizedOperandSegments, Stream_Same<"source">]> {
  let summary = "writes a part of a value to an archive";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$source_length,
    Optional<Stream_HostBuffer>:$target_scope,
    Stream_HostBuffer:$target_key,
    I64:$target_offset,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}
def Stream_AsyncParameterGatherOp : Stream_Op<"async.parameter.gather", [AttrSizedOperandSegments, Stream_Same<"target">]> {
  let summary = "a value with several of an archive in parts of it";
  let arguments = (ins
    Optional<Stream_HostBuffer>:$source_scope,
    Variadic<Stream_HostBuffer>:$source_keys,
    Variadic<I64>:$source_offsets,
    Stream_Resource:$target,
    Index:$target_size,
    Variadic<Index>:$target_offsets,
    Variadic<Index>:$target_ends,
    Variadic<Index>:$target_lengths,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}
def Stream_AsyncParameterScatterOp : Stream_Op<"async.parameter.scatter", [AttrSizedOperandSegments, Stream_Same<"source">]> {
  let summary = "writes several parts of a value to an archive";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Variadic<Index>:$source_offsets,
    Variadic<Index>:$source_ends,
    Variadic<Index>:$source_lengths,
    Optional<Stream_HostBuffer>:$target_scope,
    Variadic<Stream_HostBuffer>:$target_keys,
    Variadic<I64>:$target_offsets,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

class Stream_CmdCacheOp<string mnemonic> : Stream_Op<mnemonic> {
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length,
    OptionalAttr<AnyAttr>:$source_affinity
  );
}
def Stream_CmdFlushOp : Stream_CmdCacheOp<"cmd.flush"> {
  let summary = "has others see what was written to a part of a resource";
}
def Stream_CmdInvalidateOp : Stream_CmdCacheOp<"cmd.invalidate"> {
  let summary = "has what comes next see what others wrote to a part of a resource";
}
def Stream_CmdDiscardOp : Stream_Op<"cmd.discard"> {
  let summary = "says that nobody needs the bytes in a part of a resource";
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length
  );
}
def Stream_CmdFillOp : Stream_Op<"cmd.fill"> {
  let summary = "fills a part of a resource with a number";
  let arguments = (ins
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length,
    AnyTypeOf<[I8, I16, I32]>:$value
  );
}
def Stream_CmdCopyOp : Stream_Op<"cmd.copy"> {
  let summary = "copies a part of a resource to another";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
}
def Stream_CmdCollectiveOp : Stream_Op<"cmd.collective", [AttrSizedOperandSegments]> {
  let summary = "what a group does with parts of resources";
  let description = [{
    The operand `param` is the member that sends or receives, where the kind has one. The resources are that which is sent and that which
    is received, as far as the kind has both.
  }];
  let arguments = (ins
    Stream_CollectiveAttr:$op,
    Stream_Channel:$channel,
    Index:$element_count,
    Optional<I32>:$param,
    Variadic<Stream_Resource>:$resources,
    Variadic<Index>:$resource_sizes,
    Variadic<Index>:$resource_offsets,
    Variadic<Index>:$resource_lengths,
    Stream_ResourceAccessesAttr:$resource_accesses
  );
}
def Stream_CmdDispatchOp : Stream_Op<"cmd.dispatch", [AttrSizedOperandSegments]> {
  let summary = "runs an entry point of an executable on parts of resources";
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<Stream_Primitive>:$uniform_operands,
    Variadic<Stream_Resource>:$resources,
    Variadic<Index>:$resource_sizes,
    Variadic<Index>:$resource_offsets,
    Variadic<Index>:$resource_lengths,
    Stream_ResourceAccessesAttr:$resource_accesses
  );
}
def Stream_CmdFuncOp : Stream_Op<"cmd.func"> {
  let summary = "declares a function of the host that works on parts of resources while a program goes on";
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttr:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
}
def Stream_CmdCallOp : Stream_Op<"cmd.call", [AttrSizedOperandSegments]> {
  let summary = "calls such a function";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$resource_operand_offsets,
    Variadic<Index>:$resource_operand_lengths,
    Variadic<Index>:$result_sizes,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    Stream_ResourceAccessesAttr:$resource_operand_accesses
  );
  let results = (outs Variadic<Stream_Primitive>:$results);
}

def Stream_CmdExecuteOp : Stream_Op<"cmd.execute", [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "commands that a device runs in order; the region gets the resources";
  let arguments = (ins
    Variadic<Stream_Resource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    UnitAttr:$once,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let regions = (region AnyRegion:$body);
}
def Stream_CmdSerialOp : Stream_Op<"cmd.serial", [RecursiveMemoryEffects]> {
  let summary = "some of them that run one after the other";
  let regions = (region AnyRegion:$body);
}
def Stream_CmdConcurrentOp : Stream_Op<"cmd.concurrent", [RecursiveMemoryEffects]> {
  let summary = "some of them that run at the same time";
  let regions = (region AnyRegion:$body);
}

def Stream_CmdParameterLoadOp : Stream_Op<"cmd.parameter.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "resources of an archive that the host supplies";
  let arguments = (ins
    Optional<Stream_HostBuffer>:$source_scope,
    Variadic<Stream_HostBuffer>:$source_keys,
    Variadic<I64>:$source_offsets,
    Variadic<Index>:$result_sizes,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Variadic<Stream_Resource>:$results, Stream_Timepoint:$result_timepoint);
}
def Stream_CmdParameterReadOp : Stream_Op<"cmd.parameter.read", [AttrSizedOperandSegments]> {
  let summary = "reads a part of a resource from an archive";
  let arguments = (ins
    Optional<Stream_HostBuffer>:$source_scope,
    Stream_HostBuffer:$source_key,
    I64:$source_offset,
    Stream_Resource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_CmdParameterWriteOp : Stream_Op<"cmd.parameter.write", [AttrSizedOperandSegments]> {
  let summary = "writes a part of a resource to an archive";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_length,
    Optional<Stream_HostBuffer>:$target_scope,
    Stream_HostBuffer:$target_key,
    I64:$target_offset,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_CmdParameterGatherOp : Stream_Op<"cmd.parameter.gather", [AttrSizedOperandSegments]> {
  let summary = "reads several parts of a resource from an archive";
  let arguments = (ins
    Optional<Stream_HostBuffer>:$source_scope,
    Variadic<Stream_HostBuffer>:$source_keys,
    Variadic<I64>:$source_offsets,
    Stream_Resource:$target,
    Index:$target_size,
    Variadic<Index>:$target_offsets,
    Variadic<Index>:$target_lengths,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_CmdParameterScatterOp : Stream_Op<"cmd.parameter.scatter", [AttrSizedOperandSegments]> {
  let summary = "writes several parts of a resource to an archive";
  let arguments = (ins
    Stream_Resource:$source,
    Index:$source_size,
    Variadic<Index>:$source_offsets,
    Variadic<Index>:$source_lengths,
    Optional<Stream_HostBuffer>:$target_scope,
    Variadic<Stream_HostBuffer>:$target_keys,
    Variadic<I64>:$target_offsets,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
}

//===----------------------------------------------------------------------===//
// Points in time
//===----------------------------------------------------------------------===//

def Stream_TimepointImmediateOp : Stream_Op<"timepoint.immediate", [Pure]> {
  let summary = "a point in time that is reached";
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_TimepointImportOp : Stream_Op<"timepoint.import", [Pure]> {
  let summary = "what the host hands over, such as a fence, as a point in time";
  let arguments = (ins Variadic<AnyType>:$operands, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_TimepointExportOp : Stream_Op<"timepoint.export", [Pure]> {
  let summary = "a point in time as the host gets it";
  let arguments = (ins Stream_Timepoint:$await_timepoint, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Variadic<AnyType>:$results);
}
def Stream_TimepointChainExternalOp : Stream_Op<"timepoint.chain_external"> {
  let summary = "has what the host handed over, such as a fence, be reached with a point in time";
  let arguments = (ins
    Stream_Timepoint:$await_timepoint,
    Variadic<AnyType>:$external_values,
    OptionalAttr<AnyAttr>:$affinity
  );
}
def Stream_TimepointJoinOp : Stream_Op<"timepoint.join", [Pure]> {
  let summary = "the point in time that is reached when all of some are";
  let arguments = (ins Variadic<Stream_Timepoint>:$await_timepoints);
  let results = (outs Stream_Timepoint:$result_timepoint);
}
def Stream_TimepointBarrierOp : Stream_Op<"timepoint.barrier", [Pure, Stream_Same<"resource">]> {
  let summary = "a resource, and when it is there";
  let arguments = (ins Stream_Resource:$resource, Index:$resource_size, OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Stream_Resource:$result, Stream_Timepoint:$result_timepoint);
}
def Stream_TimepointAwaitOp : Stream_Op<"timepoint.await", [
    AttrSizedOperandSegments, Pure,
    RangedTypesMatchWith<"results are the resources", "resource_operands", "results", "$_self">]> {
  let summary = "resources that are there when a point in time is reached; the host waits where `sync` is";
  let arguments = (ins
    Variadic<Stream_Resource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Stream_Timepoint:$await_timepoint,
    UnitAttr:$sync
  );
  let results = (outs Variadic<Stream_Resource>:$results);
}

//===----------------------------------------------------------------------===//
// Groups of devices
//===----------------------------------------------------------------------===//

def Stream_ChannelCreateOp : Stream_Op<"channel.create", [AttrSizedOperandSegments, Pure]> {
  let summary = "a channel of all devices, or of a group with a name";
  let description = [{
    The members agree on `id`. What is absent the host decides.
  }];
  let arguments = (ins
    Optional<Stream_HostBuffer>:$id,
    OptionalAttr<StrAttr>:$group,
    Optional<Index>:$rank,
    Optional<Index>:$count,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs Stream_Channel:$result);
}
def Stream_ChannelSplitOp : Stream_Op<"channel.split", [Pure]> {
  let summary = "a channel of those members that give the same colour";
  let arguments = (ins Stream_Channel:$channel, Index:$color, Index:$key);
  let results = (outs Stream_Channel:$result);
}
def Stream_ChannelRankOp : Stream_Op<"channel.rank", [Pure]> {
  let summary = "which member this device is";
  let arguments = (ins Stream_Channel:$channel);
  let results = (outs Index:$result);
}
def Stream_ChannelCountOp : Stream_Op<"channel.count", [Pure]> {
  let summary = "how many members there are";
  let arguments = (ins Stream_Channel:$channel);
  let results = (outs Index:$result);
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

def Stream_ExecutableOp : Stream_Op<"executable"> {
  let summary = "code for devices, which dispatches run";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region AnyRegion:$body);
}
def Stream_ExecutableEndOp : Stream_Op<"executable.end", [Terminator]> {
  let summary = "ends an executable";
}
def Stream_ExecutableExportOp : Stream_Op<"executable.export"> {
  let summary = "an entry point of an executable";
  let description = [{
    The region, which may be empty, gets the workload and returns how many workgroups there are along three axes.
  }];
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    FlatSymbolRefAttr:$function_ref
  );
  let regions = (region AnyRegion:$workgroup_count);
}

def Stream_BindingSubspanOp : Stream_Op<"binding.subspan", [Pure]> {
  let summary = "a part of a resource that a dispatch gets";
  let arguments = (ins Stream_Binding:$binding, Index:$byte_offset, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyType:$result);
}
class Stream_WorkgroupOp<string mnemonic> : Stream_Op<mnemonic, [Pure]> {
  let arguments = (ins IndexAttr:$dimension);
  let results = (outs Index:$result);
}
def Stream_DispatchWorkgroupIdOp : Stream_WorkgroupOp<"dispatch.workgroup.id"> {
  let summary = "which workgroup of a dispatch this is, along an axis";
}
def Stream_DispatchWorkgroupCountOp : Stream_WorkgroupOp<"dispatch.workgroup.count"> {
  let summary = "how many workgroups a dispatch has, along an axis";
}
def Stream_DispatchWorkgroupSizeOp : Stream_WorkgroupOp<"dispatch.workgroup.size"> {
  let summary = "how large a workgroup of a dispatch is, along an axis";
}

//===----------------------------------------------------------------------===//
// Ends of regions
//===----------------------------------------------------------------------===//

def Stream_ReturnOp : Stream_Op<"return", [Terminator]> {
  let summary = "leaves the region of an entry point with values";
  let arguments = (ins Variadic<AnyType>:$operands);
}
def Stream_YieldOp : Stream_Op<"yield", [SameVariadicOperandSize, Terminator]> {
  let summary = "leaves a region that is executed with resources";
  let arguments = (ins
    Variadic<Stream_Resource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes
  );
}

//===----------------------------------------------------------------------===//
// Tests of IREE
//===----------------------------------------------------------------------===//

def Stream_TestTimelineOp : Stream_Op<"test.timeline_op", [AttrSizedOperandSegments, Pure]> {
  let summary = "waits for points in time, or for as many of them as there may be";
  let arguments = (ins
    Variadic<Stream_Resource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$result_sizes,
    Variadic<Stream_Timepoint>:$await_operands,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<I64Attr>:$await_limit
  );
  let results = (outs Variadic<Stream_Resource>:$results, Stream_Timepoint:$result_timepoint);
}
def Stream_TestTimelineAwareOp : Stream_Op<"test.timeline_aware", [AttrSizedOperandSegments, Pure]> {
  let summary = "waits for fences, and has one be reached";
  let arguments = (ins
    Variadic<AnyType>:$args,
    Variadic<Stream_TestFence>:$wait_fence_likes,
    Stream_TestFence:$signal_fence_like
  );
  let results = (outs Variadic<AnyType>:$results);
}
