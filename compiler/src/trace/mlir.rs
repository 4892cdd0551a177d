//! Kernels that are written as MLIR.
//!
//! The text is the body of a function whose arguments have the names of the parameters: `%x`, and
//! `%layer.w` for a leaf of a tree. What differs from instance to instance is put in for its name in
//! braces: the size `{N}`, the element type `{T}`, the type `{x}` of a parameter and `{result}` of the
//! result, and the value `{scale}` of a static parameter.

use super::{
    statics::{Static, StaticType},
    tracer::Tracer,
    tree::Tree,
    types::{GenericValue, Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{self, MlirText},
    diagnostic::{Code, Diagnostic},
};
use iree_abi::{DType, Dim, Extent, TensorType, join_path};
use iree_dsl_ir::{
    Scalar,
    op::{Mlir, Op, mlir_element, mlir_type},
};
use std::collections::BTreeMap;

/// What stands for the types of the result.
const RESULT: &str = "result";

/// What a text may refer to.
#[derive(Default)]
struct Names {
    /// The arguments.
    arguments: Vec<(String, Tensor)>,
    /// What is put in for names in braces.
    replaced: BTreeMap<String, String>,
}

impl Tracer<'_> {
    /// The value of a kernel that is written as MLIR, whose parameters are bound.
    pub(crate) fn mlir_body(&mut self, kernel: &ast::Function, text: &MlirText) -> Value {
        let ty = self.frame.result.clone();
        let Some(results) = self.mlir_results(kernel, &ty) else {
            return Value::POISON;
        };
        let Some(names) = self.mlir_names(kernel, &results) else {
            return Value::POISON;
        };
        if !self.check_mlir_text(text, &names) {
            return Value::POISON;
        }
        let (arguments, operands): (Vec<_>, Vec<_>) = names.arguments.into_iter().unzip();
        let op = Op::Mlir(Mlir {
            text: filled(&text.text, &names.replaced),
            arguments,
            results,
        });
        let span = self.opaque_span(text.span);
        self.emit_tree(op, &operands, &ty, span)
    }

    /// Reports a text that is more than a body, or has names in braces that stand for nothing.
    fn check_mlir_text(&mut self, text: &MlirText, names: &Names) -> bool {
        if closes_more(&text.text) {
            let message = "this text closes the function that it is the body of";
            let diagnostic = Diagnostic::new(Code::Mlir, text.span, message);
            self.report(diagnostic.help("remove the `}` that has no `{` before it"));
            return false;
        }
        let Some(unknown) = unknown_name(&text.text, &names.replaced) else {
            return true;
        };
        let message = format!("`{{{unknown}}}` stands for nothing in this text");
        let diagnostic = Diagnostic::new(Code::Mlir, text.span, message);
        let known: Vec<_> = names
            .replaced
            .keys()
            .map(|name| format!("`{{{name}}}`"))
            .collect();
        self.report(diagnostic.help(format!("these do: {}", known.join(", "))));
        false
    }

    /// The types of the result, all of which must be known.
    fn mlir_results(&mut self, kernel: &ast::Function, ty: &Type) -> Option<Vec<TensorType>> {
        let span = kernel.result.as_ref().map_or(kernel.span, |ty| ty.span);
        let results = ty.leaves().into_iter().map(|(_, leaf)| match leaf {
            TypeLeaf::Tensor(ty) if !ty.shape.dims().contains(&Dim::Any) => Some(ty.clone()),
            _ => None,
        });
        let results: Option<Vec<_>> = results.collect();
        let known = results.filter(|results| !results.is_empty());
        if known.is_none() && *ty != Type::POISON {
            let message = format!(
                "the result of a kernel that is written as MLIR must be tensors of sizes that follow \
                 from the arguments, found `{ty}`"
            );
            self.error(Code::ReturnType, span, message);
        }
        known
    }

    fn mlir_names(&mut self, kernel: &ast::Function, results: &[TensorType]) -> Option<Names> {
        let mut names = Names::default();
        let results: Vec<_> = results.iter().map(mlir_type).collect();
        names.replaced.insert(RESULT.to_owned(), results.join(", "));
        for (name, value) in self.frame.generics.iter() {
            let text = match value {
                GenericValue::Dimension(size) => size_text(size),
                GenericValue::Element(dtype) => mlir_element(*dtype),
                GenericValue::Dimensions(_) | GenericValue::Type(_) | GenericValue::Poison => {
                    continue;
                }
            };
            names.replaced.insert(name.to_owned(), text);
        }
        for parameter in &kernel.parameters {
            let Some(name) = parameter.name().filter(|name| name.is_ascii()) else {
                let message =
                    "a parameter of a kernel that is written as MLIR needs a name in ASCII letters";
                self.error(Code::Unsupported, parameter.pattern.span, message);
                return None;
            };
            let binding = self.frame.scopes.get(name);
            let value = binding.and_then(|binding| binding.value.clone())?;
            self.mlir_argument(name, &value, parameter, &mut names)?;
        }
        Some(names)
    }

    fn mlir_argument(
        &mut self,
        name: &str,
        value: &Value,
        parameter: &ast::Parameter,
        names: &mut Names,
    ) -> Option<()> {
        for (path, leaf) in value.leaves() {
            let name = join_path(name, &path);
            let text = match leaf {
                ValueLeaf::Tensor(tensor) => {
                    names.arguments.push((name.clone(), tensor.clone()));
                    Some(mlir_type(&tensor.ty))
                }
                ValueLeaf::Static(number) => number_text(*number),
                ValueLeaf::Size(extent) => Some(size_text(extent)),
                ValueLeaf::Text(text) => Some(text.to_string()),
                ValueLeaf::Element(dtype) => Some(mlir_element(*dtype)),
                ValueLeaf::Poison => return None,
                ValueLeaf::Callable(_)
                | ValueLeaf::Range(..)
                | ValueLeaf::Iterations(..)
                | ValueLeaf::Deferred(_) => None,
            };
            let Some(text) = text else {
                let found = Tree::Leaf(leaf.clone()).ty();
                let message = format!("MLIR has no form of `{name}`, which is a `{found}`");
                let diagnostic =
                    Diagnostic::new(Code::Unsupported, parameter.pattern.span, message);
                self.report(diagnostic.help("pass tensors, numbers, truth values and texts"));
                return None;
            };
            names.replaced.insert(name, text);
        }
        Some(())
    }
}

