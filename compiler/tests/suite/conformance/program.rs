use super::{
    case::Case,
    statement::{Statement, identifier},
    translate::{KERNELS, translate},
};
use crate::{
    device::{Call, Expected, HostTensor, Tolerance},
    language::trace_right,
};
use iree_abi::DType;
use iree_dsl_ir::Module;
use libtest_mimic::Failed;

/// A case as a procedure, and the call of it.
pub(super) struct Written {
    procedure: String,
    pub(super) call: Call,
}

impl Written {
    /// Writes the case with a number in the language.
    pub(super) fn new(number: usize, case: &Case) -> Result<Self, Failed> {
        let failed = |reason: String| Failed::from(format!("{}: {reason}", case.name));
        let unknown = |error| failed(format!("{error:?}"));
        let operation = case.operation();
        let statement = Statement::new(&operation.op, &operation.results, &operation.text);
        let statement = statement.map_err(unknown)?;
        let inputs = case.inputs().map_err(unknown)?.into_iter();
        let known = inputs
            .map(|(name, tensor)| (identifier(&name), tensor))
            .collect();
        let expression = translate(&statement, &known);
        let expression =
            expression.ok_or_else(|| failed(format!("nobody says what `{}` is", statement.op)))?;
        let expected = case.expected().map_err(unknown)?;
        let types: Vec<_> = expected
            .iter()
            .map(|(_, tensor)| tensor.ty.to_string())
            .collect();
        let returned: Vec<_> = expected.iter().map(|(name, _)| identifier(name)).collect();
        let parameters = known
            .iter()
            .map(|(name, tensor)| format!("{name}: {}", tensor.ty));
        let function = format!("case_{number}");
        let procedure = format!(
            "pub fn {function}(&self, {}) -> ({}) {{\nlet ({}) = {expression};\n({})\n}}\n",
            parameters.collect::<Vec<_>>().join(", "),
            types.join(", "),
            statement.results.join(", "),
            returned.join(", "),
        );
        let exact = case.is_exact();
        let label = |name: &str| format!("{}: {name}: {expression}", case.name);
        let expected = expected.into_iter().map(|(name, tensor)| Expected {
            label: label(name),
            tolerance: tolerance(&tensor, exact),
            tensor,
        });
        let call = Call {
            function,
            expected: expected.collect(),
            inputs: known.into_values().collect(),
        };
        Ok(Self { procedure, call })
    }
}

/// What the suite gives is written with six digits where it is not exact. Narrow numbers may be off by a
/// unit in the last place.
fn tolerance(tensor: &HostTensor, exact: bool) -> Tolerance {
    let units = match tensor.ty.dtype.real() {
        _ if exact => 0.0,
        DType::F16 | DType::BF16 => 1.0,
        DType::F32 => 2e-6 / f64::from(f32::EPSILON),
        _ => 2e-6 / f64::EPSILON,
    };
    Tolerance { units, least: 1.0 }
}

/// The cases as one program, traced.
pub(super) fn trace(cases: &[Written]) -> Result<Module, Failed> {
    let procedures: String = cases.iter().map(|case| case.procedure.as_str()).collect();
    let source =
        format!("mod suite {{\npub struct Suite;\nimpl Suite {{\n{procedures}}}\n{KERNELS}}}");
    trace_right(&source)
}
