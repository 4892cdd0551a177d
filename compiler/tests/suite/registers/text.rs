//! Functions of IREE's virtual machine as text: in the generic form, with the registers of each operation.

use crate::scan::between;

pub(super) struct Function {
    pub(super) name: String,
    /// The entry, and then the others as they are written.
    pub(super) blocks: Vec<Block>,
}

#[derive(Default)]
pub(super) struct Block {
    pub(super) label: String,
    pub(super) arguments: Vec<String>,
    pub(super) registers: Vec<Register>,
    pub(super) operations: Vec<Operation>,
}

pub(super) struct Operation {
    /// Its name and operands, to show.
    pub(super) text: String,
    pub(super) operands: Vec<String>,
    pub(super) operand_registers: Vec<Register>,
    pub(super) results: Vec<String>,
    pub(super) result_registers: Vec<Register>,
    pub(super) successors: Vec<String>,
    /// For each successor, which registers are copied to which others on the way.
    pub(super) moves: Vec<Vec<(Register, Register)>>,
}

/// One or two words, and whether reading takes what is in them away.
pub(super) struct Register {
    /// As it is written.
    pub(super) text: String,
    /// The numbers of integers are even, those of references are odd.
    pub(super) words: Vec<usize>,
    pub(super) is_taken: bool,
}

/// The functions of a module, and what initializes it.
pub(super) fn functions(text: &str) -> Result<Vec<Function>, String> {
    let mut functions: Vec<Function> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.trim_start().starts_with("\"vm.func\"") {
            continue;
        }
        let body = lines
            .by_ref()
            .take_while(|line| !line.trim_start().starts_with("})"));
        let name = between(line, "sym_name = \"", "\"")
            .unwrap_or("?")
            .to_owned();
        let blocks = blocks(body).map_err(|message| format!("{name}: {message}"))?;
        functions.push(Function { name, blocks });
    }
    Ok(functions)
}

fn blocks<'t>(lines: impl Iterator<Item = &'t str>) -> Result<Vec<Block>, String> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in lines.map(str::trim) {
        if let Some((label, arguments)) = line.strip_prefix('^').and_then(header) {
            blocks.push(Block {
                label,
                arguments,
                ..Block::default()
            });
            continue;
        }
        if blocks.is_empty() {
            blocks.push(Block::default());
        }
        let block = blocks.last_mut().expect("a block");
        if block.operations.is_empty() {
            block.registers = registers(line, "block_registers")?;
        }
        block.operations.push(operation(line)?);
    }
    Ok(blocks)
}

/// The label of a block and the names of its arguments.
fn header(line: &str) -> Option<(String, Vec<String>)> {
    let line = line.split("  //").next()?.trim().strip_suffix(':')?;
    let Some((label, arguments)) = line.split_once('(') else {
        return Some((line.to_owned(), Vec::new()));
    };
    let arguments = arguments.split('%').skip(1);
    let names = arguments.filter_map(|argument| Some(format!("%{}", argument.split(':').next()?)));
    Some((label.to_owned(), names.collect()))
}

fn operation(line: &str) -> Result<Operation, String> {
    let unexpected = || format!("unexpected: {line}");
    let (results, rest) = match line.split_once(" = \"") {
        Some((results, rest)) if results.starts_with('%') => (names(results), rest),
        _ => (Vec::new(), line.strip_prefix('"').ok_or_else(unexpected)?),
    };
    let (name, rest) = rest.split_once("\"(").ok_or_else(unexpected)?;
    let (operands, rest) = rest.split_once(')').ok_or_else(unexpected)?;
    let successors = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let successors = successors.map_or("", |(successors, _)| successors);
    let labels = successors
        .split(", ")
        .filter_map(|label| label.strip_prefix('^'));
    Ok(Operation {
        text: format!("\"{name}\"({operands})"),
        operands: operands
            .split(", ")
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        operand_registers: registers(line, "operand_registers")?,
        results,
        result_registers: registers(line, "result_registers")?,
        successors: labels.map(str::to_owned).collect(),
        moves: moves(line)?,
    })
}

/// `%1`, or `%1:2` for two of them.
fn names(results: &str) -> Vec<String> {
    match results.split_once(':') {
        None => vec![results.to_owned()],
        Some((name, count)) => {
            let count = count.parse().unwrap_or(0_usize);
            (0..count).map(|index| format!("{name}#{index}")).collect()
        }
    }
}

fn registers(line: &str, attribute: &str) -> Result<Vec<Register>, String> {
    let list = between(line, &format!("{attribute} = ["), "]").unwrap_or_default();
    strings(list).map(register).collect()
}

fn moves(line: &str) -> Result<Vec<Vec<(Register, Register)>>, String> {
    let lists = between(line, "remap_registers = [", "]]").unwrap_or_default();
    let lists = lists.split("], ").map(|list| {
        let moves = strings(list).map(|pair| {
            let (from, to) = pair.split_once("->").ok_or(format!("unexpected: {pair}"))?;
            Ok((register(from)?, register(to)?))
        });
        moves.collect()
    });
    lists.collect()
}

/// `i3`, `i4+5`, `r6`, or `R6` for one that is taken.
fn register(text: &str) -> Result<Register, String> {
    let unexpected = || format!("unexpected: {text}");
    let bank = match text.chars().next() {
        Some('i') => 0,
        Some('r' | 'R') => 1,
        _ => return Err(unexpected()),
    };
    let words = text[1..].split('+').map(|word| {
        let ordinal: usize = word.parse().map_err(|_| unexpected())?;
        Ok(2 * ordinal + bank)
    });
    Ok(Register {
        text: text.to_lowercase(),
        words: words.collect::<Result<_, String>>()?,
        is_taken: text.starts_with('R'),
    })
}

fn strings(list: &str) -> impl Iterator<Item = &str> {
    list.split('"').skip(1).step_by(2)
}

impl Function {
    /// The number of a block.
    pub(super) fn block(&self, label: &str) -> Option<(usize, &Block)> {
        let mut blocks = self.blocks.iter().enumerate();
        blocks.find(|(_, block)| block.label == label)
    }
}

impl Operation {
    /// Whether the last operands are what blocks take. Blocks that other operations go on in take their results.
    pub(super) fn is_branch(&self) -> bool {
        BRANCHES.iter().any(|name| self.text.starts_with(name))
    }

    /// Whether a successor, by its position, is one that nothing goes on in: a switch of ours hands everything a second time, in
    /// cases that its flag never has, and has no other.
    pub(super) fn is_never_taken(&self, position: usize) -> bool {
        let cases = self.successors.len().saturating_sub(1);
        self.text.starts_with(SWITCH) && (position == 0 || position > cases / 2)
    }
}

const SWITCH: &str = "\"vm.br_table\"";

const BRANCHES: [&str; 3] = ["\"vm.br\"", "\"vm.cond_br\"", SWITCH];
