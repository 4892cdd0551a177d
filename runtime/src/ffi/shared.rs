//! Modules of functions from arrays to arrays.

use super::{
    BufferView, Device,
    native::{NativeFunction, NativeModule, Values},
    place::Place,
    status::{Code, IreeError},
    sys,
};

/// A function from arrays to arrays.
pub(crate) struct Shared {
    pub(crate) name: String,
    pub(crate) arguments: usize,
    pub(crate) results: usize,
    pub(crate) call: Box<Call>,
}

type Call = dyn Fn(Vec<BufferView>) -> Result<Vec<BufferView>, String> + Send + Sync;

/// A module that programs import such functions from.
pub(crate) fn shared_module(
    name: String,
    device: &Device,
    functions: Vec<Shared>,
) -> Result<NativeModule, IreeError> {
    let functions = functions.into_iter().map(|function| {
        let place = device.place().clone();
        let convention = convention(function.arguments, function.results);
        let name = function.name.clone();
        NativeFunction::new(name, convention, move |arguments, results| {
            call(&function, &place, arguments, results)
        })
    });
    NativeModule::new(name, functions.collect())
}

/// How references are passed, in IREE's notation: `0rr_r`.
fn convention(arguments: usize, results: usize) -> String {
    let references = |count| match count {
        0 => "v".to_owned(),
        _ => "r".repeat(count),
    };
    format!("0{}_{}", references(arguments), references(results))
}

fn call(
    function: &Shared,
    place: &Place,
    arguments: &mut Values<'_>,
    results: &mut Values<'_>,
) -> Result<(), IreeError> {
    let given = (0..function.arguments).map(|_| {
        let view = arguments.object(sys::iree_hal_buffer_view_check_deref)?;
        let missing = || IreeError::new(Code::InvalidArgument, "an argument is missing");
        Ok(BufferView::new(view.ok_or_else(missing)?, place.clone()))
    });
    let given = given.collect::<Result<Vec<_>, IreeError>>()?;
    let failed = |reason| IreeError::new(Code::Aborted, reason);
    for view in (function.call)(given).map_err(failed)? {
        // SAFETY: the view is live; the reference owns a count of it.
        let reference = unsafe { sys::iree_hal_buffer_view_retain_ref(view.as_ptr()) };
        results.give(reference)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::convention;

    #[test]
    fn conventions_count_references() {
        assert_eq!(convention(2, 1), "0rr_r");
        assert_eq!(convention(0, 2), "0v_rr");
        assert_eq!(convention(0, 0), "0v_v");
    }
}
