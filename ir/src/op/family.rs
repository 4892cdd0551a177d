//! What each family of operations says of itself, in its own file. Nothing has a default: an operation without a rule
//! does not compile.

use super::{InferError, RegionType, properties::Properties};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::TensorType;
use std::fmt;

/// A family of operations: one operation with its attributes, or several of the same form.
pub(crate) trait Family<'a>: Copy {
    /// The operation's name in the text form.
    fn name(self) -> &'static str;

    /// The result types from those of operands and regions. This alone decides what is a mistake.
    fn infer(
        self,
        operands: &[TensorType],
        regions: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError>;

    /// What analyses ask.
    fn properties(self) -> Properties<'a>;

    /// Writes what stands behind the name: operands and attributes.
    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result;

    /// Reads what [`print`](Self::print) writes, if the name is one of the family.
    fn read(text: &mut Reader<'_, '_>) -> ReadResult;
}

/// Ways to read an operation; each takes the names of one family.
pub(crate) type Read = fn(&mut Reader<'_, '_>) -> ReadResult;

/// Says for each operation which family answers for it.
macro_rules! families {
    ($($operation:pat => $family:ty = $value:expr;)+) => {
        impl Op {
            /// The operation's name in the text form.
            pub fn name(&self) -> &'static str {
                match self {
                    $($operation => family::Family::name($value),)+
                }
            }

            /// What analyses ask.
            pub(super) fn properties(&self) -> $crate::op::properties::Properties<'_> {
                match self {
                    $($operation => family::Family::properties($value),)+
                }
            }

            /// Writes what stands behind the name.
            pub(crate) fn print(&self, text: &mut $crate::text::Printer<'_, '_>) -> std::fmt::Result {
                match self {
                    $($operation => family::Family::print($value, text),)+
                }
            }

            fn infer_by_family(
                &self,
                operands: &[iree_abi::TensorType],
                regions: &[RegionType],
            ) -> Result<Vec<iree_abi::TensorType>, InferError> {
                match self {
                    $($operation => family::Family::infer($value, operands, regions),)+
                }
            }
        }

        /// How operations are read, family by family.
        pub(crate) const READ: &[family::Read] = &[$(<$family as family::Family<'static>>::read,)+];
    };
}

pub(super) use families;
