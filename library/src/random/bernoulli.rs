use super::uniform::uniform;
use crate::term::Term;
use iree_dsl_ir::op::CompareOp;

/// `true` where a uniform number of the type of the probability is less than it.
pub fn bernoulli<'x, V: Clone>(key: &Term<'x, V>, probability: &Term<'x, V>) -> Term<'x, V> {
    let ty = probability.tensor_type();
    uniform(key, &ty).compare(CompareOp::Less, probability)
}
