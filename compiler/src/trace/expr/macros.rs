//! Calls of operations that have options.

use super::super::{
    frame::Flow,
    operation::{self, OperationCall, OperationForm, OperationInfo},
    tracer::Tracer,
    types::Type,
    value::Value,
};
use crate::{
    ast::{Argument, Ident, NamedArgument, Path},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};

/// Arguments without and with names, as written.
type MacroArguments<'e> = (&'e [Argument], &'e [NamedArgument]);

impl Tracer<'_> {
    /// `f!(a, b, option = c)`.
    pub(super) fn macro_call(
        &mut self,
        path: &Path,
        (positional, named): MacroArguments<'_>,
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow {
        let Some(operation) = operation::find_macro(&path.text()) else {
            return Ok(self.unknown_macro(path));
        };
        let mut arguments = Vec::with_capacity(positional.len());
        for argument in positional {
            let value = self.expr(&argument.value, None)?;
            arguments.push((value, argument.value.span));
            if let Some(step) = &argument.step {
                let message = format!("an argument of `{}` has no step", operation.name);
                self.error(Code::Syntax, step.span, message);
            }
        }
        let mut options = Vec::with_capacity(named.len());
        let mut unknown = false;
        for NamedArgument { name, value } in named {
            let (span, value) = (value.span, self.expr(value, None)?);
            match self.option_name(operation, name) {
                Some(name) => options.push((name, value, span)),
                None => unknown = true,
            }
        }
        if unknown {
            return Ok(Value::POISON);
        }
        let call = OperationCall {
            name: operation.name,
            generics: &[],
            arguments,
            options,
            expected,
            span,
        };
        Ok(operation.run(self, call))
    }

    fn option_name(&mut self, operation: &OperationInfo, name: &Ident) -> Option<&'static str> {
        let options = operation.options.iter().copied();
        let found = options.clone().find(|option| *option == name.name);
        if found.is_none() {
            let message = format!("`{}` has no option `{}`", operation.name, name.name);
            let help = match nearest(&name.name, options) {
                Some(similar) => format!("there is an option with a similar name: `{similar}`"),
                None => format!("the options are `{}`", operation.options.join("`, `")),
            };
            self.report(Diagnostic::new(Code::Option, name.span, message).help(help));
        }
        found
    }

    fn unknown_macro(&mut self, path: &Path) -> Value {
        let name = path.text();
        let message = format!("there is no operation `{name}!`");
        let diagnostic = Diagnostic::new(Code::NoOperation, path.span, message);
        let help = match name.as_str() {
            "s" => Some("`s![..]` stands between the brackets of an index".to_owned()),
            name => operation::meant(name, OperationForm::Macro, []),
        };
        self.report(diagnostic.help_if(help))
    }
}
