//! Compilers that do not do what they should.

use super::fake::{GOOD, Workshop, compile, request, target};
use crate::{
    artifact::{Environment, Failure, Request, UserFlag, Versions},
    diagnostic::Code,
};
use std::{fs, process::Command, time::Duration};

fn failure_of(script: &str) -> (Workshop, Failure) {
    let workshop = Workshop::new(script);
    let failure = workshop.compile(&request("module {}")).unwrap_err();
    (workshop, failure)
}

#[test]
fn a_crash_is_told_with_what_shows_it_again() {
    let (workshop, failure) = failure_of("echo 'Assertion failed' >&2; kill -SEGV $$");
    assert!(matches!(&failure, Failure::Crashed { signal: 11, .. }));
    assert_eq!(failure.code(), Code::Iree);
    assert_eq!(
        failure.to_string(),
        "the IREE compiler crashed with signal 11: Assertion failed"
    );
    let script = failure.reproducer().unwrap();
    let text = fs::read_to_string(script).unwrap();
    let module = script.with_extension("mlir");
    assert_eq!(fs::read_to_string(&module).unwrap(), "module {}");
    assert!(text.contains(&module.display().to_string()), "{text}");
    assert!(text.contains("--iree-fake-target=cpu-x86-64"), "{text}");
    assert!(
        text.contains(&workshop.compiler().display().to_string()),
        "{text}"
    );
    let again = Command::new("sh").arg(script).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stderr).contains("Assertion failed"));
}

#[test]
fn an_interrupt_is_no_crash() {
    let (workshop, failure) = failure_of("kill -INT $$");
    assert!(matches!(&failure, Failure::Interrupted), "{failure}");
    assert_eq!(failure.reproducer(), None);
    let files = workshop.path("target/iree/package");
    let left = fs::read_dir(files)
        .unwrap()
        .map(|file| file.unwrap().path());
    assert_eq!(
        left.filter(|path| path.to_string_lossy().contains("failed"))
            .count(),
        0
    );
}

#[test]
fn what_shows_a_failure_again_is_the_module_of_its_target() {
    let workshop = Workshop::new(&format!(
        "case \"$*\" in *bf16*) kill -SEGV $$;; esac\n{GOOD}"
    ));
    let request = Request {
        targets: ["cpu-x86-64", "cpu-x86-64-v4-bf16"].map(target).into(),
        mlir: Versions {
            others: [(
                target("cpu-x86-64-v4-bf16").machine(),
                "module @other {}".to_owned(),
            )]
            .into(),
            ..Versions::default()
        },
        ..request("module {}")
    };
    let failure = workshop.compile(&request).unwrap_err();
    assert_eq!(failure.target(), Some("cpu-x86-64-v4-bf16"));
    let module = failure.reproducer().unwrap().with_extension("mlir");
    assert_eq!(fs::read_to_string(module).unwrap(), "module @other {}");
}

#[test]
fn what_shows_a_failure_again_is_a_command_of_a_shell() {
    let workshop = Workshop::new("echo 'Assertion failed' >&2; kill -SEGV $$");
    let environment = Environment {
        target_directory: Some(workshop.path("it's a folder")),
        ..workshop.environment()
    };
    let failure = compile(&request("module {}"), &environment).unwrap_err();
    let command = failure.command().unwrap();
    let again = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stderr).contains("Assertion failed"));
}

#[test]
fn a_hang_ends_at_the_time_limit() {
    let workshop = Workshop::new("exec sleep 60");
    let environment = Environment {
        time_limit: Duration::from_millis(200),
        ..workshop.environment()
    };
    let failure = compile(&request("module {}"), &environment).unwrap_err();
    assert!(matches!(&failure, Failure::TimedOut { .. }));
    assert_eq!(
        failure.to_string(),
        "the IREE compiler did not end within 0.2 seconds"
    );
    assert!(failure.help().unwrap().contains("IREE_DSL_COMPILE_TIMEOUT"));
    assert!(failure.reproducer().is_some());
}

