use std::{
    cell::RefCell,
    error::Error as StdError,
    fmt::{self, Display, Formatter},
    rc::Rc,
};

use melior::{
    Context,
    ir::{Module, OperationRef, operation::OperationLike},
    pass::{OperationPassManager, Pass},
};

use crate::{
    Editor, Error, PassOption, Patterns, Trace,
    pass::{self, Body},
    raw,
    trace::Recorder,
};

/// Passes in the order in which they run on operations of a name, such as `builtin.module`.
///
/// A pass is one of MLIR's, by its text or by a function of melior that makes it, or a closure. Texts can only name what MLIR was
/// told of, by [`register_all_passes`](melior::utility::register_all_passes) or by such a function as
/// [`register_cse`](melior::pass::transform::register_cse).
///
/// # Examples
///
/// ```
/// use iree_dialects::{Pipeline, arith, melior::pass::transform, parse, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let mut module = parse(
///     &context,
///     "func.func @f(%a: i32) -> i32 {
///         %0 = arith.addi %a, %a : i32
///         %1 = arith.addi %a, %a : i32
///         %2 = arith.muli %0, %1 : i32
///         return %2 : i32
///     }",
/// )?;
///
/// transform::register_canonicalizer();
/// let mut sums = 0;
/// Pipeline::new("builtin.module")
///     .nested(
///         Pipeline::new("func.func")
///             .mlir(transform::create_cse)
///             .rust("count-sums", |editor| {
///                 let all = editor.root().descendants();
///                 sums += all.filter(|one| one.cast::<arith::AddiOperation>().is_some()).count();
///                 Ok(())
///             })
///             .text("canonicalize{max-iterations=3}")?,
///     )
///     .run(&mut module)?;
/// assert_eq!(sums, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "passes do nothing until they are run"]
pub struct Pipeline<'p> {
    anchor: String,
    items: Vec<Item<'p>>,
}

