//! Values that are used twice, and operators: what IREE computes while compiling, or in one go, if it sees
//! that operands are the same, and kernels of more elements than one dispatch adds products of.

use super::cases::Case;

pub(super) const USES: &[(&str, &[Case])] = &[
    (
        "reduced_constants",
        &[
            ("", "ones_like(x).sum()", "Tensor<f32>"),
            (
                "",
                "zeros_like(k).sum() + ones_like(k).sum()",
                "Tensor<i32>",
            ),
            ("", "(ones_like(x) * 2.0).prod()", "Tensor<f32>"),
            ("", "(ones_like(x) as i32).sum_axis(0)", "Tensor<i32, 6>"),
            (
                "",
                "ones::<f32, N, 6>().sum_axis(0) + x[0]",
                "Tensor<f32, 6>",
            ),
            ("", "ones_like(x).cumsum(0)", "Tensor<f32, N, 6>"),
            ("", "ones_like(x).mean() + x.mean()", "Tensor<f32>"),
        ],
    ),
    (
        "reduced_again",
        &[
            (
                "",
                "(y.minimum(x.sum_axis(1).insert_axis(1)), x.var_axis(1)).0 + x.var_axis(1).insert_axis(1)",
                "Tensor<f32, N, 6>",
            ),
            (
                "",
                "let s = x.max_axis(1); (x - s.insert_axis(1)).exp().sum_axis(1) * 2.0 - s.exp()",
                "Tensor<f32, N>",
            ),
        ],
    ),
    (
        "same_operands",
        &[
            ("", "k - k", "Tensor<i32, N, 6>"),
            ("", "(k + 0) - k", "Tensor<i32, N, 6>"),
            ("", "(k + 1) - (k + 1)", "Tensor<i32, N, 6>"),
            ("", "k - k.reverse(0)", "Tensor<i32, N, 6>"),
            ("", "x.to_bits() - x.to_bits()", "Tensor<u32, N, 6>"),
            (
                "",
                "x.to_bits() - y.to_bits().reverse(1)",
                "Tensor<u32, N, 6>",
            ),
            ("", "k * 0", "Tensor<i32, N, 6>"),
            ("", "k ^ k", "Tensor<i32, N, 6>"),
            ("", "k & 0", "Tensor<i32, N, 6>"),
            ("", "k % 1", "Tensor<i32, N, 6>"),
            ("", "zeros_like(k) - ones_like(k)", "Tensor<i32, N, 6>"),
            ("", "x - x", "Tensor<f32, N, 6>"),
            ("", "k == k", "Tensor<bool, N, 6>"),
            ("", "k != k", "Tensor<bool, N, 6>"),
            ("", "k < k", "Tensor<bool, N, 6>"),
            ("", "k <= k", "Tensor<bool, N, 6>"),
            ("", "k > k.reverse(0)", "Tensor<bool, N, 6>"),
            ("", "x.to_bits() >= x.to_bits()", "Tensor<bool, N, 6>"),
            ("", "x.to_bits() < y.to_bits()", "Tensor<bool, N, 6>"),
            ("", "m == m", "Tensor<bool, N, 6>"),
            ("", "m < m", "Tensor<bool, N, 6>"),
            ("", "m < m.reverse(0)", "Tensor<bool, N, 6>"),
            ("", "m >= m.reverse(0)", "Tensor<bool, N, 6>"),
            ("", "zeros_like(k) < ones_like(k)", "Tensor<bool, N, 6>"),
            ("", "select(k == k, x, x)", "Tensor<f32, N, 6>"),
            ("", "select(m, k, k) - k", "Tensor<i32, N, 6>"),
        ],
    ),
    (
        "repetitions",
        &[
            (
                "",
                "v.insert_axis(1).broadcast_to([2, N, 3]).repeat(2, 0)",
                "Tensor<f32, 4, N, 3>",
            ),
            (
                "",
                "v.insert_axis(0).broadcast_to([3, N]).repeat(2, 1)",
                "Tensor<f32, 3, {2 * N}>",
            ),
            (
                "",
                "v.insert_axis(1).broadcast_to([N, N]).insert_axis(2).broadcast_to([N, N, 2])",
                "Tensor<f32, N, N, 2>",
            ),
            (
                "",
                "v.broadcast_to([3, N]).insert_axis(0).broadcast_to([2, 3, N]).tile([2, 1, 2])",
                "Tensor<f32, 4, 3, {2 * N}>",
            ),
            (
                "",
                "i.insert_axis(1).broadcast_to([N, 3]).repeat(N, 1)",
                "Tensor<i32, N, {3 * N}>",
            ),
        ],
    ),
    (
        "large_kernels",
        &[
            (
                "",
                r#"conv!(photo, stem, padding = "same")"#,
                "Tensor<f32, 1, N, N, 8>",
            ),
            (
                "",
                r#"conv!(photo, stem, strides = [2, 2], padding = "same")"#,
                "Tensor<f32, 1, {(N + 1) / 2}, {(N + 1) / 2}, 8>",
            ),
        ],
    ),
];
