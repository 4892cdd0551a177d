//! Tensors that are built where their type is known. A call of what builds tensors, such as `zeros()`, takes its type
//! from where it goes, as a literal does: from the other operand, a parameter, a variable of a loop. So does
//! arithmetic of such calls, numbers and scalars, as `lambda * eye()`, whose shape is not known either.

use super::{
    operation::{OperationCall, OperationInfo, broadcast_shapes},
    statics::StaticType,
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
    weak::Joined,
};
use crate::{
    ast::{BinaryOperator, UnaryOperator},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::{BinaryOp, Op};
use std::rc::Rc;

/// A tensor that is built once its type is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deferred {
    source: Source,
    /// Its element type, as far as that follows from what it is built from.
    element: Option<StaticType>,
    /// How many operators are in it, one inside the other.
    depth: usize,
}

/// What took the shape of what it met, in which axes that matter have one element.
#[derive(Clone, Debug)]
pub(crate) struct Narrow {
    /// These axes, counted from the end.
    axes: Vec<usize>,
    name: &'static str,
    usage: &'static str,
    span: SpanId,
}

impl Narrow {
    /// Whether one of some axes is among them.
    pub(crate) fn is_along(&self, axes: &[usize]) -> bool {
        axes.iter().any(|axis| self.axes.contains(axis))
    }
}

/// Loops that are unrolled could make it as deep as they are long.
const DEPTH_LIMIT: usize = 64;

/// What it is built from.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    Call(BuildingCall),
    Unary(UnaryOperator, (Value, SpanId)),
    Binary(BinaryOperator, [(Value, SpanId); 2], SpanId),
    /// Complex numbers with these parts.
    Complex([(Value, SpanId); 2], SpanId),
}

/// Which axes of tensors that it meets a tensor has that a call builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axes {
    /// All of them.
    All,
    /// The last one.
    Last,
    /// The last one, behind those of the first argument of the call.
    LastBehindArgument,
}

/// A call of what builds tensors.
#[derive(Clone, Debug, PartialEq)]
struct BuildingCall {
    operation: &'static OperationInfo,
    arguments: Vec<(Value, SpanId)>,
    axes: Axes,
    span: SpanId,
}

impl OperationCall<'_> {
    /// The call, once the type of what it builds is known. The element type may follow from its arguments.
    pub(crate) fn deferred(
        &self,
        operation: &'static OperationInfo,
        element: Option<StaticType>,
        axes: Axes,
    ) -> Value {
        let source = Source::Call(BuildingCall {
            operation,
            arguments: self.arguments.clone(),
            axes,
            span: self.span,
        });
        Value::from(Deferred {
            source,
            element,
            depth: 0,
        })
    }
}

impl From<Deferred> for Value {
    fn from(deferred: Deferred) -> Self {
        Self::Leaf(ValueLeaf::Deferred(Rc::new(deferred)))
    }
}

impl Value {
    /// What it is built from, if it waits for its type.
    pub(crate) const fn as_deferred(&self) -> Option<&Rc<Deferred>> {
        match self {
            Self::Leaf(ValueLeaf::Deferred(deferred)) => Some(deferred),
            _ => None,
        }
    }

    /// Whether something in it waits for its type.
    pub(crate) fn waits(&self) -> bool {
        let leaves = self.leaves();
        let mut leaves = leaves.iter().map(|(_, leaf)| leaf);
        leaves.any(|leaf| matches!(leaf, ValueLeaf::Deferred(_)))
    }

    /// Whether arithmetic with something that waits for its type waits as well: of a scalar the result may have any
    /// shape.
    fn leaves_shape_open(&self) -> bool {
        match self {
            Self::Leaf(ValueLeaf::Tensor(tensor)) => tensor.ty.shape.rank() == 0,
            Self::Leaf(ValueLeaf::Static(_) | ValueLeaf::Deferred(_)) => true,
            _ => false,
        }
    }

    /// The element type that it brings to an operation, if it brings one.
    pub(crate) fn element(&self) -> Option<StaticType> {
        match self {
            Self::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor.element()),
            Self::Leaf(ValueLeaf::Static(number)) => Some(number.ty),
            Self::Leaf(ValueLeaf::Deferred(deferred)) => deferred.element,
            _ => None,
        }
    }
}

/// The element type of operands together. What does not agree is reported where the operation is made.
pub(crate) fn common_element<'v>(
    operands: impl IntoIterator<Item = &'v Value>,
) -> Option<StaticType> {
    let elements = operands.into_iter().filter_map(Value::element);
    elements.reduce(|known, other| match known.unify(other) {
        Some(both) => both,
        None if known.is_weak() => other,
        None => known,
    })
}

impl Deferred {
    /// The call that tells nothing of its type, which stands for the whole in messages.
    fn call(&self) -> Option<&BuildingCall> {
        self.find(&|_| true)
    }

