//! One well-formed use of each operation that this crate defines.

#[cfg(feature = "chlo")]
mod chlo;
mod complex;
mod flow;
#[cfg(feature = "hal")]
mod hal;
mod iree_linalg_ext;
#[cfg(feature = "iree_tensor_ext")]
mod iree_tensor_ext;
mod linalg;
mod stablehlo;
#[cfg(feature = "stream")]
mod stream;
mod util;

use crate::scene::{Outcome, Scene};

/// A use of an operation.
pub(crate) struct Sample {
    /// The name of the operation.
    pub(crate) name: &'static str,
    /// Builds it.
    pub(crate) build: for<'c> fn(&Scene<'c>) -> Outcome,
}

pub(crate) fn all() -> Vec<Sample> {
    let mut samples = stablehlo::samples();
    samples.extend(complex::samples());
    samples.extend(flow::samples());
    samples.extend(iree_linalg_ext::samples());
    samples.extend(linalg::samples());
    samples.extend(util::samples());
    #[cfg(feature = "chlo")]
    samples.extend(chlo::samples());
    #[cfg(feature = "hal")]
    samples.extend(hal::samples());
    #[cfg(feature = "iree_tensor_ext")]
    samples.extend(iree_tensor_ext::samples());
    #[cfg(feature = "stream")]
    samples.extend(stream::samples());
    samples
}

/// Samples from expressions that complete a builder. Each is appended to the block of the scene
/// or, after `in module`, to the body of its module, or after `in initializer` and others to the only block of such an operation.
macro_rules! samples {
    ($($operation:ident $(in $place:ident)?: |$scene:ident, $builder:ident| $expression:expr;)*) => {
        vec![$(
            $crate::samples::Sample {
                name: dialect::$operation::NAME,
                build: |$scene| {
                    let $builder = dialect::$operation::builder($scene.context, $scene.location);
                    let complete = $expression;
                    samples!(@append complete, $scene $(, $place)?);

                    Ok(())
                },
            },
        )*]
    };
    (@append $builder:ident, $scene:ident) => {
        $builder.append_to(&$scene.block)?
    };
    (@append $builder:ident, $scene:ident, module) => {
        $builder.append_to(&$scene.module.body())?
    };
    (@append $builder:ident, $scene:ident, fill) => {
        let block = $scene.elements();
        $builder.append_to(&block)?;
        $scene.fill(block)?
    };
    (@append $builder:ident, $scene:ident, scan) => {
        let block = $scene.elements();
        $builder.append_to(&block)?;
        $scene.scan(block)?
    };
    // What has the method of this name is in scope where it is used.
    (@append $builder:ident, $scene:ident, $place:ident) => {
        let block = iree_dialects::prelude::Block::new(&[]);
        $builder.append_to(&block)?;
        $scene.$place(block)?
    };
}

pub(crate) use samples;
