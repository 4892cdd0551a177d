//! What artifacts are compiled for: the names that users write, and the flags that they stand for.

use crate::machine::Machine;
use iree_abi::{CUDA_CHIPS, CpuLevel};

/// What an artifact is compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name that the artifact carries: `cpu-x86-64-v3`.
    pub name: String,
    /// The flags that make the IREE compiler compile for it.
    pub flags: Vec<String>,
}

/// The CPU that a build is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Its architecture, as in [`std::env::consts::ARCH`].
    pub architecture: String,
    /// What of it the code may use.
    pub chosen: Chosen,
    /// Whether the program multiplies matrices of `bf16`: a level for that alone is of no use to others.
    pub multiplies_bf16: bool,
}

impl Cpu {
    /// Any of the architecture that builds.
    pub(super) fn any() -> Self {
        Self {
            architecture: std::env::consts::ARCH.to_owned(),
            chosen: Chosen::EveryLevel,
            multiplies_bf16: true,
        }
    }

    fn has_use_for(&self, level: CpuLevel) -> bool {
        self.multiplies_bf16 || level != CpuLevel::V4Bf16
    }

    /// The highest level up to this one that the program has a use for.
    fn useful(&self, level: CpuLevel) -> CpuLevel {
        match self.has_use_for(level) {
            true => level,
            false => CpuLevel::V4,
        }
    }
}

/// Which CPUs of an architecture code is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Any: a variant for each level.
    EveryLevel,
    /// Those of a level.
    Level(CpuLevel),
    /// One that LLVM knows by this name.
    Named(String),
}

/// The architectures that IREE's runtime can load code for.
const ARCHITECTURES: [&str; 3] = ["x86_64", "aarch64", "riscv64"];

const FAMILIES: [&str; 6] = ["cpu", "vmvx", "cuda", "vulkan", "metal", "hip"];

/// The oldest CUDA chip with everything that programs use, among it `bf16`.
const DEFAULT_CUDA: u32 = 80;

/// A GPU with Vulkan as most are: with integers of 8 to 64 bits and floats of 16 and 32 bits, but no f64,
/// matrix units or known subgroups. IREE's own for unknown GPUs, `vp_android_baseline_2022`, has 32 bits
/// alone, and what it does for the others gives wrong numbers. `__device_0` is what lowered programs call
/// their device.
const ANY_VULKAN: &str = concat!(
    r##"__device_0=#hal.device.target<"vulkan", [#hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb", "##,
    r#"{iree_codegen.target_info = #iree_gpu.target<arch = "any", features = "spirv:v1.3,cap:Shader", "#,
    "wgp = <compute = fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = none, ",
    "subgroup_size_choices = [32], max_workgroup_sizes = [128, 128, 64], ",
    "max_thread_count_per_workgroup = 128, max_workgroup_memory_bytes = 16384, ",
    "max_workgroup_counts = [65535, 65535, 65535]>>}>]>",
);

/// The CPUs whose vector registers hold no more than 512 bytes in all.
const FEW_REGISTERS: [(&str, CpuLevel); 3] = [
    ("x86_64", CpuLevel::Baseline),
    ("x86_64", CpuLevel::V3),
    ("aarch64", CpuLevel::Baseline),
];

/// Names of GPUs without integers of 64 bits begin with these. Functions of f32 are computed with such
/// integers, and IREE's substitute for them gives wrong numbers.
const WITHOUT_64_BITS: [&str; 4] = ["adreno", "mali", "valhall", "vp_android"];

impl Target {
    /// The targets that a name such as `cpu:x86-64-v3` stands for.
    ///
    /// # Errors
    ///
    /// Why there are none.
    pub fn named(name: &str, build: &Cpu) -> Result<Vec<Self>, String> {
        let (family, chip) = match name.split_once(':') {
            Some((family, chip)) => (family, Some(chip)),
            None => (name, None),
        };
        match (family, chip) {
            ("cpu", None) => Self::of_build(build),
            ("cpu", Some("host")) => {
                let level = build.useful(CpuLevel::of_this_machine());
                let target = Self::cpu(std::env::consts::ARCH, level);
                let none = || format!("there is no code generator for {}", std::env::consts::ARCH);
                target.map(|target| vec![target]).ok_or_else(none)
            }
            ("cpu", Some(chip)) => Self::cpu_chip(chip).map(|target| vec![target]),
            ("vmvx", None) => Ok(vec![Self::vmvx()]),
            ("metal", None) => Ok(vec![Self::device("metal", None, &[])]),
            ("cuda", chip) => Self::cuda(chip).map(|target| vec![target]),
            ("vulkan", chip) => Self::vulkan(checked(chip)?).map(|target| vec![target]),
            ("hip", Some(chip)) => {
                let chip = checked(Some(chip))?;
                let flag = format!("--iree-rocm-target={}", chip.unwrap_or_default());
                Ok(vec![Self::device("hip", chip, &[flag])])
            }
            ("hip", None) => Err("name the chip: `hip:gfx942`".to_owned()),
            (family, Some(_)) if FAMILIES.contains(&family) => {
                Err(format!("`{family}` has no chips to choose from"))
            }
            _ => Err(format!("the targets are `{}`", FAMILIES.join("`, `"))),
        }
    }