    /// The first call in it of a kind.
    fn find(&self, is_meant: &dyn Fn(&BuildingCall) -> bool) -> Option<&BuildingCall> {
        if let Source::Call(call) = &self.source {
            return Some(call).filter(|call| is_meant(call));
        }
        let mut operands = self.operands().iter();
        operands.find_map(|(value, _)| value.as_deferred()?.find(is_meant))
    }

    /// What it is computed from.
    fn operands(&self) -> &[(Value, SpanId)] {
        match &self.source {
            Source::Call(call) => &call.arguments,
            Source::Unary(_, operand) => std::slice::from_ref(operand),
            Source::Binary(_, operands, _) | Source::Complex(operands, _) => operands,
        }
    }

    /// Whether it is computed from a tensor.
    pub(crate) fn meets_tensor(&self) -> bool {
        let mut values = self.operands().iter().map(|(value, _)| value);
        values.any(|value| match value.as_deferred() {
            Some(inner) => inner.meets_tensor(),
            None => !value.tensors().is_empty(),
        })
    }

    /// Whether a scalar is an operand of its arithmetic, so that it may be one too.
    fn meets_scalar(&self) -> bool {
        let mut values = self.operands().iter().map(|(value, _)| value);
        let is_call = matches!(self.source, Source::Call(_));
        !is_call
            && values.any(|value| match value.as_deferred() {
                Some(inner) => inner.meets_scalar(),
                None => matches!(value, Value::Leaf(ValueLeaf::Tensor(_))),
            })
    }
}

