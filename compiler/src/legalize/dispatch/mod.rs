//! Which operations IREE 3.13 makes one dispatch of, as far as it matters that it must not, and what of them it mistakes
//! for something else.
//!
//! IREE forms a group around an operation that combines elements, the *root*: a reduction or a contraction. Into it
//! go what the root is computed from, and operations at each element that read it. The group is divided among workers
//! along the axes of the root, so that each operation in it is computed where an index of the root is.

mod across;
mod again;
mod beside;
mod cancelled;
mod changes;
mod classes;
mod columns;
mod complex;
mod constants;
mod crosswise;
mod empty;
mod essence;
mod extrema;
mod fixed;
mod gathered;
mod graph;
mod interior;
mod kept;
mod link;
mod lookups;
mod merged;
mod normalized;
mod packed;
mod padded;
mod parts;
mod placed;
mod products;
mod repeated;
mod rows;
mod scattered;
mod several;
mod shared;
mod sources;
mod spread;
mod stack;
mod still;
mod summed;
mod totals;
mod transposed;
mod truths;
mod twice;
mod vectors;
mod views;

pub(in crate::legalize) use {graph::Graph, stack::count};

use super::{edits::Edits, pass::Pass, program::Program};
use graph::Node;
use iree_dsl_ir::{FunctionId, OperationId, ValueId, op::Op};
use std::collections::BTreeSet;

