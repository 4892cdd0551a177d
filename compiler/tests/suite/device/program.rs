use super::element::HostTensor;
use iree_abi::TensorType;

/// A module, and the calls that are made of it.
#[derive(Default)]
pub(super) struct Program {
    globals: Vec<String>,
    functions: Vec<String>,
    pub(super) calls: Vec<Call>,
}

/// A call of a function of a freshly loaded module.
pub(crate) struct Call {
    pub(crate) function: String,
    pub(crate) inputs: Vec<HostTensor>,
    pub(crate) expected: Vec<Expected>,
}

/// What a result should be.
#[derive(Clone)]
pub(crate) struct Expected {
    /// The operation that it shows.
    pub(crate) label: String,
    pub(crate) tensor: HostTensor,
    /// By how much it may differ.
    pub(crate) tolerance: Tolerance,
}

/// By how much numbers may differ.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    /// How many units in the last place.
    pub(crate) units: f64,
    /// Of numbers of at least this size.
    pub(crate) least: f64,
}

impl Program {
    pub(super) fn text(&self) -> String {
        let (globals, functions) = (self.globals.concat(), self.functions.concat());
        format!("module @test {{\n{globals}{functions}}}\n")
    }

    /// Adds a global: `mutable @x: Tensor<f32> = splat 0.0`.
    pub(super) fn global(&mut self, declaration: &str) {
        self.globals.push(format!("global {declaration}\n"));
    }

    /// Adds a function that is not called from outside.
    pub(super) fn helper(&mut self, function: &Function) {
        let text = function.text("private", &function.outputs);
        self.functions.push(text);
    }

    /// Adds a function and a call of it.
    pub(super) fn call(&mut self, function: Function) {
        self.functions
            .push(function.text("public", &function.outputs));
        self.calls.push(Call {
            function: function.name,
            inputs: function.inputs,
            expected: function.expected,
        });
    }
}

/// A function while it is written.
pub(super) struct Function {
    name: String,
    parameters: Vec<TensorType>,
    inputs: Vec<HostTensor>,
    lines: Vec<String>,
    values: usize,
    outputs: Vec<(usize, TensorType)>,
    expected: Vec<Expected>,
}

impl Function {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            lines: Vec::new(),
            values: 0,
            outputs: Vec::new(),
            expected: Vec::new(),
        }
    }

    /// Adds a parameter and what the call hands in for it. Parameters come before all operations.
    pub(super) fn input(&mut self, tensor: HostTensor) -> usize {
        let value = self.parameter(tensor.ty.clone());
        self.inputs.push(tensor);
        value
    }

    pub(super) fn parameter(&mut self, ty: TensorType) -> usize {
        self.parameters.push(ty);
        self.values += 1;
        self.values - 1
    }

    /// Adds an operation with a result: `add %0, %1`.
    pub(super) fn operation(&mut self, operation: &str, ty: &TensorType) -> usize {
        self.lines
            .push(format!("%{} = {operation} : {ty}\n", self.values));
        self.values += 1;
        self.values - 1
    }

    /// Adds an operation with two results of one type; the number of the first.
    pub(super) fn pair(&mut self, operation: &str, ty: &TensorType) -> usize {
        let (first, second) = (self.values, self.values + 1);
        self.lines
            .push(format!("%{first}, %{second} = {operation} : {ty}, {ty}\n"));
        self.values += 2;
        first
    }

    /// Takes the next numbers for values that statements define; the first of them.
    pub(super) fn reserve(&mut self, count: usize) -> usize {
        self.values += count;
        self.values - count
    }

    /// Adds a line without a result.
    pub(super) fn statement(&mut self, line: &str) {
        self.lines.push(format!("{line}\n"));
    }

    pub(super) fn output(&mut self, value: usize, ty: TensorType) {
        self.outputs.push((value, ty));
    }

    /// Returns a value, which should be equal to a tensor.
    pub(super) fn expect(
        &mut self,
        label: impl Into<String>,
        value: usize,
        tensor: HostTensor,
        units: f64,
    ) {
        let tolerance = Tolerance { units, least: 0.0 };
        self.expect_within(label, value, tensor, tolerance);
    }

    fn expect_within(
        &mut self,
        label: impl Into<String>,
        value: usize,
        tensor: HostTensor,
        tolerance: Tolerance,
    ) {
        self.output(value, tensor.ty.clone());
        let label = label.into();
        self.expected.push(Expected {
            label,
            tensor,
            tolerance,
        });
    }

    /// Adds an operation and returns its result, whose numbers should be equal to those of a tensor as
    /// far as large numbers go.
    pub(super) fn check_within(
        &mut self,
        operation: &str,
        tensor: HostTensor,
        tolerance: Tolerance,
    ) {
        let value = self.operation(operation, &tensor.ty);
        self.expect_within(operation, value, tensor, tolerance);
    }

    /// Adds an operation and returns its result, which should be equal to a tensor.
    pub(super) fn check(&mut self, operation: &str, tensor: HostTensor, units: f64) {
        let value = self.operation(operation, &tensor.ty);
        self.expect(operation, value, tensor, units);
    }

    fn text(&self, linkage: &str, outputs: &[(usize, TensorType)]) -> String {
        let parameters = self.parameters.iter().enumerate();
        let parameters: Vec<_> = parameters
            .map(|(index, ty)| format!("%{index} p: {ty}"))
            .collect();
        let types: Vec<_> = outputs.iter().map(|(_, ty)| ty.to_string()).collect();
        let arrow = if types.is_empty() { "" } else { "-> " };
        let values: Vec<_> = outputs.iter().map(|(id, _)| format!("%{id}")).collect();
        format!(
            "func {linkage} @{}({}) {arrow}{} {{\n{}return {}\n}}\n",
            self.name,
            parameters.join(", "),
            types.join(", "),
            self.lines.concat(),
            values.join(", ")
        )
    }
}
