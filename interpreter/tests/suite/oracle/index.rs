//! Elements moved, looked up and put in order: `moved(x, updates) { reverse: [Element] [4, 6] = x.reverse(1); … }`.

use super::{
    Program,
    data::Data,
    source::{inside, is, is_list, tokens, walk},
};
use libtest_mimic::{Failed, Trial};
use proc_macro2::{Delimiter, TokenTree};

const SOURCE: &str = include_str!("../../../../dsl/tests/oracle/index.rs");

/// The path of the arrays, the element type, the type of its real parts, and the groups of operations that it has.
const TYPES: [(&str, &str, &str, &[&str]); 7] = [
    ("bool", "bool", "bool", &["moved", "ordered"]),
    ("u8", "u8", "u8", &["moved", "ordered", "summed"]),
    ("i32", "i32", "i32", &["moved", "ordered", "summed"]),
    (
        "bf16",
        "bf16",
        "bf16",
        &["moved", "ordered", "summed", "spread"],
    ),
    (
        "f32",
        "f32",
        "f32",
        &["moved", "ordered", "summed", "spread"],
    ),
    (
        "f64",
        "f64",
        "f64",
        &["moved", "ordered", "summed", "spread"],
    ),
    ("c64", "Complex<f32>", "f32", &["moved", "summed", "spread"]),
];

pub(super) fn trials() -> Vec<Trial> {
    let trial = |(path, element, real, groups)| {
        Trial::test(format!("oracle/index/{path}"), move || {
            check(path, element, real, groups)
        })
    };
    TYPES.into_iter().map(trial).collect()
}

struct Group {
    name: String,
    operands: Vec<String>,
    results: Vec<Entry>,
}

/// `reverse: [Element] [4, 6] = x.reverse(1)`.
struct Entry {
    name: String,
    ty: String,
    value: String,
}

fn groups() -> Vec<Group> {
    let mut groups = Vec::new();
    walk(&tokens(SOURCE), &mut |tokens| {
        if let [
            TokenTree::Ident(name),
            TokenTree::Group(operands),
            TokenTree::Group(body),
            ..,
        ] = tokens
            && ["moved", "ordered", "summed", "spread"].contains(&name.to_string().as_str())
            && is_list(body, Delimiter::Brace)
        {
            let entries = inside(body);
            let entries = entries.split(|token| is(token, ";"));
            let operands = inside(operands).into_iter().step_by(2);
            groups.push(Group {
                name: name.to_string(),
                operands: operands.map(|operand| operand.to_string()).collect(),
                results: entries.filter_map(entry).collect(),
            });
        }
    });
    groups
}

fn entry(tokens: &[TokenTree]) -> Option<Entry> {
    let [
        name,
        _,
        TokenTree::Group(element),
        TokenTree::Group(sizes),
        _,
        value @ ..,
    ] = tokens
    else {
        return None;
    };
    let value: proc_macro2::TokenStream = value.iter().cloned().collect();
    let sizes = sizes.stream().to_string();
    let separator = if sizes.is_empty() { "" } else { ", " };
    Some(Entry {
        name: name.to_string(),
        ty: format!("Tensor<{}{separator}{sizes}>", element.stream()),
        value: value.to_string(),
    })
}

fn check(path: &str, element: &str, real: &str, names: &[&str]) -> Result<(), Failed> {
    let groups = groups();
    let groups = groups
        .iter()
        .filter(|group| names.contains(&group.name.as_str()));
    let groups: Vec<_> = groups.collect();
    if groups.len() != names.len() {
        return Err("a group is missing".into());
    }
    let procedures: String = groups.iter().map(|group| group.procedure()).collect();
    let source = format!(
        "mod index {{ type Element = {element}; type Real = {real}; pub struct P; impl P {{ {procedures} }} }}"
    );
    let mut program = Program::new(&source, Data::new("index", path)?)?;
    for group in groups {
        let inputs = program.inputs(&group.name, &group.operands)?;
        let results = program.call(&group.name, &inputs)?;
        for (entry, found) in group.results.iter().zip(&results) {
            program.compare(&entry.name, found, 0.0)?;
        }
    }
    program.finish()
}

impl Group {
    fn procedure(&self) -> String {
        let operands = self.operands.iter().zip(["4, 6", "4, 5"]);
        let operands: String = operands
            .map(|(operand, sizes)| format!(", {operand}: Tensor<Element, {sizes}>"))
            .collect();
        let types: String = self
            .results
            .iter()
            .map(|entry| format!("{}, ", entry.ty))
            .collect();
        let values: String = self
            .results
            .iter()
            .map(|entry| format!("{}, ", entry.value))
            .collect();
        let name = &self.name;
        format!("pub fn {name}(&self{operands}) -> ({types}) {{ ({values}) }}\n")
    }
}