#[derive(Clone)]
enum Item<'p> {
    Text(String),
    Mlir(Rc<dyn Fn() -> Pass + 'p>),
    Rust(String, Rc<RefCell<Body<'p>>>),
    Nested(Pipeline<'p>),
}

impl<'p> Pipeline<'p> {
    /// No passes, for operations of a name, or of `any`.
    pub fn new(anchor: impl Into<String>) -> Self {
        Self {
            anchor: anchor.into(),
            items: vec![],
        }
    }

    /// The pipeline of a text as `mlir-opt --pass-pipeline` reads it, such as `builtin.module(func.func(cse,canonicalize))`.
    ///
    /// # Errors
    ///
    /// [`Error::Pipeline`] if parentheses do not match, or a name is missing. Unknown names are an error of [`Self::run`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut items = parse_items(text)?;
        match (items.pop(), items.is_empty()) {
            (Some(Item::Nested(pipeline)), true) => Ok(pipeline),
            _ => Err(malformed(text, "it is not of the form `operation(passes)`")),
        }
    }

    /// Adds the passes of a text, such as `canonicalize,func.func(cse)`.
    ///
    /// # Errors
    ///
    /// As [`Self::parse`].
    pub fn text(mut self, text: &str) -> Result<Self, Error> {
        self.items.extend(parse_items(text)?);
        Ok(self)
    }

    /// Adds a pass of MLIR, by its name and with options.
    ///
    /// # Errors
    ///
    /// [`Error::Pipeline`] if the name or an option is none, or if a value has characters that MLIR does not read. What MLIR does not know is an error
    /// of [`Self::run`].
    pub fn pass<'o>(
        self,
        name: &str,
        options: impl IntoIterator<Item = (&'o str, PassOption)>,
    ) -> Result<Self, Error> {
        let is_name = |text: &str| {
            let is_of_name = |one: char| one.is_ascii_alphanumeric() || "-_.".contains(one);
            !text.is_empty() && text.chars().all(is_of_name)
        };
        let mut texts = vec![];
        for (option, value) in options {
            if !is_name(option) || !value.is_readable() {
                return Err(malformed(option, "MLIR does not read this option"));
            }
            texts.push(format!("{option}={value}"));
        }
        let options = match texts.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", texts.join(" ")),
        };
        match is_name(name) {
            true => self.text(&format!("{name}{options}")),
            false => Err(malformed(name, "that is no name of a pass")),
        }
    }

    /// Adds a pass of MLIR, by the function that makes it.
    ///
    /// A pass that is for operations of another name than this pipeline's makes MLIR end the process when the pipeline runs. Of a pass that is given
    /// by its text it is an error.
    pub fn mlir(mut self, create: impl Fn() -> Pass + 'p) -> Self {
        self.items.push(Item::Mlir(Rc::new(create)));
        self
    }

    /// Adds a pass that is a closure, which may do with the operation that it gets what [`edit`](crate::edit()) may.
    ///
    /// Its error, or its panic, is a diagnostic at the location of that operation. While there are such passes,
    /// a pipeline runs on one thread.
    pub fn rust(
        mut self,
        name: impl Into<String>,
        body: impl for<'c, 'e> FnMut(&Editor<'c, 'e>) -> Result<(), Box<dyn StdError>> + 'p,
    ) -> Self {
        let body = Rc::new(RefCell::new(body));
        self.items.push(Item::Rust(name.into(), body));
        self
    }

    /// Adds a pass that applies patterns.
    pub fn patterns(self, name: impl Into<String>, patterns: Patterns) -> Self {
        self.rust(name, move |editor| {
            if patterns.run(editor.root()) {
                Ok(())
            } else {
                Err("the patterns failed".into())
            }
        })
    }

    /// Adds passes for the operations of a name that are right inside of the operation.
    pub fn nested(mut self, pipeline: Self) -> Self {
        self.items.push(Item::Nested(pipeline));
        self
    }

    /// Runs the passes on a module, which is verified after each.
    ///
    /// # Errors
    ///
    /// [`Error::Pipeline`] if MLIR does not know a pass; [`Error::Pass`] if one fails, which leaves the module as it is then.
    pub fn run(&self, module: &mut Module<'_>) -> Result<(), Error> {
        self.run_on(module.as_operation(), None)
    }

    /// Runs the passes on a module, and returns the operations before and after each of those that are asked for by name.
    ///
    /// The second value is that of [`Self::run`].
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_dialects::{Pipeline, melior::pass::transform, parse};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let context = iree_dialects::context();
    /// let mut module = parse(
    ///     &context,
    ///     "func.func @f(%a: i32) {
    ///         %0 = arith.addi %a, %a : i32
    ///         return
    ///     }
    ///     func.func @g() {
    ///         return
    ///     }",
    /// )?;
    /// let pipeline = Pipeline::new("builtin.module")
    ///     .nested(Pipeline::new("func.func").mlir(transform::create_canonicalizer));
    /// let (trace, result) = pipeline.trace(&mut module, |_| true);
    /// result?;
    /// assert_eq!(trace.steps().len(), 2);
    /// let changed: Vec<_> = trace.changed().collect();
    /// assert_eq!((changed[0].pass(), changed[0].operation()), ("canonicalize", "func.func @f"));
    /// assert!(changed[0].difference().contains("-  %0 = arith.addi %arg0, %arg0 : i32\n"));
    /// // Each is a module that can be read.
    /// parse(&context, changed[0].after().unwrap())?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn trace(
        &self,
        module: &mut Module<'_>,
        wanted: impl Fn(&str) -> bool,
    ) -> (Trace, Result<(), Error>) {
        let recorder = Rc::new(Recorder::default());
        let tracing = Tracing {
            recorder: &recorder,
            wanted: &wanted,
        };
        let result = self.run_on(module.as_operation(), Some(tracing));
        (recorder.finish(), result)
    }

    fn run_on(
        &self,
        root: OperationRef<'_, '_>,
        tracing: Option<Tracing<'_>>,
    ) -> Result<(), Error> {
        let context = raw::context_of(root.context());
        let manager = raw::pass_manager(context, &self.anchor);
        self.add(context, manager.as_operation_pass_manager(), tracing)?;

        let threads = context.thread_count();
        // Closures are for one thread.
        let alone = (tracing.is_some() || self.has_closures()) && threads > 1;
        if alone {
            context.enable_multi_threading(false);
        }
        let run = || raw::run_passes(&manager, root);
        let (succeeded, diagnostics) = raw::capture(context.to_raw(), run);
        if alone {
            context.enable_multi_threading(true);
        }
        if succeeded {
            Ok(())
        } else {
            Err(Error::Pass(diagnostics))
        }
    }

    fn has_closures(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Rust(..) => true,
            Item::Nested(pipeline) => pipeline.has_closures(),
            Item::Text(_) | Item::Mlir(_) => false,
        })
    }

    fn add(
        &self,
        context: &Context,
        manager: OperationPassManager<'_, '_>,
        tracing: Option<Tracing<'_>>,
    ) -> Result<(), Error> {
        for item in &self.items {
            if let Item::Nested(pipeline) = item {
                pipeline.add(context, manager.nested_under(&pipeline.anchor), tracing)?;
                continue;
            }
            let name = match tracing {
                Some(_) => self.name(context, item)?,
                None => String::new(),
            };
            match tracing.filter(|tracing| (tracing.wanted)(&name)) {
                Some(tracing) => {
                    let (before, after) = tracing.recorder.passes(&name);
                    manager.add_pass(before);
                    item.add(manager)?;
                    manager.add_pass(after);
                }
                None => item.add(manager)?,
            }
        }
        Ok(())
    }

    /// The name of a pass, without its options.
    fn name(&self, context: &Context, item: &Item<'_>) -> Result<String, Error> {
        let text = match item {
            Item::Text(text) => text.clone(),
            Item::Rust(name, _) => name.clone(),
            Item::Nested(pipeline) => pipeline.anchor.clone(),
            Item::Mlir(_) => {
                // MLIR says it of a manager only.
                let manager = raw::pass_manager(context, &self.anchor);
                item.add(manager.as_operation_pass_manager())?;
                let text = manager.as_operation_pass_manager().to_string();
                let items = Pipeline::parse(&text)?.items;
                let names = items.iter().map(Item::to_string);
                names.collect::<Vec<_>>().join(",")
            }
        };
        Ok(match text.split_once('{') {
            Some((name, _)) => name.to_owned(),
            None => text,
        })
    }
}

