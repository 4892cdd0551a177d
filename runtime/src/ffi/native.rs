//! Modules whose functions are written in Rust.

use super::{
    entry::begin,
    handle::{Handle, Object},
    instance::{instance, loading},
    status::{self, Code, IreeError},
    sys,
};
use std::{
    borrow::Cow,
    ffi::c_void,
    marker::PhantomData,
    mem::{self, MaybeUninit},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
    sync::atomic::{AtomicPtr, Ordering},
};

/// A module that programs import functions from.
pub(crate) struct NativeModule(Handle<sys::iree_vm_module_t>);

/// A function of a [`NativeModule`].
pub(super) struct NativeFunction {
    name: Cow<'static, str>,
    /// How arguments and results are passed, in IREE's notation.
    convention: Cow<'static, str>,
    call: NativeCall,
}

/// What a [`NativeFunction`] does.
enum NativeCall {
    Own(Own),
    /// Calls a function of another module with its own arguments.
    Around(Around, sys::iree_vm_function_t),
}

/// Reads the arguments in order, then writes the results in order.
type Own = Box<dyn Fn(&mut Values<'_>, &mut Values<'_>) -> Result<(), IreeError> + Send + Sync>;

/// Reads the arguments in order, may put another in the place of one, and calls the function.
type Around = Box<dyn Fn(&mut Values<'_>, Inner<'_>) -> Result<(), IreeError> + Send + Sync>;

/// The function that another one is around, and what it is called with.
pub(super) struct Inner<'c> {
    stack: *mut sys::iree_vm_stack_t,
    call: sys::iree_vm_function_call_t,
    arguments: PhantomData<&'c mut MaybeUninit<u8>>,
}

impl Inner<'_> {
    pub(super) fn call(self) -> Result<(), IreeError> {
        // SAFETY: its module is what the other one's is over, and the arguments are those of such a function.
        status::check(unsafe { begin(self.stack, self.call) })
    }
}

impl NativeFunction {
    pub(super) fn new(
        name: impl Into<Cow<'static, str>>,
        convention: impl Into<Cow<'static, str>>,
        call: impl Fn(&mut Values<'_>, &mut Values<'_>) -> Result<(), IreeError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            convention: convention.into(),
            call: NativeCall::Own(Box::new(call)),
        }
    }

    /// One that is around a function of a module, which the new module is to be [over](NativeModule::over); `None` if
    /// there is no such function.
    pub(super) fn around(
        base: &Handle<sys::iree_vm_module_t>,
        name: &'static str,
        call: impl Fn(&mut Values<'_>, Inner<'_>) -> Result<(), IreeError> + Send + Sync + 'static,
    ) -> Option<Self> {
        let linkage = sys::iree_vm_function_linkage_e_IREE_VM_FUNCTION_LINKAGE_EXPORT;
        // SAFETY: a struct of integers and pointers, for which zero is a value.
        let mut function: sys::iree_vm_function_t = unsafe { mem::zeroed() };
        let (module, text) = (base.as_ptr(), sys::string_view(name));
        // SAFETY: the module is live and the out pointer valid.
        let found = status::check(unsafe {
            sys::iree_vm_module_lookup_function_by_name(module, linkage, text, &mut function)
        });
        found.ok()?;
        // SAFETY: the function belongs to a live module.
        let signature = unsafe { sys::iree_vm_function_signature(&function) };
        // SAFETY: as above.
        let convention = unsafe { sys::to_string(signature.calling_convention) };
        Some(Self {
            name: name.into(),
            convention: convention.into(),
            call: NativeCall::Around(Box::new(call), function),
        })
    }
}

/// What a module points to, at a place that does not change.
struct Body {
    _name: String,
    functions: Vec<NativeFunction>,
    /// What the descriptor points to.
    _exports: Vec<sys::iree_vm_native_export_descriptor_t>,
    descriptor: sys::iree_vm_native_module_descriptor_t,
    /// Has the functions that this module lacks.
    base: Option<Handle<sys::iree_vm_module_t>>,
    /// The module itself, once it is made.
    module: AtomicPtr<sys::iree_vm_module_t>,
}

impl NativeModule {
    pub(super) fn new(
        name: impl Into<String>,
        functions: Vec<NativeFunction>,
    ) -> Result<Self, IreeError> {
        Self::with_base(name.into(), functions, None)
    }

