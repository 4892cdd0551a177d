use std::{
    collections::BTreeSet,
    io::{self, BufRead},
    sync::Arc,
};

use crate::{Step, Trace};

/// The options of `iree-compile`, and of `mlir-opt` without the first, that make it print what [`Trace::read`] reads, on standard error.
pub const OPTIONS: [&str; 4] = [
    "--mlir-disable-threading",
    "--mlir-print-ir-before-all",
    "--mlir-print-ir-after-all",
    "--mlir-print-ir-after-change",
];

const START: &str = "// -----// IR Dump ";
const END: &str = " //----- //";

impl Trace {
    /// Reads what a compiler of MLIR prints of passes whose names are wanted; see [`OPTIONS`].
    ///
    /// What is not about passes, such as diagnostics, belongs to the text that it follows.
    ///
    /// # Errors
    ///
    /// If the text cannot be read.
    pub fn read(printed: impl BufRead, wanted: impl Fn(&str) -> bool) -> io::Result<Self> {
        let mut reader = Reader::new(wanted);
        for line in printed.split(b'\n') {
            reader.line(&String::from_utf8_lossy(&line?));
        }
        Ok(reader.finish())
    }
}

/// What a heading says.
#[derive(Debug, PartialEq, Eq)]
struct Heading<'t> {
    when: When,
    pass: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    After,
    Failed,
}

/// The heading in a line: `Before Class: pass{options}`, or `Before Class (pass)` of an older MLIR.
fn heading(line: &str) -> Option<Heading<'_>> {
    let title = line.strip_prefix(START)?.strip_suffix(END)?;
    let (when, title) = match title.split_once(' ')? {
        ("Before", title) => (When::Before, title),
        ("After", title) => match title.strip_suffix(" Failed") {
            Some(title) => (When::Failed, title),
            None => (When::After, title),
        },
        _ => return None,
    };
    let named = title.split_once(": ").map(|(_, pass)| pass);
    let older = title.split_once(" (").map(|(_, pass)| pass);
    let pass = named.or(older).unwrap_or(title);
    let end = pass.find(['{', ')', ' ']).unwrap_or(pass.len());
    pass.get(..end).map(|pass| Heading { when, pass })
}

/// The name of the operation in a text, and that of its symbol if it has one: `func.func @main`.
fn title(text: &str) -> String {
    // Aliases of attributes and types come first.
    let is_alias = |line: &&str| line.starts_with(['#', '!', '/']) || line.is_empty();
    let line = text.lines().find(|line| !is_alias(line)).unwrap_or("");
    let line = match line.split_once(" = ") {
        Some((results, line)) if results.starts_with('%') => line,
        _ => line,
    };
    let start = line.trim_start_matches('"');
    let end = start.find(|character: char| !is_of_name(character));
    let name = start.get(..end.unwrap_or(start.len())).unwrap_or("");
    let name = if name == "module" {
        "builtin.module"
    } else {
        name
    };
    let words = line.split([' ', '(', '{', '<']).skip(1);
    match words
        .take_while(|word| !word.starts_with('%'))
        .find(|word| word.starts_with('@'))
    {
        Some(symbol) => format!("{name} {symbol}"),
        None => name.to_owned(),
    }
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '$' | '-')
}

/// Steps, some of which may not have ended.
struct Reader<W> {
    wanted: W,
    steps: Vec<Step>,
    /// The indices of those that have not ended, as far as is known: of a pass that changes nothing, the end is not printed.
    open: Vec<usize>,
    /// Equal texts are kept once.
    texts: BTreeSet<Arc<str>>,
    /// What the lines after the last heading belong to, unless nobody wants it.
    current: Option<(When, String)>,
    text: String,
}

