use super::*;
use crate::mlir::{functions, lines};

const MODULE: &str = r#"module @p {
  func.func private @leaf_f32_3(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.negate"(%arg0) : (tensor<3xf32>) -> tensor<3xf32> loc("a.rs":2:1)
    return %0 : tensor<3xf32>
  } loc("a.rs":1:1)
  func.func private @outer_f32_3(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
    %0 = call @leaf_f32_3(%arg0) : (tensor<3xf32>) -> tensor<3xf32> loc("a.rs":4:1)
    %1 = "stablehlo.add"(%0, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("a.rs":4:1)
    return %1 : tensor<3xf32>
  } loc("a.rs":3:1)
  func.func public @run(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "util.global.load"() <{global = @p.w}> : () -> tensor<3xf32> loc("a.rs":7:1)
    %1 = "stablehlo.constant"() <{value = dense<1.0> : tensor<3xf32>}> : () -> tensor<3xf32> loc("a.rs":6:1)
    %2 = "stablehlo.add"(%arg0, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("a.rs":6:1)
    %3 = call @outer_f32_3(%2, %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("a.rs":7:1)
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("a.rs":6:1)
    %5 = "stablehlo.negate"(%4) : (tensor<3xf32>) -> tensor<3xf32> loc("a.rs":9:1)
    "util.global.store"(%4) <{global = @p.w}> : (tensor<3xf32>) -> () loc("a.rs":8:1)
    return %4 : tensor<3xf32>
  } loc("a.rs":5:1)
}"#;

const DESCRIPTION: &str = r#"{"program": "p", "package": "q", "source": "", "version": "", "opt": "", "flags": [], "artifacts": [],
        "globals": [{"name": "p.w", "type": "Tensor<f32, 3>", "mutable": true, "supplied": null}],
        "signature": {"name": "p", "parameters": [], "state": [], "imports": [], "sites": [], "functions": [
            {"name": "run", "requirements": [], "results": [{"path": "", "type": "Tensor<f32, 3>"}],
             "parameters": [{"name": "x", "leaves": [{"path": "", "type": "Tensor<f32, 3>"}]}]}]}}"#;

/// What is drawn, one box a line, with what leads to it.
fn shown(graph: &Graph, indent: usize) -> String {
    let nodes = graph.nodes.iter().enumerate().map(|(index, node)| {
        let above = graph.edges().into_iter().filter(|(_, to)| *to == index);
        let above: Vec<_> = above
            .map(|(from, _)| graph.nodes[from].title.clone())
            .collect();
        let inner = node
            .inner
            .as_ref()
            .map_or_else(String::new, |inner| shown(inner, indent + 2));
        let Node {
            kind,
            title,
            detail,
            ..
        } = node;
        format!(
            "{:indent$}{kind:?} {title} ({detail}) of {above:?}\n{inner}",
            ""
        )
    });
    nodes.collect()
}

const LOOP: &str = r#"module @p {
  func.func public @run(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "util.global.load"() <{global = @p.w}> : () -> tensor<3xf32> loc("a.rs":5:1)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("a.rs":5:1)
    %2 = "util.optimization_barrier"(%1) : (tensor<i32>) -> tensor<i32> loc("a.rs":5:1)
    %3 = "stablehlo.add"(%arg0, %2) : (tensor<3xf32>, tensor<i32>) -> tensor<3xf32> loc("a.rs":5:1)
    %4 = "stablehlo.compare"(%1, %0) : (tensor<i32>, tensor<3xf32>) -> tensor<i1> loc("a.rs":5:1)
    cf.cond_br %4, ^bb1(%3, %1 : tensor<3xf32>, tensor<i32>), ^bb2(%3 : tensor<3xf32>) loc("a.rs":5:1)
  ^bb1(%5: tensor<3xf32> loc("a.rs":5:1), %6: tensor<i32> loc("a.rs":5:1)):  // 2 preds: ^bb0, ^bb1
    %7 = "stablehlo.multiply"(%5, %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("a.rs":6:1)
    %8 = "stablehlo.add"(%6, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("a.rs":5:1)
    cf.cond_br %4, ^bb2(%7 : tensor<3xf32>), ^bb1(%7, %8 : tensor<3xf32>, tensor<i32>) loc("a.rs":5:1)
  ^bb2(%9: tensor<3xf32> loc("a.rs":5:1)):  // 2 preds: ^bb0, ^bb1
    cf.cond_br %4, ^bb3, ^bb4 loc("a.rs":8:1)
  ^bb3:  // pred: ^bb2
    %10 = "stablehlo.negate"(%9) : (tensor<3xf32>) -> tensor<3xf32> loc("a.rs":9:1)
    cf.br ^bb5(%10 : tensor<3xf32>) loc("a.rs":8:1)
  ^bb4:  // pred: ^bb2
    cf.br ^bb5(%0 : tensor<3xf32>) loc("a.rs":8:1)
  ^bb5(%11: tensor<3xf32> loc("a.rs":8:1)):  // 2 preds: ^bb3, ^bb4
    return %11 : tensor<3xf32> loc("a.rs":4:1)
  } loc("a.rs":4:1)
}"#;

fn drawn(module: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let sources = Sources::new(folder.path());
    let program = Program {
        functions: &functions(&lines(module)),
        sources: &sources,
        description: &serde_json::from_str(DESCRIPTION).unwrap(),
        only: &[],
        all: false,
    };
    shown(&procedures(&program), 0)
}

#[test]
fn loops_and_branches_are_drawn_as_what_they_do() {
    insta::assert_snapshot!(drawn(LOOP));
}

#[test]
fn a_program_is_drawn_as_lines_kernels_and_globals() {
    insta::assert_snapshot!(drawn(MODULE));
}

/// What the compiler of the language adds before a loop, over a tensor whose size only the call knows, and for a branch
/// that depends on the same number.
const COUNTED: &str = r#"module @p {
  func.func public @run(%arg0: tensor<?xf32>, %arg1: tensor<i32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index loc("a.rs":1:1)
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32> loc("a.rs":1:1)
    %extracted = tensor.extract %arg1[] : tensor<i32> loc("a.rs":2:1)
    %0 = "stablehlo.constant"() <{value = dense<-0.0> : tensor<f32>}> : () -> tensor<f32> loc("a.rs":2:1)
    %1 = "util.optimization_barrier"(%0) : (tensor<f32>) -> tensor<f32> loc("a.rs":2:1)
    %sizes = tensor.from_elements %dim : tensor<1xindex> loc("a.rs":2:1)
    %2 = "stablehlo.dynamic_broadcast_in_dim"(%1, %sizes) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<1xindex>) -> tensor<?xf32> loc("a.rs":2:1)
    %3 = "stablehlo.add"(%arg0, %2) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> loc("a.rs":2:1)
    %apart = "iree_tensor_ext.compute_barrier.end"(%3, %dim) : (tensor<?xf32>, index) -> tensor<?xf32> loc("a.rs":2:1)
    %4 = "stablehlo.negate"(%apart) : (tensor<?xf32>) -> tensor<?xf32> loc("a.rs":3:1)
    %5 = arith.sitofp %extracted : i32 to f32 loc("a.rs":4:1)
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<?xf32>, f32) -> tensor<?xf32> loc("a.rs":4:1)
    return %6 : tensor<?xf32>
  } loc("a.rs":1:1)
}"#;

#[test]
fn what_the_language_adds_is_not_drawn() {
    let drawn = drawn(COUNTED);
    assert!(!drawn.contains("a.rs:2"), "{drawn}");
    insta::assert_snapshot!(drawn);
}
