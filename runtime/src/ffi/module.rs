use super::{
    Archive, Entry,
    handle::Handle,
    instance::{instance, loading},
    quota::Quota,
    status::{IreeError, check},
    sys,
};
use iree_abi::{UPDATES, WORK, Work};
use std::mem;

/// A loaded VMFB.
#[derive(Clone)]
pub(crate) struct Module(Handle<sys::iree_vm_module_t>);

/// What a module says about one of its exported functions.
pub(crate) struct Export {
    pub(crate) name: String,
    /// How arguments and results are passed, in IREE's notation: `0rr_r`.
    pub(crate) convention: String,
    /// The types in the source, as far as the compiler wrote them down.
    pub(crate) declaration: String,
    /// The positions of the arguments that it writes to, if our compiler wrote it.
    updates: Box<[usize]>,
    /// Whether it takes what to wait for and what to reach behind the arguments.
    is_queued: bool,
    /// How much work a call is, if our compiler could tell.
    work: Option<Work>,
    function: sys::iree_vm_function_t,
}

impl Module {
    /// Loads a module, which keeps the archive.
    ///
    /// The archive must be what a compiler wrote: IREE verifies its structure, not the native code.
    pub(crate) fn load(archive: Archive) -> Result<Self, IreeError> {
        let _lock = loading();
        let instance = instance()?;
        let bytes = archive.as_slice();
        let contents = sys::iree_const_byte_span_t {
            data: bytes.as_ptr(),
            data_length: bytes.len(),
        };
        // A count in a damaged file may ask for gigabytes, which are refused before they are taken.
        let memory = Quota::new(most_memory(bytes.len()));
        let archive = archive.into_allocator();
        let module = Handle::create(|out| {
            // SAFETY: the contents live until the module frees them with their allocator.
            unsafe {
                sys::iree_vm_bytecode_module_create(
                    instance.vm.as_ptr(),
                    0,
                    contents,
                    archive,
                    memory.allocator(),
                    out,
                )
            }
        });
        if module.is_err() {
            // SAFETY: a module that could not be made has not taken the archive.
            unsafe { sys::iree_allocator_free(archive, contents.data.cast_mut().cast()) };
        }
        Ok(Self(module?))
    }

    pub(super) const fn as_ptr(&self) -> *mut sys::iree_vm_module_t {
        self.0.as_ptr()
    }

    /// The module's name.
    pub(crate) fn name(&self) -> String {
        // SAFETY: the module is live.
        let name = unsafe { sys::iree_vm_module_name(self.as_ptr()) };
        // SAFETY: the name belongs to the module.
        unsafe { sys::to_string(name) }
    }

    /// The exported functions, in the order of the file.
    pub(crate) fn exports(&self) -> Result<Vec<Export>, IreeError> {
        // SAFETY: the module is live.
        let signature = unsafe { sys::iree_vm_module_signature(self.as_ptr()) };
        (0..signature.export_function_count)
            .map(|ordinal| self.export(ordinal))
            .collect()
    }

    fn export(&self, ordinal: usize) -> Result<Export, IreeError> {
        let linkage = sys::iree_vm_function_linkage_e_IREE_VM_FUNCTION_LINKAGE_EXPORT;
        // SAFETY: a struct of integers and pointers, for which zero is a value.
        let mut function: sys::iree_vm_function_t = unsafe { mem::zeroed() };
        // SAFETY: the module is live and the out pointer valid.
        check(unsafe {
            sys::iree_vm_module_lookup_function_by_ordinal(
                self.as_ptr(),
                linkage,
                ordinal,
                &mut function,
            )
        })?;
        // SAFETY: the function belongs to a live module.
        let name = unsafe { sys::iree_vm_function_name(&function) };
        // SAFETY: as above.
        let signature = unsafe { sys::iree_vm_function_signature(&function) };
        let attribute = |key: &str| {
            // SAFETY: as above.
            let found = unsafe {
                sys::iree_vm_function_lookup_attr_by_name(&function, sys::string_view(key))
            };
            // SAFETY: the module owns the text.
            unsafe { sys::to_string(found) }
        };
        let updates = attribute(UPDATES);
        let updates = updates
            .split(',')
            .filter_map(|position| position.parse().ok());
        Ok(Export {
            // SAFETY: the module owns the text.
            name: unsafe { sys::to_string(name) },
            // SAFETY: as above.
            convention: unsafe { sys::to_string(signature.calling_convention) },
            declaration: attribute("iree.abi.declaration"),
            updates: updates.collect(),
            is_queued: attribute("iree.abi.model") == "coarse-fences",
            work: attribute(WORK).parse().ok(),
            function,
        })
    }

    /// What is needed to call an exported function, if it takes and returns references alone.
    pub(crate) fn entry(&self, export: &Export) -> Option<Entry> {
        let (arguments, results) = references(&export.convention)?;
        let fences = if export.is_queued { 2 } else { 0 };
        Some(Entry::new(
            self.0.clone(),
            export.function,
            (arguments.checked_sub(fences)?, results),
            export.updates.clone(),
            export.is_queued,
            export.name.as_str().into(),
            export.work.clone(),
        ))
    }
}

/// The most memory that IREE takes for what a file of a length says, by far: its tables have some bytes for
/// each of the file.
const fn most_memory(length: usize) -> usize {
    length.saturating_mul(16).saturating_add(1 << 20)
}

/// The number of arguments and results of a calling convention that has nothing but references.
fn references(convention: &str) -> Option<(usize, usize)> {
    let (arguments, results) = convention.strip_prefix('0')?.split_once('_')?;
    Some((count(arguments)?, count(results)?))
}

fn count(fragment: &str) -> Option<usize> {
    match fragment {
        "v" => Some(0),
        _ => fragment
            .bytes()
            .all(|kind| kind == b'r')
            .then_some(fragment.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_of_tensors_are_counted() {
        assert_eq!(references("0rr_r"), Some((2, 1)));
        assert_eq!(references("0v_rr"), Some((0, 2)));
        assert_eq!(references("0v_v"), Some((0, 0)));
        assert_eq!(references("0ri_r"), None);
        assert_eq!(references("0rCID_r"), None);
        assert_eq!(references("1r_r"), None);
        assert_eq!(references(""), None);
    }
}