impl<W: Fn(&str) -> bool> Reader<W> {
    fn new(wanted: W) -> Self {
        Self {
            wanted,
            steps: vec![],
            open: vec![],
            texts: BTreeSet::new(),
            current: None,
            text: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(heading) = heading(line) {
            self.end_text();
            let is_wanted = (self.wanted)(heading.pass);
            self.current = is_wanted.then(|| (heading.when, heading.pass.to_owned()));
        } else if self.current.is_some() && !(line.is_empty() && self.text.is_empty()) {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// Puts the lines since the last heading where they belong.
    fn end_text(&mut self) {
        let Some((when, pass)) = self.current.take() else {
            return;
        };
        let text = std::mem::take(&mut self.text);
        let text = self.shared(format!("{}\n", text.trim_end()));
        let operation = title(&text);
        match when {
            When::Before => {
                self.open.push(self.steps.len());
                // Until something else is said, the pass has changed nothing.
                let step = Step::begin(pass, operation, text.clone());
                self.steps.push(step.end(text));
            }
            When::After => self.end(&pass, operation, |step| step.end(text)),
            When::Failed => self.end(&pass, operation, |step| step),
        }
    }

    /// Ends the last step of a pass that has not ended.
    fn end(&mut self, pass: &str, operation: String, end: impl FnOnce(Step) -> Step) {
        let steps = &self.steps;
        let is_same = |index: &usize| steps.get(*index).is_some_and(|step| step.pass() == pass);
        let position = self.open.iter().rposition(is_same);
        // What has begun since then is inside of it, or changed nothing.
        let index = position.and_then(|position| self.open.drain(position..).next());
        match index.and_then(|index| self.steps.get_mut(index)) {
            Some(step) => *step = end(Step::begin(pass, step.operation(), step.before())),
            // The compiler was not asked for what was before.
            None => self.steps.push(end(Step::begin(pass, operation, ""))),
        }
    }

    fn shared(&mut self, text: String) -> Arc<str> {
        match self.texts.get(text.as_str()) {
            Some(known) => known.clone(),
            None => {
                let text: Arc<str> = text.into();
                self.texts.insert(text.clone());
                text
            }
        }
    }

    fn finish(mut self) -> Trace {
        self.end_text();
        self.steps.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Trace {
        Trace::read(text.as_bytes(), |_| true).unwrap()
    }

    fn summary(trace: &Trace) -> Vec<(&str, &str, bool)> {
        let steps = trace.steps().iter();
        steps
            .map(|step| (step.pass(), step.operation(), step.is_change()))
            .collect()
    }

    #[test]
    fn headings_of_both_forms_are_read() {
        let of = |line| heading(line).map(|found| (found.when, found.pass));
        assert_eq!(
            of(
                "// -----// IR Dump After CanonicalizerPass: canonicalize{max-iterations=10} //----- //"
            ),
            Some((When::After, "canonicalize"))
        );
        assert_eq!(
            of("// -----// IR Dump Before CSEPass (cse) //----- //"),
            Some((When::Before, "cse"))
        );
        assert_eq!(
            of("// -----// IR Dump After mlir::Some::Pass: some-pass Failed //----- //"),
            Some((When::Failed, "some-pass"))
        );
        assert_eq!(of("// a comment"), None);
    }

    #[test]
    fn operations_have_titles() {
        assert_eq!(title("module {\n}\n"), "builtin.module");
        assert_eq!(
            title("#map = affine_map<()>\nmodule @m {"),
            "builtin.module @m"
        );
        assert_eq!(
            title("util.func public @f$async(%a: i32)"),
            "util.func @f$async"
        );
        assert_eq!(
            title("func.func @f(%arg0: i32) attributes {a = @b}"),
            "func.func @f"
        );
        assert_eq!(
            title("hal.executable private @run_dispatch_0 {"),
            "hal.executable @run_dispatch_0"
        );
        assert_eq!(title("\"toy.op\"() ({"), "toy.op");
        assert_eq!(title("%0 = toy.call @f(%a)"), "toy.call @f");
        assert_eq!(title(""), "");
    }

    /// A pass that runs others, of which one changes something and one does not, and one behind it.
    const NESTED: &str = "\
// -----// IR Dump Before Outer: outer //----- //
module {
}

// -----// IR Dump Before Quiet: quiet //----- //
module {
}

// -----// IR Dump Before Inner: inner //----- //
module {
}

// -----// IR Dump After Inner: inner //----- //
module @a {
}

// -----// IR Dump After Outer: outer //----- //
module @b {
}

// -----// IR Dump Before Quiet: quiet //----- //
module @b {
}
";

    #[test]
    fn passes_inside_of_others_are_told_apart() {
        let trace = read(NESTED);
        assert_eq!(
            summary(&trace),
            [
                ("outer", "builtin.module", true),
                ("quiet", "builtin.module", false),
                ("inner", "builtin.module", true),
                ("quiet", "builtin.module @b", false),
            ]
        );
        let outer = &trace.steps()[0];
        assert_eq!(
            (outer.before(), outer.after()),
            ("module {\n}\n", Some("module @b {\n}\n"))
        );
        assert_eq!(trace.failed(), None);
        assert_eq!(trace.changed().count(), 2);
    }

    #[test]
    fn what_nobody_wants_is_left_out() {
        let trace = Trace::read(NESTED.as_bytes(), |pass| pass == "inner").unwrap();
        assert_eq!(summary(&trace), [("inner", "builtin.module", true)]);
    }

    #[test]
    fn a_pass_that_fails_has_nothing_after() {
        let trace = read(
            "// -----// IR Dump Before A: a //----- //\nmodule {\n}\n\
             // -----// IR Dump After A: a Failed //----- //\nmodule @m {\n}\n",
        );
        let failed = trace.failed().unwrap();
        assert_eq!((failed.pass(), failed.before()), ("a", "module {\n}\n"));
        assert_eq!(failed.difference(), "");
    }

    #[test]
    fn without_what_was_before_all_is_new() {
        let trace = read("// -----// IR Dump After A: a //----- //\nmodule {\n}\n");
        let lines = trace.steps()[0].lines();
        assert_eq!((lines.removed, lines.added), (0, 2));
    }
}
