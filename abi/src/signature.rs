use crate::{DType, Requirement, TensorType};
use std::fmt;

/// What a program offers: its name and its exported procedures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct Signature {
    /// The module's name in IREE.
    pub name: String,
    /// The exported procedures, in source order.
    pub functions: Vec<FunctionSignature>,
    /// What archives supply when the program is loaded, in source order.
    pub parameters: Vec<SuppliedParameter>,
    /// The globals that the program changes, in source order. The path of each is what it is called in
    /// archives.
    pub state: Vec<Leaf>,
    /// The functions of the host that the program calls.
    pub imports: Vec<FunctionSignature>,
    /// Where the program is observed, by the number in the text that IREE has for it.
    pub sites: Vec<Site>,
}

/// The exported function that returns the globals that a program changes.
pub const SAVE: &str = "__save";

/// The exported function that gives the globals that a program changes other values.
pub const RESTORE: &str = "__restore";

/// The exported function that stores first values of globals which no initialiser of the module can. A
/// host calls it once, before any other.
pub const INITIALIZE: &str = "__initialize";

/// The key under which an exported function tells which of its arguments it writes to: their positions,
/// `0,2`. Who calls it gives these arguments away.
pub const UPDATES: &str = "iree_dsl.updates";

/// The module that a program imports functions of the host from.
pub const HOST: &str = "host";

/// A place of a program that the host hears of while it runs: a trace or an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct Site {
    /// The key of a trace, or what an assertion says.
    pub text: String,
    /// Where it is in the source: `src/main.rs:12:9`.
    pub place: String,
    /// The element types of what is traced.
    pub dtypes: Vec<DType>,
}

impl Site {
    /// What IREE has for the site with a number.
    pub fn marked(number: usize, text: &str) -> String {
        format!("{number}: {text}")
    }

    /// The number in what IREE has for a site.
    pub fn number(marked: &str) -> Option<usize> {
        let (number, _) = marked.split_once(": ")?;
        number.parse().ok()
    }
}

/// A tensor that an archive supplies when a program is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct SuppliedParameter {
    /// The name that the program gives to the archives that have it.
    pub scope: String,
    /// Its name in these archives.
    pub key: String,
    /// Its type.
    #[cfg_attr(feature = "build", serde(rename = "type"))]
    pub ty: TensorType,
    /// Whether the program changes it.
    pub mutable: bool,
}

impl SuppliedParameter {
    /// Its name among those of all scopes: `scope::key`.
    pub fn name(&self) -> String {
        format!("{}::{}", self.scope, self.key)
    }
}

impl fmt::Display for SuppliedParameter {
    /// Writes `scope::key: type`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}::{}: {}", self.scope, self.key, self.ty)
    }
}

/// The types of one exported procedure. Trees are flattened into their leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct FunctionSignature {
    /// The procedure's name.
    pub name: String,
    /// The parameters, in source order.
    pub parameters: Vec<Parameter>,
    /// The leaves of the result; paths are relative to it and empty for a single tensor.
    pub results: Vec<Leaf>,
    /// What must hold between sizes that are known at the call only.
    pub requirements: Vec<Requirement>,
}

/// One parameter of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// Its leaves; the path of a single tensor is empty.
    pub leaves: Vec<Leaf>,
}

/// One tensor of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct Leaf {
    /// Field names and indices from the root, joined by dots: `layers.0.w`.
    pub path: String,
    /// The tensor's type.
    #[cfg_attr(feature = "build", serde(rename = "type"))]
    pub ty: TensorType,
}

impl Signature {
    /// The procedure of that name.
    pub fn function(&self, name: &str) -> Option<&FunctionSignature> {
        self.functions.iter().find(|function| function.name == name)
    }
}

impl FunctionSignature {
    /// Every argument in calling order, with its full name: `params.x`.
    pub fn arguments(&self) -> impl Iterator<Item = (String, &TensorType)> {
        self.parameters.iter().flat_map(|parameter| {
            parameter
                .leaves
                .iter()
                .map(|leaf| (join_path(&parameter.name, &leaf.path), &leaf.ty))
        })
    }
}

/// The name of a leaf: the root's name and the path below it, joined by a dot.
pub fn join_path(root: &str, path: &str) -> String {
    if path.is_empty() {
        root.to_owned()
    } else {
        format!("{root}.{path}")
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "program {}", self.name)?;
        for function in &self.functions {
            writeln!(formatter, "  {function}")?;
        }
        for parameter in &self.parameters {
            writeln!(formatter, "  parameter {parameter}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FunctionSignature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.name)?;
        for (index, (name, ty)) in self.arguments().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(formatter, "{separator}{name}: {ty}")?;
        }
        formatter.write_str(")")?;
        for (index, leaf) in self.results.iter().enumerate() {
            let separator = if index > 0 { ", " } else { " -> " };
            formatter.write_str(separator)?;
            if !leaf.path.is_empty() {
                write!(formatter, "{}: ", leaf.path)?;
            }
            write!(formatter, "{}", leaf.ty)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    #[test]
    fn arguments_are_named_by_their_path() {
        let leaf = |path: &str| Leaf {
            path: path.into(),
            ty: TensorType::new(DType::F32, [2]),
        };
        let function = FunctionSignature {
            name: "step".into(),
            parameters: vec![
                Parameter {
                    name: "params".into(),
                    leaves: vec![leaf("w"), leaf("b")],
                },
                Parameter {
                    name: "x".into(),
                    leaves: vec![leaf("")],
                },
            ],
            results: vec![leaf("")],
            ..FunctionSignature::default()
        };
        assert_eq!(
            function.to_string(),
            "step(params.w: Tensor<f32, 2>, params.b: Tensor<f32, 2>, x: Tensor<f32, 2>) -> Tensor<f32, 2>"
        );
    }
}
