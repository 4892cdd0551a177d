//! The second derivative of the logarithm of the gamma function, for every real element type.

use half::{bf16, f16};
use iree_dsl::prelude::*;
use ndarray::Array1;

/// Numbers that every type holds, and what mpmath 1.3 computes with 40 digits.
const FACTS: [(f64, f64); 27] = [
    (0.000_976_562_5, 1_048_577.642_589_392_1),
    (0.25, 17.197_329_154_507_11),
    (0.5, 4.934_802_200_544_679),
    (0.75, 2.541_879_647_671_606_3),
    (1.0, 1.644_934_066_848_226_4),
    (1.25, 1.197_329_154_507_110_7),
    (1.5, 0.934_802_200_544_679_3),
    (2.0, 0.644_934_066_848_226_4),
    (3.0, 0.394_934_066_848_226_46),
    (4.5, 0.248_725_103_039_010_38),
    (6.25, 0.173_479_233_158_932_18),
    (7.5, 0.142_615_896_696_703_8),
    (8.0, 0.133_137_014_694_031_4),
    (9.75, 0.108_003_243_336_631_86),
    (10.0, 0.105_166_335_681_685_75),
    (11.0, 0.095_166_335_681_685_74),
    (15.75, 0.065_550_308_907_158_52),
    (20.5, 0.049_989_592_429_960_99),
    (1_000.0, 0.001_000_500_166_666_633_3),
    (4_096.0, 0.000_244_170_429_747_706_86),
    (-0.007_812_5, 16_385.663_916_382_175),
    (-0.5, 8.934_802_200_544_679),
    (-1.25, 19.181_879_647_671_607),
    (-2.75, 19.433_868_949_488_463),
    (-3.0625, 259.036_484_560_667_53),
    (-10.5, 9.778_757_739_814_813),
    (-100.5, 9.859_703_491_870_086),
];

/// Poles, the ends, and what is no number.
const SPECIAL: [(f64, f64); 6] = [
    (0.0, f64::INFINITY),
    (-1.0, f64::INFINITY),
    (-16.0, f64::INFINITY),
    (f64::INFINITY, 0.0),
    (f64::NEG_INFINITY, f64::NAN),
    (f64::NAN, f64::NAN),
];

#[program]
mod gamma {
    pub struct Gamma;

    impl Gamma {
        pub fn f16(&self, x: Tensor<f16, 33>) -> Tensor<f16, 33> {
            x.trigamma()
        }
        pub fn bf16(&self, x: Tensor<bf16, 33>) -> Tensor<bf16, 33> {
            x.trigamma()
        }
        pub fn f32(&self, x: Tensor<f32, 33>) -> Tensor<f32, 33> {
            x.trigamma()
        }
        pub fn f64(&self, x: Tensor<f64, 33>) -> Tensor<f64, 33> {
            x.trigamma()
        }
        pub fn f16_of_any<const N: usize>(&self, x: Tensor<f16, N>) -> Tensor<f16, N> {
            x.trigamma()
        }
        pub fn bf16_of_any<const N: usize>(&self, x: Tensor<bf16, N>) -> Tensor<bf16, N> {
            x.trigamma()
        }
        pub fn f32_of_any<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            x.trigamma()
        }
        pub fn f64_of_any<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            x.trigamma()
        }
    }
}

/// A result may be so many units in the last place from the right one.
struct Precision {
    epsilon: f64,
    units: f64,
}

impl Precision {
    fn check(&self, x: f64, found: f64, right: f64) {
        let is_close = (found - right).abs() <= right.abs() * self.epsilon * self.units;
        let is_equal = found == right || found.is_nan() && right.is_nan();
        assert!(
            is_close || is_equal,
            "trigamma of {x} is {right}, found {found}"
        );
    }
}

#[test]
fn the_second_derivative_of_ln_gamma() {
    let facts: Vec<_> = FACTS.iter().chain(&SPECIAL).copied().collect();
    for name in ["local-sync", "local-task"] {
        let device = Device::open(name).unwrap();
        let gamma = gamma::Gamma::load(&device).unwrap();
        macro_rules! check {
            ($ty:ident $any:ident, $narrow:expr, $units:literal) => {
                let narrow: fn(f64) -> $ty = $narrow;
                let precision = Precision {
                    epsilon: f64::from($ty::EPSILON),
                    units: $units,
                };
                let x: Array1<$ty> = facts.iter().map(|(x, _)| narrow(*x)).collect();
                let found = [gamma.$ty(&x).unwrap(), gamma.$any(&x).unwrap()];
                for found in found.map(|found| found.to_array().unwrap()) {
                    for ((x, right), found) in facts.iter().zip(&found) {
                        precision.check(*x, f64::from(*found), f64::from(narrow(*right)));
                    }
                }
            };
        }
        check!(f16 f16_of_any, f16::from_f64, 1.0);
        check!(bf16 bf16_of_any, bf16::from_f64, 1.0);
        check!(f32 f32_of_any, |x| x as f32, 4.0);
        check!(f64 f64_of_any, |x| x, 4.0);
    }
}
