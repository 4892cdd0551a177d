//! What has no derivative is refused, with the operation and the reason.

use crate::check::{last, module};
use iree_dsl_transform::{Error, is_linear, jvp, vjp};

fn error(parameters: &str, results: &str, body: &str, inputs: &[usize]) -> String {
    let text = format!("module @m {{ func public @f({parameters}) -> {results} {{ {body} }} }}");
    let module = module(&text);
    let forward = jvp(&module, last(&module), inputs).map(|_| ());
    let reverse = vjp(&module, last(&module), inputs).map(|_| ());
    assert_eq!(forward, reverse);
    forward.expect_err("it has no derivative").to_string()
}

#[test]
fn inputs_are_numbers_that_results_depend_on() {
    let integers = error("%0 n: Tensor<i32>", "Tensor<i32>", "return %0", &[0]);
    assert_eq!(
        integers,
        "`n` is a `Tensor<i32>`: only real and complex numbers have derivatives"
    );
    let unused = "no result of `f` depends on `x`";
    let body = "%2 = sin %1 : Tensor<f64> return %2";
    assert_eq!(
        error(
            "%0 x: Tensor<f64>, %1 y: Tensor<f64>",
            "Tensor<f64>",
            body,
            &[0, 1]
        ),
        unused
    );
    let twice = error("%0 x: Tensor<f64>", "Tensor<f64>", "return %0", &[0, 0]);
    assert_eq!(twice, "`f` has no parameter 0 beside the others");
}

#[test]
fn operations_without_a_rule_are_named() {
    let body = "%1 = import %0 name \"g\" parameters [\"x\": Tensor<f64>] results [Tensor<f64>] : Tensor<f64> return %1";
    let unknown = error("%0 x: Tensor<f64>", "Tensor<f64>", body, &[0]);
    assert_eq!(
        unknown,
        "`import` is not differentiable: what it computes is not known here"
    );
    let body = "%1 = mlir %0 arguments [\"x\"] results [Tensor<f64>] text \"return\" : Tensor<f64> return %1";
    let unknown = error("%0 x: Tensor<f64>", "Tensor<f64>", body, &[0]);
    assert_eq!(
        unknown,
        "`mlir` is not differentiable: what it computes is not known here"
    );
}

#[test]
fn functions_are_those_of_the_module() {
    let text = "module @m { func public @f(%0 x: Tensor<f64>) -> Tensor<f64> { return %0 } }";
    let (one, none) = (module(text), module("module @m { }"));
    assert_eq!(jvp(&none, last(&one), &[0]), Err(Error::NoFunction(0)));
}

#[test]
fn functions_are_linear_or_not() {
    let linear = |body: &str| {
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64>, %1 dx: Tensor<f64>) -> Tensor<f64> {{ {body} }} }}"
        );
        let module = module(&text);
        is_linear(module.module(), last(&module), 1..2, 0..1).expect("rules")
    };
    assert!(linear(
        "%2 = sin %0 : Tensor<f64> %3 = multiply %1, %2 : Tensor<f64> return %3"
    ));
    assert!(linear("return %0"));
    assert!(linear("return %1"));
    assert!(!linear("%2 = multiply %1, %1 : Tensor<f64> return %2"));
    assert!(!linear("%2 = sin %1 : Tensor<f64> return %2"));
    assert!(!linear("%2 = floor %1 : Tensor<f64> return %2"));
    let branch = "%2 = less %IF, %0 : Tensor<bool>
        %3 = if %2 : Tensor<f64> region() { return %1 } region() {
            %4 = add %1, %1 : Tensor<f64> return %4 } return %3";
    assert!(linear(&branch.replace("%IF", "%0")));
    assert!(!linear(&branch.replace("%IF", "%1")));
}
