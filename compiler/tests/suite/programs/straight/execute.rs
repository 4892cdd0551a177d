//! Compiles procedures as builds do and calls them. The calls are made by another process, which may crash, in memory
//! that is filled with something whenever it is released, in arrays of which each byte is 255 before they are written.

use crate::{language::trace_right, schedule};
use iree_abi::{CpuLevel, DType, Shape, TensorType};
use iree_dsl_compiler::{
    artifact::{self, Cpu, Environment, NoWays, Plan, Target, multiplies_bf16},
    ast::Preset,
    legalize::{Manner, Passes, legalize},
    lower::lower_located,
    span::SpanTable,
};
use iree_dsl_ir::{Module, Verified, verify::verify};
use iree_runtime::{Device, DynamicArray, HostArray, Input, Session};
use libtest_mimic::Failed;
use serde::{Deserialize, Serialize};
use std::{
    env, fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::{Arc, OnceLock},
    time::Duration,
};
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// Names the folder with the calls that this process is there to make.
const VARIABLE: &str = "IREE_DSL_STRAIGHT_CALLS";

const CPUS: [&str; 4] = [
    "local-sync",
    "local-task",
    "local-task?queued",
    "local-task?workers=4",
];

/// Names a target for which programs are compiled instead of this machine, and on whose device they are called: `cuda`,
/// `cuda:sm_90`, `vulkan`.
const GPU: &str = "IREE_DSL_SUITE_GPU";

fn gpu() -> Option<String> {
    env::var(GPU).ok().filter(|target| !target.is_empty())
}

/// What programs are called on.
fn devices() -> Vec<String> {
    match gpu() {
        Some(target) => vec![target.split(':').next().unwrap_or_default().to_owned()],
        None => CPUS.map(str::to_owned).into(),
    }
}

/// The file that says why no calls can be made.
const FAILURE: &str = "failure";

/// How long the calls of a module may take.
const LIMIT: Duration = Duration::from_secs(120);

/// A call, whose inputs and results are in files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) function: String,
    /// Element types and sizes of what it is given.
    pub(crate) inputs: Vec<(String, Vec<usize>)>,
    pub(crate) results: Vec<String>,
}

/// What became of a call each time: the bytes of its results with their sizes, or a message.
pub(crate) type Outcome = Result<Returned, String>;

/// The sizes and the bytes of each result.
pub(crate) type Returned = Vec<(Vec<usize>, Vec<u8>)>;

/// A compiled module.
pub(crate) struct Compiled {
    folder: TempDir,
    vmfb: PathBuf,
    /// What it was compiled from.
    pub(crate) program: Arc<Verified>,
    /// What that was lowered to.
    pub(crate) lowered: String,
}

/// Why there is no module.
pub(crate) enum Refusal {
    /// The language has a mistake in it.
    Language(String),
    /// The IREE compiler does not accept it.
    Compiler(String),
}

impl Refusal {
    pub(crate) fn into_message(self) -> String {
        match self {
            Self::Language(message) | Self::Compiler(message) => message,
        }
    }
}

/// What a program is compiled for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) level: CpuLevel,
    pub(crate) preset: Preset,
    /// Whether all factors of products are packed, as those of larger programs are. Of most small ones this takes longer.
    pub(crate) packs: bool,
}

/// The pass that decides which factors are packed.
const UNPACKED: &str = "unpacked";

impl Goal {
    /// For speed, on machines of a level.
    fn on(level: CpuLevel) -> Self {
        Self {
            level,
            preset: Preset::default(),
            packs: false,
        }
    }

    pub(crate) fn on_this_machine() -> Self {
        Self::on(CpuLevel::of_this_machine())
    }

    /// For speed, on machines of each level that this one has.
    pub(crate) fn here() -> impl Iterator<Item = Self> {
        let levels = CpuLevel::of_architecture(env::consts::ARCH).iter();
        let here = levels.take_while(|level| **level <= CpuLevel::of_this_machine());
        here.map(|level| Self::on(*level))
    }

    /// For speed, on machines of each other level.
    pub(crate) fn elsewhere() -> impl Iterator<Item = Self> {
        let levels = CpuLevel::of_architecture(env::consts::ARCH).iter();
        let others = levels.filter(|level| **level != CpuLevel::of_this_machine());
        others.map(|level| Self::on(*level))
    }
}

/// Says that programs are compiled for each level that releases have, not only for this machine.
const EVERY_LEVEL: &str = "IREE_DSL_EVERY_LEVEL";

