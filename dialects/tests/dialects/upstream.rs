//! The table of upstream's tests names tests that exist.

use std::{collections::BTreeMap, fs, path::Path};

use crate::scene::Outcome;

/// Where the tests of a name in the table are, relative to this crate.
fn source(name: &str) -> Option<String> {
    match name {
        "ttx" => Some("../examples/ttx/tests/verify.rs".to_owned()),
        "calc" => None,
        file => Some(format!("tests/dialects/{file}.rs")),
    }
}

#[test]
fn the_table_of_upstreams_tests_names_tests_that_exist() -> Outcome {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("docs/upstream-tests.md"))?;
    let mut sources = BTreeMap::new();
    let mut count = 0;
    for code in table.split('`').skip(1).step_by(2) {
        let Some((file, test)) = code.split_once("::") else {
            continue;
        };
        let Some(path) = source(file).filter(|_| !code.contains(['/', '!'])) else {
            continue;
        };
        if file == "file" || file == "example" {
            continue;
        }
        if !sources.contains_key(&path) {
            let text =
                fs::read_to_string(root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
            sources.insert(path.clone(), text);
        }
        let text = sources.get(&path).map_or("", String::as_str);
        assert!(
            text.contains(&format!("fn {test}(")),
            "`{code}` is in the table only"
        );
        count += 1;
    }
    assert!(count > 50, "{count}");
    Ok(())
}
