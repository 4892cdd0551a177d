use tblgen::Record;

use super::{arguments, scope::Scope, traits::Traits};
use crate::{Arity, Error, Operation, Region, Segments, Successor, TypeInference, Value};

/// The name of the dialect of an operation's record.
pub(super) fn dialect_name<'a>(record: Record<'a>) -> Option<&'a str> {
    record.def_value("opDialect").ok()?.str_value("name").ok()
}

/// Reads the record of an operation.
pub(super) fn read(record: Record<'_>, scope: &Scope) -> Result<Operation, Error> {
    let dialect = dialect_name(record).unwrap_or_default();
    let mnemonic = string(record, "opName")?;
    let name = format!("{dialect}.{mnemonic}");
    let traits = Traits::read(record)?;
    let arguments = arguments::read(record, &name, scope)?;

    let mut results = arguments::read_results(record, scope)?;
    for result in &mut results {
        result.inference = inference(result, &arguments.operands, &traits);
    }

    let operand_segments = segments(
        &arguments.operands,
        traits.has("AttrSizedOperandSegments"),
        traits.has("SameVariadicOperandSize"),
        &name,
    )?;
    let result_segments = segments(
        &results,
        traits.has("AttrSizedResultSegments"),
        traits.has("SameVariadicResultSize"),
        &name,
    )?;

    Ok(Operation {
        mnemonic: mnemonic.into(),
        summary: string(record, "summary")?.trim().into(),
        description: dedent(string(record, "description")?),
        operands: arguments.operands,
        operand_segments,
        attributes: arguments.attributes,
        results,
        result_segments,
        regions: regions(record)?,
        successors: successors(record)?,
        name,
    })
}

fn string<'a>(record: Record<'a>, field: &str) -> Result<&'a str, Error> {
    record
        .str_value(field)
        .map_err(|error| malformed(record, &error))
}

/// The error for a record that is not as ODS defines it.
pub(super) fn malformed(record: Record<'_>, error: &tblgen::Error) -> Error {
    Error::Record {
        record: record.name().unwrap_or("(unnamed)").into(),
        reason: error.to_string(),
    }
}

fn inference(result: &Value, operands: &[Value], traits: &Traits) -> TypeInference {
    if result.inference != TypeInference::Explicit {
        return result.inference;
    }

    let same = |source: &Value| {
        (source.arity == result.arity) && traits.same_type(&source.name, &result.name)
    };

    if let Some(index) = operands.iter().position(same) {
        TypeInference::Operand(index)
    } else if traits.has("SameOperandsAndResultType")
        && result.arity == Arity::Single
        && operands
            .first()
            .is_some_and(|operand| operand.arity == Arity::Single)
    {
        TypeInference::Operand(0)
    } else {
        TypeInference::Explicit
    }
}

fn segments(values: &[Value], sized: bool, equal: bool, name: &str) -> Result<Segments, Error> {
    let open = values
        .iter()
        .filter(|value| value.arity != Arity::Single)
        .count();

    match (sized, equal) {
        (true, _) => Ok(Segments::Sized),
        (false, true) => Ok(Segments::Equal),
        (false, false) if open <= 1 => Ok(Segments::Positional),
        (false, false) => Err(Error::Unsupported {
            operation: name.into(),
            feature: "several variadic values and no trait that divides them".into(),
        }),
    }
}

fn regions(record: Record<'_>) -> Result<Vec<Region>, Error> {
    let dag = record
        .dag_value("regions")
        .map_err(|error| malformed(record, &error))?;

    dag.args()
        .enumerate()
        .map(|(index, (name, constraint))| {
            let constraint = Record::try_from(constraint).map_err(|e| malformed(record, &e))?;

            Ok(Region {
                name: name.map_or_else(|| format!("region_{index}"), String::from),
                arity: if constraint.subclass_of("VariadicRegion") {
                    Arity::Variadic
                } else {
                    Arity::Single
                },
            })
        })
        .collect()
}

fn successors(record: Record<'_>) -> Result<Vec<Successor>, Error> {
    let dag = record
        .dag_value("successors")
        .map_err(|error| malformed(record, &error))?;

    dag.args()
        .enumerate()
        .map(|(index, (name, constraint))| {
            let constraint = Record::try_from(constraint).map_err(|e| malformed(record, &e))?;

            Ok(Successor {
                name: name.map_or_else(|| format!("successor_{index}"), String::from),
                arity: if constraint.subclass_of("VariadicSuccessor") {
                    Arity::Variadic
                } else {
                    Arity::Single
                },
            })
        })
        .collect()
}

/// Removes the indentation that a text block has in its source. What stands where the block opens has none.
fn dedent(text: &str) -> String {
    let opening = usize::from(text.starts_with(|first: char| !first.is_whitespace()));
    let indentation = text
        .lines()
        .skip(opening)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or_default();

    (0..)
        .zip(text.lines())
        .map(|(place, line)| {
            let indentation = if place < opening { 0 } else { indentation };
            line.get(indentation..).unwrap_or_default().trim_end()
        })
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .into()
}

#[cfg(test)]
mod tests {
    use super::dedent;

    #[test]
    fn dedent_keeps_relative_indentation() {
        assert_eq!(dedent("\n    a\n      b\n\n    c\n  "), "a\n  b\n\nc");
    }

    #[test]
    fn what_opens_a_text_has_no_indentation() {
        assert_eq!(dedent("a\n    b\n      c\n  "), "a\nb\n  c");
        assert_eq!(dedent("a"), "a");
    }

    #[test]
    fn dedent_of_nothing_is_nothing() {
        assert_eq!(dedent(" \n "), "");
    }
}
