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


OPERATIONS = {
    "cholesky": lambda x: jnp.linalg.cholesky(x@x.T+3*jnp.eye(4)),
    "solve": lambda x: jnp.linalg.solve(x+4*jnp.eye(4), jnp.sin(x)),
    "inv": lambda x: jnp.linalg.inv(x+4*jnp.eye(4)),
    "det": lambda x: jnp.linalg.det(x+4*jnp.eye(4)),
    "diagonal": lambda x: jnp.diagonal(x@x)*jnp.trace(jnp.sin(x)),
    "triangular": lambda x: jax.scipy.linalg.solve_triangular(jnp.tril(x+4*jnp.eye(4)), jnp.sin(x), lower=True),
    "sort": lambda x: jnp.sort(x, 1),
    "top_k": lambda x: lax.top_k(x, 2)[0],
    "softmax": lambda x: jax.nn.softmax(x, -1),
    "log_softmax": lambda x: jax.nn.log_softmax(x, 0),
    "logsumexp": lambda x: jax.nn.logsumexp(x, 0),
    "normalize": lambda x: (x-x.mean(-1,keepdims=True))/jnp.sqrt(x.var(-1,keepdims=True)+1e-5),
    "std": lambda x: x.std(0),
    "var": lambda x: x.var(ddof=1),
    "cumprod": lambda x: jnp.cumprod(x, 1),
    "cumsum": lambda x: jnp.cumsum(x, 0),
    "cummax": lambda x: lax.cummax(x, 1),
    "max": lambda x: x.max(0),
    "prod": lambda x: x.prod(0),
    "roll": lambda x: jnp.roll(x, 1, 0)*x,
    "concat": lambda x: jnp.concatenate([x, x*2], 1),
    "pad": lambda x: lax.pad(x, jnp.array(0.5), [(1,2,0),(0,0,1)]),
    "slice": lambda x: x[1:3]*x[0:2],
    "take": lambda x: x[jnp.array([0,2,2])],
    "scatter": lambda x: x.at[jnp.array([0,2,2])].add(x[0:3]*3),
    "scatter_max": lambda x: x.at[jnp.array([0,1,3])].max(x[0:3]*3),
    "assigned": lambda x: jnp.exp(x).at[1].set(x[0]*x[2]),
    "einsum": lambda x: jnp.einsum('ij,kj->ik', x, jnp.sin(x)),
    "conv": lambda x: lax.conv_general_dilated(x.reshape(1,4,4,1), jnp.sin(x).reshape(2,2,2,2)[:,:,0:1,:], (1,1), 'SAME', dimension_numbers=('NHWC','HWIO','NHWC')),
    "max_pool": lambda x: lax.reduce_window(x.reshape(1,4,4,1), -jnp.inf, lax.max, (1,2,2,1),(1,1,1,1),'VALID'),
    "avg_pool": lambda x: lax.reduce_window(x.reshape(1,4,4,1), 0., lax.add, (1,2,2,1),(1,2,2,1),'VALID')/4,
    "fft": lambda x: (jnp.fft.fft(x)*jnp.conj(jnp.fft.fft(x))).real*x,
    "rfft": lambda x: jnp.fft.rfft(x).imag,
    "abs_of_complex": lambda x: jnp.abs(x+1j*(2*x+1)),
    "power": lambda x: jnp.abs(x)**x,
    "atan2": lambda x: jnp.arctan2(x, x.T+3),
    "clamp": lambda x: jnp.clip(x,-0.5,0.5)*x,
    "hypot": lambda x: jnp.hypot(x, x.T+2),
    "erf": lambda x: jax.scipy.special.erf(x)+jax.nn.gelu(x,approximate=False)+jax.nn.silu(x)+jax.nn.softplus(x),
    "trigonometry": lambda x: jnp.tan(x)+jnp.arcsinh(x)+jnp.arctan(x)+jnp.tanh(jnp.sinh(x)),
    "rounding": lambda x: jnp.floor(x)*x + (x-jnp.trunc(x)),
    "selected": lambda x: jnp.where(x > x.T, x*x, jnp.exp(x)),
    "attention": lambda x: jax.nn.softmax(x@x.T*0.5, -1)@x,
    "dynamic": lambda x: lax.dynamic_slice(x, (1,1), (2,3))*2,
    "tril": lambda x: jnp.tril(x)*x.T,
    "scale_of_samples": lambda x: jax.random.normal(jax.random.key(3), (4,4), dtype=jnp.float64)*x + x.sum(),
    "matmul_batch": lambda x: x.reshape(2,2,4)@x.reshape(2,4,2),
}


def operations():
    matrix = some(4, 4)
    slope = lambda f: jax.grad(lambda x: (f(x) * jnp.sin(f(x))).sum())(matrix)
    found = {f"operation.{name}": slope(f) for name, f in OPERATIONS.items()}
    return {"matrix": matrix, **found}


