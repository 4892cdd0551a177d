//! What generated code is made of. Not for people, and without a promise to stay as it is.

pub use iree_runtime::program::{Call, Program, Results, Tree};

use crate::{DType, Dim, FunctionSignature, Leaf, Parameter, Shape, Signature, TensorType};

/// Bytes at an address that IREE can use in place.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Aligned<Bytes: ?Sized>(pub Bytes);

/// A [`Dim`] that a static can hold.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// Known while building.
    Static(usize),
    /// Known at the call.
    Dynamic(&'static str),
}

/// Path, element type and sizes of a leaf.
pub type LeafParts = (&'static str, DType, &'static [Size]);

/// Name and leaves of a parameter.
pub type ParameterParts = (&'static str, &'static [LeafParts]);

/// Name, parameters and leaves of the result of a procedure.
pub type FunctionParts = (
    &'static str,
    &'static [ParameterParts],
    &'static [LeafParts],
);

/// Puts a signature together.
pub fn signature(name: &str, functions: &[FunctionParts]) -> Signature {
    let function = |(name, parameters, results): &FunctionParts| FunctionSignature {
        name: (*name).to_owned(),
        parameters: parameters.iter().map(parameter).collect(),
        results: results.iter().map(leaf).collect(),
    };
    Signature {
        name: name.to_owned(),
        functions: functions.iter().map(function).collect(),
    }
}

fn parameter((name, leaves): &ParameterParts) -> Parameter {
    Parameter {
        name: (*name).to_owned(),
        leaves: leaves.iter().map(leaf).collect(),
    }
}

fn leaf((path, dtype, sizes): &LeafParts) -> Leaf {
    let dims = sizes.iter().map(|size| match size {
        Size::Static(size) => Dim::Static(*size),
        Size::Dynamic(name) => Dim::Dynamic((*name).to_owned()),
    });
    Leaf {
        path: (*path).to_owned(),
        ty: TensorType::new(*dtype, Shape::new(dims.collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_put_together() {
        const FUNCTIONS: &[FunctionParts] = &[
            (
                "set",
                &[(
                    "params",
                    &[
                        ("w", DType::F32, &[Size::Static(3), Size::Dynamic("B")]),
                        ("b", DType::I8, &[]),
                    ],
                )],
                &[],
            ),
            ("get", &[], &[("", DType::Bool, &[Size::Static(2)])]),
        ];
        let expected = "program p\n  \
            set(params.w: Tensor<f32, 3, B>, params.b: Tensor<i8>)\n  \
            get() -> Tensor<bool, 2>\n";
        assert_eq!(signature("p", FUNCTIONS).to_string(), expected);
    }

    #[test]
    fn bytes_are_aligned_for_vectors() {
        static BYTES: &Aligned<[u8]> = &Aligned(*b"VMFB");
        assert_eq!(BYTES.0.as_ptr() as usize % 64, 0);
    }
}
