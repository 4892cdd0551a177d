use std::{
    cell::Cell,
    error::Error as StdError,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use melior::{
    GreedyRewriteDriverConfig, RewritePatternSet, apply_patterns_and_fold_greedily_with_op,
    ir::{Module, OperationRef, Value, operation::OperationLike},
};

use crate::{
    Builder, Error, raw,
    traverse::OperationExt,
    tree::{self, Root},
};

/// What a pattern makes of an operation: the values that take the place of its results, or nothing if it leaves the operation.
type Rewrite = dyn for<'c, 'e> Fn(
    OperationRef<'c, 'e>,
    &Builder<'c, 'e>,
) -> Result<Option<Vec<Value<'c, 'e>>>, Box<dyn StdError>>;

/// How often patterns are tried on an operation on average, before they are said to go on for ever.
const TRIES: usize = 1000;

/// Patterns that operations are rewritten by, until none of them applies.
///
/// MLIR's greedy driver applies them. It also folds constants, and removes what has no effect and is not used.
///
/// # Examples
///
/// ```
/// use iree_dialects::{Patterns, arith, parse, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let mut module = parse(
///     &context,
///     "func.func @f(%a: i32) -> i32 {
///         %0 = arith.addi %a, %a : i32
///         %1 = arith.addi %0, %0 : i32
///         return %1 : i32
///     }",
/// )?;
/// let shifts = Patterns::new().on(arith::AddiOperation::NAME, |operation, builder| {
///     let add = arith::AddiOperation::try_from(operation)?;
///     let (lhs, rhs) = (add.lhs()?, add.rhs()?);
///     if lhs != rhs {
///         return Ok(None);
///     }
///     let one = IntegerAttribute::new(lhs.r#type(), 1);
///     let one = builder
///         .insert::<arith::ConstantOperation>(|constant| constant.value(one).result(lhs.r#type()))?
///         .result()?;
///     let shift = builder.insert::<arith::ShliOperation>(|shift| shift.lhs(lhs).rhs(one))?;
///     Ok(Some(vec![shift.result()?]))
/// });
/// shifts.apply(&mut module)?;
/// assert_eq!(module.as_operation().to_string().matches("arith.shli").count(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
#[must_use = "patterns do nothing until they are applied"]
pub struct Patterns(Vec<(String, Rc<Rewrite>)>);

impl Patterns {
    /// No patterns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern for the operations of a name. Those that were added first are tried first.
    ///
    /// The closure gets a builder in front of the operation. It returns a value for each result, or `None` if it has inserted nothing
    /// and leaves the operation as it is.
    pub fn on(
        mut self,
        operation: impl Into<String>,
        rewrite: impl for<'c, 'e> Fn(
            OperationRef<'c, 'e>,
            &Builder<'c, 'e>,
        ) -> Result<Option<Vec<Value<'c, 'e>>>, Box<dyn StdError>>
        + 'static,
    ) -> Self {
        self.0.push((operation.into(), Rc::new(rewrite)));
        self
    }

    /// Applies the patterns to a module.
    ///
    /// # Errors
    ///
    /// [`Error::Pass`] with the error of a pattern, at the place of its operation, or if the patterns go on for ever.
    pub fn apply(&self, module: &mut Module<'_>) -> Result<(), Error> {
        let root = module.as_operation();
        let context = raw::context_of(root.context());
        let (succeeded, diagnostics) = raw::capture(context.to_raw(), || self.run(root));
        if succeeded && diagnostics.is_empty() {
            Ok(())
        } else {
            Err(Error::Pass(diagnostics))
        }
    }

    /// Applies the patterns to what is inside of an operation that nothing refers to, and says whether that came to an end. Errors are
    /// emitted.
    pub(crate) fn run(&self, root: OperationRef<'_, '_>) -> bool {
        let context = raw::context_of(root.context());
        let failed = Rc::new(Cell::new(false));
        let left = Rc::new(Cell::new(TRIES * (root.descendants().count() + 1)));
        let set = RewritePatternSet::new(context);
        for (index, (name, rewrite)) in self.0.iter().enumerate() {
            let (rewrite, failed, left) = (rewrite.clone(), failed.clone(), left.clone());
            let benefit = u32::try_from(self.0.len() - index).unwrap_or(u32::MAX);
            set.add(raw::pattern(context, name, benefit, move |operation| {
                if failed.get() {
                    return None;
                }
                let values = match left.get().checked_sub(1) {
                    Some(rest) => {
                        left.set(rest);
                        rewritten(&*rewrite, operation)
                    }
                    None => Err("the patterns go on for ever".into()),
                };
                match values {
                    Ok(values) => values,
                    Err(error) => {
                        failed.set(true);
                        raw::emit_error(operation.location(), &error.to_string());
                        None
                    }
                }
            }));
        }
        let config = GreedyRewriteDriverConfig::new();
        config.set_max_iterations(-1);
        config.set_max_num_rewrites(-1);
        let outcome = apply_patterns_and_fold_greedily_with_op(root, set.freeze(), &config);
        outcome.is_ok() && !failed.get()
    }
}

/// The values for an operation, as many as it has results, and of its own module.
fn rewritten<'c, 'e>(
    rewrite: &Rewrite,
    operation: OperationRef<'c, 'e>,
) -> Result<Option<Vec<Value<'c, 'e>>>, Box<dyn StdError>> {
    // A panic must not reach MLIR.
    let run = AssertUnwindSafe(|| rewrite(operation, &Builder::before(operation)));
    let values = catch_unwind(run).unwrap_or_else(|_| Err("the pattern panicked".into()))?;
    if let Some(values) = &values {
        if values.len() != operation.result_count() {
            return Err(tree::error(operation, "it has another number of results").into());
        }
        Root::of_operation(operation).expect_values(operation, values)?;
        let own = operation
            .results()
            .any(|result| values.contains(&result.into()));
        if own {
            return Err(tree::error(operation, "it would be replaced by itself").into());
        }
    }
    Ok(values)
}

impl fmt::Debug for Patterns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(name, _)| name);
        formatter.debug_list().entries(names).finish()
    }
}
