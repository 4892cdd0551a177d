//! Einstein's notation: one letter for each axis, sums over the letters that the result does not have.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, build,
    notation::{Notation, is_further, name},
    reduce,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::{CompareOp, DotGeneral, Iota, Op, ReduceKind, Transpose};

type Result = Option<Value>;

pub(super) fn einsum(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (notation, span) = call.argument(0)?;
    let Tree::Leaf(ValueLeaf::Text(text)) = &notation else {
        let message = format!(
            "`{}` takes the axes first, as a string such as \"bqd,bkd->bqk\", found `{}`",
            call.name,
            notation.ty()
        );
        return Some(tracer.error(Code::Option, span, message));
    };
    let tensors: Option<Vec<_>> = (1..call.arguments.len())
        .map(|position| call.tensor(tracer, position))
        .collect();
    let tensors = tensors?;
    let ranks = tensors.iter().map(|tensor| tensor.ty.shape.rank());
    let notation = Notation::parse(text).and_then(|notation| notation.expand(ranks));
    let notation = match notation {
        Ok(notation) => notation,
        Err(message) => return Some(tracer.error(Code::Option, span, message)),
    };
    let mut sum = Sum {
        factors: factors(tracer, &call, tensors, &notation, span)?,
        output: notation.output,
    };
    sum.stretch(tracer, &call)?;
    sum.check_sizes(tracer, span)?;
    for position in 0..sum.factors.len() {
        sum.simplify(tracer, position, &call)?;
    }
    while let Some(pair) = sum.cheapest() {
        sum.contract(tracer, pair, &call)?;
    }
    let last = sum.factors.pop()?;
    last.arrange(tracer, &sum.output, &call).map(Value::from)
}

/// A tensor with a letter for each axis.
#[derive(Clone, Debug)]
struct Factor {
    tensor: Tensor,
    letters: Vec<char>,
}

fn factors(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    tensors: Vec<Tensor>,
    notation: &Notation,
    span: SpanId,
) -> Option<Vec<Factor>> {
    let (expected, found) = (notation.operands.len(), tensors.len());
    if expected != found {
        let expected = super::super::resolve::count(expected, "operand");
        let message = format!("the notation is for {expected}, found {found}");
        tracer.error(Code::ArgumentCount, span, message);
        return None;
    }
    let mut factors: Vec<Factor> = Vec::with_capacity(found);
    let named = notation.operands.iter().zip(tensors).enumerate();
    for (position, (letters, tensor)) in named {
        let dtype = factors.first().map(|first| first.tensor.ty.dtype);
        let tensor = match dtype {
            Some(dtype) => tracer.with_dtype(tensor, dtype, call.name, call.span)?,
            None => tensor,
        };
        if letters.len() != tensor.ty.shape.rank() {
            let named: String = letters.iter().collect();
            let axes = super::super::resolve::axes(letters.len());
            let message = format!(
                "`{named}` names {axes}, but operand {} is a `{}`",
                position + 1,
                tensor.ty
            );
            tracer.error(Code::ShapeMismatch, span, message);
            return None;
        }
        let letters = letters.clone();
        factors.push(Factor { tensor, letters });
    }
    Some(factors)
}

/// What remains to be multiplied, and the letters that the result has.
struct Sum {
    factors: Vec<Factor>,
    output: Vec<char>,
}

