//! Pipelines of passes of MLIR and of Rust.

use iree_dialects::{
    PassOption, Pipeline, arith,
    melior::{
        dialect::DialectRegistry,
        pass::{gpu, transform},
        utility::register_all_dialects,
    },
    parse,
    prelude::*,
    read_bytecode, verify, write_bytecode,
};

use crate::scene::Outcome;

const TWO: &str = "module {
  func.func @f(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    %1 = arith.addi %a, %a : i32
    %2 = arith.muli %0, %1 : i32
    return %2 : i32
  }
  func.func @g() {
    return
  }
}
";

fn names(editor: &Editor<'_, '_>) -> Vec<String> {
    let functions = editor.root().descendants();
    let functions = functions.filter_map(|one| one.cast::<iree_dialects::func::FuncOperation>());
    functions
        .filter_map(|one| one.sym_name().ok())
        .map(attributes::string)
        .collect()
}

#[test]
fn passes_of_rust_and_of_mlir_run_in_order() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    transform::register_cse();
    let mut counts = vec![];
    let count = |editor: &Editor<'_, '_>| editor.root().to_string().matches("arith.addi").count();
    let (one, other) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    Pipeline::new("builtin.module")
        .rust("before", |editor| {
            one.set(count(editor));
            Ok(())
        })
        .text("func.func(cse)")?
        .rust("after", |editor| {
            other.set(count(editor));
            Ok(())
        })
        .nested(Pipeline::new("func.func").rust("each", |editor| {
            counts.push(count(editor));
            Ok(())
        }))
        .run(&mut module)?;
    assert_eq!((one.get(), other.get(), counts), (2, 1, vec![1, 0]));
    Ok(())
}

