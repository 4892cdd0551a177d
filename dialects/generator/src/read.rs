//! TableGen records to the model.

mod arguments;
mod definition;
mod enumeration;
mod operation;
mod scope;
mod traits;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use tblgen::{RecordKeeper, TableGenParser};

use crate::{Dialect, Error};

/// The TableGen source of a dialect.
#[derive(Clone, Debug)]
pub struct Source {
    content: Content,
    include_directories: Vec<PathBuf>,
    modules: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
enum Content {
    File(PathBuf),
    Text(String),
}

impl Source {
    /// A file, by its path or by its name inside an include directory.
    pub fn file(path: impl AsRef<Path>) -> Self {
        Self::new(Content::File(path.as_ref().into()))
    }

    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Content::Text(text.into()))
    }

    fn new(content: Content) -> Self {
        Self {
            content,
            include_directories: vec![],
            modules: BTreeMap::new(),
        }
    }

    /// Adds a directory in which `include` looks for files.
    #[must_use]
    pub fn include(mut self, directory: impl Into<PathBuf>) -> Self {
        self.include_directories.push(directory.into());
        self
    }

    /// Says in which Rust module the types of another dialect are, such as `::iree_dialects::arith`.
    #[must_use]
    pub fn module(mut self, dialect: impl Into<String>, path: impl Into<String>) -> Self {
        self.modules.insert(dialect.into(), path.into());
        self
    }

    /// Evaluates the source and returns the dialect of that name.
    ///
    /// # Errors
    ///
    /// If TableGen refuses the source, if it defines no such operation, or if an operation uses a
    /// part of ODS that the generator does not know.
    pub fn read(&self, dialect: &str) -> Result<Dialect, Error> {
        let keeper = self.parse().map_err(|error| Error::TableGen {
            dialect: dialect.into(),
            reason: error.to_string(),
        })?;

        let scope = scope::Scope::new(&keeper, dialect, &self.modules);
        let mut operations = keeper
            .all_derived_definitions_if_defined("Op")
            .filter(|record| operation::dialect_name(*record) == Some(dialect))
            .map(|record| operation::read(record, &scope))
            .collect::<Result<Vec<_>, _>>()?;

        if operations.is_empty() {
            return Err(Error::NoOperations(dialect.into()));
        }

        // The order of TableGen's own table depends on the names of the records.
        operations.sort_by(|one, other| one.name.cmp(&other.name));

        Ok(Dialect {
            name: dialect.into(),
            enumerations: enumeration::read_all(&keeper, &scope)?,
            definitions: definition::read_all(&keeper, &scope)?,
            operations,
        })
    }

    fn parse(&self) -> Result<RecordKeeper<'static>, tblgen::Error> {
        let parser = match &self.content {
            Content::File(path) => TableGenParser::new().add_source_file(&path.to_string_lossy()),
            Content::Text(text) => TableGenParser::new().add_source(text)?,
        };

        self.include_directories
            .iter()
            .fold(parser, |parser, directory| {
                parser.add_include_directory(&directory.to_string_lossy())
            })
            .parse()
    }
}
