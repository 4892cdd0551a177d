//! Dialects that MLIR gets to know while a program runs, in IRDL, its own language for that.

use std::fmt::{self, Write};

use melior::Context;

use crate::{
    Arity, AttributeInfo, Defined, DefinitionInfo, DefinitionKind, Diagnostics, DialectInfo,
    EnumerationInfo, Error, OperationInfo, ParameterKind, Segments, Storage, TypeInference,
    ValueInfo, parse, raw,
};

/// Tells MLIR of a dialect, by the constant `DIALECT` of its module.
///
/// From then on MLIR knows its attributes and types, and what their parameters are, and [`verify`](crate::verify) checks its
/// operations: how many operands, results and regions there are, their types as far as IRDL has a word for the constraint,
/// that required attributes are there, and of an enumeration that it is one of the cases. The sizes of several lists
/// of operands are not checked, and no operation may be the last of a block: IRDL has no terminators.
///
/// # Errors
///
/// [`Error::Registration`] for a part that IRDL cannot describe: a name with several dots, any number of regions, successors, or an
/// operation, an attribute or a type of the same name as another.
/// [`Error::Dialect`] with what MLIR says otherwise. Either way MLIR learns nothing.
///
/// # Examples
///
/// ```
/// use iree_dialects::{Arity, DialectInfo, OperationInfo, Segments, TypeInference, ValueInfo};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// const ANY: ValueInfo = ValueInfo {
///     name: "value",
///     constraint: "AnyType",
///     definition: None,
///     arity: Arity::Single,
///     inference: TypeInference::Explicit,
/// };
/// // What the generator makes of a definition.
/// const DIALECT: DialectInfo = DialectInfo {
///     name: "toy",
///     enumerations: &[],
///     definitions: &[],
///     operations: &[OperationInfo {
///         name: "toy.show",
///         summary: "shows a value",
///         operands: &[ANY],
///         operand_segments: Segments::Positional,
///         attributes: &[],
///         results: &[],
///         result_segments: Segments::Positional,
///         regions: &[],
///         successors: &[],
///     }],
/// };
///
/// let context = iree_dialects::context();
/// iree_dialects::register(&context, &DIALECT)?;
/// let error = iree_dialects::parse(&context, r#""toy.show"() : () -> ()"#).unwrap_err();
/// assert!(error.to_string().contains("expects exactly 1 operands, but got 0"));
/// # Ok(())
/// # }
/// ```
pub fn register(context: &Context, dialect: &DialectInfo) -> Result<(), Error> {
    let text = text(dialect)?;
    let refuse = |diagnostics| Error::Dialect {
        dialect: dialect.name.to_owned(),
        diagnostics,
    };
    if raw::knows_dialect(context, dialect.name) {
        return Err(refuse(Diagnostics::error("the context has it already")));
    }
    load(context, &text).map_err(refuse)
}

fn load(context: &Context, text: &str) -> Result<(), Diagnostics> {
    raw::load_irdl(context);
    let module = parse(context, text)?;
    raw::load_dialects(&module)
}

fn text(dialect: &DialectInfo) -> Result<String, Error> {
    let mut names = Vec::new();
    let mut claim = |name: &'static str, mnemonic: &'static str| {
        let reason = if mnemonic.contains('.') {
            "IRDL has names of one dot only"
        } else if names.contains(&mnemonic) {
            "IRDL has one name for operations, attributes and types"
        } else {
            names.push(mnemonic);
            return Ok(mnemonic);
        };
        Err(Error::Registration {
            operation: name,
            reason,
        })
    };

    let mut text = format!("irdl.dialect @{} {{\n", dialect.name);
    for enumeration in dialect.enumerations {
        if let Storage::Mnemonic { mnemonic, .. } = enumeration.storage {
            text.push_str(&enumeration_text(claim(mnemonic, mnemonic)?, enumeration));
        }
    }
    for definition in dialect.definitions {
        claim(definition.mnemonic, definition.mnemonic)?;
        text.push_str(&definition_text(definition));
    }
    for operation in dialect.operations {
        let mnemonic = operation.name.split_once('.').map(|(_, mnemonic)| mnemonic);
        let mnemonic = claim(operation.name, mnemonic.unwrap_or(operation.name))?;
        let mut regions = operation.regions.iter();
        if regions.any(|region| region.arity != Arity::Single) {
            return Err(Error::Registration {
                operation: operation.name,
                reason: "IRDL counts regions",
            });
        }
        if !operation.successors.is_empty() {
            return Err(Error::Registration {
                operation: operation.name,
                reason: "IRDL has no terminators",
            });
        }
        let body = Body::of(operation, dialect);
        text.push_str(&format!("irdl.operation @{mnemonic} {{\n{}}}\n", body.text));
    }
    text.push_str("}\n");
    Ok(text)
}

