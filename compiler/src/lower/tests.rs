use super::*;
use crate::legalize::{Manner, legalize};
use iree_dsl_ir::{text, verify::verify};
use proc_macro2::{TokenStream, TokenTree};

const MODULE: &str = "module @m {
  global mutable @g: Tensor<u8, 2> = [1, 2]
  func private @double(%0 x: Tensor<f32, 2>) -> Tensor<f32, 2> {
    %1 = add %0, %0 : Tensor<f32, 2>
    return %1
  }
  func public @run(%0 x: Tensor<f32, 2>) -> Tensor<f32, 2> {
    %1 = call @double %0 : Tensor<f32, 2>
    return %1
  }
}";

fn module() -> ir::Module {
    text::parse(MODULE).expect("it is a module")
}

fn legalized(module: ir::Module) -> Legalized {
    let verified = verify(module).expect("it is sound");
    legalize(&verified, &Manner::default()).expect("it is sound after all passes")
}

#[test]
fn the_same_module_gives_the_same_text() {
    let texts = [(); 2].map(|()| lower(&legalized(module()), None).expect("it has a form in MLIR"));
    assert_eq!(texts[0], texts[1]);
    assert!(!texts[0].contains("loc("));
}

#[test]
fn operations_carry_the_place_of_their_expression() {
    let source: TokenStream = "x\n  +\n      y".parse().expect("these are tokens");
    let plus = source.into_iter().nth(1).as_ref().map(TokenTree::span);
    let plus = plus.expect("there are three tokens");
    let mut table = SpanTable::new();
    let span = table.insert(plus, plus);
    let mut module = module();
    let (double, _) = module.functions.iter().next().expect("it has functions");
    let function = module.functions.get_mut(double).expect("it has functions");
    let (add, _) = function.operations.iter().next().expect("it adds");
    function.operations.get_mut(add).expect("it adds").span = span;

    let text = lower(&legalized(module), Some(&table)).expect("it has a form in MLIR");
    let file = plus.file();
    assert!(text.contains(&format!("loc(\"{file}\":2:3)")), "{text}");
}
