"""What the oracles share: element types, rounding, and the files."""

from pathlib import Path

import ml_dtypes
import numpy as np

DATA = Path(__file__).parent / "data"

INTEGERS = {f"{sign}{bits}": np.dtype(f"{sign}{bits // 8}")
            for sign in "iu" for bits in (8, 16, 32, 64)}
FLOATS = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
          "f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
COMPLEX = {"c64": np.dtype(np.complex64), "c128": np.dtype(np.complex128)}


def generator():
    """The source of random inputs, the same in each run."""
    return np.random.default_rng(2026)


def round_to(numbers, dtype):
    """Numbers of a wider type, rounded to an element type."""
    with np.errstate(all="ignore"):
        if dtype == FLOATS["bf16"]:
            return numbers.astype(np.float64).astype(np.float32).astype(dtype)
        return numbers.astype(dtype)


def save(family, arrays):
    """Writes the file of a family: arrays by their paths."""
    stored = {name: _stored(array) for name, array in sorted(arrays.items())}
    DATA.mkdir(exist_ok=True)
    path = DATA / f"{family}.npz"
    np.savez_compressed(path, **stored)
    print(f"{path}: {len(stored)} arrays, {path.stat().st_size} bytes")


def _stored(array):
    array = np.asarray(array, order="C")
    if array.dtype in (FLOATS["f16"], FLOATS["bf16"]):
        return array.view(np.uint16)
    return array
