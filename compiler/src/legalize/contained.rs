//! Small loops, each of which one dispatch runs.
//!
//! Each iteration of a loop is dispatches, and what the host does between them: some microseconds for each, however little they
//! compute. IREE can be given a whole loop as one dispatch, which one worker runs. That pays where an iteration is so small that
//! others would have little to do.

use super::{decisions::Around, dispatch::count, edits::Edits, program::Program};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Function, FunctionId, Linkage, Operation, OperationId, Region, ValueId,
    op::{Alias, Consecutive, Cost, DotGeneral, Effect, Op, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many elements an operation of a small loop reads or computes at most, of each tensor. Of more, workers have enough to do, and
/// compute several at a time.
const ELEMENTS: usize = 1 << 11;

/// The same of elements that need many instructions, which are computed one after the other.
const TRANSCENDENTAL: usize = 1 << 8;

/// The same of elements that are moved.
const MOVED: usize = 1 << 10;

/// How many numbers are added up to one at most.
const SUMMED: usize = 1 << 12;

/// How many products a contraction in a small loop is of at most, if numbers of a factor are read one after the other.
const PRODUCTS: usize = 1 << 17;

/// How many it is of otherwise.
const SLOW_PRODUCTS: usize = 1 << 12;

/// How many bytes a small loop keeps on the stack at most, of the 32768 that IREE allows.
const STACK: usize = 3 << 13;

/// How many tensors a small loop reads and returns at most, but for constants. IREE loads no dispatch with more than 32 buffers.
const TENSORS: usize = 28;

/// How many operations a small loop is of at most. IREE takes very long to compile dispatches of more.
const OPERATIONS: usize = 1 << 10;

/// Loops by function.
pub(super) type Contained = BTreeMap<FunctionId, BTreeSet<OperationId>>;

/// Marks the outermost loops that are small.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let contained = program.contained(id);
        // A function of which nothing is asked is not written anew.
        if contained.is_empty() {
            continue;
        }
        let loops = contained.iter();
        let loops = loops.filter_map(|id| function.operations.get(*id));
        let results = loops.flat_map(|operation| &operation.results);
        edits.within(id).contained.extend(results);
    }
}

/// The outermost loops that are small.
pub(super) fn of(program: &Program<'_>) -> Contained {
    let (mut contained, mut callees) = (Contained::new(), BTreeMap::new());
    // What is called stands before who calls.
    for (id, function) in program.functions() {
        let loops = Loops::of(program, function, &callees);
        let mut own = BTreeSet::new();
        loops.region(&function.body, &mut own);
        contained.insert(id, own);
        if let Some(callee) = loops.callee() {
            callees.insert(id, callee);
        }
    }
    contained
}

/// A function that a dispatch can do.
struct Callee {
    /// The bytes that it takes on the stack.
    stack: usize,
    operations: usize,
}

struct Loops<'p, 'a> {
    program: &'p Program<'a>,
    function: &'a Function,
    callees: &'p BTreeMap<FunctionId, Callee>,
    readers: BTreeMap<ValueId, Readers>,
    around: Around<'a>,
}

/// What reads a value.
enum Readers {
    One(OperationId),
    /// Several, or what a region hands on.
    Several,
}

impl<'p, 'a> Loops<'p, 'a> {
    fn of(
        program: &'p Program<'a>,
        function: &'a Function,
        callees: &'p BTreeMap<FunctionId, Callee>,
    ) -> Self {
        let mut readers = BTreeMap::new();
        for (id, operation) in function.operations.iter() {
            for operand in &operation.operands {
                let readers = readers.entry(*operand);
                readers
                    .and_modify(|it| *it = Readers::Several)
                    .or_insert(Readers::One(id));
            }
            let handed = operation.regions.iter().flat_map(|region| &region.results);
            readers.extend(handed.map(|value| (*value, Readers::Several)));
        }
        Self {
            program,
            function,
            callees,
            readers,
            around: Around::of(function),
        }
    }

    /// The function, if it may be called and a dispatch can do all of it.
    fn callee(&self) -> Option<Callee> {
        let body = &self.function.body;
        let operations = self.length(body);
        let mut values = body.parameters.iter().chain(&body.results);
        let is_plain = values.all(|value| self.is_plain(*value));
        if self.function.linkage == Linkage::Public || operations > OPERATIONS || !is_plain {
            return None;
        }
        let mut ids = body.operations.iter();
        let stack = ids.try_fold(0_usize, |all, id| all.checked_add(self.kept(body, *id)?))?;
        Some(Callee { stack, operations })
    }

