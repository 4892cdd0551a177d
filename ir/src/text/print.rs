use super::{
    element::print_data,
    lexer::write_name,
    printer::{Printer, function_symbol, list, symbol, type_if_other, values},
};
use crate::{
    Function, FunctionId, Global, GlobalInit, Linkage, Module, Operation, OperationId,
    ParameterName, Region, ValueId,
};
use std::fmt::{self, Formatter};

impl fmt::Display for Module {
    /// Writes the [text form](crate::text).
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        print_module(formatter, self, &|_, _| None)
    }
}

impl Module {
    /// The [text form](crate::text) with comments, which readers skip: what is said of an operation of a function stands
    /// at its end.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_dsl_ir::text::parse;
    ///
    /// let text = "module @m {\n  func public @f(%0 x: Tensor<f32>) -> Tensor<f32> {\n    %1 = negate %0 : Tensor<f32>\n    \
    ///     return %1\n  }\n}\n";
    /// let module = parse(text)?;
    /// let noted = module.noted(|_, operation| Some(format!("step {}", operation.index())));
    /// assert!(noted.to_string().contains("%1 = negate %0 : Tensor<f32> // step 0\n"));
    /// assert_eq!(parse(&noted.to_string())?, module);
    /// # Ok::<(), iree_dsl_ir::text::ParseError>(())
    /// ```
    pub fn noted<N>(&self, notes: N) -> impl fmt::Display
    where
        N: Fn(FunctionId, OperationId) -> Option<String>,
    {
        fmt::from_fn(move |formatter| print_module(formatter, self, &notes))
    }
}

/// What is said of an operation of a function.
type Notes<'a> = dyn Fn(FunctionId, OperationId) -> Option<String> + 'a;

fn print_module(formatter: &mut Formatter<'_>, module: &Module, notes: &Notes<'_>) -> fmt::Result {
    formatter.write_str("module ")?;
    symbol(formatter, &module.name)?;
    formatter.write_str(" {\n")?;
    for (_, global) in module.globals.iter() {
        print_global(formatter, module, global)?;
    }
    for (index, (id, function)) in module.functions.iter().enumerate() {
        if index > 0 || !module.globals.is_empty() {
            formatter.write_str("\n")?;
        }
        let notes = |operation| notes(id, operation);
        let body = Body {
            module,
            function,
            notes: &notes,
        };
        print_function(formatter, &body)?;
    }
    formatter.write_str("}\n")
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

fn print_function(formatter: &mut Formatter<'_>, body: &Body<'_>) -> fmt::Result {
    let function = body.function;
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
    notes: &'a dyn Fn(OperationId) -> Option<String>,
}

impl Body<'_> {
    fn region(&self, formatter: &mut Formatter<'_>, region: &Region, depth: usize) -> fmt::Result {
        for id in &region.operations {
            write!(formatter, "{:depth$}", "", depth = 2 * depth)?;
            match self.function.operations.get(*id) {
                Some(operation) => self.operation(formatter, operation, depth)?,
                None => write!(formatter, "?{}", id.index())?,
            }
            if let Some(note) = (self.notes)(*id) {
                write!(formatter, " // {note}")?;
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
