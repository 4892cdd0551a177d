//! Attributes and types built with checks.

use iree_dialects::{
    AttributeValue,
    arith::{CmpIPredicate, FastMathFlags, IntegerOverflowFlags},
    prelude::*,
    stablehlo::{
        ActivationDimensions, ComparisonDirection, ConvolutionDimensions, DotAlgorithm,
        DotDimensionNumbers, GatherDimensionNumbers, KernelDimensions,
    },
};

use crate::scene::{Outcome, Scene};

#[test]
fn dense_elements_are_taken_from_bytes() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let check = |tensor: &str, bytes: &[u8], expected: &str| -> Outcome {
        let elements = attributes::dense_elements(scene.tensor(tensor), bytes)?;
        assert_eq!(elements.to_string(), expected);

        Ok(())
    };

    check(
        "2xf32",
        &[1.5_f32, -2.0].map(f32::to_ne_bytes).concat(),
        "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf32>",
    )?;
    check("i64", &7_i64.to_ne_bytes(), "dense<7> : tensor<i64>")?;
    check(
        "3xi1",
        &[1, 0, 1],
        "dense<[true, false, true]> : tensor<3xi1>",
    )?;
    check(
        "2x1xui8",
        &[1, 255],
        "dense<[[1], [255]]> : tensor<2x1xui8>",
    )?;
    check(
        "complex<f32>",
        &[1.0_f32, 2.0].map(f32::to_ne_bytes).concat(),
        "dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>",
    )?;
    check(
        "bf16",
        &0x3f80_u16.to_ne_bytes(),
        "dense<1.000000e+00> : tensor<bf16>",
    )?;
    check("0x3xf32", &[], "dense<> : tensor<0x3xf32>")
}

#[test]
fn dense_elements_that_do_not_fit_are_refused() {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");

    for (tensor, bytes) in [
        ("tensor<2xf32>", 4),
        ("tensor<4xf32>", 4),
        ("tensor<?xi8>", 1),
        ("tensor<9223372036854775807x9xf32>", 4),
        ("tensor<*xi8>", 1),
        ("i8", 1),
        ("tensor<2x!util.object>", 2),
    ] {
        let error = attributes::dense_elements(scene.r#type(tensor), &vec![0; bytes]).unwrap_err();

        assert_eq!(
            error.to_string(),
            format!("{bytes} bytes are not the elements of a `{tensor}` of a static shape")
        );
    }
}

#[test]
fn splats_are_checked() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let splat = attributes::splat(scene.tensor("2x2xi32"), scene.i32(5))?;

    assert_eq!(splat.to_string(), "dense<5> : tensor<2x2xi32>");
    assert_eq!(
        attributes::splat(scene.tensor("2xf32"), scene.i32(5))
            .unwrap_err()
            .to_string(),
        "`5 : i32` is not an element of a `tensor<2xf32>` of a static shape"
    );
    assert!(attributes::splat(scene.tensor("?xi32"), scene.i32(5)).is_err());
    assert!(attributes::splat(scene.tensor("2xi32"), scene.string("")).is_err());

    Ok(())
}

#[test]
fn a_malformed_attribute_gives_the_reason() {
    let context = iree_dialects::context();
    let error = attributes::parse(&context, "array<i64: x>")
        .unwrap_err()
        .to_string();

    assert!(
        error.starts_with("MLIR cannot read the attribute `array<i64: x>`: "),
        "{error}"
    );
    assert!(error.contains("expected integer literal"), "{error}");
}

#[test]
fn arrays_may_be_empty() -> Outcome {
    let context = iree_dialects::context();

    assert_eq!(
        attributes::bool_array(&context, &[])?.to_string(),
        "array<i1>"
    );
    assert_eq!(
        attributes::bool_array(&context, &[true, false])?.to_string(),
        "array<i1: true, false>"
    );
    assert_eq!(
        attributes::pairs(&context, &[])?.to_string(),
        "dense<> : tensor<0x2xi64>"
    );
    assert_eq!(
        attributes::pairs(&context, &[[1, -2]])?.to_string(),
        "dense<[[1, -2]]> : tensor<1x2xi64>"
    );

    Ok(())
}

