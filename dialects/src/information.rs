//! What definitions say about dialects, as data.

/// The definition of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialectInfo {
    /// The namespace, such as `stablehlo`.
    pub name: &'static str,
    /// The enumerations.
    pub enumerations: &'static [EnumerationInfo],
    /// The attributes and types that have a Rust type.
    pub definitions: &'static [DefinitionInfo],
    /// The operations, ordered by name.
    pub operations: &'static [OperationInfo],
}

/// The definition of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumerationInfo {
    /// The namespace of the dialect.
    pub dialect: &'static str,
    /// The name of the Rust type.
    pub name: &'static str,
    /// What lies between the names of several bits; absent if a value is one case.
    pub separator: Option<&'static str>,
    /// How it is stored in an attribute.
    pub storage: Storage,
    /// The name in texts and the number of each case.
    pub cases: &'static [(&'static str, i64)],
}

/// How an enumeration is stored in an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As a signless integer of this many bits.
    Integer(u32),
    /// As an attribute of the dialect.
    Mnemonic {
        /// The name of the attribute inside the dialect.
        mnemonic: &'static str,
        /// Whether angle brackets follow it: `#d.m<case>`, else `#d<m case>`.
        brackets: bool,
    },
}

/// The definition of an attribute or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefinitionInfo {
    /// The namespace of the dialect.
    pub dialect: &'static str,
    /// The name inside the dialect.
    pub mnemonic: &'static str,
    /// Whether it is an attribute or a type.
    pub kind: DefinitionKind,
    /// One line for humans.
    pub summary: &'static str,
    /// The parameters in order.
    pub parameters: &'static [ParameterInfo],
    /// What stands between the angle brackets.
    pub syntax: &'static [Piece],
}

/// Whether a definition is one of an attribute or of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    /// An attribute.
    Attribute,
    /// A type.
    Type,
}

/// The definition of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterInfo {
    /// The name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ParameterKind,
    /// Whether it is left out of the text where it is absent, empty, zero or false.
    pub optional: bool,
}

/// What a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// An integer of this many bits.
    Integer(u32),
    /// A truth value.
    Bool,
    /// A string.
    String,
    /// A case of an enumeration.
    Enumeration(&'static EnumerationInfo),
    /// Any attribute.
    Attribute,
    /// Any type.
    Type,
    /// Integers of this many bits.
    Integers(u32),
    /// Attributes.
    Attributes,
    /// Types.
    Types,
}

/// A piece of the syntax of an attribute or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A text that stands there as it is.
    Literal(&'static str),
    /// A parameter by its index.
    Parameter(usize),
    /// All parameters, separated by commas.
    List,
    /// All parameters as `name = value`, separated by commas.
    Struct,
    /// Pieces that are left out with the parameter among them.
    Group(&'static [Piece]),
}

/// The definition of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationInfo {
    /// The full name, such as `stablehlo.add`.
    pub name: &'static str,
    /// One line for humans.
    pub summary: &'static str,
    /// The operands in order.
    pub operands: &'static [ValueInfo],
    /// How the operand list is divided among the operands.
    pub operand_segments: Segments,
    /// The inherent attributes in order.
    pub attributes: &'static [AttributeInfo],
    /// The results in order.
    pub results: &'static [ValueInfo],
    /// How the result list is divided among the results.
    pub result_segments: Segments,
    /// The regions in order.
    pub regions: &'static [RegionInfo],
    /// The successors in order.
    pub successors: &'static [SuccessorInfo],
}

/// The definition of an operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueInfo {
    /// The name.
    pub name: &'static str,
    /// The constraint on its type.
    pub constraint: &'static str,
    /// The type of its dialect that it has, if it is one.
    pub definition: Option<&'static DefinitionInfo>,
    /// How many values it stands for.
    pub arity: Arity,
    /// For a result: where its type comes from if it is not given.
    pub inference: TypeInference,
}

/// The definition of an inherent attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeInfo {
    /// The name.
    pub name: &'static str,
    /// The constraint on it.
    pub constraint: &'static str,
    /// Whether it must be there: it is neither optional nor has it a default value.
    pub required: bool,
    /// The type of its number, if it is a number of one type only.
    pub number: Option<Number>,
    /// What a dialect defines, if it is that.
    pub defined: Option<Defined>,
}

/// An attribute that a dialect defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defined {
    /// A case of an enumeration, or several bits.
    Enumeration(&'static EnumerationInfo),
    /// An attribute with parameters.
    Definition(&'static DefinitionInfo),
}

/// The type of numbers in an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `index`.
    Index,
    /// An integer of this many bits whose sign is left to operations.
    Signless(u32),
    /// A signed integer of this many bits.
    Signed(u32),
    /// An unsigned integer of this many bits.
    Unsigned(u32),
    /// A floating-point number of IEEE 754 of this many bits.
    Float(u32),
}

/// The definition of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionInfo {
    /// The name.
    pub name: &'static str,
    /// How many regions it stands for.
    pub arity: Arity,
}

/// The definition of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuccessorInfo {
    /// The name.
    pub name: &'static str,
    /// How many blocks it stands for.
    pub arity: Arity,
}

/// How many values, regions or successors one definition stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    Single,
    /// At most one.
    Optional,
    /// Any number.
    Variadic,
}

/// How a flat list of values is divided among the definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// At most one definition is not single, so it takes what the others leave.
    Positional,
    /// An attribute of the operation holds the sizes.
    Sized,
    /// All definitions that are not single have the same size.
    Equal,
}

/// Where the type of a result comes from if it is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeInference {
    /// Nowhere: it must be given.
    Explicit,
    /// It is that of the operand at the index.
    Operand(usize),
    /// It is `index`.
    Index,
    /// It is the signless integer of this many bits.
    Integer(u32),
}
