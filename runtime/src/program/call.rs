use super::Procedure;
use crate::{
    Argument, DeviceArray, DynamicArray, Element, Pending, Result, Session,
    check::Given,
    ffi::BufferView,
    session::State,
    shadow::{Checking, Shadow},
    turns::Turn,
};
use iree_abi::{DType, FunctionSignature};
use ndarray::Dimension;
use std::borrow::Cow;

/// A call whose arguments are being collected.
pub struct Call<'p> {
    session: &'p Session,
    procedure: &'p Procedure,
    signature: &'p FunctionSignature,
    state: Turn<'p, State>,
    given: usize,
    checking: Option<Checking<'p>>,
}

impl<'p> Call<'p> {
    pub(super) fn new(
        session: &'p Session,
        procedure: &'p Procedure,
        signature: &'p FunctionSignature,
    ) -> Result<Self> {
        Self::checked(session, procedure, signature, None)
    }

    /// A call that is compared with another one, if there is something that does so.
    pub(super) fn checked(
        session: &'p Session,
        procedure: &'p Procedure,
        signature: &'p FunctionSignature,
        shadow: Option<&'p Shadow>,
    ) -> Result<Self> {
        let mut turn = session.start(&signature.name)?;
        let state = &mut *turn;
        let checking = shadow.map(|shadow| shadow.begin(&mut state.executor, signature));
        let checking = checking.transpose()?;
        state.executor.clear();
        procedure.plan.start(&mut state.bindings);
        Ok(Self {
            session,
            procedure,
            signature,
            state: turn,
            given: 0,
            checking,
        })
    }

    /// Adds the next argument, in the order of the signature's leaves.
    ///
    /// # Errors
    ///
    /// If it is not what the signature says, or cannot be copied to the device.
    pub fn argument<T: Element, D: Dimension>(
        &mut self,
        argument: Argument<'_, T, D>,
    ) -> Result<()> {
        self.check(Given {
            dtype: T::DTYPE,
            shape: argument.shape(),
            device: argument.device(),
        })?;
        let placed = argument.place(self.session.device())?;
        self.push(placed)
    }

    /// Adds the next argument, of a type that is known only at run time. `dtype` is the element type in the source:
    /// devices know integers without a sign.
    ///
    /// # Errors
    ///
    /// If it is not what the signature says.
    pub fn dynamic(&mut self, dtype: DType, array: &DynamicArray) -> Result<()> {
        self.check(Given {
            dtype,
            shape: array.shape(),
            device: Some(array.device()),
        })?;
        self.push(Cow::Borrowed(array))
    }

    fn check(&mut self, given: Given<'_>) -> Result<()> {
        let (device, bindings) = (self.session.device(), &mut self.state.bindings);
        let Procedure { plan, .. } = self.procedure;
        plan.check(self.signature, self.given, given, device, bindings)
    }

    fn push(&mut self, array: Cow<'_, DynamicArray>) -> Result<()> {
        let Procedure { entry, .. } = self.procedure;
        if let Some(checking) = &mut self.checking {
            checking.argument(&array)?;
        }
        self.state.executor.pass(entry, self.given, array)?;
        self.given += 1;
        Ok(())
    }

    /// Runs the procedure.
    ///
    /// # Errors
    ///
    /// If arguments are missing, or [`Error::Call`](crate::Error::Call) if it fails.
    pub fn invoke(mut self) -> Result<Results<'p>> {
        let Procedure { plan, entry } = self.procedure;
        if self.given != plan.argument_count() {
            return Err(plan.count_error(self.signature, self.given));
        }
        plan.finish(self.signature, &mut self.state.bindings)?;
        let estimate = plan.estimate(entry.work(), &self.state.bindings);
        let outcome = {
            let _span = tracing::debug_span!("call", function = self.signature.name).entered();
            self.state.executor.invoke(entry, estimate)
        };
        let pending =
            outcome.map_err(|source| self.session.failed(&self.signature.name, source))?;
        let (kept, pending) = match self.checking {
            None => (None, pending),
            Some(checking) => {
                let executor = &mut self.state.executor;
                (Some(checking.finish(executor, entry, pending)?), None)
            }
        };
        Ok(Results {
            session: self.session,
            signature: self.signature,
            state: self.state,
            kept,
            pending,
            taken: 0,
        })
    }
}

/// The results of a call, to be taken one by one.
pub struct Results<'p> {
    session: &'p Session,
    signature: &'p FunctionSignature,
    state: Turn<'p, State>,
    /// The results of a call that was checked.
    kept: Option<Vec<Option<BufferView>>>,
    /// What computes the results, if they are not there yet.
    pending: Option<Pending>,
    taken: usize,
}

impl Results<'_> {
    /// Takes the next result, in the order of the signature's leaves.
    ///
    /// # Errors
    ///
    /// If there is none, or it has another type.
    #[allow(
        clippy::should_implement_trait,
        reason = "results have different types"
    )]
    pub fn next<T: Element, D: Dimension>(&mut self) -> Result<DeviceArray<T, D>> {
        self.next_dynamic()?.into_typed()
    }

    /// Takes the next result, of a type that is known only at run time.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn next_dynamic(&mut self) -> Result<DynamicArray> {
        let kept = self.kept.as_mut().and_then(|kept| kept.get_mut(self.taken));
        let taken = match kept.and_then(Option::take) {
            Some(view) => Ok(view),
            None => self.state.executor.take(self.taken),
        };
        let view = taken.map_err(|source| self.session.failed(&self.signature.name, source))?;
        self.taken += 1;
        let array = DynamicArray::new(view, self.session.device().clone());
        Ok(array.after(self.pending.clone()))
    }
}
