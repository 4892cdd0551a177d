//! The families whose tests write a line for each call: `check.result("name", program.function(&x, &y))`.

use super::{
    Program,
    data::Data,
    source::{self, definition, is, list, text, tokens, walk},
};
use iree_dsl_interpreter::Tensor;
use libtest_mimic::{Failed, Trial};
use proc_macro2::TokenTree;
use std::collections::BTreeMap;

const CONTRACT: &str = include_str!("../../../../dsl/tests/oracle/contract.rs");
const FOURIER: &str = include_str!("../../../../dsl/tests/oracle/fourier.rs");
const LINALG: &str = include_str!("../../../../dsl/tests/oracle/linalg.rs");
const WINDOW: &str = include_str!("../../../../dsl/tests/oracle/window.rs");

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("oracle/contract", || {
            check(&tokens(CONTRACT), "contract", &[], ("contract", "f32"))
        }),
        Trial::test("oracle/window", || {
            check(&tokens(WINDOW), "window", &[], ("window", "f32"))
        }),
    ];
    for real in ["f32", "f64"] {
        trials.push(Trial::test(format!("oracle/fourier/{real}"), move || {
            let variables = [("real", real), ("program", "P")];
            check(&tokens(FOURIER), "module", &variables, ("fourier", real))
        }));
    }
    let elements = [
        ("f16", "f16"),
        ("bf16", "bf16"),
        ("f32", "f32"),
        ("f64", "f64"),
        ("c64", "Complex<f32>"),
        ("c128", "Complex<f64>"),
    ];
    for (path, element) in elements {
        for definition_name in ["program", "any_batch"] {
            let name = format!("oracle/linalg/{definition_name}/{path}");
            trials.push(Trial::test(name, move || {
                let tokens = definition(&tokens(LINALG), definition_name);
                let variables = [("element", element), ("program", "P")];
                check(&tokens, "module", &variables, ("linalg", path))
            }));
        }
    }
    trials
}

fn check(
    tokens: &[TokenTree],
    module: &str,
    variables: &[(&str, &str)],
    (family, path): (&str, &str),
) -> Result<(), Failed> {
    let source = source::program(tokens, module, variables);
    let mut program = Program::new(&source, Data::new(family, path)?)?;
    let calls = calls(tokens);
    if calls.is_empty() {
        return Err("no call was found".into());
    }
    for call in calls {
        let inputs = program.inputs(&call.function, &call.inputs)?;
        let results = program.call(&call.function, &inputs)?;
        let [found] = results.as_slice() else {
            return Err(format!("{}: not one result", call.function).into());
        };
        let condition = match call.is_conditioned {
            true => condition(&program)?,
            false => 1.0,
        };
        let right = program.data.tensor(&call.result, found.dtype())?;
        let floor = condition * largest(&right);
        let name = format!("{} ({})", call.result, call.function);
        program.compare_with(&name, &right, found, floor);
    }
    program.finish()
}

fn condition(program: &Program) -> Result<f64, Failed> {
    let condition = program.data.tensor("condition", iree_abi::DType::F64)?;
    let condition = condition
        .array::<f64>()
        .and_then(|x| x.iter().next().copied());
    condition.ok_or_else(|| "a condition".into())
}

/// The size of the largest number: sums of products are as precise as this one is.
fn largest(tensor: &Tensor) -> f64 {
    let sizes: Vec<f64> = match tensor {
        Tensor::F16(x) => x.iter().map(|x| x.to_f64().abs()).collect(),
        Tensor::BF16(x) => x.iter().map(|x| x.to_f64().abs()).collect(),
        Tensor::F32(x) => x.iter().map(|x| f64::from(x.abs())).collect(),
        Tensor::F64(x) => x.iter().map(|x| x.abs()).collect(),
        Tensor::C64(x) => x.iter().map(|x| f64::from(x.norm())).collect(),
        Tensor::C128(x) => x.iter().map(|x| x.norm()).collect(),
        _ => Vec::new(),
    };
    sizes.into_iter().fold(0.0, f64::max)
}

/// A call of a procedure, and the array that its result should be.
struct Call {
    result: String,
    is_conditioned: bool,
    function: String,
    /// The names of the arrays that it is given.
    inputs: Vec<String>,
}

fn calls(tokens: &[TokenTree]) -> Vec<Call> {
    let keys = keys(tokens);
    let mut calls = Vec::new();
    walk(tokens, &mut |tokens| {
        if let [check, _, method, TokenTree::Group(arguments), ..] = tokens
            && is(check, "check")
            && (is(method, "result") || is(method, "conditioned"))
        {
            let arguments = list(arguments);
            let is_conditioned = is(method, "conditioned");
            if let (Some([result]), Some([program, _, function, TokenTree::Group(inputs)])) = (
                arguments.first().map(Vec::as_slice),
                arguments.last().map(Vec::as_slice),
            ) && is(program, "program")
            {
                let name = |input: &Vec<TokenTree>| {
                    let name = input.last().expect("an input").to_string();
                    keys.get(&name).cloned().unwrap_or(name)
                };
                calls.push(Call {
                    result: text(result),
                    is_conditioned,
                    function: function.to_string(),
                    inputs: list(inputs).iter().map(name).collect(),
                });
            }
        }
    });
    calls
}

/// The array that each variable is: `let x = check.input::<f32, Ix2>("x");`.
fn keys(tokens: &[TokenTree]) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    walk(tokens, &mut |tokens| {
        let [word, variable, equals, check, _, input, ..] = tokens else {
            return;
        };
        if is(word, "let") && is(equals, "=") && is(check, "check") && is(input, "input") {
            let key = tokens.iter().find_map(|token| match token {
                TokenTree::Group(group) => inside_text(group),
                _ => None,
            });
            keys.extend(key.map(|key| (variable.to_string(), key)));
        }
    });
    keys
}

fn inside_text(group: &proc_macro2::Group) -> Option<String> {
    match source::inside(group).as_slice() {
        [name @ TokenTree::Literal(_)] => Some(text(name)),
        _ => None,
    }
}
