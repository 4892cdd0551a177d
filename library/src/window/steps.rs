//! How windows move, in numbers.

use super::{Padding, Window, around::Around};
use crate::{builder::Error, term::Term};
use iree_abi::Dim;
use iree_dsl_ir::op::{InferError, WindowStep};

/// How windows move over a tensor.
pub(super) struct Moves {
    /// How each moves along its axis.
    pub(super) steps: Vec<WindowStep>,
    /// What is put around the tensor before, since only the call tells how much.
    pub(super) around: Vec<Around>,
}

impl Moves {
    /// How windows move over a tensor.
    ///
    /// # Errors
    ///
    /// If one reaches further than there are numbers.
    pub(super) fn new<V: Clone>(x: &Term<'_, V>, windows: &[Window]) -> Result<Self, Error> {
        let mut moves = Self {
            steps: Vec::with_capacity(windows.len()),
            around: Vec::new(),
        };
        let shape = x.shape();
        for window in windows {
            let dim = shape.dims().get(window.axis);
            let dim = dim.cloned().unwrap_or(Dim::Static(1));
            let step = moves.step(window, &dim);
            let step = step.ok_or_else(|| window.misfit(dim))?;
            if step.input_dilation > 1 {
                x.require_one_along(window.axis);
            }
            moves.steps.push(step);
        }
        Ok(moves)
    }

    fn step(&mut self, window: &Window, dim: &Dim) -> Option<WindowStep> {
        let mut step = window.step();
        match window.padding {
            Padding::Valid => {}
            Padding::Explicit(low, high) => step.padding = (low, high),
            Padding::Same => match window.missing(dim)? {
                Missing::Known(pair) => step.padding = pair,
                Missing::Unknown => {
                    self.around.push(Around {
                        axis: window.axis,
                        stride: window.stride,
                        reach: window.reach()?,
                        interior: window.input_dilation - 1,
                    });
                    step.input_dilation = 1;
                }
            },
        }
        Some(step)
    }
}

/// What is missing around an axis.
#[derive(Debug, PartialEq)]
enum Missing {
    /// So much before and behind.
    Known((i64, i64)),
    /// What the call tells.
    Unknown,
}

impl Window {
    /// How it moves without padding.
    pub(super) const fn step(&self) -> WindowStep {
        WindowStep {
            stride: self.stride,
            padding: (0, 0),
            dilation: self.dilation,
            input_dilation: self.input_dilation,
        }
    }

    /// How many elements lie between the first and the last of it, these included.
    pub(super) fn reach(&self) -> Option<usize> {
        match self.size.checked_sub(1) {
            None => Some(0),
            Some(gaps) => gaps.checked_mul(self.dilation)?.checked_add(1),
        }
    }

    /// That it does not fit.
    pub(super) fn misfit(&self, size: Dim) -> Error {
        let error = InferError::Window {
            axis: self.axis,
            size,
            window: Dim::Static(self.size),
        };
        error.into()
    }

    /// What is missing so that there are as many windows as strides fit, the odd one behind.
    fn missing(&self, dim: &Dim) -> Option<Missing> {
        let reach = self.reach()?;
        let missing = match dim.known() {
            // Whatever the size is, each element starts a window.
            None if self.stride == 1 && self.input_dilation == 1 => reach.checked_sub(1)?,
            None if reach == 1 && self.input_dilation == 1 => 0,
            None => return Some(Missing::Unknown),
            Some(0) => 0,
            Some(size) => {
                let size = (size - 1)
                    .checked_mul(self.input_dilation)?
                    .checked_add(1)?;
                let last = (size.div_ceil(self.stride) - 1).checked_mul(self.stride)?;
                last.checked_add(reach)?.saturating_sub(size)
            }
        };
        let missing = i64::try_from(missing).ok()?;
        Some(Missing::Known((missing / 2, missing - missing / 2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(size: usize, stride: usize, dilation: usize) -> Window {
        Window {
            axis: 0,
            size,
            stride,
            dilation,
            input_dilation: 1,
            padding: Padding::Same,
        }
    }

    #[test]
    fn some_padding_does_not_depend_on_the_size() {
        let of = |size, stride| window(size, stride, 1).missing(&Dim::named("N"));
        assert_eq!(of(4, 1), Some(Missing::Known((1, 2))));
        assert_eq!(of(1, 3), Some(Missing::Known((0, 0))));
        assert_eq!(of(3, 2), Some(Missing::Unknown));
    }

    #[test]
    fn the_same_padding_is_that_of_jax() {
        let of = |size, window: Window| match window.missing(&Dim::Static(size)) {
            Some(Missing::Known(pair)) => pair,
            other => panic!("{other:?}"),
        };
        assert_eq!(of(5, window(3, 1, 1)), (1, 1));
        assert_eq!(of(5, window(2, 1, 1)), (0, 1));
        assert_eq!(of(5, window(3, 2, 1)), (1, 1));
        assert_eq!(of(6, window(3, 2, 1)), (0, 1));
        assert_eq!(of(6, window(3, 1, 2)), (2, 2));
        assert_eq!(of(6, window(1, 3, 1)), (0, 0));
        assert_eq!(of(0, window(3, 1, 1)), (0, 0));
    }
}
