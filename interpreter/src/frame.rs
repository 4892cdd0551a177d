//! Running functions: the values of each, and what its operations do.

use crate::{
    Bound, Cause, Error, Host, Tensor, Trace, Value,
    bounds::{self, Step},
    control,
    memory::Memory,
    op::{self, Effect, Evaluated, Inner, Operands},
    sizes::{Sizes, known_type},
};
use iree_dsl_ir::{
    Function, Module, Operation, Region, ValueId,
    op::{Call, GlobalAccess, Import, Observation},
};
use std::sync::Arc;

/// What all running functions share.
pub(crate) struct World<'w> {
    pub(crate) module: &'w Module,
    pub(crate) host: &'w mut Host,
    pub(crate) globals: &'w mut Vec<Option<Value>>,
    pub(crate) memory: Memory,
    /// How many calls and regions are inside each other.
    pub(crate) depth: usize,
    pub(crate) follows: Follows,
    /// How many regions are inside each other of which another device may run others.
    pub(crate) undecided: usize,
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Tensors,
    /// Tensors, and how far they may be off.
    Bounds,
}

/// How many calls and regions may be inside each other: each takes some of the stack.
const DEPTH: usize = 264;

/// A running function.
pub(crate) struct Frame<'f> {
    function: &'f Function,
    sizes: Sizes,
    /// The values by their index.
    values: Vec<Option<Value>>,
}

/// Why an operation stops: a cause of its own, or an error of an operation inside of it.
enum Stop {
    Cause(Box<Cause>),
    Inner(Error),
}

impl From<Cause> for Stop {
    fn from(cause: Cause) -> Self {
        Self::Cause(Box::new(cause))
    }
}

impl<'f> Frame<'f> {
    /// Calls a function.
    pub(crate) fn call(
        world: &mut World<'_>,
        function: &'f Function,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Error> {
        let (tensors, _) = split(arguments);
        let mut frame = Self {
            function,
            sizes: Sizes::bind(function, &tensors)?,
            values: vec![None; function.values.len()],
        };
        let results = frame.region(world, &function.body, arguments);
        for value in frame.values.iter().flatten() {
            world.memory.free(&value.tensor);
        }
        results
    }

    /// Runs a region and returns what it hands back.
    fn region(
        &mut self,
        world: &mut World<'_>,
        region: &Region,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Error> {
        for (parameter, argument) in region.parameters.iter().zip(arguments) {
            self.define(world, *parameter, argument.clone());
        }
        for id in &region.operations {
            if let Some(operation) = self.function.operations.get(*id) {
                let outcome = self.operation(world, operation);
                outcome.map_err(|stop| match stop {
                    Stop::Inner(error) => error,
                    Stop::Cause(cause) => Error::Operation {
                        function: self.function.name.clone(),
                        operation: id.index(),
                        name: operation.op.name(),
                        span: operation.span,
                        cause,
                    },
                })?;
            }
        }
        Ok(self.read_all(&region.results))
    }

    fn define(&mut self, world: &mut World<'_>, id: ValueId, value: Value) {
        world.memory.take(&value.tensor);
        if let Some(place) = self.values.get_mut(id.index())
            && let Some(old) = place.replace(value)
        {
            world.memory.free(&old.tensor);
        }
    }

    /// The values, all of which a verified function has defined.
    fn read_all(&self, ids: &[ValueId]) -> Vec<Value> {
        let values = ids.iter().map(|id| self.values.get(id.index()).cloned());
        values.flatten().flatten().collect()
    }

    /// What takes room on the stack is in functions that are left before an operation runs others inside of it.
    fn operation(&mut self, world: &mut World<'_>, operation: &Operation) -> Result<(), Stop> {
        let operands = self.read_all(&operation.operands);
        let shapes = self.shapes(world, operation)?;
        let results = match self.evaluate(world, operation, &operands, &shapes)? {
            Found::Result(result) => Ok(vec![result]),
            Found::Inner(inner) => self.inner(world, operation, &inner, operands),
            Found::Effect(effect) => self.effect(world, &effect, operands),
        };
        self.define_all(world, operation, results?, &shapes)?;
        Ok(())
    }

    fn inner(
        &mut self,
        world: &mut World<'_>,
        operation: &Operation,
        inner: &Inner<'_>,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        match inner {
            Inner::If => self.branch(world, operation, &operands),
            Inner::While => self.repeat(world, operation, operands),
            Inner::Call(call) => self.callee(world, call, &operands),
        }
    }

