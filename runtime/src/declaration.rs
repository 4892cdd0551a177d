//! Reads `iree.abi.declaration`, what IREE's compiler writes down about the source of a function:
//!
//! ```text
//! sync func @add(%input0: tensor<?x4xf32>, %input1: tensor<4xi8> {iree.abi.encoding = tensor<4xui8>}) -> (%output0: tensor<4xf32>)
//! ```
//!
//! or `async func` for one that returns when its work is queued. The encoding, where there is one, is the type that the caller sees.

use iree_abi::{DType, Dim, FunctionSignature, Leaf, Parameter, Shape, TensorType, split_list};

/// The signature of a function, or what about it cannot be called from here.
pub(crate) fn parse(name: &str, declaration: &str) -> Result<FunctionSignature, String> {
    let malformed = || format!("cannot read its declaration `{declaration}`");
    if declaration.is_empty() {
        return Err("the module does not say what its types are".to_owned());
    }
    let rest = declaration
        .strip_prefix("a")
        .unwrap_or(declaration)
        .strip_prefix("sync func @")
        .ok_or_else(malformed)?;
    let (_, rest) = rest.split_once('(').ok_or_else(malformed)?;
    let (arguments, results) = rest.split_once(") -> (").ok_or_else(malformed)?;
    let results = results.strip_suffix(')').ok_or_else(malformed)?;
    let leaf = |ty| Leaf {
        path: String::new(),
        ty,
    };
    Ok(FunctionSignature {
        name: name.to_owned(),
        parameters: values(arguments)?
            .into_iter()
            .map(|(name, ty)| Parameter {
                name,
                leaves: vec![leaf(ty)],
            })
            .collect(),
        results: values(results)?
            .into_iter()
            .map(|(_, ty)| leaf(ty))
            .collect(),
        requirements: Vec::new(),
    })
}

/// Names and types of a list of arguments or results.
fn values(list: &str) -> Result<Vec<(String, TensorType)>, String> {
    split_list(list)
        .map(|value| {
            let (name, ty) = value
                .split_once(':')
                .ok_or_else(|| format!("cannot read `{value}` in its declaration"))?;
            let name = name.trim().trim_start_matches('%').to_owned();
            Ok((name, tensor(encoding(ty.trim()))?))
        })
        .collect()
}

/// The type that the caller sees: the encoding if there is one.
fn encoding(ty: &str) -> &str {
    let (ty, attributes) = ty.split_once(" {").unwrap_or((ty, ""));
    let attributes = attributes.strip_suffix('}').unwrap_or(attributes);
    split_list(attributes)
        .find_map(|attribute| attribute.strip_prefix("iree.abi.encoding = "))
        .unwrap_or(ty)
}

fn tensor(ty: &str) -> Result<TensorType, String> {
    let unsupported = || format!("values of type `{ty}` are not supported");
    let inner = ty
        .strip_prefix("tensor<")
        .and_then(|inner| inner.strip_suffix('>'))
        .ok_or_else(unsupported)?;
    let mut dims = Vec::new();
    let mut rest = inner;
    while let Some((size, after)) = rest.split_once('x') {
        let dim = match size {
            "?" => Dim::Any,
            _ => match size.parse() {
                Ok(size) => Dim::Static(size),
                // The `x` was part of the element type, as in `complex<f32>`.
                Err(_) => break,
            },
        };
        dims.push(dim);
        rest = after;
    }
    let dtype = element(rest).ok_or_else(unsupported)?;
    Ok(TensorType::new(dtype, Shape::new(dims)))
}

/// The element type that MLIR writes so; integers without a sign count as signed.
fn element(name: &str) -> Option<DType> {
    Some(match name {
        "i1" => DType::Bool,
        "i8" | "si8" => DType::I8,
        "i16" | "si16" => DType::I16,
        "i32" | "si32" => DType::I32,
        "i64" | "si64" => DType::I64,
        "ui8" => DType::U8,
        "ui16" => DType::U16,
        "ui32" => DType::U32,
        "ui64" => DType::U64,
        "f16" => DType::F16,
        "bf16" => DType::BF16,
        "f32" => DType::F32,
        "f64" => DType::F64,
        "complex<f32>" => DType::C64,
        "complex<f64>" => DType::C128,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(declaration: &str) -> String {
        parse("f", declaration).map_or_else(
            |reason| format!("error: {reason}"),
            |signature| signature.to_string(),
        )
    }

    #[test]
    fn tensors_of_every_kind_are_read() {
        assert_eq!(
            shown(
                "sync func @f(%input0: tensor<?x4xf32>, %input1: tensor<complex<f64>>, \
                 %input2: tensor<i1>) -> (%output0: tensor<0xbf16>, %output1: tensor<2xi64>)"
            ),
            "f(input0: Tensor<f32, _, 4>, input1: Tensor<Complex<f64>>, input2: Tensor<bool>) \
             -> Tensor<bf16, 0>, Tensor<i64, 2>"
        );
        assert_eq!(shown("sync func @f() -> ()"), "f()");
        assert_eq!(shown("async func @f() -> ()"), "f()");
    }

    #[test]
    fn the_encoding_is_the_type() {
        assert_eq!(
            shown(
                "sync func @f(%input0: tensor<2xi8> {iree.abi.encoding = tensor<2xui8>, other}) \
                 -> (%output0: tensor<f32> {iree.abi.encoding = tensor<f64>})"
            ),
            "f(input0: Tensor<u8, 2>) -> Tensor<f64>"
        );
    }

    #[test]
    fn what_cannot_be_called_says_why() {
        assert_eq!(
            shown("sync func @f(%input0: i32) -> ()"),
            "error: values of type `i32` are not supported"
        );
        assert_eq!(
            shown("fine func @f() -> ()"),
            "error: cannot read its declaration `fine func @f() -> ()`"
        );
        assert_eq!(
            shown("sync func @f(%input0: tensor<4xi4>) -> ()"),
            "error: values of type `tensor<4xi4>` are not supported"
        );
        assert_eq!(
            shown(""),
            "error: the module does not say what its types are"
        );
        assert!(shown("sync func @f(%a tensor<f32>) -> ()").starts_with("error: cannot read"));
    }
}
