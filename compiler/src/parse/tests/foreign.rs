//! What Rust has and the language has not.

use super::mistakes::check;
use super::{Outcome, with_body};

#[test]
fn expressions() {
    for (body, expected) in [
        (
            "match x { _ => 1 }",
            "2:1 unsupported: `match` is not part of the language => use `if` and `else`; `select(mask, a, b)` chooses between tensors",
        ),
        (
            "f(x)?",
            "2:5 unsupported: `?` is not part of the language => leave out `?`: no operation fails while a program runs",
        ),
        (
            "f(x).await",
            "2:6 unsupported: `.await` is not part of the language => leave out `.await`",
        ),
        (
            "async { 1 }",
            "2:1 unsupported: `async` is not part of the language => leave out `async`",
        ),
        (
            "unsafe { 1 }",
            "2:1 unsupported: `unsafe` is not part of the language => leave out `unsafe`",
        ),
        (
            "const { 1 }",
            "2:1 unsupported: a `const` block is not part of the language => leave out `const`: what can be known while building is",
        ),
        (
            "if let a = b { 1 }",
            "2:4 unsupported: `let` in a condition is not part of the language => use a `let` statement and a plain condition",
        ),
        (
            "(a, ..) = x",
            "2:5 unsupported: `..` among elements is not part of the language => write `_` for each of them",
        ),
        (
            "T { a, ..b } = x",
            "2:10 unsupported: a value behind `..` left of `=` is not part of the language => write `..` to leave the other fields out",
        ),
        (
            "x @ x",
            "2:3 syntax: unexpected token, expected `;` => matrices are multiplied with `a.matmul(b)`",
        ),
        (
            "x[:, 1]",
            "2:3 syntax: expected an expression => parts are written `x[s![.., 1..3]]`",
        ),
        (
            "x[.., 1]",
            "2:5 syntax: unexpected token, expected `]` => several indices are a tuple, `x[(i, j)]`, and parts `x[s![.., 1..3]]`",
        ),
        (
            "a and b",
            "2:3 syntax: unexpected token, expected `;` => masks are combined with `&`",
        ),
        (
            "x + _",
            "2:5 unsupported: `_` as a value is not part of the language => write `let _ = …` where a value is not needed",
        ),
        (
            "*x",
            "2:1 unsupported: `*` before a value is not part of the language => leave out `*`; a power is written `x.powi(2)`",
        ),
        (
            "&mut x",
            "2:1 unsupported: `&mut` before a value is not part of the language => pass the value, return the new one and assign it",
        ),
        (
            "b\"text\"",
            "2:1 unsupported: a byte string is not part of the language => write an array of numbers: `[1u8, 2]`",
        ),
        (
            "'c'",
            "2:1 unsupported: a character literal is not part of the language => write a number or a string",
        ),
        (
            "let Some(x) = y else { return };",
            "2:5 unsupported: a tuple struct is not part of the language => destructure a tree by its fields: `Tree { a, b }`\n2:17 unsupported: `let … else` is not part of the language => use `let` and an `if`",
        ),
        (
            "let ref x = y;",
            "2:5 unsupported: `ref` is not part of the language => leave out `ref`",
        ),
        (
            "let (1 | 2) = y;",
            "2:6 unsupported: `|` in a pattern is not part of the language => compare with `if`",
        ),
        (
            "let x: [f32] = y;",
            "2:8 unsupported: a slice type is not part of the language => give the length: `[T; N]`, or `Tensor<f32, N>` for numbers to compute with",
        ),
        (
            "let f: fn(A) -> B = g;",
            "2:8 unsupported: a function pointer is not part of the language => a function as a parameter has the type `impl Fn(A) -> B`",
        ),
        (
            "fn inner() {}",
            "2:4 unsupported: a function inside a function is not part of the language => move it to the module and mark it `#[kernel]`, or write a closure",
        ),
        (
            "struct S;",
            "2:1 unsupported: a struct inside a function is not part of the language => move it to the module",
        ),
        (
            "map(x, |a| -> f32 { a })",
            "2:15 unsupported: a closure's result type is not part of the language => leave it out: the result's type is known from the body",
        ),
        (
            "<T as Float>::one()",
            "2:1 unsupported: a qualified path is not part of the language => name the item itself",
        ),
        (
            "S { 0: a }",
            "2:5 field: a tree has no field `0` => trees have named fields; `.0` belongs to tuples",
        ),
        (
            "#[cfg(a)] let x = 1;",
            "2:1 unsupported: `cfg` inside a program is not part of the language => put it on the whole module, or write a second program",
        ),
        (
            "pad!(x, low = [1], low = [2], y)",
            "2:20 duplicate: the option `low` is given twice\n2:31 syntax: an argument without a name stands behind `low` => put the arguments without names first",
        ),
        (
            "pad!(x, low = )",
            "2:15 syntax: unexpected end of input, expected an expression",
        ),
        ("pad!(x y)", "2:8 syntax: expected `,`"),
    ] {
        let expected: Vec<_> = expected.split('\n').collect();
        check("", &with_body(body), &expected);
    }
}

#[test]
fn a_chain_may_be_long_but_not_endless() {
    let sum = |terms: usize| with_body(&format!("x{}", " + x".repeat(terms)));
    assert_eq!(Outcome::of("", &sum(1_000)).mistakes(), [""; 0]);
    assert_eq!(
        Outcome::of("", &sum(1_100)).mistakes(),
        [
            "2:1 unsupported: an expression with more than 1024 operators in a row => name its parts with `let`"
        ]
    );
}

#[test]
fn nesting_has_a_limit() {
    let parens = with_body(&format!("{}x{}", "(".repeat(200), ")".repeat(200)));
    let mistakes = Outcome::of("", &parens).mistakes();
    assert_eq!(
        mistakes,
        [
            "2:123 unsupported: this is nested too deeply => name the parts with `let`, or compute them in a `#[kernel]`"
        ]
    );
}
