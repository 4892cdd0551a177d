//! Which products of matrices, convolutions and element types a module has, since some are worth an artifact, flags or an MLIR of
//! their own.

use crate::machine::Machine;
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Function, Operation, ValueId,
    op::{DotGeneral, Op},
    verify::Verified,
};

/// Whether a module has products of matrices of `bf16`.
pub fn multiplies_bf16(module: &Verified) -> bool {
    let is_bf16 = |factor: &TensorType| factor.dtype == DType::BF16;
    products(module).any(|product| product.factors.into_iter().all(is_bf16))
}

/// What a module makes use of, of what a machine has. For machines that are then equal, it is lowered once.
pub(super) fn used(machine: Machine, module: &Verified) -> Machine {
    Machine {
        multiplies_bf16: machine.multiplies_bf16 && multiplies_bf16(module),
        has_few_registers: machine.has_few_registers && convolves(module),
        is_gpu: machine.is_gpu,
        is_in_c: machine.is_in_c,
    }
}

fn convolves(module: &Verified) -> bool {
    operations(module).any(|(_, operation)| matches!(operation.op, Op::Convolution(_)))
}

fn operations(module: &Verified) -> impl Iterator<Item = (&Function, &Operation)> {
    let functions = module.module().functions.iter();
    functions.flat_map(|(_, function)| {
        let operations = function.operations.iter();
        operations.map(move |(_, operation)| (function, operation))
    })
}

/// What IREE makes tiles of that workers compute of a product, if it is not told otherwise.
const USUAL: usize = 256 << 10;

/// What fits into the cache of a core beside what else is in it.
const MOST: usize = 1_000_000;

/// For products of which each factor is larger than the cache of a core: one of 2048×2048 takes an eighth less than with
/// [`MOST`]. Smaller ones would be too few tiles for the threads there are.
const OF_LARGE: usize = 2_000_000;

/// From how many bytes on a factor is large.
const LARGE: usize = 8 << 20;

/// How many rows and columns a tile needs so that the processor multiplies more than it reads. With
/// [`USUAL`], a product that sums 1536 numbers of `f32` has tiles of 16, and takes a quarter longer.
const SIDE: usize = 64;

/// How many bytes of the factors and the result of a product a worker should have at a time, if that is more than usual.
pub(super) fn tile_bytes(module: &Verified) -> Option<usize> {
    let wanted = products(module).map(|product| product.tile_bytes());
    wanted.max().filter(|bytes| *bytes > USUAL)
}

/// Whether a module has numbers of `f64`, or complex ones of two.
pub(super) fn has_f64(module: &Verified) -> bool {
    let module = module.module();
    let mut values = module
        .functions
        .iter()
        .flat_map(|(_, function)| function.values.iter());
    let mut globals = module.globals.iter();
    values.any(|(_, value)| value.ty.dtype.real() == DType::F64)
        || globals.any(|(_, global)| global.ty.dtype.real() == DType::F64)
}

/// A product of matrices.
struct Product<'a> {
    op: &'a DotGeneral,
    factors: [&'a TensorType; 2],
}

fn products(module: &Verified) -> impl Iterator<Item = Product<'_>> {
    operations(module).filter_map(|(function, operation)| {
        let Op::DotGeneral(op) = &operation.op else {
            return None;
        };
        Product::of(function, op, &operation.operands)
    })
}

impl<'a> Product<'a> {
    fn of(function: &'a Function, op: &'a DotGeneral, operands: &[ValueId]) -> Option<Self> {
        let [lhs, rhs] = operands else { return None };
        let factors = [function.ty(*lhs)?, function.ty(*rhs)?];
        Some(Self { op, factors })
    }

