"""The model of `model.rs` in JAX 0.10.2, of the small size of `tests.rs`: prints the losses of its first steps, for the tests.

Random numbers are those of the language, so both begin with the same weights and see the same windows of the text. With
`--speed` it prints how many tokens per second JAX learns from, with the sizes of `main.rs`.
"""

import sys
import time
from pathlib import Path

import jax
import numpy as np
from jax import numpy as jnp, random

WIDTH, HEADS, LAYERS, BATCH, CONTEXT, STEPS = 16, 2, 2, 4, 16, 20
PEAK_RATE, WARMUP_STEPS, DECAY, EPS, STD = 0.01, 10, 0.1, 1e-5, 0.02
TEXT = np.frombuffer((Path(__file__).parent / "../data/sonnets.txt").read_bytes(), np.uint8).astype(np.int32)


def begin(key):
    draw = lambda key, shape, std: jax.nn.initializers.truncated_normal(std)(key, shape)

    def block(key):
        query, k, value, output, up, down = random.split(key, 6)
        residual = STD / np.sqrt(2 * LAYERS)
        return {
            "query": draw(query, (WIDTH, WIDTH), STD), "key": draw(k, (WIDTH, WIDTH), STD),
            "value": draw(value, (WIDTH, WIDTH), STD), "output": draw(output, (WIDTH, WIDTH), residual),
            "up": draw(up, (4 * WIDTH, WIDTH), STD), "down": draw(down, (WIDTH, 4 * WIDTH), residual),
            "attention_norm": jnp.ones(WIDTH), "mlp_norm": jnp.ones(WIDTH),
        }

    blocks = [block(random.fold_in(key, layer)) for layer in range(LAYERS)]
    return {"blocks": blocks, "tokens": draw(random.fold_in(key, LAYERS), (256, WIDTH), STD), "norm": jnp.ones(WIDTH)}


def normed(x, weight):
    return x / jnp.sqrt((x * x).mean(-1, keepdims=True) + EPS) * weight


def turned(x):
    """Pairs of features, one of each half, as complex numbers that are turned by the position."""
    half = x.shape[-1] // 2
    angles = np.arange(CONTEXT)[:, None] * 10000.0 ** (-np.arange(half) / half)
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


def logits(model, tokens):
    x = model["tokens"][tokens]
    for block in model["blocks"]:
        rows = normed(x, block["attention_norm"])
        split = lambda w: (rows @ w.T).reshape(BATCH, CONTEXT, HEADS, -1).swapaxes(1, 2)
        query, key, value = turned(split(block["query"])), turned(split(block["key"])), split(block["value"])
        scores = jnp.einsum("bhqd,bhkd->bhqk", query, key) / np.sqrt(WIDTH // HEADS)
        scores = jnp.where(jnp.tri(CONTEXT, dtype=bool), scores, -jnp.inf)
        seen = jnp.einsum("bhqk,bhkd->bqhd", jax.nn.softmax(scores), value).reshape(BATCH, CONTEXT, WIDTH)
        x = x + seen @ block["output"].T
        hidden = jax.nn.gelu(normed(x, block["mlp_norm"]) @ block["up"].T, approximate=True)
        x = x + hidden @ block["down"].T
    return normed(x, model["norm"]) @ model["tokens"].T


def loss(model, windows):
    logs = jax.nn.log_softmax(logits(model, windows[:, :-1]))
    return -jnp.take_along_axis(logs, windows[:, 1:, None], -1).mean()


def rate(step):
    share = jnp.clip((step - WARMUP_STEPS) / (STEPS - WARMUP_STEPS), 0, 1)
    cosine = 0.1 + 0.9 * (1 + jnp.cos(np.pi * share)) / 2
    return PEAK_RATE * jnp.where(step < WARMUP_STEPS, step / WARMUP_STEPS, cosine)


def learn(model, m, v, key, step):
    next, key = random.split(key)
    starts = random.randint(key, (BATCH, 1), 0, len(TEXT) - CONTEXT)
    value, g = jax.value_and_grad(loss)(model, jnp.asarray(TEXT)[starts + np.arange(CONTEXT + 1)])
    norm = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(g)))
    g = jax.tree.map(lambda g: g * jnp.where(norm > 1, 1 / norm, 1), g)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
    update = lambda m, v: m / (1 - 0.9**step) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)
    model = jax.tree.map(lambda p, m, v: p - rate(step) * (update(m, v) + DECAY * p), model, m, v)
    return value, model, m, v, next


def losses(step):
    """The losses of all steps, one after the other."""
    weights, key = random.split(random.key(3))
    model = begin(weights)
    m, v = (jax.tree.map(jnp.zeros_like, model) for _ in range(2))
    for count in range(1, STEPS + 1):
        value, model, m, v, key = step(model, m, v, key, float(count))
        yield float(value)


def compiled(steps):
    """The losses of so many steps with the sizes of `main.rs`, compiled."""
    global WIDTH, HEADS, LAYERS, BATCH, CONTEXT, STEPS
    WIDTH, HEADS, LAYERS, BATCH, CONTEXT, STEPS = 128, 4, 2, 8, 64, steps
    return losses(jax.jit(learn, donate_argnums=(0, 1, 2)))


def speed():
    steps = compiled(101)
    next(steps)
    start = time.perf_counter()
    count = len(list(steps))
    print(f"{count * BATCH * CONTEXT / (time.perf_counter() - start):.0f} tokens per second")


if __name__ == "__main__":
    if "--speed" in sys.argv:
        speed()
    else:
        print("\n".join(f"{value:.6}," for value in losses(learn)))
