use iree_dialects::{
    AttributeValue,
    melior::ir::attribute::DictionaryAttribute,
    prelude::*,
    stablehlo::{
        self as dialect, ActivationDimensions, ChannelHandle, ComparisonDirection, ComparisonType,
        ConvolutionDimensions, DotDimensionNumbers, FftType, GatherDimensionNumbers,
        KernelDimensions, Precision, RngAlgorithm, RngDistribution, ScatterDimensionNumbers,
        Transpose,
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
        tuples(),
        normalisation(),
        processes(),
        effects(),
        older(),
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

fn tuples() -> Vec<Sample> {
    samples! {
        CompositeOperation: |s, builder| builder
            .inputs(&[s.value("4xf32")])
            .name("my.op")
            .composite_attributes(DictionaryAttribute::try_from(s.attribute("{rate = 1 : i64}"))?)
            .decomposition(s.function("decomposition", "(tensor<4xf32>) -> tensor<4xf32>")?)
            .version(2)
            .results(&[s.tensor("4xf32")]);
        TupleOperation: |s, builder| builder
            .val(&[s.value("4xf32"), s.value("2xi1")])
            .result(s.r#type("tuple<tensor<4xf32>, tensor<2xi1>>"));
        GetTupleElementOperation: |s, builder| builder
            .operand(s.value_of("tuple<tensor<4xf32>, tensor<2xi1>>"))
            .index(1)
            .result(s.tensor("2xi1"));
        SetDimensionSizeOperation: |s, builder| builder
            .operand(s.value("4x2xf32"))
            .size(s.value("i32"))
            .dimension(0)
            .result(s.tensor("?x2xf32, #stablehlo.bounds<4, ?>"));
        DynamicConvOperation: |s, builder| builder
            .lhs(s.value("1x4x4x1xf32"))
            .rhs(s.value("2x2x1x1xf32"))
            .padding(s.value("2x2xi32"))
            .window_strides([1, 1])
            .dimension_numbers(s.attribute("#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"))
            .feature_group_count(1)
            .batch_group_count(1)
            .result(s.tensor("1x?x?x1xf32"));
        DynamicGatherOperation: |s, builder| builder
            .operand(s.value("4x4xf32"))
            .start_indices(s.value("2x2xi32"))
            .slice_sizes(s.value("2xi32"))
            .dimension_numbers(GatherDimensionNumbers {
                offset_dims: vec![1],
                collapsed_slice_dims: vec![0],
                operand_batching_dims: vec![],
                start_indices_batching_dims: vec![],
                start_index_map: vec![0, 1],
                index_vector_dim: 1,
            })
            .indices_are_sorted(true)
            .result(s.tensor("2x?xf32"));
        UniformQuantizeOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .result(s.tensor("4x!quant.uniform<i8:f32, 5.000000e-01>"));
        UniformDequantizeOperation: |s, builder| builder
            .operand(s.value("4x!quant.uniform<i8:f32, 5.000000e-01>"))
            .result(s.tensor("4xf32"));
    }
}

fn normalisation() -> Vec<Sample> {
    samples! {
        BatchNormTrainingOperation: |s, builder| builder
            .operand(s.value("2x4xf32"))
            .scale(s.value("4xf32"))
            .offset(s.value("4xf32"))
            .epsilon(1e-3)
            .feature_index(1)
            .output(s.tensor("2x4xf32"))
            .batch_mean(s.tensor("4xf32"))
            .batch_var(s.tensor("4xf32"));
        BatchNormInferenceOperation: |s, builder| builder
            .operand(s.value("2x4xf32"))
            .scale(s.value("4xf32"))
            .offset(s.value("4xf32"))
            .mean(s.value("4xf32"))
            .variance(s.value("4xf32"))
            .epsilon(1e-3)
            .feature_index(1);
        BatchNormGradOperation: |s, builder| builder
            .operand(s.value("2x4xf32"))
            .scale(s.value("4xf32"))
            .mean(s.value("4xf32"))
            .variance(s.value("4xf32"))
            .grad_output(s.value("2x4xf32"))
            .epsilon(1e-3)
            .feature_index(1)
            .grad_operand(s.tensor("2x4xf32"))
            .grad_scale(s.tensor("4xf32"))
            .grad_offset(s.tensor("4xf32"));
    }
}

/// Two processes that work together.
const GROUPS: &str = "dense<[[0, 1]]> : tensor<1x2xi64>";

fn processes() -> Vec<Sample> {
    samples! {
        PartitionIdOperation: |s, builder| builder.result(s.tensor("ui32"));
        ReplicaIdOperation: |s, builder| builder.result(s.tensor("ui32"));
        AllGatherOperation: |s, builder| builder
            .operands(&[s.value("4x4xf32")])
            .all_gather_dim(1)
            .replica_groups(s.attribute(GROUPS))
            .channel_handle(ChannelHandle { handle: 1, r#type: 0 })
            .use_global_device_ids(true)
            .results(&[s.tensor("4x8xf32")]);
        AllReduceOperation: |s, builder| builder
            .operands(&[s.value("4xf32")])
            .replica_groups(s.attribute(GROUPS))
            .computation(s.select(&["f32", "f32"], 0)?)
            .results(&[s.tensor("4xf32")]);
        CollectiveReduceOperation: |s, builder| builder
            .operands(&[s.value("4xf32")])
            .replica_groups(s.attribute(GROUPS))
            .computation(s.select(&["f32", "f32"], 1)?)
            .results(&[s.tensor("4xf32")]);
        ReduceScatterOperation: |s, builder| builder
            .operand(s.value("4x4xf32"))
            .scatter_dimension(1)
            .replica_groups(s.attribute(GROUPS))
            .computation(s.select(&["f32", "f32"], 0)?)
            .result(s.tensor("4x2xf32"));
        AllToAllOperation: |s, builder| builder
            .operands(&[s.value("4x4xf32")])
            .split_dimension(1)
            .concat_dimension(0)
            .split_count(2)
            .replica_groups(s.attribute(GROUPS))
            .results(&[s.tensor("8x2xf32")]);
        CollectiveBroadcastOperation: |s, builder| builder
            .operands(&[s.value("4xf32")])
            .replica_groups(s.attribute(GROUPS))
            .results(&[s.tensor("4xf32")]);
        CollectivePermuteOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .source_target_pairs(DenseElementsAttribute::try_from(s.attribute(GROUPS))?);
        AsyncStartOperation: |s, builder| builder
            .operands(&[s.value("4xf32")])
            .body(s.asynchronous("4xf32", GROUPS)?)
            .result(s.r#type("!stablehlo.future<tensor<4xf32>>"));
        AsyncDoneOperation: |s, builder| builder
            .operand(s.value_of("!stablehlo.future<tensor<4xf32>>"))
            .result(s.tensor("4xf32"));
    }
}

fn effects() -> Vec<Sample> {
    samples! {
        AfterAllOperation: |s, builder| builder
            .inputs(&[s.token(), s.token()])
            .result(s.r#type("!stablehlo.token"));
        InfeedOperation: |s, builder| builder
            .token(s.token())
            .infeed_config("all")
            .results(&[s.tensor("4xf32"), s.r#type("!stablehlo.token")]);
        OutfeedOperation: |s, builder| builder
            .inputs(&[s.value("4xf32")])
            .token(s.token())
            .outfeed_config("all")
            .result(s.r#type("!stablehlo.token"));
        SendOperation: |s, builder| builder
            .inputs(&[s.value("4xf32")])
            .token(s.token())
            .channel_handle(ChannelHandle { handle: 1, r#type: 2 })
            .is_host_transfer(true)
            .result(s.r#type("!stablehlo.token"));
        RecvOperation: |s, builder| builder
            .token(s.token())
            .channel_handle(ChannelHandle { handle: 1, r#type: 3 })
            .is_host_transfer(true)
            .results(&[s.tensor("4xf32"), s.r#type("!stablehlo.token")]);
    }
}

fn older() -> Vec<Sample> {
    samples! {
        BroadcastOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .broadcast_sizes([2])
            .result(s.tensor("2x4xf32"));
        CreateTokenOperation: |s, builder| builder.output(s.r#type("!stablehlo.token"));
        DotOperation: |s, builder| builder
            .lhs(s.value("2x4xf32"))
            .rhs(s.value("4x3xf32"))
            .result(s.tensor("2x3xf32"));
        EinsumOperation: |s, builder| builder
            .lhs(s.value("2x4xf32"))
            .rhs(s.value("4x3xf32"))
            .einsum_config("ij,jk->ik")
            .result(s.tensor("2x3xf32"));
        UnaryEinsumOperation: |s, builder| builder
            .operand(s.value("2x4xf32"))
            .einsum_config("ij->i")
            .result(s.tensor("2xf32"));
        RngOperation: |s, builder| builder
            .a(s.value("f32"))
            .b(s.value("f32"))
            .shape(s.value("2xi64"))
            .rng_distribution(RngDistribution::Uniform)
            .result(s.tensor("?x?xf32"));
        TorchIndexSelectOperation: |s, builder| builder
            .operand(s.value("4x3xf32"))
            .index(s.value("2xi32"))
            .dim(0)
            .batch_dims(0)
            .result(s.tensor("2x3xf32"));
    }
}
