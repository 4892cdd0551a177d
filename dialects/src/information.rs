//! What definitions say about operations, as data.

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
}

/// The definition of an operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueInfo {
    /// The name.
    pub name: &'static str,
    /// The constraint on its type.
    pub constraint: &'static str,
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
}

/// The definition of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionInfo {
    /// The name.
    pub name: &'static str,
    /// How many regions it stands for.
    pub arity: Arity,
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
