//! What stands for the check mode in builds without the feature `check`: nothing can be made of these types.

use crate::{
    Device, DynamicArray, HostModule, Pending, Result,
    executor::{Entry, Executor},
    ffi::BufferView,
    parameters::Supplies,
};
use iree_abi::{Artifact, FunctionSignature, Signature};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) enum Checks {}

impl Checks {
    pub(crate) fn of(
        _: &Device,
        _: &'static [Artifact],
        _: &'static Signature,
    ) -> Result<Option<Self>> {
        Ok(None)
    }

    pub(crate) fn note(&self, _: HostModule) -> HostModule {
        match *self {}
    }

    pub(crate) fn shadow(&self, _: &Arc<Supplies>, _: Option<&Entry>) -> Option<Shadow> {
        match *self {}
    }
}

pub(crate) enum Shadow {}

impl Shadow {
    pub(crate) fn begin<'s>(
        &'s self,
        _: &mut Executor,
        _: &'s FunctionSignature,
    ) -> Result<Checking<'s>> {
        match *self {}
    }
}

pub(crate) struct Checking<'s> {
    shadow: &'s Shadow,
}

impl Checking<'_> {
    pub(crate) fn argument(&mut self, _: &DynamicArray) -> Result<()> {
        match *self.shadow {}
    }

    pub(crate) fn finish(
        self,
        _: &mut Executor,
        _: &Entry,
        _: Option<Pending>,
    ) -> Result<Vec<Option<BufferView>>> {
        match *self.shadow {}
    }
}
