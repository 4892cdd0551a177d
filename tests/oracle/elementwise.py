"""Elementwise operations: each with many inputs, for each element type that it takes.

For floating-point and complex types the inputs are `TYPE/x` for operations of one operand and `TYPE/a` with `TYPE/b`
for those of two; integers have `TYPE/a` and `TYPE/b` alone. A result is `TYPE/OPERATION`.
"""

import jax
import jax.numpy as jnp
import ml_dtypes
import mpmath
import numpy as np
import scipy.special

import common

jax.config.update("jax_enable_x64", True)
mpmath.mp.dps = 40

SINGLES, PAIRS = 160, 256
WIDE = np.longdouble
SQRT_HALF = np.sqrt(WIDE(0.5))


def exactly(function, elsewhere):
    """A function of mpmath, and one of SciPy at its poles, far away, and for what is not finite."""

    def at(x):
        try:
            if np.abs(x) < 1e6:
                upper = float(x)
                exact = mpmath.mpf(upper) + mpmath.mpf(float(x - WIDE(upper)))
                return WIDE(mpmath.nstr(function(exact), 25))
        except (ValueError, ZeroDivisionError, TypeError):
            pass
        return WIDE(elsewhere(float(x)))

    return np.vectorize(at, otypes=[WIDE])


def away_from_zero(x):
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu_tanh(x):
    return x * sigmoid(2 * np.sqrt(WIDE(2) / np.pi) * (x + WIDE("0.044715") * x**3))


def rem_euclid(a, b):
    rest = np.fmod(a, b)
    return np.where(rest < 0, rest + np.abs(b), rest)


def ln_gamma_beyond(x):
    """As in C: infinite at both ends."""
    return np.inf if x == -np.inf else scipy.special.gammaln(x)


lgamma = exactly(lambda x: mpmath.log(abs(mpmath.gamma(x))), ln_gamma_beyond)
erfc = exactly(mpmath.erfc, scipy.special.erfc)

# The name in the language, the function on wide numbers, and the same in JAX.
UNARY = {
    "neg": (np.negative, jnp.negative),
    "abs": (np.abs, jnp.abs),
    "signum": (lambda x: np.where(np.isnan(x), x, np.copysign(1, x)), None),
    "floor": (np.floor, jnp.floor),
    "ceil": (np.ceil, jnp.ceil),
    "round": (away_from_zero, lambda x: jax.lax.round(x, jax.lax.RoundingMethod.AWAY_FROM_ZERO)),
    "round_ties_even": (np.rint, jnp.round),
    "trunc": (np.trunc, jnp.trunc),
    "fract": (lambda x: x - np.trunc(x), None),
    "recip": (lambda x: 1 / x, jnp.reciprocal),
    "sqrt": (np.sqrt, jnp.sqrt),
    "rsqrt": (lambda x: 1 / np.sqrt(x), jax.lax.rsqrt),
    "cbrt": (np.cbrt, jnp.cbrt),
    "exp": (np.exp, jnp.exp),
    "exp2": (np.exp2, jnp.exp2),
    "exp_m1": (np.expm1, jnp.expm1),
    "ln": (np.log, jnp.log),
    "ln_1p": (np.log1p, jnp.log1p),
    "log2": (np.log2, jnp.log2),
    "log10": (np.log10, jnp.log10),
    "sin": (np.sin, jnp.sin),
    "cos": (np.cos, jnp.cos),
    "tan": (np.tan, jnp.tan),
    "asin": (np.arcsin, jnp.arcsin),
    "acos": (np.arccos, jnp.arccos),
    "atan": (np.arctan, jnp.arctan),
    "sinh": (np.sinh, jnp.sinh),
    "cosh": (np.cosh, jnp.cosh),
    "tanh": (np.tanh, jnp.tanh),
    "asinh": (np.arcsinh, jnp.arcsinh),
    "acosh": (np.arccosh, jnp.arccosh),
    "atanh": (np.arctanh, jnp.arctanh),
    "erf": (exactly(mpmath.erf, scipy.special.erf), jax.scipy.special.erf),
    "erfc": (erfc, jax.scipy.special.erfc),
    "erf_inv": (exactly(mpmath.erfinv, scipy.special.erfinv), jax.scipy.special.erfinv),
    "lgamma": (lgamma, jax.lax.lgamma),
    "digamma": (exactly(mpmath.digamma, scipy.special.digamma), jax.lax.digamma),
    "sigmoid": (sigmoid, jax.nn.sigmoid),
    "relu": (lambda x: np.maximum(x, 0), jax.nn.relu),
    "gelu": (lambda x: x / 2 * erfc(-x * SQRT_HALF), lambda x: jax.nn.gelu(x, approximate=False)),
    "gelu_tanh": (gelu_tanh, jax.nn.gelu),
    "silu": (lambda x: x / (1 + np.exp(-x)), jax.nn.silu),
    "softplus": (lambda x: np.logaddexp(x, WIDE(0)), jax.nn.softplus),
    "is_finite": (np.isfinite, jnp.isfinite),
    "is_nan": (np.isnan, jnp.isnan),
    "is_infinite": (np.isinf, jnp.isinf),
    "cubed": (lambda x: x**3, lambda x: jax.lax.integer_pow(x, 3)),
    "per_square": (lambda x: 1 / (x * x), lambda x: jax.lax.integer_pow(x, -2)),
    # Operations of two operands next to all others of the first.
    "to_itself": (lambda x: np.power(x, x), lambda x: jnp.power(x, x)),
    "angle": (lambda x: np.arctan2(x, WIDE(2)), lambda x: jnp.arctan2(x, 2)),
    "rest": (lambda x: np.fmod(x, WIDE(0.75)), lambda x: jax.lax.rem(x, jnp.full_like(x, 0.75))),
    "hypotenuse": (lambda x: np.hypot(x, WIDE(2)), lambda x: jnp.hypot(x, 2)),
}

