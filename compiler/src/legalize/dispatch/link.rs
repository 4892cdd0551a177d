//! Which axes of an operand and of a result run along together.

use super::graph::Step;
use crate::legalize::fusion::is_fused;
use iree_abi::{DType, Dim, Shape};
use iree_dsl_ir::op::{DotGeneral, Op, Structure};
use std::collections::BTreeSet;

/// For each axis of an operand, the axes of the result that run along with it.
pub(super) type Link = Vec<Vec<usize>>;

/// For each axis of a value, the axes of the root of its group that it runs along with.
pub(super) type Along = Vec<BTreeSet<usize>>;

/// What an operation is for the forming of groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It combines no elements.
    Parallel,
    /// It combines elements.
    Root,
    /// It stands by itself.
    Other,
}

impl Step<'_> {
    /// How the operand at a position is read, if at places that follow those of the result.
    pub(super) fn link(&self, position: usize) -> Option<Link> {
        let operand = &self.operand(position)?.shape;
        let result = &self.result()?.shape;
        let rank = operand.rank();
        let link = match self.op().structure() {
            Structure::Elementwise => (0..rank).map(|axis| vec![axis]).collect(),
            Structure::Broadcast(op) => {
                let stays = |(axis, place): (usize, &usize)| {
                    let (from, to) = (operand.dims().get(axis), result.dims().get(*place));
                    if from == to { vec![*place] } else { Vec::new() }
                };
                op.axes.iter().enumerate().map(stays).collect()
            }
            Structure::Transpose(op) => {
                let place = |axis| op.permutation.iter().position(|from| *from == axis);
                (0..rank).map(|axis| Vec::from_iter(place(axis))).collect()
            }
            Structure::Reshape(_) => reshaped(operand, result),
            Structure::Reduction(axes) | Structure::Extremum(axes) => without(rank, axes),
            Structure::Contraction(op) => self.contracted(op, position)?,
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => return None,
            Structure::Reverse(_) | Structure::Slice(_) | Structure::Window(_) => return None,
            Structure::Update | Structure::Gather(_) | Structure::Scatter(_) => return None,
            Structure::Concatenate(_) | Structure::Pad(_) => return None,
            Structure::ReduceWindow(_) | Structure::Convolution(_) => return None,
            Structure::Scan(_)
            | Structure::Sort(_)
            | Structure::Transform
            | Structure::Factor
            | Structure::System(_) => return None,
            Structure::Branches | Structure::Iterations | Structure::Effect => return None,
        };
        let dims = operand.dims().iter().zip(link);
        // What is read at its only place is read at every place alike.
        let link = dims.map(|(dim, places)| if dim.is_one() { Vec::new() } else { places });
        Some(link.collect())
    }

    /// The axes of the result along which the operand at a position is read alike, if at places that follow those of the result.
    pub(super) fn repeats(&self, position: usize) -> Option<BTreeSet<usize>> {
        let read: BTreeSet<_> = self.link(position)?.into_iter().flatten().collect();
        let rank = self.result()?.shape.rank();
        Some((0..rank).filter(|axis| !read.contains(axis)).collect())
    }

    /// Whether it combines no elements: IREE puts it into the group of what it reads.
    pub(super) fn is_parallel(&self) -> bool {
        self.kind() == Kind::Parallel
    }

    /// Whether it combines no elements, and IREE computes it where it is read.
    pub(super) fn is_of_elements(&self) -> bool {
        self.is_parallel() || is_fused(self.op()) && !self.is_root()
    }

    /// Whether it is a reduction that IREE has as one.
    pub(super) fn is_reduction(&self) -> bool {
        self.op().reduced_axes().is_some() && !self.is_parallel()
    }

    /// Whether it is a product that IREE has as one.
    pub(super) fn is_product(&self) -> bool {
        matches!(self.op(), Op::DotGeneral(_)) && !self.is_parallel()
    }

    /// Whether it computes truth values.
    pub(super) fn is_truth(&self) -> bool {
        self.result().is_some_and(|ty| ty.dtype == DType::Bool)
    }

    /// Whether it is computed in a type of which IREE packs the factors of products into tiles.
    pub(super) fn is_packed(&self) -> bool {
        self.result().is_some_and(|ty| ty.dtype.real().size() <= 4)
    }

    /// Whether IREE knows all sizes of what it reads at first and second.
    pub(super) fn has_known_factors(&self) -> bool {
        let factors = [self.operand(0), self.operand(1)];
        let mut factors = factors.into_iter();
        factors.all(|factor| factor.is_some_and(|ty| ty.shape.known().is_some()))
    }

    /// Whether it combines elements: a group may form around it.
    pub(super) fn is_root(&self) -> bool {
        self.kind() == Kind::Root
    }

    fn kind(&self) -> Kind {
        let along = |axes: &[usize]| match self.is_one_along(axes) {
            true => Kind::Parallel,
            false => Kind::Root,
        };
        match self.op().structure() {
            Structure::Elementwise | Structure::Broadcast(_) => Kind::Parallel,
            Structure::Transpose(_) | Structure::Reshape(_) => Kind::Parallel,
            Structure::Reduction(axes) => along(axes),
            Structure::Contraction(op) => along(&op.contract.0),
            Structure::Extremum(_) | Structure::Scatter(_) => Kind::Root,
            Structure::Convolution(_) | Structure::ReduceWindow(_) => Kind::Root,
            Structure::Scan(_)
            | Structure::Sort(_)
            | Structure::Transform
            | Structure::Factor
            | Structure::System(_) => Kind::Root,
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => Kind::Other,
            Structure::Reverse(_) | Structure::Slice(_) | Structure::Window(_) => Kind::Other,
            Structure::Update | Structure::Gather(_) => Kind::Other,
            Structure::Concatenate(_) | Structure::Pad(_) => Kind::Other,
            Structure::Branches | Structure::Iterations | Structure::Effect => Kind::Other,
        }
    }

    fn is_one_along(&self, axes: &[usize]) -> bool {
        let dims = self.operand(0).map(|ty| ty.shape.dims());
        let dims = dims.unwrap_or_default();
        axes.iter()
            .all(|axis| dims.get(*axis).is_some_and(Dim::is_one))
    }

    /// The result of a contraction has the batch axes, then the free axes of each operand.
    fn contracted(&self, op: &DotGeneral, position: usize) -> Option<Link> {
        let (batch, summed) = match position {
            0 => (&op.batch.0, &op.contract.0),
            _ => (&op.batch.1, &op.contract.1),
        };
        let rank = self.operand(position)?.shape.rank();
        let before = match position {
            0 => 0,
            _ => self.operand(0)?.shape.rank() - op.batch.0.len() - op.contract.0.len(),
        };
        let mut free = batch.len() + before..;
        let place = |axis| match batch.iter().position(|at| *at == axis) {
            Some(place) => vec![place],
            None if summed.contains(&axis) => Vec::new(),
            None => Vec::from_iter(free.next()),
        };
        Some((0..rank).map(place).collect())
    }
}

