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
    /// Diagnostics, which end the text of an operation, are its [messages](Self::messages), as is all that is before the first pass.
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

/// The heading in a line: `Before Class: pass{options}`, `After Class Failed: pass`, or `Before Class (pass)` of an older MLIR.
fn heading(line: &str) -> Option<Heading<'_>> {
    let title = line.strip_prefix(START)?.strip_suffix(END)?;
    let (when, title) = title.split_once(' ')?;
    let older = || title.split_once(" (");
    let (class, pass) = title.split_once(": ").or_else(older).unwrap_or(("", title));
    let has_failed = [class, title].iter().any(|text| text.ends_with(" Failed"));
    let when = match when {
        "Before" => When::Before,
        "After" if has_failed => When::Failed,
        "After" => When::After,
        _ => return None,
    };
    let end = pass.find(['{', ')', ' ']).unwrap_or(pass.len());
    pass.get(..end).map(|pass| Heading { when, pass })
}

/// Whether a line begins a diagnostic, `file.mlir:3:8: error: …`, or what a compiler says that crashes.
fn is_message(line: &str) -> bool {
    const SEVERITIES: [&str; 4] = ["error: ", "warning: ", "remark: ", "note: "];
    const CRASHES: [&str; 3] = ["Please report issues to ", "PLEASE ", "Stack dump:"];
    if CRASHES.iter().any(|start| line.starts_with(start)) {
        return true;
    }
    SEVERITIES.iter().any(|severity| {
        let place = line.split_once(severity).map(|(place, _)| place);
        place.is_some_and(is_place)
    })
}

/// Whether a text is nothing, `file:line:column: `, or `loc(…): `.
fn is_place(text: &str) -> bool {
    let Some(place) = text.strip_suffix(": ") else {
        return text.is_empty();
    };
    match place.strip_suffix(')') {
        Some(place) => place.starts_with("loc("),
        None => {
            place.ends_with(|end: char| end.is_ascii_digit())
                && place.contains(':')
                && !place.starts_with(char::is_whitespace)
                && !place.contains('"')
        }
    }
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
    /// Whether the lines are those of an operation, until something else is said.
    is_text: bool,
    messages: String,
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
            is_text: false,
            messages: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(heading) = heading(line) {
            self.end_text();
            let is_wanted = (self.wanted)(heading.pass);
            self.current = is_wanted.then(|| (heading.when, heading.pass.to_owned()));
            self.is_text = true;
            return;
        }
        self.is_text &= !is_message(line);
        if !self.is_text {
            self.messages.push_str(line);
            self.messages.push('\n');
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
        Trace {
            steps: self.steps,
            messages: self.messages.trim().to_owned(),
        }
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
            of("// -----// IR Dump After mlir::Some::Pass Failed: some-pass //----- //"),
            Some((When::Failed, "some-pass"))
        );
        assert_eq!(
            of("// -----// IR Dump After SomePass Failed (some-pass) //----- //"),
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
             // -----// IR Dump After A Failed: a //----- //\nmodule @m {\n}\n",
        );
        let failed = trace.failed().unwrap();
        assert_eq!((failed.pass(), failed.before()), ("a", "module {\n}\n"));
        assert_eq!(failed.difference(), "");
    }

    /// A pass in a pass, which warns, and then fails.
    const FAILING: &str = "\
f.mlir:1:1: remark: read
// -----// IR Dump Before Outer: outer //----- //
module {
}

// -----// IR Dump Before Inner: inner //----- //
module {
}

f.mlir:2:8: warning: slow
  %0 = a.b
       ^
f.mlir:2:8: error: wrong: here
  %0 = a.b
       ^
f.mlir:2:8: note: see current operation: %0 = \"a.b\"() ({
}) : () -> ()

// -----// IR Dump After Inner Failed: inner //----- //
module {
}

// -----// IR Dump After Outer Failed: outer //----- //
module {
}
";

    #[test]
    fn diagnostics_are_messages_and_not_of_operations() {
        let trace = read(FAILING);
        let texts = trace.steps().iter().map(Step::before);
        assert!(
            texts.into_iter().all(|text| text == "module {\n}\n"),
            "{trace:?}"
        );
        assert_eq!(
            trace.failed().map(Step::pass),
            Some("inner"),
            "{:?}",
            trace.steps()
        );
        let messages = trace.messages();
        assert!(
            messages.starts_with("f.mlir:1:1: remark: read\nf.mlir:2:8: warning: slow\n"),
            "{messages}"
        );
        assert!(messages.ends_with("\n}) : () -> ()"), "{messages}");
        let none = Trace::read(FAILING.as_bytes(), |_| false).unwrap();
        assert_eq!(none.messages(), messages);
    }

    #[test]
    fn diagnostics_are_told_from_operations() {
        for line in [
            "a.mlir:3:8: error: no",
            "<unknown>:0: error: no",
            "loc(\"a\"): error: no",
            "error: no",
            "Stack dump:",
        ] {
            assert!(is_message(line), "{line}");
        }
        for line in [
            "  a.b {text = \"x:1: error: no\"}",
            "module attributes {text = \"x:1: error: no\"}",
            "a.b // error: no",
            "",
        ] {
            assert!(!is_message(line), "{line}");
        }
    }

    #[test]
    fn without_what_was_before_all_is_new() {
        let trace = read("// -----// IR Dump After A: a //----- //\nmodule {\n}\n");
        let lines = trace.steps()[0].lines();
        assert_eq!((lines.removed, lines.added), (0, 2));
    }
}