BINARY = {
    "add": (np.add, jnp.add),
    "sub": (np.subtract, jnp.subtract),
    "mul": (np.multiply, jnp.multiply),
    "div": (np.divide, jnp.divide),
    "rem": (np.fmod, jax.lax.rem),
    "maximum": (np.maximum, jnp.maximum),
    "minimum": (np.minimum, jnp.minimum),
    "powf": (np.power, jnp.power),
    "atan2": (np.arctan2, jnp.arctan2),
    "hypot": (np.hypot, jnp.hypot),
    "copysign": (np.copysign, jnp.copysign),
    "rem_euclid": (rem_euclid, None),
}

COMPLEX_UNARY = {
    "neg": (np.negative, jnp.negative),
    "abs": (np.abs, jnp.abs),
    "recip": (lambda z: 1 / z, jnp.reciprocal),
    "conj": (np.conj, jnp.conj),
    "re": (np.real, jnp.real),
    "im": (np.imag, jnp.imag),
    "cubed": (lambda z: z * z * z, lambda z: jax.lax.integer_pow(z, 3)),
    "log2": (lambda z: np.log(z) / np.log(WIDE(2)), None),
    "log10": (np.log10, jnp.log10),
    "exp2": (lambda z: np.exp(z * np.log(WIDE(2))), None),
} | {
    name: UNARY[name]
    for name in (
        "sqrt rsqrt exp ln sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh is_finite is_nan is_infinite"
    ).split()
}

COMPLEX_BINARY = {name: BINARY[name] for name in ("add", "sub", "mul", "div", "powf")}


