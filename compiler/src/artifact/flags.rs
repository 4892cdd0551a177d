//! The flags of the IREE compiler.

use super::{failure::Failure, format::Format, request::Request, target::Target};
use crate::ast::Preset;
use std::fmt;

/// What every target is compiled with, in debug and release builds alike: the level costs no time
/// that could be measured, and a program then computes the same in both.
///
/// - The first keeps `f64` what it is.
/// - `O2` fuses elementwise operations into reductions and lets floating-point reductions run in
///   vectors, which rounds in another order than a loop would: a sum of 16 million elements is six
///   times as fast. `O3` also moves transposes through named operations.
/// - From `O1` on IREE strips assertions; the language has them, so they stay.
/// - IREE asks on which device each tensor is, though there is one, and gives up where the way from one to the next is long. The more
///   steps it is allowed, the longer programs it compiles.
///
/// Defect `long-chains-of-moves`.
pub const COMMON: [&str; 4] = [
    "--iree-input-demote-f64-to-f32=false",
    "--iree-opt-level=O3",
    "--iree-opt-strip-assertions=false",
    "--iree-stream-affinity-solver-max-iterations=1000000",
];

/// What makes calls return when their work is queued. IREE 3.13 keeps no account of what still reads a global that the
/// next call updates in place, so the runtime has the work of calls that share globals done in their order. Who calls a program
/// in C has no such runtime.
pub const QUEUED: &str = "--iree-execution-model=async-external";

/// How many bytes of a product of matrices a worker has at a time, with data tiling.
const TILE_BYTES: &str = "--iree-llvmcpu-matmul-tile-bytes";

/// For devices that have no `f64` or not all that can be done with it, if the program has none of its own: ours are sums of
/// many numbers of `f32`.
const WITHOUT_F64: &str = "--iree-input-demote-f64-to-f32=true";

/// What a preset adds, which wins over what a target says.
///
/// For size: data tiling adds functions that pack operands, and a module without names and positions is a
/// third smaller; it tells less when something fails.
const fn of_preset(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Speed => &[],
        Preset::Size => &[
            "--iree-opt-level=O2",
            "--iree-opt-data-tiling=false",
            "--iree-vm-bytecode-module-strip-source-map=true",
            "--iree-llvmcpu-debug-symbols=false",
        ],
    }
}

/// The flags that a target consists of: an artifact carries the target's name.
const OF_THE_TARGET: [&str; 3] = [
    "--iree-hal-target-",
    "--iree-hal-local-target-",
    "--iree-llvmcpu-target-",
];

/// A flag that the user gives, for all targets or for some: `cuda: --iree-…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFlag {
    /// The name of the targets that it is for, as in `targets`.
    pub only: Option<String>,
    /// The flag as the compiler takes it.
    pub flag: String,
}

impl UserFlag {
    /// Reads a flag as users write it.
    pub fn parse(text: &str) -> Self {
        let written = match text.starts_with('-') {
            true => None,
            false => text.split_once(": "),
        };
        match written {
            Some((target, flag)) => Self {
                only: Some(target.trim().to_owned()),
                flag: flag.trim().to_owned(),
            },
            None => Self {
                only: None,
                flag: text.to_owned(),
            },
        }
    }

    /// Whether it is for a target: for all of `cpu`, or for `cpu:x86-64-v3`.
    fn is_for(&self, target: &Target) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| target.family() == only || target.is_named(only))
    }

    /// Whether it is the same flag for the same targets.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        self.only == other.only && name(&self.flag) == name(&other.flag)
    }
}

impl fmt::Display for UserFlag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.only {
            Some(only) => write!(formatter, "{only}: {}", self.flag),
            None => formatter.write_str(&self.flag),
        }
    }
}

/// Has the compiler survive the crash of a pass, and say which pass it was and what it ran on: the whole module, or
/// the code of one dispatch. It does so on one thread only.
pub const WATCHED: [&str; 3] = [
    "--mlir-pass-pipeline-crash-reproducer=crash.mlir",
    "--mlir-pass-pipeline-local-reproducer",
    "--mlir-disable-threading",
];

