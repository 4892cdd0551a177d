//! Emits operations at the end of a function.

use crate::{
    copy::Values,
    error::{Error, Result},
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData, Function, Operation, OperationId, Region, Scalar, SpanId, Value,
    ValueId,
    op::{
        BinaryOp, Broadcast, CompareOp, Iota, Op, Pad, Reduce, ReduceKind, RegionType, Size,
        UnaryOp,
    },
};
use std::collections::BTreeMap;

/// Puts what stands for values in their place.
fn read_as(ids: &mut [ValueId], values: &Values) {
    for id in ids {
        *id = values.get(id).copied().unwrap_or(*id);
    }
}

/// A function with a block that grows: operations go to its end.
pub struct Builder {
    pub(crate) function: Function,
    /// The expression that operations come from.
    pub span: SpanId,
    block: Block,
    /// The blocks around it, outermost first.
    outer: Vec<Block>,
}

/// A block, and the constants that can be read in it.
#[derive(Default)]
struct Block {
    operations: Vec<OperationId>,
    constants: BTreeMap<(TensorType, Vec<u8>), ValueId>,
}

impl Builder {
    /// Goes on with a block of a function.
    pub fn new(function: Function, operations: Vec<OperationId>) -> Self {
        let span = function.span;
        Self {
            function,
            span,
            block: Block {
                operations,
                constants: BTreeMap::new(),
            },
            outer: Vec::new(),
        }
    }

    /// The function so far.
    pub const fn function(&self) -> &Function {
        &self.function
    }

    /// The function and the block.
    pub fn finish(self) -> (Function, Vec<OperationId>) {
        (self.function, self.block.operations)
    }

    /// Starts a block inside of this one with these operations.
    pub fn open(&mut self, operations: Vec<OperationId>) {
        let constants = self.block.constants.clone();
        let inner = Block {
            operations,
            constants,
        };
        self.outer.push(std::mem::replace(&mut self.block, inner));
    }

    /// Ends the innermost block.
    pub fn close(&mut self) -> Vec<OperationId> {
        let outer = self.outer.pop().unwrap_or_default();
        std::mem::replace(&mut self.block, outer).operations
    }

    /// How many operations the block has.
    pub(crate) fn len(&self) -> usize {
        self.block.operations.len()
    }

    /// The operations of the block that came after so many.
    pub(crate) fn since(&self, count: usize) -> Vec<OperationId> {
        let operations = self.block.operations.get(count..);
        operations.unwrap_or_default().to_vec()
    }

    /// Replaces an operation of the function.
    ///
    /// # Errors
    ///
    /// If the function has no such operation.
    pub fn put(&mut self, id: OperationId, operation: Operation) -> Result<()> {
        let place = self.function.operations.get_mut(id);
        *place.ok_or(Error::Lost("an operation"))? = operation;
        Ok(())
    }

    /// Puts an operation of the function at the end of the block.
    pub fn push(&mut self, id: OperationId) {
        self.block.operations.push(id);
    }

    /// Copies an operation and its regions. It is in no block yet. `values` has what stands for values that it reads, and then
    /// for those that it defines; others are read as they are.
    pub(crate) fn copy(&mut self, id: OperationId, values: &mut Values) -> Result<OperationId> {
        let mut copy = self.operation(id)?;
        read_as(&mut copy.operands, values);
        for region in &mut copy.regions {
            // What is defined in a region is not there behind it, where the same name may stand for something else.
            *region = self.copy_region(region, values.clone())?;
        }
        self.define(&mut copy.results, values)?;
        Ok(self.function.operations.push(copy))
    }

    /// Copies a region.
    pub(crate) fn copy_region(&mut self, region: &Region, mut values: Values) -> Result<Region> {
        let mut copy = region.clone();
        self.define(&mut copy.parameters, &mut values)?;
        for inner in &mut copy.operations {
            *inner = self.copy(*inner, &mut values)?;
        }
        read_as(&mut copy.results, &values);
        Ok(copy)
    }

    /// Puts new values in the place of some.
    fn define(&mut self, ids: &mut [ValueId], values: &mut Values) -> Result<()> {
        for id in ids {
            let new = self.ty(*id).map(|ty| self.value(ty))?;
            values.insert(*id, new);
            *id = new;
        }
        Ok(())
    }

    /// A value that nothing defines yet.
    pub fn value(&mut self, ty: TensorType) -> ValueId {
        self.function.values.push(Value { ty })
    }

    pub(crate) fn operation(&self, id: OperationId) -> Result<Operation> {
        let operation = self.function.operations.get(id).cloned();
        operation.ok_or(Error::Lost("an operation"))
    }

    /// The type of a value.
    ///
    /// # Errors
    ///
    /// If the function has no such value.
    pub fn ty(&self, value: ValueId) -> Result<TensorType> {
        let ty = self.function.ty(value).cloned();
        ty.ok_or(Error::Lost("the type of a value"))
    }

