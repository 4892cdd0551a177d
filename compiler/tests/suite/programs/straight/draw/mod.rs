//! Draws procedures. A step is drawn without much thought and kept if it is defined for all that the procedure is
//! called with, and says something of the compiler.

mod combine;
mod elements;
mod model;
mod moves;
mod pattern;
mod replace;

use super::{
    array::{Array, Scalar, elements_of},
    procedure::{Case, Procedure, evaluated},
    size::Size,
    step::{Operation, Step, Type},
    values::Value,
};
use crate::mutations::Random;
use iree_abi::DType;

/// What the axes of a procedure are drawn from.
struct Extents {
    sizes: &'static [usize],
    /// The most elements that a value has.
    most: usize,
}

const SMALL: Extents = Extents {
    sizes: &[1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 16, 17, 33],
    most: 2500,
};

/// Around the tiles that matrices are divided into.
const LARGE: Extents = Extents {
    sizes: &[1, 3, 8, 16, 33, 64, 64, 96, 100, 128, 128, 129, 256, 512],
    most: 1 << 14,
};

/// As models have them, where what is kept of a row is too much for a stack.
const WIDE: Extents = Extents {
    sizes: &[1, 3, 12, 32, 64, 100, 196, 384, 512, 640, 768, 1000],
    most: 1 << 18,
};

/// Of so many procedures, one has large axes, and of so many groups of them, one has wide ones, for the time that it takes.
const PERIOD: u64 = 8;
const GROUPS: u64 = 5;

/// Which of them are made as models are.
const MODELS: [u64; 2] = [3, 6];

/// How many steps are drawn for one that is kept.
const TRIES: usize = 40;

const DTYPES: [(DType, usize); 15] = [
    (DType::F32, 36),
    (DType::F64, 12),
    (DType::I32, 16),
    (DType::Bool, 6),
    (DType::I64, 4),
    (DType::I8, 3),
    (DType::I16, 2),
    (DType::U8, 3),
    (DType::U16, 2),
    (DType::U32, 3),
    (DType::U64, 2),
    (DType::F16, 4),
    (DType::BF16, 3),
    (DType::C64, 3),
    (DType::C128, 1),
];

/// What draws a procedure.
pub(super) struct Draw {
    random: Random,
    extents: &'static Extents,
    procedure: Procedure,
    /// The values so far for each case.
    values: Vec<Vec<Value>>,
    /// The sizes that axes have, few so that tensors fit each other.
    pool: Vec<Size>,
    /// Whether it is made as models are.
    is_model: bool,
    /// How often steps were added.
    rounds: usize,
}

impl Draw {
    pub(super) fn procedure(seed: u64) -> Procedure {
        // Seeds side by side give sequences that are not.
        let mut random = Random(seed);
        let start = random.below(usize::MAX);
        let mut draw = Self {
            random: Random(start as u64),
            extents: match (seed % PERIOD, seed / PERIOD % GROUPS) {
                (0, 0) => &WIDE,
                (0, _) => &LARGE,
                _ => &SMALL,
            },
            procedure: Procedure::default(),
            values: Vec::new(),
            pool: Vec::new(),
            is_model: MODELS.contains(&(seed % PERIOD)),
            rounds: 0,
        };
        draw.begin();
        let length = 4 + draw.below(11);
        while draw.procedure.steps.len() < length && draw.rounds < 2 * length {
            draw.rounds += 1;
            match draw.below(10) {
                0..5 if draw.is_model => draw.add_part_of_model(),
                0..4 => draw.add_pattern(),
                _ => draw.add_step(),
            };
        }
        draw.end();
        draw.procedure
    }

    /// Draws parameters, and what they are given.
    fn begin(&mut self) {
        match self.is_model {
            true => self.begin_model(),
            false => self.begin_any(),
        }
        self.forget_untold();
        let names_sizes = self.pool.iter().any(|size| size.constant().is_none());
        let cases = if names_sizes { 3 } else { 1 };
        for _ in 0..cases {
            self.begin_case();
        }
    }

    /// Draws parameters of any types and sizes.
    fn begin_any(&mut self) {
        let named = [vec![], vec![], vec![Size::N], vec![Size::N, Size::M]];
        self.pool = named[self.below(4)].clone();
        let known = 1 + self.below(3);
        for _ in 0..known {
            let size = match self.below(60) {
                0 => 0,
                _ => self.one_of(self.extents.sizes),
            };
            self.pool.push(Size::known(size));
        }
        let count = 1 + self.below(3);
        for _ in 0..count {
            let dtype = self.dtype();
            let rank = [0, 1, 1, 2, 2, 2, 2, 3, 3, 4][self.below(10)];
            let sizes = (0..rank).map(|_| self.size()).collect();
            self.declare(dtype, sizes);
        }
    }

