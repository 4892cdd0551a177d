use super::{
    Lowering, binary, build, compare, contract, control, convert,
    emit::{Emitter, Result, Tensor},
    error::{LowerCause, LowerError},
    fourier,
    fusion::Fusion,
    import, index, math, mlir, observe, opaque, order, pad, placement, reduce, select, shape,
    sizes::{self, Sizes},
    slice,
    storage::Buffers,
    structure, types, unary, window,
};
use crate::{
    ir::{self, Function, FunctionId, Linkage, Operation, OperationId, ValueId},
    op::{Call, Op},
    span::SpanId,
};
use iree_abi::TensorType;
use iree_dialects::{func, prelude::*};
use std::collections::BTreeSet;

/// Appends a function to the module.
pub(super) fn lower<'c>(
    lowering: &Lowering<'_, 'c>,
    id: FunctionId,
    function: &Function,
    module: &BlockRef<'c, '_>,
) -> Result<(), LowerError> {
    let location = lowering.location(function.span);
    let here = |cause: LowerCause| cause.at(function.span);
    let parameters = mlir_types(lowering, function, &function.body.parameters).map_err(here)?;
    let results = mlir_types(lowering, function, &function.body.results).map_err(here)?;
    let arguments: Vec<_> = parameters.iter().map(|ty| (*ty, location)).collect();
    let region = Region::new();
    let block = region.append_block(Block::new(&arguments));

    let arguments = parameters_of(function, &block).map_err(here)?;
    let entry = Emitter {
        context: lowering.context,
        block,
        location,
        sizes: Sizes::default(),
    };
    let sizes = Sizes::of(function, &entry, &arguments).map_err(here)?;
    let entry = Emitter {
        sizes: sizes.clone(),
        ..entry
    };
    let arguments = match function.linkage {
        Linkage::Public => own(lowering, id, &entry, arguments).map_err(here)?,
        Linkage::Private => arguments,
    };
    let mut body = Body::new(lowering, function, block, Calls::Kept, arguments);
    body.sizes = sizes;
    let end = body.run()?;
    let values: Vec<_> = end.results.iter().map(|tensor| tensor.value).collect();
    func::ReturnOperation::builder(lowering.context, location)
        .operands(&values)
        .append_to(&end.block)
        .map_err(|error| here(error.into()))?;

    let visibility = match function.linkage {
        Linkage::Public => "public",
        Linkage::Private => "private",
    };
    let ty = types::function(lowering.context, &parameters, &results);
    let mut builder = func::FuncOperation::builder(lowering.context, location)
        .sym_name(StringAttribute::new(lowering.context, &function.name))
        .sym_visibility(StringAttribute::new(lowering.context, visibility))
        .function_type(TypeAttribute::new(ty))
        .body(region);
    if function.linkage == Linkage::Public
        && let Some(updates) = lowering.updates.reflection(id)
    {
        let updates = attributes::parse(lowering.context, &updates);
        let updates = updates.map_err(|error| here(error.into()))?;
        builder = builder.discardable_attribute("iree.reflection", updates);
    }
    builder
        .append_to(module)
        .map_err(|error| here(error.into()))?;
    Ok(())
}

/// Appends what a function does to a block that is not inside a function, and returns how it ends.
/// Functions that it calls are appended likewise.
pub(super) fn inline<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    function: &Function,
    block: BlockRef<'c, 'b>,
    arguments: Vec<Tensor<'c, 'b>>,
) -> Result<Ending<'c, 'b>, LowerError> {
    Body::new(lowering, function, block, Calls::Inlined, arguments).run()
}

fn parameters_of<'c, 'b>(
    function: &Function,
    block: &BlockRef<'c, 'b>,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let lost = || LowerCause::Lost("a parameter");
    let parameters = function.body.parameters.iter().enumerate();
    let parameter = |(index, id): (usize, &ValueId)| {
        let value = block.argument(index).map_err(|_| lost())?.into();
        let ty = function.ty(*id).ok_or_else(lost)?.clone();
        Ok(Tensor { value, ty })
    };
    parameters.map(parameter).collect()
}

