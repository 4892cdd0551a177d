//! Tries other ways to compile, and remembers the one that helped.

use super::{
    cache::Cache,
    failure::Failure,
    files,
    job::Job,
    key::{Key, LOWERING},
    ladder::{self, Fallback, Lowering, RUNGS, Rung, Way, Ways},
};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The name of what is remembered.
const FILE: &str = "fallback.json";

/// How much of a reason is repeated.
const REASON_LENGTH: usize = 300;

/// An artifact, and the job that made it.
pub(super) struct Made<'a> {
    pub(super) artifact: PathBuf,
    pub(super) job: Job<'a>,
    /// Why it is not the job that it should be.
    pub(super) fallback: Option<Fallback>,
}

/// What became of a job that is as it should be.
pub(super) enum Outcome {
    Made(PathBuf),
    Failed(Failure),
    /// It failed in an earlier build, in which another way helped.
    Known(Fallback),
}

/// Does a job as it should be done, unless it is known that the compiler fails on it.
pub(super) fn begin(job: &Job<'_>, cache: &Cache) -> Result<Outcome, Failure> {
    if let Some(artifact) = job.made(cache) {
        return Ok(Outcome::Made(artifact));
    }
    if let Some(fallback) = recall(job, cache) {
        return Ok(Outcome::Known(fallback));
    }
    match job.artifact(cache) {
        Ok(artifact) => Ok(Outcome::Made(artifact)),
        Err(failure) if failure.is_of_program() => Ok(Outcome::Failed(failure)),
        Err(failure) => Err(failure),
    }
}

/// Does a job that failed in other ways, first in that which helped before.
pub(super) struct Climb<'w, 'c> {
    pub(super) ways: &'w dyn Ways,
    pub(super) cache: &'c Cache,
    /// What helped for another target.
    pub(super) hint: Option<Fallback>,
    /// How long all other ways may take together.
    pub(super) limit: Duration,
}

impl Climb<'_, '_> {
    /// The artifact of a job.
    pub(super) fn finish<'a>(
        &mut self,
        usual: &Job<'a>,
        outcome: Outcome,
    ) -> Result<Made<'a>, Failure> {
        match outcome {
            Outcome::Made(artifact) => Ok(Made {
                artifact,
                job: usual.clone(),
                fallback: None,
            }),
            Outcome::Failed(failure) => self.climb(usual, failure),
            Outcome::Known(fallback) => match self.again(usual, fallback)? {
                Some(made) => Ok(made),
                None => {
                    self.cache.forget(&key(usual));
                    self.anew(usual)
                }
            },
        }
    }

    /// Does a job as if nothing were known of it.
    fn anew<'a>(&mut self, usual: &Job<'a>) -> Result<Made<'a>, Failure> {
        match usual.artifact(self.cache) {
            Ok(artifact) => self.finish(usual, Outcome::Made(artifact)),
            Err(failure) => self.climb(usual, failure),
        }
    }

    /// Does a job in the way that helped in an earlier build.
    fn again<'a>(
        &mut self,
        usual: &Job<'a>,
        fallback: Fallback,
    ) -> Result<Option<Made<'a>>, Failure> {
        let job = fallback
            .rung()
            .and_then(|rung| self.job(usual, rung, &fallback));
        let Some(job) = job else { return Ok(None) };
        match job.artifact(self.cache) {
            Ok(artifact) => {
                self.hint = Some(fallback.clone());
                Ok(Some(Made {
                    artifact,
                    job,
                    fallback: Some(fallback),
                }))
            }
            Err(failure) if failure.is_of_program() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn climb<'a>(&mut self, usual: &Job<'a>, failure: Failure) -> Result<Made<'a>, Failure> {
        if !failure.is_of_program() || self.ways.are_in_vain(&failure) {
            return Err(failure);
        }
        let end = Instant::now() + self.limit;
        let mut fallback = Fallback {
            rung: String::new(),
            reason: shortened(&failure.to_string()),
            places: self.ways.places(&failure),
        };
        let mut latest = None;
        for rung in self.rungs() {
            let last = latest.as_ref().unwrap_or(&failure);
            let left = end.saturating_duration_since(Instant::now());
            if !rung.is_for(last, &usual.flags()) || left.is_zero() {
                continue;
            }
            let Some(job) = self.job(usual, rung, &fallback) else {
                continue;
            };
            match job.clone().within(left).artifact(self.cache) {
                Ok(artifact) => {
                    rung.name.clone_into(&mut fallback.rung);
                    self.remember(usual, &fallback);
                    return Ok(Made {
                        artifact,
                        job,
                        fallback: Some(fallback),
                    });
                }
                Err(later) if later.is_of_program() => latest = Some(later),
                Err(other) => return Err(other),
            }
        }
        Err(failure)
    }

    /// All rungs, first that which helped for another target.
    fn rungs(&self) -> impl Iterator<Item = &'static Rung> + use<> {
        let hint = self.hint.as_ref().and_then(Fallback::rung);
        let others = RUNGS
            .iter()
            .filter(move |rung| hint.is_none_or(|hint| hint.name != rung.name));
        hint.into_iter().chain(others)
    }

    fn job<'a>(&self, usual: &Job<'a>, rung: &Rung, fallback: &Fallback) -> Option<Job<'a>> {
        let lower = |way| self.ways.lower(usual.machine(), way);
        let module = match rung.lowering {
            Lowering::AsUsual => None,
            Lowering::Around if fallback.places.is_empty() => return None,
            Lowering::Around => Some(lower(Way::Around(&fallback.places))?),
            Lowering::Apart => Some(lower(Way::Apart)?),
        };
        Some(usual.clone().by(rung, module))
    }

    fn remember(&mut self, usual: &Job<'_>, fallback: &Fallback) {
        self.hint = Some(fallback.clone());
        if let Ok(text) = serde_json::to_string(fallback) {
            // Where it cannot be kept, the next build goes the same way.
            let content = [("content", "a way that helped".to_owned())];
            let write = |_: &Path, path: &Path| files::write(path, text.as_bytes());
            let _ = self.cache.obtain(&key(usual), FILE, &content, write);
        }
    }
}

fn key(usual: &Job<'_>) -> Key {
    let ladder = ladder::text();
    let without = usual.without().iter().map(String::as_str);
    let ways = [ladder.as_str(), LOWERING].into_iter().chain(without);
    Key::of_fallback(&usual.key(), ways)
}

fn recall(usual: &Job<'_>, cache: &Cache) -> Option<Fallback> {
    let text = cache.recall(&key(usual), FILE)?;
    let fallback: Fallback = serde_json::from_str(&text).ok()?;
    fallback.rung().is_some().then_some(fallback)
}

/// The first line of a reason, which is as long as the module in some messages, to be put into a sentence.
fn shortened(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let line = line.trim_end_matches('.');
    match line.char_indices().nth(REASON_LENGTH) {
        Some((end, _)) => format!("{}…", line.split_at(end).0),
        None => line.to_owned(),
    }
}
