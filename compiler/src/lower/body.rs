use super::{
    Lowering, contract,
    control::Handed,
    emit::{Emitter, Result, Tensor},
    error::{LowerCause, LowerError},
    function::Ending,
    import, inner_product, masks, math, mlir, observe, opaque, operation, pad,
    register::{self, Register},
    sizes::Sizes,
    structure, types,
};
use crate::{
    legalize::{Decided, Filling, Reader, Whole, Window},
    span::SpanId,
};
use iree_abi::TensorType;
use iree_dialects::prelude::*;
use iree_dsl_ir::{
    Function, Operation, OperationId, ValueId,
    op::{Alias, Effect, Op, Structure, UnaryOp},
};
use std::collections::BTreeMap;

/// The body of a function while it is lowered.
pub(super) struct Body<'a, 'c, 'b> {
    pub(super) lowering: &'a Lowering<'a, 'c>,
    pub(super) function: &'a Function,
    /// Where operations are appended.
    pub(super) block: BlockRef<'c, 'b>,
    /// What the operations do not say.
    pub(super) decided: &'a Decided,
    /// The sizes that are known at the call only. What runs while the module is loaded has none.
    pub(super) sizes: Sizes<'c, 'b>,
    /// The tensors.
    tensors: BTreeMap<ValueId, Tensor<'c, 'b>>,
    /// What is in registers, computed or read.
    registers: BTreeMap<ValueId, Register<'c, 'b>>,
    /// What was read into registers, of which none outlive the region that it is read in.
    read: Vec<ValueId>,
    /// Whether the block is inside of a dispatch.
    pub(super) is_contained: bool,
}

impl<'a, 'c, 'b> Body<'a, 'c, 'b> {
    pub(super) fn new(
        lowering: &'a Lowering<'a, 'c>,
        (function, decided): (&'a Function, &'a Decided),
        block: BlockRef<'c, 'b>,
        arguments: Vec<Tensor<'c, 'b>>,
    ) -> Self {
        let mut body = Self {
            lowering,
            function,
            block,
            decided,
            sizes: Sizes::default(),
            tensors: BTreeMap::new(),
            registers: BTreeMap::new(),
            read: Vec::new(),
            is_contained: false,
        };
        body.define_tensors(&function.body.parameters, arguments);
        body
    }

