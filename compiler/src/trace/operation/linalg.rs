//! Linear algebra, written in the language itself: closures over batches of matrices.
//!
//! Each loop is unrolled for small matrices, and part of the program for others.

use super::{
    super::{
        closure::Callable,
        statics::Static,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::formula,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Shape};
use iree_dsl_ir::op::InferError;
use iree_dsl_library::{language, linalg};

type Result = Option<Value>;

/// The size of matrices from which on loops are not unrolled.
const LARGE: usize = 5;

pub(super) fn cholesky(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = Matrices::new(tracer, &call, 0)?;
    let (root, conjugate) = match a.dtype.is_complex() {
        true => (language::COMPLEX_ROOT, "|z| z.conj()"),
        false => (language::REAL_ROOT, "|x| x"),
    };
    let conjugate = written(tracer, conjugate, &call)?;
    // One half is read, but both have a derivative, as if they were always equal.
    let read = match tracer.deriving > 0 {
        true => apply(
            tracer,
            language::SYMMETRICAL,
            vec![a.value(), conjugate.clone()],
            &call,
        )?,
        false => a.value(),
    };
    let root = written(tracer, root, &call)?;
    let rounds = a.rounds(tracer, &call)?;
    let arguments = vec![read, a.count(), root, conjugate, rounds];
    let factor = apply(tracer, language::CHOLESKY, arguments, &call)?;
    a.restore(tracer, factor, a.shape.clone(), &call)
}

pub(super) fn triangular_solve(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = Matrices::new(tracer, &call, 0)?;
    let (b, shape) = a.right_side(tracer, &call)?;
    let lower = super::options::truth(tracer, &call, "lower", true)?;
    let transpose = super::options::truth(tracer, &call, "transpose", false)?;
    let unit = super::options::truth(tracer, &call, "unit_diagonal", false)?;
    let matrices = match transpose {
        true => apply(tracer, "|a| a.swap_axes(1, 2)", vec![a.value()], &call)?,
        false => a.value(),
    };
    let truth = |truth| Static::bool(truth).into();
    let rounds = a.rounds(tracer, &call)?;
    let lower = truth(lower != transpose);
    let arguments = vec![matrices, b, a.count(), lower, truth(unit), rounds];
    let x = apply(tracer, language::SUBSTITUTE, arguments, &call)?;
    a.restore(tracer, x, shape, &call)
}

pub(super) fn solve(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = Matrices::new(tracer, &call, 0)?;
    let (b, shape) = a.right_side(tracer, &call)?;
    let x = a.solve(tracer, b, &call)?;
    a.restore(tracer, x, shape, &call)
}

pub(super) fn inv(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = Matrices::new(tracer, &call, 0)?;
    let identity = apply(
        tracer,
        language::IDENTITY,
        vec![a.value(), a.count()],
        &call,
    )?;
    let x = a.solve(tracer, identity, &call)?;
    a.restore(tracer, x, a.shape.clone(), &call)
}

pub(super) fn det(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = Matrices::new(tracer, &call, 0)?;
    let rounds = a.rounds(tracer, &call)?;
    let eliminate = written(tracer, language::ELIMINATE, &call)?;
    let arguments = vec![a.value(), a.count(), rounds, eliminate];
    let product = apply(tracer, language::DETERMINANT, arguments, &call)?;
    let shape = Shape::new(a.batch().to_vec());
    a.restore(tracer, product, shape, &call)
}

/// Square matrices in the last two axes, the axes before them made one.
struct Matrices {
    tensor: Tensor,
    /// The number of rows.
    size: Dim,
    /// The shape and the element type as given.
    shape: Shape,
    dtype: DType,
}

impl Matrices {
    fn new(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, position: usize) -> Option<Self> {
        let tensor = call.tensor(tracer, position)?;
        let (shape, dtype) = (tensor.ty.shape.clone(), tensor.ty.dtype);
        if !dtype.is_float() && !dtype.is_complex() {
            let operation = "";
            tracer.infer_error(
                &InferError::DType { operation, dtype },
                call.name,
                call.span,
            );
            return None;
        }
        let size = match shape.dims() {
            [.., rows, columns] if rows == columns => Some(rows.clone()),
            _ => None,
        };
        let Some(size) = size else {
            let message = format!(
                "`{}` needs square matrices in the last two axes, found `{}`",
                call.name, tensor.ty
            );
            tracer.error(Code::ShapeMismatch, call.span, message);
            return None;
        };
        let tensor = formula(tracer, call, [&tensor], |[x]| linalg::batch(&x))?;
        Some(Self {
            tensor,
            size,
            shape,
            dtype,
        })
    }

    fn value(&self) -> Value {
        self.tensor.clone().into()
    }

    fn count(&self) -> Value {
        self.size.extent().map_or(Value::POISON, Value::size)
    }

    /// How a closure is applied once for each row.
    fn rounds(&self, tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Result {
        let is_large = self.size.known().is_none_or(|size| size >= LARGE);
        let rounds = if is_large {
            language::LOOPED
        } else {
            language::UNROLLED
        };
        written(tracer, rounds, call)
    }

    /// The axes before the last two.
    fn batch(&self) -> &[Dim] {
        let dims = self.shape.dims();
        dims.get(..dims.len() - 2).unwrap_or_default()
    }

    /// The second argument as matrices, and the shape that solutions have. One vector may stand for a
    /// matrix with one column.
    fn right_side(
        &self,
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
    ) -> Option<(Value, Shape)> {
        let b = call.tensor(tracer, 1)?;
        let b = tracer.with_dtype(b, self.dtype, call.name, call.span)?;
        let shape = b.ty.shape.clone();
        let rows = [self.batch(), std::slice::from_ref(&self.size)].concat();
        let given = shape.dims();
        let columns = given.len().saturating_sub(1).max(1);
        if given.get(..columns) != Some(&rows) {
            let message = format!(
                "`{}` cannot solve for `{shape}` with matrices `{}`: the rows differ",
                call.name, self.shape
            );
            let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
            let help = "the right side has the axes of the matrices but the last, then one for its columns; it may be one vector";
            tracer.report(diagnostic.help(help));
            return None;
        }
        let b = formula(tracer, call, [&b], |[b]| linalg::right_side(&b))?;
        Some((b.into(), shape))
    }

    fn solve(&self, tracer: &mut Tracer<'_>, b: Value, call: &OperationCall<'_>) -> Result {
        let rounds = self.rounds(tracer, call)?;
        let eliminate = written(tracer, language::ELIMINATE, call)?;
        let substitute = written(tracer, language::SUBSTITUTE, call)?;
        let arguments = vec![self.value(), b, self.count(), rounds, eliminate, substitute];
        apply(tracer, language::SOLVE, arguments, call)
    }

    /// A result with the axes and the element type that users expect.
    fn restore(
        &self,
        tracer: &mut Tracer<'_>,
        result: Value,
        shape: Shape,
        call: &OperationCall<'_>,
    ) -> Result {
        let result = tracer.tensor(result, call.name, call.span)?;
        let restored = formula(tracer, call, [&result], |[x]| {
            linalg::restored(&x, &shape, self.dtype)
        })?;
        Some(restored.settled().into())
    }
}

/// A closure that is written in the language.
pub(super) fn written(tracer: &mut Tracer<'_>, source: &str, call: &OperationCall<'_>) -> Result {
    let callable = tracer.written_closure(source, call.span)?;
    Some(Value::Leaf(ValueLeaf::Callable(callable)))
}

/// What a closure that is written in the language makes of values.
pub(super) fn apply(
    tracer: &mut Tracer<'_>,
    source: &str,
    arguments: Vec<Value>,
    call: &OperationCall<'_>,
) -> Result {
    let callable: Callable = tracer.written_closure(source, call.span)?;
    let arguments = arguments.into_iter().map(|value| (value, call.span));
    let value = tracer.apply(&callable, arguments.collect(), None::<&Type>, call.span);
    (!value.is_poisoned()).then_some(value)
}
