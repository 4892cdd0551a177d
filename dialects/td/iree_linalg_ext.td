// The part of IREE's `iree_linalg_ext` dialect that combines elements with all before them.

include "mlir/IR/OpBase.td"

def IREELinalgExt_Dialect : Dialect {
  let name = "iree_linalg_ext";
  let cppNamespace = "::iree_linalg_ext";
}

class IREELinalgExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<IREELinalgExt_Dialect, mnemonic, traits>;

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

def IREELinalgExt_YieldOp : IREELinalgExt_Op<"yield", [Terminator]> {
  let summary = "what a region computes";
  let arguments = (ins Variadic<AnyType>:$values);
}