    /// Adds a parameter, without the axes that are too many.
    fn declare(&mut self, dtype: DType, mut sizes: Vec<Size>) {
        while elements(&sizes, [1, 1]) > self.extents.most {
            sizes.pop();
        }
        self.procedure.parameters.push(Type { dtype, sizes });
    }

    /// Keeps the sizes that are known, or told by a parameter.
    fn forget_untold(&mut self) {
        let parameters = &self.procedure.parameters;
        let is_told = |size: &Size| parameters.iter().any(|ty| ty.sizes.contains(size));
        self.pool
            .retain(|size| size.constant().is_some() || is_told(size));
    }

    fn begin_case(&mut self) {
        let parameters = self.procedure.parameters.clone();
        let mut sizes = [(); 2].map(|()| match self.below(12) {
            0 => 0,
            _ => self.one_of(self.extents.sizes),
        });
        while parameters
            .iter()
            .any(|ty| elements(&ty.sizes, sizes) > self.extents.most)
        {
            sizes = sizes.map(|size| size / 2);
        }
        let inputs: Vec<_> = parameters.iter().map(|ty| self.input(ty, sizes)).collect();
        let values = inputs.iter().cloned().map(Value::given).collect();
        self.values.push(values);
        self.procedure.cases.push(Case { sizes, inputs });
    }

    /// Numbers of small and moderate size, some of them equal.
    fn input(&mut self, ty: &Type, sizes: [usize; 2]) -> Array {
        let shape = ty.sizes.iter().map(|size| size.at(sizes).unwrap_or(0));
        let shape: Vec<_> = shape.collect();
        let dtype = ty.dtype;
        let style = self.below(4);
        let array = Array::build(dtype, &shape, |_| {
            let mut real = || match style {
                0 => self.random.below(4001) as f64 / 1000.0 - 2.0,
                1 => self.random.below(17) as f64 / 8.0 - 1.0,
                2 => self.random.below(2000) as f64 / 1000.0 + 0.125,
                _ => self.random.below(9000) as f64 / 1000.0 - 4.5,
            };
            if dtype.is_complex() {
                Scalar::Complex(num_complex::Complex64::new(real(), real()))
            } else if dtype.is_float() {
                Scalar::Real(real())
            } else if dtype == DType::Bool {
                Scalar::truth(self.random.below(3) > 0)
            } else {
                let low = if super::array::is_signed(dtype) {
                    -9
                } else {
                    0
                };
                Scalar::Integer(match style {
                    0 => super::array::wrapped(dtype, self.random.below(usize::MAX) as i128),
                    1 => self.random.below(4) as i128,
                    _ => self.random.below(19) as i128 + low,
                })
            }
        });
        rounded(&array)
    }

    /// Adds a step, and perhaps none if nothing fits.
    fn add_step(&mut self) -> Option<()> {
        (0..TRIES).find_map(|_| {
            let step = self.candidate()?;
            self.keep(step)
        })
    }

    fn candidate(&mut self) -> Option<Step> {
        match self.below(100) {
            0..14 => self.one_element(),
            14..40 => self.several_elements(),
            40..56 => self.reduction(),
            56..68 => self.contraction(),
            68..84 => self.movement(),
            84..89 => self.joined(),
            89..93 => self.picked(),
            93..97 => self.replaced(),
            _ => self.built(),
        }
    }

    fn keep(&mut self, step: Step) -> Option<()> {
        if step.ty.rank() > 5 {
            return None;
        }
        let mut found = Vec::new();
        for (case, values) in self.procedure.cases.iter().zip(&self.values) {
            let shape: Option<Vec<_>> = step
                .ty
                .sizes
                .iter()
                .map(|size| size.at(case.sizes))
                .collect();
            if shape?.iter().product::<usize>() > self.extents.most {
                return None;
            }
            found.push(evaluated(&step, case.sizes, values, &mut self.random)?);
        }
        for (values, value) in self.values.iter_mut().zip(found) {
            values.push(value);
        }
        self.procedure.steps.push(step);
        Some(())
    }

