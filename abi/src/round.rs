//! Rounding that leaves room for another: numbers on their way to a type with few digits are rounded to odd first.
//!
//! Of the two neighbours of a number in a type, that whose last bit is odd says that there was more. Rounded again, to a type
//! with at least two digits less, the result is as if the number had been rounded once: in the middle between two numbers of
//! that type is no odd one. See S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
//! rounding to odd", IEEE Transactions on Computers 57(4), 2008.

/// The number in `f32`, rounded to odd: rounding it again, to a type with at most 22 digits, is rounding once.
///
/// # Examples
///
/// ```
/// use iree_abi::to_odd_f32;
///
/// assert_eq!(to_odd_f32(1.5), 1.5);
/// let little = 2f64.powi(-40);
/// assert_eq!(to_odd_f32(1.0 + little), 1f32.next_up());
/// assert_eq!(to_odd_f32(-1.0 - little), -1f32.next_up());
/// ```
pub fn to_odd_f32(number: f64) -> f32 {
    let nearest = number as f32;
    let back = f64::from(nearest);
    if number.is_nan() || back == number || nearest.to_bits() % 2 == 1 {
        nearest
    } else if number > back {
        nearest.next_up()
    } else {
        nearest.next_down()
    }
}

/// The integer in `f64`, rounded to odd: rounding it again, to a type with at most 51 digits, is rounding once.
///
/// # Examples
///
/// ```
/// use iree_abi::to_odd_f64;
///
/// assert_eq!(to_odd_f64(3), 3.0);
/// let large = 1i128 << 60;
/// assert_eq!(to_odd_f64(large + 1), (large as f64).next_up());
/// assert_eq!(to_odd_f64(-large - 1), -(large as f64).next_up());
/// ```
pub fn to_odd_f64(integer: i128) -> f64 {
    let nearest = integer as f64;
    let more = integer - nearest as i128;
    if more == 0 || nearest.to_bits() % 2 == 1 {
        nearest
    } else if more > 0 {
        nearest.next_up()
    } else {
        nearest.next_down()
    }
}