/// Compiles as builds do for this machine, or with all factors packed.
pub(crate) fn compile(source: &str, packs: bool) -> Result<Compiled, Refusal> {
    if env::var_os(EVERY_LEVEL).is_some() {
        for goal in Goal::elsewhere() {
            compile_for(source, Goal { packs, ..goal }, Passes::default())?;
        }
    }
    let here = Goal::on_this_machine();
    compile_for(source, Goal { packs, ..here }, Passes::default())
}

/// Compiles as builds do, with some of the passes of `legalize`.
pub(crate) fn compile_for(source: &str, goal: Goal, passes: Passes) -> Result<Compiled, Refusal> {
    let module = trace_right(source)
        .map_err(|failed| Refusal::Language(failed.message().unwrap_or_default().to_owned()))?;
    compile_module(module, goal, passes)
        .map_err(|failed| Refusal::Compiler(failed.message().unwrap_or_default().to_owned()))
}

fn compile_module(module: Module, goal: Goal, passes: Passes) -> Result<Compiled, Failed> {
    let verified = verify(module).map_err(|errors| format!("{errors:?}"))?;
    let build = Cpu {
        architecture: env::consts::ARCH.to_owned(),
        chosen: artifact::Chosen::Level(goal.level),
        multiplies_bf16: multiplies_bf16(&verified),
    };
    let targets = Target::named(gpu().as_deref().unwrap_or("cpu"), &build)?;
    let machine = targets.first().map(Target::machine).unwrap_or_default();
    let packs = goal.packs.then_some(UNPACKED);
    let manner = Manner {
        passes: Passes::without(passes.left_out().chain(packs))?,
        ..Manner::default()
    };
    let legalized = legalize(&verified, &manner)?;
    let lowered = lower_located(&legalized, machine, &SpanTable::new())?;
    schedule::check(&lowered.text, goal.level)?;
    let plan = Plan {
        program: &verified,
        targets,
        preset: goal.preset,
        is_queued: true,
        emit: Vec::new(),
        flags: Vec::new(),
        without: Default::default(),
    };
    let folder = tempfile::tempdir()?;
    let environment = Environment {
        target_directory: Some(folder.path().to_owned()),
        ..Environment::detect()
    };
    let compiled = artifact::compile(
        &plan.request(lowered.text.clone().into()),
        &NoWays,
        &environment,
    )?;
    let compiled = compiled.into_iter().next().ok_or("no target")?;
    match compiled.fallback {
        // A build has a way out, but users pay for it.
        Some(fallback) => Err(fallback.reason.into()),
        None => Ok(Compiled {
            folder,
            vmfb: compiled.vmfb,
            program: Arc::new(verified),
            lowered: lowered.text,
        }),
    }
}

/// Fills memory with bytes that are not a number in each floating-point type, and -1 in each integer type with a sign.
const FILLER: &str = "mod filler {
    pub struct Filler { }
    impl Filler { pub fn fill(&self) -> Tensor<u8, 4194304> { full(255) } }
}";

/// The program that is called before every call.
fn filler() -> Result<&'static [u8], Failed> {
    static COMPILED: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let goal = Goal::on_this_machine();
        let compiled = compile_for(FILLER, goal, Passes::default());
        let compiled = compiled.map_err(Refusal::into_message)?;
        fs::read(&compiled.vmfb).map_err(|error| error.to_string())
    });
    compiled.as_deref().map_err(|message| message.into())
}

impl Compiled {
    /// Makes calls, several times and on each device; the outcomes by round, and by call.
    pub(crate) fn call(
        &self,
        calls: &[Call],
        inputs: &[Vec<Vec<u8>>],
    ) -> Result<Vec<Vec<Outcome>>, Failed> {
        let folder = self.folder.path().join("calls");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("calls.json"), serde_json::to_vec(calls)?)?;
        fs::copy(&self.vmfb, folder.join("program.vmfb"))?;
        fs::write(folder.join("filler.vmfb"), filler()?)?;
        for (call, inputs) in inputs.iter().enumerate() {
            for (place, bytes) in inputs.iter().enumerate() {
                fs::write(folder.join(format!("input-{call}-{place}")), bytes)?;
            }
        }
        let mut command = Command::new(env::current_exe()?);
        command.env(VARIABLE, &folder).env("MALLOC_PERTURB_", "165");
        // No number, and no truth value.
        command.env("IREE_DSL_FILL_ARRAYS", "255");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let ended = child.wait_timeout(LIMIT)?;
        if ended.is_none() {
            child.kill()?;
            child.wait()?;
        }
        let why = match ended {
            None => "it does not end".to_owned(),
            Some(status) => match status.signal() {
                Some(signal) => format!("it crashes with signal {signal}"),
                None => fs::read_to_string(folder.join(FAILURE)).unwrap_or(status.to_string()),
            },
        };
        let outcomes = rounds().map(|round| {
            let calls = calls.iter().enumerate();
            calls
                .map(|(number, call)| read(&folder, round, number, call, &why))
                .collect()
        });
        let outcomes = outcomes.collect();
        fs::remove_dir_all(&folder)?;
        Ok(outcomes)
    }
}

