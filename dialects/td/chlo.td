// The CHLO operation set, operations of client libraries that become several of StableHLO, after its public documentation
// (https://openxla.org/stablehlo/generated/chlo).

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "stablehlo.td"

def CHLO_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::chlo";
}

class CHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<CHLO_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class CHLO_Enum<string name, string brief, list<I32EnumCase> cases> : I32Enum<name, brief, cases> {
  let cppNamespace = "::chlo";
}

class CHLO_EnumAttr<EnumInfo enumeration, string mnemonic>
    : EnumAttr<CHLO_Dialect, enumeration, mnemonic>;

def CHLO_ComparisonDirection : CHLO_Enum<"ComparisonDirection", "The relation that a comparison tests.", [
  I32EnumCase<"Equal", 0, "EQ">,
  I32EnumCase<"NotEqual", 1, "NE">,
  I32EnumCase<"GreaterOrEqual", 2, "GE">,
  I32EnumCase<"Greater", 3, "GT">,
  I32EnumCase<"LessOrEqual", 4, "LE">,
  I32EnumCase<"Less", 5, "LT">
]>;
def CHLO_ComparisonDirectionAttr : CHLO_EnumAttr<CHLO_ComparisonDirection, "comparison_direction">;

// As those of StableHLO, and what follows from the element type.
def CHLO_ComparisonType : CHLO_Enum<"ComparisonType", "How a comparison reads its operands.", [
  I32EnumCase<"Default", 0, "NOTYPE">,
  I32EnumCase<"Float", 1, "FLOAT">,
  I32EnumCase<"TotalOrder", 2, "TOTALORDER">,
  I32EnumCase<"Signed", 3, "SIGNED">,
  I32EnumCase<"Unsigned", 4, "UNSIGNED">
]>;
def CHLO_ComparisonTypeAttr : CHLO_EnumAttr<CHLO_ComparisonType, "comparison_type">;

def CHLO_Precision : CHLO_Enum<"Precision", "How precisely a contraction is computed.", [
  I32EnumCase<"Default", 0, "DEFAULT">,
  I32EnumCase<"High", 1, "HIGH">,
  I32EnumCase<"Highest", 2, "HIGHEST">
]>;
def CHLO_PrecisionAttr : CHLO_EnumAttr<CHLO_Precision, "precision">;
def CHLO_PrecisionConfigAttr
    : TypedArrayAttrBase<CHLO_PrecisionAttr, "a precision for each operand">;

def CHLO_RaggedDotDimensionNumbersAttr : AttrDef<CHLO_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "the roles of the dimensions of a contraction with groups of different sizes";
  let parameters = (ins
    HLO_Dims<"Dimensions of lhs that are kept side by side with those of rhs">:$lhs_batching_dimensions,
    HLO_Dims<"Dimensions of rhs that are kept side by side with those of lhs">:$rhs_batching_dimensions,
    HLO_Dims<"Dimensions of lhs that are summed over with those of rhs">:$lhs_contracting_dimensions,
    HLO_Dims<"Dimensions of rhs that are summed over with those of lhs">:$rhs_contracting_dimensions,
    HLO_Dims<"The dimension of lhs that is divided into groups">:$lhs_ragged_dimensions,
    HLO_Dims<"The dimension of rhs that has a matrix for each group">:$rhs_group_dimensions
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

//===----------------------------------------------------------------------===//
// Operations on elements
//===----------------------------------------------------------------------===//

class CHLO_UnaryOp<string mnemonic, Type operand>
    : CHLO_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins operand:$operand);
  let results = (outs operand:$result);
}

