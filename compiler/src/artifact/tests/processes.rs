//! Builds that run at the same time, or do not live to their end.

use super::fake::{GOOD, Workshop, compile, environment, read, request};
use crate::artifact::Environment;
use std::{
    env,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

const DIRECTORY: &str = "IREE_DSL_TEST_WORKSHOP";
const TARGET: &str = "IREE_DSL_TEST_TARGET";
const MODULES: &str = "IREE_DSL_TEST_MODULES";
/// Of a shared cache, if there is to be one.
const LIMIT: &str = "IREE_DSL_TEST_LIMIT";

/// Compiles in the workshop of another test, as a process of its own.
#[test]
#[ignore = "the other tests run it"]
fn build() {
    let directory = PathBuf::from(env::var_os(DIRECTORY).unwrap());
    let target = env::var(TARGET).unwrap_or_else(|_| "target".to_owned());
    let limit = env::var(LIMIT).ok().and_then(|limit| limit.parse().ok());
    let environment = Environment {
        shared_cache: limit.map(|_| directory.join("shared")),
        shared_cache_limit: limit.unwrap_or_default(),
        ..environment(directory.join("iree-compile"), directory.join(target))
    };
    let modules = env::var(MODULES).map_or(1, |count| count.parse().unwrap());
    for module in 0..modules {
        let text = match module {
            0 => "module {}".to_owned(),
            other => format!("module {{}} // {other}"),
        };
        let compiled = compile(&request(&text), &environment).unwrap();
        let content = read(&compiled[0].vmfb);
        assert!(String::from_utf8_lossy(&content).contains(&text));
    }
}

fn start_build(workshop: &Workshop) -> Child {
    build_command(workshop).spawn().unwrap()
}

/// A background job of a shell ignores interrupts and hands that down, so they are set back first.
fn build_command(workshop: &Workshop) -> Command {
    let mut command = Command::new("env");
    command
        .arg("--default-signal=INT")
        .arg(env::current_exe().unwrap())
        .args(["--exact", "--ignored", "artifact::tests::processes::build"])
        .env(DIRECTORY, workshop.path(""))
        .stdout(Stdio::null());
    command
}

#[test]
fn processes_that_want_one_artifact_compile_it_once() {
    let workshop = Workshop::new(&format!("sleep 0.3; {GOOD}"));
    let builds: Vec<Child> = (0..8).map(|_| start_build(&workshop)).collect();
    for mut build in builds {
        assert!(build.wait().unwrap().success());
    }
    assert_eq!(
        (workshop.count("version"), workshop.count("compile")),
        (1, 1)
    );
}

/// Builds of eight workspaces at once, of some modules each.
fn build_workspaces(workshop: &Workshop, modules: usize, limit: u64) {
    let start = |index: usize| {
        let mut command = build_command(workshop);
        command.env(TARGET, format!("target {index}"));
        command.env(MODULES, modules.to_string());
        command.env(LIMIT, limit.to_string());
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let builds: Vec<Child> = (0..8).map(start).collect();
    for build in builds {
        let output = build.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

#[test]
fn workspaces_that_share_a_cache_compile_once() {
    let workshop = Workshop::new(&format!("sleep 0.1; {GOOD}"));
    build_workspaces(&workshop, 3, 1 << 20);
    assert_eq!(workshop.count("compile"), 3);
}

#[test]
fn a_shared_cache_that_is_always_full_is_no_obstacle() {
    let workshop = Workshop::new(GOOD);
    build_workspaces(&workshop, 12, 1);
    let entries = workshop.path("shared").read_dir().unwrap();
    let entries = entries.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        !["locks", "work"].contains(&&*name.to_string_lossy())
    });
    // Each build keeps what it made last, until another makes room.
    assert!(entries.count() <= 8);
}

#[test]
fn a_killed_build_leaves_nothing_that_matters() {
    // The first compiler writes half an artifact and hangs; it outlives its killed parent and goes on
    // writing while the second one runs.
    let workshop = Workshop::new(&format!(
        "if [ ! -e $0.second ]; then touch $0.second; for last; do :; done; \
         printf PK > \"$last\"; sleep 0.5; echo garbage > \"$last\"; exit 0; fi\n{GOOD}"
    ));
    let mut first = start_build(&workshop);
    while !workshop.path("iree-compile.second").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let compiled = workshop.compile(&request("module {}")).unwrap();
    let whole = read(&compiled[0].vmfb);
    thread::sleep(Duration::from_millis(700));
    assert_eq!(read(&compiled[0].vmfb), whole);
    assert!(whole.ends_with(&[b'0'; 18]));
    assert_eq!(workshop.count("compile"), 2);
    assert_eq!(
        workshop
            .path("target/iree/.cache/work")
            .read_dir()
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn an_interrupt_from_the_keyboard_ends_the_compiler_too() {
    let workshop = Workshop::new("touch $0.begun; sleep 1; touch $0.ended");
    let mut build = build_command(&workshop).process_group(0).spawn().unwrap();
    while !workshop.path("iree-compile.begun").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let interrupt = format!("kill -s INT -- -{}", build.id());
    let sent = Command::new("sh")
        .args(["-c", &interrupt])
        .status()
        .unwrap();
    assert!(sent.success());
    assert!(!build.wait().unwrap().success());
    thread::sleep(Duration::from_millis(1500));
    assert!(!workshop.path("iree-compile.ended").exists());
}
