//! `show`, `graph`, `bench` and `profile`.

use crate::tool::{anywhere, failure, output, tool};
use std::{fs, path::Path};

#[test]
fn every_stage_is_shown_below_the_lines_of_the_source() {
    for (stage, operation) in [
        ("legalize", " = dot_general %"),
        ("ours", "\"stablehlo.dot_general\""),
        ("input", "linalg.matmul"),
        ("flow", "flow.dispatch @run_dispatch_1"),
        ("stream", "stream.cmd.dispatch"),
        ("hal", "hal.command_buffer.dispatch"),
        ("vm", "vm.call"),
    ] {
        let text = output(&mut tool(&["show", "scaling", "--stage", stage]));
        assert!(text.contains(operation), "{stage}: {text}");
        assert!(
            !text.contains("loc("),
            "{stage}: locations are notes instead"
        );
        let line = "  x.matmul(w) + b";
        assert!(text.contains(line), "{stage}: {text}");
    }
}

#[test]
fn the_stage_of_passes_reads_back() {
    let text = output(&mut tool(&["show", "scaling", "--stage", "legalize"]));
    let module = iree_dsl_ir::text::parse(&text).unwrap();
    assert_eq!(module.name, "scaling");
    let plain = output(&mut tool(&[
        "show", "scaling", "--stage", "legalize", "--plain",
    ]));
    assert_eq!(plain, module.to_string());
}

#[test]
fn passes_are_listed_with_what_each_did() {
    let text = output(&mut tool(&["show", "scaling", "--passes"]));
    let mut lines = text.lines();
    let titles = lines.next().unwrap();
    assert!(
        titles.starts_with("pass ") && titles.contains("what IREE does otherwise"),
        "{text}"
    );
    let gaps = lines.find(|line| line.starts_with("gaps ")).unwrap();
    assert!(
        gaps.contains(" 0  barriers before lookups in parts of tensors"),
        "{gaps}"
    );
    let both = failure(&mut tool(&["show", "scaling", "--passes", "--plain"]));
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn passes_of_the_iree_compiler_are_listed_with_how_much_each_changed() {
    let show = |more: &[&str]| {
        let all = ["show", "scaling", "--stage", "flow"];
        output(&mut tool(&[&all, more].concat()))
    };
    let list = show(&["--passes"]);
    let titles = list.lines().next().unwrap();
    assert!(
        titles.starts_with("pass ") && titles.ends_with("operation"),
        "{list}"
    );
    let last = list.lines().last().unwrap();
    assert!(last.ends_with("runs of passes changed nothing"), "{list}");
    let pass = "iree-dispatch-creation-form-dispatch-regions";
    // It runs on each function, in any order.
    let of_run = |line: &&str| line.starts_with(pass) && line.contains("util.func @run");
    let line = list.lines().find(of_run).unwrap();
    let number = line.split_whitespace().nth(1).unwrap();

    let module = show(&["--after", pass]);
    let title = format!("// {pass} on util.func @run");
    assert!(module.contains(&title), "{module}");
    assert!(module.contains("flow.dispatch.region"), "{module}");
    let numbered = show(&["--after", number]);
    assert!(
        numbered.starts_with(&format!("// {number}: {pass} on util.func")),
        "{numbered}"
    );
    let difference = show(&["--after", number, "--diff"]);
    assert!(difference.contains("\n+++ ") && difference.contains("flow.dispatch.region"));
    let all = show(&["--diff"]);
    assert!(all.contains(&difference), "{all}");

    let wrong = failure(&mut tool(&[
        "show", "scaling", "--stage", "flow", "--after", "ces",
    ]));
    assert!(wrong.contains("similar name: `cse`"), "{wrong}");
    let wrong = failure(&mut tool(&[
        "show", "scaling", "--stage", "input", "--after", "9999",
    ]));
    assert!(wrong.contains("there is no pass 9999"), "{wrong}");
}

#[test]
fn the_module_is_also_shown_without_the_source() {
    let text = output(&mut tool(&["show", "scaling", "--plain"]));
    assert!(
        !text.contains("//") && text.starts_with("module @scaling"),
        "{text}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.mlir");
    output(&mut tool(&[
        "show",
        "scaling",
        "--plain",
        "--output",
        file.to_str().unwrap(),
    ]));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The texts of an SVG, which must be well-formed.
fn texts(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
    let nodes = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    nodes
        .filter_map(|node| Some(node.text()?.to_owned()))
        .collect()
}

#[test]
fn a_graph_has_procedures_kernels_globals_and_shapes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.svg");
    let path = file.to_str().unwrap();
    output(&mut tool(&["graph", "scaling", "--all", "--output", path]));
    let all = texts(&file);
    for expected in [
        "run",
        "set",
        "affine",
        "x.matmul(w) + b",
        "params",
        "2 tensors",
        "f32 ?×3",
        "f32 N×2",
        "2 globals, stored",
        "calls",
    ] {
        assert!(
            all.iter().any(|text| text == expected),
            "`{expected}` in {all:?}"
        );
    }
    output(&mut tool(&[
        "graph",
        "scaling",
        "--procedure",
        "count",
        "-o",
        path,
    ]));
    let one = texts(&file);
    assert!(
        one.iter().any(|text| text == "count") && one.iter().all(|text| text != "run"),
        "{one:?}"
    );
    let wrong = failure(&mut tool(&["graph", "scaling", "--procedure", "cuont"]));
    assert!(wrong.contains("`count`"), "{wrong}");
}

#[test]
fn a_transformer_block_is_drawn_as_its_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.svg");
    output(&mut tool(&[
        "graph",
        "attending",
        "-o",
        file.to_str().unwrap(),
    ]));
    let all = texts(&file);
    for kernel in ["block", "layer_norm", "attention", "mlp", "linear", "gelu"] {
        assert!(
            all.iter().any(|text| text == kernel),
            "`{kernel}` in {all:?}"
        );
    }
}

