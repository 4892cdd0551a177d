/// The parts of a list in MLIR's notation, `%x: tensor<2x3xf32>, %y: (i32, i32)`: what stands between commas that are in
/// no brackets.
///
/// # Examples
///
/// ```
/// let parts = iree_abi::split_list("a: tuple<b, c>, d {e = 1, f},");
/// assert!(parts.eq(["a: tuple<b, c>", "d {e = 1, f}"]));
/// ```
pub fn split_list(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let parts = list.split(move |character| {
        match character {
            '<' | '{' | '(' | '[' => depth += 1,
            '>' | '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}
