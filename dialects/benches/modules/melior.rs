//! The builder that melior has for all operations.

use crate::work::{OPERATIONS, Work};
use iree_dialects::{
    melior::{
        self,
        ir::{Identifier, operation::OperationBuilder},
    },
    prelude::*,
};

/// `slt` of the predicates of `arith.cmpi`.
const LESS: i64 = 2;

pub(crate) fn build(
    context: &Context,
    module: &Module<'_>,
    work: Work,
) -> Result<(), Box<dyn std::error::Error>> {
    let location = Location::unknown(context);
    let i32: Type<'_> = IntegerType::new(context, 32).into();
    let body = Region::new();
    let block = body.append_block(Block::new(&[(i32, location)]));
    let x = block.argument(0)?.into();
    let result = match work {
        Work::Sums => sums(block, x, location, i32)?,
        Work::Mixed => mixed(context, block, x, location, i32)?,
    };
    let function_type = types::function(context, &[i32], &[i32]);
    let r#return = OperationBuilder::new("func.return", location).add_operands(&[result]);
    block.append_operation(r#return.build()?);
    let function = OperationBuilder::new("func.func", location)
        .add_attributes(&[
            (
                Identifier::new(context, "sym_name"),
                StringAttribute::new(context, "main").into(),
            ),
            (
                Identifier::new(context, "function_type"),
                TypeAttribute::new(function_type).into(),
            ),
        ])
        .add_regions([body])
        .build()?;
    module.body().append_operation(function);
    Ok(())
}

fn sums<'c, 'a>(
    block: BlockRef<'c, 'a>,
    x: Value<'c, 'a>,
    location: Location<'c>,
    i32: Type<'c>,
) -> Result<Value<'c, 'a>, Box<dyn std::error::Error>> {
    let mut sum = x;
    for _ in 0..OPERATIONS {
        let add = OperationBuilder::new("arith.addi", location)
            .add_operands(&[sum, x])
            .add_results(&[i32])
            .build()?;
        sum = block.append_operation(add).result(0)?.into();
    }
    Ok(sum)
}

fn mixed<'c, 'a>(
    context: &'c Context,
    block: BlockRef<'c, 'a>,
    x: Value<'c, 'a>,
    location: Location<'c>,
    i32: Type<'c>,
) -> Result<Value<'c, 'a>, Box<dyn std::error::Error>> {
    let (i1, i64) = (
        IntegerType::new(context, 1).into(),
        IntegerType::new(context, 64).into(),
    );
    let insert = |operation: OperationBuilder<'c>| -> Result<Value<'c, 'a>, melior::Error> {
        Ok(block.append_operation(operation.build()?).result(0)?.into())
    };
    let attribute = |name, value| [(Identifier::new(context, name), value)];
    let less = IntegerAttribute::new(i64, LESS).into();
    let callee = FlatSymbolRefAttribute::new(context, "main").into();
    let mut last = x;
    for index in 0..OPERATIONS / 5 {
        let number = IntegerAttribute::new(i32, index as i64).into();
        let number = OperationBuilder::new("arith.constant", location)
            .add_attributes(&attribute("value", number))
            .add_results(&[i32]);
        let number = insert(number)?;
        let less = OperationBuilder::new("arith.cmpi", location)
            .add_operands(&[last, number])
            .add_attributes(&attribute("predicate", less))
            .add_results(&[i1]);
        let less = insert(less)?;
        let chosen = OperationBuilder::new("arith.select", location)
            .add_operands(&[less, x, number])
            .add_results(&[i32]);
        let chosen = insert(chosen)?;
        let called = OperationBuilder::new("func.call", location)
            .add_operands(&[chosen])
            .add_attributes(&attribute("callee", callee))
            .add_results(&[i32]);
        let called = insert(called)?;
        let sum = OperationBuilder::new("arith.addi", location)
            .add_operands(&[last, called])
            .add_results(&[i32]);
        last = insert(sum)?;
    }
    Ok(last)
}
