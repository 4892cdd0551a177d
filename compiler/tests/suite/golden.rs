//! One file is one case: options, a module in the text form, and what becomes of it.
//!
//! ```text
//! //! run: lower
//! module @m {
//!   …
//! }
//! //! output
//! …
//! ```
//!
//! `run` is `text` (read and print), `verify`, `legalize` or `lower`, for a `machine: few-registers`, `gpu` or `c` too; with `pass`, `legalize` runs that pass alone, which must
//! change the module, `without` leaves one out, and `separate: everything` is as if the build had asked for that. With the environment variable `BLESS=1`, the output is written instead of compared.

use iree_dsl_compiler::{
    legalize::{Legalized, Manner, Passes, Separation, legalize, passes},
    lower::lower_for,
    machine::Machine,
};
use iree_dsl_ir::{text, verify::verify};
use libtest_mimic::{Failed, Trial};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

const MARK: &str = "//! ";
const OUTPUT: &str = "//! output\n";

/// One test for each file.
pub(crate) fn trials() -> Vec<Trial> {
    let root = root();
    let mut files = Vec::new();
    find(&root, &mut files);
    files.sort();
    let trial = |file: PathBuf| {
        let name = file.strip_prefix(&root).unwrap_or(&file);
        let name = format!("cases/{}", name.display());
        Trial::test(name, move || check(&file))
    };
    let each = Trial::test("cases/every pass has one", every_pass_has_a_case);
    files.into_iter().map(trial).chain([each]).collect()
}

/// The cases of a pass that runs alone are those that show it.
fn every_pass_has_a_case() -> Result<(), Failed> {
    let mut files = Vec::new();
    find(&root().join("legalize"), &mut files);
    let cases = files.iter().map(fs::read_to_string);
    let cases = cases.collect::<Result<Vec<_>, _>>()?;
    let shown = |name: &str| {
        let line = format!("{MARK}pass: {name}");
        cases.iter().any(|case| case.lines().any(|it| it == line))
    };
    let missing = passes().map(|pass| pass.name).filter(|name| !shown(name));
    match missing.collect::<Vec<_>>() {
        missing if missing.is_empty() => Ok(()),
        missing => Err(format!("no case in cases/legalize shows {}", missing.join(", ")).into()),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn find(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            files.push(path);
        }
    }
}

fn check(file: &Path) -> Result<(), Failed> {
    let content = fs::read_to_string(file)?;
    let (case, expected) = match content.split_once(OUTPUT) {
        Some((case, expected)) => (case, expected),
        None => (content.as_str(), ""),
    };
    let output = run(case)?;
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        let separator = if case.ends_with('\n') { "" } else { "\n" };
        return Ok(fs::write(
            file,
            format!("{case}{separator}{OUTPUT}{output}"),
        )?);
    }
    if output == expected {
        return Ok(());
    }
    let message =
        format!("expected:\n{expected}\nfound:\n{output}\nBLESS=1 accepts what was found");
    Err(message.into())
}

fn run(case: &str) -> Result<String, Failed> {
    let (mut stage, mut pass, mut without) = (None, None, None);
    let mut separation = Separation::AsUsual;
    let mut machine = Machine::default();
    let mut input = String::new();
    for line in case.lines() {
        match line
            .strip_prefix(MARK)
            .map(|option| option.split_once(": "))
        {
            Some(Some(("run", name))) => stage = Some(name),
            Some(Some(("pass", name))) => pass = Some(name),
            Some(Some(("without", name))) => without = Some(name),
            Some(Some(("separate", "everything"))) => separation = Separation::Everything,
            Some(Some(("machine", "few-registers"))) => machine.has_few_registers = true,
            Some(Some(("machine", "gpu"))) => machine.is_gpu = true,
            Some(Some(("machine", "c"))) => machine.is_in_c = true,
            Some(_) => return Err(format!("there is no option `{line}`").into()),
            None => input = input + line + "\n",
        }
    }
    let is_other = pass.is_some() || separation != Separation::AsUsual;
    if is_other && stage != Some("legalize") {
        return Err("`pass` and `separate` are of `run: legalize`".into());
    }
    match stage {
        Some("legalize") => {
            let only = pass.map(Passes::only).transpose()?;
            let passes = only.map_or_else(|| Passes::without(without), Ok)?;
            let run = |passes| {
                let separation = separation.clone();
                legalized(&input, &Manner { passes, separation })
            };
            let output = run(passes);
            match pass.is_some() && output == run(no_passes()) {
                true => Err(format!("the pass changes nothing:\n{output}").into()),
                false => Ok(output),
            }
        }
        Some("text") => Ok(read(&input, |module| Ok(module.to_string()))),
        Some("verify") => Ok(read(&input, |module| {
            checked(module).map(|_| "sound\n".to_owned())
        })),
        Some("lower") => {
            let passes = Passes::without(without)?;
            let separation = Separation::AsUsual;
            let manner = Manner { passes, separation };
            Ok(read(&input, |module| {
                let lowered = lower_for(&legal(module, &manner)?, machine);
                lowered.map_err(|error| format!("{error}\n"))
            }))
        }
        Some(other) => Err(format!("`run` cannot be `{other}`").into()),
        None => Err("the option `run` is missing".into()),
    }
}

fn legalized(input: &str, manner: &Manner) -> String {
    read(input, |module| Ok(legal(module, manner)?.to_string()))
}

fn no_passes() -> Passes {
    Passes::without(passes().map(|pass| pass.name)).unwrap_or_default()
}

type Output = Result<String, String>;

fn read(input: &str, run: impl Fn(iree_dsl_ir::Module) -> Output) -> String {
    let module = text::parse(input).map_err(|error| format!("{error}\n"));
    module.and_then(run).unwrap_or_else(|error| error)
}

fn legal(module: iree_dsl_ir::Module, manner: &Manner) -> Result<Legalized, String> {
    let legalized = legalize(&checked(module)?, manner);
    legalized.map_err(|error| format!("{error}\n"))
}

fn checked(module: iree_dsl_ir::Module) -> Result<iree_dsl_ir::verify::Verified, String> {
    verify(module).map_err(|errors| {
        let lines = errors.iter().map(|error| format!("{error}\n"));
        lines.collect()
    })
}
