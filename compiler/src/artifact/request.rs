use iree_abi::CpuLevel;

/// Everything of a program that the IREE compiler may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's name in snake case. The artifact holds it as the name of its source file.
    pub name: String,
    /// The module, without locations, so that moving the source does not compile it again.
    pub mlir: String,
    /// What to compile for.
    pub targets: Vec<Target>,
    /// The user's flags, which win over ours.
    pub flags: Vec<String>,
}

/// What an artifact is compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name that the artifact carries: `cpu-x86-64-v3`.
    pub name: String,
    /// The flags that make the IREE compiler compile for it.
    pub flags: Vec<String>,
}

impl Target {
    /// A level of a CPU architecture (as in [`std::env::consts::ARCH`]), or nothing if IREE's
    /// runtime cannot load code for that architecture.
    pub fn cpu(architecture: &str, level: CpuLevel) -> Option<Self> {
        // The code is an ELF file that IREE's own loader links, so the architecture alone matters.
        let mut flags = vec![
            "--iree-hal-target-device=local".to_owned(),
            "--iree-hal-local-target-device-backends=llvm-cpu".to_owned(),
            format!("--iree-llvmcpu-target-triple={architecture}-unknown-linux-gnu"),
        ];
        flags.extend(
            cpu_flags(architecture, level)?
                .iter()
                .map(|flag| (*flag).to_owned()),
        );
        Some(Self {
            name: level.target(architecture),
            flags,
        })
    }
}

/// Data tiling makes a matrix product of 1024×1024 two to three times as fast where there is a fused
/// multiply-add, at the cost of some 40 µs for products of a few dozen rows. Without one, on baseline
/// x86-64, it is four times slower.
fn cpu_flags(architecture: &str, level: CpuLevel) -> Option<&'static [&'static str]> {
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
        ("aarch64", CpuLevel::Baseline) => &["--iree-llvmcpu-target-cpu=generic"],
        ("riscv64", CpuLevel::Baseline) => &[
            "--iree-llvmcpu-target-cpu=generic-rv64",
            "--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c",
            "--iree-llvmcpu-target-abi=lp64d",
        ],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_of_an_architecture_is_a_target() {
        for architecture in ["x86_64", "aarch64", "riscv64"] {
            for level in CpuLevel::of_architecture(architecture) {
                let target = Target::cpu(architecture, *level).unwrap();
                assert_eq!(target.name, level.target(architecture));
            }
        }
        assert_eq!(Target::cpu("m68k", CpuLevel::Baseline), None);
        assert_eq!(Target::cpu("aarch64", CpuLevel::V3), None);
    }
}
