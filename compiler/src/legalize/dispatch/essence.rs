//! What values are, but for axes of one.
//!
//! IREE 3.13 drops axes of one, and then finds operations to be the same that differ in these only.
//! Defect `read-along-two-axes`.

use super::graph::Step;
use iree_abi::{Dim, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData,
    op::{Broadcast, DotGeneral, Op, Reduce, Structure, Transpose},
};

/// What an operation computes, but for axes of one, which IREE drops.
pub(super) enum Essence {
    /// Its operand.
    View,
    /// What this operation computes of the essences of its operands.
    Of(Op),
}

impl Essence {
    /// What a step computes, if that is known.
    pub(super) fn of(step: &Step<'_>) -> Option<Self> {
        let operand = step.operand(0).map_or(&[][..], |ty| ty.shape.dims());
        let (from, to) = (wide(operand), wide(step.result()?.shape.dims()));
        let read = |axis: &usize| place(&from, *axis);
        let sizes = |wide: &Wide<'_>| -> Vec<Dim> {
            let sizes = wide.iter().map(|(_, dim)| *dim);
            sizes.cloned().collect()
        };
        let is_same = || sizes(&from) == sizes(&to);
        match step.op().structure() {
            Structure::Constant(op) => splat(op, sizes(&to)),
            Structure::Reshape(_) => is_same().then_some(Essence::View),
            Structure::Broadcast(_) if is_same() => Some(Essence::View),
            Structure::Broadcast(op) => {
                let axes = from.iter().filter_map(|(axis, _)| op.axes.get(*axis));
                Some(Essence::Of(Op::Broadcast(Broadcast {
                    axes: axes.filter_map(|axis| place(&to, *axis)).collect(),
                    shape: Shape::new(sizes(&to)),
                })))
            }
            Structure::Transpose(op) => {
                let permutation: Vec<_> = op.permutation.iter().filter_map(read).collect();
                Some(match permutation.is_sorted() {
                    true => Essence::View,
                    false => Essence::Of(Op::Transpose(Transpose { permutation })),
                })
            }
            Structure::Reduction(axes) => {
                let axes: Vec<_> = axes.iter().filter_map(read).collect();
                match axes.is_empty() {
                    true => Some(Essence::View),
                    false => reduced_along(step.op(), axes),
                }
            }
            Structure::Contraction(op) => {
                contracted(op, &from, &wide(step.operand(1)?.shape.dims()))
            }
            Structure::Elementwise => Some(Essence::Of(step.op().clone())),
            Structure::Index | Structure::Size(_) => None,
            Structure::Reverse(_) | Structure::Slice(_) | Structure::Window(_) => None,
            Structure::Update | Structure::Gather(_) | Structure::Scatter(_) => None,
            Structure::Concatenate(_) | Structure::Pad(_) | Structure::Extremum(_) => None,
            Structure::ReduceWindow(_) | Structure::Convolution(_) => None,
            Structure::Scan(_)
            | Structure::Sort(_)
            | Structure::Transform
            | Structure::Factor
            | Structure::System(_) => None,
            Structure::Branches | Structure::Iterations | Structure::Effect => None,
        }
    }
}

/// The same element in another shape. Many elements are not worth a comparison.
fn splat(op: &Constant, sizes: Vec<Dim>) -> Option<Essence> {
    let ConstantData::Splat(element) = &op.data else {
        return None;
    };
    Some(Essence::Of(Op::Constant(Constant {
        ty: TensorType::new(op.ty.dtype, Shape::new(sizes)),
        data: ConstantData::Splat(element.clone()),
    })))
}

/// The same contraction of factors without axes of one.
fn contracted(op: &DotGeneral, lhs: &Wide<'_>, rhs: &Wide<'_>) -> Option<Essence> {
    let places = |axes: &[usize], wide: &Wide<'_>| -> Vec<usize> {
        let places = axes.iter().map(|axis| place(wide, *axis));
        places.flatten().collect()
    };
    let both = |(left, right): &(Vec<usize>, Vec<usize>)| (places(left, lhs), places(right, rhs));
    Some(Essence::Of(Op::DotGeneral(DotGeneral {
        batch: both(&op.batch),
        contract: both(&op.contract),
        dtype: op.dtype,
    })))
}

/// The same reduction along other axes.
fn reduced_along(op: &Op, axes: Vec<usize>) -> Option<Essence> {
    let Op::Reduce(Reduce { kind, .. }) = op else {
        return None;
    };
    Some(Essence::Of(Op::Reduce(Reduce { kind: *kind, axes })))
}

/// The axes that are not of one, with their sizes.
type Wide<'a> = [(usize, &'a Dim)];

fn wide(dims: &[Dim]) -> Vec<(usize, &Dim)> {
    let dims = dims.iter().enumerate();
    dims.filter(|(_, dim)| !dim.is_one()).collect()
}

/// The place of an axis among those that are not of one.
fn place(wide: &Wide<'_>, axis: usize) -> Option<usize> {
    wide.iter().position(|(other, _)| *other == axis)
}