impl Sum {
    /// Removes those axes of size 1 behind `...` that are longer elsewhere.
    fn stretch(&mut self, tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<()> {
        let one = Dim::Static(1);
        let axes = self.factors.iter().flat_map(Factor::axes_with_letters);
        let longer = axes.filter(|(letter, dim)| is_further(*letter) && **dim != one);
        let longer: Vec<char> = longer.map(|(letter, _)| letter).collect();
        for factor in &mut self.factors {
            let axes = factor.axes_with_letters();
            let kept = axes.filter(|(letter, dim)| **dim != one || !longer.contains(letter));
            let (letters, dims): (Vec<_>, Vec<_>) =
                kept.map(|(letter, dim)| (letter, dim.clone())).unzip();
            if letters.len() < factor.letters.len() {
                let op = Op::Reshape(Shape::new(dims));
                let operands = [&factor.tensor];
                let tensor = tracer.emit_checked(op, &operands, call.name, call.span)?;
                *factor = Factor { tensor, letters };
            }
        }
        Some(())
    }

    /// Refuses a letter that stands for several sizes.
    fn check_sizes(&self, tracer: &mut Tracer<'_>, span: SpanId) -> Option<()> {
        let mut sizes: Vec<(char, Dim)> = Vec::new();
        for factor in &self.factors {
            for (letter, dim) in factor.letters.iter().zip(factor.tensor.ty.shape.dims()) {
                match sizes.iter().find(|(other, _)| other == letter) {
                    None => sizes.push((*letter, dim.clone())),
                    Some((_, known)) if known == dim => {}
                    Some((_, known)) => {
                        let letter = name(*letter);
                        let message =
                            format!("the axis `{letter}` has the sizes {known} and {dim}");
                        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
                        tracer.report(diagnostic);
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Whether a letter is in the result or in a factor that is not among these.
    fn is_needed(&self, letter: char, besides: &[usize]) -> bool {
        let mut others = self.factors.iter().enumerate();
        self.output.contains(&letter)
            || others.any(|(position, factor)| {
                !besides.contains(&position) && factor.letters.contains(&letter)
            })
    }

    /// Makes the letters of a factor differ, and sums over those that nothing else has.
    fn simplify(
        &mut self,
        tracer: &mut Tracer<'_>,
        position: usize,
        call: &OperationCall<'_>,
    ) -> Option<()> {
        let mut factor = self.factors.get(position)?.clone();
        while let Some((first, second)) = factor.repeated() {
            factor = factor.diagonal(tracer, (first, second), call)?;
        }
        let letters = factor.letters.iter().enumerate();
        let summed = letters.filter(|(_, letter)| !self.is_needed(**letter, &[position]));
        let summed: Vec<usize> = summed.map(|(axis, _)| axis).collect();
        if !summed.is_empty() {
            let tensor = reduce::reduce(
                tracer,
                &factor.tensor,
                ReduceKind::Sum,
                summed.clone(),
                call,
            )?;
            let letters = factor.letters.iter().enumerate();
            let kept = letters.filter(|(axis, _)| !summed.contains(axis));
            let letters = kept.map(|(_, letter)| *letter).collect();
            factor = Factor { tensor, letters };
        }
        *self.factors.get_mut(position)? = factor;
        Some(())
    }

    /// The two factors whose product is smallest; the first of equal ones, and before all what has no
    /// known size.
    fn cheapest(&self) -> Option<(usize, usize)> {
        let count = self.factors.len();
        let pairs =
            (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
        pairs.min_by_key(|pair| self.product_size(*pair))
    }

    fn product_size(&self, (first, second): (usize, usize)) -> Option<usize> {
        let mut letters: Vec<char> = Vec::new();
        let mut size: usize = 1;
        for factor in [self.factors.get(first)?, self.factors.get(second)?] {
            for (letter, dim) in factor.letters.iter().zip(factor.tensor.ty.shape.dims()) {
                if !letters.contains(letter) && self.is_needed(*letter, &[first, second]) {
                    letters.push(*letter);
                    size = size.saturating_mul(dim.known()?);
                }
            }
        }
        Some(size)
    }

    /// Replaces two factors by their product.
    fn contract(
        &mut self,
        tracer: &mut Tracer<'_>,
        (first, second): (usize, usize),
        call: &OperationCall<'_>,
    ) -> Option<()> {
        let (lhs, rhs) = (self.factors.get(first)?, self.factors.get(second)?);
        let shared = |needed: bool| {
            let letters = lhs.letters.iter().copied();
            letters
                .filter(|letter| {
                    rhs.letters.contains(letter)
                        && self.is_needed(*letter, &[first, second]) == needed
                })
                .collect::<Vec<char>>()
        };
        let (batch, summed) = (shared(true), shared(false));
        let op = DotGeneral {
            batch: (lhs.axes(&batch), rhs.axes(&batch)),
            contract: (lhs.axes(&summed), rhs.axes(&summed)),
            dtype: lhs.tensor.ty.dtype,
        };
        let op = Op::DotGeneral(op);
        let tensor = tracer.emit_checked(op, &[&lhs.tensor, &rhs.tensor], call.name, call.span)?;
        let both = lhs.letters.iter().chain(&rhs.letters).copied();
        let free = both.filter(|letter| !batch.contains(letter) && !summed.contains(letter));
        let letters = batch.iter().copied().chain(free).collect();
        self.factors.remove(second);
        *self.factors.get_mut(first)? = Factor { tensor, letters };
        Some(())
    }
}

impl Factor {
    fn axes_with_letters(&self) -> impl Iterator<Item = (char, &Dim)> {
        let dims = self.tensor.ty.shape.dims();
        self.letters.iter().copied().zip(dims)
    }

    /// The axes with these letters.
    fn axes(&self, letters: &[char]) -> Vec<usize> {
        let axis = |letter: &char| self.letters.iter().position(|other| other == letter);
        letters.iter().filter_map(axis).collect()
    }

    /// Two axes with one letter.
    fn repeated(&self) -> Option<(usize, usize)> {
        let letters = self.letters.iter().enumerate();
        let mut pairs = letters.filter_map(|(second, letter)| {
            let mut before = self.letters.iter().take(second);
            let first = before.position(|other| other == letter)?;
            Some((first, second))
        });
        pairs.next()
    }

    /// The elements where two axes have one index, without the second axis: all others become 0 and are
    /// added.
    fn diagonal(
        &self,
        tracer: &mut Tracer<'_>,
        (first, second): (usize, usize),
        call: &OperationCall<'_>,
    ) -> Option<Self> {
        let (name, span) = (call.name, call.span);
        let shape = &self.tensor.ty.shape;
        let mut index = |axis| {
            let ty = TensorType::new(DType::I32, shape.clone());
            tracer.emit_checked(Op::Iota(Iota { ty, axis }), &[], name, span)
        };
        let (row, column) = (index(first)?, index(second)?);
        let equal = Op::Compare(CompareOp::Equal);
        let here = tracer.emit_checked(equal, &[&row, &column], name, span)?;
        let dtype = self.tensor.ty.dtype;
        let zero = tracer.constant(build::simple(0, dtype), dtype, shape, span)?;
        let operands = [&here, &self.tensor, &zero];
        let kept = tracer.emit_checked(Op::Select, &operands, name, span)?;
        let kind = match dtype {
            DType::Bool => ReduceKind::Any,
            _ => ReduceKind::Sum,
        };
        let tensor = reduce::reduce(tracer, &kept, kind, vec![second], call)?;
        let mut letters = self.letters.clone();
        letters.remove(second);
        Some(Self { tensor, letters })
    }

    /// The tensor with its axes in an order.
    fn arrange(
        &self,
        tracer: &mut Tracer<'_>,
        output: &[char],
        call: &OperationCall<'_>,
    ) -> Option<Tensor> {
        if self.letters == output {
            return Some(self.tensor.clone());
        }
        let permutation = self.axes(output);
        let op = Op::Transpose(Transpose { permutation });
        tracer.emit_checked(op, &[&self.tensor], call.name, call.span)
    }
}
