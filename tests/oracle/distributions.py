"""Random numbers, from JAX. Its default generator is the definition of ours, so that most results are
equal bit for bit; see `dsl/tests/oracle/distributions.rs` for those that are not. Normal numbers are computed
with mpmath from the uniform ones that JAX draws for them: its own inverse of the error function is off by some tens
of units in the last place where few numbers are."""

import functools

import jax
import jax.numpy as jnp
import mpmath
import numpy as np

import common

jax.config.update("jax_enable_x64", True)
assert jax.config.jax_threefry_partitionable

SEEDS = np.array([0, 42, -1, 2**40 + 5, -2**63], np.int64)
LARGE = 65539
STRIDE = 641
COUNT = 131
MANY = 2048

# How far JAX may be from mpmath, in units in the last place.
TAIL = 32


def each(draw):
    """What is drawn for each seed."""
    return np.stack([np.asarray(draw(jax.random.key(seed))) for seed in SEEDS])


def shaped(arrays, name, draw):
    """Scalars, and tensors of a few and of many elements; of those the sum of all and some of them."""
    arrays[f"{name}_scalar"] = each(lambda key: draw(key, ()))
    arrays[f"{name}_small"] = each(lambda key: draw(key, (3, 5)))
    large = each(lambda key: draw(key, (LARGE,)))
    arrays[f"{name}_large"] = large[:, ::STRIDE]
    bits = large.view(f"u{large.itemsize}").astype(np.uint64)
    arrays[f"{name}_sum"] = bits.sum(axis=1, dtype=np.uint64)


def keys():
    arrays = {"seed": SEEDS}
    data = jax.random.key_data
    arrays["key"] = each(data)
    arrays["split"] = each(lambda key: data(jax.random.split(key, 5)))
    arrays["fold_in"] = each(lambda key: data(jax.random.fold_in(key, 77)))
    narrow = SEEDS[:3].astype(np.int32)
    arrays["narrow_seed"] = narrow
    arrays["narrow_key"] = np.stack([data(jax.random.key(seed)) for seed in narrow])
    return arrays


@functools.cache
def quantile(number):
    """The number below which a normal one is as often as a uniform one from -1 to 1 is below this."""
    return mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(number))


def rounded(exact, dtype):
    return common.round_to(np.array([float(number) for number in exact]), np.dtype(dtype))


def quantiles(dtype, bounds, theirs):
    """Normal numbers of uniform ones between bounds, next to which those of JAX must be."""
    uniform = each(lambda key: jax.random.uniform(key, (MANY,), dtype, *bounds))
    right = rounded([quantile(float(number)) for number in uniform.flat], dtype)
    right = right.reshape(uniform.shape)
    wide, theirs = right.astype(np.float64), each(theirs).astype(np.float64)
    unit = np.maximum(np.abs(wide), 1) * float(jnp.finfo(dtype).eps)
    assert (np.abs(wide - theirs) <= TAIL * unit).all(), dtype
    return right


def normal(dtype):
    # The inverse of the error function has no value at -1.
    least = np.nextafter(np.array(-1, dtype), np.array(0, dtype))
    return quantiles(dtype, (least, 1), lambda key: jax.random.normal(key, (MANY,), dtype))


def truncated(dtype, low, high):
    root = np.array(np.sqrt(2), dtype)
    bounds = [mpmath.erf(float(np.array(bound, dtype) / root)) for bound in (low, high)]
    return quantiles(dtype, rounded(bounds, dtype), lambda key: jax.random.truncated_normal(
        key, low, high, (MANY,), dtype))


def bounds(dtype):
    """Pairs of bounds, the last of which include no number."""
    info = np.iinfo(dtype)
    pairs = [(0, 10), (3, 100), (info.min, info.max), (7, 8), (info.max - 1, info.max), (9, 9), (20, 10)]
    return np.array(pairs, dtype)


def integers(dtype):
    info = np.iinfo(dtype)
    unsigned = f"uint{info.bits}"
    wide = np.int64 if info.bits < 64 else np.dtype(dtype).type
    arrays = {}
    shaped(arrays, "bits", lambda key, shape: jax.random.bits(key, shape, unsigned).astype(dtype))

    def randint(low, high):
        low, high = wide(low), wide(high)
        return each(lambda key: jax.random.randint(key, (COUNT,), low, high, dtype))

    arrays["dice"] = randint(1, 7)
    arrays["wide"] = randint(info.min + 1, info.max)
    if info.bits < 64:
        arrays["all"] = randint(info.min, info.max + 1)
    pairs = bounds(dtype)
    arrays["low"], arrays["high"] = pairs.T
    arrays["computed"] = np.stack([randint(low, high)[0] for low, high in pairs])
    return arrays


def floats(dtype):
    arrays = {}
    shaped(arrays, "uniform", lambda key, shape: jax.random.uniform(key, shape, dtype))
    arrays["exact_range"] = each(
        lambda key: jax.random.uniform(key, (COUNT,), dtype, -1.5, 2.5))
    arrays["range"] = each(lambda key: jax.random.uniform(key, (COUNT,), dtype, -1.3, 1.9))
    arrays["normal"] = normal(dtype)
    arrays["truncated"] = truncated(dtype, -0.5, 2.0)
    probability = np.linspace(0, 1, 11).astype(dtype)
    arrays["probability"] = probability
    arrays["bernoulli"] = each(lambda key: jax.random.bernoulli(key, probability, (23, 11)))
    logits = common.round_to(common.generator().normal(size=(4, 9)), np.dtype(dtype))
    arrays["logits"] = logits
    arrays["categorical"] = each(lambda key: jax.random.categorical(key, logits).astype(np.int32))
    arrays["categorical_first"] = each(
        lambda key: jax.random.categorical(key, logits, axis=0).astype(np.int32))
    arrays["categorical_many"] = each(
        lambda key: jax.random.categorical(key, logits, shape=(20, 4)).astype(np.int32))
    return arrays


def complex_numbers(dtype):
    return {"normal": each(lambda key: jax.random.normal(key, (COUNT,), dtype))}


def permutations():
    matrix = np.arange(77 * 2, dtype=np.int32).reshape(77, 2)
    return {
        "range": each(lambda key: jax.random.permutation(key, 1000).astype(np.int32)),
        "long": each(lambda key: jax.random.permutation(key, 5000).astype(np.int32))[:2],
        "one": each(lambda key: jax.random.permutation(key, 1).astype(np.int32)),
        "rows": each(lambda key: jax.random.permutation(key, jnp.asarray(matrix))),
        "columns": each(lambda key: jax.random.permutation(key, jnp.asarray(matrix.T), axis=1)),
    }


def main():
    arrays = {}
    families = {"keys": keys(), "permutation": permutations()}
    families |= {name: integers(dtype) for name, dtype in common.INTEGERS.items()}
    families |= {name: floats(dtype) for name, dtype in common.FLOATS.items()}
    families |= {name: complex_numbers(dtype) for name, dtype in common.COMPLEX.items()}
    for family, members in families.items():
        arrays |= {f"{family}/{name}": array for name, array in members.items()}
    common.save("distributions", arrays)


if __name__ == "__main__":
    main()