#[test]
fn equal_layers_are_drawn_once_with_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.svg");
    let path = file.to_str().unwrap();
    let count = |options: &[&str], wanted: &str| {
        let arguments = [&["graph", "stacked", "-o", path], options].concat();
        output(&mut tool(&arguments));
        let all = texts(&file);
        all.iter().filter(|text| *text == wanted).count()
    };
    assert_eq!(count(&[], "6 times"), 1);
    assert_eq!(count(&[], "dense"), 1);
    assert!(count(&[], "layers.0…5") > 0);
    assert_eq!(count(&["--unfold"], "6 times"), 0);
    assert_eq!(count(&["--unfold"], "dense"), 6);
}

#[test]
fn two_files_are_measured_in_turns() {
    let other =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/iree/cargo-iree/scaling.vmvx.vmfb");
    let other = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => Path::new(&target).join("iree/cargo-iree/scaling.vmvx.vmfb"),
        None => other,
    };
    let against = other.to_str().unwrap();
    let bench = ["bench", "scaling", "run", "--size", "N=4", "--time", "0.2"];
    let both = [&bench[..], &["--against", against]].concat();
    let text = output(&mut tool(&both));
    assert!(
        text.contains("scaling.run") && text.contains(" times as long as "),
        "{text}"
    );
    let json = output(&mut tool(&[&both[..], &["--json"]].concat()));
    let figures: serde_json::Value = serde_json::from_str(&json).unwrap();
    for figure in figures.as_array().unwrap() {
        let number = |key: &str| figure[key].as_f64().unwrap();
        assert!(number("rounds") >= 5.0, "{json}");
        assert!(
            0.0 < number("low") && number("low") <= number("median"),
            "{json}"
        );
        assert!(number("median") <= number("high"), "{json}");
        // Eight numbers in, twelve out.
        assert_eq!(number("bytes"), 80.0);
    }
    let none = [&bench[..], &["--against", "none.vmfb"]].concat();
    assert!(failure(&mut tool(&none)).contains("cannot read `none.vmfb`"));
}

