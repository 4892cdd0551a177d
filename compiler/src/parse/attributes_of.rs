use syn::{Attribute, Expr};

macro_rules! attributes_of {
    ($($variant:ident)*) => {
        /// The attributes of an expression.
        pub(super) fn attributes_of(source: &Expr) -> &[Attribute] {
            match source {
                $(Expr::$variant(expr) => &expr.attrs,)*
                _ => &[],
            }
        }
    };
}

attributes_of! {
    Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop Group
    If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat
    Return Struct Try TryBlock Tuple Unary Unsafe While Yield
}
