use crate::{Signature, TensorType};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is said of a program's artifacts, for people and for other tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The program's name in IREE.
    pub program: String,
    /// The package that it belongs to.
    pub package: String,
    /// Where it is in the source: `src/main.rs:4`.
    pub source: String,
    /// The version of the compiler of the language.
    pub version: String,
    /// The preset of optimisations.
    pub opt: String,
    /// The flags that the user gives.
    pub flags: Vec<String>,
    /// What the host sees of it.
    pub signature: Signature,
    /// Its state, in source order.
    pub globals: Vec<Global>,
    /// The program after the stage `legalize`, before any fallback. There is none where it was compiled elsewhere.
    #[serde(default)]
    pub legalized: Option<Module>,
    /// The passes of that stage. There are none where it was compiled elsewhere.
    #[serde(default)]
    pub passes: Vec<Pass>,
    /// What it was compiled to.
    pub artifacts: Vec<Compilation>,
}

/// A pass of the stage `legalize`, and what it did to a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// What it is called.
    pub name: String,
    /// What it does, in a line.
    pub summary: String,
    /// What IREE does otherwise.
    pub avoids: String,
    /// How much it asked for, such as barriers; `None` if the build left it out.
    pub edits: Option<usize>,
}

/// A tensor that outlives calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Global {
    /// The path of fields that leads to it: `params.x`.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: TensorType,
    /// Whether a procedure stores it.
    pub mutable: bool,
    /// The parameter of archives that supplies it: `scope::key`.
    pub supplied: Option<String>,
}

/// A program compiled for one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compilation {
    /// What it was compiled for: `cpu-x86-64-v3`.
    pub target: String,
    /// The file, next to the description.
    pub file: String,
    /// The file with the same content that the user's binary embeds, which no other build writes to.
    pub embedded: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// The module that was compiled, with the place in the source of each operation. There is none where the artifact
    /// was compiled elsewhere.
    pub module: Option<Module>,
    /// The version of the IREE compiler.
    pub compiler: String,
    /// Where that compiler was.
    pub path: PathBuf,
    /// All flags that it was given.
    pub flags: Vec<String>,
    /// What the IREE compiler failed on, if the program is not compiled as it should be.
    #[serde(default)]
    pub fallback: Option<Fallback>,
}

/// That the IREE compiler failed on a program as it should be compiled, and another way helped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    /// The name of the way: `one-use`.
    pub way: String,
    /// How the compiler failed before.
    pub reason: String,
}

/// A file that every build of a program writes to, and what a build has written there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// The file, next to the description.
    pub file: String,
    /// The BLAKE3 hash of its content, in hexadecimal digits.
    pub hash: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Dim, Extent, FunctionSignature, Leaf, Parameter, Requirement, Shape, Site};

    #[test]
    fn what_is_written_reads_back() {
        let batch = TensorType::new(DType::BF16, Shape::new(vec![Dim::named("B"), Dim::Any]));
        let leaf = |path: &str| Leaf {
            path: path.to_owned(),
            ty: batch.clone(),
        };
        let signature = Signature {
            name: "p".to_owned(),
            functions: vec![FunctionSignature {
                name: "run".to_owned(),
                parameters: vec![Parameter {
                    name: "x".to_owned(),
                    leaves: vec![leaf("a"), leaf("b")],
                }],
                results: vec![leaf("")],
                requirements: vec![Requirement {
                    least: Extent::from(5),
                    most: Extent::named("B"),
                }],
            }],
            state: vec![leaf("s")],
            sites: vec![Site {
                text: "key".to_owned(),
                place: "src/main.rs:1:2".to_owned(),
                dtypes: vec![DType::C64],
            }],
            ..Signature::default()
        };
        let description = Description {
            program: "p".to_owned(),
            package: "q".to_owned(),
            source: "src/main.rs:1".to_owned(),
            version: "1".to_owned(),
            opt: "speed".to_owned(),
            flags: Vec::new(),
            signature,
            globals: vec![Global {
                name: "s".to_owned(),
                ty: TensorType::new(DType::I8, [3]),
                mutable: true,
                supplied: Some("model::s".to_owned()),
            }],
            legalized: Some(Module {
                file: "p.legalized.ir".to_owned(),
                hash: "01".to_owned(),
            }),
            passes: vec![Pass {
                name: "gaps".to_owned(),
                summary: "barriers".to_owned(),
                avoids: "it fails".to_owned(),
                edits: None,
            }],
            artifacts: vec![Compilation {
                module: Some(Module {
                    file: "p.located.mlir".to_owned(),
                    hash: "00".to_owned(),
                }),
                embedded: "/cache/p.vmfb".into(),
                target: "vmvx".to_owned(),
                file: "p.vmvx.vmfb".to_owned(),
                bytes: 7,
                compiler: "3".to_owned(),
                path: "/bin/iree-compile".into(),
                flags: vec!["--a".to_owned()],
                fallback: Some(Fallback {
                    way: "apart".to_owned(),
                    reason: "it was refused".to_owned(),
                }),
            }],
        };
        let text = serde_json::to_string(&description).unwrap();
        assert!(text.contains(r#""type":"Tensor<bf16, B, _>""#), "{text}");
        assert_eq!(
            serde_json::from_str::<Description>(&text).unwrap(),
            description
        );
        let wrong = text.replace("Tensor<i8, 3>", "Tensor<i9, 3>");
        let error = serde_json::from_str::<Description>(&wrong).unwrap_err();
        assert!(error.to_string().contains("`Tensor<i9, 3>`"), "{error}");
    }
}
