//! StableHLO operations on values whose types are known: what the families are lowered with.

use super::{constant, error::LowerCause, fill, global, opaque, repeat, sizes::Sizes, types};
use iree_abi::{DType, DTypeClass, Shape, TensorType};
use iree_dialects::{
    flow, math,
    prelude::*,
    stablehlo::{self, ComparisonDirection, ComparisonType},
};
use iree_dsl_ir::{Constant, ConstantData, Scalar};
use std::cell::Cell;

pub(super) type Result<T, E = LowerCause> = std::result::Result<T, E>;

/// A value and its type.
#[derive(Clone, Debug)]
pub(super) struct Tensor<'c, 'b> {
    pub(super) value: Value<'c, 'b>,
    pub(super) ty: TensorType,
}

impl Tensor<'_, '_> {
    pub(super) fn dtype(&self) -> DType {
        self.ty.dtype
    }
}

/// Appends operations to a block.
#[derive(Clone)]
pub(super) struct Emitter<'c, 'b> {
    pub(super) context: &'c Context,
    pub(super) block: BlockRef<'c, 'b>,
    pub(super) location: Location<'c>,
    pub(super) sizes: Sizes<'c, 'b>,
    /// Whether the block is inside of a dispatch, where nothing is hidden from IREE, and nothing kept apart.
    pub(super) is_contained: bool,
}

/// Defines methods for operations of two operands of one type, which is that of the result.
macro_rules! binary {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(
            &self,
            lhs: &Tensor<'c, 'b>,
            rhs: &Tensor<'c, 'b>,
        ) -> Result<Tensor<'c, 'b>> {
            let value = stablehlo::$operation::builder(self.context, self.location)
                .lhs(lhs.value)
                .rhs(rhs.value)
                .append_to(&self.block)?
                .result()?;
            Ok(Tensor { value, ty: lhs.ty.clone() })
        })+
    };
}

/// Defines methods for operations of one operand, whose type is that of the result.
macro_rules! unary {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(&self, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
            let value = stablehlo::$operation::builder(self.context, self.location)
                .operand(operand.value)
                .append_to(&self.block)?
                .result()?;
            Ok(Tensor { value, ty: operand.ty.clone() })
        })+
    };
}

/// Defines methods for operations of one operand, with a result of another element type.
macro_rules! retyped {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(
            &self,
            operand: &Tensor<'c, 'b>,
            dtype: DType,
        ) -> Result<Tensor<'c, 'b>> {
            let ty = types::with_dtype(&operand.ty, dtype);
            let value = stablehlo::$operation::builder(self.context, self.location)
                .operand(operand.value)
                .result(self.tensor_type(&ty)?)
                .append_to(&self.block)?
                .result()?;
            Ok(Tensor { value, ty })
        })+
    };
}

impl<'c, 'b> Emitter<'c, 'b> {
    binary! {
        add: AddOperation,
        and: AndOperation,
        divide: DivideOperation,
        maximum: MaximumOperation,
        minimum: MinimumOperation,
        multiply: MultiplyOperation,
        or: OrOperation,
        remainder: RemainderOperation,
        shift_left: ShiftLeftOperation,
        shift_right_arithmetic: ShiftRightArithmeticOperation,
        shift_right_logical: ShiftRightLogicalOperation,
        subtract_as_is: SubtractOperation,
        xor: XorOperation,
    }

    unary! {
        count_leading_zeros: CountLeadingZerosOperation,
        exponential: ExponentialOperation,
        exponential_minus_one: ExponentialMinusOneOperation,
        log: LogOperation,
        log_plus_one: LogPlusOneOperation,
        logistic: LogisticOperation,
        negate: NegateOperation,
        not: NotOperation,
        population_count: PopcntOperation,
        sqrt: SqrtOperation,
        tanh: TanhOperation,
    }

    retyped! {
        abs_as: AbsOperation,
        bitcast_convert: BitcastConvertOperation,
        convert: ConvertOperation,
        imag_as: ImagOperation,
        real_as: RealOperation,
    }

    /// The error function.
    pub(super) fn erf(&self, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        let value = math::ErfOperation::builder(self.context, self.location)
            .operand(operand.value)
            .append_to(&self.block)?
            .result()?;
        let ty = operand.ty.clone();
        Ok(Tensor { value, ty })
    }

