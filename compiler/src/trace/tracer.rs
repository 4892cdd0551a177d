use super::{
    builder::FunctionBuilder,
    file::Files,
    frame::{Frame, Identity},
    globals::Globals,
    instance::Instances,
    types::Type,
    value::{Tensor, Value, ValueLeaf},
    weak::Decisions,
};
use crate::{
    ast,
    diagnostic::{Code, Diagnostic, Remark, Report},
    span::{SpanId, SpanTable},
};
use iree_abi::{INITIALIZE, RESTORE, SAVE};
use iree_dsl_ir::{
    self as ir,
    op::{InferError, Op},
};
use iree_dsl_transform::Rule;
use std::{collections::BTreeMap, path::PathBuf};

/// Everything that tracing carries along.
pub(crate) struct Tracer<'a> {
    /// The program as written.
    pub(crate) ast: &'a ast::Program,
    /// What is being built.
    pub(crate) ir: ir::Module,
    /// The globals that exist so far.
    pub(crate) globals: Globals,
    /// The kernels that were instantiated.
    pub(crate) instances: Instances,
    /// The function of the source whose body is being traced.
    pub(crate) frame: Frame,
    /// The files that were read.
    pub(crate) files: Files,
    /// The functions that were found to call themselves.
    pub(crate) recursions: Vec<Identity>,
    /// Whether a type was found to contain itself.
    pub(crate) type_cycle: bool,
    /// How many conditions were nothing that decides, so that neither branch was traced.
    pub(crate) undecided: usize,
    /// Whether a constant was found to depend on itself.
    pub(crate) constant_cycle: bool,
    /// How many functions are being traced to be differentiated, one inside the other.
    pub(crate) deriving: usize,
    /// The instances of kernels with derivatives of their own that are differentiated.
    pub(crate) rules: BTreeMap<ir::FunctionId, Rule>,
    /// How many times a function was entered.
    tracings: usize,
    /// The functions that called it, outermost first.
    pub(crate) callers: Vec<Frame>,
    /// The function that operations are added to.
    pub(crate) builder: FunctionBuilder,
    /// The element types that literals turned out to have in it.
    pub(crate) decisions: Decisions,
    /// What the user asked to be told, of the functions that are finished.
    pub(crate) remarks: Vec<Remark>,
    /// Where the elements of tuples and arrays stand, by the span of the whole.
    elements: BTreeMap<SpanId, Vec<SpanId>>,
    /// Where the values of blocks and loops stand, by the span of the whole.
    values: BTreeMap<SpanId, SpanId>,
    spans: &'a SpanTable,
    report: &'a mut Report,
}

impl<'a> Tracer<'a> {
    /// A tracer at the start of a program.
    pub(crate) fn new(ast: &'a ast::Program, spans: &'a SpanTable, report: &'a mut Report) -> Self {
        let mut instances = Instances::default();
        for procedure in &ast.procedures {
            instances.reserve(&procedure.name.name);
        }
        instances.reserve(SAVE);
        instances.reserve(RESTORE);
        instances.reserve(INITIALIZE);
        Self {
            ast,
            ir: ir::Module::new(super::interface::program_name(ast)),
            globals: Globals::default(),
            instances,
            frame: Frame::outermost(ast::ModuleId::ROOT),
            files: Files::new(),
            recursions: Vec::new(),
            type_cycle: false,
            undecided: 0,
            constant_cycle: false,
            deriving: 0,
            rules: BTreeMap::new(),
            tracings: 0,
            callers: Vec::new(),
            builder: FunctionBuilder::scratch(),
            decisions: Decisions::new(),
            remarks: Vec::new(),
            elements: BTreeMap::new(),
            values: BTreeMap::new(),
            spans,
            report,
        }
    }

    /// Remembers where the elements of a tuple or array stand.
    pub(crate) fn note_elements(&mut self, whole: SpanId, elements: &[ast::Expr]) {
        let spans = elements.iter().map(|element| element.span);
        self.elements.insert(whole, spans.collect());
    }

    /// Where an element stands; the whole, if that was not written out.
    pub(crate) fn element_span(&self, whole: SpanId, position: usize) -> SpanId {
        let elements = self.elements.get(&whole);
        let element = elements.and_then(|elements| elements.get(position));
        element.copied().unwrap_or(whole)
    }

    /// Remembers where the value of a block or loop stands.
    pub(crate) fn note_value(&mut self, whole: SpanId, value: SpanId) {
        if whole != value {
            self.values.insert(whole, value);
        }
    }

    /// Where the value of an expression stands, which is inside if that is a block or loop.
    pub(crate) fn value_span(&self, whole: SpanId) -> SpanId {
        let mut span = whole;
        for _ in 0..self.values.len() {
            match self.values.get(&span) {
                Some(inner) => span = *inner,
                None => break,
            }
        }
        span
    }

