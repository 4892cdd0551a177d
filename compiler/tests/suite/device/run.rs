use super::{
    compare::difference,
    element::HostTensor,
    program::{Call, Program},
};
use iree_abi::{
    CpuLevel, DType, TensorType,
    build::{find_compiler, find_tool},
};
use iree_dsl_compiler::{
    artifact::{COMMON, Changes, Target},
    legalize::{Manner, legalize},
    lower::lower,
};
use iree_dsl_ir::{Module, text, verify::verify};
use libtest_mimic::Failed;
use ndarray::ArrayD;
use ndarray_npy::read_npy;
use std::{
    env::consts::ARCH,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Compiles a program for a CPU, makes its calls and compares the results.
pub(super) fn check(program: &Program, level: CpuLevel) -> Result<(), Failed> {
    check_calls(text::parse(&program.text())?, &program.calls, level)
}

/// Compiles a module for a CPU, makes calls of it and compares the results.
pub(crate) fn check_calls(module: Module, calls: &[Call], level: CpuLevel) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let artifact = compile(module, level, folder.path())?;
    check_artifact(&artifact, calls, folder.path())
}

/// Compiles a module for this machine, makes calls of it on each device of it and compares the results.
pub(crate) fn check_on_all_devices(module: Module, calls: &[Call]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let artifact = compile(module, CpuLevel::of_this_machine(), folder.path())?;
    for device in [LOCAL_SYNC, "local-task"] {
        let checked = check_on(device, &artifact, calls, folder.path());
        checked.map_err(|failed| format!("{device}: {}", failed.message().unwrap_or_default()))?;
    }
    Ok(())
}

/// Makes calls of a compiled module and compares the results.
pub(super) fn check_artifact(artifact: &Path, calls: &[Call], folder: &Path) -> Result<(), Failed> {
    check_on(LOCAL_SYNC, artifact, calls, folder)
}

/// The device that runs everything where it is called.
const LOCAL_SYNC: &str = "local-sync";

pub(super) fn check_on(
    device: &str,
    artifact: &Path,
    calls: &[Call],
    folder: &Path,
) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for call in calls {
        match make_on(device, call, artifact, folder) {
            Ok(results) => failures.extend(differences(call, &results)),
            Err(failure) => failures.push(failure),
        }
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.join("\n").into())
    }
}

/// The bytes of the results of a call, or why there are none.
type Returned = Result<Vec<Vec<u8>>, String>;

/// Compiles a module for this machine, makes calls of it and returns the bytes of the results.
pub(crate) fn results(module: Module, calls: &[Call]) -> Result<Vec<Returned>, Failed> {
    let folder = tempfile::tempdir()?;
    let artifact = compile(module, CpuLevel::of_this_machine(), folder.path())?;
    let calls = calls.iter();
    Ok(calls
        .map(|call| make(call, &artifact, folder.path()))
        .collect())
}

fn compile(module: Module, level: CpuLevel, folder: &Path) -> Result<PathBuf, Failed> {
    let source = folder.join("program.mlir");
    fs::write(&source, lowered(module)?)?;
    let artifact = folder.join("program.vmfb");
    iree_compile(&source, level, &[], &artifact)?;
    Ok(artifact)
}

/// A module as MLIR.
pub(crate) fn lowered(module: Module) -> Result<String, Failed> {
    let verified = verify(module).map_err(|errors| {
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        errors.join("\n")
    })?;
    Ok(lower(&legalize(&verified, &Manner::default())?, None)?)
}

/// Compiles a file for a CPU of this architecture, once more with another flag where the compiler has a mistake that this
/// gets it past, as programs are built. Returns what the compiler prints.
pub(crate) fn iree_compile(
    source: &Path,
    level: CpuLevel,
    flags: &[&str],
    output: &Path,
) -> Result<String, Failed> {
    let target = Target::cpu(ARCH, level).ok_or("IREE has no code for this architecture")?;
    let changes = Changes {
        loops: true,
        offsets: false,
    };
    let folder = source.parent().ok_or("a file")?;
    for (file, text) in changes.files() {
        fs::write(folder.join(file), text)?;
    }
    let mut command = Command::new(find_compiler().ok_or(NOT_INSTALLED)?);
    let command = command.current_dir(folder).args(COMMON);
    let command = command.args(changes.flag()).args(target.flags).args(flags);
    let command = command.arg(source).arg("-o").arg(output);
    let outcome = execute(command);
    match outcome {
        Err(message) if message.contains(WRONG_ORDER) => Ok(execute(command.arg(ONE_USE))?),
        outcome => Ok(outcome?),
    }
}

