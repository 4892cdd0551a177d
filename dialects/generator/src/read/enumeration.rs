use tblgen::{Record, RecordKeeper};

use super::{
    operation::malformed,
    scope::{Scope, rust_name},
};
use crate::{Case, Enumeration, Error, RustType, Storage};

/// Reads the enumerations in the C++ namespace of the dialect.
pub(super) fn read_all(
    keeper: &RecordKeeper<'_>,
    scope: &Scope,
) -> Result<Vec<Enumeration>, Error> {
    let mut enumerations = keeper
        .all_derived_definitions_if_defined("EnumInfo")
        .filter(|record| scope.owns(namespace(*record)))
        .map(|record| read(record, keeper))
        .collect::<Result<Vec<_>, _>>()?;
    enumerations.sort_by(|one, other| one.name.cmp(&other.name));
    enumerations.dedup_by(|one, other| one.name == other.name);
    Ok(enumerations)
}

/// The C++ namespace of an enumeration.
pub(super) fn namespace<'a>(record: Record<'a>) -> &'a str {
    record.str_value("cppNamespace").unwrap_or_default()
}

/// The type of an attribute of this constraint, if it is an enumeration that Rust has a type for.
pub(super) fn of_constraint(constraint: Record<'_>, scope: &Scope) -> Option<RustType> {
    let record = if constraint.subclass_of("EnumAttr") {
        with_mnemonic(constraint)?;
        constraint
            .def_value("enum")
            .ok()
            .filter(|record| !is_integer(*record))?
    } else {
        Some(constraint).filter(|record| record.subclass_of("EnumInfo") && is_integer(*record))?
    };
    scope.find(namespace(record), record.str_value("className").ok()?)
}

/// Whether attributes hold it as an integer, not in an attribute of the dialect.
fn is_integer(record: Record<'_>) -> bool {
    record.bit_value("genSpecializedAttr").unwrap_or(false)
}

fn read(record: Record<'_>, keeper: &RecordKeeper<'_>) -> Result<Enumeration, Error> {
    let text = |field| {
        record
            .str_value(field)
            .map_err(|error| malformed(record, &error))
    };
    let cases = record
        .list_of_defs_value("enumerants")
        .map_err(|error| malformed(record, &error))?;
    let is_set = record.has_field("separator");
    let name = text("className")?;
    let stands_for = |attribute: &Record<'_>| {
        let enumeration = attribute.def_value("enum");
        enumeration.is_ok_and(|one| one.str_value("className") == Ok(name))
    };
    let mnemonic = keeper
        .all_derived_definitions_if_defined("EnumAttr")
        .filter(stands_for)
        .find_map(with_mnemonic);
    let storage = mnemonic.filter(|_| !is_integer(record));

    Ok(Enumeration {
        name: rust_name(name),
        summary: text("summary")?.trim().into(),
        separator: is_set
            .then(|| text("separator").map(String::from))
            .transpose()?,
        cases: cases.into_iter().map(case).collect::<Result<_, _>>()?,
        storage: storage.unwrap_or_else(|| as_integer(record)),
    })
}

fn case(record: Record<'_>) -> Result<Case, Error> {
    let text = |field| {
        record
            .str_value(field)
            .map_err(|error| malformed(record, &error))
    };

    Ok(Case {
        symbol: text("symbol")?.into(),
        keyword: text("str")?.into(),
        value: record
            .int_value("value")
            .map_err(|error| malformed(record, &error))?,
    })
}

fn with_mnemonic(attribute: Record<'_>) -> Option<Storage> {
    let mnemonic = attribute
        .str_value("mnemonic")
        .ok()
        .filter(|name| !name.is_empty())?;
    let format = attribute
        .optional_str_value("assemblyFormat")
        .ok()
        .flatten()?;

    match format.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["$value"] => Some(false),
        ["`<`", "$value", "`>`"] => Some(true),
        _ => None,
    }
    .map(|brackets| Storage::Mnemonic {
        mnemonic: mnemonic.into(),
        brackets,
    })
}

fn as_integer(enumeration: Record<'_>) -> Storage {
    let width = enumeration.int_value("bitwidth").ok();
    Storage::Integer(
        width
            .and_then(|width| u32::try_from(width).ok())
            .unwrap_or(64),
    )
}
