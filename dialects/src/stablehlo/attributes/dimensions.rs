//! The roles that dimensions play in contractions, convolutions, gathers and scatters.

use melior::{Context, ir::Attribute};

use crate::{Error, attributes::parse};

/// The roles of the dimensions of a contraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DotDimensions<'a> {
    /// Dimensions of lhs that are kept side by side with those of rhs.
    pub lhs_batching: &'a [i64],
    /// Dimensions of rhs that are kept side by side with those of lhs.
    pub rhs_batching: &'a [i64],
    /// Dimensions of lhs that are summed over with those of rhs.
    pub lhs_contracting: &'a [i64],
    /// Dimensions of rhs that are summed over with those of lhs.
    pub rhs_contracting: &'a [i64],
}

/// The attribute `#stablehlo.dot<…>`.
///
/// # Errors
///
/// As [`parse`].
pub fn dot_dimension_numbers<'c>(
    context: &'c Context,
    dimensions: &DotDimensions<'_>,
) -> Result<Attribute<'c>, Error> {
    structure(
        context,
        "dot",
        &[
            list("lhs_batching_dimensions", dimensions.lhs_batching),
            list("rhs_batching_dimensions", dimensions.rhs_batching),
            list("lhs_contracting_dimensions", dimensions.lhs_contracting),
            list("rhs_contracting_dimensions", dimensions.rhs_contracting),
        ],
    )
}

/// The roles of the dimensions of a gather.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatherDimensions<'a> {
    /// Dimensions of the result that come from a slice.
    pub offset: &'a [i64],
    /// Dimensions of the operand, of slice size one, that the result does not have.
    pub collapsed_slice: &'a [i64],
    /// Dimensions of the operand that go side by side with those of the indices.
    pub operand_batching: &'a [i64],
    /// Dimensions of the indices that go side by side with those of the operand.
    pub start_indices_batching: &'a [i64],
    /// For each number of an index, the dimension of the operand that it counts.
    pub start_index_map: &'a [i64],
    /// The dimension of the indices along which an index lies.
    pub index_vector: i64,
}

/// The attribute `#stablehlo.gather<…>`.
///
/// # Errors
///
/// As [`parse`].
pub fn gather_dimension_numbers<'c>(
    context: &'c Context,
    dimensions: &GatherDimensions<'_>,
) -> Result<Attribute<'c>, Error> {
    structure(
        context,
        "gather",
        &[
            list("offset_dims", dimensions.offset),
            list("collapsed_slice_dims", dimensions.collapsed_slice),
            list("operand_batching_dims", dimensions.operand_batching),
            list(
                "start_indices_batching_dims",
                dimensions.start_indices_batching,
            ),
            list("start_index_map", dimensions.start_index_map),
            number("index_vector_dim", dimensions.index_vector),
        ],
    )
}

/// The roles of the dimensions of a scatter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScatterDimensions<'a> {
    /// Dimensions of the updates that belong to a slice.
    pub update_window: &'a [i64],
    /// Dimensions of the operand, of slice size one, that the updates do not have.
    pub inserted_window: &'a [i64],
    /// Dimensions of the operand that go side by side with those of the indices.
    pub input_batching: &'a [i64],
    /// Dimensions of the indices that go side by side with those of the operand.
    pub scatter_indices_batching: &'a [i64],
    /// For each number of an index, the dimension of the operand that it counts.
    pub scatter_to_operand: &'a [i64],
    /// The dimension of the indices along which an index lies.
    pub index_vector: i64,
}

/// The attribute `#stablehlo.scatter<…>`.
///
/// # Errors
///
/// As [`parse`].
pub fn scatter_dimension_numbers<'c>(
    context: &'c Context,
    dimensions: &ScatterDimensions<'_>,
) -> Result<Attribute<'c>, Error> {
    structure(
        context,
        "scatter",
        &[
            list("update_window_dims", dimensions.update_window),
            list("inserted_window_dims", dimensions.inserted_window),
            list("input_batching_dims", dimensions.input_batching),
            list(
                "scatter_indices_batching_dims",
                dimensions.scatter_indices_batching,
            ),
            list(
                "scatter_dims_to_operand_dims",
                dimensions.scatter_to_operand,
            ),
            number("index_vector_dim", dimensions.index_vector),
        ],
    )
}

/// The roles of the dimensions of the input or the output of a convolution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivationDimensions<'a> {
    /// The dimension of independent examples.
    pub batch: i64,
    /// The dimension of features.
    pub feature: i64,
    /// The dimensions that windows move along, in order.
    pub spatial: &'a [i64],
}

/// The roles of the dimensions of the kernel of a convolution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelDimensions<'a> {
    /// The dimension of features of the input.
    pub input_feature: i64,
    /// The dimension of features of the output.
    pub output_feature: i64,
    /// The dimensions of the window, in order.
    pub spatial: &'a [i64],
}

/// The roles of the dimensions of a convolution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvolutionDimensions<'a> {
    /// Those of the input.
    pub input: ActivationDimensions<'a>,
    /// Those of the kernel.
    pub kernel: KernelDimensions<'a>,
    /// Those of the output.
    pub output: ActivationDimensions<'a>,
}

/// The attribute `#stablehlo.conv<…>`.
///
/// # Errors
///
/// [`Error::Dimensions`] if the dimensions of a tensor are not those from zero to its rank, each
/// once.
pub fn convolution_dimension_numbers<'c>(
    context: &'c Context,
    dimensions: &ConvolutionDimensions<'_>,
) -> Result<Attribute<'c>, Error> {
    let input = activation_layout(&dimensions.input)?;
    let kernel = &dimensions.kernel;
    let kernel = layout(
        [("i", kernel.input_feature), ("o", kernel.output_feature)],
        kernel.spatial,
    )?;
    let output = activation_layout(&dimensions.output)?;

    parse(
        context,
        &format!("#stablehlo.conv<[{input}]x[{kernel}]->[{output}]>"),
    )
}

fn activation_layout(dimensions: &ActivationDimensions<'_>) -> Result<String, Error> {
    layout(
        [("b", dimensions.batch), ("f", dimensions.feature)],
        dimensions.spatial,
    )
}

/// The role of each dimension in order, such as `b, 0, 1, f`.
fn layout(named: [(&str, i64); 2], spatial: &[i64]) -> Result<String, Error> {
    let named = named.map(|(role, place)| (role.to_owned(), place));
    let rank = named.len() + spatial.len();
    let spatial = spatial
        .iter()
        .enumerate()
        .map(|(index, place)| (index.to_string(), *place));
    let mut layout = vec![None; rank];

    for (role, dimension) in named.into_iter().chain(spatial) {
        usize::try_from(dimension)
            .ok()
            .and_then(|place| layout.get_mut(place))
            .filter(|slot| slot.is_none())
            .ok_or(Error::Dimensions { dimension, rank })?
            .replace(role);
    }

    Ok(layout.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn structure<'c>(
    context: &'c Context,
    name: &str,
    fields: &[Option<String>],
) -> Result<Attribute<'c>, Error> {
    let fields = fields.iter().flatten().cloned().collect::<Vec<_>>();

    parse(
        context,
        &format!("#stablehlo.{name}<{}>", fields.join(", ")),
    )
}

/// A field of the structure, which is left out if it is empty.
fn list(name: &str, values: &[i64]) -> Option<String> {
    let values = values.iter().map(i64::to_string).collect::<Vec<_>>();

    (!values.is_empty()).then(|| format!("{name} = [{}]", values.join(", ")))
}

fn number(name: &str, value: i64) -> Option<String> {
    Some(format!("{name} = {value}"))
}
