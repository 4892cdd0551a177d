//! Modules whose functions are written in Rust.

use super::{
    handle::{Handle, Object},
    instance::{instance, loading},
    status::{self, Code, IreeError},
    sys,
};
use std::{
    borrow::Cow,
    ffi::c_void,
    mem::{self, MaybeUninit},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
};

/// A module that programs import functions from.
pub(crate) struct NativeModule(Handle<sys::iree_vm_module_t>);

/// A function of a [`NativeModule`].
pub(super) struct NativeFunction {
    pub(super) name: Cow<'static, str>,
    /// How arguments and results are passed, in IREE's notation.
    pub(super) convention: Cow<'static, str>,
    /// Reads the arguments in order, then writes the results in order.
    pub(super) call: NativeCall,
}

/// What a [`NativeFunction`] does.
pub(super) type NativeCall =
    Box<dyn Fn(&mut Values<'_>, &mut Values<'_>) -> Result<(), IreeError> + Send + Sync>;

/// What a module points to, at a place that does not change.
struct Body {
    _name: String,
    functions: Vec<NativeFunction>,
    /// What the descriptor points to.
    _exports: Vec<sys::iree_vm_native_export_descriptor_t>,
    descriptor: sys::iree_vm_native_module_descriptor_t,
}

impl NativeModule {
    pub(super) fn new(
        name: impl Into<String>,
        mut functions: Vec<NativeFunction>,
    ) -> Result<Self, IreeError> {
        // IREE looks them up by bisection.
        functions.sort_by(|one, other| one.name.cmp(&other.name));
        let name = name.into();
        let exports = functions
            .iter()
            .map(|function| sys::iree_vm_native_export_descriptor_t {
                local_name: sys::string_view(&function.name),
                calling_convention: sys::string_view(&function.convention),
                attr_count: 0,
                attrs: ptr::null(),
            })
            .collect::<Vec<_>>();
        let descriptor = sys::iree_vm_native_module_descriptor_t {
            name: sys::string_view(&name),
            export_count: exports.len(),
            exports: exports.as_ptr(),
            // SAFETY: numbers and pointers, for which zero is a value.
            ..unsafe { mem::zeroed() }
        };
        let body = Box::into_raw(Box::new(Body {
            // What the descriptor and the exports point to stays where it is on the heap.
            _name: name,
            functions,
            _exports: exports,
            descriptor,
        }));
        Self::create(body)
    }

    fn create(body: *mut Body) -> Result<Self, IreeError> {
        let interface = sys::iree_vm_module_t {
            self_: body.cast(),
            destroy: Some(destroy),
            begin_call: Some(begin_call),
            // SAFETY: pointers to functions that may be null, and numbers.
            ..unsafe { mem::zeroed() }
        };
        let _lock = loading();
        let module = instance().and_then(|instance| {
            Handle::create(|out| {
                // SAFETY: just made, and not shared.
                let descriptor = unsafe { &raw const (*body).descriptor };
                let (vm, host) = (instance.vm.as_ptr(), sys::system_allocator());
                // SAFETY: the interface is copied; the descriptor lives until `destroy`.
                unsafe { sys::iree_vm_native_module_create(&interface, descriptor, vm, host, out) }
            })
        });
        if module.is_err() {
            // SAFETY: a module that could not be made does not destroy it.
            drop(unsafe { Box::from_raw(body) });
        }
        Ok(Self(module?))
    }

    pub(super) const fn as_ptr(&self) -> *mut sys::iree_vm_module_t {
        self.0.as_ptr()
    }
}

unsafe extern "C" fn destroy(this: *mut c_void) {
    // SAFETY: made by `new`, and IREE destroys a module once.
    drop(unsafe { Box::from_raw(this.cast::<Body>()) });
}

unsafe extern "C" fn begin_call(
    this: *mut c_void,
    _stack: *mut sys::iree_vm_stack_t,
    call: sys::iree_vm_function_call_t,
) -> sys::iree_status_t {
    // SAFETY: made by `new`, and not changed until it is destroyed.
    let body = unsafe { &*this.cast::<Body>() };
    let Some(function) = body.functions.get(usize::from(call.function.ordinal)) else {
        return status::from_error(&IreeError::new(Code::Internal, "there is no such function"));
    };
    let mut arguments = Values::new(&call.arguments);
    let mut results = Values::new(&call.results);
    let run = AssertUnwindSafe(|| (function.call)(&mut arguments, &mut results));
    // A panic may not cross into C.
    match catch_unwind(run) {
        Ok(Ok(())) => ptr::null_mut(),
        Ok(Err(error)) => status::from_error(&error),
        Err(_) => {
            let message = format!("the host's function `{}` panicked", function.name);
            status::from_error(&IreeError::new(Code::Internal, message))
        }
    }
}

