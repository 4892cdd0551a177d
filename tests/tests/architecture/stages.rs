//! A stage imports only what is to its left, and the vocabulary; the vocabulary imports no stage.

use crate::{tokens, workspace};
use std::path::Path;

/// From left to right; last what runs them.
const STAGES: [&str; 8] = [
    "parse", "link", "trace", "legalize", "lower", "artifact", "expand", "pipeline",
];

const VOCABULARY: [&str; 5] = ["ast", "diagnostic", "interface", "machine", "span"];

#[test]
fn nothing_calls_backwards() {
    let mut violations = Vec::new();
    for source in workspace::sources("compiler/src") {
        let module = module_of(&source.path);
        let Some(own) = module.first() else { continue };
        if module.iter().any(|name| name == "tests") {
            continue;
        }
        for import in tokens::imports(&source.tokens, module.len()) {
            if !may_import(own, &import.module) {
                let (path, line) = (source.path.display(), import.line);
                violations.push(format!("{path}:{line}: `{own}` uses `{}`", import.module));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_module_has_its_place() {
    let unknown: Vec<_> = workspace::sources("compiler/src")
        .iter()
        .filter_map(|source| module_of(&source.path).first().cloned())
        .filter(|module| {
            !STAGES.contains(&module.as_str()) && !VOCABULARY.contains(&module.as_str())
        })
        .collect();
    assert!(
        unknown.is_empty(),
        "neither stages nor vocabulary: {unknown:?}"
    );
}

#[test]
fn a_stage_may_look_to_the_left_only() {
    assert!(may_import("lower", "trace"));
    assert!(may_import("lower", "legalize"));
    assert!(may_import("lower", "lower"));
    assert!(may_import("parse", "span"));
    assert!(!may_import("trace", "lower"));
    assert!(!may_import("ast", "parse"));
}

fn may_import(own: &str, other: &str) -> bool {
    let place = |name| STAGES.iter().position(|stage| *stage == name);
    match (place(own), place(other)) {
        (_, None) => true,
        (Some(own), Some(other)) => other <= own,
        (None, Some(_)) => false,
    }
}

/// The module of a file below `compiler/src`: `["trace", "frame"]`, and nothing for `lib.rs`.
fn module_of(path: &Path) -> Vec<String> {
    let inside = path
        .strip_prefix("compiler/src")
        .expect("a file of the compiler");
    let mut module: Vec<_> = inside
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if matches!(module.last().map(String::as_str), Some("lib" | "mod")) {
        module.pop();
    }
    module
}
