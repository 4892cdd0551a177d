// The StableHLO operation set, after its public specification
// (https://openxla.org/stablehlo/spec).

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::stablehlo";
}

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StableHLO_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def HLO_Bool : TypeAlias<I1, "boolean">;
def HLO_SignedInteger : SignlessIntOfWidths<[2, 4, 8, 16, 32, 64]>;
def HLO_UnsignedInteger : UnsignedIntOfWidths<[2, 4, 8, 16, 32, 64]>;
def HLO_Integer : AnyTypeOf<[HLO_SignedInteger, HLO_UnsignedInteger], "integer">;
def HLO_Complex : Complex<AnyTypeOf<[F32, F64]>>;
def HLO_Element
    : AnyTypeOf<[HLO_Bool, HLO_Integer, AnyFloat, HLO_Complex], "element of a tensor">;

def HLO_Tensor : RankedTensorOf<[HLO_Element]>;
def HLO_BoolTensor : RankedTensorOf<[HLO_Bool]>;
def HLO_IntegerTensor : RankedTensorOf<[HLO_Integer]>;
def HLO_FloatTensor : RankedTensorOf<[AnyFloat]>;
def HLO_ComplexTensor : RankedTensorOf<[HLO_Complex]>;
def HLO_FloatOrComplexTensor : RankedTensorOf<[AnyFloat, HLO_Complex]>;
def HLO_NumberTensor : RankedTensorOf<[HLO_Integer, AnyFloat, HLO_Complex]>;
def HLO_SignedNumberTensor : RankedTensorOf<[HLO_SignedInteger, AnyFloat, HLO_Complex]>;
def HLO_RealTensor : RankedTensorOf<[HLO_Integer, AnyFloat]>;
def HLO_LogicalTensor : RankedTensorOf<[HLO_Bool, HLO_Integer]>;
def HLO_ShapeTensor : 1DTensorOf<[HLO_Integer, Index]>;
def HLO_Scalar : 0DTensorOf<[HLO_Element]>;
def HLO_BoolScalar : 0DTensorOf<[HLO_Bool]>;
def HLO_IntegerScalar : 0DTensorOf<[HLO_Integer]>;
def HLO_I32Scalar : 0DTensorOf<[I32]>;
def HLO_Value : AnyTypeOf<[HLO_Tensor, AnyTuple, NoneType], "tensor, tuple or token">;

def HLO_Token : TypeDef<StableHLO_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "what orders side effects";
}
def HLO_Future : TypeDef<StableHLO_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "tensors that are being computed";
  let parameters = (ins ArrayRefParameter<"::mlir::Type", "The types of the tensors">:$types);
  let assemblyFormat = "`<` $types `>`";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// An attribute with a syntax of its own, built in Rust from its text.
class HLO_Attr<string description> : Attr<CPred<"true">, description>;

def HLO_ConvDimensionNumbersAttr : HLO_Attr<"the roles of the dimensions of a convolution">;
def HLO_ResultAccuracyAttr : HLO_Attr<"the accuracy that is asked of a function">;

class HLO_Enum<string name, string brief, list<I32EnumCase> cases> : I32Enum<name, brief, cases> {
  let cppNamespace = "::stablehlo";
}

class HLO_EnumAttr<EnumInfo enumeration, string mnemonic>
    : EnumAttr<StableHLO_Dialect, enumeration, mnemonic>;

def HLO_ComparisonDirection : HLO_Enum<"ComparisonDirection", "The relation that a comparison tests.", [
  I32EnumCase<"Equal", 0, "EQ">,
  I32EnumCase<"NotEqual", 1, "NE">,
  I32EnumCase<"GreaterOrEqual", 2, "GE">,
  I32EnumCase<"Greater", 3, "GT">,
  I32EnumCase<"LessOrEqual", 4, "LE">,
  I32EnumCase<"Less", 5, "LT">
]>;
def HLO_ComparisonDirectionAttr : HLO_EnumAttr<HLO_ComparisonDirection, "comparison_direction">;

// Floating-point and complex numbers, where NaN is unordered; floating-point numbers in a total order; signed integers;
// unsigned integers and booleans.
def HLO_ComparisonType : HLO_Enum<"ComparisonType", "How a comparison reads its operands.", [
  I32EnumCase<"Float", 1, "FLOAT">,
  I32EnumCase<"TotalOrder", 2, "TOTALORDER">,
  I32EnumCase<"Signed", 3, "SIGNED">,
  I32EnumCase<"Unsigned", 4, "UNSIGNED">
]>;
def HLO_ComparisonTypeAttr : HLO_EnumAttr<HLO_ComparisonType, "comparison_type">;

def HLO_Precision : HLO_Enum<"Precision", "How precisely a contraction is computed.", [
  I32EnumCase<"Default", 0, "DEFAULT">,
  I32EnumCase<"High", 1, "HIGH">,
  I32EnumCase<"Highest", 2, "HIGHEST">
]>;
def HLO_PrecisionAttr : HLO_EnumAttr<HLO_Precision, "precision">;
def HLO_PrecisionConfigAttr
    : TypedArrayAttrBase<HLO_PrecisionAttr, "a precision for each operand">;

