use super::{
    deferred::Narrow,
    definitions::Definitions,
    persistent::PersistentMap,
    value::{Tensor, ValueLeaf},
    weak::weak_result,
};
use crate::{ast, diagnostic::Remark, span::SpanId};
use iree_abi::{DType, Requirement, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData, Function, FunctionId, GlobalId, Linkage, Module, Operation,
    OperationId, OutOfRange, Region, Scalar, Value, ValueId,
    op::{Broadcast, GlobalAccess, InferError, Op, RegionType},
};
use iree_dsl_transform::{Checkpoints, Names, Piece, Rule};
use std::collections::BTreeMap;

/// In so many operations before a tensor it is looked for what it is built from.
const NARROW_STEPS: usize = 32;

/// A function that grows by one operation at a time.
///
/// Globals are values in between: loaded when the function starts, stored when it ends. IREE keeps such
/// straight-line code in place, and nothing can come between a load and a store.
/// Defect `store-sinks-past-a-loop`.
#[derive(Clone, Debug)]
pub(crate) struct FunctionBuilder {
    pub(crate) function: Function,
    /// The operations of its values.
    definitions: Definitions,
    /// The regions that are being built, outermost first: the body of the function is the first.
    open: Vec<Region>,
    /// The loads of globals, which come before the body.
    loads: Vec<Load>,
    /// The value of each global that was loaded.
    loaded: BTreeMap<GlobalId, Tensor>,
    stored: StoredGlobals,
    /// What must hold between sizes that are known at the call only.
    pub(crate) requirements: Vec<Requirement>,
    /// What the user asked to be told.
    pub(crate) remarks: Vec<Remark>,
    /// What reverse mode computes again.
    pub(crate) checkpoints: Checkpoints,
    /// What was built of the shape of what it met, with an axis of one element.
    pub(crate) narrow: BTreeMap<ValueId, Narrow>,
    /// Whether there are derivatives in it, so that it has operations and values that nobody needs.
    pub(crate) derived: bool,
}

#[derive(Clone, Debug)]
struct Load {
    global: GlobalId,
    operation: OperationId,
}

/// What was stored in globals before a point of a function, by their index.
pub(crate) type StoredGlobals = PersistentMap<StoredGlobal>;

/// What was stored in a global last.
#[derive(Clone, Debug)]
pub(crate) struct StoredGlobal {
    pub(crate) access: GlobalAccess,
    pub(crate) value: Tensor,
    at: SpanId,
}

/// A point of a function to go back to.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    values: usize,
    operations: usize,
    loads: usize,
    open: Vec<usize>,
    stored: StoredGlobals,
    requirements: usize,
    remarks: usize,
}

impl FunctionBuilder {
    /// A function without operations.
    pub(crate) fn new(name: impl Into<String>, linkage: Linkage, span: SpanId) -> Self {
        Self {
            function: Function::new(name, linkage, span),
            definitions: Definitions::default(),
            open: vec![Region::default()],
            loads: Vec::new(),
            loaded: BTreeMap::new(),
            stored: StoredGlobals::default(),
            requirements: Vec::new(),
            remarks: Vec::new(),
            checkpoints: Checkpoints::default(),
            narrow: BTreeMap::new(),
            derived: false,
        }
    }

    /// Adds what must hold between sizes, each once.
    pub(crate) fn require(&mut self, requirements: impl IntoIterator<Item = Requirement>) {
        for requirement in requirements {
            if !self.requirements.contains(&requirement) {
                self.requirements.push(requirement);
            }
        }
    }

    /// A function that nobody keeps, for what must not have operations.
    pub(crate) fn scratch() -> Self {
        Self::new("", Linkage::Private, SpanId::CALL_SITE)
    }

    /// Adds a parameter.
    pub(crate) fn parameter(&mut self, name: impl Into<String>, ty: &TensorType) -> Tensor {
        let tensor = self.value(ty.clone());
        if let Some(body) = self.open.first_mut() {
            body.parameters.push(tensor.id);
        }
        self.function.parameter_names.push(name.into());
        tensor
    }

    /// Adds what stands at a path of a parameter.
    pub(crate) fn parameter_leaf(
        &mut self,
        parameter: &ast::Parameter,
        path: &str,
        ty: &TensorType,
    ) -> ValueLeaf {
        let name = iree_abi::join_path(parameter.name().unwrap_or_default(), path);
        ValueLeaf::Tensor(self.parameter(name, ty))
    }

    /// Adds an operation.
    pub(crate) fn emit(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        span: SpanId,
    ) -> Result<Vec<Tensor>, InferError> {
        self.emit_with_regions(op, operands, Vec::new(), span)
    }

