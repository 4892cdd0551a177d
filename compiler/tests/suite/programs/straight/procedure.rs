use super::{
    array::Array,
    size::Size,
    step::{Step, Type},
    values::{Value, compute},
};
use crate::mutations::Random;

/// What a procedure is called with.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// N and M.
    pub(super) sizes: [usize; 2],
    pub(super) inputs: Vec<Array>,
}

/// A procedure, whose values are numbered: parameters first, then what its steps compute.
#[derive(Clone, Debug, Default)]
pub(super) struct Procedure {
    pub(super) parameters: Vec<Type>,
    pub(super) steps: Vec<Step>,
    pub(super) results: Vec<usize>,
    pub(super) cases: Vec<Case>,
}

impl Procedure {
    pub(super) fn ty(&self, value: usize) -> &Type {
        match self.parameters.get(value) {
            Some(ty) => ty,
            None => &self.steps[value - self.parameters.len()].ty,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.parameters.len() + self.steps.len()
    }

    /// All values for what it is called with; `None` where one of them is not defined.
    pub(super) fn values(&self, case: &Case) -> Option<Vec<Value>> {
        let mut random = Random(0);
        let inputs = case.inputs.iter().cloned();
        let mut values: Vec<_> = inputs.map(Value::given).collect();
        for step in &self.steps {
            let value = evaluated(step, case.sizes, &values, &mut random)?;
            values.push(value);
        }
        Some(values)
    }

    /// Its text in the language, with a name.
    pub(super) fn text(&self, name: &str) -> String {
        let results = self.results.iter();
        let types: Vec<_> = results
            .clone()
            .map(|value| self.ty(*value).text())
            .collect();
        let returned: Vec<_> = results.map(|value| self.name(*value)).collect();
        let body = format!("{}\n{}", self.statements(), tuple(&returned));
        self.text_of(name, &tuple(&types), &body)
    }

    /// The text of a procedure with the same parameters.
    pub(super) fn text_of(&self, name: &str, result: &str, body: &str) -> String {
        let parameters = self.parameters.iter().enumerate();
        let parameters =
            parameters.map(|(value, ty)| format!(", {}: {}", self.name(value), ty.text()));
        let parameters: String = parameters.collect();
        let generics = self.generics();
        format!("pub fn {name}{generics}(&self{parameters}) -> {result} {{\n{body}\n}}\n")
    }

    /// The text of the steps.
    pub(super) fn statements(&self) -> String {
        let steps = self.steps.iter().enumerate().map(|(number, step)| {
            let operands = step.operands.iter();
            let operands: Vec<_> = operands.map(|one| self.name(*one)).collect();
            let types: Vec<_> = step.operands.iter().map(|one| self.ty(*one)).collect();
            let name = self.name(self.parameters.len() + number);
            step.text(&name, &operands, &types)
        });
        let steps: Vec<_> = steps.collect();
        steps.join("\n")
    }

    /// The names of sizes that its parameters have.
    fn generics(&self) -> String {
        let has = |size: Size| {
            let mut parameters = self.parameters.iter();
            parameters.any(|ty| ty.sizes.contains(&size))
        };
        let names = [(Size::N, "const N: usize"), (Size::M, "const M: usize")];
        let names: Vec<_> = names
            .iter()
            .filter(|(size, _)| has(*size))
            .map(|one| one.1)
            .collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("<{}>", names.join(", ")),
        }
    }

    pub(super) fn name(&self, value: usize) -> String {
        match value.checked_sub(self.parameters.len()) {
            Some(step) => format!("v{step}"),
            None => format!("x{value}"),
        }
    }
}

/// The value of a step, if it is one that says something of the compiler.
pub(super) fn evaluated(
    step: &Step,
    sizes: [usize; 2],
    values: &[Value],
    random: &mut Random,
) -> Option<Value> {
    let shape: Option<Vec<_>> = step.ty.sizes.iter().map(|size| size.at(sizes)).collect();
    let operands: Vec<_> = step.operands.iter().map(|one| &values[*one]).collect();
    compute(step, &shape?, &operands, random)
}

pub(super) fn tuple(items: &[String]) -> String {
    match items {
        [one] => one.clone(),
        _ => format!("({})", items.join(", ")),
    }
}
