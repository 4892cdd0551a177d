"""Convolutions and pools, as JAX and Flax define them, in double precision."""

import jax
import numpy as np
from jax import lax

import common

jax.config.update("jax_enable_x64", True)

random = common.generator()


def numbers(*shape):
    return random.standard_normal(shape).astype(np.float32)


X1, W1 = numbers(2, 9, 3), numbers(4, 3, 5)
X2, W2 = numbers(2, 8, 7, 4), numbers(3, 2, 4, 6)
X3, W3 = numbers(1, 4, 5, 3, 2), numbers(2, 3, 2, 2, 3)
GROUPED, DEPTHWISE = numbers(3, 3, 2, 6), numbers(2, 2, 1, 8)

LAYOUTS = {3: ("NWC", "WIO", "NWC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NDHWC", "DHWIO", "NDHWC")}


def conv(x, w, strides=None, padding="VALID", layout=None, **options):
    count = x.ndim - 2
    return lax.conv_general_dilated(
        x.astype(np.float64), w.astype(np.float64), strides or (1,) * count, padding,
        dimension_numbers=layout or LAYOUTS[x.ndim], precision="highest", **options)


def conv_transpose(x, w, strides, padding, **options):
    return lax.conv_transpose(x.astype(np.float64), w.astype(np.float64), strides, padding,
                              dimension_numbers=LAYOUTS[x.ndim], precision="highest", **options)


def pool(x, init, combine, window, strides, padding="VALID", **options):
    whole = (1, *window, 1)
    if not isinstance(padding, str):
        padding = ((0, 0), *padding, (0, 0))
    return lax.reduce_window(x.astype(np.float64), init, combine, whole, (1, *strides, 1), padding,
                             **options)


def mean(x, window, strides, padding="VALID", count_padding=True):
    total = pool(x, 0.0, lax.add, window, strides, padding)
    ones = np.ones_like(x)
    count = pool(ones, 0.0, lax.add, window, strides, padding)
    return total / (np.prod(window) if count_padding else count)


RESULTS = {
    "conv_1d": conv(X1, W1),
    "conv_2d_same": conv(X2, W2, padding="SAME"),
    "conv_2d_strides": conv(X2, W2, (2, 3), "SAME"),
    "conv_2d_explicit": conv(X2, W2, padding=[(1, 2), (0, 3)], rhs_dilation=(2, 1)),
    "conv_2d_spread": conv(X2, W2, (1, 2), [(2, -1), (1, 1)], lhs_dilation=(2, 3)),
    "conv_2d_groups": conv(X2, GROUPED, padding="SAME", feature_group_count=2),
    "conv_2d_depthwise": conv(X2, DEPTHWISE, feature_group_count=4),
    "conv_3d": conv(X3, W3, (1, 2, 1), "SAME"),
    "conv_layout": conv(X2.transpose(0, 3, 1, 2), W2.transpose(3, 2, 0, 1), padding="SAME",
                        layout=("NCHW", "OIHW", "CNHW")),
    "conv_transpose_same": conv_transpose(X2, W2, (2, 3), "SAME"),
    "conv_transpose_valid": conv_transpose(X2, W2, (2, 3), "VALID"),
    "conv_transpose_explicit": conv_transpose(X2, W2, (2, 2), [(1, 1), (0, 2)], rhs_dilation=(1, 2)),
    "conv_transpose_1d": conv_transpose(X1, W1, (3,), "SAME"),
    "max_pool": pool(X2, -np.inf, lax.max, (2, 2), (2, 2)),
    "max_pool_same": pool(X2, -np.inf, lax.max, (3, 2), (2, 1), "SAME"),
    "max_pool_3d": pool(X3, -np.inf, lax.max, (2, 2, 2), (1, 1, 1)),
    "avg_pool": mean(X2, (2, 3), (2, 3)),
    "avg_pool_same": mean(X2, (3, 3), (1, 2), "SAME"),
    "avg_pool_without_padding": mean(X2, (3, 3), (1, 2), "SAME", count_padding=False),
    "windows_sum": lax.reduce_window(X2.astype(np.float64), 0.0, lax.add, (1, 3, 2, 2), (1, 2, 1, 2),
                                     [(0, 0), (1, 1), (0, 2), (0, 0)]),
    "windows_least": lax.reduce_window(X1.astype(np.float64), np.inf, lax.min, (1, 2, 1), (1, 2, 1),
                                       "VALID", window_dilation=(1, 3, 1), base_dilation=(1, 2, 1)),
}

INPUTS = {"x1": X1, "w1": W1, "x2": X2, "w2": W2, "x3": X3, "w3": W3, "grouped": GROUPED,
          "depthwise": DEPTHWISE, "planes": X2.transpose(0, 3, 1, 2),
          "filters": W2.transpose(3, 2, 0, 1)}

if __name__ == "__main__":
    arrays = {f"f32/{name}": array for name, array in INPUTS.items()}
    for name, result in RESULTS.items():
        arrays[f"f32/{name}"] = common.round_to(np.asarray(result), common.FLOATS["f32"])
    common.save("window", arrays)
