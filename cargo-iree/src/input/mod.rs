//! Arguments of procedures as they are written on a command line: `NAME=VALUE`.
//!
//! ```text
//! x=1                    every element is 1
//! x=1,2,3                the elements in order; spaces and brackets part them too
//! x=3x4xf32=1            the same with a type, which sizes that only the call knows need
//! x=random               numbers from -1 to 1, always the same
//! x=@file.npy            what NumPy saved
//! params=@file.npz       all leaves of a tree, by their paths; also .safetensors and .irpa
//! params.w=@w.npy        one leaf of a tree
//! ```

mod elements;
mod literal;

use crate::advice::Advice;
use anyhow::{Context, Result};
use iree_abi::{FunctionSignature, TensorType};
use iree_runtime::{HostArray, Parameters};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// What the user gives for parameters, by name.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    name: String,
    value: String,
}

impl std::str::FromStr for Input {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok(Self {
                name: name.to_owned(),
                value: value.to_owned(),
            }),
            _ => Err("expected NAME=VALUE, such as `x=1` or `x=@file.npy`".to_owned()),
        }
    }
}

/// What stands for a parameter that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is a mistake.
    Refused,
    /// Random numbers, for those who want to know how long it takes and not what comes out.
    Random,
}

/// The arguments of a procedure, in calling order.
///
/// # Errors
///
/// If a name is unknown, given twice or missing, or if a value cannot be read.
pub(crate) fn arguments(
    procedure: &FunctionSignature,
    inputs: &[Input],
    sizes: &[Size],
    missing: Missing,
) -> Result<Vec<HostArray>> {
    check(sizes, procedure)?;
    let mut given = read(procedure, inputs, sizes)?;
    let arguments = procedure.arguments();
    arguments
        .map(|(name, ty)| match (given.remove(&name), missing) {
            (Some(array), _) => Ok(array),
            (None, Missing::Random) => literal::read("random", ty, sizes)
                .with_context(|| format!("no input for `{name}`: {ty}")),
            (None, Missing::Refused) => Err(Advice::error(
                format!("`{}` needs the parameter `{name}`: {ty}", procedure.name),
                format!("give it as `--input {name}=VALUE` or `--input {name}=@file.npy`"),
            )),
        })
        .collect()
}

/// The size of a dimension that only the call knows: `B=32`.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    name: String,
    size: usize,
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, size) = text.split_once('=').unwrap_or((text, ""));
        match size.parse() {
            Ok(size) if !name.is_empty() => Ok(Self {
                name: name.to_owned(),
                size,
            }),
            _ => Err("expected NAME=NUMBER, such as `B=32`".to_owned()),
        }
    }
}

/// Whether each size is one that the procedure has, and given once.
fn check(sizes: &[Size], procedure: &FunctionSignature) -> Result<()> {
    let types = procedure.arguments().map(|(_, ty)| ty);
    let dims = types.flat_map(|ty| ty.shape.dims());
    let unknown = dims.filter(|dim| dim.known().is_none());
    let known: BTreeSet<String> = unknown.map(ToString::to_string).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    for (index, Size { name, .. }) in sizes.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            return Err(Advice::unknown("size", name, &known));
        }
        if sizes[..index].iter().any(|earlier| earlier.name == *name) {
            anyhow::bail!("the size `{name}` is given twice");
        }
    }
    Ok(())
}

fn read(
    procedure: &FunctionSignature,
    inputs: &[Input],
    sizes: &[Size],
) -> Result<BTreeMap<String, HostArray>> {
    let mut given = BTreeMap::new();
    for input in inputs {
        for (name, array) in one(procedure, input, sizes)? {
            if given.insert(name.clone(), array).is_some() {
                anyhow::bail!("`{name}` is given twice");
            }
        }
    }
    Ok(given)
}

/// What an input gives: one argument, or all leaves of a tree.
fn one(
    procedure: &FunctionSignature,
    input: &Input,
    sizes: &[Size],
) -> Result<Vec<(String, HostArray)>> {
    let Input { name, value } = input;
    let prefix = format!("{name}.");
    let mut leaves = procedure
        .arguments()
        .filter(|(leaf, _)| leaf == name || leaf.starts_with(&prefix));
    let Some((first, ty)) = leaves.next() else {
        let known: Vec<_> = procedure.arguments().map(|(name, _)| name).collect();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        return Err(Advice::unknown("parameter", name, &known));
    };
    let path = value.strip_prefix('@').map(Path::new);
    match path {
        Some(path) if first != *name => {
            let archive = Parameters::open(path)?;
            let leaves = std::iter::once((first, ty)).chain(leaves);
            leaves
                .map(|(leaf, _)| {
                    let array = member(&archive, &leaf[prefix.len()..], path)?;
                    Ok((leaf, array))
                })
                .collect()
        }
        Some(path) => Ok(vec![(first, single(path)?)]),
        None if first != *name => Err(Advice::error(
            format!("`{name}` is a tree"),
            format!(
                "give each leaf, such as `{first}`, or an archive with all: `{name}=@file.npz`"
            ),
        )),
        None => {
            let array = literal::read(value, ty, sizes)
                .with_context(|| format!("`{value}` is no value for `{name}`: {ty}"))?;
            Ok(vec![(first, array)])
        }
    }
}

fn member(archive: &Parameters, key: &str, path: &Path) -> Result<HostArray> {
    archive.get(key).ok_or_else(|| {
        let known: Vec<_> = archive.keys().collect();
        let unknown = Advice::unknown("array", key, &known);
        unknown.context(format!("`{}` does not fit", path.display()))
    })
}

/// The only array of a file.
fn single(path: &Path) -> Result<HostArray> {
    let archive = Parameters::open(path)?;
    let keys: Vec<_> = archive.keys().collect();
    match keys.as_slice() {
        [key] => member(&archive, key, path),
        keys => anyhow::bail!(
            "`{}` has {} arrays instead of one",
            path.display(),
            keys.len()
        ),
    }
}

/// The type with sizes instead of the names of some dimensions.
fn sized(ty: &TensorType, sizes: &[Size]) -> Result<Vec<usize>> {
    let size = |dim: &iree_abi::Dim| match dim.known() {
        Some(size) => Ok(size),
        None => {
            let name = dim.to_string();
            let known = sizes.iter().find(|known| known.name == name);
            known.map(|known| known.size).ok_or_else(|| {
                Advice::error(
                    format!("the size `{name}` is known at the call only"),
                    format!(
                        "say it with `--size {name}=NUMBER`, or write the type: `2x3xf32=VALUE`"
                    ),
                )
            })
        }
    };
    ty.shape.dims().iter().map(size).collect()
}
