// The part of MLIR's `linalg` dialect that makes a tensor of a number.

include "mlir/IR/OpBase.td"

def Linalg_Dialect : Dialect {
  let name = "linalg";
  let cppNamespace = "::mlir::linalg";
}

class Linalg_Op<string mnemonic, list<Trait> traits = []>
    : Op<Linalg_Dialect, mnemonic, traits>;

def Linalg_FillOp : Linalg_Op<"fill", [AttrSizedOperandSegments]> {
  let summary = "a tensor with the same number everywhere";
  let description = [{
    The operand `outputs` says how large the tensor is. The region yields the first of its arguments, an
    element of `inputs` and one of `outputs`.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<AnyType>:$outputs);
  let results = (outs AnyType:$result);
  let regions = (region SizedRegion<1>:$body);
}

def Linalg_YieldOp : Linalg_Op<"yield", [Terminator]> {
  let summary = "what a region computes";
  let arguments = (ins Variadic<AnyType>:$values);
}
