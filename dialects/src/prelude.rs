//! What code that builds a module needs: the types of melior, and ours.

pub use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Block, BlockLike, BlockRef, Location, Module, Operation,
        OperationRef, Region, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
            DenseI64ArrayAttribute, FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute,
            StringAttribute, TypeAttribute,
        },
        operation::{OperationLike, WalkOrder, WalkResult},
        r#type::{FunctionType, IntegerType, RankedTensorType},
    },
};

pub use crate::{
    Builder, Diagnostic, Diagnostics, Editor, Error, Form, InsertionPoint, Locations,
    OperationView, attributes, edit,
    traverse::{BlockExt, OperationExt, RegionExt, ValueExt},
    types,
};
