//! The expansion as text, and the same after mistakes.

use super::{Context, compile_errors, expand, module, stand_in, warnings};
use crate::{
    artifact::{Compiled, Reproducer},
    ast::ModuleId,
    diagnostic::{Code, Diagnostic, Remark, Report},
    interface::{
        HostAlias, HostArgument, HostConst, HostElement, HostLength, HostType, Interface,
        ProcedureInterface, TreeInterface,
    },
    parse::{Host, ModuleKind, Source, parse},
    span::{SpanId, SpanTable},
};
use iree_abi::{
    DType, Dim, FunctionSignature, Leaf, Parameter, Shape, Signature, Site, SuppliedParameter,
    TensorType,
};
use proc_macro2::TokenStream;
use quote::quote;

const PROGRAM: &str = r#"
    /// A program.
    pub mod small {
        use super::*;

        /// A size.
        pub const SIZE: usize = 4;
        pub(crate) const RATE: f16 = 0.1;
        const HIDDEN: usize = 5;
        pub type Row<const N: usize> = f32;

        /// A tree.
        #[derive(Clone)]
        pub struct Layer<const N: usize, T: Float> {
            /// The weights.
            pub r#type: Tensor<T, N>,
            pub(crate) pair: [(Tensor<T>, Tensor<bool, N>); 2],
        }

        pub struct Wrapper<T> {
            pub inner: T,
        }

        /// The program.
        pub struct Small {
            #[global]
            layer: Layer<4, f32>,
        }

        impl Small {
            /// Reads.
            pub fn get(&self) -> Layer<4, f32> {
                self.layer
            }

            pub fn set(
                &mut self,
                call: Layer<4, f32>,
                pairs: [(Tensor<f16, 2, 2>, Tensor<Complex<f64>>); 3],
            ) {
                self.layer = call;
            }
        }
    }
"#;

fn host(program: &str) -> Host {
    let mut report = Report::default();
    let tokens = program.parse().unwrap();
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), tokens);
    let parsed = parse(&source, &mut SpanTable::new(), &mut report);
    assert!(report.is_empty(), "{report:?}");
    parsed.unwrap().host
}

/// A module with what is in it.
fn whole(
    program: &str,
    interface: &Interface,
    artifacts: &[Compiled],
    root: &TokenStream,
) -> TokenStream {
    let host = &host(program);
    let content = expand(&Context {
        host,
        interface,
        artifacts,
        text: None,
        description: None,
        paths: &[],
        manifest: None,
        root,
    });
    module(host, &content)
}

fn array(element: HostElement, rank: usize) -> HostType {
    HostType::Array { element, rank }
}

fn known(dtype: DType) -> HostElement {
    HostElement::Known(dtype)
}

fn leaf(path: &str, dtype: DType, shape: impl Into<Shape>) -> Leaf {
    Leaf {
        path: path.into(),
        ty: TensorType::new(dtype, shape),
    }
}

fn interface() -> Interface {
    let parameter = || HostElement::Parameter("T".into());
    let pair = HostType::Tuple(vec![array(parameter(), 0), array(known(DType::Bool), 1)]);
    let layer = || HostType::Tree {
        module: ModuleId::ROOT,
        name: "Layer".into(),
        arguments: vec![
            HostArgument::Length(HostLength::Known(4)),
            HostArgument::Element(known(DType::F32)),
        ],
    };
    let pairs = HostType::Tuple(vec![
        array(known(DType::F16), 2),
        array(known(DType::C128), 0),
    ]);
    let pairs = HostType::List(Box::new(pairs), HostLength::Known(3));
    Interface {
        imported_trees: Vec::new(),
        consts: vec![
            ("SIZE".to_owned(), HostConst::Integer(4, None)),
            ("RATE".to_owned(), HostConst::Float(0.1, DType::F16)),
        ],
        aliases: vec![("Row".to_owned(), HostAlias::Element(DType::F32))],
        trees: vec![
            TreeInterface {
                name: "Layer".into(),
                fields: vec![
                    ("type".into(), array(parameter(), 1)),
                    (
                        "pair".into(),
                        HostType::List(Box::new(pair), HostLength::Known(2)),
                    ),
                ],
                defaults: Vec::new(),
            },
            TreeInterface {
                name: "Wrapper".into(),
                fields: vec![("inner".into(), HostType::Parameter("T".into()))],
                defaults: Vec::new(),
            },
        ],
        procedures: vec![
            ProcedureInterface {
                name: "get".into(),
                parameters: Vec::new(),
                result: layer(),
            },
            ProcedureInterface {
                name: "set".into(),
                parameters: vec![("call".into(), layer()), ("pairs".into(), pairs)],
                result: HostType::Tuple(Vec::new()),
            },
        ],
        signature: signature(),
        files: vec!["/data/w.npy".into()],
    }
}