def pools():
    image, change = some(2, 9, 10, 3), some(2, 9, 10, 3)
    ties = np.round(image)

    def pool(window, strides, padding):
        spread = lambda two: (1, *two, 1)
        return lambda x: lax.reduce_window(x, -jnp.inf, lax.max, spread(window), spread(strides), padding)

    def dilated(x):
        """JAX has no derivative of dilated windows: 2 by 3, 3 and 2 apart, that move by 2 and 1, padding "SAME"."""
        x = jnp.pad(x, ((0, 0), (1, 2), (2, 2), (0, 0)), constant_values=-jnp.inf)
        places = [x[:, i:i + 9:2, j:j + 10] for i in (0, 3) for j in (0, 2, 4)]
        places = jnp.stack(places)
        first = places.argmax(0, keepdims=True)
        return jnp.take_along_axis(places, first, 0)[0]

    kinds = {
        "stem": pool((3, 3), (2, 2), "SAME"),
        "overlapping": pool((3, 2), (1, 1), "VALID"),
        "side_by_side": pool((2, 2), (2, 2), "VALID"),
        "apart": pool((2, 1), (3, 2), "SAME"),
        "dilated": dilated,
    }
    waves = lambda f: lambda x: (f(x) * jnp.sin(f(x))).sum()
    found = {f"pool.{name}": jax.grad(waves(f))(image) for name, f in kinds.items()}
    found.update({f"pool.ties.{name}": jax.grad(waves(f))(ties) for name, f in kinds.items()})
    stem = kinds["stem"]
    return {
        "image": image, "change": change, "ties": ties, **found,
        "pool.pushed": jax.jvp(stem, (image,), (change,))[1],
        "pool.twice": jax.grad(lambda x: (jax.grad(waves(stem))(x) * change).sum())(image),
    }


def factors():
    matrix = some(4, 4)
    definite = matrix @ matrix.T + 4 * np.eye(4)
    return {
        "definite": definite,
        "factor.slope": jax.grad(lambda a: jnp.sin(jnp.linalg.cholesky(a)).sum())(definite),
    }


def linear():
    """Everything that is computed of matrices in one function, with more rows than are written out."""
    a, b, change = some(9, 9), some(9, 2), some(9, 9)
    solve_triangular = jax.scipy.linalg.solve_triangular

    def together(a, b):
        k = a @ a.T + 9 * jnp.eye(9)
        root = jnp.linalg.cholesky(k)
        y = solve_triangular(root, b, lower=True)
        z = solve_triangular(root, y, lower=True, trans=1)
        w = jnp.linalg.solve(a + 9 * jnp.eye(9), z) + solve_triangular(a + 9 * jnp.eye(9), z)
        u = solve_triangular(a / 9, w, lower=True, unit_diagonal=True)
        return (u * jnp.sin(u)).sum() + jnp.log(jnp.linalg.det(k)) + jnp.sin(jnp.linalg.inv(k)).sum()

    of_a, of_b = jax.grad(together, (0, 1))(a, b)
    return {
        "linear.a": a, "linear.b": b, "linear.change": change, "linear.value": together(a, b),
        "linear.of_a": of_a, "linear.of_b": of_b,
        "linear.pushed": jax.jvp(lambda a: together(a, b), (a,), (change,))[1],
        "linear.twice": jax.grad(lambda a: (jax.grad(together)(a, b) * change).sum())(a),
        "linear.jacobian": jax.jacfwd(lambda b: jnp.linalg.solve(a, b))(b[:, 0]),
        "linear.each": jax.vmap(lambda b: jnp.linalg.solve(a, b))(b.T),
        "linear.each_matrix": jax.vmap(lambda s: jnp.linalg.solve(a * s, b))(b[:3, 0]),
    }


def batches():
    energy = lambda x, w: jnp.sin(x @ w).sum()
    energies = jax.vmap(energy, (0, None))
    return {
        "batch.slopes": jax.vmap(jax.grad(energy), (0, None))(X, W),
        "batch.slope_of_all": jax.grad(lambda w: (energies(X, w) ** 2).sum())(W),
        "batch.sums": jax.vmap(lambda x: (x * 3 * x).sum() + x[0])(X),
        "batch.doubled": X * 2, "batch.outer": jnp.outer(LONG, LONG),
    }


def programs(square):
    layers = [(some(3, 3), some(3)) for _ in range(2)]
    network = (layers, (W, B))

    def loss(network):
        hidden, (w, b) = network
        y = X
        for own, offset in hidden:
            y = jax.nn.relu(y @ own + offset) + X
        scores = jax.nn.log_softmax(y @ w + b)
        return -(scores * jax.nn.one_hot(LABELS, 2)).sum(-1).mean()

    trained = network
    for _ in range(5):
        last, slope = jax.value_and_grad(loss)(trained)
        trained = jax.tree.map(lambda p, g: p - g * 0.5, trained, slope)

    def one(w, x):
        return ((jnp.tanh(w @ x) - x) ** 2).sum()

    def after_steps(rate, w, xs):
        def step(w, x):
            now, slope = jax.value_and_grad(one)(w, x)
            return w - slope * rate, now
        w, losses = lax.scan(step, w, xs)
        return losses.sum() + (w**2).sum()

    rate, w, xs = jax.grad(after_steps, (0, 1, 2))(0.7, square, X)
    given = {f"network.{at}.{name}": array for at, layer in enumerate(layers)
             for name, array in zip("wb", layer)}
    return {
        **given, "trained.loss": last, "trained.w": trained[1][0],
        "trained.1.w": trained[0][1][0], "learnt.rate": rate, "learnt.w": w, "learnt.xs": xs,
        "thrice": jax.grad(lambda x: jnp.sin(jnp.sin(jnp.sin(x))).sum())(LONG),
        "stepped": LONG - 0.1 * np.cos(LONG),
    }


def main():
    inputs = {"x": X, "w": W, "v": V, "b": B, "labels": LABELS.astype(np.int32), "long": LONG,
              "coefficients": COEFFICIENTS, "scalar": SCALAR}
    expected = {**inputs, **straight(), **control(), **jacobians(), **operations(), **batches()}
    expected.update(programs(expected["square"]))
    expected.update(pools())
    expected.update(factors())
    expected.update(linear())
    arrays = {}
    for name, array in expected.items():
        array = np.asarray(array)
        arrays[f"f64/{name}"] = array if array.dtype == np.int32 else array.astype(np.float64)
    common.save("derivatives", arrays)


main()