    pub(crate) fn shape(&self, value: ValueId) -> Result<Shape> {
        Ok(self.ty(value)?.shape)
    }

    /// Appends an operation with one result.
    ///
    /// # Errors
    ///
    /// If it refuses its operands, or has more results.
    pub fn emit(&mut self, op: Op, operands: &[ValueId]) -> Result<ValueId> {
        let results = self.emit_with_regions(op, operands, Vec::new())?;
        let [result] = <[ValueId; 1]>::try_from(results).map_err(|_| Error::Lost("one result"))?;
        Ok(result)
    }

    /// Appends an operation that runs regions.
    ///
    /// # Errors
    ///
    /// If it refuses its operands or regions.
    pub fn emit_with_regions(
        &mut self,
        op: Op,
        operands: &[ValueId],
        regions: Vec<Region>,
    ) -> Result<Vec<ValueId>> {
        let types = self.types(operands)?;
        let mut inner = Vec::with_capacity(regions.len());
        for region in &regions {
            inner.push(RegionType {
                parameters: self.types(&region.parameters)?,
                results: self.types(&region.results)?,
            });
        }
        let results = op.infer(&types, &inner).map_err(|error| Error::Unsound {
            operation: op.name(),
            error,
            span: self.span,
        })?;
        let results: Vec<_> = results.into_iter().map(|ty| self.value(ty)).collect();
        let id = self.function.operations.push(Operation {
            op,
            operands: operands.to_vec(),
            results: results.clone(),
            regions,
            span: self.span,
        });
        self.push(id);
        Ok(results)
    }

    /// The types of values.
    ///
    /// # Errors
    ///
    /// If the function has no such value.
    pub fn types(&self, values: &[ValueId]) -> Result<Vec<TensorType>> {
        let types = self.function.types(values);
        types.ok_or(Error::Lost("the type of a value"))
    }

    /// The number everywhere, written in the element type: not 0 is true, and integers lose what is behind the point.
    pub(crate) fn splat(&mut self, number: f64, ty: &TensorType) -> Result<ValueId> {
        let scalar = match ty.dtype {
            DType::Bool => Scalar::Bool(number != 0.0),
            dtype if dtype.is_integer() => Scalar::Integer(number as i128),
            _ => Scalar::Float(number),
        };
        self.splat_of(scalar, ty)
    }

    /// The same number everywhere.
    ///
    /// # Errors
    ///
    /// If the element type does not have it.
    pub fn splat_of(&mut self, scalar: Scalar, ty: &TensorType) -> Result<ValueId> {
        let bytes = scalar.encode(ty.dtype);
        let bytes = bytes.map_err(|_| Error::Lost("a number of an element type"))?;
        if ty.shape.known().is_some() {
            return self.constant(ty.clone(), bytes);
        }
        let scalar = self.constant(TensorType::new(ty.dtype, []), bytes)?;
        self.broadcast(scalar, &ty.shape, Vec::new())
    }

    fn constant(&mut self, ty: TensorType, bytes: Vec<u8>) -> Result<ValueId> {
        let key = (ty, bytes);
        if let Some(value) = self.block.constants.get(&key) {
            return Ok(*value);
        }
        let (ty, data) = (key.0.clone(), ConstantData::Splat(key.1.clone()));
        let value = self.emit(Op::Constant(Constant { ty, data }), &[])?;
        self.block.constants.insert(key, value);
        Ok(value)
    }

    pub(crate) fn zeros(&mut self, ty: &TensorType) -> Result<ValueId> {
        self.splat(0.0, ty)
    }

    /// A value, or zeros of a type in the place of none.
    pub(crate) fn or_zeros(&mut self, value: Option<ValueId>, ty: &TensorType) -> Result<ValueId> {
        value.map_or_else(|| self.zeros(ty), Ok)
    }

    /// The number everywhere where another value has one, of its type.
    pub(crate) fn splat_like(&mut self, number: f64, like: ValueId) -> Result<ValueId> {
        let ty = self.ty(like)?;
        self.splat(number, &ty)
    }

    /// A number that is known at the call, as an `i32`.
    ///
    /// # Errors
    ///
    /// If `i32` does not have it.
    pub fn place(&mut self, extent: &Extent) -> Result<ValueId> {
        let ty = TensorType::new(DType::I32, []);
        match extent.known() {
            Some(known) => self.splat(known as f64, &ty),
            None => {
                let (extent, dtype) = (extent.clone(), DType::I32);
                self.emit(Op::Size(Size { extent, dtype }), &[])
            }
        }
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, x: ValueId) -> Result<ValueId> {
        self.emit(Op::Unary(op), &[x])
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.emit(Op::Binary(op), &[x, y])
    }

