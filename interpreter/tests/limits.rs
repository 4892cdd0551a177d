//! What a module or a call may be wrong with, as errors and never as a panic.

use iree_dsl_interpreter::{Cause, Error, Host, Interpreter, Tensor};
use iree_dsl_ir::{Verified, text, verify};
use std::fmt::Write;

fn verified(text: &str) -> Verified {
    verify(text::parse(text).expect("a module")).expect("a sound module")
}

fn cause(error: Error) -> Cause {
    match error {
        Error::Operation { cause, .. } => *cause,
        other => panic!("{other}"),
    }
}

/// A chain of functions of which each calls the one before.
fn chain(length: usize) -> Verified {
    let mut text =
        "module @m { func public @f0(%0 x: Tensor<f32>) -> Tensor<f32> { return %0 }\n".to_owned();
    for number in 1..length {
        let before = number - 1;
        writeln!(
            text,
            "func public @f{number}(%0 x: Tensor<f32>) -> Tensor<f32> {{ %1 = call @f{before} %0 : Tensor<f32> return %1 }}"
        )
        .expect("a text");
    }
    verified(&(text + "}"))
}

#[test]
fn calls_nest_as_deep_as_the_stack_allows() {
    let mut program = Interpreter::new(chain(1000)).expect("nothing is missing");
    let x = [Tensor::from(1.5_f32)];
    assert_eq!(program.call("f264", &x).expect("not too deep"), x);
    let error = program.call("f999", &x).expect_err("too deep");
    assert!(matches!(cause(error), Cause::Depth(_)));
    assert_eq!(program.call("f3", &x).expect("as before"), x);
}

#[test]
fn branches_nest_as_deep_as_programs_have_them() {
    let depth = 255;
    let mut body = String::from("return %1");
    for level in (0..depth).rev() {
        let result = depth + 1 - level;
        body = format!(
            "%{result} = if %0 : Tensor<f32> region() {{ {body} }} region() {{ return %1 }} return %{result}"
        );
    }
    let text = format!(
        "module @m {{ func public @f(%0 p: Tensor<bool>, %1 x: Tensor<f32>) -> Tensor<f32> {{ {body} }} }}"
    );
    let mut program = Interpreter::new(verified(&text)).expect("nothing is missing");
    let results = program.call("f", &[true.into(), Tensor::from(1.5_f32)]);
    assert_eq!(results.expect("not too deep"), [Tensor::from(1.5_f32)]);
    let mut program = Host::default()
        .load_within(verified(&text))
        .expect("nothing is missing");
    let results = program.call_within("f", &[true.into(), Tensor::from(1.5_f32)]);
    assert_eq!(
        results.expect("not too deep")[0].tensor,
        Tensor::from(1.5_f32)
    );
}

#[test]
fn memory_is_given_back_after_each_round() {
    let text = "module @m { func public @f(%0 x: Tensor<f32, 100>, %1 n: Tensor<i32>) -> Tensor<f32, 100> {
        %2 = constant splat 0 : Tensor<i32>
        %3 = constant splat 1 : Tensor<i32>
        %4, %5 = while %0, %2 : Tensor<f32, 100>, Tensor<i32> region(%6: Tensor<f32, 100>, %7: Tensor<i32>) {
          %8 = less %7, %1 : Tensor<bool>
          return %8
        } region(%9: Tensor<f32, 100>, %10: Tensor<i32>) {
          %11 = add %9, %0 : Tensor<f32, 100>
          %12 = add %10, %3 : Tensor<i32>
          return %11, %12
        }
        return %4
      } }";
    let mut host = Host::default();
    host.memory(5000);
    let mut program = host.load(verified(text)).expect("nothing is missing");
    let x = Tensor::from(ndarray::Array1::from_elem(100, 1.0_f32));
    for _ in 0..2 {
        let results = program.call("f", &[x.clone(), 1000_i32.into()]);
        let results = results.expect("enough memory");
        let expected = ndarray::Array1::from_elem(100, 1001.0_f32);
        assert_eq!(results, [Tensor::from(expected)]);
    }
}

#[test]
fn an_initialiser_that_fails_is_an_error() {
    let text = "module @m {
        global @x: Tensor<f32> = @init result 0
        func private @init() -> Tensor<f32> {
          %0 = constant splat false : Tensor<bool>
          assert @\"never\" %0 site 0
          %1 = constant splat 1.0 : Tensor<f32>
          return %1
        } }";
    let error = Interpreter::new(verified(text)).expect_err("it fails");
    assert_eq!(error.to_string(), "`init`, operation 1 (`assert`): never");
}

#[test]
fn a_global_is_seen_from_outside() {
    let text = "module @m {
        global mutable @x: Tensor<f32> = splat 1.0
        global mutable @y: Tensor<f32> uninitialized
        func public @set(%0 x: Tensor<f32>) { global_store @x %0 return }
      }";
    let mut program = Interpreter::new(verified(text)).expect("nothing is missing");
    assert_eq!(program.global("x"), Some(&1.0_f32.into()));
    program.call("set", &[2.0_f32.into()]).expect("it fits");
    assert_eq!(program.global("x"), Some(&2.0_f32.into()));
    assert_eq!((program.global("y"), program.global("z")), (None, None));
}
