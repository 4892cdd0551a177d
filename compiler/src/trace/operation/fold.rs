//! Elements combined by a closure.

use super::{
    super::{
        closure::Callable,
        index::Selector,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    control::fold_rounds,
};
use iree_abi::{Dim, Extent, Shape, TensorType};
use iree_dsl_ir::op::{Broadcast, Op, Slice, Transpose};

type Result = Option<Value>;

/// `x.reduce(init, k, |a, b| ..)`: neighbours are combined, then those that are left, and so on, so that
/// the order of the elements is kept.
pub(super) fn reduce(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (init, init_span) = call.argument(1)?;
    let axes = tracer.axes(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let callable = tracer.callable(call.argument(3)?, call.name, 2)?;
    let place = format!("the first number of `{}`", call.name);
    let scalar = Type::from(TensorType::new(operand.ty.dtype, []));
    let init = tracer.conform(init, &scalar, init_span, &place);
    let init = tracer.tensor(init, call.name, init_span)?;
    let fold = Fold {
        call: &call,
        callable,
    };
    let merged = fold.merged(tracer, &operand, axes)?;
    fold.along_last(tracer, &merged, &init).map(Value::from)
}

/// A closure that combines tensors place by place.
struct Fold<'f> {
    call: &'f OperationCall<'f>,
    callable: Callable,
}

impl Fold<'_> {
    /// The elements along some axes along one that is the last.
    fn merged(
        &self,
        tracer: &mut Tracer<'_>,
        operand: &Tensor,
        mut axes: Vec<usize>,
    ) -> Option<Tensor> {
        axes.sort_unstable();
        let rank = operand.ty.shape.rank();
        let kept = (0..rank).filter(|axis| !axes.contains(axis));
        let permutation: Vec<_> = kept.chain(axes.iter().copied()).collect();
        let turned = match permutation.is_sorted() {
            true => operand.clone(),
            false => self.emit(tracer, Op::Transpose(Transpose { permutation }), operand)?,
        };
        let (kept, merged) = turned.ty.shape.dims().split_at_checked(rank - axes.len())?;
        let size = Shape::new(merged.to_vec()).element_count()?;
        let mut dims = kept.to_vec();
        dims.push(Dim::from_extent(size)?);
        match axes.len() {
            1 => Some(turned),
            _ => self.emit(tracer, Op::Reshape(Shape::new(dims)), &turned),
        }
    }

    /// The first number and all elements along the last axis made one.
    fn along_last(
        &self,
        tracer: &mut Tracer<'_>,
        operand: &Tensor,
        init: &Tensor,
    ) -> Option<Tensor> {
        let (size, kept) = operand.ty.shape.dims().split_last()?;
        let axis = kept.len();
        let op = Op::Broadcast(Broadcast {
            shape: Shape::new(kept.to_vec()),
            axes: Vec::new(),
        });
        let init = self.emit(tracer, op, init)?;
        match size.known() {
            Some(0) => Some(init),
            Some(size) => {
                let all = self.pairs(tracer, operand.clone(), axis, size)?;
                let all = self.emit(tracer, Op::Reshape(init.ty.shape.clone()), &all)?;
                self.apply(tracer, init, all)
            }
            None => self.one_by_one(tracer, operand, init, axis),
        }
    }

    /// All elements along an axis made one, which keeps the axis.
    fn pairs(
        &self,
        tracer: &mut Tracer<'_>,
        operand: Tensor,
        axis: usize,
        mut size: usize,
    ) -> Option<Tensor> {
        let mut combined = operand;
        // What is left over stands behind everything that is combined after it.
        let mut left_over = Vec::new();
        while size > 1 {
            let even = size - size % 2;
            if even < size {
                left_over.push(self.part(tracer, &combined, axis, [even, size, 1])?);
            }
            let first = self.part(tracer, &combined, axis, [0, even, 2])?;
            let second = self.part(tracer, &combined, axis, [1, even, 2])?;
            combined = self.apply(tracer, first, second)?;
            size = even / 2;
        }
        for behind in left_over.into_iter().rev() {
            combined = self.apply(tracer, combined, behind)?;
        }
        Some(combined)
    }

    fn part(
        &self,
        tracer: &mut Tracer<'_>,
        operand: &Tensor,
        axis: usize,
        [from, to, step]: [usize; 3],
    ) -> Option<Tensor> {
        let mut limit = operand.ty.shape.extents()?;
        let mut start = vec![Extent::from(0); limit.len()];
        let mut stride = vec![1; limit.len()];
        *start.get_mut(axis)? = Extent::from(from);
        *limit.get_mut(axis)? = Extent::from(to);
        *stride.get_mut(axis)? = step;
        let op = Op::Slice(Slice {
            start,
            limit,
            stride,
        });
        self.emit(tracer, op, operand)
    }

    /// In a loop of the program, for an axis whose size is known at the call only.
    fn one_by_one(
        &self,
        tracer: &mut Tracer<'_>,
        operand: &Tensor,
        init: Tensor,
        axis: usize,
    ) -> Option<Tensor> {
        let count = operand.ty.shape.dims().get(axis).and_then(Dim::extent)?;
        let end = tracer.place_tensor(count, self.call.span)?;
        let combined = fold_rounds(
            tracer,
            init.into(),
            end,
            self.call.span,
            &mut |tracer, at, all| {
                let sizes = operand.ty.shape.extents()?.into_iter();
                let mut selectors: Vec<_> = sizes.map(Selector::all).collect();
                *selectors.get_mut(axis)? = Selector::Computed(at.clone());
                let element = tracer.read_part(operand.clone(), &selectors, self.call.span)?;
                let all = tracer.tensor(all, self.call.name, self.call.span)?;
                self.apply(tracer, all, element).map(Value::from)
            },
        )?;
        tracer.tensor(combined, self.call.name, self.call.span)
    }

    fn emit(&self, tracer: &mut Tracer<'_>, op: Op, operand: &Tensor) -> Option<Tensor> {
        tracer.emit_checked(op, &[operand], self.call.name, self.call.span)
    }

    fn apply(&self, tracer: &mut Tracer<'_>, a: Tensor, b: Tensor) -> Option<Tensor> {
        combined(tracer, &self.callable, [a, b], self.call)
    }
}

/// What a closure makes of two tensors of one type, which must be a third one.
pub(super) fn combined(
    tracer: &mut Tracer<'_>,
    callable: &Callable,
    [a, b]: [Tensor; 2],
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let span = call.span;
    let ty = Type::from(a.ty.clone());
    let arguments = vec![(a.into(), span), (b.into(), span)];
    let value = tracer.apply(callable, arguments, Some(&ty), span);
    let place = format!("what the closure of `{}` returns", call.name);
    match tracer.conform(value, &ty, span, &place) {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
        _ => None,
    }
}
