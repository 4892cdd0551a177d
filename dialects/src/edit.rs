use std::{cell::RefCell, collections::BTreeSet};

use melior::ir::{BlockLike, Location, Module, OperationRef, Value, operation::OperationLike};

use crate::{
    Builder, Error, InsertionPoint, raw,
    traverse::{BlockExt, OperationExt, RegionExt, ValueExt},
    tree::{self, Root},
};

/// Changes a module, with the right to erase operations.
///
/// References that the function gets end with it, and those from before end where the module is borrowed here. So what is
/// erased is erased after the function has returned: until then everything is alive, also while it is iterated over.
/// Inserting, moving and setting operands and attributes needs no such right: it leaves all references as they are.
///
/// # Errors
///
/// Those of the function, and then nothing is erased; [`Error::Edit`] if a value that would be erased is still used.
///
/// # Examples
///
/// Sums with zero go away:
///
/// ```
/// use iree_dialects::{arith, edit, parse, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let mut module = parse(
///     &context,
///     "func.func @f(%a: i32) -> i32 {
///         %zero = arith.constant 0 : i32
///         %0 = arith.addi %a, %zero : i32
///         %1 = arith.addi %0, %zero : i32
///         return %1 : i32
///     }",
/// )?;
/// edit(&mut module, |editor| {
///     for operation in editor.root().descendants() {
///         let Some(add) = operation.cast::<arith::AddiOperation>() else { continue };
///         let rhs = add.rhs()?.defining_operation();
///         if let Some(zero) = rhs.and_then(|one| one.cast::<arith::ConstantOperation>())
///             && zero.value()?.to_string() == "0 : i32"
///         {
///             editor.replace(operation, &[add.lhs()?])?;
///         }
///     }
///     Ok::<_, Error>(())
/// })?;
/// assert!(!module.as_operation().to_string().contains("arith.addi"));
/// iree_dialects::verify(&module)?;
/// # Ok(())
/// # }
/// ```
pub fn edit<'c, T, E: From<Error>>(
    module: &mut Module<'c>,
    change: impl for<'e> FnOnce(&Editor<'c, 'e>) -> Result<T, E>,
) -> Result<T, E> {
    change_operation(module.as_operation(), change)
}

/// The same for an operation that nothing else refers to.
pub(crate) fn change_operation<'c, T, E: From<Error>>(
    root: OperationRef<'c, '_>,
    change: impl for<'e> FnOnce(&Editor<'c, 'e>) -> Result<T, E>,
) -> Result<T, E> {
    let editor = Editor {
        root,
        erased: RefCell::default(),
    };
    let value = change(&editor)?;
    erase(editor.erased.into_inner())?;
    Ok(value)
}

/// The right to erase the operations inside of another; see [`edit`].
#[derive(Debug)]
pub struct Editor<'c, 'e> {
    root: OperationRef<'c, 'e>,
    erased: RefCell<Vec<OperationRef<'c, 'e>>>,
}

impl<'c, 'e> Editor<'c, 'e> {
    /// The operation that is changed, such as a module.
    pub fn root(&self) -> OperationRef<'c, 'e> {
        self.root
    }

    /// A builder at a place.
    pub fn builder(
        &self,
        point: InsertionPoint<'c, 'e>,
        location: Location<'c>,
    ) -> Builder<'c, 'e> {
        Builder::new(point, location)
    }

    /// Has an operation erased at the end, with what is inside of it.
    ///
    /// # Errors
    ///
    /// [`Error::Edit`] if it is not inside of the operation that is changed.
    pub fn erase(&self, operation: OperationRef<'c, 'e>) -> Result<(), Error> {
        if operation == self.root || !tree::is_within(operation, self.root) {
            return Err(tree::error(
                operation,
                "it is not inside of what is changed",
            ));
        }
        self.erased.borrow_mut().push(operation);
        Ok(())
    }

    /// Whether an operation, or one that it is in, is erased at the end.
    pub fn is_erased(&self, operation: OperationRef<'c, 'e>) -> bool {
        let erased = self.erased.borrow();
        erased
            .iter()
            .any(|other| tree::is_within(operation, *other))
    }

    /// Has all that use the results of an operation use other values, and the operation erased at the end.
    ///
    /// # Errors
    ///
    /// As [`Self::erase`], and if there are not as many values as results, or a value is of another module.
    pub fn replace(
        &self,
        operation: OperationRef<'c, 'e>,
        values: &[Value<'c, 'e>],
    ) -> Result<(), Error> {
        if values.len() != operation.result_count() {
            return Err(tree::error(operation, "it has another number of results"));
        }
        Root::of_operation(operation).expect_values(operation, values)?;
        self.erase(operation)?;
        for (result, value) in results(operation).into_iter().zip(values) {
            result.replace_uses(*value)?;
        }
        Ok(())
    }
}

fn results<'c, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    operation.results().map(Value::from).collect()
}

/// Erases operations, if none is used by what stays.
fn erase(operations: Vec<OperationRef<'_, '_>>) -> Result<(), Error> {
    let marked = operations.iter().map(address).collect::<BTreeSet<_>>();
    let goes = |operation: OperationRef<'_, '_>| {
        marked.contains(&address(&operation))
            || operation
                .ancestors()
                .any(|one| marked.contains(&address(&one)))
    };
    let mut seen = BTreeSet::new();
    let outermost = operations.into_iter().filter(|operation| {
        seen.insert(address(operation)) && !operation.parent_operation().is_some_and(goes)
    });
    let outermost = outermost.collect::<Vec<_>>();

    for root in &outermost {
        for operation in std::iter::once(*root).chain(root.descendants()) {
            expect_unused(operation, goes)?;
        }
    }
    // They may use each other, in any order.
    for root in &outermost {
        for operation in std::iter::once(*root).chain(root.descendants()) {
            raw::set_operands(operation, &[]);
        }
    }
    for operation in outermost {
        raw::erase(operation);
    }
    Ok(())
}

fn address(operation: &OperationRef<'_, '_>) -> usize {
    operation.to_raw().ptr.addr()
}

/// Refuses to erase an operation if something that stays uses its results, or the blocks and arguments inside of it.
fn expect_unused<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    goes: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Result<(), Error> {
    let is_free = |value: Value<'c, 'a>| raw::uses(value).iter().all(|(user, _)| goes(*user));
    if !results(operation).into_iter().all(is_free) {
        return Err(tree::error(operation, "what it computes is still used"));
    }
    for block in operation.regions().flat_map(RegionExt::blocks) {
        let is_left = !block.arguments().into_iter().all(is_free)
            || (0..block.predecessor_count()).any(|index| {
                let predecessor = block.predecessor(index).ok();
                let parent = predecessor.and_then(|block| block.parent_operation());
                !parent.is_some_and(&goes)
            });
        if is_left {
            return Err(tree::error(operation, "what is inside of it is still used"));
        }
    }
    Ok(())
}
