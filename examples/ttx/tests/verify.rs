//! What MLIR says of operations of a dialect that it was told of while running.

use iree_dialects::{Arity, OperationInfo, RegionInfo, Segments, func, parse, prelude::*, verify};
use ttx::ttx::{LoadTileOperation, OPERATIONS, ReluOperation};

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
                %t = "ttx.load_tile"(%x, %i, %i) {memory = "l1"} : (TILE, index, index) -> TILE
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
            %t = "ttx.load_tile"(%x, %i) {memory = "l1"} : (TILE, i32) -> TILE return }"#,
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
    let error = iree_dialects::register(&context, OPERATIONS).unwrap_err();
    assert_eq!(
        error.to_string(),
        "MLIR cannot register the dialect `ttx`: error: the context has it already"
    );
    let error = iree_dialects::register(&context, iree_dialects::arith::OPERATIONS).unwrap_err();
    assert!(error.to_string().contains("`arith`"), "{error}");
    let error = iree_dialects::register(&context, iree_dialects::flow::OPERATIONS).unwrap_err();
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
    };
    let context = iree_dialects::context();
    iree_dialects::register(&context, &[HOLD]).unwrap();
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
    let error = iree_dialects::register(&context, &[any]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`other.switch` cannot be registered: IRDL counts regions"
    );
}

#[test]
fn operations_are_data() {
    let load = OPERATIONS
        .iter()
        .find(|one| one.name == LoadTileOperation::NAME);
    assert_eq!(load.unwrap().summary, "a tile of a tensor in memory");
}