def CHLO_AcosOp : CHLO_UnaryOp<"acos", HLO_FloatOrComplexTensor> {
  let summary = "the angle of a cosine";
}
def CHLO_AcoshOp : CHLO_UnaryOp<"acosh", HLO_FloatOrComplexTensor> {
  let summary = "the inverse of the hyperbolic cosine";
}
def CHLO_AsinOp : CHLO_UnaryOp<"asin", HLO_FloatOrComplexTensor> {
  let summary = "the angle of a sine";
}
def CHLO_AsinhOp : CHLO_UnaryOp<"asinh", HLO_FloatOrComplexTensor> {
  let summary = "the inverse of the hyperbolic sine";
}
def CHLO_AsinAcosKernelOp : CHLO_UnaryOp<"_asin_acos_kernel", HLO_ComplexTensor> {
  let summary = "what the inverses of complex sines and cosines have in common";
}
def CHLO_AtanOp : CHLO_UnaryOp<"atan", HLO_FloatOrComplexTensor> {
  let summary = "the angle of a tangent";
}
def CHLO_AtanhOp : CHLO_UnaryOp<"atanh", HLO_FloatOrComplexTensor> {
  let summary = "the inverse of the hyperbolic tangent";
}
def CHLO_BesselI1eOp : CHLO_UnaryOp<"bessel_i1e", HLO_FloatOrComplexTensor> {
  let summary = "the modified Bessel function of order 1, times exp(-|x|)";
}
def CHLO_ConjOp : CHLO_UnaryOp<"conj", HLO_FloatOrComplexTensor> {
  let summary = "the numbers with the other imaginary part";
}
def CHLO_CoshOp : CHLO_UnaryOp<"cosh", HLO_FloatOrComplexTensor> {
  let summary = "the hyperbolic cosine";
}
def CHLO_DigammaOp : CHLO_UnaryOp<"digamma", HLO_FloatTensor> {
  let summary = "the derivative of the logarithm of the gamma function";
}
def CHLO_ErfOp : CHLO_UnaryOp<"erf", HLO_FloatTensor> {
  let summary = "the error function";
}
def CHLO_ErfInvOp : CHLO_UnaryOp<"erf_inv", HLO_FloatTensor> {
  let summary = "the inverse of the error function";
}
def CHLO_ErfcOp : CHLO_UnaryOp<"erfc", HLO_FloatTensor> {
  let summary = "one minus the error function";
}
def CHLO_LgammaOp : CHLO_UnaryOp<"lgamma", HLO_FloatTensor> {
  let summary = "the logarithm of the absolute value of the gamma function";
}
def CHLO_SinhOp : CHLO_UnaryOp<"sinh", HLO_FloatOrComplexTensor> {
  let summary = "the hyperbolic sine";
}
def CHLO_SquareOp : CHLO_UnaryOp<"square", HLO_FloatOrComplexTensor> {
  let summary = "the product with itself";
}
def CHLO_TanOp : CHLO_UnaryOp<"tan", HLO_FloatOrComplexTensor> {
  let summary = "the tangent";
}

class CHLO_PredicateOp<string mnemonic> : CHLO_Op<mnemonic, [Pure, SameOperandsAndResultShape]> {
  let arguments = (ins HLO_FloatTensor:$operand);
  let results = (outs HLO_BoolTensor:$result);
}

def CHLO_IsInfOp : CHLO_PredicateOp<"is_inf"> {
  let summary = "whether numbers are infinite";
}
def CHLO_IsNegInfOp : CHLO_PredicateOp<"is_neg_inf"> {
  let summary = "whether numbers are minus infinity";
}
def CHLO_IsPosInfOp : CHLO_PredicateOp<"is_pos_inf"> {
  let summary = "whether numbers are plus infinity";
}

