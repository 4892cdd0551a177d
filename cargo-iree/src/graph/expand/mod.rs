//! From a module to boxes: kernels are drawn where they are called, and operations become the lines of the source that
//! they come from.

mod lines;
#[cfg(test)]
mod tests;

use super::{
    label::{short_type, type_of},
    model::{Graph, Kind, Node},
};
use crate::mlir::{Function, Operation, Place, Sources};
use iree_abi::build::Description;
use std::{cell::Cell, collections::BTreeMap};

/// Boxes within boxes that are drawn, whatever calls whatever.
const DEEPEST: usize = 16;

/// How many operations are drawn in kernels, so that a drawing can be looked at.
const MOST: usize = 20_000;

/// The module of a program.
pub(crate) struct Program<'a> {
    pub(crate) functions: &'a [Function],
    pub(crate) sources: &'a Sources,
    /// What is known of it beside the module.
    pub(crate) description: &'a Description,
    /// The procedures to draw, or all of them.
    pub(crate) only: &'a [String],
    /// Whether kernels that call no other are opened too.
    pub(crate) all: bool,
}

/// Each procedure of a program as a box.
pub(crate) fn procedures(program: &Program<'_>) -> Graph {
    let mut graph = Graph::default();
    let described = program.description.signature.functions.iter();
    let wanted = described
        .filter(|procedure| program.only.is_empty() || program.only.contains(&procedure.name));
    for procedure in wanted {
        let mut functions = program.functions.iter();
        let Some(function) = functions.find(|known| known.symbol == procedure.name) else {
            continue;
        };
        let arguments = procedure.arguments().map(|(path, ty)| Origin::Named {
            kind: Kind::Parameter,
            path,
            ty: type_of(ty),
        });
        let results = procedure.results.iter().map(|leaf| type_of(&leaf.ty));
        let results = results.collect::<Vec<_>>().join(", ");
        let room = Cell::new(MOST);
        let expansion = Expansion::new(program, arguments.collect(), DEEPEST, &room);
        graph.add(Node {
            kind: Kind::Procedure,
            title: function.symbol.clone(),
            detail: String::new(),
            hint: place_text(function.place.as_ref()),
            inner: Some(expansion.run(function, Some(results))),
        });
    }
    graph
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A node of the same drawing.
    Node(usize),
    /// A global, or a parameter of the procedure.
    Named {
        kind: Kind,
        path: String,
        ty: String,
    },
    /// Something that the caller computed, by the place among the arguments.
    Argument { index: usize, ty: String },
    /// What does not depend on anything.
    Constant,
    /// What changes nothing where it is added: the compiler of the language adds it to keep copies apart.
    Neutral,
}

