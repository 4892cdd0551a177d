use super::Program;
use crate::{Device, Error, Result};
use iree_abi::{Artifact, CpuLevel, Signature};
use std::env::consts::ARCH;

/// Loads a program step by step.
///
/// `P` is the generated struct around the [`Program`].
pub struct Loader<'d, P> {
    device: &'d Device,
    artifacts: &'static [Artifact],
    signature: &'static Signature,
    wrap: fn(Program) -> P,
}

impl<'d, P> Loader<'d, P> {
    #[doc(hidden)]
    pub const fn new(
        device: &'d Device,
        artifacts: &'static [Artifact],
        signature: &'static Signature,
        wrap: fn(Program) -> P,
    ) -> Self {
        Self {
            device,
            artifacts,
            signature,
            wrap,
        }
    }

    /// Loads the best artifact that runs on the device.
    ///
    /// # Errors
    ///
    /// As [`Program::load`].
    pub fn load(self) -> Result<P> {
        Program::load(self.device, self.artifacts, self.signature).map(self.wrap)
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
