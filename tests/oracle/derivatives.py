"""Derivatives, as JAX computes them in double precision. Each program is that of the same name in `dsl/tests/derivatives`."""

import jax
import numpy as np
from jax import lax, numpy as jnp

import common

jax.config.update("jax_enable_x64", True)

random = common.generator()


def some(*shape):
    return random.standard_normal(shape)


X, W, V, B = some(4, 3), some(3, 2), some(2, 3), some(2)
LABELS = np.array([0, 1, 1, 0])
LONG = some(7)
COEFFICIENTS = some(5)
SCALAR = np.array(0.7)


def cross_entropy(network, x, labels):
    (w, b), v = network
    hidden = jnp.tanh(x @ w + b)
    scores = jax.nn.log_softmax(hidden @ v)
    return -jnp.take_along_axis(scores, labels[:, None], 1).mean()


def straight():
    network = ((W, B), V)
    loss, ((gw, gb), gv) = jax.value_and_grad(cross_entropy)(network, X, LABELS)
    product = lambda a, b: (jnp.sin(a) @ b).sum()
    cube = lambda x: x**3 + jnp.sin(x)
    tangent = some(4, 3)
    value, change = jax.jvp(lambda a: jnp.exp(a @ W), (X,), (tangent,))
    cotangent = some(4, 2)
    _, back = jax.vjp(lambda a, b: jnp.exp(a @ b), X, W)
    da, db = back(cotangent)
    return {
        "loss": loss, "network.w": gw, "network.b": gb, "network.v": gv,
        "second_argument": jax.grad(product, 1)(X, W),
        "both.0": jax.grad(product, (0, 1))(X, W)[0],
        "both.1": jax.grad(product, (0, 1))(X, W)[1],
        "third": jax.grad(jax.grad(jax.grad(cube)))(SCALAR),
        "perturbations": jax.grad(lambda x: x * jax.grad(lambda y: x * y * y)(x * x))(SCALAR),
        "stopped": jax.grad(lambda x: (x * lax.stop_gradient(x)).sum())(LONG),
        "tangent": tangent, "pushed.value": value, "pushed": change,
        "cotangent": cotangent, "pulled.a": da, "pulled.b": db, "pulled_twice.a": 3 * da,
        "hvp": jax.jvp(jax.grad(lambda x: jnp.exp(x).prod()), (LONG,), (LONG * 2,))[1],
    }


def polynomial(c, x):
    """Horner's scheme, with a round for each coefficient."""
    c = jnp.asarray(c)
    return lax.fori_loop(0, c.shape[0], lambda i, y: y * x + c[i], 0.0)


def walk(w, xs):
    """A recurrent network."""
    def step(h, x):
        h = jnp.tanh(w @ h + x)
        return h, h * h
    last, squares = lax.scan(step, jnp.zeros(3), xs)
    return last.sum() + squares.sum()


def until(x, y):
    """Grows for at most nine rounds, until it is large."""
    def step(carry, _):
        x, done = carry
        x = jnp.where(done, x, x * x + y)
        return (x, done | (x > 5)), None
    (x, _), _ = lax.scan(step, (x, False), None, length=9)
    return x


def nested(x, n):
    y = x
    for i in range(n):
        for j in range(2):
            y = jnp.where(y.sum() > 0, jnp.sin(y * x) + i, y * 0.5 + j)
    return (y * y).sum()


def newton(x):
    y = x
    while abs(y * y - x) > 1e-12:
        y = (y + x / y) / 2
    return y


def control():
    w = some(3, 3)
    expected = {
        "square": w,
        "positive": jax.grad(jnp.sqrt)(2.0), "negative": 0.0,
        "polynomial.c": jax.grad(polynomial)(COEFFICIENTS, 0.7),
        "polynomial.x": jax.grad(polynomial, 1)(COEFFICIENTS, 0.7),
        "polynomial.xx": jax.grad(jax.grad(lambda x: polynomial_static(COEFFICIENTS, x)))(0.7),
        "walk": jax.grad(walk)(w, X), "walk.x": jax.grad(walk, 1)(w, X),
        "walk.hvp": jax.jvp(lambda w: jax.grad(walk)(w, X), (w,), (w * 0.5,))[1],
        "until.x": jax.grad(until)(0.9, 0.8), "until.y": jax.grad(until, 1)(0.9, 0.8),
        "nested": jax.grad(nested)(LONG, 3),
        "newton": jax.jvp(newton, (3.0,), (1.0,))[1],
        "mapped": jax.grad(lambda x: lax.map(lambda row: jnp.exp(row).sum() * row[0], x).prod())(X),
        "inclusive": jax.grad(lambda x: sum(x ** k for k in range(2, 6)))(0.7),
    }
    return expected


def polynomial_static(c, x):
    y = 0.0
    for one in c:
        y = y * x + one
    return y


def jacobians():
    y = lambda x: jnp.sin(x @ W) * x.sum()
    loss = lambda x: jnp.exp(jnp.sin(x)).prod()
    pair = lambda x: {"b": jnp.outer(x, x), "a": x.sum()}
    pairs = jax.jacrev(pair)(LONG)
    return {
        "jacobian": jax.jacrev(y)(X), "hessian": jax.hessian(loss)(LONG),
        "jacobian.b": pairs["b"], "jacobian.a": pairs["a"],
        "jacobian.walk": jax.jacrev(lambda xs: lax.scan(
            lambda h, x: (jnp.tanh(h * x), h), jnp.ones(3), xs)[0])(X),
    }


def main():
    inputs = {"x": X, "w": W, "v": V, "b": B, "labels": LABELS.astype(np.int32), "long": LONG,
              "coefficients": COEFFICIENTS, "scalar": SCALAR}
    expected = {**inputs, **straight(), **control(), **jacobians()}
    arrays = {}
    for name, array in expected.items():
        array = np.asarray(array)
        arrays[f"f64/{name}"] = array if array.dtype == np.int32 else array.astype(np.float64)
    common.save("derivatives", arrays)


main()
