// The part of MLIR's `complex` dialect that combines two numbers.

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Complex_Dialect : Dialect {
  let name = "complex";
  let cppNamespace = "::mlir::complex";
}

class Complex_BinaryOp<string mnemonic>
    : Op<Complex_Dialect, mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
}

def Complex_AddOp : Complex_BinaryOp<"add"> {
  let summary = "the sum of two complex numbers";
}

def Complex_MulOp : Complex_BinaryOp<"mul"> {
  let summary = "the product of two complex numbers";
}
