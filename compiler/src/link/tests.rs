//! What imports stand for, and what is said where they stand for nothing. That each module sees its own
//! names is tested here too, by tracing.

use super::{Unlinked, link};
use crate::{
    ast::{ModuleId, Program, Target},
    diagnostic::Report,
    parse::{ModuleKind, Parsed, Source, parse},
    span::SpanTable,
    trace::{Traced, trace},
};
use proc_macro2::TokenStream;

/// Source text, and for each path that it imports from the index of the module behind it.
type Text<'a> = (&'a str, &'a [usize]);

/// A program or kernel module, then kernel modules, and what was wrong.
fn linked(modules: &[Text<'_>]) -> (Program, SpanTable, Report) {
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let parsed = modules.iter().enumerate().map(|(index, (text, uses))| {
        let item: TokenStream = text.parse().unwrap();
        let source = match (index, text.contains("impl")) {
            (0, true) => Source::attributed(ModuleKind::Program, TokenStream::new(), item),
            (0, false) => Source::attributed(ModuleKind::Kernels, TokenStream::new(), item),
            _ => Source::carried(ModuleId::new(index), item.clone(), &item),
        };
        let Parsed { module, .. } = parse(&source, &mut spans, &mut report)?;
        let uses = uses.iter().map(|index| ModuleId::new(*index)).collect();
        Some(Unlinked { module, uses })
    });
    let mut parsed: Vec<_> = parsed.collect();
    let root = parsed.remove(0).expect("a module");
    let program = link(root, parsed, &mut report);
    (program, spans, report)
}

/// Each mistake as `column code: message`, with its help behind an arrow.
fn described(report: &Report, spans: &SpanTable) -> Vec<String> {
    let describe = report.diagnostics().iter().map(|mistake| {
        let column = spans.location(mistake.span).column;
        let help = mistake.help.as_ref();
        let help = help.map_or_else(String::new, |help| format!(" => {help}"));
        format!("{column} {}: {}{help}", mistake.code, mistake.message)
    });
    describe.collect()
}

fn mistakes(modules: &[Text<'_>]) -> Vec<String> {
    let (_, spans, report) = linked(modules);
    described(&report, &spans)
}

fn traced(modules: &[Text<'_>]) -> (Traced, Vec<String>) {
    let (program, spans, mut report) = linked(modules);
    let traced = trace(&program, &spans, &mut report);
    (traced, described(&report, &spans))
}

const MATH: &str = "pub mod math {
    pub const ONE: f32 = 1.0;
    pub type Row<const N: usize> = Tensor<f32, N>;
    pub struct Pair { pub a: Tensor<f32>, pub b: Tensor<f32> }
    pub fn double(x: Tensor<f32>) -> Tensor<f32> { helper(x) * 2.0 }
    fn helper(x: Tensor<f32>) -> Tensor<f32> { x }
}";

/// A program that imports this, and does that.
fn program(import: &str, body: &str) -> String {
    format!(
        "mod m {{ #[kernel] use {import}; pub struct P; \
        impl P {{ pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {{ {body} }} }} }}"
    )
}

#[test]
fn names_lead_to_items() {
    let source = program("a::math::{double as twice, Pair, ONE, Row}", "x");
    let (program, _, report) = linked(&[(&source, &[1]), (MATH, &[])]);
    assert!(report.is_empty(), "{report:?}");
    let root = ModuleId::ROOT;
    assert!(program.kernel(root, "twice").is_some());
    assert!(program.kernel(root, "double").is_none());
    assert!(program.kernel(root, "helper").is_none());
    assert!(program.tree(root, "Pair").is_some());
    assert!(program.constant(root, "ONE").is_some());
    assert!(program.alias(root, "Row").is_some());
    assert_eq!(program.types(root), ["Pair", "Row"]);
}

#[test]
fn a_module_hands_on_what_it_imports() {
    let between = "mod between { #[kernel] pub use super::math::{double as twice}; }";
    let source = program("a::between::twice", "twice(x)");
    let (linked, _, report) = linked(&[(&source, &[1]), (between, &[2]), (MATH, &[])]);
    assert!(report.is_empty(), "{report:?}");
    let target = Target::Item(ModuleId::new(2), "double".into());
    assert_eq!(linked.imports[0].get("twice"), Some(&target));
}

#[test]
fn imports_of_nothing_are_reported_where_they_stand() {
    let says = |import: &str| mistakes(&[(&program(import, "x"), &[1]), (MATH, &[])]);
    assert_eq!(
        says("a::math::duble"),
        ["32 unknown-name: the kernel module `math` has no `duble` \
         => there is a kernel with a similar name: `double`"]
    );
    assert_eq!(
        says("a::math::elephant"),
        ["32 unknown-name: the kernel module `math` has no `elephant`"]
    );
    assert_eq!(
        says("a::math::helper"),
        ["32 private: the kernel `helper` of `math` is private => make it `pub` there"]
    );
    let between = "mod between { #[kernel] use super::math::double; }";
    let source = program("a::between::double", "x");
    assert_eq!(
        mistakes(&[(&source, &[1]), (between, &[2]), (MATH, &[])]),
        [
            "35 private: `between` imports `double` for itself => import it from where it is defined, \
         or make the import there `pub use`"
        ]
    );
}

#[test]
fn a_name_is_given_once() {
    let twice = program("a::math::{double, ONE as double}", "x");
    let says = mistakes(&[(&twice, &[1]), (MATH, &[])]);
    assert_eq!(
        says,
        ["48 duplicate: the name `double` is imported twice \
         => give the import another name: `ONE as …`"]
    );
    let own = "mod m { #[kernel] use a::math::Pair; pub struct P; struct Pair { a: Tensor<f32> } impl P {} }";
    assert_eq!(
        mistakes(&[(own, &[1]), (MATH, &[])]),
        ["32 duplicate: the module has a tree `Pair` of its own \
         => give the import another name: `Pair as …`"]
    );
}

#[test]
fn modules_cannot_import_from_each_other() {
    let a = "mod a { #[kernel] use super::b::{f, h}; pub fn g() {} }";
    let b = "mod b { #[kernel] use super::a::g; pub fn f() {} pub fn h() {} }";
    assert_eq!(
        mistakes(&[(a, &[1]), (b, &[0])]),
        [
            "34 recursion: kernel modules cannot import from each other: `b`, which imports from `a` \
             => move what both need into a module of its own",
            "33 recursion: kernel modules cannot import from each other: `a`, which imports from `b` \
             => move what both need into a module of its own",
        ]
    );
    let own = "mod a { #[kernel] use super::a::f; pub fn g() {} }";
    let says = mistakes(&[(own, &[0])]);
    assert!(says[0].contains("`a` imports from itself"), "{says:#?}");
    let forever = "mod a { #[kernel] pub use super::a::f; }";
    assert_eq!(mistakes(&[(forever, &[0])]).len(), 1);
}

#[test]
fn a_module_that_cannot_be_read_leaves_no_follow_on_errors() {
    let source = program("a::broken::{f, T}", "let t = T { x: f(x) }; g(x)");
    let (_, says) = traced(&[(&source, &[1]), ("mod broken { fn }", &[])]);
    assert_eq!(says.len(), 2, "{says:#?}");
    assert!(says[0].contains("syntax"), "{says:#?}");
    assert!(says[1].contains("no kernel or operation `g`"), "{says:#?}");
}

#[test]
fn kernels_see_the_names_of_their_module() {
    let one = "mod one { const N: f32 = 1.0; pub fn f(x: Tensor<f32>) -> Tensor<f32> { g(x) + N }
        fn g(x: Tensor<f32>) -> Tensor<f32> { x } }";
    let two =
        "mod two { pub const N: f32 = 2.0; pub fn f(x: Tensor<f32>) -> Tensor<f32> { g(x) * N }
        fn g(x: Tensor<f32>) -> Tensor<f32> { -x } }";
    let source = "mod m { #[kernel] use a::one::f; #[kernel] use a::two::{f as h, N}; pub struct P;
        #[kernel] fn g(x: Tensor<f32>) -> Tensor<f32> { x / x }
        impl P { pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> { g(f(x)) - h(x) * N } } }";
    let (traced, says) = traced(&[(source, &[1, 2]), (one, &[]), (two, &[])]);
    assert_eq!(says, Vec::<String>::new());
    let names = traced.module.functions.iter();
    let names = names.map(|(_, function)| function.name.as_str());
    let names: Vec<_> = names.collect();
    assert_eq!(
        names,
        ["g_f32", "f_f32", "g_f32_2", "g_f32_3", "f_f32_2", "run"]
    );
}

