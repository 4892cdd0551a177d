"""The loops of `rounds.rs` in JAX. Reads a name and a number on each line, and answers with the result and
with the microseconds that a call takes."""

import sys
import time

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


@jax.jit
def collatz(start):
    def odd_or_even(n):
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1)

    def body(state):
        n, steps = state
        return odd_or_even(n), steps + 1

    first = (start, jnp.int32(0))
    return jax.lax.while_loop(lambda state: state[0] != 1, body, first)[1]


@jax.jit
def root(x):
    def body(state):
        guess, _ = state
        following = 0.5 * (guess + x / guess)
        return following, jnp.abs(following - guess)

    first = (x, jnp.float32(jnp.inf))
    return jax.lax.while_loop(lambda state: state[1] > 1e-3, body, first)[0]


@jax.jit
def iterate(rounds):
    row = jnp.arange(64, dtype=jnp.float32)
    weights = (row[:, None] - row[None, :]) * 0.01

    def body(_, x):
        return jnp.tanh(weights @ x + 0.1)

    return jax.lax.fori_loop(0, rounds, body, jnp.zeros(64, jnp.float32)).sum()


@jax.jit
def nested(rounds):
    def inner(i, count):
        return jax.lax.fori_loop(0, i, lambda j, count: count + (i * j) % 7, count)

    return jax.lax.fori_loop(0, rounds, inner, jnp.int32(0))


ARGUMENTS = {"collatz": jnp.int64, "root": jnp.float32, "iterate": jnp.int32, "nested": jnp.int32}

for line in sys.stdin:
    name, number = line.split()
    function = globals()[name]
    argument = ARGUMENTS[name](float(number))
    result = function(argument).item()
    calls = 0
    start = time.perf_counter()
    while (taken := time.perf_counter() - start) < 0.2:
        function(argument).block_until_ready()
        calls += 1
    print(result, 1e6 * taken / calls, flush=True)
