// The part of IREE's `hal` dialect that front ends and hosts write: tensors in and out, fences, buffers, devices.

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Hal_Dialect : Dialect {
  let name = "hal";
  let cppNamespace = "::hal";
}

class Hal_Op<string mnemonic, list<Trait> traits = []> : Op<Hal_Dialect, mnemonic, traits>;

class Hal_Type<string name, string word, string brief> : TypeDef<Hal_Dialect, name> {
  let mnemonic = word;
  let summary = brief;
}
def Hal_Allocator : Hal_Type<"Allocator", "allocator", "what gives memory of a device">;
def Hal_Buffer : Hal_Type<"Buffer", "buffer", "memory of a device">;
def Hal_BufferView : Hal_Type<"BufferView", "buffer_view", "memory of a device with a shape and an element type">;
def Hal_Channel : Hal_Type<"Channel", "channel", "what devices exchange tensors over">;
def Hal_Device : Hal_Type<"Device", "device", "what computes">;
def Hal_Fence : Hal_Type<"Fence", "fence", "points in time that something is reached at">;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// What a place says of memory is a buffer or a view of one.

def Hal_TensorImportOp : Hal_Op<"tensor.import", [AttrSizedOperandSegments, Pure]> {
  let summary = "the tensor in memory that the host hands over";
  let arguments = (ins
    AnyType:$source,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_dims,
    UnitAttr:$consume,
    Optional<AnyType>:$wait_fence,
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
  let results = (outs AnyType:$target);
}

def Hal_TensorAliasOp : Hal_Op<"tensor.alias", [AttrSizedOperandSegments, Pure, TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "a tensor that is put into memory which the host hands over";
  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    AnyType:$storage,
    Optional<AnyType>:$wait_fence,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$result);
}

def Hal_TensorTransientsOp : Hal_Op<"tensor.transients", [Pure, TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "a tensor for which memory that the host hands over is used meanwhile";
  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    AnyType:$storage,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$result);
}

