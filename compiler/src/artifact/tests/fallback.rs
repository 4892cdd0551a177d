//! Compilers that fail on a program as it should be compiled, and not in every other way.

use super::fake::{GOOD, Workshop, read, request, target};
use crate::{
    artifact::{Compiled, Environment, Failure, Place, Request, Target, Way, Ways, compile},
    machine::Machine,
};
use std::{cell::RefCell, fs, process::Command, time::Duration};

const PLACE: Place = Place {
    function: 1,
    operation: 2,
};

/// A program whose module is other text in each way.
#[derive(Default)]
struct Program {
    is_of_user: bool,
    /// Whether the compiler says no place.
    is_nowhere: bool,
    /// How it was lowered.
    lowered: RefCell<Vec<&'static str>>,
}

impl Ways for Program {
    fn are_in_vain(&self, _: &Failure) -> bool {
        self.is_of_user
    }

    fn places(&self, _: &Failure) -> Vec<Place> {
        match self.is_nowhere {
            true => Vec::new(),
            false => vec![PLACE],
        }
    }

    fn lower(&self, _: Machine, way: Way<'_>) -> Option<String> {
        let name = match way {
            Way::Around(places) => {
                assert_eq!(places, [PLACE]);
                "around"
            }
            Way::Apart => "apart",
        };
        self.lowered.borrow_mut().push(name);
        Some(format!("module @{name} {{}}"))
    }
}

/// Refuses all but what has this among its flags and its module.
fn refuses_without(wanted: &str) -> String {
    let refusal = "echo 'program.mlir:1:1: error: no' >&2; exit 1";
    format!("case \"$* $(cat *.mlir)\" in *{wanted}*) ;; *) {refusal};; esac\n{GOOD}")
}

fn tiled(target: Target) -> Target {
    let flags = target.flags.into_iter();
    let flags = flags.chain(["--iree-opt-data-tiling".to_owned()]);
    Target {
        flags: flags.collect(),
        ..target
    }
}

fn plain() -> Request {
    Request {
        targets: vec![tiled(target("cpu-x86-64"))],
        ..request("module {}")
    }
}

fn build(workshop: &Workshop, program: &Program) -> Result<Vec<Compiled>, Failure> {
    compile(&plain(), program, &workshop.environment())
}

#[test]
fn the_first_way_that_helps_is_taken() {
    for (wanted, rung, attempts) in [
        (
            "--iree-dispatch-creation-fuse-multi-use=false",
            "one-use",
            2,
        ),
        ("@around", "around", 3),
        ("--iree-opt-data-tiling=false", "untiled", 4),
        ("@apart", "apart", 5),
        ("--iree-opt-level=O0", "plain", 6),
    ] {
        let workshop = Workshop::new(&refuses_without(wanted));
        let first = build(&workshop, &Program::default()).unwrap();
        let fallback = first[0].fallback.clone().unwrap();
        assert_eq!(fallback.rung, rung);
        assert_eq!(fallback.reason, "the IREE compiler refused the program: no");
        assert_eq!(fallback.places, [PLACE]);
        assert!(!fallback.cost().is_empty());
        assert_eq!(workshop.count("compile"), attempts, "{rung}");
        let text = String::from_utf8(read(&first[0].vmfb)).unwrap();
        assert!(text.contains(wanted), "{text}");

        // The next build compiles nothing, and says the same.
        let second = build(&workshop, &Program::default()).unwrap();
        assert_eq!(first, second);
        assert_eq!(workshop.count("compile"), attempts, "{rung}");
    }
}

#[test]
fn the_reason_may_be_the_start_of_a_sentence() {
    let refusing = refuses_without("--iree-opt-level=O0").replace("error: no", "error: no, never.");
    let compiled = build(&Workshop::new(&refusing), &Program::default()).unwrap();
    let fallback = compiled[0].fallback.as_ref().unwrap();
    let said = "the IREE compiler refused the program: no, never";
    assert_eq!(fallback.reason, said);
}

#[test]
fn each_flag_is_given_once() {
    let workshop = Workshop::new(&refuses_without("--iree-opt-level=O0"));
    let compiled = build(&workshop, &Program::default()).unwrap();
    let names = compiled[0].flags.iter();
    let names = names.map(|flag| flag.split('=').next().unwrap());
    let mut names: Vec<_> = names.collect();
    let total = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), total, "{names:?}");
}

#[test]
fn what_fails_in_all_ways_fails_as_it_failed_first() {
    let script = "echo \"error: $(ls | grep -c .) $(cat *.mlir)\" >&2; exit 1";
    let workshop = Workshop::new(script);
    let failure = build(&workshop, &Program::default()).unwrap_err();
    assert!(failure.to_string().contains("module {}"), "{failure}");
    assert_eq!(workshop.count("compile"), 6);
    let script = fs::read_to_string(failure.reproducer().unwrap()).unwrap();
    assert!(!script.contains("fuse-multi-use"), "{script}");
}

#[test]
fn what_the_compiler_failed_on_is_kept() {
    let workshop = Workshop::new(&refuses_without("@apart"));
    for _ in 0..2 {
        let compiled = build(&workshop, &Program::default()).unwrap();
        let script = compiled[0].reproducer.0.clone().unwrap();
        let module = script.with_extension("mlir");
        assert_eq!(fs::read_to_string(module).unwrap(), "module {}");
        let again = Command::new("sh").arg(&script).output().unwrap();
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(said.contains("error: no"), "{said}");
        // A build that finds everything in the cache leaves it as well.
        fs::remove_file(script).unwrap();
    }
}

