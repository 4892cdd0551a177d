//! Sizes that are known at the call only, as values of the program.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    fill, global, opaque, types,
    vm::Vm,
};
use iree_abi::{DType, Dim, Extent, ExtentArithmetic, Shape, TensorType, Told};
use iree_dialects::{arith::CmpIPredicate, cf, flow, prelude::*, tensor};
use iree_dsl_ir::{Function, Scalar, op::Size};
use std::{collections::BTreeMap, rc::Rc};

/// What the names in types of a function stand for, as `index` values. They are computed where the function
/// starts, and so can be used everywhere in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes<'c, 'b>(Rc<Named<'c, 'b>>);

type Named<'c, 'b> = BTreeMap<String, Value<'c, 'b>>;

impl<'c, 'b> Sizes<'c, 'b> {
    /// Reads the sizes off the arguments of a function.
    pub(super) fn of(
        function: &Function,
        emitter: &Emitter<'c, 'b>,
        arguments: &[Tensor<'c, 'b>],
    ) -> Result<Self> {
        let mut sizes = BTreeMap::new();
        for told in function.sizes() {
            let argument = arguments.get(told.argument);
            let argument = argument.ok_or(LowerCause::Lost("a parameter"))?;
            let dimension = emitter.size_along(argument, told.axis)?;
            let size = emitter.told_by(&told, dimension, &sizes)?;
            sizes.insert(told.name, size);
        }
        Ok(Self(Rc::new(sizes)))
    }
}

