use crate::tool::{output, tool};
use iree_abi::{CpuLevel, build::Description};
use std::env::consts::ARCH;

/// The list without what depends on the machine.
fn listed(program: &str) -> String {
    let text = output(&mut tool(&["list", program]));
    // Debug builds compile for one level of this machine.
    let here = CpuLevel::Baseline.target(ARCH);
    let (rest, sizes) = text.split_once("  compiled for\n").unwrap();
    let targets = sizes.lines().map(|line| {
        let (target, size) = line.trim().split_once("  ").unwrap();
        assert!(size.ends_with(" kB"), "{line}");
        match target.starts_with(&here) {
            true => "here",
            false => target.trim(),
        }
    });
    let (_, rest) = rest.split_once('\n').unwrap();
    format!("{rest}compiled for {:?}", targets.collect::<Vec<_>>())
}

#[test]
fn a_program_is_listed_with_all_that_it_has() {
    insta::assert_snapshot!(listed("scaling"));
    insta::assert_snapshot!(listed("supplied"));
}

#[test]
fn all_programs_are_listed_by_name() {
    let text = output(&mut tool(&["list"]));
    let names: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with(' ') && !line.is_empty())
        .collect();
    let expected = ["attending", "scaling", "stacked", "supplied"];
    assert_eq!(names.len(), expected.len());
    for (name, expected) in names.iter().zip(expected) {
        let start = format!("{expected} in cargo-iree, cargo-iree/tests/suite/programs.rs:");
        assert!(name.starts_with(&start), "{name}");
    }
    assert!(!text.contains('\x1b'), "colours are for terminals");
}

#[test]
fn large_trees_are_told_by_their_number_of_leaves() {
    let text = output(&mut tool(&["list", "attending"]));
    assert!(text.contains("    set(layers: 16 tensors)\n"), "{text}");
    let text = output(&mut tool(&["list", "attending", "--leaves"]));
    assert!(
        text.contains("set(layers.first_norm.weight: Tensor<f32, 8>, "),
        "{text}"
    );
}

#[test]
fn other_tools_read_the_list() {
    let text = output(&mut tool(&["list", "--json"]));
    let descriptions: Vec<Description> = serde_json::from_str(&text).unwrap();
    assert_eq!(descriptions[1].signature.functions[0].name, "run");
    assert_eq!(
        descriptions[3].globals[0].supplied.as_deref(),
        Some("model::w")
    );
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = output(crate::tool::anywhere().args(["completions", shell]));
        assert!(text.contains("list"), "{shell}");
    }
}
