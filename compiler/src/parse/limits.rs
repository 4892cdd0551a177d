//! Bounds on what reaches the recursive parser, so that no input overflows the stack of `rustc`.
//!
//! One pass over the tokens, without recursion, counts everything that could make a recursive descent
//! parser go deeper: brackets, operators and keywords in front of an operand, angle brackets, arrows
//! and assignments. The count never falls short of the real depth and exceeds it only in expressions
//! that nobody writes.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree, token_stream};

/// How deep constructs may stand inside each other. At this depth the parser, built without
/// optimisations, takes half of the 8 MiB of a thread of `rustc`.
pub(super) const MAX_NESTING: usize = 128;
/// What counts twice, since parsers take the longest way through it: braces and angle brackets.
const HEAVY: usize = 2;
/// How many operators may stand in one expression.
pub(super) const MAX_OPERATORS: usize = 4096;

/// Words after which an expression, a type or a pattern nests to the right.
const OPENING_WORDS: &[&str] = &[
    "async", "become", "break", "const", "do", "dyn", "for", "if", "impl", "let", "loop", "match",
    "move", "mut", "ref", "return", "static", "try", "unsafe", "while", "yield",
];

/// A bound that the tokens exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// More than [`MAX_NESTING`] levels.
    Nesting,
    /// More than [`MAX_OPERATORS`] operators.
    Operators,
}

/// Whether the tokens stay within the bounds; if not, where they leave them.
pub(super) fn check(tokens: &TokenStream) -> Result<(), (Span, Excess)> {
    let mut stack = vec![Frame::new(tokens.clone(), 0)];
    while let Some(frame) = stack.last_mut() {
        let Some(token) = frame.tokens.next() else {
            stack.pop();
            continue;
        };
        let span = token.span();
        let inner = frame.advance(token);
        if frame.depth() > MAX_NESTING {
            return Err((span, Excess::Nesting));
        }
        if frame.operators > MAX_OPERATORS {
            return Err((span, Excess::Operators));
        }
        stack.extend(inner);
    }
    Ok(())
}

/// What is known about the expression at hand, inside one pair of brackets.
struct Frame {
    tokens: token_stream::IntoIter,
    /// Levels outside these brackets.
    base: usize,
    /// Prefix operators directly before this token.
    prefixes: usize,
    /// What nests to the right since the statement began: closures, assignments, arrows, words.
    openings: usize,
    /// Angle brackets that may be open.
    angles: usize,
    /// Operators since the expression began.
    operators: usize,
    /// The kinds of operators among them, a bit for each: parsers go deeper from one precedence to the
    /// next.
    precedences: u16,
    /// Whether the statement is a `use`, whose paths nest to the right.
    imports: bool,
    last: Last,
}

/// The token before this one, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing, a separator or an operator.
    Operator,
    /// A character that the next one continues.
    Joint(char),
    /// `#` or `#!`, which opens an attribute.
    Pound,
    /// A name, a literal or brackets.
    Operand,
    /// Braces, which may end a statement.
    Braces,
    /// The quote of a lifetime.
    Quote,
}

impl Frame {
    fn new(tokens: TokenStream, base: usize) -> Self {
        Self {
            tokens: tokens.into_iter(),
            base,
            prefixes: 0,
            openings: 0,
            angles: 0,
            operators: 0,
            precedences: 0,
            imports: false,
            last: Last::Operator,
        }
    }

    fn depth(&self) -> usize {
        self.base + self.prefixes + self.openings + HEAVY * self.angles
    }

    /// Counts a token; brackets give the frame of their content.
    fn advance(&mut self, token: TokenTree) -> Option<Self> {
        match token {
            TokenTree::Group(group) => return Some(self.group(&group)),
            TokenTree::Punct(punct) => {
                self.punct(punct.as_char(), punct.spacing() == Spacing::Joint);
            }
            TokenTree::Ident(ident) => self.word(&ident.to_string()),
            TokenTree::Literal(_) => {
                self.end_statement_after_braces();
                self.operand();
            }
        }
        None
    }

