use super::{
    Difference, Mismatch, compare, install,
    manifest::{File, Manifest},
    read, write,
};
use crate::{
    artifact::{Compiled, Failure, Plan, Reproducer, Target, UserFlag},
    ast::Preset,
};
use iree_dsl_ir::{
    text,
    verify::{Verified, verify},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

const SOURCE: &str = "module @program {\n  global @x: Tensor<f32, 2> = splat 1.5\n}\n";

fn program(source: &str) -> Verified {
    verify(text::parse(source).unwrap()).unwrap()
}

fn plan(program: &Verified) -> Plan<'_> {
    Plan {
        program,
        targets: ["cpu-a", "cpu-b"].map(target).into(),
        preset: Preset::Speed,
        is_queued: false,
        emit: Vec::new(),
        flags: vec![UserFlag::parse("--iree-x=1")],
        without: Default::default(),
    }
}

fn target(name: &str) -> Target {
    Target {
        name: name.to_owned(),
        flags: vec![format!("--iree-target={name}")],
    }
}

/// A repository with a program, and what a build left for it.
struct Repository {
    directory: TempDir,
}

impl Repository {
    fn with(plan: &Plan<'_>) -> Self {
        let repository = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        repository.vendor(plan).unwrap();
        repository
    }

    fn vendor(&self, plan: &Plan<'_>) -> Result<(), Failure> {
        let made = self.made();
        let _ = fs::remove_dir_all(&made);
        write(plan, &self.compiled(plan), &made)?;
        install(&made, &self.folder()).unwrap();
        Ok(())
    }

    fn compiled(&self, plan: &Plan<'_>) -> Vec<Compiled> {
        let path = |name: &str, content: &str| {
            let path = self.directory.path().join(name);
            fs::write(&path, content).unwrap();
            path
        };
        let compiled = plan.targets.iter().map(|target| Compiled {
            target: target.name.clone(),
            vmfb: path(&target.name, &format!("code for {}", target.name)),
            mlir: path("mlir", "module {}"),
            flags: plan.flags(target),
            compiler: "3.13.0".to_owned(),
            compiler_path: PathBuf::new(),
            fallback: None,
            reproducer: Reproducer::default(),
        });
        compiled.collect()
    }

    fn made(&self) -> PathBuf {
        self.directory.path().join("made")
    }

