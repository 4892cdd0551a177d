use super::{VerifyError, Violation, operation};
use crate::{Function, FunctionId, Module, Operation, OperationId, Region, ValueId, span::SpanId};
use iree_abi::{Dim, Extent};
use std::collections::BTreeSet;

/// Everything that is wrong inside a function.
pub(super) fn check(module: &Module, id: FunctionId, function: &Function) -> Vec<VerifyError> {
    let mut checker = Checker {
        module,
        id,
        function,
        defined: BTreeSet::new(),
        visible: BTreeSet::new(),
        order: Vec::new(),
        visited: BTreeSet::new(),
        errors: Vec::new(),
    };
    checker.parameter_names();
    checker.sizes();
    checker.region(&function.body, function.span);
    checker.left_over();
    checker.errors
}

struct Checker<'a> {
    module: &'a Module,
    id: FunctionId,
    function: &'a Function,
    /// Every value that has been defined, wherever.
    defined: BTreeSet<ValueId>,
    /// The values that can be used where the walk is.
    visible: BTreeSet<ValueId>,
    /// The same in the order of definition, to go back to where a region started.
    order: Vec<ValueId>,
    visited: BTreeSet<OperationId>,
    errors: Vec<VerifyError>,
}

impl Checker<'_> {
    fn report(&mut self, span: SpanId, violation: Violation) {
        self.errors.push(VerifyError {
            place: format!("function `{}`", self.function.name),
            violation,
            span,
        });
    }

    fn report_at(&mut self, id: OperationId, operation: &Operation, violation: Violation) {
        let (function, name) = (&self.function.name, operation.op.name());
        self.errors.push(VerifyError {
            place: format!("function `{function}`, operation {} (`{name}`)", id.index()),
            violation,
            span: operation.span,
        });
    }

    fn parameter_names(&mut self) {
        let parameters = self.function.body.parameters.len();
        let names = self.function.parameter_names.len();
        if parameters != names {
            let violation = Violation::ParameterNames { parameters, names };
            self.report(self.function.span, violation);
        }
    }

    /// Reports sizes that cannot be computed from those of the parameters.
    fn sizes(&mut self) {
        let known = self.function.sizes();
        let unknown = |name: &&str| !known.iter().any(|told| told.name == *name);
        let values = self.function.values.iter();
        let values = values.flat_map(|(_, value)| value.ty.shape.dims());
        let mut missing: BTreeSet<String> = BTreeSet::new();
        for dim in values {
            match dim {
                Dim::Static(_) => {}
                Dim::Dynamic(extent) => {
                    let names = extent.names().into_iter();
                    missing.extend(names.filter(unknown).map(str::to_owned));
                }
                Dim::Any => missing.extend([dim.to_string()]),
            }
        }
        for (_, operation) in self.function.operations.iter() {
            let extents = operation.op.extents();
            let names = extents.into_iter().flat_map(Extent::names);
            missing.extend(names.filter(unknown).map(str::to_owned));
        }
        for name in missing {
            self.report(self.function.span, Violation::UnknownSize(name));
        }
    }

    /// Checks a region; what it defines is visible in it only.
    fn region(&mut self, region: &Region, span: SpanId) {
        let outside = self.order.len();
        for parameter in &region.parameters {
            if let Some(violation) = self.define(*parameter) {
                self.report(span, violation);
            }
        }
        for id in &region.operations {
            self.step(*id, span);
        }
        for result in &region.results {
            if let Some(violation) = self.cannot_use(*result) {
                self.report(span, violation);
            }
        }
        for value in self.order.drain(outside..) {
            self.visible.remove(&value);
        }
    }

    fn step(&mut self, id: OperationId, span: SpanId) {
        let function = self.function;
        let Some(operation) = function.operations.get(id) else {
            return self.report(span, Violation::UnknownOperation(id.index()));
        };
        if !self.visited.insert(id) {
            return self.report(operation.span, Violation::OccursTwice(id.index()));
        }
        let mut violations: Vec<_> = operation
            .operands
            .iter()
            .filter_map(|operand| self.cannot_use(*operand))
            .collect();
        violations.extend(operation::check(
            self.module,
            self.id,
            self.function,
            operation,
        ));
        for region in &operation.regions {
            self.region(region, operation.span);
        }
        let results = operation.results.iter();
        violations.extend(results.filter_map(|result| self.define(*result)));
        for violation in violations {
            self.report_at(id, operation, violation);
        }
    }

    fn define(&mut self, value: ValueId) -> Option<Violation> {
        if self.function.ty(value).is_none() {
            return Some(Violation::UnknownValue(value.index()));
        }
        if self.visible.insert(value) {
            self.order.push(value);
        }
        let first = self.defined.insert(value);
        (!first).then(|| Violation::DefinedTwice(value.index()))
    }

    fn cannot_use(&self, value: ValueId) -> Option<Violation> {
        if self.function.ty(value).is_none() {
            Some(Violation::UnknownValue(value.index()))
        } else if self.visible.contains(&value) {
            None
        } else {
            Some(Violation::NotDefined(value.index()))
        }
    }

    /// Reports values and operations that no region has.
    fn left_over(&mut self) {
        let function = self.function;
        for (id, operation) in function.operations.iter() {
            if !self.visited.contains(&id) {
                self.report(operation.span, Violation::InNoRegion(id.index()));
            }
        }
        for (id, _) in function.values.iter() {
            if !self.defined.contains(&id) {
                self.report(function.span, Violation::NeverDefined(id.index()));
            }
        }
    }
}
