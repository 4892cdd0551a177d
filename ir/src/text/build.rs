use super::{
    error::ParseError,
    syntax::{
        At, FunctionSyntax, GlobalSyntax, InitSyntax, ModuleSyntax, OpSyntax, OperationSyntax,
        RegionSyntax,
    },
};
use crate::{
    Function, FunctionId, Global, GlobalId, GlobalInit, Linkage, Module, Operation, Region, Value,
    ValueId,
    op::{Call, GlobalAccess, Op},
    span::SpanId,
};
use iree_abi::TensorType;
use std::collections::BTreeMap;

/// Resolves names and indices.
pub(super) fn module(syntax: &ModuleSyntax) -> Result<Module, ParseError> {
    let mut module = Module::new(&syntax.name);
    let mut names = Names::default();
    // Functions refer to each other, and globals to functions, by index: every name gets its index first.
    let functions: Vec<_> = syntax.functions.iter().collect();
    let ids: Vec<FunctionId> = functions
        .iter()
        .map(|function| {
            let empty = Function::new(&function.name, Linkage::Private, SpanId::CALL_SITE);
            let id = module.functions.push(empty);
            names.functions.entry(&function.name).or_insert(id);
            id
        })
        .collect();
    for global in &syntax.globals {
        let id = module.globals.push(names.global(global)?);
        names.globals.entry(&global.name).or_insert(id);
    }
    for (id, function) in ids.into_iter().zip(functions) {
        let built = FunctionBuilder::build(&names, function)?;
        if let Some(place) = module.functions.get_mut(id) {
            *place = built;
        }
    }
    Ok(module)
}

#[derive(Default)]
struct Names<'a> {
    functions: BTreeMap<&'a str, FunctionId>,
    globals: BTreeMap<&'a str, GlobalId>,
}

impl Names<'_> {
    fn find_function(&self, name: &At<String>) -> Result<FunctionId, ParseError> {
        let found = self.functions.get(name.item.as_str()).copied();
        found.ok_or_else(|| {
            let message = format!("there is no function `{}`", name.item);
            name.position.error(message)
        })
    }

    fn find_global(&self, name: &At<String>) -> Result<GlobalId, ParseError> {
        let found = self.globals.get(name.item.as_str()).copied();
        found.ok_or_else(|| {
            let message = format!("there is no global `{}`", name.item);
            name.position.error(message)
        })
    }

    fn global(&self, syntax: &GlobalSyntax) -> Result<Global, ParseError> {
        let init = match &syntax.init {
            InitSyntax::Constant(constant) => GlobalInit::Constant(constant.clone()),
            InitSyntax::Function(name, index) => {
                GlobalInit::Function(self.find_function(name)?, *index)
            }
            InitSyntax::Uninitialized => GlobalInit::Uninitialized,
            InitSyntax::Parameter(name) => GlobalInit::Parameter(name.clone()),
        };
        Ok(Global {
            name: syntax.name.clone(),
            ty: syntax.ty.clone(),
            mutable: syntax.mutable,
            init,
            span: SpanId::CALL_SITE,
        })
    }
}

struct FunctionBuilder<'a> {
    names: &'a Names<'a>,
    function: Function,
    /// The values by the index that the text gives them.
    values: Vec<ValueId>,
}

impl<'a> FunctionBuilder<'a> {
    fn build(names: &'a Names<'a>, syntax: &FunctionSyntax) -> Result<Function, ParseError> {
        let mut function = Function::new(&syntax.name, syntax.linkage, SpanId::CALL_SITE);
        function.parameter_names = syntax.parameter_names.clone();
        let mut builder = Self {
            names,
            function,
            values: Vec::new(),
        };
        builder.define_values(&syntax.body)?;
        builder.function.body = builder.region(&syntax.body)?;
        let body = &builder.function.body;
        if builder.function.types(&body.results).as_ref() != Some(&syntax.results.item) {
            let message = "the types behind `->` are not those of the returned values";
            return Err(syntax.results.position.error(message));
        }
        Ok(builder.function)
    }

