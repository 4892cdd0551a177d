// The part of IREE's `flow` dialect that says what StableHLO cannot say to IREE.

include "mlir/IR/OpBase.td"

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
