//! A program as the user wrote it.
//!
//! This is Rust's syntax cut down to what the language has. Names are not resolved and types are not
//! checked; what could not be parsed stands as [`ExprKind::Error`] or [`TypeKind::Error`], reported
//! already, so that later stages go on in silence. Ranges of the source are [`SpanId`]s.

mod emit;
mod expr;
mod given;
mod import;
mod item;
mod preset;
mod program;
mod ty;
mod unused;
mod walk;

pub use emit::Emit;
pub use expr::{
    Argument, BinaryOperator, Block, Closure, Expr, ExprKind, FieldValue, Literal, LiteralKind,
    Member, NamedArgument, Pattern, PatternKind, Statement, UnaryOperator,
};
pub use given::{Given, Misgiven};
pub use import::{Import, ModuleId};
pub use item::{
    Body, Const, Function, FunctionKind, Generic, GenericKind, Global, GlobalInit, MlirText,
    Module, Options, Parameter, ProgramStruct, Receiver, Rule, TreeField, TreeStruct, TypeAlias,
    Visibility,
};
pub use preset::Preset;
pub use program::{Declaration, Program, Target};
pub use ty::{GenericArgument, Path, Segment, Type, TypeKind};

use crate::span::SpanId;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name, without `r#`.
    pub name: String,
    /// Where it stands.
    pub span: SpanId,
}
