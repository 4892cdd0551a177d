//! Iterators and walks over what operations consist of.
//!
//! All of them may go on while operations are inserted, moved or changed. What is inserted right behind the operation that an
//! iterator has just given is not visited by it. Nothing is erased while references are alive: see [`edit`](crate::edit()).

use std::collections::BTreeSet;

use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, Value,
    operation::{OperationLike, WalkOrder, WalkResult},
};

use crate::{
    Error, OperationView, raw,
    tree::{self, Root, Source},
};

/// What can be asked of an operation besides what melior offers.
///
/// # Examples
///
/// ```
/// use iree_dialects::{func, parse, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let module = parse(
///     &context,
///     "module @outer {
///         module @inner { func.func @hidden() { return } }
///         func.func @shown() { return }
///     }",
/// )?;
///
/// let all = module.as_operation().descendants();
/// assert_eq!(all.filter_map(|one| one.cast::<func::FuncOperation>()).count(), 2);
///
/// let mut shown = vec![];
/// module.as_operation().walk_in(WalkOrder::PreOrder, |operation| {
///     if let Some(function) = operation.cast::<func::FuncOperation>() {
///         shown.extend(function.sym_name().map(attributes::string));
///     }
///     let is_inner = operation.ancestors().count() == 1 && operation.dialect() == "builtin";
///     if is_inner { WalkResult::Skip } else { WalkResult::Advance }
/// });
/// assert_eq!(shown, ["shown"]);
/// # Ok(())
/// # }
/// ```
pub trait OperationExt<'c: 'a, 'a>: Copy {
    /// The view of an operation, if it is that operation.
    fn cast<V: OperationView<'c, 'a>>(self) -> Option<V>;

    /// The namespace of its dialect.
    fn dialect(self) -> String;

    /// The operations in its regions and in theirs, each before those inside of it.
    fn descendants(self) -> Descendants<'c, 'a>;

    /// The operation that it is in, the operation which that is in, and so on.
    fn ancestors(self) -> Ancestors<'c, 'a>;

    /// Calls a function with it and with all operations inside of it.
    ///
    /// `Skip` goes on behind what is inside of the operation, which makes a difference in pre-order only. `Interrupt` ends the
    /// walk, and is what is returned then.
    fn walk_in(
        self,
        order: WalkOrder,
        visit: impl FnMut(OperationRef<'c, 'a>) -> WalkResult,
    ) -> WalkResult;

    /// Moves it in front of another operation.
    ///
    /// # Errors
    ///
    /// [`Error::Edit`] if that is inside of it, in another module or in no block.
    fn move_in_front_of(self, other: OperationRef<'c, 'a>) -> Result<(), Error>;

    /// Moves it right behind another operation.
    ///
    /// # Errors
    ///
    /// As [`Self::move_in_front_of`].
    fn move_behind(self, other: OperationRef<'c, 'a>) -> Result<(), Error>;
}

impl<'c: 'a, 'a> OperationExt<'c, 'a> for OperationRef<'c, 'a> {
    fn cast<V: OperationView<'c, 'a>>(self) -> Option<V> {
        V::try_from(self).ok()
    }

    fn dialect(self) -> String {
        let name = crate::support::name(self);
        match name.split_once('.') {
            Some((dialect, _)) => dialect.to_owned(),
            None => name,
        }
    }

    fn descendants(self) -> Descendants<'c, 'a> {
        Descendants(vec![Inside::new(self)])
    }

    fn ancestors(self) -> Ancestors<'c, 'a> {
        Ancestors(self.parent_operation())
    }

    fn walk_in(
        self,
        order: WalkOrder,
        visit: impl FnMut(OperationRef<'c, 'a>) -> WalkResult,
    ) -> WalkResult {
        match order {
            WalkOrder::PreOrder => walk_before(self, visit),
            WalkOrder::PostOrder => walk_behind(self, visit),
        }
    }

    fn move_in_front_of(self, other: OperationRef<'c, 'a>) -> Result<(), Error> {
        expect_movable(self, other)?;
        raw::move_before(self, other);
        Ok(())
    }

    fn move_behind(self, other: OperationRef<'c, 'a>) -> Result<(), Error> {
        expect_movable(self, other)?;
        raw::move_after(self, other);
        Ok(())
    }
}