def CHLO_MulhiOp : CHLO_Op<"mulhi", [Commutative, Pure, SameOperandsAndResultType]> {
  let summary = "the upper half of the digits of a product of integers";
  let arguments = (ins HLO_IntegerTensor:$lhs, HLO_IntegerTensor:$rhs);
  let results = (outs HLO_IntegerTensor:$result);
}
def CHLO_NextAfterOp : CHLO_Op<"next_after", [Pure, SameOperandsAndResultType]> {
  let summary = "the number next to x on the way to y";
  let arguments = (ins HLO_FloatTensor:$x, HLO_FloatTensor:$y);
  let results = (outs HLO_FloatTensor:$result);
}
def CHLO_PolygammaOp : CHLO_Op<"polygamma", [Pure, SameOperandsAndResultType]> {
  let summary = "the derivative of order n of the digamma function of x";
  let arguments = (ins HLO_FloatTensor:$n, HLO_FloatTensor:$x);
  let results = (outs HLO_FloatTensor:$result);
}
def CHLO_ZetaOp : CHLO_Op<"zeta", [Pure, SameOperandsAndResultType]> {
  let summary = "the Hurwitz zeta function: the sum of the powers -x of q, q + 1 and so on";
  let arguments = (ins HLO_FloatTensor:$x, HLO_FloatTensor:$q);
  let results = (outs HLO_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// Operations on elements of tensors of different shapes
//===----------------------------------------------------------------------===//

// The dimensions of the result that those of the operand of lower rank are, or the last ones.
class CHLO_BroadcastOp<string mnemonic, Type operand, Type result = operand, list<Trait> traits = []>
    : CHLO_Op<mnemonic, !listconcat([Pure], traits)> {
  let arguments = (ins
    operand:$lhs,
    operand:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions
  );
  let results = (outs result:$result);
}

def CHLO_BroadcastAddOp : CHLO_BroadcastOp<"broadcast_add", HLO_Tensor, HLO_Tensor, [Commutative]> {
  let summary = "the sum of tensors that are broadcast";
}
def CHLO_BroadcastAndOp : CHLO_BroadcastOp<"broadcast_and", HLO_LogicalTensor, HLO_LogicalTensor, [Commutative]> {
  let summary = "the conjunction of tensors that are broadcast";
}
def CHLO_BroadcastAtan2Op : CHLO_BroadcastOp<"broadcast_atan2", HLO_Tensor> {
  let summary = "the angle of points (rhs, lhs), of tensors that are broadcast";
}
def CHLO_BroadcastComplexOp : CHLO_BroadcastOp<"broadcast_complex", HLO_FloatTensor, HLO_ComplexTensor> {
  let summary = "complex numbers of real and imaginary parts that are broadcast";
}
def CHLO_BroadcastDivOp : CHLO_BroadcastOp<"broadcast_divide", HLO_Tensor> {
  let summary = "the quotient of tensors that are broadcast";
}
def CHLO_BroadcastMaxOp : CHLO_BroadcastOp<"broadcast_maximum", HLO_Tensor, HLO_Tensor, [Commutative]> {
  let summary = "the larger numbers of tensors that are broadcast";
}
def CHLO_BroadcastMinOp : CHLO_BroadcastOp<"broadcast_minimum", HLO_Tensor, HLO_Tensor, [Commutative]> {
  let summary = "the smaller numbers of tensors that are broadcast";
}
def CHLO_BroadcastMulOp : CHLO_BroadcastOp<"broadcast_multiply", HLO_Tensor, HLO_Tensor, [Commutative]> {
  let summary = "the product of tensors that are broadcast";
}
def CHLO_BroadcastNextAfterOp : CHLO_BroadcastOp<"broadcast_next_after", HLO_Tensor> {
  let summary = "the numbers next to lhs on the way to rhs, of tensors that are broadcast";
}
def CHLO_BroadcastOrOp : CHLO_BroadcastOp<"broadcast_or", HLO_LogicalTensor, HLO_LogicalTensor, [Commutative]> {
  let summary = "the disjunction of tensors that are broadcast";
}
def CHLO_BroadcastPolygammaOp : CHLO_BroadcastOp<"broadcast_polygamma", HLO_Tensor> {
  let summary = "derivatives of the digamma function, of tensors that are broadcast";
}
def CHLO_BroadcastPowOp : CHLO_BroadcastOp<"broadcast_power", HLO_Tensor> {
  let summary = "powers of tensors that are broadcast";
}
def CHLO_BroadcastRemOp : CHLO_BroadcastOp<"broadcast_remainder", HLO_Tensor> {
  let summary = "the remainder of a division of tensors that are broadcast";
}
def CHLO_BroadcastShiftLeftOp : CHLO_BroadcastOp<"broadcast_shift_left", HLO_Tensor> {
  let summary = "bits moved up, of tensors that are broadcast";
}
def CHLO_BroadcastShiftRightArithmeticOp : CHLO_BroadcastOp<"broadcast_shift_right_arithmetic", HLO_Tensor> {
  let summary = "bits moved down with copies of the sign, of tensors that are broadcast";
}
def CHLO_BroadcastShiftRightLogicalOp : CHLO_BroadcastOp<"broadcast_shift_right_logical", HLO_Tensor> {
  let summary = "bits moved down with zeros, of tensors that are broadcast";
}
def CHLO_BroadcastSubOp : CHLO_BroadcastOp<"broadcast_subtract", HLO_Tensor> {
  let summary = "the difference of tensors that are broadcast";
}
def CHLO_BroadcastXorOp : CHLO_BroadcastOp<"broadcast_xor", HLO_LogicalTensor, HLO_LogicalTensor, [Commutative]> {
  let summary = "where tensors that are broadcast differ";
}
def CHLO_BroadcastZetaOp : CHLO_BroadcastOp<"broadcast_zeta", HLO_FloatTensor> {
  let summary = "the Hurwitz zeta function of tensors that are broadcast";
}

def CHLO_BroadcastCompareOp : CHLO_Op<"broadcast_compare", [Pure]> {
  let summary = "whether a relation holds between the elements of tensors that are broadcast";
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
    CHLO_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<CHLO_ComparisonTypeAttr>:$compare_type
  );
  let results = (outs HLO_BoolTensor:$result);
}
def CHLO_BroadcastSelectOp : CHLO_Op<"broadcast_select", [Pure]> {
  let summary = "elements of one or the other of tensors that are broadcast";
  let arguments = (ins HLO_BoolTensor:$pred, HLO_Tensor:$on_true, HLO_Tensor:$on_false);
  let results = (outs HLO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def CHLO_ConstantOp : CHLO_Op<"constant", [ConstantLike, Pure]> {
  let summary = "a tensor that is known";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs HLO_Tensor:$output);
}
def CHLO_ConstantLikeOp : CHLO_Op<"constant_like", [Pure, SameOperandsAndResultShape]> {
  let summary = "a tensor of the shape of the operand with the same number everywhere";
  let arguments = (ins TypedAttrInterface:$value, HLO_Tensor:$operand);
  let results = (outs HLO_Tensor:$result);
}
def CHLO_RaggedDotOp : CHLO_Op<"ragged_dot", [Pure]> {
  let summary = "a contraction one dimension of which is divided into groups of different sizes";
  let description = [{
    If that dimension is one of the rows of lhs, each group is multiplied with its matrix of rhs; if it is summed over, the result has a
    matrix for each group.
  }];
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    HLO_IntegerTensor:$group_sizes,
    CHLO_RaggedDotDimensionNumbersAttr:$ragged_dot_dimension_numbers,
    OptionalAttr<CHLO_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs HLO_Tensor:$result);
}
def CHLO_ScanOp
    : CHLO_Op<"scan", [AttrSizedOperandSegments, AttrSizedResultSegments, RecursiveMemoryEffects]> {
  let summary = "slices along a dimension one after the other, with values that are handed on";
  let description = [{
    The region gets a slice of each input and what was handed on, at first `inits`, and yields a slice of each output and what it hands
    on; that of the last slice are `carries`.
  }];
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    Variadic<HLO_Tensor>:$inits,
    I64Attr:$dimension,
    OptionalAttr<I64Attr>:$scan_dim_size,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
    OptionalAttr<BoolAttr>:$is_associative
  );
  let results = (outs Variadic<HLO_Tensor>:$outputs, Variadic<HLO_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
}
def CHLO_TopKOp : CHLO_Op<"top_k", [Pure]> {
  let summary = "the largest numbers along the last dimension, and where they are";
  let arguments = (ins HLO_Tensor:$operand, I64Attr:$k);
  let results = (outs HLO_Tensor:$values, HLO_Tensor:$indices);
}
