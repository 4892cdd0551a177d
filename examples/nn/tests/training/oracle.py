"""What the kernels of `nn` should compute, by JAX 0.10.2 and by formulas in double precision.

Run by hand: it writes `oracle.npz`, which the tests read. Inputs are numbers of single precision, and results are
computed from them in double precision, so that they are right to the last place.
"""

from pathlib import Path

import jax
import numpy as np
from jax import lax, numpy as jnp
from jax.nn import initializers

jax.config.update("jax_enable_x64", True)

numbers = np.random.default_rng(2026)
arrays = {}


def some(name, *shape):
    """An input, in double precision, that is stored in single precision."""
    array = numbers.uniform(-1, 1, shape).astype(np.float32)
    arrays[name] = array
    return jnp.asarray(array, jnp.float64)


def store(**results):
    for name, array in results.items():
        array = np.asarray(array)
        arrays[name.replace("__", "/")] = array.astype(np.float32 if array.dtype.kind == "f" else array.dtype)


def initial_values():
    key = jax.random.key(5)
    axes = {"in_axis": 1, "out_axis": 0, "dtype": jnp.float32}
    for name in ["glorot_uniform", "glorot_normal", "he_uniform", "he_normal", "lecun_uniform", "lecun_normal"]:
        make = getattr(initializers, name)(**axes)
        arrays[f"initial/{name}"] = np.asarray(make(key, (6, 4)))
        arrays[f"initial/{name}_conv"] = np.asarray(make(key, (3, 2, 3, 3)))
    arrays["initial/truncated"] = np.asarray(initializers.truncated_normal(0.02, jnp.float32)(key, (5, 3)))
    orthogonal = initializers.orthogonal(column_axis=0, dtype=jnp.float32)
    for rows, columns in [(6, 4), (3, 5), (4, 4)]:
        arrays[f"initial/orthogonal_{rows}_{columns}"] = np.asarray(orthogonal(key, (rows, columns)))


def losses():
    logits, labels = some("loss/logits", 2, 3, 5), numbers.integers(0, 5, (2, 3)).astype(np.int32)
    arrays["loss/labels"] = labels

    def cross_entropy(smoothing):
        target = (1 - smoothing) * jax.nn.one_hot(labels, 5, dtype=jnp.float64) + smoothing / 5
        return lambda x: -(target * jax.nn.log_softmax(4 * x)).sum(-1).mean()

    a, b = some("loss/input", 4, 3), some("loss/target", 4, 3)
    truth = (b > 0).astype(jnp.float64)
    shares = jax.nn.softmax(3 * b).at[0, 0].set(0.0)
    arrays["loss/shares"] = np.asarray(shares, np.float32)
    shares = jnp.asarray(arrays["loss/shares"], jnp.float64)

    def huber(x):
        r = jnp.abs(x - b)
        return jnp.where(r <= 0.5, r * r / 2, 0.5 * (r - 0.25)).mean()

    def divergence(x):
        logs = jnp.log(jnp.where(shares > 0, shares, 1))
        return (shares * (logs - jax.nn.log_softmax(x))).sum(-1).mean()

    def binary(x):
        p = jax.nn.sigmoid(9 * x)
        return -(truth * jnp.log(p) + (1 - truth) * jnp.log(1 - p)).mean()

    cases = {
        "cross_entropy": (cross_entropy(0.0), logits),
        "smooth": (cross_entropy(0.1), logits),
        "mse": (lambda x: ((x - b) ** 2).mean(), a),
        "huber": (huber, a),
        "binary": (binary, a),
        "kl": (divergence, a),
    }
    for name, (loss, x) in cases.items():
        value, slope = jax.value_and_grad(loss)(x)
        store(**{f"loss__{name}": value, f"loss__{name}_slope": slope})


def optimizers():
    tree = [some("optimizer/w", 3, 2), some("optimizer/b", 2)]
    grads = [[some(f"optimizer/gw{k}", 3, 2), some(f"optimizer/gb{k}", 2)] for k in range(3)]
    rate, decay = 0.05, 0.1

    def run(name, step):
        state, p = [(0.0, 0.0)] * 2, tree
        for count, g in enumerate(grads, 1):
            steps = [step(p, g, s, count) for p, g, s in zip(p, g, state)]
            p, state = [p for p, _ in steps], [s for _, s in steps]
        store(**{f"optimizer__{name}_w": p[0], f"optimizer__{name}_b": p[1]})

    def sgd(p, g, s, count):
        return p - rate * g, s

    def momentum(nesterov):
        def step(p, g, s, count):
            v = 0.9 * s[0] + g
            return p - rate * (g + 0.9 * v if nesterov else v), (v, 0.0)
        return step

    def adam(decay):
        def step(p, g, s, count):
            m, v = 0.9 * s[0] + 0.1 * g, 0.999 * s[1] + 0.001 * g * g
            update = (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8)
            return p - rate * (update + decay * p), (m, v)
        return step

    def lion(p, g, s, count):
        update = jnp.sign(0.9 * s[0] + 0.1 * g)
        return p - rate * (update + decay * p), (0.99 * s[0] + 0.01 * g, 0.0)

    steps = {"sgd": sgd, "momentum": momentum(False), "nesterov": momentum(True),
             "adam": adam(0.0), "adamw": adam(decay), "lion": lion}
    for name, step in steps.items():
        run(name, step)

    w, b = grads[0]
    norm = jnp.sqrt((w * w).sum() + (b * b).sum())
    store(gradient__norm=norm, gradient__clipped_w=w * 0.5 / norm, gradient__clipped_b=b * 0.5 / norm,
          gradient__ema_w=0.99 * tree[0] + 0.01 * w)


