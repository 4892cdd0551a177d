use super::{Outcome, with_body};
use crate::ast::*;
use crate::span::SpanId;

/// The range of the source, as `line:column-line:column`.
fn range(outcome: &Outcome, span: SpanId) -> String {
    let (first, last) = outcome.spans.ends(span);
    let (start, end) = (first.start(), last.end());
    format!(
        "{}:{}-{}:{}",
        start.line,
        start.column + 1,
        end.line,
        end.column + 1
    )
}

/// The value of the procedure's body.
fn value(body: &str) -> (Outcome, Expr) {
    let mut outcome = Outcome::of("", &with_body(body));
    assert_eq!(outcome.mistakes(), [""; 0], "in `{body}`");
    let module = outcome.parsed.take().expect("a program").module;
    let procedure = module.procedures.into_iter().next().expect("a procedure");
    let Body::Block(block) = procedure.body else {
        panic!("a procedure has a block");
    };
    let value = block.value.expect("a value");
    (outcome, *value)
}

#[test]
fn ranges_go_from_the_first_to_the_last_token() {
    for (body, expected) in [
        ("a + b * c", "2:1-2:10"),
        ("(a + b) * (c)", "2:1-2:14"),
        ("-a.b(c)[d]", "2:1-2:11"),
        ("x as Tensor<f32, 3>", "2:1-2:20"),
        ("zeros::<f32, 3>()", "2:1-2:18"),
        ("..", "2:1-2:3"),
        ("1..=x.0", "2:1-2:8"),
        ("if a { b } else { c }", "2:1-2:22"),
        // A body may be long.
        ("for i in 0..3 { f(i) }", "2:1-2:4"),
        ("'a: while b { break 'a; }", "2:5-2:10"),
        ("break 'a", "2:1-2:9"),
        ("break 'a x", "2:1-2:11"),
        ("continue 'a", "2:1-2:12"),
        ("S { a, ..b }", "2:1-2:13"),
        ("pad!(x, low = [1])", "2:1-2:19"),
        ("|a, b| a + b", "2:1-2:13"),
        ("return x", "2:1-2:9"),
        ("&x", "2:1-2:3"),
        ("a = b", "2:1-2:6"),
        ("x << 2", "2:1-2:7"),
    ] {
        let (outcome, value) = value(body);
        assert_eq!(range(&outcome, value.span), expected, "of `{body}`");
    }
}

#[test]
fn operators_lean_as_in_rust() {
    let (outcome, value) = value("a - b && c");
    let ExprKind::Binary {
        operator: BinaryOperator::LazyAnd,
        operator_span,
        lhs,
        ..
    } = value.kind
    else {
        panic!("`&&`, found {value:?}");
    };
    assert_eq!(range(&outcome, operator_span), "2:7-2:9");
    assert!(matches!(
        lhs.kind,
        ExprKind::Binary {
            operator: BinaryOperator::Subtract,
            ..
        }
    ));
}

#[test]
fn compound_assignment_keeps_its_operator() {
    let (_, value) = value("x <<= 2");
    let ExprKind::Assign { operator, .. } = value.kind else {
        panic!("an assignment, found {value:?}");
    };
    assert_eq!(
        operator.map(|(operator, _)| operator),
        Some(BinaryOperator::ShiftLeft)
    );
}

#[test]
fn literals() {
    let float = |value, digits: &str| LiteralKind::Float(value, digits.to_owned());
    let integer = |value| LiteralKind::Integer(Some(value));
    for (body, kind, suffix) in [
        ("1_000", integer(1000), None),
        ("0xffu8", integer(255), Some("u8")),
        ("1f32", float(1.0, "1"), Some("f32")),
        ("2bf16", float(2.0, "2"), Some("bf16")),
        ("2.5_0", float(2.5, "2.50"), None),
        ("1e3f64", float(1000.0, "1e3"), Some("f64")),
        ("true", LiteralKind::Bool(true), None),
        ("\"a\\n\"", LiteralKind::String("a\n".to_owned()), None),
        (
            "340282366920938463463374607431768211456",
            LiteralKind::Integer(None),
            None,
        ),
    ] {
        let (_, value) = value(body);
        let ExprKind::Literal(literal) = value.kind else {
            panic!("a literal, found {value:?}");
        };
        assert_eq!(literal.kind, kind, "of `{body}`");
        assert_eq!(literal.suffix.as_deref(), suffix, "of `{body}`");
    }
}

#[test]
fn a_minus_stays_an_operator() {
    let (_, value) = value("-1");
    assert!(matches!(
        value.kind,
        ExprKind::Unary(UnaryOperator::Negate, _)
    ));
}