def singles(dtype, random):
    """Numbers where functions go wrong, and others of every size that matters."""
    info = ml_dtypes.finfo(dtype)
    edges = [
        0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, -2, 2.5, -2.5, 3, -3, 4, 8, 10, 100, 1000, -7, 1e-3, -1e-3,
        1e-5, -1e-5, np.inf, -np.inf, np.nan, float(info.max), float(info.min), float(info.tiny), -float(info.tiny),
        float(info.eps), 1 - float(info.eps), 1 + float(info.eps), np.nextafter(np.float32(0.5), np.float32(0)),
        1.4616321449683623, 0.7071067811865476, 1.5707963267948966, 3.141592653589793, -3.141592653589793,
        6.283185307179586, 22.0, 355.0, 1e4, -12345.678, 33.25, -88.5, 88.5, -40.0, 17.5,
    ]
    if dtype.itemsize >= 4 or dtype == common.FLOATS["bf16"]:
        edges += [1e5, -1e6, 1e8, 1e10, -1e15, 1e22, 1e30, 1e-10, -1e-10, 1e-20, 1e-30, 3e38]
    if dtype.itemsize == 8:
        edges += [1e100, -1e200, 1e300, 1e-100, -1e-300, 700.0, -700.0, 5e6, 6381956970095103.0 * 2.0**797]
    rest = SINGLES - len(edges)
    many = [random.uniform(-1, 1, rest // 3), random.uniform(-6, 6, rest // 3)]
    rest -= 2 * (rest // 3)
    many.append(np.exp(random.uniform(-7, 5, rest)) * random.choice([-1, 1], rest))
    return common.round_to(np.concatenate([edges, *many]).astype(WIDE), dtype)


def pairs(dtype, random):
    """Numbers for two operands: the edges with each other, and others."""
    info = ml_dtypes.finfo(dtype)
    edges = np.array([0.0, -0.0, 1, -1, 2, -0.5, 3, np.inf, -np.inf, np.nan, float(info.max), float(info.tiny)])
    left, right = (grid.ravel() for grid in np.meshgrid(edges, edges))
    rest = PAIRS - len(left)
    sizes = np.exp(random.uniform(-4, 4, (2, rest))) * random.choice([-1, 1], (2, rest))
    sizes[0, : rest // 2] = np.abs(sizes[0, : rest // 2])
    return [common.round_to(np.concatenate(parts).astype(WIDE), dtype) for parts in ((left, sizes[0]), (right, sizes[1]))]


def complex_numbers(dtype, count, random):
    """Numbers all over the plane and on its axes; what infinite parts give is not agreed on."""
    edges = [
        (1, 0), (-1, 0), (2, 0), (-2, 0), (0.25, 0), (0, 0.5), (0, -0.5), (3, 4), (-2, 0.5), (0.5, -0.25), (-0.001, 2),
        (5, -3), (-4, 10), (1e-3, 1e-4), (0.3, 1.5), (-1e-4, -1e-5), (20, 1), (-20, -1), (1, 1e-6), (1e-6, 1),
    ]
    edges = [complex(re, im) for re, im in edges]
    radius = np.exp(random.uniform(-3, 2, count - len(edges)))
    angle = random.uniform(-np.pi, np.pi, count - len(edges))
    return np.concatenate([edges, radius * np.exp(1j * angle)]).astype(dtype)


def results(operations, operands, dtype):
    """What operations give for operands of an element type."""
    wide = [operand.astype(np.clongdouble if dtype.kind == "c" else WIDE) for operand in operands]
    with np.errstate(all="ignore"):
        for name, (function, in_jax) in operations.items():
            result = function(*wide)
            if in_jax is not None:
                check_with_jax(name, in_jax, result, operands)
            yield name, result if result.dtype == bool else common.round_to(result, part(dtype, result))


def part(dtype, result):
    """The element type of a result, which is real where the operation makes a complex number real."""
    if dtype.kind == "c" and result.dtype.kind != "c":
        return np.dtype(f"f{dtype.itemsize // 2}")
    return dtype


def check_with_jax(name, function, expected, operands):
    """JAX means the same: it agrees, in double precision, where that neither overflows nor loses everything."""
    kind = np.complex128 if operands[0].dtype.kind == "c" else np.float64
    inputs = [operand.astype(kind) for operand in operands]
    found = np.asarray(function(*map(jnp.asarray, inputs)))
    expected = expected.astype(found.dtype)
    moderate = np.all([(np.abs(x) < 1e4) & (np.abs(x) > 1e-4) for x in inputs], axis=0)
    close = np.isclose(found, expected, rtol=1e-6, atol=1e-9, equal_nan=True)
    assert np.all(close | ~moderate), (name, [x[moderate & ~close] for x in inputs], found[moderate & ~close], expected[moderate & ~close])


def integers(dtype, random):
    info = np.iinfo(dtype)
    edges = [0, 1, 2, 3, 7, 8, 100, info.max, info.max - 1, info.min, info.min + 1, dtype.itemsize * 8]
    if info.min < 0:
        edges += [-1, -7, -8]
    left, right = (grid.ravel() for grid in np.meshgrid(edges, edges))
    rest = PAIRS - len(left)
    spread = random.integers(info.min, info.max, (2, rest), dtype=dtype, endpoint=True)
    small = random.integers(1, 12, rest).astype(dtype)
    spread[1, : rest // 2] = small[: rest // 2]
    return [np.concatenate(parts).astype(dtype) for parts in ((left, spread[0]), (right, spread[1]))]


def integer_results(a, b):
    """Division by zero gives all ones and leaves the dividend; shifts past the width give 0, or the sign."""
    dtype = a.dtype
    signed, width = dtype.kind == "i", dtype.itemsize * 8

    def wrap(numbers):
        numbers = [n % (1 << width) for n in numbers]
        return np.array([n - (1 << width) if signed and n >> (width - 1) else n for n in numbers], dtype)

    def divide(x, y):
        return -1 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)

    def remainder(x, y):
        return x if y == 0 else x - y * divide(x, y)

    def euclid(x, y):
        rest = remainder(x, y)
        return rest + abs(y) if rest < 0 else rest

    each = lambda function: wrap([function(int(x), int(y)) for x, y in zip(a, b)])
    bits = lambda x: x % (1 << width)
    fits = lambda y: 0 <= y < width
    yield "add", each(lambda x, y: x + y)
    yield "sub", each(lambda x, y: x - y)
    yield "mul", each(lambda x, y: x * y)
    yield "div", each(divide)
    yield "rem", each(remainder)
    yield "rem_euclid", each(euclid)
    yield "and", a & b
    yield "or", a | b
    yield "xor", a ^ b
    yield "shl", each(lambda x, y: x << y if fits(y) else 0)
    yield "shr", each(lambda x, y: x >> (y if fits(y) else width - 1) if signed or fits(y) else 0)
    yield "maximum", np.maximum(a, b)
    yield "minimum", np.minimum(a, b)
    yield "not", ~a
    yield "signum", np.sign(a)
    yield "relu", np.maximum(a, dtype.type(0))
    yield "cubed", each(lambda x, _: x**3)
    yield "count_ones", each(lambda x, _: bits(x).bit_count())
    yield "leading_zeros", each(lambda x, _: width - bits(x).bit_length())
    if signed:
        yield "neg", each(lambda x, _: -x)
        yield "abs", each(lambda x, _: abs(x))


def main():
    random = common.generator()
    arrays = {}

    def add(prefix, named):
        for name, array in named:
            arrays[f"{prefix}/{name}"] = array

    for prefix, dtype in common.FLOATS.items():
        x = singles(dtype, random)
        a, b = pairs(dtype, random)
        add(prefix, [("x", x), ("a", a), ("b", b)])
        add(prefix, results(UNARY, [x], dtype))
        add(prefix, results(BINARY, [a, b], dtype))
    for prefix, dtype in common.COMPLEX.items():
        x, a, b = (complex_numbers(dtype, count, random) for count in (SINGLES, PAIRS, PAIRS))
        random.shuffle(b)
        # The error of a power grows with the exponent.
        b = np.where(np.abs(b) > 2, b / 10, b).astype(dtype)
        add(prefix, [("x", x), ("a", a), ("b", b)])
        add(prefix, results(COMPLEX_UNARY, [x], dtype))
        add(prefix, results(COMPLEX_BINARY, [a, b], dtype))
    for prefix, dtype in common.INTEGERS.items():
        a, b = integers(dtype, random)
        add(prefix, [("a", a), ("b", b)])
        add(prefix, integer_results(a, b))
    common.save("elementwise", arrays)


if __name__ == "__main__":
    main()
