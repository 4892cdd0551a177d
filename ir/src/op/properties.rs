//! What analyses ask of operations, in classes. Each family states its own in its file, and whoever asks matches all of
//! them, so that neither has a wildcard.

use super::{
    ArgSort, Broadcast, Call, Convolution, DotGeneral, DynamicSlice, Gather, GlobalAccess, Import,
    Mlir, Observation, Op, Pad, ReduceWindow, Scatter, Size, Slice, Solve, Transpose,
};
use crate::Constant;
use iree_abi::{Extent, Shape};

/// All that analyses ask of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Properties<'a> {
    /// What it does besides computing its results.
    pub(crate) effect: Effect<'a>,
    /// In which memory its results may be.
    pub(crate) alias: Alias<'a>,
    /// How long it takes.
    pub(crate) cost: Cost,
    /// Which elements of the operands an element of the result is made of.
    pub(crate) structure: Structure<'a>,
}

/// What an operation does besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect<'a> {
    /// Nothing. Equal operands have equal results.
    Pure,
    /// It reads a global.
    Reads(&'a GlobalAccess),
    /// It writes a global.
    Writes(&'a GlobalAccess),
    /// It shows tensors to the host.
    Shows(&'a Observation),
    /// It may fail the call.
    Checks(&'a Observation),
    /// It calls the host, which may do anything.
    CallsHost(&'a Import),
    /// What the function that it calls does.
    Calls(&'a Call),
    /// What its regions do.
    Regions,
    /// What a text says that nobody reads here. It computes its results from its operands, which it may change.
    Foreign(&'a Mlir),
}

/// In which memory the results of an operation may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias<'a> {
    /// In their own, whatever the operands are.
    New,
    /// Known while building: in that of another constant that is equal.
    Constant,
    /// That of the operand: it is a view.
    View,
    /// In their own, unless the operation turns out to change nothing, as `x + 0`: then in that of an operand, at this
    /// position or behind it.
    Operands {
        /// The first of these operands.
        first: usize,
    },
    /// That of the first operand, which is changed.
    InPlace(Update),
    /// That of a global.
    Global(&'a GlobalAccess),
    /// That of the results of its regions.
    Branches,
    /// That of its operands or of the results of a region.
    Iterations,
    /// What the function that it calls returns, which may be an operand that it changed.
    Callee(&'a Call),
    /// Nobody knows: perhaps an operand that it changed.
    Foreign,
    /// There are none.
    NoResults,
}

/// What of a tensor is changed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// A window, by the second operand.
    Window,
    /// Elements at places that operands say.
    Elements,
}

/// How long an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Nothing: the result is in the module.
    Free,
    /// Nothing is computed, and elements need not move: a view, a global.
    View,
    /// Elements move.
    Movement,
    /// An instruction or two for each element.
    Elementwise,
    /// Many instructions for each element.
    Transcendental,
    /// Each element of the operand is combined with others.
    Reduction,
    /// Each element of the result is made of a window.
    Windows,
    /// Each element of the result is a sum of products.
    Contraction,
    /// Each element of the result depends on all along an axis.
    Along,
    /// What its regions, its callee, the host or a text take.
    Control,
}

/// Which elements of the operands an element of the result is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure<'a> {
    /// Of none: a constant.
    Constant(&'a Constant),
    /// Of none: its index.
    Index,
    /// Of none: sizes of the call.
    Size(&'a Size),
    /// Those at the same place of each operand. All shapes are equal.
    Elementwise,
    /// One, repeated along axes.
    Broadcast(&'a Broadcast),
    /// One, in the same order.
    Reshape(&'a Shape),
    /// One, with the axes in another order.
    Transpose(&'a Transpose),
    /// One, with axes turned around.
    Reverse(&'a [usize]),
    /// One, of a part with fixed bounds.
    Slice(&'a Slice),
    /// One, of a window that starts where operands from the second on say.
    Window(&'a DynamicSlice),
    /// One of two: of the second operand in a window that starts where those from the third on say.
    Update,
    /// One, of an operand that follows from the place along an axis.
    Concatenate(usize),
    /// One, or the second operand around and between them.
    Pad(&'a Pad),
    /// One, from where further operands say.
    Gather(&'a Gather),
    /// One, combined with those of the second operand that further operands put there.
    Scatter(&'a Scatter),
    /// All along axes that the result does not have.
    Reduction(&'a [usize]),
    /// The place of one among all along axes that the result does not have.
    Extremum(&'a [usize]),
    /// All in a window.
    ReduceWindow(&'a ReduceWindow),
    /// All in a window, with those of a kernel.
    Convolution(&'a Convolution),
    /// Products along pairs of axes.
    Contraction(&'a DotGeneral),
    /// All up to it along an axis.
    Scan(usize),
    /// Where one along an axis comes from that has so many before it in order.
    Sort(&'a ArgSort),
    /// All along the last axis, by a matrix.
    Transform,
    /// All of a matrix.
    Factor,
    /// All of a matrix, with a column of the second operand.
    System(&'a Solve),
    /// Results of one of two regions.
    Branches,
    /// Results of the last iteration of a region.
    Iterations,
    /// That is not known here; see the [effect](Effect).
    Effect,
}

impl Op {
    /// What it does besides computing its results.
    pub fn effect(&self) -> Effect<'_> {
        self.properties().effect
    }

    /// In which memory its results may be.
    pub fn alias(&self) -> Alias<'_> {
        self.properties().alias
    }

    /// How long it takes.
    pub fn cost(&self) -> Cost {
        self.properties().cost
    }

    /// Which elements of the operands an element of the result is made of.
    pub fn structure(&self) -> Structure<'_> {
        self.properties().structure
    }

    /// Whether it does nothing but compute its results, from its operands alone.
    pub fn is_pure(&self) -> bool {
        self.effect() == Effect::Pure
    }

    /// Whether it computes each element of the result from those at the same place.
    pub fn is_elementwise(&self) -> bool {
        self.structure() == Structure::Elementwise
    }

    /// Whether its result is made of no tensor.
    pub fn is_source(&self) -> bool {
        matches!(
            self.structure(),
            Structure::Constant(_) | Structure::Index | Structure::Size(_)
        )
    }

    /// The axes of the operand that the result does not have, if it is made of all elements along them.
    pub fn reduced_axes(&self) -> Option<&[usize]> {
        if let Structure::Reduction(axes) | Structure::Extremum(axes) = self.structure() {
            Some(axes)
        } else {
            None
        }
    }

    /// The function that it calls.
    pub fn callee(&self) -> Option<&Call> {
        if let Effect::Calls(call) = self.effect() {
            Some(call)
        } else {
            None
        }
    }

    /// The numbers in its attributes that may be known at the call only, besides those in the types of its results.
    pub fn extents(&self) -> Vec<&Extent> {
        match self.structure() {
            Structure::Size(size) => vec![&size.extent],
            Structure::Slice(slice) => slice.start.iter().chain(&slice.limit).collect(),
            Structure::Constant(_) | Structure::Index | Structure::Elementwise => Vec::new(),
            Structure::Broadcast(_) | Structure::Reshape(_) | Structure::Window(_) => Vec::new(),
            Structure::Transpose(_) | Structure::Reverse(_) | Structure::Update => Vec::new(),
            Structure::Concatenate(_) | Structure::Pad(_) | Structure::Gather(_) => Vec::new(),
            Structure::Scatter(_) | Structure::Reduction(_) | Structure::Extremum(_) => Vec::new(),
            Structure::ReduceWindow(_) | Structure::Convolution(_) => Vec::new(),
            Structure::Contraction(_) | Structure::Scan(_) | Structure::Sort(_) => Vec::new(),
            Structure::Transform
            | Structure::Factor
            | Structure::System(_)
            | Structure::Branches
            | Structure::Iterations => Vec::new(),
            Structure::Effect => Vec::new(),
        }
    }

    /// Whether it has regions.
    pub(super) fn has_regions(&self) -> bool {
        self.effect() == Effect::Regions
    }
}

impl Properties<'_> {
    /// What computes elements of operands at the same place.
    pub(crate) const fn elementwise(cost: Cost) -> Self {
        Self {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost,
            structure: Structure::Elementwise,
        }
    }
}