    /// Something that is changed in part, and what it was before, if there is such; not always.
    fn changed_and_kept(&mut self) -> Vec<usize> {
        let first = self.procedure.parameters.len();
        let steps = self.procedure.steps.iter().enumerate();
        let changes = steps.filter(|(_, step)| step.operation.changes_in_part());
        let changes = changes.map(|(place, step)| vec![first + place, step.operands[0]]);
        let changes: Vec<_> = changes.collect();
        match changes.is_empty() || self.below(3) > 0 {
            true => Vec::new(),
            false => changes[self.below(changes.len())].clone(),
        }
    }

    /// Draws what is returned: what nothing else uses first.
    fn end(&mut self) {
        let procedure = &self.procedure;
        let count = procedure.count();
        let first = procedure.parameters.len();
        let is_used = |value: usize| {
            let mut steps = procedure.steps.iter();
            steps.any(|step| step.operands.contains(&value))
        };
        let mut unused: Vec<_> = (first..count).filter(|value| !is_used(*value)).collect();
        let wanted = 1 + self.below(4);
        let mut results = self.changed_and_kept();
        for _ in 0..wanted {
            let result = match (unused.pop(), self.below(5)) {
                (Some(value), 1..) => value,
                (_, 0) if !results.is_empty() => results[self.below(results.len())],
                _ if count > first => first + self.below(count - first),
                _ => self.below(count),
            };
            results.push(result);
        }
        self.procedure.results = results;
        let cases = self.procedure.cases.clone();
        // A later call finds what an earlier, larger one left in memory.
        self.procedure.cases.extend(cases.into_iter().take(1));
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn dtype(&mut self) -> DType {
        let mut place = self.below(100);
        let found = DTYPES.iter().find(|(_, weight)| {
            let is_it = place < *weight;
            place = place.saturating_sub(*weight);
            is_it
        });
        found.map_or(DType::F32, |(dtype, _)| *dtype)
    }

    fn size(&mut self) -> Size {
        let place = self.below(self.pool.len());
        self.pool[place]
    }

    /// A value for which something holds, more often a late one, or one that nothing uses yet.
    fn value(&mut self, holds: impl Fn(&Type) -> bool) -> Option<usize> {
        let procedure = &self.procedure;
        let fitting = (0..procedure.count()).filter(|value| holds(procedure.ty(*value)));
        let fitting: Vec<_> = fitting.collect();
        let is_used = |value: &usize| {
            let mut steps = procedure.steps.iter();
            steps.any(|step| step.operands.contains(value))
        };
        let unused = fitting.iter().copied().filter(|value| !is_used(value));
        let unused: Vec<_> = unused.collect();
        let late = &fitting[fitting.len().saturating_sub(3)..];
        let choice = match self.below(5) {
            0 | 1 if !unused.is_empty() => unused,
            2 => late.to_vec(),
            _ => fitting,
        };
        (!choice.is_empty()).then(|| self.one_of(&choice))
    }

    fn ty(&self, value: usize) -> Type {
        self.procedure.ty(value).clone()
    }

    fn axis(&mut self, ty: &Type) -> Option<usize> {
        (ty.rank() > 0).then(|| self.below(ty.rank()))
    }

    fn step(
        &self,
        operation: Operation,
        operands: &[usize],
        dtype: DType,
        sizes: &[Size],
    ) -> Option<Step> {
        Some(Step {
            operation,
            operands: operands.to_vec(),
            ty: Type::new(dtype, sizes),
        })
    }
}

/// How many elements a tensor has.
fn elements(shape: &[Size], sizes: [usize; 2]) -> usize {
    shape
        .iter()
        .map(|size| size.at(sizes).unwrap_or(0))
        .product()
}

/// The elements as their type has them.
pub(super) fn rounded(array: &Array) -> Array {
    Array {
        elements: elements_of(array.dtype, &array.bytes()),
        ..array.clone()
    }
}

/// The sizes that two shapes broadcast to.
fn broadcast(one: &[Size], other: &[Size]) -> Option<Vec<Size>> {
    let rank = one.len().max(other.len());
    let at = |sizes: &[Size], axis: usize| match (axis + sizes.len()).checked_sub(rank) {
        Some(own) => sizes[own],
        None => Size::ONE,
    };
    let sizes = (0..rank).map(|axis| match (at(one, axis), at(other, axis)) {
        (Size::ONE, size) | (size, Size::ONE) => Some(size),
        (size, other) => (size == other).then_some(size),
    });
    sizes.collect()
}