def HLO_FftType : HLO_Enum<"FftType", "The kind of a Fourier transform.", [
  I32EnumCase<"Fft", 0, "FFT">,
  I32EnumCase<"Ifft", 1, "IFFT">,
  I32EnumCase<"Rfft", 2, "RFFT">,
  I32EnumCase<"Irfft", 3, "IRFFT">
]>;
def HLO_FftTypeAttr : HLO_EnumAttr<HLO_FftType, "fft_type">;

def HLO_Transpose : HLO_Enum<"Transpose", "How the matrix of a system of equations is transposed.", [
  I32EnumCase<"NoTranspose", 1, "NO_TRANSPOSE">,
  I32EnumCase<"Transpose", 2, "TRANSPOSE">,
  I32EnumCase<"Adjoint", 3, "ADJOINT">
]>;
def HLO_TransposeAttr : HLO_EnumAttr<HLO_Transpose, "transpose">;

def HLO_RngAlgorithm : HLO_Enum<"RngAlgorithm", "The algorithm of a generator of random bits.", [
  I32EnumCase<"Default", 0, "DEFAULT">,
  I32EnumCase<"ThreeFry", 1, "THREE_FRY">,
  I32EnumCase<"Philox", 2, "PHILOX">
]>;
def HLO_RngAlgorithmAttr : HLO_EnumAttr<HLO_RngAlgorithm, "rng_algorithm">;

def HLO_RngDistribution : HLO_Enum<"RngDistribution", "How random numbers are distributed.", [
  I32EnumCase<"Uniform", 1, "UNIFORM">,
  I32EnumCase<"Normal", 2, "NORMAL">
]>;
def HLO_RngDistributionAttr : HLO_EnumAttr<HLO_RngDistribution, "rng_distribution">;

class HLO_Dims<string description> : OptionalArrayRefParameter<"int64_t", description>;

class HLO_StructAttr<string name, string word, string brief>
    : AttrDef<StableHLO_Dialect, name> {
  let mnemonic = word;
  let summary = brief;
  let assemblyFormat = "`<` struct(params) `>`";
}

// The kinds are numbers in the specification: 1 from device to device, 2 from device to host, 3 from host to device, 0 for others.
def HLO_ChannelHandleAttr
    : HLO_StructAttr<"ChannelHandle", "channel_handle", "the channel that processes exchange something over"> {
  let parameters = (ins
    AttrParameter<"int64_t", "The number of the channel">:$handle,
    AttrParameter<"int64_t", "From what to what">:$type
  );
}

// A tensor of process numbers, a row for each group, or the axes of a mesh that groups go along.
def HLO_ReplicaGroupsAttr : HLO_Attr<"which processes work together">;

def HLO_DotDimensionNumbersAttr
    : HLO_StructAttr<"DotDimensionNumbers", "dot", "the roles of the dimensions of a contraction"> {
  let parameters = (ins
    HLO_Dims<"Dimensions of lhs that are kept side by side with those of rhs">:$lhs_batching_dimensions,
    HLO_Dims<"Dimensions of rhs that are kept side by side with those of lhs">:$rhs_batching_dimensions,
    HLO_Dims<"Dimensions of lhs that are summed over with those of rhs">:$lhs_contracting_dimensions,
    HLO_Dims<"Dimensions of rhs that are summed over with those of lhs">:$rhs_contracting_dimensions
  );
}

def HLO_DotAlgorithmAttr
    : HLO_StructAttr<"DotAlgorithm", "dot_algorithm", "the algorithm of a contraction"> {
  let parameters = (ins
    TypeParameter<"::mlir::Type", "The type that numbers of lhs are rounded to">:$lhs_precision_type,
    TypeParameter<"::mlir::Type", "The type that numbers of rhs are rounded to">:$rhs_precision_type,
    TypeParameter<"::mlir::Type", "The type that products are added up in">:$accumulation_type,
    AttrParameter<"int64_t", "In how many numbers each one of lhs is divided">:$lhs_component_count,
    AttrParameter<"int64_t", "In how many numbers each one of rhs is divided">:$rhs_component_count,
    AttrParameter<"int64_t", "How many of the products of such numbers are computed">:$num_primitive_operations,
    AttrParameter<"bool", "Whether sums may be less precise than their type">:$allow_imprecise_accumulation
  );
}

def HLO_GatherDimensionNumbersAttr
    : HLO_StructAttr<"GatherDimensionNumbers", "gather", "the roles of the dimensions of a gather"> {
  let parameters = (ins
    HLO_Dims<"Dimensions of the result that come from a slice">:$offset_dims,
    HLO_Dims<"Dimensions of the operand, of slice size one, that the result does not have">:$collapsed_slice_dims,
    HLO_Dims<"Dimensions of the operand that go side by side with those of the indices">:$operand_batching_dims,
    HLO_Dims<"Dimensions of the indices that go side by side with those of the operand">:$start_indices_batching_dims,
    HLO_Dims<"For each number of an index, the dimension of the operand that it counts">:$start_index_map,
    AttrParameter<"int64_t", "The dimension of the indices along which an index lies">:$index_vector_dim
  );
}

