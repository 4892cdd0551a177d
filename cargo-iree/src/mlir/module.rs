//! The functions of a module in the form that the compiler of the language prints: one operation begins on a line
//! of its own, indented by what it is inside of.

use super::{Line, Place};
use iree_abi::split_list;
use std::collections::BTreeSet;

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) symbol: String,
    /// Names of values in the text, with their types.
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) blocks: Vec<Block>,
    /// What it returns.
    pub(crate) results: Vec<String>,
    /// Where it is in the source.
    pub(crate) place: Option<Place>,
}

impl Function {
    /// What it does, block after block.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.blocks.iter().flat_map(|block| &block.operations)
    }
}

/// Operations up to a branch or the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    /// What branches call it; nothing for the first.
    pub(crate) label: String,
    /// Names of values in the text, with their types.
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) place: Option<Place>,
}

/// An operation of a function, with all that is in its regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// `stablehlo.add`.
    pub(crate) name: String,
    /// The values that it defines. The parts of one that is several are `%0#0`, `%0#1`.
    pub(crate) results: Vec<String>,
    /// The types of these.
    pub(crate) types: Vec<String>,
    /// The values that it or an operation inside it uses, and that are defined outside.
    pub(crate) operands: Vec<String>,
    /// The blocks that it may go on with, and what it hands them.
    pub(crate) successors: Vec<(String, Vec<String>)>,
    /// The symbols that it or an operation inside it names.
    pub(crate) symbols: Vec<String>,
    pub(crate) places: Vec<Place>,
}

/// The functions of a module.
pub(crate) fn functions(lines: &[Line]) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut rest = lines;
    while let Some(start) = rest
        .iter()
        .position(|line| line.text.starts_with("  func.func "))
    {
        rest = &rest[start..];
        let end = rest.iter().position(|line| line.text.starts_with("  }"));
        let Some(end) = end else {
            break;
        };
        functions.extend(function(&rest[0], &rest[1..end], &rest[end]));
        rest = &rest[end..];
    }
    functions
}

fn function(head: &Line, body: &[Line], end: &Line) -> Option<Function> {
    let (_, signature) = head.text.split_once('@')?;
    let (symbol, rest) = signature.split_once('(')?;
    let (signature, _) = split_bracket(rest)?;
    let mut function = Function {
        symbol: symbol.trim_matches('"').to_owned(),
        arguments: arguments(signature),
        blocks: vec![Block::default()],
        results: Vec::new(),
        place: end.places.first().cloned(),
    };
    for part in body.chunk_by(|_, next| !is_label(next)) {
        let rest = match part {
            [label, rest @ ..] if is_label(label) => {
                function.blocks.push(block(label));
                rest
            }
            rest => rest,
        };
        for lines in group(rest) {
            let first = lines.first()?.text.trim();
            match first.strip_prefix("return") {
                Some(returned) => {
                    let values = returned.split(" : ").next().unwrap_or_default();
                    function.results = values_in(values);
                }
                None => function
                    .blocks
                    .last_mut()?
                    .operations
                    .push(operation(lines)),
            }
        }
    }
    Some(function)
}

/// Names and types of a list: `%a: tensor<f32>, %b: i32`.
fn arguments(list: &str) -> Vec<(String, String)> {
    let arguments = split_list(list).filter_map(|argument| {
        let (name, ty) = argument.split_once(": ")?;
        Some((name.to_owned(), ty.to_owned()))
    });
    arguments.collect()
}

/// Whether a block of a function starts with a line.
fn is_label(line: &Line) -> bool {
    line.text.starts_with("  ^")
}

fn block(label: &Line) -> Block {
    let text = label.text.trim().trim_start_matches('^');
    let end = text.find(['(', ':']).unwrap_or(text.len());
    let list = text[end..].strip_prefix('(').and_then(split_bracket);
    Block {
        label: text[..end].to_owned(),
        arguments: list.map_or_else(Vec::new, |(list, _)| arguments(list)),
        operations: Vec::new(),
        place: label.places.first().cloned(),
    }
}

/// The lines of each operation of a function's body: all that is deeper belongs to the one before.
fn group(body: &[Line]) -> impl Iterator<Item = &[Line]> {
    let begins = |line: &Line| {
        let inner = line.text.strip_prefix("    ");
        inner.is_some_and(|inner| !inner.starts_with([' ', '}', '^', ')']))
    };
    let mut rest = body;
    std::iter::from_fn(move || {
        let start = rest.iter().position(begins)?;
        let next = rest[start + 1..].iter().position(begins);
        let end = next.map_or(rest.len(), |next| start + 1 + next);
        let (lines, after) = (&rest[start..end], &rest[end..]);
        rest = after;
        Some(lines)
    })
}

