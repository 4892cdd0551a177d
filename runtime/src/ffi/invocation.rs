use super::{
    BufferView, Deadline, Device, Entry, Estimate, Fence, Module, NativeModule, Sink,
    deadline::Clock,
    entry::begin,
    hal::Hal,
    handle::Handle,
    inline::Route,
    instance::{instance, loading},
    order::Order,
    status::{Code, IreeError, check, is_deferred},
    sys,
    watch::Sleeper,
};
use std::{collections::VecDeque, mem, ptr, ptr::NonNull, sync::Arc, time::Duration};

/// The state of some modules on a device, and the memory that one call after the other uses.
pub(crate) struct Invocation {
    // Dropped in this order: what is on the stack and in the lists refers to the context.
    stack: Stack,
    arguments: References,
    results: References,
    /// What the next call waits for.
    after: Vec<Fence>,
    /// What is queued, oldest first.
    queued: VecDeque<Fence>,
    /// How long each call may take.
    limit: Option<Duration>,
    clock: Arc<Clock>,
    /// Of a device that works later.
    order: Option<Arc<Order>>,
    route: Arc<Route>,
    _context: Handle<sys::iree_vm_context_t>,
    device: Arc<Device>,
}

// SAFETY: contexts and stacks keep no state in threads and may move between calls.
unsafe impl Send for Invocation {}

impl Invocation {
    /// Links modules on a device and runs their initialisers.
    pub(crate) fn new(
        device: Arc<Device>,
        rules: &Rules,
        sink: Arc<Sink>,
        natives: &[NativeModule],
        modules: &[Module],
    ) -> Result<Self, IreeError> {
        // Now, so that calls allocate nothing.
        Sleeper::of_this_thread();
        let clock = Arc::<Clock>::default();
        let order = (!device.works_at_once).then(|| Arc::new(Order::new(rules.has_state)));
        let route = Arc::new(Route::of(&device));
        let hal = Hal::new(&device, sink, clock.clone(), order.as_ref(), &route)?;
        let _lock = loading();
        let instance = instance()?;
        let mut all = hal.modules().to_vec();
        all.extend(natives.iter().map(NativeModule::as_ptr));
        all.extend(modules.iter().map(Module::as_ptr));
        let host = sys::system_allocator();
        let context = Handle::create(|out| {
            let vm = instance.vm.as_ptr();
            // SAFETY: all modules are live, and the context retains them.
            unsafe {
                sys::iree_vm_context_create_with_modules(
                    vm,
                    0,
                    all.len(),
                    all.as_mut_ptr(),
                    host,
                    out,
                )
            }
        })?;
        Ok(Self {
            stack: Stack::new(&context)?,
            arguments: References::default(),
            results: References::default(),
            after: Vec::with_capacity(4),
            queued: VecDeque::with_capacity(MAX_QUEUED),
            limit: rules.limit,
            clock,
            order,
            route,
            _context: context,
            device,
        })
    }

    /// Forgets the arguments and results of earlier calls.
    pub(crate) fn clear(&mut self) {
        self.arguments.clear();
        self.results.clear();
        self.after.clear();
    }

    /// Makes the next call, of a function that is queued, wait for something.
    pub(crate) fn wait_for(&mut self, fence: Fence) {
        self.after.push(fence);
    }

    /// Adds an argument and gives it away.
    pub(crate) fn give(&mut self, argument: BufferView) {
        // SAFETY: the view is live, and its reference is the caller's no more.
        let reference = unsafe { sys::iree_hal_buffer_view_move_ref(argument.into_raw()) };
        self.arguments.0.push(reference);
    }

    /// Adds an argument.
    pub(crate) fn push(&mut self, argument: &BufferView) {
        // SAFETY: the view is live; the reference owns a count of it.
        let reference = unsafe { sys::iree_hal_buffer_view_retain_ref(argument.as_ptr()) };
        self.arguments.0.push(reference);
    }

