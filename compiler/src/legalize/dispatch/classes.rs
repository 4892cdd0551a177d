//! Which values have the same elements, in whatever order their axes are.
//!
//! IREE 3.13 moves transposes to where they are read, and then finds operations to be the same that differ in the order of their
//! axes only: `x.sum_axis(0)` and `x.t().sum_axis(1)`.
//! Defect `read-along-two-axes`.

use super::{
    essence::Essence,
    graph::{Node, Step},
};
use iree_abi::{Dim, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData,
    op::{Op, Reduce, Structure},
};
use std::collections::BTreeMap;

/// What values with the same elements have in common.
type Class = usize;

/// What an operation reads, and the elements if it is a constant.
type Read = (Vec<Turned>, Vec<u8>);

/// A class, and which of its axes each axis of more than one place is; none are named if they are in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turned {
    class: Class,
    axes: Vec<usize>,
}

impl Turned {
    fn new(class: Class, axes: Vec<usize>) -> Self {
        let is_in_order = axes.is_sorted();
        let axes = if is_in_order { Vec::new() } else { axes };
        Self { class, axes }
    }

    /// Which axis of the class an axis is.
    pub(super) fn place(&self, axis: usize) -> usize {
        self.axes.get(axis).copied().unwrap_or(axis)
    }

    /// The class in its own order.
    fn in_order(&self) -> Self {
        Self::new(self.class, Vec::new())
    }
}

/// The classes of the values of a graph.
#[derive(Default)]
pub(super) struct Classes {
    /// By what they are computed from, and the elements of constants, what was computed of it.
    known: BTreeMap<Read, Vec<(Op, Class)>>,
    /// The numbers that classes repeat.
    numbers: BTreeMap<Class, Turned>,
    /// The values of each class.
    members: Vec<Vec<Node>>,
}

impl Classes {
    /// The values of the class of another.
    pub(super) fn members(&self, value: &Turned) -> &[Node] {
        self.members.get(value.class).map_or(&[][..], Vec::as_slice)
    }

    /// Puts a value into its class.
    pub(super) fn enter(&mut self, value: &Turned, node: Node) {
        if let Some(members) = self.members.get_mut(value.class) {
            members.push(node);
        }
    }

    /// A class of which nobody knows how it is computed.
    pub(super) fn opaque(&mut self) -> Turned {
        Turned::new(self.add(), Vec::new())
    }

    /// The class of what a step computes of operands.
    pub(super) fn of(&mut self, step: &Step<'_>, operands: Vec<Turned>) -> Turned {
        let Some(essence) = Essence::of(step) else {
            return self.opaque();
        };
        match (essence, operands.as_slice()) {
            (Essence::View, [operand]) => operand.clone(),
            (Essence::View, _) => self.opaque(),
            (Essence::Of(Op::Transpose(op)), [operand]) => {
                let axes = op.permutation.iter().map(|axis| operand.place(*axis));
                Turned::new(operand.class, axes.collect())
            }
            (Essence::Of(Op::Reduce(op)), [operand]) => self.reduced(step, &op, operand),
            (Essence::Of(op), _) if step.op().structure() == Structure::Elementwise => {
                self.elementwise(op, operands)
            }
            (Essence::Of(op), _) => {
                let number = if let Op::Constant(constant) = &op {
                    Some(self.number(constant))
                } else {
                    operands.first().filter(|_| repeats_a_number(step)).cloned()
                };
                let class = self.computed(op, operands);
                self.numbers.extend(number.map(|number| (class, number)));
                Turned::new(class, Vec::new())
            }
        }
    }

    /// A reduction along the axes of the class; what is left of them may be in another order.
    fn reduced(&mut self, step: &Step<'_>, op: &Reduce, operand: &Turned) -> Turned {
        let dims = step.operand(0).map_or(&[][..], |ty| ty.shape.dims());
        let rank = dims.iter().filter(|dim| !dim.is_one()).count();
        let kept = (0..rank).filter(|axis| !op.axes.contains(axis));
        let kept: Vec<_> = kept.map(|axis| operand.place(axis)).collect();
        let mut axes: Vec<_> = op.axes.iter().map(|axis| operand.place(*axis)).collect();
        axes.sort_unstable();
        let reduction = Op::Reduce(Reduce {
            kind: op.kind,
            axes,
        });
        let class = self.computed(reduction, vec![operand.in_order()]);
        let place = |axis: &usize| kept.iter().filter(|other| *other < axis).count();
        Turned::new(class, kept.iter().map(place).collect())
    }

    /// Of operands that are all turned alike, the same is turned so of those that are not. Numbers are the same in any order.
    fn elementwise(&mut self, op: Op, operands: Vec<Turned>) -> Turned {
        let numbers: Vec<_> = operands
            .iter()
            .map(|operand| self.numbers.get(&operand.class).cloned())
            .collect();
        let mut tensors = operands.iter().zip(&numbers);
        let Some((first, _)) = tensors.find(|(_, number)| number.is_none()) else {
            let of_numbers = self.computed(op.clone(), numbers.into_iter().flatten().collect());
            let class = self.computed(op, operands);
            self.numbers
                .insert(class, Turned::new(of_numbers, Vec::new()));
            return Turned::new(class, Vec::new());
        };
        let axes = first.axes.clone();
        let is_alike = tensors.all(|(operand, number)| number.is_some() || operand.axes == axes);
        let read = operands.iter().zip(numbers).map(|(operand, number)| {
            number.unwrap_or_else(|| match is_alike {
                true => operand.in_order(),
                false => operand.clone(),
            })
        });
        let class = self.computed(op, read.collect());
        Turned::new(class, if is_alike { axes } else { Vec::new() })
    }

    /// The number that a constant repeats, as a constant of no axes.
    fn number(&mut self, constant: &Constant) -> Turned {
        let scalar = Op::Constant(Constant {
            ty: TensorType::new(constant.ty.dtype, Shape::default()),
            data: constant.data.clone(),
        });
        Turned::new(self.computed(scalar, Vec::new()), Vec::new())
    }

    /// The class of what an operation computes, which is new if nothing computed it before.
    fn computed(&mut self, op: Op, operands: Vec<Turned>) -> Class {
        let read = (operands, elements(&op).to_vec());
        let mut alike = self.known.get(&read).into_iter().flatten();
        let known = alike.find(|(other, _)| *other == op);
        if let Some((_, class)) = known {
            return *class;
        }
        let class = self.add();
        self.known.entry(read).or_default().push((op, class));
        class
    }

    fn add(&mut self) -> Class {
        self.members.push(Vec::new());
        self.members.len() - 1
    }
}

/// Whether an operation repeats a single number.
fn repeats_a_number(step: &Step<'_>) -> bool {
    let is_broadcast = matches!(step.op().structure(), Structure::Broadcast(_));
    let dims = step.operand(0).map(|ty| ty.shape.dims());
    is_broadcast && dims.is_some_and(|dims| dims.iter().all(Dim::is_one))
}

/// The elements of a constant.
pub(super) fn elements(op: &Op) -> &[u8] {
    let Op::Constant(constant) = op else {
        return &[];
    };
    let (ConstantData::Splat(bytes) | ConstantData::Dense(bytes)) = &constant.data;
    bytes
}