impl Tracer<'_> {
    /// `-x` or `!x`, if that waits for its type.
    pub(crate) fn defer_unary(
        &self,
        operator: UnaryOperator,
        operand: &Value,
        span: SpanId,
    ) -> Option<Value> {
        let depth = depth_around([operand]);
        if operand.as_deferred().is_none() || depth > DEPTH_LIMIT {
            return None;
        }
        Some(Value::from(Deferred {
            element: operand.element(),
            source: Source::Unary(operator, (operand.clone(), span)),
            depth,
        }))
    }

    /// `a op b`, if one side waits for its type and the other does not tell it.
    pub(crate) fn defer_binary(
        &self,
        operator: BinaryOperator,
        operands: [&(Value, SpanId); 2],
        span: SpanId,
    ) -> Option<Value> {
        let [(lhs, _), (rhs, _)] = operands;
        let depth = depth_if_open([lhs, rhs])?;
        let element = common_element([lhs, rhs]);
        let source = Source::Binary(operator, operands.map(Clone::clone), span);
        Some(Value::from(Deferred {
            source,
            element,
            depth,
        }))
    }

    /// `complex(re, im)`, if one part waits for its type and the other does not tell it.
    pub(crate) fn defer_complex(
        &self,
        parts: [&(Value, SpanId); 2],
        span: SpanId,
    ) -> Option<Value> {
        let [(re, _), (im, _)] = parts;
        let depth = depth_if_open([re, im])?;
        let element = common_element([re, im]).and_then(complex_of);
        let source = Source::Complex(parts.map(Clone::clone), span);
        Some(Value::from(Deferred {
            source,
            element,
            depth,
        }))
    }

    /// The value as something of a type, which may be a tree.
    pub(crate) fn build(&mut self, deferred: &Deferred, ty: &Type) -> Value {
        if ty.is_poisoned() {
            return Value::POISON;
        }
        if !tells_type(ty) {
            return self.cannot_infer(deferred);
        }
        self.compute(deferred, &|_| ty.clone())
    }

    /// The value, of calls that build something of these types.
    fn compute(&mut self, deferred: &Deferred, ty: &dyn Fn(&BuildingCall) -> Type) -> Value {
        match &deferred.source {
            Source::Call(call) => self.run_building(call, &ty(call)),
            Source::Unary(operator, (value, span)) => {
                let value = self.compute_operand(value, ty);
                self.unary_value(*operator, value, *span, *span)
            }
            Source::Binary(operator, [lhs, rhs], span) => {
                let lhs = (self.compute_operand(&lhs.0, ty), lhs.1);
                let rhs = (self.compute_operand(&rhs.0, ty), rhs.1);
                self.binary_value(*operator, lhs, rhs, *span)
            }
            Source::Complex(parts, span) => {
                let ty = |call: &BuildingCall| real_of(&ty(call));
                let parts = parts.each_ref();
                let parts = parts.map(|(part, span)| (self.compute_operand(part, &ty), *span));
                self.elementwise(Op::Binary(BinaryOp::Complex), parts, "complex", *span)
            }
        }
    }

    fn compute_operand(&mut self, value: &Value, ty: &dyn Fn(&BuildingCall) -> Type) -> Value {
        match value.as_deferred() {
            Some(deferred) => self.compute(deferred, ty),
            None => value.clone(),
        }
    }

    fn run_building(&mut self, call: &BuildingCall, ty: &Type) -> Value {
        let operation = call.operation;
        let call = OperationCall {
            name: operation.name,
            generics: &[],
            arguments: call.arguments.clone(),
            options: Vec::new(),
            expected: Some(ty),
            span: call.span,
        };
        operation.run(self, call)
    }

    /// The tensor, of a type.
    pub(crate) fn build_tensor(&mut self, deferred: &Deferred, ty: &TensorType) -> Option<Tensor> {
        match self.build(deferred, &Type::from(ty.clone())) {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
            _ => None,
        }
    }

    /// The tensor beside others of this element type that have this shape together, to which it broadcasts.
    pub(crate) fn build_for(
        &mut self,
        deferred: &Deferred,
        dtype: DType,
        shape: &Shape,
    ) -> Option<Tensor> {
        let unclear = deferred.find(&|call| call.is_beside_column(shape));
        if let Some(BuildingCall {
            operation, span, ..
        }) = unclear
        {
            self.type_does_not_follow(operation.name, operation.usage, *span);
            return None;
        }
        let ty = |call: &BuildingCall| TensorType::new(dtype, call.shape_beside(shape));
        let built = match self.compute(deferred, &|call| Type::from(ty(call))) {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
            _ => None,
        };
        let narrow = deferred.find(&|call| !call.narrow_axes(shape).is_empty());
        if let (Some(built), Some(call)) = (&built, narrow) {
            let narrow = Narrow {
                axes: call.narrow_axes(shape),
                name: call.operation.name,
                usage: call.operation.usage,
                span: call.span,
            };
            self.builder.narrow.insert(built.id, narrow);
        }
        built
    }

    /// Refuses a tensor that is repeated along an axis of one element, if that is all that a call knew to build along it:
    /// `x + column * eye()` has the first column of the identity alone.
    pub(crate) fn check_repeated(&mut self, tensor: &Tensor, shape: &Shape) -> Option<()> {
        if self.builder.narrow.is_empty() {
            return Some(());
        }
        let own = tensor.ty.shape.dims().iter().rev();
        let axes = own.zip(shape.dims().iter().rev()).enumerate();
        let repeated = axes.filter(|(_, (own, other))| own.is_one() && !other.is_one());
        let repeated: Vec<_> = repeated.map(|(from_end, _)| from_end).collect();
        let Some(narrow) = self.builder.narrow_source(tensor.id, &repeated) else {
            return Some(());
        };
        let Narrow {
            name, usage, span, ..
        } = narrow.clone();
        let message = format!(
            "`{name}` takes the shape `{}` from what it meets, and is repeated to `{shape}`",
            tensor.ty.shape
        );
        let diagnostic = Diagnostic::new(Code::CannotInfer, span, message);
        let usage = usage.replace("f32", &tensor.ty.dtype.to_string());
        self.report(diagnostic.help(format!("name the type that it should have: `{usage}`")));
        None
    }

    /// The operands with those built that wait for their type: of the element type and shape of the others, among
    /// them tensors that are none of the operands.
    pub(crate) fn build_beside<const N: usize>(
        &mut self,
        operands: [(Value, SpanId); N],
        others: &[&Shape],
    ) -> Option<[(Value, SpanId); N]> {
        let waiting = operands.iter().find_map(|(value, _)| value.as_deferred());
        let Some(waiting) = waiting.map(Rc::clone) else {
            return Some(operands);
        };
        let element = common_element(operands.iter().map(|(value, _)| value));
        let joined = element.and_then(|element| self.type_built_of(element, &waiting));
        let (Some(joined), Some(shape)) = (joined, common_shape(&operands, others)) else {
            self.cannot_infer(&waiting);
            return None;
        };
        let mut built = operands;
        for (value, _) in &mut built {
            if let Some(deferred) = value.as_deferred().map(Rc::clone) {
                let tensor = self.build_for(&deferred, joined.ty.dtype, &shape)?;
                let weak = joined.weak.or(tensor.weak);
                *value = Tensor { weak, ..tensor }.into();
            }
        }
        Some(built)
    }

    /// The element type of something that is built beside others of an element type, which may be that of literals.
    fn type_built_of(&self, element: StaticType, waiting: &Deferred) -> Option<Joined> {
        match waiting.call() {
            Some(call) => self.type_of_literal(element, (call.span, 0)),
            None => None,
        }
    }

    /// A tensor where nothing more is said of its type: a scalar, if it is computed from one.
    pub(crate) fn settle(&mut self, deferred: &Deferred) -> Option<Tensor> {
        let dtype = deferred.element.and_then(StaticType::default_dtype);
        if let Some(dtype) = dtype.filter(|_| deferred.meets_scalar()) {
            let (mark, mistakes) = (self.builder.mark(), self.error_count());
            if let Some(tensor) = self.build_tensor(deferred, &TensorType::new(dtype, [])) {
                return Some(tensor);
            }
            self.builder.go_back(mark);
            self.forget_mistakes(mistakes);
        }
        self.cannot_infer(deferred);
        None
    }

    /// Reports that nothing tells the type of what should be built.
    pub(crate) fn cannot_infer(&mut self, deferred: &Deferred) -> Value {
        match deferred.call() {
            Some(call) => {
                self.type_does_not_follow(call.operation.name, call.operation.usage, call.span)
            }
            None => Value::POISON,
        }
    }

    /// Reports that nothing tells the type of what a call builds.
    pub(crate) fn type_does_not_follow(&mut self, name: &str, usage: &str, span: SpanId) -> Value {
        let message = format!("the type of `{name}` does not follow from what stands around it");
        let diagnostic = Diagnostic::new(Code::CannotInfer, span, message);
        self.report(diagnostic.help(format!("name it: `{usage}`")))
    }
}

