use super::{Arena, Id};
use crate::{SpanId, op::Op};
use iree_abi::{TensorType, Told};

/// The index of a [`Value`] in its function.
pub type ValueId = Id<Value>;

/// The index of an [`Operation`] in its function.
pub type OperationId = Id<Operation>;

/// A tensor that exists once the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its type.
    pub ty: TensorType,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What it does, with its attributes.
    pub op: Op,
    /// What it reads.
    pub operands: Vec<ValueId>,
    /// What it defines.
    pub results: Vec<ValueId>,
    /// The regions that it runs.
    pub regions: Vec<Region>,
    /// The expression that it came from.
    pub span: SpanId,
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        (&self.op, &self.operands, &self.results, &self.regions)
            == (&other.op, &other.operands, &other.results, &other.regions)
    }
}

impl Eq for Operation {}

/// A straight line of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// What the owner hands in.
    pub parameters: Vec<ValueId>,
    /// The steps, first to last.
    pub operations: Vec<OperationId>,
    /// What is handed back to the owner.
    pub results: Vec<ValueId>,
}

/// Whether a function can be called from outside its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// By the host.
    Public,
    /// By functions of the module only.
    Private,
}

/// A procedure, an instance of a kernel, or the initialiser of a global.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, unique in the module.
    pub name: String,
    /// Who can call it.
    pub linkage: Linkage,
    /// What it computes; its parameters and results are those of the function.
    pub body: Region,
    /// Everything that the function computes.
    pub values: Arena<Value>,
    /// Every step, in regions within regions.
    pub operations: Arena<Operation>,
    /// The names of the parameters, for people.
    pub parameter_names: Vec<String>,
    /// Where it is defined.
    pub span: SpanId,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.linkage, &self.body) == (&other.name, other.linkage, &other.body)
            && (&self.values, &self.operations, &self.parameter_names)
                == (&other.values, &other.operations, &other.parameter_names)
    }
}

impl Eq for Function {}

impl Function {
    /// A function without parameters, operations and results.
    pub fn new(name: impl Into<String>, linkage: Linkage, span: SpanId) -> Self {
        Self {
            name: name.into(),
            linkage,
            body: Region::default(),
            values: Arena::default(),
            operations: Arena::default(),
            parameter_names: Vec::new(),
            span,
        }
    }

    /// Where the sizes come from that are known at the call only; the arguments are those of the parameters.
    pub fn sizes(&self) -> Vec<Told> {
        let parameters = self.types(&self.body.parameters).unwrap_or_default();
        Told::of(&parameters)
    }

    /// The type of a value of this function.
    pub fn ty(&self, value: ValueId) -> Option<&TensorType> {
        self.values.get(value).map(|value| &value.ty)
    }

    /// The types of several values; `None` if one is not of this function.
    pub fn types(&self, values: &[ValueId]) -> Option<Vec<TensorType>> {
        values
            .iter()
            .map(|value| self.ty(*value).cloned())
            .collect()
    }
}
