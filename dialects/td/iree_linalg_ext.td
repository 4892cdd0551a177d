// IREE's `iree_linalg_ext` dialect: computations on whole tensors that `linalg` cannot say.

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def IREELinalgExt_Dialect : Dialect {
  let name = "iree_linalg_ext";
  let cppNamespace = "::iree_linalg_ext";
}

class IREELinalgExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<IREELinalgExt_Dialect, mnemonic, traits>;

def IREELinalgExt_IteratorType : I32Enum<"IteratorType", "What a loop does with its elements.", [
  I32EnumCase<"Parallel", 0, "parallel">,
  I32EnumCase<"Reduction", 1, "reduction">
]> {
  let cppNamespace = "::iree_linalg_ext";
}
def IREELinalgExt_IteratorTypeAttr
    : EnumAttr<IREELinalgExt_Dialect, IREELinalgExt_IteratorType, "iterator_type"> {
  let assemblyFormat = "`<` $value `>`";
}
def IREELinalgExt_IteratorTypesAttr
    : TypedArrayAttrBase<IREELinalgExt_IteratorTypeAttr, "what each loop does">;

// As in `linalg`, operands that say where results go come behind the others, and there are no results where these are buffers.

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

def IREELinalgExt_ScanOp : IREELinalgExt_Op<"scan"> {
  let summary = "each element combined with all before it along an axis";
  let description = [{
    The operands `output` and `accumulator` say how large the results are: that of the operand, and the
    same without the axis. Before the first element stands the accumulator. The region yields what two
    numbers, which are its arguments, become.
  }];
  let arguments = (ins
    AnyType:$operand,
    AnyType:$output,
    AnyType:$accumulator,
    I64Attr:$dimension,
    BoolAttr:$inclusive
  );
  let results = (outs AnyType:$result, AnyType:$last);
  let regions = (region SizedRegion<1>:$body);
}

def IREELinalgExt_SortOp : IREELinalgExt_Op<"sort", [AttrSizedOperandSegments]> {
  let summary = "tensors sorted together along an axis";
  let description = [{
    The region gets two elements of each of `outputs` and yields whether the first come first.
  }];
  let arguments = (ins
    Variadic<AnyType>:$inputs,
    Variadic<AnyShaped>:$outputs,
    I64Attr:$dimension
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$body);
}

def IREELinalgExt_TopkOp : IREELinalgExt_Op<"topk"> {
  let summary = "the first elements along an axis in an order, and where they are";
  let description = [{
    The region gets two elements and yields whether the first comes first. How many there are is the size of `output_values`.
  }];
  let arguments = (ins
    AnyShaped:$values,
    Optional<AnyShaped>:$indices,
    AnyShaped:$output_values,
    AnyShaped:$output_indices,
    I64Attr:$dimension
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$body);
}

