use super::{
    Call, InferError, Op, RegionType,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{HOST, TensorType};
use std::fmt;

/// The results of a function of the host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// What the host calls it.
    pub name: String,
    /// The names of its parameters, those of leaves with their path.
    pub names: Vec<String>,
    /// The types of its parameters.
    pub parameters: Vec<TensorType>,
    /// The types of its results.
    pub results: Vec<TensorType>,
}

impl Import {
    /// Its name in IREE.
    pub fn symbol(&self) -> String {
        format!("{HOST}.{}", self.name)
    }

    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        Call::check(&self.parameters, operands)?;
        Ok(self.results.clone())
    }
}

impl<'a> Family<'a> for &'a Import {
    fn name(self) -> &'static str {
        "import"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::CallsHost(self),
            alias: Alias::Operands { first: 0 },
            cost: Cost::Control,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " name ")?;
        text.name(&self.name)?;
        write!(text, " parameters [")?;
        for (index, (name, ty)) in self.names.iter().zip(&self.parameters).enumerate() {
            write!(text, "{}", if index > 0 { ", " } else { "" })?;
            text.name(name)?;
            write!(text, ": {ty}")?;
        }
        write!(text, "]")?;
        text.list("results", &self.results)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("import") {
            return Ok(None);
        }
        text.operands()?;
        let name = text.word("name")?;
        let parameters = text.typed_names("parameters")?;
        let results = text.types("results")?;
        let (names, parameters) = parameters.into_iter().unzip();
        done(Op::Import(Import {
            name,
            names,
            parameters,
            results,
        }))
    }
}
