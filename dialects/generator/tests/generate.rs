//! TableGen in, Rust out.

use std::collections::BTreeSet;

use iree_dialects_generator::{
    Arity, AttributeKind, Dialect, Error, Number, Operation, Piece, Presence, Segments, Source,
    TypeInference, emit, emit_checks, llvm_include_directory,
};

/// Reads operations of the dialect `toy`, written after the usual includes.
fn read(operations: &str) -> Result<Dialect, Error> {
    Source::text(format!(
        r#"
        include "mlir/IR/OpBase.td"
        include "mlir/Interfaces/InferTypeOpInterface.td"
        def Toy_Dialect : Dialect {{ let name = "toy"; let cppNamespace = "::toy"; }}
        class Toy_Op<string mnemonic, list<Trait> traits = []> : Op<Toy_Dialect, mnemonic, traits>;
        {operations}
        "#
    ))
    .include(llvm_include_directory()?)
    .read("toy")
}

fn read_one(operation: &str) -> Operation {
    let dialect = read(operation).unwrap();
    assert_eq!(dialect.operations.len(), 1);

    dialect.operations.into_iter().next().unwrap()
}

#[test]
fn an_operation_becomes_a_view_and_a_builder() {
    let dialect = read(
        r#"
        def Toy_ScaleOp : Toy_Op<"scale", [SameOperandsAndResultType]> {
          let summary = "the operand times a factor";
          let description = [{
            The factor is a number.

            ```mlir
            %1 = toy.scale %0
            ```
          }];
          let arguments = (ins AnyTensor:$operand, F32Attr:$factor, OptionalAttr<StrAttr>:$name);
          let results = (outs AnyTensor:$result);
        }
        "#,
    )
    .unwrap();

    insta::assert_snapshot!(emit(&dialect).unwrap());
}

#[test]
fn operands_results_and_regions_may_be_variadic() {
    let dialect = read(
        r#"
        def Toy_SwitchOp : Toy_Op<"switch.on", [AttrSizedOperandSegments]> {
          let arguments = (ins
            Index:$index, Optional<AnyTensor>:$default, Variadic<AnyTensor>:$type, UnitAttr:$build
          );
          let results = (outs Variadic<AnyTensor>);
          let regions = (region AnyRegion:$otherwise, VariadicRegion<AnyRegion>:$cases);
        }
        "#,
    )
    .unwrap();

    insta::assert_snapshot!(emit(&dialect).unwrap());
}

