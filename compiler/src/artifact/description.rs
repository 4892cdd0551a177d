//! What is said of a program's artifacts, for people and for other tools.

use super::{Compiled, Environment, Request, UserFlag, files::Published};
use iree_abi::{FunctionSignature, Leaf, Signature, SuppliedParameter};
use serde::Serialize;
use std::fs;

/// Writes `target/iree/<package>/<program>.json`: the procedures, and for each target what it was
/// compiled with and how large it is.
pub fn describe(
    request: &Request,
    compiled: &[Compiled],
    signature: &Signature,
    environment: &Environment,
) {
    let published = Published::new(environment.package_directory(), &request.name);
    let description = Description {
        program: &request.name,
        package: &environment.package,
        version: env!("CARGO_PKG_VERSION"),
        opt: request.preset.to_string(),
        flags: request.flags.iter().map(UserFlag::to_string).collect(),
        parameters: signature.parameters.iter().map(Supplied::of).collect(),
        procedures: signature.functions.iter().map(Procedure::of).collect(),
        artifacts: compiled
            .iter()
            .map(|artifact| Artifact {
                target: &artifact.target,
                file: published.vmfb_name(&artifact.target),
                bytes: fs::metadata(&artifact.vmfb).map_or(0, |file| file.len()),
                compiler: &artifact.compiler,
                flags: &artifact.flags,
            })
            .collect(),
    };
    if let Ok(text) = serde_json::to_string_pretty(&description) {
        published.update_description(&format!("{text}\n"));
    }
}

#[derive(Serialize)]
struct Description<'a> {
    program: &'a str,
    package: &'a str,
    /// Of this crate.
    version: &'a str,
    opt: String,
    /// Those of the user.
    flags: Vec<String>,
    parameters: Vec<Supplied<'a>>,
    procedures: Vec<Procedure<'a>>,
    artifacts: Vec<Artifact<'a>>,
}

#[derive(Serialize)]
struct Artifact<'a> {
    target: &'a str,
    file: String,
    bytes: u64,
    compiler: &'a str,
    /// All of them.
    flags: &'a [String],
}

/// What an archive supplies.
#[derive(Serialize)]
struct Supplied<'a> {
    scope: &'a str,
    key: &'a str,
    #[serde(rename = "type")]
    ty: String,
}

#[derive(Serialize)]
struct Procedure<'a> {
    name: &'a str,
    parameters: Vec<Parameter<'a>>,
    results: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    name: &'a str,
    leaves: Vec<Value<'a>>,
}

/// A tensor, and where in its tree it is.
#[derive(Serialize)]
struct Value<'a> {
    path: &'a str,
    #[serde(rename = "type")]
    ty: String,
}

impl<'a> Supplied<'a> {
    fn of(parameter: &'a SuppliedParameter) -> Self {
        Self {
            scope: &parameter.scope,
            key: &parameter.key,
            ty: parameter.ty.to_string(),
        }
    }
}

impl<'a> Procedure<'a> {
    fn of(function: &'a FunctionSignature) -> Self {
        let values = |leaves: &'a [Leaf]| leaves.iter().map(Value::of).collect();
        let parameters = function.parameters.iter();
        let parameters = parameters.map(|parameter| Parameter {
            name: &parameter.name,
            leaves: values(&parameter.leaves),
        });
        Self {
            name: &function.name,
            parameters: parameters.collect(),
            results: values(&function.results),
        }
    }
}

impl<'a> Value<'a> {
    fn of(leaf: &'a Leaf) -> Self {
        Self {
            path: &leaf.path,
            ty: leaf.ty.to_string(),
        }
    }
}
