//! The sums of what belongs to the largest element of each window, with what the language has: the windows
//! side by side, the place of the largest element, and a scatter.

use super::{
    super::statement::{Region, Statement},
    Known, shape,
};
use iree_abi::{DType, TensorType};

pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    let [x, source, init] = statement.operands.as_slice() else {
        return None;
    };
    let [select, combine] = statement.regions.as_slice() else {
        return None;
    };
    // The first of equal elements is the largest.
    if statement.op != "select_and_scatter"
        || !is(select, "compare", "GE")
        || !is(combine, "add", "")
    {
        return None;
    }
    let ty = &known.get(x)?.ty;
    let count = ty.shape.known()?.iter().product::<usize>();
    let (low, high): (Vec<_>, Vec<_>) = statement
        .list("padding")?
        .chunks_exact(2)
        .map(|ends| (ends[0], ends[1]))
        .unzip();
    let windows = known.get(source)?.ty.shape.known()?;
    let side_by_side = |name: &str| windowed(statement, name, &windows);
    let places = shape::generics(&TensorType::new(DType::I64, [count]));
    let sizes = ty.shape.known()?;
    Some(format!(
        "{{
        let values = pad!({x}, low = {low:?}, high = {high:?}, value = {least});
        let places = iota::<{places}>().reshape({sizes:?});
        let places = pad!(places, low = {low:?}, high = {high:?}, value = -1);
        let largest = {values}.argmax_axis(0).insert_axis(0);
        let places = {places_side_by_side}.take_along_axis(largest, 0).remove_axis(0);
        full::<{dtype}, {count}>({init}).scatter_add(places, {source}, 0).reshape({sizes:?})
        }}",
        least = i64::MIN,
        values = side_by_side("values"),
        places_side_by_side = side_by_side("places"),
        dtype = ty.dtype,
    ))
}

/// Whether a region is one operation whose text starts like this.
fn is(region: &Region<'_>, op: &str, start: &str) -> bool {
    match region.statements.as_slice() {
        [one] => one.op == op && one.text.trim().starts_with(start),
        _ => false,
    }
}

/// For each element of a window, those of all windows, along a new first axis.
fn windowed(statement: &Statement<'_>, name: &str, windows: &[usize]) -> String {
    let sizes = statement.axes("window_dimensions");
    let strides = statement.axes("window_strides");
    let mut parts = Vec::new();
    for element in 0..sizes.iter().product() {
        let mut rest: usize = element;
        let mut bounds = Vec::new();
        for axis in (0..sizes.len()).rev() {
            let (start, stride) = (rest % sizes[axis], strides[axis]);
            rest /= sizes[axis];
            let limit = start + (windows[axis] - 1) * stride + 1;
            bounds.insert(0, format!("{start}..{limit};{stride}"));
        }
        parts.push(format!("{name}.slice(s![{}])", bounds.join(", ")));
    }
    format!("stack([{}], 0)", parts.join(", "))
}
