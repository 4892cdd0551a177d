//! Where packing the factors of products takes longer than it saves.
//!
//! IREE packs factors into tiles, in the order in which a product reads them. That pays where each tile is read often. A product
//! of a few rows reads most of them once, and IREE takes longer to pack its larger factor than to multiply. IREE can be
//! told to leave all products of a function as they are, not one.
//!
//! What the figures are for, and how right they are, is as for the work of a call.

use super::{
    edits::Edits, factors::is_product, iterations::Iterations, lasting::Lasting, program::Program,
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Function, FunctionId, Linkage, Operation, OperationId, Region, ValueId,
    op::{DotGeneral, Effect, Op, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// What packing a byte takes, in picoseconds.
const PACKED: i128 = 150;

/// What reading a byte takes that was packed before the call.
const READ: i128 = 40;

/// What a product of packed numbers takes for each byte of a number.
const MULTIPLIED: i128 = 7;

/// What a byte of a factor takes that is multiplied as it lies in memory, for so many rows of the other at once.
const ROWS: i128 = 8;

/// Leaves the factors of exported functions as they are where that takes less time.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    let lasting = Lasting::of(program);
    let mut times = BTreeMap::new();
    // What is called stands before who calls.
    for (id, function) in program.functions() {
        let products = Products {
            function,
            iterations: Iterations::of(function),
            lasting: lasting.values(id),
            contained: program.contained(id),
            times: &times,
        };
        let Some(time) = products.region(&function.body) else {
            continue;
        };
        if function.linkage == Linkage::Public && time.is_plain_better() {
            edits.unpacked.insert(id);
        }
        times.insert(id, time);
    }
}

/// What products take in either way, in picoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    packed: i128,
    plain: i128,
}

impl Time {
    fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            packed: self.packed.checked_add(other.packed)?,
            plain: self.plain.checked_add(other.plain)?,
        })
    }

    fn times(self, iterations: i128) -> Option<Self> {
        Some(Self {
            packed: self.packed.checked_mul(iterations)?,
            plain: self.plain.checked_mul(iterations)?,
        })
    }

    /// Whether packing takes longer by more than the figures may be wrong where both ways take about as long.
    fn is_plain_better(self) -> bool {
        let margin = self.plain / 7;
        self.plain.saturating_add(margin) < self.packed
    }
}

/// The products of a function.
struct Products<'a> {
    function: &'a Function,
    iterations: Iterations<'a>,
    /// What is packed before the call.
    lasting: &'a BTreeSet<ValueId>,
    /// Loops that one dispatch runs: nothing in them is packed.
    contained: &'a BTreeSet<OperationId>,
    /// What the products of functions take that it calls.
    times: &'a BTreeMap<FunctionId, Time>,
}

impl<'a> Products<'a> {
    /// What all products of a region take; `None` if it is not known of one.
    fn region(&self, region: &'a Region) -> Option<Time> {
        let operations = region.operations.iter();
        let mut operations = operations.filter(|id| !self.contained.contains(id));
        operations.try_fold(Time::default(), |total, id| {
            let operation = self.function.operations.get(*id)?;
            total.plus(self.operation(operation)?)
        })
    }

    fn operation(&self, operation: &'a Operation) -> Option<Time> {
        if let Op::DotGeneral(op) = &operation.op {
            return self.product(operation, op);
        }
        if is_product(&operation.op) {
            return None;
        }
        match operation.op.effect() {
            Effect::Calls(call) => self.times.get(&call.callee).copied(),
            Effect::Regions => self.regions(operation),
            Effect::Foreign(_) => None,
            Effect::Pure | Effect::Reads(_) | Effect::Writes(_) => Some(Time::default()),
            Effect::Shows(_) | Effect::Checks(_) | Effect::CallsHost(_) => Some(Time::default()),
        }
    }