/// All flags of a compilation. Of two with one name the later wins, in the order common, target, preset,
/// user's for all targets, user's for this one, since the compiler refuses a flag that is given twice.
pub(super) fn all(target: &Target, request: &Request, format: Format) -> Vec<String> {
    let user = request.flags.iter().filter(|flag| flag.is_for(target));
    let (own, shared): (Vec<&UserFlag>, Vec<&UserFlag>) =
        user.partition(|flag| flag.only.is_some());
    let is_queued = request.is_queued && format == Format::Bytecode;
    let is_narrow = !request.has_f64 && !target.has_f64();
    let tile_bytes = request.tile_bytes.filter(|_| target.tiles_data());
    let tile_bytes = tile_bytes.map(|bytes| format!("{TILE_BYTES}={bytes}"));
    let changes = request.changes.flag();
    let common = COMMON
        .into_iter()
        .chain(is_queued.then_some(QUEUED))
        .chain(is_narrow.then_some(WITHOUT_F64))
        .chain(changes.as_deref())
        .chain(tile_bytes.as_deref());
    let preset = of_preset(request.preset).iter().copied();
    let of_user = shared.into_iter().chain(own).map(|user| user.flag.as_str());
    let target = target.flags.iter().map(String::as_str);
    let mut flags: Vec<&str> = Vec::new();
    for flag in common.chain(target).chain(preset).chain(of_user) {
        flags.retain(|earlier| name(earlier) != name(flag));
        flags.push(flag);
    }
    flags.into_iter().map(str::to_owned).collect()
}

/// Flags of which some are replaced by others of their names.
pub(super) fn replaced(mut flags: Vec<String>, others: &[&str]) -> Vec<String> {
    for other in others {
        flags.retain(|earlier| name(earlier) != name(other));
        flags.push((*other).to_owned());
    }
    flags
}

/// Checks that the user's flags cannot make the compiler read or write what the request does not
/// hold: the cache could not know of it.
pub(super) fn check(flags: &[UserFlag]) -> Result<(), Failure> {
    let reason = |flag: &str| {
        if !flag.starts_with("--iree-") {
            Some("only flags that start with `--iree-` are passed on")
        } else if OF_THE_TARGET.iter().any(|prefix| flag.starts_with(prefix)) {
            Some("what to compile for is what the option `targets` says")
        } else if name(flag) == "--iree-vm-emit-polyglot-zip" {
            Some("an artifact that is no archive cannot be told from a part of one")
        } else if value(flag).contains(['/', '\\']) || name(flag) == "--iree-load-plugin" {
            Some(
                "a flag that names a file is not passed on, as changes to the file would go unnoticed",
            )
        } else {
            None
        }
    };
    for flag in flags {
        let no_target = flag.only.as_deref().and_then(Target::why_none_is_named);
        if let Some(reason) = reason(&flag.flag).map(str::to_owned).or(no_target) {
            return Err(Failure::Flag {
                flag: flag.to_string(),
                reason,
            });
        }
    }
    Ok(())
}

fn name(flag: &str) -> &str {
    flag.split_once('=').map_or(flag, |(name, _)| name)
}

