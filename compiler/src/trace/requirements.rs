//! What must hold of the sizes in a call: each tensor that the program could compute exists and has room in a
//! memory, and each part lies within what it is a part of.
//!
//! It must hold for branches too that a call may not get to, since only the program knows whether it does. Parts at
//! places that the program computes are the exception: those of a branch or a loop are checked where they start.

use iree_abi::{Dim, Extent, Requirement, TensorType};
use iree_dsl_ir::{
    Function, Operation, Region, ValueId,
    op::{Slice, Structure, WindowStep},
};
use std::collections::BTreeSet;

/// What must hold at each call of a function: what was required while it was traced, and then what its operations
/// need.
pub(crate) fn of(function: &Function, required: Vec<Requirement>) -> Vec<Requirement> {
    let mut collector = Collector {
        function,
        orders: Vec::new(),
        sizes: Vec::new(),
        seen: BTreeSet::new(),
    };
    for requirement in required {
        collector.add(requirement);
    }
    collector.region(&function.body, 0);
    let Collector {
        mut orders, sizes, ..
    } = collector;
    if !sizes.is_empty() {
        orders.push(Requirement::memory(Extent::bound(&sizes)));
    }
    orders
}

struct Collector<'f> {
    function: &'f Function,
    orders: Vec<Requirement>,
    /// What no memory may be too small for: sizes along axes, and bytes.
    sizes: Vec<Extent>,
    /// The types of tensors that were looked at.
    seen: BTreeSet<&'f TensorType>,
}

impl<'f> Collector<'f> {
    fn add(&mut self, requirement: Requirement) {
        if requirement.is_of_memory() {
            self.sizes.push(requirement.least);
            return;
        }
        // Of several numbers that one is not below, the largest says it all.
        let least = requirement.least.known();
        let is_of_same = |other: &Requirement| {
            other.most == requirement.most && least.is_some() && other.least.known().is_some()
        };
        let is_said = |other: &Requirement| {
            *other == requirement || is_of_same(other) && other.least.known() >= least
        };
        if !self.orders.iter().any(is_said) {
            self.orders.retain(|other| !is_of_same(other));
            self.orders.push(requirement);
        }
    }

    /// Requires that one number is at most another, unless it always is.
    fn order(&mut self, least: &Extent, most: &Extent) {
        let distance = most.minus(least);
        if distance.is_some_and(|distance| distance.is_never_negative()) {
            return;
        }
        match Requirement::order(least, most) {
            Some(requirement) => self.add(requirement),
            None => self.sizes.push(too_large()),
        }
    }

    fn is_not_negative(&mut self, size: &Extent) {
        self.order(&Extent::from(0), size);
    }

    fn region(&mut self, region: &'f Region, depth: usize) {
        self.values(&region.parameters);
        for id in &region.operations {
            let Some(operation) = self.function.operations.get(*id) else {
                continue;
            };
            self.operation(operation, depth);
            self.values(&operation.results);
            for inner in &operation.regions {
                self.region(inner, depth + 1);
            }
        }
    }

    fn values(&mut self, values: &'f [ValueId]) {
        for value in values {
            if let Some(ty) = self.function.ty(*value)
                && ty.shape.known().is_none()
                && self.seen.insert(ty)
            {
                self.exists(ty);
            }
        }
    }

    /// Requires that there is a tensor of a type.
    fn exists(&mut self, ty: &TensorType) {
        let sizes: Vec<_> = ty.shape.dims().iter().filter_map(Dim::extent).collect();
        for size in sizes.iter().filter(|size| size.known().is_none()) {
            self.is_not_negative(size);
        }
        self.sizes.extend(sizes);
        let count = ty.shape.element_count();
        let bytes = count.and_then(|count| count.times(&Extent::from(ty.dtype.size())));
        self.sizes.push(bytes.unwrap_or_else(too_large));
    }

