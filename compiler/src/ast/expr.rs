use super::{GenericArgument, Ident, Path, Type};
use crate::span::SpanId;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What is written.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: SpanId,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `1`, `2.5f32`, `true`, `"text"`.
    Literal(Literal),
    /// A name, `self` among them.
    Path(Path),
    /// `-x`, `!x`.
    Unary(UnaryOperator, Box<Expr>),
    /// `a + b`.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// Where the operator stands.
        operator_span: SpanId,
        /// What stands left of it.
        lhs: Box<Expr>,
        /// What stands right of it.
        rhs: Box<Expr>,
    },
    /// `place = value`; `place op= value` has an operator.
    Assign {
        /// What is assigned to.
        place: Box<Expr>,
        /// The arithmetic operator of a compound assignment, and where it stands.
        operator: Option<(BinaryOperator, SpanId)>,
        /// What is assigned.
        value: Box<Expr>,
    },
    /// `f(a, b)`.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `x.f::<T>(a, b)`.
    MethodCall {
        /// What stands left of the dot.
        receiver: Box<Expr>,
        /// The method's name.
        method: Ident,
        /// What stands between the angle brackets.
        generics: Vec<GenericArgument>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `name!(a, b, option = c)`; the arguments that the language's macros have.
    Macro {
        /// The macro's name.
        name: Path,
        /// The positional arguments.
        positional: Vec<Argument>,
        /// The arguments with names.
        named: Vec<NamedArgument>,
    },
    /// `x.field`, `x.0`.
    Field(Box<Expr>, Member),
    /// `x[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `x as T`.
    Cast(Box<Expr>, Type),
    /// `(a, b)`; the empty tuple is the unit value. Parentheses around one expression leave no trace.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `[value; count]`.
    Repeat(Box<Expr>, Box<Expr>),
    /// `Params { x: a, b, ..base }`.
    Struct {
        /// The tree's name.
        path: Path,
        /// The fields that are given.
        fields: Vec<FieldValue>,
        /// Where the other fields come from.
        base: Option<Box<Expr>>,
    },
    /// `{ … }`.
    Block(Block),
    /// `if condition { … } else …`.
    If {
        /// What decides.
        condition: Box<Expr>,
        /// The first branch.
        then: Block,
        /// The second branch: a block or another `if`.
        otherwise: Option<Box<Expr>>,
    },
    /// `for pattern in iterator { … }`.
    For {
        /// What each iteration binds.
        pattern: Pattern,
        /// What is iterated over.
        iterator: Box<Expr>,
        /// Each iteration.
        body: Block,
    },
    /// `while condition { … }`.
    While(Box<Expr>, Block),
    /// `loop { … }`.
    Loop(Block),
    /// `'name: loop { … }`; a label may also stand before `for`, `while` and a block.
    Labelled(Ident, Box<Expr>),
    /// `break`, `break value`, `break 'name value`.
    Break {
        /// What is left; without a label it is the innermost loop.
        label: Option<Ident>,
        /// What it is left with.
        value: Option<Box<Expr>>,
    },
    /// `continue`, `continue 'name`.
    Continue(Option<Ident>),
    /// `return`, `return value`.
    Return(Option<Box<Expr>>),
    /// `a..b`, `a..=b`; either end may be missing.
    Range {
        /// The first value.
        start: Option<Box<Expr>>,
        /// The end.
        end: Option<Box<Expr>>,
        /// Whether the end belongs to the range.
        inclusive: bool,
    },
    /// `|a, b| …`.
    Closure(Closure),
    /// `&x`, which the language reads as `x`.
    Reference(Box<Expr>),
    /// `_` as the target of an assignment, and `..` at the end of a tree that is one.
    Wildcard,
    /// Something that was reported already.
    Error,
}

/// A literal as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// The value.
    pub kind: LiteralKind,
    /// The type's name behind it: `f32` in `2.5f32`.
    pub suffix: Option<String>,
}

/// The values of literals.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralKind {
    /// An integer; `None` where it has more than 128 bits.
    Integer(Option<u128>),
    /// A number with a point or an exponent, and its digits as written (without underscores).
    Float(f64, String),
    /// `true`, `false`.
    Bool(bool),
    /// A string.
    String(String),
}

/// Operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`.
    Negate,
    /// `!`.
    Not,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `&&`.
    LazyAnd,
    /// `||`.
    LazyOr,
}

impl Expr {
    /// Whether it is the program.
    pub fn is_self(&self) -> bool {
        match &self.kind {
            ExprKind::Path(path) => path.as_ident().is_some_and(|name| name.name == "self"),
            ExprKind::Reference(inner) => inner.is_self(),
            _ => false,
        }
    }
}

impl BinaryOperator {
    /// The operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::LazyAnd => "&&",
            Self::LazyOr => "||",
        }
    }
}

/// What stands behind the dot of a field access.
#[derive(Clone, Debug)]
pub enum Member {
    /// `.name`.
    Named(Ident),
    /// `.0`.
    Index(usize, SpanId),
}

/// One field of a struct literal. The short form `Params { x }` has the value `x`.
#[derive(Clone, Debug)]
pub struct FieldValue {
    /// The field's name.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
}

/// A positional argument of a macro. Most are expressions; a slice such as `1..3;2` has a step.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The expression.
    pub value: Expr,
    /// The step behind the semicolon.
    pub step: Option<Expr>,
}

/// A macro's argument with a name: `padding = "same"`.
#[derive(Clone, Debug)]
pub struct NamedArgument {
    /// The name.
    pub name: Ident,
    /// The value.
    pub value: Expr,
}

/// `|a, b| …`.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The parameters, with their types where written.
    pub parameters: Vec<(Pattern, Option<Type>)>,
    /// What is computed.
    pub body: Box<Expr>,
}

/// `{ … }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The expression without a semicolon at the end, which is the block's value.
    pub value: Option<Box<Expr>>,
    /// Where the block stands.
    pub span: SpanId,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let pattern: Type = value;`.
    Let {
        /// What is bound.
        pattern: Pattern,
        /// The declared type.
        ty: Option<Type>,
        /// What it is bound to; `let x;` has none.
        value: Option<Expr>,
        /// Where the statement stands.
        span: SpanId,
    },
    /// An expression and a semicolon, or one that ends in a brace.
    Expr(Expr),
    /// A `const` inside a function.
    Const(super::Const),
}

/// What is bound, and to which names.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What is written.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: SpanId,
}

/// The forms of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `x`, `mut x`.
    Ident {
        /// The name.
        name: Ident,
        /// Whether it may be assigned.
        mutable: bool,
    },
    /// `_`.
    Wildcard,
    /// `(a, b)`.
    Tuple(Vec<Pattern>),
    /// `[a, b]`.
    Array(Vec<Pattern>),
    /// `Params { x, b: c, .. }`.
    Struct {
        /// The tree's name.
        path: Path,
        /// The fields, and what they are bound to.
        fields: Vec<(Ident, Pattern)>,
        /// Whether `..` stands at the end.
        rest: bool,
    },
    /// `_: T` and everything else that was reported already.
    Error,
}
