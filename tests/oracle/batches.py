"""Functions of batches, as JAX computes them in double precision. Each program is that of the same name in `dsl/tests/batches`."""

import jax
import numpy as np
from jax import lax, numpy as jnp

import common

jax.config.update("jax_enable_x64", True)

random = common.generator()


def some(*shape):
    return random.standard_normal(shape)


X, W, V, LONG = some(4, 3), some(3, 2), some(4, 3, 2), some(4)
SQUARE, IMAGES, KERNELS = some(3, 3), some(4, 5, 6, 2), some(4, 2, 3, 2, 3)
PLACES = np.array([1, 0, 2, 9], np.int32)
LOOKUPS = np.array([[0, 2], [2, 2], [1, 0], [0, 0]], np.int32)
SIGNS = np.array([0.0, 4.0, -1.0, 9.0])


def dot_products():
    return {
        "dot.shared": jax.vmap(lambda x: x @ W)(X), "dot.left": jax.vmap(lambda w: SQUARE @ w)(V),
        "dot.pairs": jax.vmap(lambda x, w: x @ w)(X, V), "dot.right": jax.vmap(lambda x: SQUARE @ x)(X),
        "dot.inner": jax.vmap(lambda x: x @ x)(X),
        "dot.grad": jax.grad(lambda w: (jax.vmap(lambda x, v: jnp.tanh(x @ w) * v.sum())(X, V) ** 2).sum())(W),
    }


def conv(image, kernel):
    """`SAME` padding and strides of 2, and 1."""
    return lax.conv_general_dilated(image[None], kernel, (2, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))[0]


def convolutions():
    total = lambda images, kernels: jnp.sin(jax.vmap(conv)(images, kernels)).sum()
    images, kernels = jax.grad(total, (0, 1))(IMAGES, KERNELS)
    pool = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2, 1), (1, 1, 1), "VALID")
    return {
        "conv.images": jax.vmap(conv, (0, None))(IMAGES, KERNELS[0]),
        "conv.kernels": jax.vmap(conv, (None, 0))(IMAGES[0], KERNELS),
        "conv.pairs": jax.vmap(conv)(IMAGES, KERNELS),
        "conv.grad.images": images, "conv.grad.kernels": kernels,
        "pool": jax.vmap(pool)(IMAGES),
    }


def places():
    at = lambda x, i: lax.dynamic_slice(x, (i,), (2,))
    put = lambda x, i: lax.dynamic_update_slice(x, x[:1] * 10, (i,))
    rows = lambda w, i: jnp.asarray(w).at[i].get(mode="clip")
    added = lambda x, i: jnp.asarray(x).at[i].add(jnp.array([1.0, 10.0]), mode="drop")
    sort = lambda x: jnp.sort(jnp.sin(x * 5))
    return {
        "window": jax.vmap(at)(X, PLACES), "window.shared": jax.vmap(lambda i: at(SQUARE[0], i))(PLACES),
        "put": jax.vmap(put)(X, PLACES), "rows": jax.vmap(rows)(V, LOOKUPS),
        "rows.shared": jax.vmap(lambda i: rows(SQUARE, i))(LOOKUPS),
        "added": jax.vmap(added)(X, LOOKUPS), "sorted": jax.vmap(sort)(X),
        "rows.grad": jax.grad(lambda w: jnp.sin(jax.vmap(lambda i: rows(w, i))(LOOKUPS)).sum())(SQUARE),
        "window.grad": jax.grad(lambda x: jnp.sin(jax.vmap(at)(x, PLACES)).sum())(X),
        "sorted.grad": jax.grad(lambda x: (jax.vmap(sort)(x) * X).sum())(X),
    }


def root(x):
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(safe), 0.0)


def newton(x):
    def body(y):
        return (y + x / y) / 2
    return lax.while_loop(lambda y: abs(y * y - x) > 1e-9, body, x)


def until(x, most):
    """Adds until there is enough, nine times at most."""
    def step(i, state):
        z, going = state
        z = jnp.where(going, z * z * 0.5 + x, z)
        return z, going & (z < most)
    return lax.fori_loop(0, 9, step, (x, True))[0]


def walk(w, xs):
    def step(h, x):
        h = jnp.tanh(w @ h + x)
        return h, h * h
    last, squares = lax.scan(step, jnp.zeros(3), xs)
    return last.sum() + squares.sum()


