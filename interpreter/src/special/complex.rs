//! Functions of complex numbers z = a + bi, written on real functions of the two parts so that nothing cancels.

use super::sigmoid as real_sigmoid;
use num_complex::{Complex, Complex64};

/// By the larger part of the divisor, so that no square overflows.
///
/// Source: R. L. Smith, Algorithm 116: Complex division, Communications of the ACM 5 (1962).
pub(crate) fn divide(x: Complex64, y: Complex64) -> Complex64 {
    if y.re.abs() >= y.im.abs() {
        let ratio = if y.im == 0.0 { 0.0 } else { y.im / y.re };
        let size = y.re + y.im * ratio;
        Complex::new((x.re + x.im * ratio) / size, (x.im - x.re * ratio) / size)
    } else {
        let ratio = y.re / y.im;
        let size = y.re * ratio + y.im;
        Complex::new((x.re * ratio + x.im) / size, (x.im * ratio - x.re) / size)
    }
}

/// eᵃ (cos b + i sin b). The power is taken in two halves, so that it overflows only if the result does.
pub(crate) fn exp(z: Complex64) -> Complex64 {
    let half = libm::exp(z.re / 2.0);
    let turn = |part: f64| half * part * half;
    // An infinite size times a sine of 0 is no number.
    let im = if z.im == 0.0 {
        z.im
    } else {
        turn(libm::sin(z.im))
    };
    let whole = libm::exp(z.re);
    match whole.is_finite() {
        true => Complex::new(whole * libm::cos(z.im), whole * libm::sin(z.im)),
        false => Complex::new(turn(libm::cos(z.im)), im),
    }
}

/// (eᵃ - 1) cos b - 2 sin² ½b + i eᵃ sin b.
pub(crate) fn exp_m1(z: Complex64) -> Complex64 {
    let sine = libm::sin(z.im / 2.0);
    let re = libm::expm1(z.re) * libm::cos(z.im) - 2.0 * sine * sine;
    Complex::new(re, exp(z).im)
}

/// ln |z| + i arg z.
pub(crate) fn ln(z: Complex64) -> Complex64 {
    let size = libm::hypot(z.re, z.im);
    let near = 0.5 < size && size < 2.0;
    let re = match near {
        true => half_ln_1p(squares(z.re, z.im, -1.0)),
        false => libm::log(size),
    };
    Complex::new(re, libm::atan2(z.im, z.re))
}

/// ln |1 + z| + i arg (1 + z), the former from |1 + z|² - 1 = a² + b² + 2a.
pub(crate) fn ln_1p(z: Complex64) -> Complex64 {
    let size = libm::hypot(z.re + 1.0, z.im);
    let near = 0.5 < size && size < 2.0;
    let re = match near {
        true => half_ln_1p(squares(z.re, z.im, 2.0 * z.re)),
        false => libm::log(size),
    };
    Complex::new(re, libm::atan2(z.im, z.re + 1.0))
}

fn half_ln_1p(x: f64) -> f64 {
    libm::log1p(x) / 2.0
}

/// a² + b² + c with the products' rounding errors added back, so that what cancels leaves the right rest.
fn squares(a: f64, b: f64, c: f64) -> f64 {
    let (a2, b2) = (a * a, b * b);
    let error = libm::fma(a, a, -a2) + libm::fma(b, b, -b2);
    let (large, small) = if a2 > b2 { (a2, b2) } else { (b2, a2) };
    let (first, lost) = add(large, c);
    let (sum, lost_too) = add(first, small);
    sum + (lost + lost_too + error)
}

/// The sum of two numbers, and what it lost.
///
/// Source: D. E. Knuth, The Art of Computer Programming, volume 2, section 4.2.2.
fn add(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// The root with a real part that is not negative: t + i b/2t with t = √((|z| + |a|) / 2), the parts exchanged if a is
/// negative. An eighth of the number is used, so that no sum overflows.
pub(crate) fn sqrt(z: Complex64) -> Complex64 {
    let (a, b) = (z.re.abs() / 8.0, z.im.abs() / 8.0);
    let large = 2.0 * (libm::hypot(a, b) + a).sqrt();
    let small = if large == 0.0 {
        0.0
    } else {
        z.im.abs() / 2.0 / large
    };
    match z.re < 0.0 {
        true => Complex::new(small, large.copysign(z.im)),
        false => Complex::new(large, small.copysign(z.im)),
    }
}

/// sin a cosh b + i cos a sinh b.
pub(crate) fn sin(z: Complex64) -> Complex64 {
    Complex::new(
        libm::sin(z.re) * libm::cosh(z.im),
        libm::cos(z.re) * libm::sinh(z.im),
    )
}

/// cos a cosh b - i sin a sinh b.
pub(crate) fn cos(z: Complex64) -> Complex64 {
    Complex::new(
        libm::cos(z.re) * libm::cosh(z.im),
        -libm::sin(z.re) * libm::sinh(z.im),
    )
}

/// (sinh a cosh a + i sin b cos b) / (sinh² a + cos² b); for large a, where this divides two infinities,
/// ±1 + 4i sin b cos b e⁻²|ᵃ|.
///
/// Source: W. Kahan, Branch cuts for complex elementary functions, in The state of the art in numerical analysis (1987).
pub(crate) fn tanh(z: Complex64) -> Complex64 {
    let (sine, cosine) = (libm::sin(z.im), libm::cos(z.im));
    if z.re.abs() > 20.0 {
        let im = 4.0 * sine * cosine * libm::exp(-2.0 * z.re.abs());
        return Complex::new(1.0_f64.copysign(z.re), im);
    }
    let (sinh, cosh) = (libm::sinh(z.re), libm::cosh(z.re));
    let size = sinh * sinh + cosine * cosine;
    Complex::new(sinh * cosh / size, sine * cosine / size)
}

/// 1 / (1 + e⁻ᶻ), as eᶻ / (1 + eᶻ) if a is negative.
pub(crate) fn sigmoid(z: Complex64) -> Complex64 {
    let one = Complex::new(1.0, 0.0);
    if z.im == 0.0 {
        return Complex::new(real_sigmoid(z.re), z.im);
    }
    match z.re < 0.0 {
        true => divide(exp(z), one + exp(z)),
        false => divide(one, one + exp(-z)),
    }
}
