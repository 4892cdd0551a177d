// A machine that computes on tiles: what a vendor of one would define.
#ifndef TTX
#define TTX

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTX_Dialect : Dialect {
  let name = "ttx";
  let cppNamespace = "::ttx";
  let summary = "tiles and what is done with them";
}

class TTX_Op<string mnemonic, list<Trait> traits = []> : Op<TTX_Dialect, mnemonic, traits>;

def TTX_LoadTileOp : TTX_Op<"load_tile"> {
  let summary = "a tile of a tensor in memory";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$offsets, StrAttr:$memory);
  let results = (outs AnyRankedTensor:$tile);
}

def TTX_MatmulOp : TTX_Op<"matmul"> {
  let summary = "a product of tiles, added to an accumulator";
  let arguments = (ins
    AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, Optional<AnyRankedTensor>:$accumulator, UnitAttr:$transpose_rhs
  );
  let results = (outs AnyRankedTensor:$result);
}

def TTX_ReluOp : TTX_Op<"relu", [Pure, SameOperandsAndResultType]> {
  let summary = "the larger one of each element and zero";
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
}

def TTX_StoreTileOp : TTX_Op<"store_tile"> {
  let summary = "writes a tile to a tensor in memory";
  let arguments = (ins AnyRankedTensor:$tile, AnyRankedTensor:$destination, Variadic<Index>:$offsets);
}

def TTX_ConfigureOp : TTX_Op<"configure"> {
  let summary = "how many cores run what follows";
  let arguments = (ins I64Attr:$cores, OptionalAttr<StrAttr>:$comment);
}

#endif
