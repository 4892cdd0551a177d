//! A dialect for a machine that computes on tiles, as its vendor would write it.
//!
//! 1. `td/ttx.td` defines enumerations, attributes, types and operations, in the language of upstream's definitions.
//! 2. `build.rs` generates Rust for them: an enum or a struct for each enumeration, attribute and type, and for each
//!    operation a view with typed accessors and setters and a builder.
//! 3. [`ttx`] includes that, and adds by hand what definitions cannot say.
//! 4. [`context`] tells MLIR of the dialect, so that [`iree_dialects::verify`] checks its operations, without a line of C++.
//!
//! ```
//! use iree_dialects::prelude::*;
//! use iree_dialects::TypeValue;
//! use ttx::ttx::{Layout, MatmulOperation, Memory, PackOperation, ReluOperation, Rounding, TileType};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = ttx::context()?;
//! let location = Location::new(&context, "kernel.py", 12, 5);
//! let tile = types::tensor(&[Some(32), Some(32)], Type::float32(&context), location)?;
//! let block = Block::new(&[(tile, location), (tile, location)]);
//! let product = MatmulOperation::builder(&context, location)
//!     .lhs(block.argument(0)?)
//!     .rhs(block.argument(1)?)
//!     .result(tile)
//!     .append_to(&block)?;
//! assert_eq!(product.multiplications()?, Some(32 * 32 * 32));
//! // The type follows from the operand.
//! let relu = ReluOperation::builder(&context, location)
//!     .operand(product.result()?)
//!     .append_to(&block)?;
//! assert_eq!(relu.result()?.r#type(), tile);
//! // Attributes and types of the dialect are values of Rust.
//! let packed = TileType { rows: 32, columns: 32, element: Type::float32(&context) };
//! let pack = PackOperation::builder(&context, location)
//!     .source(relu.result()?)
//!     .layout(Layout { order: vec![1, 0], memory: Memory::L1 })
//!     .rounding(Rounding::Nearest)
//!     .tile(packed.to_type(&context)?)
//!     .append_to(&block)?;
//! assert_eq!(pack.layout()?.order, [1, 0]);
//! assert_eq!(TileType::try_from(pack.tile()?.r#type())?, packed);
//! pack.set_rounding(Rounding::Stochastic)?;
//! assert_eq!(pack.rounding()?, Rounding::Stochastic);
//! # Ok(())
//! # }
//! ```

use iree_dialects::{Error, prelude::Context};

/// Tiles and what is done with them.
pub mod ttx {
    use iree_dialects::{
        Error,
        melior::ir::{ShapedTypeLike, r#type::DimSize},
        prelude::{RankedTensorType, Type, ValueLike},
    };

    iree_dialects::include_dialect!("ttx");

    impl MatmulOperation<'_, '_> {
        /// How many numbers are multiplied, if all sizes are known.
        ///
        /// # Errors
        ///
        /// If the operation lacks an operand.
        pub fn multiplications(&self) -> Result<Option<u64>, Error> {
            let lhs = sizes(self.lhs()?.r#type());
            let rhs = sizes(self.rhs()?.r#type());
            Ok(lhs.zip(rhs).and_then(|(lhs, rhs)| {
                let columns = if self.transpose_rhs() {
                    rhs.first()
                } else {
                    rhs.last()
                };
                Some(lhs.iter().product::<u64>() * columns?)
            }))
        }
    }

    /// The sizes of a tensor, if all are known.
    fn sizes(tensor: Type<'_>) -> Option<Vec<u64>> {
        let tensor = RankedTensorType::try_from(tensor).ok()?;
        let sizes = (0..tensor.rank()).map(|axis| match tensor.dim_size(axis) {
            Ok(DimSize::Static(size)) => Some(size),
            Ok(DimSize::Dynamic) | Err(_) => None,
        });
        sizes.collect()
    }
}

/// A context that knows the dialect, and those of [`iree_dialects::context`].
///
/// # Errors
///
/// If MLIR refuses the dialect, which is a mistake in its definition.
pub fn context() -> Result<Context, Error> {
    let context = iree_dialects::context();
    iree_dialects::register(&context, ttx::DIALECT)?;
    Ok(context)
}

/// The page of the guide, the programs of which are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../guide/src/dialects.md")]
pub struct Guide;
