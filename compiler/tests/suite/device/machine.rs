//! Modules for IREE's virtual machine, of which it takes a moment to make a file or a text.

use super::{program::Call, run};
use iree_abi::CpuLevel;
use iree_dsl_compiler::artifact::QUEUED;
use libtest_mimic::Failed;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

pub(crate) struct MachineModule {
    folder: TempDir,
    source: PathBuf,
    level: CpuLevel,
}

impl MachineModule {
    /// Whose calls wait for what they run.
    pub(crate) fn of_lowered(mlir: &str, level: CpuLevel) -> Result<Self, Failed> {
        Self::compiled(mlir, level, &[])
    }

    /// Whose calls return before what they run has run.
    pub(crate) fn queued(mlir: &str, level: CpuLevel) -> Result<Self, Failed> {
        Self::compiled(mlir, level, &[QUEUED])
    }

    fn compiled(mlir: &str, level: CpuLevel, flags: &[&str]) -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let lowered = folder.path().join("program.mlir");
        let source = folder.path().join("machine.mlir");
        fs::write(&lowered, mlir)?;
        let flags = [flags, &["--compile-to=vm"]].concat();
        run::iree_compile(&lowered, level, &flags, &source)?;
        Ok(Self {
            folder,
            source,
            level,
        })
    }

    /// Makes calls of it on a device and compares the results.
    pub(crate) fn check_on(&self, device: &str, calls: &[Call]) -> Result<(), Failed> {
        let artifact = self.folder.path().join("program.vmfb");
        run::iree_compile(&self.source, self.level, &["--compile-from=vm"], &artifact)?;
        run::check_on(device, &artifact, calls, self.folder.path())
    }

    /// What it does, operation by operation in the generic form, with the registers of each.
    pub(crate) fn registers(&self) -> Result<String, Failed> {
        let flags = [
            "--compile-from=vm",
            "--iree-vm-bytecode-module-output-format=annotated-mlir-text",
            "--mlir-print-op-generic",
        ];
        let text = self.folder.path().join("registers.mlir");
        run::iree_compile(&self.source, self.level, &flags, &text)?;
        Ok(fs::read_to_string(text)?)
    }
}
