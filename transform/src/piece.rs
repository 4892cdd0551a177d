//! Derivatives of a piece of a block.

use crate::{
    builder::Builder,
    copy::Values,
    derive::is_differentiable,
    error::Result,
    flow::Flow,
    linear::Contribution,
    mark::Checkpoints,
    ruled::Rule,
    tape::{NodeId, Tape, rename},
    walk::{Mode, Walk},
};
use iree_dsl_ir::{Function, FunctionId, Linkage, Module, OperationId, SpanId, ValueId};

use std::collections::BTreeMap;

/// The operations at the end of a block that is not finished. Values of the function that are defined around the block
/// can be read in it.
#[derive(Clone, Debug)]
pub struct Piece<'m> {
    /// The module, for the functions that are called.
    pub module: &'m Module,
    /// Functions of the module with derivatives of their own.
    pub rules: &'m BTreeMap<FunctionId, Rule>,
    /// What reverse mode computes again.
    pub checkpoints: &'m Checkpoints,
    /// The function that the block is in.
    pub function: Function,
    /// The block.
    pub operations: Vec<OperationId>,
    /// Where the piece starts in it.
    pub first: usize,
}

/// What a piece is differentiated by, or mapped over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What the piece reads. Where other values are read that are the same, they are constants.
    pub name: ValueId,
    /// The value that it is, or the values for all elements.
    pub value: ValueId,
}

/// How what a piece computes changes with some variables.
#[derive(Clone, Debug)]
pub struct Linearised {
    tape: Tape,
    inputs: Vec<NodeId>,
    results: Vec<Option<NodeId>>,
    names: Names,
}

/// What stands for values that a piece named: those that variables are, and what callees computed.
#[derive(Clone, Debug, Default)]
pub struct Names(pub(crate) Values);

impl Names {
    /// What stands for a value.
    pub fn of(&self, value: ValueId) -> ValueId {
        self.0.get(&value).copied().unwrap_or(value)
    }
}

impl<'m> Piece<'m> {
    /// Whether one of some results depends on one of some values.
    pub fn depends(&self, values: &[ValueId], results: &[ValueId]) -> bool {
        let mut flow = Flow::of_values(&self.function, values.iter().copied());
        flow.block(self.operations.get(self.first..).unwrap_or_default());
        results.iter().any(|result| flow.reaches(*result))
    }

    /// Follows how results change with variables, and adds what derivatives need to know.
    ///
    /// # Errors
    ///
    /// If an operation on the way has no rule.
    pub fn linearise(&mut self, variables: &[Variable], results: &[ValueId]) -> Result<Linearised> {
        let (rest, mut walk) = self.walk(Mode::Reverse);
        let mut inputs = Vec::with_capacity(variables.len());
        let done = (|| {
            for variable in variables {
                inputs.push(walk.input(variable.name)?);
                walk.name(variable.name, variable.value);
            }
            walk.block(&rest)
        })();
        let results = results.iter().map(|id| walk.tangents.get(id).copied());
        let results = results.collect();
        let (context, names) = walk.into_names();
        self.put_back(context.builder);
        done?;
        Ok(Linearised {
            tape: context.tape,
            inputs,
            results,
            names: Names(names),
        })
    }

    /// Computes the tangents of results, `None` for zeros, from those of variables.
    ///
    /// # Errors
    ///
    /// As for [`linearise`](Self::linearise).
    pub fn push_forward(
        &mut self,
        variables: &[(Variable, ValueId)],
        results: &[ValueId],
    ) -> Result<(Vec<Option<ValueId>>, Names)> {
        let (rest, mut walk) = self.walk(Mode::Forward);
        let done = (|| {
            for (variable, tangent) in variables {
                walk.input(variable.name)?;
                walk.context.values.push(*tangent);
                walk.name(variable.name, variable.value);
            }
            walk.block(&rest)?;
            walk.tangents_of(results)
        })();
        let (context, names) = walk.into_names();
        self.put_back(context.builder);
        Ok((done?, Names(names)))
    }

    /// Zeros of the types of values that have derivatives, `None` for the others.
    ///
    /// # Errors
    ///
    /// Only if there is a mistake of ours.
    pub fn zeros(&mut self, values: &[ValueId]) -> Result<Vec<Option<ValueId>>> {
        let mut builder = self.builder();
        let zeros = values.iter().map(|value| {
            let ty = builder.ty(*value)?;
            match is_differentiable(ty.dtype) {
                true => builder.zeros(&ty).map(Some),
                false => Ok(None),
            }
        });
        let zeros = zeros.collect();
        self.put_back(builder);
        zeros
    }

    /// The operations of the piece, and a walk that puts them back.
    fn walk(&mut self, mode: Mode) -> (Vec<OperationId>, Walk<'m>) {
        let first = self.first.min(self.operations.len());
        let rest = self.operations.split_off(first);
        let builder = self.builder();
        (rest, Walk::new(self, mode, builder))
    }

    fn builder(&mut self) -> Builder {
        let function = std::mem::replace(&mut self.function, nothing());
        Builder::new(function, std::mem::take(&mut self.operations))
    }

    fn put_back(&mut self, builder: Builder) {
        (self.function, self.operations) = builder.finish();
    }
}

impl Linearised {
    /// The values that the derivative is computed with.
    pub(crate) fn kept(&self) -> Vec<ValueId> {
        self.tape.kept()
    }

    /// Whether the derivative of a result is not zero everywhere.
    pub(crate) fn has_derivative(&self) -> bool {
        self.results.iter().any(Option::is_some)
    }

    /// What stands for values from here on.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// Adds to the block what leads cotangents of the results back, `None` for zeros, and returns those of the variables.
    ///
    /// # Errors
    ///
    /// Only if there is a mistake of ours.
    pub fn pull_back(
        &self,
        piece: &mut Piece<'_>,
        cotangents: &[Option<ValueId>],
    ) -> Result<Vec<ValueId>> {
        let mut builder = piece.builder();
        let done = self.transpose(&mut builder, cotangents);
        piece.put_back(builder);
        done
    }

    fn transpose(
        &self,
        builder: &mut Builder,
        cotangents: &[Option<ValueId>],
    ) -> Result<Vec<ValueId>> {
        let seeds = self.results.iter().zip(cotangents);
        let seeds =
            seeds.filter_map(|(node, seed)| Some(((*node)?, Contribution::Dense((*seed)?))));
        let found = self
            .tape
            .transpose(builder, seeds.collect(), &self.inputs)?;
        let mut results = Vec::with_capacity(found.len());
        for (cotangent, node) in found.into_iter().zip(&self.inputs) {
            results.push(builder.or_zeros(cotangent, &self.tape.ty(*node)?)?);
        }
        Ok(results)
    }

    /// Lets other values stand for those that are kept.
    pub fn rename(&mut self, names: &Names) {
        rename(self.tape.kept_mut(), &names.0);
    }
}

/// What stands for a function while it is changed.
pub(crate) fn nothing() -> Function {
    Function::new("", Linkage::Private, SpanId::CALL_SITE)
}
