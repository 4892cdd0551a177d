use super::{breakable::Breakable, generics::Generics, scope::Scopes, types::Type, value::Value};
use crate::{
    ast::{ModuleId, Receiver},
    span::SpanId,
};

/// The function whose body is being traced.
#[derive(Debug)]
pub(crate) struct Frame {
    /// What it is, for messages: "the kernel `linear`".
    pub(crate) description: String,
    /// Its index among the kernels or procedures.
    pub(crate) identity: Identity,
    /// The module whose names it sees.
    pub(crate) module: ModuleId,
    /// Where it is called; the call site of the macro if that makes no difference to it.
    pub(crate) called_at: SpanId,
    /// Its variables.
    pub(crate) scopes: Scopes,
    /// What its generic parameters stand for.
    pub(crate) generics: Generics,
    /// The type of its result.
    pub(crate) result: Type,
    /// How it takes the program; `None` for what sees only its arguments.
    pub(crate) receiver: Option<Receiver>,
    /// How many of the outermost blocks belong to what a closure sees around it.
    pub(crate) captured: usize,
    /// For a closure, how many calls were running where it was written.
    pub(crate) written_at: Option<usize>,
    /// Which tracing of a function it is.
    pub(crate) tracing: usize,
    /// The loops, and blocks with a label, around the expression that is being traced.
    pub(crate) breakables: Vec<Breakable>,
}

impl Frame {
    /// What stands around all functions of a module.
    pub(crate) fn outermost(module: ModuleId) -> Self {
        Self {
            description: "the program".to_owned(),
            identity: Identity::Const,
            module,
            called_at: SpanId::CALL_SITE,
            scopes: Scopes::default(),
            generics: Generics::default(),
            result: Type::unit(),
            receiver: None,
            captured: 0,
            written_at: None,
            tracing: 0,
            breakables: Vec::new(),
        }
    }

    /// Whether this is a kernel that has the same mistakes whoever calls it.
    pub(crate) fn stands_alone(&self) -> bool {
        matches!(self.identity, Identity::Kernel(_)) && self.called_at == SpanId::CALL_SITE
    }
}

/// Which function of the source a [`Frame`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The kernel at this index.
    Kernel(usize),
    /// The procedure at this index.
    Procedure(usize),
    /// The initialiser of the global at this index.
    Initializer(usize),
    /// A constant's value.
    Const,
    /// A closure.
    Closure,
}

/// Why an expression has no value: the control flow goes elsewhere.
#[derive(Clone, Debug)]
pub(crate) enum Interrupt {
    /// `break` out of the loop or block at this depth, with the value.
    Break(usize, Value),
    /// `continue` with the loop at this depth.
    Continue(usize),
    /// `return`, with the value and where it stands.
    Return(Value, SpanId),
    /// One way or other, which the program decides when it runs.
    Left,
}

/// The value of an expression, or where the control flow goes instead.
pub(crate) type Flow<T = Value> = Result<T, Interrupt>;