/// A function that is being drawn.
pub(super) struct Expansion<'a> {
    pub(super) program: &'a Program<'a>,
    arguments: Vec<Origin>,
    pub(super) depth: usize,
    /// How many more operations may be drawn.
    pub(super) room: &'a Cell<usize>,
    pub(super) graph: Graph,
    pub(super) values: BTreeMap<String, Origin>,
    /// The line of the source that a box stands for.
    pub(super) lines: BTreeMap<usize, Option<Place>>,
    /// What nodes take that is not made by a node.
    pub(super) inputs: Vec<(usize, Origin)>,
    /// What is stored, with where it comes from.
    pub(super) stores: Vec<(Origin, String)>,
    /// What branches hand to each block, by its label.
    pub(super) handed: BTreeMap<String, Vec<Vec<Origin>>>,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(
        program: &'a Program<'a>,
        arguments: Vec<Origin>,
        depth: usize,
        room: &'a Cell<usize>,
    ) -> Self {
        Self {
            program,
            arguments,
            depth,
            room,
            graph: Graph::default(),
            values: BTreeMap::new(),
            lines: BTreeMap::new(),
            inputs: Vec::new(),
            stores: Vec::new(),
            handed: BTreeMap::new(),
        }
    }

    /// Draws the function. `results` is written in a box for what it returns, if there is one.
    fn run(mut self, function: &Function, results: Option<String>) -> Graph {
        let names = function.arguments.iter().map(|(name, _)| name.clone());
        self.values = names.zip(self.arguments.clone()).collect();
        self.blocks(&function.blocks, None);
        let returned: Vec<_> = function
            .results
            .iter()
            .map(|value| self.origin(value))
            .collect();
        if let Some(detail) = results.filter(|_| !returned.is_empty()) {
            let node = self.node(Kind::Result, "result".to_owned(), detail);
            for origin in &returned {
                self.take(node, origin);
            }
        }
        self.finish(&returned)
    }

    /// Adds what is drawn around the operations, and leaves out what leads nowhere. What is returned stays.
    pub(super) fn finish(mut self, returned: &[Origin]) -> Graph {
        self.add_stores();
        self.add_inputs();
        let kept = returned.iter().filter_map(|origin| match origin {
            Origin::Node(node) => Some(*node),
            _ => None,
        });
        self.graph.without_dead_ends(&kept.collect());
        self.graph
    }

    pub(super) fn node(&mut self, kind: Kind, title: String, detail: String) -> usize {
        self.graph.add(Node {
            kind,
            title,
            detail,
            hint: String::new(),
            inner: None,
        })
    }

    pub(super) fn origin(&self, value: &str) -> Origin {
        self.values.get(value).cloned().unwrap_or(Origin::Constant)
    }

    pub(super) fn operation(&mut self, operation: &Operation) {
        let operands: Vec<Origin> = operation
            .operands
            .iter()
            .map(|value| self.origin(value))
            .collect();
        let origin = match operation.name.as_str() {
            "util.global.load" => Origin::Named {
                kind: Kind::Load,
                path: operation.symbols.first().cloned().unwrap_or_default(),
                ty: self.global_type(operation),
            },
            "util.global.store" => {
                let origin = operands.first().cloned().unwrap_or(Origin::Constant);
                let symbols = operation.symbols.iter().cloned();
                self.stores
                    .extend(symbols.map(|symbol| (origin.clone(), symbol)));
                return;
            }
            // Branches are drawn as what they lead to.
            name if name.starts_with("cf.") => return,
            "util.optimization_barrier" if operands == [Origin::Constant] => Origin::Neutral,
            // To a size that only the call knows.
            "stablehlo.dynamic_broadcast_in_dim" if operands.first() == Some(&Origin::Neutral) => {
                Origin::Neutral
            }
            _ if !operands.is_empty()
                && operands.iter().all(|origin| *origin == Origin::Neutral) =>
            {
                Origin::Neutral
            }
            _ if operands.len() == 2 && operands.contains(&Origin::Neutral) => {
                let mut others = operands
                    .into_iter()
                    .filter(|origin| *origin != Origin::Neutral);
                others.next().unwrap_or(Origin::Neutral)
            }
            name if is_transparent(name, &operands) => {
                operands.first().cloned().unwrap_or(Origin::Constant)
            }
            name if is_about_sizes(name, &operation.types) => Origin::Constant,
            "call" | "func.call" => self.call(operation, &operands),
            _ if operands.iter().all(|origin| *origin == Origin::Constant) => Origin::Constant,
            _ => self.line(operation, &operands),
        };
        for value in &operation.results {
            self.values.insert(value.clone(), origin.clone());
        }
    }

    /// The type of the global that is loaded, as the language has it.
    fn global_type(&self, load: &Operation) -> String {
        let mut globals = self.program.description.globals.iter();
        let global = globals.find(|global| load.symbols.first() == Some(&global.name));
        match global {
            Some(global) => type_of(&global.ty),
            None => load
                .types
                .first()
                .map_or_else(String::new, |ty| short_type(ty)),
        }
    }

    /// A call of a kernel, which is opened if it calls others.
    fn call(&mut self, operation: &Operation, operands: &[Origin]) -> Origin {
        let program = self.program;
        let symbol = operation.symbols.first();
        let callee = program
            .functions
            .iter()
            .find(|known| Some(&known.symbol) == symbol);
        let types: Vec<_> = operation.types.iter().map(|ty| short_type(ty)).collect();
        let Some(callee) = callee else {
            let title = symbol.cloned().unwrap_or_default();
            let node = self.node(Kind::Kernel, title, types.join(", "));
            return self.connected(node, operands);
        };
        let title = program.sources.kernel(callee);
        let node = self.node(Kind::Kernel, title, types.join(", "));
        self.graph.nodes[node].hint = place_text(callee.place.as_ref());
        let calls = |function: &Function| {
            let mut operations = function.operations();
            operations.any(|operation| matches!(operation.name.as_str(), "call" | "func.call"))
        };
        let left = self.room.get().checked_sub(callee.operations().count());
        if let Some(left) = left.filter(|_| (program.all || calls(callee)) && self.depth > 0) {
            self.room.set(left);
            let given = operands.iter().zip(&callee.arguments).enumerate();
            let given = given.map(|(index, (origin, (_, ty)))| match origin {
                Origin::Named { .. } => origin.clone(),
                _ => Origin::Argument {
                    index,
                    ty: short_type(ty),
                },
            });
            let inner = Expansion::new(program, given.collect(), self.depth - 1, self.room);
            self.graph.nodes[node].inner = Some(inner.run(callee, None));
        }
        self.connected(node, operands)
    }

    fn connected(&mut self, node: usize, operands: &[Origin]) -> Origin {
        for origin in operands {
            self.take(node, origin);
        }
        Origin::Node(node)
    }

    pub(super) fn take(&mut self, node: usize, origin: &Origin) {
        match origin {
            Origin::Node(maker) => self.graph.connect(*maker, node),
            Origin::Constant | Origin::Neutral => {}
            _ => self.inputs.push((node, origin.clone())),
        }
    }
}

/// What hands on its operand: nothing that a user has written.
fn is_transparent(name: &str, operands: &[Origin]) -> bool {
    match name {
        "util.optimization_barrier" | "flow.tensor.barrier" | "flow.tensor.tie_shape" => true,
        "iree_tensor_ext.compute_barrier.end" | "iree_tensor_ext.compute_barrier.start" => true,
        // A single number, for the virtual machine to compute with.
        "tensor.extract" => operands.len() == 1,
        // Integers without a sign are stored as others.
        "stablehlo.bitcast_convert" => {
            matches!(operands, [Origin::Named { .. } | Origin::Node(_)])
        }
        _ => false,
    }
}

/// Whether an operation computes sizes only, or tells them.
fn is_about_sizes(name: &str, types: &[String]) -> bool {
    let index = |ty: &String| ty == "index" || ty.ends_with("xindex>");
    name == "tensor.dim" || (!types.is_empty() && types.iter().all(index))
}

pub(super) fn place_text(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| {
        format!("{}:{}", place.file, place.line)
    })
}