fn expect_movable(operation: OperationRef<'_, '_>, to: OperationRef<'_, '_>) -> Result<(), Error> {
    if tree::is_within(to, operation) {
        Err(tree::error(operation, "it would be inside of itself"))
    } else if Root::of_operation(to) != Root::of_operation(operation) {
        Err(tree::error(operation, "it would be in another module"))
    } else if to.block().is_none() || operation.block().is_none() {
        Err(tree::error(to, "it is in no block"))
    } else {
        Ok(())
    }
}

fn walk_before<'c, 'a>(
    root: OperationRef<'c, 'a>,
    mut visit: impl FnMut(OperationRef<'c, 'a>) -> WalkResult,
) -> WalkResult {
    let mut stack = vec![];
    let mut next = Some(root);
    while let Some(operation) = next {
        match visit(operation) {
            WalkResult::Advance => stack.push(Inside::new(operation)),
            WalkResult::Skip => {}
            WalkResult::Interrupt => return WalkResult::Interrupt,
        }
        next = next_inside(&mut stack);
    }
    WalkResult::Advance
}

/// The next operation of the innermost level that has one.
fn next_inside<'c, 'a>(stack: &mut Vec<Inside<'c, 'a>>) -> Option<OperationRef<'c, 'a>> {
    while let Some(inside) = stack.last_mut() {
        match inside.next() {
            Some(operation) => return Some(operation),
            None => _ = stack.pop(),
        }
    }
    None
}

fn walk_behind<'c, 'a>(
    root: OperationRef<'c, 'a>,
    mut visit: impl FnMut(OperationRef<'c, 'a>) -> WalkResult,
) -> WalkResult {
    let mut stack = vec![Inside::new(root)];
    while let Some(inside) = stack.last_mut() {
        let operation = inside.operation;
        match inside.next() {
            Some(operation) => stack.push(Inside::new(operation)),
            None => {
                stack.pop();
                if visit(operation) == WalkResult::Interrupt {
                    return WalkResult::Interrupt;
                }
            }
        }
    }
    WalkResult::Advance
}

/// The operations in the regions of an operation, without those inside of them.
#[derive(Clone, Debug)]
struct Inside<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    /// The regions that were begun.
    regions: usize,
    blocks: Blocks<'c, 'a>,
    operations: Operations<'c, 'a>,
}

impl<'c, 'a> Inside<'c, 'a> {
    fn new(operation: OperationRef<'c, 'a>) -> Self {
        Self {
            operation,
            regions: 0,
            blocks: Blocks(None),
            operations: Operations(None),
        }
    }
}

impl<'c, 'a> Iterator for Inside<'c, 'a> {
    type Item = OperationRef<'c, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(operation) = self.operations.next() {
                return Some(operation);
            }
            if let Some(block) = self.blocks.next() {
                self.operations = block.operations();
            } else if self.regions < self.operation.region_count() {
                self.blocks = self.operation.region(self.regions).ok()?.blocks();
                self.regions += 1;
            } else {
                return None;
            }
        }
    }
}

/// The operations inside of an operation.
#[derive(Clone, Debug)]
pub struct Descendants<'c, 'a>(Vec<Inside<'c, 'a>>);

impl<'c, 'a> Iterator for Descendants<'c, 'a> {
    type Item = OperationRef<'c, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let operation = next_inside(&mut self.0)?;
        self.0.push(Inside::new(operation));
        Some(operation)
    }
}

/// The operations that an operation is in.
#[derive(Clone, Debug)]
pub struct Ancestors<'c, 'a>(Option<OperationRef<'c, 'a>>);

impl<'c, 'a> Iterator for Ancestors<'c, 'a> {
    type Item = OperationRef<'c, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let operation = self.0?;
        self.0 = operation.parent_operation();
        Some(operation)
    }
}

/// What can be asked of a region besides what melior offers.
pub trait RegionExt<'c: 'a, 'a>: Copy {
    /// Its blocks.
    fn blocks(self) -> Blocks<'c, 'a>;
}

impl<'c: 'a, 'a> RegionExt<'c, 'a> for RegionRef<'c, 'a> {
    fn blocks(self) -> Blocks<'c, 'a> {
        Blocks(self.first_block())
    }
}

/// The blocks of a region.
#[derive(Clone, Debug)]
pub struct Blocks<'c, 'a>(Option<BlockRef<'c, 'a>>);

impl<'c, 'a> Iterator for Blocks<'c, 'a> {
    type Item = BlockRef<'c, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let block = self.0?;
        self.0 = block.next_in_region();
        Some(block)
    }
}

