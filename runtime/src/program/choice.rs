//! Which artifact a device runs.

use crate::{Device, Error, Result, device::Runs};
use iree_abi::{Artifact, CUDA_CHIPS, CpuLevel, INTERPRETER};
use std::env::consts::ARCH;

/// Code of IREE's own virtual machine, which runs on any CPU, slowly.
const PORTABLE: &str = "vmvx";

const VULKAN: &str = "vulkan";

/// The best artifact that runs on the device, of those for a target if one is named.
pub(super) fn choose(
    device: &Device,
    artifacts: &'static [Artifact],
    target: Option<&str>,
) -> Result<&'static Artifact> {
    let runs = device.runs();
    let accepted = accepted(runs);
    let named = artifacts
        .iter()
        .filter(|artifact| target.is_none_or(|name| is_named(artifact.target, name)));
    let ranked =
        named.filter_map(|artifact| Some((rank(runs, artifact.target, &accepted)?, artifact)));
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

/// Whether a name stands for a target: its own, the name that programs are compiled by, `cpu:x86-64-v3`, or that of its kind,
/// `cpu`, which is `cpu:host` too.
fn is_named(target: &str, name: &str) -> bool {
    let name = match name {
        "cpu:host" => "cpu",
        name => name,
    };
    let kind = target.split_once('-').map(|(kind, _)| kind);
    kind == Some(name) || target == name.replacen(':', "-", 1)
}

/// The targets whose code any device of a kind runs, best first.
fn accepted(runs: Runs) -> Vec<String> {
    match runs {
        Runs::Cpu => {
            let best = CpuLevel::of_this_machine();
            let levels = CpuLevel::of_architecture(ARCH).iter().rev();
            let levels = levels.filter(|level| **level <= best);
            let levels = levels.map(|level| level.target(ARCH));
            levels.chain([PORTABLE.to_owned()]).collect()
        }
        Runs::Cuda(chip) => {
            let chips = CUDA_CHIPS.iter().rev().filter(|known| **known <= chip);
            chips.map(|chip| format!("cuda-sm_{chip}")).collect()
        }
        Runs::Vulkan => vec![VULKAN.to_owned()],
        Runs::Interpreter => vec![INTERPRETER.to_owned()],
    }
}

/// The place of a target among those that are accepted; `None` if its code does not run here.
fn rank(runs: Runs, target: &str, accepted: &[String]) -> Option<usize> {
    if let Some(place) = accepted.iter().position(|accepted| accepted == target) {
        return Some(place + 1);
    }
    match runs {
        Runs::Cpu => is_one_cpu(target).then_some(0),
        Runs::Cuda(_) | Runs::Interpreter => None,
        // Whether the chip is this one cannot be seen; what is made for any is safer.
        Runs::Vulkan => target
            .strip_prefix(VULKAN)
            .is_some_and(|chip| chip.starts_with('-'))
            .then_some(accepted.len() + 1),
    }
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
        for target in accepted(Runs::Cpu) {
            let chosen = choose(&device, artifacts, Some(&target)).unwrap();
            assert_eq!(chosen.target, target);
        }
        let chosen = |name: &str| choose(&device, artifacts, Some(name)).map(|found| found.target);
        let baseline = CpuLevel::Baseline.target(ARCH);
        let written = baseline.replacen('-', ":", 1);
        assert_eq!(chosen(&written).unwrap(), baseline);
        for kind in ["cpu", "cpu:host"] {
            let best = CpuLevel::of_this_machine().target(ARCH);
            assert_eq!(chosen(kind).unwrap(), best);
        }
        let error = choose(&device, artifacts, Some("cpu-other")).unwrap_err();
        assert!(error.to_string().contains("`cpu-other`"), "{error}");
    }

    #[test]
    fn gpus_run_what_is_made_for_them_and_for_older_ones() {
        let place = |runs, target: &str| rank(runs, target, &accepted(runs));
        let hopper = Runs::Cuda(90);
        assert_eq!(accepted(hopper)[0], "cuda-sm_89");
        assert!(place(hopper, "cuda-sm_89") < place(hopper, "cuda-sm_80"));
        assert_eq!(place(Runs::Cuda(75), "cuda-sm_80"), None);
        assert_eq!(place(hopper, "vulkan"), None);
        assert!(place(Runs::Vulkan, "vulkan") < place(Runs::Vulkan, "vulkan-rdna3"));
        assert_eq!(place(Runs::Vulkan, "vmvx"), None);
        assert_eq!(place(Runs::Vulkan, "vulkanic"), None);
    }
}
