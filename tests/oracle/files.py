"""The files that `dsl/tests/files.rs` includes. They need the package `safetensors` as well."""

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

import common

FOLDER = Path(__file__).parents[2] / "dsl/tests/files"


def matrix(dtype):
    return (np.arange(6).reshape(2, 3) % 2 if dtype == bool else np.arange(6).reshape(2, 3)).astype(dtype)


def main():
    types = {"bool": np.dtype(bool)} | common.INTEGERS | common.FLOATS | common.COMPLEX
    FOLDER.mkdir(exist_ok=True)
    for name, dtype in types.items():
        np.save(FOLDER / f"{name}.npy", matrix(dtype))
    np.save(FOLDER / "fortran.npy", np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4)))
    np.save(FOLDER / "big_endian.npy", np.arange(3, dtype=">i4"))
    np.save(FOLDER / "scalar.npy", np.float64(2.5))
    np.save(FOLDER / "empty.npy", np.zeros((0, 3), np.float32))
    names = [name for name in types if name != "c128"]
    tensors = {f"{name}.weight": matrix(types[name]) for name in names}
    tensors |= {"scalar": np.array(2.5), "empty": np.zeros((0, 3), np.float32)}
    save_file(tensors, FOLDER / "all.safetensors")


if __name__ == "__main__":
    main()
