//! Dialects that MLIR gets to know while a program runs, in IRDL, its own language for that.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

use melior::Context;

use crate::{
    Arity, AttributeInfo, Diagnostics, Error, OperationInfo, Segments, TypeInference, ValueInfo,
    parse, raw,
};

/// Tells MLIR of a dialect, by the table `OPERATIONS` of its module.
///
/// From then on [`verify`](crate::verify) checks its operations: how many operands, results and regions there are, their
/// types as far as IRDL has a word for the constraint, and that required attributes are there. The sizes of several lists
/// of operands are not checked, and no operation may be the last of a block: IRDL has no terminators.
///
/// # Errors
///
/// [`Error::Registration`] for an operation that IRDL cannot describe: a name with several dots, any number of regions.
/// [`Error::Dialect`] with what MLIR says otherwise. Either way MLIR learns nothing.
///
/// # Examples
///
/// ```
/// use iree_dialects::{Arity, OperationInfo, Segments, TypeInference, ValueInfo};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// const ANY: ValueInfo = ValueInfo {
///     name: "value",
///     constraint: "AnyType",
///     arity: Arity::Single,
///     inference: TypeInference::Explicit,
/// };
/// // What the generator makes of a definition.
/// const OPERATIONS: &[OperationInfo] = &[OperationInfo {
///     name: "toy.show",
///     summary: "shows a value",
///     operands: &[ANY],
///     operand_segments: Segments::Positional,
///     attributes: &[],
///     results: &[],
///     result_segments: Segments::Positional,
///     regions: &[],
/// }];
///
/// let context = iree_dialects::context();
/// iree_dialects::register(&context, OPERATIONS)?;
/// let error = iree_dialects::parse(&context, r#""toy.show"() : () -> ()"#).unwrap_err();
/// assert!(error.to_string().contains("expects exactly 1 operands, but got 0"));
/// # Ok(())
/// # }
/// ```
pub fn register(context: &Context, operations: &[OperationInfo]) -> Result<(), Error> {
    let mut dialects: BTreeMap<&str, Vec<(&str, &OperationInfo)>> = BTreeMap::new();
    for operation in operations {
        let (dialect, mnemonic) = names(operation)?;
        dialects
            .entry(dialect)
            .or_default()
            .push((mnemonic, operation));
    }
    let is_known = |dialect: &&&str| raw::knows_dialect(context, dialect);
    if let Some(dialect) = dialects.keys().find(is_known) {
        let diagnostics = Diagnostics::error("the context has it already");
        return Err(Error::Dialect {
            dialect: (*dialect).to_owned(),
            diagnostics,
        });
    }
    let texts = dialects
        .into_iter()
        .map(|(dialect, operations)| Ok((dialect, text(dialect, &operations)?)));
    for (dialect, text) in texts.collect::<Result<Vec<_>, Error>>()? {
        load(context, &text).map_err(|diagnostics| Error::Dialect {
            dialect: dialect.to_owned(),
            diagnostics,
        })?;
    }
    Ok(())
}

fn load(context: &Context, text: &str) -> Result<(), Diagnostics> {
    raw::load_irdl(context);
    let module = parse(context, text)?;
    raw::load_dialects(&module)
}

/// The dialect and the name inside it.
fn names(operation: &OperationInfo) -> Result<(&'static str, &'static str), Error> {
    let name = operation.name.split_once('.');
    name.filter(|(_, mnemonic)| !mnemonic.contains('.'))
        .ok_or(Error::Registration {
            operation: operation.name,
            reason: "IRDL has names of one dot only",
        })
}

fn text(dialect: &str, operations: &[(&str, &OperationInfo)]) -> Result<String, Error> {
    let mut text = format!("irdl.dialect @{dialect} {{\n");
    for (mnemonic, operation) in operations {
        let mut regions = operation.regions.iter();
        if regions.any(|region| region.arity != Arity::Single) {
            return Err(Error::Registration {
                operation: operation.name,
                reason: "IRDL counts regions",
            });
        }
        let body = Body::of(operation);
        text.push_str(&format!("irdl.operation @{mnemonic} {{\n{}}}\n", body.text));
    }
    text.push_str("}\n");
    Ok(text)
}

/// The description of an operation while it is written.
struct Body {
    text: String,
    constraints: usize,
}

impl Body {
    fn of(operation: &OperationInfo) -> Self {
        let mut body = Self {
            text: String::new(),
            constraints: 0,
        };
        let operands = body.values(operation.operands, &[]);
        let results = body.values(operation.results, &operands);
        let attributes = body.attributes(operation.attributes);
        let regions: Vec<_> = operation
            .regions
            .iter()
            .map(|region| (region.name, body.line("irdl.region")))
            .collect();
        body.list(
            "operands",
            operation.operands,
            operation.operand_segments,
            &operands,
        );
        body.list(
            "results",
            operation.results,
            operation.result_segments,
            &results,
        );
        if !attributes.is_empty() {
            body.write(format_args!(
                "irdl.attributes {{{}}}\n",
                attributes.join(", ")
            ));
        }
        if !regions.is_empty() {
            let regions = regions.iter().map(|(name, id)| format!("{name}: %{id}"));
            let regions: Vec<_> = regions.collect();
            body.write(format_args!("irdl.regions({})\n", regions.join(", ")));
        }
        body
    }