    /// Finds the outermost small loops of a region.
    fn region(&self, region: &'a Region, contained: &mut BTreeSet<OperationId>) {
        for id in &region.operations {
            let Some(operation) = self.function.operations.get(*id) else {
                continue;
            };
            if operation.op.structure() == Structure::Iterations && self.is_small(operation) {
                contained.insert(*id);
                continue;
            }
            for region in &operation.regions {
                self.region(region, contained);
            }
        }
    }

    fn operations(&self, region: &'a Region) -> impl Iterator<Item = &'a Operation> {
        let operations = region.operations.iter();
        operations.filter_map(|id| self.function.operations.get(*id))
    }

    /// Whether a loop is so small that one dispatch runs it.
    fn is_small(&self, operation: &'a Operation) -> bool {
        let lengths = operation.regions.iter().map(|region| self.length(region));
        let taken = || self.around.contained(operation).taken.len();
        // How much is kept takes longer to find out than that there is too much else.
        lengths.sum::<usize>() <= OPERATIONS
            && taken().saturating_add(operation.results.len()) <= TENSORS
            && self.inside(operation).is_some_and(|bytes| bytes <= STACK)
    }

    /// How many operations there are in a region, and in what it calls.
    fn length(&self, region: &'a Region) -> usize {
        let lengths = self.operations(region).map(|operation| {
            let callee = operation.op.callee();
            let callee = callee.and_then(|call| self.callees.get(&call.callee));
            let regions = operation.regions.iter().map(|region| self.length(region));
            callee.map_or(1, |callee| callee.operations) + regions.sum::<usize>()
        });
        lengths.sum()
    }

    /// The bytes that an operation with regions takes on the stack of a dispatch; `None` if it is not to be in one.
    fn inside(&self, operation: &'a Operation) -> Option<usize> {
        let regions = operation.regions.iter();
        let mut operations = regions.clone().flat_map(|region| {
            let operations = region.operations.iter();
            operations.map(move |id| (region, *id))
        });
        let inside = operations.try_fold(0_usize, |all, (region, id)| {
            all.checked_add(self.kept(region, id)?)
        })?;
        let mut taken = regions.clone().flat_map(|region| &region.parameters);
        let handed = regions.flat_map(|region| {
            let in_place = self.around.in_place(region);
            let results = region.results.iter().enumerate();
            results.filter(move |(position, _)| !in_place.contains(position))
        });
        let mut handed = handed.map(|(_, value)| self.bytes(*value));
        let all = handed.try_fold(inside, |all, bytes| all.checked_add(bytes?));
        let is_plain = taken.all(|value| self.is_plain(*value)) && self.is_plain_around(operation);
        all.filter(|_| is_plain)
    }

    /// The bytes that an operation takes on the stack of a dispatch; `None` if it is not to be in one.
    fn kept(&self, region: &'a Region, id: OperationId) -> Option<usize> {
        let operation = self.function.operations.get(id)?;
        let form = Form::of(&operation.op)?;
        let results = operation.results.iter().map(|result| self.bytes(*result));
        let results = results.sum::<Option<usize>>()?;
        match form {
            Form::Regions => return self.inside(operation)?.checked_add(results),
            Form::Call(callee) => {
                let callee = self.callees.get(&callee)?;
                let kept = results.checked_add(callee.stack);
                return kept.filter(|_| self.is_plain_around(operation));
            }
            _ => {}
        }
        let is_few = match form {
            Form::Contraction(contraction) => self.is_small_product(operation, contraction),
            _ => self.are_few(operation, &form),
        };
        let is_small = is_few && self.is_plain_around(operation);
        let is_kept = match operation.op.alias() {
            Alias::View | Alias::Constant => false,
            // Of what is needed as it was, another one is made to be changed.
            Alias::InPlace(_) => !self.around.is_last(region, id),
            Alias::New | Alias::Operands { .. } => !self.is_fused(operation),
            Alias::Branches | Alias::Iterations => true,
            Alias::Global(_) | Alias::Callee(_) | Alias::Foreign | Alias::NoResults => true,
        };
        is_small.then_some(if is_kept { results } else { 0 })
    }

    fn is_plain_around(&self, operation: &Operation) -> bool {
        let mut values = operation.operands.iter().chain(&operation.results);
        !self.program.separation.is_of(operation) && values.all(|value| self.is_plain(*value))
    }

    fn is_plain(&self, value: ValueId) -> bool {
        self.function.ty(value).is_some_and(is_plain)
    }

    fn bytes(&self, value: ValueId) -> Option<usize> {
        let ty = self.function.ty(value)?;
        count(ty)?.checked_mul(ty.dtype.size())
    }

    /// Whether a contraction is of few products, of one type.
    fn is_small_product(&self, operation: &Operation, op: &DotGeneral) -> bool {
        let ty = |value: Option<&ValueId>| self.function.ty(*value?);
        let operands = operation.operands.as_slice();
        let types = (
            ty(operands.first()),
            ty(operands.get(1)),
            ty(operation.results.first()),
        );
        let (Some(lhs), Some(rhs), Some(result)) = types else {
            return false;
        };
        let sizes = lhs.shape.known().unwrap_or_default();
        let summed = op.contract.0.iter();
        let summed = summed.map(|axis| sizes.get(*axis).copied().unwrap_or(1));
        let summed = summed.fold(1_usize, usize::saturating_mul);
        let sums = count(result).unwrap_or(usize::MAX);
        let most = match op.consecutive(lhs.shape.rank(), rhs.shape.rank()) {
            Consecutive::Result | Consecutive::Summed => PRODUCTS,
            Consecutive::Nothing => SLOW_PRODUCTS,
        };
        let products = summed.saturating_mul(sums);
        lhs.dtype == result.dtype && summed <= SUMMED && products <= most
    }

    /// Whether an operation reads and computes few elements.
    fn are_few(&self, operation: &Operation, form: &Form<'_>) -> bool {
        let (operands, results) = (operation.operands.as_slice(), operation.results.as_slice());
        let (read, computed) = match form {
            Form::Constant => (&[][..], &[][..]),
            Form::Part => (&[][..], results),
            Form::Change => (operands.get(1..).unwrap_or_default(), &[][..]),
            _ => (operands, results),
        };
        let most = match form {
            Form::Elementwise if operation.op.cost() == Cost::Transcendental => TRANSCENDENTAL,
            Form::Whole if operation.op.cost() == Cost::Movement => MOVED,
            _ => ELEMENTS,
        };
        let mut values = read.iter().chain(computed);
        values.all(|value| {
            let count = self.function.ty(*value).and_then(count);
            count.is_some_and(|count| count <= most)
        })
    }

    /// Whether a result is computed where it is read: element by element, for one reader that does so too.
    fn is_fused(&self, operation: &Operation) -> bool {
        let mut readers = operation
            .results
            .iter()
            .map(|result| self.readers.get(result));
        let is_elementwise = |op| matches!(Form::of(op), Some(Form::Elementwise));
        is_elementwise(&operation.op)
            && readers.all(|readers| match readers {
                Some(Readers::One(reader)) => {
                    let reader = self.function.operations.get(*reader);
                    reader.is_some_and(|reader| is_elementwise(&reader.op))
                }
                Some(Readers::Several) | None => false,
            })
    }
}

/// Whether a dispatch can have such a tensor beside others: one of known sizes, of numbers that it needs no formulas for.
fn is_plain(ty: &TensorType) -> bool {
    let sizes = ty.shape.known();
    let has_elements = sizes.is_some_and(|sizes| !sizes.contains(&0));
    let is_narrow = matches!(ty.dtype, DType::F16 | DType::BF16);
    has_elements && !is_narrow && !ty.dtype.is_complex()
}

/// What becomes of an operation in a dispatch.
enum Form<'a> {
    Constant,
    /// A part of what it is given.
    Part,
    /// A tensor of which a part is replaced.
    Change,
    Elementwise,
    Contraction(&'a DotGeneral),
    /// Loops over the elements of all that it is given.
    Whole,
    /// What its regions become.
    Regions,
    /// What the function does that it calls.
    Call(FunctionId),
}

impl<'a> Form<'a> {
    /// `None` if it is a dispatch of its own, or nothing that a dispatch does.
    fn of(op: &'a Op) -> Option<Self> {
        if let Effect::Calls(call) = op.effect() {
            return Some(Self::Call(call.callee));
        }
        Some(match op.structure() {
            Structure::Constant(_) => Self::Constant,
            Structure::Slice(_) | Structure::Window(_) => Self::Part,
            Structure::Update => Self::Change,
            Structure::Elementwise if op.effect() == Effect::Pure => Self::Elementwise,
            Structure::Contraction(contraction) => Self::Contraction(contraction),
            Structure::Index | Structure::Broadcast(_) | Structure::Reshape(_) => Self::Whole,
            Structure::Transpose(_) | Structure::Reverse(_) => Self::Whole,
            Structure::Concatenate(_) | Structure::Pad(_) => Self::Whole,
            Structure::Reduction(_) | Structure::Extremum(_) => Self::Whole,
            Structure::Branches | Structure::Iterations => Self::Regions,
            Structure::Size(_) | Structure::Elementwise | Structure::Effect => return None,
            Structure::Gather(_) | Structure::Scatter(_) => return None,
            Structure::Scan(_) | Structure::Sort(_) => return None,
            Structure::ReduceWindow(_) | Structure::Convolution(_) => return None,
            Structure::Transform | Structure::Factor | Structure::System(_) => return None,
        })
    }
}
