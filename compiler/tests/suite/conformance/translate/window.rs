use super::{super::statement::Statement, Known, control, shape};

pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    let [x, y, padding @ ..] = statement.operands.as_slice() else {
        return None;
    };
    match statement.op {
        "convolution" => convolution(statement, x, y, known, statement.list("pad")),
        "dynamic_conv" => {
            let padding = shape::integers(known, padding.first()?)?;
            // One number stands for all.
            convolution(statement, x, y, known, Some(padding))
        }
        "reduce_window" => reduce_window(statement, x, y),
        "reduce" => reduce(statement, x, y),
        _ => None,
    }
}

fn convolution(
    statement: &Statement<'_>,
    x: &str,
    kernel: &str,
    known: &Known,
    padding: Option<Vec<i64>>,
) -> Option<String> {
    let numbers = statement
        .attribute("dim_numbers")
        .or_else(|| statement.attribute("dimension_numbers"))?;
    let numbers = numbers.trim_start_matches("#stablehlo.conv<");
    let (input, behind) = axes(numbers)?;
    let (weights, behind) = axes(behind.strip_prefix('x')?)?;
    let (output, _) = axes(behind.strip_prefix("->")?)?;
    let spatial = input.len() - 2;
    let given = |name: &str, other: &str| {
        let list = statement.list(name).or_else(|| statement.list(other));
        list.unwrap_or_else(|| vec![1; spatial])
    };
    let padding = padding.unwrap_or_else(|| vec![0; 2 * spatial]);
    let padding: Vec<_> = padding.chunks(2).collect();
    let mut groups = statement.number("feature_group_count")?;
    let batches = statement.number("batch_group_count")?;
    let dtype = statement.result_types.first()?.dtype;
    let mut x = x.to_owned();
    if batches > 1 {
        x = groups_as_features(&x, &known.get(&x)?.ty.shape.known()?, &input, batches)?;
        groups = batches;
    }
    Some(format!(
        "conv!({x} as {dtype}, {kernel} as {dtype}, strides = {:?}, padding = {padding:?}, dilation = {:?}, \
         input_dilation = {:?}, groups = {groups}, layout = \"{input},{weights}->{output}\")",
        given("stride", "window_strides"),
        given("rhs_dilate", "rhs_dilation"),
        given("lhs_dilate", "lhs_dilation"),
    ))
}

/// Groups of the batch have different kernels, as groups of features have.
fn groups_as_features(x: &str, sizes: &[usize], input: &str, groups: usize) -> Option<String> {
    let batch = input.find('N')?;
    let features = input.find('C')?;
    let mut split = sizes.to_vec();
    split.splice(batch..=batch, [groups, sizes.get(batch)? / groups]);
    let mut order: Vec<_> = (0..split.len()).filter(|axis| *axis != batch).collect();
    let place = order
        .iter()
        .position(|axis| *axis == features + usize::from(features > batch))?;
    order.insert(place, batch);
    let mut joined = sizes.to_vec();
    *joined.get_mut(batch)? /= groups;
    *joined.get_mut(features)? *= groups;
    Some(format!(
        "{x}.reshape({split:?}).permute({order:?}).reshape({joined:?})"
    ))
}

/// The letters of axes in brackets, and what stands behind them.
fn axes(text: &str) -> Option<(String, &str)> {
    let (inside, behind) = text.strip_prefix('[')?.split_once(']')?;
    let letter = |name: &str| match name.trim() {
        "b" => 'N',
        "f" => 'C',
        "i" => 'I',
        "o" => 'O',
        "0" => 'H',
        "1" => 'W',
        _ => 'D',
    };
    Some((inside.split(',').map(letter).collect(), behind))
}

fn reduce_window(statement: &Statement<'_>, x: &str, init: &str) -> Option<String> {
    let window = statement.axes("window_dimensions");
    let ones = vec![1; window.len()];
    let given = |name: &str| match statement.axes(name) {
        empty if empty.is_empty() => ones.clone(),
        given => given,
    };
    let padding = statement.list("padding")?;
    let padding: Vec<_> = padding.chunks(2).collect();
    let closure = control::closure(statement.regions.first()?)?;
    Some(format!(
        "reduce_window!({x}, {init}, {closure}, window = {window:?}, strides = {:?}, padding = {padding:?}, \
         dilation = {:?}, input_dilation = {:?})",
        given("window_strides"),
        given("window_dilations"),
        given("base_dilations"),
    ))
}

/// Along axes, the elements one after the other.
fn reduce(statement: &Statement<'_>, x: &str, init: &str) -> Option<String> {
    let axes = statement.axes("dimensions");
    let [combined] = statement.regions.first()?.statements.as_slice() else {
        return None;
    };
    let (method, operator) = match combined.op {
        "add" => ("sum_axis", "+"),
        "multiply" => ("prod_axis", "*"),
        _ => return None,
    };
    Some(format!("{x}.{method}({axes:?}) {operator} {init}"))
}
