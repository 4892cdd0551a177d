use super::{Expr, Ident};
use crate::span::SpanId;

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What is written.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: SpanId,
}

/// The forms of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `Tensor<f32, 3, 4>`, `Params`, `f32`, `T`.
    Path(Path),
    /// `(A, B)`; the empty tuple is the unit type.
    Tuple(Vec<Type>),
    /// `[T; N]`.
    Array(Box<Type>, Box<Expr>),
    /// `&T`, which the language reads as `T`; it occurs as `&str`.
    Reference(Box<Type>),
    /// `_`.
    Infer,
    /// `impl Fn(A, B) -> C`, a kernel or closure as a parameter.
    Function {
        /// The types of the parameters.
        parameters: Vec<Type>,
        /// The type of the result; `None` for the unit type.
        result: Option<Box<Type>>,
    },
    /// Something that was reported already.
    Error,
}

impl Type {
    /// The name, if this is a single one without generic arguments.
    pub fn as_ident(&self) -> Option<&Ident> {
        match &self.kind {
            TypeKind::Path(path) => path.as_ident(),
            _ => None,
        }
    }

    /// The number of axes, if this is written as a tensor, and whether it has no more: these names stand for any
    /// number of dimensions.
    pub fn tensor_rank(&self, several: &[&str]) -> Option<(usize, bool)> {
        match &self.kind {
            TypeKind::Reference(inner) => inner.tensor_rank(several),
            TypeKind::Path(path) => {
                let segment = path.last().filter(|last| last.name.name == "Tensor")?;
                let (_, dims) = segment.arguments.split_first()?;
                let names = dims.iter().filter_map(|dim| dim.as_type()?.as_ident());
                let found = names.filter(|name| several.contains(&name.name.as_str()));
                let found = found.count();
                Some((dims.len() - found, found == 0))
            }
            _ => None,
        }
    }
}

/// A possibly qualified name: `random::key`, `zeros::<f32, 3, 4>`.
#[derive(Clone, Debug)]
pub struct Path {
    /// The names between the colons; at least one.
    pub segments: Vec<Segment>,
    /// Where the path stands.
    pub span: SpanId,
}

impl Path {
    /// The name, if the path is a single one without generic arguments.
    pub fn as_ident(&self) -> Option<&Ident> {
        match self.segments.as_slice() {
            [only] if only.arguments.is_empty() => Some(&only.name),
            _ => None,
        }
    }

    /// The last segment.
    pub fn last(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// The names joined by `::`, without generic arguments.
    pub fn text(&self) -> String {
        let names: Vec<_> = self.segments.iter().map(|s| s.name.name.as_str()).collect();
        names.join("::")
    }
}

/// One part of a [`Path`].
#[derive(Clone, Debug)]
pub struct Segment {
    /// The name.
    pub name: Ident,
    /// What stands between the angle brackets.
    pub arguments: Vec<GenericArgument>,
}

/// What stands between angle brackets. Whether the name `M` is a type or a constant is decided where
/// it is resolved; until then it is a type.
#[derive(Clone, Debug)]
pub enum GenericArgument {
    /// A type, or a name that may turn out to be a constant.
    Type(Type),
    /// A literal or an expression in braces.
    Const(Expr),
    /// `NAME = …`, where what it is needs no braces, or else `{ NAME = … }`.
    Named(Ident, Box<Self>),
}

impl GenericArgument {
    /// The literal or expression, if it is one.
    pub fn as_const(&self) -> Option<&Expr> {
        match self {
            Self::Type(_) => None,
            Self::Const(value) => Some(value),
            Self::Named(_, value) => value.as_const(),
        }
    }

    /// The type, or the name that may turn out to be a constant, if it is one.
    pub fn as_type(&self) -> Option<&Type> {
        match self {
            Self::Type(ty) => Some(ty),
            Self::Const(_) => None,
            Self::Named(_, value) => value.as_type(),
        }
    }

    /// Where it stands, without its name.
    pub fn span(&self) -> SpanId {
        match self {
            Self::Type(ty) => ty.span,
            Self::Const(value) => value.span,
            Self::Named(_, value) => value.span(),
        }
    }
}
