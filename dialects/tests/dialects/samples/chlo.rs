use iree_dialects::{
    chlo::{
        self as dialect, ComparisonDirection, ComparisonType, Precision, RaggedDotDimensionNumbers,
    },
    prelude::*,
};

use super::{Sample, samples};

pub(crate) fn samples() -> Vec<Sample> {
    [unary(), binary(), broadcasting(), others()]
        .into_iter()
        .flatten()
        .collect()
}

fn unary() -> Vec<Sample> {
    macro_rules! unary {
        ($($operation:ident: $tensor:literal;)*) => {
            samples! { $($operation: |s, builder| builder.operand(s.value($tensor));)* }
        };
    }
    let mut all = unary! {
        AcosOperation: "4xf32";
        AcoshOperation: "4xf32";
        AsinOperation: "4xcomplex<f32>";
        AsinAcosKernelOperation: "4xcomplex<f32>";
        AsinhOperation: "4xf64";
        AtanOperation: "?xf32";
        AtanhOperation: "4xf16";
        BesselI1eOperation: "4xf32";
        ConjOperation: "4xcomplex<f64>";
        CoshOperation: "4xf32";
        DigammaOperation: "4xf32";
        ErfOperation: "4xbf16";
        ErfInvOperation: "4xf32";
        ErfcOperation: "4xf32";
        LgammaOperation: "4xf32";
        SinhOperation: "4xf32";
        SquareOperation: "4xf32";
        TanOperation: "4xf32";
    };
    all.extend(samples! {
        IsInfOperation: |s, builder| builder.operand(s.value("4xf32")).result(s.tensor("4xi1"));
        IsNegInfOperation: |s, builder| builder.operand(s.value("4xf32")).result(s.tensor("4xi1"));
        IsPosInfOperation: |s, builder| builder.operand(s.value("4xf32")).result(s.tensor("4xi1"));
    });
    all
}

fn binary() -> Vec<Sample> {
    samples! {
        MulhiOperation: |s, builder| builder.lhs(s.value("4xi32")).rhs(s.value("4xi32"));
        NextAfterOperation: |s, builder| builder.x(s.value("4xf32")).y(s.value("4xf32"));
        PolygammaOperation: |s, builder| builder.n(s.value("4xf32")).x(s.value("4xf32"));
        ZetaOperation: |s, builder| builder.x(s.value("4xf32")).q(s.value("4xf32"));
    }
}

fn broadcasting() -> Vec<Sample> {
    macro_rules! broadcasting {
        ($($operation:ident: $element:literal;)*) => {
            samples! { $($operation: |s, builder| builder
                .lhs(s.value(concat!("3x", $element)))
                .rhs(s.value(concat!("4x3x", $element)))
                .broadcast_dimensions(s.list(&[1]))
                .result(s.tensor(concat!("4x3x", $element)));)* }
        };
    }
    let mut all = broadcasting! {
        BroadcastAddOperation: "f32";
        BroadcastAndOperation: "i1";
        BroadcastAtan2Operation: "f32";
        BroadcastDivideOperation: "ui8";
        BroadcastMaximumOperation: "f32";
        BroadcastMinimumOperation: "i64";
        BroadcastMultiplyOperation: "complex<f32>";
        BroadcastNextAfterOperation: "f32";
        BroadcastOrOperation: "i8";
        BroadcastPolygammaOperation: "f32";
        BroadcastPowerOperation: "f32";
        BroadcastRemainderOperation: "i32";
        BroadcastShiftLeftOperation: "i32";
        BroadcastShiftRightArithmeticOperation: "i32";
        BroadcastShiftRightLogicalOperation: "i32";
        BroadcastSubtractOperation: "f64";
        BroadcastXorOperation: "i1";
        BroadcastZetaOperation: "f32";
    };
    all.extend(samples! {
        BroadcastComplexOperation: |s, builder| builder
            .lhs(s.value("3xf32"))
            .rhs(s.value("4x3xf32"))
            .result(s.tensor("4x3xcomplex<f32>"));
        BroadcastCompareOperation: |s, builder| builder
            .lhs(s.value("4x1xf32"))
            .rhs(s.value("4x3xf32"))
            .comparison_direction(ComparisonDirection::Less)
            .compare_type(ComparisonType::TotalOrder)
            .result(s.tensor("4x3xi1"));
        BroadcastSelectOperation: |s, builder| builder
            .pred(s.value("i1"))
            .on_true(s.value("4x3xf32"))
            .on_false(s.value("3xf32"))
            .result(s.tensor("4x3xf32"));
    });
    all
}

fn others() -> Vec<Sample> {
    samples! {
        ConstantOperation: |s, builder| builder
            .value(attributes::dense_elements(s.tensor("2xi32"), &[1, 0, 0, 0, 2, 0, 0, 0])?)
            .output(s.tensor("2xi32"));
        ConstantLikeOperation: |s, builder| builder
            .value(s.attribute("1.0 : f32"))
            .operand(s.value("?x3xf32"))
            .result(s.tensor("?x3xf32"));
        RaggedDotOperation: |s, builder| builder
            .lhs(s.value("11x5xf32"))
            .rhs(s.value("3x5x7xf32"))
            .group_sizes(s.value("3xi64"))
            .ragged_dot_dimension_numbers(RaggedDotDimensionNumbers {
                lhs_contracting_dimensions: vec![1],
                rhs_contracting_dimensions: vec![1],
                lhs_ragged_dimensions: vec![0],
                rhs_group_dimensions: vec![0],
                ..RaggedDotDimensionNumbers::default()
            })
            .precision_config(&[Precision::Default, Precision::Highest])
            .result(s.tensor("11x7xf32"));
        ScanOperation: |s, builder| builder
            .inputs(&[s.value("2x3xf32")])
            .inits(&[s.value("2xf32")])
            .dimension(s.i64(1))
            .is_reverse(s.bool(true))
            .body(s.region(&["2xf32", "2xf32"], |block| {
                Ok(vec![block.argument(1)?.into(), block.argument(0)?.into()])
            })?)
            .outputs(&[s.tensor("2x3xf32")])
            .carries(&[s.tensor("2xf32")]);
        TopKOperation: |s, builder| builder
            .operand(s.value("4x9xf32"))
            .k(s.i64(3))
            .values(s.tensor("4x3xf32"))
            .indices(s.tensor("4x3xi32"));
    }
}