#[test]
fn a_refusal_has_messages() {
    let (_, failure) = failure_of("echo 'program.mlir:1:1: error: no' >&2; exit 1");
    assert_eq!(
        failure.to_string(),
        "the IREE compiler refused the program: no"
    );
    let (_, failure) = failure_of("head -c 3000000 /dev/urandom >&2; exit 7");
    assert!(matches!(&failure, Failure::Refused { messages, .. } if messages.len() == 1));
}

#[test]
fn a_chip_that_the_compiler_does_not_know_is_no_crash() {
    for script in [
        "echo \"<unknown>:0: error: Unknown Vulkan target 'x'\" >&2; kill -SEGV $$",
        "echo \"<unknown>:0: error: Unknown ROCM target 'x'\" >&2; exit 1",
    ] {
        let (_, failure) = failure_of(script);
        let said = "the IREE compiler knows no such chip as that of the target `cpu:x86-64`";
        assert_eq!(failure.to_string(), said);
        assert!(failure.reproducer().is_none());
    }
}

#[test]
fn success_without_a_whole_artifact_is_a_failure() {
    for script in [
        "exit 0",
        "for last; do :; done; : > \"$last\"",
        "for last; do :; done; echo garbage garbage garbage garbage > \"$last\"",
        &format!("{GOOD}; truncate -s -1 \"$last\""),
    ] {
        let (workshop, failure) = failure_of(script);
        assert!(
            matches!(&failure, Failure::NoArtifact { .. }),
            "{script}: {failure}"
        );
        workshop.compile(&request("module {}")).unwrap_err();
        assert_eq!(workshop.count("compile"), 2, "a failure is not cached");
    }
}

#[test]
fn warnings_do_not_matter() {
    let workshop = Workshop::new(&format!(
        "echo 'x.mlir:1:1: warning: careful' >&2; echo hello; {GOOD}"
    ));
    workshop.compile(&request("module {}")).unwrap();
}

#[test]
fn what_showed_a_failure_goes_when_it_is_gone() {
    let workshop = Workshop::new(&format!("test -e $0.good || exit 1; {GOOD}"));
    let failure = workshop.compile(&request("module {}")).unwrap_err();
    let reproducer = failure.reproducer().unwrap();
    let module = reproducer.with_extension("mlir");
    assert!(reproducer.exists() && module.exists());
    fs::write(workshop.path("iree-compile.good"), "").unwrap();
    workshop.compile(&request("module {}")).unwrap();
    assert!(!reproducer.exists() && !module.exists());
}

#[test]
fn a_missing_or_wrong_compiler_is_named_with_the_cure() {
    let plain = request("module {}");
    let wrong = Workshop::with_version("3.12.0 @ old", GOOD);
    let mute = Workshop::with_version("", GOOD);
    let gone = Workshop::new(GOOD);
    fs::remove_file(gone.compiler()).unwrap();
    let none = Environment {
        compiler: None,
        ..gone.environment()
    };
    let failures = [
        (
            wrong.compile(&plain),
            "is version 3.12.0 @ old, and 3.13.0 is needed",
        ),
        (mute.compile(&plain), "does not tell its version"),
        (gone.compile(&plain), "cannot be run: No such file"),
        (
            compile(&plain, &none),
            "`iree-compile` 3.13.0 was not found",
        ),
    ];
    for (result, message) in failures {
        let failure = result.unwrap_err();
        assert_eq!(failure.code(), Code::Toolchain);
        assert!(failure.to_string().contains(message), "{failure}");
        assert!(failure.help().unwrap().contains("./x setup"));
    }
}

#[test]
fn flags_that_name_files_are_refused() {
    let workshop = Workshop::new(GOOD);
    let flag = UserFlag::parse("--iree-codegen-tuning-spec-path=/spec.mlir");
    let request = Request {
        flags: vec![flag],
        ..request("module {}")
    };
    let failure = workshop.compile(&request).unwrap_err();
    assert_eq!(failure.code(), Code::Attribute);
    assert_eq!(workshop.count("compile"), 0);
}
