use crate::{Dim, Extent, TensorType};

/// Where a size comes from that is known at the call only: a dimension of an argument is a multiple of it and something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The name of the size.
    pub name: String,
    /// The argument.
    pub argument: usize,
    /// Its axis.
    pub axis: usize,
    /// How many times the size the dimension is, at least once, with what is added.
    pub factor: i128,
    /// What is added, of which the names are told before.
    pub offset: Extent,
}

impl Told {
    /// The sizes that arguments of these types tell, in an order in which each can be computed: first those that are a
    /// dimension by themselves.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_abi::{TensorType, Told};
    ///
    /// let types = ["Tensor<f32, 8*H, W>", "Tensor<f32, W + N>"];
    /// let types: Vec<TensorType> = types.iter().map(|ty| ty.parse()).collect::<Result<_, _>>()?;
    /// let told = Told::of(&types);
    /// let names: Vec<_> = told.iter().map(|told| told.name.as_str()).collect();
    /// assert_eq!(names, ["W", "H", "N"]);
    /// let known = |name: &str| (name == "W").then_some(2);
    /// assert_eq!(told[2].value(5, &known), Some(3));
    /// # Ok::<(), iree_abi::ParseTensorTypeError>(())
    /// ```
    pub fn of<'t>(types: impl IntoIterator<Item = &'t TensorType>) -> Vec<Self> {
        let types = types.into_iter().enumerate();
        let dims = types.flat_map(|(argument, ty)| {
            let dims = ty.shape.dims().iter().enumerate();
            dims.map(move |(axis, dim)| (argument, axis, dim))
        });
        let dims = dims.filter_map(|(argument, axis, dim)| match dim {
            Dim::Dynamic(extent) => Some((argument, axis, extent)),
            Dim::Static(_) | Dim::Any => None,
        });
        let (plain, mut computed): (Vec<_>, Vec<_>) =
            dims.partition(|(.., extent)| extent.as_name().is_some());
        let mut told = Vec::new();
        for (argument, axis, extent) in plain {
            told.extend(Self::at(argument, axis, extent, &told));
        }
        // Each round tells one or more, or is the last.
        loop {
            let before = told.len();
            computed.retain(|(argument, axis, extent)| {
                let next = Self::at(*argument, *axis, extent, &told);
                told.extend(next.clone());
                next.is_none()
            });
            if told.len() == before {
                return told;
            }
        }
    }

    /// The one size in a dimension that is not told yet, if the dimension tells it.
    fn at(argument: usize, axis: usize, extent: &Extent, told: &[Self]) -> Option<Self> {
        let is_new = |name: &&str| !told.iter().any(|told| told.name == *name);
        let mut unknown = extent.names().into_iter().filter(is_new);
        let name = unknown.next()?;
        if unknown.any(|other| other != name) {
            return None;
        }
        let (factor, offset) = extent.as_line(name)?;
        Some(Self {
            name: name.to_owned(),
            argument,
            axis,
            factor,
            offset,
        })
    }

    /// Whether the size is the dimension.
    pub fn is_plain(&self) -> bool {
        self.factor == 1 && self.offset.known() == Some(0)
    }

    /// The size, where the dimension has a number, and sizes that are told before have values. What remains of the division is left
    /// out; `None` if there is no such size.
    pub fn value(&self, dimension: usize, value: &impl Fn(&str) -> Option<usize>) -> Option<usize> {
        let offset = self.offset.evaluate(value)?;
        let multiple = (dimension as i128).checked_sub(offset)?;
        usize::try_from(multiple.div_euclid(self.factor)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_by_what_has_one_unknown_in_it() {
        let told = |types: &[&str]| {
            let types = types.iter().map(|ty| ty.parse().expect("a type"));
            let types: Vec<TensorType> = types.collect();
            let told = Told::of(&types).into_iter();
            told.map(|told| {
                (
                    told.name,
                    told.argument,
                    told.factor,
                    told.offset.to_string(),
                )
            })
            .collect::<Vec<_>>()
        };
        let one = |name: &str, argument, factor, offset: &str| {
            (name.to_owned(), argument, factor, offset.to_owned())
        };
        assert_eq!(told(&["Tensor<f32, 8*H + 2>"]), [one("H", 0, 8, "2")]);
        assert_eq!(
            told(&[
                "Tensor<f32, A + B>",
                "Tensor<f32, 2*A>",
                "Tensor<f32, C, C>"
            ]),
            [
                one("C", 2, 1, "0"),
                one("A", 1, 2, "0"),
                one("B", 0, 1, "A")
            ]
        );
        for open in ["A + B", "A*B", "A/2", "3 - A", "A*A"] {
            assert_eq!(told(&[&format!("Tensor<f32, {open}>")]), [], "{open}");
        }
    }
}