    fn operation(&mut self, operation: &'f Operation, depth: usize) {
        let operands = operation.operands.iter();
        let types: Vec<_> = operands.filter_map(|id| self.function.ty(*id)).collect();
        let [operand, others @ ..] = types.as_slice() else {
            return;
        };
        let dims = operand.shape.dims();
        match operation.op.structure() {
            Structure::Slice(slice) => self.slice(slice, dims),
            Structure::Reshape(shape) => {
                let counts = operand.shape.element_count().zip(shape.element_count());
                let equal = counts.and_then(|(from, to)| Requirement::equal(&from, &to));
                equal
                    .into_iter()
                    .flatten()
                    .for_each(|equal| self.add(equal));
            }
            Structure::Window(window) if depth == 0 => self.window(window.sizes.dims(), dims),
            Structure::Update if depth == 0 => {
                let window = others.first().map_or(&[][..], |window| window.shape.dims());
                self.window(window, dims);
            }
            Structure::Gather(gather) => self.places(&gather.axes, dims, others.first()),
            Structure::Scatter(scatter) => self.places(&scatter.axes, dims, others.get(1)),
            Structure::ReduceWindow(op) => self.steps(dims.iter().zip(&op.steps)),
            Structure::Convolution(op) => {
                let axes = op.input.iter().skip(2).filter_map(|axis| dims.get(*axis));
                self.steps(axes.zip(&op.steps));
            }
            Structure::Extremum(axes) if depth == 0 => {
                let sizes = axes.iter().filter_map(|axis| dims.get(*axis)?.extent());
                sizes.for_each(|size| self.order(&Extent::from(1), &size));
            }
            // Inside of branches and loops the program sees to it.
            Structure::Window(_) | Structure::Update | Structure::Extremum(_) => {}
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => {}
            Structure::Elementwise | Structure::Broadcast(_) | Structure::Transpose(_) => {}
            Structure::Reverse(_) | Structure::Concatenate(_) | Structure::Pad(_) => {}
            Structure::Reduction(_) | Structure::Contraction(_) => {}
            Structure::Scan(_)
            | Structure::Sort(_)
            | Structure::Transform
            | Structure::Factor
            | Structure::System(_) => {}
            Structure::Branches | Structure::Iterations | Structure::Effect => {}
        }
    }

    fn slice(&mut self, slice: &Slice, dims: &[Dim]) {
        let bounds = slice.start.iter().zip(&slice.limit);
        for ((start, limit), size) in bounds.zip(dims.iter().filter_map(Dim::extent)) {
            self.is_not_negative(start);
            self.order(start, limit);
            self.order(limit, &size);
        }
    }

    /// Requires that a window fits into what it is a part of.
    fn window(&mut self, window: &[Dim], whole: &[Dim]) {
        for (part, size) in window.iter().zip(whole) {
            if let (Some(part), Some(size)) = (part.extent(), size.extent()) {
                self.order(&part, &size);
            }
        }
    }

    /// Requires that there is something along axes where anything is looked up or put.
    fn places(&mut self, axes: &[usize], dims: &[Dim], places: Option<&&TensorType>) {
        let count = places.and_then(|places| places.shape.element_count());
        let sizes = axes.iter().filter_map(|axis| dims.get(*axis)?.extent());
        for (size, count) in sizes.zip(std::iter::repeat(count)) {
            // Where there are as many places as elements, or a multiple, there are none of nothing.
            let Some(count) = count.filter(|count| count.exactly_over(&size).is_none()) else {
                continue;
            };
            match count.times(&size) {
                Some(product) if size.known().is_none() => self.order(&count, &product),
                _ => {}
            }
        }
    }

    /// Requires that what windows move over has no negative size with what is put around it.
    fn steps<'s>(&mut self, axes: impl Iterator<Item = (&'s Dim, &'s WindowStep)>) {
        for (size, step) in axes {
            if let Some(padded) = step.padded(size) {
                self.is_not_negative(&padded);
            }
        }
    }
}

/// What no memory has room for.
fn too_large() -> Extent {
    Extent::constant(i128::MAX)
}
