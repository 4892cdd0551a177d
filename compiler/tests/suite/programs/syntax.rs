use std::fmt::{Display, Formatter, Result};

/// What a procedure does, and the vector that it returns at its end.
#[derive(Clone)]
pub(super) struct Procedure {
    pub(super) body: Vec<Statement>,
    pub(super) result: Vector,
}

/// An expression of as many integers as all vectors of a program have.
#[derive(Clone)]
pub(super) enum Vector {
    Name(String),
    Constant(Vec<i32>),
    /// Some numbers before as many of the first elements of a vector as there is room for.
    Joined(Vec<i32>, (String, usize)),
    /// The first elements of a vector up to a place, and from there on those of another.
    Parts([String; 2], usize),
    /// A vector with the first two elements of another added at two places.
    Scattered {
        into: String,
        places: [Scalar; 2],
        from: String,
    },
    Sum(Box<[Vector; 2]>),
    Moved(Box<Vector>, Scalar),
    Reversed(Box<Vector>),
    Multiplied(Box<Vector>, i32),
}

/// An expression of an integer.
#[derive(Clone)]
pub(super) enum Scalar {
    Number(i32),
    Name(String),
    /// An element of a vector.
    At(String, Box<Scalar>),
    /// The sum of a vector.
    Total(String),
    Sum(Box<[Scalar; 2]>),
}

#[derive(Clone)]
pub(super) enum Statement {
    Let(String, Vector),
    Set(String, Vector),
    SetElement {
        place: String,
        index: Scalar,
        value: Scalar,
        adds: bool,
    },
    /// Some elements from a place on become others, or a multiple of them.
    SetWindow {
        place: String,
        start: usize,
        from: (String, usize),
        length: usize,
        times: Option<i32>,
    },
    LetNumber(String, Scalar),
    SetNumber {
        name: String,
        value: Scalar,
        adds: bool,
    },
    /// Two vectors, and a name for what is kept in between.
    Swap([String; 2], String),
    If(Condition, Vec<Statement>, Vec<Statement>),
    For(String, Scalar, Vec<Statement>),
    Break,
    Continue,
    Return(Vector),
}

#[derive(Clone)]
pub(super) struct Condition {
    pub(super) operator: &'static str,
    pub(super) sides: [Scalar; 2],
}

impl Display for Procedure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let Self { body, result } = self;
        write!(formatter, "{}({result}, y, self.s + k)", Block(body))
    }
}

impl Display for Vector {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Name(name) => formatter.write_str(name),
            Self::Constant(numbers) => write!(formatter, "tensor({numbers:?})"),
            Self::Joined(numbers, (name, rest)) => {
                write!(
                    formatter,
                    "concatenate([tensor({numbers:?}), {name}[s![..{rest}]]], 0)"
                )
            }
            Self::Parts([first, second], at) => {
                write!(
                    formatter,
                    "concatenate([{first}[s![..{at}]], {second}[s![{at}..]]], 0)"
                )
            }
            Self::Scattered { into, places, from } => {
                let [first, second] = places;
                write!(
                    formatter,
                    "{into}.scatter_add(stack([{first}, {second}], 0), {from}[s![..2]], 0)"
                )
            }
            Self::Sum(sides) => write!(formatter, "({} + {})", sides[0], sides[1]),
            Self::Moved(vector, by) => write!(formatter, "({vector} + {by})"),
            Self::Reversed(vector) => write!(formatter, "{vector}.reverse(0)"),
            Self::Multiplied(vector, by) => write!(formatter, "({vector} * {by})"),
        }
    }
}

impl Display for Scalar {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Name(name) => formatter.write_str(name),
            Self::At(vector, index) => write!(formatter, "{vector}[{index}]"),
            Self::Total(vector) => write!(formatter, "{vector}.sum()"),
            Self::Sum(sides) => write!(formatter, "({} + {})", sides[0], sides[1]),
        }
    }
}

impl Display for Statement {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let assigns = |adds: &bool| if *adds { "+=" } else { "=" };
        match self {
            Self::Let(name, value) => writeln!(formatter, "let mut {name} = {value};"),
            Self::Set(place, value) => writeln!(formatter, "{place} = {value};"),
            Self::SetElement {
                place,
                index,
                value,
                adds,
            } => writeln!(formatter, "{place}[{index}] {} {value};", assigns(adds)),
            Self::SetWindow {
                place,
                start,
                from: (from, first),
                length,
                times,
            } => {
                let (end, last) = (start + length, first + length);
                write!(
                    formatter,
                    "{place}[s![{start}..{end}]] = {from}[s![{first}..{last}]]"
                )?;
                match times {
                    Some(times) => writeln!(formatter, " * {times};"),
                    None => writeln!(formatter, ";"),
                }
            }
            Self::LetNumber(name, value) => writeln!(formatter, "let mut {name} = {value};"),
            Self::SetNumber { name, value, adds } => {
                writeln!(formatter, "{name} {} {value};", assigns(adds))
            }
            Self::Swap([one, other], kept) => {
                writeln!(
                    formatter,
                    "let {kept} = {one}; {one} = {other}; {other} = {kept};"
                )
            }
            Self::If(Condition { operator, sides }, then, otherwise) => {
                let [left, right] = sides;
                let (then, otherwise) = (Block(then), Block(otherwise));
                writeln!(
                    formatter,
                    "if {left} {operator} {right} {{\n{then}}} else {{\n{otherwise}}}"
                )
            }
            Self::For(name, end, body) => {
                writeln!(
                    formatter,
                    "for {name} in range(0, {end}) {{\n{}}}",
                    Block(body)
                )
            }
            Self::Break => writeln!(formatter, "break;"),
            Self::Continue => writeln!(formatter, "continue;"),
            Self::Return(vector) => writeln!(formatter, "return ({vector}, y, self.s + k);"),
        }
    }
}

struct Block<'s>(&'s [Statement]);

impl Display for Block<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        self.0
            .iter()
            .try_for_each(|statement| statement.fmt(formatter))
    }
}