    pub(super) fn tensor_type(&self, ty: &TensorType) -> Result<Type<'c>> {
        types::tensor(self.context, ty, self.location)
    }

    /// Of integers whose number is not known, the sum with the negative, which is the same instruction: IREE 3.13
    /// makes a constant of the difference of one and the same, which it has none of with sizes that it does not
    /// know.
    /// Defect `difference-of-itself`.
    pub(super) fn subtract(
        &self,
        lhs: &Tensor<'c, 'b>,
        rhs: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        match lhs.ty.shape.known().is_none() && lhs.dtype().is_integer() {
            true => self.add(lhs, &self.negate(rhs)?),
            false => self.subtract_as_is(lhs, rhs),
        }
    }

    pub(super) fn abs(&self, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        self.abs_as(operand, operand.dtype().real())
    }

    pub(super) fn real(&self, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        self.real_as(operand, operand.dtype().real())
    }

    pub(super) fn imag(&self, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        self.imag_as(operand, operand.dtype().real())
    }

    /// A complex number of a type from its real and imaginary part.
    pub(super) fn complex(
        &self,
        re: &Tensor<'c, 'b>,
        im: &Tensor<'c, 'b>,
        dtype: DType,
    ) -> Result<Tensor<'c, 'b>> {
        let ty = types::with_dtype(&re.ty, dtype);
        let value = stablehlo::ComplexOperation::builder(self.context, self.location)
            .lhs(re.value)
            .rhs(im.value)
            .result(self.tensor_type(&ty)?)
            .append_to(&self.block)?
            .result()?;
        Ok(Tensor { value, ty })
    }

    pub(super) fn constant(&self, constant: &Constant) -> Result<Tensor<'c, 'b>> {
        if let Some((re, im)) = constant::parts(constant) {
            let (re, im) = (self.plain(&re)?, self.plain(&im)?);
            // IREE 3.13 takes one complex number that it computes while compiling for another.
            let re = match constant.ty.shape == Shape::default() {
                true => opaque::barrier(self, &re)?,
                false => re,
            };
            return self.complex(&re, &im, constant.ty.dtype);
        }
        self.plain(constant)
    }

    fn plain(&self, constant: &Constant) -> Result<Tensor<'c, 'b>> {
        let elements = constant::attribute(self.context, constant, self.location)?;
        let elements = DenseElementsAttribute::try_from(elements);
        let ty = constant.ty.clone();
        let value = stablehlo::ConstantOperation::builder(self.context, self.location)
            .value(elements.map_err(|_| LowerCause::Lost("the elements of a constant"))?)
            .result(self.tensor_type(&ty)?)
            .append_to(&self.block)?
            .result()?;
        Ok(Tensor { value, ty })
    }

    /// A tensor without elements.
    pub(super) fn empty(&self, ty: &TensorType) -> Result<Tensor<'c, 'b>> {
        if ty.shape.known().is_none() {
            return self.splat(Scalar::zero(ty.dtype), ty);
        }
        self.plain(&Constant {
            ty: ty.clone(),
            data: ConstantData::Dense(Vec::new()),
        })
    }

    /// The same number everywhere.
    pub(super) fn splat(&self, number: Scalar, ty: &TensorType) -> Result<Tensor<'c, 'b>> {
        let bytes = number.encode(ty.dtype);
        let bytes = bytes.map_err(|_| LowerCause::Lost("a number outside its type"))?;
        self.filled(&bytes, ty)
    }

    /// The same number everywhere, from its bytes.
    pub(super) fn filled(&self, bytes: &[u8], ty: &TensorType) -> Result<Tensor<'c, 'b>> {
        if ty.shape.known().is_none() && !ty.dtype.is_complex() {
            return fill::constant(self, bytes, ty);
        }
        let number = Constant {
            ty: match ty.shape.known() {
                Some(_) => ty.clone(),
                None => types::scalar(ty.dtype),
            },
            data: ConstantData::Splat(bytes.to_vec()),
        };
        let number = self.constant(&number)?;
        match ty.shape.known() {
            Some(_) => Ok(number),
            None => self.broadcast(&number, &ty.shape, &[]),
        }
    }

    /// The same number everywhere, in the type of another tensor.
    pub(super) fn number(&self, number: f64, like: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        self.splat(Scalar::Float(number), &like.ty)
    }

    pub(super) fn iota(&self, ty: &TensorType, axis: usize) -> Result<Tensor<'c, 'b>> {
        let index_type = IntegerType::new(self.context, 64).into();
        let axis = IntegerAttribute::new(index_type, axis as i64);
        let value = match ty.shape.known() {
            Some(_) => stablehlo::IotaOperation::builder(self.context, self.location)
                .iota_dimension(axis)
                .result(self.tensor_type(ty)?)
                .append_to(&self.block)?
                .result()?,
            None => stablehlo::DynamicIotaOperation::builder(self.context, self.location)
                .output_shape(self.shape(&ty.shape)?)
                .iota_dimension(axis)
                .result(self.tensor_type(ty)?)
                .append_to(&self.block)?
                .result()?,
        };
        let ty = ty.clone();
        Ok(Tensor { value, ty })
    }

    pub(super) fn compare(
        &self,
        direction: ComparisonDirection,
        lhs: &Tensor<'c, 'b>,
        rhs: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let kind = match lhs.dtype().class() {
            DTypeClass::Bool | DTypeClass::Unsigned => ComparisonType::Unsigned,
            DTypeClass::Signed => ComparisonType::Signed,
            DTypeClass::Float | DTypeClass::Complex => ComparisonType::Float,
        };
        let ty = types::with_dtype(&lhs.ty, DType::Bool);
        let compare = stablehlo::CompareOperation::builder(self.context, self.location)
            .lhs(lhs.value)
            .rhs(rhs.value)
            .comparison_direction(direction)
            .result(self.tensor_type(&ty)?);
        let compare = match ty.shape.known() {
            Some(_) => compare.compare_type(kind),
            // The types of the operands say the same. With it, IREE 3.13 makes a constant of a comparison of
            // integers with themselves, which it has none of with sizes that it does not know.
            // Defect `comparison-with-itself`.
            None => compare,
        };
        let value = compare.append_to(&self.block)?.result()?;
        Ok(Tensor { value, ty })
    }

    pub(super) fn select(
        &self,
        mask: &Tensor<'c, 'b>,
        on_true: &Tensor<'c, 'b>,
        on_false: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let value = stablehlo::SelectOperation::builder(self.context, self.location)
            .pred(mask.value)
            .on_true(on_true.value)
            .on_false(on_false.value)
            .append_to(&self.block)?
            .result()?;
        let ty = on_true.ty.clone();
        Ok(Tensor { value, ty })
    }

    pub(super) fn broadcast(
        &self,
        operand: &Tensor<'c, 'b>,
        shape: &Shape,
        axes: &[usize],
    ) -> Result<Tensor<'c, 'b>> {
        let ty = TensorType::new(operand.dtype(), shape.clone());
        let value = match shape.known() {
            Some(_) => stablehlo::BroadcastInDimOperation::builder(self.context, self.location)
                .operand(operand.value)
                .broadcast_dimensions(self.axes(axes))
                .result(self.tensor_type(&ty)?)
                .append_to(&self.block)?
                .result()?,
            None => repeat::to_sizes(self, operand, &ty, axes)?,
        };
        Ok(Tensor { value, ty })
    }

    pub(super) fn reshape(
        &self,
        operand: &Tensor<'c, 'b>,
        shape: &Shape,
    ) -> Result<Tensor<'c, 'b>> {
        let ty = TensorType::new(operand.dtype(), shape.clone());
        let operand_is_known = operand.ty.shape.known().is_some();
        if shape.known().is_none() || !operand_is_known {
            return self.reshape_apart(operand, &ty);
        }
        let value = stablehlo::ReshapeOperation::builder(self.context, self.location)
            .operand(operand.value)
            .result(self.tensor_type(&ty)?)
            .append_to(&self.block)?
            .result()?;
        Ok(Tensor { value, ty })
    }

    /// Reshapes without becoming a part of what computes the operand or uses the result. IREE 3.13 does not take
    /// StableHLO's operation for sizes of the program, and takes its own not of integers without a sign.
    pub(super) fn reshape_apart(
        &self,
        operand: &Tensor<'c, 'b>,
        ty: &TensorType,
    ) -> Result<Tensor<'c, 'b>> {
        let operand = global::cast(self, operand.clone(), &types::stored(&operand.ty))?;
        let stored = types::stored(ty);
        let value = flow::TensorReshapeOperation::builder(self.context, self.location)
            .source(operand.value)
            .source_dims(&self.unknown(&operand.ty.shape)?)
            .result_dims(&self.of_memory(&ty.shape)?)
            .result(self.tensor_type(&stored)?)
            .append_to(&self.block)?
            .result()?;
        global::cast(self, Tensor { value, ty: stored }, ty)
    }

    /// A function of the elements of tensors of one shape.
    pub(super) fn map(
        &self,
        operands: &[&Tensor<'c, 'b>],
        compute: impl for<'x> Fn(&Emitter<'c, 'x>, &[&Tensor<'c, 'x>]) -> Result<Tensor<'c, 'x>>,
    ) -> Result<Tensor<'c, 'b>> {
        let types = operands
            .iter()
            .map(|operand| types::scalar(operand.dtype()));
        let types: Vec<_> = types.collect();
        let dtype = Cell::new(None);
        let body = self.region(&types, |inner, elements| {
            let elements: Vec<_> = elements.iter().collect();
            let result = compute(inner, &elements)?;
            dtype.set(Some(result.dtype()));
            Ok(vec![result])
        })?;
        let (Some(first), Some(dtype)) = (operands.first(), dtype.get()) else {
            return Err(LowerCause::Lost("the type of a function"));
        };
        let ty = types::with_dtype(&first.ty, dtype);
        let values: Vec<_> = operands.iter().map(|operand| operand.value).collect();
        let axes: Vec<_> = (0..ty.shape.rank()).collect();
        let value = stablehlo::MapOperation::builder(self.context, self.location)
            .inputs(&values)
            .dimensions(self.axes(&axes))
            .computation(body)
            .result(self.tensor_type(&ty)?)
            .append_to(&self.block)?
            .result()?;
        Ok(Tensor { value, ty })
    }

    /// Combines the elements along axes, starting from `init`, to a tensor of the type `ty`.
    pub(super) fn reduce(
        &self,
        operand: &Tensor<'c, 'b>,
        init: &Tensor<'c, 'b>,
        axes: &[usize],
        ty: &TensorType,
        combine: impl for<'x> Fn(
            &Emitter<'c, 'x>,
            &Tensor<'c, 'x>,
            &Tensor<'c, 'x>,
        ) -> Result<Tensor<'c, 'x>>,
    ) -> Result<Tensor<'c, 'b>> {
        let results = stablehlo::ReduceOperation::builder(self.context, self.location)
            .inputs(&[operand.value])
            .init_values(&[init.value])
            .dimensions(self.axes(axes))
            .body(self.reducer(&init.ty, combine)?)
            .results(&[self.tensor_type(ty)?])
            .append_to(&self.block)?
            .results()?;
        let value = results.first().copied();
        let value = value.ok_or(LowerCause::Lost("the result of a reduction"))?;
        let ty = ty.clone();
        Ok(Tensor { value, ty })
    }

    /// A region that combines two numbers of a type.
    pub(super) fn reducer(
        &self,
        ty: &TensorType,
        combine: impl for<'x> Fn(
            &Emitter<'c, 'x>,
            &Tensor<'c, 'x>,
            &Tensor<'c, 'x>,
        ) -> Result<Tensor<'c, 'x>>,
    ) -> Result<Region<'c>> {
        self.region(
            &[ty.clone(), ty.clone()],
            |inner, parameters| match parameters {
                [lhs, rhs] => Ok(vec![combine(inner, lhs, rhs)?]),
                _ => Err(LowerCause::Lost("the parameter of a reduction")),
            },
        )
    }

    /// A region with parameters.
    pub(super) fn region(
        &self,
        parameters: &[TensorType],
        body: impl for<'x> Fn(&Emitter<'c, 'x>, &[Tensor<'c, 'x>]) -> Result<Vec<Tensor<'c, 'x>>>,
    ) -> Result<Region<'c>> {
        let types = parameters.iter().map(|ty| self.tensor_type(ty));
        let types = types.collect::<Result<Vec<_>>>()?;
        let arguments: Vec<_> = types.iter().map(|ty| (*ty, self.location)).collect();
        let region = Region::new();
        let block = region.append_block(Block::new(&arguments));
        let inner = Emitter {
            context: self.context,
            block,
            location: self.location,
            sizes: Sizes::default(),
            is_contained: self.is_contained,
        };
        let argument = |(index, ty): (usize, &TensorType)| {
            let value = block.argument(index);
            let value = value.map_err(|_| LowerCause::Lost("the parameter of a region"))?;
            Ok(Tensor {
                value: value.into(),
                ty: ty.clone(),
            })
        };
        let arguments = parameters.iter().enumerate().map(argument);
        let results = body(&inner, &arguments.collect::<Result<Vec<_>>>()?)?;
        let results: Vec<_> = results.iter().map(|result| result.value).collect();
        stablehlo::ReturnOperation::builder(self.context, self.location)
            .results(&results)
            .append_to(&block)?;
        Ok(region)
    }

    /// Axes as an attribute.
    pub(super) fn axes(&self, axes: &[usize]) -> DenseI64ArrayAttribute<'c> {
        let axes: Vec<_> = axes.iter().map(|axis| *axis as i64).collect();
        DenseI64ArrayAttribute::new(self.context, &axes)
    }
}