/// A value is written as this attribute and read from it again.
#[track_caller]
fn round_trip<'c, T>(context: &'c Context, value: &T, text: &str)
where
    T: AttributeValue<'c> + PartialEq + std::fmt::Debug,
    T::Error: std::fmt::Display,
{
    let attribute = value.to_attribute(context).expect("an attribute");
    assert_eq!(attribute.to_string(), text);
    match T::try_from(attribute) {
        Ok(read) => assert_eq!(read, *value),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn roles_of_dimensions_are_written_and_read() {
    let context = iree_dialects::context();
    let dot = DotDimensionNumbers {
        lhs_contracting_dimensions: vec![1],
        rhs_contracting_dimensions: vec![0, 2],
        ..DotDimensionNumbers::default()
    };
    let gather = GatherDimensionNumbers {
        offset_dims: vec![0],
        index_vector_dim: 1,
        ..GatherDimensionNumbers::default()
    };
    let f32 = Type::float32(&context);
    let algorithm = DotAlgorithm {
        lhs_precision_type: f32,
        rhs_precision_type: f32,
        accumulation_type: f32,
        lhs_component_count: 1,
        rhs_component_count: 1,
        num_primitive_operations: 1,
        allow_imprecise_accumulation: false,
    };
    let activation = ActivationDimensions {
        batch: 0,
        feature: 1,
        spatial: vec![3, 2],
    };
    let convolution = ConvolutionDimensions {
        input: activation.clone(),
        kernel: KernelDimensions {
            input_feature: 3,
            output_feature: 0,
            spatial: vec![1, 2],
        },
        output: activation,
    };

    round_trip(
        &context,
        &dot,
        "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0, 2]>",
    );
    round_trip(
        &context,
        &gather,
        "#stablehlo.gather<offset_dims = [0], index_vector_dim = 1>",
    );
    round_trip(
        &context,
        &algorithm,
        "#stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, \
         accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, \
         num_primitive_operations = 1, allow_imprecise_accumulation = false>",
    );
    round_trip(
        &context,
        &convolution,
        "#stablehlo.conv<[b, f, 1, 0]x[o, 0, 1, i]->[b, f, 1, 0]>",
    );
}

#[test]
fn every_case_of_an_enumeration_is_written_and_read() -> Outcome {
    let context = iree_dialects::context();

    for case in ComparisonDirection::ALL {
        let text = format!("#stablehlo<comparison_direction {case}>");
        round_trip(&context, case, &text);
        assert_eq!(case.to_string().parse::<ComparisonDirection>()?, *case);
    }
    for case in CmpIPredicate::ALL {
        round_trip(&context, case, &format!("{} : i64", case.value()));
        assert_eq!(case.to_string().parse::<CmpIPredicate>()?, *case);
        assert_eq!(CmpIPredicate::from_value(case.value()), Some(*case));
    }
    for flag in FastMathFlags::ALL {
        round_trip(&context, flag, &format!("#arith.fastmath<{flag}>"));
    }
    assert_eq!(CmpIPredicate::from_value(99), None);

    Ok(())
}

#[test]
fn bits_are_joined_and_divided() -> Outcome {
    let context = iree_dialects::context();
    let flags = FastMathFlags::NNAN | FastMathFlags::NINF;

    assert_eq!(flags.to_string(), "nnan,ninf");
    assert_eq!("ninf, nnan".parse::<FastMathFlags>()?, flags);
    assert_eq!(
        flags.iter().collect::<Vec<_>>(),
        [FastMathFlags::NNAN, FastMathFlags::NINF]
    );
    assert!(flags.contains(FastMathFlags::NNAN) && !flags.contains(FastMathFlags::FAST));
    assert_eq!(FastMathFlags::from_value(1 << 20), None);
    round_trip(&context, &flags, "#arith.fastmath<nnan,ninf>");
    round_trip(
        &context,
        &(IntegerOverflowFlags::NSW | IntegerOverflowFlags::NUW),
        "#arith.overflow<nsw, nuw>",
    );
    assert_eq!(
        "sometimes"
            .parse::<FastMathFlags>()
            .unwrap_err()
            .to_string(),
        "`sometimes` is no `FastMathFlags`"
    );

    Ok(())
}

#[cfg(feature = "hal")]
#[test]
fn parameters_that_are_absent_are_left_out() -> Outcome {
    use iree_dialects::hal::{
        Collective, CollectiveElementType, CollectiveKind, CollectiveReduction, DescriptorFlags,
        DescriptorType, DeviceAffinity, ExecutableObject, ExecutableTarget, PipelineBinding,
        PipelineLayout, PipelineLayoutFlags,
    };

    let context = iree_dialects::context();
    let collective = |kind, reduction| Collective {
        kind,
        reduction,
        element_type: CollectiveElementType::BFloat16,
    };
    let sum = Some(CollectiveReduction::Sum);
    round_trip(
        &context,
        &collective(CollectiveKind::AllReduce, sum),
        "#hal.collective<all_reduce with sum : bf16>",
    );
    round_trip(
        &context,
        &collective(CollectiveKind::SendRecv, None),
        "#hal.collective<send_recv : bf16>",
    );

    let binding = |flags| PipelineBinding {
        r#type: DescriptorType::StorageBuffer,
        flags,
    };
    let both = DescriptorFlags::READ_ONLY | DescriptorFlags::INDIRECT;
    round_trip(
        &context,
        &binding(Some(both)),
        "#hal.pipeline.binding<storage_buffer, \"ReadOnly|Indirect\">",
    );
    let binding = binding(None);
    round_trip(&context, &binding, "#hal.pipeline.binding<storage_buffer>");
    let binding = binding.to_attribute(&context)?;
    round_trip(
        &context,
        &PipelineLayout {
            constants: 0,
            bindings: vec![],
            flags: None,
        },
        "#hal.pipeline.layout<bindings = []>",
    );
    round_trip(
        &context,
        &PipelineLayout {
            constants: 2,
            bindings: vec![binding, binding],
            flags: Some(PipelineLayoutFlags::INDIRECT),
        },
        "#hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>, \
         #hal.pipeline.binding<storage_buffer>], flags = Indirect>",
    );

    let data = attributes::parse(&context, "dense<1> : tensor<2xi8>")?;
    for (data, text) in [
        (
            Some(data),
            "#hal.executable.object<{ path = \"a.o\", data = dense<1> : tensor<2xi8> }>",
        ),
        (None, "#hal.executable.object<{ path = \"a.o\" }>"),
    ] {
        let path = "a.o".to_owned();
        round_trip(&context, &ExecutableObject { path, data }, text);
    }
    let target = ExecutableTarget::try_from(attributes::parse(
        &context,
        "#hal.executable.target<\"cuda\", \"ptx\", {sm = 80 : i64}>",
    )?)?;
    assert_eq!(target.format, "ptx");
    assert!(target.configuration.is_some());
    for (queues, text) in [
        (vec![4, 5], "#hal.device.affinity<@gpu, [4, 5]>"),
        (vec![], "#hal.device.affinity<@gpu>"),
    ] {
        let device = attributes::parse(&context, "@gpu")?;
        round_trip(&context, &DeviceAffinity { device, queues }, text);
    }

    Ok(())
}

#[cfg(feature = "stream")]
#[test]
fn lifetimes_are_in_the_types_of_resources() -> Outcome {
    use iree_dialects::{
        TypeValue,
        stream::{Lifetime, MemoryModel, ResourceConfig, ResourceType},
    };

    let context = iree_dialects::context();
    for lifetime in Lifetime::ALL {
        let resource = ResourceType {
            lifetime: *lifetime,
        };
        let r#type = resource.to_type(&context)?;
        assert_eq!(r#type.to_string(), format!("!stream.resource<{lifetime}>"));
        assert_eq!(ResourceType::try_from(r#type)?, resource);
    }
    round_trip(
        &context,
        &ResourceConfig {
            max_allocation_size: 1024,
            min_buffer_offset_alignment: 64,
            max_buffer_range: 1024,
            min_buffer_range_alignment: 64,
            index_bits: 32,
            alias_mutable_bindings: true,
            memory_model: MemoryModel::Discrete,
        },
        "#stream.resource_config<{ max_allocation_size = 1024, min_buffer_offset_alignment = 64, \
         max_buffer_range = 1024, min_buffer_range_alignment = 64, index_bits = 32, \
         alias_mutable_bindings = true, memory_model = Discrete }>",
    );

    Ok(())
}

#[test]
fn other_attributes_are_refused() -> Outcome {
    let context = iree_dialects::context();

    for text in [
        "1 : i64",
        "#stablehlo.gather<index_vector_dim = 1>",
        "#stablehlo.dot<x = [1]>",
    ] {
        let attribute = attributes::parse(&context, text)?;
        assert_eq!(
            DotDimensionNumbers::try_from(attribute)
                .unwrap_err()
                .to_string(),
            format!("`{text}` is no `#stablehlo.dot`")
        );
        assert!(ComparisonDirection::try_from(attribute).is_err());
        assert!(FastMathFlags::try_from(attribute).is_err());
        assert!(ConvolutionDimensions::try_from(attribute).is_err());
    }

    Ok(())
}

#[test]
fn dimensions_of_a_convolution_must_be_a_permutation() {
    let context = iree_dialects::context();
    let convolution = |feature| ConvolutionDimensions {
        input: ActivationDimensions {
            batch: 0,
            feature,
            spatial: vec![1],
        },
        ..ConvolutionDimensions::default()
    };

    for feature in [0, 3, -1] {
        assert_eq!(
            convolution(feature)
                .to_attribute(&context)
                .unwrap_err()
                .to_string(),
            format!(
                "the dimension {feature} has two roles, or a tensor of rank 3 does not have it"
            )
        );
    }
}

#[test]
fn types_are_checked() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::new(&context, "types.rs", 1, 2);
    let f32 = Type::float32(&context);

    assert_eq!(
        types::tensor(&[Some(2), None], f32, location)?.to_string(),
        "tensor<2x?xf32>"
    );
    assert_eq!(types::complex(f32)?.to_string(), "complex<f32>");
    assert_eq!(
        types::function(&context, &[f32], &[]).to_string(),
        "(f32) -> ()"
    );

    let function = types::function(&context, &[], &[]);
    assert_eq!(
        types::tensor(&[], function, location)
            .unwrap_err()
            .to_string(),
        "there is no such type: types.rs:1:2: error: invalid tensor element type: '() -> ()'"
    );
    assert!(types::tensor(&[Some(u64::MAX)], f32, location).is_err());
    assert!(types::complex(Type::index(&context)).is_err());

    Ok(())
}

#[cfg(feature = "smt")]
#[test]
fn lists_in_brackets_are_read_by_mlir() -> Outcome {
    use iree_dialects::{
        TypeValue,
        melior::{dialect::DialectRegistry, utility::register_all_dialects},
        smt::SortType,
    };

    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.load_all_available_dialects();
    for (sort_params, text) in [
        (
            vec!["!smt.int", "!smt.bool"],
            "!smt.sort<\"set\"[!smt.int, !smt.bool]>",
        ),
        (vec![], "!smt.sort<\"set\">"),
    ] {
        let params = sort_params.into_iter();
        let params = params.map(|text| iree_dialects::types::parse(&context, text));
        let sort = SortType {
            identifier: StringAttribute::new(&context, "set").into(),
            sort_params: params.collect::<Result<_, _>>()?,
        };
        let r#type = sort.to_type(&context)?;
        assert_eq!(r#type.to_string(), text);
        assert_eq!(SortType::try_from(r#type)?, sort);
    }

    Ok(())
}
