//! What it takes to call a procedure.

use crate::{
    advice::Advice,
    build::Built,
    input::{self, Input, Missing, Size},
    programs::{self, Program},
    project::Project,
};
use anyhow::{Context, Result};
use iree_abi::{Artifact, CpuLevel, FunctionSignature, Signature, build::Compilation};
use iree_runtime::{Device, DynamicArray, HostArray, Parameters, program};
use std::{
    env::consts::ARCH,
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

/// A procedure, its arguments, and where it runs.
#[derive(Debug, clap::Args)]
pub(crate) struct Running {
    /// The program
    program: String,
    /// The procedure
    procedure: String,
    /// A parameter: `x=1`, `x=1,2,3`, `x=3x4xf32=1`, `x=random`, `x=@file.npy`, `tree=@file.npz`
    #[arg(long, short, value_name = "NAME=VALUE")]
    input: Vec<Input>,
    /// A size that is known at the call only: `B=32`
    #[arg(long, value_name = "NAME=NUMBER")]
    size: Vec<Size>,
    /// An archive for globals that are supplied: .safetensors, .irpa, .npz or .npy
    #[arg(long, value_name = "SCOPE=FILE")]
    parameters: Vec<Supply>,
    /// Convert parameters that archives have in another floating-point type
    #[arg(long)]
    convert_parameters: bool,
    /// An archive with the globals that the program changes, as --save-state writes it
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// The device: `local-sync`, `local-task`, `local-task?workers=4`
    #[arg(long, value_name = "DEVICE", default_value = "local-task")]
    device: String,
    /// What the code is compiled for, of what was built, instead of what fits best
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    #[command(flatten)]
    built: Built,
}

/// An archive for a scope.
#[derive(Clone, Debug)]
struct Supply {
    scope: String,
    path: PathBuf,
}

impl FromStr for Supply {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((scope, path)) if !scope.is_empty() && !path.is_empty() => Ok(Self {
                scope: scope.to_owned(),
                path: path.into(),
            }),
            _ => Err("expected SCOPE=FILE".to_owned()),
        }
    }
}

/// A program on a device, and what one of its procedures is called with.
pub(crate) struct Ready {
    pub(crate) project: Project,
    pub(crate) described: Program,
    pub(crate) procedure: FunctionSignature,
    pub(crate) device: Device,
    pub(crate) program: program::Program,
    arguments: Vec<(HostArray, DynamicArray)>,
    index: usize,
    target: Option<String>,
}

impl Running {
    /// Builds and loads the program, and reads the arguments.
    ///
    /// # Errors
    ///
    /// If any of that fails.
    pub(crate) fn prepare(&self, missing: Missing) -> Result<Ready> {
        let (project, made) = self.built.open()?;
        let described = programs::find(&project, made.as_ref(), Some(&self.program))?;
        let procedure = described.procedure(&self.procedure)?.clone();
        let device = Device::open(&self.device).map_err(explain)?;
        let arguments = input::arguments(&procedure, &self.input, &self.size, missing)?;
        let functions = &described.description.signature.functions;
        let index = functions
            .iter()
            .position(|known| known.name == procedure.name);
        let named = self.target.as_ref();
        let target = named
            .map(|target| described.compilation(target))
            .transpose()?;
        let target = target.map(|compilation| compilation.target.clone());
        Ok(Ready {
            program: self.load(&device, &described, target.as_deref())?,
            index: index.context("the procedure is not one of the program")?,
            project,
            described,
            procedure,
            arguments: place(arguments, &device)?,
            device,
            target,
        })
    }

    /// The same program, loaded anew on a device that notes what its work takes.
    ///
    /// # Errors
    ///
    /// If there is no such device, or memory runs out.
    pub(crate) fn profiled(&self, ready: Ready) -> Result<Ready> {
        let device = Device::builder(&self.device).profiled();
        let device = device.open().map_err(explain)?;
        let arguments = ready.arguments.into_iter().map(|(array, _)| array);
        Ok(Ready {
            program: self.load(&device, &ready.described, ready.target.as_deref())?,
            arguments: place(arguments, &device)?,
            device,
            ..ready
        })
    }

    fn load(
        &self,
        device: &Device,
        described: &Program,
        target: Option<&str>,
    ) -> Result<program::Program> {
        let description = &described.description;
        let artifacts = description.artifacts.iter().map(|artifact| {
            let path = &artifact.embedded;
            let bytes = fs::read(path).with_context(|| unreadable(path))?;
            Ok((artifact.target.clone(), bytes))
        });
        let artifacts = artifacts.collect::<Result<_>>()?;
        let signature = description.signature.clone();
        let mut program = self.load_artifacts(device, signature, artifacts, target)?;
        if let Some(path) = &self.load_state {
            program.load_parameters(Parameters::open(path)?)?;
        }
        Ok(program)
    }

