//! Values that IREE may compute where it folds operations: constants, what is computed from them only, and what does not depend
//! on its other operand, as `x * 0`, `x ^ x` and `select(mask, 1, 1)` of integers and truth values. Of floats, NaN leaves
//! nothing to fold.

use super::{
    graph::{Graph, Node, Step},
    sources::is_view,
};
use crate::legalize::fusion::is_fused;
use iree_abi::{DType, DTypeClass, Dim, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData,
    op::{BinaryOp, CompareOp, Op, UnaryOp},
};
use std::collections::BTreeMap;

/// What is known of the numbers of a value that IREE computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// An integer or, as 0 or 1, a truth value that stands everywhere.
    Integer(i128),
    /// A number that stands everywhere; nobody here computes which.
    Some,
    /// Numbers of a table, or what is computed from them.
    Several,
}

impl Number {
    /// Whether it may be another.
    fn may_be(self, other: i128) -> bool {
        self == Self::Some || self == Self::Integer(other)
    }
}

/// The values of a graph that IREE may compute.
pub(super) struct Fixed(BTreeMap<Node, Number>);

impl Fixed {
    pub(super) fn of(graph: &Graph<'_>) -> Self {
        let mut fixed = Self(BTreeMap::new());
        for (node, computed) in graph.nodes() {
            let step = computed.step.as_ref();
            if let Some(number) = step.and_then(|step| fixed.number(graph, step)) {
                fixed.0.insert(node, number);
            }
        }
        fixed
    }

    pub(super) fn contains(&self, node: Node) -> bool {
        self.0.contains_key(&node)
    }

    fn number(&self, graph: &Graph<'_>, step: &Step<'_>) -> Option<Number> {
        if let Op::Constant(constant) = step.op() {
            return Some(of_constant(constant));
        }
        if let Op::Iota(iota) = step.op() {
            let dim = iota.ty.shape.dims().get(iota.axis);
            return dim.is_some_and(Dim::is_one).then_some(Number::Some);
        }
        let is_parallel = is_fused(step.op()) && step.op().reduced_axes().is_none();
        if !is_parallel && !multiplies(step) {
            return None;
        }
        let numbers = step.operands.iter();
        let numbers: Option<Vec<_>> = numbers.map(|node| self.0.get(node).copied()).collect();
        match numbers.as_deref() {
            Some([number]) if is_view(step) => Some(*number),
            Some(numbers @ [_, ..]) => Some(match numbers.contains(&Number::Several) {
                true => Number::Several,
                false => Number::Some,
            }),
            Some([]) => None,
            None => self.folds(graph, step).then_some(Number::Some),
        }
    }

    /// Whether the result does not depend on an operand that is not fixed.
    fn folds(&self, graph: &Graph<'_>, step: &Step<'_>) -> bool {
        let fixed = |node: &Node| self.0.get(node).copied();
        let exact = |ty: Option<&TensorType>| ty.map(|ty| ty.dtype).filter(|it| is_exact(*it));
        if let (true, [lhs, rhs]) = (multiplies(step), step.operands.as_slice()) {
            exact(step.result()).is_some_and(|dtype| {
                let mut numbers = [lhs, rhs].into_iter().filter_map(fixed);
                numbers.any(|number| absorbs_either(BinaryOp::Multiply, dtype, number))
            })
        } else if let (Op::Binary(op), [lhs, rhs]) = (step.op(), step.operands.as_slice()) {
            exact(step.result()).is_some_and(|dtype| {
                of_like(*op, graph, *lhs, *rhs)
                    || fixed(lhs).is_some_and(|lhs| absorbs_first(*op, dtype, lhs))
                    || fixed(rhs).is_some_and(|rhs| absorbs_second(*op, dtype, rhs))
            })
        } else if let (Op::Compare(op), [lhs, rhs]) = (step.op(), step.operands.as_slice()) {
            exact(step.operand(0)).is_some_and(|dtype| {
                graph.essence_of(*lhs) == graph.essence_of(*rhs)
                    || fixed(lhs).is_some_and(|lhs| decides(exchanged(*op), dtype, lhs))
                    || fixed(rhs).is_some_and(|rhs| decides(*op, dtype, rhs))
            })
        } else if let (Op::Select, [condition, yes, no]) = (step.op(), step.operands.as_slice()) {
            chooses_alike(fixed(condition), fixed(yes), fixed(no))
        } else {
            false
        }
    }
}

/// Whether it multiplies each element of an operand by each of another, and sums nothing: IREE takes that for a multiplication.
pub(super) fn multiplies(step: &Step<'_>) -> bool {
    let (Op::DotGeneral(op), Some(ty)) = (step.op(), step.operand(0)) else {
        return false;
    };
    let mut contracted = op.contract.0.iter();
    contracted.all(|axis| ty.shape.dims().get(*axis).is_some_and(Dim::is_one))
}

