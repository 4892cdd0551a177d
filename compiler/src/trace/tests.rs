//! What users read about their mistakes, and that right programs have none. The operations themselves
//! are tested where they run.

use crate::{
    ast::Program,
    diagnostic::Report,
    parse::{ModuleKind, Source, parse},
    span::SpanTable,
    trace::Traced,
};
use proc_macro2::TokenStream;

/// Traces a program and returns what was reported, each as `line: [code] message | help`.
fn trace(source: &str) -> (Traced, Vec<String>) {
    let item = source.parse().unwrap();
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let program = program(item, &mut spans, &mut report);
    let traced = super::trace(&program, &spans, &mut report);
    let messages = report.diagnostics().iter().map(|diagnostic| {
        let place = spans.location(diagnostic.span);
        let help = match &diagnostic.help {
            Some(help) => format!(" | {help}"),
            None => String::new(),
        };
        format!(
            "{}:{}: [{}] {}{help}",
            place.line, place.column, diagnostic.code, diagnostic.message
        )
    });
    (traced, messages.collect())
}

fn program(item: TokenStream, spans: &mut SpanTable, report: &mut Report) -> Program {
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), item);
    Program::new(parse(&source, spans, report).unwrap().module)
}

/// What is said about a program.
pub(super) fn mistakes(source: &str) -> Vec<String> {
    trace(source).1
}

/// A program with one procedure that has this body.
fn procedure(body: &str) -> String {
    format!(
        "mod m {{
const N: usize = 3;
const RATE: f32 = 0.5;
pub struct Pair {{ pub a: Tensor<f32, 3, 4>, pub b: Tensor<f32, 4> }}
pub struct Layer<const I: usize, const O: usize> {{ pub w: Tensor<f32, I, O>, pub b: Tensor<f32, O> }}
pub struct P {{ #[global] g: Tensor<f32, 3, 4>, #[global(immutable)] c: Tensor<f32>, #[global] pair: Pair, #[global(uninit)] u: Tensor<f32> }}
impl P {{
fn helper(&mut self, v: Tensor<f32>) -> Tensor<f32> {{ self.u = v; v }}
pub fn run(&mut self, x: Tensor<f32, 3, 4>, y: Tensor<f32, 5, 2>, i: Tensor<i32, 3, 4>, d: Tensor<f64, 3, 4>, s: Tensor<bool>, pair: Pair) {{
{body}
}}
}}
#[kernel] fn affine<const M: usize, const K: usize>(x: Tensor<f32, M, K>, b: Tensor<f32, K>) -> Tensor<f32, M, K> {{ x + b }}
#[kernel] fn same<T: Float, const K: usize>(x: Tensor<T, K>) -> Tensor<T, K> {{ x }}
#[kernel] fn again(x: Tensor<f32>) -> Tensor<f32> {{ x }}
#[kernel] fn scaled<const K: usize>(x: Tensor<f32, K>, n: usize) -> Tensor<f32, K> {{ x * (n as f32) }}
#[kernel] fn layer<const A: usize, const B: usize>(l: Layer<A, B>, x: Tensor<f32, A>) -> Tensor<f32, B> {{ x.dot(l.w) + l.b }}
}}"
    )
}

fn accepts(body: &str) {
    let (_, messages) = trace(&procedure(body));
    assert_eq!(messages, Vec::<String>::new(), "{body}");
}