    pub(crate) fn add(&mut self, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.binary(BinaryOp::Add, x, y)
    }

    pub(crate) fn subtract(&mut self, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.binary(BinaryOp::Subtract, x, y)
    }

    pub(crate) fn multiply(&mut self, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.binary(BinaryOp::Multiply, x, y)
    }

    pub(crate) fn divide(&mut self, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.binary(BinaryOp::Divide, x, y)
    }

    pub(crate) fn negate(&mut self, x: ValueId) -> Result<ValueId> {
        self.unary(UnaryOp::Negate, x)
    }

    /// The numbers with the other imaginary parts.
    pub(crate) fn conjugate(&mut self, x: ValueId) -> Result<ValueId> {
        if !self.ty(x)?.dtype.is_complex() {
            return Ok(x);
        }
        let (real, imaginary) = (self.unary(UnaryOp::Real, x)?, self.unary(UnaryOp::Imag, x)?);
        let negative = self.negate(imaginary)?;
        self.binary(BinaryOp::Complex, real, negative)
    }

    /// The value times a number.
    pub(crate) fn times(&mut self, x: ValueId, number: f64) -> Result<ValueId> {
        let number = self.splat_like(number, x)?;
        self.multiply(x, number)
    }

    /// The value plus a number.
    pub(crate) fn plus(&mut self, x: ValueId, number: f64) -> Result<ValueId> {
        let number = self.splat_like(number, x)?;
        self.add(x, number)
    }

    /// One by the value.
    pub(crate) fn reciprocal(&mut self, x: ValueId) -> Result<ValueId> {
        let one = self.splat_like(1.0, x)?;
        self.divide(one, x)
    }

    pub(crate) fn compare(&mut self, op: CompareOp, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.emit(Op::Compare(op), &[x, y])
    }

    /// Compares with a number.
    pub(crate) fn is(&mut self, x: ValueId, op: CompareOp, number: f64) -> Result<ValueId> {
        let number = self.splat_like(number, x)?;
        self.compare(op, x, number)
    }

    pub(crate) fn select(&mut self, mask: ValueId, x: ValueId, y: ValueId) -> Result<ValueId> {
        self.emit(Op::Select, &[mask, x, y])
    }

    pub(crate) fn convert(&mut self, x: ValueId, dtype: DType) -> Result<ValueId> {
        match self.ty(x)?.dtype == dtype {
            true => Ok(x),
            false => self.emit(Op::Convert(dtype), &[x]),
        }
    }

    pub(crate) fn broadcast(
        &mut self,
        x: ValueId,
        shape: &Shape,
        axes: Vec<usize>,
    ) -> Result<ValueId> {
        if self.ty(x)?.shape == *shape {
            return Ok(x);
        }
        let shape = shape.clone();
        self.emit(Op::Broadcast(Broadcast { shape, axes }), &[x])
    }

    pub(crate) fn reshape(&mut self, x: ValueId, shape: &Shape) -> Result<ValueId> {
        match self.ty(x)?.shape == *shape {
            true => Ok(x),
            false => self.emit(Op::Reshape(shape.clone()), &[x]),
        }
    }

    pub(crate) fn transpose(&mut self, x: ValueId, permutation: Vec<usize>) -> Result<ValueId> {
        match permutation.iter().copied().eq(0..permutation.len()) {
            true => Ok(x),
            false => {
                let op = iree_dsl_ir::op::Transpose { permutation };
                self.emit(Op::Transpose(op), &[x])
            }
        }
    }

    pub(crate) fn reverse(&mut self, x: ValueId, axes: Vec<usize>) -> Result<ValueId> {
        self.emit(Op::Reverse(axes), &[x])
    }

    pub(crate) fn sum(&mut self, x: ValueId, axes: Vec<usize>) -> Result<ValueId> {
        if axes.is_empty() {
            return Ok(x);
        }
        let kind = ReduceKind::Sum;
        self.emit(Op::Reduce(Reduce { kind, axes }), &[x])
    }

    /// New elements around and between those of a tensor.
    pub(crate) fn pad(&mut self, x: ValueId, op: &Pad, number: f64) -> Result<ValueId> {
        let ty = TensorType::new(self.ty(x)?.dtype, []);
        let number = self.splat(number, &ty)?;
        self.emit(Op::Pad(op.clone()), &[x, number])
    }

    /// The place along an axis, as `i32`.
    ///
    /// # Errors
    ///
    /// If the shape has no such axis.
    pub fn iota(&mut self, shape: &Shape, axis: usize) -> Result<ValueId> {
        let ty = TensorType::new(DType::I32, shape.clone());
        self.emit(Op::Iota(Iota { ty, axis }), &[])
    }
}

/// A shape with another first axis.
pub(crate) fn with_first(dim: Dim, shape: &Shape) -> Shape {
    Shape::new([&[dim], shape.dims()].concat())
}