/// What IREE's verifier says where IREE has moved what uses a tensor before that tensor.
const WRONG_ORDER: &str = "does not dominate this use";

/// Keeps IREE from that.
const ONE_USE: &str = "--iree-dispatch-creation-fuse-multi-use=false";

const NOT_INSTALLED: &str = "`./x setup` installs IREE";

/// Runs a command and returns what it prints beside its output.
fn execute(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}; {NOT_INSTALLED}"))?;
    let message = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(message.into_owned());
    }
    let message: String = message.chars().take(8000).collect();
    Err(format!("{command:?}: {}\n{message}", output.status))
}

/// Compiles a module for this machine, makes calls of it and returns the one result of each, with its shape.
pub(crate) fn arrays(
    module: Module,
    calls: &[Call],
) -> Result<Vec<Result<ArrayD<i32>, String>>, Failed> {
    let folder = tempfile::tempdir()?;
    let artifact = compile(module, CpuLevel::of_this_machine(), folder.path())?;
    let file = folder.path().join("output.npy");
    let array = |call| {
        invoke(
            LOCAL_SYNC,
            call,
            &artifact,
            folder.path(),
            std::slice::from_ref(&file),
        )?;
        read_npy(&file).map_err(|error| error.to_string())
    };
    Ok(calls.iter().map(array).collect())
}

/// Makes a call and returns the bytes of the results.
fn make(call: &Call, artifact: &Path, folder: &Path) -> Returned {
    make_on(LOCAL_SYNC, call, artifact, folder)
}

fn make_on(device: &str, call: &Call, artifact: &Path, folder: &Path) -> Returned {
    let file = |index| folder.join(format!("output-{index}.bin"));
    let files: Vec<_> = (0..call.expected.len()).map(file).collect();
    invoke(device, call, artifact, folder, &files)?;
    let results = files.iter().map(fs::read);
    results
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{}: {error}", call.function))
}

/// Makes a call and writes the results to files.
fn invoke(
    device: &str,
    call: &Call,
    artifact: &Path,
    folder: &Path,
    outputs: &[PathBuf],
) -> Result<(), String> {
    let tool = find_tool("IREE_RUN_MODULE", "iree-run-module").ok_or(NOT_INSTALLED)?;
    let mut command = Command::new(tool);
    command.arg(format!("--device={device}"));
    command.arg(format!("--module={}", artifact.display()));
    command.arg(format!("--function={}", call.function));
    for (index, input) in call.inputs.iter().enumerate() {
        let file = folder.join(format!("input-{index}.bin"));
        let written = fs::write(&file, &input.bytes);
        written.map_err(|error| format!("{}: {error}", call.function))?;
        command.arg(input_flag(input, &file));
    }
    for output in outputs {
        command.arg(format!("--output=@{}", output.display()));
    }
    execute(&mut command).map_err(|error| format!("{}: {error}", call.function))?;
    Ok(())
}

fn input_flag(input: &HostTensor, file: &Path) -> String {
    let ty = type_name(&input.ty);
    if input.bytes.is_empty() {
        format!("--input={ty}")
    } else {
        format!("--input={ty}=@{}", file.display())
    }
}

/// A type as IREE's tools spell it.
fn type_name(ty: &TensorType) -> String {
    let element = match ty.dtype {
        DType::Bool => "i1".to_owned(),
        DType::C64 => "cf64".to_owned(),
        DType::C128 => "cf128".to_owned(),
        other => other.name().replace('u', "ui"),
    };
    let sizes = ty.shape.dims().iter();
    let sizes: String = sizes.map(|size| format!("{size}x")).collect();
    format!("{sizes}{element}")
}

fn differences(call: &Call, results: &[Vec<u8>]) -> Vec<String> {
    let results = call.expected.iter().zip(results);
    results
        .filter_map(|(expected, found)| {
            let HostTensor { ty, bytes } = &expected.tensor;
            let difference = difference(ty.dtype, bytes, found, expected.tolerance)?;
            let label = &expected.label;
            Some(format!("{}: {label}: {ty}: {difference}", call.function))
        })
        .collect()
}