    /// A module that takes the place of another of that name in contexts where it comes later, and has all of its
    /// functions but for these.
    pub(super) fn over(
        base: Handle<sys::iree_vm_module_t>,
        functions: Vec<NativeFunction>,
    ) -> Result<Self, IreeError> {
        // SAFETY: the module is live.
        let name = unsafe { sys::iree_vm_module_name(base.as_ptr()) };
        // SAFETY: the name belongs to the module.
        let name = unsafe { sys::to_string(name) };
        Self::with_base(name, functions, Some(base))
    }

    fn with_base(
        name: String,
        mut functions: Vec<NativeFunction>,
        base: Option<Handle<sys::iree_vm_module_t>>,
    ) -> Result<Self, IreeError> {
        // IREE looks them up by bisection.
        functions.sort_by(|one, other| one.name.cmp(&other.name));
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
            base,
            module: AtomicPtr::default(),
        }));
        Self::create(body)
    }

    fn create(body: *mut Body) -> Result<Self, IreeError> {
        // SAFETY: just made, and not shared.
        let has_base = unsafe { (*body).base.is_some() };
        let interface = sys::iree_vm_module_t {
            self_: body.cast(),
            destroy: Some(destroy),
            begin_call: Some(begin_call),
            lookup_function: has_base.then_some(lookup_function),
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
        let module = module?;
        // SAFETY: the module that was made keeps it.
        unsafe { &*body }
            .module
            .store(module.as_ptr(), Ordering::Release);
        Ok(Self(module))
    }

    pub(super) const fn as_ptr(&self) -> *mut sys::iree_vm_module_t {
        self.0.as_ptr()
    }
}

unsafe extern "C" fn lookup_function(
    this: *mut c_void,
    linkage: sys::iree_vm_function_linkage_t,
    name: sys::iree_string_view_t,
    _signature: *const sys::iree_vm_function_signature_t,
    out: *mut sys::iree_vm_function_t,
) -> sys::iree_status_t {
    // SAFETY: made by `new`, and not changed until it is destroyed.
    let body = unsafe { &*this.cast::<Body>() };
    // SAFETY: the caller's text.
    let wanted = unsafe { sys::to_string(name) };
    let ordinal = (body.functions).binary_search_by(|function| (*function.name).cmp(&wanted));
    match (ordinal.map(u16::try_from), &body.base) {
        (Ok(Ok(ordinal)), _) => {
            let module = body.module.load(Ordering::Acquire);
            let function = sys::iree_vm_function_t {
                module,
                linkage: linkage as u16,
                ordinal,
            };
            // SAFETY: the out pointer is valid.
            unsafe { out.write(function) };
            ptr::null_mut()
        }
        // SAFETY: the base is live, and the arguments are those of such a function.
        (_, Some(base)) => unsafe {
            sys::iree_vm_module_lookup_function_by_name(base.as_ptr(), linkage, name, out)
        },
        (_, None) => {
            let message = format!("there is no function `{wanted}`");
            status::from_error(&IreeError::new(Code::NotFound, message))
        }
    }
}

unsafe extern "C" fn destroy(this: *mut c_void) {
    // SAFETY: made by `new`, and IREE destroys a module once.
    drop(unsafe { Box::from_raw(this.cast::<Body>()) });
}

unsafe extern "C" fn begin_call(
    this: *mut c_void,
    stack: *mut sys::iree_vm_stack_t,
    call: sys::iree_vm_function_call_t,
) -> sys::iree_status_t {
    // SAFETY: made by `new`, and not changed until it is destroyed.
    let body = unsafe { &*this.cast::<Body>() };
    let Some(function) = body.functions.get(usize::from(call.function.ordinal)) else {
        return status::from_error(&IreeError::new(Code::Internal, "there is no such function"));
    };
    let mut arguments = Values::new(&call.arguments);
    let mut results = Values::new(&call.results);
    let run = AssertUnwindSafe(|| match &function.call {
        NativeCall::Own(own) => own(&mut arguments, &mut results),
        NativeCall::Around(around, inner) => {
            let call = sys::iree_vm_function_call_t {
                function: *inner,
                ..call
            };
            let inner = Inner {
                stack,
                call,
                arguments: PhantomData,
            };
            around(&mut arguments, inner)
        }
    });
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
    /// Not a slice: what is put in the place of an argument is used by others while this lives.
    next: *mut u8,
    /// How many bytes are left.
    left: usize,
    memory: PhantomData<&'c mut MaybeUninit<u8>>,
}