impl BuildingCall {
    /// Whether it would be one number because the last axis beside it has one place, as of a column: hardly what was meant.
    fn is_beside_column(&self, shape: &Shape) -> bool {
        let is_one = shape.dims().last().is_some_and(Dim::is_one);
        self.axes == Axes::Last && shape.rank() > 1 && is_one
    }

    /// The axes of one element, counted from the end, along which it would build something else if there were more.
    fn narrow_axes(&self, shape: &Shape) -> Vec<usize> {
        let axes = match self.operation.name {
            "eye" => 2,
            _ => 0,
        };
        let ends = shape.dims().iter().rev().take(axes).enumerate();
        let narrow = ends.filter(|(_, size)| size.is_one());
        narrow.map(|(from_end, _)| from_end).collect()
    }

    /// The shape that it has beside tensors that have a shape together.
    fn shape_beside(&self, shape: &Shape) -> Shape {
        let Some(last) = shape.dims().last() else {
            return shape.clone();
        };
        let mut dims = match self.axes {
            Axes::All => return shape.clone(),
            Axes::Last => Vec::new(),
            Axes::LastBehindArgument => match self.arguments.first() {
                Some((Value::Leaf(ValueLeaf::Tensor(tensor)), _)) => {
                    tensor.ty.shape.dims().to_vec()
                }
                _ => Vec::new(),
            },
        };
        dims.push(last.clone());
        Shape::new(dims)
    }
}

/// The type with the parts of complex numbers in their place.
fn real_of(ty: &Type) -> Type {
    ty.map(&mut |leaf| match leaf {
        TypeLeaf::Tensor(ty) => {
            TypeLeaf::Tensor(TensorType::new(ty.dtype.real(), ty.shape.clone()))
        }
        leaf => leaf.clone(),
    })
}

/// The type of complex numbers with parts of a type; `None` if that is not known, or none can be parts.
fn complex_of(part: StaticType) -> Option<StaticType> {
    match part {
        StaticType::Element(DType::F32) => Some(StaticType::Element(DType::C64)),
        StaticType::Element(DType::F64) => Some(StaticType::Element(DType::C128)),
        _ => None,
    }
}

/// How many operators are in something of two operands, if one waits for its type and the other does not tell it.
fn depth_if_open(operands: [&Value; 2]) -> Option<usize> {
    let [lhs, rhs] = operands;
    let waits = lhs.as_deferred().is_some() || rhs.as_deferred().is_some();
    let is_open = lhs.leaves_shape_open() && rhs.leaves_shape_open();
    let depth = depth_around(operands);
    (waits && is_open && depth <= DEPTH_LIMIT).then_some(depth)
}

/// How many operators are in something that an operator makes of these operands.
fn depth_around<const N: usize>(operands: [&Value; N]) -> usize {
    let operands = operands.into_iter().filter_map(Value::as_deferred);
    let depths = operands.map(|operand| operand.depth);
    depths.max().map_or(0, |depth| depth + 1)
}

/// Whether a type is all that must be known to build something of it.
pub(crate) fn tells_type(ty: &Type) -> bool {
    ty.is_run_time() && !ty.is_open() && !ty.is_unit()
}

/// The shape of all tensors together; that of the first, if they do not broadcast, which is reported later.
fn common_shape(operands: &[(Value, SpanId)], others: &[&Shape]) -> Option<Shape> {
    let own = operands.iter().filter_map(|(value, _)| match value {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(&tensor.ty.shape),
        _ => None,
    });
    let shapes = own.chain(others.iter().copied()).cloned();
    shapes.reduce(|known, other| broadcast_shapes(&known, &other).unwrap_or(known))
}
