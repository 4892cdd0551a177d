"""The files that `dsl/tests/files.rs` and `dsl/tests/archives.rs` read. They need the package `safetensors` and the
tools of IREE's Python package as well."""

import subprocess

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
    arrays = {f"{name}.weight": matrix(dtype) for name, dtype in types.items()}
    arrays |= {"scalar": np.array(2.5), "empty": np.zeros((0, 3), np.float32)}
    arrays |= {"fortran": np.load(FOLDER / "fortran.npy"), "big_endian": np.load(FOLDER / "big_endian.npy")}
    np.savez(FOLDER / "all.npz", **arrays)
    np.savez_compressed(FOLDER / "packed.npz", **arrays)
    source = FOLDER / "all.safetensors"
    subprocess.run(["iree-convert-parameters", f"--parameters={source}", f"--output={FOLDER / 'all.irpa'}"], check=True)
    repeated = ["--splat=zeros=2x3xf32=0", "--splat=sevens=3xi16=7"]
    subprocess.run(["iree-create-parameters", *repeated, f"--output={FOLDER / 'repeated.irpa'}"], check=True)


if __name__ == "__main__":
    main()