def Hal_TensorBarrierOp : Hal_Op<"tensor.barrier", [RangedTypesMatchWith<"results are the sources", "sources", "results", "$_self">]> {
  let summary = "tensors that are ready when a fence is reached";
  let arguments = (ins Variadic<AnyTensor>:$sources, AnyType:$signal_fence);
  let results = (outs Variadic<AnyTensor>:$results);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

def Hal_FenceCreateOp : Hal_Op<"fence.create"> {
  let summary = "a fence of a device";
  let arguments = (ins AnyType:$device, I64Attr:$flags);
  let results = (outs AnyType:$result);
}

def Hal_FenceJoinOp : Hal_Op<"fence.join"> {
  let summary = "a fence that is reached when others are";
  let arguments = (ins I64Attr:$flags, Variadic<AnyType>:$fences);
  let results = (outs AnyType:$result);
}

def Hal_FenceQueryOp : Hal_Op<"fence.query"> {
  let summary = "whether a fence is reached, as a status";
  let arguments = (ins AnyType:$fence);
  let results = (outs I32:$status);
}

def Hal_FenceSignalOp : Hal_Op<"fence.signal"> {
  let summary = "has a fence be reached";
  let arguments = (ins AnyType:$fence);
}

def Hal_FenceFailOp : Hal_Op<"fence.fail"> {
  let summary = "has a fence fail with a status";
  let arguments = (ins AnyType:$fence, I32:$status);
}

def Hal_FenceAwaitOp : Hal_Op<"fence.await"> {
  let summary = "waits for fences";
  let arguments = (ins I32:$timeout_millis, I64Attr:$flags, Variadic<AnyType>:$fences);
  let results = (outs I32:$status);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// Sizes, offsets and lengths are in bytes.

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

def Hal_BufferLengthOp : Hal_Op<"buffer.length", [Pure]> {
  let summary = "how long a buffer is";
  let arguments = (ins AnyType:$buffer);
  let results = (outs Index:$result);
}

def Hal_BufferSubspanOp : Hal_Op<"buffer.subspan", [Pure, TypesMatchWith<"the result is the source_buffer", "source_buffer", "result", "$_self">]> {
  let summary = "a part of a buffer";
  let arguments = (ins AnyType:$source_buffer, Index:$source_offset, Index:$length);
  let results = (outs AnyType:$result);
}

def Hal_BufferLoadOp : Hal_Op<"buffer.load"> {
  let summary = "a number in a buffer";
  let arguments = (ins AnyType:$source_buffer, Index:$source_offset);
  let results = (outs AnyType:$result);
}

def Hal_BufferStoreOp : Hal_Op<"buffer.store"> {
  let summary = "writes a number to a buffer";
  let arguments = (ins AnyType:$value, AnyType:$target_buffer, Index:$target_offset);
}

def Hal_BufferViewCreateOp : Hal_Op<"buffer_view.create"> {
  let summary = "a part of a buffer with a shape";
  let arguments = (ins
    AnyType:$source_buffer,
    Index:$source_offset,
    Index:$source_length,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
  let results = (outs AnyType:$result);
}

def Hal_BufferViewAssertOp : Hal_Op<"buffer_view.assert"> {
  let summary = "fails unless a view has a shape and an element type";
  let arguments = (ins
    AnyType:$buffer_view,
    StrAttr:$message,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
}

def Hal_BufferViewBufferOp : Hal_Op<"buffer_view.buffer", [Pure]> {
  let summary = "the buffer of a view";
  let arguments = (ins AnyType:$buffer_view);
  let results = (outs AnyType:$result);
}

def Hal_BufferViewElementTypeOp : Hal_Op<"buffer_view.element_type", [Pure]> {
  let summary = "the number that stands for the element type of a view";
  let arguments = (ins AnyType:$buffer_view);
  let results = (outs I32:$result);
}

def Hal_BufferViewEncodingTypeOp : Hal_Op<"buffer_view.encoding_type", [Pure]> {
  let summary = "the number that stands for the encoding of a view";
  let arguments = (ins AnyType:$buffer_view);
  let results = (outs I32:$result);
}

def Hal_BufferViewRankOp : Hal_Op<"buffer_view.rank", [Pure]> {
  let summary = "how many dimensions a view has";
  let arguments = (ins AnyType:$buffer_view);
  let results = (outs Index:$result);
}

def Hal_BufferViewDimOp : Hal_Op<"buffer_view.dim", [Pure]> {
  let summary = "a size of a view";
  let arguments = (ins AnyType:$buffer_view, IndexAttr:$index);
  let results = (outs Index:$result);
}

def Hal_BufferViewTraceOp : Hal_Op<"buffer_view.trace"> {
  let summary = "views that the host is shown when the program gets here";
  let arguments = (ins StrAttr:$key, Variadic<AnyType>:$operands);
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
  let results = (outs AnyType:$result);
}

def Hal_DeviceResolveOp : Hal_Op<"device.resolve", [Pure]> {
  let summary = "the devices, allocators and queues that are meant";
  let arguments = (ins OptionalAttr<AnyAttr>:$affinity);
  let results = (outs Variadic<AnyType>:$results);
}

def Hal_DeviceAllocatorOp : Hal_Op<"device.allocator", [Pure]> {
  let summary = "the allocator of a device";
  let arguments = (ins AnyType:$device);
  let results = (outs AnyType:$result);
}

def Hal_DeviceQueryOp : Hal_Op<"device.query", [Pure]> {
  let summary = "what a device says of itself, and whether it does";
  let arguments = (ins
    AnyType:$device,
    StrAttr:$category,
    StrAttr:$key,
    OptionalAttr<AnyAttr>:$default_value
  );
  let results = (outs I1:$ok, AnyType:$value);
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

def Hal_ChannelSplitOp : Hal_Op<"channel.split"> {
  let summary = "a channel of those members that give the same colour";
  let arguments = (ins AnyType:$channel, I32:$color, I32:$key, I64Attr:$flags);
  let results = (outs AnyType:$result);
}

def Hal_ChannelRankAndCountOp : Hal_Op<"channel.rank_and_count", [Pure]> {
  let summary = "which member this device is, and how many there are";
  let arguments = (ins AnyType:$channel);
  let results = (outs I32:$rank, I32:$count);
}
