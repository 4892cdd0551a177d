//! The places where the host hears of the program, numbered.

use super::tracer::Tracer;
use iree_abi::Site;
use iree_dsl_ir::{
    Function, FunctionId, Operation, OperationId, Region,
    op::{Effect, Op},
};
use std::collections::BTreeSet;

impl Tracer<'_> {
    /// Whether the host hears of something in these regions, so that they cannot be left out.
    pub(crate) fn are_observed<'r>(&self, regions: impl IntoIterator<Item = &'r Region>) -> bool {
        let function = self.builder.function();
        let mut silent = BTreeSet::new();
        let mut regions = regions.into_iter();
        regions.any(|region| self.is_observed(function, region, &mut silent))
    }

    /// The same for one region. Functions that are seen to be silent are remembered: each may be called from
    /// many others.
    fn is_observed(
        &self,
        function: &Function,
        region: &Region,
        silent: &mut BTreeSet<FunctionId>,
    ) -> bool {
        let operations = region.operations.iter();
        let mut operations = operations.filter_map(|id| function.operations.get(*id));
        operations.any(|operation| match operation.op.effect() {
            Effect::CallsHost(_) | Effect::Shows(_) | Effect::Checks(_) => true,
            Effect::Calls(call) => {
                let is_new = silent.insert(call.callee);
                let callee = self.ir.functions.get(call.callee).filter(|_| is_new);
                callee.is_some_and(|callee| self.is_observed(callee, &callee.body, silent))
            }
            Effect::Regions => {
                let mut regions = operation.regions.iter();
                regions.any(|region| self.is_observed(function, region, silent))
            }
            Effect::Pure | Effect::Reads(_) | Effect::Writes(_) | Effect::Foreign(_) => false,
        })
    }

    /// Numbers the sites, and returns them in the order of their numbers. What a generic kernel has at one
    /// place is one site for each combination of element types.
    pub(crate) fn sites(&mut self) -> Vec<Site> {
        let mut sites: Vec<Site> = Vec::new();
        let functions: Vec<_> = self.ir.functions.iter().map(|(id, _)| id).collect();
        for id in functions {
            let found = self.ir.functions.get(id).map(|found| self.sites_of(found));
            for (operation, site) in found.unwrap_or_default() {
                let known = sites.iter().position(|known| *known == site);
                let number = known.unwrap_or(sites.len());
                if known.is_none() {
                    sites.push(site);
                }
                let function = self.ir.functions.get_mut(id);
                let operation = function.and_then(|found| found.operations.get_mut(operation));
                if let Some(Op::Trace(observation) | Op::Assert(observation)) =
                    operation.map(|operation| &mut operation.op)
                {
                    observation.site = number;
                }
            }
        }
        sites
    }

    fn sites_of(&self, function: &Function) -> Vec<(OperationId, Site)> {
        let operations = function.operations.iter();
        let sites = operations.filter_map(|(id, operation)| {
            let effect = operation.op.effect();
            let (Effect::Shows(observation) | Effect::Checks(observation)) = effect else {
                return None;
            };
            Some((id, self.site(function, operation, &observation.text)))
        });
        sites.collect()
    }

    fn site(&self, function: &Function, operation: &Operation, text: &str) -> Site {
        let shown = operation.operands.iter();
        let shown = shown.filter_map(|value| function.ty(*value));
        Site {
            text: text.to_owned(),
            place: self.location_of(operation.span),
            dtypes: match matches!(operation.op, Op::Trace(_)) {
                true => shown.map(|ty| ty.dtype).collect(),
                false => Vec::new(),
            },
        }
    }
}
