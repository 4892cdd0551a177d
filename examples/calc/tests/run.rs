//! What functions compute, in IREE and as LLVM has them, next to the same in Rust.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use iree_dialects::{Form, Locations, prelude::*, print, verify};

type Outcome = Result<(), Box<dyn Error>>;

const SOURCE: &str = "
def area(base, height) = base * height / 2
def larger(a, b) = if a > b then a else b
def power(x, n) = repeat p = 1, n: p * x
def root(x) = repeat r = x, 30: (r + x / r) / 2
def fibonacci(n) = if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2)
def triangle(n) = repeat outer = 0, n: outer + (repeat inner = 0, 3: inner + larger(outer, n)) * 1
def difference(a, b) = a - b - 1 * (a - b)
";

fn fibonacci(n: f32) -> f32 {
    if n < 2.0 {
        n
    } else {
        fibonacci(n - 1.0) + fibonacci(n - 2.0)
    }
}

fn triangle(n: f32) -> f32 {
    let mut outer = 0.0;
    let mut round = 0.0;
    while round < n {
        let larger = if outer > n { outer } else { n };
        outer += larger + larger + larger;
        round += 1.0;
    }
    outer
}

/// Calls, and what Rust says.
fn calls() -> Vec<(&'static str, Vec<f32>, f32)> {
    vec![
        ("area", vec![3.0, 5.0], 3.0 * 5.0 / 2.0),
        ("larger", vec![2.0, -1.0], 2.0),
        ("larger", vec![-2.0, -1.0], -1.0),
        ("power", vec![1.5, 5.0], 1.5 * 1.5 * 1.5 * 1.5 * 1.5),
        ("power", vec![7.0, 0.0], 1.0),
        ("root", vec![2.0], 2.0_f32.sqrt()),
        ("fibonacci", vec![12.0], fibonacci(12.0)),
        ("triangle", vec![4.0], triangle(4.0)),
        ("difference", vec![9.0, 2.5], 0.0),
    ]
}

/// The tools write six digits.
fn close(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= 5e-6 * expected.abs()
}

fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn iree(tool: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../.tools/bin")
        .join(tool)
}

#[test]
fn iree_computes_what_rust_does() -> Outcome {
    let folder = tempfile::tempdir()?;
    let (text, program) = (
        folder.path().join("calc.mlir"),
        folder.path().join("calc.vmfb"),
    );
    let context = calc::context();
    // A function that calls itself is for LLVM alone.
    let lines = SOURCE.lines().filter(|line| !line.contains("fibonacci"));
    let source = lines.collect::<Vec<_>>().join("\n");
    for simplified in [false, true] {
        let mut module = calc::compile(&context, "test.calc", &source)?;
        if simplified {
            calc::simplify().run(&mut module)?;
        }
        fs::write(&text, print(&module, Form::Generic, Locations::Include))?;
        // Numbers alone are computed by the virtual machine itself.
        let mut compile = Command::new(iree("iree-compile"));
        output(
            compile
                .arg("--compile-mode=vm")
                .arg(&text)
                .arg("-o")
                .arg(&program),
        )?;
        let calls = calls().into_iter().filter(|call| call.0 != "fibonacci");
        for (function, arguments, expected) in calls {
            let mut run = Command::new(iree("iree-run-module"));
            run.arg(format!("--module={}", program.display()))
                .arg(format!("--function={function}"));
            run.args(
                arguments
                    .iter()
                    .map(|argument| format!("--input={argument:?}")),
            );
            let said = output(&mut run)?;
            let found = said.trim().rsplit('=').next().ok_or("a number")?.parse()?;
            assert!(
                close(found, expected),
                "{function}{arguments:?} is {found}, not {expected}"
            );
        }
    }
    Ok(())
}

/// Debian has the tool in `mlir-22-tools`, which a build does not need.
fn runner() -> Option<PathBuf> {
    let prefix = env::var_os("TABLEGEN_220_PREFIX")?;
    Some(Path::new(&prefix).join("bin/mlir-runner")).filter(|path| path.exists())
}

