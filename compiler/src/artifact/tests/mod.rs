mod fake;
mod fallback;
mod misbehaviour;
mod processes;
mod real;
mod targets;

use super::{Environment, Failure, Jobs, Request, Target, UserFlag};
use crate::ast::{Emit, Preset};
use fake::{GOOD, Workshop, compile, read, request, target};
use iree_abi::build::{Event, Progress};
use std::{fs, num::NonZero, path::Path, time::Duration};

#[test]
fn a_second_build_compiles_nothing() {
    let workshop = Workshop::new(GOOD);
    let request = Request {
        targets: vec![target("a"), target("b"), target("c")],
        ..request("module {}")
    };
    let first = workshop.compile(&request).unwrap();
    let second = workshop.compile(&request).unwrap();
    assert_eq!(first, second);
    assert_eq!(
        first.iter().map(|c| &*c.target).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    assert_eq!(
        (workshop.count("version"), workshop.count("compile")),
        (1, 3)
    );
    assert_eq!(read(&first[0].mlir), b"module {}");
}

#[test]
fn profiles_share_what_they_have_in_common() {
    let workshop = Workshop::new(GOOD);
    let for_targets = |names: &[&str]| Request {
        targets: names.iter().map(|name| target(name)).collect(),
        ..request("module {}")
    };
    let debug = workshop.compile(&for_targets(&["b"])).unwrap();
    let release = workshop.compile(&for_targets(&["a", "b"])).unwrap();
    assert_eq!(debug[0], release[1]);
    assert_eq!(workshop.count("compile"), 2);
}

#[test]
fn c_is_made_when_it_is_wanted() {
    let script = r##"
for last; do :; done
case "$*" in *--output-format=vm-c*) { echo "#if defined(EMITC_IMPLEMENTATION)"
echo "#endif   // EMITC_IMPLEMENTATION"; echo; } > "$last"; exit;; esac"##;
    let workshop = Workshop::new(&format!("{script}\n{GOOD}"));
    let package = workshop.path("target/iree/package");
    workshop.compile(&request("module {}")).unwrap();
    assert!(!package.join("program.cpu-x86-64.h").exists());
    let wanted = Request {
        emit: vec![Emit::VmC],
        ..request("module {}")
    };
    let compiled = workshop.compile(&wanted).unwrap();
    assert_eq!(workshop.count("compile"), 2);
    assert!(read(&compiled[0].vmfb).starts_with(b"PK"));
    let header = read(&package.join("program.cpu-x86-64.h"));
    assert!(header.starts_with(b"#if defined"));
    let source = String::from_utf8(read(&package.join("program.cpu-x86-64.c"))).unwrap();
    assert!(
        source.contains("#include \"program.cpu-x86-64.h\""),
        "{source}"
    );
}

#[test]
fn half_of_a_file_in_c_is_no_artifact() {
    let workshop = Workshop::new(&format!(
        "{GOOD}\ncase \"$*\" in *vm-c*) echo '#if defined(EMITC_IMPLEMENTATION)' > \"$last\";; esac"
    ));
    let wanted = Request {
        emit: vec![Emit::VmC],
        ..request("module {}")
    };
    let refused = workshop.compile(&wanted).unwrap_err();
    assert!(matches!(refused, Failure::NoArtifact { .. }), "{refused}");
}

#[test]
fn every_knob_of_a_request_turns_the_path() {
    let workshop = Workshop::new(GOOD);
    let plain = Request {
        targets: vec![Target {
            name: "cpu-x86-64-v4-bf16".to_owned(),
            flags: vec!["--iree-opt-data-tiling".to_owned()],
        }],
        ..request("module {}")
    };
    let knobs: [&dyn Fn(&mut Request); 11] = [
        &|request| request.name.push('2'),
        &|request| request.mlir.usual.push(' '),
        &|request| {
            let machine = request.targets[0].machine();
            let other = "module @bf16 {}".to_owned();
            request.mlir.others.insert(machine, other);
        },
        &|request| request.tile_bytes = Some(1),
        &|request| request.changes.offsets = true,
        &|request| request.changes.loops = true,
        &|request| request.targets[0].name.push('2'),
        &|request| request.targets[0].flags.push("--iree-x".to_owned()),
        &|request| request.preset = Preset::Size,
        &|request| request.is_queued = true,
        &|request| request.flags.push(UserFlag::parse("--iree-y")),
    ];
    let mut paths = vec![workshop.compile(&plain).unwrap()[0].vmfb.clone()];
    for turn in knobs {
        let mut request = plain.clone();
        turn(&mut request);
        let path = workshop.compile(&request).unwrap()[0].vmfb.clone();
        assert!(!paths.contains(&path));
        paths.push(path);
    }
}

#[test]
fn another_compiler_turns_the_path() {
    let workshop = Workshop::new(GOOD);
    let first = workshop.compile(&request("module {}")).unwrap();
    let script = fs::read_to_string(workshop.compiler()).unwrap();
    fs::write(workshop.compiler(), script.replace("@ fake", "@ other")).unwrap();
    let second = workshop.compile(&request("module {}")).unwrap();
    assert_ne!(first[0].vmfb, second[0].vmfb);
    assert_eq!(workshop.count("version"), 2);
}

