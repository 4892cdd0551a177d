//! Tensors that began as literals, such as the counter of a loop of the program.
//!
//! A loop or branch needs a tensor where the program has `1.0`, and a tensor needs an element type. It is
//! `f32` or `i32` unless something else decides: the first tensor that it meets which does not begin so. What it
//! meets may come later, even after the loop, so that the function is traced again with what is known then.

use super::{
    builder::FunctionBuilder,
    state::Content,
    statics::{Static, StaticType},
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::span::SpanId;
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{Op, Structure};
use std::collections::BTreeMap;

/// That a tensor began as a literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weak {
    /// Where.
    origin: Origin,
    /// What the literal can become.
    literal: StaticType,
}

/// Where a leaf of a variable or of a value is.
pub(crate) type Origin = (SpanId, usize);

/// The element types that literals turned out to have, by where they are.
pub(crate) type Decisions = BTreeMap<Origin, DType>;

/// The type that contents which meet in one place have.
pub(crate) struct Joined {
    /// The type.
    pub(crate) ty: TensorType,
    /// Whether it comes from literals.
    pub(crate) weak: Option<Weak>,
}

impl Tensor {
    /// Whether it can be what a tensor of a type is.
    pub(crate) fn adapts_to(&self, ty: &TensorType) -> bool {
        self.becomes(ty.dtype) && self.ty.shape == ty.shape
    }

    /// Whether it may be of an element type.
    fn becomes(&self, dtype: DType) -> bool {
        let element = StaticType::Element(dtype);
        let of_literal = |weak: Weak| weak.literal.unify(element) == Some(element);
        self.weak.is_some_and(of_literal) && (dtype.is_complex() || !self.ty.dtype.is_complex())
    }

    /// Its element type, or that of the literals that it began as.
    pub(crate) fn element(&self) -> StaticType {
        self.weak
            .map_or(StaticType::Element(self.ty.dtype), |weak| weak.literal)
    }

    /// The same tensor, of its element type for good.
    pub(crate) fn settled(self) -> Self {
        Self { weak: None, ..self }
    }
}

impl Value {
    /// Whether it is a tensor that began as a literal.
    pub(crate) const fn is_weak(&self) -> bool {
        matches!(self, Self::Leaf(ValueLeaf::Tensor(tensor)) if tensor.weak.is_some())
    }
}

impl Tracer<'_> {
    /// The type that two contents have in common; `None` if they have none. Literals alone have the type that
    /// was decided for their place.
    pub(crate) fn joined_type(&self, contents: [&Content; 2], origin: Origin) -> Option<Joined> {
        let leaves = contents.into_iter().filter_map(|content| match content {
            Content::Leaf(leaf) => Some(leaf),
            Content::Unchanged | Content::Nothing => None,
        });
        let mut weak: Option<(Weak, &Tensor)> = None;
        let mut number: Option<StaticType> = None;
        for leaf in leaves {
            match leaf {
                ValueLeaf::Tensor(tensor) => match tensor.weak {
                    None => return Some(Joined::of(tensor.ty.clone())),
                    Some(known) => weak = weak.or(Some((known, tensor))),
                },
                ValueLeaf::Static(found) => number = number.or(Some(found.ty)),
                _ => {}
            }
        }
        match (weak, number) {
            (Some((weak, tensor)), number) => {
                let strong = number.filter(|number| !number.is_weak());
                let dtype = strong.and_then(StaticType::default_dtype);
                Some(match dtype {
                    Some(dtype) => Joined::of(TensorType {
                        dtype,
                        ..tensor.ty.clone()
                    }),
                    None => Joined {
                        ty: tensor.ty.clone(),
                        weak: Some(weak),
                    },
                })
            }
            (None, Some(number)) => self.type_of_literal(number, origin),
            (None, None) => None,
        }
    }

    /// The type of a scalar that is a literal, at its place.
    pub(crate) fn type_of_literal(&self, literal: StaticType, origin: Origin) -> Option<Joined> {
        let weak = literal.is_weak().then_some(Weak { origin, literal });
        let decided = weak.and_then(|_| self.decisions.get(&origin).copied());
        let dtype = decided.or_else(|| literal.default_dtype())?;
        Some(Joined {
            ty: TensorType::new(dtype, []),
            weak: weak.filter(|_| decided.is_none()),
        })
    }

    /// A tensor that began as a literal as one of the element type that it turns out to have.
    pub(crate) fn adapt(&mut self, tensor: &Tensor, dtype: DType, span: SpanId) -> Option<Tensor> {
        let weak = tensor.weak.filter(|_| tensor.becomes(dtype))?;
        // Complex numbers began as their parts.
        let part = match tensor.ty.dtype.is_complex() {
            true => dtype.real(),
            false => dtype,
        };
        self.decisions.entry(weak.origin).or_insert(part);
        self.emit(Op::Convert(dtype), &[tensor], span).ok()
    }

    /// Operands of which some must have one element type, with those that began as literals in the type of the others;
    /// `None` if there are none such.
    pub(crate) fn adapt_all(
        &mut self,
        operands: &[&Tensor],
        [one, other]: [DType; 2],
        span: SpanId,
    ) -> Option<Vec<Tensor>> {
        let has = |dtype: DType, weak: bool| {
            let mut operands = operands.iter();
            operands.any(|operand| operand.ty.dtype == dtype && operand.weak.is_some() == weak)
        };
        let mut ways = [(one, other), (other, one)].into_iter();
        let (from, to) = ways.find(|(from, to)| has(*from, true) && has(*to, false))?;
        let adapt = |operand: &&Tensor| match operand.weak.is_some() && operand.ty.dtype == from {
            true => self.adapt(operand, to, span),
            false => Some((*operand).clone()),
        };
        operands.iter().map(adapt).collect()
    }

    /// A literal as a tensor that takes its element type later.
    pub(crate) fn open_literal(&mut self, number: Static, origin: Origin) -> Option<Tensor> {
        let Joined { ty, weak } = self.type_of_literal(number.ty, origin)?;
        let tensor = self.constant(number, ty.dtype, &ty.shape, origin.0)?;
        Some(Tensor { weak, ..tensor })
    }

    /// Traces a function until nothing more is decided.
    pub(crate) fn in_function<R>(
        &mut self,
        builder: FunctionBuilder,
        mut run: impl FnMut(&mut Self) -> R,
    ) -> (R, FunctionBuilder) {
        let outer = std::mem::take(&mut self.decisions);
        let (mistakes, state) = (self.error_count(), self.undecided);
        loop {
            let known = self.decisions.len();
            let traced = self.with_builder(builder.clone(), &mut run);
            if self.decisions.len() == known {
                self.decisions = outer;
                self.keep_remarks(&traced.1);
                return traced;
            }
            self.forget_mistakes(mistakes);
            self.undecided = state;
        }
    }
}