    /// A level of a CPU architecture (as in [`std::env::consts::ARCH`]), or nothing if IREE's
    /// runtime cannot load code for that architecture.
    pub fn cpu(architecture: &str, level: CpuLevel) -> Option<Self> {
        let flags = level_flags(architecture, level)?;
        Some(Self::cpu_with(
            level.target(architecture),
            architecture,
            flags,
        ))
    }

    /// Whether a user's name stands for it, or for several of which it is one.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let named = Self::named(name, &Cpu::any()).unwrap_or_default();
        named.iter().any(|target| target.name == self.name)
    }

    /// Why a user's name stands neither for targets nor for a kind of them.
    pub(super) fn why_none_is_named(name: &str) -> Option<String> {
        match FAMILIES.contains(&name) {
            true => None,
            false => Self::named(name, &Cpu::any()).err(),
        }
    }

    /// What its name begins with: `cpu`.
    pub(super) fn family(&self) -> &str {
        let name = self.name.as_str();
        name.split_once('-').map_or(name, |(family, _)| family)
    }

    /// What it has that decides how programs are lowered for it. Of a CPU that has a name instead of a level nothing is known.
    pub fn machine(&self) -> Machine {
        let is = |(architecture, level): (&str, CpuLevel)| level.target(architecture) == self.name;
        match self.family() {
            "cpu" => Machine {
                multiplies_bf16: is(("x86_64", CpuLevel::V4Bf16)),
                has_few_registers: FEW_REGISTERS.into_iter().any(is),
                ..Machine::default()
            },
            "vmvx" => Machine::default(),
            // A GPU.
            _ => Machine {
                multiplies_bf16: true,
                is_gpu: true,
                ..Machine::default()
            },
        }
    }

    /// Whether it computes with all that can be done with `f64`.
    pub(super) fn has_f64(&self) -> bool {
        self.family() == "cpu"
    }

    /// Whether products of matrices are computed tile by tile.
    pub(super) fn tiles_data(&self) -> bool {
        self.flags
            .iter()
            .any(|flag| flag == "--iree-opt-data-tiling")
    }

    fn of_build(build: &Cpu) -> Result<Vec<Self>, String> {
        let architecture = build.architecture.as_str();
        let none = || format!("there is no code generator for {architecture}");
        if !ARCHITECTURES.contains(&architecture) {
            return Err(none());
        }
        let levels: Vec<_> = match &build.chosen {
            Chosen::EveryLevel => {
                let levels = CpuLevel::of_architecture(architecture).iter().copied();
                levels.filter(|level| build.has_use_for(*level)).collect()
            }
            Chosen::Level(level) => vec![build.useful(*level)],
            Chosen::Named(cpu) => {
                let base = CpuLevel::Baseline.target(architecture);
                let name = format!("{base}-{}", cpu.strip_prefix("x86-64-").unwrap_or(cpu));
                let cpu = format!("--iree-llvmcpu-target-cpu={cpu}");
                return Ok(vec![Self::cpu_with(name, architecture, &[&cpu])]);
            }
        };
        let targets = levels.iter().map(|level| Self::cpu(architecture, *level));
        targets.collect::<Option<_>>().ok_or_else(none)
    }

    /// A level of any architecture: `x86-64-v3`, `aarch64`.
    fn cpu_chip(chip: &str) -> Result<Self, String> {
        let levels = ARCHITECTURES.into_iter().flat_map(|architecture| {
            let levels = CpuLevel::of_architecture(architecture).iter();
            levels.map(move |level| (architecture, *level))
        });
        let wanted = format!("cpu-{chip}");
        let known: Vec<_> = levels.collect();
        let mut levels = known.iter().copied();
        let found = levels.find(|(architecture, level)| level.target(architecture) == wanted);
        let target = found.and_then(|(architecture, level)| Self::cpu(architecture, level));
        target.ok_or_else(|| {
            let names = known
                .iter()
                .map(|(architecture, level)| level.target(architecture));
            let names = names.map(|name| name.replacen("cpu-", "cpu:", 1));
            let names: Vec<_> = std::iter::once("cpu:host".to_owned())
                .chain(names)
                .collect();
            format!("the CPUs to choose from are `{}`", names.join("`, `"))
        })
    }

    fn cpu_with(name: String, architecture: &str, flags: &[&str]) -> Self {
        // The code is an ELF file that IREE's own loader links, so the architecture alone matters.
        let triple = format!("--iree-llvmcpu-target-triple={architecture}-unknown-linux-gnu");
        let flags = abi_flags(architecture).iter().chain(flags);
        let flags = flags.map(|flag| (*flag).to_owned());
        let flags = local("llvm-cpu").into_iter().chain([triple]).chain(flags);
        Self {
            name,
            flags: flags.collect(),
        }
    }

    /// Code of IREE's own virtual machine, which runs on any CPU.
    fn vmvx() -> Self {
        Self {
            name: "vmvx".to_owned(),
            flags: local("vmvx").into(),
        }
    }

    fn cuda(chip: Option<&str>) -> Result<Self, String> {
        let number = match chip {
            None => Some(DEFAULT_CUDA),
            Some(chip) => chip
                .strip_prefix("sm_")
                .filter(|number| number.len() <= 3)
                .and_then(|number| number.parse().ok()),
        };
        let newest = CUDA_CHIPS.iter().copied().fold(DEFAULT_CUDA, u32::max);
        let supported = |number: &u32| CUDA_CHIPS.contains(number) || *number > newest;
        let Some(number) = number.filter(supported) else {
            let names = CUDA_CHIPS
                .iter()
                .map(|number| format!("`cuda:sm_{number}`"));
            let names: Vec<_> = names.collect();
            return Err(format!(
                "the chips to choose from are {}; newer ones run what is made for the last",
                names.join(", ")
            ));
        };
        let chip = format!("sm_{}", number.min(newest));
        let flag = format!("--iree-cuda-target={chip}");
        Ok(Self::device("cuda", Some(&chip), &[flag]))
    }

    fn vulkan(chip: Option<&str>) -> Result<Self, String> {
        let Some(chip) = chip else {
            return Ok(Self {
                name: "vulkan".to_owned(),
                flags: vec![format!("--iree-hal-target-device={ANY_VULKAN}")],
            });
        };
        let lower = chip.to_ascii_lowercase();
        if WITHOUT_64_BITS.iter().any(|name| lower.starts_with(name)) {
            return Err(format!(
                "`{chip}` has no integers of 64 bits, which programs are computed with"
            ));
        }
        let flag = format!("--iree-vulkan-target={chip}");
        Ok(Self::device("vulkan", Some(chip), &[flag]))
    }

    fn device(family: &str, chip: Option<&str>, flags: &[String]) -> Self {
        let device = format!("--iree-hal-target-device={family}");
        Self {
            name: match chip {
                Some(chip) => format!("{family}-{chip}"),
                None => family.to_owned(),
            },
            flags: [&[device], flags].concat(),
        }
    }
}

