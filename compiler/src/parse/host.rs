use proc_macro2::{Ident, TokenStream};

/// The parts of the user's module that reach the host side as they are, with their spans, so that
/// editors find them.
#[derive(Clone, Debug)]
pub struct Host {
    /// The attributes of the module: documentation, lint levels, `cfg`.
    pub attributes: TokenStream,
    /// `pub`.
    pub visibility: TokenStream,
    /// The module's name.
    pub name: Ident,
    /// `use` items.
    pub uses: Vec<TokenStream>,
    /// The paths of the kernel modules that are imported from.
    pub modules: Vec<TokenStream>,
    /// What is imported from them.
    pub imports: Vec<HostImport>,
    /// The program's struct; `None` where it is missing.
    pub program: Option<HostStruct>,
    /// The trees, in source order.
    pub trees: Vec<HostStruct>,
    /// The exported procedures, in source order.
    pub procedures: Vec<HostProcedure>,
    /// The constants and type aliases that are not private, in source order.
    pub items: Vec<HostItem>,
}

/// What a constant or a type alias keeps.
#[derive(Clone, Debug)]
pub struct HostItem {
    /// Its attributes: documentation, lint levels.
    pub attributes: TokenStream,
    /// `pub`.
    pub visibility: TokenStream,
    /// Its name.
    pub name: Ident,
    /// The generic parameters of an alias.
    pub generics: syn::Generics,
}

/// What an import from a kernel module keeps.
#[derive(Clone, Debug)]
pub struct HostImport {
    /// `pub`.
    pub visibility: TokenStream,
    /// The index of the module's path.
    pub from: usize,
    /// The name of the item there.
    pub item: Ident,
    /// Its name here.
    pub name: Ident,
}

/// What a struct keeps.
#[derive(Clone, Debug)]
pub struct HostStruct {
    /// Its attributes, without the language's own.
    pub attributes: TokenStream,
    /// `pub`.
    pub visibility: TokenStream,
    /// Its name.
    pub name: Ident,
    /// Its generic parameters, `<const M: usize, T: Float>`.
    pub generics: syn::Generics,
    /// Its fields; none for the program.
    pub fields: Vec<HostField>,
}

/// What a tree's field keeps.
#[derive(Clone, Debug)]
pub struct HostField {
    /// Its attributes, without the language's own.
    pub attributes: TokenStream,
    /// `pub`.
    pub visibility: TokenStream,
    /// Its name.
    pub name: Ident,
}

/// What an exported procedure keeps.
#[derive(Clone, Debug)]
pub struct HostProcedure {
    /// Its attributes: documentation, lint levels.
    pub attributes: TokenStream,
    /// `pub`.
    pub visibility: TokenStream,
    /// Its name.
    pub name: Ident,
    /// `&self` or `&mut self`.
    pub receiver: TokenStream,
    /// The names of its parameters.
    pub parameters: Vec<Ident>,
}