    /// Adds an operation that runs regions.
    pub(crate) fn emit_with_regions(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        regions: Vec<Region>,
        span: SpanId,
    ) -> Result<Vec<Tensor>, InferError> {
        let (id, results) = self.create(op, operands, regions, span)?;
        if let Some(region) = self.open.last_mut() {
            region.operations.push(id);
        }
        Ok(results)
    }

    /// Makes an operation that is not in any region yet.
    pub(crate) fn create(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        regions: Vec<Region>,
        span: SpanId,
    ) -> Result<(OperationId, Vec<Tensor>), InferError> {
        let types: Vec<_> = operands.iter().map(|tensor| tensor.ty.clone()).collect();
        let regions_types = self.region_types(&regions);
        let results = op.infer(&types, &regions_types)?;
        let is_constant = |tensor: &Tensor| self.as_constant(tensor).is_some();
        let weak = results
            .iter()
            .map(|ty| weak_result(&op, operands, ty.dtype, is_constant));
        let weak: Vec<_> = weak.collect();
        let results = results.into_iter().zip(weak).map(|(ty, weak)| Tensor {
            weak,
            ..self.value(ty)
        });
        let results: Vec<_> = results.collect();
        let id = self.function.operations.push(Operation {
            op,
            operands: operands.iter().map(|tensor| tensor.id).collect(),
            results: results.iter().map(|tensor| tensor.id).collect(),
            regions,
            span,
        });
        self.definitions
            .define(results.iter().map(|tensor| tensor.id), id);
        Ok((id, results))
    }

    fn region_types(&self, regions: &[Region]) -> Vec<RegionType> {
        let types =
            |values: &[iree_dsl_ir::ValueId]| self.function.types(values).unwrap_or_default();
        let regions = regions.iter().map(|region| RegionType {
            parameters: types(&region.parameters),
            results: types(&region.results),
        });
        regions.collect()
    }

    /// Adds an operation with one result.
    pub(crate) fn emit_one(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        span: SpanId,
    ) -> Result<Tensor, InferError> {
        let results = self.emit(op, operands, span)?;
        single(results)
    }

    /// The same number everywhere.
    pub(crate) fn splat(
        &mut self,
        number: Scalar,
        dtype: DType,
        shape: &Shape,
        span: SpanId,
    ) -> Result<Tensor, OutOfRange> {
        let is_known = shape.known().is_some();
        let known = match is_known {
            true => shape.clone(),
            false => Shape::default(),
        };
        let constant = Constant {
            ty: TensorType::new(dtype, known),
            data: ConstantData::Splat(number.encode(dtype)?),
        };
        let constant = self.emit_one(Op::Constant(constant), &[], span);
        let constant = constant.map_err(|_| OutOfRange)?;
        if is_known {
            return Ok(constant);
        }
        let repeated = Op::Broadcast(Broadcast {
            shape: shape.clone(),
            axes: Vec::new(),
        });
        self.emit_one(repeated, &[&constant], span)
            .map_err(|_| OutOfRange)
    }

    /// A value that nothing defines.
    pub(crate) fn undefined(&mut self, ty: TensorType) -> Tensor {
        self.value(ty)
    }

    /// A value of the function.
    pub(crate) fn tensor(&self, id: iree_dsl_ir::ValueId) -> Option<Tensor> {
        let ty = self.function.ty(id)?.clone();
        let weak = None;
        Some(Tensor { id, ty, weak })
    }