fn value(flag: &str) -> &str {
    flag.split_once('=').map_or("", |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::{Changes, Versions, target::Cpu};

    fn of_user(flags: &[&str]) -> Vec<UserFlag> {
        flags.iter().map(|flag| UserFlag::parse(flag)).collect()
    }

    fn target(name: &str) -> Target {
        Target {
            name: name.to_owned(),
            flags: ["--iree-opt-data-tiling", "--iree-x=1"]
                .map(str::to_owned)
                .into(),
        }
    }

    fn request(preset: Preset, user: &[UserFlag]) -> Request {
        Request {
            name: "program".to_owned(),
            mlir: Versions::default(),
            tile_bytes: None,
            has_f64: false,
            changes: Changes::default(),
            targets: Vec::new(),
            preset,
            is_queued: false,
            emit: Vec::new(),
            flags: user.to_vec(),
            without: Default::default(),
        }
    }

    fn all(target: &str, preset: Preset, user: &[UserFlag]) -> Vec<String> {
        super::all(
            &self::target(target),
            &request(preset, user),
            Format::Bytecode,
        )
    }

    fn given(flags: &[String], wanted: &str) -> Vec<String> {
        let given = flags.iter().filter(|flag| name(flag) == wanted);
        given.cloned().collect()
    }

    #[test]
    fn a_flag_of_the_user_replaces_ours() {
        let user = of_user(&["--iree-opt-level=O1", "--iree-opt-data-tiling=false"]);
        let flags = all("cpu-x86-64", Preset::Speed, &user);
        assert_eq!(given(&flags, "--iree-opt-level"), ["--iree-opt-level=O1"]);
        let tiling = given(&flags, "--iree-opt-data-tiling");
        assert_eq!(tiling, ["--iree-opt-data-tiling=false"]);
        assert_eq!(given(&flags, "--iree-x"), ["--iree-x=1"]);
    }

    #[test]
    fn nothing_is_queued_in_c() {
        let request = Request {
            is_queued: true,
            ..request(Preset::Speed, &[])
        };
        let is_queued = |format| {
            let flags = super::all(&target("cpu-x86-64"), &request, format);
            flags.iter().any(|flag| flag == QUEUED)
        };
        assert!(is_queued(Format::Bytecode) && !is_queued(Format::C));
    }

    #[test]
    fn what_has_no_f64_computes_in_f32_unless_the_program_names_it() {
        let demoted = |name: &str, has_f64| {
            let request = Request {
                has_f64,
                ..request(Preset::Speed, &[])
            };
            let flags = super::all(&target(name), &request, Format::Bytecode);
            given(&flags, "--iree-input-demote-f64-to-f32") == [WITHOUT_F64]
        };
        for (name, has_it) in [
            ("vulkan", false),
            ("vulkan-rdna3", false),
            ("metal", false),
            ("cpu-x86-64", true),
            ("vmvx", false),
            ("cuda-sm_80", false),
            ("hip-gfx942", false),
        ] {
            assert_eq!(demoted(name, false), !has_it, "{name}");
            assert!(!demoted(name, true), "{name}");
        }
    }

    #[test]
    fn a_preset_wins_over_the_target_and_a_flag_over_the_preset() {
        let user = of_user(&["--iree-opt-level=O3"]);
        let flags = all("cpu-x86-64", Preset::Size, &user);
        assert_eq!(given(&flags, "--iree-opt-level"), ["--iree-opt-level=O3"]);
        let tiling = given(&flags, "--iree-opt-data-tiling");
        assert_eq!(tiling, ["--iree-opt-data-tiling=false"]);
    }

    #[test]
    fn a_flag_may_be_for_some_targets() {
        let user = of_user(&["cpu: --iree-y=1", "--iree-y=0", "cpu:x86-64: --iree-z"]);
        let y = |name: &str| given(&all(name, Preset::Speed, &user), "--iree-y");
        assert_eq!(y("cpu-x86-64-v3"), ["--iree-y=1"]);
        assert_eq!(y("cuda-sm_80"), ["--iree-y=0"]);
        let z = |name: &str| given(&all(name, Preset::Speed, &user), "--iree-z").len();
        assert_eq!((z("cpu-x86-64"), z("cpu-x86-64-v3"), z("vmvx")), (1, 0, 0));
    }

    #[test]
    fn a_flag_names_its_targets_as_users_do() {
        for (only, name) in [
            ("cuda:sm_90", "cuda-sm_89"),
            ("vulkan:rdna3", "vulkan-rdna3"),
            ("hip:gfx942", "hip-gfx942"),
            ("hip", "hip-gfx942"),
            ("vmvx", "vmvx"),
        ] {
            let user = of_user(&[&format!("{only}: --iree-y")]);
            check(&user).unwrap();
            let flags = all(name, Preset::Speed, &user);
            assert_eq!(given(&flags, "--iree-y").len(), 1, "{only}");
        }
        let here = Target::named("cpu:host", &Cpu::any()).unwrap().remove(0);
        let flags = all(&here.name, Preset::Speed, &of_user(&["cpu:host: --iree-y"]));
        assert_eq!(given(&flags, "--iree-y").len(), 1);
    }

    #[test]
    fn a_flag_for_a_target_that_does_not_exist_is_refused() {
        for (flag, expected) in [
            ("gpu: --iree-y", "the targets are `cpu`"),
            ("cpu:x86-64-v9: --iree-y", "`cpu:x86-64-v4`"),
            ("vmvx:fast: --iree-y", "`vmvx` has no chips"),
        ] {
            let refused = check(&of_user(&[flag])).unwrap_err().to_string();
            assert!(
                refused.contains(&format!("the flag `{flag}` is refused: "))
                    && refused.contains(expected),
                "{refused}"
            );
        }
    }

    #[test]
    fn flags_that_reach_beyond_the_request_are_refused() {
        for flag in [
            "-o",
            "@file",
            "input.mlir",
            "--mlir-timing",
            "--iree-codegen-tuning-spec-path=/tmp/spec.mlir",
            "--iree-parameter-import=../weights.safetensors",
            "--iree-load-plugin=x.so",
            "--iree-llvmcpu-target-cpu=host",
            "--iree-hal-target-device=cuda",
            "--iree-vm-emit-polyglot-zip=false",
        ] {
            let refused = check(&of_user(&["--iree-opt-level=O2", flag]));
            assert!(matches!(refused, Err(Failure::Flag { flag: named, .. }) if named == flag));
        }
        check(&of_user(&["--iree-opt-level=O2"])).unwrap();
    }
}
