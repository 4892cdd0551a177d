//! Arrays have items, one at a time, and no parts by ranges.

use super::{super::tracer::Tracer, is_part};
use crate::{
    ast::{Expr, ExprKind},
    diagnostic::{Code, Diagnostic},
};

impl Tracer<'_> {
    /// Whether it was reported that an index of an array would take several items.
    pub(crate) fn refuse_range_of_items(&mut self, index: &Expr) -> bool {
        if !is_part(index) && !matches!(index.kind, ExprKind::Range { .. }) {
            return false;
        }
        let message = "an array is indexed by one integer that is known while building";
        let help =
            "only tensors have parts by ranges: declare it as one, or write `stack(array, 0)`";
        self.report(Diagnostic::new(Code::Index, index.span, message).help(help));
        true
    }
}
