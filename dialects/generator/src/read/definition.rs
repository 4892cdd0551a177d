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

    let kind = kind(text("cppType"), scope)?;
    let default = text("defaultValue").trim();
    let is_nothing = ["0", "false", "\"\"", "{}"].contains(&default)
        || default.strip_suffix("()") == Some(text("cppStorageType"));
    Some(Parameter {
        optional: !default.is_empty() && (is_nothing || !kind.has_default()),
        kind,
        summary: text("summary").trim().into(),
        name,
    })
}

fn kind(r#type: &str, scope: &Scope) -> Option<ParameterKind> {
    let plain = r#type.trim().trim_start_matches("::");
    let optional = plain.strip_prefix("std::optional<");
    if let Some(inner) = optional.and_then(|rest| rest.strip_suffix('>')) {
        // Nothing else tells an absent number from zero.
        return kind(inner, scope).filter(|kind| !kind.has_default());
    }
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
            } else if name.ends_with("Type") && !scope.has_enumeration(namespace, name) {
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
    let mut pieces = Vec::new();
    let mut group: Option<Vec<Piece>> = None;
    for word in body.split_whitespace() {
        let word = match word.strip_prefix('(') {
            Some(_) if group.is_some() => return None,
            Some(rest) => {
                group = Some(Vec::new());
                rest
            }
            None => word,
        };
        let (word, ends) = match word.strip_suffix(")?") {
            Some(word) => (word, true),
            None => (word, false),
        };
        let place = group.as_mut().unwrap_or(&mut pieces);
        let piece = piece(word, parameters)?;
        push(place, piece, parameters);
        if ends {
            pieces.push(Piece::Group(
                group.take().filter(|one| is_group(one, parameters))?,
            ));
        }
    }
    group.is_none().then_some(pieces)
}

/// Adds a piece. Lists have their brackets themselves.
fn push(pieces: &mut Vec<Piece>, piece: Piece, parameters: &[Parameter]) {
    let is =
        |piece: &Piece, text: &str| matches!(piece, Piece::Literal(literal) if literal == text);
    if let [.., opening, Piece::Parameter(index)] = pieces.as_slice()
        && is(opening, "[")
        && is(&piece, "]")
        && parameters.get(*index).is_some_and(|one| one.kind.is_list())
    {
        let list = pieces.pop();
        pieces.pop();
        pieces.extend(list);
    } else {
        pieces.push(piece);
    }
}

fn piece(word: &str, parameters: &[Parameter]) -> Option<Piece> {
    let literal = word
        .strip_prefix('`')
        .and_then(|word| word.strip_suffix('`'));
    let find = |name| {
        parameters
            .iter()
            .position(|parameter| parameter.name == name)
    };
    match (word, literal) {
        ("params", _) => Some(Piece::List),
        ("struct(params)", _) => Some(Piece::Struct),
        (_, Some(literal)) => Some(Piece::Literal(literal.into())),
        (_, None) => {
            let name = word.strip_prefix('$')?;
            Some(Piece::Parameter(find(name.trim_end_matches('^'))?))
        }
    }
}

/// Whether pieces are literals and one parameter, which may be left out.
fn is_group(pieces: &[Piece], parameters: &[Parameter]) -> bool {
    let is_optional = |index: usize| parameters.get(index).is_some_and(|one| one.optional);
    let others = pieces
        .iter()
        .filter(|piece| !matches!(piece, Piece::Literal(_)));
    matches!(others.collect::<Vec<_>>().as_slice(), [Piece::Parameter(index)] if is_optional(*index))
}