/// The flags of a device that the CPU itself is.
fn local(backend: &str) -> [String; 2] {
    [
        "--iree-hal-target-device=local".to_owned(),
        format!("--iree-hal-local-target-device-backends={backend}"),
    ]
}

/// Data tiling makes a matrix product of 1024×1024 two to three times as fast where there is a fused
/// multiply-add, at the cost of some 40 µs for products of a few dozen rows. Without one, on baseline
/// x86-64, it is four times slower.
fn level_flags(architecture: &str, level: CpuLevel) -> Option<&'static [&'static str]> {
    Some(match (architecture, level) {
        ("x86_64", CpuLevel::Baseline) => &["--iree-llvmcpu-target-cpu=x86-64"],
        ("x86_64", CpuLevel::V3) => &[
            "--iree-llvmcpu-target-cpu=x86-64-v3",
            "--iree-opt-data-tiling",
        ],
        ("x86_64", CpuLevel::V4) => &[
            "--iree-llvmcpu-target-cpu=x86-64-v4",
            "--iree-opt-data-tiling",
        ],
        ("x86_64", CpuLevel::V4Bf16) => &[
            "--iree-llvmcpu-target-cpu=x86-64-v4",
            "--iree-llvmcpu-target-cpu-features=+avx512bf16",
            "--iree-opt-data-tiling",
        ],
        ("aarch64", CpuLevel::Baseline) => &["--iree-llvmcpu-target-cpu=generic"],
        ("riscv64", CpuLevel::Baseline) => &[
            "--iree-llvmcpu-target-cpu=generic-rv64",
            "--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c",
        ],
        _ => return None,
    })
}

/// What any CPU of an architecture is compiled for with; without it, riscv64 would call functions for
/// what its registers do.
fn abi_flags(architecture: &str) -> &'static [&'static str] {
    match architecture {
        "riscv64" => &["--iree-llvmcpu-target-abi=lp64d"],
        _ => &[],
    }
}

