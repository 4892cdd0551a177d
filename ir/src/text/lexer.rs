use super::error::{ParseError, Position};
use std::{fmt, iter::Peekable, str::Chars};

/// A token and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) position: Position,
}

/// What a text is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A word: a keyword, the name of an operation, of a parameter or of a type.
    Word(String),
    /// What starts with a digit or a minus.
    Number(String),
    /// `%3`.
    Value(usize),
    /// `@name` or `@"name"`.
    Symbol(String),
    /// `"text"`.
    Text(String),
    /// `->`.
    Arrow,
    /// Any other character.
    Mark(char),
    /// The end of the text.
    End,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Number(text) => write!(formatter, "`{text}`"),
            Self::Value(index) => write!(formatter, "`%{index}`"),
            Self::Symbol(name) => write!(formatter, "`@{name}`"),
            Self::Text(text) => write!(formatter, "{text:?}"),
            Self::Arrow => formatter.write_str("`->`"),
            Self::Mark(mark) => write!(formatter, "`{mark}`"),
            Self::End => formatter.write_str("the end"),
        }
    }
}

/// Whether a name can be written without quotes.
pub(super) fn is_word(name: &str) -> bool {
    name.starts_with(starts_word) && name.chars().all(continues_word)
}

fn starts_word(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

fn continues_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.')
}

/// The tokens of a text; the last one is its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer {
        rest: text.chars().peekable(),
        position: Position { line: 1, column: 1 },
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let position = lexer.position;
        let kind = lexer.next(position)?;
        let end = kind == TokenKind::End;
        tokens.push(Token { kind, position });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    position: Position,
}

impl Lexer<'_> {
    fn bump(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        if character == '\n' {
            self.position.line += 1;
            self.position.column = 1;
        } else {
            self.position.column += 1;
        }
        Some(character)
    }

    fn bump_while(&mut self, accepts: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while self.rest.peek().is_some_and(|next| accepts(*next)) {
            text.extend(self.bump());
        }
        text
    }

    /// Skips white space and comments, which start with `//`.
    fn skip_blanks(&mut self) {
        loop {
            self.bump_while(char::is_whitespace);
            let mut ahead = self.rest.clone();
            if (ahead.next(), ahead.next()) != (Some('/'), Some('/')) {
                return;
            }
            self.bump_while(|character| character != '\n');
        }
    }

    fn next(&mut self, start: Position) -> Result<TokenKind, ParseError> {
        let Some(first) = self.bump() else {
            return Ok(TokenKind::End);
        };
        Ok(match first {
            '"' => TokenKind::Text(self.quoted(start)?),
            '@' if self.rest.next_if_eq(&'"').is_some() => {
                self.position.column += 1;
                TokenKind::Symbol(self.quoted(start)?)
            }
            '@' => TokenKind::Symbol(self.bump_while(continues_word)),
            '%' => self.value(start)?,
            '-' if self.rest.peek() == Some(&'>') => {
                self.bump();
                TokenKind::Arrow
            }
            '-' | '0'..='9' => TokenKind::Number(self.number(first)),
            _ if starts_word(first) => {
                let rest = self.bump_while(continues_word);
                TokenKind::Word(format!("{first}{rest}"))
            }
            _ => TokenKind::Mark(first),
        })
    }

    fn value(&mut self, start: Position) -> Result<TokenKind, ParseError> {
        let digits = self.bump_while(|character| character.is_ascii_digit());
        let index = digits.parse();
        index
            .map(TokenKind::Value)
            .map_err(|_| start.error("expected the number of a value behind `%`"))
    }

    fn number(&mut self, first: char) -> String {
        let mut text = String::from(first);
        loop {
            text += &self.bump_while(continues_word);
            let exponent = text.ends_with(['e', 'E']) && !text.contains("0x");
            match self.rest.peek() {
                Some('+' | '-') if exponent => text.extend(self.bump()),
                _ => return text,
            }
        }
    }

    /// The text up to the closing quote, the opening one being read.
    fn quoted(&mut self, start: Position) -> Result<String, ParseError> {
        let mut text = String::new();
        loop {
            match self.bump() {
                Some('"') => return Ok(text),
                Some('\\') => text.extend(self.bump()),
                Some(character) => text.push(character),
                None => return Err(start.error("the quotes are not closed")),
            }
        }
    }
}

/// Writes a name, in quotes where it needs them.
pub(super) fn write_name(formatter: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if is_word(name) {
        return formatter.write_str(name);
    }
    write_text(formatter, name)
}

/// Writes a text in quotes.
pub(super) fn write_text(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    write!(formatter, "\"{escaped}\"")
}
