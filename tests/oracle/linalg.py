"""Linear algebra, as NumPy and SciPy compute it in double precision; JAX agrees."""

import jax
import numpy as np
import scipy.linalg
from jax import numpy as jnp

import common

jax.config.update("jax_enable_x64", True)

random = common.generator()


def well_conditioned(*shape):
    return random.standard_normal(shape) + 3 * np.eye(shape[-1])[::-1]


SMALL, LARGE = well_conditioned(2, 3, 3), well_conditioned(12, 12)
RIGHT, COLUMN = random.standard_normal((2, 3, 2)), random.standard_normal(12)
REAL = {"small": SMALL, "large": LARGE, "right": RIGHT, "column": COLUMN}
COMPLEX = {name: array + 1j * random.standard_normal(array.shape) for name, array in REAL.items()}


def with_positive(inputs):
    large, small = inputs["large"], inputs["small"]
    positive = large @ large.conj().T / 12 + np.eye(12)
    batch = small @ small.conj().swapaxes(1, 2) / 3 + np.eye(3)
    return {**inputs, "positive": positive, "positive_batch": batch}


def results(a):
    lower, upper = np.tril(a["positive"]), np.triu(a["positive"])
    solve = scipy.linalg.solve_triangular
    expected = {
        "cholesky": np.linalg.cholesky(a["positive"]),
        "cholesky_batch": np.linalg.cholesky(a["positive_batch"]),
        "solve": np.linalg.solve(a["large"], a["column"]),
        "solve_batch": np.linalg.solve(a["small"], a["right"]),
        "inv": np.linalg.inv(a["large"]),
        "inv_batch": np.linalg.inv(a["small"]),
        "det": np.linalg.det(a["large"]),
        "det_batch": np.linalg.det(a["small"]),
        "diagonal": np.diagonal(a["large"]),
        "diagonal_batch": np.diagonal(a["right"], axis1=-2, axis2=-1),
        "trace": np.trace(a["large"]),
        "trace_batch": np.trace(a["right"], axis1=-2, axis2=-1),
        "lower": solve(lower, a["column"], lower=True),
        "lower_batch": np.stack([solve(np.tril(matrix), columns, lower=True)
                                 for matrix, columns in zip(a["positive_batch"], a["right"])]),
        "upper": solve(upper, a["column"], lower=False),
        "transposed": solve(lower, a["column"], lower=True, trans=1),
        "unit": solve(lower, a["column"], lower=True, unit_diagonal=True),
    }
    for name, result in [("cholesky", jnp.linalg.cholesky(a["positive"])),
                         ("inv", jnp.linalg.inv(a["large"])), ("det", jnp.linalg.det(a["large"]))]:
        np.testing.assert_allclose(result, expected[name], rtol=1e-9)
    return expected


if __name__ == "__main__":
    arrays = {}
    for path, dtype in {**common.FLOATS, **common.COMPLEX}.items():
        complex_ = path in common.COMPLEX
        given = with_positive(COMPLEX if complex_ else REAL)
        inputs = {name: common.round_to(array, dtype) for name, array in given.items()}
        wide = {name: array.astype(np.complex128 if complex_ else np.float64)
                for name, array in inputs.items()}
        for name, array in {**inputs, **results(wide)}.items():
            arrays[f"{path}/{name}"] = common.round_to(np.asarray(array), dtype)
        arrays[f"{path}/condition"] = np.linalg.cond(wide["large"])
    common.save("linalg", arrays)
