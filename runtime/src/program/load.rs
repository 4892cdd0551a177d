use super::Program;
use crate::{Device, Error, Parameters, Result, Session, SessionLoader, Trace};
use iree_abi::{Artifact, CpuLevel, Signature};
use std::env::consts::ARCH;

/// Loads a program step by step.
///
/// `P` is the generated struct around the [`Program`].
pub struct Loader<'d, P> {
    session: SessionLoader<'d>,
    artifacts: &'static [Artifact],
    signature: &'static Signature,
    wrap: fn(Program) -> P,
}

impl<'d, P> Loader<'d, P> {
    #[doc(hidden)]
    pub fn new(
        device: &'d Device,
        artifacts: &'static [Artifact],
        signature: &'static Signature,
        wrap: fn(Program) -> P,
    ) -> Self {
        Self {
            session: Session::loader(device),
            artifacts,
            signature,
            wrap,
        }
    }

    /// Supplies the globals with `#[global(parameter = "scope")]`. Several archives may have one scope;
    /// what they have beside the parameters of the program is ignored.
    #[must_use]
    pub fn parameters(self, scope: &str, parameters: impl Into<Parameters>) -> Self {
        let session = self.session.parameters(scope, parameters);
        Self { session, ..self }
    }

    /// Sends what the program traces to a function instead of to standard error. It runs while the program
    /// waits, so it cannot call the program.
    #[must_use]
    pub fn trace(self, sink: impl Fn(&Trace) + Send + Sync + 'static) -> Self {
        let session = self.session.trace(sink);
        Self { session, ..self }
    }

    /// Loads the best artifact that runs on the device.
    ///
    /// # Errors
    ///
    /// As [`Program::load`], and [`Error::Parameters`] if parameters are missing or differ.
    pub fn load(self) -> Result<P> {
        Program::load_with(self.session, self.artifacts, self.signature).map(self.wrap)
    }
}

/// The best artifact that runs on the device.
pub(super) fn choose(device: &Device, artifacts: &'static [Artifact]) -> Result<&'static Artifact> {
    let best = CpuLevel::of_this_machine();
    let accepted: Vec<String> = CpuLevel::of_architecture(ARCH)
        .iter()
        .rev()
        .filter(|level| **level <= best)
        .map(|level| level.target(ARCH))
        .collect();
    accepted
        .iter()
        .find_map(|target| artifacts.iter().find(|artifact| artifact.target == target))
        .ok_or_else(|| Error::NoArtifact {
            device: device.name().to_owned(),
            accepted: accepted.clone(),
            available: artifacts
                .iter()
                .map(|artifact| artifact.target.to_owned())
                .collect(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifacts(targets: &[String]) -> &'static [Artifact] {
        let artifact = |target: &String| Artifact {
            target: target.clone().leak(),
            bytes: &[],
        };
        targets.iter().map(artifact).collect::<Vec<_>>().leak()
    }

    #[test]
    fn the_best_artifact_that_runs_here_is_chosen() {
        let device = Device::open("local-sync").unwrap();
        let best = CpuLevel::of_this_machine().target(ARCH);
        let baseline = CpuLevel::Baseline.target(ARCH);
        let levels = CpuLevel::of_architecture(ARCH).iter();
        let mut targets: Vec<String> = levels.map(|level| level.target(ARCH)).collect();
        targets.push("cpu-other".to_owned());
        let chosen = choose(&device, artifacts(&targets)).unwrap();
        assert_eq!(chosen.target, best);
        let chosen = choose(&device, artifacts(std::slice::from_ref(&baseline))).unwrap();
        assert_eq!(chosen.target, baseline);
        assert!(choose(&device, artifacts(&["cpu-other".to_owned()])).is_err());
    }
}