#[test]
fn a_pass_of_rust_erases_and_replaces() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    Pipeline::new("builtin.module")
        .nested(
            Pipeline::new("func.func").rust("double-is-shift", |editor| {
                for operation in editor.root().descendants() {
                    let Some(add) = operation.cast::<arith::AddiOperation>() else {
                        continue;
                    };
                    let (lhs, rhs) = (add.lhs()?, add.rhs()?);
                    if lhs == rhs {
                        let builder = Builder::before(operation);
                        let one = builder.insert::<arith::ConstantOperation>(|constant| {
                            constant
                                .value(IntegerAttribute::new(lhs.r#type(), 1))
                                .result(lhs.r#type())
                        })?;
                        let one = one.result()?;
                        let shift = builder
                            .insert::<arith::ShliOperation>(|shift| shift.lhs(lhs).rhs(one))?;
                        editor.replace(operation, &[shift.result()?])?;
                    }
                }
                Ok(())
            }),
        )
        .run(&mut module)?;
    let text = module.as_operation().to_string();
    assert_eq!(
        (
            text.matches("arith.shli").count(),
            text.matches("arith.addi").count()
        ),
        (2, 0)
    );
    verify(&module)?;
    Ok(())
}

#[test]
fn errors_of_passes_are_diagnostics_at_their_operation() -> Outcome {
    let context = iree_dialects::context();
    let text = r#"func.func @f() { return } loc("kernel.calc":3:5)"#;
    let mut module = parse(&context, text)?;
    let error = Pipeline::new("builtin.module")
        .nested(Pipeline::new("func.func").rust("refuse", |_| Err("no functions today\0".into())))
        .run(&mut module)
        .unwrap_err();
    let Error::Pass(diagnostics) = &error else {
        return Err(error.into());
    };
    let first = diagnostics.iter().next().ok_or("one")?;
    assert_eq!(
        (first.severity, first.message.as_str()),
        (iree_dialects::Severity::Error, "no functions today")
    );
    assert_eq!(
        first.location.as_ref().map(ToString::to_string).as_deref(),
        Some("kernel.calc:3:5")
    );
    assert_eq!(
        error.to_string(),
        "a pass failed: kernel.calc:3:5: error: no functions today"
    );

    let error = Pipeline::new("builtin.module")
        .rust("panic", |_| panic!("oh"))
        .run(&mut module);
    assert!(error.unwrap_err().to_string().contains("the pass panicked"));
    verify(&module)?;
    Ok(())
}

#[test]
fn what_a_pass_leaves_wrong_is_found_after_it() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    let broken = |editor: &Editor<'_, '_>| {
        for operation in editor.root().descendants() {
            if operation
                .cast::<iree_dialects::func::ReturnOperation>()
                .is_some()
            {
                editor.erase(operation)?;
            }
        }
        Ok(())
    };
    let pipeline = Pipeline::new("builtin.module")
        .rust("fine", |_| Ok(()))
        .rust("break", broken)
        .rust("never", |_| Err("reached".into()));
    let (trace, result) = pipeline.trace(&mut module, |_| true);
    let message = result.unwrap_err().to_string();
    assert!(
        message.contains("empty block: expect at least a terminator")
            && !message.contains("reached"),
        "{message}"
    );
    let passes = trace
        .steps()
        .iter()
        .map(|step| (step.pass(), step.after().is_some()));
    assert_eq!(
        passes.collect::<Vec<_>>(),
        [("fine", true), ("break", false)]
    );
    assert_eq!(trace.failed().map(|step| step.pass()), Some("break"));
    Ok(())
}

#[test]
fn texts_of_pipelines_are_read_and_written() -> Outcome {
    for text in [
        "builtin.module()",
        "builtin.module(cse,func.func(canonicalize{max-iterations=3 top-down=true},cse),symbol-dce)",
        "any(func.func(a{b={c,d} e=(f,g)}))",
    ] {
        assert_eq!(Pipeline::parse(text)?.to_string(), text);
        assert_eq!(
            format!("{:?}", Pipeline::parse(text)?),
            format!("Pipeline({text})")
        );
    }
    let spaced = " builtin.module ( cse , func.func( a{b=\"x,)\"} ) ) ";
    assert_eq!(
        Pipeline::parse(spaced)?.to_string(),
        "builtin.module(cse,func.func(a{b=\"x,)\"}))"
    );
    for (text, reason) in [
        ("builtin.module(cse", "parentheses do not match"),
        ("builtin.module(cse))", "parentheses do not match"),
        ("builtin.module(cse})", "parentheses do not match"),
        ("builtin.module(a{b='c})", "parentheses do not match"),
        ("builtin.module(cse)x", "something follows the `)`"),
        ("builtin.module(cse,,cse)", "a name is missing"),
        ("cse", "it is not of the form `operation(passes)`"),
        ("", "it is not of the form `operation(passes)`"),
        ("a(),b()", "it is not of the form `operation(passes)`"),
        ("a(\0)", "it contains a null character"),
    ] {
        let error = Pipeline::parse(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    Ok(())
}

#[test]
fn unknown_passes_and_operations_are_errors() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    let run = |pipeline: Pipeline<'_>, module: &mut Module<'_>| {
        pipeline.run(module).unwrap_err().to_string()
    };
    let unknown = run(
        Pipeline::parse("builtin.module(no-such-pass)")?,
        &mut module,
    );
    assert!(
        unknown.starts_with("`no-such-pass` is no pipeline of passes: "),
        "{unknown}"
    );
    assert!(
        unknown.contains("does not refer to a registered pass"),
        "{unknown}"
    );
    let options =
        Pipeline::new("builtin.module").text("func.func(canonicalize{no-such-option=1})")?;
    transform::register_canonicalizer();
    let options = run(options, &mut module);
    assert!(options.contains("no-such-option"), "{options}");
    let anchor = run(
        Pipeline::new("func.func").mlir(transform::create_cse),
        &mut module,
    );
    assert!(
        anchor.contains("can't run 'func.func' pass manager on 'builtin.module' op"),
        "{anchor}"
    );
    Ok(())
}

#[test]
fn traces_have_each_pass_with_its_operation() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    transform::register_symbol_dce();
    let pipeline = Pipeline::new("builtin.module")
        .nested(
            Pipeline::new("func.func")
                .mlir(transform::create_cse)
                .rust("nothing", |_| Ok(())),
        )
        .text("symbol-dce")?;
    let (trace, result) = pipeline.trace(&mut module, |_| true);
    result?;
    let steps = trace
        .steps()
        .iter()
        .map(|step| format!("{} {} {}", step.pass(), step.operation(), step.is_change()));
    assert_eq!(
        steps.collect::<Vec<_>>(),
        [
            "cse func.func @f true",
            "nothing func.func @f false",
            "cse func.func @g false",
            "nothing func.func @g false",
            "symbol-dce builtin.module false",
        ]
    );
    let [change] = trace.changed().collect::<Vec<_>>()[..] else {
        return Err("one".into());
    };
    assert_eq!(
        change.difference(),
        "--- before\n+++ cse\n@@ -1,6 +1,5 @@\n func.func @f(%arg0: i32) -> i32 {\n   %0 = arith.addi %arg0, %arg0 : i32\n\
         -  %1 = arith.addi %arg0, %arg0 : i32\n-  %2 = arith.muli %0, %1 : i32\n-  return %2 : i32\n\
         +  %1 = arith.muli %0, %0 : i32\n+  return %1 : i32\n }\n"
    );
    assert_eq!(trace.steps()[1].difference(), "");
    assert_eq!(trace.steps()[1].before(), change.after().ok_or("a text")?);

    let mut module = parse(&context, TWO)?;
    let (trace, result) = pipeline.trace(&mut module, |name| name == "nothing");
    result?;
    assert!(trace.steps().iter().all(|step| step.pass() == "nothing") && trace.steps().len() == 2);
    Ok(())
}

#[test]
fn closures_run_on_one_thread_of_a_context_with_many() -> Outcome {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, true);
    context.load_all_available_dialects();
    let threads = context.thread_count();
    let text = (0..64)
        .map(|i| format!("func.func @f{i}() {{ return }}"))
        .collect::<String>();
    let mut module = parse(&context, &text)?;
    let thread = std::thread::current().id();
    let mut seen = vec![];
    Pipeline::new("builtin.module")
        .rust("names", |editor| {
            assert_eq!(names(editor).len(), 64);
            Ok(())
        })
        .nested(Pipeline::new("func.func").rust("one-thread", |editor| {
            assert_eq!(std::thread::current().id(), thread);
            seen.extend(
                editor
                    .root()
                    .attribute("sym_name")
                    .map(|name| name.to_string()),
            );
            Ok(())
        }))
        .run(&mut module)?;
    assert_eq!(seen.len(), 64);
    assert_eq!(context.thread_count(), threads);
    Ok(())
}