#[test]
fn who_waits_for_a_build_hears_of_what_is_compiled() {
    let workshop = Workshop::new(GOOD);
    let made = [(Event::Begun, "cpu-x86-64"), (Event::Ended, "cpu-x86-64")];
    // The second time there is nothing to wait for.
    assert_eq!(told(&workshop, &[], 2), made);
    // This compiler makes no C.
    let failed = [
        (Event::Begun, "cpu-x86-64 in C"),
        (Event::Failed, "cpu-x86-64 in C"),
    ];
    assert_eq!(told(&workshop, &[Emit::VmC], 1), failed);
}

/// What is told of so many builds of a program.
fn told(workshop: &Workshop, emit: &[Emit], builds: usize) -> Vec<(Event, &'static str)> {
    let told = workshop.path("told");
    fs::write(&told, "").unwrap();
    let environment = Environment {
        progress: Some(told.clone()),
        ..workshop.environment()
    };
    let request = Request {
        emit: emit.into(),
        ..request("module {}")
    };
    for _ in 0..builds {
        // Whether it fails is told too.
        let _ = compile(&request, &environment);
    }
    let lines = fs::read_to_string(&told).unwrap();
    let lines = lines.lines().map(|line| {
        let progress: Progress = line.parse().unwrap();
        assert_eq!(progress.program, "program");
        (progress.event, &*progress.target.leak())
    });
    lines.collect()
}

#[test]
fn the_environment_turns_nothing() {
    let workshop = Workshop::new(GOOD);
    let request = request("module {}");
    let first = workshop.compile(&request).unwrap();
    let elsewhere = Environment {
        target_directory: Some(workshop.path("elsewhere")),
        package: "other".to_owned(),
        jobs: Jobs::up_to(NonZero::<usize>::MIN),
        time_limit: Duration::from_secs(9),
        progress: Some(workshop.path("progress")),
        ..workshop.environment()
    };
    let second = compile(&request, &elsewhere).unwrap();
    let relative =
        |path: &Path, root: &str| path.strip_prefix(workshop.path(root)).unwrap().to_owned();
    assert_eq!(
        relative(&first[0].vmfb, "target"),
        relative(&second[0].vmfb, "elsewhere")
    );
    assert_eq!(read(&first[0].vmfb), read(&second[0].vmfb));
}

#[test]
fn people_find_the_files_under_the_names_they_know() {
    let workshop = Workshop::new(GOOD);
    let compiled = workshop.compile(&request("module {}")).unwrap();
    let package = workshop.path("target/iree/package");
    assert_eq!(read(&package.join("program.mlir")), b"module {}");
    assert_eq!(
        read(&package.join("program.cpu-x86-64.vmfb")),
        read(&compiled[0].vmfb)
    );
}

#[test]
fn programs_of_one_name_do_not_mix() {
    let workshop = Workshop::new(GOOD);
    let one = workshop.compile(&request("module @one {}")).unwrap();
    let two = workshop.compile(&request("module @two {}")).unwrap();
    for (compiled, name) in [(one, "@one"), (two, "@two")] {
        for path in [&compiled[0].vmfb, &compiled[0].mlir] {
            assert!(String::from_utf8_lossy(&read(path)).contains(name));
        }
    }
}

#[test]
fn names_cannot_leave_their_directory() {
    let workshop = Workshop::new(GOOD);
    let request = Request {
        name: "../../-o".to_owned(),
        ..request("module {}")
    };
    let mut environment = workshop.environment();
    environment.package = "../..".to_owned();
    compile(&request, &environment).unwrap();
    let left: Vec<_> = fs::read_dir(workshop.path("")).unwrap().collect();
    assert_eq!(
        left.len(),
        3,
        "the compiler, its log and the target directory: {left:?}"
    );
}

#[test]
fn a_damaged_entry_is_repaired() {
    let workshop = Workshop::new(GOOD);
    let request = request("module {}");
    let first = workshop.compile(&request).unwrap();
    let whole = read(&first[0].vmfb);
    for damaged in [&whole[..whole.len() / 2], b"", b"garbage"] {
        fs::write(&first[0].vmfb, damaged).unwrap();
        fs::write(&first[0].mlir, damaged).unwrap();
        assert_eq!(workshop.compile(&request).unwrap(), first);
        assert_eq!(read(&first[0].vmfb), whole);
        assert_eq!(read(&first[0].mlir), b"module {}");
    }
}

#[test]
fn a_target_directory_that_cannot_be_written_changes_nothing_but_the_place() {
    let workshop = Workshop::new(GOOD);
    let request = request("module {}");
    let usual = workshop.compile(&request).unwrap();
    let occupied = workshop.path("occupied");
    fs::write(&occupied, "a file where the directory should be").unwrap();
    for target_directory in [Some(occupied), None] {
        let environment = Environment {
            target_directory,
            ..workshop.environment()
        };
        let compiled = compile(&request, &environment).unwrap();
        assert_eq!(read(&compiled[0].vmfb), read(&usual[0].vmfb));
        assert_eq!(read(&compiled[0].mlir), read(&usual[0].mlir));
        for path in [&compiled[0].vmfb, &compiled[0].mlir] {
            fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
        }
    }
}