    fn write(&mut self, arguments: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        _ = self.text.write_fmt(arguments);
    }

    /// Adds a line with a result, which is named by a number.
    fn line(&mut self, operation: &str) -> usize {
        let id = self.constraints;
        self.constraints += 1;
        self.write(format_args!("%{id} = {operation}\n"));
        id
    }

    /// A constraint for each value; a result whose type is that of an operand has the constraint of that.
    fn values(&mut self, values: &[ValueInfo], operands: &[usize]) -> Vec<usize> {
        let constraints = values.iter().map(|value| match value.inference {
            TypeInference::Operand(operand) if value.arity == Arity::Single => {
                let shared = operands.get(operand).copied();
                shared.unwrap_or_else(|| self.line("irdl.any"))
            }
            TypeInference::Index => self.line("irdl.is index"),
            TypeInference::Integer(width) => self.line(&format!("irdl.is i{width}")),
            TypeInference::Operand(_) | TypeInference::Explicit => {
                self.line(&of_type(value.constraint))
            }
        });
        constraints.collect()
    }

    fn attributes(&mut self, attributes: &[AttributeInfo]) -> Vec<String> {
        // IRDL has no attributes that may be left out.
        let required = attributes.iter().filter(|attribute| attribute.required);
        let attributes = required.map(|attribute| {
            let id = self.line(of_attribute(attribute.constraint));
            format!("\"{}\" = %{id}", attribute.name)
        });
        attributes.collect()
    }

    fn list(&mut self, name: &str, values: &[ValueInfo], segments: Segments, ids: &[usize]) {
        if values.is_empty() {
            return;
        }
        let several = values.iter().filter(|value| value.arity != Arity::Single);
        // IRDL reads the sizes of several lists from an attribute of another name than ODS has for it.
        let list = if segments != Segments::Positional || several.count() > 1 {
            let any = self.line("irdl.any");
            format!("all: variadic %{any}")
        } else {
            let values = values.iter().zip(ids);
            let values = values.map(|(value, id)| {
                let arity = match value.arity {
                    Arity::Single => "",
                    Arity::Optional => "optional ",
                    Arity::Variadic => "variadic ",
                };
                format!("{}: {arity}%{id}", value.name)
            });
            values.collect::<Vec<_>>().join(", ")
        };
        self.write(format_args!("irdl.{name}({list})\n"));
    }
}

/// What IRDL says for a constraint of ODS on a type; types that it has no word for are not checked.
fn of_type(constraint: &str) -> String {
    let base = match constraint {
        "F16" | "BF16" | "F32" | "F64" | "I1" | "I8" | "I16" | "I32" | "I64" => {
            return format!("irdl.is {}", constraint.to_lowercase());
        }
        "UI8" | "UI16" | "UI32" | "UI64" | "SI8" | "SI16" | "SI32" | "SI64" => {
            return format!("irdl.is {}", constraint.to_lowercase());
        }
        "Index" => return "irdl.is index".to_owned(),
        "AnyRankedTensor" => "!builtin.tensor",
        "AnyMemRef" | "AnyStridedMemRef" => "!builtin.memref",
        "AnyVectorOfAnyRank" | "AnyFixedVector" | "AnyVector" => "!builtin.vector",
        "AnyComplex" => "!builtin.complex",
        "FunctionType" => "!builtin.function",
        "AnyTuple" => "!builtin.tuple",
        _ => return "irdl.any".to_owned(),
    };
    format!("irdl.base \"{base}\"")
}

/// The same for a constraint on an attribute.
fn of_attribute(constraint: &str) -> &'static str {
    match constraint {
        "StrAttr" | "SymbolNameAttr" => "irdl.base \"#builtin.string\"",
        "FlatSymbolRefAttr" | "SymbolRefAttr" => "irdl.base \"#builtin.symbol_ref\"",
        "TypeAttr" => "irdl.base \"#builtin.type\"",
        "UnitAttr" => "irdl.base \"#builtin.unit\"",
        "DictionaryAttr" => "irdl.base \"#builtin.dictionary\"",
        "BoolAttr" | "I1Attr" | "I8Attr" | "I16Attr" | "I32Attr" | "I64Attr" | "IndexAttr"
        | "SI8Attr" | "SI16Attr" | "SI32Attr" | "SI64Attr" | "UI8Attr" | "UI16Attr"
        | "UI32Attr" | "UI64Attr" => "irdl.base \"#builtin.integer\"",
        "F32Attr" | "F64Attr" => "irdl.base \"#builtin.float\"",
        "DenseI8ArrayAttr" | "DenseI16ArrayAttr" | "DenseI32ArrayAttr" | "DenseI64ArrayAttr"
        | "DenseBoolArrayAttr" | "DenseF32ArrayAttr" | "DenseF64ArrayAttr" => {
            "irdl.base \"#builtin.dense_array\""
        }
        "ArrayAttr" | "StrArrayAttr" | "I64ArrayAttr" | "I32ArrayAttr" | "DictArrayAttr"
        | "TypeArrayAttr" | "F32ArrayAttr" => "irdl.base \"#builtin.array\"",
        _ => "irdl.any",
    }
}
