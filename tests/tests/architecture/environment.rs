//! What is compiled depends on no variable of the environment but those that are read where everybody looks for them.

use crate::workspace;

/// Who may read the environment: what asks for a compiler, and what writes keys and expansions.
const READERS: [&str; 3] = [
    "compiler/src/artifact/",
    "compiler/src/pipeline/key.rs",
    "compiler/src/pipeline.rs",
];

#[test]
fn stages_do_not_read_the_environment() {
    let folders = ["compiler/src", "ir/src", "library/src", "transform/src"];
    let sources = folders.into_iter().flat_map(workspace::sources);
    let others = sources.filter(|source| {
        let path = source.path.display().to_string();
        !READERS.iter().any(|reader| path.starts_with(reader))
    });
    let found: Vec<_> = others.flat_map(|source| source.places_of("env")).collect();
    assert!(found.is_empty(), "the environment is read at {found:#?}");
}
