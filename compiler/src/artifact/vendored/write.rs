//! Leaves what belongs into the repository in a folder.

use super::manifest::{File, Manifest};
use crate::artifact::{
    Compiled, Failure, Plan,
    files::{mlir_name, replace, vmfb_name},
};
use std::{fs, io, path::Path};

/// Writes the artifacts of a program, with what they were made from.
///
/// # Errors
///
/// [`Failure::Name`] if there is another program of this name, or what the file system reports.
pub fn write(plan: &Plan<'_>, compiled: &[Compiled], folder: &Path) -> Result<(), Failure> {
    let mut manifest = Manifest::of(plan);
    let write = |name: String, source: &Path| -> io::Result<File> {
        let path = folder.join(&name);
        replace(&path, &fs::read(source)?)?;
        File::of(name, &path)
    };
    let cannot = |error| Failure::files(format!("write to `{}`", folder.display()), error);
    if let Some(first) = compiled.first() {
        let mlir = write(mlir_name(plan.name()), &first.mlir).map_err(cannot)?;
        manifest.mlir = Some(mlir);
    }
    for (artifact, compiled) in manifest.artifacts.iter_mut().zip(compiled) {
        let name = vmfb_name(plan.name(), &compiled.target);
        artifact.vmfb = Some(write(name, &compiled.vmfb).map_err(cannot)?);
        artifact.compiler = Some(compiled.compiler.clone());
        artifact.fallback = compiled.fallback.clone();
    }
    publish(&manifest, folder)
}

/// Writes what the artifacts of a program must agree with.
///
/// # Errors
///
/// As [`write()`].
pub fn expect(plan: &Plan<'_>, folder: &Path) -> Result<(), Failure> {
    publish(&Manifest::of(plan), folder)
}

/// A package that is built several times, as a library and for its tests, has the same program each time.
fn publish(manifest: &Manifest, folder: &Path) -> Result<(), Failure> {
    let path = Manifest::path(folder, &manifest.program);
    let cannot = |error| Failure::files(format!("write `{}`", path.display()), error);
    if let Ok(Some(other)) = Manifest::read(&path)
        && other.source != manifest.source
    {
        return Err(Failure::Name {
            program: manifest.program.clone(),
        });
    }
    let text = manifest.text().map_err(cannot)?;
    replace(&path, text.as_bytes()).map_err(cannot)
}
