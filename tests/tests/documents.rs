//! What the documents show is what the examples run.

use std::{fs, path::Path};

fn read(path: &str) -> String {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
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
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ] {
        let text = read(document);
        for link in text.split("](").skip(1) {
            let (target, _) = link.split_once(')').expect("the end of a link");
            if !target.starts_with("http") {
                read(target);
            }
        }
    }
}