/// A chip's name, which becomes part of a flag and of file names.
fn checked(chip: Option<&str>) -> Result<Option<&str>, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match chip {
        Some(chip) if chip.is_empty() || !chip.chars().all(plain) => {
            Err(format!("`{chip}` names no chip"))
        }
        chip => Ok(chip),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build() -> Cpu {
        Cpu {
            architecture: "x86_64".to_owned(),
            chosen: Chosen::EveryLevel,
            multiplies_bf16: false,
        }
    }

    fn names(name: &str, build: &Cpu) -> Vec<String> {
        let targets = Target::named(name, build).unwrap();
        targets.into_iter().map(|target| target.name).collect()
    }

    #[test]
    fn every_level_of_an_architecture_is_a_target() {
        for architecture in ARCHITECTURES {
            for level in CpuLevel::of_architecture(architecture) {
                let target = Target::cpu(architecture, *level).unwrap();
                assert_eq!(target.name, level.target(architecture));
                let name = target.name.replacen("cpu-", "cpu:", 1);
                assert_eq!(Target::named(&name, &build()), Ok(vec![target]));
            }
        }
        assert_eq!(Target::cpu("m68k", CpuLevel::Baseline), None);
        assert_eq!(Target::cpu("aarch64", CpuLevel::V3), None);
    }

    #[test]
    fn cpu_is_what_the_build_is_for() {
        let all = ["cpu-x86-64", "cpu-x86-64-v3", "cpu-x86-64-v4"];
        assert_eq!(names("cpu", &build()), all);
        let bf16 = Cpu {
            multiplies_bf16: true,
            ..build()
        };
        let more = [&all[..], &["cpu-x86-64-v4-bf16"]].concat();
        assert_eq!(names("cpu", &bf16), more);
        let best = Cpu {
            chosen: Chosen::Level(CpuLevel::V4Bf16),
            ..build()
        };
        assert_eq!(names("cpu", &best), ["cpu-x86-64-v4"]);
        let level = Cpu {
            chosen: Chosen::Level(CpuLevel::V3),
            ..build()
        };
        assert_eq!(names("cpu", &level), ["cpu-x86-64-v3"]);
        let named = Cpu {
            architecture: "riscv64".to_owned(),
            chosen: Chosen::Named("sifive-u74".to_owned()),
            ..build()
        };
        assert_eq!(names("cpu", &named), ["cpu-riscv64-sifive-u74"]);
        let flags = Target::named("cpu", &named).unwrap().remove(0).flags;
        for flag in [
            "--iree-llvmcpu-target-cpu=sifive-u74",
            "--iree-llvmcpu-target-abi=lp64d",
        ] {
            assert!(flags.iter().any(|other| other == flag), "{flags:?}");
        }
    }

    #[test]
    fn programs_are_lowered_for_what_a_target_has() {
        for (name, has) in [
            ("cpu:x86-64", "few-registers"),
            ("cpu:x86-64-v3", "few-registers"),
            ("cpu:x86-64-v4", ""),
            ("cpu:x86-64-v4-bf16", "bf16"),
            ("cpu:aarch64", "few-registers"),
            ("cpu:riscv64", ""),
            ("vmvx", ""),
            ("cuda", "bf16-gpu"),
            ("vulkan", "bf16-gpu"),
        ] {
            let target = Target::named(name, &build()).unwrap().remove(0);
            assert_eq!(target.machine().to_string(), has, "{name}");
        }
    }

    #[test]
    fn devices_have_chips() {
        for (name, expected) in [
            ("vmvx", "vmvx"),
            ("metal", "metal"),
            ("cuda", "cuda-sm_80"),
            ("cuda:sm_89", "cuda-sm_89"),
            ("cuda:sm_90", "cuda-sm_89"),
            ("vulkan", "vulkan"),
            ("vulkan:rdna3", "vulkan-rdna3"),
            ("hip:gfx942", "hip-gfx942"),
        ] {
            assert_eq!(names(name, &build()), [expected]);
        }
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        for (name, reason) in [
            ("tpu", "the targets are `cpu`"),
            ("cpus:x", "the targets are `cpu`"),
            ("cpu:x86-64-v9", "`cpu:x86-64-v4`"),
            ("vmvx:fast", "`vmvx` has no chips"),
            ("cuda:sm_10", "`cuda:sm_60`"),
            ("cuda:sm_9999", "`cuda:sm_60`"),
            (
                "cuda:90",
                "`cuda:sm_89`; newer ones run what is made for the last",
            ),
            ("hip", "`hip:gfx942`"),
            ("vulkan:../x", "names no chip"),
            ("vulkan:valhall4", "no integers of 64 bits"),
            ("hip:", "names no chip"),
        ] {
            let refused = Target::named(name, &build()).unwrap_err();
            assert!(refused.contains(reason), "{name}: {refused}");
        }
    }
}
