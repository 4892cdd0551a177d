use super::{
    Program,
    syntax::{Scalar, Statement},
};

/// How many programs are tried to find a smaller one.
const TRIES: usize = 300;

/// Takes from a program what it is wrong without, and tells the difference of what is left.
pub(super) fn smallest(mut program: Program, mut difference: String) -> String {
    let mut tries = 0;
    let mut wrong = |candidate: Program| {
        tries += 1;
        let is_tried = tries <= TRIES;
        let difference = is_tried.then(|| candidate.difference().ok())???;
        Some((candidate, difference))
    };
    loop {
        let found = smaller(&program).into_iter().find_map(&mut wrong);
        let Some(found) = found else {
            return difference;
        };
        (program, difference) = found;
    }
}

/// The programs with one thing less.
fn smaller(program: &Program) -> Vec<Program> {
    let changed = |change: &dyn Fn(&mut Program)| {
        let mut program = program.clone();
        change(&mut program);
        program
    };
    let mut programs = Vec::new();
    if program.calls_each {
        programs.push(changed(&|program| program.calls_each = false));
    }
    for number in 0..program.procedures.len() {
        if program.procedures.len() > 1 {
            programs.push(changed(&|program| {
                program.procedures.remove(number);
            }));
        }
    }
    for (number, procedure) in program.procedures.iter().enumerate() {
        for body in shorter(&procedure.body) {
            programs.push(changed(&|program| {
                program.procedures[number].body.clone_from(&body);
            }));
        }
    }
    programs
}

/// The blocks with one thing less, the shortest first.
fn shorter(body: &[Statement]) -> Vec<Vec<Statement>> {
    let replaced = |place: usize, by: Vec<Statement>| {
        let (before, after) = (&body[..place], &body[place + 1..]);
        [before, &by, after].concat()
    };
    let without = (0..body.len()).map(|place| replaced(place, Vec::new()));
    let inside = (0..body.len()).flat_map(|place| {
        let candidates = inside(&body[place]).into_iter();
        candidates.map(move |by| replaced(place, by))
    });
    without.chain(inside).collect()
}

/// What can be instead of a statement that has others in it.
fn inside(statement: &Statement) -> Vec<Vec<Statement>> {
    match statement {
        Statement::If(condition, then, otherwise) => {
            let branch = |then, otherwise| vec![Statement::If(condition.clone(), then, otherwise)];
            let of_then = shorter(then).into_iter();
            let of_then = of_then.map(|then| branch(then, otherwise.clone()));
            let of_else = shorter(otherwise).into_iter();
            let of_else = of_else.map(|otherwise| branch(then.clone(), otherwise));
            let alone = [then.clone(), otherwise.clone()].into_iter();
            alone.chain(of_then).chain(of_else).collect()
        }
        Statement::For(name, end, body) => {
            let loops = |end, body| vec![Statement::For(name.clone(), end, body)];
            let once = matches!(end, Scalar::Number(1));
            let once = (!once).then(|| loops(Scalar::Number(1), body.clone()));
            let shorter = shorter(body).into_iter();
            once.into_iter()
                .chain(shorter.map(|body| loops(end.clone(), body)))
                .collect()
        }
        _ => Vec::new(),
    }
}
