//! Kernels that are written as MLIR: `#[kernel(mlir = "…")] fn f(…) -> …;`.

use super::{
    attributes::is_any,
    context::{Parser, visibility},
};
use crate::ast::{Body, Function, FunctionKind, MlirText};
use syn::{ForeignItemFn, Item, LitStr, Meta};

/// The kernel that an item is, if it is one without a body whose attribute has options.
pub(super) fn mlir_kernel(item: &Item) -> Option<ForeignItemFn> {
    let Item::Verbatim(tokens) = item else {
        return None;
    };
    let function: ForeignItemFn = syn::parse2(tokens.clone()).ok()?;
    let mut attributes = function.attrs.iter();
    attributes
        .any(|one| is_any(one, &["kernel"]) && !matches!(one.meta, Meta::Path(_)))
        .then_some(function)
}

impl Parser<'_> {
    /// A kernel whose body stands in its attribute; `None` if it was reported that there is none.
    pub(super) fn mlir_kernel(&mut self, source: &ForeignItemFn) -> Option<Function> {
        let own = self.inert_attributes(&source.attrs, &["kernel"]);
        let attribute = self.only(&own)?;
        let options = self.attribute_options(attribute, "kernel", &["mlir", "jvp", "vjp"])?;
        let rule = self.rule_among(&options);
        let text = options.iter().find(|option| option.name.name == "mlir");
        let Some(option) = text else {
            let is_empty = matches!(&attribute.meta, Meta::List(list) if list.tokens.is_empty());
            if is_empty || !options.is_empty() {
                self.function_without_body(source);
            }
            return None;
        };
        let text = self.string_value(option, "\"return %x : {x}\"")?;
        let text = self.mlir_text(text);
        self.no_receiver(&source.sig);
        let visibility = visibility(&source.vis);
        let body = |_: &mut Self| Body::Mlir(text);
        let kernel = self.function(&source.sig, visibility, FunctionKind::Kernel, body);
        Some(Function { rule, ..kernel })
    }

    fn mlir_text(&mut self, literal: &LitStr) -> MlirText {
        let text = literal.value();
        let mut lines = lines(&literal.token().to_string());
        lines.resize(text.split('\n').count(), 0);
        MlirText {
            span: self.at(literal.span()),
            text,
            lines,
        }
    }
}

/// For each line of the text that a literal stands for, how many lines it is below the literal's start.
fn lines(literal: &str) -> Vec<usize> {
    let is_raw = literal.starts_with('r');
    let mut lines = vec![0];
    let mut below = 0;
    let mut characters = literal.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' => {
                below += 1;
                lines.push(below);
            }
            '\\' if !is_raw => match characters.next() {
                Some('n') => lines.push(below),
                // The end of the line, and white space behind it, are no part of the text.
                Some('\n') => {
                    below += 1;
                    while let Some(blank) = characters.next_if(|next| next.is_whitespace()) {
                        below += usize::from(blank == '\n');
                    }
                    *lines.last_mut().unwrap_or(&mut 0) = below;
                }
                _ => {}
            },
            _ => {}
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_of_texts_are_found_in_the_source() {
        assert_eq!(lines("\"a\""), [0]);
        assert_eq!(lines("r#\"\n a\\n\n b\"#"), [0, 1, 2]);
        assert_eq!(lines("\"a\\nb\n\\\\n\""), [0, 0, 1]);
        assert_eq!(lines("\"a\\\n\n   b\nc\""), [2, 3]);
    }
}
