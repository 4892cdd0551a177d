//! The language.

use std::fmt;

/// A function: its name, its parameters and what it computes.
#[derive(Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// What it computes.
    pub body: Expression,
}

/// An expression and its place.
#[derive(Debug)]
pub struct Expression {
    /// The place.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
}

/// A line and a column, from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// What an expression is.
#[derive(Debug)]
pub enum Kind {
    /// A number.
    Number(f32),
    /// A parameter, or the value of a round.
    Name(String),
    /// A call of a function.
    Call(String, Vec<Expression>),
    /// Two expressions and one of `+ - * / < >` between them.
    Binary(char, Box<[Expression; 2]>),
    /// A condition, and what it decides between.
    If(Box<[Expression; 3]>),
    /// The name of a value, and its start, the number of rounds, and the next value.
    Repeat(String, Box<[Expression; 3]>),
}

/// What is wrong with a source.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What.
    pub message: String,
}

impl std::error::Error for Mistake {}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(formatter, "{line}:{column}: {}", self.message)
    }
}

/// Reads the functions of a source.
///
/// # Errors
///
/// The first mistake.
pub fn parse(source: &str) -> Result<Vec<Function>, Mistake> {
    let mut parser = Parser {
        tokens: tokens(source),
        position: 0,
    };
    let mut functions = vec![];
    while !parser.peek().is_empty() {
        functions.push(parser.function()?);
    }
    Ok(functions)
}

/// Words, numbers and single characters.
fn tokens(source: &str) -> Vec<(Place, &str)> {
    let mut tokens = vec![];
    let mut last = Place { line: 1, column: 1 };
    for (line, text) in source.lines().enumerate() {
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            let place = Place {
                line: line + 1,
                column: text.len() - rest.len() + 1,
            };
            last = place;
            let Some(first) = rest.chars().next() else {
                break;
            };
            let is_word = |one: char| one.is_alphanumeric() || one == '.' || one == '_';
            let end = if is_word(first) {
                rest.find(|one| !is_word(one))
            } else {
                Some(first.len_utf8())
            };
            let (token, behind) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push((place, token));
            rest = behind;
        }
    }
    tokens.push((last, ""));
    tokens
}

struct Parser<'s> {
    tokens: Vec<(Place, &'s str)>,
    position: usize,
}

impl<'s> Parser<'s> {
    fn peek(&self) -> &'s str {
        self.tokens[self.position].1
    }

    fn place(&self) -> Place {
        self.tokens[self.position].0
    }

    fn next(&mut self) -> &'s str {
        let token = self.peek();
        // The last is empty, and stays.
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    fn mistake<T>(&self, expected: &str) -> Result<T, Mistake> {
        let message = format!("expected {expected}, found `{}`", self.peek());
        Err(Mistake {
            place: self.place(),
            message,
        })
    }

    fn expect(&mut self, token: &str) -> Result<(), Mistake> {
        if self.peek() != token {
            return self.mistake(&format!("`{token}`"));
        }
        self.next();
        Ok(())
    }

    fn name(&mut self) -> Result<String, Mistake> {
        const WORDS: [&str; 5] = ["def", "if", "then", "else", "repeat"];
        let is_name = self.peek().starts_with(char::is_alphabetic) && !WORDS.contains(&self.peek());
        if is_name {
            Ok(self.next().to_owned())
        } else {
            self.mistake("a name")
        }
    }

    /// What stands in parentheses, with commas between.
    fn list<T>(
        &mut self,
        one: impl Fn(&mut Self) -> Result<T, Mistake>,
    ) -> Result<Vec<T>, Mistake> {
        self.expect("(")?;
        let mut list = vec![];
        while self.peek() != ")" {
            list.push(one(self)?);
            if self.peek() != ")" {
                self.expect(",")?;
            }
        }
        self.expect(")")?;
        Ok(list)
    }

    fn function(&mut self) -> Result<Function, Mistake> {
        self.expect("def")?;
        let name = self.name()?;
        let parameters = self.list(Self::name)?;
        self.expect("=")?;
        Ok(Function {
            name,
            parameters,
            body: self.expression()?,
        })
    }

    fn expression(&mut self) -> Result<Expression, Mistake> {
        let place = self.place();
        let kind = match self.peek() {
            "if" => {
                self.next();
                let condition = self.operators(&["<", ">"])?;
                self.expect("then")?;
                let then = self.expression()?;
                self.expect("else")?;
                Kind::If(Box::new([condition, then, self.expression()?]))
            }
            "repeat" => {
                self.next();
                let name = self.name()?;
                self.expect("=")?;
                let start = self.expression()?;
                self.expect(",")?;
                let count = self.expression()?;
                self.expect(":")?;
                Kind::Repeat(name, Box::new([start, count, self.expression()?]))
            }
            _ => return self.operators(&["+", "-"]),
        };
        Ok(Expression { place, kind })
    }

    /// Expressions with operators of one strength between them, those of the next inside.
    fn operators(&mut self, operators: &[&str]) -> Result<Expression, Mistake> {
        let next = |parser: &mut Self| match operators[0] {
            "<" => parser.operators(&["+", "-"]),
            "+" => parser.operators(&["*", "/"]),
            _ => parser.operand(),
        };
        let mut left = next(self)?;
        while operators.contains(&self.peek()) {
            let place = self.place();
            let operator = self.next().chars().next().unwrap_or(' ');
            let kind = Kind::Binary(operator, Box::new([left, next(self)?]));
            left = Expression { place, kind };
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, Mistake> {
        let place = self.place();
        let kind = if self.peek() == "(" {
            self.next();
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        } else if let Ok(number) = self.peek().parse() {
            self.next();
            Kind::Number(number)
        } else {
            let name = self.name()?;
            if self.peek() == "(" {
                Kind::Call(name, self.list(Self::expression)?)
            } else {
                Kind::Name(name)
            }
        };
        Ok(Expression { place, kind })
    }
}
