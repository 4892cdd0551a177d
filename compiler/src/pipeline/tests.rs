//! What is said when a program without mistakes cannot be compiled. The compilers are a few lines of
//! shell.

use super::{backend, misplaced, module_name, reason};
use crate::{
    artifact::{Environment, Invocation, Settings},
    ast::Program,
    diagnostic::{Diagnostic, Remark, Report},
    parse::{ModuleKind, Parsed, Source, parse},
    span::SpanTable,
    trace::trace,
};
use quote::quote;
use std::{fs, os::unix::fs::PermissionsExt, process::Command};
use tempfile::TempDir;

const PROGRAM: &str = "mod m {
    struct P;
    impl P {
        pub fn run(&self, a: Tensor<f32, 3>, b: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let product =
                a * b;
            product + a
        }
    }
}";

/// A place with a compiler that does what the script says.
fn environment(directory: &TempDir, script: &str) -> Environment {
    let path = directory.path().join("iree-compile");
    let version = "if [ \"$1\" = --version ]; then echo 'IREE compiler version 3.13.0'; exit; fi";
    fs::write(&path, format!("#!/bin/sh\n{version}\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    // A process that another test is starting may hold the file open for writing.
    while Command::new(&path).arg("--version").output().is_err() {}
    Environment {
        compiler: Some(path),
        target_directory: Some(directory.path().join("target")),
        rustc: Invocation::parse(["rustc", "--emit=link"].map(str::to_owned)),
        ..Environment::detect()
    }
}

/// Code, line, column and message of each mistake, with its notes and help.
fn mistakes(attribute: &str, script: &str) -> Vec<String> {
    mistakes_of(PROGRAM, attribute, script)
}

fn mistakes_of(program: &str, attribute: &str, script: &str) -> Vec<String> {
    build(program, attribute, script).unwrap_err()
}

/// The mistakes, or line, column and text of each remark.
fn build(program: &str, attribute: &str, script: &str) -> Result<Vec<String>, Vec<String>> {
    build_without(&[], program, attribute, script)
}

/// The same of a build that leaves passes out.
fn build_without(
    passes: &[&str],
    program: &str,
    attribute: &str,
    script: &str,
) -> Result<Vec<String>, Vec<String>> {
    let directory = tempfile::tempdir().unwrap();
    let environment = Environment {
        without: passes.iter().map(ToString::to_string).collect(),
        ..environment(&directory, script)
    };
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let attribute = attribute.parse().unwrap();
    let tokens = program.parse().unwrap();
    let source = Source::attributed(ModuleKind::Program, attribute, tokens);
    let Parsed { module, .. } = parse(&source, &mut spans, &mut report).unwrap();
    let program = Program::new(module);
    let traced = trace(&program, &spans, &mut report);
    assert!(report.is_empty(), "{report:?}");
    let built = backend::artifacts(
        traced.module,
        &traced.interface.signature,
        &program,
        &spans,
        &environment,
    );
    let clean = |text: String| {
        let target = &environment.targets(&Settings::default(), false).unwrap()[0];
        let place = directory.path().display().to_string();
        text.replace(&place, "").replace(&target.name, "TARGET")
    };
    let describe = |mistake: &Diagnostic| {
        let at = spans.location(mistake.span);
        let lines = mistake.notes.iter().chain(&mistake.help);
        let lines: String = lines.map(|line| format!(" | {line}")).collect();
        clean(format!(
            "{} {}:{} {}{lines}",
            mistake.code, at.line, at.column, mistake.message
        ))
    };
    let tell = |remark: &Remark| {
        let at = spans.location(remark.span);
        clean(format!("{}:{} {}", at.line, at.column, remark.text))
    };
    match built {
        Ok(built) => Ok(built.remarks.iter().map(tell).collect()),
        Err(mistakes) => Err(mistakes.iter().map(describe).collect()),
    }
}

/// Names the first line of the program that the module has locations of, if it has.
const REFUSES: &str = r#"
for file; do :; done
file=$(grep -l module *.mlir | head -1)
place=$(grep -o '"[^"]*":6:19' $file | head -1 | tr -d '"')
echo "${place:-<unknown>:0}: error: failed to legalize operation 'stablehlo.multiply'" >&2
echo "${place:-<unknown>:0}: error: failed to run the pipeline" >&2
exit 1"#;

#[test]
fn a_refusal_is_told_at_the_expression() {
    let expected = "iree 6:19 the IREE compiler refused this operation: failed to legalize operation \
        'stablehlo.multiply' | compiling `p` for TARGET | \
        `sh /target/iree/iree-dsl-compiler/p.TARGET.failed.sh` shows it again";
    assert_eq!(mistakes("", REFUSES), [expected]);
}

/// Leaves something in the form of a VMFB.
const GOOD: &str = r#"
for last; do :; done
{ printf 'PK\003\004'; cat *.mlir; printf 'PK\005\006'; printf '%018d' 0; } > "$last""#;

#[test]
fn a_refusal_that_another_way_avoids_is_a_warning_at_the_expression() {
    let script = format!("case \"$*\" in *multi-use=false*) {GOOD}\nexit;; esac\n{REFUSES}");
    let expected = "6:19 the IREE compiler refused the program: failed to legalize operation 'stablehlo.multiply'. \
        It compiled another way: tensors of the program that are used more than once are computed in dispatches of \
        their own, and go through memory\nin `p` for TARGET; \
        `sh /target/iree/iree-dsl-compiler/p.TARGET.failed.sh` shows it again";
    assert_eq!(build(PROGRAM, "", &script), Ok(vec![expected.to_owned()]));
}

#[test]
fn a_program_is_lowered_around_an_expression_and_apart() {
    let other = |count: usize| {
        let barriers = format!("test $(grep -c compute_barrier.start *.mlir) = {count}");
        let script = format!("if {barriers}; then {GOOD}\nexit; fi\n{REFUSES}");
        build(PROGRAM, "", &script).unwrap().remove(0)
    };
    let around = other(3);
    assert!(around.contains("way: this expression is"), "{around}");
    let apart = other(2);
    assert!(
        apart.contains("way: each operation of the program is"),
        "{apart}"
    );
}

#[test]
fn a_refusal_in_a_kernel_is_told_with_the_calls_that_lead_there() {
    let program = "mod m {
        struct P;
        impl P {
            pub fn run(&self, a: Tensor<f32, 3>) -> Tensor<f32, 3> {
                outer(a)
            }
        }
        #[kernel] fn outer<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
            let y = inner(x);
            y.exp()
        }
        #[kernel] fn inner<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
            x.tanh()
        }
    }";
    let script = REFUSES.replace(":6:19", ":13:15");
    let said = mistakes_of(program, "", &script);
    let expected = "iree 13:15 the IREE compiler refused this operation: failed to legalize operation \
        'stablehlo.multiply' | in the kernel `inner_f32_3`, called at ";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
    assert!(
        said[0].contains(" | in the kernel `outer_f32_3`, called at "),
        "{said:?}"
    );
}

