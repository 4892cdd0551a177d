use super::{
    number::Number,
    series::{centered, chebyshev},
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// What π/2 has below the precision of `f64`, and of `f32`.
const FRAC_PI_2_BELOW: [f64; 2] = [6.123_233_995_736_766e-17, -4.371_139_000_186_241e-8];

/// atan √u / √u for u from 0 to tan² π/8.
const ATAN: &[f64] = &[
    0.973_410_230_344_744_2,
    -0.025_952_720_482_648_35,
    0.000_618_952_974_923_690_3,
    -1.753_749_333_545_473e-5,
    5.405_768_595_016_133e-7,
    -1.751_958_884_581_583_2e-8,
    5.870_281_888_102_748e-10,
    -2.014_243_197_913_43e-11,
    7.035_532_200_059_104e-13,
    -2.491_686_527_572_419e-14,
    8.922_736_554_855_606e-16,
    -3.224_307_727_535_369e-17,
    1.173_959_317_857_445_8e-18,
];

/// tan π/8.
const TAN_FRAC_PI_8: f64 = 0.414_213_562_373_095_05;

/// The angle of the point (x, y), from -π to π. The ratio of the shorter to the longer side is kept below
/// tan π/8 by atan t = π/4 + atan ((t - 1) / (t + 1)).
pub(super) fn atan2<'m, 'c, 'b>(
    y: &Number<'m, 'c, 'b>,
    x: &Number<'m, 'c, 'b>,
) -> Number<'m, 'c, 'b> {
    let (width, height) = (x.abs(), y.abs());
    let (longer, shorter) = in_range(&width.max(&height), &width.min(&height));
    let flat = shorter.is_less(&longer * TAN_FRAC_PI_8) | longer.equals(0.0);
    let numerator = flat.choose(&shorter, &(&shorter - &longer));
    let denominator = flat.choose(&longer, &(&shorter + &longer));
    // 0 / 0 and ∞ / ∞ stand for a ratio of 0.
    let none = shorter.equals(&longer) | shorter.equals(0.0);
    let is_number = numerator.equals(&numerator) | longer.equals(&longer);
    let ratio = (none & is_number).choose(0.0, &(numerator / denominator));
    let angle = atan(&ratio) + flat.choose(0.0, &x.like(FRAC_PI_4));
    let below = x.like(match x.dtype() {
        iree_abi::DType::F64 => FRAC_PI_2_BELOW[0],
        _ => FRAC_PI_2_BELOW[1],
    });
    let angle = height
        .is_greater(&width)
        .choose(FRAC_PI_2 - (&angle - &below), &angle);
    let angle = x.is_negative().choose(PI - (&angle - &below * 2.0), &angle);
    angle.negate_where(&y.is_negative())
}

/// Two lengths in the same proportion whose sum is finite, unless one is infinite, and which are not so
/// small that they count as zero.
fn in_range<'m, 'c, 'b>(
    longer: &Number<'m, 'c, 'b>,
    shorter: &Number<'m, 'c, 'b>,
) -> (Number<'m, 'c, 'b>, Number<'m, 'c, 'b>) {
    let large = longer.is_greater(2_f64.powi(100));
    let small = longer.is_less(2_f64.powi(-100));
    let scale = small.choose(2_f64.powi(24), &longer.like(1.0));
    let scale = large.choose(0.25, &scale);
    (longer * &scale, shorter * scale)
}

/// The arc tangent of a number between -tan π/8 and tan π/8.
fn atan<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let square = centered(&(x * x), 0.0, TAN_FRAC_PI_8 * TAN_FRAC_PI_8);
    x * chebyshev(&square, ATAN)
}