#[test]
fn right_programs_have_no_mistakes() {
    for body in [
        "let a = x * 2.0 + x / 3;",
        "let a = 1 - x; let b = -x; let c = !s; let e = x as f64 + d;",
        "let mut a = x; a += 1.0; a = a.t(); self.g = a.t();",
        "let (a, b) = (x, y); let [p, q] = [a, a]; let Pair { a, .. } = pair;",
        "let p = Pair { a: zeros(), ..pair }; self.pair = p; self.pair.b = ones();",
        "for i in 0..N { self.g = self.g * (i as f32); } for i in 0..3 { self.g *= i; }",
        "let m = select(x > 0.0, x, 0.0).mean_axis([0, -1]); let n: Tensor<f32> = m;",
        "let k = affine(x, pair.b); let k = same(pair.b); let z = same::<f64, 2>(zeros());",
        "let h = scaled(pair.b, 2 * N); let w = again(1.0);",
        "let l = Layer { w: x, b: zeros::<f32, 4>() }; let o = layer(l, zeros::<f32, 3>());",
        "let v = self.helper(2.0); let r = self.u + v;",
        "let r = x.reshape([-1, 2]).permute([1, 0]).broadcast_to([7, 2, 6]).softmax(-1);",
        "let h = i.one_hot::<f32, 10>(); let a = h.argmax_axis(-1) + i;",
        "if N > 2 && RATE < 1.0 { self.g = x; } else { self.g = y; }",
        "let mut n = 0; while n < 5 { n += 1; if n == 3 { break; } } let a = x * n;",
        "let f = f32::EPSILON; let p = std::f32::consts::PI; let a = x * p + f;",
        "for (n, v) in [x, x].iter().enumerate() { self.g = v * (n as f32); }",
        "let t: Tensor<f64, 2, 2> = tensor([[1, 2], [3, 4]]); let u = t.matmul(t);",
        "let a: Tensor<i8> = -128; let b = 255u8; let c: Tensor<f16> = 1.5;",
        "let v; v = x; let w = v; return;",
        "let a: Tensor<f32, 4> = x[1]; let b: Tensor<f32> = x[(2, -1)]; let c: Tensor<f32, 2> = x[s![1.., 0]];",
        "let k = i.sum(); let a: Tensor<f32, 4> = x[k]; let b: Tensor<f32, 3, 2> = x[s![.., ..;2]];",
        "let mut a = x; a[0] = pair.b; a[(1, 2)] += 1.0; a[s![.., 1]] = 0.0; a[1][2] = 5.0;",
        "let mut a = x; let mut b = -x; (a, b) = (b, a); (self.g, _) = (a, b); [self.g, self.u] = [zeros(), ones()];",
        "let mut a = x; ((a, self.u), [_, self.g]) = ((x, 1.0), [x, x]); Pair { a, b: self.pair.b } = pair; Pair { a, .. } = pair; _ = a;",
        "let mut a = x; [a[0], a[1]] = [a[1], a[0]]; (self.g[0], self.pair.b[1]) = (a[2], 1.0);",
        "'a: for m in 0..3 { for n in 0..3 { if m + n == 3 { break 'a; } if s { continue 'a; } self.g = x; } }",
        "let v = 'a: { if s { break 'a 1.0; } x.sum() }; let w = 'a: loop { loop { break 'a v; } }; self.u = w;",
        "self.g[i.sum()] = pair.b; self.pair.a[s![0, ..2]] = 1.0; self.pair.b[0] = 2.0;",
    ] {
        accepts(body);
    }
}

