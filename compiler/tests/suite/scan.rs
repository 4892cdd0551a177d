//! Parts of texts that IREE's tools print.

/// What stands between two texts.
pub(crate) fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}
