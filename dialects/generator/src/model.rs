//! What a builder needs to know about a dialect, owned and independent of TableGen.

/// A dialect and its operations, ordered by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The namespace, such as `stablehlo`.
    pub name: String,
    /// The operations that the source defines.
    pub operations: Vec<Operation>,
}

/// The definition of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The full name, such as `stablehlo.add`.
    pub name: String,
    /// The name inside the dialect, such as `add`.
    pub mnemonic: String,
    /// One line for humans, possibly empty.
    pub summary: String,
    /// Markdown without indentation, possibly empty.
    pub description: String,
    /// The operands in order.
    pub operands: Vec<Value>,
    /// How the operand list is divided among several variadic operands.
    pub operand_segments: Segments,
    /// The inherent attributes in order.
    pub attributes: Vec<Attribute>,
    /// The results in order.
    pub results: Vec<Value>,
    /// How the result list is divided among several variadic results.
    pub result_segments: Segments,
    /// The regions in order.
    pub regions: Vec<Region>,
}

/// An operand or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The name in the definition.
    pub name: String,
    /// The constraint on its type: a name of ODS, else a description.
    pub constraint: String,
    /// How many values it stands for.
    pub arity: Arity,
    /// For a result: where its type comes from if the user does not give it.
    pub inference: TypeInference,
}

/// How many values or regions one definition stands for.
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

/// Where the type of a result comes from if the user does not give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeInference {
    /// Nowhere: the user must give it.
    Explicit,
    /// It is that of the operand at the index.
    Operand(usize),
    /// It is `index`.
    Index,
    /// It is the signless integer of this many bits.
    Integer(u32),
}

/// An inherent attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name in the definition.
    pub name: String,
    /// The constraint: a name of ODS, else a description.
    pub constraint: String,
    /// What Rust type it has.
    pub kind: AttributeKind,
    /// Whether it may be left out.
    pub presence: Presence,
}

/// Whether an attribute may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be absent.
    Optional,
    /// It may be absent, which means the default value of the definition.
    Default,
}

/// The Rust type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// Any other attribute.
    Any,
    /// An array of attributes.
    Array,
    /// A truth value.
    Bool,
    /// A dictionary.
    Dictionary,
    /// Elements of a tensor, stored densely.
    DenseElements,
    /// A dense array of `i32`.
    DenseI32Array,
    /// A dense array of `i64`.
    DenseI64Array,
    /// A reference to a symbol in the same table.
    FlatSymbolRef,
    /// A floating-point number.
    Float,
    /// An integer.
    Integer,
    /// A string.
    String,
    /// A type.
    Type,
    /// An attribute whose presence is its value.
    Unit,
}

/// A region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The name in the definition.
    pub name: String,
    /// Whether the definition stands for one region or for any number.
    pub arity: Arity,
}
