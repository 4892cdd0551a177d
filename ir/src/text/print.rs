use super::{
    element::print_data,
    lexer::write_name,
    printer::{Printer, function_symbol, list, symbol, type_if_other, values},
};
use crate::{
    Function, Global, GlobalInit, Linkage, Module, Operation, ParameterName, Region, ValueId,
};
use std::fmt::{self, Formatter};

impl fmt::Display for Module {
    /// Writes the [text form](crate::text).
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("module ")?;
        symbol(formatter, &self.name)?;
        formatter.write_str(" {\n")?;
        for (_, global) in self.globals.iter() {
            print_global(formatter, self, global)?;
        }
        for (index, (_, function)) in self.functions.iter().enumerate() {
            if index > 0 || !self.globals.is_empty() {
                formatter.write_str("\n")?;
            }
            print_function(formatter, self, function)?;
        }
        formatter.write_str("}\n")
    }
}

fn print_global(formatter: &mut Formatter<'_>, module: &Module, global: &Global) -> fmt::Result {
    let mutable = if global.mutable { "mutable " } else { "" };
    write!(formatter, "  global {mutable}")?;
    symbol(formatter, &global.name)?;
    write!(formatter, ": {} ", global.ty)?;
    match &global.init {
        GlobalInit::Constant(constant) => {
            write!(formatter, "= {}", print_data(constant))?;
            type_if_other(formatter, &constant.ty, Some(&global.ty))?;
        }
        GlobalInit::Function(function, index) => {
            formatter.write_str("= ")?;
            function_symbol(formatter, module, *function)?;
            write!(formatter, " result {index}")?;
        }
        GlobalInit::Uninitialized => formatter.write_str("uninitialized")?,
        GlobalInit::Parameter(ParameterName { scope, key }) => {
            formatter.write_str("parameter ")?;
            symbol(formatter, scope)?;
            formatter.write_str(" ")?;
            symbol(formatter, key)?;
        }
    }
    formatter.write_str("\n")
}

fn print_function(
    formatter: &mut Formatter<'_>,
    module: &Module,
    function: &Function,
) -> fmt::Result {
    let linkage = match function.linkage {
        Linkage::Public => "public",
        Linkage::Private => "private",
    };
    write!(formatter, "  func {linkage} ")?;
    symbol(formatter, &function.name)?;
    formatter.write_str("(")?;
    let names = function.parameter_names.iter().map(Some);
    let names = names.chain(std::iter::repeat(None));
    let parameters: Vec<_> = function.body.parameters.iter().zip(names).collect();
    list(formatter, &parameters, |formatter, (value, name)| {
        write!(formatter, "%{}", value.index())?;
        if let Some(name) = name {
            formatter.write_str(" ")?;
            write_name(formatter, name)?;
        }
        formatter.write_str(": ")?;
        print_type(formatter, function, **value)
    })?;
    formatter.write_str(")")?;
    if !function.body.results.is_empty() {
        formatter.write_str(" -> ")?;
        types_of(formatter, function, &function.body.results)?;
    }
    formatter.write_str(" {\n")?;
    let body = Body { module, function };
    body.region(formatter, &function.body, 2)?;
    formatter.write_str("  }\n")
}

fn print_type(formatter: &mut Formatter<'_>, function: &Function, value: ValueId) -> fmt::Result {
    match function.ty(value) {
        Some(ty) => write!(formatter, "{ty}"),
        None => formatter.write_str("?"),
    }
}

fn types_of(formatter: &mut Formatter<'_>, function: &Function, values: &[ValueId]) -> fmt::Result {
    list(formatter, values, |formatter, value| {
        print_type(formatter, function, *value)
    })
}

struct Body<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Body<'_> {
    fn region(&self, formatter: &mut Formatter<'_>, region: &Region, depth: usize) -> fmt::Result {
        for id in &region.operations {
            write!(formatter, "{:depth$}", "", depth = 2 * depth)?;
            match self.function.operations.get(*id) {
                Some(operation) => self.operation(formatter, operation, depth)?,
                None => write!(formatter, "?{}", id.index())?,
            }
            formatter.write_str("\n")?;
        }
        write!(formatter, "{:depth$}return", "", depth = 2 * depth)?;
        if !region.results.is_empty() {
            formatter.write_str(" ")?;
        }
        values(formatter, &region.results)?;
        formatter.write_str("\n")
    }

    fn operation(
        &self,
        formatter: &mut Formatter<'_>,
        operation: &Operation,
        depth: usize,
    ) -> fmt::Result {
        if !operation.results.is_empty() {
            values(formatter, &operation.results)?;
            formatter.write_str(" = ")?;
        }
        formatter.write_str(operation.op.name())?;
        operation.op.print(&mut Printer {
            formatter: &mut *formatter,
            module: self.module,
            function: self.function,
            operation,
        })?;
        if !operation.results.is_empty() {
            formatter.write_str(" : ")?;
            types_of(formatter, self.function, &operation.results)?;
        }
        for region in &operation.regions {
            self.nested(formatter, region, depth)?;
        }
        Ok(())
    }

    fn nested(&self, formatter: &mut Formatter<'_>, region: &Region, depth: usize) -> fmt::Result {
        formatter.write_str(" region(")?;
        list(formatter, &region.parameters, |formatter, value| {
            write!(formatter, "%{}: ", value.index())?;
            print_type(formatter, self.function, *value)
        })?;
        formatter.write_str(") {\n")?;
        self.region(formatter, region, depth + 1)?;
        write!(formatter, "{:depth$}}}", "", depth = 2 * depth)
    }
}