/// The arguments of an exported function, of which some need a buffer of their own. Where IREE would fuse
/// the copy with what reads it, sizes that are not known are [too much](super::fusion).
fn own<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    id: FunctionId,
    entry: &Emitter<'c, 'b>,
    arguments: Vec<Tensor<'c, 'b>>,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let arguments = arguments.into_iter().enumerate();
    let own = |(position, argument)| match lowering.updates.needs_copy(id, position) {
        true => {
            let copy = opaque::identity(entry, &argument)?;
            match copy.ty.shape.known() {
                Some(_) => Ok(copy),
                None => opaque::barrier(entry, &copy),
            }
        }
        false => Ok(argument),
    };
    arguments.map(own).collect()
}

fn mlir_types<'c>(
    lowering: &Lowering<'_, 'c>,
    function: &Function,
    values: &[ValueId],
) -> Result<Vec<Type<'c>>> {
    let location = lowering.location(function.span);
    let types = function.types(values).ok_or(LowerCause::Lost("a type"))?;
    let types = types.iter();
    types
        .map(|ty| types::tensor(lowering.context, ty, location))
        .collect()
}

/// Where a function ends, and with what.
pub(super) struct Ending<'c, 'b> {
    /// The block that is the last.
    pub(super) block: BlockRef<'c, 'b>,
    /// The results.
    pub(super) results: Vec<Tensor<'c, 'b>>,
}

/// What becomes of calls.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    /// They stay calls.
    Kept,
    /// The operations of the callee take their place.
    Inlined,
}

/// The body of a function while it is lowered.
struct Body<'a, 'c, 'b> {
    lowering: &'a Lowering<'a, 'c>,
    function: &'a Function,
    block: BlockRef<'c, 'b>,
    calls: Calls,
    /// What IREE may find to be constant.
    constants: BTreeSet<ValueId>,
    /// What repeats a tensor.
    repetitions: BTreeSet<ValueId>,
    /// What skips elements of a tensor.
    strided: BTreeSet<ValueId>,
    buffers: Buffers<'a>,
    fusion: Fusion,
    /// The sizes that are known at the call only. What runs while the module is loaded has none.
    sizes: Sizes<'c, 'b>,
    /// What the values are in MLIR, by their index.
    values: Vec<Option<Tensor<'c, 'b>>>,
}

impl<'a, 'c, 'b> Body<'a, 'c, 'b> {
    fn new(
        lowering: &'a Lowering<'a, 'c>,
        function: &'a Function,
        block: BlockRef<'c, 'b>,
        calls: Calls,
        arguments: Vec<Tensor<'c, 'b>>,
    ) -> Self {
        let mut body = Self {
            lowering,
            function,
            block,
            calls,
            constants: opaque::constants(function),
            repetitions: opaque::repetitions(function),
            strided: opaque::strided(function),
            buffers: Buffers::of(function),
            fusion: Fusion::of(function),
            sizes: Sizes::default(),
            values: vec![None; function.values.len()],
        };
        body.define_all(&function.body.parameters, &arguments);
        body
    }

    /// Appends everything, and returns the results with the block that is the last.
    fn run(mut self) -> Result<Ending<'c, 'b>, LowerError> {
        let here = |cause: LowerCause| cause.at(self.function.span);
        let start = self.emitter(self.function.span);
        let parameters = &self.function.body.parameters;
        let arguments = self.tensors(parameters).map_err(here)?;
        let arguments = self.separate(&start, parameters, arguments);
        self.define_all(parameters, &arguments.map_err(here)?);
        for id in &self.function.body.operations {
            self.operation(*id)?;
        }
        let results = self.results();
        Ok(Ending {
            block: self.block,
            results: results.map_err(|cause| cause.at(self.function.span))?,
        })
    }

