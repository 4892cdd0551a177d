//! What MLIR says of operations of a dialect that it was told of while running.

use iree_dialects::{
    Arity, AttributeValue, DialectInfo, OperationInfo, Patterns, Pipeline, RegionInfo, Segments,
    SuccessorInfo, TypeValue, func, parse, prelude::*, testing, verify,
};
use ttx::ttx::{
    AnyOperation, DIALECT, Layout, LoadTileOperation, Memory, OPERATIONS, PackOperation, Place,
    ReluOperation, Rounding, TileType,
};

const TILE: &str = "tensor<32x32xf32>";

fn messages(text: &str) -> String {
    let context = ttx::context().unwrap();
    let text = text.replace("TILE", TILE);
    match parse(&context, &text) {
        Ok(_) => "fine".to_owned(),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let found = messages(text);
    assert!(found.contains(message), "{found}");
}

#[test]
fn right_operations_are_fine() {
    let text = r#"
        func.func @run(%x: TILE, %i: index) {
            "ttx.configure"() {cores = 4 : i64} : () -> ()
                %t = "ttx.load_tile"(%x, %i, %i) {memory = #ttx.memory<"l1">} : (TILE, index, index) -> TILE
                %p = "ttx.matmul"(%t, %t) : (TILE, TILE) -> TILE
                %q = "ttx.matmul"(%t, %t, %p) : (TILE, TILE, TILE) -> TILE
                %r = "ttx.relu"(%q) : (TILE) -> TILE
                "ttx.store_tile"(%r, %x, %i, %i) : (TILE, TILE, index, index) -> ()
            return
        }"#;
    assert_eq!(messages(text), "fine");
}

#[test]
fn wrong_operations_are_refused() {
    refused(
        r#"func.func @run(%x: TILE) { %r = "ttx.relu"(%x, %x) : (TILE, TILE) -> TILE return }"#,
        "op expects exactly 1 operands, but got 2",
    );
    refused(
        r#"func.func @run(%x: TILE) { "ttx.relu"(%x) : (TILE) -> () return }"#,
        "op expects exactly 1 results, but got 0",
    );
    refused(
        r#"func.func @run(%x: f32) { %r = "ttx.relu"(%x) : (f32) -> f32 return }"#,
        "expected base type 'builtin.tensor'",
    );
    refused(
        r#"func.func @run(%x: TILE) { %r = "ttx.relu"(%x) : (TILE) -> tensor<4xf32> return }"#,
        "expected 'tensor<32x32xf32>' but got 'tensor<4xf32>'",
    );
    refused(
        r#"func.func @run(%x: TILE, %i: i32) {
            %t = "ttx.load_tile"(%x, %i) {memory = #ttx.memory<"l1">} : (TILE, i32) -> TILE return }"#,
        "expected 'index' but got 'i32'",
    );
}

#[test]
fn attributes_are_checked() {
    refused(
        r#"func.func @run(%x: TILE) { %t = "ttx.load_tile"(%x) : (TILE) -> TILE return }"#,
        "attribute \"memory\" is expected but not provided",
    );
    refused(
        r#""ttx.configure"() {cores = "all"} : () -> ()"#,
        "expected base attribute 'builtin.integer'",
    );
    refused(
        r#"func.func @run(%x: TILE) {
            %t = "ttx.load_tile"(%x) {memory = "l1"} : (TILE) -> TILE return }"#,
        "expected base attribute 'ttx.memory'",
    );
    refused(r#""ttx.unknown"() : () -> ()"#, "ttx.unknown");
}

#[test]
fn what_builders_make_is_verified() {
    let context = ttx::context().unwrap();
    let location = Location::new(&context, "kernel.py", 1, 1);
    let scalar = Type::float32(&context);
    let module = Module::new(location);
    let block = Block::new(&[(scalar, location)]);
    ReluOperation::builder(&context, location)
        .operand(block.argument(0).unwrap())
        .append_to(&block)
        .unwrap();
    func::ReturnOperation::builder(&context, location)
        .operands(&[])
        .append_to(&block)
        .unwrap();
    let body = Region::new();
    body.append_block(block);
    let function = TypeAttribute::new(types::function(&context, &[scalar], &[]));
    func::FuncOperation::builder(&context, location)
        .sym_name(StringAttribute::new(&context, "run"))
        .function_type(function)
        .body(body)
        .append_to(&module.body())
        .unwrap();
    let message = verify(&module).unwrap_err().to_string();
    assert!(
        message.contains("expected base type 'builtin.tensor'"),
        "{message}"
    );
}

#[test]
fn a_dialect_is_registered_once() {
    let context = ttx::context().unwrap();
    let error = iree_dialects::register(&context, DIALECT).unwrap_err();
    assert_eq!(
        error.to_string(),
        "MLIR cannot register the dialect `ttx`: error: the context has it already"
    );
    let error = iree_dialects::register(&context, iree_dialects::arith::DIALECT).unwrap_err();
    assert!(error.to_string().contains("`arith`"), "{error}");
    let error = iree_dialects::register(&context, iree_dialects::flow::DIALECT).unwrap_err();
    assert!(
        error.to_string().contains("names of one dot only"),
        "{error}"
    );
}

#[test]
fn regions_are_counted() {
    const HOLD: OperationInfo = OperationInfo {
        name: "toy.hold",
        summary: "",
        operands: &[],
        operand_segments: Segments::Positional,
        attributes: &[],
        results: &[],
        result_segments: Segments::Positional,
        regions: &[RegionInfo {
            name: "body",
            arity: Arity::Single,
        }],
        successors: &[],
    };
    let context = iree_dialects::context();
    const TOY: DialectInfo = DialectInfo {
        name: "toy",
        enumerations: &[],
        definitions: &[],
        operations: &[HOLD],
    };
    iree_dialects::register(&context, &TOY).unwrap();
    parse(&context, r#""toy.hold"() ({}) : () -> ()"#).unwrap();
    let message = parse(&context, r#""toy.hold"() : () -> ()"#)
        .unwrap_err()
        .to_string();
    assert!(message.contains("expected 1 but got 0"), "{message}");
    let any = OperationInfo {
        regions: &[RegionInfo {
            name: "cases",
            arity: Arity::Variadic,
        }],
        name: "other.switch",
        ..HOLD
    };
    let other = DialectInfo {
        name: "other",
        operations: Box::leak(Box::new([any])),
        ..TOY
    };
    let error = iree_dialects::register(&context, &other).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`other.switch` cannot be registered: IRDL counts regions"
    );
}

#[test]
fn successors_are_not_registered() {
    const JUMP: DialectInfo = DialectInfo {
        name: "toy",
        enumerations: &[],
        definitions: &[],
        operations: &[OperationInfo {
            name: "toy.jump",
            summary: "",
            operands: &[],
            operand_segments: Segments::Positional,
            attributes: &[],
            results: &[],
            result_segments: Segments::Positional,
            regions: &[],
            successors: &[SuccessorInfo {
                name: "target",
                arity: Arity::Single,
            }],
        }],
    };
    let error = iree_dialects::register(&iree_dialects::context(), &JUMP).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`toy.jump` cannot be registered: IRDL has no terminators"
    );
}

#[test]
fn operations_are_data() {
    let load = OPERATIONS
        .iter()
        .find(|one| one.name == LoadTileOperation::NAME);
    assert_eq!(load.unwrap().summary, "a tile of a tensor in memory");
}

/// A pass of the vendor's, tested by comments in what it runs on.
#[test]
fn a_relu_of_a_relu_is_one() {
    let fold = Patterns::new().on(ReluOperation::NAME, |operation, _| {
        let operand = ReluOperation::try_from(operation)?.operand()?;
        let inner = operand
            .defining_operation()
            .and_then(|one| one.cast::<ReluOperation>());
        Ok(inner.map(|_| vec![operand]))
    });
    let pipeline = Pipeline::new("builtin.module").patterns("fold-relu", fold);
    let context = ttx::context().unwrap();
    let case = r#"
        func.func @run(%x: TILE) -> TILE {
            // check: $(once=%\w+) = "ttx.relu"(%arg0)
            // not: ttx.relu
            // nextln: return $once
            %0 = "ttx.relu"(%x) : (TILE) -> TILE
            %1 = "ttx.relu"(%0) : (TILE) -> TILE
            %2 = "ttx.relu"(%1) : (TILE) -> TILE
            return %2 : TILE
        }"#;
    testing::check(&context, &case.replace("TILE", TILE), &pipeline).unwrap();
    let wrong = case.replace("return $once", "return %arg0");
    let message = testing::check(&context, &wrong.replace("TILE", TILE), &pipeline);
    let message = message.unwrap_err().to_string();
    assert!(message.contains("\\breturn %arg0"), "{message}");
    let none = testing::check(&context, "module {}", &pipeline).unwrap_err();
    assert_eq!(none.to_string(), "no comment says what to check");
}

const PACK: &str = r#"func.func @run(%x: TILE) {
    %t = "ttx.pack"(%x) {
        layout = #ttx.layout<array<i64: 0, 1>, "dram">, rounding = ROUNDING : i32
    } : (TILE) -> RESULT
    return
}"#;

#[test]
fn enumerations_and_types_are_checked() {
    let pack = |rounding: &str, result: &str| {
        messages(&PACK.replace("ROUNDING", rounding).replace("RESULT", result))
    };
    let tile = "!ttx.tile<32 : i64, 32 : i64, f32>";
    assert_eq!(pack("1", tile), "fine");
    let found = pack("2", tile);
    assert!(found.contains("2 : i32"), "{found}");
    let found = pack("1", "f32");
    assert!(found.contains("expected base type 'ttx.tile'"), "{found}");
    refused(
        r#"func.func private @run(!ttx.tile<f32, 32 : i64, f32>)"#,
        "expected base attribute 'builtin.integer'",
    );
    refused(
        r#"func.func private @run() attributes {at = #ttx.memory<"l2">}"#,
        "does not satisfy the constraint",
    );
}

#[test]
fn attributes_and_types_are_values() {
    let context = ttx::context().unwrap();
    let layout = Layout {
        order: vec![1, 0],
        memory: Memory::L1,
    };
    let attribute = layout.to_attribute(&context).unwrap();
    assert_eq!(
        attribute.to_string(),
        r#"#ttx.layout<array<i64: 1, 0>, "l1">"#
    );
    assert_eq!(Layout::try_from(attribute).unwrap(), layout);
    let memory = Memory::Dram.to_attribute(&context).unwrap();
    assert_eq!(Memory::try_from(memory).unwrap(), Memory::Dram);
    assert_eq!(
        Layout::try_from(memory).unwrap_err().to_string(),
        r##"`#ttx.memory<"dram">` is no `#ttx.layout`"##
    );
    for (second, text) in [
        (Some(Memory::Dram), r#"#ttx.place<"l1", "dram">"#),
        (None, r#"#ttx.place<"l1", unit>"#),
    ] {
        let place = Place {
            first: Memory::L1,
            second,
        };
        let attribute = place.to_attribute(&context).unwrap();
        assert_eq!(attribute.to_string(), text);
        assert_eq!(Place::try_from(attribute).unwrap(), place);
    }
    let tile = TileType {
        rows: 8,
        columns: 16,
        element: Type::float32(&context),
    };
    let r#type = tile.to_type(&context).unwrap();
    assert_eq!(TileType::try_from(r#type).unwrap(), tile);
    assert!(TileType::try_from(Type::float32(&context)).is_err());
}

#[test]
fn operations_are_matched_and_changed() {
    let context = ttx::context().unwrap();
    let text = PACK
        .replace("TILE", TILE)
        .replace("ROUNDING", "0")
        .replace("RESULT", "!ttx.tile<32, 32, f32>");
    let module = parse(&context, &text).unwrap();
    let function = module.body().first_operation().unwrap();
    let body = function.region(0).unwrap().first_block().unwrap();
    let AnyOperation::Pack(pack) = AnyOperation::try_from(body.first_operation().unwrap()).unwrap()
    else {
        panic!("a `ttx.pack` comes first");
    };
    assert_eq!(pack.rounding().unwrap(), Rounding::Nearest);
    pack.set_rounding(Rounding::Stochastic).unwrap();
    pack.set_layout(Layout {
        order: vec![0],
        memory: Memory::L1,
    })
    .unwrap();
    assert_eq!(pack.rounding().unwrap(), Rounding::Stochastic);
    assert_eq!(pack.layout().unwrap().memory, Memory::L1);
    verify(&module).unwrap();
    assert_eq!(
        AnyOperation::try_from(function).unwrap_err().to_string(),
        "expected the operation `ttx`, found `func.func`"
    );
    assert!(PackOperation::try_from(function).is_err());
}

/// What is generated for each operation, checked by what is generated for that.
mod generated {
    iree_dialects::include_checks!("ttx", ttx::ttx);

    #[test]
    fn every_operation_is_built_read_back_and_changed() {
        let context = iree_dialects::melior::Context::new();
        let report = iree_dialects::testing::run(&context, CHECKS);
        assert_eq!(report.operations, super::OPERATIONS.len());
        println!("ttx: {}", report.into_result().unwrap());
    }

    #[test]
    fn every_operation_is_built_and_changed_where_mlir_knows_it() {
        let report = iree_dialects::testing::run(&ttx::context().unwrap(), CHECKS);
        assert_eq!(report.known, super::OPERATIONS.len());
        println!("ttx: {}", report.into_result().unwrap());
    }
}