/// Bodies of procedures and what is said about them. The first column of the place is that of the body.
#[test]
fn mistakes_say_what_was_expected_and_found() {
    let bodies = [
        "let a = x.dot(y);",
        "let a = x + d;",
        "let a = x + y;",
        "let a = x.t() + x;",
        "let a = x.mean_axes(0);",
        "let a = i.exp();",
        "let a = x & x;",
        "let a = x.sum_axis(2);",
        "let a = x.sum_axis([0, -2]);",
        "let a = x.reshape([5, -1]);",
        "let a = zeros::<f32, 0, 4>().reshape([-1, 0]);",
        "let a = x.permute([0]);",
        "let a: Tensor<f32, 4, 3> = x;",
        "let a: Tensor<f64, 3, 4> = x;",
        "let a: Tensor<i8> = 300;",
        "let a = i * 2.5;",
        "let a = x * N;",
        "let a = x / (3 as f64).sqrt();",
        "let a = (3 as f64).sqrt() * x;",
        "let a = tensor([[x.sum(), 0.0], [1.0, 2.0]]);",
        "let a = tensor([x.sum(), 0.0]);",
        "let a = 300u8;",
        "let a = zeros().sum();",
        "let a = i.one_hot();",
        "let a = q;",
        "let a = pear;",
        "let a = g;",
        "self.h = x;",
        "self.c = 1.0;",
        "self.g = y;",
        "self.pair = x;",
        "self.pair.c = x;",
        "let a = 1.0; a = 2.0;",
        "x + 1.0",
        "let a = affine(x);",
        "let a = affine(y, pair.b);",
        "let a = same(zeros::<i32, 2>());",
        "let a = scaled(pair.b, pair.b.sum());",
        "let a = afine(x, pair.b);",
        "let a = exp(x);",
        "let a = x.select(x, x);",
        "let a = Pair { a: x };",
        "let a = Pair { a: y, b: pair.b };",
        "let a = Pair { a: x, b: pair.b, e: x };",
        "let a: Pear = pair;",
        "let a: Tensor<f33> = 1.0;",
        "let a: Tensor<f32, x> = 1.0;",
        "let a: Tensor<f32, {N - 4}> = zeros();",
        "if s { self.g = x; }",
        "if 1 { self.g = x; }",
        "let a = select(x, x, x);",
        "for v in x { self.g = x; }",
        "loop { let a = 1; }",
        "let (a, b, c) = (x, y);",
        "let Pair { a } = pair;",
        "let a = 1 / 0;",
        "let a = x.cast();",
        "let a = x.helper();",
        "let a = self.run2();",
        "let a = x.b;",
        "let a = [x, x][2];",
        "let a = self;",
        "let a = zeros::<f32, 0>().max();",
        "let a = x && s;",
        "let a = unfold!(x, y);",
        "let a = x[3];",
        "let a = x[(0, 0, 0)];",
        "let a = x[s![2..1, ..]];",
        "let a = x[1.5];",
        "let a = x[s![i.sum().., ..]];",
        "let a = x; a[0] = pair.b;",
        "self.g[0] = y;",
        "self.c[0] = 1.0;",
        "let y; if s { y = x; } self.g = y;",
        "let y; for k in range(0, i.sum()) { y = x; } self.g = y;",
        "(x, self.c) = (x, 1.0);",
        "let mut a = x; (a, _) = (x, x, x);",
        "let mut a = x; let mut b: Tensor<f32, 3, 4> = x; (a, b) = (x, d);",
        "let mut a = x; Pair { a } = pair;",
        "let mut a = x; [a] = (x,);",
        "break;",
        "for k in 0..3 { break 1.0; }",
        "'outer: for k in 0..3 { continue 'uoter; }",
        "'a: { continue 'a; }",
        "let f = |v| { break; v }; loop { f(x); break; }",
        "loop { loop { break; } }",
        "let a = if s { x } else { y };",
        "let a = if s { 'a: { x } } else { if s { x } else { y } };",
        "if s { x }",
        "let mut a = x; if s { a = x.t(); }",
        "let mut a = x; if s { self.g = x; a = d; } self.g = x;",
        "let mut a = x; for k in range(0, i.sum()) { if s { a = x.t(); } }",
        "let mut n = i.sum(); while n > 0 { n = x.sum(); }",
        "let f = if s { |v| v } else { |v| v + 1.0 }; let y = f(x);",
        "let a = 1.0; let b = a(x);",
        "let f = |v| v; let b = f(x, x);",
        "let a = scan(0.0, x, |c| c);",
        "let a = x.sum_axis(0, 1);",
        "let a: Tensor<f32, -1> = x;",
        "let a = -x.shape()[0] as u32; let w = 1u32; let z: Tensor<u32> = w; let k = -z;",
        "let a = fori(3, 0i32, |k, c| c + x.sum());",
        "let mut a = x; for k in 0..9_000 { a = a * 1.5 + x; }",
        "let a = arange::<f32, 3>().insert_axis(1) - arange();",
        "let mut a = x; let mut k = 0; while k < 9_000 { a = a * 1.5 + x; k += 1; }",
        "let mut a = x; let mut k = 0; loop { if k == 9_000 { break; } a = a * 1.5 + x; k += 1; }",
        "let mut a = x; for k in 0..1_000 { if a.sum() > (k as f32) { break; } a = a * 1.5; }",
        "let a = x.sum(axis = 1); let b = x.softmax(axis = 1); let c = x.sum_axis(0, keepdims = true);",
        "let a = x ^ x; let b = x as f64 * complex(x, x); let c = pair.b[x.sum()]; let d = x.take(x, 0);",
        "let a = stack([x, x], 0); let b = a.matmul(a); let c = a.matmul(a.t()); let d = concatenate(x, x);",
        "let a: Array2<f32> = x; let b: Tensor<float, 3> = y; let c: Tensor<3, f32> = y; let d: Tensor<f32, { -1 }> = y;",
        "let a = Vec::new(); let b = x * PI; let c = x.sum_axis(Axis(1)); let d = x.fill(1.0);",
    ];
    let messages: Vec<_> = bodies
        .iter()
        .map(|body| format!("{body}\n    {}", trace(&procedure(body)).1.join("\n    ")))
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn one_mistake_gives_one_message() {
    let bodies = [
        "let a = x.dot(y); let b = a + d; let c = affine(b, a); self.g = c; let e = c.sum_axis(7);",
        "let mut a = x.dot(y); let k = x.sum() as i32; a[k] = 1.0; a[(k, 0)] += 1.0; a[0][k] = x;",
    ];
    for body in bodies {
        let (_, messages) = trace(&procedure(body));
        assert_eq!(messages.len(), 1, "{messages:#?}");
    }
}

#[test]
fn a_kernel_with_a_mistake_is_told_once_for_all_its_callers() {
    let (_, messages) = trace(
        "mod m { pub struct P; impl P {
         pub fn f(&self, x: Tensor<f32>) -> Tensor<f32> { k(x) }
         pub fn g(&self, x: Tensor<f32>) -> Tensor<f32> { k(x) } }
         #[kernel] fn k(x: Tensor<f32>) -> Tensor<f32> { x + y } }",
    );
    assert_eq!(messages.len(), 1, "{messages:#?}");
}

