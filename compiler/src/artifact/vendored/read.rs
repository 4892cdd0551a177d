//! Takes artifacts from the repository.

use super::{
    manifest::{Artifact, File, Maker, Manifest},
    mismatch::Mismatch,
};
use crate::artifact::{Compiled, Failure, Plan, Reproducer};
use std::path::{Path, PathBuf};

/// The artifacts of a program.
///
/// # Errors
///
/// What does not agree with the program.
pub fn read(plan: &Plan<'_>, folder: &Path) -> Result<Vec<Compiled>, Failure> {
    let expected = Manifest::of(plan);
    let path = Manifest::path(folder, plan.name());
    let found = match Manifest::read(&path) {
        Ok(Some(manifest)) => manifest,
        Ok(None) => return Err(Mismatch::Unreadable { path }.into()),
        Err(_) => return Err(Mismatch::Absent { path }.into()),
    };
    let mlir = folder.join(&agree(&expected, &found, folder)?.name);
    let artifacts = expected.artifacts.iter();
    let artifacts = artifacts.filter_map(|wanted| {
        let Artifact {
            target,
            flags,
            compiler,
            vmfb,
            fallback,
        } = found.artifact(&wanted.target)?;
        Some(Compiled {
            target: target.clone(),
            vmfb: folder.join(&vmfb.as_ref()?.name),
            mlir: mlir.clone(),
            flags: flags.clone(),
            compiler: compiler.clone().unwrap_or_default(),
            // It was on another machine.
            compiler_path: PathBuf::new(),
            fallback: fallback.clone(),
            reproducer: Reproducer::default(),
        })
    });
    Ok(artifacts.collect())
}

/// Compares what artifacts were made from with what they must have been made from, and then the files.
/// There may be more artifacts than are wanted. Returns the file with the module.
pub(super) fn agree<'f>(
    expected: &Manifest,
    found: &'f Manifest,
    folder: &Path,
) -> Result<&'f File, Mismatch> {
    let path = Manifest::path(folder, &expected.program);
    if (&found.program, &found.source) != (&expected.program, &expected.source) {
        return Err(Mismatch::Source { path });
    }
    if found.made_by != expected.made_by {
        return Err(Mismatch::Maker {
            found: found.made_by.to_string(),
            expected: expected.made_by.to_string(),
        });
    }
    if found.without != expected.without {
        return Err(Mismatch::Passes { path });
    }
    for wanted in &expected.artifacts {
        let target = wanted.target.clone();
        match found.artifact(&target) {
            None => {
                let others = found.artifacts.iter().map(|other| other.target.clone());
                let others = others.collect();
                return Err(Mismatch::Target { target, others });
            }
            Some(artifact) if artifact.flags != wanted.flags => {
                return Err(Mismatch::Flags { target });
            }
            Some(artifact) if artifact.vmfb.is_none() => {
                return Err(Mismatch::Unreadable { path });
            }
            Some(_) => {}
        }
    }
    match found.files_for(expected).find(|file| !file.is_in(folder)) {
        Some(file) => Err(Mismatch::Damaged {
            path: folder.join(&file.name),
        }),
        None => found.mlir.as_ref().ok_or(Mismatch::Unreadable { path }),
    }
}

impl std::fmt::Display for Maker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            iree_dsl,
            lowering,
            iree,
        } = self;
        write!(
            formatter,
            "iree-dsl {iree_dsl} ({lowering}) for IREE {iree}"
        )
    }
}
