//! Keys: two words of 32 bits, `Tensor<u32, 2>`.

use super::super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        tree::Tree,
        types::TypeLeaf,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::formula,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{Constant, ConstantData, op::Op};
use iree_dsl_library::random;

/// How many keys a split makes where nothing says so.
const SPLIT: usize = 2;

pub(crate) fn key(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (seed, _) = call.argument(0)?;
    if let Value::Leaf(ValueLeaf::Static(seed)) = seed {
        let words = known_seed(seed);
        return match words {
            Some(words) => known_key(tracer, words, &call),
            None => Some(wrong_integer(
                tracer,
                "the seed",
                &seed.ty.to_string(),
                &call,
                0,
            )),
        };
    }
    let seed = integer(tracer, "the seed", &call, 0)?;
    let key = formula(tracer, &call, [&seed], |[seed]| random::key(&seed))?;
    Some(key.into())
}

/// The words of a seed: its 64 bits, or zero and its 32 bits if it has no more.
fn known_seed(seed: Static) -> Option<[u32; 2]> {
    let number = seed.as_integer()?;
    let wide = match seed.ty {
        StaticType::Element(dtype) => dtype.size() == 8,
        // As in JAX: what fits is a number of 32 bits, even if it is negative.
        _ => i32::try_from(number).is_err() && u32::try_from(number).is_err(),
    };
    let high = if wide { (number >> 32) as u32 } else { 0 };
    Some([high, number as u32])
}

fn known_key(tracer: &mut Tracer<'_>, words: [u32; 2], call: &OperationCall<'_>) -> Option<Value> {
    let constant = Op::Constant(Constant {
        ty: key_type(),
        data: ConstantData::Dense(words.map(u32::to_le_bytes).concat()),
    });
    Some(tracer.emit_named(constant, &[], call.name, call.span))
}

pub(crate) fn fold_in(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let key = argument(tracer, &call)?;
    let data = match call.argument(1)? {
        (Value::Leaf(ValueLeaf::Static(number)), span) => match number.as_integer() {
            Some(number) => {
                let number = Static::integer((number as u32).into());
                tracer.constant(number, DType::U32, &Shape::default(), span)?
            }
            None => {
                let found = number.ty.to_string();
                return Some(wrong_integer(tracer, "the data", &found, &call, 1));
            }
        },
        _ => integer(tracer, "the data", &call, 1)?,
    };
    let key = formula(tracer, &call, [&key, &data], |[key, data]| {
        random::fold_in(&key, &data)
    })?;
    Some(key.into())
}

pub(crate) fn split(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (count, stacked) = split_count(tracer, &call)?;
    let key = argument(tracer, &call)?;
    let keys = formula(tracer, &call, [&key], |[key]| random::split(&key, &count))?;
    if stacked {
        return Some(keys.into());
    }
    let keys = (0..count.known()?).map(|index| {
        let key = formula(tracer, &call, [&keys], |[keys]| keys.item(index))?;
        Some(Value::from(key))
    });
    Some(Tree::Array(keys.collect::<Option<_>>()?))
}

/// How many keys are wanted, and whether as one tensor.
fn split_count(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<(Dim, bool)> {
    match (call.generics, call.expected) {
        ([], Some(Tree::Array(items))) => Some((Dim::Static(items.len()), false)),
        ([], Some(Tree::Leaf(TypeLeaf::Tensor(ty)))) if ty.shape.rank() == 2 => {
            Some((ty.shape.dims().first()?.clone(), true))
        }
        ([], _) => Some((Dim::Static(SPLIT), false)),
        ([count], expected) => {
            let count = tracer.dimension(count)?;
            if count == Dim::Any {
                let message = format!("`{}` needs to know how many keys to make", call.name);
                tracer.error(Code::CannotInfer, call.span, message);
                return None;
            }
            let is_expected = matches!(expected, Some(Tree::Leaf(TypeLeaf::Tensor(_))));
            // An array has a length that is known while building.
            let stacked = is_expected || count.known().is_none();
            Some((count, stacked))
        }
        _ => {
            let message = format!(
                "`{}` takes one number between the angle brackets",
                call.name
            );
            let diagnostic = Diagnostic::new(Code::ArgumentCount, call.span, message);
            tracer
                .report(diagnostic.help("name how many keys there are: `random::split::<3>(key)`"));
            None
        }
    }
}

/// The key that is the first argument.
pub(super) fn argument(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let (value, span) = call.argument(0)?;
    match value {
        Value::Leaf(ValueLeaf::Tensor(key)) if key.ty == key_type() => Some(key),
        other => {
            let message = format!(
                "`{}` needs a key, `{}`, found `{}`",
                call.name,
                key_type(),
                other.ty()
            );
            let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
            tracer.report(diagnostic.help(match other {
                Value::Array(keys) => format!(
                    "`vmap` goes through the keys of a tensor: `let keys: Tensor<u32, {}, 2> = random::split(key)`",
                    keys.len()
                ),
                _ => "make one from a seed: `random::key(0)`".to_owned(),
            }));
            None
        }
    }
}

fn key_type() -> TensorType {
    TensorType::new(DType::U32, [2])
}

/// An argument that must be a scalar of an integer type.
fn integer(
    tracer: &mut Tracer<'_>,
    what: &str,
    call: &OperationCall<'_>,
    position: usize,
) -> Option<Tensor> {
    match call.argument(position)? {
        (Value::Leaf(ValueLeaf::Tensor(number)), _)
            if number.ty.dtype.is_integer() && number.ty.shape.rank() == 0 =>
        {
            Some(number)
        }
        (other, _) => {
            wrong_integer(tracer, what, &other.ty().to_string(), call, position);
            None
        }
    }
}

fn wrong_integer(
    tracer: &mut Tracer<'_>,
    what: &str,
    found: &str,
    call: &OperationCall<'_>,
    position: usize,
) -> Value {
    let span = call.argument(position).map_or(call.span, |(_, span)| span);
    let message = format!(
        "{what} of `{}` must be one integer, found `{found}`",
        call.name
    );
    tracer.error(Code::TypeMismatch, span, message)
}
