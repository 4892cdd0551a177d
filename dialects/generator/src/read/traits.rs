use tblgen::Record;

use super::operation::malformed;
use crate::Error;

/// The traits of an operation, as far as they say how to build it.
#[derive(Debug, Default)]
pub(super) struct Traits {
    names: Vec<String>,
    same_types: Vec<Vec<String>>,
}

impl Traits {
    /// Reads the traits of an operation's record.
    pub(super) fn read(operation: Record<'_>) -> Result<Self, Error> {
        let mut traits = Self::default();
        traits.add_all(operation)?;

        Ok(traits)
    }

    /// Whether the operation has the trait of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }

    /// Whether a trait says that two arguments or results have the same type.
    pub(super) fn same_type(&self, one: &str, other: &str) -> bool {
        self.same_types.iter().any(|names| {
            names.iter().any(|name| name == one) && names.iter().any(|name| name == other)
        })
    }

    fn add_all(&mut self, owner: Record<'_>) -> Result<(), Error> {
        let traits = owner
            .list_of_defs_value("traits")
            .map_err(|error| malformed(owner, &error))?;

        for record in traits {
            if record.subclass_of("TraitList") {
                self.add_all(record)?;
            } else {
                self.add(record);
            }
        }

        Ok(())
    }

    fn add(&mut self, record: Record<'_>) {
        if record.subclass_of("AllTypesMatch")
            && let Ok(names) = record.list_of_strings_value("values")
        {
            self.same_types
                .push(names.into_iter().map(String::from).collect());
        } else if record.subclass_of("TypesMatchWith")
            && let (Ok("$_self"), Ok(one), Ok(other)) = (
                record.str_value("transformer"),
                record.str_value("lhs"),
                record.str_value("rhs"),
            )
        {
            self.same_types.push(vec![one.into(), other.into()]);
        }

        self.names.extend(record.name().map(String::from));
    }
}