    /// Calls a function with the arguments that were added, which is so much work, if that is known. Returns what its
    /// results wait for, if they are not there yet.
    ///
    /// # Errors
    ///
    /// If the number of arguments is wrong, or IREE's.
    pub(crate) fn invoke(
        &mut self,
        entry: &Entry,
        estimate: Option<Estimate>,
    ) -> Result<Option<Queued>, IreeError> {
        if self.arguments.0.len() != entry.arguments {
            return Err(IreeError::new(
                Code::InvalidArgument,
                format!(
                    "expected {} arguments, found {}",
                    entry.arguments,
                    self.arguments.0.len()
                ),
            ));
        }
        self.results.reserve(entry.results);
        self.device.place().bind();
        let deadline = self.limit.map(Deadline::from_now);
        let outcome = self.start(deadline).and_then(|()| match entry.is_queued {
            true => self.queue(entry, estimate),
            false => self.run(entry).map(|()| None),
        });
        let outcome = outcome.and_then(|fence| {
            self.keep(fence.as_ref())?;
            Ok(fence.map(|fence| Queued { fence, deadline }))
        });
        // What the callee has not consumed.
        self.arguments.clear();
        self.after.clear();
        if let Err(error) = &outcome {
            self.results.clear();
            self.stack.reset();
            if error.code() == Code::ResourceExhausted {
                self.settle();
            }
        }
        outcome
    }

    /// Waits for what is queued, whose memory the next call may need.
    fn settle(&self) {
        for fence in &self.queued {
            // Who reads the results is told of failures.
            let _ = self.clock.wait(fence, None);
        }
    }

    fn start(&mut self, deadline: Option<Deadline>) -> Result<(), IreeError> {
        self.clock.start(deadline)?;
        self.make_room()?;
        self.order.as_ref().map_or(Ok(()), |order| order.start())
    }

    fn queue(
        &mut self,
        entry: &Entry,
        estimate: Option<Estimate>,
    ) -> Result<Option<Fence>, IreeError> {
        let is_reached = |fence: &Fence| matches!(fence.is_reached(), Ok(true));
        let is_free = || self.queued.is_empty() && self.after.iter().all(is_reached);
        self.route.choose(estimate, is_free);
        let after = Fence::all(&self.after)?;
        let done = Fence::new(self.device.place().device())?;
        let after = after.map_or(null_reference(), |fence| fence.as_reference());
        self.arguments.0.extend([after, done.as_reference()]);
        self.run(entry)?;
        let is_reached = done.is_reached()?;
        Ok((!is_reached).then_some(done))
    }

    /// Counts what a call has left to do: its results, and what it stores to globals.
    fn keep(&mut self, results: Option<&Fence>) -> Result<(), IreeError> {
        let left = match &self.order {
            Some(order) if order.is_kept() => order.left()?,
            _ => results.cloned(),
        };
        self.queued.extend(left);
        Ok(())
    }

    /// Forgets what is done, and waits if too much is queued: all of it has memory.
    fn make_room(&mut self) -> Result<(), IreeError> {
        while let Some(oldest) = self.queued.front() {
            if oldest.is_pending() {
                if self.queued.len() < MAX_QUEUED {
                    break;
                }
                let waited = self.clock.wait(oldest, None);
                // What else it fails with is told to who reads the results.
                if oldest.is_pending() {
                    return waited.map(drop);
                }
            }
            self.queued.pop_front();
        }
        Ok(())
    }

    fn run(&mut self, entry: &Entry) -> Result<(), IreeError> {
        let call = sys::iree_vm_function_call_t {
            function: entry.function,
            arguments: self.arguments.span(),
            results: self.results.span(),
        };
        // SAFETY: the entry keeps the module alive, the stack is empty, and arguments and results have the size and the
        // kinds that the calling convention says, checked when the entry was made and before this call.
        let mut status = unsafe { begin(self.stack.as_ptr(), call) };
        while is_deferred(status) {
            status = self.resume()?;
        }
        check(status)
    }

    /// Goes on with a call that yielded. The HAL module is made to wait instead of yielding, so this
    /// is for modules that do it on their own.
    #[cold]
    fn resume(&mut self) -> Result<sys::iree_status_t, IreeError> {
        let stack = self.stack.as_ptr();
        let unsupported = || IreeError::new(Code::Unimplemented, "the call waits for an event");
        loop {
            // SAFETY: the stack is live.
            let frame = unsafe { sys::iree_vm_stack_current_frame(stack) };
            if frame.is_null() {
                return Ok(ptr::null_mut());
            }
            // SAFETY: a frame on the stack.
            let frame = unsafe { *frame };
            if frame.type_ == sys::iree_vm_stack_frame_type_e_IREE_VM_STACK_FRAME_WAIT {
                return Err(unsupported());
            }
            // SAFETY: the context keeps the module of each frame alive.
            let this = unsafe { (*frame.function.module).self_ };
            // SAFETY: as above.
            let resume = unsafe { (*frame.function.module).resume_call };
            let resume = resume.ok_or_else(unsupported)?;
            // SAFETY: the function on top of the stack belongs to this module.
            let status = unsafe { resume(this, stack, self.results.span()) };
            if !status.is_null() {
                return Ok(status);
            }
        }
    }

