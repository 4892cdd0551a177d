// IREE's `iree_tensor_ext` dialect: tensors at the borders of dispatches.

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TensorExt_Dialect : Dialect {
  let name = "iree_tensor_ext";
  let cppNamespace = "::iree_tensor_ext";
}

class TensorExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<TensorExt_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

def TensorExt_BitcastOp : TensorExt_Op<"bitcast", [AttrSizedOperandSegments, Pure]> {
  let summary = "the same bytes as elements of another type";
  let description = [{
    The operands `source_dims` and `result_dims` are the sizes of the source and of the result that their types do not tell, in order.
  }];
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyRankedTensor:$result);
}

class TensorExt_BarrierOp<string mnemonic>
    : TensorExt_Op<mnemonic, [Pure, TypesMatchWith<"the result is the operand", "value", "result", "$_self">]> {
  let arguments = (ins AnyRankedTensor:$value, Variadic<Index>:$value_dims);
  let results = (outs AnyRankedTensor:$result);
}
def TensorExt_ComputeBarrierStartOp : TensorExt_BarrierOp<"compute_barrier.start"> {
  let summary = "the same tensor, where what is computed begins: no reshape moves over it";
}
def TensorExt_ComputeBarrierEndOp : TensorExt_BarrierOp<"compute_barrier.end"> {
  let summary = "the same tensor, where what is computed ends: no reshape moves over it";
}

def TensorExt_CastToRaggedShapeOp
    : TensorExt_Op<"cast_to_ragged_shape", [AttrSizedOperandSegments, Pure]> {
  let summary = "a tensor one dimension of which becomes rows of different lengths";
  let description = [{
    The operand `column_lengths` has where each row begins, and where the last one ends.
  }];
  let arguments = (ins
    AnyType:$source,
    IndexAttr:$raggedDim,
    AnyType:$column_lengths,
    Optional<Index>:$num_ragged_rows,
    Variadic<Index>:$source_dynamic_dims
  );
  let results = (outs AnyType:$result);
}

def TensorExt_LinearizeRaggedDimsOp : TensorExt_Op<"linearize_ragged_dims", [Pure]> {
  let summary = "a tensor with rows of different lengths, which become one dimension again";
  let arguments = (ins AnyType:$source, Variadic<Index>:$result_dynamic_dims);
  let results = (outs AnyType:$result);
}

//===----------------------------------------------------------------------===//
// Inside of dispatches
//===----------------------------------------------------------------------===//

// A number in a list stands for an operand if it is the size that types write as `?`.
def TensorExt_DispatchTensorLoadOp
    : TensorExt_Op<"dispatch.tensor.load", [AttrSizedOperandSegments, Pure]> {
  let summary = "a part of a tensor that a dispatch reads";
  let arguments = (ins
    AnyType:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    DenseI64ArrayAttr:$static_strides
  );
  let results = (outs AnyRankedTensor:$result);
}

def TensorExt_DispatchTensorStoreOp
    : TensorExt_Op<"dispatch.tensor.store", [AttrSizedOperandSegments]> {
  let summary = "writes a part of a tensor that a dispatch makes";
  let arguments = (ins
    AnyRankedTensor:$value,
    AnyType:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    DenseI64ArrayAttr:$static_strides
  );
}

def TensorExt_DispatchWorkgroupCountFromSliceOp
    : TensorExt_Op<"dispatch.workgroup_count_from_slice", [Pure]> {
  let summary = "how many workgroups there are, as follows from the slice of the program that the dispatch computes";
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$x, Index:$y, Index:$z);
}

def TensorExt_DispatchWorkgroupCountSplitReductionModifierOp
    : TensorExt_Op<"dispatch.workgroup_count_split_reduction_modifier", [Pure]> {
  let summary = "numbers of workgroups, with those for the parts of reductions";
  let arguments = (ins
    Index:$workgroup_x,
    Index:$workgroup_y,
    Index:$workgroup_z,
    Variadic<Index>:$workload
  );
  let results = (outs Index:$result_x, Index:$result_y, Index:$result_z);
}

def TensorExt_DispatchWorkloadOrdinalOp : TensorExt_Op<"dispatch.workload.ordinal", [Pure]> {
  let summary = "a size inside of a dispatch, with its number in the workload";
  let arguments = (ins Index:$operand, IndexAttr:$ordinal);
  let results = (outs Index:$result);
}
