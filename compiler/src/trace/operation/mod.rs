//! The operations that users call, written with those of the intermediate representation.
//!
//! [`OPERATIONS`] is the one list of them: calls are looked up in it, suggestions are made from it, and
//! the table of the guide is printed from it.

mod build;
mod carry;
mod chirp;
mod contract;
mod control;
mod convert;
mod convolution;
mod diagonal;
mod einsum;
mod elementwise;
mod elsewhere;
mod fold;
mod formula;
mod fourier;
mod include;
mod index;
mod items;
mod layout;
mod linalg;
mod meant;
mod normalize;
mod observe;
mod operand;
mod options;
mod order;
mod pad;
mod pool;
mod random;
mod rearrange;
mod reduce;
mod scan;
mod sequence;
mod shape;
mod slice;
mod statistics;
mod steps;
mod table;
mod written;

pub(crate) use elsewhere::{
    argument_elsewhere, habit_elsewhere, operation_elsewhere, type_elsewhere, value_elsewhere,
};
pub(crate) use iree_dsl_library::broadcast::broadcast_shapes;
pub(crate) use meant::{in_other_form, meant};
pub(crate) use operand::as_integers;
pub(crate) use scan::leading_size;
use table::Generic;
pub use table::{OPERATIONS, OperationForm, OperationInfo};

use super::{
    deferred::{Axes, common_element, tells_type},
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Tensor, Value},
};
use crate::{
    ast::GenericArgument,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// A call of an operation. The receiver of a method is the first argument.
pub(crate) struct OperationCall<'c> {
    /// The operation's name, for messages.
    pub(crate) name: &'static str,
    /// What stands between the angle brackets.
    pub(crate) generics: &'c [GenericArgument],
    /// The arguments.
    pub(crate) arguments: Vec<(Value, SpanId)>,
    /// The options of a macro that are given.
    pub(crate) options: Vec<(&'static str, Value, SpanId)>,
    /// The type that the result should have.
    pub(crate) expected: Option<&'c Type>,
    /// Where the operation is named.
    pub(crate) span: SpanId,
}

/// How an operation is traced. `None` if its mistakes were reported.
type Run = fn(&mut Tracer<'_>, OperationCall<'_>) -> Option<Value>;

/// The operation of that name.
pub(crate) fn find(name: &str, form: OperationForm) -> Option<&'static OperationInfo> {
    let mut operations = OPERATIONS.iter();
    operations.find(|operation| operation.name == name && operation.form == form)
}

/// The macro that is called `name!`.
pub(crate) fn find_macro(name: &str) -> Option<&'static OperationInfo> {
    find(&format!("{name}!"), OperationForm::Macro)
}

/// How an operation of that name is called, for messages.
pub(crate) fn called_as(name: &str) -> Option<String> {
    let found = OPERATIONS.iter().find(|operation| operation.name == name)?;
    Some(found.called_as())
}

impl OperationInfo {
    /// The value of a call.
    pub(crate) fn run(&'static self, tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Value {
        let receiver = usize::from(self.form == OperationForm::Method);
        let found = call.arguments.len().saturating_sub(receiver);
        if !self.arguments.contains(&found) {
            return self.wrong_count(tracer, found, &call);
        }
        if self.generic == Generic::Nothing && !call.generics.is_empty() {
            let message = format!("`{}` takes no generic arguments", self.name);
            let diagnostic = Diagnostic::new(Code::ArgumentCount, call.span, message);
            return tracer.report(diagnostic.help(self.called_as()));
        }
        let arguments = call.arguments.iter().map(|(value, _)| value);
        let options = call.options.iter().map(|(_, value, _)| value);
        if arguments.chain(options).any(Value::is_poisoned) {
            return Value::POISON;
        }
        if let Some(deferred) = self.deferred(&call) {
            return deferred;
        }
        (self.run)(tracer, call).unwrap_or(Value::POISON)
    }

    /// What a call builds, if nothing around it tells the type of that.
    fn deferred(&'static self, call: &OperationCall<'_>) -> Option<Value> {
        let Generic::Type { of_elements, axes } = self.generic else {
            return None;
        };
        // With more axes it is the type of what it becomes a part of.
        let is_whole = |ty: &Type| match ty {
            Type::Leaf(TypeLeaf::Tensor(ty)) => axes != Axes::Last || ty.shape.rank() < 2,
            _ => true,
        };
        let is_told = |ty: &Type| ty.is_poisoned() || tells_type(ty) && is_whole(ty);
        if !call.generics.is_empty() || call.expected.is_some_and(is_told) {
            return None;
        }
        let elements = call.arguments.iter().map(|(value, _)| value);
        let element = common_element(elements.filter(|_| of_elements));
        Some(call.deferred(self, element, axes))
    }

    /// What to write in place of an argument with a name.
    pub(crate) fn without_name(&self, name: &str) -> String {
        let along_axis = || match name {
            "axis" | "dim" | "axes" | "dims" => self.along_axis(),
            _ => None,
        };
        let help = argument_elsewhere(name).or_else(along_axis);
        help.unwrap_or_else(|| self.called_as())
    }

    fn called_as(&self) -> String {
        format!("it is called as `{}`", self.usage)
    }

    fn wrong_count(
        &self,
        tracer: &mut Tracer<'_>,
        found: usize,
        call: &OperationCall<'_>,
    ) -> Value {
        let (least, most) = (self.arguments.start(), self.arguments.end());
        let surplus = call.arguments.get(most + call.arguments.len() - found);
        let span = surplus.map_or(call.span, |(_, span)| *span);
        let expected = match least == most {
            true => super::resolve::count(*least, "argument"),
            false => format!("{least} to {most} arguments"),
        };
        let message = format!("`{}` takes {expected}, found {found}", self.name);
        let help = self.meant(found);
        let help = help.unwrap_or_else(|| self.called_as());
        tracer.report(Diagnostic::new(Code::ArgumentCount, span, message).help(help))
    }

    /// What was probably meant by a call with an argument of an operation that takes none.
    fn meant(&self, found: usize) -> Option<String> {
        match found == 1 && *self.arguments.end() == 0 {
            true => self.along_axis(),
            false => None,
        }
    }

    /// The operations of a similar name that take an axis, or another tensor.
    fn along_axis(&self) -> Option<String> {
        let usage = |name: String| find(&name, self.form).map(|operation| operation.usage);
        let axis = usage(format!("{}_axis", self.name));
        let places = usage(format!("{}imum", self.name));
        match (axis, places) {
            (Some(axis), None) => Some(format!("along an axis it is `{axis}`")),
            (Some(axis), Some(places)) => Some(format!(
                "along an axis it is `{axis}`, between two tensors `{places}`"
            )),
            _ => None,
        }
    }
}

impl<'c> OperationCall<'c> {
    /// The argument at a position, the receiver of a method at 0.
    pub(crate) fn argument(&self, position: usize) -> Option<(Value, SpanId)> {
        self.arguments.get(position).cloned()
    }

    /// The argument at a position as a tensor.
    pub(crate) fn tensor(&self, tracer: &mut Tracer<'_>, position: usize) -> Option<Tensor> {
        let (value, span) = self.argument(position)?;
        tracer.tensor(value, self.name, span)
    }
}