#[test]
fn a_profile_tells_the_lines_of_dispatches() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flame.svg");
    for device in ["local-sync", "local-task"] {
        let arguments = [
            "profile",
            "attending",
            "run",
            "--calls",
            "3",
            "--device",
            device,
            "-o",
        ];
        let path = file.to_str().unwrap();
        let text = output(&mut tool(&[&arguments[..], &[path]].concat()));
        let matmul = text
            .lines()
            .find(|line| line.contains("_matmul_") || line.contains("_matmul"));
        let line = matmul.unwrap_or_else(|| panic!("{text}"));
        assert!(line.contains("examples/nn/src/"), "{line}");
        let flame = fs::read_to_string(&file).unwrap();
        assert!(flame.contains("attending.run") && flame.contains("examples/nn/src/"));
    }
}

#[test]
fn measuring_ends_when_its_time_is_over() {
    let budget = ["--time", "0", "--size", "N=4", "--device", "local-sync"];
    let profile = [&["profile", "scaling", "run"], &budget[..]].concat();
    let folder = tempfile::tempdir().unwrap();
    let flame = folder.path().join("flame.svg");
    let text = output(&mut tool(
        &[&profile[..], &["-o", flame.to_str().unwrap()]].concat(),
    ));
    assert!(text.contains("one call of each"), "{text}");
    let bench = [&["bench", "scaling", "run"], &budget[..]].concat();
    let text = output(&mut tool(&bench));
    assert!(text.contains("--time gives them longer"), "{text}");
    let json = output(&mut tool(&[&bench[..], &["--json"]].concat()));
    assert!(json.contains("\"rounds\": 1"), "{json}");
    let wrong = failure(&mut tool(&["bench", "attending", "run", "--time=-1"]));
    assert!(wrong.contains("--time is no time"), "{wrong}");
}

/// A package in which the files of this test's programs are.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"cargo-iree\"\nedition = \"2024\"\n[workspace]";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    let text = output(&mut tool(&["list", "scaling", "--json"]));
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let said = folder.path().join("target/iree/cargo-iree");
    fs::create_dir_all(&said).unwrap();
    json[0]["source"] = "src/lib.rs:1".into();
    for artifact in json[0]["artifacts"].as_array_mut().unwrap() {
        let file = artifact["file"].as_str().unwrap();
        artifact["embedded"] = said.join(file).display().to_string().into();
    }
    fs::write(said.join("scaling.json"), json[0].to_string()).unwrap();
    folder
}

#[test]
fn damaged_and_missing_files_are_named() {
    let folder = copied();
    let run = |arguments: &[&str]| {
        let mut command = anywhere();
        command
            .args(arguments)
            .arg("--no-build")
            .current_dir(folder.path());
        let said = failure(&mut command);
        let place = folder.path().canonicalize().unwrap();
        said.replace(&place.display().to_string(), "FOLDER")
    };
    let missing = run(&["run", "scaling", "count"]);
    assert!(
        missing.contains("cannot be read") && missing.contains("FOLDER/target/iree"),
        "{missing}"
    );
    let shown = run(&["show", "scaling"]);
    assert!(
        shown.contains("scaling.located.mlir` cannot be read"),
        "{shown}"
    );
    let said = folder.path().join("target/iree/cargo-iree");
    fs::write(said.join("scaling.located.mlir"), "module @other {}").unwrap();
    let other = run(&["show", "scaling"]);
    assert!(
        other.contains("scaling.located.mlir` is that of another program or build of this name"),
        "{other}"
    );
    let missing = run(&["show", "scaling", "--stage", "legalize"]);
    assert!(
        missing.contains("scaling.legalized.ir` cannot be read"),
        "{missing}"
    );
    let text = fs::read_to_string(said.join("scaling.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    for artifact in json["artifacts"].as_array().unwrap() {
        let file = artifact["embedded"].as_str().unwrap();
        fs::write(file, "PK damaged").unwrap();
    }
    let damaged = run(&["run", "scaling", "count"]);
    assert!(damaged.contains("the module is damaged"), "{damaged}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    use std::{io::Read, process::Stdio, time::Duration};

    let temporary = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("cargo-iree"));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    command.args([
        "iree",
        "bench",
        "scaling",
        "count",
        "--time",
        "600",
        "--no-build",
        "--manifest-path",
    ]);
    command.arg(manifest).env("TMPDIR", temporary.path());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let id = child.id().to_string();
    std::process::Command::new("kill")
        .args(["-INT", &id])
        .status()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, "");
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}