    fn load_artifacts(
        &self,
        device: &Device,
        signature: Signature,
        artifacts: Vec<(String, Vec<u8>)>,
        target: Option<&str>,
    ) -> Result<program::Program> {
        // A program refers to these as long as it lives, which here is as long as the process.
        let signature = Box::leak(Box::new(signature));
        let artifacts = artifacts.into_iter().map(|(target, bytes)| Artifact {
            target: target.leak(),
            bytes: bytes.leak(),
        });
        let artifacts = artifacts.collect::<Vec<_>>().leak();
        let mut loader = program::Loader::new(device, artifacts, signature, |program| program);
        for Supply { scope, path } in &self.parameters {
            loader = loader.parameters(scope, Parameters::open(path)?);
        }
        if self.convert_parameters {
            loader = loader.convert_parameters();
        }
        match target {
            Some(target) => Ok(loader.target(target).load()?),
            None => Ok(loader.load()?),
        }
    }

    /// Loads another module that has the procedure, to be called with the same arguments.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or does not have the procedure.
    pub(crate) fn load_other(&self, path: &Path, ready: &Ready) -> Result<Other> {
        let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let signature = Signature {
            functions: vec![ready.procedure.clone()],
            state: Vec::new(),
            ..ready.described.description.signature.clone()
        };
        // Nothing in it says what it is for; whether its code runs here shows when it is loaded.
        let target = CpuLevel::of_this_machine().target(ARCH);
        let program = self.load_artifacts(&ready.device, signature, vec![(target, bytes)], None);
        let program = program.with_context(|| format!("cannot use `{}`", path.display()))?;
        Ok(Other(program))
    }
}

/// What users of this tool can do about a device.
fn explain(error: iree_runtime::Error) -> anyhow::Error {
    match error {
        iree_runtime::Error::DeviceFeature { spec, feature } => Advice::error(
            format!("this `cargo iree` was built without devices such as `{spec}`"),
            format!("install it with them: `cargo install --path cargo-iree --features {feature}`"),
        ),
        other => other.into(),
    }
}

/// Another module with the same procedure.
pub(crate) struct Other(program::Program);

fn unreadable(path: &Path) -> Advice {
    Advice::new(
        format!("`{}` cannot be read", path.display()),
        "build again, after a change to the program's file",
    )
}

/// Arrays, and each on a device.
fn place(
    arrays: impl IntoIterator<Item = HostArray>,
    device: &Device,
) -> Result<Vec<(HostArray, DynamicArray)>> {
    let placed = arrays.into_iter().map(|array| {
        let placed = array.upload(device)?;
        Ok((array, placed))
    });
    placed.collect()
}

impl Ready {
    /// The arguments on the device.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &DynamicArray> {
        self.arguments.iter().map(|(_, placed)| placed)
    }

    /// What of the program's artifacts runs, or one that is compiled much alike.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) fn compilation(&self) -> Result<&Compilation> {
        let artifacts = &self.described.description.artifacts;
        let named = |target: &str| artifacts.iter().find(|artifact| artifact.target == target);
        let best = CpuLevel::of_this_machine();
        let levels = CpuLevel::of_architecture(ARCH).iter().rev();
        let mut levels = levels.filter(|level| **level <= best);
        let found = match &self.target {
            Some(target) => named(target),
            None => levels.find_map(|level| named(&level.target(ARCH))),
        };
        let found = found.or(artifacts.first());
        found.context("the program was compiled for nothing")
    }

    /// Calls the procedure.
    ///
    /// # Errors
    ///
    /// If an argument does not fit, or if the procedure fails.
    pub(crate) fn call(&self) -> Result<Vec<DynamicArray>> {
        self.call_of(&self.program, self.index)
    }

    /// Calls the procedure of another module.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub(crate) fn call_other(&self, Other(program): &Other) -> Result<Vec<DynamicArray>> {
        self.call_of(program, 0)
    }

    fn call_of(&self, program: &program::Program, index: usize) -> Result<Vec<DynamicArray>> {
        let mut call = program.call(index)?;
        for (array, placed) in &self.arguments {
            call.dynamic(array.ty().dtype, placed)?;
        }
        let mut results = call.invoke()?;
        let results = (0..self.procedure.results.len()).map(|_| results.next_dynamic());
        let results = results.collect::<iree_runtime::Result<Vec<_>>>()?;
        // They may be in the queue, and what is measured is the work.
        results.iter().try_for_each(DynamicArray::wait)?;
        Ok(results)
    }
}
