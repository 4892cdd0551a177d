//! What it costs to trace and lower a straight line of operations, which should grow as their number.

use iree_dsl_compiler::{
    ast::Program,
    diagnostic::Report,
    lower::lower,
    parse::{ModuleKind, Parsed, Source, parse},
    span::SpanTable,
    trace::trace,
    verify::verify,
};
use proc_macro2::TokenStream;
use quote::quote;
use std::time::{Duration, Instant};

const RUNS: usize = 5;

fn main() {
    println!("operations  parsed, traced and lowered in");
    let [short, long] = [2_000, 20_000].map(|count| {
        let time = best(&straight_line(count));
        println!("{count:>10}  {:>7.1} ms", time.as_secs_f64() * 1e3);
        time
    });
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    println!("10 times as many operations take {ratio:.1} times as long");
}

/// A program with one procedure of so many operations, four a line.
fn straight_line(operations: usize) -> TokenStream {
    let lines = (0..operations / 4).map(|line| {
        let factor = 0.5 + line as f32;
        quote!(y = (y * w + #factor - x).tanh();)
    });
    quote! {
        mod line {
            pub struct Line {
                #[global]
                w: Tensor<f32, 64>,
            }

            impl Line {
                pub fn run(&self, x: Tensor<f32, 64>) -> Tensor<f32, 64> {
                    let w = self.w;
                    let mut y = x;
                    #(#lines)*
                    y
                }
            }
        }
    }
}

fn best(program: &TokenStream) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        let text = compile(program.clone());
        assert!(text.contains("func.func public @run"), "{text}");
        start.elapsed()
    });
    times.min().expect("there are runs")
}

/// The MLIR of a program.
fn compile(tokens: TokenStream) -> String {
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), tokens);
    let Some(Parsed { module, .. }) = parse(&source, &mut spans, &mut report) else {
        panic!("{report:?}");
    };
    let traced = trace(&Program::new(module), &spans, &mut report);
    assert!(report.is_empty(), "{report:?}");
    let verified = verify(traced.module).expect("the module is right");
    lower(&verified, None).expect("the module is lowered")
}
