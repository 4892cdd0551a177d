"""The steps of `main.rs` in JAX. Prints the microseconds of a step that is waited for and of one that is queued, and the
loss of the last step of the first turn."""

import functools
import statistics
import sys
import time

import jax
import jax.numpy as jnp

jax.config.update("jax_platforms", "cpu")

STEPS, TURNS = int(sys.argv[1]), int(sys.argv[2])
BATCH, FEATURES, HIDDEN, CLASSES = 64, 784, 128, 10


@functools.partial(jax.jit, donate_argnums=0)
def step(weights, x, y):
    hidden, output = weights
    y = jax.nn.one_hot(y, CLASSES)
    activation = jnp.tanh(x @ hidden)
    log_likelihood = jax.nn.log_softmax(activation @ output)
    by_output = (jnp.exp(log_likelihood) - y) / BATCH
    by_hidden = by_output @ output.T * (1 - activation * activation)
    hidden = hidden - 0.1 * x.T @ by_hidden
    output = output - 0.1 * activation.T @ by_output
    return (hidden, output), -(y * log_likelihood).sum() / BATCH


def first(rows, columns, function):
    return function(jnp.arange(rows * columns, dtype=jnp.float32).reshape(rows, columns)) * 0.05


row, column = jnp.arange(BATCH)[:, None], jnp.arange(FEATURES)
x = ((row * 31 + column * 17) % 23).astype(jnp.float32) / 23
y = (jnp.arange(BATCH) % 10).astype(jnp.int32)


def turns(waits):
    weights = first(FEATURES, HIDDEN, jnp.sin), first(HIDDEN, CLASSES, jnp.cos)
    first_loss, times = None, []
    for _ in range(TURNS + 1):
        start = time.perf_counter()
        for _ in range(STEPS):
            weights, loss = step(weights, x, y)
            if waits:
                loss.block_until_ready()
        loss.block_until_ready()
        times.append(1e6 * (time.perf_counter() - start) / STEPS)
        first_loss = loss if first_loss is None else first_loss
    return statistics.median(times[1:]), float(first_loss)


(waited, loss), (queued, _) = turns(True), turns(False)
print(waited, queued, loss)
