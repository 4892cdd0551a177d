//! What IREE schedules, read from the text of its `stream` dialect: which memory operations read, and which they change in place.

use crate::scan::between;
use std::collections::BTreeMap;

/// A value, by its number in its function: names are used again where they are no longer seen.
pub(super) type Value = usize;

pub(super) struct Function {
    pub(super) name: String,
    /// The entry, and then the others as they are written.
    pub(super) blocks: Vec<Block>,
}

#[derive(Default)]
pub(super) struct Block {
    pub(super) label: String,
    pub(super) arguments: Vec<Value>,
    pub(super) operations: Vec<Operation>,
}

#[derive(Default)]
pub(super) struct Operation {
    /// As it is written.
    pub(super) text: String,
    pub(super) reads: Vec<Value>,
    /// Whether it puts something in the same place each time.
    pub(super) is_at_one_place: bool,
    /// What it changes in place.
    pub(super) changes: Vec<Value>,
    pub(super) results: Vec<Value>,
    /// Other names that it has for values, in front of the values: what its region reads, and what it waits for.
    pub(super) names: Vec<(Value, Value)>,
    /// Results that are in the memory of values.
    pub(super) ties: Vec<(Value, Value)>,
    pub(super) region: Vec<Operation>,
    /// Whether the operations of its region run at a time.
    pub(super) is_concurrent: bool,
    /// The blocks that may be next, and what they are handed.
    pub(super) successors: Vec<(String, Vec<Value>)>,
}

/// The functions of a module, and what initializes it.
pub(super) fn functions(text: &str) -> Result<Vec<Function>, String> {
    let mut functions = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let starts = ["  util.func ", "  util.initializer"];
        let signature = starts.iter().find_map(|start| line.strip_prefix(start));
        // A declaration has no body.
        let Some(signature) = signature.filter(|_| line.ends_with('{')) else {
            continue;
        };
        let body = lines.by_ref().take_while(|line| *line != "  }");
        let name = between(signature, "@", "(").unwrap_or("initializer");
        let blocks = Reader::default().blocks(signature, body);
        functions.push(Function {
            name: name.to_owned(),
            blocks: blocks.map_err(|message| format!("{name}: {message}"))?,
        });
    }
    Ok(functions)
}

/// Reads a function.
#[derive(Default)]
struct Reader<'t> {
    count: usize,
    /// What names stand for, in the regions that a line is in.
    scopes: Vec<BTreeMap<&'t str, Value>>,
}

impl<'t> Reader<'t> {
    fn blocks(
        &mut self,
        signature: &'t str,
        lines: impl Iterator<Item = &'t str>,
    ) -> Result<Vec<Block>, String> {
        self.scopes.push(BTreeMap::new());
        let parameters = signature.split_once('(').map_or("", |(_, it)| inside(it));
        for name in names(parameters) {
            self.define(name, 1);
        }
        let lines: Vec<_> = lines.map(str::trim).collect();
        self.define_ahead(&lines);
        let mut blocks = vec![Block::default()];
        let mut open: Vec<Operation> = Vec::new();
        for line in lines {
            if let Some(head) = line.strip_prefix('^') {
                blocks.push(self.head(head));
            } else if line.starts_with('}') {
                self.scopes.pop();
                if let Some(closed) = open.pop() {
                    put(&mut blocks, &mut open, closed);
                }
            } else if line.ends_with('{') {
                let operation = self.operation(line)?;
                self.scopes.push(BTreeMap::new());
                open.push(self.with_captures(operation, line)?);
            } else {
                let operation = self.operation(line)?;
                put(&mut blocks, &mut open, operation);
            }
        }
        Ok(blocks)
    }