/// An attribute with one parameter: the name of the case.
fn enumeration_text(mnemonic: &str, enumeration: &EnumerationInfo) -> String {
    let mut body = Body::default();
    let case = body.keyword(enumeration);
    body.write(format_args!("irdl.parameters(value: %{case})\n"));
    format!("irdl.attribute @{mnemonic} {{\n{}}}\n", body.text)
}

fn definition_text(definition: &DefinitionInfo) -> String {
    let mut body = Body::default();
    let parameters = definition.parameters.iter().map(|parameter| {
        let id = match parameter.kind {
            ParameterKind::Integer(_) | ParameterKind::Bool => {
                body.line("irdl.base \"#builtin.integer\"")
            }
            ParameterKind::String => body.line("irdl.base \"#builtin.string\""),
            ParameterKind::Enumeration(enumeration) => body.keyword(enumeration),
            ParameterKind::Integers(_) => body.line("irdl.base \"#builtin.dense_array\""),
            ParameterKind::Attributes | ParameterKind::Types => {
                body.line("irdl.base \"#builtin.array\"")
            }
            ParameterKind::Attribute | ParameterKind::Type => body.line("irdl.any"),
        };
        let nullable = matches!(parameter.kind, ParameterKind::Enumeration(_));
        let id = if parameter.optional && nullable {
            let absent = body.line("irdl.is unit");
            body.any_of(&[id, absent])
        } else {
            id
        };
        format!("{}: %{id}", parameter.name)
    });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    if !parameters.is_empty() {
        body.write(format_args!("irdl.parameters({parameters})\n"));
    }
    let noun = match definition.kind {
        DefinitionKind::Attribute => "attribute",
        DefinitionKind::Type => "type",
    };
    format!("irdl.{noun} @{} {{\n{}}}\n", definition.mnemonic, body.text)
}

/// The description of an operation, an attribute or a type while it is written.
#[derive(Default)]
struct Body<'d> {
    dialect: &'d str,
    text: String,
    constraints: usize,
}

impl<'d> Body<'d> {
    fn of(operation: &OperationInfo, dialect: &'d DialectInfo) -> Self {
        let mut body = Self {
            dialect: dialect.name,
            ..Self::default()
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

    /// The name of a case as a string; several bits are any string.
    fn keyword(&mut self, enumeration: &EnumerationInfo) -> usize {
        if enumeration.separator.is_some() {
            return self.line("irdl.base \"#builtin.string\"");
        }
        let cases = enumeration.cases.iter();
        let cases: Vec<_> = cases
            .map(|(keyword, _)| self.line(&format!("irdl.is {keyword:?}")))
            .collect();
        self.any_of(&cases)
    }

    fn any_of(&mut self, constraints: &[usize]) -> usize {
        let constraints: Vec<_> = constraints.iter().map(|id| format!("%{id}")).collect();
        self.line(&format!("irdl.any_of({})", constraints.join(", ")))
    }

    /// The constraint for what a dialect defines: that of another dialect may not be known to MLIR.
    fn defined(&mut self, defined: Defined) -> usize {
        let base = match defined {
            Defined::Definition(definition) => (definition.dialect, definition.mnemonic),
            Defined::Enumeration(EnumerationInfo {
                storage: Storage::Integer(width),
                separator,
                cases,
                ..
            }) => return self.number(*width, separator.is_some(), cases),
            Defined::Enumeration(EnumerationInfo {
                dialect,
                storage: Storage::Mnemonic { mnemonic, .. },
                ..
            }) => (*dialect, *mnemonic),
        };
        let (dialect, mnemonic) = base;
        if dialect == self.dialect {
            self.line(&format!("irdl.base @{dialect}::@{mnemonic}"))
        } else {
            self.line("irdl.any")
        }
    }

    /// The number of a case; several bits are any number.
    fn number(&mut self, width: u32, bits: bool, cases: &[(&str, i64)]) -> usize {
        if bits {
            return self.line("irdl.base \"#builtin.integer\"");
        }
        let cases = cases.iter();
        let cases: Vec<_> = cases
            .map(|(_, value)| self.line(&format!("irdl.is {value} : i{width}")))
            .collect();
        self.any_of(&cases)
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
            TypeInference::Operand(_) | TypeInference::Explicit => match value.definition {
                Some(definition) => self.defined(Defined::Definition(definition)),
                None => self.line(&of_type(value.constraint)),
            },
        });
        constraints.collect()
    }

    fn attributes(&mut self, attributes: &[AttributeInfo]) -> Vec<String> {
        // IRDL has no attributes that may be left out.
        let required = attributes.iter().filter(|attribute| attribute.required);
        let attributes = required.map(|attribute| {
            let id = match attribute.defined {
                Some(defined) => self.defined(defined),
                None => self.line(of_attribute(attribute.constraint)),
            };
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
