//! How much work a call is.
//!
//! The figures are of one core of a server's CPU, and right to a factor of two or three: who uses them compares the work with
//! what it takes to wake a thread.

use super::super::{iterations::Iterations, write::Marks};
use iree_abi::{Extent, Shape, TensorType, Work};
use iree_dsl_ir::{
    Function, FunctionId, Module, Operation, Region, ValueId,
    op::{Cost, Effect, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// What an element takes that is moved or computed by an instruction or two, a vector at a time, in picoseconds.
const SIMPLE: i128 = 60;

/// What an element takes that needs many instructions.
const TRANSCENDENTAL: i128 = 800;

/// What an element takes that is computed or moved alone.
const SCATTERED: i128 = 500;

/// What an element takes that is put in its order among others.
const SORTED: i128 = 10_000;

/// What a product of two numbers takes that is added to a sum.
const fn of_product(ty: &TensorType) -> i128 {
    match (ty.dtype.is_complex(), ty.dtype.size()) {
        (true, _) => 150,
        (false, ..=4) => 20,
        (false, _) => 40,
    }
}

/// The work of each function; none for those of which operations and sizes do not tell it.
pub(super) fn of(module: &Module, marks: &Marks) -> BTreeMap<FunctionId, Work> {
    let mut works = BTreeMap::new();
    // What is called stands before who calls.
    for (id, function) in module.functions.iter() {
        let counting = Counting {
            function,
            iterations: Iterations::of(function),
            works: &works,
            contained: marks.get(&id).map(|marked| &marked.contained),
        };
        if let Some(work) = counting.region(&function.body) {
            works.insert(id, work);
        }
    }
    works
}

/// Counts the work of a function.
struct Counting<'a> {
    function: &'a Function,
    iterations: Iterations<'a>,
    /// The work of what it calls.
    works: &'a BTreeMap<FunctionId, Work>,
    /// The results of loops that one dispatch runs.
    contained: Option<&'a BTreeSet<ValueId>>,
}

impl<'a> Counting<'a> {
    /// The work of a straight line, of which there is at least one piece.
    fn region(&self, region: &'a Region) -> Option<Work> {
        let mut total = Total::default();
        for id in &region.operations {
            let operation = self.function.operations.get(*id)?;
            let launches = match operation.op.cost() {
                Cost::Control => {
                    total.add(&self.control(operation)?)?;
                    continue;
                }
                Cost::Free | Cost::View => continue,
                Cost::Elementwise | Cost::Transcendental => 0,
                Cost::Movement
                | Cost::Reduction
                | Cost::Windows
                | Cost::Contraction
                | Cost::Along => 1,
            };
            total.add(&Work {
                picoseconds: self.picoseconds(operation)?,
                launches: Extent::from(launches),
            })?;
        }
        total.launches.known = total.launches.known.max(1);
        total.work()
    }

    /// The work of what an operation runs.
    fn control(&self, operation: &'a Operation) -> Option<Work> {
        match operation.op.effect() {
            Effect::Calls(call) => self.works.get(&call.callee).cloned(),
            Effect::Shows(_) | Effect::Checks(_) => Total::default().work(),
            Effect::Regions => self.regions(operation),
            // What the host does, and what a text says, is not known.
            Effect::CallsHost(_) | Effect::Foreign(_) => None,
            Effect::Pure | Effect::Reads(_) | Effect::Writes(_) => None,
        }
    }

    /// The work of all regions: of branches it may be less.
    fn regions(&self, operation: &'a Operation) -> Option<Work> {
        let mut total = Total::default();
        for region in &operation.regions {
            total.add(&self.region(region)?)?;
        }
        let work = total.work()?;
        if operation.op.structure() != Structure::Iterations {
            return Some(work);
        }
        let iterations = self.iterations.most(operation)?;
        let mut results = operation.results.iter();
        let is_contained = |contained: &BTreeSet<_>| results.any(|it| contained.contains(it));
        let launches = match self.contained.is_some_and(is_contained) {
            true => Extent::from(1),
            false => work.launches.times(&iterations)?,
        };
        Some(Work {
            picoseconds: work.picoseconds.times(&iterations)?,
            launches,
        })
    }

    /// How long an operation takes that computes.
    fn picoseconds(&self, operation: &Operation) -> Option<Extent> {
        let operands = operation.operands.iter().map(|id| self.function.ty(*id));
        let operands: Vec<_> = operands.collect::<Option<_>>()?;
        let result = self.function.ty(*operation.results.first()?)?;
        let (results, first) = (result.shape.element_count()?, operands.first().copied());
        let all = |ty: Option<&TensorType>| ty?.shape.element_count();
        let (elements, each) = match operation.op.structure() {
            Structure::Elementwise if operation.op.cost() == Cost::Transcendental => {
                (results, TRANSCENDENTAL)
            }
            Structure::Constant(_)
            | Structure::Index
            | Structure::Size(_)
            | Structure::Elementwise
            | Structure::Broadcast(_)
            | Structure::Reshape(_)
            | Structure::Transpose(_)
            | Structure::Reverse(_)
            | Structure::Slice(_)
            | Structure::Window(_)
            | Structure::Concatenate(_)
            | Structure::Pad(_)
            | Structure::Branches
            | Structure::Iterations
            | Structure::Effect => (results, SIMPLE),
            // Of what is replaced in place, the rest stays where it is.
            Structure::Update => (all(operands.get(1).copied())?, SIMPLE),
            Structure::Gather(_) => (results, SCATTERED),
            Structure::Scatter(_) => (all(operands.get(1).copied())?, SCATTERED),
            Structure::Reduction(_) | Structure::Extremum(_) => (all(first)?, SIMPLE),
            Structure::Scan(_) => (results, SCATTERED),
            Structure::Sort(_) => (results, SORTED),
            Structure::ReduceWindow(window) => {
                let places = window.sizes.iter().map(|size| Extent::from(*size));
                (product(places.chain([results]))?, SIMPLE)
            }
            Structure::Convolution(convolution) => {
                let kernel = &operands.get(1)?.shape;
                // All but that of the output features.
                let places = sizes(kernel, convolution.kernel.get(1..)?)?;
                (
                    product(places.into_iter().chain([results]))?,
                    of_product(result),
                )
            }
            Structure::Contraction(contraction) => {
                let summed = sizes(&first?.shape, &contraction.contract.0)?;
                (
                    product(summed.into_iter().chain([results]))?,
                    of_product(result),
                )
            }
            Structure::Transform | Structure::Factor | Structure::System(_) => {
                let along = all(first)?;
                let last = result.shape.extents()?.pop()?;
                (along.times(&last)?, of_product(result))
            }
        };
        elements.times(&Extent::constant(each))
    }
}

/// The sizes of some axes.
fn sizes(shape: &Shape, axes: &[usize]) -> Option<Vec<Extent>> {
    let extents = shape.extents()?;
    axes.iter()
        .map(|axis| extents.get(*axis).cloned())
        .collect()
}

fn product(factors: impl IntoIterator<Item = Extent>) -> Option<Extent> {
    let mut factors = factors.into_iter();
    factors.try_fold(Extent::from(1), |product, factor| product.times(&factor))
}

/// Work that is added up.
#[derive(Default)]
struct Total {
    picoseconds: Sum,
    launches: Sum,
}

impl Total {
    fn add(&mut self, work: &Work) -> Option<()> {
        self.picoseconds.add(&work.picoseconds)?;
        self.launches.add(&work.launches)
    }

    fn work(self) -> Option<Work> {
        Some(Work {
            picoseconds: self.picoseconds.extent()?,
            launches: self.launches.extent()?,
        })
    }
}

/// A sum of extents, of which most are known: those need no memory.
#[derive(Default)]
struct Sum {
    known: i128,
    open: Option<Extent>,
}

impl Sum {
    fn add(&mut self, extent: &Extent) -> Option<()> {
        match (extent.known(), &self.open) {
            (Some(known), _) => self.known = self.known.checked_add(known)?,
            (None, None) => self.open = Some(extent.clone()),
            (None, Some(open)) => self.open = Some(open.plus(extent)?),
        }
        Some(())
    }

    fn extent(self) -> Option<Extent> {
        let known = Extent::constant(self.known);
        self.open
            .map_or(Some(known.clone()), |open| open.plus(&known))
    }
}
