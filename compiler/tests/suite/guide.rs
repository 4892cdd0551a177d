//! The guide lists every operation, and has a page for every code of a message.
//!
//! With the environment variable `BLESS=1`, the tables of operations are written instead of compared.

use iree_dsl_compiler::{
    diagnostic::Code,
    trace::{OPERATIONS, OperationInfo},
};
use libtest_mimic::{Failed, Trial};
use std::{
    collections::BTreeSet,
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// What the tables stand behind.
const MARK: &str = "--test suite -- guide`. -->\n";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("guide/operations", operations_are_current),
        Trial::test("guide/errors", each_code_has_a_page),
    ]
}

fn path_to(page: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../guide/src")).join(page)
}

fn operations_are_current() -> Result<(), Failed> {
    let file = path_to("operations.md");
    let page = fs::read_to_string(&file)?;
    let (prose, found) = page.split_once(MARK).ok_or("the mark is missing")?;
    let tables = tables()?;
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        return Ok(fs::write(file, format!("{prose}{MARK}{tables}"))?);
    }
    if found == tables {
        return Ok(());
    }
    Err("the tables in operations.md are not current; BLESS=1 writes them".into())
}

/// A table for each group, in the order of the operations.
fn tables() -> Result<String, Failed> {
    let mut text = String::new();
    for group in OPERATIONS.chunk_by(|one, other| one.group == other.group) {
        let name = group.first().map_or("", |operation| operation.group);
        write!(
            text,
            "\n## {}\n\n| use | meaning |\n|---|---|\n",
            title(name)
        )?;
        for operation in group {
            writeln!(
                text,
                "| `{}` | {} |",
                cell(operation.usage),
                meaning(operation)
            )?;
        }
    }
    Ok(text)
}

fn title(group: &str) -> String {
    let (first, rest) = group.split_at(1);
    first.to_uppercase() + rest
}

fn meaning(operation: &OperationInfo) -> String {
    let meaning = cell(operation.meaning);
    if operation.options.is_empty() {
        return meaning;
    }
    let options = operation.options.join("`, `");
    format!("{meaning}; the options are `{options}`")
}

/// A bar would end the cell, in code too.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn each_code_has_a_page() -> Result<(), Failed> {
    let pages: BTreeSet<String> = fs::read_dir(path_to("errors"))?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, std::io::Error>>()?;
    let codes: BTreeSet<String> = Code::ALL
        .iter()
        .map(|code| format!("{}.md", code.name()))
        .collect();
    if pages == codes {
        return Ok(());
    }
    let missing: Vec<_> = codes.difference(&pages).collect();
    let unknown: Vec<_> = pages.difference(&codes).collect();
    Err(format!("codes without a page: {missing:?}; pages without a code: {unknown:?}").into())
}
