//! What the host answered to a program, for the interpreter, which does not ask it again.

use crate::{DynamicArray, interpreter::tensor};
use iree_abi::TensorType;
use iree_dsl_interpreter::{ImportError, Tensor};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The results of the functions that a program imports, in the order in which it called them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies(Arc<Mutex<VecDeque<Reply>>>);

#[derive(Debug)]
struct Reply {
    function: String,
    results: Vec<DynamicArray>,
}

impl Replies {
    /// Forgets those of earlier calls.
    pub(super) fn clear(&self) {
        self.all().clear();
    }

    /// Takes note of what a function of the host returned.
    pub(crate) fn note(&self, function: &str, results: &[DynamicArray]) {
        self.all().push_back(Reply {
            function: function.to_owned(),
            results: results.to_vec(),
        });
    }

    /// What a function returned that was not taken before.
    pub(super) fn next(
        &self,
        function: &str,
        types: &[TensorType],
    ) -> Result<Vec<Tensor>, ImportError> {
        let mut all = self.all();
        let place = all.iter().position(|reply| reply.function == function);
        let reply = place.and_then(|place| all.remove(place));
        let reply = reply.ok_or("the device called it less often")?;
        let results = reply.results.iter().zip(types);
        let results = results.map(|(array, ty)| Ok(tensor(array.buffer_view(), ty.dtype)?));
        results.collect()
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Reply>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
