//! Takes from a procedure what it fails without.

use super::{
    draw::rounded,
    execute::Goal,
    judge::{Failure, Question, judge},
    procedure::Procedure,
    size::Size,
    step::{Operation, Type},
};
use crate::mutations::number;
use libtest_mimic::Failed;

/// How many procedures are tried to find a smaller one where `IREE_DSL_PROGRAM_TRIES` says nothing.
const TRIES: u64 = 150;

pub(super) fn smallest(
    question: &dyn Question,
    mut procedure: Procedure,
    mut failure: Failure,
    goal: Goal,
) -> Result<(Procedure, Failure), Failed> {
    let most = number("IREE_DSL_PROGRAM_TRIES").unwrap_or(TRIES);
    let mut tries = 0;
    'search: loop {
        let candidates = smaller(&procedure).into_iter();
        for candidate in candidates.filter(|candidate| question.is_for(candidate)) {
            tries += 1;
            if tries > most {
                break 'search;
            }
            let found = judge(question, std::slice::from_ref(&candidate), goal)?
                .pop()
                .flatten();
            if let Some(found) = found
                && is_same(&found, &failure)
            {
                (procedure, failure) = (candidate, found);
                continue 'search;
            }
        }
        break;
    }
    Ok((procedure, failure))
}

fn is_same(one: &Failure, other: &Failure) -> bool {
    one.kind == other.kind && gist(&one.message) == gist(&other.message)
}

/// The kind of a compiler's message, without names and numbers.
fn gist(message: &str) -> String {
    let all = [
        "failed on workgroup distribution verification",
        "stack allocation",
        "does not dominate",
        "failed to legalize",
    ];
    let found = all.iter().find(|known| message.contains(**known));
    found.map_or_else(String::new, ToString::to_string)
}

fn smaller(procedure: &Procedure) -> Vec<Procedure> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Procedure) -> Option<()>| {
        let mut changed = procedure.clone();
        if change(&mut changed).is_some() {
            tidy(&mut changed);
            let is_defined = changed
                .cases
                .iter()
                .all(|case| changed.values(case).is_some());
            if is_defined {
                all.push(changed);
            }
        }
    };
    for place in 0..procedure.results.len() {
        if procedure.results.len() > 1 {
            add(&|procedure| {
                procedure.results.remove(place);
                Some(())
            });
        }
    }
    for case in 0..procedure.cases.len() {
        if procedure.cases.len() > 1 {
            add(&|procedure| {
                procedure.cases = vec![procedure.cases[case].clone()];
                Some(())
            });
        }
    }
    for step in (0..procedure.steps.len()).rev() {
        add(&|procedure| given(procedure, step));
    }
    for step in 0..procedure.steps.len() {
        for operand in 0..procedure.steps[step].operands.len() {
            add(&|procedure| skipped(procedure, step, operand));
        }
    }
    for step in 0..procedure.steps.len() {
        add(&|procedure| returned(procedure, step));
    }
    add(&fixed);
    all
}

/// A step's value becomes a parameter.
fn given(procedure: &mut Procedure, step: usize) -> Option<()> {
    let value = procedure.parameters.len() + step;
    let ty = procedure.steps[step].ty.clone();
    let is_named = |size: &Size| size.constant().is_some() || [Size::N, Size::M].contains(size);
    if !ty.sizes.iter().all(is_named) {
        return None;
    }
    let cases = procedure.cases.clone();
    for (number, case) in cases.iter().enumerate() {
        let values = procedure.values(case)?;
        procedure.cases[number]
            .inputs
            .push(rounded(values[value].exact()));
    }
    let new = procedure.parameters.len();
    procedure.parameters.push(ty);
    // All steps are one place further; the step itself is left for nothing to use.
    replace(procedure, |old| match old {
        old if old == value => new,
        old if old >= new => old + 1,
        old => old,
    });
    Some(())
}

/// What a step computes is replaced by one of its operands.
fn skipped(procedure: &mut Procedure, step: usize, operand: usize) -> Option<()> {
    let value = procedure.parameters.len() + step;
    let by = procedure.steps[step].operands[operand];
    let is_used = procedure
        .steps
        .iter()
        .any(|step| step.operands.contains(&value))
        || procedure.results.contains(&value);
    if !is_used || procedure.ty(by) != procedure.ty(value) {
        return None;
    }
    replace(procedure, |old| if old == value { by } else { old });
    Some(())
}

/// The only result becomes an earlier value.
fn returned(procedure: &mut Procedure, step: usize) -> Option<()> {
    let value = procedure.parameters.len() + step;
    let is_other = procedure.results.len() == 1 && !procedure.results.contains(&value);
    procedure.results = vec![value];
    is_other.then_some(())
}

/// The sizes that are known at the call only become known.
fn fixed(procedure: &mut Procedure) -> Option<()> {
    let [case] = &procedure.cases[..] else {
        return None;
    };
    let sizes = case.sizes;
    let mut is_changed = false;
    let mut fix = |ty: &mut Type| {
        for size in &mut ty.sizes {
            is_changed |= size.constant().is_none();
            *size = Size::known(size.at(sizes).unwrap_or(0));
        }
    };
    procedure.parameters.iter_mut().for_each(&mut fix);
    for step in &mut procedure.steps {
        fix(&mut step.ty);
        if let Operation::Reshape(text) = &mut step.operation {
            let [n, m] = sizes.map(|size| size.to_string());
            *text = text.replace('N', &n).replace('M', &m);
        }
    }
    is_changed.then_some(())
}

fn replace(procedure: &mut Procedure, new: impl Fn(usize) -> usize) {
    let steps = procedure
        .steps
        .iter_mut()
        .flat_map(|step| &mut step.operands);
    for value in steps.chain(&mut procedure.results) {
        *value = new(*value);
    }
}

/// Removes what no result needs.
fn tidy(procedure: &mut Procedure) {
    for value in (0..procedure.count()).rev() {
        let mut operands = procedure.steps.iter().flat_map(|step| &step.operands);
        let needs_size = procedure.parameters.len() == 1 && value == 0;
        let is_used = operands.any(|operand| *operand == value)
            || procedure.results.contains(&value)
            || needs_size
            || names_size(procedure, value);
        if is_used {
            continue;
        }
        match value.checked_sub(procedure.parameters.len()) {
            Some(step) => {
                procedure.steps.remove(step);
            }
            None => {
                procedure.parameters.remove(value);
                for case in &mut procedure.cases {
                    case.inputs.remove(value);
                }
            }
        }
        replace(procedure, |old| if old > value { old - 1 } else { old });
    }
}

/// Whether it is the only parameter with a size that is known at the call only.
fn names_size(procedure: &Procedure, value: usize) -> bool {
    let Some(ty) = procedure.parameters.get(value) else {
        return false;
    };
    [Size::N, Size::M].iter().any(|size| {
        let mut others = procedure.parameters.iter().enumerate();
        let has_other = others.any(|(other, ty)| other != value && ty.sizes.contains(size));
        let uses = |ty: &Type| ty.sizes.contains(size);
        let is_needed = procedure.steps.iter().any(|step| uses(&step.ty));
        ty.sizes.contains(size) && !has_other && is_needed
    })
}
