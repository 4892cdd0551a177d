//! Functions of the host: `#[import] fn f(…) -> …;`.

use super::{
    attributes::is_any,
    context::{Parser, visibility},
};
use crate::{
    ast::{Body, Function, FunctionKind},
    diagnostic::{Code, Diagnostic},
};
use syn::{ForeignItemFn, Item, Meta};

/// The function of the host that an item is, if it is one without a body that has the attribute.
pub(super) fn host_function(item: &Item) -> Option<ForeignItemFn> {
    let Item::Verbatim(tokens) = item else {
        return None;
    };
    let function: ForeignItemFn = syn::parse2(tokens.clone()).ok()?;
    let mut attributes = function.attrs.iter();
    attributes
        .any(|one| is_any(one, &["import"]))
        .then_some(function)
}

impl Parser<'_> {
    /// A function whose body the host has.
    pub(super) fn host_function(&mut self, source: &ForeignItemFn) -> Function {
        let own = self.inert_attributes(&source.attrs, &["import"]);
        if let Some(attribute) = self.only(&own)
            && !matches!(attribute.meta, Meta::Path(_))
        {
            let span = self.whole(attribute);
            let message = "`#[import]` takes no options";
            let help =
                "the host gives the function its name: `loader(&device).import(\"name\", …)`";
            self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
        }
        self.no_receiver(&source.sig);
        self.no_generics(&source.sig.generics, "a function of the host");
        let visibility = visibility(&source.vis);
        let body = |_: &mut Self| Body::Import;
        self.function(&source.sig, visibility, FunctionKind::Kernel, body)
    }
}
