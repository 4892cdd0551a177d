//! The roles that dimensions play in convolutions, the syntax of which has no definition.

use melior::{Context, ir::Attribute};

use crate::{AttributeValue, Error, attributes::parse};

/// The roles of the dimensions of the input or the output of a convolution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivationDimensions {
    /// The dimension of independent examples.
    pub batch: i64,
    /// The dimension of features.
    pub feature: i64,
    /// The dimensions that windows move along, in order.
    pub spatial: Vec<i64>,
}

/// The roles of the dimensions of the kernel of a convolution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelDimensions {
    /// The dimension of features of the input.
    pub input_feature: i64,
    /// The dimension of features of the output.
    pub output_feature: i64,
    /// The dimensions of the window, in order.
    pub spatial: Vec<i64>,
}

/// The roles of the dimensions of a convolution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvolutionDimensions {
    /// Those of the input.
    pub input: ActivationDimensions,
    /// Those of the kernel.
    pub kernel: KernelDimensions,
    /// Those of the output.
    pub output: ActivationDimensions,
}

impl<'c> AttributeValue<'c> for ConvolutionDimensions {
    /// The attribute `#stablehlo.conv<…>`.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`] if the dimensions of a tensor are not those from zero to its rank, each once.
    fn to_attribute(&self, context: &'c Context) -> Result<Attribute<'c>, Error> {
        let input = self.input.layout()?;
        let kernel = self.kernel.layout()?;
        let output = self.output.layout()?;
        parse(
            context,
            &format!("#stablehlo.conv<[{input}]x[{kernel}]->[{output}]>"),
        )
    }
}

impl<'c> TryFrom<Attribute<'c>> for ConvolutionDimensions {
    type Error = Error;

    fn try_from(attribute: Attribute<'c>) -> Result<Self, Error> {
        let text = attribute.to_string();
        read(&text).ok_or(Error::Downcast {
            expected: "`#stablehlo.conv`".into(),
            found: text,
        })
    }
}

fn read(text: &str) -> Option<ConvolutionDimensions> {
    let text = text.strip_prefix("#stablehlo.conv<[")?.strip_suffix("]>")?;
    let (input, rest) = text.split_once("]x[")?;
    let (kernel, output) = rest.split_once("]->[")?;
    let [input_feature, output_feature] = ["i", "o"].map(|role| place(kernel, role));
    Some(ConvolutionDimensions {
        input: ActivationDimensions::read(input)?,
        kernel: KernelDimensions {
            input_feature: input_feature?,
            output_feature: output_feature?,
            spatial: spatial(kernel),
        },
        output: ActivationDimensions::read(output)?,
    })
}

impl ActivationDimensions {
    fn layout(&self) -> Result<String, Error> {
        layout([("b", self.batch), ("f", self.feature)], &self.spatial)
    }

    fn read(layout: &str) -> Option<Self> {
        Some(Self {
            batch: place(layout, "b")?,
            feature: place(layout, "f")?,
            spatial: spatial(layout),
        })
    }
}

impl KernelDimensions {
    fn layout(&self) -> Result<String, Error> {
        let named = [("i", self.input_feature), ("o", self.output_feature)];
        layout(named, &self.spatial)
    }
}

/// The dimension that has a role.
fn place(layout: &str, role: &str) -> Option<i64> {
    let place = layout.split(',').position(|one| one.trim() == role)?;
    i64::try_from(place).ok()
}

/// The dimensions of the window, in order.
fn spatial(layout: &str) -> Vec<i64> {
    (0..)
        .map_while(|index: usize| place(layout, &index.to_string()))
        .collect()
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
