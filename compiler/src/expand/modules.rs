//! How the source of a kernel module reaches the programs that import from it.
//!
//! A macro sees its own tokens only. So `#[kernel] mod layers` leaves a macro of the same name next to the
//! module, its carrier, which hands the module's tokens on to another macro; a `use` that finds the module
//! finds the carrier too, through re-exports and renamed crates. A module that imports from another has a
//! hidden `use` of it, so that its own importers reach that one through it, whatever it is called and
//! however private it is.

use super::{Context, stand_in};
use crate::parse::Host;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

/// The macro that carries a kernel module. `key` is its name; all carriers of a crate are in one place.
///
/// It is called with braces around the path of a macro, and anything; and calls that macro with braces
/// around the key and the module, and the rest.
pub fn carrier(name: &Ident, key: &Ident, item: &TokenStream) -> TokenStream {
    // A macro takes `$` for its own. No kernel module has one without a mistake, which is reported there.
    let item = if has_dollar(item) {
        stand_in(item)
    } else {
        item.clone()
    };
    // What the module imports by `crate` is of its own crate, which clippy cannot know.
    quote! {
        #[doc(hidden)]
        #[allow(clippy::crate_in_macro_def)]
        #[macro_export]
        macro_rules! #key {
            ({ $($next:tt)* } $($rest:tt)*) => {
                $($next)*! { { #key { #item } } $($rest)* }
            };
        }

        #[doc(hidden)]
        #[allow(unused_imports, unreachable_pub)]
        pub use #key as #name;
    }
}

/// A call of the carrier behind `path`, which gives what it carries and the `state` to the macro `next`.
pub fn call(path: &TokenStream, next: &TokenStream, state: &TokenStream) -> TokenStream {
    quote!(#path! { { #next } #state })
}

/// Lets `rustc` check that a module may see those that it imports from, whose carriers everyone sees.
pub fn visible_modules(host: &Host) -> TokenStream {
    let checks = host.modules.iter().map(|path| {
        let name = path.clone().into_iter().last();
        let place = name.map_or_else(Span::call_site, |name| name.span());
        let place = place.resolved_at(Span::call_site());
        // Only modules have a `self`.
        quote_spanned!(place=> #[allow(unused_imports)] use #path::{self as _};)
    });
    checks.collect()
}

/// The links of a kernel module to those that it imports from.
pub fn links(host: &Host) -> TokenStream {
    let paths = &host.modules;
    let names = (0..paths.len()).map(link_name);
    quote! {
        #(
            #[doc(hidden)]
            #[allow(unused_imports, unreachable_pub)]
            pub use #paths as #names;
        )*
    }
}

/// The name in a module of the module that it imports from by the path at this index.
pub fn link_name(index: usize) -> Ident {
    format_ident!("__import_{index}")
}

/// The imports of trees, as imports of their host forms.
pub(super) fn imported_trees<'c>(context: &Context<'c>) -> impl Iterator<Item = TokenStream> + 'c {
    let imports = context.host.imports.iter();
    let trees = &context.interface.imported_trees;
    let trees =
        imports.filter(move |import| trees.iter().any(|tree| super::is_named(&import.name, tree)));
    let modules = &context.host.modules;
    trees.filter_map(move |import| {
        let module = modules.get(import.from)?;
        let (visibility, item, name) = (&import.visibility, &import.item, &import.name);
        Some(quote! {
            #[allow(unused_imports, unreachable_pub)]
            #visibility use #module::#item as #name;
        })
    })
}

fn has_dollar(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => has_dollar(&group.stream()),
        TokenTree::Punct(punct) => punct.as_char() == '$',
        _ => false,
    })
}