#[test]
fn all_mistakes_are_found_at_once() {
    let (_, messages) = trace(&procedure("let a = x.dot(y); let b = x + d;"));
    assert_eq!(messages.len(), 2, "{messages:#?}");
}

#[test]
fn a_mistake_in_a_kernel_says_how_it_was_called() {
    let source = procedure("let a = affine(x, pair.b); let b = wrong(x);").replace(
        "#[kernel] fn again",
        "#[kernel] fn wrong<const A: usize, const B: usize>(x: Tensor<f32, A, B>) -> Tensor<f32, B, A> { x }
         #[kernel] fn again",
    );
    let item = source.parse().unwrap();
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let program = program(item, &mut spans, &mut report);
    super::trace(&program, &spans, &mut report);
    let [diagnostic] = report.diagnostics() else {
        panic!("{report:#?}");
    };
    let message = "the result of `wrong`: expected `Tensor<f32, 4, 3>`, found `Tensor<f32, 3, 4>`";
    assert_eq!(diagnostic.message, message);
    assert!(
        diagnostic.notes[0].starts_with("in the kernel `wrong` with A = 3, B = 4, called at "),
        "{diagnostic:#?}"
    );
}

#[test]
fn declarations_are_checked() {
    let cases = [
        "mod m { pub struct P { #[global(init = full(1.0))] a: Tensor<i32, 2> } impl P { } }",
        "mod m { pub struct P { #[global(init = zeros::<f32, 3>())] a: Tensor<f32, 2> } impl P { } }",
        "mod m { pub struct P { #[global] a: Tensor<f32>, #[global(alias = b)] c: Tensor<f32> } impl P { } }",
        "mod m { pub struct P { #[global] a: Tensor<f32>, #[global(alias = a)] c: Tensor<f64> } impl P { } }",
        "mod m { pub struct P { #[global] a: usize } impl P { } }",
        "mod m { pub struct P; impl P { pub fn f(&self, x: f32) { } } }",
        "mod m { pub struct P; impl P { pub fn f(&self, x: Tensor<f32>) -> Tensor<f64> { x } } }",
        "mod m { pub struct P; impl P { pub fn f(&self) -> Tensor<f64> { } } }",
        "mod m { pub struct P; impl P { fn f(&self) { self.g() } fn g(&self) { self.f() } } }",
        "mod m { pub struct P; impl P { pub fn f(&self) { a(1.0); } } #[kernel] fn a(x: Tensor<f32>) -> Tensor<f32> { b(x) } #[kernel] fn b(x: Tensor<f32>) -> Tensor<f32> { a(x) } }",
        "mod m { pub struct P { #[global] a: Tensor<f32> } impl P { pub fn f(&self) { self.a = 1.0; } } }",
        "mod m { pub struct P { #[global] a: Tensor<f32> } impl P { pub fn f(&self) { self.g(); } fn g(&mut self) { self.a = 1.0; } } }",
        "mod m { pub struct P { #[global(uninit)] a: Tensor<f32> } impl P { pub fn f(&self) -> Tensor<f32> { self.a } } }",
        "mod m { const A: usize = B; const B: usize = A; pub struct P { #[global] a: Tensor<f32, A> } impl P { } }",
        "mod m { type A = B; type B = A; pub struct P { #[global] a: A } impl P { } }",
        "mod m { pub struct T { pub t: T } pub struct P { #[global] a: T } impl P { } }",
        "mod m { pub struct P; impl P { } #[kernel] fn k(x: Tensor<f32, 2>) -> Tensor<f32, 3> { x } }",
        "mod m { pub struct P { #[global] a: Tensor<f32, 9999999999999> } impl P { } }",
        "mod m { pub struct P { #[global] a: Tensor<f32>, #[global] a: Tensor<f32> } impl P { pub fn f(&self) { } fn f(&self) { } } }",
        "mod m { pub struct P; impl P { } pub struct Q { pub x: Tensor<f32> } type Q = Tensor<f32>; const A: usize = 1; #[kernel] fn A() { } }",
    ];
    let messages: Vec<_> = cases
        .iter()
        .map(|source| format!("{source}\n    {}", trace(source).1.join("\n    ")))
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn an_alias_is_the_same_storage() {
    let (traced, messages) = trace(
        "mod m { pub struct Q { pub x: Tensor<f32, 2> } pub struct P { #[global] q: Q, #[global(alias = q.x)] x: Tensor<f32, 2> }
         impl P { pub fn f(&mut self) -> Tensor<f32, 2> { self.x = ones(); self.q.x } } }",
    );
    assert_eq!(messages, Vec::<String>::new());
    assert_eq!(traced.module.globals.len(), 1);
    let (_, function) = traced.module.functions.iter().next().unwrap();
    assert_eq!(function.operations.len(), 2, "{function:#?}");
}