def HLO_ScatterDimensionNumbersAttr
    : HLO_StructAttr<"ScatterDimensionNumbers", "scatter", "the roles of the dimensions of a scatter"> {
  let parameters = (ins
    HLO_Dims<"Dimensions of the updates that belong to a slice">:$update_window_dims,
    HLO_Dims<"Dimensions of the operand, of slice size one, that the updates do not have">:$inserted_window_dims,
    HLO_Dims<"Dimensions of the operand that go side by side with those of the indices">:$input_batching_dims,
    HLO_Dims<"Dimensions of the indices that go side by side with those of the operand">:$scatter_indices_batching_dims,
    HLO_Dims<"For each number of an index, the dimension of the operand that it counts">:$scatter_dims_to_operand_dims,
    AttrParameter<"int64_t", "The dimension of the indices along which an index lies">:$index_vector_dim
  );
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def StableHLO_ConstantOp : StableHLO_Op<"constant", [Pure]> {
  let summary = "a tensor known while compiling";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_IotaOp : StableHLO_Op<"iota", [Pure]> {
  let summary = "the index of each element along a dimension";
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs HLO_NumberTensor:$result);
}

def StableHLO_DynamicIotaOp : StableHLO_Op<"dynamic_iota", [Pure]> {
  let summary = "the index of each element along a dimension, in a shape known only at run time";
  let arguments = (ins HLO_ShapeTensor:$output_shape, I64Attr:$iota_dimension);
  let results = (outs HLO_NumberTensor:$result);
}

//===----------------------------------------------------------------------===//
// Elementwise operations of one operand
//===----------------------------------------------------------------------===//

class StableHLO_UnaryOp<string mnemonic, string brief, Type tensor>
    : StableHLO_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = brief;
  let arguments = (ins tensor:$operand);
  let results = (outs tensor:$result);
}

class StableHLO_FunctionOp<string mnemonic, string brief, Type tensor = HLO_FloatOrComplexTensor>
    : StableHLO_UnaryOp<mnemonic, brief, tensor> {
  let arguments = (ins tensor:$operand, OptionalAttr<HLO_ResultAccuracyAttr>:$result_accuracy);
}

def StableHLO_AbsOp : StableHLO_Op<"abs", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "the absolute value, which for a complex number is real";
  let arguments = (ins HLO_SignedNumberTensor:$operand);
  let results = (outs HLO_RealTensor:$result);
}
def StableHLO_CbrtOp : StableHLO_FunctionOp<"cbrt", "the cubic root">;
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil", "the next integer upwards", HLO_FloatTensor>;
def StableHLO_CosineOp : StableHLO_FunctionOp<"cosine", "the cosine">;
def StableHLO_CountLeadingZerosOp : StableHLO_UnaryOp<"count_leading_zeros",
    "the number of zero bits before the first one", HLO_IntegerTensor>;
def StableHLO_ExponentialOp : StableHLO_FunctionOp<"exponential", "e to the power of the operand">;
def StableHLO_ExponentialMinusOneOp : StableHLO_FunctionOp<"exponential_minus_one",
    "e to the power of the operand, minus one, precise near zero">;
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor", "the next integer downwards", HLO_FloatTensor>;
def StableHLO_LogOp : StableHLO_FunctionOp<"log", "the natural logarithm">;
def StableHLO_LogPlusOneOp : StableHLO_FunctionOp<"log_plus_one",
    "the natural logarithm of one plus the operand, precise near zero">;
def StableHLO_LogisticOp : StableHLO_FunctionOp<"logistic", "1 / (1 + e^-x)">;
def StableHLO_NegateOp : StableHLO_UnaryOp<"negate", "the negative", HLO_NumberTensor>;
def StableHLO_NotOp : StableHLO_UnaryOp<"not",
    "the negation of a boolean or of each bit of an integer", HLO_LogicalTensor>;
def StableHLO_PopulationCountOp : StableHLO_UnaryOp<"popcnt", "the number of one bits", HLO_IntegerTensor>;
def StableHLO_RoundNearestAfzOp : StableHLO_UnaryOp<"round_nearest_afz",
    "the nearest integer, ties away from zero", HLO_FloatTensor>;
def StableHLO_RoundNearestEvenOp : StableHLO_UnaryOp<"round_nearest_even",
    "the nearest integer, ties to even", HLO_FloatTensor>;
def StableHLO_RsqrtOp : StableHLO_FunctionOp<"rsqrt", "the reciprocal of the square root">;
def StableHLO_SignOp : StableHLO_UnaryOp<"sign", "-1, 0 or 1 by the sign", HLO_SignedNumberTensor>;
def StableHLO_SineOp : StableHLO_FunctionOp<"sine", "the sine">;
def StableHLO_SqrtOp : StableHLO_FunctionOp<"sqrt", "the square root">;
def StableHLO_TanOp : StableHLO_FunctionOp<"tan", "the tangent">;
def StableHLO_TanhOp : StableHLO_FunctionOp<"tanh", "the hyperbolic tangent">;

def StableHLO_ImagOp : StableHLO_Op<"imag", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "the imaginary part";
  let arguments = (ins HLO_FloatOrComplexTensor:$operand);
  let results = (outs HLO_FloatTensor:$result);
}