    fn group(&mut self, group: &Group) -> Self {
        let braces = group.delimiter() == Delimiter::Brace;
        let levels = if braces { HEAVY } else { 1 };
        let climb = self.precedences.count_ones() as usize / 3;
        let inner = Self::new(group.stream(), self.depth() + levels + climb);
        match self.last {
            Last::Pound => {
                self.last = Last::Operator;
                return inner;
            }
            Last::Braces => self.end_statement(),
            Last::Operand => self.operators += 1,
            _ => {}
        }
        self.operand();
        if braces {
            self.last = Last::Braces;
        }
        inner
    }

    fn operand(&mut self) {
        self.prefixes = 0;
        self.last = Last::Operand;
    }

    fn word(&mut self, word: &str) {
        let continues = matches!(word, "as" | "else" | "in") || self.last == Last::Quote;
        if continues {
            self.operators += 1;
            self.last = Last::Operator;
            return;
        }
        self.end_statement_after_braces();
        self.imports |= word == "use";
        if OPENING_WORDS.contains(&word) {
            self.openings += 1;
            self.last = Last::Operator;
        } else {
            self.operand();
        }
    }

    fn punct(&mut self, character: char, joint: bool) {
        let previous = self.last;
        self.last = match (character, previous) {
            ('\'', _) => Last::Quote,
            ('#', _) | ('!', Last::Pound) => Last::Pound,
            // The second of two, so that `>>=` is told from `>=`.
            ('>', Last::Joint('>')) => Last::Joint('»'),
            _ if joint => Last::Joint(character),
            _ => Last::Operator,
        };
        self.precedences |= precedence(character);
        match character {
            ';' => self.end_statement(),
            ',' => self.end_operand(),
            '#' if previous == Last::Braces => self.end_statement(),
            '<' | '>' => self.angle(character, previous),
            '=' => self.equals(joint, previous),
            '@' => self.openings += 1,
            ':' => {
                self.operators += 1;
                self.openings += usize::from(self.imports);
            }
            '|' if previous == Last::Joint('|') => {}
            _ if matches!(previous, Last::Operand | Last::Braces) => self.operators += 1,
            '|' => self.openings += 1,
            _ => self.prefixes += 1,
        }
    }

    fn angle(&mut self, character: char, previous: Last) {
        self.operators += 1;
        match (character, previous) {
            ('<', _) => self.angles += 1,
            (_, Last::Joint('-')) => self.openings += 1,
            (_, Last::Joint('=')) => {}
            _ => self.angles = self.angles.saturating_sub(1),
        }
    }

    fn equals(&mut self, joint: bool, previous: Last) {
        match previous {
            Last::Joint('<') => self.angles = self.angles.saturating_sub(1),
            Last::Joint('=' | '!' | '>') => {}
            _ if joint => {}
            _ => self.openings += 1,
        }
    }

    fn end_operand(&mut self) {
        self.prefixes = 0;
        if self.angles == 0 {
            self.operators = 0;
            self.precedences = 0;
        }
    }

    fn end_statement(&mut self) {
        self.prefixes = 0;
        self.openings = 0;
        self.angles = 0;
        self.operators = 0;
        self.precedences = 0;
        self.imports = false;
    }

    /// A statement ends in braces where something follows that cannot continue an expression.
    fn end_statement_after_braces(&mut self) {
        if self.last == Last::Braces {
            self.end_statement();
        }
    }
}

/// A bit for each precedence that an operator with this character may have.
fn precedence(character: char) -> u16 {
    match character {
        '=' => 1,
        '|' => 1 << 1,
        '&' => 1 << 2,
        '^' => 1 << 3,
        '<' | '>' => 1 << 4,
        '+' | '-' => 1 << 5,
        '*' | '/' | '%' => 1 << 6,
        _ => 0,
    }
}
