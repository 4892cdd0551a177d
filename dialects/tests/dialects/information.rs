//! The tables that describe operations.

use std::collections::BTreeSet;

use iree_dialects::{
    Arity, OperationInfo, Segments, TypeInference, arith, complex, flow, func, iree_linalg_ext,
    linalg, math, stablehlo, tensor, util,
};

fn tables() -> [(&'static str, &'static [OperationInfo]); 10] {
    [
        ("arith", arith::OPERATIONS),
        ("complex", complex::OPERATIONS),
        ("func", func::OPERATIONS),
        ("iree_linalg_ext", iree_linalg_ext::OPERATIONS),
        ("linalg", linalg::OPERATIONS),
        ("math", math::OPERATIONS),
        ("stablehlo", stablehlo::OPERATIONS),
        ("tensor", tensor::OPERATIONS),
        ("util", util::OPERATIONS),
        ("flow", flow::OPERATIONS),
    ]
}

#[test]
fn each_operation_is_in_the_table_of_its_dialect_once() {
    for (dialect, operations) in tables() {
        let names = operations
            .iter()
            .map(|operation| operation.name)
            .collect::<BTreeSet<_>>();

        assert_eq!(names.len(), operations.len());
        assert!(
            names
                .iter()
                .all(|name| name.starts_with(&format!("{dialect}.")))
        );
        assert!(operations.is_sorted_by_key(|operation| operation.name));
    }
}

#[test]
fn each_operation_has_a_summary() {
    // MLIR says nothing of some of its own.
    let tables = tables();
    let tables = tables.iter().filter(|(dialect, _)| *dialect != "linalg");
    for operation in tables.flat_map(|(_, operations)| *operations) {
        assert!(
            !operation.summary.is_empty(),
            "`{}` has no summary",
            operation.name
        );
    }
}

#[test]
fn a_view_points_to_its_entry() {
    let info = stablehlo::ReduceOperation::INFO;

    assert_eq!(info.name, stablehlo::ReduceOperation::NAME);
    assert_eq!(info.operand_segments, Segments::Equal);
    assert_eq!(info.operands[1].name, "init_values");
    assert_eq!(info.operands[1].arity, Arity::Variadic);
    assert_eq!(info.results[0].inference, TypeInference::Explicit);
    assert!(info.attributes[0].required);
    assert_eq!(info.regions[0].name, "body");
}
