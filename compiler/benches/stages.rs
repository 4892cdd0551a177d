//! What it costs to trace and lower programs, which should grow as they do, and a decoder, with and without the
//! text that says where its operations come from.

use iree_dsl_compiler::{
    ast::Program,
    diagnostic::Report,
    legalize::{Legalized, Manner, legalize},
    lower::{lower, lower_located},
    machine::Machine,
    parse::{ModuleKind, Parsed, Source, parse},
    span::SpanTable,
    trace::trace,
};
use iree_dsl_ir::verify::{Verified, verify};
use proc_macro2::TokenStream;
use quote::quote;
use std::time::{Duration, Instant};

const RUNS: usize = 5;

fn main() {
    growth("operations", straight_line, 2_000);
    growth("branches over variables", branches, 200);
    growth("branches over globals", stores, 200);
    growth("parts of a global replaced", parts, 200);
    growth("loops over globals", |count| loops(count, 1), 200);
    growth("loops over two globals each", |count| loops(count, 2), 200);
    locations();
}

/// Times a program of some size, and one that is ten times as large.
fn growth(what: &str, program: impl Fn(usize) -> TokenStream, count: usize) {
    println!("{what}, in milliseconds:");
    println!(
        "{:>10}  {}",
        "",
        NAMES.map(|name| format!("{name:>10}")).concat()
    );
    let [small, large] = [count, 10 * count].map(|count| {
        let times = stages(&program(count));
        row(
            &count.to_string(),
            times.map(|time| time.as_secs_f64() * 1e3),
        );
        times
    });
    let mut ratios = [0.0; 4];
    for (ratio, (small, large)) in ratios.iter_mut().zip(small.iter().zip(large)) {
        *ratio = large.as_secs_f64() / small.as_secs_f64();
    }
    row("times", ratios);
    println!();
}

fn row(what: &str, numbers: [f64; 4]) {
    println!(
        "{what:>10}  {}",
        numbers.map(|number| format!("{number:>10.1}")).concat()
    );
}

/// What is timed of a program.
const NAMES: [&str; 4] = ["traced", "legalized", "lowered", "together"];

/// How long it takes to parse, trace and verify a program, to legalize it and to lower it, and all of that.
fn stages(program: &TokenStream) -> [Duration; 4] {
    let tracing = best_of(|| drop(traced(program.clone())));
    let (program, _) = traced(program.clone());
    let legalizing = best_of(|| drop(legalized(&program)));
    let legalized = legalized(&program);
    let lowering = best_of(|| {
        let text = lower(&legalized, None).expect("the module is lowered");
        assert!(text.contains("func.func public @run"), "{text}");
    });
    [
        tracing,
        legalizing,
        lowering,
        tracing + legalizing + lowering,
    ]
}

/// Prints what each part of a build of a decoder costs.
fn locations() {
    let tokens = decoder();
    let traced = best_of(|| drop(traced(tokens.clone())));
    let (program, spans) = self::traced(tokens);
    let legal = best_of(|| drop(legalized(&program)));
    let legalized = legalized(&program);
    let lowered = best_of(|| drop(lower(&legalized, None)));
    let both = best_of(|| drop(lower_located(&legalized, Machine::default(), &spans)));
    println!("a decoder of {BLOCKS} blocks:");
    for (what, time) in [
        ("parsed, traced and verified", traced),
        ("legalized", legal),
        ("lowered, without places", lowered),
        ("lowered, with and without places", both),
    ] {
        println!("{what:>34}  {:>7.1} ms", time.as_secs_f64() * 1e3);
    }
}

const BLOCKS: usize = 12;

