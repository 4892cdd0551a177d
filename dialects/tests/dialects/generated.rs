//! What is generated for each operation, checked by what is generated for that.

use iree_dialects::{
    DialectInfo,
    melior::{Context, dialect::DialectRegistry, utility::register_all_dialects},
    testing,
};

use crate::scene::Outcome;

/// A module with the checks of each dialect, and the list of all.
macro_rules! dialects {
    ($($name:ident = $text:literal $(if $feature:literal)?),* $(,)?) => {
        $($(#[cfg(feature = $feature)])? mod $name {
            iree_dialects::include_checks!($text, iree_dialects::$name);
        })*

        const ALL: &[(&DialectInfo, &[testing::Check])] = &[$(
            $(#[cfg(feature = $feature)])? (iree_dialects::$name::DIALECT, $name::CHECKS)
        ),*];
    };
}

dialects! {
    arith = "arith",
    cf = "cf",
    complex = "complex",
    flow = "flow",
    func = "func",
    iree_linalg_ext = "iree_linalg_ext",
    linalg = "linalg",
    math = "math",
    stablehlo = "stablehlo",
    tensor = "tensor",
    util = "util",
    acc = "acc" if "acc",
    affine = "affine" if "affine",
    amdgpu = "amdgpu" if "amdgpu",
    r#async = "async" if "async",
    bufferization = "bufferization" if "bufferization",
    chlo = "chlo" if "chlo",
    emitc = "emitc" if "emitc",
    gpu = "gpu" if "gpu",
    hal = "hal" if "hal",
    index = "index" if "index",
    iree_tensor_ext = "iree_tensor_ext" if "iree_tensor_ext",
    llvm = "llvm" if "llvm",
    memref = "memref" if "memref",
    ml_program = "ml_program" if "ml_program",
    mpi = "mpi" if "mpi",
    nvgpu = "nvgpu" if "nvgpu",
    omp = "omp" if "omp",
    pdl = "pdl" if "pdl",
    ptr = "ptr" if "ptr",
    quant = "quant" if "quant",
    scf = "scf" if "scf",
    shape = "shape" if "shape",
    shard = "shard" if "shard",
    smt = "smt" if "smt",
    sparse_tensor = "sparse_tensor" if "sparse_tensor",
    spirv = "spirv" if "spirv",
    stream = "stream" if "stream",
    tosa = "tosa" if "tosa",
    transform = "transform" if "transform",
    ub = "ub" if "ub",
    vector = "vector" if "vector",
}

/// Prints a figure for each dialect: `cargo test -p iree-dialects --test dialects generated -- --nocapture`.
#[test]
fn every_operation_of_every_dialect_is_built_read_back_and_changed() -> Outcome {
    let mut total = 0;
    for (dialect, checks) in ALL {
        let names = checks.iter().map(|check| check.operation);
        assert!(
            names.eq(dialect.operations.iter().map(|one| one.name)),
            "{}",
            dialect.name
        );
        let report = testing::run(&Context::new(), checks);
        println!("{}: {report}", dialect.name);
        total += report.into_result()?.operations;
    }
    println!("{total} operations");
    Ok(())
}

/// The same in a context that knows some dialects, with the number of operations that are right although types are made up.
#[test]
fn operations_that_mlir_knows_are_built_and_changed() -> Outcome {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.load_all_available_dialects();
    for (dialect, checks) in ALL {
        let report = testing::run(&context, checks);
        println!(
            "{}: {}",
            dialect.name,
            report.to_string().lines().next().unwrap_or("")
        );
        let (strict, verified) = match dialect.name {
            "arith" => (true, 41),
            "cf" => (true, 3),
            "math" => (true, 46),
            "tensor" => (true, 6),
            "chlo" | "flow" | "func" | "hal" | "iree_linalg_ext" | "iree_tensor_ext"
            | "stablehlo" | "stream" | "util" => (true, 0),
            // Of attributes of their own MLIR takes no others.
            _ => (false, 0),
        };
        if strict && !report.failures.is_empty() {
            return Err(report.into());
        }
        assert!(report.verified >= verified, "{}: {report}", dialect.name);
    }
    Ok(())
}

#[test]
fn a_check_fails_where_something_is_wrong() {
    use iree_dialects::testing::{Check, Outcome, Scene};

    // The check of another operation, and one that finds another value than it put in.
    let swapped = |scene: &Scene<'_>| -> Outcome {
        let expected = vec![("lhs", "argument 0".to_owned())];
        scene.expect(&expected, vec![("lhs", "argument 1".to_owned())])
    };
    let checks = [
        Check {
            operation: "arith.addf",
            run: swapped,
        },
        Check {
            operation: "arith.addi",
            run: |scene| scene.read_back(iree_dialects::arith::AddiOperation::INFO, |_| Ok(())),
        },
    ];
    let report = testing::run(&Context::new(), &checks)
        .into_result()
        .unwrap_err();
    assert_eq!(
        report.to_string(),
        "0 of 2 operations, 0 known to MLIR, 0 verified by it\n\
         `arith.addf`: `lhs` should be argument 0 and is argument 1\n\
         `arith.addi`: the operation is lost"
    );
}

