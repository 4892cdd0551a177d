use super::super::{
    closure::Callable,
    operation,
    statics::{Static, StaticType},
    tracer::Tracer,
    tree::Tree,
    types::GenericValue,
    value::{Value, ValueLeaf},
};
use crate::{
    ast::Path,
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use iree_abi::{DType, DTypeClass};
use std::f64::consts;

impl Tracer<'_> {
    /// The value that a path names.
    pub(super) fn path(&mut self, path: &Path) -> Value {
        let span = path.span;
        match path.segments.as_slice() {
            [only] => self.name(&only.name.name, span),
            [.., owner, name] => {
                let (owner, name) = (owner.name.name.as_str(), name.name.name.as_str());
                match self.associated_const(owner, name) {
                    Some(number) => number.into(),
                    None => self.unknown_path(path),
                }
            }
            [] => Value::POISON,
        }
    }

    fn name(&mut self, name: &str, span: SpanId) -> Value {
        if name == "self" {
            return self.bare_self(span);
        }
        if let Some(binding) = self.frame.scopes.get(name) {
            return match binding.value.clone() {
                Some(value) => value,
                None => {
                    let message = format!("`{name}` is used before it has a value");
                    self.error(Code::Assignment, span, message)
                }
            };
        }
        match self.frame.generics.get(name) {
            Some(GenericValue::Dimension(size)) => return Value::size(size.clone()),
            Some(GenericValue::Dimensions(sizes)) => {
                return Tree::Array(sizes.iter().cloned().map(Value::size).collect());
            }
            Some(GenericValue::Poison) => return Value::POISON,
            _ => {}
        }
        if let Some(value) = self.const_value(name, span) {
            return value;
        }
        if let Some(index) = self.ast.kernel(self.frame.module, name) {
            return Value::Leaf(ValueLeaf::Callable(Callable::Kernel(index)));
        }
        if let Some(dtype) = self.element_type_of(name) {
            return Value::Leaf(ValueLeaf::Element(dtype));
        }
        self.unknown_name(name, span)
    }

    /// Reports `self` on its own.
    pub(crate) fn bare_self(&mut self, span: SpanId) -> Value {
        if self.frame.receiver.is_none() {
            return self.self_outside(span);
        }
        let message = "`self` is the program, which is not a value";
        self.report(
            Diagnostic::new(Code::Unsupported, span, message).help("name a global: `self.x`"),
        )
    }

    /// Reports `self` where there is no program.
    pub(crate) fn self_outside(&mut self, span: SpanId) -> Value {
        let message = "there is no `self` here: only procedures see the program";
        let diagnostic = Diagnostic::new(Code::UnknownName, span, message);
        self.report(diagnostic.help("pass what is needed as an argument"))
    }

    fn unknown_name(&mut self, name: &str, span: SpanId) -> Value {
        if self.ast.is_missing(self.frame.module, name) {
            return Value::POISON;
        }
        let mut known = self.frame.scopes.names();
        known.extend(self.ast.values(self.frame.module));
        let similar = nearest(name, known).map(str::to_owned);
        let global = self.globals.get(name).is_some() && self.frame.receiver.is_some();
        let diagnostic = Diagnostic::new(
            Code::UnknownName,
            span,
            format!("there is no `{name}` here"),
        );
        let slip = || {
            let similar = similar?;
            Some(format!(
                "there is something with a similar name: `{similar}`"
            ))
        };
        let help = match global {
            true => Some(format!("there is a global of that name: `self.{name}`")),
            false => operation::value_elsewhere(name)
                .or_else(|| undeclared_size(name))
                .or_else(slip),
        };
        self.report(diagnostic.help_if(help))
    }

    fn unknown_path(&mut self, path: &Path) -> Value {
        let message = format!("there is no `{}` in the language", path.text());
        let last = path.last().map_or("", |segment| segment.name.name.as_str());
        let help = operation::value_elsewhere(last);
        self.report(Diagnostic::new(Code::UnknownName, path.span, message).help_if(help))
    }

    /// The element type that a name stands for.
    fn element_type_of(&self, name: &str) -> Option<DType> {
        match self.frame.generics.get(name) {
            Some(GenericValue::Element(dtype)) => Some(*dtype),
            _ => name.parse().ok(),
        }
    }

    /// `f32::MAX`, `T::EPSILON`, `std::f32::consts::PI`.
    fn associated_const(&self, owner: &str, name: &str) -> Option<Static> {
        if owner == "consts" {
            let value = mathematical_constant(name)?;
            return Some(Static::float(value, StaticType::Float));
        }
        let dtype = self.element_type_of(owner)?;
        let ty = StaticType::Element(dtype);
        match dtype.class() {
            DTypeClass::Float => Some(Static::float(float_limit(dtype, name)?, ty)),
            DTypeClass::Signed | DTypeClass::Unsigned => {
                let value = Static::integer(integer_limit(dtype, name)?);
                value.conform(ty).ok()
            }
            DTypeClass::Bool | DTypeClass::Complex => None,
        }
    }
}

