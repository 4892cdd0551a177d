//! How the numbers of a function come about that IREE's virtual machine could compute.

use super::{fits, is_computed};
use iree_dsl_ir::{Constant, Function, Operation, OperationId, Region, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// How the values come about that the machine could compute.
pub(super) struct Origins<'a> {
    pub(super) function: &'a Function,
    /// For what a loop hands to its condition and to what comes after it, the parameter of its iterations, which
    /// stands for all three.
    parameters: BTreeMap<ValueId, ValueId>,
    pub(super) origins: BTreeMap<ValueId, Origin<'a>>,
    /// What is computed from a value.
    users: BTreeMap<ValueId, Vec<ValueId>>,
    /// The innermost loop that a value is defined in.
    pub(super) loops: BTreeMap<ValueId, OperationId>,
}

#[derive(Clone)]
pub(super) enum Origin<'a> {
    Literal(&'a Constant),
    Size,
    /// Arithmetic.
    Computed(Vec<ValueId>),
    /// What either branch hands back.
    Either([ValueId; 2]),
    /// What iterations of a loop hand on: the first, and what an iteration makes of it.
    Iterations([ValueId; 2]),
}

impl<'a> Origins<'a> {
    pub(super) fn of(function: &'a Function) -> Self {
        let mut origins = Self {
            function,
            parameters: BTreeMap::new(),
            origins: BTreeMap::new(),
            users: BTreeMap::new(),
            loops: BTreeMap::new(),
        };
        origins.enter(&function.body, None);
        let operations = || function.operations.iter().map(|(_, operation)| operation);
        for operation in operations() {
            if let (Op::While, [condition, body]) = (&operation.op, operation.regions.as_slice()) {
                for others in [&condition.parameters, &operation.results] {
                    let others = others.iter().zip(&body.parameters);
                    origins.parameters.extend(others);
                }
            }
        }
        for operation in operations() {
            origins.operation(operation);
        }
        let mut users: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for (value, origin) in &origins.origins {
            for input in origin.inputs() {
                users.entry(*input).or_default().push(*value);
            }
        }
        origins.users = users;
        origins
    }

    /// Notes the loops that values are defined in.
    fn enter(&mut self, region: &Region, loop_: Option<OperationId>) {
        self.within(&region.parameters, loop_);
        for id in &region.operations {
            let Some(operation) = self.function.operations.get(*id) else {
                continue;
            };
            self.within(&operation.results, loop_);
            let inner = match operation.op == Op::While {
                true => Some(*id),
                false => loop_,
            };
            for region in &operation.regions {
                self.enter(region, inner);
            }
        }
    }

    fn within(&mut self, values: &[ValueId], loop_: Option<OperationId>) {
        if let Some(loop_) = loop_ {
            self.loops
                .extend(values.iter().map(|value| (*value, loop_)));
        }
    }

    fn operation(&mut self, operation: &'a Operation) {
        let one = |origins: &Self, value: &ValueId| origins.one_of(*value);
        let regions = operation.regions.as_slice();
        if let (Op::If, [then, otherwise]) = (&operation.op, regions) {
            let handed_back = then.results.iter().zip(&otherwise.results);
            for (result, (a, b)) in operation.results.iter().zip(handed_back) {
                let either = [one(self, a), one(self, b)];
                self.define(*result, Origin::Either(either));
            }
        } else if let (Op::While, [_, body]) = (&operation.op, regions) {
            let iterations = operation.operands.iter().zip(&body.results);
            for (parameter, (first, next)) in body.parameters.iter().zip(iterations) {
                let iterations = [one(self, first), one(self, next)];
                self.define(*parameter, Origin::Iterations(iterations));
            }
        } else if let [result] = operation.results.as_slice()
            && let Some(origin) = self.of_one(operation)
        {
            self.define(*result, origin);
        }
    }

    fn of_one(&self, operation: &'a Operation) -> Option<Origin<'a>> {
        let operands = operation.operands.iter();
        let mut types = operands.clone().map(|operand| self.function.ty(*operand));
        if let Op::Constant(constant) = &operation.op {
            Some(Origin::Literal(constant))
        } else if let Op::Size(_) = &operation.op {
            Some(Origin::Size)
        } else if is_computed(&operation.op) && types.all(|ty| ty.is_some_and(fits)) {
            let operands = operands.map(|operand| self.one_of(*operand));
            Some(Origin::Computed(operands.collect()))
        } else {
            None
        }
    }

    fn define(&mut self, value: ValueId, origin: Origin<'a>) {
        if self.function.ty(value).is_some_and(fits) {
            self.origins.insert(value, origin);
        }
    }

    /// The value that stands for all that are the same in a loop.
    pub(super) fn one_of(&self, value: ValueId) -> ValueId {
        self.parameters.get(&value).copied().unwrap_or(value)
    }

    /// Whether a value is read once for all iterations of the loop that another is computed in.
    pub(super) fn is_read_before(&self, value: ValueId, computed: ValueId) -> bool {
        let loop_ = self.loops.get(&computed);
        loop_.is_some() && self.loops.get(&value) != loop_
    }

    /// Removes values that cannot stay, until all that are left can.
    pub(super) fn remove(
        &self,
        values: &mut BTreeSet<ValueId>,
        stays: impl Fn(ValueId, &Origin<'a>, &BTreeSet<ValueId>) -> bool,
    ) {
        let mut next: Vec<_> = values.iter().copied().collect();
        while let Some(value) = next.pop() {
            let Some(origin) = self.origins.get(&value) else {
                continue;
            };
            if values.contains(&value) && !stays(value, origin, values) {
                values.remove(&value);
                next.extend(self.users.get(&value).into_iter().flatten());
            }
        }
    }
}

impl Origin<'_> {
    pub(super) fn inputs(&self) -> &[ValueId] {
        match self {
            Self::Literal(_) | Self::Size => &[],
            Self::Computed(operands) => operands,
            Self::Either(values) | Self::Iterations(values) => values,
        }
    }
}