def StableHLO_RealOp : StableHLO_Op<"real", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "the real part";
  let arguments = (ins HLO_FloatOrComplexTensor:$operand);
  let results = (outs HLO_FloatTensor:$result);
}

def StableHLO_IsFiniteOp : StableHLO_Op<"is_finite", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "whether the operand is neither infinite nor NaN";
  let arguments = (ins HLO_FloatTensor:$x);
  let results = (outs HLO_BoolTensor:$result);
}

def StableHLO_ConvertOp : StableHLO_Op<"convert", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "the same numbers in another element type";
  let arguments = (ins HLO_Tensor:$operand);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ReducePrecisionOp : StableHLO_UnaryOp<"reduce_precision",
    "rounded to a floating-point format and back", HLO_FloatTensor> {
  let arguments = (ins
    HLO_FloatTensor:$operand,
    ConfinedAttr<I32Attr, [IntPositive]>:$exponent_bits,
    ConfinedAttr<I32Attr, [IntNonNegative]>:$mantissa_bits
  );
}

def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let summary = "the same bits as another element type";
  let description = [{
    If the widths differ, the last dimension of the wider one is divided or joined.
  }];
  let arguments = (ins HLO_Tensor:$operand);
  let results = (outs HLO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Elementwise operations of several operands
//===----------------------------------------------------------------------===//

class StableHLO_BinaryOp<string mnemonic, string brief, Type tensor>
    : StableHLO_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = brief;
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
}

def StableHLO_AddOp : StableHLO_BinaryOp<"add", "the sum, for booleans the disjunction", HLO_Tensor>;
def StableHLO_AndOp : StableHLO_BinaryOp<"and", "the conjunction", HLO_LogicalTensor>;
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2", "the angle of the point (rhs, lhs)", HLO_FloatOrComplexTensor>;
def StableHLO_DivOp : StableHLO_BinaryOp<"divide",
    "the quotient, for integers rounded towards zero", HLO_NumberTensor>;
def StableHLO_MaxOp : StableHLO_BinaryOp<"maximum", "the larger one, NaN if either is", HLO_Tensor>;
def StableHLO_MinOp : StableHLO_BinaryOp<"minimum", "the smaller one, NaN if either is", HLO_Tensor>;
def StableHLO_MulOp : StableHLO_BinaryOp<"multiply", "the product, for booleans the conjunction", HLO_Tensor>;
def StableHLO_OrOp : StableHLO_BinaryOp<"or", "the disjunction", HLO_LogicalTensor>;
def StableHLO_PowOp : StableHLO_BinaryOp<"power", "lhs to the power of rhs", HLO_NumberTensor>;
def StableHLO_RemOp : StableHLO_BinaryOp<"remainder",
    "the remainder of the division, with the sign of the dividend", HLO_NumberTensor>;
def StableHLO_ShiftLeftOp : StableHLO_BinaryOp<"shift_left", "bits moved upwards", HLO_IntegerTensor>;
def StableHLO_ShiftRightArithmeticOp : StableHLO_BinaryOp<"shift_right_arithmetic",
    "bits moved downwards, keeping the sign", HLO_IntegerTensor>;
def StableHLO_ShiftRightLogicalOp : StableHLO_BinaryOp<"shift_right_logical",
    "bits moved downwards, filling with zeros", HLO_IntegerTensor>;
def StableHLO_SubtractOp : StableHLO_BinaryOp<"subtract", "the difference", HLO_NumberTensor>;
def StableHLO_XorOp : StableHLO_BinaryOp<"xor", "the exclusive disjunction", HLO_LogicalTensor>;

def StableHLO_ComplexOp : StableHLO_Op<"complex", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "the complex number of a real and an imaginary part";
  let arguments = (ins HLO_FloatTensor:$lhs, HLO_FloatTensor:$rhs);
  let results = (outs HLO_ComplexTensor:$result);
}

def StableHLO_CompareOp : StableHLO_Op<"compare", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "whether lhs and rhs are in a relation";
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    HLO_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<HLO_ComparisonTypeAttr>:$compare_type
  );
  let results = (outs HLO_BoolTensor:$result);
}

