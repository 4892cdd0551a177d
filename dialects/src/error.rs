use crate::Diagnostics;

/// Why an operation, an attribute or a type could not be built or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A required part of an operation was not given to its builder.
    #[error("`{operation}` lacks the {part} `{name}`")]
    Missing {
        /// The name of the operation.
        operation: &'static str,
        /// What kind of part it is.
        part: Part,
        /// The name of the part in the definition.
        name: &'static str,
    },

    /// The variadic operands or results of an operation must be equally many and are not.
    #[error("`{operation}` needs as many values for `{name}` as for `{other}`")]
    SegmentSize {
        /// The name of the operation.
        operation: &'static str,
        /// The name of the operand or result.
        name: &'static str,
        /// The name of an operand or result before it.
        other: &'static str,
    },

    /// An operation is not the one that a view is for.
    #[error("expected the operation `{expected}`, found `{found}`")]
    UnexpectedOperation {
        /// The name that the view is for.
        expected: &'static str,
        /// The name of the operation.
        found: String,
    },

    /// An attribute of an operation is not of the kind that its definition says.
    #[error("the attribute `{name}` of `{operation}` is of another kind: {reason}")]
    UnexpectedAttribute {
        /// The name of the operation.
        operation: String,
        /// The name of the attribute.
        name: &'static str,
        /// The expected kind and the attribute.
        reason: String,
    },

    /// A Rust value cannot stand where an attribute is expected.
    #[error("`{value}` cannot be the attribute `{name}`: {reason}")]
    Value {
        /// The value.
        value: String,
        /// The name of the attribute in the definition.
        name: &'static str,
        /// What is wrong.
        reason: &'static str,
    },

    /// An attribute or a type is not the one that was asked for.
    #[error("`{found}` is no {expected}")]
    Downcast {
        /// What was asked for.
        expected: String,
        /// The text of what there is.
        found: String,
    },

    /// A type has a text that MLIR cannot read.
    #[error("MLIR cannot read the type `{text}`: {diagnostics}")]
    TypeSyntax {
        /// The text.
        text: String,
        /// What MLIR says.
        diagnostics: Diagnostics,
    },

    /// An operation cannot be changed in this way.
    #[error("`{operation}` cannot be changed: {reason}")]
    Edit {
        /// The name of the operation.
        operation: String,
        /// Why not.
        reason: &'static str,
    },

    /// An operation that exists lacks a part that its definition demands.
    #[error("the operation `{operation}` is malformed: it lacks the {part} `{name}`")]
    Malformed {
        /// The name of the operation.
        operation: String,
        /// What kind of part it is.
        part: Part,
        /// The name of the part in the definition.
        name: &'static str,
    },

    /// The context neither knows the operation nor allows operations that it does not know.
    #[error("the context does not know the operation `{0}`")]
    UnknownOperation(&'static str),

    /// MLIR refused to build an operation.
    #[error("MLIR cannot build `{operation}`: {diagnostics}")]
    Build {
        /// The name of the operation.
        operation: &'static str,
        /// What MLIR says.
        diagnostics: Diagnostics,
    },

    /// The text of an attribute is malformed.
    #[error("MLIR cannot read the attribute `{text}`: {diagnostics}")]
    AttributeSyntax {
        /// The text.
        text: String,
        /// What MLIR says.
        diagnostics: Diagnostics,
    },

    /// A map between indices is none, or does not fit another.
    #[error("`{map}` is not as it should be: {reason}")]
    AffineMap {
        /// The map, or what stands in its place.
        map: String,
        /// What is wrong.
        reason: &'static str,
    },

    /// The roles of the dimensions of a tensor are not a permutation.
    #[error("the dimension {dimension} has two roles, or a tensor of rank {rank} does not have it")]
    Dimensions {
        /// The dimension.
        dimension: i64,
        /// The rank of the tensor.
        rank: usize,
    },

    /// A type cannot be built from its parts.
    #[error("there is no such type: {0}")]
    Type(Diagnostics),

    /// The elements do not fit the type of the tensor.
    #[error("{bytes} bytes are not the elements of a `{type}` of a static shape")]
    Elements {
        /// The text of the type.
        r#type: String,
        /// The number of bytes given.
        bytes: usize,
    },

    /// The element is not one of the type of the tensor.
    #[error("`{element}` is not an element of a `{type}` of a static shape")]
    Splat {
        /// The text of the type.
        r#type: String,
        /// The text of the element.
        element: String,
    },

    /// An operation has a part that IRDL cannot describe, so that MLIR cannot be told of its dialect.
    #[error("`{operation}` cannot be registered: {reason}")]
    Registration {
        /// The name of the operation.
        operation: &'static str,
        /// The part.
        reason: &'static str,
    },

    /// The text of a pipeline is malformed, or names what MLIR does not know.
    #[error("`{text}` is no pipeline of passes: {reason}")]
    Pipeline {
        /// The text, or the part of it that is wrong.
        text: String,
        /// What is wrong.
        reason: String,
    },

    /// A pass failed, or left a module that is wrong.
    #[error("a pass failed: {0}")]
    Pass(Diagnostics),

    /// MLIR refused the description of a dialect.
    #[error("MLIR cannot register the dialect `{dialect}`: {diagnostics}")]
    Dialect {
        /// The namespace of the dialect.
        dialect: String,
        /// What MLIR says.
        diagnostics: Diagnostics,
    },
}

/// A part of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An operand.
    Operand,
    /// An inherent attribute.
    Attribute,
    /// A result, or its type.
    Result,
    /// A region.
    Region,
    /// A successor.
    Successor,
}

impl std::fmt::Display for Part {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Operand => "operand",
            Self::Attribute => "attribute",
            Self::Result => "result type",
            Self::Region => "region",
            Self::Successor => "successor",
        })
    }
}
