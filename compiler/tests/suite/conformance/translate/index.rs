//! Gathers and scatters of windows, as places in a flat tensor.

use super::{super::statement::Statement, Known, shape};
use iree_abi::{DType, TensorType};

pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    match (statement.op, statement.operands.as_slice()) {
        ("dynamic_slice", [x, starts @ ..]) => {
            let sizes = statement.axes("slice_sizes");
            Some(format!(
                "{x}.dynamic_slice([{}], {sizes:?})",
                narrowed(starts)
            ))
        }
        ("dynamic_update_slice", [x, update, starts @ ..]) => Some(format!(
            "{x}.dynamic_update_slice({update}, [{}])",
            narrowed(starts)
        )),
        ("gather", [x, indices]) => {
            let sizes = statement.axes("slice_sizes");
            gather(statement, [x, indices].map(String::as_str), &sizes, known)
        }
        ("dynamic_gather", [x, indices, sizes]) => {
            let sizes = shape::integers(known, sizes)?.into_iter();
            let sizes: Vec<_> = sizes.map(|size| size as usize).collect();
            gather(statement, [x, indices].map(String::as_str), &sizes, known)
        }
        ("scatter", [x, indices, updates]) => {
            scatter(statement, [x, indices, updates].map(String::as_str), known)
        }
        _ => None,
    }
}

fn narrowed(starts: &[String]) -> String {
    let starts = starts.iter().map(|start| format!("{start} as i32"));
    starts.collect::<Vec<_>>().join(", ")
}

/// Which axes of windows, of indices and of the tensor belong together.
struct Windows<'a> {
    tensor: Vec<usize>,
    indices: &'a str,
    /// The sizes of the indices, without the axis of their parts.
    batch: Vec<usize>,
    parts: usize,
    /// The axes of the windowed tensor along which windows lie.
    offsets: Vec<usize>,
    /// The axes of the tensor along which windows have no axis.
    collapsed: Vec<usize>,
    /// The axes of the tensor that run along with those of the indices.
    batching: Vec<(usize, usize)>,
    /// The axis of the tensor for each part of an index.
    started: Vec<usize>,
    /// The sizes of the windows, axis by axis.
    shape: Vec<usize>,
}

impl Windows<'_> {
    /// Each index along an axis of the tensor, for all elements of all windows.
    fn index(&self, axis: usize, limit: Option<usize>) -> String {
        let mut terms = Vec::new();
        let along = self.batch_axes();
        if let Some(part) = self.started.iter().position(|started| *started == axis) {
            let mut selected = vec!["..".to_owned(); self.batch.len()];
            selected.insert(self.parts, part.to_string());
            let start = format!("{}[s![{}]]", self.indices, selected.join(", "));
            let start = match limit {
                Some(limit) => format!("{start}.clamp(0, {limit})"),
                None => start,
            };
            let mut sizes = vec![1; self.shape.len()];
            for (axis, size) in along.iter().zip(&self.batch) {
                sizes[*axis] = *size;
            }
            terms.push(format!("{start}.reshape({sizes:?})"));
        }
        if let Some((_, batch)) = self.batching.iter().find(|(batching, _)| *batching == axis) {
            // The axis of the parts is gone.
            let batch = batch - usize::from(*batch > self.parts);
            terms.push(self.counted(along[batch]));
        }
        let windowed = |axis: &usize| {
            !self.collapsed.contains(axis) && !self.batching.iter().any(|(other, _)| other == axis)
        };
        if windowed(&axis) {
            let place = (0..axis).filter(windowed).count();
            terms.push(self.counted(self.offsets[place]));
        }
        format!("({})", terms.join(" + "))
    }

    fn batch_axes(&self) -> Vec<usize> {
        let axes = 0..self.shape.len();
        axes.filter(|axis| !self.offsets.contains(axis)).collect()
    }

    fn counted(&self, axis: usize) -> String {
        let ty = TensorType::new(DType::I64, &*self.shape);
        format!("iota::<{}>({axis})", shape::generics(&ty))
    }

    /// The places in the flat tensor for indices along each axis.
    fn places(&self, indices: &[String]) -> String {
        let strides = (1..=indices.len()).map(|axis| self.tensor[axis..].iter().product::<usize>());
        let terms = indices.iter().zip(strides);
        let terms: Vec<_> = terms
            .map(|(index, stride)| format!("{index} * {stride}"))
            .collect();
        terms.join(" + ")
    }
}

/// Windows that lie over the end are moved until they do not.
fn gather(
    statement: &Statement<'_>,
    [x, indices]: [&str; 2],
    sizes: &[usize],
    known: &Known,
) -> Option<String> {
    let windows = windows(
        statement,
        [x, indices],
        known,
        shape::sizes(statement)?,
        [
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
        ],
    )?;
    let axes = windows.tensor.iter().zip(sizes).enumerate();
    let along: Vec<_> = axes
        .map(|(axis, (tensor, window))| windows.index(axis, Some(tensor - window)))
        .collect();
    let places = windows.places(&along);
    Some(format!("{x}.flatten().take({places}, 0)"))
}

/// Elements outside are left out, one by one.
fn scatter(
    statement: &Statement<'_>,
    [x, indices, updates]: [&str; 3],
    known: &Known,
) -> Option<String> {
    let [combined] = statement.regions.first()?.statements.as_slice() else {
        return None;
    };
    if combined.op != "add" {
        return None;
    }
    let windows = windows(
        statement,
        [x, indices],
        known,
        known.get(updates)?.ty.shape.known()?,
        [
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
        ],
    )?;
    let along: Vec<_> = (0..windows.tensor.len())
        .map(|axis| windows.index(axis, None))
        .collect();
    let inside: Vec<_> = along
        .iter()
        .zip(&windows.tensor)
        .map(|(index, size)| format!("({index} >= 0) & ({index} < {size})"))
        .collect();
    let places = windows.places(&along);
    let places = format!("select({}, {places}, -1)", inside.join(" & "));
    let sizes = &windows.tensor;
    Some(format!(
        "{x}.flatten().scatter_add({places}, {updates}, 0).reshape({sizes:?})"
    ))
}

fn windows<'a>(
    statement: &Statement<'_>,
    [x, indices]: [&'a str; 2],
    known: &Known,
    shape: Vec<usize>,
    [offsets, collapsed, batching, batched, started]: [&str; 5],
) -> Option<Windows<'a>> {
    let parts = statement.number("index_vector_dim")?;
    let mut batch = known.get(indices)?.ty.shape.known()?;
    batch.remove(parts);
    let pairs = statement
        .axes(batching)
        .into_iter()
        .zip(statement.axes(batched));
    Some(Windows {
        tensor: known.get(x)?.ty.shape.known()?,
        indices,
        batch,
        parts,
        offsets: statement.axes(offsets),
        collapsed: statement.axes(collapsed),
        batching: pairs.collect(),
        started: statement.axes(started),
        shape,
    })
}
