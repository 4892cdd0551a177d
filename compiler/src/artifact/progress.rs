//! Tells a tool that waits for a build which compilations it waits for.

use super::{Environment, Request, Target, format::Format};
use iree_abi::build::{Event, Progress};
use std::{fs::File, io::Write};

/// A compilation that goes on until this is dropped. It has failed unless [`Self::finish`] says something else.
pub(super) struct Running<'a> {
    environment: &'a Environment,
    program: &'a str,
    outcome: Event,
    target: String,
}

impl<'a> Running<'a> {
    pub(super) fn begin(
        request: &'a Request,
        target: &Target,
        format: Format,
        environment: &'a Environment,
    ) -> Self {
        let running = Self {
            environment,
            program: &request.name,
            outcome: Event::Failed,
            target: match format {
                Format::Bytecode => target.name.clone(),
                Format::C => format!("{} in C", target.name),
            },
        };
        running.tell(Event::Begun);
        running
    }

    /// Says that there is an artifact.
    pub(super) fn finish(mut self) {
        self.outcome = Event::Ended;
    }

    /// Appends one line in one write, so that those of several compilers do not mix. Whether anybody reads it
    /// makes no difference to the build.
    fn tell(&self, event: Event) {
        let Some(path) = &self.environment.progress else {
            return;
        };
        let progress = Progress {
            program: self.program.to_owned(),
            target: self.target.clone(),
            event,
        };
        let file = File::options().append(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(format!("{progress}\n").as_bytes()));
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.tell(self.outcome);
    }
}