fn size_text(size: &Extent) -> String {
    size.known()
        .map_or_else(|| "?".to_owned(), |size| size.to_string())
}

/// A number as a literal of MLIR, which has no decimal form of what is not finite.
fn number_text(number: Static) -> Option<String> {
    Some(match number.value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Integer(value) => value.to_string(),
        Scalar::Float(value) if value.is_finite() => {
            // A literal without a point is an integer, whatever its exponent.
            let text = format!("{value:?}");
            match text.split_once('e') {
                Some((digits, exponent)) if !digits.contains('.') => {
                    format!("{digits}.0e{exponent}")
                }
                _ => text,
            }
        }
        Scalar::Float(value) => match number.ty {
            StaticType::Element(DType::F64) => format!("{:#018X}", value.to_bits()),
            StaticType::Element(DType::F32) => format!("{:#010X}", (value as f32).to_bits()),
            _ => return None,
        },
    })
}

/// The text with what stands for the names in braces. Braces around anything else belong to MLIR.
fn filled(text: &str, replaced: &BTreeMap<String, String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let name = behind.split_once('}');
        match name.and_then(|(name, rest)| Some((replaced.get(name)?, rest))) {
            Some((replacement, behind)) => {
                filled.push_str(replacement);
                rest = behind;
            }
            None => {
                filled.push('{');
                rest = behind;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// Whether a text has a closing brace for which there is no opening one, strings and comments aside.
fn closes_more(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '{' => depth += 1,
            '}' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return true,
            },
            '"' => {
                while let Some(inside) = characters.next().filter(|inside| *inside != '"') {
                    if inside == '\\' {
                        characters.next();
                    }
                }
            }
            '/' if characters.peek() == Some(&'/') => {
                let _ = characters.by_ref().find(|inside| *inside == '\n');
            }
            _ => {}
        }
    }
    false
}

/// A name in braces that stands for nothing, where a type or a size belongs: elsewhere a name in braces is an
/// attribute of an operation.
fn unknown_name<'t>(text: &'t str, replaced: &BTreeMap<String, String>) -> Option<&'t str> {
    let mut opened = text.match_indices('{');
    opened.find_map(|(at, _)| {
        let before = text.get(..at)?;
        let name = text.get(at + 1..)?.split_once('}')?.0;
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || "_.".contains(one));
        let is_type = before.trim_end().ends_with(':') || before.trim_end().ends_with("->");
        let follows = |last: char, fits: fn(char) -> bool| {
            let before = before.strip_suffix(last);
            before.is_some_and(|before| before.ends_with(fits))
        };
        let is_size = follows('<', |one| one.is_ascii_alphanumeric())
            || follows('x', |one| one.is_ascii_digit() || "?}".contains(one));
        (is_name && (is_type || is_size) && !replaced.contains_key(name)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_close_their_function_are_found() {
        assert!(closes_more("return %x : {x} } func.func @evil() {"));
        assert!(!closes_more("a {x} \"}\\\"}\" // }\n { } {"));
    }

    #[test]
    fn names_in_place_of_types_stand_for_something() {
        let replaced = [("N", "4"), ("x", "tensor<f32>")];
        let replaced = replaced.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let replaced = BTreeMap::from(replaced);
        assert_eq!(
            unknown_name(
                "f %x <{one}> {exact} : {x} -> tensor<{N}x{N}xf32>",
                &replaced
            ),
            None
        );
        assert_eq!(
            unknown_name("f : tensor<{N}x{M}xf32>", &replaced),
            Some("M")
        );
        assert_eq!(unknown_name("return %x : {y}", &replaced), Some("y"));
    }

    #[test]
    fn only_names_in_braces_are_replaced() {
        let replaced = [("N", "4"), ("x.w", "tensor<f32>")];
        let replaced = replaced.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let text = "{ {N}x{M} {x.w}{} {N";
        let expected = "{ 4x{M} tensor<f32>{} {N";
        assert_eq!(filled(text, &BTreeMap::from(replaced)), expected);
    }

    #[test]
    fn numbers_are_literals_of_mlir() {
        let text = |value, dtype| number_text(Static::float(value, StaticType::Element(dtype)));
        assert_eq!(text(1e-7, DType::F64).as_deref(), Some("1.0e-7"));
        assert_eq!(text(2.5e30, DType::F64).as_deref(), Some("2.5e30"));
        assert_eq!(text(-3.0, DType::F32).as_deref(), Some("-3.0"));
        assert_eq!(
            text(f64::INFINITY, DType::F32).as_deref(),
            Some("0x7F800000")
        );
        let text = text(f64::NEG_INFINITY, DType::F64);
        assert_eq!(text.as_deref(), Some("0xFFF0000000000000"));
    }
}
