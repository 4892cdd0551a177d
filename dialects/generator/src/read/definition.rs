use tblgen::{Record, RecordKeeper, TypedInit};

use super::{
    operation::malformed,
    scope::{Scope, rust_name},
};
use crate::{Definition, DefinitionKind, Error, Parameter, ParameterKind, Piece};

/// Reads the attributes and types of the dialect that can be written and read.
pub(super) fn read_all(keeper: &RecordKeeper<'_>, scope: &Scope) -> Result<Vec<Definition>, Error> {
    let kinds = [
        ("AttrDef", DefinitionKind::Attribute),
        ("TypeDef", DefinitionKind::Type),
    ];
    let mut definitions = Vec::new();
    for (class, kind) in kinds {
        for record in keeper.all_derived_definitions_if_defined(class) {
            if dialect(record) == Some(scope.dialect()) && !record.subclass_of("EnumAttr") {
                definitions.extend(read(record, kind, scope)?);
            }
        }
    }
    definitions.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(definitions)
}

/// The attribute that a constraint is.
pub(super) fn of_attribute(constraint: Record<'_>, scope: &Scope) -> Option<Definition> {
    let is_one = constraint.subclass_of("AttrDef") && !constraint.subclass_of("EnumAttr");
    is_one.then(|| owned(constraint, DefinitionKind::Attribute, scope))?
}

/// The type that a constraint is.
pub(super) fn of_type(constraint: Record<'_>, scope: &Scope) -> Option<Definition> {
    let is_one = constraint.subclass_of("TypeDef");
    is_one.then(|| owned(constraint, DefinitionKind::Type, scope))?
}

fn owned(constraint: Record<'_>, kind: DefinitionKind, scope: &Scope) -> Option<Definition> {
    let is_ours = dialect(constraint) == Some(scope.dialect());
    is_ours.then(|| read(constraint, kind, scope))?.ok()?
}

fn dialect<'a>(record: Record<'a>) -> Option<&'a str> {
    record.def_value("dialect").ok()?.str_value("name").ok()
}

fn read(
    record: Record<'_>,
    kind: DefinitionKind,
    scope: &Scope,
) -> Result<Option<Definition>, Error> {
    let text = |field| {
        record
            .optional_str_value(field)
            .map(|text| text.unwrap_or_default().trim())
            .map_err(|error| malformed(record, &error))
    };
    let mnemonic = text("mnemonic")?;
    let Some(parameters) = parameters(record, scope)? else {
        return Ok(None);
    };
    let Some(syntax) = syntax(text("assemblyFormat")?, &parameters) else {
        return Ok(None);
    };
    if mnemonic.is_empty() {
        return Ok(None);
    }

    let class = text("cppClassName")?;
    Ok(Some(Definition {
        name: rust_name(match kind {
            DefinitionKind::Attribute => class.strip_suffix("Attr").unwrap_or(class),
            DefinitionKind::Type => class,
        }),
        mnemonic: mnemonic.into(),
        kind,
        summary: text("summary")?.into(),
        parameters,
        syntax,
    }))
}

/// The parameters, if Rust has a type for each of them.
fn parameters(record: Record<'_>, scope: &Scope) -> Result<Option<Vec<Parameter>>, Error> {
    let dag = record
        .dag_value("parameters")
        .map_err(|error| malformed(record, &error))?;

    Ok(dag
        .args()
        .map(|(name, parameter)| parameter_of(name?, parameter, scope))
        .collect())
}

fn parameter_of(name: &str, parameter: TypedInit<'_>, scope: &Scope) -> Option<Parameter> {
    let name = name.to_owned();
    // A parameter is a record, or only the name of its C++ type.
    let Ok(record) = Record::try_from(parameter) else {
        let kind = kind(<&str>::try_from(parameter).ok()?, scope)?;
        return Some(Parameter {
            name,
            summary: String::new(),
            kind,
            optional: false,
        });
    };
    let text = |field| {
        let text = record.optional_str_value(field).ok().flatten();
        text.unwrap_or_default()
    };

    Some(Parameter {
        kind: kind(text("cppType"), scope)?,
        optional: !text("defaultValue").is_empty(),
        summary: text("summary").trim().into(),
        name,
    })
}

fn kind(r#type: &str, scope: &Scope) -> Option<ParameterKind> {
    let plain = r#type.trim().trim_start_matches("::");
    let element = plain
        .strip_prefix("llvm::ArrayRef<")
        .or_else(|| plain.strip_prefix("ArrayRef<"))
        .and_then(|rest| rest.strip_suffix('>'));
    if let Some(element) = element {
        return match kind(element, scope)? {
            ParameterKind::Integer(name) => Some(ParameterKind::Integers(name)),
            ParameterKind::Attribute => Some(ParameterKind::Attributes),
            ParameterKind::Type => Some(ParameterKind::Types),
            _ => None,
        };
    }

    Some(match plain {
        "bool" => ParameterKind::Bool,
        "int" | "int32_t" => ParameterKind::Integer("i32"),
        "unsigned" | "uint32_t" => ParameterKind::Integer("u32"),
        "int64_t" => ParameterKind::Integer("i64"),
        "uint64_t" | "size_t" => ParameterKind::Integer("u64"),
        "llvm::StringRef" | "StringRef" | "std::string" => ParameterKind::String,
        "mlir::Type" | "Type" => ParameterKind::Type,
        "mlir::Attribute" | "Attribute" => ParameterKind::Attribute,
        _ => {
            let (namespace, name) = plain.rsplit_once("::")?;
            // An attribute of the dialect itself stands as it is; only enumerations have a name of their own.
            if name.ends_with("Attr") {
                ParameterKind::Attribute
            } else if name.ends_with("Type") {
                ParameterKind::Type
            } else {
                ParameterKind::Enumeration(scope.find(namespace, name)?)
            }
        }
    })
}

/// What stands between the angle brackets, if the format is one that we know.
fn syntax(format: &str, parameters: &[Parameter]) -> Option<Vec<Piece>> {
    if format.is_empty() {
        return parameters.is_empty().then(Vec::new);
    }
    let body = format.strip_prefix("`<`")?.strip_suffix("`>`")?;
    body.split_whitespace()
        .map(|word| match word {
            "params" => Some(Piece::List),
            "struct(params)" => Some(Piece::Struct),
            _ => {
                let literal = word
                    .strip_prefix('`')
                    .and_then(|word| word.strip_suffix('`'));
                let find = |name| {
                    parameters
                        .iter()
                        .position(|parameter| parameter.name == name)
                };
                match literal {
                    Some(literal) => Some(Piece::Literal(literal.into())),
                    None => Some(Piece::Parameter(find(word.strip_prefix('$')?)?)),
                }
            }
        })
        .collect()
}
