use tblgen::{Record, TypedInit};

use super::{definition, enumeration, operation::malformed, scope::Scope};
use crate::{
    Arity, Attribute, AttributeKind, Error, Number, Presence, RustType, TypeInference, Value,
};

/// The argument list of an operation, divided into operands and attributes.
#[derive(Default)]
pub(super) struct Arguments {
    pub operands: Vec<Value>,
    pub attributes: Vec<Attribute>,
}

/// Reads the arguments of an operation.
pub(super) fn read(record: Record<'_>, operation: &str, scope: &Scope) -> Result<Arguments, Error> {
    let mut arguments = Arguments::default();

    for (name, constraint) in entries(record, "arguments")? {
        if constraint.subclass_of("TypeConstraint") {
            let name = name.unwrap_or_else(|| format!("operand_{}", arguments.operands.len()));
            arguments
                .operands
                .push(value(name, constraint, TypeInference::Explicit, scope));
        } else if constraint.subclass_of("AttrConstraint") {
            let name = name.ok_or_else(|| Error::Unsupported {
                operation: operation.into(),
                feature: "an attribute without a name".into(),
            })?;
            arguments
                .attributes
                .push(attribute(name, constraint, scope)?);
        } else if constraint.subclass_of("PropConstraint") {
            let name = name.ok_or_else(|| Error::Unsupported {
                operation: operation.into(),
                feature: "a property without a name".into(),
            })?;
            arguments.attributes.push(property(name, constraint));
        } else {
            return Err(Error::Unsupported {
                operation: operation.into(),
                feature: format!(
                    "the argument `{}`, neither operand nor attribute",
                    name.unwrap_or_default()
                ),
            });
        }
    }

    Ok(arguments)
}

/// Reads the results of an operation.
pub(super) fn read_results(record: Record<'_>, scope: &Scope) -> Result<Vec<Value>, Error> {
    let entries = entries(record, "results")?;
    let count = entries.len();

    Ok(entries
        .into_iter()
        .enumerate()
        .map(|(index, (name, constraint))| {
            let unnamed = || match (count, arity(constraint)) {
                (1, Arity::Variadic) => "results".into(),
                (1, _) => "result".into(),
                _ => format!("result_{index}"),
            };

            value(
                name.unwrap_or_else(unnamed),
                constraint,
                builtin_type(constraint),
                scope,
            )
        })
        .collect())
}

/// The named constraints of a list, with decorations of ODS taken off.
fn entries<'a>(
    record: Record<'a>,
    field: &str,
) -> Result<Vec<(Option<String>, Record<'a>)>, Error> {
    record
        .dag_value(field)
        .map_err(|error| malformed(record, &error))?
        .args()
        .map(|(name, constraint)| Ok((name.map(String::from), undecorated(record, constraint)?)))
        .collect()
}

fn undecorated<'a>(record: Record<'a>, constraint: TypedInit<'a>) -> Result<Record<'a>, Error> {
    let constraint = Record::try_from(constraint).map_err(|error| malformed(record, &error))?;

    if constraint.subclass_of("OpVariable") {
        constraint
            .def_value("constraint")
            .map_err(|error| malformed(record, &error))
    } else {
        Ok(constraint)
    }
}

fn value(name: String, constraint: Record<'_>, inference: TypeInference, scope: &Scope) -> Value {
    Value {
        name,
        constraint: constraint_name(constraint),
        definition: definition::of_type(base(constraint), scope).map(|definition| RustType {
            module: None,
            name: definition.name,
        }),
        arity: arity(constraint),
        inference,
    }
}

fn arity(constraint: Record<'_>) -> Arity {
    if constraint.subclass_of("Variadic") {
        Arity::Variadic
    } else if constraint.subclass_of("Optional") {
        Arity::Optional
    } else {
        Arity::Single
    }
}

fn builtin_type(constraint: Record<'_>) -> TypeInference {
    if arity(constraint) != Arity::Single {
        return TypeInference::Explicit;
    }

    match constraint.str_value("builderCall") {
        Ok("$_builder.getIndexType()") => TypeInference::Index,
        Ok(_) if constraint.subclass_of("I") => constraint
            .int_value("bitwidth")
            .ok()
            .and_then(|width| u32::try_from(width).ok())
            .map_or(TypeInference::Explicit, TypeInference::Integer),
        _ => TypeInference::Explicit,
    }
}

