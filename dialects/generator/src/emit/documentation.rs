//! Documentation of generated items.

use proc_macro2::TokenStream;
use quote::quote;

use crate::Operation;

/// Longer descriptions are essays on syntax and verification, better read upstream.
const DESCRIPTION_LINES: usize = 16;

/// The attributes that document an item with a text.
pub(super) fn comment(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!(" {line}")
        }
    });

    quote!(#(#[doc = #lines])*)
}

/// The documentation of an operation's view.
pub(super) fn view(operation: &Operation) -> TokenStream {
    let name = &operation.name;
    let mut text = if operation.summary.is_empty() {
        format!("`{name}`.")
    } else {
        format!("`{name}`: {}.", operation.summary.trim_end_matches('.'))
    };

    let description = &operation.description;
    if !description.is_empty() && description.lines().count() <= DESCRIPTION_LINES {
        text.push_str("\n\n");
        text.push_str(&plain_code_blocks(description));
    }

    comment(&text)
}

/// Marks code blocks as not being Rust, so that they are no documentation tests.
fn plain_code_blocks(markdown: &str) -> String {
    let mut inside = false;

    markdown
        .lines()
        .map(|line| {
            if !line.trim_start().starts_with("```") {
                return line;
            }

            inside = !inside;
            if inside { "```text" } else { "```" }
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::plain_code_blocks;

    #[test]
    fn code_blocks_are_plain_text() {
        assert_eq!(
            plain_code_blocks("a\n```mlir\n%0 = x\n```\nb"),
            "a\n```text\n%0 = x\n```\nb"
        );
    }
}