impl<'c> Values<'c> {
    /// The values in the caller's memory, which nobody else uses but for whoever is called with them.
    const fn new(span: &'c sys::iree_byte_span_t) -> Self {
        Self {
            next: span.data,
            left: if span.data.is_null() {
                0
            } else {
                span.data_length
            },
            memory: PhantomData,
        }
    }

    /// The place of the next value, which is aligned as in C.
    fn next<T>(&mut self) -> Result<*mut T, IreeError> {
        let padding = self.next.align_offset(align_of::<T>());
        let end = padding.checked_add(size_of::<T>());
        let Some(end) = end.filter(|end| *end <= self.left) else {
            self.left = 0;
            return Err(IreeError::new(
                Code::Internal,
                "the call has too few values",
            ));
        };
        // SAFETY: there are so many bytes left.
        let place = unsafe { self.next.add(padding) };
        // SAFETY: as above.
        self.next = unsafe { self.next.add(end) };
        self.left -= end;
        Ok(place.cast())
    }

    /// Reads the next argument.
    fn read<T: Copy>(&mut self) -> Result<T, IreeError> {
        let place = self.next::<T>()?;
        // SAFETY: the convention says that a value of this type is here.
        Ok(unsafe { place.read() })
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

    /// The place of the next argument, a reference.
    pub(super) fn place(&mut self) -> Result<Place, IreeError> {
        self.next().map(Place)
    }

    /// The next argument, or `None` for a null reference.
    pub(super) fn object<T: Object>(
        &mut self,
        check: Check<T>,
    ) -> Result<Option<Handle<T>>, IreeError> {
        self.place()?.object(check)
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

    /// Writes the next result.
    fn write<T: Copy>(&mut self, value: T) -> Result<(), IreeError> {
        let place = self.next::<T>()?;
        // SAFETY: the convention says that there is room for such a value here.
        unsafe { place.write(value) };
        Ok(())
    }

    pub(super) fn give_i32(&mut self, value: i32) -> Result<(), IreeError> {
        self.write(value)
    }

    /// Writes the next result, and gives the reference away.
    pub(super) fn give(&mut self, reference: sys::iree_vm_ref_t) -> Result<(), IreeError> {
        self.write(reference)
    }
}

/// Finds what a reference refers to.
type Check<T> = unsafe extern "C" fn(sys::iree_vm_ref_t, *mut *mut T) -> sys::iree_status_t;

/// The place of an argument that is a reference.
pub(super) struct Place(*mut sys::iree_vm_ref_t);

impl Place {
    /// What is there, or `None` for a null reference.
    pub(super) fn object<T: Object>(
        &self,
        check: Check<T>,
    ) -> Result<Option<Handle<T>>, IreeError> {
        // SAFETY: the convention says that a reference is here.
        let reference = unsafe { self.0.read() };
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

    /// Puts another reference there for the time of the call, which is then released.
    pub(super) fn exchange(self, other: sys::iree_vm_ref_t) -> Exchange {
        // SAFETY: the convention says that a reference is here, and nobody else uses it during the call.
        let original = unsafe { self.0.replace(other) };
        Exchange {
            place: self.0,
            original,
        }
    }
}

/// An argument that another one is in the place of, until this is dropped.
pub(super) struct Exchange {
    place: *mut sys::iree_vm_ref_t,
    original: sys::iree_vm_ref_t,
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // SAFETY: the place belongs to the caller, whose call has not ended.
        let mut other = unsafe { self.place.replace(self.original) };
        // SAFETY: owned, and used no more.
        unsafe { sys::iree_vm_ref_release(&mut other) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_where_c_has_them() {
        #[repr(C)]
        struct Values3 {
            first: i32,
            second: i64,
            third: i32,
        }
        let mut packed = Values3 {
            first: 0,
            second: 0,
            third: 0,
        };
        let span = sys::iree_byte_span_t {
            data: (&raw mut packed).cast(),
            data_length: size_of::<Values3>(),
        };
        let mut values = Values::new(&span);
        values.give_i32(1).unwrap();
        values.write(-2i64).unwrap();
        values.give_i32(3).unwrap();
        assert!(values.write(4i64).is_err());
        let mut values = Values::new(&span);
        let read = (values.i32().unwrap(), values.i64().unwrap());
        assert_eq!((read, values.i32().unwrap()), ((1, -2), 3));
        assert_eq!((packed.first, packed.second, packed.third), (1, -2, 3));
        assert!(values.i64().is_err());
    }
}