/// How the axes of a result of some rank run along with the root, given how those of an operand do.
pub(super) fn forward(link: &Link, along: &Along, rank: usize) -> Along {
    let mut read = vec![BTreeSet::new(); rank];
    for (places, along) in link.iter().zip(along) {
        for place in places {
            if let Some(read) = read.get_mut(*place) {
                read.extend(along);
            }
        }
    }
    read
}

fn without(rank: usize, axes: &[usize]) -> Link {
    let mut kept = 0..;
    let place = |axis| match axes.contains(&axis) {
        true => Vec::new(),
        false => Vec::from_iter(kept.next()),
    };
    (0..rank).map(place).collect()
}

/// Goes through the axes of both shapes, in groups of as many elements each.
fn reshaped(operand: &Shape, result: &Shape) -> Link {
    let axes = |shape: &Shape| {
        let dims = shape.dims().iter().cloned().enumerate();
        let mut axes: Vec<_> = dims.filter(|(_, dim)| !dim.is_one()).collect();
        axes.reverse();
        axes
    };
    let (mut from, mut to) = (axes(operand), axes(result));
    let mut link = vec![Vec::new(); operand.rank()];
    while let (Some(one), Some(other)) = (from.pop(), to.pop()) {
        let (mut left, mut right) = (vec![one.0], vec![other.0]);
        let mut sizes = (one.1, other.1);
        while sizes.0 != sizes.1 {
            let takes_left = match (&sizes.0, &sizes.1) {
                (Dim::Static(a), Dim::Static(b)) => a < b,
                _ => !from.is_empty(),
            };
            let (group, next, size) = match takes_left {
                true => (&mut left, from.pop(), &mut sizes.0),
                false => (&mut right, to.pop(), &mut sizes.1),
            };
            let Some((axis, dim)) = next else { break };
            group.push(axis);
            *size = match (&*size, dim) {
                (Dim::Static(a), Dim::Static(b)) => Dim::Static(a.saturating_mul(b)),
                _ => Dim::Any,
            };
        }
        for axis in left {
            if let Some(places) = link.get_mut(axis) {
                places.clone_from(&right);
            }
        }
    }
    link
}