impl<'c, 'b> Emitter<'c, 'b> {
    fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }

    fn index(&self, value: i64) -> Result<Value<'c, 'b>> {
        Vm(self).number(self.index_type(), value)
    }

    /// The size of a tensor along an axis. IREE reads it off signless tensors only.
    fn size_along(&self, operand: &Tensor<'c, 'b>, axis: usize) -> Result<Value<'c, 'b>> {
        let operand = global::cast(self, operand.clone(), &types::stored(&operand.ty))?;
        let operation = tensor::DimOperation::builder(self.context, self.location)
            .source(operand.value)
            .index(self.index(axis as i64)?)
            .append_to(&self.block)?;
        Ok(operation.result()?)
    }

    /// The size that a dimension tells, beside sizes that are told before.
    fn told_by(
        &self,
        told: &Told,
        dimension: Value<'c, 'b>,
        sizes: &Named<'c, 'b>,
    ) -> Result<Value<'c, 'b>> {
        if told.is_plain() {
            return Ok(dimension);
        }
        let mut arithmetic = Arithmetic(self, sizes);
        let offset = told.offset.fold(&mut arithmetic)?;
        let minus_one = arithmetic.constant(-1)?;
        let factor = arithmetic.constant(told.factor)?;
        let negative = arithmetic.product(offset, minus_one)?;
        let multiple = arithmetic.sum(dimension, negative)?;
        arithmetic.quotient(multiple, factor)
    }

    /// The number that an extent stands for, as `index`.
    pub(super) fn extent(&self, extent: &Extent) -> Result<Value<'c, 'b>> {
        extent.fold(&mut Arithmetic(self, &self.sizes.0))
    }

    /// The number that an extent stands for everywhere, in a type of integers.
    pub(super) fn number_of(&self, extent: &Extent, ty: &TensorType) -> Result<Tensor<'c, 'b>> {
        if let Some(number) = extent.known() {
            return self.splat(Scalar::Integer(number), ty);
        }
        let (extent, dtype) = (extent.clone(), ty.dtype);
        let number = lower(self, &Size { extent, dtype })?;
        self.broadcast(&number, &ty.shape, &[])
    }

    fn dim(&self, dim: &Dim) -> Result<Value<'c, 'b>> {
        let extent = dim.extent().ok_or(LowerCause::Lost("a size"))?;
        self.extent(&extent)
    }

    /// The numbers in a tensor of `index`.
    pub(super) fn extents(&self, extents: &[Extent]) -> Result<Value<'c, 'b>> {
        let numbers = extents.iter().map(|extent| self.extent(extent));
        self.indices(&numbers.collect::<Result<Vec<_>>>()?)
    }

    /// The sizes of a shape in a tensor of `index`.
    pub(super) fn shape(&self, shape: &Shape) -> Result<Value<'c, 'b>> {
        let sizes = shape.dims().iter().map(|dim| self.dim(dim));
        self.indices(&sizes.collect::<Result<Vec<_>>>()?)
    }

    /// The same tensor with its sizes, which IREE cannot read off what it does not see through.
    pub(super) fn with_sizes(&self, tensor: Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        if tensor.ty.shape.known().is_some() {
            return Ok(tensor);
        }
        self.tied(&tensor, &self.of_memory(&tensor.ty.shape)?)
    }

    /// The same tensor, which IREE may take for a factor of a product: [`of_memory`](Self::of_memory).
    pub(super) fn as_factor(&self, tensor: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        match are_distinct(&tensor.ty.shape) {
            true => Ok(tensor.clone()),
            false => self.tied(tensor, &self.of_memory(&tensor.ty.shape)?),
        }
    }

    /// The same tensor, with sizes of which IREE cannot tell that they are equal to any other.
    pub(super) fn with_own_sizes(&self, tensor: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        let sizes = self.unknown(&tensor.ty.shape)?.into_iter();
        let sizes = sizes.map(|size| opaque::hidden(self, size));
        self.tied(tensor, &sizes.collect::<Result<Vec<_>>>()?)
    }

    fn tied(&self, tensor: &Tensor<'c, 'b>, sizes: &[Value<'c, 'b>]) -> Result<Tensor<'c, 'b>> {
        global::in_storage(self, tensor, |stored| {
            let value = flow::TensorTieShapeOperation::builder(self.context, self.location)
                .operand(stored.value)
                .dynamic_dims(sizes)
                .result(self.tensor_type(&stored.ty)?)
                .append_to(&self.block)?
                .result()?;
            Ok(Tensor { value, ..stored })
        })
    }

    /// Ends the program with an error, if the sizes of a tensor are not those of its type. What has told
    /// IREE that they are, as [`with_sizes`](Self::with_sizes) does, must not come before or after.
    pub(super) fn require_sizes(&self, tensor: &Tensor<'c, 'b>) -> Result<()> {
        for (axis, dim) in tensor.ty.shape.dims().iter().enumerate() {
            if dim.known().is_some() {
                continue;
            }
            let (size, stated) = (self.size_along(tensor, axis)?, self.dim(dim)?);
            let equal = Vm(self).test(CmpIPredicate::Eq, size, stated)?;
            let message = format!("the size of axis {axis} is not {dim}");
            let assertion = cf::assert(self.context, equal, &message, self.location)?;
            self.block.append_operation(assertion);
        }
        Ok(())
    }

    /// Ends the program with an error, if a window does not fit into what it is a part of.
    pub(super) fn require_window(&self, whole: &Shape, window: &Shape) -> Result<()> {
        for (size, part) in whole.dims().iter().zip(window.dims()) {
            let room = size.extent().zip(part.extent());
            let room = room.and_then(|(size, part)| size.minus(&part));
            let room = room.ok_or(LowerCause::Lost("a size"))?;
            if room.is_never_negative() {
                continue;
            }
            let (room, none) = (self.extent(&room)?, self.index(0)?);
            let fits = Vm(self).test(CmpIPredicate::Sge, room, none)?;
            let message = format!("there is no part of size {part} along an axis of size {size}");
            let assertion = cf::assert(self.context, fits, &message, self.location)?;
            self.block.append_operation(assertion);
        }
        Ok(())
    }

    /// Those sizes of a shape that are not known while building.
    pub(super) fn unknown(&self, shape: &Shape) -> Result<Vec<Value<'c, 'b>>> {
        unknown(shape).map(|dim| self.dim(dim)).collect()
    }

    /// The same of a tensor that is in memory. From the third size on, IREE is not told that sizes are equal; if the first two are, and
    /// there is a third, from the second on.
    ///
    /// With data tiling, IREE packs factors of products by dispatches whose workload is their sizes. Where it takes
    /// one of two equal sizes away, IREE 3.13 computes the number of workgroups with the first of all in place of the one it took
    /// away. That is right where there are two, and too few to pack all of the tensor otherwise.
    /// Defect `equal-sizes-are-packed-in-part`.
    pub(super) fn of_memory(&self, shape: &Shape) -> Result<Vec<Value<'c, 'b>>> {
        let mut dims = unknown(shape);
        let are_equal = dims.next() == dims.next();
        let first_hidden = match are_equal && !are_distinct(shape) {
            true => 1,
            false => DISTINCT,
        };
        let sizes = self.unknown(shape)?.into_iter().enumerate();
        let sizes = sizes.map(|(index, size)| match index < first_hidden {
            true => Ok(size),
            false => opaque::hidden(self, size),
        });
        sizes.collect()
    }

    fn indices(&self, numbers: &[Value<'c, 'b>]) -> Result<Value<'c, 'b>> {
        let ty = [Some(numbers.len() as u64)];
        let ty = iree_dialects::types::tensor(&ty, self.index_type(), self.location)?;
        let operation = tensor::FromElementsOperation::builder(self.context, self.location)
            .elements(numbers)
            .result(ty)
            .append_to(&self.block)?;
        Ok(operation.result()?)
    }

    /// A scalar `i32` of the program as `index`, not less than 0 and not more than `most`.
    pub(super) fn place(
        &self,
        place: &Tensor<'c, 'b>,
        most: Value<'c, 'b>,
    ) -> Result<Value<'c, 'b>> {
        let vm = Vm(self);
        let number = vm.read(place.value, IntegerType::new(self.context, 32).into())?;
        let number = vm.cast_index(number, self.index_type())?;
        vm.maximum_signed(vm.minimum_signed(number, most)?, self.index(0)?)
    }
}

