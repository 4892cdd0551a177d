// A machine that computes on tiles: what a vendor of one would define.
#ifndef TTX
#define TTX

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTX_Dialect : Dialect {
  let name = "ttx";
  let cppNamespace = "::ttx";
  let summary = "tiles and what is done with them";
}

// An enumeration by its names: `#ttx.memory<"l1">`.
def TTX_Memory : I32Enum<"Memory", "Where a tile is held.", [
  I32EnumCase<"Dram", 0, "dram">,
  I32EnumCase<"L1", 1, "l1">
]> {
  let cppNamespace = "::ttx";
}
def TTX_MemoryAttr : EnumAttr<TTX_Dialect, TTX_Memory, "memory"> {
  let assemblyFormat = "`<` $value `>`";
}

// An enumeration by its numbers: `1 : i32`.
def TTX_RoundingAttr : I32EnumAttr<"Rounding", "How numbers are made smaller.", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"Stochastic", 1, "stochastic">
]> {
  let cppNamespace = "::ttx";
}

def TTX_LayoutAttr : AttrDef<TTX_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "the order of what a tile holds";
  let parameters = (ins
    ArrayRefParameter<"int64_t", "The axes from the slowest to the fastest">:$order,
    EnumParameter<TTX_Memory>:$memory
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

def TTX_PlaceAttr : AttrDef<TTX_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "where a tile is held, and where else if there is no room";
  let parameters = (ins
    EnumParameter<TTX_Memory>:$first,
    OptionalParameter<"::std::optional<::ttx::Memory>">:$second
  );
  let assemblyFormat = "`<` $first (`or` $second^)? `>`";
}

def TTX_TileType : TypeDef<TTX_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "numbers that one core computes on at once";
  let parameters = (ins
    TypeParameter<"int64_t", "How many rows">:$rows,
    TypeParameter<"int64_t", "How many columns">:$columns,
    TypeParameter<"::mlir::Type", "The type of the numbers">:$element
  );
  let assemblyFormat = "`<` params `>`";
}

class TTX_Op<string mnemonic, list<Trait> traits = []> : Op<TTX_Dialect, mnemonic, traits>;

def TTX_LoadTileOp : TTX_Op<"load_tile"> {
  let summary = "a tile of a tensor in memory";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$offsets, TTX_MemoryAttr:$memory);
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

def TTX_PackOp : TTX_Op<"pack"> {
  let summary = "a tile in the layout of the machine";
  let arguments = (ins AnyRankedTensor:$source, TTX_LayoutAttr:$layout, TTX_RoundingAttr:$rounding);
  let results = (outs TTX_TileType:$tile);
}

def TTX_UnpackOp : TTX_Op<"unpack"> {
  let summary = "the tensor that a tile holds";
  let arguments = (ins TTX_TileType:$tile);
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