#[derive(Clone, Copy)]
struct Tracing<'t> {
    recorder: &'t Rc<Recorder>,
    wanted: &'t dyn Fn(&str) -> bool,
}

impl Item<'_> {
    fn add(&self, manager: OperationPassManager<'_, '_>) -> Result<(), Error> {
        match self {
            Self::Text(text) => {
                raw::add_passes(manager, text).map_err(|reason| malformed(text, reason.trim()))?;
            }
            Self::Mlir(create) => manager.add_pass(create()),
            Self::Rust(name, body) => manager.add_pass(pass::create(name, body.clone())),
            // Of these there are only those inside.
            Self::Nested(_) => {}
        }
        Ok(())
    }
}

/// The text, in which passes of MLIR that were given by functions are `_`.
impl Display for Pipeline<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let items = self.items.iter().map(Item::to_string);
        let items = items.collect::<Vec<_>>().join(",");
        write!(formatter, "{}({items})", self.anchor)
    }
}

impl Display for Item<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Mlir(_) => formatter.write_str("_"),
            Self::Rust(name, _) => formatter.write_str(name),
            Self::Nested(pipeline) => pipeline.fmt(formatter),
        }
    }
}

impl fmt::Debug for Pipeline<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pipeline({self})")
    }
}

fn malformed(text: &str, reason: &str) -> Error {
    Error::Pipeline {
        text: text.to_owned(),
        reason: reason.to_owned(),
    }
}

fn parse_items<'p>(text: &str) -> Result<Vec<Item<'p>>, Error> {
    if text.contains('\0') {
        return Err(malformed(text, "it contains a null character"));
    }
    if text.trim().is_empty() {
        return Ok(vec![]);
    }
    let parts = split(text)?;
    let items = parts.into_iter().map(|part| {
        let part = part.trim();
        // Options may have parentheses, but come behind the name of a pass.
        let name_end = part.find(['(', '{']).unwrap_or(part.len());
        let (name, rest) = part.split_at(name_end);
        if name.trim().is_empty() {
            return Err(malformed(text, "a name is missing"));
        }
        match rest.strip_prefix('(') {
            Some(inside) => {
                let inside = inside.strip_suffix(')');
                let inside = inside.ok_or_else(|| malformed(part, "something follows the `)`"))?;
                Ok(Item::Nested(Pipeline {
                    anchor: name.trim().to_owned(),
                    items: parse_items(inside)?,
                }))
            }
            None => Ok(Item::Text(part.to_owned())),
        }
    });
    items.collect()
}

/// The parts between the commas that are in no parentheses.
fn split(text: &str) -> Result<Vec<&str>, Error> {
    let mut parts = vec![];
    let mut open = vec![];
    let mut quote = None;
    let mut start = 0;
    for (index, character) in text.char_indices() {
        match (character, quote) {
            (_, Some(closing)) if character == closing => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(character),
            ('(', None) => open.push(')'),
            ('{', None) => open.push('}'),
            ('[', None) => open.push(']'),
            (')' | '}' | ']', None) if open.pop() != Some(character) => {
                return Err(malformed(text, "parentheses do not match"));
            }
            (',', None) if open.is_empty() => {
                parts.extend(text.get(start..index));
                start = index + 1;
            }
            _ => {}
        }
    }
    if quote.is_some() || !open.is_empty() {
        return Err(malformed(text, "parentheses do not match"));
    }
    parts.extend(text.get(start..));
    Ok(parts)
}
