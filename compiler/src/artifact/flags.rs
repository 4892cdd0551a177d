//! The flags of the IREE compiler.

use super::failure::Failure;

/// What every target is compiled with, in debug and release builds alike: the level costs no time
/// that could be measured, and a program then computes the same in both.
///
/// - The first keeps `f64` what it is.
/// - `O2` fuses elementwise operations into reductions and lets floating-point reductions run in
///   vectors, which rounds in another order than a loop would: a sum of 16 million elements is six
///   times as fast. `O3` also moves transposes through named operations.
/// - From `O1` on IREE strips assertions; the language has them, so they stay.
const COMMON: [&str; 3] = [
    "--iree-input-demote-f64-to-f32=false",
    "--iree-opt-level=O3",
    "--iree-opt-strip-assertions=false",
];

/// The flags that a target consists of: an artifact carries the target's name.
const OF_THE_TARGET: [&str; 3] = [
    "--iree-hal-target-",
    "--iree-hal-local-target-",
    "--iree-llvmcpu-target-",
];

/// All flags of a compilation. A flag of the user's replaces ours of the same name, since the
/// compiler refuses one that is given twice.
pub(super) fn all(target: &[String], user: &[String]) -> Vec<String> {
    let overridden = |flag: &str| user.iter().any(|other| name(other) == name(flag));
    let common = COMMON.iter().map(|flag| (*flag).to_owned());
    let mut flags: Vec<String> = common
        .chain(target.iter().cloned())
        .filter(|flag| !overridden(flag))
        .collect();
    flags.extend_from_slice(user);
    flags
}

/// Checks that the user's flags cannot make the compiler read or write what the request does not
/// hold: the cache could not know of it.
pub(super) fn check(flags: &[String]) -> Result<(), Failure> {
    let reason = |flag: &str| {
        if !flag.starts_with("--iree-") {
            Some("only flags that start with `--iree-` are passed on")
        } else if OF_THE_TARGET.iter().any(|prefix| flag.starts_with(prefix)) {
            Some("what to compile for is what the option `targets` says")
        } else if name(flag) == "--iree-vm-emit-polyglot-zip" {
            Some("an artifact that is no archive cannot be told from a part of one")
        } else if value(flag).contains(['/', '\\']) || name(flag) == "--iree-load-plugin" {
            Some(
                "a flag that names a file is not passed on, as changes to the file would go unnoticed",
            )
        } else {
            None
        }
    };
    let refused = flags.iter().find_map(|flag| Some((flag, reason(flag)?)));
    refused.map_or(Ok(()), |(flag, reason)| {
        Err(Failure::Flag {
            flag: flag.clone(),
            reason,
        })
    })
}

fn name(flag: &str) -> &str {
    flag.split_once('=').map_or(flag, |(name, _)| name)
}

fn value(flag: &str) -> &str {
    flag.split_once('=').map_or("", |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(flags: &[&str]) -> Vec<String> {
        flags.iter().map(|flag| (*flag).to_owned()).collect()
    }

    #[test]
    fn a_flag_of_the_user_replaces_ours() {
        let target = owned(&["--iree-opt-data-tiling", "--iree-x=1"]);
        let user = owned(&["--iree-opt-level=O1", "--iree-opt-data-tiling=false"]);
        let flags = all(&target, &user);
        let of =
            |wanted: &str| -> Vec<&String> { flags.iter().filter(|f| name(f) == wanted).collect() };
        assert_eq!(of("--iree-opt-level"), ["--iree-opt-level=O1"]);
        assert_eq!(
            of("--iree-opt-data-tiling"),
            ["--iree-opt-data-tiling=false"]
        );
        assert_eq!(of("--iree-x"), ["--iree-x=1"]);
    }

    #[test]
    fn flags_that_reach_beyond_the_request_are_refused() {
        for flag in [
            "-o",
            "@file",
            "input.mlir",
            "--mlir-timing",
            "--iree-codegen-tuning-spec-path=/tmp/spec.mlir",
            "--iree-parameter-import=../weights.safetensors",
            "--iree-load-plugin=x.so",
            "--iree-llvmcpu-target-cpu=host",
            "--iree-hal-target-device=cuda",
            "--iree-vm-emit-polyglot-zip=false",
        ] {
            let refused = check(&owned(&["--iree-opt-level=O2", flag]));
            assert!(matches!(refused, Err(Failure::Flag { flag: named, .. }) if named == flag));
        }
        check(&owned(&["--iree-opt-level=O2"])).unwrap();
    }
}