fn operation(lines: &[Line]) -> Operation {
    let first = lines.first().map_or("", |line| line.text.trim());
    let (defined, operation) = match first.split_once(" = ") {
        Some((defined, operation)) if defined.starts_with('%') => (defined, operation),
        _ => ("", first),
    };
    let end = operation.find(|c: char| c.is_whitespace() || c == '(');
    let name = operation[..end.unwrap_or(operation.len())].trim_matches('"');
    let results = results(defined);
    let mut inside: BTreeSet<String> = results.iter().cloned().collect();
    let (mut operands, mut symbols) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        let text = match index {
            0 => operation,
            _ => line.text.trim(),
        };
        let (text, definition) = match text.split_once(" = ") {
            Some((definition, text)) if definition.starts_with('%') => (text, definition),
            _ if text.starts_with('^') => {
                inside.extend(values_in(text));
                continue;
            }
            _ => (text, ""),
        };
        for value in values_in(text) {
            if !inside.contains(&value) && !operands.contains(&value) {
                operands.push(value);
            }
        }
        symbols.extend(symbols_in(text));
        inside.extend(self::results(definition));
    }
    let successors = match name.starts_with("cf.") {
        true => successors(operation),
        false => Vec::new(),
    };
    let last = lines.iter().rev().find(|line| !line.places.is_empty());
    Operation {
        name: name.to_owned(),
        types: types(lines.last().map_or("", |line| &line.text)),
        results,
        operands,
        successors,
        symbols,
        places: last.map(|line| line.places.clone()).unwrap_or_default(),
    }
}

/// The blocks that a branch names: `cf.cond_br %c, ^bb1(%a : tensor<f32>), ^bb2`.
fn successors(branch: &str) -> Vec<(String, Vec<String>)> {
    let named = branch.split('^').skip(1).map(|successor| {
        let end = successor.find(|c: char| !c.is_alphanumeric());
        let (label, rest) = successor.split_at(end.unwrap_or(successor.len()));
        let list = rest.strip_prefix('(').and_then(split_bracket);
        let values = list.and_then(|(list, _)| list.split(" : ").next());
        (label.to_owned(), values.map_or_else(Vec::new, values_in))
    });
    named.collect()
}

/// The names of the values that `%0` or `%0:2` or `%0, %1` define.
fn results(defined: &str) -> Vec<String> {
    let names = defined
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    names
        .flat_map(|name| match name.split_once(':') {
            None => vec![name.to_owned()],
            Some((name, count)) => {
                let count = count.parse().unwrap_or(1);
                let parts = (0..count).map(|index: usize| format!("{name}#{index}"));
                std::iter::once(name.to_owned()).chain(parts).collect()
            }
        })
        .collect()
}

/// The types of the results, which stand at the end: after the last arrow, or after the last colon.
fn types(line: &str) -> Vec<String> {
    let end = match line.rsplit_once(" -> ") {
        Some((_, end)) => end,
        None => line.rsplit_once(" : ").map_or("", |(_, end)| end),
    };
    let end = end.trim().trim_end_matches('{').trim();
    let list = end.strip_prefix('(').and_then(|end| end.strip_suffix(')'));
    let list = list.unwrap_or(end);
    split_list(list).map(str::to_owned).collect()
}

/// What is before the bracket that closes one which was opened before the text, and what is after.
fn split_bracket(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (index, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..index], &text[index + 1..]));
        }
    }
    None
}

fn values_in(text: &str) -> Vec<String> {
    words(text, '%', |c| c.is_alphanumeric() || "_#-$.".contains(c))
}

/// The names of symbols, without the mark.
fn symbols_in(text: &str) -> Vec<String> {
    let symbols = words(text, '@', |c| c.is_alphanumeric() || "_$.-".contains(c));
    symbols
        .into_iter()
        .map(|name| name[1..].to_owned())
        .collect()
}