/// Those that put barriers behind values, each for a reason of its own, and two that mark reductions and products.
pub(super) const DISPATCH_PASSES: [Pass; 36] = [
    Pass {
        name: "twice",
        summary: "barriers behind roots that are read along two axes at once",
        avoids: "it computes such an operation on the diagonal of the two axes only",
        run: |program, edits| set_apart(program, edits, twice::cuts),
    },
    Pass {
        name: "cancelled",
        summary: "barriers behind what another operation undoes",
        avoids: "it makes one of two equal results of a dispatch, and takes another for it",
        run: |program, edits| set_apart(program, edits, cancelled::cuts),
    },
    Pass {
        name: "constants",
        summary: "barriers behind constants that are reduced or multiplied",
        avoids: "it combines a number that is written into the code once for each vector",
        run: |program, edits| set_apart(program, edits, constants::cuts),
    },
    Pass {
        name: "still",
        summary: "barriers behind what is repeated along an axis and reduced along it, and behind sums of places",
        avoids: "it keeps all that it repeats on the stack, and refuses the dispatch where that does not fit",
        run: |program, edits| set_apart(program, edits, still::cuts),
    },
    Pass {
        name: "gathered",
        summary: "barriers behind lookups that are used several times and reduced",
        avoids: "it keeps rows of each value on the stack, and refuses the dispatch where they do not fit",
        run: |program, edits| set_apart(program, edits, gathered::cuts),
    },
    Pass {
        name: "crosswise",
        summary: "barriers behind values, and places of lookups, that two dispatches take from each other",
        avoids: "it puts neither dispatch first, and refuses the program: `does not dominate this use`",
        run: |program, edits| set_apart(program, edits, crosswise::cuts),
    },
    Pass {
        name: "vectors",
        summary: "barriers behind matrices that are multiplied by a vector and used besides",
        avoids: "it does not divide what stores the matrix among workers, and refuses it",
        run: |program, edits| set_apart(program, edits, vectors::cuts),
    },
    Pass {
        name: "packed",
        summary: "barriers behind factors of products that are computed with reductions or from columns, reduced besides, or read with the product",
        avoids: "it packs a factor in the dispatch of the reduction: with tiles of other rows, not divided among workers, or on the stack; \
                 or in that of the product, in two ways",
        run: |program, edits| set_apart(program, edits, packed::cuts),
    },
    Pass {
        name: "several",
        summary: "barriers behind what is computed with a reduction of long rows and packed, if it is several values",
        avoids: "it divides only one of them into vectors: `large vector sizes`, `exceeded stack allocation limit`",
        run: |program, edits| set_apart(program, edits, several::cuts),
    },
    Pass {
        name: "padded",
        summary: "barriers before the padding of what is computed with one root and padded several times, or put into zeros of sizes of the call",
        avoids: "it does not divide what stores the second among workers, and refuses it",
        run: |program, edits| set_apart(program, edits, padded::cuts),
    },
    Pass {
        name: "interior",
        summary: "barriers between two paddings, or a padding and an update, of which one has gaps between elements",
        avoids: "it makes one of both, and loses the gaps or the offset: numbers are written to other places",
        run: |program, edits| read_apart(program, edits, interior::cuts),
    },
    Pass {
        name: "spread",
        summary: "barriers behind values that are repeated, alone and added to a reduction",
        avoids: "it does not divide what stores the value repeated among workers, and refuses it",
        run: |program, edits| set_apart(program, edits, spread::cuts),
    },
    Pass {
        name: "merged",
        summary: "barriers behind what is reduced, kept, and repeated along several axes, of sizes of the call",
        avoids: "it merges the axes, and takes the size from another result: numbers are written to other places",
        run: |program, edits| set_apart(program, edits, merged::cuts),
    },
    Pass {
        name: "summed",
        summary: "barriers behind products that are read again where they are repeated, and reduced along that axis and another",
        avoids: "it adds the product to itself for each tile along that axis: wrong numbers",
        run: |program, edits| set_apart(program, edits, summed::cuts),
    },
    Pass {
        name: "empty",
        summary: "barriers behind what follows a reduction or a product, is kept, and is repeated along an axis that may have no elements",
        avoids: "it stores the value in a loop over that axis, which may have no iterations",
        run: |program, edits| set_apart(program, edits, empty::cuts),
    },
    Pass {
        name: "placed",
        summary: "barriers behind products beside what is computed from places, where the result is transposed",
        avoids: "it has no code for places in tiles that it transposes, and crashes",
        run: |program, edits| set_apart(program, edits, placed::cuts),
    },
    Pass {
        name: "lookups",
        summary: "barriers behind what is read beside a product from computed places, and behind parts, of sizes of the call",
        avoids: "it reads outside of the tensor for what is behind the end of the last tiles, and parts as a whole: `large vector sizes`",
        run: |program, edits| set_apart(program, edits, lookups::cuts),
    },
    Pass {
        name: "columns",
        summary: "barriers behind parts of what is transposed that are read one by one",
        avoids: "it has no code for an element of a vector that is not in one piece, and refuses it",
        run: |program, edits| set_apart(program, edits, columns::cuts),
    },
    Pass {
        name: "transposed",
        summary: "barriers behind large products whose results are transposed",
        avoids: "it packs no factors where a transpose puts one axis between others, which takes twenty times as long",
        run: |program, edits| set_apart(program, edits, transposed::cuts),
    },
    Pass {
        name: "repeated",
        summary: "barriers behind views of which what repeats them is changed as they are, or in two sizes alike",
        avoids: "it makes one of both changes and loses the shape: `failed to legalize unresolved materialization`",
        run: |program, edits| set_apart(program, edits, repeated::cuts),
    },
    Pass {
        name: "rows",
        summary: "barriers behind products with vectors that are repeated, and reduced or stored",
        avoids: "it divides the dispatch for the product only, and refuses what is stored besides",
        run: |program, edits| set_apart(program, edits, rows::cuts),
    },
    Pass {
        name: "views",
        summary: "barriers behind complex vectors that are multiplied by themselves",
        avoids: "it stores the parts of a row and of a column, the second time without workers",
        run: |program, edits| set_apart(program, edits, views::cuts),
    },
    Pass {
        name: "parts",
        summary: "barriers behind products of which parts are taken, of sizes of the call",
        avoids: "it does not divide the part into tiles: `large vector sizes`",
        run: |program, edits| set_apart(program, edits, parts::cuts),
    },
    Pass {
        name: "beside",
        summary: "barriers behind products beside what their factors are computed from, of sizes of the call",
        avoids: "it takes sizes that it has later only, and fails without a word",
        run: |program, edits| set_apart(program, edits, beside::cuts),
    },
    Pass {
        name: "across",
        summary: "barriers before factors, and what is added to products, that are computed before a branch or a loop, or with what the other needs, of sizes of the call",
        avoids: "it packs a factor where it is computed, before it has the sizes: `does not dominate this use`, or not a word",
        run: |program, edits| read_apart(program, edits, across::cuts),
    },
    Pass {
        name: "complex",
        summary: "barriers behind products that are parts of complex numbers, and behind those that are transposed and multiplied",
        avoids: "it refuses tiles of complex numbers, and does not divide what stores parts that are transposed",
        run: |program, edits| set_apart(program, edits, complex::cuts),
    },
    Pass {
        name: "again",
        summary: "barriers behind sums and products that something else reads than the reduction after them",
        avoids: "it adds to the numbers that are there each time that the loop of the second reduction comes to them",
        run: |program, edits| set_apart(program, edits, again::cuts),
    },
    Pass {
        name: "kept",
        summary: "barriers behind large products of which several values are kept",
        avoids: "it divides only one of them into vectors: `large vector sizes`",
        run: |program, edits| set_apart(program, edits, kept::cuts),
    },
    Pass {
        name: "normalized",
        summary: "barriers behind values that are normalized and kept",
        avoids: "it keeps several rows of them on the stack, and refuses the dispatch where they do not fit",
        run: |program, edits| set_apart(program, edits, normalized::cuts),
    },
    Pass {
        name: "totals",
        summary: "barriers before what is reduced to one number, if values that it is computed from are kept besides or are elsewhere",
        avoids: "it keeps all elements of these on the stack, and refuses the dispatch where they do not fit",
        run: |program, edits| set_apart(program, edits, totals::cuts),
    },
    Pass {
        name: "truths",
        summary: "barriers behind truth values that are kept, if what they select is reduced along other axes than the last",
        avoids: "it keeps all that a worker reduces of them on the stack, as bytes, and refuses the dispatch where they do not fit",
        run: |program, edits| set_apart(program, edits, truths::cuts),
    },
    Pass {
        name: "extrema",
        summary: "barriers behind what extrema are searched in, if it is computed from what others need",
        avoids: "it rounds once for the extremum and twice for its place, so that nothing is equal to the extremum",
        run: |program, edits| set_apart(program, edits, extrema::cuts),
    },
    Pass {
        name: "complex-reductions",
        summary: "barriers before reductions of complex numbers whose parts others need, of sizes of the call",
        avoids: "it keeps the parts on the stack, as many as there are",
        run: |program, edits| read_apart(program, edits, complex::reductions),
    },
    Pass {
        name: "scattered",
        summary: "barriers behind what is computed, used again, and changed in part at places",
        avoids: "it keeps all of it on the stack, and refuses the dispatch where that does not fit",
        run: |program, edits| set_apart(program, edits, scattered::cuts),
    },
    Pass {
        name: "shared",
        summary: "barriers behind what expressions share that would be of too many operations or tensors",
        avoids: "it copies an expression for each of its results that another reads, and takes minutes, or loads no dispatch of all their tensors",
        run: |program, edits| set_apart(program, edits, shared::cuts),
    },
    Pass {
        name: "products",
        summary: "marks sums of products that are not lowered to contractions",
        avoids: "it refuses some, and packs matrices on a stack that is too small for them",
        run: mark_sums,
    },
];

