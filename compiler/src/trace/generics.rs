use super::types::GenericValue;
use std::collections::BTreeMap;

/// What the generic parameters of a function stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Generics {
    values: BTreeMap<String, GenericValue>,
}

impl Generics {
    /// What a parameter stands for.
    pub(crate) fn get(&self, name: &str) -> Option<&GenericValue> {
        self.values.get(name)
    }

    /// Binds a parameter, if it is not bound yet.
    pub(crate) fn bind(&mut self, name: &str, value: GenericValue) {
        self.values.entry(name.to_owned()).or_insert(value);
    }

    /// Binds what is not bound yet as others have it.
    pub(crate) fn bind_all(&mut self, others: &Self) {
        for (name, value) in others.iter() {
            self.bind(name, value.clone());
        }
    }

    /// Every parameter and what it stands for, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &GenericValue)> {
        self.values
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }
}
