//! What stands for the interpreter in builds without the feature of that name: nothing can be made of these types.

use crate::{
    Error, Result,
    executor::Surroundings,
    ffi::{BufferView, IreeError},
};
use iree_abi::{FunctionSignature, INTERPRETER};

#[derive(Clone)]
pub(crate) enum Text {}

impl Text {
    pub(crate) fn read(_bytes: &[u8]) -> Result<Self> {
        Err(Error::DeviceFeature {
            spec: INTERPRETER.to_owned(),
            feature: INTERPRETER,
        })
    }

    pub(crate) fn name(&self) -> &str {
        match *self {}
    }

    pub(crate) fn functions(&self) -> Vec<(FunctionSignature, Entry)> {
        match *self {}
    }
}

#[derive(Clone)]
pub(crate) enum Entry {}

impl Entry {
    pub(crate) fn argument_count(&self) -> usize {
        match *self {}
    }

    pub(crate) fn result_count(&self) -> usize {
        match *self {}
    }
}

pub(crate) enum Linked {}

impl Linked {
    pub(crate) fn new(texts: Vec<Text>, _: Surroundings<'_>) -> Result<Self, IreeError> {
        match texts.into_iter().next() {
            Some(text) => match text {},
            None => Err(IreeError::new(crate::Code::Unimplemented, "no interpreter")),
        }
    }

    pub(crate) fn interpreted(&self) -> Result<Interpreted, IreeError> {
        match *self {}
    }
}

pub(crate) enum Interpreted {}

impl Interpreted {
    pub(crate) fn clear(&mut self) {
        match *self {}
    }

    pub(crate) fn push(&mut self, _argument: BufferView) {
        match *self {}
    }

    pub(crate) fn invoke(&mut self, _entry: &Entry) -> Result<(), IreeError> {
        match *self {}
    }

    pub(crate) fn take(&mut self, _index: usize) -> Result<BufferView, IreeError> {
        match *self {}
    }
}