impl Joined {
    pub(crate) const fn of(ty: TensorType) -> Self {
        Self { ty, weak: None }
    }
}

/// What the results of an operation began as: what its operands did, if nothing else decides their type.
pub(crate) fn weak_result(
    op: &Op,
    operands: &[&Tensor],
    dtype: DType,
    is_constant: impl Fn(&Tensor) -> bool,
) -> Option<Weak> {
    let is_number = |operand: &Tensor| operand.ty.dtype.real() == dtype.real();
    let numbers = || operands.iter().filter(|operand| is_number(operand));
    let weak = numbers().find_map(|operand| operand.weak)?;
    let is_open = |operand: &Tensor| operand.weak.is_some() || is_constant(operand);
    (hands_on(op) && numbers().all(|operand| is_open(operand))).then_some(weak)
}

/// Whether the elements of a result are those of the operands, or computed from them alone.
fn hands_on(op: &Op) -> bool {
    matches!(
        op.structure(),
        Structure::Elementwise
            | Structure::Broadcast(_)
            | Structure::Reshape(_)
            | Structure::Transpose(_)
            | Structure::Reverse(_)
            | Structure::Slice(_)
            | Structure::Concatenate(_)
            | Structure::Pad(_)
            | Structure::Reduction(_)
            | Structure::Scan(_)
            | Structure::Contraction(_)
            | Structure::ReduceWindow(_)
            | Structure::Convolution(_)
    ) && !matches!(op, Op::Convert(_))
}

/// The type of the literal that numbers are together, if all are literals.
pub(crate) fn common_literal<'v>(
    mut numbers: impl Iterator<Item = &'v Value>,
) -> Option<StaticType> {
    let literal = |value: &Value| match value {
        Value::Leaf(ValueLeaf::Static(number)) => Some(number.ty).filter(|ty| ty.is_weak()),
        _ => None,
    };
    let first = literal(numbers.next()?)?;
    numbers.try_fold(first, |known, number| known.unify(literal(number)?))
}

/// The element type that tensors which began as literals take among operands.
pub(crate) fn common_dtype<'v>(operands: impl Iterator<Item = &'v Value> + Clone) -> Option<DType> {
    let elements = operands.clone().filter_map(|value| match value {
        Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.weak.is_none() => {
            Some(StaticType::Element(tensor.ty.dtype))
        }
        Value::Leaf(ValueLeaf::Static(number)) => Some(number.ty),
        _ => None,
    });
    let mut decided = elements
        .clone()
        .filter(|ty| matches!(ty, StaticType::Element(_)));
    let literals = operands.filter_map(|value| match value {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor.weak?.literal),
        _ => None,
    });
    let weak = elements.filter(|ty| ty.is_weak()).chain(literals);
    let literal = || weak.reduce(|known, other| known.unify(other).unwrap_or(known));
    decided.next().or_else(literal)?.default_dtype()
}

/// An operand's element type beside others that have one in common.
pub(crate) fn element_beside(tensor: &Tensor, common: Option<DType>) -> StaticType {
    let taken = common.filter(|dtype| tensor.becomes(*dtype));
    StaticType::Element(taken.unwrap_or(tensor.ty.dtype))
}
