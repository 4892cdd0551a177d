//! What is read of the source of a test.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The tokens of a source.
pub(super) fn tokens(source: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = source.parse().expect("the source of a test");
    tokens.into_iter().collect()
}

/// The tokens between brackets.
pub(super) fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// What a macro is defined as.
pub(super) fn definition(tokens: &[TokenTree], name: &str) -> Vec<TokenTree> {
    let found = tokens.windows(4).find_map(|window| match window {
        [word, _, of, TokenTree::Group(body)] if is(word, "macro_rules") && is(of, name) => {
            Some(inside(body))
        }
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no macro `{name}`"))
}

pub(super) fn is(token: &TokenTree, word: &str) -> bool {
    token.to_string() == word
}

/// Calls a function with all tokens from each on, in groups within groups.
pub(super) fn walk(tokens: &[TokenTree], visit: &mut impl FnMut(&[TokenTree])) {
    for (place, token) in tokens.iter().enumerate() {
        visit(&tokens[place..]);
        if let TokenTree::Group(group) = token {
            walk(&inside(group), visit);
        }
    }
}

/// The module of a program that is called so, with values for the variables of its macro.
pub(super) fn program(tokens: &[TokenTree], name: &str, variables: &[(&str, &str)]) -> String {
    let mut found = None;
    walk(tokens, &mut |tokens| {
        let (name_found, rest) = match tokens {
            [word, dollar, name, rest @ ..] if is(word, "mod") && is(dollar, "$") => (name, rest),
            [word, name, rest @ ..] if is(word, "mod") => (name, rest),
            _ => return,
        };
        if let Some(TokenTree::Group(body)) = rest.first()
            && is(name_found, name)
            && found.is_none()
        {
            found = Some(substituted(&inside(body), variables));
        }
    });
    let body = found.unwrap_or_else(|| panic!("there is no program `{name}`"));
    format!("mod {name} {{ {body} }}")
}

/// The tokens with values for variables.
pub(super) fn substituted(tokens: &[TokenTree], variables: &[(&str, &str)]) -> TokenStream {
    let mut result = TokenStream::new();
    let mut rest = tokens;
    while let [token, behind @ ..] = rest {
        rest = behind;
        match (token, behind) {
            (dollar, [name, behind @ ..]) if is(dollar, "$") => {
                let name = name.to_string();
                let value = variables.iter().find(|(variable, _)| *variable == name);
                let (_, value) = value.unwrap_or_else(|| panic!("nothing is said of `${name}`"));
                result.extend(value.parse::<TokenStream>().expect("a value"));
                rest = behind;
            }
            (TokenTree::Group(group), _) => {
                let stream = substituted(&inside(group), variables);
                result.extend([TokenTree::from(Group::new(group.delimiter(), stream))]);
            }
            (token, _) => result.extend([token.clone()]),
        }
    }
    result
}

/// The text between the quotes.
pub(super) fn text(token: &TokenTree) -> String {
    token.to_string().trim_matches('"').to_owned()
}

/// What stands between commas.
pub(super) fn list(group: &Group) -> Vec<Vec<TokenTree>> {
    let tokens = inside(group);
    let parts = tokens.split(|token| is(token, ","));
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(<[TokenTree]>::to_vec).collect()
}

pub(super) fn is_list(group: &Group, delimiter: Delimiter) -> bool {
    group.delimiter() == delimiter
}
