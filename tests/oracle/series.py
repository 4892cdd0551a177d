"""Prints the Chebyshev coefficients that `compiler/src/lower/math` has."""

import mpmath

mpmath.mp.dps = 60


def chebyshev(function, low, high, nodes=64):
    """The coefficients for a function between two bounds, as far as `f64` can tell."""
    low, high = mpmath.mpf(low), mpmath.mpf(high)
    places = [mpmath.cos(mpmath.pi * (k + mpmath.mpf(0.5)) / nodes) for k in range(nodes)]
    values = [function((high - low) / 2 * t + (high + low) / 2) for t in places]

    def coefficient(j):
        terms = (v * mpmath.cos(mpmath.pi * j * (k + mpmath.mpf(0.5)) / nodes) for k, v in enumerate(values))
        return mpmath.fsum(terms) * (1 if j == 0 else 2) / nodes

    coefficients = [coefficient(j) for j in range(nodes)]
    negligible = abs(coefficients[0]) * mpmath.mpf("1e-18")
    last = max(j for j, c in enumerate(coefficients) if abs(c) > negligible)
    return coefficients[: last + 1]


def per_root(function):
    """f(√u) / √u."""
    return lambda u: function(mpmath.sqrt(u)) / mpmath.sqrt(u)


def scaled_erfc(t):
    """exp x² · erfc x · (1 + 2x) for t = (x - 3.75) / (x + 3.75)."""
    x = mpmath.mpf("3.75") * (1 + t) / (1 - t)
    if x < 50:
        return mpmath.exp(x * x) * mpmath.erfc(x) * (1 + 2 * x)
    terms = ((-1) ** k * mpmath.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(20))
    return mpmath.fsum(terms) / (x * mpmath.sqrt(mpmath.pi)) * (1 + 2 * x)


def inverse_erf_ratio(w):
    """The inverse of erf at x, divided by x, for w = -ln (1 - x²), by Halley's method."""
    x = mpmath.sqrt(-mpmath.expm1(-w))
    complement = mpmath.exp(-w) / (1 + x)
    y = mpmath.sqrt(w) * (1 if w > 1 else mpmath.mpf("0.88"))
    for _ in range(60):
        step = (mpmath.erfc(y) - complement) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(y * y)
        y += step / (1 - y * step)
    return y / x


def main():
    root = mpmath.findroot(mpmath.digamma, 1.46163214496836)
    tables = {
        "ATAN": chebyshev(per_root(mpmath.atan), 0, mpmath.tan(mpmath.pi / 8) ** 2),
        "ERF": chebyshev(per_root(mpmath.erf), 0, 1),
        "ERFC": chebyshev(scaled_erfc, -1, 1),
        "CENTRAL": chebyshev(inverse_erf_ratio, 0, 6.25),
        "MIDDLE": chebyshev(lambda s: inverse_erf_ratio(s * s), 2.5, 4.125),
        "FAR": chebyshev(lambda s: inverse_erf_ratio(s * s), 4.125, 6.25),
        "LN_GAMMA": chebyshev(lambda x: mpmath.loggamma(x) / ((x - 1) * (x - 2)), 1, 2),
        "DIGAMMA": chebyshev(lambda x: mpmath.digamma(x) / (x - root), 1, 2),
    }
    for name, coefficients in tables.items():
        print(f"const {name}: &[f64] = &[{', '.join(repr(float(c)) for c in coefficients)}];")


if __name__ == "__main__":
    main()
