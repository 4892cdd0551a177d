"""Contractions, as NumPy computes them in double precision; JAX agrees."""

import jax
import numpy as np
from jax import numpy as jnp

import common

jax.config.update("jax_enable_x64", True)

random = common.generator()


def numbers(*shape):
    return random.standard_normal(shape).astype(np.float32)


INPUTS = {"q": numbers(2, 5, 3, 4), "k": numbers(2, 6, 3, 4), "m": numbers(4, 7), "s": numbers(5, 5),
          "c": numbers(3, 5, 3), "u": numbers(6), "v": numbers(4)}


def einsum(notation, *names):
    operands = [INPUTS[name].astype(np.float64) for name in names]
    result = np.einsum(notation, *operands)
    np.testing.assert_allclose(jnp.einsum(notation, *operands, precision="highest"), result, atol=1e-12)
    return result


RESULTS = {
    "attention": einsum("bqhd,bkhd->bhqk", "q", "k"),
    "chain": einsum("bqhd,bkhd,dm->mkq", "q", "k", "m"),
    "trace": einsum("ii", "s"),
    "diagonal": einsum("ii->i", "s"),
    "twice": einsum("aba,bc->ca", "c", "s"),
    "implicit": einsum("ba", "m"),
    "summed": einsum("bqhd,dm->h", "q", "m"),
    "outer": einsum("i,j->ij", "u", "v"),
    "general": einsum("bqhd,bkhd->bdqk", "q", "k"),
}

if __name__ == "__main__":
    arrays = {f"f32/{name}": array for name, array in INPUTS.items()}
    for name, result in RESULTS.items():
        arrays[f"f32/{name}"] = common.round_to(np.asarray(result), common.FLOATS["f32"])
    common.save("contract", arrays)
