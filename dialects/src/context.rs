use melior::{
    Context,
    dialect::{DialectHandle, DialectRegistry},
};

/// A context in which all dialects of this crate can be used.
///
/// `arith`, `cf`, `func` and `tensor` are loaded; others are carried unchecked. It works on one thread,
/// since making threads costs more than verifying a module.
pub fn context() -> Context {
    let registry = DialectRegistry::new();

    for dialect in [
        DialectHandle::arith(),
        DialectHandle::cf(),
        DialectHandle::func(),
        DialectHandle::tensor(),
    ] {
        dialect.insert_dialect(&registry);
    }

    let context = Context::new_with_registry(&registry, false);
    context.set_allow_unregistered_dialects(true);
    context.load_all_available_dialects();

    context
}