/// How many sizes of a tensor IREE may tell to be equal.
const DISTINCT: usize = 2;

/// Whether IREE may tell all sizes of a tensor to be equal.
pub(super) fn are_distinct(shape: &Shape) -> bool {
    unknown(shape).count() <= DISTINCT
}

/// The dimensions that are not known while building.
pub(super) fn unknown(shape: &Shape) -> impl Iterator<Item = &Dim> {
    let dims = shape.dims().iter();
    dims.filter(|dim| dim.known().is_none())
}

/// Lowers a number computed from sizes to a scalar.
///
/// It is filled in: of `tensor.from_elements` IREE 3.13 makes a number of the host, and of what is computed with it too, for which
/// it waits for the device, and refuses `f16` and `bf16`.
/// Defect `number-of-16-bits-is-computed-on-the-host`.
pub(super) fn lower<'c, 'b>(emitter: &Emitter<'c, 'b>, size: &Size) -> Result<Tensor<'c, 'b>> {
    let signless = match size.dtype.is_integer() {
        true => types::stored(&TensorType::new(size.dtype, [])),
        false => TensorType::new(DType::I64, []),
    };
    let bits = 8 * signless.dtype.size() as u32;
    let number = emitter.extent(&size.extent)?;
    let number = Vm(emitter).cast_index(number, IntegerType::new(emitter.context, bits).into())?;
    let scalar = fill::with(emitter, number, &signless)?;
    match size.dtype.is_integer() {
        true => global::cast(emitter, scalar, &TensorType::new(size.dtype, [])),
        false => super::convert::lower(emitter, size.dtype, &scalar),
    }
}

/// Computes with `index` values, and those that names stand for.
struct Arithmetic<'e, 'c, 'b>(&'e Emitter<'c, 'b>, &'e Named<'c, 'b>);

impl<'c, 'b> ExtentArithmetic for Arithmetic<'_, 'c, 'b> {
    type Number = Value<'c, 'b>;
    type Error = LowerCause;

    fn constant(&mut self, value: i128) -> Result<Self::Number> {
        // No call gets here whose tensors have sizes beyond that.
        let nearest = value.clamp(i64::MIN.into(), i64::MAX.into());
        self.0.index(nearest as i64)
    }

    fn name(&mut self, name: &str) -> Result<Self::Number> {
        let size = self.1.get(name).copied();
        size.ok_or(LowerCause::Lost("a size"))
    }

    fn sum(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number> {
        Vm(self.0).add(a, b)
    }

    fn product(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number> {
        Vm(self.0).multiply(a, b)
    }

    fn quotient(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number> {
        Vm(self.0).divide_floor(a, b)
    }
}