    fn effect(
        &mut self,
        world: &mut World<'_>,
        effect: &Effect<'_>,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        Ok(match effect {
            Effect::Load(access) => vec![load(world, access)?],
            Effect::Store(access) => store(world, access, operands)?,
            Effect::Import(import) => self.import(world, import, &operands)?,
            Effect::Trace(observation) => trace(world, observation, &operands),
            Effect::Assert(observation) => assert(world, observation, &operands)?,
        })
    }

    /// The sizes of the results, for which there must be memory.
    fn shapes(&self, world: &World<'_>, operation: &Operation) -> Result<Vec<Vec<usize>>, Cause> {
        let shapes = operation.results.iter().map(|result| {
            let ty = self.function.ty(*result);
            let ty = ty.ok_or(Cause::Lost("the type of a result"))?;
            let shape = self.sizes.shape(ty)?;
            world.memory.check(ty, &shape)?;
            Ok(shape)
        });
        shapes.collect()
    }

    fn evaluate<'o>(
        &self,
        world: &World<'_>,
        operation: &'o Operation,
        operands: &[Value],
        shapes: &[Vec<usize>],
    ) -> Result<Found<'o>, Cause> {
        let types = self.function.types(&operation.operands);
        let (tensors, bounds) = split(operands);
        let operands = Operands {
            operands: &tensors,
            types: &types.unwrap_or_default(),
            shapes,
            sizes: &self.sizes,
        };
        let tensor = match op::evaluate(&operation.op, &operands)? {
            Evaluated::Result(tensor) => tensor,
            Evaluated::Inner(inner) => return Ok(Found::Inner(inner)),
            Evaluated::Effect(effect) => return Ok(Found::Effect(effect)),
        };
        let bound = match world.follows {
            Follows::Tensors => Bound::Exact,
            Follows::Bounds => {
                let step = Step {
                    operands: &operands,
                    bounds: &bounds,
                    result: &tensor,
                };
                bounds::of(&operation.op, &step)?
            }
        };
        Ok(Found::Result(Value { tensor, bound }))
    }

    /// Defines the results of an operation, if they are of the right types.
    fn define_all(
        &mut self,
        world: &mut World<'_>,
        operation: &Operation,
        results: Vec<Value>,
        shapes: &[Vec<usize>],
    ) -> Result<(), Cause> {
        let wrong = || Cause::Lost("a result of the right type");
        if results.len() != shapes.len() {
            return Err(wrong());
        }
        for ((id, result), shape) in operation.results.iter().zip(results).zip(shapes) {
            let dtype = self.function.ty(*id).map(|ty| ty.dtype);
            let tensor = &result.tensor;
            if dtype != Some(tensor.dtype()) || tensor.shape() != shape {
                return Err(wrong());
            }
            self.define(world, *id, result);
        }
        Ok(())
    }

    /// Runs something inside of the operation, one deeper.
    fn deeper<R>(
        &mut self,
        world: &mut World<'_>,
        run: impl FnOnce(&mut Self, &mut World<'_>) -> Result<R, Error>,
    ) -> Result<R, Stop> {
        if world.depth >= DEPTH {
            return Err(Cause::Depth(DEPTH).into());
        }
        world.depth += 1;
        let result = run(self, world);
        world.depth -= 1;
        result.map_err(Stop::Inner)
    }

    /// The first region if the operand is true, else the second. If it is undecided, another device may have run the other
    /// one: where that can do no harm it runs too, and results are known as far as both agree.
    fn branch(
        &mut self,
        world: &mut World<'_>,
        operation: &Operation,
        operands: &[Value],
    ) -> Result<Vec<Value>, Stop> {
        let Truth {
            is_true,
            is_decided,
        } = truth(operands)?;
        let side = |is_first: bool| {
            let side = operation.regions.get(usize::from(!is_first));
            side.ok_or(Cause::Lost("a branch"))
        };
        let (region, other) = (side(is_true)?, side(!is_true)?);
        if is_decided {
            return self.deeper(world, |frame, world| frame.region(world, region, &[]));
        }
        if [region, other]
            .iter()
            .all(|side| control::is_harmless(self.function, side))
        {
            let mut run =
                |region| self.deeper(world, |frame, world| frame.region(world, region, &[]));
            let (taken, other) = (run(region)?, run(other));
            // What is computed where it is not meant to may fail.
            let Ok(other) = other else {
                return Ok(taken.into_iter().map(Value::undecided).collect());
            };
            let pairs = taken.into_iter().zip(&other);
            let either = pairs.map(|(taken, other)| bounds::either(taken, other));
            return Ok(either.collect::<Result<_, _>>()?);
        }
        world.undecided += 1;
        let results = self.deeper(world, |frame, world| frame.region(world, region, &[]));
        world.undecided -= 1;
        control::forget(world, self.function, operation);
        Ok(results?.into_iter().map(Value::undecided).collect())
    }

    /// The second region again and again, as long as the first one says so. From where it says so of what is undecided,
    /// another device may have left the loop.
    fn repeat(
        &mut self,
        world: &mut World<'_>,
        operation: &Operation,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        let outside = world.undecided;
        let carried = self.iterations(world, operation, operands);
        let is_decided = world.undecided == outside;
        world.undecided = outside;
        let carried = carried?;
        if is_decided {
            return Ok(carried);
        }
        control::forget(world, self.function, operation);
        Ok(carried.into_iter().map(Value::undecided).collect())
    }

    fn iterations(
        &mut self,
        world: &mut World<'_>,
        operation: &Operation,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        let [condition, body] = operation.regions.as_slice() else {
            return Err(Cause::Lost("a region of a loop").into());
        };
        let mut carried = operands;
        loop {
            let go_on = self.deeper(world, |frame, world| {
                frame.region(world, condition, &carried)
            })?;
            let Truth {
                is_true,
                is_decided,
            } = truth(&go_on)?;
            world.undecided += usize::from(!is_decided);
            if !is_true {
                return Ok(carried);
            }
            carried = self.deeper(world, |frame, world| frame.region(world, body, &carried))?;
        }
    }

    fn callee(
        &mut self,
        world: &mut World<'_>,
        call: &Call,
        operands: &[Value],
    ) -> Result<Vec<Value>, Stop> {
        let callee = world.module.functions.get(call.callee);
        let callee = callee.ok_or(Cause::Lost("a function"))?;
        self.deeper(world, |_, world| Frame::call(world, callee, operands))
    }

    /// What the host returns is the same on every device.
    fn import(
        &mut self,
        world: &mut World<'_>,
        import: &Import,
        operands: &[Value],
    ) -> Result<Vec<Value>, Stop> {
        let (operands, _) = split(operands);
        let function = world.host.imports.get_mut(&import.name);
        let function = function.ok_or(Cause::Lost("a function of the host"))?;
        let results = function(&operands).map_err(|error| Cause::Import {
            name: import.name.clone(),
            error: Arc::new(error),
        })?;
        let expected = import.results.iter().map(|ty| {
            let shape = self.sizes.shape(ty)?;
            Ok(known_type(ty, &shape))
        });
        let expected = expected.collect::<Result<Vec<_>, Cause>>()?;
        let found: Vec<_> = results.iter().map(Tensor::ty).collect();
        if expected == found {
            return Ok(results.into_iter().map(Value::from).collect());
        }
        let name = import.name.clone();
        Err(Cause::ImportResults {
            name,
            expected,
            found,
        }
        .into())
    }
}

