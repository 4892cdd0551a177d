//! `use`: what the host imports, and what comes from kernel modules.

use super::attributes::is_any;
use super::context::{Parser, visibility};
use super::{HostImport, Parsed};
use crate::ast::Import;
use crate::diagnostic::{Code, Diagnostic};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Ident, ItemUse, UseTree};

/// Words in a path that no kernel module can have for a name.
const PATH_KEYWORDS: [&str; 3] = ["crate", "self", "super"];

impl Parser<'_> {
    /// A `use`. Without `#[kernel]` it belongs to the host side.
    pub(super) fn import(&mut self, source: &ItemUse, parsed: &mut Parsed) {
        if !source.attrs.iter().any(|one| is_any(one, &["kernel"])) {
            parsed.host.uses.push(source.to_token_stream());
            return;
        }
        let own = self.inert_attributes(&source.attrs, &["kernel"]);
        if let Some(kernel) = self.only(&own) {
            self.attribute_options(kernel, "kernel", &[]);
        }
        let start = source.leading_colon.to_token_stream();
        self.import_tree(&start, &source.tree, source, parsed);
    }

    /// The names below a path.
    fn import_tree(
        &mut self,
        path: &TokenStream,
        tree: &UseTree,
        source: &ItemUse,
        parsed: &mut Parsed,
    ) {
        match tree {
            UseTree::Path(part) => {
                let (name, colons) = (&part.ident, &part.colon2_token);
                let longer = quote!(#path #name #colons);
                self.import_tree(&longer, &part.tree, source, parsed);
            }
            UseTree::Name(name) => {
                self.import_name(path, &name.ident, &name.ident, source, parsed);
            }
            UseTree::Rename(rename) => {
                self.import_name(path, &rename.ident, &rename.rename, source, parsed);
            }
            UseTree::Glob(glob) => {
                let span = self.at(glob.star_token.span);
                let help = "name the kernels and trees: `use path::{a, b};`";
                self.unsupported(span, "an import of everything", help);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import_tree(path, tree, source, parsed);
                }
            }
        }
    }

    fn import_name(
        &mut self,
        path: &TokenStream,
        item: &Ident,
        name: &Ident,
        source: &ItemUse,
        parsed: &mut Parsed,
    ) {
        if name == "_" || PATH_KEYWORDS.iter().any(|keyword| item == keyword) {
            let span = self.at(item.span());
            let message = "an import from a kernel module needs a name";
            let help = "name what is used: `use path::{a, b};`";
            self.report(Diagnostic::new(Code::Structure, span, message).help(help));
            return;
        }
        let Some(module) = self.imported_module(path, item) else {
            return;
        };
        let from = index_of(&mut parsed.host.modules, module);
        parsed.host.imports.push(HostImport {
            visibility: source.vis.to_token_stream(),
            from,
            item: item.clone(),
            name: name.clone(),
        });
        let import = Import {
            from,
            item: self.ident(item),
            name: self.ident(name),
            visibility: visibility(&source.vis),
        };
        parsed.module.imports.push(import);
    }

    /// The path without the colons at its end, if it may be that of a kernel module.
    fn imported_module(&mut self, path: &TokenStream, item: &Ident) -> Option<TokenStream> {
        let mut tokens: Vec<TokenTree> = path.clone().into_iter().collect();
        tokens.truncate(tokens.len().saturating_sub(2));
        let last = tokens.last().map(ToString::to_string);
        let problem = match last {
            None => format!("`{item}` is not in a kernel module"),
            Some(word) if PATH_KEYWORDS.contains(&word.as_str()) => {
                format!("`{word}` is not a kernel module")
            }
            Some(_) => return Some(tokens.into_iter().collect()),
        };
        let span = self.at(item.span());
        let help = format!("name the module that has it: `use path::to::module::{item};`");
        self.report(Diagnostic::new(Code::Structure, span, problem).help(help));
        None
    }
}

/// The index of a path, which is added if it is not there yet.
fn index_of(paths: &mut Vec<TokenStream>, path: TokenStream) -> usize {
    let text = path.to_string();
    let known = paths.iter().position(|known| known.to_string() == text);
    known.unwrap_or_else(|| {
        paths.push(path);
        paths.len() - 1
    })
}
