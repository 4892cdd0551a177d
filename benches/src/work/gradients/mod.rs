//! Derivatives of losses by all that is learnt, one file for each kind of model.

mod attention;
mod block;
mod conv_net;
mod embedding;
mod gpt;
mod layer_norm;
mod mlp;
mod recurrent;

use super::{InPython, Work, numbers, upload};
use crate::side::{Calls, Prepared};
use iree_dsl::DynamicArray;
use ndarray::{Array1, ArrayD, IxDyn};

/// In the order of the rows.
pub(crate) fn all() -> impl Iterator<Item = Work> {
    let dense = [mlp::COMPUTED, mlp::WRITTEN, conv_net::WORK];
    let parts = [layer_norm::WORK, attention::WORK, block::WORK];
    let others = [
        embedding::WORK,
        recurrent::SEVERAL,
        recurrent::ONE,
        gpt::WORK,
    ];
    dense.into_iter().chain(parts).chain(others)
}

/// The results of a call as a list.
macro_rules! listed {
    ($($slope:ident),+: $call:expr) => {{
        let ($($slope,)+) = $call?;
        Ok([$($slope.into_dynamic()),+])
    }};
}
use listed;

/// Arrays of these shapes, each with other numbers.
fn inputs(shapes: &[&[usize]]) -> Vec<ArrayD<f32>> {
    let seeded = (1..).zip(shapes);
    seeded.map(|(seed, shape)| numbers(shape, seed)).collect()
}

/// Work of ours, from a call of a procedure that returns several derivatives.
fn ours<const N: usize>(
    mut call: impl FnMut() -> iree_dsl::Result<[DynamicArray; N]> + 'static,
) -> Box<dyn Prepared> {
    let finished = move || {
        let slopes = call()?;
        for slope in &slopes {
            slope.wait()?;
        }
        Ok(slopes)
    };
    let read = |slopes: [DynamicArray; N]| {
        let mut all: Vec<f32> = Vec::new();
        for slope in slopes {
            all.extend(slope.to_host(None)?.view::<f32, IxDyn>()?.iter());
        }
        Ok(Array1::from_vec(all).into_dyn())
    };
    Box::new(Calls::new(finished, read))
}