    /// Takes a result of the last call.
    ///
    /// # Errors
    ///
    /// IREE's, if the result is not there, was taken, or is not an array.
    pub(crate) fn take(&mut self, index: usize) -> Result<BufferView, IreeError> {
        let missing = || IreeError::new(Code::NotFound, format!("there is no result {index}"));
        let reference = self.results.0.get_mut(index).ok_or_else(missing)?;
        let mut view = ptr::null_mut();
        // SAFETY: the reference is live or null, and the out pointer valid.
        check(unsafe { sys::iree_hal_buffer_view_check_deref(*reference, &mut view) })?;
        *reference = null_reference();
        let handle = Handle::from_owned(view).ok_or_else(missing)?;
        Ok(BufferView::new(handle, self.device.place().clone()))
    }
}

impl Drop for Invocation {
    fn drop(&mut self) {
        self.device.place().bind();
        self.clock.finish();
        for fence in &self.queued {
            // Who reads the results is told of failures.
            let _ = fence.wait(None);
        }
        if let Some(order) = &self.order {
            order.finish();
        }
    }
}

/// What holds for all calls.
#[derive(Clone)]
pub(crate) struct Rules {
    /// How long each may take.
    pub(crate) limit: Option<Duration>,
    /// Whether there is state that they share. What they have the device do is then done in their order.
    pub(crate) has_state: bool,
}

/// What a call has queued.
#[derive(Clone)]
pub(crate) struct Queued {
    /// Is reached when the results are there.
    pub(crate) fence: Fence,
    pub(crate) deadline: Option<Deadline>,
}

impl Queued {
    /// Waits for the results, at most so long. Returns whether they are there.
    ///
    /// # Errors
    ///
    /// What failed, or that the deadline has passed.
    pub(crate) fn wait(&self, limit: Option<Duration>) -> Result<bool, IreeError> {
        match &self.deadline {
            Some(deadline) => deadline.wait(&self.fence, limit),
            None => self.fence.wait(limit),
        }
    }
}

/// How many calls of a session are queued at most.
const MAX_QUEUED: usize = 64;

/// Packed references, each owned unless null.
#[derive(Default)]
struct References(Vec<sys::iree_vm_ref_t>);

impl References {
    /// Room for the references that a call returns.
    fn reserve(&mut self, count: usize) {
        self.clear();
        self.0.resize(count, null_reference());
    }

    fn clear(&mut self) {
        for reference in &mut self.0 {
            // SAFETY: owned or null, and null afterwards.
            unsafe { sys::iree_vm_ref_release(reference) };
        }
        self.0.clear();
    }

    /// The memory, valid until the list changes.
    fn span(&mut self) -> sys::iree_byte_span_t {
        sys::iree_byte_span_t {
            data: self.0.as_mut_ptr().cast(),
            data_length: mem::size_of_val(self.0.as_slice()),
        }
    }
}

impl Drop for References {
    fn drop(&mut self) {
        self.clear();
    }
}

const fn null_reference() -> sys::iree_vm_ref_t {
    sys::iree_vm_ref_t {
        ptr: ptr::null_mut(),
        type_: 0,
    }
}

/// The stack that calls run on. It grows when needed and keeps its size.
struct Stack(NonNull<sys::iree_vm_stack_t>);

impl Stack {
    fn new(context: &Handle<sys::iree_vm_context_t>) -> Result<Self, IreeError> {
        // SAFETY: the context is live; the resolver points to it.
        let resolver = unsafe { sys::iree_vm_context_state_resolver(context.as_ptr()) };
        let mut stack = ptr::null_mut();
        // SAFETY: the out pointer is valid, and the context outlives the stack.
        check(unsafe {
            sys::iree_vm_stack_allocate(0, resolver, sys::system_allocator(), &mut stack)
        })?;
        NonNull::new(stack)
            .map(Self)
            .ok_or_else(|| IreeError::new(Code::Internal, "no stack"))
    }

    const fn as_ptr(&self) -> *mut sys::iree_vm_stack_t {
        self.0.as_ptr()
    }

    /// Drops what a failed call left.
    fn reset(&mut self) {
        // SAFETY: the stack is live.
        unsafe { sys::iree_vm_stack_reset(self.as_ptr()) };
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: allocated by `iree_vm_stack_allocate` and not used again.
        unsafe { sys::iree_vm_stack_free(self.as_ptr()) };
    }
}