    fn folder(&self) -> PathBuf {
        self.directory.path().join(".iree/package")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    fn mismatch(&self, plan: &Plan<'_>) -> Mismatch {
        match read(plan, &self.folder()) {
            Err(Failure::Vendored(mismatch)) => mismatch,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_was_written_is_read() {
    let program = program(SOURCE);
    let plan = plan(&program);
    let repository = Repository::with(&plan);
    let artifacts = read(&plan, &repository.folder()).unwrap();
    let targets: Vec<_> = artifacts
        .iter()
        .map(|found| found.target.as_str())
        .collect();
    assert_eq!(targets, ["cpu-a", "cpu-b"]);
    for artifact in &artifacts {
        let code = fs::read_to_string(&artifact.vmfb).unwrap();
        assert_eq!(code, format!("code for {}", artifact.target));
        assert_eq!(fs::read_to_string(&artifact.mlir).unwrap(), "module {}");
    }
    let attributes = fs::read(repository.folder().with_file_name(".gitattributes")).unwrap();
    assert_eq!(attributes, b"* -text\n");
    assert_eq!(
        compare(&repository.made(), &repository.folder()).unwrap(),
        []
    );
}

#[test]
fn a_build_may_want_less_than_there_is() {
    let program = program(SOURCE);
    let mut plan = plan(&program);
    let repository = Repository::with(&plan);
    plan.targets.remove(0);
    let artifacts = read(&plan, &repository.folder()).unwrap();
    assert_eq!(artifacts.len(), 1);
    assert_eq!(artifacts[0].target, "cpu-b");
}

#[test]
fn every_knob_makes_artifacts_those_of_another_program() {
    let original = program(SOURCE);
    let original = plan(&original);
    let repository = Repository::with(&original);
    let other = |from: &str, to: &str| program(&SOURCE.replace(from, to));
    for (from, to) in [
        ("1.5", "1.25"),
        ("@x", "@y"),
        ("2>", "3>"),
        ("global", "global mutable"),
    ] {
        let changed = other(from, to);
        let mismatch = repository.mismatch(&plan(&changed));
        assert!(matches!(mismatch, Mismatch::Source { .. }), "{mismatch}");
    }
    let renamed = other("@program", "@other");
    let mismatch = repository.mismatch(&plan(&renamed));
    assert!(matches!(mismatch, Mismatch::Absent { .. }), "{mismatch}");
    let turned = |turn: fn(&mut Plan<'_>)| {
        let mut plan = original.clone();
        turn(&mut plan);
        repository.mismatch(&plan)
    };
    let mismatch = turned(|plan| _ = plan.without.insert("gaps".to_owned()));
    assert!(matches!(mismatch, Mismatch::Passes { .. }), "{mismatch}");
    let flags = Mismatch::Flags {
        target: "cpu-a".to_owned(),
    };
    assert_eq!(turned(|plan| plan.preset = Preset::Size), flags);
    assert_eq!(turned(|plan| plan.is_queued = true), flags);
    assert_eq!(turned(|plan| plan.flags.clear()), flags);
    let of_target = turned(|plan| plan.targets[0].flags.push("--iree-y".to_owned()));
    assert_eq!(of_target, flags);
    let absent = turned(|plan| plan.targets.push(target("cuda")));
    assert!(matches!(&absent, Mismatch::Target { target, .. } if target == "cuda"));
    assert!(
        absent.to_string().ends_with("for `cpu-a`, `cpu-b`"),
        "{absent}"
    );
}

#[test]
fn another_version_of_lowering_or_of_the_compiler_makes_others() {
    let program = program(SOURCE);
    let plan = plan(&program);
    let repository = Repository::with(&plan);
    let path = Manifest::path(&repository.folder(), "program");
    let current = Manifest::read(&path).unwrap().unwrap();
    let turns: [fn(&mut Manifest); 3] = [
        |manifest| manifest.made_by.iree_dsl.push('9'),
        |manifest| manifest.made_by.lowering.push('9'),
        |manifest| manifest.made_by.iree.push('9'),
    ];
    for turn in turns {
        let mut manifest = current.clone();
        turn(&mut manifest);
        fs::write(&path, manifest.text().unwrap()).unwrap();
        let mismatch = repository.mismatch(&plan);
        assert!(matches!(mismatch, Mismatch::Maker { .. }), "{mismatch}");
    }
}

#[test]
fn a_damaged_file_is_not_taken_for_an_artifact() {
    let program = program(SOURCE);
    let plan = plan(&program);
    let repository = Repository::with(&plan);
    for name in ["program.cpu-b.vmfb", "program.mlir"] {
        let path = repository.file(name);
        let whole = fs::read(&path).unwrap();
        let pointer = b"version https://git-lfs.github.com/spec/v1\n";
        for damaged in [&whole[..3], b"", pointer] {
            fs::write(&path, damaged).unwrap();
            let expected = Mismatch::Damaged { path: path.clone() };
            assert_eq!(repository.mismatch(&plan), expected);
        }
        fs::remove_file(&path).unwrap();
        assert!(matches!(
            repository.mismatch(&plan),
            Mismatch::Damaged { .. }
        ));
        fs::write(&path, whole).unwrap();
    }
    let manifest = repository.file("program.json");
    for damaged in ["", "{}", "<<<<<<< ours"] {
        fs::write(&manifest, damaged).unwrap();
        let mismatch = repository.mismatch(&plan);
        assert!(
            matches!(mismatch, Mismatch::Unreadable { .. }),
            "{mismatch}"
        );
    }
}

#[test]
fn artifacts_without_their_module_are_not_whole() {
    let program = program(SOURCE);
    let plan = plan(&program);
    let repository = Repository::with(&plan);
    let path = repository.file("program.json");
    let mut manifest = Manifest::read(&path).unwrap().unwrap();
    manifest.mlir = None;
    fs::write(&path, manifest.text().unwrap()).unwrap();
    let expected = Mismatch::Unreadable { path };
    assert_eq!(repository.mismatch(&plan), expected);
    let differences = compare(&repository.made(), &repository.folder()).unwrap();
    assert_eq!(
        differences[0],
        Difference::Program("program".to_owned(), expected)
    );
}

#[test]
fn a_file_elsewhere_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(directory.path().join("secret"), "content").unwrap();
    let outside = directory.path().join("secret");
    for name in ["../secret", outside.to_str().unwrap()] {
        let file = File::of(name.to_owned(), &outside).unwrap();
        assert!(!file.is_in(&folder), "{name}");
    }
}

#[test]
fn what_is_outdated_or_left_over_is_listed_and_goes() {
    let (old, new) = (program(SOURCE), program(&SOURCE.replace("1.5", "2.5")));
    let repository = Repository::with(&plan(&old));
    let left_over = repository.file("gone.cpu-a.vmfb");
    fs::write(&left_over, "code").unwrap();
    fs::remove_dir_all(repository.made()).unwrap();
    let mut fewer = plan(&new);
    fewer.targets.truncate(1);
    let compiled = repository.compiled(&fewer);
    write(&fewer, &compiled, &repository.made()).unwrap();

    let outdated = Mismatch::Source {
        path: repository.file("program.json"),
    };
    let unwanted = repository.file("program.cpu-b.vmfb");
    let expected = [
        Difference::Program("program".to_owned(), outdated),
        Difference::LeftOver(left_over.clone()),
        Difference::LeftOver(unwanted.clone()),
    ];
    assert_eq!(
        compare(&repository.made(), &repository.folder()).unwrap(),
        expected
    );

    let kept = modified(&repository.file("program.cpu-a.vmfb"));
    let (written, removed) = install(&repository.made(), &repository.folder()).unwrap();
    assert_eq!(written, [repository.file("program.json")]);
    assert_eq!(removed, [left_over, unwanted]);
    assert_eq!(modified(&repository.file("program.cpu-a.vmfb")), kept);
    assert_eq!(
        compare(&repository.made(), &repository.folder()).unwrap(),
        []
    );
    read(&fewer, &repository.folder()).unwrap();
}

fn modified(path: &Path) -> std::time::SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn a_package_without_programs_has_no_folder() {
    let program = program(SOURCE);
    let repository = Repository::with(&plan(&program));
    fs::remove_dir_all(repository.made()).unwrap();
    install(&repository.made(), &repository.folder()).unwrap();
    assert!(!repository.folder().exists());
}

#[test]
fn two_programs_of_one_name_are_refused() {
    let (one, two) = (program(SOURCE), program(&SOURCE.replace("1.5", "2.5")));
    let repository = Repository::with(&plan(&one));
    let again = write(&plan(&one), &[], &repository.made());
    again.unwrap();
    let clash = write(&plan(&two), &[], &repository.made()).unwrap_err();
    assert!(clash.to_string().contains("`program`"), "{clash}");
}