#[test]
fn the_minus_of_a_generic_argument_is_an_operator() {
    let (outcome, value) = value("zeros::<f32, -1>()");
    assert!(outcome.report.is_empty());
    let ExprKind::Call { callee, .. } = value.kind else {
        panic!("a call, found {value:?}");
    };
    let text = format!("{:?}", callee.kind);
    assert!(
        text.contains("Unary(Negate") && text.contains("Integer(Some(1))"),
        "{text}"
    );
}

#[test]
fn targets_of_assignments_may_be_taken_apart() {
    let (outcome, value) = value("(a, _, [b.c, self.d], T { e: f, .. }) = x");
    assert!(outcome.report.is_empty());
    let ExprKind::Assign { place, .. } = value.kind else {
        panic!("an assignment, found {value:?}");
    };
    let ExprKind::Tuple(parts) = place.kind else {
        panic!("a tuple, found {place:?}");
    };
    assert!(matches!(parts[1].kind, ExprKind::Wildcard));
    assert!(matches!(parts[2].kind, ExprKind::Array(_)));
    assert!(matches!(
        parts[3].kind,
        ExprKind::Struct { base: Some(_), .. }
    ));
}

#[test]
fn macros_have_positions_names_and_steps() {
    let (_, value) =
        value("conv!(x, 1..3;2, .., ..;k, a == b, strides = [1, 2], r#type = \"NHWC\",)");
    let ExprKind::Macro {
        name,
        positional,
        named,
    } = value.kind
    else {
        panic!("a macro, found {value:?}");
    };
    assert_eq!(name.text(), "conv");
    let steps: Vec<_> = positional.iter().map(|one| one.step.is_some()).collect();
    assert_eq!(steps, [false, true, false, true, false]);
    let names: Vec<_> = named.iter().map(|one| one.name.name.as_str()).collect();
    assert_eq!(names, ["strides", "type"]);
}

#[test]
fn generic_arguments_are_types_or_constants() {
    let (_, value) = value("x as Tensor<f32, 3, M, {2 * N}, _>");
    let ExprKind::Cast(
        _,
        Type {
            kind: TypeKind::Path(path),
            ..
        },
    ) = value.kind
    else {
        panic!("a conversion to a path, found {value:?}");
    };
    let arguments = &path.last().expect("a segment").arguments;
    let kinds: Vec<_> = arguments
        .iter()
        .map(|argument| match argument {
            GenericArgument::Type(Type {
                kind: TypeKind::Path(path),
                ..
            }) => path.text(),
            GenericArgument::Type(Type {
                kind: TypeKind::Infer,
                ..
            }) => "_".to_owned(),
            GenericArgument::Const(Expr {
                kind: ExprKind::Literal(_),
                ..
            }) => "literal".to_owned(),
            GenericArgument::Const(Expr {
                kind: ExprKind::Binary { .. },
                ..
            }) => "product".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["f32", "literal", "M", "product", "_"]);
}

#[test]
fn blocks_have_statements_and_a_value() {
    let (_, value) =
        value("{ let (mut a, [b, _]): T; if c { a } a = b;; s!(a); const K: usize = 1; x }");
    let ExprKind::Block(block) = value.kind else {
        panic!("a block, found {value:?}");
    };
    let kinds: Vec<_> = block
        .statements
        .iter()
        .map(|statement| match statement {
            Statement::Let { value: None, .. } => "declaration",
            Statement::Let { .. } => "let",
            Statement::Expr(_) => "expression",
            Statement::Const(_) => "const",
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "declaration",
            "expression",
            "expression",
            "expression",
            "const"
        ]
    );
    assert!(block.value.is_some());
}

#[test]
fn functions_as_parameters() {
    let source = "mod m {
        struct P;
        impl P {}
        #[kernel]
        fn f<T: Float + Element, const N: usize>(g: impl Fn(T, [T; N]) -> (T,), s: &str) {}
    }";
    let outcome = Outcome::of("", source);
    assert_eq!(outcome.mistakes(), [""; 0]);
    let module = outcome.parsed.expect("a program").module;
    let [kernel] = module.kernels.as_slice() else {
        panic!("one kernel, found {:?}", module.kernels);
    };
    let [float, size] = kernel.generics.as_slice() else {
        panic!("two parameters, found {:?}", kernel.generics);
    };
    assert!(matches!(&float.kind, GenericKind::Type(bounds) if bounds.len() == 2));
    assert!(matches!(size.kind, GenericKind::Dimension));
    let kinds: Vec<_> = kernel.parameters.iter().map(|one| &one.ty.kind).collect();
    let [
        TypeKind::Function { parameters, result },
        TypeKind::Reference(_),
    ] = kinds.as_slice()
    else {
        panic!("a function and a reference, found {kinds:?}");
    };
    assert_eq!((parameters.len(), result.is_some()), (2, true));
}

