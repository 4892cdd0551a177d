//! What operations write themselves with.

use super::lexer::{write_name, write_text};
use crate::{Function, FunctionId, GlobalId, Module, Operation, ValueId};
use iree_abi::{DType, Shape, TensorType};
use std::fmt::{self, Arguments, Display, Formatter};

/// Writes what stands behind the name of one operation.
pub(crate) struct Printer<'a, 'f> {
    pub(super) formatter: &'a mut Formatter<'f>,
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) operation: &'a Operation,
}

impl<'a> Printer<'a, '_> {
    /// Writes as `write!` says.
    pub(crate) fn write_fmt(&mut self, arguments: Arguments<'_>) -> fmt::Result {
        self.formatter.write_fmt(arguments)
    }

    /// Writes the operands.
    pub(crate) fn operands(&mut self) -> fmt::Result {
        let operands = &self.operation.operands;
        self.formatter
            .write_str(if operands.is_empty() { "" } else { " " })?;
        values(self.formatter, operands)
    }

    /// Writes a name in quotes where it needs them.
    pub(crate) fn name(&mut self, name: &str) -> fmt::Result {
        write_name(self.formatter, name)
    }

    /// Writes a text in quotes.
    pub(crate) fn quoted(&mut self, text: &str) -> fmt::Result {
        write_text(self.formatter, text)
    }

    /// Writes `@name`.
    pub(crate) fn symbol(&mut self, name: &str) -> fmt::Result {
        self.formatter.write_str(" ")?;
        symbol(self.formatter, name)
    }

    /// Writes the symbol of a function.
    pub(crate) fn function(&mut self, id: FunctionId) -> fmt::Result {
        self.formatter.write_str(" ")?;
        function_symbol(self.formatter, self.module, id)
    }

    /// Writes the symbol of a global.
    pub(crate) fn global(&mut self, id: GlobalId) -> fmt::Result {
        self.formatter.write_str(" ")?;
        match self.module.globals.get(id) {
            Some(global) => symbol(self.formatter, &global.name),
            None => write!(self.formatter, "@?{}", id.index()),
        }
    }

    /// Writes an attribute that is a list.
    pub(crate) fn list<T: Display>(&mut self, keyword: &str, items: &[T]) -> fmt::Result {
        write!(self, " {keyword} [")?;
        list(self.formatter, items, |formatter, item| item.fmt(formatter))?;
        self.formatter.write_str("]")
    }

    /// Writes an element type where it is not that of the result.
    pub(crate) fn dtype(&mut self, dtype: DType) -> fmt::Result {
        match self.result().map(|ty| ty.dtype) == Some(dtype) {
            true => Ok(()),
            false => write!(self, " as {dtype}"),
        }
    }

    /// Writes a shape where it is not that of the result.
    pub(crate) fn shape(&mut self, shape: &Shape) -> fmt::Result {
        match self.result().map(|ty| &ty.shape) == Some(shape) {
            true => Ok(()),
            false => write!(self, " as {shape}"),
        }
    }

    /// Writes a type where it is not that of the result.
    pub(crate) fn ty(&mut self, ty: &TensorType) -> fmt::Result {
        type_if_other(self.formatter, ty, self.result())
    }

    /// Writes a type where it is not that of the operand.
    pub(crate) fn operand_type(&mut self, ty: &TensorType) -> fmt::Result {
        let operand = self.type_of_first(&self.operation.operands);
        type_if_other(self.formatter, ty, operand)
    }

    /// Writes the types of a function where they are not those of operands and results.
    pub(crate) fn signature(
        &mut self,
        parameters: &[TensorType],
        results: &[TensorType],
    ) -> fmt::Result {
        let of = |values: &[ValueId]| self.function.types(values);
        let (operands, found) = (of(&self.operation.operands), of(&self.operation.results));
        if operands.as_deref() == Some(parameters) && found.as_deref() == Some(results) {
            return Ok(());
        }
        let write = |formatter: &mut Formatter<'_>, ty: &TensorType| ty.fmt(formatter);
        self.formatter.write_str(" as (")?;
        list(self.formatter, parameters, write)?;
        self.formatter.write_str(") -> (")?;
        list(self.formatter, results, write)?;
        self.formatter.write_str(")")
    }

    fn result(&self) -> Option<&'a TensorType> {
        self.type_of_first(&self.operation.results)
    }

    fn type_of_first(&self, values: &[ValueId]) -> Option<&'a TensorType> {
        values.first().and_then(|value| self.function.ty(*value))
    }
}

/// Writes the items with commas between them.
pub(super) fn list<T>(
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

pub(super) fn values(formatter: &mut Formatter<'_>, values: &[ValueId]) -> fmt::Result {
    list(formatter, values, |formatter, value| {
        write!(formatter, "%{}", value.index())
    })
}

pub(super) fn symbol(formatter: &mut Formatter<'_>, name: &str) -> fmt::Result {
    formatter.write_str("@")?;
    write_name(formatter, name)
}

pub(super) fn function_symbol(
    formatter: &mut Formatter<'_>,
    module: &Module,
    id: FunctionId,
) -> fmt::Result {
    match module.functions.get(id) {
        Some(function) => symbol(formatter, &function.name),
        None => write!(formatter, "@?{}", id.index()),
    }
}

/// Writes a type that is an attribute where it is not the expected one.
pub(super) fn type_if_other(
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
