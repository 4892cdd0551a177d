//! A program's globals in archives, to stop and to go on.

use super::{Call, Procedure, Program, procedure};
use crate::{
    DynamicArray, Module, Parameters, Result,
    executor::Entry,
    parameters::{Saved, write},
};
use iree_abi::{FunctionSignature, Leaf, Parameter, RESTORE, SAVE, Signature};
use std::{borrow::Cow, collections::BTreeSet, path::Path};

/// The two functions of a program that hand out and take the globals that it changes.
pub(super) struct State {
    save: (Procedure, FunctionSignature),
    restore: (Procedure, FunctionSignature),
}

impl State {
    /// `None` if the program changes nothing.
    pub(super) fn of(module: &Module, signature: &Signature) -> Result<Option<Self>> {
        if signature.state.is_empty() {
            return Ok(None);
        }
        let save = FunctionSignature {
            name: SAVE.to_owned(),
            results: signature.state.clone(),
            ..FunctionSignature::default()
        };
        let parameters = signature.state.iter().map(|leaf| Parameter {
            name: leaf.path.clone(),
            leaves: vec![Leaf {
                path: String::new(),
                ty: leaf.ty.clone(),
            }],
        });
        let restore = FunctionSignature {
            name: RESTORE.to_owned(),
            parameters: parameters.collect(),
            ..FunctionSignature::default()
        };
        Ok(Some(Self {
            save: (procedure(module, &save)?, save),
            restore: (procedure(module, &restore)?, restore),
        }))
    }
}

impl State {
    /// The function that returns the globals.
    pub(super) const fn save(&self) -> &Entry {
        &self.save.0.entry
    }
}

impl Program {
    /// Writes the globals that the program changes, and those that archives supplied, to a file: `.irpa` or
    /// `.safetensors`, by the ending of its name. What was there before stays until all is written.
    ///
    /// # Errors
    ///
    /// [`Error::Io`](crate::Error::Io), or [`Error::Archive`](crate::Error::Archive) if the format cannot hold an element type.
    pub fn save_parameters(&self, path: &Path) -> Result<()> {
        let arrays = self.changed()?;
        let mappings = arrays.iter().map(DynamicArray::map);
        let mappings = mappings.collect::<Result<Vec<_>>>()?;
        let changed = self.signature.state.iter().zip(&mappings);
        let mut saved: Vec<_> = changed
            .map(|(leaf, mapping)| Saved {
                name: leaf.path.clone(),
                ty: leaf.ty.clone(),
                bytes: Cow::Borrowed(mapping.bytes()),
            })
            .collect();
        let mut names: BTreeSet<_> = saved.iter().map(|saved| saved.name.clone()).collect();
        let parameters = self.signature.parameters.iter();
        for parameter in parameters.filter(|parameter| !parameter.mutable) {
            let name = match names.insert(parameter.key.clone()) {
                true => parameter.key.clone(),
                false => parameter.name(),
            };
            let bytes = self.session.supplied(parameter)?;
            let ty = parameter.ty.clone();
            saved.push(Saved { name, ty, bytes });
        }
        write(path, &saved)
    }

    /// The globals that the program changes.
    fn changed(&self) -> Result<Vec<DynamicArray>> {
        let Some(State { save, .. }) = &self.state else {
            return Ok(Vec::new());
        };
        let (procedure, signature) = save;
        let call = Call::new(&self.session, procedure, signature)?;
        let mut results = call.invoke()?;
        (0..signature.results.len())
            .map(|_| results.next_dynamic())
            .collect()
    }

    /// Gives the globals that the program changes the values that an archive has.
    ///
    /// # Errors
    ///
    /// [`Error::Parameters`](crate::Error::Parameters) with all that is missing or has another type; then nothing is changed.
    pub fn load_parameters(&mut self, mut parameters: Parameters) -> Result<()> {
        let state = &self.signature.state;
        if self.converts {
            parameters.convert(state.iter().map(|leaf| (leaf.path.as_str(), &leaf.ty)));
        }
        parameters.check(&self.signature.name, state)?;
        let Some(State { restore, .. }) = &self.state else {
            return Ok(());
        };
        let (procedure, signature) = restore;
        let mut call = Call::new(&self.session, procedure, signature)?;
        for leaf in state {
            let array = parameters.upload(&leaf.path, &leaf.ty, self.device())?;
            call.dynamic(leaf.ty.dtype, &array)?;
        }
        call.invoke().map(drop)
    }
}