    /// What the function hands back, which the caller may look up elements of.
    fn results(&self) -> Result<Vec<Tensor<'c, 'b>>> {
        let ids = &self.function.body.results;
        let end = self.emitter(self.function.span);
        hidden(&end, ids, self.tensors(ids)?, |id| {
            self.strided.contains(id)
        })
    }

    fn ty(&self, id: ValueId) -> Result<&'a TensorType> {
        self.function.ty(id).ok_or(LowerCause::Lost("a type"))
    }

    fn define(&mut self, id: ValueId, tensor: Tensor<'c, 'b>) {
        if let Some(place) = self.values.get_mut(id.index()) {
            *place = Some(tensor);
        }
    }

    fn define_all(&mut self, ids: &[ValueId], tensors: &[Tensor<'c, 'b>]) {
        for (id, tensor) in ids.iter().zip(tensors) {
            self.define(*id, tensor.clone());
        }
    }

    fn tensors(&self, ids: &[ValueId]) -> Result<Vec<Tensor<'c, 'b>>> {
        let tensor = |id: &ValueId| self.values.get(id.index()).cloned().flatten();
        let tensors: Option<Vec<_>> = ids.iter().map(tensor).collect();
        tensors.ok_or(LowerCause::Lost("a value"))
    }

    fn operation(&mut self, id: OperationId) -> Result<(), LowerError> {
        let operation = self.function.operations.get(id);
        let Some(operation) = operation else {
            return Err(LowerCause::Lost("an operation").at(self.function.span));
        };
        let results = match &operation.op {
            Op::Call(call) if self.calls == Calls::Inlined => self.inlined(operation, call)?,
            Op::If | Op::While => self.branching(id, operation)?,
            _ => {
                let results = self.results_of(id, operation);
                results.map_err(|cause| cause.at(operation.span))?
            }
        };
        let results = self.separate(&self.emitter(operation.span), &operation.results, results);
        let results = results.map_err(|cause| cause.at(operation.span))?;
        self.define_all(&operation.results, &results);
        Ok(())
    }

    /// The same tensors, of which IREE computes some before it uses them.
    fn separate(
        &self,
        emitter: &Emitter<'c, 'b>,
        ids: &[ValueId],
        tensors: Vec<Tensor<'c, 'b>>,
    ) -> Result<Vec<Tensor<'c, 'b>>> {
        hidden(emitter, ids, tensors, |id| self.fusion.is_separate(*id))
    }

    fn inlined(
        &mut self,
        operation: &Operation,
        call: &Call,
    ) -> Result<Vec<Tensor<'c, 'b>>, LowerError> {
        let operands = self.operands(&self.emitter(operation.span), operation);
        let operands = operands.map_err(|cause| cause.at(operation.span))?;
        let callee = self.lowering.module.functions.get(call.callee);
        let lost = || LowerCause::Lost("a function").at(operation.span);
        let callee = callee.ok_or_else(lost)?;
        let end = inline(self.lowering, callee, self.block, operands)?;
        self.block = end.block;
        Ok(end.results)
    }

    /// Lowers an operation with regions: what comes after it goes into another block.
    fn branching(
        &mut self,
        id: OperationId,
        operation: &Operation,
    ) -> Result<Vec<Tensor<'c, 'b>>, LowerError> {
        let [first, second] = operation.regions.as_slice() else {
            return Err(LowerCause::Lost("a region").at(operation.span));
        };
        match operation.op {
            Op::If => self.lower_if(operation, [first, second]),
            _ => self.lower_while(id, operation, [first, second]),
        }
    }

    fn lower_if(
        &mut self,
        operation: &Operation,
        branches: [&ir::Region; 2],
    ) -> Result<Vec<Tensor<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let operands = self.tensors(&operation.operands).map_err(here)?;
        let [condition] = exactly(&operands).map_err(here)?;
        let types = self.function.types(&operation.results);
        let types = types.ok_or(here(LowerCause::Lost("a type")))?;
        let start = self.emitter(operation.span);
        let (then, _) = control::append_block(&start, &[]).map_err(here)?;
        let (otherwise, _) = control::append_block(&start, &[]).map_err(here)?;
        let (end, results) = control::append_block(&start, &types).map_err(here)?;
        control::conditional_branch(&start, condition, [then, otherwise], &[]).map_err(here)?;
        for (block, region) in [then, otherwise].into_iter().zip(branches) {
            self.block = block;
            let handed_back = self.region(region, operation)?;
            let last = self.emitter(operation.span);
            let shared = self.buffers.shared(&region.results);
            let handed_back = self
                .apart(&last, &region.results, handed_back, &shared)
                .map_err(here)?;
            control::branch(&last, end, &handed_back).map_err(here)?;
        }
        self.block = end;
        Ok(results)
    }

    /// Lowers a loop so that the condition is computed before the first round and at the end of each,
    /// which then hands on its tensors once only, to the next round or to what comes after the loop.
    /// IREE 3.13 updates a tensor in place only if it finds no other use of it in another block.
    ///
    /// The last branch asks the opposite of the first. Were both the same, IREE would make one of them, with
    /// each tensor twice among its operands, and its VM would move it to the one and leave the other nothing.
    fn lower_while(
        &mut self,
        id: OperationId,
        operation: &Operation,
        [condition, body]: [&ir::Region; 2],
    ) -> Result<Vec<Tensor<'c, 'b>>, LowerError> {
        let here = |cause: LowerCause| cause.at(operation.span);
        let operands = self.tensors(&operation.operands).map_err(here)?;
        let types: Vec<_> = operands.iter().map(|operand| operand.ty.clone()).collect();
        let start = self.emitter(operation.span);
        let (round, carried) = control::append_block(&start, &types).map_err(here)?;
        let mut shared = self.buffers.shared(&operation.operands);
        shared.extend(self.buffers.needed_otherwise(id, operation));
        let operands = self.apart(&start, &operation.operands, operands, &shared);
        let operands = operands.map_err(here)?.into_iter();
        let operands = operands.map(|operand| placement::pin(&start, &operand));
        let operands = operands.collect::<Result<Vec<_>>>().map_err(here)?;
        let more = self.condition(condition, operation, &operands)?;
        let tested = self.emitter(operation.span);
        let (end, results) = control::append_block(&tested, &types).map_err(here)?;
        control::conditional_branch(&tested, &more, [round, end], &operands).map_err(here)?;
        self.block = round;
        self.define_all(&body.parameters, &carried);
        let next = self.region(body, operation)?;
        let last = self.emitter(operation.span);
        let shared = self.buffers.shared(&body.results);
        let next = self.apart(&last, &body.results, next, &shared);
        let next = next.map_err(here)?;
        let more = self.condition(condition, operation, &next)?;
        let last = self.emitter(operation.span);
        let done = last.not(&more).map_err(here)?;
        control::conditional_branch(&last, &done, [end, round], &next).map_err(here)?;
        self.block = end;
        Ok(results)
    }

    /// Whether a loop that hands on these tensors goes on.
    fn condition(
        &mut self,
        condition: &ir::Region,
        owner: &Operation,
        carried: &[Tensor<'c, 'b>],
    ) -> Result<Tensor<'c, 'b>, LowerError> {
        self.define_all(&condition.parameters, carried);
        let more = self.region(condition, owner)?;
        let [more] = exactly(&more).map_err(|cause| cause.at(owner.span))?;
        Ok(more.clone())
    }

    /// The same tensors, of which those that share a buffer get one of their own.
    fn apart(
        &self,
        emitter: &Emitter<'c, 'b>,
        ids: &[ValueId],
        tensors: Vec<Tensor<'c, 'b>>,
        shared: &BTreeSet<usize>,
    ) -> Result<Vec<Tensor<'c, 'b>>> {
        let several = ids.iter().zip(tensors).enumerate();
        let apart = |(index, (id, tensor)): (usize, (&ValueId, Tensor<'c, 'b>))| {
            if !shared.contains(&index) {
                return Ok(tensor);
            }
            let hidden = match self.constants.contains(id) {
                true => tensor,
                false => opaque::barrier(emitter, &tensor)?,
            };
            opaque::identity(emitter, &hidden)
        };
        several.map(apart).collect()
    }

    /// Appends the operations of a region, and returns what it hands back.
    fn region(
        &mut self,
        region: &ir::Region,
        owner: &Operation,
    ) -> Result<Vec<Tensor<'c, 'b>>, LowerError> {
        for id in &region.operations {
            self.operation(*id)?;
        }
        let results = self.tensors(&region.results);
        results.map_err(|cause| cause.at(owner.span))
    }

    fn emitter(&self, span: SpanId) -> Emitter<'c, 'b> {
        Emitter {
            context: self.lowering.context,
            block: self.block,
            location: self.lowering.location(span),
            sizes: self.sizes.clone(),
        }
    }

    fn result_type(&self, operation: &Operation) -> Result<&'a TensorType> {
        let result = operation.results.first();
        self.ty(*result.ok_or(LowerCause::Lost("a result"))?)
    }

    fn results_of(&self, id: OperationId, operation: &Operation) -> Result<Vec<Tensor<'c, 'b>>> {
        let emitter = self.emitter(operation.span);
        let operands = self.operands(&emitter, operation)?;
        match &operation.op {
            Op::Call(op) => structure::lower_call(self.lowering, &emitter, op, &operands),
            Op::Mlir(op) => mlir::lower(self.lowering, &emitter, op, &operands),
            Op::GlobalStore(op) => {
                let [operand] = exactly(&operands)?;
                let mut stored = operation.operands.iter();
                let is_constant = stored.any(|id| self.constants.contains(id));
                let is_hidden = is_constant || self.buffers.is_shared_store(id);
                structure::lower_store(self.lowering, &emitter, op, operand, is_hidden)?;
                Ok(Vec::new())
            }
            Op::Import(op) => import::lower(&emitter, op, &operands),
            Op::Trace(op) => {
                observe::lower_trace(&emitter, op, &operands)?;
                Ok(Vec::new())
            }
            Op::Assert(op) => {
                let [condition] = exactly(&operands)?;
                observe::lower_assert(&emitter, op, condition)?;
                Ok(Vec::new())
            }
            op => {
                let ty = self.result_type(operation)?;
                Ok(vec![self.single(&emitter, op, &operands, ty)?])
            }
        }
    }

    /// The operands, behind a barrier where IREE cannot fuse what makes them into the operation.
    fn operands(
        &self,
        emitter: &Emitter<'c, 'b>,
        operation: &Operation,
    ) -> Result<Vec<Tensor<'c, 'b>>> {
        let operands = self.tensors(&operation.operands)?;
        match operation.op {
            Op::DotGeneral(_) | Op::Convolution(_) | Op::Fourier(_) => {
                hidden(emitter, &operation.operands, operands, |id| {
                    self.repetitions.contains(id) || self.fusion.is_separate_factor(*id)
                })
            }
            Op::Gather(_) | Op::Reverse(_) | Op::Call(_) | Op::Mlir(_) | Op::Import(_) => {
                hidden(emitter, &operation.operands, operands, |id| {
                    self.strided.contains(id)
                })
            }
            Op::Unary(op) if operands.iter().any(|x| math::is_long(op, x.dtype())) => {
                hidden(emitter, &operation.operands, operands, |id| {
                    !self.constants.contains(id)
                })
            }
            _ => Ok(operands),
        }
    }

    /// Lowers an operation with one result, which has the type `ty`.
    fn single(
        &self,
        emitter: &Emitter<'c, 'b>,
        op: &Op,
        operands: &[Tensor<'c, 'b>],
        ty: &TensorType,
    ) -> Result<Tensor<'c, 'b>> {
        match (op, operands) {
            (op, _) if !types::has_elements(ty) && !matches!(op, Op::GlobalLoad(_)) => {
                // IREE crashes on some operations on nothing.
                emitter.empty(ty)
            }
            (Op::Constant(op), []) => build::lower_constant(emitter, op),
            (Op::Iota(op), []) => build::lower_iota(emitter, op),
            (Op::Size(op), []) => sizes::lower(emitter, op),
            (Op::GlobalLoad(op), []) => structure::lower_load(self.lowering, emitter, op),
            (Op::Unary(op), [x]) => unary::lower(emitter, *op, x),
            (Op::Convert(dtype), [x]) => convert::lower(emitter, *dtype, x),
            (Op::Bitcast(dtype), [x]) => emitter.bitcast_convert(x, *dtype),
            (Op::Broadcast(op), [x]) => shape::lower_broadcast(emitter, op, x),
            (Op::Reshape(shape), [x]) => shape::lower_reshape(emitter, shape, x),
            (Op::Transpose(op), [x]) => shape::lower_transpose(emitter, op, x, ty),
            (Op::Reduce(op), [x]) => reduce::lower(emitter, op, x, ty),
            (Op::DotGeneral(op), [a, b]) => contract::lower(emitter, op, a, b, ty),
            (Op::Fourier(op), [x]) => fourier::lower(emitter, *op, x),
            (Op::ReduceWindow(op), [x]) => window::lower_reduction(emitter, op, x, ty),
            (Op::Convolution(op), [x, w]) => window::lower_convolution(emitter, op, x, w, ty),
            (Op::ArgReduce(op), [x]) => reduce::lower_arg(emitter, op, x, ty),
            (Op::Binary(op), [a, b]) => binary::lower(emitter, *op, a, b),
            (Op::Compare(op), [a, b]) => compare::lower(emitter, *op, a, b),
            (Op::Slice(op), [x]) => slice::lower(emitter, op, x, ty),
            (Op::DynamicSlice(op), [x, starts @ ..]) => {
                slice::lower_dynamic(emitter, op, x, starts, ty)
            }
            (Op::DynamicUpdateSlice, [x, update, starts @ ..]) => {
                slice::lower_dynamic_update(emitter, x, update, starts)
            }
            (Op::Concatenate(axis), operands) => {
                slice::lower_concatenate(emitter, *axis, operands, ty)
            }
            (Op::Pad(op), [x, value]) => pad::lower(emitter, op, x, value, ty),
            (Op::Reverse(axes), [x]) => shape::lower_reverse(emitter, axes, x),
            (Op::Gather(op), [x, places @ ..]) => index::lower_gather(emitter, op, x, places, ty),
            (Op::Scatter(op), [x, updates, places @ ..]) => {
                index::lower_scatter(emitter, op, x, updates, places)
            }
            (Op::ArgSort(op), [x]) => order::lower_sort(emitter, op, x, ty),
            (Op::Cumulate(op), [x]) => order::lower_cumulate(emitter, op, x),
            (Op::Select, [mask, a, b]) => select::lower(emitter, mask, a, b),
            _ => Err(LowerCause::Lost("an operand")),
        }
    }
}

/// The tensors, some of them behind a barrier.
fn hidden<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    ids: &[ValueId],
    tensors: Vec<Tensor<'c, 'b>>,
    is_hidden: impl Fn(&ValueId) -> bool,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let hide = |(id, tensor)| match is_hidden(id) {
        true => opaque::barrier(emitter, &tensor),
        false => Ok(tensor),
    };
    ids.iter().zip(tensors).map(hide).collect()
}

fn exactly<'t, 'c, 'b, const N: usize>(
    operands: &'t [Tensor<'c, 'b>],
) -> Result<&'t [Tensor<'c, 'b>; N]> {
    let exact = operands.try_into();
    exact.map_err(|_| LowerCause::Lost("an operand"))
}
