"""Discrete Fourier transforms, as NumPy computes them in double precision; JAX agrees."""

import jax
import numpy as np
from jax import numpy as jnp

import common

jax.config.update("jax_enable_x64", True)

random = common.generator()

REAL = random.standard_normal((3, 60))
PRIME = random.standard_normal((2, 263))
COMPLEX = random.standard_normal((4, 5, 6)) + 1j * random.standard_normal((4, 5, 6))

RESULTS = {
    "fft_real": (np.fft.fft, jnp.fft.fft, REAL, {}),
    "fft_prime": (np.fft.fft, jnp.fft.fft, PRIME, {}),
    "rfft": (np.fft.rfft, jnp.fft.rfft, REAL, {}),
    "rfft_odd": (np.fft.rfft, jnp.fft.rfft, PRIME, {}),
    "fft": (np.fft.fft, jnp.fft.fft, COMPLEX, {}),
    "ifft": (np.fft.ifft, jnp.fft.ifft, COMPLEX, {}),
    "fft_axes": (np.fft.fftn, jnp.fft.fftn, COMPLEX, {"axes": (0, 2)}),
    "fft_all": (np.fft.fftn, jnp.fft.fftn, COMPLEX, {}),
    "ifft_axis": (np.fft.ifftn, jnp.fft.ifftn, COMPLEX, {"axes": (1,)}),
}

if __name__ == "__main__":
    arrays = {}
    for path, real, complex_ in [("f32", "f32", "c64"), ("f64", "f64", "c128")]:
        def store(name, array):
            dtype = common.COMPLEX[complex_] if np.iscomplexobj(array) else common.FLOATS[real]
            arrays[f"{path}/{name}"] = common.round_to(np.asarray(array), dtype)
            return arrays[f"{path}/{name}"]

        inputs = {id(array): store(name, array)
                  for name, array in [("real", REAL), ("prime", PRIME), ("complex", COMPLEX)]}
        for name, (numpy, jax_numpy, array, options) in RESULTS.items():
            rounded = inputs[id(array)]
            wide = rounded.astype(np.complex128 if np.iscomplexobj(rounded) else np.float64)
            result = numpy(wide, **options)
            np.testing.assert_allclose(jax_numpy(wide, **options), result, atol=1e-12)
            store(name, result)
    common.save("fourier", arrays)