#[test]
fn a_refusal_is_told_by_the_module_of_its_target() {
    let program = "mod m {
        struct P;
        impl P {
            pub fn run(&self, a: Tensor<bf16, 2, 3>, b: Tensor<bf16, 3, 2>) -> Tensor<bf16, 2, 2> {
                a.dot(b)
            }
        }
    }";
    // Nothing but a product of `bf16` fails.
    let script = r#"
product=$(grep '"\?stablehlo.dot_general.*(tensor<2x3xbf16>' *.mlir) || exec sleep 0
place=$(grep -o '"[^"]*":5:1[0-9]' *.mlir | head -1 | tr -d '"')
echo "${place:-<unknown>:0}: error: no such product" >&2
exit 1"#;
    let said = mistakes_of(program, "targets = [\"cpu:x86-64-v4-bf16\"]", script);
    let expected = "iree 5:19 the IREE compiler refused this operation: no such product";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
}

#[test]
fn a_refusal_without_a_place_is_told_at_the_attribute() {
    let script = "echo 'error: no more memory' >&2; exit 1";
    let said = mistakes("", script);
    let expected = "the IREE compiler refused this program: no more memory";
    assert!(said.len() == 1 && said[0].contains(expected), "{said:?}");
}

#[test]
fn a_crash_is_no_mistake_of_the_users() {
    let said = mistakes("", "kill -SEGV $$");
    let expected = "the IREE compiler crashed with signal 11 | compiling `p` for TARGET | \
        `sh /target/iree/iree-dsl-compiler/p.TARGET.failed.sh` shows it again";
    assert!(said.len() == 1 && said[0].ends_with(expected), "{said:?}");
}

