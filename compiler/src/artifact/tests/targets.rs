use super::super::{About, Compiled, Legalized, Plan, Settings, describe};
use super::fake::{compile, read, request};
use super::real::{MODULE, in_directory, printed_by};
use crate::{
    artifact::{Request, Versions},
    span::SpanId,
};
use iree_abi::{
    DType, FunctionSignature, Leaf, Parameter, Signature, SuppliedParameter, TensorType,
    build::{self, Description, Module},
};
use iree_dsl_ir::{self as ir, verify::verify};
use std::{fs, path::Path};

fn build(targets: &str, directory: &Path) -> Vec<Compiled> {
    let environment = in_directory(directory);
    let settings = Settings {
        targets: targets.split(',').map(str::to_owned).collect(),
        ..Settings::default()
    };
    let built = Request {
        targets: environment.targets(&settings, false).unwrap(),
        ..request(MODULE)
    };
    compile(&built, &environment).unwrap()
}

/// The machine that the first ELF file in some bytes is for.
fn machine(bytes: &[u8]) -> Option<u16> {
    let start = bytes.windows(4).position(|window| window == b"\x7fELF")?;
    let field = bytes.get(start + 18..start + 20)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

#[test]
fn code_is_for_the_machine_of_its_target() {
    let directory = tempfile::tempdir().unwrap();
    let compiled = build("cpu:x86-64,cpu:aarch64,cpu:riscv64", directory.path());
    let machines = compiled
        .iter()
        .map(|artifact| machine(&read(&artifact.vmfb)));
    // EM_X86_64, EM_AARCH64 and EM_RISCV of the ELF specification.
    assert_eq!(
        machines.collect::<Vec<_>>(),
        [Some(62), Some(183), Some(243)]
    );
}

#[test]
fn every_device_has_code() {
    let directory = tempfile::tempdir().unwrap();
    let targets = "vmvx,cuda,cuda:sm_90,vulkan,vulkan:rdna3,metal,hip:gfx942";
    let compiled = build(targets, directory.path());
    let names = compiled.iter().map(|artifact| artifact.target.as_str());
    let expected = [
        "vmvx",
        "cuda-sm_80",
        "cuda-sm_89",
        "vulkan",
        "vulkan-rdna3",
        "metal",
        "hip-gfx942",
    ];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    for artifact in &compiled[1..] {
        let text = read(&artifact.vmfb);
        let (device, _) = artifact
            .target
            .split_once('-')
            .unwrap_or((&artifact.target, ""));
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(device), "{}", artifact.target);
    }
}

#[test]
fn the_machine_of_iree_computes_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let compiled = build("cpu:host,vmvx", directory.path());
    let call = ["--function=run", "--input=3x4xf32=2"];
    let printed = compiled
        .iter()
        .map(|artifact| printed_by(&artifact.vmfb, &call));
    for printed in printed {
        assert!(
            printed.contains("3x4xf32=[8 8 8 8][8 8 8 8][8 8 8 8]"),
            "{printed}"
        );
    }
}

#[test]
fn a_file_says_what_was_compiled() {
    let directory = tempfile::tempdir().unwrap();
    let environment = in_directory(directory.path());
    let settings = Settings {
        targets: ["cpu:x86-64-v3", "cpu:x86-64-v4-bf16"]
            .map(str::to_owned)
            .into(),
        ..Settings::default()
    };
    let targets = environment.targets(&settings, true).unwrap();
    let with_bf16 = targets[1].machine();
    let built = Request {
        targets,
        mlir: Versions {
            usual: MODULE.to_owned(),
            others: [(with_bf16, MODULE.to_owned())].into(),
        },
        ..request(MODULE)
    };
    let compiled = compile(&built, &environment).unwrap();
    let leaf = || Leaf {
        path: String::new(),
        ty: TensorType::new(DType::F32, [3, 4]),
    };
    let signature = Signature {
        name: "program".to_owned(),
        functions: vec![FunctionSignature {
            name: "run".to_owned(),
            parameters: vec![Parameter {
                name: "m".to_owned(),
                leaves: vec![leaf()],
            }],
            results: vec![leaf()],
            requirements: Vec::new(),
        }],
        parameters: vec![SuppliedParameter {
            scope: "model".to_owned(),
            key: "w".to_owned(),
            ty: leaf().ty,
            mutable: false,
        }],
        ..Signature::default()
    };
    let mut globals = ir::Arena::default();
    globals.push(ir::Global {
        name: "w".to_owned(),
        ty: leaf().ty,
        mutable: false,
        init: ir::GlobalInit::Uninitialized,
        span: SpanId::CALL_SITE,
    });
    let program = verify(ir::text::parse("module @program {\n}\n").unwrap()).unwrap();
    let plan = Plan {
        program: &program,
        targets: built.targets.clone(),
        preset: built.preset,
        is_queued: false,
        emit: Vec::new(),
        flags: Vec::new(),
        without: Default::default(),
    };
    let of_bf16 = "module @bf16 {} loc(unknown)".to_owned();
    let located = Versions {
        usual: "module {} loc(unknown)".to_owned(),
        others: [(with_bf16, of_bf16.clone())].into(),
    };
    let pass = build::Pass {
        name: "gaps".to_owned(),
        summary: "barriers".to_owned(),
        avoids: "it fails".to_owned(),
        edits: Some(1),
    };
    let about = About {
        signature: &signature,
        globals: &globals,
        source: "src/lib.rs:3",
        located: Some(&located),
        legalized: Some(Legalized {
            text: "module @program {\n}\n",
            passes: std::slice::from_ref(&pass),
        }),
    };
    let described = describe(&plan, &compiled, about, &environment);
    let package = directory.path().join("target/iree/package");
    let text = fs::read_to_string(package.join("program.json")).unwrap();
    assert_eq!(fs::read_to_string(described.unwrap()).unwrap(), text);
    let said: Description = serde_json::from_str(&text).unwrap();
    assert_eq!(said.signature, signature);
    assert_eq!(said.passes, [pass]);
    let legalized = package.join(said.legalized.unwrap().file);
    assert_eq!(
        fs::read_to_string(legalized).unwrap(),
        "module @program {\n}\n"
    );
    assert_eq!(said.globals[0].name, "w");
    let artifact = &said.artifacts[0];
    let file = package.join(&artifact.file);
    assert_eq!(artifact.bytes, fs::metadata(file).unwrap().len());
    assert!(artifact.compiler.contains("3.13.0"));
    assert_eq!(said.opt, "speed");
    assert_eq!(
        fs::read(&artifact.embedded).unwrap(),
        fs::read(package.join(&artifact.file)).unwrap()
    );
    let modules = [&said.artifacts[0].module, &said.artifacts[1].module];
    for (module, expected) in modules.into_iter().zip([&located.usual, &of_bf16]) {
        let Module { file, hash } = module.as_ref().unwrap();
        let text = fs::read_to_string(package.join(file)).unwrap();
        assert_eq!(&text, expected);
        assert_eq!(*hash, blake3::hash(text.as_bytes()).to_hex().as_str());
    }
}