/// What can be asked of a block besides what melior offers.
pub trait BlockExt<'c: 'a, 'a>: Copy {
    /// Its operations, without those inside of them.
    fn operations(self) -> Operations<'c, 'a>;

    /// Its arguments.
    fn arguments(self) -> Vec<Value<'c, 'a>>;
}

impl<'c: 'a, 'a> BlockExt<'c, 'a> for BlockRef<'c, 'a> {
    fn operations(self) -> Operations<'c, 'a> {
        Operations(self.first_operation())
    }

    fn arguments(self) -> Vec<Value<'c, 'a>> {
        let arguments = (0..self.argument_count()).filter_map(|index| self.argument(index).ok());
        arguments.map(Value::from).collect()
    }
}

/// The operations of a block.
#[derive(Clone, Debug)]
pub struct Operations<'c, 'a>(Option<OperationRef<'c, 'a>>);

impl<'c, 'a> Iterator for Operations<'c, 'a> {
    type Item = OperationRef<'c, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let operation = self.0?;
        self.0 = operation.next_in_block();
        Some(operation)
    }
}

/// A use of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use<'c, 'a> {
    /// The operation that has the value as an operand.
    pub user: OperationRef<'c, 'a>,
    /// Which operand it is.
    pub operand: usize,
}

/// What can be asked of a value besides what melior offers.
///
/// # Examples
///
/// ```
/// use iree_dialects::{arith, parse, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let module = parse(
///     &context,
///     "func.func @f(%a: f32, %b: f32) -> f32 {
///         %0 = arith.mulf %a, %a : f32
///         return %0 : f32
///     }",
/// )?;
/// let mul = module.as_operation().descendants().find_map(|one| one.cast::<arith::MulfOperation>());
/// let mul = mul.ok_or("a product")?;
/// let (a, block) = (mul.lhs()?, mul.as_operation().block().ok_or("a block")?);
/// assert_eq!(a.uses().len(), 2);
/// assert_eq!(a.users(), [mul.as_operation()]);
/// assert_eq!((a.defining_block(), a.defining_operation()), (Some(block), None));
///
/// a.replace_uses(block.argument(1)?.into())?;
/// assert!(a.uses().is_empty());
/// # Ok(())
/// # }
/// ```
pub trait ValueExt<'c: 'a, 'a>: Copy {
    /// The operation that it is a result of, if it is one.
    fn defining_operation(self) -> Option<OperationRef<'c, 'a>>;

    /// The block that it is an argument of, if it is one.
    fn defining_block(self) -> Option<BlockRef<'c, 'a>>;

    /// Its uses at this moment.
    fn uses(self) -> Vec<Use<'c, 'a>>;

    /// The operations that use it at this moment, each once.
    fn users(self) -> Vec<OperationRef<'c, 'a>>;

    /// Has all that use it use another value.
    ///
    /// # Errors
    ///
    /// [`Error::Edit`] if the value is of another module.
    fn replace_uses(self, other: Value<'c, 'a>) -> Result<(), Error>;
}

impl<'c: 'a, 'a> ValueExt<'c, 'a> for Value<'c, 'a> {
    fn defining_operation(self) -> Option<OperationRef<'c, 'a>> {
        match raw::source(self) {
            Source::Operation(operation) => Some(operation),
            Source::Block(_) => None,
        }
    }

    fn defining_block(self) -> Option<BlockRef<'c, 'a>> {
        match raw::source(self) {
            Source::Operation(_) => None,
            Source::Block(block) => Some(block),
        }
    }

    fn uses(self) -> Vec<Use<'c, 'a>> {
        let uses = raw::uses(self).into_iter();
        uses.map(|(user, operand)| Use { user, operand }).collect()
    }

    fn users(self) -> Vec<OperationRef<'c, 'a>> {
        let mut seen = BTreeSet::new();
        let uses = raw::uses(self).into_iter().map(|(user, _)| user);
        uses.filter(|user| seen.insert(user.to_raw().ptr.addr()))
            .collect()
    }

    fn replace_uses(self, other: Value<'c, 'a>) -> Result<(), Error> {
        // MLIR would replace for ever.
        if self == other {
            return Ok(());
        }
        if let Some((user, _)) = raw::uses(self).first() {
            Root::of_value(self).expect_values(*user, &[other])?;
        }
        raw::replace_uses(self, other);
        Ok(())
    }
}
