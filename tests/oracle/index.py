"""Elements moved, looked up, combined at places, put in order, and added up along an axis.

The inputs are `TYPE/x` and `TYPE/updates`; `TYPE/OPERATION` is a result. Places are the same for all types, and written
out in the test: some lie outside the tensor.
"""

import jax
import jax.numpy as jnp
import numpy as np

import common

jax.config.update("jax_enable_x64", True)

ROWS, COLUMNS = 4, 6
PLACES = np.array([2, 0, 5, 2, 9], np.int32)
ALONG = np.array([[0, 5, 2], [1, 1, 1], [4, 3, 0], [2, 2, 9]], np.int32)
KEYS = np.array([3, 1, 2, 1, 3, 0], np.int32)
TYPES = {
    "bool": np.dtype(bool),
    **{name: common.INTEGERS[name] for name in ("u8", "i32")},
    **{name: common.FLOATS[name] for name in ("bf16", "f32", "f64")},
    "c64": common.COMPLEX["c64"],
}


def inputs(dtype, random):
    """Small numbers, many of them equal; of floating-point types, with what is not finite."""
    numbers = random.integers(-3, 4, (ROWS, COLUMNS))
    updates = random.integers(-2, 3, (ROWS, len(PLACES)))
    if dtype.kind in "bu":
        numbers, updates = np.abs(numbers), np.abs(updates)
    x, updates = numbers.astype(dtype), updates.astype(dtype)
    if dtype in common.FLOATS.values():
        x = x / np.asarray(4, dtype)
        x[0, 1:4], x[2, 2], x[3, 0] = [np.nan, np.inf, -np.inf], np.nan, -0.0
    if dtype.kind == "c":
        x = x + np.asarray(0.5j, dtype) * x[::-1]
    return x, updates


def moved(x, updates):
    """What every element type has. Places outside are moved for what is read, and left out for what is
    written."""
    inside = np.clip(PLACES, 0, COLUMNS - 1)
    return {
        "reverse": jnp.flip(x, 1),
        "roll": jnp.roll(x, 2, 0),
        "roll_back": jnp.roll(x, -8, 1),
        "repeat": jnp.repeat(x, 3, 0),
        "tile": jnp.tile(x, (2, 1, 2)),
        "pad": jax.lax.pad(x, np.ones((), x.dtype), [(1, -1, 1), (-2, 3, 0)]),
        "take": jnp.take(x, inside, 1),
        "take_along_axis": jnp.take_along_axis(x, np.clip(ALONG, 0, COLUMNS - 1), 1),
        # The places that occur twice have the same update, since JAX leaves open which one stays.
        "scatter": jnp.asarray(x).at[:, PLACES].set(updates[:, [0, 1, 2, 0, 4]], mode="drop"),
        "sort_by_key": jnp.take(x, np.argsort(KEYS, stable=True), 1),
    }


def ordered(x, updates):
    """What all types but complex ones have."""
    at = jnp.asarray(x).at[:, PLACES]
    falling = np.asarray(jnp.argsort(x, 1, descending=True, stable=True))
    if x.dtype in common.FLOATS.values():
        # JAX puts NaN first in falling order.
        nan = np.isnan(np.take_along_axis(x, falling, 1).astype(np.float64))
        last = np.argsort(nan, 1, kind="stable")
        falling = np.take_along_axis(falling, last, 1)
    numbers = x.astype(np.int8) if x.dtype.kind == "b" else x
    return {
        "scatter_max": at.max(updates, mode="drop"),
        "scatter_min": at.min(updates, mode="drop"),
        "cummax": np.asarray(jax.lax.cummax(numbers, 1)).astype(x.dtype),
        "cummin": np.asarray(jax.lax.cummin(numbers, 0)).astype(x.dtype),
        "sort": jnp.sort(x, 1, stable=True),
        "sort_columns": jnp.sort(x, 0, stable=True),
        "argsort": jnp.argsort(x, 1, stable=True).astype(np.int32),
        "top_k_values": np.take_along_axis(x, falling[:, :3], 1),
        "top_k_indices": falling[:, :3].astype(np.int32),
    }


def summed(x, updates):
    """What all types but `bool` have."""
    at = jnp.asarray(x).at[:, PLACES]
    return {
        "scatter_add": at.add(updates, mode="drop"),
        "scatter_mul": at.multiply(updates, mode="drop"),
        "cumsum": jnp.cumsum(x, 1, dtype=x.dtype),
        "cumprod": jnp.cumprod(x, 0, dtype=x.dtype),
    }


def spread(x, dtype):
    """What types with fractions have, computed in wider numbers."""
    wide = x.astype(np.clongdouble if dtype.kind == "c" else np.longdouble)
    mean, variance = wide.mean(1, keepdims=True), wide.var(1, keepdims=True)
    real = np.zeros((), dtype).real.dtype if dtype.kind == "c" else dtype
    results = {
        "var": (wide.var(), real),
        "std": (wide.std(ddof=1), real),
        "var_axis": (wide.var(0, ddof=1), real),
        "std_axis": (wide.std((0, 1)), real),
        "normalize_axis": ((wide - mean) / np.sqrt(variance + 1e-5), dtype),
    }
    return {name: common.round_to(result, kind) for name, (result, kind) in results.items()}


def main():
    random, arrays = common.generator(), {}
    for name, dtype in TYPES.items():
        x, updates = inputs(dtype, random)
        results = {"x": x, "updates": updates} | moved(x, updates)
        if dtype.kind != "c":
            results |= ordered(x, updates)
        if dtype.kind != "b":
            results |= summed(x, updates)
        if dtype.kind == "c" or dtype in common.FLOATS.values():
            finite = np.where(np.isfinite(x), x, np.ones((), dtype)).astype(dtype)
            results |= {"finite": finite} | spread(finite, dtype)
        arrays |= {f"{name}/{key}": np.asarray(result) for key, result in results.items()}
    common.save("index", arrays)


if __name__ == "__main__":
    main()