/// Shorter than the truth, which the expansion does not look at.
fn signature() -> Signature {
    let function = |name: &str, parameters, results| FunctionSignature {
        name: name.into(),
        parameters,
        results,
        requirements: Vec::new(),
    };
    let run_time = Shape::new(vec![Dim::named("B"), Dim::Static(4)]);
    let call = Parameter {
        name: "call".into(),
        leaves: vec![
            leaf("type", DType::F32, [4]),
            leaf("pair.0.1", DType::Bool, run_time),
        ],
    };
    Signature {
        name: "small".into(),
        functions: vec![
            function("get", Vec::new(), vec![leaf("type", DType::F32, [4])]),
            function("set", vec![call], Vec::new()),
        ],
        parameters: vec![SuppliedParameter {
            scope: "model".into(),
            key: "type".into(),
            ty: leaf("", DType::F32, [4]).ty,
            mutable: true,
        }],
        state: vec![leaf("type", DType::F32, [4])],
        imports: vec![function("ask", Vec::new(), Vec::new())],
        sites: vec![Site {
            text: "loss".into(),
            place: "src/main.rs:3:9".into(),
            dtypes: vec![DType::U8],
        }],
    }
}

fn artifacts() -> [Compiled; 2] {
    ["cpu-x86-64", "cpu-x86-64-v4"].map(|target| Compiled {
        target: target.into(),
        vmfb: format!("/cache/{target}/artifact.vmfb").into(),
        flags: Vec::new(),
        compiler: String::new(),
        compiler_path: "/bin/iree-compile".into(),
        fallback: None,
        reproducer: Reproducer::default(),
        mlir: "/cache/0/program.mlir".into(),
    })
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

fn root() -> TokenStream {
    quote!(::iree_dsl)
}

#[test]
fn a_remark_is_a_note_of_something_deprecated() {
    let remark = Remark {
        topic: "compiled_slower",
        span: SpanId::CALL_SITE,
        text: "each operation by itself".to_owned(),
    };
    let text = warnings(&[remark], &SpanTable::new()).to_string();
    assert!(
        text.contains("note = \"each operation by itself\""),
        "{text}"
    );
    assert!(text.contains("fn compiled_slower"), "{text}");
}

#[test]
fn a_program_has_its_api() {
    let expansion = whole(PROGRAM, &interface(), &artifacts(), &root());
    insta::assert_snapshot!(pretty(expansion));
}

#[test]
fn unknown_types_are_guessed() {
    let expansion = whole(PROGRAM, &Interface::default(), &[], &root());
    insta::assert_snapshot!(pretty(expansion));
}

#[test]
fn the_crate_may_have_another_name() {
    let expansion = whole(PROGRAM, &interface(), &[], &quote!(::other)).to_string();
    assert!(!expansion.contains("iree_dsl"));
}

#[test]
fn of_two_items_with_one_name_the_first_is_there() {
    let program = "mod m { struct P; impl P { pub fn load(&self) {} pub fn f(&self) {} \
        pub fn f(&mut self) {} } struct T { a: Tensor<f32>, a: Tensor<f32> } struct T; }";
    let expansion = pretty(whole(program, &Interface::default(), &[], &root()));
    for item in [
        "fn load(",
        "fn f(",
        "struct T ",
        "\n        a: ::iree_dsl::DeviceArray",
    ] {
        assert_eq!(expansion.matches(item).count(), 1, "{item} in {expansion}");
    }
}

#[test]
fn mistakes_become_compile_errors_with_all_their_lines() {
    let mut report = Report::default();
    let mistake = Diagnostic::new(Code::ShapeMismatch, SpanId::CALL_SITE, "cannot multiply");
    report.push(mistake.note("in the kernel `f`").help("transpose `b`"));
    report.push(Diagnostic::new(Code::Syntax, SpanId::CALL_SITE, "no"));
    let errors = compile_errors(&report, &SpanTable::new());
    let expected = quote! {
        ::core::compile_error! {
            "[shape-mismatch] cannot multiply\nnote: in the kernel `f`\nhelp: transpose `b`"
        }
        ::core::compile_error! { "[syntax] no" }
    };
    assert_eq!(errors.to_string(), expected.to_string());
}

#[test]
fn what_cannot_be_read_leaves_a_module_behind() {
    let module = quote!(#[doc = "d"] pub(crate) mod broken { what is this });
    let expected = quote!(
        #[doc = "d"]
        pub(crate) mod broken {}
    );
    assert_eq!(stand_in(&module).to_string(), expected.to_string());
    assert!(
        stand_in(&quote!(
            struct S {
                x: Tensor<f32>,
            }
        ))
        .is_empty()
    );
}
