//! Which registers IREE's virtual machine keeps values in, checked along all ways through a function: whatever an
//! operation reads is still where it was put. IREE 3.13 loses values in several ways, which the compiler has to
//! keep away from. `IREE_DSL_MODULES` names a folder with lowered modules to check, such as `target/iree/iree-dsl`.

mod flow;
mod text;

use crate::device::MachineModule;
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// Where modules are to check.
const MODULES: &str = "IREE_DSL_MODULES";

pub(crate) fn trials() -> Vec<Trial> {
    let folder = env::var_os(MODULES).map(PathBuf::from);
    let is_ignored = folder.is_none();
    let modules = Trial::test("registers/modules", || modules(folder.unwrap_or_default()));
    vec![
        modules.with_ignored_flag(is_ignored),
        Trial::test("registers/right", || expect(RIGHT, &[])),
        Trial::test("registers/half_overwritten", || {
            expect(
                HALF,
                &["f: %arg0 is not in i2: \"vm.br\"(%arg1, %arg0, %arg1)"],
            )
        }),
        Trial::test("registers/moved_twice", || {
            expect(MOVED, &["f: %arg0 is not in r2: \"vm.br\"(%arg0, %arg0)"])
        }),
        Trial::test("registers/never_taken", || {
            expect(SWITCH, &[])?;
            let moved = SWITCH.replace("r2->r3", "R2->r3");
            let text = "\"vm.br_table\"(%arg0, %arg1, %arg1, %arg1, %arg1)";
            expect(&moved, &[&format!("f: %arg1 is not in r2: {text}")])
        }),
    ]
}

/// Checks that no value of a module is lost.
pub(crate) fn check(module: &MachineModule) -> Result<(), Failed> {
    let lost = lost(&module.registers()?)?;
    match lost.is_empty() {
        true => Ok(()),
        false => Err(lost.join("\n").into()),
    }
}

/// Checks the modules of a folder.
fn modules(folder: PathBuf) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if is_module(&path)
            && let Err(failed) = check_lowered(&fs::read_to_string(&path)?)
        {
            let message = failed.message().unwrap_or_default();
            eprintln!("{}: {message}", path.display());
            wrong.push(path);
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("wrong modules: {wrong:?}").into()),
    }
}

/// Whether a file is a module, and not the same with locations.
fn is_module(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let name = name.and_then(|name| name.strip_suffix(".mlir"));
    name.is_some_and(|name| !name.contains('.'))
}

/// Checks what becomes of a lowered module, whether its calls wait or not.
pub(crate) fn check_lowered(mlir: &str) -> Result<(), Failed> {
    let level = CpuLevel::of_this_machine();
    check(&MachineModule::of_lowered(mlir, level)?)?;
    check(&MachineModule::queued(mlir, level)?)
}

/// What each operation reads that is not there any more.
fn lost(text: &str) -> Result<Vec<String>, String> {
    let functions = text::functions(text)?;
    Ok(functions.iter().flat_map(flow::lost).collect())
}

fn expect(text: &str, expected: &[&str]) -> Result<(), Failed> {
    let found = lost(text)?;
    match found == expected {
        true => Ok(()),
        false => Err(format!("found {found:?}").into()),
    }
}

/// A loop that exchanges two numbers, and one that goes around it.
const RIGHT: &str = r#"
  "vm.func"() <{sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i32):
    %1 = "vm.const.i64"() <{value = 3 : i64}> {block_registers = ["i0", "i1"], result_registers = ["i2+3"]} : () -> i64
    "vm.br"(%arg0, %arg1)[^bb1] {operand_registers = ["i0", "i1"], remap_registers = [["i0->i4", "i1->i5"]]} : (i32, i32) -> ()
  ^bb1(%2: i32, %3: i32):  // 2 preds: ^bb0, ^bb1
    "vm.cond_br"(%2, %3, %2, %3)[^bb1, ^bb2] {block_registers = ["i4", "i5"], operand_registers = ["i4", "i5", "i4", "i5"], remap_registers = [["i4->i6", "i5->i4", "i6->i5"], ["i5->i0"]]} : (i32, i32, i32, i32) -> ()
  ^bb2(%4: i32):
    "vm.return"(%4, %1) {block_registers = ["i0"], operand_registers = ["i0", "i2+3"]} : (i32, i64) -> ()
  }) : () -> ()
"#;

/// A number of 64 bits is put over one of 32 before that is read.
const HALF: &str = r#"
  "vm.func"() <{sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64):
    "vm.br"(%arg1, %arg0, %arg1)[^bb1] {block_registers = ["i0", "i4+5"], operand_registers = ["i4+5", "i0", "i4+5"], remap_registers = [["i4+5->i0+1", "i0->i2"]]} : (i64, i32, i64) -> ()
  ^bb1(%4: i64, %2: i32, %5: i64):
    "vm.return"(%2, %4, %5) {block_registers = ["i0+1", "i2", "i4+5"], operand_registers = ["i2", "i0+1", "i4+5"]} : (i32, i64, i64) -> ()
  }) : () -> ()
"#;

/// A reference is moved out of the register that another argument is to be in.
const MOVED: &str = r#"
  "vm.func"() <{sym_name = "f"}> ({
  ^bb0(%arg0: !vm.buffer):
    "vm.br"(%arg0, %arg0)[^bb1] {block_registers = ["r2"], operand_registers = ["r2", "R2"], remap_registers = [["R2->r3"]]} : (!vm.buffer, !vm.buffer) -> ()
  ^bb1(%4: !vm.buffer, %5: !vm.buffer):
    "vm.return"(%4, %5) {block_registers = ["r3", "r2"], operand_registers = ["r3", "r2"]} : (!vm.buffer, !vm.buffer) -> ()
  }) : () -> ()
"#;

/// A reference is moved in the case that is never taken.
const SWITCH: &str = r#"
  "vm.func"() <{sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: !vm.buffer):
    "vm.br_table"(%arg0, %arg1, %arg1, %arg1, %arg1)[^bb2, ^bb1, ^bb1] {block_registers = ["i0", "r2"], operand_registers = ["i0", "r2", "r2", "r2", "R2"], remap_registers = [[], ["r2->r3"], ["R2->r3"]]} : (i32, !vm.buffer, !vm.buffer, !vm.buffer, !vm.buffer) -> ()
  ^bb1(%4: !vm.buffer, %5: !vm.buffer):
    "vm.return"(%4, %5) {block_registers = ["r3", "r2"], operand_registers = ["r3", "r2"]} : (!vm.buffer, !vm.buffer) -> ()
  ^bb2:
    "vm.br"()[^bb2] {operand_registers = [], remap_registers = [[]]} : () -> ()
  }) : () -> ()
"#;