def learned(w, sequences):
    def step(w, rows):
        loss, slope = jax.value_and_grad(lambda w: jax.vmap(lambda row: jnp.tanh(w @ row))(rows).sum())(w)
        return w - slope * 0.1, loss
    last, losses = lax.scan(step, w, sequences)
    return last.sum() + losses.sum()


def control():
    seq = jnp.stack([X, X * 0.5, -X])
    positive = jnp.abs(X)
    total = lambda f: lambda x: (jax.vmap(f)(x) * LONG).sum()
    return {
        "root": jax.vmap(root)(SIGNS), "root.grad": jax.grad(lambda x: jax.vmap(root)(x).sum())(np.array([0., 4, -1, 9])),
        "newton": jax.vmap(jax.vmap(newton))(positive),
        "newton.jvp": jax.jvp(jax.vmap(newton), (positive[:, 0],), (LONG,))[1],
        "until": jax.vmap(until)(LONG, abs(SIGNS)), "until.grad": jax.grad(lambda x: jax.vmap(until)(x, abs(SIGNS)).sum())(LONG),
        "walk": jax.vmap(walk, (None, 0))(SQUARE, seq),
        "walk.grad": jax.grad(lambda w: jax.vmap(walk, (None, 0))(w, seq).prod())(SQUARE),
        "walk.each": jax.vmap(jax.grad(walk, (0, 1)), (None, 0))(SQUARE, seq)[0],
        "walk.each.xs": jax.vmap(jax.grad(walk, (0, 1)), (None, 0))(SQUARE, seq)[1],
        "powers": jax.vmap(lambda x, n: lax.fori_loop(0, n, lambda i, y: y * x, 1.0))(LONG, PLACES),
        "powers.grad": PLACES * LONG ** np.maximum(PLACES - 1, 0),
        "learned": learned(X[0], seq), "learned.grad": jax.grad(learned)(X[0], seq),
        "scanned": lax.scan(lambda c, x: (jax.vmap(lambda a: jnp.sin(a + x.sum()))(c), c.sum()), LONG, X)[0],
    }


def nested():
    f = lambda x: jnp.sin(x).prod() + (x @ SQUARE @ x)
    g = lambda x: jnp.tanh(x @ W)
    return {
        "hessians": jax.vmap(jax.hessian(f))(X), "jacobians": jax.vmap(jax.jacrev(g))(X),
        "hessian.of.batch": jax.hessian(lambda w: (jax.vmap(lambda x: jnp.tanh(x @ w).sum())(X) ** 2).sum())(W[:, 0]),
        "directions": jax.vmap(lambda v: jax.jvp(f, (X[0],), (v,))[1])(X),
        "pulled": jax.vmap(lambda v: jax.vjp(g, X[0])[1](v)[0])(X @ W),
        "pairwise": jax.vmap(lambda a: jax.vmap(lambda b: jnp.exp(-((a - b) ** 2).sum()))(X))(X),
        "pairwise.grad": jax.grad(lambda x: jnp.sin(jax.vmap(lambda a: jax.vmap(lambda b: jnp.exp(-((a - b) ** 2).sum()))(x))(x)).sum())(X),
        "inverses": jax.vmap(jnp.linalg.inv)(V @ V.swapaxes(1, 2) + np.eye(3)),
        "spectra": jax.vmap(lambda x: jnp.abs(jnp.fft.fft(x)))(X),
        "softmax": jax.vmap(lambda v: jax.nn.log_softmax(v, 0).cumsum(1))(V),
        "padded": jax.vmap(lambda x, p: lax.pad(x, p, ((1, 1, 1),)))(X, LONG),
        "mixed": jax.vmap(lambda x, y: jnp.where(x > y, x, W[0, 0]) * jnp.maximum(y, 0))(X[:, 0], LONG),
    }


def main():
    inputs = {"x": X, "w": W, "v": V, "long": LONG, "square": SQUARE, "images": IMAGES, "kernels": KERNELS,
              "places": PLACES, "lookups": LOOKUPS, "signs": SIGNS}
    expected = {**inputs, **dot_products(), **convolutions(), **places(), **control(), **nested()}
    arrays = {}
    for name, array in expected.items():
        array = np.asarray(array)
        arrays[f"f64/{name}"] = array if array.dtype == np.int32 else array.astype(np.float64)
    common.save("batches", arrays)


main()
