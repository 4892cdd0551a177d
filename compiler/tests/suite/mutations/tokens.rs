//! Programs to start from, and random changes of their tokens.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Tokens that programs have seldom.
const RARE: &str = "0 - 1 18446744073709551615 340282366920938463463374607431768211455 1e400 2.5f16 \
    f64 bool i8 usize Complex _ .. ..= ;2 'a || ! \"\" \"...\" s![..] [] () {} self return break continue";

/// The programs of the tests, the guide and the examples.
pub(crate) fn seeds() -> Vec<TokenStream> {
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

/// What is put into programs: every token of some of them, and those that they have seldom.
pub(crate) fn pool(seeds: &[TokenStream]) -> Vec<TokenTree> {
    let rare = RARE.parse().into_iter().flat_map(flat);
    let tokens = seeds.iter().flat_map(|seed| flat(seed.clone()));
    tokens.chain(rare).collect()
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
pub(crate) fn mutated(
    program: TokenStream,
    pool: &[TokenTree],
    random: &mut Random,
) -> TokenStream {
    let count = flat(program.clone()).len();
    if count == 0 || pool.is_empty() {
        return program;
    }
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
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) as usize % count
    }
}