/// What an operation computes, or what is to be done for it.
enum Found<'o> {
    Result(Value),
    Inner(Inner<'o>),
    Effect(Effect<'o>),
}

/// The tensors and their bounds.
fn split(values: &[Value]) -> (Vec<Tensor>, Vec<Bound>) {
    let values = values.iter().cloned();
    values
        .map(|Value { tensor, bound }| (tensor, bound))
        .unzip()
}

/// A truth value that decides what is run.
struct Truth {
    is_true: bool,
    /// Whether it is the same on every device.
    is_decided: bool,
}

fn truth(values: &[Value]) -> Result<Truth, Cause> {
    let value = values.first().ok_or(Cause::Lost("a truth value"))?;
    let truth = value.tensor.array::<bool>();
    let truth = truth.and_then(|array| array.iter().next().copied());
    Ok(Truth {
        is_true: truth.ok_or(Cause::Lost("a truth value"))?,
        is_decided: value.bound.is_exact(),
    })
}

fn load(world: &World<'_>, access: &GlobalAccess) -> Result<Value, Cause> {
    let value = world.globals.get(access.global.index());
    let value = value.ok_or(Cause::Lost("a global"))?;
    let global = world.module.globals.get(access.global);
    let name = || global.map_or_else(String::new, |global| global.name.clone());
    value.clone().ok_or_else(|| Cause::Uninitialized(name()))
}

fn store(
    world: &mut World<'_>,
    access: &GlobalAccess,
    operands: Vec<Value>,
) -> Result<Vec<Value>, Cause> {
    let place = world.globals.get_mut(access.global.index());
    *place.ok_or(Cause::Lost("a global"))? = operands.into_iter().next();
    Ok(Vec::new())
}

fn trace(world: &mut World<'_>, observation: &Observation, values: &[Value]) -> Vec<Value> {
    let (tensors, mut bounds) = split(values);
    if world.undecided > 0 {
        let shapes = tensors.iter().map(Tensor::shape);
        bounds = shapes.map(Bound::undecided).collect();
    }
    if let Some(sink) = &mut world.host.sink {
        sink(Trace {
            key: &observation.text,
            site: observation.site,
            tensors: &tensors,
            bounds: &bounds,
        });
    }
    Vec::new()
}

fn assert(
    world: &World<'_>,
    observation: &Observation,
    operands: &[Value],
) -> Result<Vec<Value>, Cause> {
    let Truth {
        is_true,
        is_decided,
    } = truth(operands)?;
    match is_true || !is_decided || world.undecided > 0 {
        true => Ok(Vec::new()),
        false => Err(Cause::Assertion {
            message: observation.text.clone(),
            site: observation.site,
        }),
    }
}