fn mathematical_constant(name: &str) -> Option<f64> {
    Some(match name {
        "PI" => consts::PI,
        "TAU" => consts::TAU,
        "E" => consts::E,
        "LN_2" => consts::LN_2,
        "LN_10" => consts::LN_10,
        "LOG2_E" => consts::LOG2_E,
        "LOG10_E" => consts::LOG10_E,
        "SQRT_2" => consts::SQRT_2,
        "FRAC_1_SQRT_2" => consts::FRAC_1_SQRT_2,
        "FRAC_1_PI" => consts::FRAC_1_PI,
        "FRAC_2_PI" => consts::FRAC_2_PI,
        "FRAC_2_SQRT_PI" => consts::FRAC_2_SQRT_PI,
        "FRAC_PI_2" => consts::FRAC_PI_2,
        "FRAC_PI_4" => consts::FRAC_PI_4,
        _ => return None,
    })
}

fn float_limit(dtype: DType, name: &str) -> Option<f64> {
    let (max, min_positive, epsilon) = match dtype {
        DType::F16 => (
            half::f16::MAX.to_f64(),
            half::f16::MIN_POSITIVE.to_f64(),
            half::f16::EPSILON.to_f64(),
        ),
        DType::BF16 => (
            half::bf16::MAX.to_f64(),
            half::bf16::MIN_POSITIVE.to_f64(),
            half::bf16::EPSILON.to_f64(),
        ),
        DType::F32 => (
            f32::MAX.into(),
            f32::MIN_POSITIVE.into(),
            f32::EPSILON.into(),
        ),
        _ => (f64::MAX, f64::MIN_POSITIVE, f64::EPSILON),
    };
    Some(match name {
        "MAX" => max,
        "MIN" => -max,
        "MIN_POSITIVE" => min_positive,
        "EPSILON" => epsilon,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        _ => return None,
    })
}

fn integer_limit(dtype: DType, name: &str) -> Option<i128> {
    let bits = 8 * dtype.size() as u32;
    let signed = matches!(dtype.class(), DTypeClass::Signed);
    match (name, signed) {
        ("MAX", true) => Some((1_i128 << (bits - 1)) - 1),
        ("MIN", true) => Some(-(1_i128 << (bits - 1))),
        ("MAX", false) => Some((1_i128 << bits) - 1),
        ("MIN", false) => Some(0),
        ("BITS", _) => Some(i128::from(bits)),
        _ => None,
    }
}

/// What declares a name that looks like one of a size.
fn undeclared_size(name: &str) -> Option<String> {
    let is_short = name.len() == 1 && name.starts_with(|first: char| first.is_ascii_uppercase());
    is_short
        .then(|| format!("a size that arguments tell is declared: `fn f<const {name}: usize>(..)`"))
}
