//! The packages around the current directory, as cargo knows them.

use crate::advice::Advice;
use anyhow::{Context, Result};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, Package};
use std::{
    env,
    path::{Path, PathBuf},
};

/// A workspace, and the package in it that is meant.
pub(crate) struct Project {
    metadata: Metadata,
    /// `None` in the root of a workspace that is no package.
    package: Option<String>,
}

/// Where a command looks for programs.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Place {
    /// The package with the programs, instead of the one in this directory
    #[arg(long, short, value_name = "NAME", global = true)]
    package: Option<String>,
    /// The manifest to use, instead of the one in this directory or above
    #[arg(long, value_name = "PATH", global = true)]
    manifest_path: Option<PathBuf>,
}

impl Place {
    /// Asks cargo for the workspace.
    ///
    /// # Errors
    ///
    /// If there is none, or no such package in it.
    pub(crate) fn open(&self) -> Result<Project> {
        let mut command = MetadataCommand::new();
        command.features(CargoOpt::AllFeatures).no_deps();
        if let Some(path) = &self.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.exec().map_err(explain)?;
        let package = match &self.package {
            Some(name) => Some(known_package(&metadata, name)?),
            None => package_at(&metadata, &self.manifest()?),
        };
        Ok(Project { metadata, package })
    }
}

impl Place {
    /// The manifest that is meant, which is there: cargo has read it.
    fn manifest(&self) -> Result<PathBuf> {
        let named = self.manifest_path.clone();
        let found = named.map_or_else(nearest_manifest, Ok)?;
        found
            .canonicalize()
            .with_context(|| format!("cannot read `{}`", found.display()))
    }
}

/// That of this directory or the nearest above.
fn nearest_manifest() -> Result<PathBuf> {
    let here = env::current_dir().context("there is no current directory")?;
    let mut manifests = here.ancestors().map(|folder| folder.join("Cargo.toml"));
    let found = manifests.find(|manifest| manifest.is_file());
    found.context("there is no `Cargo.toml` here")
}

/// The package that a manifest is of; `None` for that of a workspace alone.
fn package_at(metadata: &Metadata, manifest: &Path) -> Option<String> {
    let packages = metadata.workspace_packages();
    let mut packages = packages.into_iter();
    let found = packages.find(|package| {
        let own = package.manifest_path.as_std_path();
        own == manifest || own.canonicalize().is_ok_and(|own| own == manifest)
    });
    found.map(|package| package.name.to_string())
}

fn explain(error: cargo_metadata::Error) -> anyhow::Error {
    let message = match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let text = stderr.trim();
            text.strip_prefix("error: ").unwrap_or(text).to_owned()
        }
        other => other.to_string(),
    };
    match message.starts_with("could not find `Cargo.toml`") {
        true => Advice::error(
            message,
            "run it in a crate that uses iree-dsl, or name one with --manifest-path",
        ),
        false => anyhow::Error::msg(message),
    }
}

fn known_package(metadata: &Metadata, name: &str) -> Result<String> {
    let packages = metadata.workspace_packages();
    let names: Vec<&str> = packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    match names.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(Advice::unknown("package", name, &names)),
    }
}

impl Project {
    /// Where the build puts everything.
    pub(crate) fn target_directory(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The directory that `rustc` runs in, which the files of the sources are named from.
    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// The manifest that says what is meant: that of the package, else that of the workspace.
    pub(crate) fn manifest(&self) -> PathBuf {
        match self.packages().as_slice() {
            [package] => package.manifest_path.clone().into(),
            _ => self.root().join("Cargo.toml"),
        }
    }

    /// The package that is meant, or all of the workspace.
    pub(crate) fn packages(&self) -> Vec<&Package> {
        let mut packages = self.metadata.workspace_packages();
        if let Some(name) = &self.package {
            packages.retain(|package| package.name.as_str() == name);
        }
        packages
    }
}