    /// What the products of all branches take, or of all iterations: one, if nobody knows how many there are.
    fn regions(&self, operation: &'a Operation) -> Option<Time> {
        let mut regions = operation.regions.iter();
        let once = regions.try_fold(Time::default(), |total, region| {
            total.plus(self.region(region)?)
        })?;
        if operation.op.structure() != Structure::Iterations {
            return Some(once);
        }
        let iterations = self.iterations.most(operation);
        once.times(iterations.and_then(|it| it.known()).unwrap_or(1))
    }

    fn product(&self, operation: &Operation, op: &DotGeneral) -> Option<Time> {
        let [lhs, rhs] = *operation.operands.as_slice() else {
            return None;
        };
        let factor = |value: ValueId, axes| {
            let lasts = self.lasting.contains(&value);
            Factor::of(self.function.ty(value)?, lasts, op, axes)
        };
        let lhs = factor(lhs, (&op.batch.0, &op.contract.0))?;
        let rhs = factor(rhs, (&op.batch.1, &op.contract.1))?;
        match lhs.summed <= 1 || lhs.rows.max(rhs.rows) <= 1 {
            true => Some(Time::default()),
            false => times(&lhs, &rhs),
        }
    }
}

/// A factor of a product, of real numbers in the type of their sums: for each place of the batch a matrix.
struct Factor {
    batch: i128,
    summed: i128,
    /// The places along all other axes.
    rows: i128,
    /// The bytes of a number.
    number: i128,
    /// Whether it is packed before the call.
    lasts: bool,
}

impl Factor {
    fn of(
        ty: &TensorType,
        lasts: bool,
        op: &DotGeneral,
        (batch, summed): (&[usize], &[usize]),
    ) -> Option<Self> {
        if !matches!(ty.dtype, DType::F32 | DType::F64) || ty.dtype != op.dtype {
            return None;
        }
        let sizes = ty.shape.known()?;
        let places = |is_of: &dyn Fn(&usize) -> bool| {
            let mut sizes = sizes.iter().enumerate().filter(|(axis, _)| is_of(axis));
            sizes.try_fold(1_i128, |places, (_, size)| {
                places.checked_mul(i128::try_from(*size).ok()?)
            })
        };
        Some(Self {
            batch: places(&|axis| batch.contains(axis))?,
            summed: places(&|axis| summed.contains(axis))?,
            rows: places(&|axis| !batch.contains(axis) && !summed.contains(axis))?,
            number: i128::try_from(ty.dtype.size()).ok()?,
            lasts,
        })
    }

    /// The bytes of a matrix.
    fn bytes(&self) -> Option<i128> {
        let numbers = self.rows.checked_mul(self.summed)?;
        numbers.checked_mul(self.number)
    }

    /// What packing a matrix takes, or reading one that is packed.
    fn packing(&self) -> Option<i128> {
        let each = match self.lasts {
            true => READ,
            false => PACKED,
        };
        self.bytes()?.checked_mul(each)
    }

    /// What reading a byte takes where the product does, which caches of these sizes decide.
    fn reading(&self) -> Option<i128> {
        Some(match self.bytes()? {
            ..=0x1_0000 => 60,
            0x1_0001..=0x4_0000 => 70,
            0x4_0001..=0x10_0000 => 90,
            _ => 130,
        })
    }
}

/// What a product takes in either way.
fn times(lhs: &Factor, rhs: &Factor) -> Option<Time> {
    let (larger, smaller) = match lhs.rows >= rhs.rows {
        true => (lhs, rhs),
        false => (rhs, lhs),
    };
    let multiplied = larger.bytes()?.checked_mul(smaller.rows)?;
    let packed = lhs.packing()?.checked_add(rhs.packing()?)?;
    let packed = packed.checked_add(multiplied.checked_mul(MULTIPLIED)?)?;
    let passes = smaller.rows.checked_add(ROWS - 1)? / ROWS;
    let plain = larger.bytes()?.checked_mul(larger.reading()?)?;
    let once = Time {
        packed,
        plain: plain.checked_mul(passes)?,
    };
    once.times(lhs.batch)
}
