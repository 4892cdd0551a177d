use std::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// The rule that a program broke.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name that users read.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

codes! {
    /// The tokens are not what the attribute or the language expects.
    Syntax = "syntax",
    /// A Rust construct that the language does not have.
    Unsupported = "unsupported",
    /// An option of an attribute that does not exist, or a wrong value for one.
    Attribute = "attribute",
    /// A `#[program]` module without a program, or with several.
    Structure = "structure",
    /// A name that nothing defines.
    UnknownName = "unknown-name",
    /// An import of something that its module keeps for itself.
    Private = "private",
    /// A name that is defined twice.
    Duplicate = "duplicate",
    /// A type that does not exist or has the wrong generic arguments.
    UnknownType = "unknown-type",
    /// An operation that tensors do not have.
    NoOperation = "no-operation",
    /// A field that a tree does not have, or one that is missing.
    Field = "field",
    /// Too few or too many arguments.
    ArgumentCount = "argument-count",
    /// An option of an operation that does not exist, or a wrong value for one.
    Option = "option",
    /// Shapes that do not go together.
    ShapeMismatch = "shape-mismatch",
    /// Element types that do not go together.
    DTypeMismatch = "dtype-mismatch",
    /// Trees, tuples or arrays that do not have the expected structure.
    TypeMismatch = "type-mismatch",
    /// An axis that the tensor does not have, or one named twice.
    Axis = "axis",
    /// An index outside the array or tensor.
    Index = "index",
    /// A literal that its type cannot hold.
    Literal = "literal",
    /// A type that cannot be inferred from what is written.
    CannotInfer = "cannot-infer",
    /// A value that must be known while building, and is not.
    NotStatic = "not-static",
    /// An operation of compile-time values that has no result, such as a division by zero.
    StaticEvaluation = "static-evaluation",
    /// An assignment to something that cannot be assigned.
    Assignment = "assignment",
    /// A store of a global by a procedure that takes `&self`, or of a global that is immutable.
    ImmutableStore = "immutable-store",
    /// An alias that names no earlier global.
    Alias = "alias",
    /// A read of a global that nothing has stored.
    Uninitialized = "uninitialized",
    /// A procedure or kernel that calls itself.
    Recursion = "recursion",
    /// A result that does not have the declared type.
    ReturnType = "return-type",
    /// A loop that does not end while tracing.
    UnrollLimit = "unroll-limit",
    /// Something that has no derivative where one is asked for.
    NotDifferentiable = "not-differentiable",
    /// A kernel's text in MLIR that the IREE compiler does not read, or that does not fit its signature.
    Mlir = "mlir",
    /// A file that cannot be read while building, or does not hold what is asked for.
    File = "file",
    /// The IREE compiler is missing or has the wrong version.
    Toolchain = "toolchain",
    /// The artifacts in the repository are not those of the program.
    Vendored = "vendored",
    /// The IREE compiler refused the program, crashed or hung.
    Iree = "iree",
    /// A mistake of ours.
    Internal = "internal",
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