    /// What was built.
    pub(crate) fn finish(self) -> ir::Module {
        self.ir
    }

    /// The source file that something stands in.
    pub(crate) fn source_file(&self, span: SpanId) -> Option<PathBuf> {
        self.spans.file(span)
    }

    /// Where something stands, `src/main.rs:12:9`.
    pub(crate) fn location_of(&self, span: SpanId) -> String {
        self.spans.location(span).to_string()
    }

    /// Reports a mistake, with the calls that led to it.
    pub(crate) fn report(&mut self, mut diagnostic: Diagnostic) -> Value {
        let frames = std::iter::once(&self.frame).chain(self.callers.iter().rev());
        let frames = frames.take_while(|frame| !frame.stands_alone());
        let called = frames.filter(|frame| frame.called_at != SpanId::CALL_SITE);
        for frame in called.take(4) {
            let place = self.spans.location(frame.called_at);
            let note = format!("in {}, called at {place}", frame.description);
            diagnostic.notes.push(note);
        }
        self.report.push_traced(diagnostic, self.frame.tracing);
        Value::POISON
    }

    /// Reports a mistake that needs no help.
    pub(crate) fn error(&mut self, code: Code, span: SpanId, message: impl Into<String>) -> Value {
        self.report(Diagnostic::new(code, span, message))
    }

    /// Takes back what was reported since then: another attempt will tell. Kernels that failed are tried
    /// again.
    pub(crate) fn forget_mistakes(&mut self, mistakes: usize) {
        self.report.truncate(mistakes);
        self.instances.forget_failures();
    }

    /// Whether a type that nothing tells was reported since then.
    pub(crate) fn lacks_type_since(&self, mistakes: usize) -> bool {
        let mut recent = self.report.diagnostics().iter().skip(mistakes);
        recent.any(|mistake| mistake.code == Code::CannotInfer)
    }

    /// How many mistakes were reported.
    pub(crate) fn error_count(&self) -> usize {
        self.report.diagnostics().len()
    }

    /// Runs with another frame, and comes back.
    pub(crate) fn in_frame<R>(&mut self, frame: Frame, run: impl FnOnce(&mut Self) -> R) -> R {
        self.tracings += 1;
        let tracing = self.tracings;
        let frame = Frame { tracing, ..frame };
        let caller = std::mem::replace(&mut self.frame, frame);
        self.callers.push(caller);
        let result = run(self);
        if let Some(caller) = self.callers.pop() {
            self.frame = caller;
        }
        result
    }

    /// Runs with another function to add operations to, and returns that function.
    pub(crate) fn with_builder<R>(
        &mut self,
        builder: FunctionBuilder,
        run: impl FnOnce(&mut Self) -> R,
    ) -> (R, FunctionBuilder) {
        let outer = std::mem::replace(&mut self.builder, builder);
        let result = run(self);
        let inner = std::mem::replace(&mut self.builder, outer);
        (result, inner)
    }

    /// Keeps what the user asked to be told of a function that is finished.
    pub(crate) fn keep_remarks(&mut self, finished: &FunctionBuilder) {
        for remark in &finished.remarks {
            if !self.remarks.contains(remark) {
                self.remarks.push(remark.clone());
            }
        }
    }

    /// Adds an operation whose results are the tensors of a tree.
    pub(crate) fn emit_tree(
        &mut self,
        op: Op,
        operands: &[Tensor],
        ty: &Type,
        span: SpanId,
    ) -> Value {
        let operands: Vec<_> = operands.iter().collect();
        let mut results = match self.builder.emit(op, &operands, span) {
            Ok(results) => results.into_iter(),
            Err(error) => return self.error(Code::Internal, span, error.to_string()),
        };
        ty.map(&mut |_| match results.next() {
            Some(tensor) => ValueLeaf::Tensor(tensor),
            None => ValueLeaf::Poison,
        })
    }

    /// Adds an operation with one result to the function that is being traced.
    pub(crate) fn emit(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        span: SpanId,
    ) -> Result<Tensor, InferError> {
        if operands.iter().all(|operand| operand.weak.is_none()) {
            return self.builder.emit_one(op, operands, span);
        }
        match self.builder.emit_one(op.clone(), operands, span) {
            Err(error @ InferError::DTypes(one, other)) => {
                match self.adapt_all(operands, [one, other], span) {
                    Some(adapted) => {
                        let adapted: Vec<_> = adapted.iter().collect();
                        self.builder.emit_one(op, &adapted, span)
                    }
                    None => Err(error),
                }
            }
            result => result,
        }
    }
}