#[test]
fn kernels_see_nothing_else() {
    let math = "mod math { pub fn f(x: Tensor<f32>) -> Tensor<f32> { own(x) * SCALE } }";
    let source = "mod m { #[kernel] use a::math::f; const SCALE: f32 = 2.0; pub struct P;
        #[kernel] fn own(x: Tensor<f32>) -> Tensor<f32> { x }
        impl P { pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> { f(x) } } }";
    let (_, says) = traced(&[(source, &[1]), (math, &[])]);
    assert_eq!(
        says,
        [
            "54 no-operation: there is no kernel or operation `own`",
            "63 unknown-name: there is no `SCALE` here",
        ]
    );
}

#[test]
fn trees_of_one_name_are_different_trees() {
    let one =
        "mod one { pub struct T { pub x: Tensor<f32> } pub fn f(t: T) -> Tensor<f32> { t.x } }";
    let two = "mod two { pub struct T { pub x: Tensor<f32> } }";
    let run = |body: &str| {
        let source = format!(
            "mod m {{ #[kernel] use a::one::f; #[kernel] use a::two::T; #[kernel] use a::one::T as S;
            pub struct P;
            impl P {{ pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {{ {body} }} }} }}"
        );
        traced(&[(&source, &[1, 2]), (one, &[]), (two, &[])]).1
    };
    assert_eq!(
        run("let S { x: y } = S { x }; f(S { x: y })"),
        Vec::<String>::new()
    );
    let says = run("f(T { x })");
    assert!(
        says.len() == 1 && says[0].contains("type-mismatch"),
        "{says:#?}"
    );
    let says = run("let S { x: y } = T { x }; y");
    assert!(
        says.len() == 1 && says[0].contains("type-mismatch"),
        "{says:#?}"
    );
}

