//! What generated code builds on. It is public since generated types name it, and not meant to be
//! used directly.

mod access;
mod edit;
mod enumeration;
mod groups;
mod parametric;
mod scanner;
mod state;
mod value;

pub use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Location, Operation, OperationRef, Region,
        RegionRef, Type, Value,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
            DenseI64ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
    },
};

pub use access::{
    attribute, expect_operation, fixed_operand, fixed_result, has_attribute, lacks_arguments, name,
    operand, operands, optional_attribute, optional_operand, optional_result, region, regions,
    result, results, successor, successors, unknown_operation,
};
pub use edit::{remove_attribute, set_attribute, set_operands, set_successor, set_unit_attribute};
pub use enumeration::{
    Enumeration, attribute_of_enumeration, enumeration, enumeration_of_attribute, parse_cases,
    write_cases,
};
pub use parametric::{
    Argument, Arguments, Parametric, attribute_of, attribute_value, of_attribute, of_type, type_of,
    type_value,
};
pub use state::OperationState;
pub use value::{AttributeValue, IntoAttribute, TypeValue};