/// Each device, and each time.
fn rounds() -> impl Iterator<Item = (usize, usize)> {
    (0..devices().len()).flat_map(|device| [(device, 0), (device, 1)])
}

fn result_file(
    folder: &Path,
    (device, time): (usize, usize),
    call: usize,
    result: usize,
) -> PathBuf {
    folder.join(format!("result-{device}-{time}-{call}-{result}"))
}

fn read(folder: &Path, round: (usize, usize), number: usize, call: &Call, why: &str) -> Outcome {
    if let Ok(message) = fs::read_to_string(result_file(folder, round, number, call.results.len()))
    {
        return Err(message);
    }
    let results = (0..call.results.len()).map(|result| {
        let contents = fs::read(result_file(folder, round, number, result)).ok();
        contents.and_then(read_result).ok_or(why)
    });
    results.collect::<Result<_, &str>>().map_err(str::to_owned)
}

/// The sizes of a result in a line, and its bytes.
fn write_result(file: &Path, sizes: &[usize], bytes: &[u8]) -> Anything<()> {
    let mut contents = serde_json::to_vec(sizes)?;
    contents.push(b'\n');
    contents.extend_from_slice(bytes);
    Ok(fs::write(file, contents)?)
}

fn read_result(mut contents: Vec<u8>) -> Option<(Vec<usize>, Vec<u8>)> {
    let end = contents.iter().position(|byte| *byte == b'\n')?;
    let bytes = contents.split_off(end + 1);
    Some((serde_json::from_slice(&contents).ok()?, bytes))
}

/// Makes the calls that another process wants to be made, if this one is there for that.
pub(crate) fn serve() -> Option<ExitCode> {
    let folder = PathBuf::from(env::var_os(VARIABLE)?);
    Some(match make_calls(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without it, the status is what is told.
            let _ = fs::write(folder.join(FAILURE), chain(&*error));
            ExitCode::FAILURE
        }
    })
}

/// An error and what it comes from.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

fn make_calls(folder: &Path) -> Anything<()> {
    let calls: Vec<Call> = serde_json::from_slice(&fs::read(folder.join("calls.json"))?)?;
    let [module, filler] = ["program.vmfb", "filler.vmfb"]
        .map(|name| iree_runtime::Module::from_file(folder.join(name)));
    let (module, filler) = (module?, filler?);
    for (device, spec) in devices().iter().enumerate() {
        let device_handle = Device::open(spec)?;
        let session = Session::new(&device_handle, [&module])?;
        let filler = Session::new(&device_handle, [&filler])?;
        for time in 0..2 {
            let mut order: Vec<_> = (0..calls.len()).collect();
            if time == 1 {
                order.reverse();
            }
            for number in order {
                let round = (device, time);
                let call = &calls[number];
                // Else a call is given what the one before has left, where the same numbers may be.
                filler.function("fill")?.call(&[])?[0].to_host(None)?;
                match make_call(folder, &session, call, number) {
                    Ok(results) => {
                        for (result, (sizes, bytes)) in results.iter().enumerate() {
                            let file = result_file(folder, round, number, result);
                            write_result(&file, sizes, bytes)?;
                        }
                    }
                    Err(error) => {
                        let file = result_file(folder, round, number, call.results.len());
                        fs::write(file, chain(&*error))?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn make_call(folder: &Path, session: &Session, call: &Call, number: usize) -> Anything<Returned> {
    let arguments = call
        .inputs
        .iter()
        .enumerate()
        .map(|(place, (dtype, sizes))| {
            let bytes = fs::read(folder.join(format!("input-{number}-{place}")))?;
            let ty = TensorType::new(dtype.parse::<DType>()?, Shape::from(&sizes[..]));
            let array = HostArray::new(ty, &bytes).ok_or("another number of bytes")?;
            Ok(array.upload(session.device())?)
        });
    let arguments: Vec<DynamicArray> = arguments.collect::<Anything<_>>()?;
    let inputs: Vec<&dyn Input> = arguments.iter().map(|array| array as &dyn Input).collect();
    let results = session.function(&call.function)?.call(&inputs)?;
    let results = results.iter().zip(&call.results).map(|(result, dtype)| {
        let host = result.to_host(Some(dtype.parse()?))?;
        Ok((host.shape(), host.bytes().to_vec()))
    });
    results.collect()
}