    fn tile_bytes(&self) -> usize {
        if self.factors.into_iter().all(is_large) {
            return OF_LARGE;
        }
        let DotGeneral {
            batch, contract, ..
        } = self.op;
        let [lhs, rhs] = self.factors;
        let rows = count(lhs, |axis| {
            !batch.0.contains(&axis) && !contract.0.contains(&axis)
        });
        let columns = count(rhs, |axis| {
            !batch.1.contains(&axis) && !contract.1.contains(&axis)
        });
        if rows.min(columns) < SIDE {
            return USUAL;
        }
        let summed = count(lhs, |axis| contract.0.contains(&axis));
        let size = match lhs.dtype.real() {
            // Most processors multiply them as `f32`.
            DType::F16 | DType::BF16 => DType::F32.size(),
            other => other.size(),
        };
        let panels = summed.saturating_mul(2 * SIDE * size);
        panels.saturating_add(SIDE * SIDE * size).min(MOST)
    }
}

/// How many elements there are along some axes.
fn count(factor: &TensorType, is_counted: impl Fn(usize) -> bool) -> usize {
    let dims = factor.shape.dims().iter().enumerate();
    let sizes = dims.filter(|(axis, _)| is_counted(*axis));
    let sizes = sizes.map(|(_, dim)| dim.known().unwrap_or(TYPICAL));
    sizes.fold(1, usize::saturating_mul)
}

/// What IREE takes sizes for that are known at the call only.
const TYPICAL: usize = 1024;

fn is_large(factor: &TensorType) -> bool {
    let sizes = factor.shape.known();
    let count = sizes.and_then(|sizes| sizes.into_iter().try_fold(1, usize::checked_mul));
    count.is_some_and(|count| count.saturating_mul(factor.dtype.size()) >= LARGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_dsl_ir::{text, verify::verify};

    fn of(lhs: &str, rhs: &str, product: &str, op: &str) -> Option<usize> {
        let module = format!(
            "module @m {{
  func public @run(%0 x: Tensor<{lhs}>, %1 y: Tensor<{rhs}>) -> Tensor<{product}> {{
    %2 = dot_general %0, %1 {op} : Tensor<{product}>
    return %2
  }}
}}"
        );
        let module = text::parse(&module).expect("it is a module");
        tile_bytes(&verify(module).expect("it is sound"))
    }

    fn of_matrices(dtype: &str, [rows, summed, columns]: [&str; 3]) -> Option<usize> {
        of(
            &format!("{dtype}, {rows}, {summed}"),
            &format!("{dtype}, {summed}, {columns}"),
            &format!("{dtype}, {rows}, {columns}"),
            "batch [] x [] contract [1] x [0]",
        )
    }

    #[test]
    fn a_tile_holds_64_rows_and_columns() {
        assert_eq!(of_matrices("f32", ["512", "384", "512"]), None);
        let long = Some(2 * 64 * 1536 * 4 + 64 * 64 * 4);
        assert_eq!(of_matrices("f32", ["N", "1536", "512"]), long);
        assert_eq!(of_matrices("bf16", ["512", "1536", "N"]), long);
        assert_eq!(of_matrices("f64", ["512", "1536", "512"]), Some(MOST));
        let unknown = Some(2 * 64 * 1024 * 4 + 64 * 64 * 4);
        assert_eq!(of_matrices("f32", ["512", "N", "512"]), unknown);
    }

    #[test]
    fn a_product_of_few_rows_or_columns_has_tiles_as_usual() {
        assert_eq!(of_matrices("f32", ["16", "1536", "512"]), None);
        assert_eq!(of_matrices("f32", ["512", "1536", "32"]), None);
    }

    #[test]
    fn large_factors_have_larger_tiles() {
        let large = of_matrices("f32", ["2048", "2048", "2048"]);
        assert_eq!(large, Some(OF_LARGE));
    }

    #[test]
    fn a_batch_is_neither_rows_nor_columns() {
        let op = "batch [0] x [0] contract [2] x [1]";
        let product = |rows: &str| {
            let lhs = format!("f32, 100, {rows}, 1536");
            of(
                &lhs,
                "f32, 100, 1536, 64",
                &format!("f32, 100, {rows}, 64"),
                op,
            )
        };
        assert_eq!(product("8"), None);
        assert_eq!(product("64"), product("128"));
        assert!(product("64").is_some());
    }
}
