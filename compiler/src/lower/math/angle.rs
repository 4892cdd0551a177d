//! Sine and cosine. The angle is reduced by multiples of π/2 in integers with as many digits of 2/π as the
//! exponent asks for (the method of Payne and Hanek), so that no angle is too large.

use super::{
    formula::Unary,
    number::Number,
    rounding::{floor, round},
};
use iree_abi::DType;
use iree_dsl_ir::op::UnaryOp;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[
    Unary::real(UnaryOp::Sin, sin),
    Unary::real(UnaryOp::Cos, cos),
];

/// The binary digits of 2/π after the point.
const DIGITS: [u32; 38] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
    0xdebb_c561,
    0xb724_6e3a,
    0x424d_d2e0,
    0x0649_2eea,
    0x09d1_921c,
    0xfe1d_eb1c,
    0xb129_a73e,
    0xe882_35f5,
    0x2ebb_4484,
    0xe99c_7026,
    0xb45f_7e41,
    0x3991_d639,
    0x8353_39f4,
    0x9c84_5f8b,
    0xbdf9_283b,
    0x1ff8_97ff,
    0xde05_980f,
    0xef2f_118b,
    0x5a0a_6d1f,
    0x6d36_7ecf,
    0x27cb_09b7,
    0x4f46_3f66,
    0x9e5f_ea2d,
    0x7527_bac7,
    0xebe5_f17b,
    0x3d07_39f7,
    0x8a52_92ea,
    0x6bfb_5fb1,
    0x1f8d_5d08,
    0x5603_3046,
    0xfc7b_6bab,
];

pub(super) fn sin<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let angle = Angle::of(&x.abs());
    angle.sine().negate_where(&x.is_negative())
}

pub(super) fn cos<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    Angle::of(&x.abs()).cosine()
}

/// sin πx, which is 0 for integers.
pub(super) fn sin_pi<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    Angle::of_half_turns(x).sine()
}

/// cos πx.
pub(super) fn cos_pi<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    Angle::of_half_turns(x).cosine()
}

/// An angle as quarters of a turn and a rest of at most half a quarter.
struct Angle<'m, 'c, 'b> {
    /// The last two binary digits count.
    quarters: Number<'m, 'c, 'b>,
    rest: Number<'m, 'c, 'b>,
}

impl<'m, 'c, 'b> Angle<'m, 'c, 'b> {
    /// An angle that is not negative.
    fn of(x: &Number<'m, 'c, 'b>) -> Self {
        let turn = Turn::of(x);
        let small = x.is_less(FRAC_PI_4);
        let quarters = turn.quarters();
        let rest = turn.rest(&quarters, x);
        let rest = x.is_finite().choose(rest, &x.like(f64::NAN));
        Self {
            quarters: small.choose(0, &quarters),
            rest: small.choose(x, &rest),
        }
    }

    fn of_half_turns(x: &Number<'m, 'c, 'b>) -> Self {
        let quarters = round(&(x * 2.0));
        let rest = x - &quarters * 0.5;
        // What is left after whole turns fits an integer.
        let turns = floor(&(&quarters * 0.25));
        Self {
            quarters: (quarters - turns * 4.0).convert(DType::I32),
            rest: rest * PI,
        }
    }

    fn sine(&self) -> Number<'m, 'c, 'b> {
        let sine = &self.rest * taylor(&self.rest, 1);
        let size = self.is_odd().choose(taylor(&self.rest, 0), &sine);
        size.negate_where(&(&self.quarters & 2).differs(0))
    }

    fn cosine(&self) -> Number<'m, 'c, 'b> {
        let sine = &self.rest * taylor(&self.rest, 1);
        let size = self.is_odd().choose(sine, &taylor(&self.rest, 0));
        size.negate_where(&((&self.quarters + 1) & 2).differs(0))
    }

    fn is_odd(&self) -> Number<'m, 'c, 'b> {
        (&self.quarters & 1).differs(0)
    }
}

/// The Taylor series of cos x, or of sin x / x with `first` 1, for |x| ≤ π/4.
fn taylor<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>, first: u32) -> Number<'m, 'c, 'b> {
    let steps = match x.dtype() {
        DType::F64 => 9,
        _ => 5,
    };
    let square = x * x;
    let mut sum = x.like(1.0);
    for step in (1..=steps).rev() {
        let (a, b) = (2 * step + first, 2 * step + first - 1);
        sum = 1.0 + &square * (-1.0 / f64::from(a * b)) * sum;
    }
    sum
}