/// Crashes, and says where when it is asked to.
fn crashes_at(place: &str) -> String {
    format!(
        r#"
case "$*" in *--mlir-pass-pipeline-crash-reproducer=*) ;; *) kill -SEGV $$ ;; esac
place=$(grep -o '"[^"]*":{place}' *.mlir | head -1 | tr -d '"')
echo "$place: error: Failures have been detected while processing an MLIR pass pipeline" >&2
echo "$place: note: Pipeline failed while executing \`Tile\` on 'func.func' operation: @p" >&2
exit 1"#
    )
}

#[test]
fn a_crash_is_told_at_the_expression_whose_code_it_is_on() {
    let said = mistakes("", &crashes_at("6:19"));
    let expected = "iree 6:19 the IREE compiler crashed with signal 11 | it crashed in its pass `Tile`, on the code of \
        this operation and what is fused with it | compiling `p` for TARGET";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
}

#[test]
fn a_crash_on_the_whole_program_names_the_pass() {
    let said = mistakes("", &crashes_at("1:1"));
    let expected = "the IREE compiler crashed with signal 11 | it crashed in its pass `Tile`, on the whole program |";
    assert!(said.len() == 1 && said[0].contains(expected), "{said:?}");
}

#[test]
fn an_option_that_is_refused_is_told_at_the_option() {
    let said = mistakes(
        "flags = [\"--iree-opt-level=O2\", \"--mlir-timing\"]",
        "exit 1",
    );
    let expected = "attribute 1:33 the flag `--mlir-timing` is refused";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
    let said = mistakes("targets = [\"cpu\", \"tpu\"]", "exit 1");
    let expected = "attribute 1:19 cannot compile for the target `tpu`";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
}

#[test]
fn a_pass_is_left_out_by_its_name() {
    let program = "mod m {
        struct P;
        impl P {
            pub fn run(&self, x: Tensor<f32, 4, 3>) -> Tensor<f32, 4> {
                x[(.., 1)].reverse(0)
            }
        }
    }";
    let script = format!(
        "if grep -q compute_barrier *.mlir; then echo 'error: a barrier' >&2; exit 1; fi\n{GOOD}"
    );
    let build = |passes: &[&str]| build_without(passes, program, "", &script);
    assert!(build(&[]).unwrap_err()[0].contains("a barrier"));
    assert_eq!(build(&["gaps"]), Ok(Vec::new()));
}

#[test]
fn a_pass_that_does_not_exist_is_named_with_the_nearest() {
    let said = |passes: &[&str]| build_without(passes, PROGRAM, "", GOOD).unwrap_err();
    let named = |name: &str, help: &str| {
        format!(
            "toolchain 1:1 there is no pass `{name}`, which the variable IREE_DSL_WITHOUT_PASSES names | {help}"
        )
    };
    assert_eq!(
        said(&["known", "gasp"]),
        [named("gasp", "there is one with a similar name: `gaps`")]
    );
    assert_eq!(
        said(&["everything"]),
        [named("everything", "`cargo iree show --passes` lists all")]
    );
}

#[test]
fn a_panic_has_a_reason() {
    assert_eq!(reason(&"one"), "one");
    assert_eq!(reason(&"two".to_owned()), "two");
    assert_eq!(reason(&3), "it stopped without a reason");
}

#[test]
fn a_module_is_found_by_its_name() {
    assert_eq!(
        module_name(&quote!(
            pub mod small {}
        ))
        .unwrap(),
        "small"
    );
    assert!(
        module_name(&quote!(
            fn main() {}
        ))
        .is_none()
    );
}

#[test]
fn misplaced_attributes_leave_no_follow_on_errors() {
    let item = quote!(
        fn f(x: Tensor<f32>) -> Tensor<f32> {
            x
        }
    );
    let text = misplaced("kernel", &item).to_string();
    assert!(text.contains("[structure]"), "{text}");
    assert!(!text.contains("Tensor"), "{text}");
}
