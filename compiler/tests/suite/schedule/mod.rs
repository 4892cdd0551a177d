//! When memory is changed: whatever an operation reads is still what was put there. Values are tensors until IREE decides which of
//! them share memory, and in which order, or at which time, what reads and what changes it runs. IREE 3.13 has copied tensors after
//! their change.
//! Defects `tensor-is-copied-after-it-changes` and `constant-changes-in-a-loop`.

mod changes;
mod text;

use crate::device::iree_compile;
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};
use std::{fs, path::Path};

/// The last form in which values are told from the memory that they are in.
const SCHEDULE: [&str; 2] = [
    "--compile-to=stream",
    "--mlir-print-ir-before=iree-stream-schedule-allocation",
];

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("schedule/right", || expect(RIGHT, 0)),
        Trial::test("schedule/after", || expect(AFTER, 1)),
        Trial::test("schedule/beside", || expect(BESIDE, 1)),
        Trial::test("schedule/loop", || expect(LOOP, 1)),
        Trial::test("schedule/equal", || expect(EQUAL, 1)),
        Trial::test("schedule/ways", || expect(WAYS, 1)),
        Trial::test("schedule/names", || expect(NAMES, 0)),
        Trial::test("schedule/iree", of_iree),
    ]
}

/// Checks that nothing of a lowered module is read after it has been changed.
pub(crate) fn check(lowered: &str, level: CpuLevel) -> Result<(), Failed> {
    let found = misread(lowered, level)?;
    match found.is_empty() {
        true => Ok(()),
        false => Err(found.join("\n").into()),
    }
}

fn misread(lowered: &str, level: CpuLevel) -> Result<Vec<String>, Failed> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("program.mlir");
    fs::write(&source, lowered)?;
    let output = folder.path().join("stream.mlir");
    let schedule = iree_compile(&source, level, &SCHEDULE, &output)?;
    found(&schedule)
}

fn found(schedule: &str) -> Result<Vec<String>, Failed> {
    let functions = text::functions(schedule)?;
    if functions.is_empty() {
        return Err("IREE shows no function".into());
    }
    Ok(functions.iter().flat_map(changes::misread).collect())
}

/// What the registry's smallest module for it becomes.
fn of_iree() -> Result<(), Failed> {
    let defects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../defects");
    let module = defects.join("tensor-is-copied-after-it-changes/module.mlir");
    let found = misread(&fs::read_to_string(module)?, CpuLevel::of_this_machine())?;
    match &found[..] {
        [line] if line.contains("stream.async.clone") => Ok(()),
        _ => Err(format!("found {found:?}").into()),
    }
}

fn expect(schedule: &str, count: usize) -> Result<(), Failed> {
    let found = found(schedule)?;
    match found.len() == count {
        true => Ok(()),
        false => Err(format!("found {found:?}").into()),
    }
}

/// A part is changed in place, behind all that reads it, and then the result of that.
const RIGHT: &str = "
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = stream.tensor.import on(#device) %arg0 : !hal.buffer_view -> tensor<9xf32> in !stream.resource<external>{%c36}
    %results:2, %result_timepoint = stream.async.execute on(#device) with(%0 as %arg1: !stream.resource<external>{%c36}) -> (%0{%c36}, !stream.resource<external>{%c36}) {
      %2 = stream.async.clone %arg1 : !stream.resource<external>{%c36} -> !stream.resource<external>{%c36}
      %3 = stream.async.fill %c0, %arg1[%c0 to %c4 for %c4] : i8 -> %arg1 as !stream.resource<external>{%c36}
      %4 = stream.async.dispatch @d::@d(%3[%c0 to %c36 for %c36]) : (!stream.resource<external>{%c36}) -> %3{%c36}
      stream.yield %4, %2 : !stream.resource<external>{%c36}, !stream.resource<external>{%c36}
    } => !stream.timepoint
    %1:2 = stream.timepoint.await %result_timepoint => %results#0, %results#1 : !stream.resource<external>{%c36}, !stream.resource<external>{%c36}
    util.return %1#0, %1#1 : !stream.resource<external>, !stream.resource<external>
  }
";

/// The first result is in the memory of the argument, which is changed later.
const AFTER: &str = "
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = stream.tensor.import on(#device) %arg0 : !hal.buffer_view -> tensor<9xf32> in !stream.resource<external>{%c36}
    %results, %result_timepoint = stream.async.execute on(#device) with(%0 as %arg1: !stream.resource<external>{%c36}) -> %0{%c36} {
      %2 = stream.async.fill %c0, %arg1[%c0 to %c4 for %c4] : i8 -> %arg1 as !stream.resource<external>{%c36}
      stream.yield %2 : !stream.resource<external>{%c36}
    } => !stream.timepoint
    %1 = stream.timepoint.await %result_timepoint => %results : !stream.resource<external>{%c36}
    util.return %1, %0 : !stream.resource<external>, !stream.resource<external>
  }
