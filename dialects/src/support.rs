//! What generated code builds on. It is public since generated types name it, and not meant to be
//! used directly.

mod access;
mod state;

pub use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Location, Operation, OperationRef, Region, RegionRef, Type,
        Value,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
            DenseI64ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
    },
};

pub use access::{
    attribute, expect_operation, has_attribute, operand, operands, optional_attribute,
    optional_operand, optional_result, region, regions, result, results,
};
pub use state::OperationState;
