use super::{super::statement::Statement, Known};
use iree_abi::TensorType;

pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    let first = statement.operands.first().map_or("", String::as_str);
    Some(match statement.op {
        "reshape" | "dynamic_reshape" => format!("{first}.reshape({:?})", sizes(statement)?),
        "transpose" => format!("{first}.permute({:?})", statement.axes("permutation")),
        "reverse" => format!("{first}.reverse({:?})", statement.axes("dimensions")),
        "broadcast_in_dim" | "dynamic_broadcast_in_dim" => broadcast(statement, first, known)?,
        "concatenate" => {
            let parts = statement.operands.join(", ");
            format!("concatenate([{parts}], {})", statement.number("dim")?)
        }
        "iota" | "dynamic_iota" => iota(statement)?,
        "slice" => slice(statement, first)?,
        "pad" => {
            let ends = ["low", "high", "interior"].map(|end| statement.list(end));
            let [Some(low), Some(high), Some(interior)] = ends else {
                return None;
            };
            pad(first, statement.operands.get(1)?, &low, &high, &interior)
        }
        "dynamic_pad" => {
            let [x, value, ends @ ..] = statement.operands.as_slice() else {
                return None;
            };
            let ends: Option<Vec<_>> = ends.iter().map(|end| integers(known, end)).collect();
            let [low, high, interior] = &ends?[..] else {
                return None;
            };
            pad(x, value, low, high, interior)
        }
        "get_dimension_size" => {
            format!(
                "full::<i32>({first}.dim({}) as i32)",
                statement.number("dim")?
            )
        }
        _ => return None,
    })
}

/// The sizes of the result.
pub(super) fn sizes(statement: &Statement<'_>) -> Option<Vec<usize>> {
    statement.result_types.last()?.shape.known()
}

/// The elements of a tensor of `i64` that the case gives.
pub(super) fn integers(known: &Known, name: &str) -> Option<Vec<i64>> {
    let bytes = known.get(name)?.bytes.chunks_exact(8);
    bytes
        .map(|bytes| Some(i64::from_le_bytes(bytes.try_into().ok()?)))
        .collect()
}

/// `i64, 3, 4`: what stands between the angle brackets of a tensor.
pub(super) fn generics(ty: &TensorType) -> String {
    let sizes = ty.shape.dims().iter();
    let sizes: String = sizes.map(|size| format!(", {size}")).collect();
    format!("{}{sizes}", ty.dtype)
}

fn broadcast(statement: &Statement<'_>, x: &str, known: &Known) -> Option<String> {
    let operand = known.get(x)?.ty.shape.known()?;
    let result = sizes(statement)?;
    let mut aligned = vec![1; result.len()];
    for (axis, size) in statement
        .axes("broadcast_dimensions")
        .into_iter()
        .zip(operand)
    {
        *aligned.get_mut(axis)? = size;
    }
    Some(format!("{x}.reshape({aligned:?}).broadcast_to({result:?})"))
}

/// Of complex numbers, the real part counts.
fn iota(statement: &Statement<'_>) -> Option<String> {
    let ty = statement.result_types.last()?;
    let axis = statement.number("dim")?;
    Some(format!("iota::<{}>({axis})", generics(ty)))
}

fn slice(statement: &Statement<'_>, x: &str) -> Option<String> {
    let [starts, limits, strides] =
        ["start_indices", "limit_indices", "strides"].map(|name| statement.axes(name));
    let axes = starts.iter().zip(limits).zip(strides);
    let axes = axes.map(|((start, limit), stride)| format!("{start}..{limit};{stride}"));
    Some(format!(
        "{x}.slice(s![{}])",
        axes.collect::<Vec<_>>().join(", ")
    ))
}

fn pad(x: &str, value: &str, low: &[i64], high: &[i64], interior: &[i64]) -> String {
    format!("pad!({x}, low = {low:?}, high = {high:?}, interior = {interior:?}, value = {value})")
}