/// What an angle is beyond whole turns, in units of 2⁻⁶⁴ turns.
struct Turn<'m, 'c, 'b> {
    units: Number<'m, 'c, 'b>,
    /// What comes after, in units of 2⁻¹²⁸ turns: 53 digits of a number near a multiple of π/2 need it.
    below: Option<Number<'m, 'c, 'b>>,
}

impl<'m, 'c, 'b> Turn<'m, 'c, 'b> {
    /// For numbers from 1/2 on. With x = m·2ᵖ⁻ᵏ for an integer m of k digits, the digits of 2/π before
    /// p-k-1 only add whole turns.
    fn of(x: &Number<'m, 'c, 'b>) -> Self {
        let format = x.format();
        let bits = x.bits().convert(DType::I64);
        let one = 1_i64 << format.fraction();
        let significand = (&bits & (one - 1)) | one;
        let exponent = bits.shift_right(format.fraction());
        let place = (exponent - (format.bias - 1)).max(0);
        let wide = x.dtype() == DType::F64;
        let window = window(&place, format.precision, if wide { 6 } else { 3 });
        let mut words = product(&significand, &window, wide).into_iter().rev();
        let mut next = || {
            let upper = words.next()? << 32;
            Some(upper | words.next()?)
        };
        Self {
            units: next().unwrap_or(place),
            below: next(),
        }
    }

    /// The nearest number of quarters.
    fn quarters(&self) -> Number<'m, 'c, 'b> {
        (&self.units + (1_i64 << 61)).shift_right(62)
    }

    /// What is left beside the quarters, as an angle.
    fn rest(&self, quarters: &Number<'m, 'c, 'b>, like: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        let rest = &self.units - (quarters << 62);
        let mut turns = rest.convert(like.dtype());
        if let Some(below) = &self.below {
            let below = below.shift_right(1).convert(like.dtype());
            turns = turns + below * 2_f64.powi(-63);
        }
        turns * (FRAC_PI_2 * 2_f64.powi(-62))
    }
}

/// Words of 32 digits of 2/π from a place on, the least significant first.
fn window<'m, 'c, 'b>(
    place: &Number<'m, 'c, 'b>,
    precision: u32,
    words: usize,
) -> Vec<Number<'m, 'c, 'b>> {
    let step = place.shift_right(5);
    let mut pairs: Vec<_> = pairs(precision)
        .into_iter()
        .map(|pair| place.like(pair))
        .collect();
    for bit in (0..6).rev() {
        let distance = 1_usize << bit;
        let is_set = (&step & distance as i64).differs(0);
        let moved = |(index, near)| match pairs.get(index + distance) {
            Some(far) => is_set.choose(far, near),
            None => Number::clone(near),
        };
        let reachable = pairs.iter().take(words + distance - 1).enumerate();
        pairs = reachable.map(moved).collect();
    }
    let within = place & 31;
    let word = |pair: Number<'m, 'c, 'b>| (pair << &within).shift_right(32);
    pairs.into_iter().take(words).map(word).rev().collect()
}

/// The digits of 2/π behind as many zeros as there are places before them, 64 from each 32nd place on.
fn pairs(precision: u32) -> Vec<i64> {
    let zeros = precision as usize + 2;
    let digit = |place: usize| -> u64 {
        let Some(place) = place.checked_sub(zeros) else {
            return 0;
        };
        let word = DIGITS.get(place / 32).copied().unwrap_or_default();
        u64::from(word >> (31 - place % 32) & 1)
    };
    let last = match precision {
        f64::MANTISSA_DIGITS => 38,
        _ => 7,
    };
    let pair = |index: usize| (0..64).fold(0, |pair, place| pair << 1 | digit(32 * index + place));
    (0..last).map(|index| pair(index).cast_signed()).collect()
}

/// The words of a product but for the last, the least significant first; what is too large is lost.
fn product<'m, 'c, 'b>(
    factor: &Number<'m, 'c, 'b>,
    words: &[Number<'m, 'c, 'b>],
    wide: bool,
) -> Vec<Number<'m, 'c, 'b>> {
    let mask = i64::from(u32::MAX);
    let (lower, upper) = (factor & mask, factor.shift_right(32));
    let mut carry = factor.like(0);
    let mut columns = Vec::new();
    for (before, word) in words.iter().zip(words.iter().skip(1)) {
        let mut column = ((&lower * word) & mask) + (&lower * before).shift_right(32) + carry;
        if wide {
            column = column + &upper * before;
        }
        carry = column.shift_right(32);
        columns.push(column & mask);
    }
    columns
}