#[test]
fn bytecode_reads_back() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(
        &context,
        r#"func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
            %0 = "stablehlo.add"(%a, %a) {note = "é"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("a.calc":1:2)
            return %0 : tensor<4xf32>
        }"#,
    )?;
    let bytecode = write_bytecode(&module);
    // Whatever the buffer is aligned to.
    for offset in 0..9 {
        let mut shifted = vec![0; offset];
        shifted.extend(&bytecode);
        let copy = read_bytecode(&context, &shifted[offset..])?;
        let print =
            |module: &Module<'_>| iree_dialects::print(module, Form::Generic, Locations::Include);
        assert_eq!(print(&copy), print(&module));
    }
    for wrong in [
        &b""[..],
        b"module {}",
        b"ML\xefR",
        &bytecode[..bytecode.len() / 2],
    ] {
        assert!(!read_bytecode(&context, wrong).unwrap_err().is_empty());
    }
    Ok(())
}

#[test]
fn a_pass_for_other_operations_is_refused() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    gpu::register_gpu_kernel_outlining_pass();
    let pipeline = Pipeline::parse("builtin.module(func.func(gpu-kernel-outlining))")?;
    let error = pipeline.run(&mut module).unwrap_err().to_string();
    assert!(error.contains("restricted to 'builtin.module'"), "{error}");
    Ok(())
}

#[test]
fn options_of_passes_are_values() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, TWO)?;
    transform::register_inliner();
    transform::register_canonicalizer();
    let top = Pipeline::new("builtin.module");
    let canonicalize = |option: &'static str, value: PassOption| {
        top.clone().pass("canonicalize", [(option, value)])
    };
    canonicalize("max-iterations", 2.into())?.run(&mut module)?;
    canonicalize("disable-patterns", ["one", "other"].into())?.run(&mut module)?;
    canonicalize("region-simplify", "aggressive".into())?.run(&mut module)?;
    top.clone()
        .pass("inline", [("default-pipeline", "".into())])?
        .run(&mut module)?;
    for (option, value) in [
        ("max-iterations", PassOption::from("many")),
        ("region-simplify", "sometimes".into()),
        ("no-such-option", true.into()),
    ] {
        let result = canonicalize(option, value)?.run(&mut module);
        assert!(result.is_err(), "{option}");
    }
    for (option, value) in [
        ("a b", PassOption::from(1)),
        ("text", "it's".into()),
        ("text", "}".into()),
    ] {
        let error = canonicalize(option, value).unwrap_err().to_string();
        assert!(error.contains("MLIR does not read this option"), "{error}");
    }
    assert!(top.clone().pass("cse,cse", []).is_err());
    Ok(())
}
