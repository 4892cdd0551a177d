use super::syntax::{Condition, Procedure, Scalar, Statement, Vector};
use crate::mutations::Random;

/// How deep branches and loops are inside each other.
const DEPTH: usize = 3;

const GLOBALS: [&str; 3] = ["self.a", "self.b", "self.c"];

/// Globals that nothing changes.
const FIXED: [&str; 2] = ["self.d", "self.e"];

/// How many elements the vectors of a program have: few, or more than are computed at once.
const SIZES: [usize; 2] = [4, 36];

/// What draws programs.
pub(super) struct Draw {
    random: Random,
    /// How many elements all vectors have.
    pub(super) size: usize,
    /// How many names were given.
    names: usize,
}

/// What can be named at a place.
#[derive(Clone)]
struct Scope {
    /// The variables, which can be assigned, too.
    vectors: Vec<String>,
    /// Variables that are numbers.
    numbers: Vec<String>,
    /// The indices of loops around.
    indices: Vec<String>,
    depth: usize,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        Self {
            size: SIZES[random.below(SIZES.len())],
            random,
            names: 0,
        }
    }

    pub(super) fn procedure(&mut self) -> Procedure {
        let scope = Scope {
            vectors: vec!["y".to_owned()],
            numbers: Vec::new(),
            indices: Vec::new(),
            depth: DEPTH,
        };
        let length = 2 + self.below(4);
        Procedure {
            body: self.block(&scope, length),
            result: self.vector(&scope, 1),
        }
    }

    pub(super) fn vector_of_numbers(&mut self) -> Vec<i32> {
        (0..self.size).map(|_| self.below(19) as i32 - 9).collect()
    }

    /// Some numbers that are not negative.
    fn numbers(&mut self, count: usize) -> Vec<i32> {
        (0..count).map(|_| self.below(6) as i32).collect()
    }

    /// The length of a part: a half, or all but one.
    fn length(&mut self) -> usize {
        match self.below(2) {
            0 => self.size / 2,
            _ => self.size - 1,
        }
    }

    fn block(&mut self, around: &Scope, length: usize) -> Vec<Statement> {
        let mut scope = around.clone();
        (0..length).map(|_| self.statement(&mut scope)).collect()
    }

    fn statement(&mut self, scope: &mut Scope) -> Statement {
        let deeper = Scope {
            depth: scope.depth.saturating_sub(1),
            ..scope.clone()
        };
        match self.below(100) {
            0..16 => Statement::Set(self.place(scope), self.vector(scope, 2)),
            16..34 => Statement::SetElement {
                place: self.place(scope),
                index: self.index(scope),
                value: self.scalar(scope, 1),
                adds: self.below(5) < 2,
            },
            34..42 => {
                let length = self.length();
                let starts = self.size - length + 1;
                Statement::SetWindow {
                    place: self.place(scope),
                    start: self.below(starts),
                    from: (self.name(scope), self.below(starts)),
                    length,
                    times: (self.below(2) == 0).then(|| self.below(4) as i32 + 2),
                }
            }
            42..50 => {
                let value = self.vector(scope, 1);
                let name = self.fresh("t");
                scope.vectors.push(name.clone());
                Statement::Let(name, value)
            }
            50..56 => Statement::SetNumber {
                name: "self.s".to_owned(),
                value: self.scalar(scope, 1),
                adds: self.below(5) < 3,
            },
            56..60 => self.number(scope),
            60..66 => {
                let one = self.place(scope);
                let other = self.place(scope);
                Statement::Swap([one, other], self.fresh("t"))
            }
            66..80 if scope.depth > 0 => {
                let lengths = [1 + self.below(3), self.below(3)];
                let [then, otherwise] = lengths.map(|length| self.block(&deeper, length));
                Statement::If(self.condition(scope), then, otherwise)
            }
            80..94 if scope.depth > 0 => {
                let name = self.fresh("i");
                let end = match self.below(5) {
                    0 | 1 => Scalar::Name("k".to_owned()),
                    rounds => Scalar::Number(rounds as i32 - 1),
                };
                let mut inside = deeper;
                inside.indices.push(name.clone());
                let length = 1 + self.below(4);
                Statement::For(name, end, self.block(&inside, length))
            }
            _ => {
                let exit = match self.below(3) {
                    0 if !scope.indices.is_empty() => Statement::Break,
                    1 if !scope.indices.is_empty() => Statement::Continue,
                    _ => Statement::Return(self.vector(scope, 1)),
                };
                Statement::If(self.condition(scope), vec![exit], Vec::new())
            }
        }
    }

    /// A new number, or another value for one.
    fn number(&mut self, scope: &mut Scope) -> Statement {
        let value = self.unknown(scope);
        match scope.numbers.len() {
            0 => {
                let name = self.fresh("n");
                scope.numbers.push(name.clone());
                Statement::LetNumber(name, value)
            }
            count => Statement::SetNumber {
                name: scope.numbers[self.below(count)].clone(),
                value,
                adds: self.below(2) == 0,
            },
        }
    }

    fn vector(&mut self, scope: &Scope, depth: usize) -> Vector {
        let depth_below = depth.saturating_sub(1);
        match self.below(100) {
            0..8 => Vector::Constant(self.numbers(self.size)),
            8..14 => {
                let length = self.length();
                let numbers = self.numbers(self.size - length);
                Vector::Joined(numbers, (self.name(scope), length))
            }
            14..20 => {
                let at = self.length();
                Vector::Parts([(); 2].map(|()| self.name(scope)), at)
            }
            20..24 => Vector::Scattered {
                into: self.name(scope),
                places: [self.unknown(scope), self.index(scope)],
                from: self.name(scope),
            },
            55..75 if depth > 0 => {
                let sides = [(); 2].map(|()| self.vector(scope, depth_below));
                Vector::Sum(Box::new(sides))
            }
            75..85 if depth > 0 => {
                let by = self.scalar(scope, 1);
                Vector::Moved(Box::new(self.vector(scope, depth_below)), by)
            }
            85..93 if depth > 0 => Vector::Reversed(Box::new(self.vector(scope, depth_below))),
            93.. if depth > 0 => {
                let by = 2 + self.below(2) as i32;
                Vector::Multiplied(Box::new(self.vector(scope, depth_below)), by)
            }
            _ => Vector::Name(self.name(scope)),
        }
    }

    fn scalar(&mut self, scope: &Scope, depth: usize) -> Scalar {
        match self.below(100) {
            50..70 if depth > 0 => {
                let vector = self.name(scope);
                Scalar::At(vector, Box::new(self.index(scope)))
            }
            70..80 if depth > 0 => Scalar::Total(self.name(scope)),
            80.. if depth > 0 => {
                let sides = [(); 2].map(|()| self.scalar(scope, depth - 1));
                Scalar::Sum(Box::new(sides))
            }
            0..15 => Scalar::Number(self.below(6) as i32),
            _ => self.variable(scope),
        }
    }

    /// An index, which is in the vector where it is known while building.
    fn index(&mut self, scope: &Scope) -> Scalar {
        match self.below(3) {
            0 => Scalar::Number(self.below(4) as i32),
            1 => self.variable(scope),
            _ => {
                let sides = [self.variable(scope), self.scalar(scope, 0)];
                Scalar::Sum(Box::new(sides))
            }
        }
    }

    /// A number that is known only when the program runs, perhaps of a vector.
    fn unknown(&mut self, scope: &Scope) -> Scalar {
        match self.below(4) {
            0 => Scalar::At(self.name(scope), Box::new(self.index(scope))),
            1 => Scalar::Total(self.name(scope)),
            _ => {
                let sides = [self.variable(scope), self.scalar(scope, 0)];
                Scalar::Sum(Box::new(sides))
            }
        }
    }

    /// A name of a number that is known only when the program runs.
    fn variable(&mut self, scope: &Scope) -> Scalar {
        let mut names = vec!["self.s", "k"];
        names.extend(scope.numbers.iter().map(String::as_str));
        for index in &scope.indices {
            names.extend([index.as_str(); 2]);
        }
        Scalar::Name(names[self.below(names.len())].to_owned())
    }

    fn condition(&mut self, scope: &Scope) -> Condition {
        let operators = ["<", ">", "=="];
        Condition {
            operator: operators[self.below(operators.len())],
            sides: [self.index_or_element(scope), self.scalar(scope, 1)],
        }
    }

    fn index_or_element(&mut self, scope: &Scope) -> Scalar {
        match self.below(2) {
            0 => self.variable(scope),
            _ => Scalar::At(self.name(scope), Box::new(self.index(scope))),
        }
    }

    /// A vector.
    fn name(&mut self, scope: &Scope) -> String {
        let mut names = [GLOBALS.as_slice(), &FIXED, &["x"]].concat();
        names.extend(scope.vectors.iter().map(String::as_str));
        names[self.below(names.len())].to_owned()
    }

    /// A vector that can be assigned.
    fn place(&mut self, scope: &Scope) -> String {
        let mut names = [GLOBALS, GLOBALS].concat();
        names.extend(scope.vectors.iter().map(String::as_str));
        names[self.below(names.len())].to_owned()
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }
}