#[test]
fn where_globals_come_from() {
    let source = "mod m {
        impl P {}
        struct P {
            #[global] a: T,
            #[global(immutable)] b: T,
            #[global(immutable, init = f(1))] c: T,
            #[global(uninit)] d: T,
            #[global(parameter = \"w\", immutable)] e: T,
            #[global(alias = a.b.0[1])] f: T,
            #[iree_dsl::global(init = 0,)] #[doc = \"x\"] g: T,
        }
    }";
    let outcome = Outcome::of("", source);
    assert_eq!(outcome.mistakes(), [""; 0]);
    let program = outcome.parsed.and_then(|parsed| parsed.module.program);
    let globals = program.expect("a program").globals;
    let kinds: Vec<_> = globals
        .iter()
        .map(|global| {
            let init = match &global.init {
                GlobalInit::Zero => "zero",
                GlobalInit::Value(_) => "value",
                GlobalInit::Uninit => "uninit",
                GlobalInit::Parameter(..) => "parameter",
                GlobalInit::Alias(_) => "alias",
                GlobalInit::Error => "error",
            };
            (init, global.immutable)
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("zero", false),
            ("zero", true),
            ("value", true),
            ("uninit", false),
            ("parameter", true),
            ("alias", false),
            ("value", false),
        ]
    );
}

#[test]
fn groups_without_delimiters_leave_no_trace() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    let inner: TokenStream = "a + b".parse().expect("tokens");
    let group = TokenTree::Group(Group::new(Delimiter::None, inner));
    let item = quote::quote!(mod m { struct P; impl P { fn f(&self) -> T { #group * c } } });
    let mut spans = crate::span::SpanTable::new();
    let mut report = crate::diagnostic::Report::default();
    let source = crate::parse::Source::attributed(
        crate::parse::ModuleKind::Program,
        TokenStream::new(),
        item,
    );
    let parsed = crate::parse::parse(&source, &mut spans, &mut report);
    assert!(report.is_empty(), "{:?}", report.diagnostics());
    let module = parsed.expect("a program").module;
    let value = module.procedures.first().and_then(|one| match &one.body {
        Body::Block(block) => block.value.as_deref(),
        Body::Mlir(_) | Body::Import => None,
    });
    assert!(matches!(
        value.map(|value| &value.kind),
        Some(ExprKind::Binary {
            operator: BinaryOperator::Multiply,
            ..
        })
    ));
}

#[test]
fn variables_that_nothing_names_are_unused() {
    for (body, expected) in [
        ("let a = x; let b = a;", "b"),
        ("let (a, [b, _c]) = x; a", "b"),
        ("let a = x; let a = a + 1; a", ""),
        ("let a = 1; for i in 0..3 { let b = a; } let a = 2;", "a b"),
        ("let a = 1; let f = |x| { let b = a; x }; f(2)", "b"),
        ("let Pair { a, b } = x; let c = trace!(\"c\", a);", "c"),
        (
            "let a; let b; let c; if x { a = 1; } y[b] = z.f::<c>();",
            "",
        ),
        (
            "let a = 3; let b = 4; let d: Tensor<f32, a> = e as Tensor<f32, { b + 1 }>; d",
            "",
        ),
    ] {
        let outcome = Outcome::of("", &with_body(body));
        let module = outcome.parsed.expect("a program").module;
        let unused = module
            .procedures
            .iter()
            .flat_map(Function::unused_variables);
        let unused: Vec<_> = unused.map(|name| name.name).collect();
        assert_eq!(unused.join(" "), expected, "in `{body}`");
    }
}

#[test]
fn statements_that_only_compute_are_unused() {
    for (body, expected) in [
        ("x.sort(0); x", 1),
        ("x + 1.0; -x; x as f64; x", 3),
        (
            "if x.any() { x.exp(); } for i in 0..3 { (x * i).sum(); } x",
            2,
        ),
        ("let f = |x| { x.exp(); x }; f(x)", 1),
        ("self.step(x); self.step(x) * 2.0; x", 0),
        ("x += 1.0; let y = x.exp(); y.sort(0)", 0),
        (
            "update(x); update(x).exp(); assert!(true, \"no\"); x.reduce(0, 0, add); x",
            0,
        ),
        ("x < { return x; }; x", 0),
    ] {
        let outcome = Outcome::of("", &with_body(body));
        let module = outcome.parsed.expect("a program").module;
        let procedures = module.procedures.iter();
        let unused = procedures.flat_map(Function::unused_results);
        assert_eq!(unused.count(), expected, "in `{body}`");
    }
}
