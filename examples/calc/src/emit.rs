//! Functions to MLIR.

use std::{collections::BTreeMap, error::Error};

use iree_dialects::{
    arith::{self, CmpFPredicate},
    func,
    prelude::*,
    scf,
};

use crate::syntax::{Expression, Function, Kind, Mistake};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What the names of a function stand for.
type Names<'c, 'a> = BTreeMap<String, Value<'c, 'a>>;

/// Emits functions, which may call each other.
pub(crate) fn functions(builder: &Builder<'_, '_>, file: &str, all: &[Function]) -> Outcome<()> {
    let emitter = Emitter {
        file,
        functions: all,
    };
    for function in all {
        let number = Type::float32(builder.context());
        let types = vec![number; function.parameters.len()];
        func::define_with(builder, &function.name, &types, |builder, values| {
            let names = function
                .parameters
                .iter()
                .cloned()
                .zip(values.iter().copied());
            let value = emitter.expression(builder, &names.collect(), &function.body)?;
            Ok::<_, Box<dyn Error>>(vec![value])
        })?;
    }
    Ok(())
}

struct Emitter<'s> {
    file: &'s str,
    functions: &'s [Function],
}

impl Emitter<'_> {
    fn expression<'c, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        names: &Names<'c, 'a>,
        Expression { place, kind }: &Expression,
    ) -> Outcome<Value<'c, 'a>> {
        let context = builder.context();
        let builder = &builder.located(Location::new(context, self.file, place.line, place.column));
        let mistake = |message| Mistake {
            place: *place,
            message,
        };
        match kind {
            Kind::Number(number) => constant(builder, *number),
            Kind::Name(name) => {
                let value = names.get(name).copied();
                Ok(value.ok_or_else(|| mistake(format!("nothing is called `{name}`")))?)
            }
            Kind::Call(name, arguments) => {
                let callee = self.functions.iter().find(|one| one.name == *name);
                let callee =
                    callee.ok_or_else(|| mistake(format!("no function is called `{name}`")))?;
                let count = callee.parameters.len();
                if count != arguments.len() {
                    return Err(mistake(format!("`{name}` takes {count} numbers")).into());
                }
                let values = arguments
                    .iter()
                    .map(|one| self.expression(builder, names, one));
                let values = values.collect::<Outcome<Vec<_>>>()?;
                let types = [Type::float32(context)];
                let call = builder.insert::<func::CallOperation>(|call| {
                    call.callee(name).operands(&values).results(&types)
                })?;
                Ok(call.results()?[0])
            }
            Kind::Binary(operator, operands) => {
                let [lhs, rhs] = &**operands;
                let lhs = self.expression(builder, names, lhs)?;
                let rhs = self.expression(builder, names, rhs)?;
                binary(builder, *operator, lhs, rhs)
            }
            Kind::If(parts) => self.branch(builder, names, parts),
            Kind::Repeat(name, parts) => self.repeat(builder, names, name, parts),
        }
    }

    fn branch<'c, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        names: &Names<'c, 'a>,
        [condition, then, otherwise]: &[Expression; 3],
    ) -> Outcome<Value<'c, 'a>> {
        let condition = self.expression(builder, names, condition)?;
        let types = [Type::float32(builder.context())];
        let branch = builder.insert::<scf::IfOperation>(|branch| {
            let (then, otherwise) = (Region::new(), Region::new());
            branch
                .condition(condition)
                .results(&types)
                .then_region(then)
                .else_region(otherwise)
        })?;
        for (region, value) in [
            (branch.then_region()?, then),
            (branch.else_region()?, otherwise),
        ] {
            let (inner, _) = builder.append_block(region, &[]);
            let value = self.expression(&inner, names, value)?;
            inner.insert::<scf::YieldOperation>(|r#yield| r#yield.results(&[value]))?;
        }
        Ok(branch.results()?[0])
    }

    fn repeat<'c, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        names: &Names<'c, 'a>,
        name: &str,
        [start, count, next]: &[Expression; 3],
    ) -> Outcome<Value<'c, 'a>> {
        let inits = [
            constant(builder, 0.0)?,
            self.expression(builder, names, start)?,
        ];
        let count = self.expression(builder, names, count)?;
        let types = [Type::float32(builder.context()); 2];
        let r#while = builder.insert::<scf::WhileOperation>(|r#while| {
            let (before, after) = (Region::new(), Region::new());
            r#while
                .inits(&inits)
                .results(&types)
                .before(before)
                .after(after)
        })?;

        let (before, block) = builder.append_block(r#while.before()?, &types);
        let values = block.arguments();
        let goes_on = binary(&before, '<', values[0], count)?;
        before.insert::<scf::ConditionOperation>(|one| one.condition(goes_on).args(&values))?;

        let (after, block) = builder.append_block(r#while.after()?, &types);
        let (round, value) = (block.arguments()[0], block.arguments()[1]);
        let mut names = names.clone();
        names.insert(name.to_owned(), value);
        let next = self.expression(&after, &names, next)?;
        let one = constant(&after, 1.0)?;
        let round = binary(&after, '+', round, one)?;
        after.insert::<scf::YieldOperation>(|r#yield| r#yield.results(&[round, next]))?;
        Ok(r#while.results()?[1])
    }
}

fn constant<'c, 'a>(builder: &Builder<'c, 'a>, number: f32) -> Outcome<Value<'c, 'a>> {
    let r#type = Type::float32(builder.context());
    let value = FloatAttribute::new(builder.context(), r#type, number.into());
    let constant =
        builder.insert::<arith::ConstantOperation>(|one| one.value(value).result(r#type))?;
    Ok(constant.result()?)
}

fn binary<'c, 'a>(
    builder: &Builder<'c, 'a>,
    operator: char,
    lhs: Value<'c, 'a>,
    rhs: Value<'c, 'a>,
) -> Outcome<Value<'c, 'a>> {
    let compare = |predicate| {
        let bit = IntegerType::new(builder.context(), 1);
        let compare = builder.insert::<arith::CmpfOperation>(|one| {
            one.predicate(predicate).lhs(lhs).rhs(rhs).result(bit)
        });
        compare?.result()
    };
    Ok(match operator {
        '+' => builder
            .insert::<arith::AddfOperation>(|one| one.lhs(lhs).rhs(rhs))?
            .result()?,
        '-' => builder
            .insert::<arith::SubfOperation>(|one| one.lhs(lhs).rhs(rhs))?
            .result()?,
        '*' => builder
            .insert::<arith::MulfOperation>(|one| one.lhs(lhs).rhs(rhs))?
            .result()?,
        '/' => builder
            .insert::<arith::DivfOperation>(|one| one.lhs(lhs).rhs(rhs))?
            .result()?,
        '<' => compare(CmpFPredicate::OLT)?,
        _ => compare(CmpFPredicate::OGT)?,
    })
}
