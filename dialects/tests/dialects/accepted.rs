//! Every operation that this crate defines is accepted by the compiler that reads it.

use std::{
    collections::BTreeSet,
    env,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use iree_dialects::{flow, iree_linalg_ext, prelude::*, print, stablehlo, util, verify};

use crate::{
    samples::{self, Sample},
    scene::{Outcome, Scene},
};

#[test]
fn every_operation_has_a_sample() {
    let dialects = [
        flow::OPERATIONS,
        iree_linalg_ext::OPERATIONS,
        stablehlo::OPERATIONS,
        util::OPERATIONS,
        #[cfg(feature = "chlo")]
        iree_dialects::chlo::OPERATIONS,
        #[cfg(feature = "hal")]
        iree_dialects::hal::OPERATIONS,
        #[cfg(feature = "iree_tensor_ext")]
        iree_dialects::iree_tensor_ext::OPERATIONS,
        #[cfg(feature = "stream")]
        iree_dialects::stream::OPERATIONS,
    ];
    let defined = dialects
        .into_iter()
        .flatten()
        .map(|operation| operation.name)
        .collect::<BTreeSet<_>>();
    let sampled = samples::all()
        .iter()
        .map(|sample| sample.name)
        .collect::<BTreeSet<_>>();

    // Of what MLIR defines there are some too.
    let missing = defined.difference(&sampled).collect::<Vec<_>>();
    assert!(
        missing.is_empty(),
        "add the missing samples to `tests/dialects/samples`: {missing:?}"
    );
}

#[test]
fn iree_opt_accepts_every_sample() -> Outcome {
    let context = iree_dialects::context();
    let modules = samples::all()
        .iter()
        .map(|sample| module_text(&context, sample))
        .collect::<Outcome<Vec<_>>>()?;

    let output = iree_opt(&modules.join("\n// -----\n"))?;

    for sample in samples::all() {
        assert!(
            output.contains(&format!("\"{}\"(", sample.name)),
            "`{}` is lost",
            sample.name
        );
    }

    Ok(())
}

fn module_text(context: &Context, sample: &Sample) -> Outcome<String> {
    let scene = Scene::new(context, sample.name);
    (sample.build)(&scene).map_err(|error| format!("{}: {error}", sample.name))?;
    let module = scene.finish()?;
    verify(&module)?;

    Ok(print(&module, Form::Generic, Locations::Include))
}

/// What `iree-opt` reads and writes again, for several modules in one process.
fn iree_opt(modules: &str) -> Outcome<String> {
    let mut child = Command::new(iree_opt_path())
        .args(["--split-input-file", "--mlir-print-op-generic", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("a pipe")?;
    let text = modules.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));

    let output = child.wait_with_output()?;
    writer.join().expect("the writer does not panic")?;
    assert!(
        output.status.success(),
        "`iree-opt` refuses:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );

    Ok(String::from_utf8(output.stdout)?)
}

fn iree_opt_path() -> PathBuf {
    env::var_os("IREE_OPT").map_or_else(
        || {
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../.tools/python/iree/compiler/_mlir_libs/iree-opt")
        },
        PathBuf::from,
    )
}
