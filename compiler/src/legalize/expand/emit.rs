//! Emits operations at the end of a block of a function, those of composites too.

use iree_abi::{DType, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Function, Operation, OperationId, Region, Scalar, SpanId, ValueId,
    op::{Gather, Op},
};
use iree_dsl_library::{self as library, Builder as _, Error, Write};
use iree_dsl_transform::{self as transform, Builder};
use std::cell::RefCell;

/// A value in a formula.
pub(super) type Term<'x> = library::Term<'x, ValueId>;

/// A function with a block that grows.
pub(super) struct Emitter {
    builder: RefCell<Builder>,
}

impl Emitter {
    pub(super) fn new(function: Function) -> Self {
        Self {
            builder: RefCell::new(Builder::new(function, Vec::new())),
        }
    }

    /// The function, whose body is as it was.
    pub(super) fn finish(self) -> Function {
        self.builder.into_inner().finish().0
    }

    /// Starts a block inside of this one.
    pub(super) fn open(&self) {
        self.builder.borrow_mut().open(Vec::new());
    }

    /// Ends the innermost block.
    pub(super) fn close(&self) -> Vec<OperationId> {
        self.builder.borrow_mut().close()
    }

    /// What is emitted from here on comes from this expression.
    pub(super) fn at(&self, span: SpanId) {
        self.builder.borrow_mut().span = span;
    }

    /// Replaces an operation and puts it at the end of the block.
    pub(super) fn push(&self, id: OperationId, operation: Operation) -> Result<(), Error> {
        let mut builder = self.builder.borrow_mut();
        builder.put(id, operation).map_err(error)?;
        builder.push(id);
        Ok(())
    }

    /// Puts operations at the end of the block.
    pub(super) fn append(&self, operations: &[OperationId]) {
        let mut builder = self.builder.borrow_mut();
        operations.iter().for_each(|id| builder.push(*id));
    }

    /// Lends the function so far.
    pub(super) fn with_function<R>(&self, read: impl FnOnce(&Function) -> R) -> R {
        read(self.builder.borrow().function())
    }

    pub(super) fn term(&self, value: ValueId) -> Term<'_> {
        Term::new(self, value)
    }

    /// The index along an axis, as `i32`.
    pub(super) fn iota(&self, shape: &Shape, axis: usize) -> Term<'_> {
        let iota = self.builder.borrow_mut().iota(shape, axis);
        Term::made(self, iota.map_err(error))
    }

    /// A size as an `i32`.
    pub(super) fn size(&self, extent: &Extent) -> Term<'_> {
        let size = self.builder.borrow_mut().place(extent);
        Term::made(self, size.map_err(error))
    }

    /// The elements of a list at places that are in it.
    pub(super) fn take<'x>(&'x self, list: &Term<'x>, places: &Term<'x>) -> Term<'x> {
        let op = Op::Gather(Gather { axes: vec![0] });
        let operands = list.clone().value();
        let operands = operands.and_then(|list| Ok([list, places.clone().value()?]));
        let taken = operands.and_then(|[list, places]| self.emit(op, &[&list, &places]));
        Term::made(self, taken)
    }

    /// One of two, by a truth value.
    pub(super) fn branch<'x>(
        &'x self,
        holds: Term<'x>,
        on_true: impl Fn() -> Term<'x>,
        on_false: impl Fn() -> Term<'x>,
    ) -> Result<Term<'x>, Error> {
        let holds = holds.value()?;
        let regions = vec![
            self.region(&[], &mut |_| Ok(vec![on_true().value()?]))?,
            self.region(&[], &mut |_| Ok(vec![on_false().value()?]))?,
        ];
        let results = self.emit_with_regions(Op::If, &[holds], regions)?;
        let result = results.first().ok_or(Error::Lost("a value"))?;
        Ok(self.term(*result))
    }

    /// A block that takes values of some types.
    fn region(
        &self,
        types: &[TensorType],
        write: Write<'_, ValueId, Vec<ValueId>>,
    ) -> Result<Region, Error> {
        let value = |ty: &TensorType| self.builder.borrow_mut().value(ty.clone());
        let parameters: Vec<_> = types.iter().map(value).collect();
        self.open();
        let results = write(&parameters);
        let operations = self.close();
        Ok(Region {
            parameters,
            operations,
            results: results?,
        })
    }

    fn emit_with_regions(
        &self,
        op: Op,
        operands: &[ValueId],
        regions: Vec<Region>,
    ) -> Result<Vec<ValueId>, Error> {
        let mut builder = self.builder.borrow_mut();
        builder
            .emit_with_regions(op, operands, regions)
            .map_err(error)
    }
}

impl library::Builder for Emitter {
    type Value = ValueId;

    fn ty(&self, value: &ValueId) -> TensorType {
        let ty = self.builder.borrow().ty(*value);
        ty.unwrap_or_else(|_| TensorType::new(DType::F32, []))
    }

    fn emit(&self, op: Op, operands: &[&ValueId]) -> Result<ValueId, Error> {
        let operands: Vec<_> = operands.iter().map(|value| **value).collect();
        let emitted = self.builder.borrow_mut().emit(op, &operands);
        emitted.map_err(error)
    }

    fn repeat(
        &self,
        first: &[ValueId],
        condition: Write<'_, ValueId, ValueId>,
        body: Write<'_, ValueId, Vec<ValueId>>,
    ) -> Result<Vec<ValueId>, Error> {
        let types = self.builder.borrow().types(first).map_err(error)?;
        let regions = vec![
            self.region(&types, &mut |carried| Ok(vec![condition(carried)?]))?,
            self.region(&types, body)?,
        ];
        self.emit_with_regions(Op::While, first, regions)
    }

    fn splat(&self, number: Scalar, ty: &TensorType) -> Result<ValueId, Error> {
        let splat = self.builder.borrow_mut().splat_of(number, ty);
        splat.map_err(|_| Error::OutOfRange(ty.dtype))
    }

    fn require_order(&self, least: &Extent, most: &Extent) -> bool {
        let more = most.minus(least).and_then(|more| more.known());
        // What calls must bring was required where the operation was traced.
        more.is_none_or(|more| more >= 0)
    }

    fn is_derived(&self) -> bool {
        false
    }
}

fn error(error: transform::Error) -> Error {
    match error {
        transform::Error::Unsound { error, .. } => Error::Refused(error),
        transform::Error::Lost(what) => Error::Lost(what),
        _ => Error::Lost("an operation of an expansion"),
    }
}
