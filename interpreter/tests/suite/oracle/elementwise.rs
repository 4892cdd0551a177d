//! Elementwise operations: `unary[160](x) -> [Element; 49] { "neg": (-x), … }`.

use super::{
    Program,
    data::Data,
    source::{inside, is_list, substituted, text, tokens, walk},
};
use libtest_mimic::{Failed, Trial};
use proc_macro2::{Delimiter, TokenTree};

const SOURCE: &str = include_str!("../../../../dsl/tests/oracle/elementwise.rs");

pub(super) fn trials() -> Vec<Trial> {
    let floats = ["f16", "bf16", "f32", "f64"].map(|ty| (ty, ty, 0..3));
    let complex = [
        ("c64", "Complex<f32>", 3..9),
        ("c128", "Complex<f64>", 3..9),
    ];
    let unsigned = ["u8", "u16", "u32", "u64"].map(|ty| (ty, ty, 9..10));
    let signed = ["i8", "i16", "i32", "i64"].map(|ty| (ty, ty, 9..11));
    let types = floats
        .into_iter()
        .chain(complex)
        .chain(unsigned)
        .chain(signed);
    let trial = |(path, ty, functions): (&'static str, &'static str, std::ops::Range<usize>)| {
        Trial::test(format!("oracle/elementwise/{path}"), move || {
            check(path, ty, &functions_of(ty)[functions.clone()])
        })
    };
    types.map(trial).collect()
}

/// A procedure of tensors of one type, with several results.
struct Function {
    name: String,
    size: String,
    operands: Vec<String>,
    result: String,
    /// What the results are called, and how they are computed.
    results: Vec<(String, String)>,
}

/// Those of floats, of complex numbers, of all integers and of integers with a sign, in this order.
fn functions_of(ty: &str) -> Vec<Function> {
    let part = ty.trim_start_matches("Complex<").trim_end_matches('>');
    let mut functions = Vec::new();
    walk(&tokens(SOURCE), &mut |tokens| {
        let [
            TokenTree::Ident(name),
            TokenTree::Group(size),
            TokenTree::Group(operands),
            _,
            _,
            TokenTree::Group(result),
            TokenTree::Group(body),
            ..,
        ] = tokens
        else {
            return;
        };
        let results = results(&inside(body));
        if !is_list(body, Delimiter::Brace) || results.is_empty() {
            return;
        }
        let result = substituted(&inside(result), &[("part", part)]).to_string();
        let operands = inside(operands).into_iter();
        functions.push(Function {
            name: name.to_string(),
            size: size.stream().to_string(),
            operands: operands
                .filter(|token| matches!(token, TokenTree::Ident(_)))
                .map(|operand| operand.to_string())
                .collect(),
            result: result.split(';').next().unwrap_or_default().to_owned(),
            results,
        });
    });
    functions
}

/// `"neg": (-x), …`.
fn results(tokens: &[TokenTree]) -> Vec<(String, String)> {
    let entries = tokens.windows(3).filter_map(|window| match window {
        [name @ TokenTree::Literal(_), _, TokenTree::Group(value)] => {
            Some((text(name), value.to_string()))
        }
        _ => None,
    });
    entries.collect()
}

fn check(path: &str, ty: &str, functions: &[Function]) -> Result<(), Failed> {
    let procedures: String = functions.iter().map(Function::procedure).collect();
    let source = format!(
        "mod elementwise {{ type Element = {ty}; pub struct P; impl P {{ {procedures} }} }}"
    );
    let mut program = Program::new(&source, Data::new("elementwise", path)?)?;
    for function in functions {
        let inputs = program.inputs(&function.name, &function.operands)?;
        let results = program.call(&function.name, &inputs)?;
        for ((name, _), found) in function.results.iter().zip(&results) {
            program.compare(name, found, floor(name))?;
        }
    }
    program.finish()
}

impl Function {
    fn procedure(&self) -> String {
        let Self {
            name, size, result, ..
        } = self;
        let operands = self.operands.iter();
        let operands: String = operands
            .map(|operand| format!(", {operand}: Tensor<Element, {size}>"))
            .collect();
        let values: Vec<_> = self
            .results
            .iter()
            .map(|(_, value)| value.as_str())
            .collect();
        let (count, values) = (values.len(), values.join(", "));
        format!(
            "pub fn {name}(&self{operands}) -> [Tensor<{result}, {size}>; {count}] {{ [{values}] }}\n"
        )
    }
}

/// As in the test: where what is added cancels, a sum is as precise as its summands.
fn floor(name: &str) -> f64 {
    match name {
        "lgamma" | "gelu" | "gelu_tanh" => 1.0,
        "digamma" => 8.0,
        "silu" => 1e-30,
        _ => 0.0,
    }
}