def schedules():
    step = np.arange(14.0)

    def half_cosine(share, first, last):
        return last + (first - last) * (1 + np.cos(np.pi * np.clip(share, 0, 1))) / 2

    store(
        schedule__linear=0.1 + (0.02 - 0.1) * np.clip(step / 8, 0, 1),
        schedule__cosine=half_cosine(step / 10, 0.1, 0.01),
        schedule__warmup=np.where(step < 4, 0.01 + 0.09 * step / 4, half_cosine((step - 4) / 8, 0.1, 0.02)),
        schedule__cycle=np.where(step < 3, half_cosine(step / 3, 0.004, 0.1),
                                 half_cosine((step - 3) / 7, 0.1, 0.1 / 250000)),
    )


def convolutions():
    x, w, b = some("conv/x", 2, 4, 7, 6), some("conv/w", 6, 2, 3, 3), some("conv/b", 6)

    def picture(x, w, b):
        y = lax.conv_general_dilated(x, w, (2, 2), [(1, 1), (1, 1)], feature_group_count=2)
        return y + b[:, None, None]

    def signal(x, w, b):
        y = lax.conv_general_dilated(x, w, (1,), [(2, 2)], rhs_dilation=(2,))
        return y + b[:, None]

    slopes = jax.grad(lambda x, w, b: jnp.sin(picture(x, w, b)).sum(), (0, 1, 2))(x, w, b)
    store(conv__picture=picture(x, w, b), conv__dx=slopes[0], conv__dw=slopes[1], conv__db=slopes[2])
    x, w, b = some("conv/signal_x", 2, 3, 8), some("conv/signal_w", 4, 3, 3), some("conv/signal_b", 4)
    store(conv__signal=signal(x, w, b))


def norms():
    x, w, b = some("norm/x", 4, 3, 2, 5), some("norm/w", 3), some("norm/b", 3)
    rows, scale = some("norm/rows", 4, 6), some("norm/scale", 6)
    mean0, var0 = some("norm/mean", 3), some("norm/var", 3) ** 2
    arrays["norm/var"] = np.asarray(var0, np.float32)
    var0 = jnp.asarray(arrays["norm/var"], jnp.float64)
    by = lambda v: v[:, None, None]

    def batch(x, mean, var):
        return (x - by(mean)) / jnp.sqrt(by(var) + 1e-5) * by(w) + by(b)

    def trained(x):
        return batch(x, x.mean((0, 2, 3)), x.var((0, 2, 3)))

    store(
        norm__trained=trained(x), norm__used=batch(x, mean0, var0),
        norm__new_mean=0.9 * mean0 + 0.1 * x.mean((0, 2, 3)),
        norm__new_var=0.9 * var0 + 0.1 * x.var((0, 2, 3), ddof=1),
        norm__dx=jax.grad(lambda x: jnp.sin(trained(x)).sum())(x),
        norm__rms=rows / jnp.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * scale,
    )
    keep = jax.random.bernoulli(jax.random.key(9), jnp.float32(0.75), (4, 6))
    store(norm__dropped=jnp.where(keep, rows / 0.75, 0))


def recurrent():
    length, batch, inputs, hidden = 5, 2, 3, 4
    xs, h0, c0 = some("recurrent/xs", length, batch, inputs), some("recurrent/h", batch, hidden), some("recurrent/c", batch, hidden)

    def parameters(name, gates):
        rows = gates * hidden
        return {"wi": some(f"recurrent/{name}_wi", rows, inputs), "wh": some(f"recurrent/{name}_wh", rows, hidden),
                "bi": some(f"recurrent/{name}_bi", rows), "bh": some(f"recurrent/{name}_bh", rows)}

    def rnn(p, h, x):
        h = jnp.tanh(x @ p["wi"].T + p["bi"] + h @ p["wh"].T + p["bh"])
        return h, h

    def lstm(p, state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ p["wi"].T + p["bi"] + h @ p["wh"].T + p["bh"], 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    def gru(p, h, x):
        ri, zi, ni = jnp.split(x @ p["wi"].T + p["bi"], 3, -1)
        rh, zh, nh = jnp.split(h @ p["wh"].T + p["bh"], 3, -1)
        r, z = jax.nn.sigmoid(ri + rh), jax.nn.sigmoid(zi + zh)
        h = (1 - z) * jnp.tanh(ni + r * nh) + z * h
        return h, h

    for name, cell, gates, start in [("rnn", rnn, 1, h0), ("lstm", lstm, 4, (h0, c0)), ("gru", gru, 3, h0)]:
        p = parameters(name, gates)

        def loss(p):
            _, outputs = lax.scan(lambda s, x: cell(p, s, x), start, xs)
            return jnp.sin(outputs).sum(), outputs

        slopes, outputs = jax.grad(loss, has_aux=True)(p)
        store(**{f"recurrent__{name}": outputs, **{f"recurrent__{name}_d{k}": v for k, v in slopes.items()}})


def decoding():
    x = some("decoding/x", 2, 3, 5, 8)
    angles = np.arange(3, 8)[:, None] * 100.0 ** (-np.arange(4) / 4)
    turned = (x[..., :4] + 1j * x[..., 4:]) * np.exp(1j * angles)
    store(decoding__turned=jnp.concatenate([turned.real, turned.imag], -1))


initial_values()
losses()
optimizers()
schedules()
convolutions()
norms()
recurrent()
decoding()
path = Path(__file__).parent / "oracle.npz"
np.savez_compressed(path, **arrays)
print(f"{path.name}: {len(arrays)} arrays, {path.stat().st_size} bytes")