    /// The body of a function in a dispatch, where nothing is known but its arguments.
    pub(super) fn contained<'i>(
        &self,
        function: (&'a Function, &'a Decided),
        block: BlockRef<'c, 'i>,
        arguments: Vec<Tensor<'c, 'i>>,
    ) -> Body<'a, 'c, 'i>
    where
        'b: 'i,
    {
        Body {
            sizes: self.sizes.clone(),
            is_contained: true,
            ..Body::new(self.lowering, function, block, arguments)
        }
    }

    /// The same body in a block of a region, where all is known that is known around it.
    pub(super) fn nested<'i>(&self, block: BlockRef<'c, 'i>) -> Body<'a, 'c, 'i>
    where
        'b: 'i,
    {
        Body {
            lowering: self.lowering,
            function: self.function,
            block,
            decided: self.decided,
            sizes: self.sizes.clone(),
            tensors: self.tensors.clone(),
            registers: self.registers.clone(),
            read: Vec::new(),
            is_contained: self.is_contained,
        }
    }

    /// Appends everything, and returns the results with the block that is the last.
    pub(super) fn run(mut self) -> Result<Ending<'c, 'b>, LowerError> {
        for id in &self.function.body.operations {
            self.operation(*id)?;
        }
        let end = self.emitter(self.function.span);
        let results = self.tensors(&end, &self.function.body.results);
        Ok(Ending {
            block: self.block,
            results: results.map_err(|cause| cause.at(self.function.span))?,
        })
    }

    pub(super) fn emitter(&self, span: SpanId) -> Emitter<'c, 'b> {
        Emitter {
            context: self.lowering.context,
            block: self.block,
            location: self.lowering.location(span),
            sizes: self.sizes.clone(),
            is_contained: self.is_contained,
        }
    }

    pub(super) fn ty(&self, id: ValueId) -> Result<&'a TensorType> {
        self.function.ty(id).ok_or(LowerCause::Lost("a type"))
    }

    fn define_tensors(&mut self, ids: &[ValueId], tensors: Vec<Tensor<'c, 'b>>) {
        self.define(ids, tensors.into_iter().map(Handed::Tensor));
    }

    /// Says what values are.
    pub(super) fn define(
        &mut self,
        ids: &[ValueId],
        values: impl IntoIterator<Item = Handed<'c, 'b>>,
    ) {
        for (id, value) in ids.iter().zip(values) {
            match value {
                Handed::Register(register) => {
                    self.registers.insert(*id, register);
                }
                Handed::Tensor(tensor) => {
                    self.tensors.insert(*id, tensor);
                }
            }
        }
    }

    fn tensors(&self, emitter: &Emitter<'c, 'b>, ids: &[ValueId]) -> Result<Vec<Tensor<'c, 'b>>> {
        ids.iter().map(|id| self.tensor(emitter, *id)).collect()
    }

    /// A value as a tensor, wherever it is.
    pub(super) fn tensor(&self, emitter: &Emitter<'c, 'b>, id: ValueId) -> Result<Tensor<'c, 'b>> {
        if let Some(tensor) = self.tensors.get(&id) {
            return Ok(tensor.clone());
        }
        let register = self.registers.get(&id);
        register.ok_or(LowerCause::Lost("a value"))?.tensor(emitter)
    }

    /// A number in a register, wherever it is.
    pub(super) fn register(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        id: ValueId,
    ) -> Result<Register<'c, 'b>> {
        if let Some(register) = self.registers.get(&id) {
            return Ok(register.clone());
        }
        if let Some(constant) = self.decided.registers.literal(id) {
            return Register::literal(emitter, constant);
        }
        let register = Register::read(emitter, &self.tensor(emitter, id)?)?;
        self.registers.insert(id, register.clone());
        self.read.push(id);
        Ok(register)
    }

    /// Lowers a region. What it reads into registers is not known after it.
    pub(super) fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.read.len();
        let lowered = lower(self);
        for id in self.read.split_off(outside) {
            self.registers.remove(&id);
        }
        lowered
    }

    pub(super) fn operation(&mut self, id: OperationId) -> Result<(), LowerError> {
        let operation = self.function.operations.get(id);
        let Some(operation) = operation else {
            return Err(LowerCause::Lost("an operation").at(self.function.span));
        };
        let here = |cause: LowerCause| cause.at(operation.span);
        if operation.op.effect() == Effect::Regions {
            return self.branching(id, operation);
        }
        if let (Effect::Calls(call), true) = (operation.op.effect(), self.is_contained) {
            let results = self.call_inside(operation, call)?;
            self.define(&operation.results, results);
            return Ok(());
        }
        match operation.results.as_slice() {
            [result] if self.decided.registers.holds(*result) => {
                let register = self.computed(operation, *result).map_err(here)?;
                self.define(&[*result], [Handed::Register(register)]);
                Ok(())
            }
            _ if operation.op == Op::Unary(UnaryOp::Barrier) => {
                self.barrier(id, operation).map_err(here)
            }
            _ => {
                let results = self.results_of(id, operation).map_err(here)?;
                self.define_tensors(&operation.results, results);
                Ok(())
            }
        }
    }

    /// Has IREE compute a value before it uses it, in a buffer of its own if something changes the one that it may be in.
    fn barrier(&mut self, id: OperationId, operation: &Operation) -> Result<()> {
        let ([operand], [result]) = (operation.operands.as_slice(), operation.results.as_slice())
        else {
            return Err(LowerCause::Lost("an operand"));
        };
        let emitter = self.emitter(operation.span);
        let mut operands = [self.tensor(&emitter, *operand)?];
        self.compute_apart(&emitter, id, &mut operands)?;
        let [tensor] = &operands;
        let behind = match self.decided.apart.contains(&id) {
            true => opaque::own(&emitter, tensor)?,
            false => opaque::unfused(&emitter, tensor)?,
        };
        self.define_tensors(&[*result], vec![behind]);
        Ok(())
    }

    /// What the machine computes.
    fn computed(&mut self, operation: &Operation, result: ValueId) -> Result<Register<'c, 'b>> {
        let emitter = self.emitter(operation.span);
        let dtype = self.ty(result)?.dtype;
        if let Op::Size(size) = &operation.op {
            let number = emitter.extent(&size.extent)?;
            return Register::of_index(&emitter, number, dtype);
        }
        let operands = operation.operands.iter();
        let operands = operands.map(|operand| self.register(&emitter, *operand));
        let operands = operands.collect::<Result<Vec<_>>>()?;
        register::compute(&emitter, &operation.op, &operands, dtype)
    }

    fn results_of(
        &mut self,
        id: OperationId,
        operation: &Operation,
    ) -> Result<Vec<Tensor<'c, 'b>>> {
        let emitter = self.emitter(operation.span);
        if let (Op::Assert(op), [condition]) = (&operation.op, operation.operands.as_slice()) {
            let condition = self.register(&emitter, *condition)?;
            observe::lower_assert(&emitter, op, &condition)?;
            return Ok(Vec::new());
        }
        if self.is_contained {
            return Ok(vec![self.result_inside(&emitter, id, operation)?]);
        }
        let mut operands = self.operands(&emitter, operation)?;
        self.read_masks(&emitter, id, &mut operands)?;
        self.compute_apart(&emitter, id, &mut operands)?;
        if let Alias::InPlace(_) = operation.op.alias() {
            self.prepare_change(&emitter, id, &mut operands)?;
        }
        if let (Op::Reduce(_), [operand], true) = (
            &operation.op,
            operands.as_mut_slice(),
            self.is_sum(operation),
        ) {
            *operand = opaque::identity(&emitter, operand)?;
        }
        match operation.op.effect() {
            Effect::Calls(op) => structure::lower_call(self.lowering, &emitter, op, &operands),
            Effect::Foreign(op) => mlir::lower(self.lowering, &emitter, op, &operands),
            Effect::Writes(op) => {
                let [operand] = exactly(&operands)?;
                let is_hidden = self.decided.apart.contains(&id);
                structure::lower_store(self.lowering, &emitter, op, operand, is_hidden)?;
                Ok(Vec::new())
            }
            Effect::CallsHost(op) => import::lower(&emitter, op, &operands),
            Effect::Shows(op) => {
                observe::lower_trace(&emitter, op, &operands)?;
                Ok(Vec::new())
            }
            Effect::Pure | Effect::Reads(_) | Effect::Checks(_) | Effect::Regions => {
                Ok(vec![self.result_of(&emitter, id, operation, &operands)?])
            }
        }
    }

    /// The result of an operation in a dispatch.
    fn result_inside(
        &self,
        emitter: &Emitter<'c, 'b>,
        id: OperationId,
        operation: &Operation,
    ) -> Result<Tensor<'c, 'b>> {
        let operands = self.tensors(emitter, &operation.operands)?;
        let result = self.result_of(emitter, id, operation, &operands)?;
        // IREE takes parts of what is padded before it is padded, again and again without end.
        if let Op::Pad(_) = operation.op {
            return opaque::written(emitter, &result);
        }
        Ok(result)
    }

    fn result_of(
        &self,
        emitter: &Emitter<'c, 'b>,
        id: OperationId,
        operation: &Operation,
        operands: &[Tensor<'c, 'b>],
    ) -> Result<Tensor<'c, 'b>> {
        let op = &operation.op;
        let result = operation.results.first();
        let ty = self.ty(*result.ok_or(LowerCause::Lost("a result"))?)?;
        if let Op::DotGeneral(dot) = op
            && self.is_sum(operation)
        {
            let [lhs, rhs] = exactly(operands)?;
            return contract::lower_sums(emitter, self.lowering.machine, dot, (lhs, rhs), ty);
        }
        if let (Op::DotGeneral(dot), true) = (op, self.is_contained) {
            let [lhs, rhs] = exactly(operands)?;
            return inner_product::lower(emitter, dot, (lhs, rhs), ty);
        }
        if let Op::Pad(pad) = op
            && types::has_elements(ty)
        {
            let [operand, value] = exactly(operands)?;
            let is_zero = self.decided.fillings.get(&id) == Some(&Filling::Zeros);
            return pad::lower(emitter, pad, operand, pad::Filling { value, is_zero }, ty);
        }
        match self.decided.fillings.get(&id) {
            Some(Filling::Number(number)) => emitter.filled(number, ty),
            Some(Filling::Changed(number)) if types::has_elements(ty) => {
                opaque::filled(emitter, number, ty)
            }
            Some(Filling::Zeros | Filling::Changed(_)) | None => {
                operation::lower(self.lowering, emitter, op, operands, ty)
            }
        }
    }

    /// Whether an operation adds up products and must not look like a contraction.
    fn is_sum(&self, operation: &Operation) -> bool {
        let result = operation.results.first();
        !self.is_contained && result.is_some_and(|result| self.decided.sums.contains(result))
    }

    /// The operands, behind a barrier where IREE cannot fuse what makes them into a long formula.
    fn operands(
        &self,
        emitter: &Emitter<'c, 'b>,
        operation: &Operation,
    ) -> Result<Vec<Tensor<'c, 'b>>> {
        let ids = operation.operands.as_slice();
        let operands = self.tensors(emitter, ids)?;
        match operation.op.structure() {
            Structure::Window(_) => self.with_places(emitter, ids, operands, 1),
            Structure::Update => self.with_places(emitter, ids, operands, 2),
            Structure::Elementwise if is_long(&operation.op, &operands) => {
                hidden(emitter, ids, operands, |id| {
                    !self.decided.constants.contains(id)
                })
            }
            Structure::Effect | Structure::Elementwise => Ok(operands),
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => Ok(operands),
            Structure::Broadcast(_) | Structure::Reshape(_) => Ok(operands),
            Structure::Transpose(_) | Structure::Slice(_) | Structure::Pad(_) => Ok(operands),
            Structure::Scatter(_) | Structure::ReduceWindow(_) => Ok(operands),
            Structure::Contraction(_) | Structure::Convolution(_) => Ok(operands),
            Structure::Transform
            | Structure::Factor
            | Structure::System(_)
            | Structure::Concatenate(_) => Ok(operands),
            Structure::Gather(_) | Structure::Reverse(_) => Ok(operands),
            Structure::Reduction(_) | Structure::Extremum(_) => Ok(operands),
            Structure::Scan(_) | Structure::Sort(_) => Ok(operands),
            Structure::Branches | Structure::Iterations => Ok(operands),
        }
    }

    /// Has an operation read those booleans as bytes that IREE would pack.
    fn read_masks(
        &self,
        emitter: &Emitter<'c, 'b>,
        id: OperationId,
        operands: &mut [Tensor<'c, 'b>],
    ) -> Result<()> {
        for (position, operand) in operands.iter_mut().enumerate() {
            if self.decided.bytes.contains(&(id, position)) {
                *operand = masks::from_bytes(emitter, operand)?;
            }
        }
        Ok(())
    }

    /// Gives what is computed without reading a tensor a buffer of its own where an operation may change it, and copies what others
    /// need as it was.
    fn compute_apart(
        &self,
        emitter: &Emitter<'c, 'b>,
        id: OperationId,
        operands: &mut [Tensor<'c, 'b>],
    ) -> Result<()> {
        for (position, operand) in operands.iter_mut().enumerate() {
            if self.decided.own.contains(&(id, position)) {
                *operand = opaque::own(emitter, operand)?;
            } else if self.decided.copied.contains(&(id, position)) {
                *operand = opaque::identity(emitter, operand)?;
            }
        }
        Ok(())
    }

    /// Sees to it that a part of a tensor is replaced in place when nothing needs what was there.
    fn prepare_change(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        id: OperationId,
        operands: &mut [Tensor<'c, 'b>],
    ) -> Result<()> {
        let [whole, window, ..] = operands else {
            return Ok(());
        };
        let change = self.decided.changes.get(&id);
        let change = change.ok_or(LowerCause::Lost("how a tensor changes"))?;
        match change.window {
            Window::AsItIs => {}
            Window::Apart => *window = opaque::apart(emitter, window)?,
            Window::Copied => *window = opaque::copy(emitter, window)?,
        }
        match &change.whole {
            Whole::InPlace => {}
            Whole::After(readers) => self.finish(emitter, readers, window)?,
            Whole::Copied => *whole = opaque::copy(emitter, whole)?,
        }
        Ok(())
    }

    /// Computes values before a window.
    /// Defect `number-is-read-after-a-change`.
    fn finish(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        readers: &[Reader],
        window: &mut Tensor<'c, 'b>,
    ) -> Result<()> {
        let mut finished = Vec::new();
        for reader in readers {
            finished.push(match self.decided.registers.holds(reader.value) {
                true => {
                    let computed = self.register(emitter, reader.value)?.hidden(emitter)?;
                    self.registers.insert(reader.value, computed.clone());
                    computed.tensor(emitter)?
                }
                false => {
                    let computed = self.read_before(emitter, reader)?;
                    self.define_tensors(&[reader.value], vec![computed.clone()]);
                    // It was read from the tensor that changes.
                    self.registers.remove(&reader.value);
                    computed
                }
            });
        }
        *window = opaque::after(emitter, window, &finished)?;
        Ok(())
    }

    /// A tensor that is not computed again where it is used.
    fn read_before(
        &mut self,
        emitter: &Emitter<'c, 'b>,
        reader: &Reader,
    ) -> Result<Tensor<'c, 'b>> {
        let tensor = self.tensor(emitter, reader.value)?;
        let computed = match reader.is_own {
            true => opaque::own(emitter, &tensor)?,
            false => opaque::barrier(emitter, &tensor)?,
        };
        match reader.is_anew {
            true => opaque::identity(emitter, &computed),
            false => Ok(computed),
        }
    }

    /// The operands of an operation on a window. From `first` on, they say where it is, for which IREE reads
    /// them, unless they are in registers.
    fn with_places(
        &self,
        emitter: &Emitter<'c, 'b>,
        ids: &[ValueId],
        operands: Vec<Tensor<'c, 'b>>,
        first: usize,
    ) -> Result<Vec<Tensor<'c, 'b>>> {
        let operands = ids.iter().zip(operands).enumerate();
        let place = |(index, (id, operand))| match self.registers.get(id) {
            Some(register) if index >= first && self.read.contains(id) => register.tensor(emitter),
            _ => Ok(operand),
        };
        operands.map(place).collect()
    }
}

/// Whether an operation is a long formula for its operands.
fn is_long(op: &Op, operands: &[Tensor<'_, '_>]) -> bool {
    let is_long = |op| operands.iter().any(|x| math::is_long(op, x.dtype()));
    matches!(op, Op::Unary(op) if is_long(*op))
}

/// The tensors, some of them behind a barrier.
fn hidden<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    ids: &[ValueId],
    tensors: Vec<Tensor<'c, 'b>>,
    is_hidden: impl Fn(&ValueId) -> bool,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let hide = |(id, tensor)| match is_hidden(id) {
        true => opaque::unfused(emitter, &tensor),
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
