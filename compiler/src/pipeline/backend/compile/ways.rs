//! Other ways to lower a program that the IREE compiler failed on.

use super::{failed_target, mlir::Texts};
use crate::{
    artifact::{
        self, Environment, Failure, Message, Place, Plan, Request, Severity, Target, UserFlag,
        Versions, WATCHED, Way, Ways,
    },
    diagnostic::Diagnostic,
    legalize::{Manner, Passes, Separation, legalize},
    lower::lower_for,
    machine::Machine,
    pipeline::backend::fallback,
    span::SpanId,
};
use iree_dsl_ir::Operation;
use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// What is known of a program, and what was asked about it.
pub(super) struct OtherWays<'a> {
    plan: &'a Plan<'a>,
    passes: &'a Passes,
    pub(super) request: &'a Request,
    located: &'a Versions,
    texts: &'a Texts<'a>,
    environment: &'a Environment,
    mistakes: OnceCell<Vec<Diagnostic>>,
    /// What the compiler says of the module with places, for each target that it failed for.
    messages: RefCell<BTreeMap<String, Vec<Message>>>,
}

impl<'a> OtherWays<'a> {
    pub(super) fn new(
        plan: &'a Plan<'a>,
        passes: &'a Passes,
        request: &'a Request,
        located: &'a Versions,
        texts: &'a Texts<'a>,
        environment: &'a Environment,
    ) -> Self {
        Self {
            plan,
            passes,
            request,
            located,
            texts,
            environment,
            mistakes: OnceCell::new(),
            messages: RefCell::default(),
        }
    }

    /// What is wrong with kernels that are written as MLIR, if the compiler refused the program. Nobody needs a
    /// module to see that again.
    pub(super) fn mistakes(&self, failure: &Failure) -> Vec<Diagnostic> {
        let target = failed_target(failure, self.request);
        let (Failure::Refused { .. }, Some(target)) = (failure, target) else {
            return Vec::new();
        };
        let find = || self.texts.mistakes(self.request, target, self.environment);
        self.mistakes.get_or_init(find).clone()
    }

    /// What the compiler says of the module with places, if it failed in this way without them.
    pub(super) fn messages(&self, failure: &Failure) -> Vec<Message> {
        let Some(target) = failed_target(failure, self.request) else {
            return Vec::new();
        };
        let known = self.messages.borrow().get(&target.name).cloned();
        known.unwrap_or_else(|| {
            let found = self.ask(failure, target);
            let mut messages = self.messages.borrow_mut();
            messages.insert(target.name.clone(), found.clone());
            found
        })
    }

    fn ask(&self, failure: &Failure, target: &Target) -> Vec<Message> {
        let flags: &[&str] = match failure {
            Failure::Refused { .. } => &[],
            Failure::Crashed { .. } => &WATCHED,
            _ => return Vec::new(),
        };
        let mut request = self.request.clone();
        let flags = flags.iter().copied().map(UserFlag::parse);
        request.flags.extend(flags);
        let located = self.located.of(target.machine());
        artifact::compile_for_diagnostics(&request, target, located, self.environment)
    }

    /// The operations of the expressions that messages are about: one of each expression.
    fn operations(&self, messages: &[Message]) -> Vec<Place> {
        let spans = self.texts.spans;
        let locations = messages
            .iter()
            .filter_map(|message| message.location.as_ref());
        let locations: Vec<_> = locations.collect();
        let mut known: BTreeSet<SpanId> = BTreeSet::new();
        let mut is_wanted = |operation: &Operation| {
            known.insert(operation.span) && locations.contains(&&spans.location(operation.span))
        };
        fallback::operations(self.plan.program.module())
            .filter(|(_, operation)| is_wanted(operation))
            .map(|(place, _)| place)
            .collect()
    }
}

impl Ways for OtherWays<'_> {
    fn are_in_vain(&self, failure: &Failure) -> bool {
        !self.mistakes(failure).is_empty()
    }

    fn places(&self, failure: &Failure) -> Vec<Place> {
        let wanted = match failure {
            Failure::Crashed { .. } => Severity::Note,
            _ => Severity::Error,
        };
        let mut messages = self.messages(failure);
        messages.retain(|message| message.severity == wanted);
        self.operations(&messages)
    }

    fn lower(&self, machine: Machine, way: Way<'_>) -> Option<String> {
        let module = self.plan.program.module();
        let separation = match way {
            Way::Apart => Separation::Everything,
            Way::Around(places) => {
                let spans = places
                    .iter()
                    .filter_map(|place| fallback::span(module, *place));
                Separation::At(spans.collect())
            }
        };
        let manner = Manner {
            passes: self.passes.clone(),
            separation,
        };
        // What is wrong with it is said of the usual one.
        let legalized = legalize(self.plan.program, &manner).ok()?;
        lower_for(&legalized, machine).ok()
    }
}