def StableHLO_SelectOp : StableHLO_Op<"select", [
    Pure, AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "one of two tensors, chosen for each element or for all";
  let arguments = (ins HLO_BoolTensor:$pred, HLO_Tensor:$on_true, HLO_Tensor:$on_false);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "the operand, held between two bounds";
  let description = [{ Each bound is a tensor of the operand's shape or a scalar. }];
  let arguments = (ins HLO_Tensor:$min, HLO_Tensor:$operand, HLO_Tensor:$max);
  let results = (outs HLO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def StableHLO_BroadcastInDimOp : StableHLO_Op<"broadcast_in_dim", [Pure]> {
  let summary = "the operand repeated along new dimensions and those of size one";
  let description = [{
    `broadcast_dimensions` names, for each dimension of the operand, the dimension of the result.
  }];
  let arguments = (ins HLO_Tensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicBroadcastInDimOp : StableHLO_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let summary = "the operand repeated to a shape known only at run time";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_ShapeTensor:$output_dimensions,
    DenseI64ArrayAttr:$broadcast_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ReshapeOp : StableHLO_Op<"reshape", [Pure, SameOperandsAndResultElementType]> {
  let summary = "the same elements in another shape";
  let arguments = (ins HLO_Tensor:$operand);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicReshapeOp
    : StableHLO_Op<"dynamic_reshape", [Pure]> {
  let summary = "the same elements in a shape known only at run time";
  let arguments = (ins HLO_Tensor:$operand, HLO_ShapeTensor:$output_shape);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_TransposeOp : StableHLO_Op<"transpose", [Pure, SameOperandsAndResultElementType]> {
  let summary = "the dimensions in another order";
  let description = [{ Dimension `i` of the result is `permutation[i]` of the operand. }];
  let arguments = (ins HLO_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ReverseOp : StableHLO_Op<"reverse", [Pure, SameOperandsAndResultType]> {
  let summary = "the elements in reverse order along some dimensions";
  let arguments = (ins HLO_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_GetDimensionSizeOp : StableHLO_Op<"get_dimension_size", [Pure]> {
  let summary = "the size of a dimension";
  let arguments = (ins HLO_Tensor:$operand, ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension);
  let results = (outs HLO_I32Scalar:$result);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

def StableHLO_SliceOp : StableHLO_Op<"slice", [Pure, SameOperandsAndResultElementType]> {
  let summary = "the elements between bounds, with strides";
  let arguments = (ins
    HLO_Tensor:$operand,
    DenseI64ArrayAttr:$start_indices,
    DenseI64ArrayAttr:$limit_indices,
    DenseI64ArrayAttr:$strides
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_RealDynamicSliceOp : StableHLO_Op<"real_dynamic_slice", [Pure]> {
  let summary = "the elements between bounds known only at run time, with strides";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_ShapeTensor:$start_indices,
    HLO_ShapeTensor:$limit_indices,
    HLO_ShapeTensor:$strides
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicSliceOp : StableHLO_Op<"dynamic_slice", [Pure]> {
  let summary = "a slice of a fixed size at a place known only at run time";
  let arguments = (ins
    HLO_Tensor:$operand,
    Variadic<HLO_IntegerScalar>:$start_indices,
    DenseI64ArrayAttr:$slice_sizes
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicUpdateSliceOp : StableHLO_Op<"dynamic_update_slice", [
    Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "the operand with a slice replaced, at a place known only at run time";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_Tensor:$update,
    Variadic<HLO_IntegerScalar>:$start_indices
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ConcatenateOp : StableHLO_Op<"concatenate", [Pure]> {
  let summary = "tensors one after the other along a dimension";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_PadOp : StableHLO_Op<"pad", [Pure]> {
  let summary = "the operand with a value added around and between its elements";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_Scalar:$padding_value,
    DenseI64ArrayAttr:$edge_padding_low,
    DenseI64ArrayAttr:$edge_padding_high,
    DenseI64ArrayAttr:$interior_padding
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicPadOp : StableHLO_Op<"dynamic_pad", [Pure]> {
  let summary = "the operand with a value added, in amounts known only at run time";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_Scalar:$padding_value,
    HLO_ShapeTensor:$edge_padding_low,
    HLO_ShapeTensor:$edge_padding_high,
    HLO_ShapeTensor:$interior_padding
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_GatherOp : StableHLO_Op<"gather", [Pure]> {
  let summary = "slices of the operand, at places that a tensor of indices names";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_IntegerTensor:$start_indices,
    HLO_GatherDimensionNumbersAttr:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ScatterOp : StableHLO_Op<"scatter", [
    SameVariadicOperandSize, RecursiveMemoryEffects,
    RangedTypesMatchWith<"results are the inputs", "inputs", "results", "$_self">]> {
  let summary = "the inputs with slices combined with updates, at places that indices name";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    RankedTensorOf<[HLO_Integer, Index]>:$scatter_indices,
    Variadic<HLO_Tensor>:$updates,
    HLO_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter", [
    RecursiveMemoryEffects, AllTypesMatch<["operand", "result"]>]> {
  let summary = "values scattered to the elements that a reduction of windows selects";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_Tensor:$source,
    HLO_Scalar:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding
  );
  let results = (outs HLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

def StableHLO_DotGeneralOp : StableHLO_Op<"dot_general", [Pure]> {
  let summary = "the sum of products over the contracting dimensions, for each batch";
  let description = [{
    The result has the batch dimensions, then the free ones of lhs, then those of rhs.
  }];
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    HLO_DotDimensionNumbersAttr:$dot_dimension_numbers,
    OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config,
    OptionalAttr<HLO_DotAlgorithmAttr>:$algorithm
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_ConvolutionOp : StableHLO_Op<"convolution", [Pure]> {
  let summary = "dot products of windows of lhs with the kernel rhs";
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    HLO_ConvDimensionNumbersAttr:$dimension_numbers,
    ConfinedAttr<I64Attr, [IntPositive]>:$feature_group_count,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch_group_count,
    OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs HLO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let summary = "the elements along some dimensions combined by a function";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    Variadic<HLO_Scalar>:$init_values,
    DenseI64ArrayAttr:$dimensions
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def StableHLO_ReduceWindowOp
    : StableHLO_Op<"reduce_window", [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let summary = "the elements of each window combined by a function";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    Variadic<HLO_Scalar>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<I64ElementsAttr>:$padding
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def StableHLO_SortOp : StableHLO_Op<"sort", [
    RecursiveMemoryEffects,
    RangedTypesMatchWith<"results are the inputs", "inputs", "results", "$_self">]> {
  let summary = "tensors sorted together along a dimension by a comparison";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
}

def StableHLO_MapOp : StableHLO_Op<"map", [RecursiveMemoryEffects]> {
  let summary = "a function applied to each element of some tensors";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let results = (outs HLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def StableHLO_ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let summary = "leaves a region with values";
  let arguments = (ins Variadic<HLO_Value>:$results);
}

def StableHLO_WhileOp : StableHLO_Op<"while", [
    RecursiveMemoryEffects,
    RangedTypesMatchWith<"results are the operands", "operand", "results", "$_self">]> {
  let summary = "a body repeated while a condition holds";
  let arguments = (ins Variadic<HLO_Value>:$operand);
  let results = (outs Variadic<HLO_Value>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
}

def StableHLO_IfOp : StableHLO_Op<"if", [RecursiveMemoryEffects]> {
  let summary = "one of two regions, by a condition";
  let arguments = (ins HLO_BoolScalar:$pred);
  let results = (outs Variadic<HLO_Value>:$results);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}

def StableHLO_CaseOp : StableHLO_Op<"case", [RecursiveMemoryEffects]> {
  let summary = "one of several regions, by an index";
  let description = [{ An index outside of the regions takes the last one. }];
  let arguments = (ins HLO_I32Scalar:$index);
  let results = (outs Variadic<HLO_Value>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}

def StableHLO_OptimizationBarrierOp : StableHLO_Op<"optimization_barrier", [
    Pure, RangedTypesMatchWith<"results are the operands", "operand", "results", "$_self">]> {
  let summary = "its operands, all computed before any use of its results";
  let arguments = (ins Variadic<HLO_Value>:$operand);
  let results = (outs Variadic<HLO_Value>:$results);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def StableHLO_FftOp : StableHLO_Op<"fft", [Pure]> {
  let summary = "the discrete Fourier transform over the last dimensions";
  let arguments = (ins
    HLO_FloatOrComplexTensor:$operand,
    HLO_FftTypeAttr:$fft_type,
    DenseI64ArrayAttr:$fft_length
  );
  let results = (outs HLO_FloatOrComplexTensor:$result);
}

def StableHLO_CholeskyOp : StableHLO_Op<"cholesky", [Pure, SameOperandsAndResultType]> {
  let summary = "the Cholesky factor of positive-definite matrices";
  let arguments = (ins
    HLO_FloatOrComplexTensor:$a,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$lower
  );
  let results = (outs HLO_FloatOrComplexTensor:$result);
}

def StableHLO_TriangularSolveOp
    : StableHLO_Op<"triangular_solve", [Pure, AllTypesMatch<["b", "result"]>]> {
  let summary = "the solution of linear equations whose matrix is triangular";
  let arguments = (ins
    HLO_FloatOrComplexTensor:$a,
    HLO_FloatOrComplexTensor:$b,
    BoolAttr:$left_side,
    BoolAttr:$lower,
    BoolAttr:$unit_diagonal,
    HLO_TransposeAttr:$transpose_a
  );
  let results = (outs HLO_FloatOrComplexTensor:$result);
}

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [
    Pure, AllTypesMatch<["initial_state", "output_state"]>]> {
  let summary = "random bits and the next state of their generator";
  let arguments = (ins HLO_RngAlgorithmAttr:$rng_algorithm, HLO_Tensor:$initial_state);
  let results = (outs HLO_Tensor:$output_state, HLO_Tensor:$output);
}

def StableHLO_CustomCallOp : StableHLO_Op<"custom_call"> {
  let summary = "a computation that the backend defines";
  let arguments = (ins
    Variadic<HLO_Value>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<AnyAttr>:$backend_config,
    DefaultValuedOptionalAttr<I32Attr, "1">:$api_version,
    OptionalAttr<ArrayAttr>:$called_computations,
    OptionalAttr<ArrayAttr>:$operand_layouts,
    OptionalAttr<ArrayAttr>:$result_layouts,
    OptionalAttr<ArrayAttr>:$output_operand_aliases
  );
  let results = (outs Variadic<HLO_Value>:$results);
}

def StableHLO_CompositeOp : StableHLO_Op<"composite"> {
  let summary = "a computation with a name, which a function does with other operations";
  let arguments = (ins
    Variadic<HLO_Value>:$inputs,
    StrAttr:$name,
    DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$composite_attributes,
    FlatSymbolRefAttr:$decomposition,
    DefaultValuedOptionalAttr<I32Attr, "0">:$version
  );
  let results = (outs Variadic<HLO_Value>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
}

def StableHLO_TupleOp : StableHLO_Op<"tuple", [Pure]> {
  let summary = "values as one";
  let arguments = (ins Variadic<HLO_Value>:$val);
  let results = (outs AnyTuple:$result);
}

def StableHLO_GetTupleElementOp : StableHLO_Op<"get_tuple_element", [Pure]> {
  let summary = "a value of a tuple";
  let arguments = (ins AnyTuple:$operand, ConfinedAttr<I32Attr, [IntNonNegative]>:$index);
  let results = (outs HLO_Value:$result);
}

def StableHLO_SetDimensionSizeOp : StableHLO_Op<"set_dimension_size", [Pure]> {
  let summary = "the operand, of which only the first elements along a dimension count";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_I32Scalar:$size,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicConvOp : StableHLO_Op<"dynamic_conv", [Pure]> {
  let summary = "dot products of windows of lhs with the kernel rhs, padded by amounts known only at run time";
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    RankedTensorOf<[HLO_Integer]>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    HLO_ConvDimensionNumbersAttr:$dimension_numbers,
    ConfinedAttr<I64Attr, [IntPositive]>:$feature_group_count,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch_group_count,
    OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let summary = "slices of the operand, at places that a tensor of indices names, of sizes known only at run time";
  let arguments = (ins
    HLO_Tensor:$operand,
    HLO_IntegerTensor:$start_indices,
    HLO_ShapeTensor:$slice_sizes,
    HLO_GatherDimensionNumbersAttr:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted
  );
  let results = (outs HLO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

def HLO_Features : 1DTensorOf<[AnyFloat]>;

def StableHLO_BatchNormTrainingOp : StableHLO_Op<"batch_norm_training", [Pure]> {
  let summary = "the operand, normalised by the mean and the variance of each feature, and those";
  let arguments = (ins
    HLO_FloatTensor:$operand,
    HLO_Features:$scale,
    HLO_Features:$offset,
    F32Attr:$epsilon,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$feature_index
  );
  let results = (outs HLO_FloatTensor:$output, HLO_Features:$batch_mean, HLO_Features:$batch_var);
}

def StableHLO_BatchNormInferenceOp
    : StableHLO_Op<"batch_norm_inference", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "the operand, normalised by a mean and a variance of each feature that are given";
  let arguments = (ins
    HLO_FloatTensor:$operand,
    HLO_Features:$scale,
    HLO_Features:$offset,
    HLO_Features:$mean,
    HLO_Features:$variance,
    F32Attr:$epsilon,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$feature_index
  );
  let results = (outs HLO_FloatTensor:$result);
}

def StableHLO_BatchNormGradOp : StableHLO_Op<"batch_norm_grad", [Pure]> {
  let summary = "the derivatives of `batch_norm_training`";
  let arguments = (ins
    HLO_FloatTensor:$operand,
    HLO_Features:$scale,
    HLO_Features:$mean,
    HLO_Features:$variance,
    HLO_FloatTensor:$grad_output,
    F32Attr:$epsilon,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$feature_index
  );
  let results = (outs
    HLO_FloatTensor:$grad_operand, HLO_Features:$grad_scale, HLO_Features:$grad_offset
  );
}

//===----------------------------------------------------------------------===//
// Quantization
//===----------------------------------------------------------------------===//

def StableHLO_UniformQuantizeOp : StableHLO_Op<"uniform_quantize", [Pure]> {
  let summary = "the operand as small integers with a scale and a zero point";
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
}

def StableHLO_UniformDequantizeOp : StableHLO_Op<"uniform_dequantize", [Pure]> {
  let summary = "the numbers that small integers with a scale and a zero point stand for";
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs HLO_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// Several processes
//===----------------------------------------------------------------------===//

def HLO_U32Scalar : 0DTensorOf<[UI32]>;

def StableHLO_PartitionIdOp : StableHLO_Op<"partition_id", [Pure]> {
  let summary = "the number of the partition that runs this";
  let results = (outs HLO_U32Scalar:$result);
}

def StableHLO_ReplicaIdOp : StableHLO_Op<"replica_id", [Pure]> {
  let summary = "the number of the replica that runs this";
  let results = (outs HLO_U32Scalar:$result);
}

def StableHLO_AllGatherOp : StableHLO_Op<"all_gather"> {
  let summary = "the tensors of all processes of a group, one after the other along a dimension";
  let arguments = (ins
    Variadic<HLO_Tensor>:$operands,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$all_gather_dim,
    HLO_ReplicaGroupsAttr:$replica_groups,
    OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle,
    UnitAttr:$use_global_device_ids
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
}

class StableHLO_ReductionOfProcesses<string mnemonic> : StableHLO_Op<mnemonic> {
  let arguments = (ins
    Variadic<HLO_Tensor>:$operands,
    HLO_ReplicaGroupsAttr:$replica_groups,
    OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle,
    UnitAttr:$use_global_device_ids
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$computation);
}

def StableHLO_AllReduceOp : StableHLO_ReductionOfProcesses<"all_reduce"> {
  let summary = "the tensors of all processes of a group, combined element by element, for each of them";
}

def StableHLO_CollectiveReduceOp : StableHLO_ReductionOfProcesses<"collective_reduce"> {
  let summary = "the tensors of all processes of a group, combined element by element, for the first of them";
}

def StableHLO_ReduceScatterOp : StableHLO_Op<"reduce_scatter"> {
  let summary = "the tensors of all processes of a group, combined element by element, a part for each of them";
  let arguments = (ins
    HLO_Tensor:$operand,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$scatter_dimension,
    HLO_ReplicaGroupsAttr:$replica_groups,
    OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle,
    UnitAttr:$use_global_device_ids
  );
  let results = (outs HLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

def StableHLO_AllToAllOp : StableHLO_Op<"all_to_all"> {
  let summary = "parts of the tensors of all processes of a group, from each process one for each";
  let arguments = (ins
    Variadic<HLO_Tensor>:$operands,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$split_dimension,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$concat_dimension,
    ConfinedAttr<I64Attr, [IntPositive]>:$split_count,
    HLO_ReplicaGroupsAttr:$replica_groups,
    OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
}

def StableHLO_CollectiveBroadcastOp : StableHLO_Op<"collective_broadcast"> {
  let summary = "the tensor of the first process of a group, for all of it";
  let arguments = (ins
    Variadic<HLO_Tensor>:$operands,
    HLO_ReplicaGroupsAttr:$replica_groups,
    OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle
  );
  let results = (outs Variadic<HLO_Tensor>:$results);
}

def StableHLO_CollectivePermuteOp
    : StableHLO_Op<"collective_permute", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "the tensor of the process that is paired with this one as its source";
  let arguments = (ins
    HLO_Tensor:$operand,
    I64ElementsAttr:$source_target_pairs,
    OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_AsyncStartOp : StableHLO_Op<"async_start"> {
  let summary = "begins what its region does";
  let arguments = (ins Variadic<HLO_Tensor>:$operands);
  let results = (outs HLO_Future:$result);
  let regions = (region SizedRegion<1>:$body);
}

def StableHLO_AsyncDoneOp : StableHLO_Op<"async_done"> {
  let summary = "waits for what was begun";
  let arguments = (ins HLO_Future:$operand);
  let results = (outs HLO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Effects in an order
//===----------------------------------------------------------------------===//

def StableHLO_AfterAllOp : StableHLO_Op<"after_all", [Pure]> {
  let summary = "the token for what comes behind several others";
  let arguments = (ins Variadic<HLO_Token>:$inputs);
  let results = (outs HLO_Token:$result);
}

def StableHLO_InfeedOp : StableHLO_Op<"infeed"> {
  let summary = "tensors that the host feeds, and the token behind that";
  let arguments = (ins
    HLO_Token:$token,
    DefaultValuedStrAttr<StrAttr, "">:$infeed_config,
    OptionalAttr<ArrayAttr>:$layout
  );
  let results = (outs Variadic<AnyType>:$results);
}

def StableHLO_OutfeedOp : StableHLO_Op<"outfeed"> {
  let summary = "hands tensors to the host";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    HLO_Token:$token,
    DefaultValuedStrAttr<StrAttr, "">:$outfeed_config
  );
  let results = (outs HLO_Token:$result);
}

def StableHLO_SendOp : StableHLO_Op<"send"> {
  let summary = "sends tensors over a channel";
  let arguments = (ins
    Variadic<HLO_Tensor>:$inputs,
    HLO_Token:$token,
    HLO_ChannelHandleAttr:$channel_handle,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
    OptionalAttr<I64ElementsAttr>:$source_target_pairs
  );
  let results = (outs HLO_Token:$result);
}

def StableHLO_RecvOp : StableHLO_Op<"recv"> {
  let summary = "tensors that come over a channel, and the token behind that";
  let arguments = (ins
    HLO_Token:$token,
    HLO_ChannelHandleAttr:$channel_handle,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
    OptionalAttr<I64ElementsAttr>:$source_target_pairs
  );
  let results = (outs Variadic<AnyType>:$results);
}

//===----------------------------------------------------------------------===//
// Those that the specification is going to do without
//===----------------------------------------------------------------------===//

def StableHLO_BroadcastOp : StableHLO_Op<"broadcast", [Pure]> {
  let summary = "the operand repeated along new dimensions in front";
  let arguments = (ins HLO_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_CreateTokenOp : StableHLO_Op<"create_token", [Pure]> {
  let summary = "a token behind nothing";
  let results = (outs HLO_Token:$output);
}

def StableHLO_DotOp : StableHLO_Op<"dot", [Pure]> {
  let summary = "the product of matrices or vectors";
  let arguments = (ins
    HLO_Tensor:$lhs,
    HLO_Tensor:$rhs,
    OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_EinsumOp : StableHLO_Op<"einsum", [Pure]> {
  let summary = "a contraction of two tensors, by the letters of their dimensions";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_UnaryEinsumOp : StableHLO_Op<"unary_einsum", [Pure]> {
  let summary = "a contraction of one tensor, by the letters of its dimensions";
  let arguments = (ins HLO_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_RngOp : StableHLO_Op<"rng"> {
  let summary = "random numbers of a distribution with two parameters";
  let arguments = (ins
    HLO_Scalar:$a,
    HLO_Scalar:$b,
    HLO_ShapeTensor:$shape,
    HLO_RngDistributionAttr:$rng_distribution
  );
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_TorchIndexSelectOp : StableHLO_Op<"torch_index_select", [Pure]> {
  let summary = "slices of the operand along a dimension, at places that a tensor of indices names";
  let arguments = (ins HLO_Tensor:$operand, HLO_Tensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs HLO_Tensor:$result);
}
