use std::collections::{BTreeMap, BTreeSet};

use tblgen::RecordKeeper;

use super::enumeration;
use crate::RustType;

/// Where the types that other records name are found in Rust.
#[derive(Debug, Default)]
pub(super) struct Scope {
    dialect: String,
    namespace: String,
    /// The modules of other dialects, by their C++ namespaces.
    others: BTreeMap<String, String>,
    /// The C++ names of enumerations, with namespaces.
    enumerations: BTreeSet<(String, String)>,
}

impl Scope {
    /// Finds the C++ namespaces of a dialect and of others, which are named with their Rust modules.
    pub(super) fn new(
        keeper: &RecordKeeper<'_>,
        dialect: &str,
        modules: &BTreeMap<String, String>,
    ) -> Self {
        let mut scope = Self {
            dialect: dialect.into(),
            ..Self::default()
        };
        for record in keeper.all_derived_definitions_if_defined("Dialect") {
            let (Ok(name), Ok(namespace)) =
                (record.str_value("name"), record.str_value("cppNamespace"))
            else {
                continue;
            };
            let namespace = plain(namespace);
            if name == dialect {
                scope.namespace = namespace.into();
            } else if let Some(module) = modules.get(name) {
                scope.others.insert(namespace.into(), module.clone());
            }
        }
        for record in keeper.all_derived_definitions_if_defined("EnumInfo") {
            if let Ok(name) = record.str_value("className") {
                let namespace = plain(enumeration::namespace(record));
                scope.enumerations.insert((namespace.into(), name.into()));
            }
        }
        scope
    }

    /// Whether a C++ type is an enumeration.
    pub(super) fn has_enumeration(&self, namespace: &str, name: &str) -> bool {
        let name = (plain(namespace).to_owned(), name.to_owned());
        self.enumerations.contains(&name)
    }

    /// The name of the dialect.
    pub(super) fn dialect(&self) -> &str {
        &self.dialect
    }

    /// Whether a C++ namespace is that of the dialect.
    pub(super) fn owns(&self, namespace: &str) -> bool {
        !namespace.is_empty() && plain(namespace) == self.namespace
    }

    /// The Rust type that is generated for a C++ type, if there is one.
    pub(super) fn find(&self, namespace: &str, name: &str) -> Option<RustType> {
        let module = if self.owns(namespace) {
            None
        } else {
            Some(self.others.get(plain(namespace))?.clone())
        };
        Some(RustType {
            module,
            name: rust_name(name),
        })
    }
}

/// The name that a C++ type has in Rust: in upper camel case, and not that of a view.
pub(super) fn rust_name(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut characters = word.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(characters).collect::<String>()
    });
    let name = words.collect::<String>();
    if name.ends_with("Operation") {
        name + "Kind"
    } else {
        name
    }
}

fn plain(namespace: &str) -> &str {
    namespace.trim_start_matches("::")
}
