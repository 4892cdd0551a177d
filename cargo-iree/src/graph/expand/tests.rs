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

const DESCRIPTION: &str = r#"{"program": "p", "package": "q", "version": "", "opt": "", "flags": [], "artifacts": [],
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

#[test]
fn a_program_is_drawn_as_lines_kernels_and_globals() {
    let folder = tempfile::tempdir().unwrap();
    let sources = Sources::new(folder.path());
    let program = Program {
        functions: &functions(&lines(MODULE)),
        sources: &sources,
        description: &serde_json::from_str(DESCRIPTION).unwrap(),
        only: &[],
        all: false,
    };
    insta::assert_snapshot!(shown(&procedures(&program), 0));
}