#[test]
fn a_matrix_on_the_right_is_not_repeated_for_each_batch() {
    let (traced, messages) = trace(
        "mod m { pub struct P; impl P {
         pub fn f<const B: usize, const N: usize>(&self, x: Tensor<f32, B, N, 3>, w: Tensor<f32, 5, 3>) -> Tensor<f32, B, N, 5> { x.matmul(w.t()) } } }",
    );
    assert_eq!(messages, Vec::<String>::new());
    let text = traced.module.to_string();
    assert!(!text.contains("broadcast"), "{text}");
}

#[test]
fn kernels_are_instantiated_once_for_each_type() {
    let (traced, messages) = trace(
        "mod m { pub struct P; impl P { pub fn f(&self, x: Tensor<f32, 2, 3>) -> Tensor<f32, 3, 2> { let y = k(k(x)); k(y.t()) } }
         #[kernel] fn k<const A: usize, const B: usize>(x: Tensor<f32, A, B>) -> Tensor<f32, A, B> { x * 2.0 } }",
    );
    assert_eq!(messages, Vec::<String>::new());
    let names: Vec<_> = traced
        .module
        .functions
        .iter()
        .map(|(_, f)| f.name.as_str())
        .collect();
    assert_eq!(names, ["k_f32_2x3", "k_f32_3x2", "f"]);
}