/// How many operations there are always of dialects that are whole with a feature, and whether they are.
const IN_PART: [(&str, usize, bool); 5] = [
    ("complex", 2, cfg!(feature = "complex")),
    ("flow", 6, cfg!(feature = "flow")),
    ("iree_linalg_ext", 3, cfg!(feature = "iree_linalg_ext")),
    ("linalg", 2, cfg!(feature = "linalg")),
    ("util", 8, cfg!(feature = "util")),
];

#[test]
fn dialects_are_whole_with_their_features() {
    for (name, always, is_whole) in IN_PART {
        let (dialect, _) = ALL.iter().find(|(one, _)| one.name == name).unwrap();
        let count = dialect.operations.len();
        assert_eq!(count > always, is_whole, "{name}: {count}");
        assert!(count >= always, "{name}: {count}");
    }
}

/// The guide has a table of all dialects, which `BLESS=1` writes.
#[test]
#[cfg(all(feature = "upstream", feature = "iree"))]
fn the_guide_lists_every_dialect() -> Outcome {
    use std::{env, fs};

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../guide/src/dialects.md");
    const MARK: &str = "--test dialects`. -->\n";

    let always = ["arith", "cf", "func", "math", "stablehlo", "tensor"];
    let mut rows = ALL.iter().map(|(dialect, checks)| {
        let name = dialect.name;
        let part = IN_PART.iter().find(|(one, ..)| *one == name);
        let feature = match part {
            _ if always.contains(&name) => "always".to_owned(),
            Some((_, count, _)) => format!("`{name}`; {count} always"),
            None => format!("`{name}`"),
        };
        let source = match name {
            "stablehlo" => "the specification of StableHLO",
            "chlo" => "the documentation of CHLO",
            "iree_linalg_ext" => "IREE, but for two",
            "flow" | "hal" | "iree_tensor_ext" | "stream" | "util" => "IREE",
            _ => "MLIR",
        };
        let verified = match source {
            "MLIR" => "MLIR, if the context has the dialect",
            _ => "what reads it",
        };
        let count = checks.len();
        format!("| `{name}` | {count} | {feature} | {source} | {verified} |\n")
    });
    let mut table = rows.by_ref().collect::<Vec<_>>();
    table.sort();
    let table = format!(
        "\n| dialect | operations | feature | defined by | verified by |\n|---|---|---|---|---|\n{}",
        table.concat()
    );
    let page = fs::read_to_string(PAGE)?;
    let (before, _) = page.split_once(MARK).ok_or("the mark")?;
    let expected = format!("{before}{MARK}{table}");
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(PAGE, expected)?;
    } else {
        assert_eq!(page, expected, "BLESS=1 writes it");
    }
    Ok(())
}