/// The words that begin with a mark and are in no string.
fn words(text: &str, mark: char, goes_on: impl Fn(char) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (index, outside) in text.split('"').enumerate() {
        // Every other part is in a string.
        if index % 2 == 1 {
            continue;
        }
        let parts = outside.match_indices(mark).map(|(start, _)| {
            let after = &outside[start + 1..];
            let end = after.find(|c| !goes_on(c)).unwrap_or(after.len());
            outside[start..=start + end].to_owned()
        });
        found.extend(parts.filter(|word| word.len() > 1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{super::lines, *};

    const MODULE: &str = r#"module @p {
  "util.global"() <{sym_name = "a.b", type = tensor<3xf32>}> : () -> () loc(#loc)
  func.func private @k(%arg0: tensor<3xf32> loc("a.rs":1:1), %arg1: tensor<i32> loc("a.rs":1:1)) -> tensor<3xf32> {
    %0 = "util.global.load"() <{global = @a.b}> : () -> tensor<3xf32> loc("a.rs":2:1)
    %1:2 = "stablehlo.while"(%arg0, %0) ({
    ^bb0(%arg2: tensor<3xf32> loc("a.rs":3:1), %arg3: tensor<3xf32> loc("a.rs":3:1)):
      %3 = func.call @other(%arg2, %arg1) : (tensor<3xf32>, tensor<i32>) -> tensor<i1> loc("a.rs":3:9)
      "stablehlo.return"(%3) : (tensor<i1>) -> () loc("a.rs":3:1)
    }) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>) loc("a.rs":4:1)
    return %1#0 : tensor<3xf32> loc("a.rs":1:1)
  } loc("a.rs":1:1)
  func.func public @none() {
    return
  }
}"#;

    #[test]
    fn functions_are_read_with_their_operations() {
        let functions = functions(&lines(MODULE));
        assert_eq!(functions.len(), 2);
        let kernel = &functions[0];
        assert_eq!(kernel.symbol, "k");
        assert_eq!(
            kernel.arguments[1],
            ("%arg1".to_owned(), "tensor<i32>".to_owned())
        );
        assert_eq!(kernel.results, ["%1#0"]);
        assert_eq!(kernel.place.as_ref().unwrap().line, 1);
        let [load, repeat] = kernel.blocks[0].operations.as_slice() else {
            panic!("{:?}", kernel.blocks);
        };
        assert_eq!(
            (load.name.as_str(), load.symbols.as_slice()),
            ("util.global.load", &["a.b".to_owned()][..])
        );
        assert_eq!(load.types, ["tensor<3xf32>"]);
        assert_eq!(repeat.name, "stablehlo.while");
        assert_eq!(repeat.results, ["%1", "%1#0", "%1#1"]);
        assert_eq!(repeat.operands, ["%arg0", "%0", "%arg1"]);
        assert_eq!(repeat.symbols, ["other"]);
        assert_eq!(repeat.types, ["tensor<3xf32>", "tensor<i32>"]);
        assert_eq!(repeat.places[0].line, 4);
    }

    #[test]
    fn blocks_have_labels_arguments_and_successors() {
        let text = "  func.func public @f(%arg0: tensor<i1>) -> tensor<f32> {\n    \
            cf.cond_br %c, ^bb1(%a, %b : tensor<f32>, index), ^bb2 loc(\"a.rs\":1:1)\n  \
            ^bb1(%1: tensor<f32> loc(\"a.rs\":2:1), %2: index loc(\"a.rs\":2:1)):  // pred: ^bb0\n    \
            cf.br ^bb2\n  ^bb2:\n    return %1 : tensor<f32>\n  }";
        let [function] = functions(&lines(text)).try_into().unwrap();
        let [first, second, third] = function.blocks.as_slice() else {
            panic!("{function:?}");
        };
        let successors = &first.operations[0].successors;
        let handed = vec!["%a".to_owned(), "%b".to_owned()];
        assert_eq!(
            *successors,
            [("bb1".to_owned(), handed), ("bb2".to_owned(), Vec::new())]
        );
        assert_eq!(second.label, "bb1");
        assert_eq!(
            second.arguments[0],
            ("%1".to_owned(), "tensor<f32>".to_owned())
        );
        assert_eq!(second.place.as_ref().unwrap().line, 2);
        assert!(third.label == "bb2" && third.arguments.is_empty());
        assert_eq!(function.results, ["%1"]);
    }

    #[test]
    fn what_is_cut_off_is_read_as_far_as_it_goes() {
        for end in 0..MODULE.len() {
            functions(&lines(&MODULE[..end]));
        }
    }
}
