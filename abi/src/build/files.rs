use std::path::{Path, PathBuf};

/// The files of one program in `target/iree/<package>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    directory: PathBuf,
    program: String,
}

impl Files {
    /// The files of a program of a package.
    pub fn new(target_directory: &Path, package: &str, program: &str) -> Self {
        Self {
            directory: Self::of_package(target_directory, package),
            program: safe_name(program),
        }
    }

    /// Where the files of a package are.
    pub fn of_package(target_directory: &Path, package: &str) -> PathBuf {
        target_directory.join("iree").join(safe_name(package))
    }

    /// Where the files are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What is said of the program.
    pub fn description(&self) -> PathBuf {
        self.with_extension("json")
    }

    /// The module that the IREE compiler reads.
    pub fn mlir(&self) -> PathBuf {
        self.with_extension("mlir")
    }

    /// The same module, with the place in the source of each operation.
    pub fn located(&self) -> PathBuf {
        self.with_extension("located.mlir")
    }

    /// The same of the module that machines get which it is another one for, `bf16` or `few-registers`.
    pub fn located_for(&self, machines: &str) -> PathBuf {
        self.with_extension(&format!("{machines}.located.mlir"))
    }

    /// What it was after the stage `legalize`, in the text form of the representation.
    pub fn legalized(&self) -> PathBuf {
        self.with_extension("legalized.ir")
    }

    /// What the compiler made of it for a target.
    pub fn vmfb(&self, target: &str) -> PathBuf {
        self.with_extension(&format!("{target}.vmfb"))
    }

    /// The header of the program in C for a target, which holds the implementation too.
    pub fn header(&self, target: &str) -> PathBuf {
        self.with_extension(&format!("{target}.h"))
    }

    /// The file in C that makes an object of the header for a target.
    pub fn implementation(&self, target: &str) -> PathBuf {
        self.with_extension(&format!("{target}.c"))
    }

    /// What the compiler could not compile for a target.
    pub fn reproducer(&self, target: &str) -> PathBuf {
        self.with_extension(&format!("{target}.failed.mlir"))
    }

    /// The command that shows that failure again.
    pub fn script(&self, target: &str) -> PathBuf {
        self.with_extension(&format!("{target}.failed.sh"))
    }

    /// A file of the program with another ending.
    pub fn with_extension(&self, extension: &str) -> PathBuf {
        self.directory.join(format!("{}.{extension}", self.program))
    }
}

/// A name without what could lead out of a directory or be taken for a flag.
pub fn safe_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(safe).collect();
    match name.chars().next() {
        Some('-' | '.') | None => format!("_{name}"),
        Some(_) => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_directory() {
        assert_eq!(safe_name("fft_2d"), "fft_2d");
        assert_eq!(safe_name("../a b"), "_.._a_b");
        assert_eq!(safe_name("-o"), "_-o");
        assert_eq!(safe_name(""), "_");
    }
}