def IREELinalgExt_TopkV2Op : IREELinalgExt_Op<"topk_v2", [AttrSizedOperandSegments]> {
  let summary = "the first elements along an axis in an order, sorted if that is asked for, and where they are if that is";
  let arguments = (ins
    I64Attr:$dimension,
    UnitAttr:$is_sorted,
    AnyShaped:$values,
    Optional<AnyShaped>:$input_indices,
    AnyShaped:$output_values,
    Optional<AnyShaped>:$output_indices
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def IREELinalgExt_ArgCompareOp : IREELinalgExt_Op<"arg_compare", [AttrSizedOperandSegments]> {
  let summary = "the element along an axis that comes first in an order, and where it is";
  let description = [{
    The region gets two elements and yields whether the first comes first. Places are counted from `index_base`, or are those of
    `input_index`.
  }];
  let arguments = (ins
    AnyShaped:$input_value,
    Optional<AnyShaped>:$input_index,
    AnyShaped:$output_value,
    AnyShaped:$output_index,
    Optional<Index>:$index_base,
    I64Attr:$dimension
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def IREELinalgExt_FftOp : IREELinalgExt_Op<"fft", [AttrSizedOperandSegments]> {
  let summary = "a stage of a Fourier transform along the last axis";
  let arguments = (ins
    AnyType:$stage,
    Optional<AnyShaped>:$real_coeff,
    Optional<AnyShaped>:$imag_coeff,
    AnyShaped:$real,
    AnyShaped:$imag
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

def IREELinalgExt_GatherOp : IREELinalgExt_Op<"gather"> {
  let summary = "slices of a tensor from where indices say";
  let arguments = (ins
    AnyShaped:$source,
    AnyShaped:$indices,
    Optional<AnyShaped>:$mask,
    AnyShaped:$output,
    DenseI64ArrayAttr:$dimension_map
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

def IREELinalgExt_ScatterOp : IREELinalgExt_Op<"scatter"> {
  let summary = "a tensor with slices of another combined with it where indices say";
  let description = [{
    The region gets an element of the update and one of the tensor and yields what becomes of them.
  }];
  let arguments = (ins
    AnyShaped:$updates,
    AnyShaped:$indices,
    Optional<AnyShaped>:$mask,
    AnyShaped:$original,
    DenseI64ArrayAttr:$dimension_map,
    DefaultValuedAttr<BoolAttr, "true">:$unique_indices
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$body);
}

def IREELinalgExt_MapLoadOp : IREELinalgExt_Op<"map_load"> {
  let summary = "a tensor each element of which is read where a region says";
  let description = [{
    The region gets the indices of the element and yields those in `source`, and what is taken where these are outside.
  }];
  let arguments = (ins AnyShaped:$source, AnyShaped:$output);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$transformation);
}

def IREELinalgExt_MapStoreOp : IREELinalgExt_Op<"map_store"> {
  let summary = "a tensor with each element of another written where a region says";
  let description = [{
    The region gets the indices of the element and yields those in `output`, and whether it is written.
  }];
  let arguments = (ins AnyShaped:$input, AnyShaped:$output);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$transformation);
}

def IREELinalgExt_IndexOp : IREELinalgExt_Op<"index", [Pure]> {
  let summary = "the index of an iteration, inside of an operation that loops";
  let arguments = (ins I64Attr:$dim);
  let results = (outs Index:$result);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

def IREELinalgExt_AttentionOp : IREELinalgExt_Op<"attention"> {
  let summary = "the rows of value weighted by how well those of key match those of query";
  let description = [{
    The maps are those of query, key, value, scale, mask if there is one, and output. The region gets a score before it becomes a
    weight and yields what takes its place.
  }];
  let arguments = (ins
    AnyShaped:$query,
    AnyShaped:$key,
    AnyShaped:$value,
    AnyFloat:$scale,
    Optional<AnyShaped>:$mask,
    AnyShaped:$output,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DictionaryAttr>:$decomposition_config
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def IREELinalgExt_OnlineAttentionOp : IREELinalgExt_Op<"online_attention"> {
  let summary = "a part of an attention, with the largest score and the sum of weights so far";
  let arguments = (ins
    AnyShaped:$query,
    AnyShaped:$key,
    AnyShaped:$value,
    AnyFloat:$scale,
    Optional<AnyShaped>:$mask,
    AnyShaped:$output,
    AnyShaped:$max,
    AnyShaped:$sum,
    AffineMapArrayAttr:$indexing_maps,
    OptionalAttr<DictionaryAttr>:$decomposition_config
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def IREELinalgExt_ExpReductionOp : IREELinalgExt_Op<"exp_reduction", [AttrSizedOperandSegments]> {
  let summary = "a reduction of exponentials, relative to the largest exponent so far";
  let description = [{
    The first of `outputs` is that exponent. The outputs that `exp_reduced_operands` has are made smaller when it grows.
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    AffineMapArrayAttr:$indexing_maps,
    IREELinalgExt_IteratorTypesAttr:$iterator_types,
    DenseI64ArrayAttr:$exp_reduced_operands
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def IREELinalgExt_CustomOp : IREELinalgExt_Op<"custom_op", [AttrSizedOperandSegments]> {
  let summary = "computes on tiles of tensors what a region says of tiles";
  let arguments = (ins
    Variadic<AnyType>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    AffineMapArrayAttr:$indexing_maps,
    IREELinalgExt_IteratorTypesAttr:$iterator_types
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// A number in a list stands for an operand if it is the size that types write as `?`.
def IREELinalgExt_Im2colOp : IREELinalgExt_Op<"im2col", [AttrSizedOperandSegments]> {
  let summary = "the windows of a convolution as rows of a matrix";
  let arguments = (ins
    AnyShaped:$input,
    AnyShaped:$output,
    DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$dilations,
    Variadic<Index>:$kernel_size,
    DenseI64ArrayAttr:$static_kernel_size,
    Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets,
    Variadic<Index>:$output_sizes,
    ArrayAttr:$static_output_sizes,
    DenseI64ArrayAttr:$batch_pos,
    DenseI64ArrayAttr:$m_pos,
    DenseI64ArrayAttr:$k_pos,
    DenseI64ArrayAttr:$input_k_perm,
    DenseI64ArrayAttr:$output_perm,
    Variadic<Index>:$input_pad_low,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_input_pad_low,
    Variadic<Index>:$input_pad_high,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_input_pad_high,
    Variadic<Index>:$output_pad_low,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_output_pad_low,
    Variadic<Index>:$output_pad_high,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_output_pad_high,
    Optional<AnyType>:$pad_value
  );
  let results = (outs Variadic<AnyShaped>:$results);
}

class IREELinalgExt_WinogradOp<string mnemonic> : IREELinalgExt_Op<mnemonic> {
  let arguments = (ins
    AnyShaped:$input,
    AnyShaped:$output,
    I64Attr:$output_tile_size,
    I64Attr:$kernel_size,
    DenseI64ArrayAttr:$image_dimensions
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
}
def IREELinalgExt_WinogradInputTransformOp : IREELinalgExt_WinogradOp<"winograd.input_transform"> {
  let summary = "the tiles of images that Winograd's convolution multiplies";
}
def IREELinalgExt_WinogradOutputTransformOp : IREELinalgExt_WinogradOp<"winograd.output_transform"> {
  let summary = "images of the products of Winograd's convolution";
}
def IREELinalgExt_WinogradFilterTransformOp : IREELinalgExt_Op<"winograd.filter_transform"> {
  let summary = "the kernels that Winograd's convolution multiplies";
  let arguments = (ins
    AnyShaped:$input,
    AnyShaped:$output,
    I64Attr:$output_tile_size,
    I64Attr:$kernel_size,
    DenseI64ArrayAttr:$kernel_dimensions
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

def IREELinalgExt_YieldOp : IREELinalgExt_Op<"yield", [Terminator]> {
  let summary = "what a region computes";
  let arguments = (ins Variadic<AnyType>:$values);
}
