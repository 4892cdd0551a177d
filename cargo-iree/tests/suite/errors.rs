use crate::tool::{anywhere, failure, tool};
use std::fs;

#[test]
fn misspelt_names_are_suggested() {
    insta::assert_snapshot!(failure(&mut tool(&["list", "scalign"])));
    insta::assert_snapshot!(failure(&mut tool(&["list", "--package", "cargo-ire"])));
    insta::assert_snapshot!(failure(&mut tool(&["lits"])));
}

#[test]
fn a_folder_without_a_crate_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let said = failure(anywhere().arg("list").current_dir(folder.path()));
    let said = said.replace(
        &folder.path().canonicalize().unwrap().display().to_string(),
        "FOLDER",
    );
    insta::assert_snapshot!(said);
}

/// A package that needs no other.
fn package(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"plain\"\nedition = \"2024\"\n[workspace]";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), source).unwrap();
    folder
}

#[test]
fn a_crate_without_programs_is_told_what_a_program_is() {
    let folder = package("");
    let said = failure(anywhere().arg("list").current_dir(folder.path()));
    let (_, said) = said.split_once("error").unwrap();
    insta::assert_snapshot!(said);
}

#[test]
fn a_build_that_fails_says_why() {
    let folder = package("fn f() -> i32 { \"text\" }");
    let temporary = tempfile::tempdir().unwrap();
    let mut build = anywhere();
    build.arg("build").current_dir(folder.path());
    let said = failure(build.env("TMPDIR", temporary.path()));
    assert!(said.contains("mismatched types"), "{said}");
    assert!(
        said.contains("error: the package does not build\nhelp: "),
        "{said}"
    );
    let left = fs::read_dir(temporary.path()).unwrap().count();
    assert_eq!(left, 0, "nothing stays in the temporary directory");
}

#[test]
fn a_damaged_description_is_named() {
    let folder = package("");
    let said = folder.path().join("target/iree/plain");
    fs::create_dir_all(&said).unwrap();
    fs::write(said.join("p.json"), "{\"program\": \"p\"").unwrap();
    let said = failure(
        anywhere()
            .args(["list", "--no-build"])
            .current_dir(folder.path()),
    );
    let said = said.replace(
        &folder.path().canonicalize().unwrap().display().to_string(),
        "FOLDER",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let mut command = tool(&["show", "scaling"]);
    let mut child = std::process::Command::new(command.get_program());
    child
        .args(command.get_args())
        .stdout(std::process::Stdio::piped());
    let mut child = child.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // Closed before anything is written.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    // Unless its end is seen, it goes on.
    command.assert().success();
}
