/// The candidate that was probably meant: at most a third of the letters differ. Of several it is the
/// one with the fewest differences, then the nearest in length, then the first.
///
/// # Examples
///
/// ```
/// use iree_dsl_compiler::diagnostic::nearest;
///
/// assert_eq!(nearest("mean_axes", ["sum_axis", "mean_axis"]), Some("mean_axis"));
/// assert_eq!(nearest("frobnicate", ["sum", "mean"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    // A name that differs in each of its letters is another name.
    let allowed = (letters.max(3) / 3).min(letters.saturating_sub(1));
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
            let lengths = candidate.len().abs_diff(name.len());
            (distance, lengths, candidate)
        })
        .filter(|(distance, ..)| *distance <= allowed)
        .min_by_key(|(distance, lengths, _)| (*distance, *lengths))
        .map(|(.., candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn few_differences_are_a_slip() {
        assert_eq!(
            nearest("immutible", ["init", "immutable"]),
            Some("immutable")
        );
        assert_eq!(nearest("tahn", ["tan", "tanh"]), Some("tanh"));
        assert_eq!(nearest("Relu", ["relu"]), Some("relu"));
    }

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(nearest("sun", ["sum", "sin"]), Some("sum"));
    }

    #[test]
    fn another_word_is_no_slip() {
        assert_eq!(nearest("x", ["sum"]), None);
        assert_eq!(nearest("", ["sum"]), None);
        assert_eq!(nearest("conv", []), None);
        assert_eq!(nearest("q", ["d"]), None);
    }
}
