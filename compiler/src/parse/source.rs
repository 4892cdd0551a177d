use crate::ast::ModuleId;
use proc_macro2::{Span, TokenStream};

/// A module as it is written.
#[derive(Clone, Debug)]
pub struct Source {
    pub(super) kind: ModuleKind,
    pub(super) module: ModuleId,
    pub(super) attribute: TokenStream,
    pub(super) item: TokenStream,
    pub(super) home: Option<Span>,
}

/// What a module is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// `#[program] mod`.
    Program,
    /// `#[kernel] mod`.
    Kernels,
}

impl ModuleKind {
    /// The attribute, for messages.
    pub(super) const fn attribute(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Kernels => "kernel",
        }
    }

    /// How a message calls such a module.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Kernels => "kernel module",
        }
    }
}

impl Source {
    /// The module below an attribute that is being expanded.
    pub const fn attributed(kind: ModuleKind, attribute: TokenStream, item: TokenStream) -> Self {
        Self {
            kind,
            module: ModuleId::ROOT,
            attribute,
            item,
            home: None,
        }
    }

    /// A kernel module that is imported from, which a macro handed on to where `home` stands.
    pub fn carried(module: ModuleId, item: TokenStream, home: &TokenStream) -> Self {
        let home = home.clone().into_iter().next().map(|token| token.span());
        Self {
            kind: ModuleKind::Kernels,
            module,
            attribute: TokenStream::new(),
            item,
            home,
        }
    }
}
