use iree_dialects::{
    AttributeValue,
    prelude::*,
    stablehlo::{
        self as dialect, ActivationDimensions, ComparisonDirection, ComparisonType,
        ConvolutionDimensions, DotDimensionNumbers, FftType, GatherDimensionNumbers,
        KernelDimensions, Precision, RngAlgorithm, ScatterDimensionNumbers, Transpose,
    },
};

use super::{Sample, samples};

pub(crate) fn samples() -> Vec<Sample> {
    [
        constants(),
        unary(),
        binary(),
        elementwise(),
        shapes(),
        slices(),
        indexed(),
        contractions(),
        reductions(),
        control_flow(),
        others(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn constants() -> Vec<Sample> {
    samples! {
        ConstantOperation: |s, builder| builder
            .value(attributes::dense_elements(s.tensor("2xi32"), &[1, 0, 0, 0, 2, 0, 0, 0])?)
            .result(s.tensor("2xi32"));
        IotaOperation: |s, builder| builder.iota_dimension(s.i64(1)).result(s.tensor("2x3xf32"));
        DynamicIotaOperation: |s, builder| builder
            .output_shape(s.value("2xi32"))
            .iota_dimension(s.i64(0))
            .result(s.tensor("?x3xi32"));
    }
}

/// Operations of one operand whose result has its type.
macro_rules! unary {
    ($($operation:ident($operand:ident): $tensor:literal;)*) => {
        samples! { $($operation: |s, builder| builder.$operand(s.value($tensor));)* }
    };
}

fn unary() -> Vec<Sample> {
    unary! {
        CbrtOperation(operand): "4xf32";
        CeilOperation(operand): "4xf32";
        CosineOperation(operand): "4xcomplex<f32>";
        CountLeadingZerosOperation(operand): "4xi32";
        ExponentialOperation(operand): "4xbf16";
        ExponentialMinusOneOperation(operand): "4xf32";
        FloorOperation(operand): "4xf64";
        LogOperation(operand): "4xf32";
        LogPlusOneOperation(operand): "4xf32";
        LogisticOperation(operand): "4xf16";
        NegateOperation(operand): "4xi8";
        NotOperation(operand): "4xi1";
        PopcntOperation(operand): "4xui8";
        RoundNearestAfzOperation(operand): "4xf32";
        RoundNearestEvenOperation(operand): "4xf32";
        RsqrtOperation(operand): "4xf32";
        SignOperation(operand): "4xi32";
        SineOperation(operand): "4xf32";
        SqrtOperation(operand): "?xf32";
        TanOperation(operand): "4xf32";
        TanhOperation(operand): "4x?xf32";
    }
}

/// Operations of two operands of one type, which is that of the result.
macro_rules! binary {
    ($($operation:ident: $tensor:literal;)*) => {
        samples! { $($operation: |s, builder| builder.lhs(s.value($tensor)).rhs(s.value($tensor));)* }
    };
}

fn binary() -> Vec<Sample> {
    binary! {
        AddOperation: "4x3xf32";
        AndOperation: "4xi1";
        Atan2Operation: "4xf32";
        DivideOperation: "4xui64";
        MaximumOperation: "4xf32";
        MinimumOperation: "4xi32";
        MultiplyOperation: "4xcomplex<f64>";
        OrOperation: "4xi8";
        PowerOperation: "4xf32";
        RemainderOperation: "4xi32";
        ShiftLeftOperation: "4xi32";
        ShiftRightArithmeticOperation: "4xi32";
        ShiftRightLogicalOperation: "4xui32";
        SubtractOperation: "4xf32";
        XorOperation: "4xi16";
    }
}

fn elementwise() -> Vec<Sample> {
    samples! {
        AbsOperation: |s, builder| builder
            .operand(s.value("4xcomplex<f32>"))
            .result(s.tensor("4xf32"));
        ImagOperation: |s, builder| builder
            .operand(s.value("4xcomplex<f32>"))
            .result(s.tensor("4xf32"));
        RealOperation: |s, builder| builder
            .operand(s.value("4xcomplex<f32>"))
            .result(s.tensor("4xf32"));
        IsFiniteOperation: |s, builder| builder.x(s.value("4xf32")).result(s.tensor("4xi1"));
        ConvertOperation: |s, builder| builder.operand(s.value("4xf32")).result(s.tensor("4xi32"));
        ReducePrecisionOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .exponent_bits(s.i32(5))
            .mantissa_bits(s.i32(10));
        BitcastConvertOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .result(s.tensor("4x4xui8"));
        ComplexOperation: |s, builder| builder
            .lhs(s.value("4xf32"))
            .rhs(s.value("4xf32"))
            .result(s.tensor("4xcomplex<f32>"));
        CompareOperation: |s, builder| builder
            .lhs(s.value("4xf32"))
            .rhs(s.value("4xf32"))
            .comparison_direction(ComparisonDirection::GreaterOrEqual)
            .compare_type(ComparisonType::TotalOrder)
            .result(s.tensor("4xi1"));
        SelectOperation: |s, builder| builder
            .pred(s.value("4xi1"))
            .on_true(s.value("4xf32"))
            .on_false(s.value("4xf32"));
        ClampOperation: |s, builder| builder
            .min(s.value("f32"))
            .operand(s.value("4xf32"))
            .max(s.value("f32"));
    }
}

fn shapes() -> Vec<Sample> {
    samples! {
        BroadcastInDimOperation: |s, builder| builder
            .operand(s.value("3xf32"))
            .broadcast_dimensions(s.list(&[1]))
            .result(s.tensor("4x3xf32"));
        DynamicBroadcastInDimOperation: |s, builder| builder
            .operand(s.value("3xf32"))
            .output_dimensions(s.value("2xi32"))
            .broadcast_dimensions(s.list(&[1]))
            .known_nonexpanding_dimensions(s.list(&[0]))
            .result(s.tensor("?x3xf32"));
        ReshapeOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .result(s.tensor("2x6xf32"));
        DynamicReshapeOperation: |s, builder| builder
            .operand(s.value("?x3xf32"))
            .output_shape(s.value("2xi32"))
            .result(s.tensor("3x?xf32"));
        TransposeOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .permutation(s.list(&[1, 0]))
            .result(s.tensor("3x4xf32"));
        ReverseOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .dimensions(s.list(&[0]));
        GetDimensionSizeOperation: |s, builder| builder
            .operand(s.value("?x3xf32"))
            .dimension(s.i64(0))
            .result(s.tensor("i32"));
    }
}

fn slices() -> Vec<Sample> {
    samples! {
        SliceOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .start_indices(s.list(&[0, 1]))
            .limit_indices(s.list(&[4, 3]))
            .strides(s.list(&[2, 1]))
            .result(s.tensor("2x2xf32"));
        RealDynamicSliceOperation: |s, builder| builder
            .operand(s.value("?xf32"))
            .start_indices(s.value("1xi32"))
            .limit_indices(s.value("1xi32"))
            .strides(s.value("1xi32"))
            .result(s.tensor("?xf32"));
        DynamicSliceOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .start_indices(&s.values(&["i32", "i32"]))
            .slice_sizes(s.list(&[1, 3]))
            .result(s.tensor("1x3xf32"));
        DynamicUpdateSliceOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .update(s.value("1x3xf32"))
            .start_indices(&s.values(&["i64", "i64"]));
        ConcatenateOperation: |s, builder| builder
            .inputs(&s.values(&["4x3xf32", "2x3xf32"]))
            .dimension(s.i64(0))
            .result(s.tensor("6x3xf32"));
        PadOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .padding_value(s.value("f32"))
            .edge_padding_low(s.list(&[1]))
            .edge_padding_high(s.list(&[-1]))
            .interior_padding(s.list(&[1]))
            .result(s.tensor("7xf32"));
        DynamicPadOperation: |s, builder| builder
            .operand(s.value("?xf32"))
            .padding_value(s.value("f32"))
            .edge_padding_low(s.value("1xi32"))
            .edge_padding_high(s.value("1xi32"))
            .interior_padding(s.value("1xi32"))
            .result(s.tensor("?xf32"));
    }
}

fn indexed() -> Vec<Sample> {
    samples! {
        GatherOperation: |s, builder| builder
            .operand(s.value("2x5x3xf32"))
            .start_indices(s.value("2x4x1xi32"))
            .dimension_numbers(GatherDimensionNumbers {
                offset_dims: vec![2],
                collapsed_slice_dims: vec![1],
                operand_batching_dims: vec![0],
                start_indices_batching_dims: vec![0],
                start_index_map: vec![1],
                index_vector_dim: 2,
            })
            .slice_sizes(s.list(&[1, 1, 3]))
            .indices_are_sorted(s.bool(true))
            .result(s.tensor("2x4x3xf32"));
        ScatterOperation: |s, builder| builder
            .inputs(&[s.value("5x3xf32")])
            .scatter_indices(s.value("4x1xi32"))
            .updates(&[s.value("4x3xf32")])
            .scatter_dimension_numbers(ScatterDimensionNumbers {
                update_window_dims: vec![1],
                inserted_window_dims: vec![0],
                scatter_dims_to_operand_dims: vec![0],
                index_vector_dim: 1,
                ..ScatterDimensionNumbers::default()
            })
            .unique_indices(s.bool(true))
            .update_computation(s.select(&["f32", "f32"], 1)?);
        SelectAndScatterOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .source(s.value("2xf32"))
            .init_value(s.value("f32"))
            .window_dimensions(s.list(&[2]))
            .window_strides(s.list(&[2]))
            .padding(attributes::pairs(s.context, &[[0, 0]])?)
            .select(s.comparator()?)
            .scatter(s.select(&["f32", "f32"], 0)?);
    }
}

fn contractions() -> Vec<Sample> {
    samples! {
        DotGeneralOperation: |s, builder| builder
            .lhs(s.value("2x4x3xbf16"))
            .rhs(s.value("2x3x5xbf16"))
            .dot_dimension_numbers(DotDimensionNumbers {
                lhs_batching_dimensions: vec![0],
                rhs_batching_dimensions: vec![0],
                lhs_contracting_dimensions: vec![2],
                rhs_contracting_dimensions: vec![1],
            })
            .precision_config(&[Precision::High, Precision::Highest])
            .result(s.tensor("2x4x5xf32"));
        ConvolutionOperation: |s, builder| builder
            .lhs(s.value("1x8x8x3xf32"))
            .rhs(s.value("3x3x3x4xf32"))
            .window_strides(s.list(&[2, 2]))
            .padding(attributes::pairs(s.context, &[[1, 1], [1, 1]])?)
            .lhs_dilation(s.list(&[1, 1]))
            .rhs_dilation(s.list(&[1, 1]))
            .window_reversal(attributes::bool_array(s.context, &[false, false])?)
            .dimension_numbers(ConvolutionDimensions {
                input: ActivationDimensions { batch: 0, feature: 3, spatial: vec![1, 2] },
                kernel: KernelDimensions { input_feature: 2, output_feature: 3, spatial: vec![0, 1] },
                output: ActivationDimensions { batch: 0, feature: 3, spatial: vec![1, 2] },
            }.to_attribute(s.context)?)
            .feature_group_count(s.i64(1))
            .batch_group_count(s.i64(1))
            .result(s.tensor("1x4x4x4xf32"));
    }
}

fn reductions() -> Vec<Sample> {
    samples! {
        ReduceOperation: |s, builder| builder
            .inputs(&s.values(&["4x3xf32", "4x3xi32"]))
            .init_values(&s.values(&["f32", "i32"]))
            .dimensions(s.list(&[1]))
            .body(s.region(&["f32", "i32", "f32", "i32"], |block| {
                Ok(vec![block.argument(0)?.into(), block.argument(1)?.into()])
            })?)
            .results(&s.tensors(&["4xf32", "4xi32"]));
        ReduceWindowOperation: |s, builder| builder
            .inputs(&[s.value("4x3xf32")])
            .init_values(&[s.value("f32")])
            .window_dimensions(s.list(&[2, 1]))
            .window_strides(s.list(&[2, 1]))
            .padding(attributes::pairs(s.context, &[[0, 0], [0, 0]])?)
            .body(s.select(&["f32", "f32"], 0)?)
            .results(&[s.tensor("2x3xf32")]);
        SortOperation: |s, builder| builder
            .inputs(&[s.value("4x3xf32")])
            .dimension(s.i64(0))
            .is_stable(s.bool(true))
            .comparator(s.comparator()?);
        MapOperation: |s, builder| builder
            .inputs(&[s.value("4xf32")])
            .dimensions(s.list(&[0]))
            .computation(s.select(&["f32"], 0)?)
            .result(s.tensor("4xf32"));
    }
}

fn control_flow() -> Vec<Sample> {
    samples! {
        ReturnOperation in branch: |s, builder| builder.results(&[]);
        WhileOperation: |s, builder| builder
            .operand(&s.values(&["i1", "4xf32"]))
            .cond(s.select(&["i1", "4xf32"], 0)?)
            .body(s.region(&["i1", "4xf32"], |block| {
                Ok(vec![block.argument(0)?.into(), block.argument(1)?.into()])
            })?);
        IfOperation: |s, builder| {
            let value = s.value("f32");
            builder
                .pred(s.value("i1"))
                .true_branch(s.yielding(value)?)
                .false_branch(s.yielding(value)?)
                .results(&[value.r#type()])
        };
        CaseOperation: |s, builder| {
            let value = s.value("f32");
            builder
                .index(s.value("i32"))
                .branches(vec![s.yielding(value)?, s.yielding(value)?, s.yielding(value)?])
                .results(&[value.r#type()])
        };
        OptimizationBarrierOperation: |s, builder| builder.operand(&s.values(&["f32", "4xi32"]));
    }
}

fn others() -> Vec<Sample> {
    samples! {
        FftOperation: |s, builder| builder
            .operand(s.value("4x8xf32"))
            .fft_type(FftType::Rfft)
            .fft_length(s.list(&[8]))
            .result(s.tensor("4x5xcomplex<f32>"));
        CholeskyOperation: |s, builder| builder.a(s.value("3x3xf32")).lower(s.bool(true));
        TriangularSolveOperation: |s, builder| builder
            .a(s.value("3x3xf32"))
            .b(s.value("3x2xf32"))
            .left_side(s.bool(true))
            .lower(s.bool(true))
            .unit_diagonal(s.bool(false))
            .transpose_a(Transpose::NoTranspose);
        RngBitGeneratorOperation: |s, builder| builder
            .rng_algorithm(RngAlgorithm::ThreeFry)
            .initial_state(s.value("2xui64"))
            .output(s.tensor("4xui32"));
        CustomCallOperation: |s, builder| builder
            .inputs(&[s.value("4xf32")])
            .call_target_name(s.string("external"))
            .has_side_effect(s.bool(true))
            .backend_config(s.attribute("{}"))
            .api_version(s.i32(4))
            .results(&[s.tensor("4xf32")]);
    }
}