/// Puts barriers behind nodes of all graphs.
fn set_apart(program: &Program<'_>, edits: &mut Edits, cuts: fn(&Graph<'_>) -> BTreeSet<Node>) {
    for graph in program.graphs() {
        for (function, value) in places(graph, cuts(graph)) {
            edits.within(function).apart.insert(value);
        }
    }
}

/// Puts barriers before operands of operations of all graphs.
fn read_apart(
    program: &Program<'_>,
    edits: &mut Edits,
    operands: fn(&Graph<'_>) -> BTreeSet<(Node, usize)>,
) {
    for graph in program.graphs() {
        for (node, position) in operands(graph) {
            let Some(step) = graph.step(node) else {
                continue;
            };
            for (function, value) in places(graph, BTreeSet::from([node])) {
                let reader = maker(program, function, value, step.op());
                let operand = reader.map(|reader| (reader, position));
                edits.within(function).before.extend(operand);
            }
        }
    }
}

/// Marks the nodes of all graphs that must not look like contractions.
fn mark_sums(program: &Program<'_>, edits: &mut Edits) {
    for graph in program.graphs() {
        for (function, value) in places(graph, products::sums(graph)) {
            edits.within(function).sums.insert(value);
        }
    }
}

/// The values that are some nodes, in all functions.
fn places(graph: &Graph<'_>, nodes: BTreeSet<Node>) -> impl Iterator<Item = graph::Place> {
    let nodes = nodes.into_iter().filter_map(|node| graph.get(node));
    nodes.flat_map(|node| &node.places).copied()
}

/// The operation that makes a value, if it is a certain one: what gives a value back as it is makes none.
fn maker(
    program: &Program<'_>,
    function: FunctionId,
    value: ValueId,
    op: &Op,
) -> Option<OperationId> {
    let function = program.module.functions.get(function)?;
    let mut operations = function.operations.iter();
    let maker = operations.find(|(_, it)| it.results.first() == Some(&value) && it.op == *op);
    maker.map(|(id, _)| id)
}