    /// Gives every value that the text defines its place in the arena.
    fn define_values(&mut self, body: &RegionSyntax) -> Result<(), ParseError> {
        let mut definitions = Vec::new();
        collect(body, &mut definitions);
        let mut types: BTreeMap<usize, &TensorType> = BTreeMap::new();
        for (value, ty) in definitions.iter().copied() {
            let earlier = types.insert(value.item, ty);
            if earlier.is_some_and(|earlier| earlier != ty) {
                let message = format!("`%{}` has two types", value.item);
                return Err(value.position.error(message));
            }
        }
        for (value, _) in &definitions {
            if value.item >= types.len() {
                let count = types.len();
                let message = format!("the {count} values are numbered from `%0` without gaps");
                return Err(value.position.error(message));
            }
        }
        let types = types.into_values().cloned();
        let values = types.map(|ty| self.function.values.push(Value { ty }));
        self.values = values.collect();
        Ok(())
    }

    fn value(&self, value: &At<usize>) -> Result<ValueId, ParseError> {
        let found = self.values.get(value.item).copied();
        found.ok_or_else(|| {
            let message = format!("nothing defines `%{}`", value.item);
            value.position.error(message)
        })
    }

    fn list(&self, values: &[At<usize>]) -> Result<Vec<ValueId>, ParseError> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn region(&mut self, syntax: &RegionSyntax) -> Result<Region, ParseError> {
        let parameters = syntax.parameters.iter().map(|(value, _)| self.value(value));
        let parameters = parameters.collect::<Result<_, _>>()?;
        let mut operations = Vec::new();
        for operation in &syntax.operations {
            let built = self.operation(operation)?;
            let id = self.function.operations.push(built);
            operations.push(id);
            for region in &operation.regions {
                let region = self.region(region)?;
                if let Some(owner) = self.function.operations.get_mut(id) {
                    owner.regions.push(region);
                }
            }
        }
        Ok(Region {
            parameters,
            operations,
            results: self.list(&syntax.results)?,
        })
    }

    /// An operation without its regions.
    fn operation(&self, syntax: &OperationSyntax) -> Result<Operation, ParseError> {
        let operands = self.list(&syntax.operands)?;
        let results = syntax.results.iter().map(|(value, _)| self.value(value));
        let results: Vec<_> = results.collect::<Result<_, _>>()?;
        Ok(Operation {
            op: self.op(&syntax.operation, &operands, &results)?,
            operands,
            results,
            regions: Vec::new(),
            span: SpanId::CALL_SITE,
        })
    }

    fn op(
        &self,
        syntax: &OpSyntax,
        operands: &[ValueId],
        results: &[ValueId],
    ) -> Result<Op, ParseError> {
        let types = |values| self.function.types(values).unwrap_or_default();
        Ok(match syntax {
            OpSyntax::Known(op) => op.clone(),
            OpSyntax::Call {
                callee,
                types: signature,
            } => {
                let signature = signature.clone();
                let (parameters, results) =
                    signature.unwrap_or_else(|| (types(operands), types(results)));
                Op::Call(Call {
                    callee: self.names.find_function(callee)?,
                    parameters,
                    results,
                })
            }
            OpSyntax::Load(global, ty) => Op::GlobalLoad(self.access(global, ty, results)?),
            OpSyntax::Store(global, ty) => Op::GlobalStore(self.access(global, ty, operands)?),
        })
    }

    fn access(
        &self,
        global: &At<String>,
        ty: &Option<TensorType>,
        values: &[ValueId],
    ) -> Result<GlobalAccess, ParseError> {
        let implied = values.first().and_then(|value| self.function.ty(*value));
        let Some(ty) = ty.as_ref().or(implied) else {
            let message = "the access has no type: write it behind `as`";
            return Err(global.position.error(message));
        };
        Ok(GlobalAccess {
            global: self.names.find_global(global)?,
            ty: ty.clone(),
        })
    }
}

/// The parameters and results that a region defines, with those of the regions in it.
fn collect<'a>(region: &'a RegionSyntax, into: &mut Vec<(&'a At<usize>, &'a TensorType)>) {
    into.extend(region.parameters.iter().map(|(value, ty)| (value, ty)));
    for operation in &region.operations {
        into.extend(operation.results.iter().map(|(value, ty)| (value, ty)));
        for region in &operation.regions {
            collect(region, into);
        }
    }
}
