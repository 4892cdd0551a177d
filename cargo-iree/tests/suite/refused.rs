//! What is shown of a program that the IREE compiler refuses.

use crate::tool::{anywhere, package};
use assert_cmd::Command;
use iree_abi::{
    Signature,
    build::{Compilation, Description, Files, Module, find_compiler},
};
use std::fs;
use tempfile::TempDir;

const MODULE: &str = "\
func.func @run(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.custom_call @nowhere(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
";

/// The pass that refuses it.
const PASS: &str = "iree-stablehlo-to-iree-input";

/// A package with what a build leaves of that module.
fn refused() -> TempDir {
    let folder = package("");
    let files = Files::new(&folder.path().join("target"), "plain", "refused");
    let module = Module {
        file: "refused.located.mlir".to_owned(),
        hash: blake3::hash(MODULE.as_bytes()).to_hex().to_string(),
    };
    let compilation = Compilation {
        target: "vmvx".to_owned(),
        file: "refused.vmvx.vmfb".to_owned(),
        embedded: files.vmfb("vmvx"),
        bytes: 0,
        module: Some(module),
        compiler: "3.13.0".to_owned(),
        path: find_compiler().unwrap(),
        flags: vec!["--iree-hal-target-backends=vmvx".to_owned()],
        fallback: None,
    };
    let description = Description {
        program: "refused".to_owned(),
        package: "plain".to_owned(),
        source: "src/lib.rs:1".to_owned(),
        version: "0.1.0".to_owned(),
        opt: "speed".to_owned(),
        flags: vec![],
        signature: Signature::default(),
        globals: vec![],
        legalized: None,
        passes: vec![],
        artifacts: vec![compilation],
    };
    fs::create_dir_all(files.directory()).unwrap();
    fs::write(files.located(), MODULE).unwrap();
    let text = serde_json::to_string(&description).unwrap();
    fs::write(files.description(), text).unwrap();
    folder
}

/// What `show` prints, and what it says when it fails.
fn show(folder: &TempDir, arguments: &[&str]) -> (String, String) {
    let mut show: Command = anywhere();
    show.args(["show", "--no-build", "--stage", "flow"]);
    let output = show.args(arguments).current_dir(folder.path()).output();
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (printed, said) = (text(output.stdout), text(output.stderr));
    assert!(!output.status.success(), "{printed}");
    (printed, said)
}

fn assert_says_why(said: &str) {
    assert!(
        said.contains("error: `refused` does not get to `flow`"),
        "{said}"
    );
    let diagnostic = "failed to legalize operation 'stablehlo.custom_call'";
    assert_eq!(said.matches(diagnostic).count(), 1, "{said}");
    assert!(said.contains("refused.located.mlir:3:8: error: "), "{said}");
    assert!(!said.contains("IR Dump"), "{said}");
}

#[test]
fn passes_are_listed_up_to_the_one_that_fails() {
    let (list, said) = show(&refused(), &["--passes"]);
    let mut rows = list.lines().skip(1);
    let last = rows
        .find(|row| row.contains("failed"))
        .unwrap_or_else(|| panic!("{list}{said}"));
    let columns: Vec<_> = last.split_whitespace().collect();
    assert_eq!((columns[0], columns[2]), (PASS, "failed"), "{list}");
    assert!(
        rows.next().unwrap().contains(" changed nothing"),
        "nothing comes behind it: {list}"
    );
    assert_says_why(&said);
    assert!(
        said.contains(&format!("its pass `{PASS}` failed on builtin.module")),
        "{said}"
    );
    assert!(said.contains(&format!("`--after {PASS}` prints")), "{said}");

    let (module, said) = show(&refused(), &["--after", columns[1]]);
    let title = format!("{PASS} failed on builtin.module, which was");
    assert!(module.contains(&title), "{module}");
    assert!(module.contains("stablehlo.custom_call"), "{module}");
    assert!(!module.contains("error:"), "{module}");
    assert_says_why(&said);
}

#[test]
fn changes_are_shown_up_to_the_pass_that_fails() {
    let (changes, said) = show(&refused(), &["--diff"]);
    assert!(!changes.contains("error:"), "{changes}");
    assert_says_why(&said);
    let (_, said) = show(&refused(), &["--after", "cse"]);
    assert_says_why(&said);
}
