//! How long large modules take; ignored unless asked for.

use std::time::Instant;

use iree_dialects::{arith, func, prelude::*, verify};

use crate::scene::Outcome;

const OPERATIONS: usize = 100_000;

/// Prints the times: `cargo test --release -p iree-dialects --test dialects speed -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn a_hundred_thousand_operations() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let i32: Type<'_> = IntegerType::new(&context, 32).into();
    for round in 0..3 {
        let module = iree_dialects::module(location);
        let start = Instant::now();
        func::define(
            &Builder::at_end(module.body(), location),
            "sums",
            [i32],
            |builder, [x]| {
                let mut sum = x;
                for _ in 0..OPERATIONS {
                    sum = builder
                        .insert::<arith::AddiOperation>(|add| add.lhs(sum).rhs(x))?
                        .result()?;
                }
                Ok([sum])
            },
        )?;
        let built = start.elapsed();

        let other = iree_dialects::module(location);
        let start = Instant::now();
        let block = Block::new(&[(i32, location)]);
        let x: Value<'_, '_> = block.argument(0)?.into();
        let mut sum = x;
        for _ in 0..OPERATIONS {
            let operation =
                iree_dialects::melior::ir::operation::OperationBuilder::new("arith.addi", location)
                    .add_operands(&[sum, x])
                    .add_results(&[i32])
                    .build()?;
            sum = block.append_operation(operation).result(0)?.into();
        }
        let raw = start.elapsed();
        drop(other);

        let start = Instant::now();
        verify(&module)?;
        let verified = start.elapsed();
        let start = Instant::now();
        let count = module.as_operation().descendants().count();
        let walked = start.elapsed();
        println!(
            "{round}: built {built:?}, by melior alone {raw:?}, verified {verified:?}, {count} walked {walked:?}"
        );
    }
    Ok(())
}