/// Whether what is chosen is the same number everywhere, as far as the numbers are known.
fn chooses_alike(condition: Option<Number>, yes: Option<Number>, no: Option<Number>) -> bool {
    match (yes, no) {
        (Some(Number::Integer(yes)), Some(no)) => no.may_be(yes),
        (Some(Number::Some), Some(no)) => no != Number::Several,
        (Some(Number::Several), Some(_)) => false,
        (Some(_), None) | (None, Some(_)) => condition.is_some(),
        (None, None) => false,
    }
}

fn of_constant(constant: &Constant) -> Number {
    match (constant.as_integer(), &constant.data) {
        (Some(integer), _) => Number::Integer(integer),
        (None, ConstantData::Splat(bytes)) if constant.ty.dtype == DType::Bool => {
            Number::Integer(i128::from(bytes.contains(&1)))
        }
        (None, ConstantData::Splat(_)) => Number::Some,
        (None, ConstantData::Dense(_)) => Number::Several,
    }
}

/// Whether nothing is rounded of a type.
pub(super) fn is_exact(dtype: DType) -> bool {
    match dtype.class() {
        DTypeClass::Bool | DTypeClass::Signed | DTypeClass::Unsigned => true,
        DTypeClass::Float | DTypeClass::Complex => false,
    }
}

/// Whether an operation gives the same for any number and itself, or for any and its opposite.
fn of_like(op: BinaryOp, graph: &Graph<'_>, lhs: Node, rhs: Node) -> bool {
    use BinaryOp::{And, Divide, Or, Remainder, Subtract, Xor};
    let is_not_of = |node: Node, other: Node| {
        let step = graph.step(node);
        let step = step.filter(|step| *step.op() == Op::Unary(UnaryOp::Not));
        step.is_some_and(|step| step.operands.contains(&other))
    };
    let is_same = || graph.essence_of(lhs) == graph.essence_of(rhs);
    match op {
        Subtract | Divide | Remainder => is_same(),
        Xor => is_same() || is_not_of(lhs, rhs) || is_not_of(rhs, lhs),
        And | Or => is_not_of(lhs, rhs) || is_not_of(rhs, lhs),
        _ => false,
    }
}

/// Whether the result is the same whatever the second operand is.
fn absorbs_first(op: BinaryOp, dtype: DType, lhs: Number) -> bool {
    use BinaryOp::{Divide, Remainder, ShiftLeft, ShiftRight};
    match op {
        Divide | Remainder | ShiftLeft | ShiftRight => lhs.may_be(0),
        _ => absorbs_either(op, dtype, lhs),
    }
}

/// Whether the result is the same whatever the first operand is.
fn absorbs_second(op: BinaryOp, dtype: DType, rhs: Number) -> bool {
    use BinaryOp::{Divide, Power, Remainder, ShiftLeft};
    match (op, rhs) {
        (Divide | Power, _) => rhs.may_be(0),
        (Remainder, _) => rhs.may_be(1) || rhs.may_be(-1),
        (ShiftLeft, Number::Integer(count)) => !(0..i128::from(bits(dtype))).contains(&count),
        (ShiftLeft, Number::Some) => true,
        _ => absorbs_either(op, dtype, rhs),
    }
}

fn absorbs_either(op: BinaryOp, dtype: DType, number: Number) -> bool {
    let [least, most] = range(dtype);
    match op {
        BinaryOp::Multiply | BinaryOp::And => number.may_be(0),
        BinaryOp::Or if dtype.class() == DTypeClass::Signed => number.may_be(-1),
        BinaryOp::Or | BinaryOp::Maximum => number.may_be(most),
        BinaryOp::Minimum => number.may_be(least),
        _ => false,
    }
}

/// Whether a comparison with a number says the same of all others.
fn decides(op: CompareOp, dtype: DType, rhs: Number) -> bool {
    let [least, most] = range(dtype);
    match op {
        CompareOp::Less | CompareOp::GreaterEqual => rhs.may_be(least),
        CompareOp::Greater | CompareOp::LessEqual => rhs.may_be(most),
        CompareOp::Equal | CompareOp::NotEqual => rhs == Number::Some,
    }
}

fn exchanged(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
        CompareOp::Equal | CompareOp::NotEqual => op,
    }
}

fn bits(dtype: DType) -> u32 {
    match dtype {
        DType::Bool => 1,
        _ => 8 * u32::try_from(dtype.size()).unwrap_or(u32::MAX),
    }
}

/// The least and the largest number of an integer type, or of truth values.
fn range(dtype: DType) -> [i128; 2] {
    let bits = bits(dtype).min(64);
    match dtype.class() {
        DTypeClass::Signed => [-(1 << (bits - 1)), (1 << (bits - 1)) - 1],
        _ => [0, (1 << bits) - 1],
    }
}