#[test]
fn llvm_computes_what_rust_does() -> Outcome {
    let Some(runner) = runner() else {
        eprintln!("there is no mlir-runner");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let text = folder.path().join("calc.mlir");
    let context = calc::context();
    for (function, arguments, expected) in calls() {
        let arguments = arguments.iter().map(|one| {
            if *one < 0.0 {
                format!("0 - {}", -one)
            } else {
                one.to_string()
            }
        });
        let call = arguments.collect::<Vec<_>>().join(", ");
        let source = format!("{SOURCE}\ndef main() = {function}({call})");
        let mut module = calc::compile(&context, "test.calc", &source)?;
        calc::simplify().run(&mut module)?;
        calc::to_llvm().run(&mut module)?;
        let dialects = module
            .as_operation()
            .descendants()
            .map(OperationExt::dialect);
        assert!(dialects.into_iter().all(|dialect| dialect == "llvm"));
        fs::write(&text, print(&module, Form::Pretty, Locations::Omit))?;
        let mut run = Command::new(&runner);
        let said = output(
            run.args(["-e", "main", "--entry-point-result=f32"])
                .arg(&text),
        )?;
        let found = said.trim().parse()?;
        assert!(
            close(found, expected),
            "{function}({call}) is {found}, not {expected}"
        );
    }
    Ok(())
}

#[test]
fn the_pass_of_this_language_leaves_factors_of_one_out() -> Outcome {
    let context = calc::context();
    let source = "def f(x, y) = 1 * x * 1 + y * (1 * 1)";
    let mut module = calc::compile(&context, "test.calc", source)?;
    let (trace, result) = calc::simplify().trace(&mut module, |_| true);
    result?;
    let passes = trace
        .steps()
        .iter()
        .map(|step| (step.pass(), step.is_change()));
    let expected = [
        ("drop-factors-of-one", true),
        ("canonicalize", true),
        ("cse", false),
    ];
    assert_eq!(passes.collect::<Vec<_>>(), expected);
    let text = module.as_operation().to_string();
    assert!(
        text.contains("arith.addf %arg0, %arg1 : f32") && !text.contains("mulf"),
        "{text}"
    );
    verify(&module)?;
    Ok(())
}

#[test]
fn operations_have_the_places_of_the_source() -> Outcome {
    let context = calc::context();
    let module = calc::compile(&context, "test.calc", "def f(x) =\n  x\n  + 2")?;
    let all = module.as_operation().descendants();
    let places = all.map(|one| {
        format!(
            "{} {}",
            one.name().as_string_ref().as_str().unwrap_or(""),
            one.location()
        )
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            r#"func.func loc("test.calc":1:1)"#,
            r#"arith.constant loc("test.calc":3:5)"#,
            r#"arith.addf loc("test.calc":3:3)"#,
            r#"func.return loc("test.calc":1:1)"#,
        ]
    );
    Ok(())
}

#[test]
fn mistakes_are_said_at_their_place() {
    let context = calc::context();
    for (source, mistake) in [
        ("def f(x) = y", "1:12: nothing is called `y`"),
        ("def f(x) = g(x)", "1:12: no function is called `g`"),
        ("def f(x) = f(x, x)", "1:12: `f` takes 1 numbers"),
        ("def f(x) = x +", "1:15: expected a name, found ``"),
        ("def f(x)\n = (x", "2:6: expected `)`, found ``"),
        ("def f(x y) = x", "1:9: expected `,`, found `y`"),
        ("f(x) = x", "1:1: expected `def`, found `f`"),
        ("def if() = 1", "1:5: expected a name, found `if`"),
        ("def f(é) = é ÷ 2", "1:16: expected `def`, found `÷`"),
        (
            "def f(x) = if x then 1 else 2",
            "'scf.if' op operand #0 must be 1-bit signless integer",
        ),
        (
            "def f() = 1 def f() = 2",
            "redefinition of symbol named 'f'",
        ),
    ] {
        let error = calc::compile(&context, "test.calc", source)
            .unwrap_err()
            .to_string();
        assert!(error.contains(mistake), "{source}: {error}");
    }
}