    /// Lends the function and the innermost region, of which a piece starts at a point.
    pub(crate) fn lend<'m>(
        &mut self,
        module: &'m Module,
        rules: &'m BTreeMap<FunctionId, Rule>,
        checkpoints: &'m Checkpoints,
        mark: &Mark,
    ) -> Piece<'m> {
        let (function, operations, first) = self.lend_block(mark);
        Piece {
            module,
            rules,
            checkpoints,
            function,
            operations,
            first,
        }
    }

    /// Lends the function and the operations of the innermost region, with how many there were at a point.
    pub(crate) fn lend_block(&mut self, mark: &Mark) -> (Function, Vec<OperationId>, usize) {
        let nothing = Function::new("", Linkage::Private, SpanId::CALL_SITE);
        let region = self.open.last_mut();
        let operations = region.map(|region| std::mem::take(&mut region.operations));
        let function = std::mem::replace(&mut self.function, nothing);
        let first = mark.open.last().copied().unwrap_or_default();
        (function, operations.unwrap_or_default(), first)
    }

    /// Takes back what was lent.
    pub(crate) fn take_back(&mut self, piece: Piece<'_>) {
        self.take_block_back(piece.function, piece.operations);
    }

    pub(crate) fn take_block_back(&mut self, function: Function, operations: Vec<OperationId>) {
        self.definitions = Definitions::of(&function);
        self.function = function;
        if let Some(region) = self.open.last_mut() {
            region.operations = operations;
        }
        self.derived = true;
    }

    /// Lets other values stand for those that were stored.
    pub(crate) fn rename_globals(&mut self, names: &Names) {
        for StoredGlobal {
            access,
            mut value,
            at,
        } in self.changed_globals()
        {
            let name = names.of(value.id);
            if name != value.id {
                value.id = name;
                self.store_global(access.global, value, at);
            }
        }
    }

    fn value(&mut self, ty: TensorType) -> Tensor {
        let id = self.function.values.push(Value { ty: ty.clone() });
        let weak = None;
        Tensor { id, ty, weak }
    }

    /// Starts a region with parameters; operations go into it until it is closed.
    pub(crate) fn open_region(&mut self, parameters: &[TensorType]) -> Vec<Tensor> {
        let parameters = parameters.iter().map(|ty| self.value(ty.clone()));
        let parameters: Vec<_> = parameters.collect();
        self.open.push(Region {
            parameters: parameters.iter().map(|tensor| tensor.id).collect(),
            ..Region::default()
        });
        parameters
    }

    /// What there is so far.
    pub(crate) const fn function(&self) -> &Function {
        &self.function
    }

    /// How many operations there are so far.
    pub(crate) fn operation_count(&self) -> usize {
        self.function.operations.len()
    }

    /// How many regions are open, one inside the other.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Puts the innermost region aside; it can be opened again.
    pub(crate) fn suspend_region(&mut self) -> Region {
        match self.open.len() {
            0 | 1 => Region::default(),
            _ => self.open.pop().unwrap_or_default(),
        }
    }

    /// Opens a region again.
    pub(crate) fn resume_region(&mut self, region: Region) {
        self.open.push(region);
    }

    /// Ends the innermost region.
    pub(crate) fn close_region(&mut self, results: &[Tensor]) -> Region {
        let mut region = self.suspend_region();
        region.results = results.iter().map(|tensor| tensor.id).collect();
        region
    }

    /// This point, to go back to.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            values: self.function.values.len(),
            operations: self.function.operations.len(),
            loads: self.loads.len(),
            open: self
                .open
                .iter()
                .map(|region| region.operations.len())
                .collect(),
            stored: self.stored.clone(),
            requirements: self.requirements.len(),
            remarks: self.remarks.len(),
        }
    }

    /// Whether a global was read for the first time since a point.
    pub(crate) fn has_loaded_since(&self, mark: &Mark) -> bool {
        self.loads.len() > mark.loads
    }

    /// What was added to the innermost region since a point in it.
    pub(crate) fn added_since(&self, mark: &Mark) -> Region {
        let operations = self.open.last().map(|region| region.operations.as_slice());
        let first = mark.open.last().copied().unwrap_or_default();
        let added = operations.and_then(|operations| operations.get(first..));
        Region {
            operations: added.unwrap_or_default().to_vec(),
            ..Region::default()
        }
    }

    /// Marks what was added since a point: reverse mode computes it again.
    pub(crate) fn compute_again(&mut self, mark: &Mark) {
        let operations = self.added_since(mark).operations;
        self.checkpoints.run_again(operations);
    }

    /// Marks loops that were added since a point: reverse mode keeps what so many iterations start with. With `inside`, also
    /// those in regions.
    pub(crate) fn bound(&mut self, mark: &Mark, iterations: usize, inside: bool) {
        let operations = self.added_since(mark).operations;
        let function = &self.function;
        self.checkpoints
            .bound(function, &operations, iterations, inside);
    }

    /// Forgets everything since a point.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        self.definitions.truncate(mark.values);
        self.function.values.truncate(mark.values);
        self.narrow.retain(|value, _| value.index() < mark.values);
        self.function.operations.truncate(mark.operations);
        let operations = mark.operations;
        self.checkpoints.truncate(operations);
        for load in self.loads.drain(mark.loads.min(self.loads.len())..) {
            self.loaded.remove(&load.global);
        }
        self.open.truncate(mark.open.len());
        for (region, operations) in self.open.iter_mut().zip(mark.open) {
            region.operations.truncate(operations);
        }
        self.stored = mark.stored;
        self.requirements.truncate(mark.requirements);
        self.remarks.truncate(mark.remarks);
    }

    /// What was stored in globals before this point.
    pub(crate) const fn stored_globals(&self) -> &StoredGlobals {
        &self.stored
    }

    /// Makes the globals what they were.
    pub(crate) fn restore_globals(&mut self, before: &StoredGlobals) {
        self.stored = before.clone();
    }

    /// The value of a global at this point.
    pub(crate) fn load_global(
        &mut self,
        global: GlobalId,
        ty: &TensorType,
        span: SpanId,
    ) -> Result<Tensor, InferError> {
        let stored = self.stored.get(global.index());
        let stored = stored.map(|stored| &stored.value);
        if let Some(known) = stored.or_else(|| self.loaded.get(&global)) {
            return Ok(known.clone());
        }
        let load = Op::GlobalLoad(GlobalAccess {
            global,
            ty: ty.clone(),
        });
        let (operation, results) = self.create(load, &[], Vec::new(), span)?;
        let loaded = single(results)?;
        self.loads.push(Load { global, operation });
        self.loaded.insert(global, loaded.clone());
        Ok(loaded)
    }

    /// Gives a global another value from this point on.
    pub(crate) fn store_global(&mut self, global: GlobalId, value: Tensor, span: SpanId) {
        let stored = StoredGlobal {
            access: GlobalAccess {
                global,
                ty: value.ty.clone(),
            },
            value,
            at: span,
        };
        self.stored.insert(global.index(), stored);
    }

    /// Whether a global was loaded or stored before.
    pub(crate) fn knows_global(&self, global: GlobalId) -> bool {
        self.loaded.contains_key(&global) || self.stored.get(global.index()).is_some()
    }

    /// The globals that were changed.
    pub(crate) fn stored(&self) -> Vec<GlobalId> {
        let changed = self.changed_globals().into_iter();
        changed.map(|stored| stored.access.global).collect()
    }

    /// What the globals become that were changed, in their order.
    fn changed_globals(&self) -> Vec<StoredGlobal> {
        let unchanged = StoredGlobals::default();
        let stored = self.stored.differing(&unchanged).into_iter();
        let stored = stored.filter_map(|(stored, _)| stored);
        let changed =
            stored.filter(|stored| self.loaded.get(&stored.access.global) != Some(&stored.value));
        let mut changed: Vec<_> = changed.cloned().collect();
        changed.sort_unstable_by_key(|stored| stored.access.global);
        changed
    }

    /// The constant that a tensor is, if it is one.
    pub(crate) fn as_constant(&self, tensor: &Tensor) -> Option<&Constant> {
        let Op::Constant(constant) = &self.definition(tensor.id)?.op else {
            return None;
        };
        Some(constant)
    }

    /// The operation that a value is a result of.
    pub(crate) fn definition(&self, value: iree_dsl_ir::ValueId) -> Option<&Operation> {
        let id = self.definitions.get(value)?;
        self.function.operations.get(id)
    }

    /// What is narrow along one of some axes, counted from the end, among what a tensor is computed from element by element.
    pub(crate) fn narrow_source(&self, value: ValueId, axes: &[usize]) -> Option<&Narrow> {
        let mut pending = vec![value];
        for _ in 0..NARROW_STEPS {
            let value = pending.pop()?;
            let narrow = self.narrow.get(&value);
            if let Some(narrow) = narrow.filter(|narrow| narrow.is_along(axes)) {
                return Some(narrow);
            }
            let definition = self.definition(value);
            let definition = definition.filter(|operation| operation.op.is_elementwise());
            pending.extend(
                definition
                    .into_iter()
                    .flat_map(|operation| &operation.operands),
            );
        }
        None
    }

    /// The finished function, with the globals that it changed.
    pub(crate) fn finish(
        mut self,
        results: &[Tensor],
    ) -> Result<(Function, Vec<GlobalId>), InferError> {
        let stored = self.stored();
        for StoredGlobal { access, value, at } in self.changed_globals() {
            self.emit(Op::GlobalStore(access), &[&value], at)?;
        }
        let mut body = self
            .open
            .first_mut()
            .map(std::mem::take)
            .unwrap_or_default();
        let loads = self.loads.iter().map(|load| load.operation);
        body.operations.splice(0..0, loads);
        body.results = results.iter().map(|tensor| tensor.id).collect();
        self.function.body = body;
        Ok((self.function, stored))
    }
}

fn single(results: Vec<Tensor>) -> Result<Tensor, InferError> {
    let found = results.len();
    let first = results.into_iter().next();
    first.ok_or(InferError::OperandCount { expected: 1, found })
}