/// The constraint that an anonymous one is made from.
fn base(constraint: Record<'_>) -> Record<'_> {
    ["baseType", "baseAttr"]
        .into_iter()
        .filter(|field| constraint.anonymous() && constraint.has_field(field))
        .find_map(|field| constraint.optional_def_value(field))
        .unwrap_or(constraint)
}

/// What a reader can look up: the record's name if it has one, else its summary.
fn constraint_name(constraint: Record<'_>) -> String {
    let base = base(constraint);
    let name = if base.anonymous() {
        base.str_value("summary")
    } else {
        base.name()
    };

    name.unwrap_or_default().into()
}

fn attribute(name: String, constraint: Record<'_>, scope: &Scope) -> Result<Attribute, Error> {
    let field = |field| {
        constraint
            .optional_str_value(field)
            .map_err(|error| malformed(constraint, &error))
    };
    let storage = field("storageType")?.unwrap_or_default().trim();
    let kind = defined(constraint, scope)
        .unwrap_or_else(|| kind(storage.trim_start_matches("::"), constraint));

    let has_default = field("defaultValue")?.is_some_and(|value| !value.is_empty());
    let presence = if kind == AttributeKind::Unit {
        Presence::Optional
    } else if has_default {
        Presence::Default
    } else if constraint.bit_value("isOptional").unwrap_or(false) {
        Presence::Optional
    } else {
        Presence::Required
    };

    Ok(Attribute {
        name,
        constraint: constraint_name(constraint),
        kind,
        presence,
    })
}

/// A property, in the form of the attribute that texts have for it. C++ code decides which one that is.
fn property(name: String, constraint: Record<'_>) -> Attribute {
    let kind = if constraint.name() == Ok("UnitProp") {
        AttributeKind::Unit
    } else {
        AttributeKind::Any
    };
    let default = constraint.optional_str_value("defaultValue");
    let presence = match default {
        _ if kind == AttributeKind::Unit => Presence::Optional,
        Ok(Some(value)) if !value.is_empty() => Presence::Default,
        _ => Presence::Required,
    };

    Attribute {
        name,
        constraint: constraint_name(constraint),
        kind,
        presence,
    }
}

/// The kind of an attribute that is a definition or an enumeration.
fn defined(constraint: Record<'_>, scope: &Scope) -> Option<AttributeKind> {
    let constraint = undecorated_attribute(constraint);

    if let Some(name) = enumeration::of_constraint(constraint, scope) {
        return Some(AttributeKind::Enumeration(name));
    }

    let definition = definition::of_attribute(constraint, scope)?;
    Some(AttributeKind::Definition {
        borrows: definition.borrows(),
        name: RustType {
            module: None,
            name: definition.name,
        },
    })
}

/// The attribute that may be left out, or is confined, without that.
fn undecorated_attribute(constraint: Record<'_>) -> Record<'_> {
    ["baseAttr", "attr"]
        .into_iter()
        .filter(|field| constraint.has_field(field))
        .find_map(|field| constraint.optional_def_value(field))
        .map_or(constraint, undecorated_attribute)
}

/// The kind of an attribute by the C++ class that stores it.
fn kind(storage: &str, constraint: Record<'_>) -> AttributeKind {
    match storage {
        "mlir::ArrayAttr" => AttributeKind::Array,
        "mlir::BoolAttr" => AttributeKind::Bool,
        "mlir::DictionaryAttr" => AttributeKind::Dictionary,
        "mlir::DenseElementsAttr" | "mlir::DenseIntElementsAttr" | "mlir::DenseFPElementsAttr" => {
            AttributeKind::DenseElements
        }
        "mlir::DenseI32ArrayAttr" => AttributeKind::DenseI32Array,
        "mlir::DenseI64ArrayAttr" => AttributeKind::DenseI64Array,
        "mlir::FlatSymbolRefAttr" => AttributeKind::FlatSymbolRef,
        "mlir::FloatAttr" => AttributeKind::Float(number(constraint)),
        "mlir::IntegerAttr" => AttributeKind::Integer(number(constraint)),
        "mlir::StringAttr" => AttributeKind::String,
        "mlir::TypeAttr" => AttributeKind::Type,
        "mlir::UnitAttr" => AttributeKind::Unit,
        _ => AttributeKind::Any,
    }
}

/// The type of the number in an attribute, if there is only one that it can be.
fn number(constraint: Record<'_>) -> Option<Number> {
    let r#type = undecorated_attribute(constraint).optional_def_value("valueType")?;
    let width = || u32::try_from(r#type.int_value("bitwidth").ok()?).ok();

    if r#type.subclass_of("SI") {
        width().map(Number::Signed)
    } else if r#type.subclass_of("UI") {
        width().map(Number::Unsigned)
    } else if r#type.subclass_of("I") {
        width().map(Number::Signless)
    } else if r#type.subclass_of("F") {
        width().map(Number::Float)
    } else {
        (r#type.name() == Ok("Index")).then_some(Number::Index)
    }
}
