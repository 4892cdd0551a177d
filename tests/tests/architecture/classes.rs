//! Whoever asks what kind of operation one is names all of them, or asks for a class: a new operation does not compile until
//! somebody has said what it is.

use crate::{tokens, workspace};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// The operations, and the classes that analyses ask for.
const OPERATIONS: [&str; 5] = ["Op", "Structure", "Effect", "Alias", "Cost"];

/// Families of several operations, which are listed in full where they are defined.
const FAMILIES: [&str; 4] = ["Self", "UnaryOp", "BinaryOp", "CompareOp"];

/// Matches that end in `_` for a reason, by file. A list that only gets shorter.
const EXCEPTIONS: [(&str, usize); 7] = [
    // Pairs of operations of which IREE finds that one undoes the other.
    ("compiler/src/legalize/dispatch/cancelled.rs", 1),
    // What is done to each element of a value alone.
    ("compiler/src/legalize/dispatch/repeated.rs", 1),
    // Views that IREE reads in place.
    ("compiler/src/legalize/dispatch/views.rs", 1),
    // Parts of tensors that are put together.
    ("compiler/src/legalize/fusion.rs", 1),
    // What has an operand too few or too many is lost, whatever it is.
    ("compiler/src/lower/register/arithmetic.rs", 1),
    // Arithmetic of the language, besides its comparisons.
    ("compiler/src/trace/expr/operator.rs", 1),
    // Another `Op`: the operators of the language.
    ("compiler/src/trace/statics.rs", 4),
];

#[test]
fn no_operation_is_classified_by_chance() {
    let mut found = BTreeMap::new();
    for (folder, names) in [
        ("ir/src/op", [&OPERATIONS[..], &FAMILIES].concat()),
        ("ir/src", OPERATIONS.to_vec()),
        ("compiler/src", OPERATIONS.to_vec()),
        ("library/src", OPERATIONS.to_vec()),
        ("transform/src", OPERATIONS.to_vec()),
    ] {
        for source in workspace::sources(folder) {
            let count = open_matches(&source.tokens, &names);
            let path = source.path.display().to_string();
            if count > 0 && !path.contains("tests") {
                let known = found.entry(path).or_insert(0);
                *known = count.max(*known);
            }
        }
    }
    let expected = EXCEPTIONS.map(|(path, count)| (path.to_owned(), count));
    assert_eq!(found, BTreeMap::from(expected));
}

/// How many matches over one of these types have an arm for all the rest, and how many `matches!` over operations name
/// several.
fn open_matches(tokens: &TokenStream, names: &[&str]) -> usize {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let mut count = 0;
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let before = &tokens[..at];
        if tokens::module_name(before, group).is_some_and(|name| name == "tests") {
            continue;
        }
        let inside: Vec<_> = group.stream().into_iter().collect();
        count += open_matches(&group.stream(), names);
        count += usize::from(is_match(before, group.delimiter()) && is_open(&inside, names));
        count += usize::from(is_matches(before) && paths(&inside, &["Op"]) > 1);
    }
    count
}

/// Whether the braces behind these tokens have the arms of a match.
fn is_match(before: &[TokenTree], delimiter: Delimiter) -> bool {
    let is_end = |token: &&TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    let mut scrutinee = before.iter().rev().take_while(|token| !is_end(token));
    delimiter == Delimiter::Brace && scrutinee.any(|token| is_word(token, "match"))
}

fn is_matches(before: &[TokenTree]) -> bool {
    matches!(before, [.., name, TokenTree::Punct(_)] if is_word(name, "matches"))
}

/// Whether there is an arm for one of these types, and one for all the rest.
fn is_open(arms: &[TokenTree], names: &[&str]) -> bool {
    let patterns = patterns(arms);
    let is_rest = |pattern: &&[TokenTree]| matches!(pattern, [rest] if is_word(rest, "_"));
    patterns.iter().any(|pattern| paths(pattern, names) > 0) && patterns.iter().any(is_rest)
}

/// The patterns of arms, without their guards.
fn patterns(mut rest: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut patterns = Vec::new();
    while let Some(end) = (0..rest.len()).find(|at| is_arrow(&rest[*at..])) {
        let pattern = &rest[..end];
        let guard = pattern.iter().position(|token| is_word(token, "if"));
        patterns.push(&pattern[..guard.unwrap_or(end)]);
        rest = &rest[end + 2..];
        let is_block = matches!(rest.first(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
        let comma = rest
            .iter()
            .position(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','));
        let next = match (is_block, rest.get(1)) {
            (true, Some(TokenTree::Punct(p))) if p.as_char() == ',' => 2,
            (true, _) => 1,
            (false, _) => comma.map_or(rest.len(), |comma| comma + 1),
        };
        rest = &rest[next.min(rest.len())..];
    }
    patterns
}

fn is_arrow(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(equal), TokenTree::Punct(greater), ..]
        if equal.as_char() == '=' && greater.as_char() == '>')
}

/// How often a path of one of these types stands somewhere in tokens.
fn paths(tokens: &[TokenTree], names: &[&str]) -> usize {
    let here = tokens.windows(2).filter(|pair| {
        let is_path = matches!(&pair[1], TokenTree::Punct(punct) if punct.as_char() == ':');
        is_path && names.iter().any(|name| is_word(&pair[0], name))
    });
    let inside = tokens.iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inside: Vec<_> = group.stream().into_iter().collect();
            paths(&inside, names)
        }
        _ => 0,
    });
    here.count() + inside.sum::<usize>()
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

#[test]
fn an_arm_for_the_rest_is_found() {
    let count = |text: &str| open_matches(&text.parse().unwrap(), &["Op"]);
    assert_eq!(
        count("match op { Op::If => 1, Op::While => { 2 } _ => 3 }"),
        1
    );
    assert_eq!(count("match op { Op::If => 1, _ if x => 3 }"), 1);
    assert_eq!(
        count("match (op, x) { (Op::If, [a, b]) => f(a, b), _ => 3 }"),
        1
    );
    assert_eq!(count("match op { Op::If => 1, Op::While => 2 }"), 0);
    assert_eq!(count("match n { 0 => Op::If, _ => Op::While }"), 0);
    assert_eq!(count("matches!(op, Op::If | Op::While)"), 1);
    assert_eq!(count("matches!(op, Op::If)"), 0);
}
