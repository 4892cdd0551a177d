use crate::tool::{anywhere, failure, output, package, tool};
use std::fs;

#[test]
fn misspelt_names_are_suggested() {
    insta::assert_snapshot!(failure(&mut tool(&["list", "scalign"])));
    insta::assert_snapshot!(failure(&mut tool(&["list", "--package", "cargo-ire"])));
    insta::assert_snapshot!(failure(&mut tool(&["lits"])));
}

#[test]
fn help_lists_options_under_their_headings() {
    let help = output(anywhere().args(["run", "--help"]));
    let (own, build) = help.split_once("Build options:").unwrap();
    for option in ["--input", "--output", "--save-state", "--device"] {
        assert!(
            own.contains(option) && !build.contains(option),
            "{option}: {help}"
        );
    }
    assert!(build.contains("--no-build"), "{help}");
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
fn a_build_that_lacks_its_variables_is_told_how_to_have_them() {
    let folder = package("fn f() -> i32 { \"text\" }");
    let mut build = anywhere();
    build.arg("build").current_dir(folder.path());
    let said = failure(build.env_remove("MLIR_SYS_220_PREFIX"));
    assert!(
        said.contains("/x init ") && said.contains("writes them"),
        "{said}"
    );
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
fn what_is_left_of_a_program_is_not_listed() {
    let folder = package("");
    let left = folder.path().join("target/iree/plain");
    fs::create_dir_all(&left).unwrap();
    let text = output(&mut tool(&["list", "scaling", "--json"]));
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json[0]["package"] = "plain".into();
    let list = || {
        let mut command = anywhere();
        command
            .args(["list", "--no-build"])
            .current_dir(folder.path());
        command
    };
    for (file, exists) in [("src/gone.rs", false), ("src/lib.rs", true)] {
        json[0]["source"] = format!("{file}:1").into();
        fs::write(left.join("scaling.json"), json[0].to_string()).unwrap();
        match exists {
            true => assert!(output(&mut list()).starts_with("scaling in plain, src/lib.rs:1")),
            false => assert!(failure(&mut list()).contains("no build left a program")),
        }
    }
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

#[test]
fn the_package_is_that_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(
        root.join("Cargo.toml"),
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"",
    )
    .unwrap();
    for name in ["a", "b"] {
        fs::create_dir_all(root.join(name).join("src")).unwrap();
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"");
        fs::write(root.join(name).join("Cargo.toml"), manifest).unwrap();
        fs::write(root.join(name).join("src/lib.rs"), "").unwrap();
    }
    let said = |place: &str| {
        let mut command = anywhere();
        failure(
            command
                .args(["list", "--no-build"])
                .current_dir(root.join(place)),
        )
    };
    assert!(said("").contains("no build left a program of `a`, `b`\n"));
    for place in ["b", "b/src"] {
        assert!(
            said(place).contains("no build left a program of `b`\n"),
            "{place}"
        );
    }
}

/// What bash completes a line with, after cargo's own completions and ours.
#[cfg(unix)]
fn completed(line: &[&str]) -> Vec<String> {
    const ASK: &str = r#"
        _of_cargo() { COMPREPLY=("cargo's own"); }
        complete -F _of_cargo cargo
        for again in once twice; do source <("$TOOL" completions bash); done
        complete=$(complete -p "$1" | sed 's/.* -F \([^ ]*\) .*/\1/')
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "$complete" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = assert_cmd::Command::new("bash");
    bash.args(["-c", ASK, "bash"]).args(line);
    bash.env("TOOL", assert_cmd::cargo::cargo_bin!("cargo-iree"));
    output(&mut bash).lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_options_and_values() {
    for command in [&["cargo-iree"][..], &["cargo", "iree"]] {
        let after = |words: &[&str]| completed(&[command, words].concat());
        assert_eq!(after(&["li"]), ["list"]);
        assert_eq!(after(&["run", "--inp"]), ["--input"]);
        assert_eq!(
            after(&["show", "--stage", ""]),
            ["legalize", "ours", "input", "flow", "stream", "hal", "vm"]
        );
    }
    assert_eq!(completed(&["cargo", "bu"]), ["cargo's own"]);
}
