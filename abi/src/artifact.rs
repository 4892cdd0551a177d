use std::{
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// One compiled form of a program, embedded in the user's binary.
#[derive(Clone, Copy, Debug)]
pub struct Artifact {
    /// What it was compiled for: `cpu-x86-64-v3`; or [`INTERPRETER`].
    pub target: &'static str,
    /// The VMFB, aligned to 64 bytes; for the interpreter, the text of the program's intermediate representation.
    pub bytes: &'static [u8],
}

/// The target of the interpreter, and the name of the device that it is.
pub const INTERPRETER: &str = "interpreter";

impl Artifact {
    /// Writes the VMFB to a file, which IREE's own tools read.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        let path = path.as_ref();
        fs::write(path, self.bytes).map_err(|source| SaveError {
            path: path.to_owned(),
            source,
        })
    }
}

/// An artifact could not be written to a file.
#[derive(Debug)]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// What the file system reports.
    pub source: io::Error,
}

impl fmt::Display for SaveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cannot write {}", self.path.display())
    }
}

impl Error for SaveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// The CUDA chips that code is generated for, oldest first; newer ones run what is made for the last.
pub const CUDA_CHIPS: [u32; 9] = [60, 61, 62, 70, 72, 75, 80, 86, 89];

/// The instruction-set levels that CPU artifacts are compiled for.
///
/// The x86-64 levels are those of the [System V psABI](https://gitlab.com/x86-psABIs/x86-64-ABI), and one above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CpuLevel {
    /// Any machine of the architecture.
    Baseline,
    /// x86-64 with AVX2 and FMA.
    V3,
    /// x86-64 with AVX-512.
    V4,
    /// x86-64 with AVX-512 and its products of `bf16`.
    V4Bf16,
}

impl CpuLevel {
    /// The levels that exist on an architecture (as in `std::env::consts::ARCH`), lowest first.
    pub fn of_architecture(architecture: &str) -> &'static [Self] {
        match architecture {
            "x86_64" => &[Self::Baseline, Self::V3, Self::V4, Self::V4Bf16],
            _ => &[Self::Baseline],
        }
    }

    /// The highest level that the machine running this code has.
    pub fn of_this_machine() -> Self {
        Self::of_architecture(std::env::consts::ARCH)
            .iter()
            .copied()
            .rfind(|level| level.runs_here())
            .unwrap_or(Self::Baseline)
    }

    /// The artifact target that stands for this level on an architecture: `cpu-x86-64-v3`.
    pub fn target(self, architecture: &str) -> String {
        let architecture = architecture.replace('_', "-");
        match self {
            Self::Baseline => format!("cpu-{architecture}"),
            Self::V3 | Self::V4 | Self::V4Bf16 => format!("cpu-{architecture}-{self}"),
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn runs_here(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        let v3 = || {
            has!("avx2")
                && has!("bmi1")
                && has!("bmi2")
                && has!("f16c")
                && has!("fma")
                && has!("lzcnt")
                && has!("movbe")
        };
        let v4 = || {
            has!("avx512f")
                && has!("avx512bw")
                && has!("avx512cd")
                && has!("avx512dq")
                && has!("avx512vl")
        };
        match self {
            Self::Baseline => true,
            Self::V3 => v3(),
            Self::V4 => v3() && v4(),
            Self::V4Bf16 => v3() && v4() && has!("avx512bf16"),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn runs_here(self) -> bool {
        self == Self::Baseline
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Baseline => "baseline",
            Self::V3 => "v3",
            Self::V4 => "v4",
            Self::V4Bf16 => "v4-bf16",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_name_architecture_and_level() {
        assert_eq!(CpuLevel::Baseline.target("x86_64"), "cpu-x86-64");
        assert_eq!(CpuLevel::V4.target("x86_64"), "cpu-x86-64-v4");
        assert_eq!(CpuLevel::Baseline.target("aarch64"), "cpu-aarch64");
    }

    #[test]
    fn this_machine_has_a_level_of_its_architecture() {
        let levels = CpuLevel::of_architecture(std::env::consts::ARCH);
        assert!(levels.contains(&CpuLevel::of_this_machine()));
    }
}
