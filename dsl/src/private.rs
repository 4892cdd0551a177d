//! What generated code is made of. Not for people, and without a promise to stay as it is.

pub use iree_dsl_macros::go_on;
pub use iree_runtime::program::{Call, Program, Results, Tree, each};

use crate::{
    DType, Dim, Extent, FunctionSignature, Leaf, Parameter, Requirement, Shape, Signature, Site,
    SuppliedParameter, TensorType,
};

/// Bytes at an address that IREE can use in place.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Aligned<Bytes: ?Sized>(pub Bytes);

/// What stands for the result of an operation that nothing reads, so that `rustc` tells of it.
#[must_use = "an operation changes no tensor, it returns a new one: name it, or assign it to a variable"]
#[derive(Debug)]
pub struct NewTensor;

/// A [`Dim`] that a static can hold.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// Known while building.
    Static(usize),
    /// Known at the call: an [`Extent`](crate::Extent) as text.
    Dynamic(&'static str),
    /// Anything.
    Any,
}

/// Path, element type and sizes of a leaf.
pub type LeafParts = (&'static str, DType, &'static [Size]);

/// Name and leaves of a parameter.
pub type ParameterParts = (&'static str, &'static [LeafParts]);

/// Name, parameters, leaves of the result, and requirements of a procedure: pairs of sizes of which the
/// first is at most the second.
pub type FunctionParts = (
    &'static str,
    &'static [ParameterParts],
    &'static [LeafParts],
    &'static [(&'static str, &'static str)],
);

/// Scope of a parameter, its key and type, and whether the program changes it.
pub type SuppliedParts = (&'static str, LeafParts, bool);

/// Text, place and element types of a site.
pub type SiteParts = (&'static str, &'static str, &'static [DType]);

/// Puts a signature together.
pub fn signature(
    name: &str,
    functions: &[FunctionParts],
    parameters: &[SuppliedParts],
    state: &[LeafParts],
    imports: &[FunctionParts],
    sites: &[SiteParts],
) -> Signature {
    let function = |(name, parameters, results, requirements): &FunctionParts| FunctionSignature {
        name: (*name).to_owned(),
        parameters: parameters.iter().map(parameter).collect(),
        results: results.iter().map(leaf).collect(),
        requirements: requirements.iter().map(requirement).collect(),
    };
    Signature {
        name: name.to_owned(),
        functions: functions.iter().map(function).collect(),
        parameters: parameters.iter().map(supplied).collect(),
        state: state.iter().map(leaf).collect(),
        imports: imports.iter().map(function).collect(),
        sites: sites.iter().map(site).collect(),
    }
}

fn parameter((name, leaves): &ParameterParts) -> Parameter {
    Parameter {
        name: (*name).to_owned(),
        leaves: leaves.iter().map(leaf).collect(),
    }
}

fn site((text, place, dtypes): &SiteParts) -> Site {
    Site {
        text: (*text).to_owned(),
        place: (*place).to_owned(),
        dtypes: dtypes.to_vec(),
    }
}

fn supplied((scope, parts, mutable): &SuppliedParts) -> SuppliedParameter {
    let Leaf { path: key, ty } = leaf(parts);
    SuppliedParameter {
        scope: (*scope).to_owned(),
        key,
        ty,
        mutable: *mutable,
    }
}

/// What does not read back, as numbers nested too deep, holds for no call: without it, calls may lead out of memory.
fn requirement((least, most): &(&str, &str)) -> Requirement {
    Requirement {
        least: least.parse().unwrap_or(Extent::constant(i128::MAX)),
        most: most.parse().unwrap_or(Extent::constant(-1)),
    }
}

fn leaf((path, dtype, sizes): &LeafParts) -> Leaf {
    let dims = sizes.iter().map(|size| match size {
        Size::Static(size) => Dim::Static(*size),
        // What the macro writes reads back.
        Size::Dynamic(extent) => extent.parse().map_or(Dim::Any, Dim::Dynamic),
        Size::Any => Dim::Any,
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
                &[("3", "B")],
            ),
            ("get", &[], &[("", DType::Bool, &[Size::Static(2)])], &[]),
        ];
        let expected = "program p\n  \
            set(params.w: Tensor<f32, 3, B>, params.b: Tensor<i8>)\n  \
            get() -> Tensor<bool, 2>\n  \
            parameter model::w.0: Tensor<f16, 2>\n";
        let parameters: &[SuppliedParts] =
            &[("model", ("w.0", DType::F16, &[Size::Static(2)]), true)];
        let signature = signature(
            "p",
            FUNCTIONS,
            parameters,
            &[],
            &[],
            &[("loss", "a.rs:1:2", &[DType::U8])],
        );
        assert_eq!(signature.sites[0].dtypes, [DType::U8]);
        assert_eq!(signature.to_string(), expected);
        assert_eq!(signature.functions[0].requirements[0].to_string(), "B >= 3");
    }

    #[test]
    fn bytes_are_aligned_for_vectors() {
        static BYTES: &Aligned<[u8]> = &Aligned(*b"VMFB");
        assert_eq!(BYTES.0.as_ptr() as usize % 64, 0);
    }
}
