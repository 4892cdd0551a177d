use super::{attributed, element::print_data, lexer::write_name};
use crate::{
    Function, FunctionId, Global, GlobalId, GlobalInit, Linkage, Module, Operation, ParameterName,
    Region, ValueId,
    op::{Call, GlobalAccess, Op},
};
use iree_abi::{DType, TensorType};
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

fn symbol(formatter: &mut Formatter<'_>, name: &str) -> fmt::Result {
    formatter.write_str("@")?;
    write_name(formatter, name)
}

/// Writes the items with commas between them.
fn list<T>(
    formatter: &mut Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        formatter.write_str(if index > 0 { ", " } else { "" })?;
        write(formatter, item)?;
    }
    Ok(())
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
    let printer = Printer { module, function };
    printer.region(formatter, &function.body, 2)?;
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

fn values(formatter: &mut Formatter<'_>, values: &[ValueId]) -> fmt::Result {
    list(formatter, values, |formatter, value| {
        write!(formatter, "%{}", value.index())
    })
}

fn function_symbol(formatter: &mut Formatter<'_>, module: &Module, id: FunctionId) -> fmt::Result {
    match module.functions.get(id) {
        Some(function) => symbol(formatter, &function.name),
        None => write!(formatter, "@?{}", id.index()),
    }
}

fn global_symbol(formatter: &mut Formatter<'_>, module: &Module, id: GlobalId) -> fmt::Result {
    match module.globals.get(id) {
        Some(global) => symbol(formatter, &global.name),
        None => write!(formatter, "@?{}", id.index()),
    }
}

/// Writes a type that is an attribute where it is not the expected one.
fn type_if_other(
    formatter: &mut Formatter<'_>,
    ty: &TensorType,
    expected: Option<&TensorType>,
) -> fmt::Result {
    if expected == Some(ty) {
        Ok(())
    } else {
        write!(formatter, " as {ty}")
    }
}

/// Writes an element type that is an attribute where it is not the expected one.
fn dtype_if_other(
    formatter: &mut Formatter<'_>,
    dtype: DType,
    expected: Option<&TensorType>,
) -> fmt::Result {
    if expected.map(|ty| ty.dtype) == Some(dtype) {
        Ok(())
    } else {
        write!(formatter, " as {dtype}")
    }
}

struct Printer<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Printer<'_> {
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
        self.subject(formatter, operation)?;
        let result = operation.results.first();
        let result = result.and_then(|value| self.function.ty(*value));
        self.attributes(formatter, operation, result)?;
        if !operation.results.is_empty() {
            formatter.write_str(" : ")?;
            types_of(formatter, self.function, &operation.results)?;
        }
        for region in &operation.regions {
            self.nested(formatter, region, depth)?;
        }
        Ok(())
    }

    /// Writes what the operation is applied to.
    fn subject(&self, formatter: &mut Formatter<'_>, operation: &Operation) -> fmt::Result {
        let operands = &operation.operands;
        match &operation.op {
            Op::Constant(constant) => write!(formatter, " {}", print_data(constant))?,
            Op::Call(call) => {
                formatter.write_str(" ")?;
                function_symbol(formatter, self.module, call.callee)?;
            }
            Op::GlobalLoad(access) | Op::GlobalStore(access) => {
                formatter.write_str(" ")?;
                global_symbol(formatter, self.module, access.global)?;
            }
            Op::Trace(observation) | Op::Assert(observation) => {
                formatter.write_str(" ")?;
                symbol(formatter, &observation.text)?;
            }
            _ => {}
        }
        if !operands.is_empty() {
            formatter.write_str(" ")?;
        }
        values(formatter, operands)
    }

    fn attributes(
        &self,
        formatter: &mut Formatter<'_>,
        operation: &Operation,
        result: Option<&TensorType>,
    ) -> fmt::Result {
        let shape = result.map(|ty| &ty.shape);
        match &operation.op {
            Op::Constant(constant) => type_if_other(formatter, &constant.ty, result),
            Op::Iota(iota) => {
                write!(formatter, " axis {}", iota.axis)?;
                type_if_other(formatter, &iota.ty, result)
            }
            Op::Convert(dtype) | Op::Bitcast(dtype) => dtype_if_other(formatter, *dtype, result),
            Op::Broadcast(op) => {
                write!(formatter, " axes {:?}", op.axes)?;
                if shape == Some(&op.shape) {
                    return Ok(());
                }
                write!(formatter, " as {}", op.shape)
            }
            Op::Reshape(to) if shape != Some(to) => write!(formatter, " as {to}"),
            Op::Transpose(op) => write!(formatter, " permutation {:?}", op.permutation),
            Op::DotGeneral(op) => {
                let (batch, contract) = (&op.batch, &op.contract);
                write!(formatter, " batch {:?} x {:?}", batch.0, batch.1)?;
                write!(formatter, " contract {:?} x {:?}", contract.0, contract.1)?;
                match result.map(|ty| ty.dtype) == Some(op.dtype) {
                    true => Ok(()),
                    false => write!(formatter, " as {}", op.dtype),
                }
            }
            Op::Reduce(op) => write!(formatter, " axes {:?}", op.axes),
            Op::ArgReduce(op) => write!(formatter, " axis {}", op.axis),
            Op::Slice(op) => {
                formatter.write_str(" start [")?;
                list(formatter, &op.start, |formatter, extent| {
                    write!(formatter, "{extent}")
                })?;
                formatter.write_str("] limit [")?;
                list(formatter, &op.limit, |formatter, extent| {
                    write!(formatter, "{extent}")
                })?;
                write!(formatter, "] stride {:?}", op.stride)
            }
            Op::DynamicSlice(op) => write!(formatter, " sizes {}", op.sizes),
            Op::Size(size) => {
                write!(formatter, " of [{}]", size.extent)?;
                dtype_if_other(formatter, size.dtype, result)
            }
            Op::Concatenate(axis) => write!(formatter, " axis {axis}"),
            Op::Trace(observation) | Op::Assert(observation) => {
                write!(formatter, " site {}", observation.site)
            }
            Op::Call(call) => self.signature(formatter, operation, call),
            Op::GlobalLoad(access) => type_if_other(formatter, &access.ty, result),
            Op::GlobalStore(access) => self.stored_type(formatter, operation, access),
            op => attributed::print(formatter, op),
        }
    }

    fn signature(
        &self,
        formatter: &mut Formatter<'_>,
        operation: &Operation,
        call: &Call,
    ) -> fmt::Result {
        let parameters = self.function.types(&operation.operands);
        let results = self.function.types(&operation.results);
        if parameters.as_ref() == Some(&call.parameters) && results.as_ref() == Some(&call.results)
        {
            return Ok(());
        }
        let write = |formatter: &mut Formatter<'_>, ty: &TensorType| write!(formatter, "{ty}");
        formatter.write_str(" as (")?;
        list(formatter, &call.parameters, write)?;
        formatter.write_str(") -> (")?;
        list(formatter, &call.results, write)?;
        formatter.write_str(")")
    }

    fn stored_type(
        &self,
        formatter: &mut Formatter<'_>,
        operation: &Operation,
        access: &GlobalAccess,
    ) -> fmt::Result {
        let operand = operation.operands.first();
        let operand = operand.and_then(|value| self.function.ty(*value));
        type_if_other(formatter, &access.ty, operand)
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