";

/// What reads memory, and what changes it, run at a time.
const BESIDE: &str = "
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = stream.tensor.import on(#device) %arg0 : !hal.buffer_view -> tensor<9xf32> in !stream.resource<external>{%c36}
    %results:2, %result_timepoint = stream.async.execute on(#device) with(%0 as %arg1: !stream.resource<external>{%c36}) -> (!stream.resource<external>{%c36}, %0{%c36}) {
      %1:2 = stream.async.concurrent with(%arg1 as %arg2: !stream.resource<external>{%c36}) -> (!stream.resource<external>{%c36}, %arg1{%c36}) {
        %2 = stream.async.dispatch @d::@d(%arg2[%c0 to %c36 for %c36]) : (!stream.resource<external>{%c36}) -> !stream.resource<external>{%c36}
        %3 = stream.async.fill %c0, %arg2[%c0 to %c4 for %c4] : i8 -> %arg2 as !stream.resource<external>{%c36}
        stream.yield %2, %3 : !stream.resource<external>{%c36}, !stream.resource<external>{%c36}
      }
      stream.yield %1#0, %1#1 : !stream.resource<external>{%c36}, !stream.resource<external>{%c36}
    } => !stream.timepoint
    util.return %results#0, %results#1 : !stream.resource<external>, !stream.resource<external>
  }
";

/// What a loop starts with is read by its next iteration.
const LOOP: &str = "
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = stream.tensor.import on(#device) %arg0 : !hal.buffer_view -> tensor<9xf32> in !stream.resource<external>{%c36}
    cf.br ^bb1(%0 : !stream.resource<external>)
  ^bb1(%1: !stream.resource<external>):  // 2 preds: ^bb0, ^bb1
    %2 = stream.async.dispatch @d::@d(%1[%c0 to %c36 for %c36], %0[%c0 to %c36 for %c36]) : (!stream.resource<external>{%c36}, !stream.resource<external>{%c36}) -> %1{%c36}
    cf.cond_br %true, ^bb1(%2 : !stream.resource<external>), ^bb2
  ^bb2:  // pred: ^bb1
    util.return %2 : !stream.resource<external>
  }
";

/// Two values that a block takes are in one memory.
const EQUAL: &str = "
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = stream.tensor.import on(#device) %arg0 : !hal.buffer_view -> tensor<9xf32> in !stream.resource<external>{%c36}
    cf.br ^bb1(%0, %0 : !stream.resource<external>, !stream.resource<external>)
  ^bb1(%1: !stream.resource<external>, %2: !stream.resource<external>):  // pred: ^bb0
    %3 = stream.async.fill %c0, %1[%c0 to %c4 for %c4] : i8 -> %1 as !stream.resource<external>{%c36}
    util.return %3, %2 : !stream.resource<external>, !stream.resource<external>
  }
";

/// Each iteration overwrites one place, which is right; on one way to the next something else is changed, too.
const WAYS: &str = "
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !stream.resource<external>) -> !hal.buffer_view {
    %0 = stream.tensor.import on(#device) %arg0 : !hal.buffer_view -> tensor<9xf32> in !stream.resource<external>{%c36}
    cf.br ^bb1
  ^bb1:  // 3 preds: ^bb0, ^bb2, ^bb3
    %1 = stream.async.copy %arg1[%c0 to %c4], %0[%c4 to %c8], %c4 : !stream.resource<external>{%c36} -> %0 as !stream.resource<external>{%c36}
    cf.switch %2 : i32, [
      default: ^bb4,
      0: ^bb2,
      1: ^bb3
    ]
  ^bb2:  // pred: ^bb1
    %3 = stream.async.fill %c0, %1[%at to %end for %c4] : i8 -> %1 as !stream.resource<external>{%c36}
    cf.br ^bb1
  ^bb3:  // pred: ^bb1
    cf.br ^bb1
  ^bb4:  // pred: ^bb1
    util.return %1 : !stream.resource<external>
  }
";

/// What is changed has a name that a number's begins with.
const NAMES: &str = "
  util.func public @f(%arg0: i64, %c: !stream.resource<external>) -> i1 {
    %c-1_i64 = arith.constant -1 : i64
    %0 = stream.async.fill %c0, %c[%c0 to %c4 for %c4] : i8 -> %c as !stream.resource<external>{%c36}
    %1 = arith.cmpi ne, %arg0, %c-1_i64 : i64
    util.return %1 : i1
  }
";
