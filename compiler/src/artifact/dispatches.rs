//! What IREE is told of the code of dispatches before it compiles it.
//!
//! - Of the alignment of what a dispatch reads and writes in the middle of a buffer. Where dispatches are alike, IREE 3.13 compiles one
//!   for all. If one of them begins in its buffer at a place that IREE chose, which is a multiple of 64 bytes, and another one
//!   at a place that the program computes, the code of both uses instructions that fail for anything but such multiples. So it is
//!   told that any offset is possible. Defect `offset-is-taken-for-aligned`.
//! - Of loops that one dispatch runs. IREE would divide each operation of an iteration among workgroups, which do not wait for
//!   each other. So it is told to make plain loops of all of them. Defect `iterations-of-a-dispatch-are-divided`.

use iree_dsl_ir::{
    Function,
    op::{Op, Structure},
    verify::Verified,
};

/// What is changed in the code of the dispatches of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Offsets may be any: the program may compute where in a buffer something begins.
    pub offsets: bool,
    /// A dispatch may run a loop: the program has some.
    pub loops: bool,
}

/// A change, which a file next to the module describes. IREE may wait for itself where a file has several, if it loads it for
/// several dispatches at a time.
struct Change {
    name: &'static str,
    /// What is in the file.
    text: &'static str,
}

const OFFSETS: Change = Change {
    name: "offsets_of_any_alignment",
    text: include_str!("offsets_of_any_alignment.mlir"),
};

const LOOPS: Change = Change {
    name: "loops_of_one_worker",
    text: include_str!("loops_of_one_worker.mlir"),
};

impl Change {
    /// The name of the file. What the cache has was made with this text: another one gets another name.
    fn file(&self) -> String {
        format!("{}.mlir", self.name)
    }
}

impl Changes {
    /// What a program needs: places that it computes are those of sizes of the call, and of parts that begin where tensors say.
    pub(super) fn of(module: &Verified) -> Self {
        let any = |is: &dyn Fn(&Function) -> bool| {
            let mut functions = module.module().functions.iter();
            functions.any(|(_, function)| is(function))
        };
        Self {
            offsets: any(&|it| has_unknown_sizes(it) || has(it, begins_anywhere)),
            loops: any(&|it| has(it, is_loop)),
        }
    }

    fn all(self) -> impl Iterator<Item = Change> {
        let changes = [(self.offsets, OFFSETS), (self.loops, LOOPS)];
        let changes = changes.into_iter().filter(|(is_made, _)| *is_made);
        changes.map(|(_, change)| change)
    }

    /// The flag that has IREE make them, if there are some.
    pub fn flag(self) -> Option<String> {
        let passes = self.all().map(|change| {
            let (name, file) = (change.name, change.file());
            format!(
                "iree-transform-dialect-interpreter{{entry-point={name} library-file-name={file}}}"
            )
        });
        let passes: Vec<_> = passes.collect();
        let pipeline = format!("builtin.module({})", passes.join(","));
        let flag = || format!("--iree-hal-preprocess-executables-with={pipeline}");
        (!passes.is_empty()).then(flag)
    }

    /// The files that the flag names, in the directory where the compiler runs, and what is in them.
    pub fn files(self) -> impl Iterator<Item = (String, &'static str)> {
        self.all().map(|change| (change.file(), change.text))
    }
}

fn has_unknown_sizes(function: &Function) -> bool {
    let mut values = function.values.iter();
    values.any(|(_, value)| value.ty.shape.known().is_none())
}

fn has(function: &Function, is: impl Fn(&Op) -> bool) -> bool {
    let mut operations = function.operations.iter();
    operations.any(|(_, operation)| is(&operation.op))
}

fn begins_anywhere(op: &Op) -> bool {
    matches!(op.structure(), Structure::Window(_) | Structure::Update)
}

/// Whether an operation is a loop, or may be expanded to one.
fn is_loop(op: &Op) -> bool {
    match op.structure() {
        Structure::Iterations | Structure::Factor | Structure::System(_) => true,
        Structure::Sort(_) | Structure::Scan(_) | Structure::Transform => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => false,
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => false,
        Structure::Concatenate(_) | Structure::Pad(_) => false,
        Structure::Window(_) | Structure::Update => false,
        Structure::Gather(_) | Structure::Scatter(_) => false,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => false,
        Structure::ReduceWindow(_) | Structure::Convolution(_) => false,
        Structure::Branches | Structure::Effect => false,
    }
}
