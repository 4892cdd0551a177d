//! What a test was compiled with, so that it compiles programs likewise: only `rustc` is told which builds of its dependencies
//! it takes.

use proc_macro::TokenStream;
use std::env;

/// The arguments of the `rustc` that expands this which say where its dependencies are, and its edition: a slice of `&str`.
#[proc_macro]
pub fn dependency_arguments(_: TokenStream) -> TokenStream {
    let kept = kept(env::args());
    let tokens = format!("&{kept:?}").parse();
    tokens.unwrap_or_default()
}

fn kept(mut arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    while let Some(argument) = arguments.next() {
        if ["-L", "--extern"].contains(&argument.as_str()) {
            kept.push(argument);
            kept.extend(arguments.next());
        } else if argument.starts_with("--edition=") {
            kept.push(argument);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_says_where_crates_are_is_kept() {
        let line = "rustc --crate-name ui --edition=2024 ui.rs -C debuginfo=1 -L dependency=deps --extern a=deps/liba.rlib --test";
        let kept = super::kept(line.split(' ').map(str::to_owned));
        let expected = "--edition=2024 -L dependency=deps --extern a=deps/liba.rlib";
        assert_eq!(kept.join(" "), expected);
    }
}