/// Packed arguments to be read in order, or room for results to be written in order.
pub(super) struct Values<'c> {
    bytes: &'c mut [MaybeUninit<u8>],
}

impl<'c> Values<'c> {
    fn new(span: &'c sys::iree_byte_span_t) -> Self {
        if span.data.is_null() {
            return Self { bytes: &mut [] };
        }
        // SAFETY: the caller's memory, which nobody else uses during the call.
        let bytes = unsafe { slice::from_raw_parts_mut(span.data.cast(), span.data_length) };
        Self { bytes }
    }

    fn next(&mut self, size: usize) -> Result<&'c mut [MaybeUninit<u8>], IreeError> {
        let bytes = mem::take(&mut self.bytes);
        let (next, rest) = bytes
            .split_at_mut_checked(size)
            .ok_or_else(|| IreeError::new(Code::Internal, "the call has too few values"))?;
        self.bytes = rest;
        Ok(next)
    }

    /// Reads the next argument.
    fn read<T: Copy>(&mut self) -> Result<T, IreeError> {
        let bytes = self.next(size_of::<T>())?;
        // SAFETY: the convention says that a value of this type is here, on any multiple of 4.
        Ok(unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
    }

    pub(super) fn i32(&mut self) -> Result<i32, IreeError> {
        self.read()
    }

    pub(super) fn i64(&mut self) -> Result<i64, IreeError> {
        self.read()
    }

    /// The next argument, which the caller keeps alive during the call.
    pub(super) fn reference(&mut self) -> Result<sys::iree_vm_ref_t, IreeError> {
        self.read()
    }

    /// The next argument, or `None` for a null reference.
    pub(super) fn object<T: Object>(
        &mut self,
        check: unsafe extern "C" fn(sys::iree_vm_ref_t, *mut *mut T) -> sys::iree_status_t,
    ) -> Result<Option<Handle<T>>, IreeError> {
        let reference = self.reference()?;
        let mut object = ptr::null_mut();
        if reference.ptr.is_null() {
            return Ok(None);
        }
        // SAFETY: the reference is live and the out pointer valid.
        status::check(unsafe { check(reference, &mut object) })?;
        // SAFETY: live while the caller keeps its reference; the handle gets one of its own.
        unsafe { T::retain(object) };
        Ok(Handle::from_owned(object))
    }

    /// The bytes of the next argument, a buffer of the virtual machine.
    pub(super) fn bytes(&mut self) -> Result<&'c [u8], IreeError> {
        let reference = self.reference()?;
        let mut buffer = ptr::null_mut();
        // SAFETY: the reference is live or null, and the out pointer valid.
        status::check(unsafe { sys::iree_vm_buffer_check_deref_or_null(reference, &mut buffer) })?;
        if buffer.is_null() {
            return Ok(&[]);
        }
        // SAFETY: the buffer is live.
        let length = unsafe { sys::iree_vm_buffer_length(buffer) };
        // SAFETY: as above.
        let data = unsafe { sys::iree_vm_buffer_data(buffer) };
        if length == 0 || data.is_null() {
            return Ok(&[]);
        }
        // SAFETY: the caller keeps the buffer alive during the call, and nobody writes to it.
        Ok(unsafe { slice::from_raw_parts(data, length) })
    }

    /// Writes the next result, and gives the reference away.
    pub(super) fn give(&mut self, reference: sys::iree_vm_ref_t) -> Result<(), IreeError> {
        let bytes = self.next(size_of::<sys::iree_vm_ref_t>())?;
        let place = bytes.as_mut_ptr().cast::<sys::iree_vm_ref_t>();
        // SAFETY: the convention says that there is room for a reference here, on any multiple of 4.
        unsafe { place.write_unaligned(reference) };
        Ok(())
    }
}