#[test]
fn what_the_user_wrote_in_the_compilers_language_is_compiled_once() {
    let workshop = Workshop::new(&refuses_without("@apart"));
    let program = Program {
        is_of_user: true,
        ..Program::default()
    };
    build(&workshop, &program).unwrap_err();
    assert_eq!(workshop.count("compile"), 1);
}

#[test]
fn without_a_place_nothing_is_lowered_around_it() {
    let workshop = Workshop::new(&refuses_without("@a"));
    let program = Program {
        is_nowhere: true,
        ..Program::default()
    };
    let compiled = build(&workshop, &program).unwrap();
    assert_eq!(compiled[0].fallback.as_ref().unwrap().rung, "apart");
    assert_eq!(workshop.count("compile"), 4);
}

#[test]
fn a_target_without_data_tiling_is_not_compiled_without_it() {
    let workshop = Workshop::new(&refuses_without("@apart"));
    let request = request("module {}");
    compile(&request, &Program::default(), &workshop.environment()).unwrap();
    assert_eq!(workshop.count("compile"), 4);
}

#[test]
fn what_helped_for_one_target_is_tried_first_for_the_next() {
    let workshop = Workshop::new(&refuses_without("@apart"));
    let request = Request {
        targets: ["a", "b", "c"].map(target).into(),
        ..request("module {}")
    };
    let program = Program::default();
    let compiled = compile(&request, &program, &workshop.environment()).unwrap();
    let rungs = compiled
        .iter()
        .map(|it| &*it.fallback.as_ref().unwrap().rung);
    assert_eq!(rungs.collect::<Vec<_>>(), ["apart"; 3]);
    assert_eq!(workshop.count("compile"), 3 + 3 + 1 + 1);
    assert_eq!(
        program.lowered.into_inner(),
        ["around", "apart", "apart", "apart"]
    );
}

#[test]
fn a_crash_and_too_much_memory_are_failures_too() {
    for (signal, attempts) in [("SEGV", 5), ("ABRT", 5), ("KILL", 2)] {
        let script = format!("grep -q @apart *.mlir || kill -{signal} $$\n{GOOD}");
        let workshop = Workshop::new(&script);
        let compiled = build(&workshop, &Program::default()).unwrap();
        assert_eq!(compiled[0].fallback.as_ref().unwrap().rung, "apart");
        // What takes too much memory gets no more of it in small steps.
        assert_eq!(workshop.count("compile"), attempts, "{signal}");
    }
}

#[test]
fn what_hangs_hangs_at_most_twice() {
    let limit = |workshop: &Workshop| Environment {
        time_limit: Duration::from_millis(700),
        ..workshop.environment()
    };
    let workshop = Workshop::new(&format!("grep -q @apart *.mlir || exec sleep 60\n{GOOD}"));
    let compiled = compile(&plain(), &Program::default(), &limit(&workshop)).unwrap();
    assert_eq!(compiled[0].fallback.as_ref().unwrap().rung, "apart");
    assert_eq!(workshop.count("compile"), 2);

    let workshop = Workshop::new("exec sleep 60");
    let failure = compile(&plain(), &Program::default(), &limit(&workshop)).unwrap_err();
    assert!(matches!(failure, Failure::TimedOut { .. }), "{failure}");
    assert_eq!(workshop.count("compile"), 2);
}

#[test]
fn an_interrupt_ends_all_attempts() {
    let workshop = Workshop::new("grep -q '^module {}' *.mlir && exit 1; kill -INT $$");
    let failure = build(&workshop, &Program::default()).unwrap_err();
    assert!(matches!(failure, Failure::Interrupted), "{failure}");
    assert_eq!(workshop.count("compile"), 3);
}

#[test]
fn an_answer_outlives_the_target_directory_in_the_shared_cache() {
    let workshop = Workshop::new(&refuses_without("@apart"));
    let build = |target: &str| {
        let environment = Environment {
            target_directory: Some(workshop.path(target)),
            shared_cache: Some(workshop.path("shared")),
            ..workshop.environment()
        };
        compile(&plain(), &Program::default(), &environment).unwrap()
    };
    let (first, second) = (build("first"), build("second"));
    assert_eq!(first[0].fallback, second[0].fallback);
    assert_eq!(workshop.count("compile"), 5);
}

#[test]
fn an_answer_that_helps_no_more_is_sought_anew() {
    let workshop = Workshop::new(&format!(
        "test -e $0.other && {{ grep -q @around *.mlir && exit 1; }}\n{}",
        refuses_without("@a")
    ));
    let rung = || {
        let compiled = build(&workshop, &Program::default()).unwrap();
        (
            compiled[0].fallback.clone().unwrap().rung,
            compiled[0].vmfb.clone(),
        )
    };
    let (first, artifact) = rung();
    assert_eq!(first, "around");
    fs::remove_dir_all(artifact.parent().unwrap()).unwrap();
    fs::write(workshop.path("iree-compile.other"), "").unwrap();
    assert_eq!(rung().0, "apart");
    let attempts = workshop.count("compile");
    assert_eq!(rung().0, "apart");
    assert_eq!(workshop.count("compile"), attempts);
}
