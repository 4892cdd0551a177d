//! What users of other libraries look for, and what it is called here.

use super::{OperationForm, find};

/// Names of NumPy, JAX, PyTorch, `ndarray` and the standard library, and how to write the same.
const NAMES: &[(&str, &str)] = &[
    ("T", "x.t()"),
    ("arccos", "x.acos()"),
    ("arcsin", "x.asin()"),
    ("arctan", "x.atan()"),
    ("arctan2", "y.atan2(x)"),
    ("argmax", "x.argmax_axis(k)"),
    ("argmin", "x.argmin_axis(k)"),
    ("array", "tensor([[1.0, 2.0], [3.0, 4.0]])"),
    ("astype", "x as f32"),
    ("clip", "x.clamp(lo, hi)"),
    ("concat", "concatenate([a, b], k)"),
    ("dbg", "return the value"),
    ("expand_dims", "x.insert_axis(k)"),
    ("expm1", "x.exp_m1()"),
    ("logsumexp", "x.logsumexp_axis(k)"),
    ("into_shape", "x.reshape([a, b])"),
    ("inverse", "x.inv()"),
    ("log", "x.ln()"),
    ("log1p", "x.ln_1p()"),
    ("mm", "x.dot(y)"),
    ("ndim", "x.rank()"),
    ("numel", "x.len()"),
    ("permute_axes", "x.permute([1, 0])"),
    ("pow", "x.powf(y)"),
    ("power", "x.powf(y)"),
    ("print", "return the value"),
    ("println", "return the value"),
    ("reversed_axes", "x.t()"),
    ("sign", "x.signum()"),
    ("size", "x.len()"),
    ("squeeze", "x.remove_axis(k)"),
    ("to", "x as f32"),
    ("transpose", "x.t()` or `x.permute([1, 0])"),
    ("unsqueeze", "x.insert_axis(k)"),
    ("vec", "[a, b]"),
    ("view", "x.reshape([a, b])"),
    ("where", "select(mask, a, b)"),
];

/// How to write what goes by this name elsewhere, if the language has it.
pub(crate) fn written_here(name: &str) -> Option<&'static str> {
    let found = NAMES.iter().find(|(elsewhere, _)| *elsewhere == name);
    let (_, here) = found?;
    exists(here).then_some(*here)
}

/// Whether the operation that is called exists; what calls none always does.
fn exists(usage: &str) -> bool {
    let Some((called, _)) = usage.split_once('(') else {
        return true;
    };
    match called.rsplit_once('.') {
        Some((_, method)) => find(method, OperationForm::Method).is_some(),
        None => find(called, OperationForm::Function).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::written_here;

    #[test]
    fn only_what_exists_is_suggested() {
        assert_eq!(written_here("expand_dims"), Some("x.insert_axis(k)"));
        assert_eq!(written_here("where"), Some("select(mask, a, b)"));
        assert_eq!(written_here("astype"), Some("x as f32"));
        assert_eq!(written_here("sum"), None);
        assert!(!super::exists("x.frobnicate()") && !super::exists("frobnicate(x)"));
    }
}
