use crate::work::{OPERATIONS, Work};
use iree_dialects::{arith, func, prelude::*};

pub(crate) fn build(
    context: &Context,
    module: &Module<'_>,
    work: Work,
) -> Result<(), Box<dyn std::error::Error>> {
    let builder = Builder::at_end(module.body(), Location::unknown(context));
    let i32: Type<'_> = IntegerType::new(context, 32).into();
    func::define(&builder, "main", [i32], |builder, [x]| {
        let result = match work {
            Work::Sums => sums(builder, x),
            Work::Mixed => mixed(builder, x, i32),
        };
        Ok([result?])
    })?;
    Ok(())
}

fn sums<'c: 'a, 'a>(builder: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let mut sum = x;
    for _ in 0..OPERATIONS {
        sum = builder
            .insert::<arith::AddiOperation>(|add| add.lhs(sum).rhs(x))?
            .result()?;
    }
    Ok(sum)
}

fn mixed<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    x: Value<'c, 'a>,
    i32: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let i1: Type<'_> = IntegerType::new(builder.context(), 1).into();
    let callee = FlatSymbolRefAttribute::new(builder.context(), "main");
    let mut last = x;
    for index in 0..OPERATIONS / 5 {
        let number = builder
            .insert::<arith::ConstantOperation>(|constant| {
                constant
                    .value(IntegerAttribute::new(i32, index as i64))
                    .result(i32)
            })?
            .result()?;
        let less = builder
            .insert::<arith::CmpiOperation>(|less| {
                less.predicate(arith::CmpIPredicate::Slt)
                    .lhs(last)
                    .rhs(number)
                    .result(i1)
            })?
            .result()?;
        let chosen = builder
            .insert::<arith::SelectOperation>(|select| {
                select.condition(less).true_value(x).false_value(number)
            })?
            .result()?;
        let called = builder
            .insert::<func::CallOperation>(|call| {
                call.callee(callee).operands(&[chosen]).results(&[i32])
            })?
            .results()?;
        let called = called.first().copied().unwrap_or(x);
        last = builder
            .insert::<arith::AddiOperation>(|add| add.lhs(last).rhs(called))?
            .result()?;
    }
    Ok(last)
}
