//! What a builder needs to know about a dialect, owned and independent of TableGen.

use std::collections::BTreeSet;

use crate::Error;

/// A dialect, its parts ordered by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The namespace, such as `stablehlo`.
    pub name: String,
    /// The enumerations that the source defines in the C++ namespace of the dialect.
    pub enumerations: Vec<Enumeration>,
    /// The attributes and types that the source defines, and that can be written and read.
    pub definitions: Vec<Definition>,
    /// The operations that the source defines.
    pub operations: Vec<Operation>,
}

impl Dialect {
    /// Leaves out all operations but those of some names, without that of the dialect.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownOperation`] if it has none of one of the names.
    pub fn retain(&mut self, mnemonics: &BTreeSet<String>) -> Result<(), Error> {
        let known = |name: &str| self.operations.iter().any(|one| one.mnemonic == name);
        if let Some(unknown) = mnemonics.iter().find(|name| !known(name)) {
            return Err(Error::UnknownOperation {
                dialect: self.name.clone(),
                mnemonic: unknown.clone(),
            });
        }
        self.operations
            .retain(|operation| mnemonics.contains(&operation.mnemonic));
        Ok(())
    }
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
    /// The successors in order.
    pub successors: Vec<Successor>,
}

/// An operand or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The name in the definition.
    pub name: String,
    /// The constraint on its type: a name of ODS, else a description.
    pub constraint: String,
    /// The type of the dialect that it has, if it is one.
    pub definition: Option<RustType>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// Any other attribute.
    Any,
    /// An array of attributes.
    Array,
    /// A truth value.
    Bool,
    /// A dictionary.
    Dictionary,
    /// A case of an enumeration, or several bits.
    Enumeration(RustType),
    /// An attribute that the dialect defines.
    Definition {
        /// The type.
        name: RustType,
        /// Whether it holds attributes or types of a context.
        borrows: bool,
    },
    /// Elements of a tensor, stored densely.
    DenseElements,
    /// A dense array of `i32`.
    DenseI32Array,
    /// A dense array of `i64`.
    DenseI64Array,
    /// A reference to a symbol in the same table.
    FlatSymbolRef,
    /// A floating-point number.
    Float(Option<Number>),
    /// An integer.
    Integer(Option<Number>),
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

/// A block that an operation may go on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The name in the definition.
    pub name: String,
    /// Whether the definition stands for one block or for any number.
    pub arity: Arity,
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

/// A generated type: its name, and the module of another dialect that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustType {
    /// The path of the module, absent if it is that of the dialect itself.
    pub module: Option<String>,
    /// The name.
    pub name: String,
}

/// A set of named numbers, or of named bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// The name in Rust.
    pub name: String,
    /// One line for humans, possibly empty.
    pub summary: String,
    /// What lies between the names of several bits; absent if a value is one case.
    pub separator: Option<String>,
    /// The cases in order.
    pub cases: Vec<Case>,
    /// How it is stored in an attribute.
    pub storage: Storage,
}

/// A case of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name in C++, such as `slt`.
    pub symbol: String,
    /// The name in texts.
    pub keyword: String,
    /// The number, or the bits.
    pub value: i64,
}

/// How an enumeration is stored in an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As a signless integer of this many bits.
    Integer(u32),
    /// As an attribute of the dialect with this mnemonic.
    Mnemonic {
        /// The mnemonic.
        mnemonic: String,
        /// Whether angle brackets follow it: `#d.m<case>`, else `#d<m case>`.
        brackets: bool,
    },
}

/// An attribute or a type of the dialect, with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name in Rust.
    pub name: String,
    /// The name in texts.
    pub mnemonic: String,
    /// Whether it is an attribute or a type.
    pub kind: DefinitionKind,
    /// One line for humans, possibly empty.
    pub summary: String,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// What stands between the angle brackets.
    pub syntax: Vec<Piece>,
}

/// Whether a definition is one of an attribute or of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    /// An attribute.
    Attribute,
    /// A type.
    Type,
}

/// A parameter of an attribute or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// One line for humans, possibly empty.
    pub summary: String,
    /// What it holds.
    pub kind: ParameterKind,
    /// Whether it is left out of the text where it is absent, empty, zero or false.
    pub optional: bool,
}

impl Parameter {
    /// Whether it is an `Option` in Rust: it may be absent, and no value stands for that.
    pub fn is_nullable(&self) -> bool {
        self.optional && !self.kind.has_default()
    }
}

impl Definition {
    /// Whether the Rust type holds attributes or types of a context.
    pub fn borrows(&self) -> bool {
        self.parameters.iter().any(|parameter| {
            matches!(
                parameter.kind,
                ParameterKind::Attribute
                    | ParameterKind::Type
                    | ParameterKind::Attributes
                    | ParameterKind::Types
            )
        })
    }
}

/// What a parameter holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// An integer of the Rust type of this name.
    Integer(&'static str),
    /// A truth value.
    Bool,
    /// A string.
    String,
    /// A case of an enumeration.
    Enumeration(RustType),
    /// Any attribute.
    Attribute,
    /// Any type.
    Type,
    /// Integers of the Rust type of this name.
    Integers(&'static str),
    /// Attributes.
    Attributes,
    /// Types.
    Types,
}

impl ParameterKind {
    /// Whether a value is nothing: zero, false or empty.
    pub fn has_default(&self) -> bool {
        !matches!(self, Self::Attribute | Self::Type | Self::Enumeration(_))
    }

    /// Whether a value is several ones.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Integers(_) | Self::Attributes | Self::Types)
    }
}

/// A piece of the syntax of an attribute or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A text that stands there as it is.
    Literal(String),
    /// A parameter by its index.
    Parameter(usize),
    /// All parameters, separated by commas.
    List,
    /// All parameters as `name = value`, separated by commas.
    Struct,
    /// Pieces that are left out with the parameter among them.
    Group(Vec<Piece>),
}
