use super::{case::Case, scope};
use libtest_mimic::Failed;
use std::{collections::BTreeMap, env, fs, path::Path};

/// Compares the table with the file, or writes it.
pub(super) fn check(cases: &[Case]) -> Result<(), Failed> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/RESULTS.md");
    let table = text(cases);
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        return Ok(fs::write(file, table)?);
    }
    match fs::read_to_string(file)? == table {
        true => Ok(()),
        false => Err("the table is not current; BLESS=1 writes it".into()),
    }
}

/// The cases by operation, element type and result.
fn text(cases: &[Case]) -> String {
    let mut rows: BTreeMap<(&str, String, &str), usize> = BTreeMap::new();
    for case in cases {
        let result = scope::reason(case).unwrap_or("passes");
        let key = (case.operation().op.as_str(), elements(case), result);
        *rows.entry(key).or_default() += 1;
    }
    let passed = rows
        .iter()
        .filter(|((_, _, result), _)| *result == "passes");
    let passed: usize = passed.map(|(_, count)| count).sum();
    let rows = rows.iter().map(|((operation, elements, result), count)| {
        format!("| `{operation}` | {elements} | {count} | {result} |\n")
    });
    let rows: String = rows.collect();
    format!(
        "# Results\n\nWritten by `BLESS=1 cargo test -p iree-dsl-compiler --test suite -- conformance/table`. \
         What passes is run by the\nother tests of `conformance`.\n\n{passed} of {} cases pass. The other {} are out of \
         scope.\n\n| operation | elements | cases | result |\n|---|---|---|---|\n{rows}",
        cases.len(),
        cases.len() - passed,
    )
}

/// The element types of the operands, or of the results if there are none.
fn elements(case: &Case) -> String {
    let results: Vec<_> = case
        .checks
        .iter()
        .map(|check| check.expected.as_str())
        .collect();
    let inputs: Vec<_> = case.inputs.values().map(String::as_str).collect();
    let literals = if inputs.is_empty() { results } else { inputs };
    let mut names: Vec<_> = literals.into_iter().map(element).collect();
    names.sort();
    names.dedup();
    names.join(", ")
}

/// The element type in the spelling of the suite.
fn element(literal: &str) -> String {
    let (_, ty) = literal.rsplit_once("tensor<").unwrap_or_default();
    let name = ty.trim().trim_end_matches('>');
    let name = name.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == 'x');
    format!("`{}`", name.replace("complex<f", "complex of f"))
}
