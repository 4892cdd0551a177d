//! What to compile for and how, as users say it: in the program, in its package, and for one build.

use super::{failure::Failure, flags::UserFlag};
use crate::ast::{Emit, Preset};
use serde::Deserialize;
use std::{fmt, fs, path::Path};

/// Names the targets of one build, separated by commas.
pub const TARGETS_VARIABLE: &str = "IREE_DSL_TARGETS";

const DEFAULT_TARGET: &str = "cpu";

/// What a program, a package or a build says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What to compile for, if it says so.
    pub targets: Vec<String>,
    /// What to optimise for, if it says so.
    pub preset: Option<Preset>,
    /// What else to compile to.
    pub emit: Vec<Emit>,
    /// Flags for the IREE compiler.
    pub flags: Vec<UserFlag>,
    /// Where the targets were named.
    pub origin: Origin,
}

/// Where something was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// In the attribute of the program.
    #[default]
    Program,
    /// In the manifest of its package.
    Package,
    /// In the variable [`TARGETS_VARIABLE`].
    Build,
}

impl Settings {
    /// What the manifest of a package says in `[package.metadata.iree]`.
    ///
    /// # Errors
    ///
    /// [`Failure::Manifest`] if it says something else there. A manifest that cannot be read, or that
    /// is none, says nothing: cargo has read it.
    pub(super) fn of_manifest(path: &Path) -> Result<Self, Failure> {
        let Some(table) = metadata(path) else {
            return Ok(Self::default());
        };
        let refuse = |reason: String| Failure::Manifest {
            path: path.to_owned(),
            reason,
        };
        let section = Section::deserialize(table);
        let section = section.map_err(|error| refuse(error.message().to_owned()))?;
        let preset = section.opt.as_deref().map(Preset::named).transpose();
        let emit: Result<_, _> = section.emit.iter().map(|name| Emit::named(name)).collect();
        Ok(Self {
            targets: section.targets,
            preset: preset.map_err(refuse)?,
            emit: emit.map_err(refuse)?,
            flags: section
                .flags
                .iter()
                .map(|flag| UserFlag::parse(flag))
                .collect(),
            origin: Origin::Package,
        })
    }

    /// What the variable [`TARGETS_VARIABLE`] says.
    pub(super) fn of_variable(value: &str) -> Self {
        Self {
            targets: names(value).map(str::to_owned).collect(),
            origin: Origin::Build,
            ..Self::default()
        }
    }

    /// What both say, where the other one wins. Of two flags of one name, the compiler gets the other's.
    pub(super) fn overridden_by(self, other: Self) -> Self {
        let (targets, origin) = match other.targets.is_empty() {
            true => (self.targets, self.origin),
            false => (other.targets, other.origin),
        };
        let own = self.flags.into_iter();
        let own = own.filter(|flag| !other.flags.iter().any(|over| over.replaces(flag)));
        Self {
            targets,
            preset: other.preset.or(self.preset),
            emit: match other.emit.is_empty() {
                true => self.emit,
                false => other.emit,
            },
            flags: own.chain(other.flags.iter().cloned()).collect(),
            origin,
        }
    }

    /// The names of the targets.
    pub(super) fn target_names(&self) -> Vec<&str> {
        match self.targets.as_slice() {
            [] => vec![DEFAULT_TARGET],
            targets => targets.iter().map(String::as_str).collect(),
        }
    }
}

/// The names that the value of a variable consists of.
pub(super) fn names(value: &str) -> impl Iterator<Item = &str> {
    let names = value.split([',', ' ']).map(str::trim);
    names.filter(|name| !name.is_empty())
}

/// `[package.metadata.iree]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    #[serde(default)]
    targets: Vec<String>,
    #[serde(default)]
    emit: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
    opt: Option<String>,
}

fn metadata(path: &Path) -> Option<toml::Value> {
    let manifest: toml::Table = fs::read_to_string(path).ok()?.parse().ok()?;
    let metadata = manifest.get("package")?.get("metadata")?;
    metadata.get("iree").cloned()
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => formatter.write_str("the attribute `#[program]`"),
            Self::Package => formatter.write_str("`[package.metadata.iree]`"),
            Self::Build => write!(formatter, "the variable {TARGETS_VARIABLE}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> Result<Settings, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("Cargo.toml");
        fs::write(&path, text).unwrap();
        Settings::of_manifest(&path).map_err(|failure| match failure {
            Failure::Manifest { reason, .. } => reason,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn a_package_says_what_its_programs_are_compiled_for() {
        let settings = manifest(
            "[package]\nname = \"p\"\n[package.metadata.iree]\ntargets = [\"cpu\", \"vmvx\"]\n\
             flags = [\"--iree-a\", \"cpu: --iree-b=1\"]\nopt = \"size\"\nemit = [\"vm-c\"]\n",
        )
        .unwrap();
        assert_eq!(settings.targets, ["cpu", "vmvx"]);
        assert_eq!(settings.preset, Some(Preset::Size));
        assert_eq!(settings.emit, [Emit::VmC]);
        assert_eq!(settings.origin, Origin::Package);
        let flags = ["--iree-a", "cpu: --iree-b=1"].map(UserFlag::parse);
        assert_eq!(settings.flags, flags);
    }

    #[test]
    fn a_package_that_says_nothing_is_none() {
        for text in [
            "",
            "[package]\nname = \"p\"\n",
            "[package.metadata.other]\nx = 1\n",
            "]",
        ] {
            assert_eq!(manifest(text), Ok(Settings::default()));
        }
    }

    #[test]
    fn a_package_that_says_something_else_is_refused() {
        for (text, reason) in [
            (
                "[package.metadata.iree]\ntarget = [\"cpu\"]\n",
                "unknown field `target`",
            ),
            (
                "[package.metadata.iree]\ntargets = \"cpu\"\n",
                "expected a sequence",
            ),
            (
                "[package.metadata.iree]\nopt = \"fast\"\n",
                "`speed` or `size`",
            ),
            (
                "[package.metadata.iree]\nemit = [\"c\"]\n",
                "also compiled to `vm-c`",
            ),
        ] {
            let refused = manifest(text).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
    }

    #[test]
    fn the_build_wins_over_the_package_and_that_over_the_program() {
        let program = Settings {
            targets: vec!["cpu".to_owned()],
            preset: Some(Preset::Speed),
            flags: ["--iree-a=1", "--iree-b=1"].map(UserFlag::parse).into(),
            ..Settings::default()
        };
        let package = Settings {
            targets: vec!["vmvx".to_owned()],
            preset: Some(Preset::Size),
            emit: vec![Emit::VmC],
            flags: vec![UserFlag::parse("--iree-b=2")],
            origin: Origin::Package,
        };
        let both = program.overridden_by(package);
        assert_eq!(
            (both.target_names(), both.origin),
            (vec!["vmvx"], Origin::Package)
        );
        assert_eq!(
            (both.preset, &*both.emit),
            (Some(Preset::Size), &[Emit::VmC][..])
        );
        let flags = ["--iree-a=1", "--iree-b=2"].map(UserFlag::parse);
        assert_eq!(both.flags, flags);
        let none = both.clone().overridden_by(Settings::of_variable(" "));
        assert_eq!(none, both);
        let build = both.overridden_by(Settings::of_variable("cpu:aarch64, cuda"));
        assert_eq!(build.target_names(), ["cpu:aarch64", "cuda"]);
        assert_eq!(build.origin, Origin::Build);
        assert_eq!(Settings::default().target_names(), ["cpu"]);
    }
}
