//! The content hash that names an entry of the cache.

use iree_abi::CpuLevel;
use iree_dsl_ir::Module;
use std::{
    env,
    fmt::{self, Write},
    fs::File,
    io,
    path::Path,
};

/// The way from the representation to MLIR; see the build script.
pub(super) const LOWERING: &str = env!("IREE_DSL_LOWERING");

/// Changes when the meaning of an entry does.
const FORMAT: &str = "2";

/// Everything that may influence an artifact.
#[derive(Clone, Copy)]
pub(super) struct Recipe<'a> {
    pub(super) name: &'a str,
    pub(super) mlir: &'a str,
    pub(super) target: &'a str,
    pub(super) flags: &'a [String],
    pub(super) compiler: &'a str,
    pub(super) host: &'a str,
}

/// The CPU that compiles: the compiler evaluates constant expressions by running them on it.
pub(super) fn host() -> String {
    CpuLevel::of_this_machine().target(env::consts::ARCH)
}

impl Recipe<'_> {
    /// The hash over all of it.
    pub(super) fn key(self) -> Key {
        // Every field is named, so that a new one cannot be forgotten.
        let Self {
            name,
            mlir,
            target,
            flags,
            compiler,
            host,
        } = self;
        let mut hasher = Fields::new("artifact");
        for field in [name, mlir, target, compiler, host] {
            hasher.field(field);
        }
        for flag in flags {
            hasher.field(flag);
        }
        hasher.finish()
    }

    /// What the entry says of itself.
    pub(super) fn description(self) -> [(&'static str, String); 6] {
        [
            ("content", "VMFB".to_owned()),
            ("name", self.name.to_owned()),
            ("target", self.target.to_owned()),
            ("compiler", self.compiler.to_owned()),
            ("host", self.host.to_owned()),
            ("flags", self.flags.join(" ")),
        ]
    }
}

/// Names an entry of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(blake3::Hash);

impl Key {
    /// The key of MLIR text by itself.
    pub(super) fn of_mlir(text: &str) -> Self {
        let mut hasher = Fields::new("mlir");
        hasher.field(text);
        hasher.finish()
    }

    /// The key of a program in the text form of the representation.
    pub(super) fn of_text(text: &str) -> Self {
        let mut hasher = Fields::new("text");
        hasher.field(text);
        hasher.finish()
    }

    /// The key of what is said of artifacts.
    pub(super) fn of_description(text: &str) -> Self {
        let mut hasher = Fields::new("description");
        hasher.field(text);
        hasher.finish()
    }

    /// The key of the way in which a job is done that fails as it should be done.
    pub(super) fn of_fallback<'w>(usual: &Self, ways: impl Iterator<Item = &'w str>) -> Self {
        let mut hasher = Fields::new("fallback");
        hasher.field(&usual.to_string());
        ways.for_each(|way| hasher.field(way));
        hasher.finish()
    }

    /// The hash of a program in the text form of the representation.
    pub(super) fn of_program(program: &Module) -> Self {
        let mut hasher = Fields::new("program");
        // Nothing of it fails.
        let _ = write!(hasher, "{program}");
        hasher.finish()
    }

    /// The key of what was learned about a compiler.
    pub(super) fn of_compiler(fingerprint: &str) -> Self {
        let mut hasher = Fields::new("compiler");
        hasher.field(fingerprint);
        hasher.finish()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.to_hex(), formatter)
    }
}

/// A hash over a sequence of texts, each with its length.
struct Fields(blake3::Hasher);

impl Fields {
    fn new(kind: &str) -> Self {
        let mut fields = Self(blake3::Hasher::new());
        fields.field(FORMAT);
        fields.field(kind);
        fields
    }

    fn field(&mut self, text: &str) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    fn finish(self) -> Key {
        Key(self.0.finalize())
    }
}

impl Write for Fields {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// The size of a file, and the hash of its content.
pub(super) fn hash_of_file(path: &Path) -> io::Result<(u64, blake3::Hash)> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok((hasher.count(), hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_turns_the_key() {
        let flags = ["--iree-a=1".to_owned(), "--iree-b".to_owned()];
        let [ab, a, ba] = [
            flags.to_vec(),
            vec![flags[0].clone()],
            vec![flags[1].clone(), flags[0].clone()],
        ];
        let plain = Recipe {
            name: "n",
            mlir: "module {}",
            target: "cpu",
            flags: &ab,
            compiler: "3.13.0",
            host: "cpu-x86-64",
        };
        let turned = [
            Recipe { name: "m", ..plain },
            Recipe {
                mlir: "module { }",
                ..plain
            },
            Recipe {
                target: "cpu-x86-64",
                ..plain
            },
            Recipe { flags: &a, ..plain },
            Recipe {
                flags: &ba,
                ..plain
            },
            Recipe {
                flags: &[],
                ..plain
            },
            Recipe {
                compiler: "3.13.1",
                ..plain
            },
            Recipe {
                host: "cpu-x86-64-v3",
                ..plain
            },
            // The same letters, cut elsewhere.
            Recipe {
                name: "nm",
                mlir: "odule {}",
                ..plain
            },
        ];
        let mut keys: Vec<String> = turned
            .iter()
            .map(|recipe| recipe.key().to_string())
            .collect();
        keys.push(plain.key().to_string());
        keys.push(Key::of_mlir(plain.mlir).to_string());
        keys.push(Key::of_compiler(plain.mlir).to_string());
        let total = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), total);
        assert_eq!(plain.key(), Recipe { ..plain }.key());
    }
}
