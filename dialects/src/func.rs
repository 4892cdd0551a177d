//! Functions, their calls and returns.

use melior::ir::{Region, Type, Value, ValueLike};

use crate::{Builder, Error, traverse::BlockExt, types};

crate::include_dialect!("func");

/// Defines a function by a closure, which gets a builder at the end of its body and the arguments, and returns the results.
///
/// Their types are those of the results.
///
/// # Errors
///
/// Those of the closure, after which the function is there with what the closure had built until then, and those of builders.
///
/// # Examples
///
/// ```
/// use iree_dialects::{arith, func, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let location = Location::unknown(&context);
/// let module = iree_dialects::module(location);
/// let index = Type::index(&context);
///
/// func::define(&Builder::at_end(module.body(), location), "add", [index, index], |builder, [x, y]| {
///     let sum = builder.insert::<arith::AddiOperation>(|add| add.lhs(x).rhs(y))?;
///     Ok([sum.result()?])
/// })?;
/// iree_dialects::verify(&module)?;
/// # Ok(())
/// # }
/// ```
pub fn define<'c, 'a, const ARGUMENTS: usize, const RESULTS: usize>(
    builder: &Builder<'c, 'a>,
    name: &str,
    arguments: [Type<'c>; ARGUMENTS],
    body: impl FnOnce(
        &Builder<'c, 'a>,
        [Value<'c, 'a>; ARGUMENTS],
    ) -> Result<[Value<'c, 'a>; RESULTS], Error>,
) -> Result<FuncOperation<'c, 'a>, Error> {
    define_with(builder, name, &arguments, |builder, values| {
        // A block has the arguments that it was made with.
        let values = values.try_into();
        let values = values.map_err(|_| crate::support::lacks_arguments(FuncOperation::NAME))?;
        body(builder, values).map(Vec::from)
    })
}

/// The same where the numbers of arguments and results, or the error, are known only while running.
///
/// # Errors
///
/// As [`define`].
pub fn define_with<'c, 'a, E: From<Error>>(
    builder: &Builder<'c, 'a>,
    name: &str,
    arguments: &[Type<'c>],
    body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, E>,
) -> Result<FuncOperation<'c, 'a>, E> {
    let context = builder.context();
    let function = builder.insert::<FuncOperation>(|function| {
        let r#type = types::function(context, arguments, &[]);
        function
            .sym_name(name)
            .function_type(r#type)
            .body(Region::new())
    })?;
    let (inner, block) = builder.append_block(function.body()?, arguments);
    let results = body(&inner, &block.arguments())?;

    inner.insert::<ReturnOperation>(|r#return| r#return.operands(&results))?;
    let results = results.iter().map(|value| value.r#type());
    let results = results.collect::<Vec<_>>();
    function.set_function_type(types::function(context, arguments, &results))?;
    Ok(function)
}
