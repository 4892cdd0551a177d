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

    fenced_code_blocks(markdown)
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

/// Puts fences around code that indentation alone shows: after an empty line, and not in a list.
fn fenced_code_blocks(markdown: &str) -> String {
    const INDENTATION: &str = "    ";
    let mut lines: Vec<String> = Vec::new();
    let (mut is_fenced, mut is_list, mut is_code) = (false, false, false);
    // Where the last code ends, before the empty lines after it.
    let mut end = 0;
    for line in markdown.lines() {
        let text = line.trim_start();
        is_fenced ^= text.starts_with("```");
        let after_empty = lines.last().is_none_or(String::is_empty);
        let indented = line.strip_prefix(INDENTATION);
        let code = indented.filter(|_| !is_fenced && !is_list && (is_code || after_empty));
        match code {
            Some(_) if !is_code => lines.push("```".to_owned()),
            None if is_code && !text.is_empty() => {
                lines.insert(end, "```".to_owned());
                is_code = false;
            }
            _ => {}
        }
        if !text.is_empty() && text.len() == line.len() {
            let is_numbered = text.starts_with(|first: char| first.is_ascii_digit());
            is_list = text.starts_with("- ") || text.starts_with("* ") || is_numbered;
        }
        is_code |= code.is_some();
        lines.push(code.unwrap_or(line).to_owned());
        if code.is_some() {
            end = lines.len();
        }
    }
    if is_code {
        lines.insert(end, "```".to_owned());
    }
    lines.join("\n")
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

    #[test]
    fn indented_code_is_plain_text() {
        assert_eq!(
            plain_code_blocks("a\n\n    x\n\n      y\n\nb\n    c\n- d\n\n    e\n\nf\n\n    g"),
            "a\n\n```text\nx\n\n  y\n```\n\nb\n    c\n- d\n\n    e\n\nf\n\n```text\ng\n```"
        );
    }
}
