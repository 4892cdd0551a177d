//! The options of macros. What is left out has a default.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Value, ValueLeaf},
    },
    OperationCall,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::Extent;
use iree_dsl_ir::Scalar;

impl OperationCall<'_> {
    /// The option of that name, if it is given.
    pub(crate) fn option(&self, name: &str) -> Option<(Value, SpanId)> {
        let mut options = self.options.iter();
        let (_, value, span) = options.find(|(option, ..)| *option == name)?;
        Some((value.clone(), *span))
    }

    /// An option that is a list with one integer for each of `count` axes, or one integer for all of
    /// them. The default is one integer for all.
    pub(crate) fn integers_option(
        &self,
        tracer: &mut Tracer<'_>,
        name: &str,
        count: usize,
        default: i128,
    ) -> Option<Vec<i128>> {
        let extents = self.extents_option(tracer, name, count, default)?;
        let numbers: Option<Vec<_>> = extents.iter().map(Extent::known).collect();
        if numbers.is_none() {
            let found = extents.iter().find(|extent| extent.known().is_none());
            let found = found.map(Extent::to_string).unwrap_or_default();
            let message = format!(
                "the option `{name}` of `{}` is a list of integers known while building, found `{found}`",
                self.name
            );
            let (_, span) = self.option(name)?;
            tracer.error(Code::Option, span, message);
        }
        numbers
    }

    /// The same with integers that may be known at the call only.
    pub(crate) fn extents_option(
        &self,
        tracer: &mut Tracer<'_>,
        name: &str,
        count: usize,
        default: i128,
    ) -> Option<Vec<Extent>> {
        let Some((value, span)) = self.option(name) else {
            return Some(vec![Extent::constant(default); count]);
        };
        let is_list = matches!(value, Tree::Array(_) | Tree::Tuple(_));
        let Some(numbers) = integers(&value) else {
            let message = format!(
                "the option `{name}` of `{}` is a list of integers known while building, found `{}`",
                self.name,
                value.ty()
            );
            tracer.error(Code::Option, span, message);
            return None;
        };
        match numbers.as_slice() {
            [number] if !is_list => Some(vec![number.clone(); count]),
            numbers if numbers.len() == count => Some(numbers.to_vec()),
            numbers => {
                let expected = super::super::resolve::count(count, "number");
                let message = format!(
                    "the option `{name}` of `{}` needs {expected}, one for each axis, found {}",
                    self.name,
                    numbers.len()
                );
                tracer.error(Code::Option, span, message);
                None
            }
        }
    }

    /// An option as in [`Self::integers_option`] with integers that are not below `least`.
    pub(crate) fn sizes_option(
        &self,
        tracer: &mut Tracer<'_>,
        name: &str,
        count: usize,
        (least, default): (usize, usize),
    ) -> Option<Vec<usize>> {
        let numbers = self.integers_option(tracer, name, count, default as i128)?;
        let sizes = numbers.iter().map(|number| usize::try_from(*number));
        let sizes: Option<Vec<usize>> = sizes.collect::<Result<_, _>>().ok();
        match sizes {
            Some(sizes) if sizes.iter().all(|size| *size >= least) => Some(sizes),
            _ => {
                let (_, span) = self.option(name)?;
                let message = format!(
                    "the numbers of the option `{name}` of `{}` are at least {least}",
                    self.name
                );
                tracer.report(Diagnostic::new(Code::Option, span, message));
                None
            }
        }
    }
}

/// An option that is true or false.
pub(super) fn truth(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    name: &str,
    default: bool,
) -> Option<bool> {
    match call.option(name) {
        None => Some(default),
        Some((
            Value::Leaf(ValueLeaf::Static(Static {
                value: Scalar::Bool(truth),
                ..
            })),
            _,
        )) => Some(truth),
        Some((other, span)) => {
            let message = format!(
                "the option `{name}` of `{}` is `true` or `false`, found `{}`",
                call.name,
                other.ty()
            );
            tracer.error(Code::Option, span, message);
            None
        }
    }
}

fn integers(value: &Value) -> Option<Vec<Extent>> {
    match value {
        Tree::Array(items) | Tree::Tuple(items) => items.iter().map(Value::as_extent).collect(),
        value => Some(vec![value.as_extent()?]),
    }
}