/// As large as the small ones that are published.
fn decoder() -> TokenStream {
    quote! {
        mod decoder {
            const DEPTH: usize = #BLOCKS;
            const WIDTH: usize = 768;
            const HEADS: usize = 12;

            pub struct Norm {
                pub scale: Tensor<f32, WIDTH>,
                pub shift: Tensor<f32, WIDTH>,
            }

            pub struct Block {
                pub before: Norm,
                pub qkv: Tensor<f32, WIDTH, {3 * WIDTH}>,
                pub out: Tensor<f32, WIDTH, WIDTH>,
                pub after: Norm,
                pub up: Tensor<f32, WIDTH, {4 * WIDTH}>,
                pub down: Tensor<f32, {4 * WIDTH}, WIDTH>,
            }

            pub struct Decoder {
                #[global]
                blocks: [Block; DEPTH],
            }

            impl Decoder {
                pub fn run(&self, x: Tensor<f32, 64, WIDTH>) -> Tensor<f32, 64, WIDTH> {
                    let mut x = x;
                    for block in self.blocks {
                        x = x + attention(block, norm(block.before, x));
                        let hidden = norm(block.after, x).dot(block.up).gelu();
                        x = x + hidden.dot(block.down);
                    }
                    x
                }
            }

            #[kernel]
            fn norm<const N: usize>(norm: Norm, x: Tensor<f32, N, WIDTH>) -> Tensor<f32, N, WIDTH> {
                let centered = x - x.mean_axis(-1).insert_axis(-1);
                let variance = (centered * centered).mean_axis(-1).insert_axis(-1);
                centered * (variance + 1e-5).rsqrt() * norm.scale + norm.shift
            }

            #[kernel]
            fn attention<const N: usize>(
                block: Block,
                x: Tensor<f32, N, WIDTH>,
            ) -> Tensor<f32, N, WIDTH> {
                let [q, k, v] = x.dot(block.qkv).split(3, -1);
                let q = q.reshape([N, HEADS, -1]);
                let k = k.reshape([N, HEADS, -1]);
                let v = v.reshape([N, HEADS, -1]);
                let scores = einsum!("qhd,khd->hqk", q, k) * 0.125;
                let seen = ones::<f32, 64, 64>().tri_lower() > 0.0;
                let weights = select(seen, scores, -1e9).softmax(-1);
                einsum!("hqk,khd->qhd", weights, v).reshape([N, WIDTH]).dot(block.out)
            }
        }
    }
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

/// A program with so many variables, each of which a branch of its own changes.
fn branches(count: usize) -> TokenStream {
    let names = (0..count).map(|index| quote::format_ident!("v{index}"));
    let names: Vec<_> = names.collect();
    quote! {
        mod branches {
            pub struct Branches;

            impl Branches {
                pub fn run(&self, x: Tensor<i32>) -> Tensor<i32> {
                    #(let mut #names = x + 1;)*
                    #(if #names > 0 { #names += x; })*
                    let mut sum = x;
                    #(sum += #names;)*
                    sum
                }
            }
        }
    }
}

/// The same with globals.
fn stores(count: usize) -> TokenStream {
    let names = (0..count).map(|index| quote::format_ident!("g{index}"));
    let names: Vec<_> = names.collect();
    quote! {
        mod branches {
            pub struct Branches {
                #(#[global] #names: Tensor<i32>,)*
            }

            impl Branches {
                pub fn run(&mut self, x: Tensor<i32>) {
                    #(if x > 0 { self.#names += x; })*
                }
            }
        }
    }
}

/// A program that replaces so many parts of a global.
fn parts(count: usize) -> TokenStream {
    let places = (0..count).map(|index| index % 64);
    quote! {
        mod parts {
            pub struct Parts {
                #[global]
                numbers: Tensor<f32, 64>,
            }

            impl Parts {
                pub fn run(&mut self, x: Tensor<f32>) {
                    #(self.numbers[#places] = x + #places as f32;)*
                }
            }
        }
    }
}

/// A program with so many loops, each of which stores some of eight globals.
fn loops(count: usize, each: usize) -> TokenStream {
    let globals: Vec<_> = (0..8)
        .map(|index| quote::format_ident!("x{index}"))
        .collect();
    let stored = (0..count).map(|first| globals.iter().cycle().skip(first % 8).take(each));
    let stored = stored.map(Iterator::collect::<Vec<_>>);
    quote! {
        mod loops {
            pub struct Loops {
                #(#[global] #globals: Tensor<f32, 16>,)*
            }

            impl Loops {
                pub fn run(&mut self, rounds: Tensor<i32>) {
                    #(for i in range(0, rounds) { #(self.#stored[i] += 1.0;)* })*
                }
            }
        }
    }
}

/// A program with what its passes write.
fn legalized(program: &Verified) -> Legalized {
    legalize(program, &Manner::default()).expect("the module is right")
}

fn best_of(work: impl Fn()) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().expect("there are runs")
}

/// A program, as far as it is lowered.
fn traced(tokens: TokenStream) -> (Verified, SpanTable) {
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), tokens);
    let Some(Parsed { module, .. }) = parse(&source, &mut spans, &mut report) else {
        panic!("{report:?}");
    };
    let traced = trace(&Program::new(module), &spans, &mut report);
    assert!(report.is_empty(), "{report:?}");
    (verify(traced.module).expect("the module is right"), spans)
}
