//! Which artifact a device runs.

use crate::{Device, Error, Result};
use iree_abi::{Artifact, CpuLevel};
use std::env::consts::ARCH;

/// Code of IREE's own virtual machine, which runs anywhere, slowly.
const PORTABLE: &str = "vmvx";

/// The best artifact that runs on the device, of those for a target if one is named.
pub(super) fn choose(
    device: &Device,
    artifacts: &'static [Artifact],
    target: Option<&str>,
) -> Result<&'static Artifact> {
    let accepted = accepted();
    let named = artifacts
        .iter()
        .filter(|artifact| target.is_none_or(|target| target == artifact.target));
    let ranked = named.filter_map(|artifact| Some((rank(artifact.target, &accepted)?, artifact)));
    let best = ranked.min_by_key(|(rank, _)| *rank);
    best.map(|(_, artifact)| artifact)
        .ok_or_else(|| Error::NoArtifact {
            device: device.name().to_owned(),
            wanted: target.map(str::to_owned),
            accepted,
            available: artifacts
                .iter()
                .map(|artifact| artifact.target.to_owned())
                .collect(),
        })
}

/// The targets whose code any machine of this kind runs, best first.
fn accepted() -> Vec<String> {
    let best = CpuLevel::of_this_machine();
    let levels = CpuLevel::of_architecture(ARCH).iter().rev();
    let levels = levels.filter(|level| **level <= best);
    let levels = levels.map(|level| level.target(ARCH));
    levels.chain([PORTABLE.to_owned()]).collect()
}

/// The place of a target among those that are accepted; `None` if its code does not run here.
fn rank(target: &str, accepted: &[String]) -> Option<usize> {
    if is_one_cpu(target) {
        return Some(0);
    }
    let place = accepted.iter().position(|accepted| accepted == target);
    place.map(|place| place + 1)
}

/// Whether a target is a CPU by its name. A build makes such code only where it makes Rust code for that
/// CPU too, so whoever gets here has it.
fn is_one_cpu(target: &str) -> bool {
    let mut levels = CpuLevel::of_architecture(ARCH).iter();
    let family = format!("{}-", CpuLevel::Baseline.target(ARCH));
    target.starts_with(&family) && !levels.any(|level| level.target(ARCH) == target)
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

    fn every_level() -> Vec<String> {
        let levels = CpuLevel::of_architecture(ARCH).iter();
        let levels = levels.map(|level| level.target(ARCH));
        levels
            .chain(["cpu-other".to_owned(), PORTABLE.to_owned()])
            .collect()
    }

    #[test]
    fn the_best_artifact_that_runs_here_is_chosen() {
        let device = Device::open("local-sync").unwrap();
        let best = CpuLevel::of_this_machine().target(ARCH);
        let baseline = CpuLevel::Baseline.target(ARCH);
        let chosen = |targets: &[String]| {
            let chosen = choose(&device, artifacts(targets), None);
            chosen.map(|artifact| artifact.target)
        };
        assert_eq!(chosen(&every_level()).unwrap(), best);
        let portable = PORTABLE.to_owned();
        let two = [portable.clone(), baseline.clone()];
        assert_eq!(chosen(&two).unwrap(), baseline);
        let other = "cpu-other".to_owned();
        assert_eq!(chosen(&[other.clone(), portable]).unwrap(), PORTABLE);
        assert!(chosen(&[other]).is_err());
        let one = format!("{baseline}-some-cpu");
        assert_eq!(chosen(&[baseline, one.clone()]).unwrap(), one);
    }

    #[test]
    fn a_target_that_is_named_is_taken_if_it_runs_here() {
        let device = Device::open("local-sync").unwrap();
        let artifacts = artifacts(&every_level());
        for target in accepted() {
            let chosen = choose(&device, artifacts, Some(&target)).unwrap();
            assert_eq!(chosen.target, target);
        }
        let error = choose(&device, artifacts, Some("cpu-other")).unwrap_err();
        assert!(error.to_string().contains("`cpu-other`"), "{error}");
    }
}