#[test]
fn tracing_is_linear() {
    let body = "let mut a = x; ".to_owned() + &"a = a * 1.5 + x; ".repeat(5_000) + "self.g = a;";
    let (traced, messages) = trace(&procedure(&body));
    assert_eq!(messages, Vec::<String>::new());
    let longest = traced
        .module
        .functions
        .iter()
        .map(|(_, f)| f.operations.len())
        .max();
    assert_eq!(longest, Some(15_001));
}

/// The function that a procedure becomes, as text.
fn function(body: &str) -> String {
    let (traced, messages) = trace(&procedure(body));
    assert_eq!(messages, Vec::<String>::new(), "{body}");
    let text = traced.module.to_string();
    let verified = iree_dsl_ir::verify::verify(traced.module);
    assert!(verified.is_ok(), "{text}\n{verified:?}");
    let start = text.find("func public").unwrap_or_default();
    text[start..].to_owned()
}

#[test]
fn conditions_of_the_program_become_branches() {
    let bodies = [
        "if s { self.g = x; }",
        "let a = if s { x } else { x * 2.0 }; self.g = a;",
        "let mut n = 1; if s { n = 2; } else if x.sum() > 0.0 { n = 3; } self.g = x * (n as f32);",
        "if s { return; } self.g = x;",
        "self.u = 0.0; if s { self.u += 1.0; }",
        "self.g = { if s { return; } x };",
        "self.g = { if s { return; } x } * self.helper(2.0);",
    ];
    let texts: Vec<_> = bodies
        .iter()
        .map(|body| format!("{body}\n{}", function(body)))
        .collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn loops_of_the_program_carry_what_they_change() {
    let bodies = [
        "let mut n = 0; while x.sum() > (n as f32) { n += 1; } self.u = n as f32;",
        "for k in range(0, 10) { self.g += x * (k as f32); }",
        "let mut t = x; loop { t = t * 2.0; if t.sum() > 100.0 { break; } self.g = t; }",
        "let mut t = 0.0; for k in 0..N { if s { continue; } t += x.sum(); } self.u = t;",
        "for k in range(0, i.sum()) { for l in range(k, 4) { if s { return; } self.u += 1.0; } }",
        "'a: for k in range(0, 5) { for l in range(k, 4) { if s { continue 'a; } self.u += 1.0; } self.u *= 2.0; }",
    ];
    let texts: Vec<_> = bodies
        .iter()
        .map(|body| format!("{body}\n{}", function(body)))
        .collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn what_a_closure_must_return_is_said_of_everything_else() {
    for (closure, found) in [
        ("|c, y| { let n = c + y; }", "()"),
        (
            "|c, y| (c, y, y)",
            "(Tensor<f32, 4>, Tensor<f32, 4>, Tensor<f32, 4>)",
        ),
    ] {
        let (_, messages) = trace(&procedure(&format!("let a = scan(x[0], x, {closure});")));
        let expected = format!("returns a pair `(carry, y)`, found `{found}`");
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(&expected), "{messages:?}");
    }
}