#[test]
fn a_kernel_that_is_not_generic_has_one_mistake_whoever_calls_it() {
    let math = "mod math { pub fn f(x: Tensor<f32>) -> Tensor<f32> { wrong(x, x) }
        fn wrong<const N: usize>(x: Tensor<f32, N>, y: Tensor<f32>) -> Tensor<f32> { x } }";
    let alone = linked(&[(math, &[])]);
    let source = program("a::math::f", "f(x)");
    let used = linked(&[(&source, &[1]), (math, &[])]);
    let notes = |(program, spans, mut report): (Program, SpanTable, Report)| {
        trace(&program, &spans, &mut report);
        let mistakes = report.diagnostics().iter();
        let texts = mistakes.map(|mistake| (mistake.message.clone(), mistake.notes.clone()));
        texts.collect::<Vec<_>>()
    };
    let expected = notes(alone);
    assert_eq!(expected.len(), 1);
    assert_eq!(notes(used), expected);
}

#[test]
fn the_interface_knows_where_trees_are() {
    use crate::interface::HostType;
    let math = "mod math { pub struct T { pub x: Tensor<f32> } pub type A = T; }";
    let source = "mod m { #[kernel] use a::math::{A, T}; pub struct P; impl P { pub fn run(&self, a: A) {} } }";
    let (traced, says) = traced(&[(source, &[1]), (math, &[])]);
    assert_eq!(says, Vec::<String>::new());
    assert_eq!(traced.interface.imported_trees, ["T"]);
    assert!(traced.interface.trees.is_empty());
    let [(_, ty)] = traced.interface.procedures[0].parameters.as_slice() else {
        panic!("one parameter");
    };
    let expected = HostType::Tree {
        module: ModuleId::new(1),
        name: "T".into(),
        arguments: Vec::new(),
    };
    assert_eq!(*ty, expected);
}
