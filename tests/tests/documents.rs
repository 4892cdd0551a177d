//! What the documents show is what the examples run.

use std::{
    fs,
    path::{Path, PathBuf},
};

const DOCUMENTS: [&str; 4] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
];

fn path_to(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(path_to(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_program_of_the_readme_is_the_first_example() {
    let readme = read("README.md");
    let (_, after) = readme
        .split_once("```rust\n")
        .expect("a program in README.md");
    let (program, _) = after.split_once("```").expect("the end of the program");
    let example = read("examples/first/main.rs");
    let (_, example) = example
        .split_once("\n\n")
        .expect("documentation, and then the program");
    assert_eq!(program, example);
}

#[test]
fn links_between_documents_lead_somewhere() {
    for document in DOCUMENTS {
        let text = read(document);
        for link in text.split("](").skip(1) {
            let (target, _) = link.split_once(')').expect("the end of a link");
            let is_there = target.starts_with("http") || path_to(target).exists();
            assert!(is_there, "{document}: `{target}`");
        }
    }
}

#[test]
fn files_that_documents_name_are_there() {
    const FOLDERS: [&str; 7] = [
        "abi/",
        "compiler/",
        "dialects/",
        "dsl/",
        "examples/",
        "runtime/",
        "tests/",
    ];
    for document in DOCUMENTS {
        let text = read(document);
        for path in text.split('`').skip(1).step_by(2) {
            let is_path =
                FOLDERS.iter().any(|folder| path.starts_with(folder)) && !path.contains('<');
            assert!(!is_path || path_to(path).exists(), "{document}: `{path}`");
        }
    }
}