#[test]
fn a_new_definition_is_all_that_a_new_operation_takes() {
    let one = r#"def Toy_AOp : Toy_Op<"a">;"#;
    let names = |source: &str| {
        let dialect = read(source).unwrap();
        dialect
            .operations
            .into_iter()
            .map(|operation| operation.name)
            .collect::<Vec<_>>()
    };

    assert_eq!(names(one), ["toy.a"]);
    assert_eq!(
        names(&format!(r#"def Toy_BOp : Toy_Op<"b">; {one}"#)),
        ["toy.a", "toy.b"]
    );
}

#[test]
fn operations_of_other_dialects_are_left_out() {
    let dialect = read(
        r#"
        def Other_Dialect : Dialect { let name = "other"; }
        def Other_Op : Op<Other_Dialect, "theirs">;
        def Toy_OursOp : Toy_Op<"ours">;
        "#,
    )
    .unwrap();

    assert_eq!(dialect.operations[0].name, "toy.ours");
    assert_eq!(dialect.operations.len(), 1);
}

#[test]
fn result_types_are_inferred_from_traits() {
    let operation = read_one(
        r#"
        def Toy_Op1 : Toy_Op<"infer", [
            AllTypesMatch<["b", "same"]>,
            TraitList<[TypesMatchWith<"", "a", "equal", "$_self">]>,
            TypesMatchWith<"", "a", "computed", "f($_self)">]> {
          let arguments = (ins AnyTensor:$a, AnyTensor:$b);
          let results = (outs
            AnyTensor:$same, AnyTensor:$equal, AnyTensor:$computed, Index:$index, I1:$bit);
        }
        "#,
    );

    let inferred = operation
        .results
        .iter()
        .map(|result| result.inference)
        .collect::<Vec<_>>();
    assert_eq!(
        inferred,
        [
            TypeInference::Operand(1),
            TypeInference::Operand(0),
            TypeInference::Explicit,
            TypeInference::Index,
            TypeInference::Integer(1),
        ]
    );
}

#[test]
fn types_of_variadic_results_are_inferred_from_variadic_operands_only() {
    let operation = read_one(
        r#"
        def Toy_Op1 : Toy_Op<"infer", [
            SameVariadicResultSize, AllTypesMatch<["a", "one"]>,
            RangedTypesMatchWith<"", "b", "many", "$_self">]> {
          let arguments = (ins AnyTensor:$a, Variadic<AnyTensor>:$b);
          let results = (outs Variadic<AnyTensor>:$one, Variadic<AnyTensor>:$many);
        }
        "#,
    );

    assert_eq!(operation.results[0].inference, TypeInference::Explicit);
    assert_eq!(operation.results[1].inference, TypeInference::Operand(1));
    assert_eq!(operation.result_segments, Segments::Equal);
}

#[test]
fn attributes_keep_their_kind_and_presence() {
    let operation = read_one(
        r#"
        def Toy_Op1 : Toy_Op<"attributes"> {
          let arguments = (ins
            I64Attr:$required,
            OptionalAttr<DenseI64ArrayAttr>:$optional,
            DefaultValuedAttr<BoolAttr, "true">:$defaulted,
            ConfinedAttr<I32Attr, [IntPositive]>:$confined,
            UnitAttr:$unit,
            Arg<FlatSymbolRefAttr, "decorated">:$symbol,
            AnyAttr:$any);
        }
        "#,
    );

    let found = operation
        .attributes
        .iter()
        .map(|attribute| {
            (
                attribute.name.as_str(),
                attribute.kind.clone(),
                attribute.presence,
            )
        })
        .collect::<Vec<_>>();
    assert_eq!(
        found,
        [
            (
                "required",
                AttributeKind::Integer(Some(Number::Signless(64))),
                Presence::Required
            ),
            ("optional", AttributeKind::DenseI64Array, Presence::Optional),
            ("defaulted", AttributeKind::Bool, Presence::Default),
            (
                "confined",
                AttributeKind::Integer(Some(Number::Signless(32))),
                Presence::Required
            ),
            ("unit", AttributeKind::Unit, Presence::Optional),
            ("symbol", AttributeKind::FlatSymbolRef, Presence::Required),
            ("any", AttributeKind::Any, Presence::Required),
        ]
    );
}

#[test]
fn constraints_have_a_name_that_can_be_looked_up() {
    let operation = read_one(
        r#"
        def Toy_Op1 : Toy_Op<"constraints"> {
          let arguments = (ins
            Variadic<AnyTensor>:$named, TensorOf<[F32]>:$anonymous, OptionalAttr<StrAttr>:$string);
        }
        "#,
    );

    assert_eq!(operation.operands[0].constraint, "AnyTensor");
    assert_eq!(operation.operands[0].arity, Arity::Variadic);
    assert_eq!(
        operation.operands[1].constraint,
        "tensor of 32-bit float values"
    );
    assert_eq!(operation.attributes[0].constraint, "StrAttr");
}

#[test]
fn unnamed_results_get_names() {
    let operation = read_one(
        r#"def Toy_Op1 : Toy_Op<"pair"> { let results = (outs AnyTensor, AnyTensor:$second); }"#,
    );

    assert_eq!(operation.results[0].name, "result_0");
    assert_eq!(operation.results[1].name, "second");
}

#[test]
fn upstream_dialects_are_read() {
    for (name, file, operation) in [
        ("arith", "mlir/Dialect/Arith/IR/ArithOps.td", "arith.addi"),
        ("func", "mlir/Dialect/Func/IR/FuncOps.td", "func.call"),
        (
            "tensor",
            "mlir/Dialect/Tensor/IR/TensorOps.td",
            "tensor.insert_slice",
        ),
    ] {
        let dialect = Source::file(file)
            .include(llvm_include_directory().unwrap())
            .read(name)
            .unwrap();

        assert!(
            dialect
                .operations
                .iter()
                .any(|candidate| candidate.name == operation)
        );
        emit(&dialect).unwrap();
    }
}

#[test]
fn several_variadic_operands_need_a_trait() {
    let error = read(
        r#"
        def Toy_Op1 : Toy_Op<"ambiguous"> {
          let arguments = (ins Variadic<AnyTensor>:$a, Variadic<AnyTensor>:$b);
        }
        "#,
    )
    .unwrap_err();

    assert_eq!(
        error.to_string(),
        "`toy.ambiguous` has several variadic values and no trait that divides them, which the \
         generator does not support"
    );
}

#[test]
fn parts_of_the_same_name_are_refused() {
    let dialect = read(
        r#"
        def Toy_Op1 : Toy_Op<"twice"> {
          let arguments = (ins AnyTensor:$value);
          let results = (outs AnyTensor:$value);
        }
        "#,
    )
    .unwrap();

    assert!(
        matches!(emit(&dialect).unwrap_err(), Error::Unsupported { feature, .. } if feature.contains("`value`"))
    );
}

#[test]
fn successors_are_read_and_emitted() {
    let source = r#"
        def Toy_Op1 : Toy_Op<"jump"> {
          let successors = (successor AnySuccessor:$target, VariadicSuccessor<AnySuccessor>:$others);
        }"#;
    let operation = read_one(source);
    let successors = operation.successors.iter();
    let successors: Vec<_> = successors
        .map(|one| (one.name.as_str(), one.arity))
        .collect();
    assert_eq!(
        successors,
        [("target", Arity::Single), ("others", Arity::Variadic)]
    );

    let text = emit(&read(source).unwrap()).unwrap();
    for signature in [
        "pub fn target(mut self, block: ::iree_dialects::support::BlockRef<'c, 'a>)",
        "pub fn others(&self) -> Vec<::iree_dialects::support::BlockRef<'c, 'a>>",
        "pub fn set_target(",
    ] {
        assert!(text.contains(signature), "{signature}");
    }
    assert!(!text.contains("pub fn set_others("));
}

#[test]
fn properties_are_attributes_of_any_kind() {
    let operation = read_one(
        r#"
        include "mlir/IR/Properties.td"
        def Toy_Op1 : Toy_Op<"property"> {
          let arguments = (ins I64Prop:$count, UnitProp:$flag, DefaultValuedProp<I64Prop, "3">:$size);
        }
        "#,
    );
    let attributes = operation.attributes.iter();
    let attributes: Vec<_> = attributes
        .map(|one| (one.name.as_str(), one.kind.clone(), one.presence))
        .collect();
    assert_eq!(
        attributes,
        [
            ("count", AttributeKind::Any, Presence::Required),
            ("flag", AttributeKind::Unit, Presence::Optional),
            ("size", AttributeKind::Any, Presence::Default),
        ]
    );
}

#[test]
fn generated_types_have_names_of_rust_that_no_view_has() {
    let dialect = read(
        r#"
        include "mlir/IR/EnumAttr.td"
        def Toy_Enum : I32EnumAttr<"sched_OneOperation", "", [I32EnumAttrCase<"a", 0>]> {
          let cppNamespace = "::toy";
        }
        def Toy_Op1 : Toy_Op<"any">;
        "#,
    )
    .unwrap();
    let text = emit(&dialect).unwrap();
    assert!(text.contains("pub struct AnyOpOperation<"), "{text}");
    let names: Vec<_> = dialect.enumerations.iter().map(|one| &one.name).collect();
    assert_eq!(names, ["SchedOneOperationKind"]);
}

#[test]
fn parameters_that_may_be_left_out_stand_in_groups() {
    let dialect = read(
        r#"
        include "mlir/IR/EnumAttr.td"
        def Toy_Kind : I32EnumAttr<"KindType", "", [I32EnumAttrCase<"A", 0, "a">]> {
          let cppNamespace = "::toy";
        }
        class Toy_Attr<string name> : AttrDef<Toy_Dialect, name> { let mnemonic = name; }
        def Toy_OneAttr : Toy_Attr<"One"> {
          let parameters = (ins
            "::toy::KindType":$kind,
            OptionalParameter<"::std::optional<::toy::KindType>">:$other,
            OptionalParameter<"int64_t">:$size,
            OptionalArrayRefParameter<"int64_t">:$axes,
            DefaultValuedParameter<"int64_t", "3">:$count
          );
          let assemblyFormat = "`<` $kind (`with` $other^)? (`,` `size` `=` $size^)? (`[` $axes^ `]`)? `:` $count `>`";
        }
        // Three is no number to leave out.
        def Toy_TwoAttr : Toy_Attr<"Two"> {
          let parameters = (ins DefaultValuedParameter<"int64_t", "3">:$count);
          let assemblyFormat = "`<` (`count` $count^)? `>`";
        }
        def Toy_Op1 : Toy_Op<"any">;
        "#,
    )
    .unwrap();
    let [definition] = dialect.definitions.as_slice() else {
        panic!("{:?}", dialect.definitions);
    };
    let literal = |text: &str| Piece::Literal(text.to_owned());
    assert_eq!(
        definition.syntax,
        [
            Piece::Parameter(0),
            Piece::Group(vec![literal("with"), Piece::Parameter(1)]),
            Piece::Group(vec![
                literal(","),
                literal("size"),
                literal("="),
                Piece::Parameter(2)
            ]),
            Piece::Group(vec![Piece::Parameter(3)]),
            literal(":"),
            Piece::Parameter(4),
        ]
    );
    let parameters = definition.parameters.iter();
    let parameters = parameters.map(|one| (one.optional, one.is_nullable()));
    assert_eq!(
        parameters.collect::<Vec<_>>(),
        [
            (false, false),
            (true, true),
            (true, false),
            (true, false),
            (false, false)
        ]
    );
    let text = emit(&dialect).unwrap();
    assert!(text.contains("pub other: Option<KindType>"), "{text}");
    assert!(text.contains("pub size: i64"), "{text}");
}

#[test]
fn checks_are_emitted_for_each_operation() {
    let dialect = read(
        r#"
        def Toy_AOp : Toy_Op<"a"> { let arguments = (ins AnyTensor:$x, OptionalAttr<StrAttr>:$note); }
        def Toy_BOp : Toy_Op<"b.c">;
        "#,
    )
    .unwrap();
    insta::assert_snapshot!(emit_checks(&dialect).unwrap());
}

#[test]
fn a_dialect_without_operations_is_refused() {
    assert!(matches!(read("").unwrap_err(), Error::NoOperations(name) if name == "toy"));
}

#[test]
fn malformed_table_gen_is_refused() {
    assert!(
        matches!(read("def").unwrap_err(), Error::TableGen { dialect, .. } if dialect == "toy")
    );
}

#[test]
fn a_missing_file_is_refused() {
    let error = Source::file("no/such/file.td").read("toy").unwrap_err();

    assert!(matches!(error, Error::TableGen { .. }));
}

#[test]
fn operations_that_are_not_wanted_are_left_out() {
    let mut dialect = read(
        r#"
        def Toy_OneOp : Toy_Op<"one">;
        def Toy_TwoOp : Toy_Op<"a.two">;
        "#,
    )
    .unwrap();
    let set = |name: &str| BTreeSet::from([name.to_owned()]);
    let error = dialect.retain(&set("three")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the dialect `toy` has no operation `three`"
    );
    dialect.retain(&set("a.two")).unwrap();
    let names = dialect.operations.iter().map(|one| one.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["toy.a.two"]);
}
