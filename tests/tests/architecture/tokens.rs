//! Reading names out of tokens. Tokens, and not a syntax tree, since what stands inside the
//! invocation of a macro counts too.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The lines on which the identifier `name` stands.
pub(crate) fn lines_of(tokens: &TokenStream, name: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) if ident == name => lines.push(ident.span().start().line),
            TokenTree::Group(group) => lines.extend(lines_of(&group.stream(), name)),
            _ => {}
        }
    }
    lines
}

/// A module at the root of the crate that is named by a path, and the line on which that is.
#[derive(Debug, PartialEq)]
pub(crate) struct Import {
    pub(crate) module: String,
    pub(crate) line: usize,
}

/// Every `crate::name`, and every `super::…::name` that reaches the root of the crate, in a file
/// whose module is `depth` levels below the root. What stands in a module `tests` may import anything.
pub(crate) fn imports(tokens: &TokenStream, depth: usize) -> Vec<Import> {
    let mut found = Vec::new();
    collect(tokens, depth, &mut found);
    found
}

fn collect(tokens: &TokenStream, depth: usize, found: &mut Vec<Import>) {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(end) = path_to_root(&tokens[at..], depth) {
            at += end;
            first_names(&tokens[at..], found);
        }
        if let Some(TokenTree::Group(group)) = tokens.get(at) {
            match module_name(&tokens[..at], group) {
                Some(name) if name == "tests" => {}
                name => collect(&group.stream(), depth + usize::from(name.is_some()), found),
            }
        }
        at += 1;
    }
}

/// How many tokens the prefix `crate::` or `super::…::` has, if it ends at the root.
fn path_to_root(tokens: &[TokenTree], depth: usize) -> Option<usize> {
    let segment = |at: usize, name: &str| {
        is_ident(tokens.get(at), name)
            && is_colon(tokens.get(at + 1))
            && is_colon(tokens.get(at + 2))
    };
    if segment(0, "crate") {
        return Some(3);
    }
    let supers = (0..).take_while(|n| segment(3 * n, "super")).count();
    (supers > 0 && supers == depth).then_some(3 * supers)
}

/// The name after a prefix, or the first name of each path in the braces after it.
fn first_names(tokens: &[TokenTree], found: &mut Vec<Import>) {
    match tokens.first() {
        Some(TokenTree::Ident(ident)) => found.push(Import {
            module: ident.to_string(),
            line: ident.span().start().line,
        }),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inside: Vec<_> = group.stream().into_iter().collect();
            for path in
                inside.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','))
            {
                first_names(path, found);
            }
        }
        _ => {}
    }
}

/// The name of the module whose items are in a group.
pub(crate) fn module_name<'a>(before: &'a [TokenTree], group: &Group) -> Option<&'a Ident> {
    match before {
        [.., keyword, TokenTree::Ident(name)]
            if is_ident(Some(keyword), "mod") && group.delimiter() == Delimiter::Brace =>
        {
            Some(name)
        }
        _ => None,
    }
}

fn is_ident(token: Option<&TokenTree>, name: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == name)
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

#[test]
fn imports_are_found_in_every_form() {
    let tokens: TokenStream = "
        use crate::ast::Expr;
        use crate::{ir::{self, Value}, op};
        use super::super::lower;
        use super::not_at_the_root;
        fn f() { println!(\"{}\", crate::expand::X); }
        mod inner { use super::super::super::artifact; }
        mod tests { use crate::pipeline; }
    "
    .parse()
    .unwrap();
    let found: Vec<_> = imports(&tokens, 2)
        .into_iter()
        .map(|import| (import.module, import.line))
        .collect();
    let expected = [
        ("ast", 2),
        ("ir", 3),
        ("op", 3),
        ("lower", 4),
        ("expand", 6),
        ("artifact", 7),
    ];
    assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line)));
}
