//! The variables that a build reads, which cargo takes from `.cargo/config.toml`.

use std::{
    env, fs,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

/// The `[env]` tables that cargo reads in a directory.
#[derive(Debug)]
pub(crate) struct Configuration {
    /// The nearest first, each with the directory that relative values are relative to.
    tables: Vec<(PathBuf, Table)>,
}

impl Configuration {
    /// What cargo reads in a directory.
    pub(crate) fn read(directory: &Path) -> Self {
        let tables = directory.ancestors().filter_map(|ancestor| {
            let names = ["config.toml", "config"].into_iter();
            let mut paths = names.map(|name| ancestor.join(".cargo").join(name));
            let text = paths.find_map(|path| fs::read_to_string(path).ok())?;
            let config: Table = text.parse().ok()?;
            let table = config.get("env")?.as_table()?.clone();
            Some((ancestor.to_owned(), table))
        });
        Self {
            tables: tables.collect(),
        }
    }

    /// The value of a variable in a build: that of this process, or what a table says.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        let set = env::var(name).ok().filter(|value| !value.is_empty());
        set.or_else(|| self.configured(name))
    }

    fn configured(&self, name: &str) -> Option<String> {
        self.tables.iter().find_map(|(directory, table)| {
            let entry = table.get(name)?;
            let value = match entry {
                Value::Table(entry) => entry.get("value")?.as_str()?,
                entry => entry.as_str()?,
            };
            let relative = entry.get("relative").and_then(Value::as_bool);
            Some(match relative {
                Some(true) => directory.join(value).display().to_string(),
                _ => value.to_owned(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_table_wins() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("inner");
        for (directory, text) in [
            (
                root.path(),
                "[env]\nA_OF_IREE = \"far\"\nB_OF_IREE = { value = \"b\", relative = true }",
            ),
            (&inner, "[env]\nA_OF_IREE = { value = \"near\" }"),
        ] {
            fs::create_dir_all(directory.join(".cargo")).unwrap();
            fs::write(directory.join(".cargo/config.toml"), text).unwrap();
        }
        let configuration = Configuration::read(&inner);
        let value = |name| configuration.variable(name);
        assert_eq!(value("A_OF_IREE").as_deref(), Some("near"));
        let beside = root.path().join("b").display().to_string();
        assert_eq!(value("B_OF_IREE"), Some(beside));
        assert_eq!(value("C_OF_IREE"), None);
    }
}