    /// Defines what blocks have: a block may stand before one whose values it reads.
    fn define_ahead(&mut self, lines: &[&'t str]) {
        let mut depth = 0_usize;
        for line in lines {
            if line.starts_with('}') {
                depth = depth.saturating_sub(1);
            } else if depth > 0 {
                depth += usize::from(line.ends_with('{'));
            } else if let Some(head) = line.strip_prefix('^') {
                self.head(head);
            } else {
                let (results, _) = line.split_once(" = ").unwrap_or_default();
                if results.starts_with('%') {
                    self.results(results);
                }
                depth += usize::from(line.ends_with('{'));
            }
        }
    }

    /// The head of a block, behind its `^`.
    fn head(&mut self, line: &'t str) -> Block {
        let end = line.find(['(', ':']).unwrap_or(line.len());
        let arguments = names(line).into_iter().map(|name| self.define(name, 1));
        Block {
            arguments: arguments.collect(),
            label: line[..end].to_owned(),
            operations: Vec::new(),
        }
    }

    /// An operation, without what its region has.
    fn operation(&mut self, line: &'t str) -> Result<Operation, String> {
        let (results, rest) = match line.starts_with('%') {
            true => line.split_once(" = ").unwrap_or(("", line)),
            false => ("", line),
        };
        let is_region = line.ends_with('{');
        let (read, given) = rest.rsplit_once(" -> ").unwrap_or((rest, ""));
        // What is captured is read by operations of the region.
        let read = if is_region { "" } else { read };
        // Names in texts of the user are no values.
        let reads = names(read).into_iter().filter_map(|it| self.find(it));
        let reads: Vec<_> = reads.collect();
        let tied = parts(given).into_iter().map(tied);
        let tied = tied.map(|name| name.map(|name| self.value(name)).transpose());
        let tied: Vec<_> = tied.collect::<Result<_, _>>()?;
        let waited = match rest.starts_with("stream.timepoint.await") {
            true => names(between(rest, "=>", " : ").unwrap_or_default()),
            false => Vec::new(),
        };
        let waited: Vec<_> = self.values(waited)?;
        let successors = self.successors(rest)?;
        let results: Vec<_> = self.results(results);
        let ties = results.iter().zip(&tied);
        Ok(Operation {
            text: line.to_owned(),
            reads,
            is_at_one_place: is_at_one_place(read, given),
            changes: match is_region {
                true => Vec::new(),
                false => tied.iter().flatten().copied().collect(),
            },
            names: results.iter().copied().zip(waited).collect(),
            ties: ties
                .filter_map(|(result, tied)| Some((*result, (*tied)?)))
                .collect(),
            results,
            region: Vec::new(),
            is_concurrent: rest.starts_with("stream.async.concurrent"),
            successors,
        })
    }

    /// The operation with the names that its region has for what it reads: `with(%0 as %arg0: ..)`.
    fn with_captures(
        &mut self,
        mut operation: Operation,
        line: &'t str,
    ) -> Result<Operation, String> {
        let captured = line.split_once("with(").map_or("", |(_, it)| inside(it));
        for part in parts(captured) {
            if let Some((outer, inner)) = part.split_once(" as ")
                && let [inner, ..] = names(inner)[..]
            {
                let outer = self.value(outer)?;
                operation.names.push((self.define(inner, 1), outer));
            }
        }
        Ok(operation)
    }

    fn successors(&self, text: &'t str) -> Result<Vec<(String, Vec<Value>)>, String> {
        let successors = text.split('^').skip(1).map(|text| {
            let end = text
                .find(|c: char| !c.is_alphanumeric())
                .unwrap_or(text.len());
            let (label, rest) = text.split_at(end);
            let handed = rest.strip_prefix('(').map_or("", inside);
            Ok((label.to_owned(), self.values(names(handed))?))
        });
        successors.collect()
    }

    /// The results that stand before an operation: `%0:2, %result`.
    fn results(&mut self, text: &'t str) -> Vec<Value> {
        let mut results = Vec::new();
        for name in text.split(", ").filter(|name| !name.is_empty()) {
            let (name, count) = name.split_once(':').unwrap_or((name, "1"));
            let count = count.parse().unwrap_or(1);
            // Of several, each is read as `%0#1`: the values follow each other.
            let first = self.define(name, count);
            results.extend(first..first + count);
        }
        results
    }

    /// The first of so many values of a name, which may be defined already.
    fn define(&mut self, name: &'t str, count: Value) -> Value {
        let first = self.count + 1;
        let known = match self.scopes.last_mut() {
            Some(scope) => *scope.entry(name).or_insert(first),
            None => first,
        };
        if known == first {
            self.count += count;
        }
        known
    }

    fn values(&self, names: Vec<&str>) -> Result<Vec<Value>, String> {
        names.into_iter().map(|name| self.value(name)).collect()
    }

    fn value(&self, name: &str) -> Result<Value, String> {
        self.find(name)
            .ok_or_else(|| format!("{name} is not defined"))
    }

    fn find(&self, name: &str) -> Option<Value> {
        let (name, place) = name.split_once('#').unwrap_or((name, "0"));
        let mut scopes = self.scopes.iter().rev();
        let first = scopes.find_map(|scope| scope.get(name))?;
        Some(first + place.parse::<usize>().ok()?)
    }
}

fn put(blocks: &mut [Block], open: &mut [Operation], operation: Operation) {
    let into = match (open.last_mut(), blocks.last_mut()) {
        (Some(open), _) => &mut open.region,
        (None, Some(block)) => &mut block.operations,
        (None, None) => return,
    };
    into.push(operation);
}

/// The names of values in a text.
fn names(text: &str) -> Vec<&str> {
    let starts = text.match_indices('%').map(|(start, _)| &text[start..]);
    let names = starts.map(|text| {
        let is_name = |c: char| c.is_alphanumeric() || "%$._-#".contains(c);
        &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
    });
    names.collect()
}

/// What a result is in the memory of, if that is written in front of its type: `%0{%c4}` or `%0 as !stream.resource<external>`.
fn tied(result: &str) -> Option<&str> {
    let name = names(result).first().copied()?;
    result.starts_with(name).then_some(name)
}

/// Whether what is overwritten is a part with constant bounds: `%0[%c4 to %c8 for %c4]`. What a dispatch changes as a whole, it may
/// read too.
fn is_at_one_place(read: &str, given: &str) -> bool {
    let Some(name) = tied(given) else {
        return false;
    };
    let range = between(read, &format!("{name}["), "]").unwrap_or_default();
    let range = range.split(" for ").next().unwrap_or_default();
    let Some((start, end)) = range.split_once(" to ") else {
        return false;
    };
    let is_whole = start == "%c0" && given.ends_with(&format!("{{{end}}}"));
    let is_fixed = start.starts_with("%c") && end.starts_with("%c");
    is_fixed && !(is_whole && read.starts_with("stream.async.dispatch"))
}

/// A list, with or without parentheses, in parts.
fn parts(text: &str) -> Vec<&str> {
    let text = text.trim_start().strip_prefix('(').map_or(text, inside);
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// A text up to the parenthesis that closes what was opened before.
fn inside(text: &str) -> &str {
    let mut depth = 1;
    for (place, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..place];
        }
    }
    text
}
