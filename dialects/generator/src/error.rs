/// Why a dialect could not be generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// TableGen refused the source; it has printed the place to standard error.
    #[error("cannot read the TableGen source of `{dialect}`: {reason}")]
    TableGen {
        /// The dialect being read.
        dialect: String,
        /// What TableGen says.
        reason: String,
    },

    /// A record lacks a field or has one of another type.
    #[error("the record `{record}` is not a well-formed definition: {reason}")]
    Record {
        /// The name of the record.
        record: String,
        /// What TableGen says.
        reason: String,
    },

    /// The source defines no operation of the dialect.
    #[error("the source defines no operation of the dialect `{0}`")]
    NoOperations(String),

    /// An operation is wanted of a dialect that has none of this name.
    #[error("the dialect `{dialect}` has no operation `{mnemonic}`")]
    UnknownOperation {
        /// The dialect.
        dialect: String,
        /// The name, without that of the dialect.
        mnemonic: String,
    },

    /// The operation uses a part of ODS that the generator does not know.
    #[error("`{operation}` has {feature}, which the generator does not support")]
    Unsupported {
        /// The name of the operation.
        operation: String,
        /// The part of ODS.
        feature: String,
    },

    /// The generated Rust does not parse: a defect of the generator.
    #[error("the Rust generated for `{dialect}` does not parse: {source}")]
    Syntax {
        /// The dialect being emitted.
        dialect: String,
        /// What the parser says.
        source: syn::Error,
    },

    /// No LLVM installation was found.
    #[error(
        "no LLVM {version} found: set `{variable}` to what `llvm-config-{version} --prefix` prints"
    )]
    NoInstallation {
        /// The environment variable that names it.
        variable: &'static str,
        /// The version that is needed.
        version: u32,
    },

    /// The generator runs outside of a build script.
    #[error("`OUT_DIR` is not set, which cargo does for build scripts")]
    NoOutput,

    /// A generated file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}
