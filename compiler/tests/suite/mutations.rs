//! Programs with random mistakes: whatever the tokens are, every stage up to MLIR ends, with mistakes of
//! the user or with a module, and never with one of ours.
//!
//! What the tests, the guide and the examples have of programs is the seed; tokens of it are removed,
//! repeated, exchanged, and replaced by others. `IREE_DSL_MUTATIONS` says how many programs are tried, and
//! `IREE_DSL_MUTATION_SEED` which.

use iree_dsl_compiler::{
    diagnostic::{Code, Report},
    link::{Unlinked, link},
    lower::lower,
    parse::{ModuleKind, Source, parse},
    span::SpanTable,
    trace::trace,
    verify::verify,
};
use libtest_mimic::{Failed, Trial};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::{
    any::Any,
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How many programs are tried where nothing says so.
const MUTATIONS: u64 = 400;

/// No program of the seeds takes a hundredth of this.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Tokens that programs have seldom.
const RARE: &str = "0 - 1 18446744073709551615 340282366920938463463374607431768211455 1e400 2.5f16 \
    f64 bool i8 usize Complex _ .. ..= ;2 'a || ! \"\" \"...\" s![..] [] () {} self return break continue";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("mutations/seeds", try_seeds),
        Trial::test("mutations/programs", try_programs),
    ]
}

/// Many seeds are programs without mistakes, whose mutations may reach the last stage.
fn try_seeds() -> Result<(), Failed> {
    let seeds = seeds();
    let mut lowered = 0;
    for seed in &seeds {
        lowered += usize::from(run_stages(seed.clone())?);
    }
    match lowered > 40 {
        true => Ok(()),
        false => Err(format!("only {lowered} of {} seeds are programs", seeds.len()).into()),
    }
}

fn try_programs() -> Result<(), Failed> {
    let seeds = seeds();
    let pool: Vec<TokenTree> = seeds
        .iter()
        .flat_map(|seed| flat(seed.clone()))
        .chain(flat(RARE.parse().map_err(|error| format!("{error}"))?))
        .collect();
    let number = |name: &str| env::var(name).ok().and_then(|value| value.parse().ok());
    let count = number("IREE_DSL_MUTATIONS").unwrap_or(MUTATIONS);
    let first = number("IREE_DSL_MUTATION_SEED").unwrap_or(0);
    for run in first..first + count {
        let mut random = Random(run);
        let mut program = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(3) {
            program = mutated(program, &pool, &mut random);
        }
        let text = program.to_string();
        if let Err(mistake) = run_stages(program) {
            return Err(format!("run {run}: {mistake}, in\n{text}").into());
        }
    }
    Ok(())
}

/// Runs the stages, and tells whether there was a module in the end; what is wrong is a mistake of ours.
fn run_stages(program: TokenStream) -> Result<bool, String> {
    let start = Instant::now();
    let stages = AssertUnwindSafe(|| stages(program));
    let lowered = catch_unwind(stages).unwrap_or_else(|panic| Err(reason(&*panic)))?;
    match start.elapsed() {
        elapsed if elapsed > TIME_LIMIT => Err(format!("it took {elapsed:?}")),
        _ => Ok(lowered),
    }
}

fn reason(panic: &dyn Any) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| Some((*panic.downcast_ref::<&str>()?).to_owned()));
    format!("a panic: {}", text.unwrap_or_default())
}

fn stages(program: TokenStream) -> Result<bool, String> {
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), program);
    let Some(parsed) = parse(&source, &mut spans, &mut report) else {
        return match report.is_empty() {
            true => Err("nothing was read, and nothing said".to_owned()),
            false => Ok(false),
        };
    };
    // What is imported only `rustc` brings.
    if !parsed.module.imports.is_empty() {
        return Ok(false);
    }
    let root = Unlinked {
        module: parsed.module,
        uses: Vec::new(),
    };
    let program = link(root, Vec::new(), &mut report);
    let traced = trace(&program, &spans, &mut report);
    let mut mistakes = report.diagnostics().iter();
    if let Some(internal) = mistakes.find(|mistake| mistake.code == Code::Internal) {
        return Err(internal.message.clone());
    }
    if !report.is_empty() {
        return Ok(false);
    }
    let verified = verify(traced.module).map_err(|errors| format!("{errors:?}"))?;
    lower(&verified, None).map_err(|error| error.to_string())?;
    Ok(true)
}

/// The programs of the tests, the guide and the examples.
fn seeds() -> Vec<TokenStream> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["dsl/tests", "examples", "guide/src"] {
        find(&root.join(folder), &mut files);
    }
    files.sort();
    files.iter().flat_map(|file| programs(file)).collect()
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_text = path
            .extension()
            .is_some_and(|extension| extension == "rs" || extension == "md");
        if path.is_dir() {
            find(&path, files);
        } else if is_text {
            files.push(path);
        }
    }
}

fn programs(file: &Path) -> Vec<TokenStream> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let is_page = file.extension().is_some_and(|extension| extension == "md");
    let listings: Vec<&str> = match is_page {
        true => text.split("```").skip(1).step_by(2).collect(),
        false => vec![&text],
    };
    let listings = listings
        .into_iter()
        .map(|listing| {
            listing
                .split_once('\n')
                .filter(|_| is_page)
                .map_or(listing, |(_, code)| code)
        })
        .filter_map(|listing| listing.parse::<TokenStream>().ok());
    listings.flat_map(modules).collect()
}

/// The modules below `#[program]`, without the attribute.
fn modules(listing: TokenStream) -> Vec<TokenStream> {
    let mut modules = Vec::new();
    let mut tokens = listing.into_iter();
    while let Some(token) = tokens.next() {
        let TokenTree::Group(attribute) = &token else {
            continue;
        };
        if attribute.delimiter() != Delimiter::Bracket
            || attribute.stream().to_string() != "program"
        {
            continue;
        }
        let mut module = Vec::new();
        for token in tokens.by_ref() {
            let is_body =
                matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            module.push(token);
            if is_body {
                break;
            }
        }
        modules.push(TokenStream::from_iter(module));
    }
    modules
}

/// Every token, those inside groups and the groups themselves.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let tokens = tokens.into_iter();
    tokens
        .flat_map(|token| {
            let inside = match &token {
                TokenTree::Group(group) => flat(group.stream()),
                _ => Vec::new(),
            };
            std::iter::once(token).chain(inside)
        })
        .collect()
}

/// The program with one mutation, inside the braces of its module.
fn mutated(program: TokenStream, pool: &[TokenTree], random: &mut Random) -> TokenStream {
    let count = flat(program.clone()).len();
    let mut place = random.below(count);
    change(program, &mut place, &mut |tokens, at| {
        let other = pool[random.below(pool.len())].clone();
        match random.below(5) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let with = random.below(tokens.len());
                tokens.swap(at, with);
            }
            3 => tokens[at] = other,
            _ => tokens.insert(at, other),
        }
    })
}

/// Changes the token at a place, counted as [`flat`] lists them.
fn change(
    tokens: TokenStream,
    place: &mut usize,
    mutation: &mut dyn FnMut(&mut Vec<TokenTree>, usize),
) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for at in 0..tokens.len() {
        if *place == 0 {
            *place = usize::MAX;
            mutation(&mut tokens, at);
            break;
        }
        *place -= 1;
        if let TokenTree::Group(group) = &tokens[at] {
            let inside = change(group.stream(), place, mutation);
            tokens[at] = Group::new(group.delimiter(), inside).into();
            if *place == usize::MAX {
                break;
            }
        }
    }
    tokens.into_iter().collect()
}

/// SplitMix64: the same numbers for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) as usize % count
    }
}
