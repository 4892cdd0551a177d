use super::{Outcome, with_body};
use crate::parse::limits::{self, MAX_NESTING, MAX_OPERATORS};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Constructs that nest: what stands before the inner part, and what behind it.
const NESTING: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("-", ""),
    ("!", ""),
    ("*", ""),
    ("&", ""),
    ("&mut ", ""),
    ("#[a] -", ""),
    ("return ", ""),
    ("break ", ""),
    ("yield ", ""),
    ("a = ", ""),
    ("a += ", ""),
    ("a >>= ", ""),
    ("a <<= ", ""),
    ("|a| ", ""),
    ("|a, b| ", ""),
    ("|A {}| ", ""),
    ("|| ", ""),
    ("move || ", ""),
    ("- S {} = ", ""),
    ("..", ""),
    ("f(", ")"),
    ("x.f(", ")"),
    ("x[", "]"),
    ("m!(", ")"),
    ("S { a: ", "}"),
    ("S {}(", ")"),
    ("if ", " {}"),
    ("if a { ", " }"),
    ("if a {} else ", ""),
    ("if a {} else if ", " {}"),
    ("while ", " {}"),
    ("match ", " {}"),
    ("match a { a => ", " }"),
    ("match a { A {} if ", " => 1 }"),
    ("for A {} in ", " {}"),
    ("loop { ", " }"),
    ("async { ", " }"),
    ("unsafe { ", " }"),
    ("let a = ", ""),
    ("let a: ", ";"),
    ("let a: A<", ">;"),
    ("x as &", ""),
    ("x as A<u8, ", ">"),
    ("x as fn() -> ", ""),
    ("x as impl Fn() -> ", ""),
    ("x as [", "; 1]"),
    ("x as *const ", ""),
    ("x as A<{ ", " }>"),
    ("f::<", ">"),
    ("f::<{ ", " }>"),
    ("<u8 as A<", ">>"),
    ("a + b * (", ")"),
    ("a || b && c == d | e ^ f & g >> h + i * (", ")"),
    (
        "a = b..c || d && e == f | g ^ h & i >> j + k * -l.m(|n| ",
        ")",
    ),
    ("{} - |a| ", ""),
    ("x; ", ""),
    ("fn f() { ", " }"),
    ("mod a { ", " }"),
    ("use a::", ";"),
];

fn nested(open: &str, close: &str, levels: usize) -> String {
    with_body(&format!("{}x{}", open.repeat(levels), close.repeat(levels)))
}

/// Threads of `rustc` have 8 MiB, of which it needs some before it comes to a macro.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(6 << 20).spawn(work);
    thread.expect("spawned").join().expect("no panic");
}

/// The most levels of a construct that are let through.
fn most_levels(open: &str, close: &str) -> usize {
    let passes = |levels| {
        let source = nested(open, close, levels);
        limits::check(&source.parse().expect("tokens")).is_ok()
    };
    (1..=MAX_NESTING)
        .rev()
        .find(|&levels| passes(levels))
        .unwrap_or_default()
}

#[test]
fn nesting_never_overflows_the_stack() {
    for &(open, close) in NESTING {
        for levels in [most_levels(open, close), 10_000] {
            let source = nested(open, close, levels);
            on_a_small_stack(move || {
                let outcome = Outcome::of("", &source);
                assert!(outcome.parsed.is_some() || !outcome.report.is_empty());
            });
        }
    }
}

#[test]
fn long_chains_never_overflow_the_stack() {
    let links = [
        " + x",
        ".f()",
        ".f",
        ".f::<A, B>()",
        "[0]",
        "()",
        "?",
        " as T",
        " && x",
        ", x",
        "; x",
        "::x",
    ];
    for link in links {
        for count in [MAX_OPERATORS - 200, MAX_OPERATORS, 40_000] {
            let source = with_body(&format!("x{}", link.repeat(count)));
            on_a_small_stack(move || {
                let outcome = Outcome::of("", &source);
                assert!(outcome.parsed.is_some() || !outcome.report.is_empty());
            });
        }
    }
}

#[test]
fn what_people_write_is_within_the_limits() {
    let sum = with_body(&format!("x{}", " + x * y.z".repeat(1_000)));
    let calls = with_body(&format!("x{}", ".f(a, b)".repeat(1_000)));
    let nested = with_body(&format!("{}x{}", "f(-".repeat(40), ")".repeat(40)));
    let table = with_body(&format!("[{}]", "-1.0 * a < b, ".repeat(50)));
    let literals = with_body(&format!("[{}]", "[-1.0, 2.0],".repeat(5_000)));
    for source in [sum, calls, nested, table, literals] {
        assert_eq!(Outcome::of("", &source).mistakes(), [""; 0]);
    }
}

/// How long a body of this many statements takes.
fn time(statements: usize) -> Duration {
    let line = "let mut a = f(b.c, [1, 2]) * -x[s![1..3, ..;2]] + T { y, ..z };\n";
    let source = with_body(&line.repeat(statements));
    let start = Instant::now();
    let outcome = Outcome::of("", &source);
    assert_eq!(outcome.mistakes(), [""; 0]);
    start.elapsed()
}

#[test]
fn long_bodies_take_linear_time() {
    time(100);
    let (short, long) = (time(1_000), time(8_000));
    assert!(
        long < short * 32,
        "1,000 statements took {short:?}, 8,000 took {long:?}"
    );
}

const WORDS: &[&str] = &[
    "x",
    "self",
    "0",
    "1.5f32",
    "\"a\"",
    "'c'",
    "b\"b\"",
    "'l",
    "r#type",
    "_",
    "true",
    "let",
    "mut",
    "if",
    "else",
    "for",
    "in",
    "while",
    "loop",
    "break",
    "return",
    "match",
    "fn",
    "pub",
    "struct",
    "impl",
    "const",
    "type",
    "use",
    "mod",
    "enum",
    "static",
    "unsafe",
    "async",
    "move",
    "ref",
    "as",
    "where",
    "dyn",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "&",
    "|",
    "^",
    "<",
    ">",
    "=",
    "==",
    "<=",
    ">>=",
    "&&",
    "||",
    "->",
    "=>",
    ".",
    "..",
    "..=",
    ",",
    ";",
    ":",
    "::",
    "#",
    "?",
    "@",
    "$",
    "~",
    "s!",
    "#[kernel]",
    "#[global]",
    "#[cfg(a)]",
    "#[global(init = 1)]",
    "x: T,",
    "P",
];

fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS).prop_map(str::to_owned);
    word.prop_recursive(5, 60, 8, |inner| {
        let brackets = prop::sample::select(&[("(", ")"), ("[", "]"), ("{", "}")][..]);
        (prop::collection::vec(inner, 0..8), brackets)
            .prop_map(|(words, (open, close))| format!("{open}{}{close}", words.join(" ")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_tokens_are_a_panic(
        attribute in soup(),
        item in prop::collection::vec(soup(), 0..12),
        place in 0..6_usize,
    ) {
        let item = item.join(" ");
        let source = match place {
            0 => item,
            1 => format!("mod m {{ {item} }}"),
            2 => format!("mod m {{ struct P {{ {item} }} impl P {{}} }}"),
            3 => format!("mod m {{ struct P {{ #[global({item})] x: T }} impl P {{}} }}"),
            4 => with_body(&format!("m!({item})")),
            _ => with_body(&item),
        };
        let outcome = Outcome::of(&attribute, &source);
        prop_assert!(outcome.parsed.is_some() || !outcome.report.is_empty());
    }
}
