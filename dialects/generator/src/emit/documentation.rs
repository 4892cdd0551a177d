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
        text.push_str(&indented_lists(&plain_code_blocks(description)));
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

/// Indents the lines of list items that go on without indentation, as rustdoc wants them.
fn indented_lists(markdown: &str) -> String {
    let mut is_code = false;
    let mut is_item = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        let text = line.trim_start();
        is_code ^= text.starts_with("```");
        let is_start = text.starts_with("- ") || text.starts_with("* ");
        let is_plain = text.len() == line.len() && !text.is_empty() && !text.starts_with("```");
        is_item = !is_code && !text.is_empty() && (is_start || is_item);
        if is_item && is_plain && !is_start {
            lines.push(format!("  {line}"));
        } else {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{indented_lists, plain_code_blocks};

    #[test]
    fn items_of_lists_go_on_with_indentation() {
        assert_eq!(
            indented_lists("A list:\n- one\ntwo\n- three\n\nfour\n```text\n- five\nsix\n```"),
            "A list:\n- one\n  two\n- three\n\nfour\n```text\n- five\nsix\n```"
        );
    }

    #[test]
    fn code_blocks_are_plain_text() {
        assert_eq!(
            plain_code_blocks("a\n```mlir\n%0 = x\n```\nb"),
            "a\n```text\n%0 = x\n```\nb"
        );
    }
}
