//! The cases, by the groups of the guide's table.

use crate::device::HostTensor;
use num_complex::Complex32;

/// The name of the operation, an expression with it, and the type of the result.
pub(super) type Case = (&'static str, &'static str, &'static str);

/// What an expression may mention: a name, its type, and what is handed in for a size.
pub(super) type Parameter = (&'static str, &'static str, fn(usize) -> HostTensor);

/// What cannot be done without knowing a size.
#[derive(Clone, Copy)]
pub(super) struct Refused {
    pub(super) operation: &'static str,
    pub(super) expression: &'static str,
    /// The type that the result would have.
    pub(super) result: &'static str,
    /// Part of what is said.
    pub(super) message: &'static str,
}

/// What has no tensors with sizes, or is tested with them elsewhere.
pub(super) const ELSEWHERE: &[&str] = &[
    "debug_shape!",
    "assert!",
    "trace!",
    "include_npy!",
    "include_safetensors!",
    "random::key",
    "random::fold_in",
];

pub(super) const CASES: &[(&str, &[Case])] = &[
    (
        "unary",
        &[
            ("abs", "x.abs()", "Tensor<f32, N, 6>"),
            ("signum", "x.signum()", "Tensor<f32, N, 6>"),
            ("floor", "x.floor()", "Tensor<f32, N, 6>"),
            ("ceil", "x.ceil()", "Tensor<f32, N, 6>"),
            ("round", "x.round()", "Tensor<f32, N, 6>"),
            (
                "round_ties_even",
                "x.round_ties_even()",
                "Tensor<f32, N, 6>",
            ),
            ("trunc", "x.trunc()", "Tensor<f32, N, 6>"),
            ("fract", "x.fract()", "Tensor<f32, N, 6>"),
            ("recip", "x.recip()", "Tensor<f32, N, 6>"),
            ("sqrt", "x.sqrt()", "Tensor<f32, N, 6>"),
            ("rsqrt", "x.rsqrt()", "Tensor<f32, N, 6>"),
            ("cbrt", "x.cbrt()", "Tensor<f32, N, 6>"),
            ("exp", "x.exp()", "Tensor<f32, N, 6>"),
            ("exp2", "x.exp2()", "Tensor<f32, N, 6>"),
            ("exp_m1", "x.exp_m1()", "Tensor<f32, N, 6>"),
            ("ln", "x.ln()", "Tensor<f32, N, 6>"),
            ("ln_1p", "x.ln_1p()", "Tensor<f32, N, 6>"),
            ("log2", "x.log2()", "Tensor<f32, N, 6>"),
            ("log10", "x.log10()", "Tensor<f32, N, 6>"),
            ("sin", "x.sin()", "Tensor<f32, N, 6>"),
            ("cos", "x.cos()", "Tensor<f32, N, 6>"),
            ("tan", "x.tan()", "Tensor<f32, N, 6>"),
            ("asin", "x.asin()", "Tensor<f32, N, 6>"),
            ("acos", "x.acos()", "Tensor<f32, N, 6>"),
            ("atan", "x.atan()", "Tensor<f32, N, 6>"),
            ("sinh", "x.sinh()", "Tensor<f32, N, 6>"),
            ("cosh", "x.cosh()", "Tensor<f32, N, 6>"),
            ("tanh", "x.tanh()", "Tensor<f32, N, 6>"),
            ("asinh", "x.asinh()", "Tensor<f32, N, 6>"),
            ("acosh", "x.acosh()", "Tensor<f32, N, 6>"),
            ("atanh", "x.atanh()", "Tensor<f32, N, 6>"),
            ("erf", "x.erf()", "Tensor<f32, N, 6>"),
            ("erfc", "x.erfc()", "Tensor<f32, N, 6>"),
            ("erf_inv", "x.erf_inv()", "Tensor<f32, N, 6>"),
            ("lgamma", "x.lgamma()", "Tensor<f32, N, 6>"),
            ("digamma", "x.digamma()", "Tensor<f32, N, 6>"),
            ("sigmoid", "x.sigmoid()", "Tensor<f32, N, 6>"),
            ("relu", "x.relu()", "Tensor<f32, N, 6>"),
            ("gelu", "x.gelu()", "Tensor<f32, N, 6>"),
            ("gelu_tanh", "x.gelu_tanh()", "Tensor<f32, N, 6>"),
            ("silu", "x.silu()", "Tensor<f32, N, 6>"),
            ("softplus", "x.softplus()", "Tensor<f32, N, 6>"),
            ("is_finite", "x.is_finite()", "Tensor<bool, N, 6>"),
            ("is_nan", "x.is_nan()", "Tensor<bool, N, 6>"),
            ("is_infinite", "x.is_infinite()", "Tensor<bool, N, 6>"),
            ("count_ones", "k.count_ones()", "Tensor<i32, N, 6>"),
            ("leading_zeros", "k.leading_zeros()", "Tensor<i32, N, 6>"),
            ("powi", "x.powi(3)", "Tensor<f32, N, 6>"),
            ("to_bits", "x.to_bits()", "Tensor<u32, N, 6>"),
            ("conj", "z.conj()", "Tensor<Complex<f32>, N, 6>"),
            ("re", "z.re()", "Tensor<f32, N, 6>"),
            ("im", "z.im()", "Tensor<f32, N, 6>"),
        ],
    ),
    (
        "binary",
        &[
            ("maximum", "x.maximum(y)", "Tensor<f32, N, 6>"),
            ("minimum", "x.minimum(y)", "Tensor<f32, N, 6>"),
            ("powf", "x.powf(y)", "Tensor<f32, N, 6>"),
            ("atan2", "x.atan2(y)", "Tensor<f32, N, 6>"),
            ("hypot", "x.hypot(y)", "Tensor<f32, N, 6>"),
            ("copysign", "x.copysign(y)", "Tensor<f32, N, 6>"),
            ("rem_euclid", "x.rem_euclid(y)", "Tensor<f32, N, 6>"),
            ("complex", "complex(x, y)", "Tensor<Complex<f32>, N, 6>"),
            ("select", "select(m, x, y)", "Tensor<f32, N, 6>"),
            ("clamp", "x.clamp(-0.5, 0.5)", "Tensor<f32, N, 6>"),
            ("mul_add", "x.mul_add(y, x)", "Tensor<f32, N, 6>"),
        ],
    ),
    (
        "build",
        &[
            ("eye", "x + eye::<f32, N, 6>()", "Tensor<f32, N, 6>"),
            ("arange", "v + arange::<f32, N>()", "Tensor<f32, N>"),
            (
                "linspace",
                "v + linspace::<f32, N>(-1.0, 1.0)",
                "Tensor<f32, N>",
            ),
            ("tri_lower", "x.tri_lower()", "Tensor<f32, N, 6>"),
            ("tri_upper", "x.tri_upper(1)", "Tensor<f32, N, 6>"),
            ("zeros", "x + zeros::<f32, N, 6>()", "Tensor<f32, N, 6>"),
            ("ones", "x + ones::<f32, N, 6>()", "Tensor<f32, N, 6>"),
            ("full", "x + full::<f32, N, 6>(2.5)", "Tensor<f32, N, 6>"),
            ("iota", "x + iota::<f32, N, 6>(0)", "Tensor<f32, N, 6>"),
            ("zeros_like", "zeros_like(x)", "Tensor<f32, N, 6>"),
            ("ones_like", "ones_like(x)", "Tensor<f32, N, 6>"),
            ("full_like", "full_like(x, 2.5)", "Tensor<f32, N, 6>"),
            (
                "tensor",
                "x + tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])",
                "Tensor<f32, N, 6>",
            ),
            ("cast", "x.cast::<f64>()", "Tensor<f64, N, 6>"),
            (
                "from_bits",
                "x.to_bits().from_bits::<f32>()",
                "Tensor<f32, N, 6>",
            ),
            ("stop_gradient", "x.stop_gradient()", "Tensor<f32, N, 6>"),
        ],
    ),
    (
        "shape",
        &[
            ("shape", "x.reshape(y.shape())", "Tensor<f32, N, 6>"),
            ("dim", "x / x.dim(0) as f32", "Tensor<f32, N, 6>"),
            ("rank", "x / x.rank() as f32", "Tensor<f32, N, 6>"),
            ("len", "x / x.len() as f32", "Tensor<f32, N, 6>"),
            ("reshape", "x.reshape([-1, 2])", "Tensor<f32, {3 * N}, 2>"),
            ("reshape", "x.reshape([3, N, 2])", "Tensor<f32, 3, N, 2>"),
            ("flatten", "x.flatten()", "Tensor<f32, {6 * N}>"),
            ("t", "x.t()", "Tensor<f32, 6, N>"),
            ("permute", "x.permute([1, 0])", "Tensor<f32, 6, N>"),
            ("swap_axes", "x.swap_axes(0, 1)", "Tensor<f32, 6, N>"),
            ("insert_axis", "x.insert_axis(1)", "Tensor<f32, N, 1, 6>"),
            (
                "remove_axis",
                "x.insert_axis(0).remove_axis(0)",
                "Tensor<f32, N, 6>",
            ),
            (
                "broadcast_to",
                "v.insert_axis(1).broadcast_to([2, N, 3])",
                "Tensor<f32, 2, N, 3>",
            ),
            ("reverse", "x.reverse(0)", "Tensor<f32, N, 6>"),
            ("reverse", "x.reverse([0, 1])", "Tensor<f32, N, 6>"),
            ("roll", "x.roll(2, 1)", "Tensor<f32, N, 6>"),
            ("roll", "x.roll(2, 0)", "Tensor<f32, N, 6>"),
            ("roll", "x.t().roll(-7, -1)", "Tensor<f32, 6, N>"),
            ("repeat", "x.repeat(3, 0)", "Tensor<f32, {3 * N}, 6>"),
            ("tile", "x.tile([2, 1])", "Tensor<f32, {2 * N}, 6>"),
            (
                "slice",
                "x.slice(s![..-1, 2..4])",
                "Tensor<f32, {N - 1}, 2>",
            ),
            ("slice", "x.slice(s![1.., ..;2])", "Tensor<f32, {N - 1}, 3>"),
            ("repeat", "v.repeat(N, 0)", "Tensor<f32, {N * N}>"),
            (
                "repeat",
                "x.repeat(y.dim(0) - 1, 1)",
                "Tensor<f32, N, {6 * N - 6}>",
            ),
            ("tile", "v.tile([N, 2])", "Tensor<f32, N, {2 * N}>"),
            (
                "split",
                "{ let [a, b] = x.split(2, 1); a + b }",
                "Tensor<f32, N, 3>",
            ),
            (
                "split",
                "{ let [a, b, c, d, e] = x.split(5, 0); a + b * c - d * e }",
                "Tensor<f32, {N / 5}, 6>",
            ),
            (
                "pad!",
                "pad!(x, low = [1, 0], high = [2, 1], value = 0.5)",
                "Tensor<f32, {N + 3}, 7>",
            ),
            (
                "pad!",
                "pad!(x, low = [1, 0], interior = [2, 1], value = 0.5)",
                "Tensor<f32, {3 * N - 1}, 11>",
            ),
            (
                "concatenate",
                "concatenate([x, y], 0)",
                "Tensor<f32, {2 * N}, 6>",
            ),
            (
                "concatenate",
                "concatenate([x, y], 1)",
                "Tensor<f32, N, 12>",
            ),
            ("stack", "stack([x, y], 0)", "Tensor<f32, 2, N, 6>"),
        ],
    ),
    (
        "reduce",
        &[
            ("sum", "x.sum()", "Tensor<f32>"),
            ("prod", "x.prod()", "Tensor<f32>"),
            ("max", "x.max()", "Tensor<f32>"),
            ("min", "x.min()", "Tensor<f32>"),
            ("mean", "x.mean()", "Tensor<f32>"),
            ("var", "x.var()", "Tensor<f32>"),
            ("std", "x.std()", "Tensor<f32>"),
            ("all", "m.all()", "Tensor<bool>"),
            ("any", "m.any()", "Tensor<bool>"),
            ("sum_axis", "x.sum_axis(0)", "Tensor<f32, 6>"),
            ("prod_axis", "x.prod_axis(0)", "Tensor<f32, 6>"),
            ("max_axis", "x.max_axis(0)", "Tensor<f32, 6>"),
            ("min_axis", "x.min_axis(0)", "Tensor<f32, 6>"),
            ("mean_axis", "x.mean_axis(0)", "Tensor<f32, 6>"),
            ("var_axis", "x.var_axis(0)", "Tensor<f32, 6>"),
            ("std_axis", "x.std_axis(0)", "Tensor<f32, 6>"),
            ("sum_axis", "x.sum_axis(1)", "Tensor<f32, N>"),
            ("prod_axis", "x.prod_axis(1)", "Tensor<f32, N>"),
            ("max_axis", "x.max_axis(1)", "Tensor<f32, N>"),
            ("min_axis", "x.min_axis(1)", "Tensor<f32, N>"),
            ("mean_axis", "x.mean_axis(1)", "Tensor<f32, N>"),
            ("var_axis", "x.var_axis(1)", "Tensor<f32, N>"),
            ("std_axis", "x.std_axis(1)", "Tensor<f32, N>"),
            ("all_axis", "m.all_axis(0)", "Tensor<bool, 6>"),
            ("any_axis", "m.any_axis(0)", "Tensor<bool, 6>"),
            ("reduce", "x.reduce(0.0, 1, |a, b| a + b)", "Tensor<f32, N>"),
            ("argmax_axis", "x.argmax_axis(0)", "Tensor<i32, 6>"),
            ("argmin_axis", "x.argmin_axis(0)", "Tensor<i32, 6>"),
            ("argmax_axis", "x.argmax_axis(-1)", "Tensor<i32, N>"),
            ("argmin_axis", "x.argmin_axis(-1)", "Tensor<i32, N>"),
            ("softmax", "x.softmax(0)", "Tensor<f32, N, 6>"),
            ("log_softmax", "x.log_softmax(0)", "Tensor<f32, N, 6>"),
            ("normalize_axis", "x.normalize_axis(0)", "Tensor<f32, N, 6>"),
            ("softmax", "x.softmax(1)", "Tensor<f32, N, 6>"),
            ("log_softmax", "x.log_softmax(1)", "Tensor<f32, N, 6>"),
            ("normalize_axis", "x.normalize_axis(1)", "Tensor<f32, N, 6>"),
            ("logsumexp_axis", "x.logsumexp_axis(0)", "Tensor<f32, 6>"),
            ("logsumexp_axis", "x.logsumexp_axis(1)", "Tensor<f32, N>"),
            ("cumsum", "x.cumsum(0)", "Tensor<f32, N, 6>"),
            ("cumsum", "x.cumsum(1)", "Tensor<f32, N, 6>"),
            ("cumprod", "x.cumprod(0)", "Tensor<f32, N, 6>"),
            ("cumprod", "x.cumprod(1)", "Tensor<f32, N, 6>"),
            ("cummax", "x.cummax(0)", "Tensor<f32, N, 6>"),
            ("cummax", "x.cummax(1)", "Tensor<f32, N, 6>"),
            ("cummin", "x.cummin(0)", "Tensor<f32, N, 6>"),
            ("cummin", "x.cummin(1)", "Tensor<f32, N, 6>"),
        ],
    ),
    (
        "contract",
        &[
            ("dot", "x.dot(y.t())", "Tensor<f32, N, N>"),
            ("dot", "x.t().dot(y)", "Tensor<f32, 6, 6>"),
            ("dot", "v.dot(x)", "Tensor<f32, 6>"),
            ("matmul", "x.t().matmul(y)", "Tensor<f32, 6, 6>"),
            ("outer", "v.outer(v)", "Tensor<f32, N, N>"),
            (
                "einsum!",
                r#"einsum!("nk,nj->kj", x, y)"#,
                "Tensor<f32, 6, 6>",
            ),
            (
                "einsum!",
                r#"einsum!("nk,mk->nm", x, y)"#,
                "Tensor<f32, N, N>",
            ),
            (
                "dot_general!",
                "dot_general!(x, y, batch = ([0], [0]), contract = ([1], [1]))",
                "Tensor<f32, N>",
            ),
        ],
    ),
    (
        "window",
        &[
            (
                "conv!",
                r#"conv!(image, kernel, padding = "same")"#,
                "Tensor<f32, N, 4, 4, 2>",
            ),
            (
                "conv!",
                r#"conv!(wide, kernel, strides = [2, 2], padding = "same")"#,
                "Tensor<f32, 1, {(N + 1) / 2}, 2, 2>",
            ),
            (
                "conv!",
                r#"conv!(wide, kernel, strides = [2, 1], input_dilation = [3, 1], padding = "same")"#,
                "Tensor<f32, 1, {(3 * N - 1) / 2}, 4, 2>",
            ),
            (
                "conv!",
                "conv!(wide, kernel, strides = [4, 1], input_dilation = [2, 2])",
                "Tensor<f32, 1, {N / 2}, 5, 2>",
            ),
            (
                "conv_transpose!",
                r#"conv_transpose!(wide, kernel, strides = [2, 2], padding = "same")"#,
                "Tensor<f32, 1, {2 * N}, 8, 2>",
            ),
            (
                "conv_transpose!",
                r#"conv_transpose!(image, kernel, strides = [2, 2], padding = "same")"#,
                "Tensor<f32, N, 8, 8, 2>",
            ),
            (
                "max_pool!",
                "max_pool!(image, window = [2, 2])",
                "Tensor<f32, N, 2, 2, 3>",
            ),
            (
                "max_pool!",
                r#"max_pool!(wide, window = [2, 2], padding = "same")"#,
                "Tensor<f32, 1, {(N + 1) / 2}, 2, 3>",
            ),
            (
                "avg_pool!",
                r#"avg_pool!(wide, window = [2, 1], strides = [3, 1], padding = "same", count_padding = false)"#,
                "Tensor<f32, 1, {(N + 2) / 3}, 4, 3>",
            ),
            (
                "avg_pool!",
                r#"avg_pool!(image, window = [2, 2], padding = "same", count_padding = false)"#,
                "Tensor<f32, N, 2, 2, 3>",
            ),
            (
                "reduce_window!",
                r#"reduce_window!(x, 0.0, |a, b| a + b, window = [1, 3], padding = "same")"#,
                "Tensor<f32, N, 6>",
            ),
            (
                "reduce_window!",
                r#"reduce_window!(x, 1.0, |a, b| a + b, window = [4, 1], strides = [2, 1], input_dilation = [2, 1], padding = "same")"#,
                "Tensor<f32, N, 6>",
            ),
            (
                "reduce_window!",
                "reduce_window!(x, 0.0, |a, b| a + b, window = [3, 1])",
                "Tensor<f32, {N - 2}, 6>",
            ),
        ],
    ),
    (
        "spectral",
        &[
            ("fft", "x.fft()", "Tensor<Complex<f32>, N, 6>"),
            ("ifft", "z.ifft()", "Tensor<Complex<f32>, N, 6>"),
            ("rfft", "x.rfft()", "Tensor<Complex<f32>, N, 4>"),
            ("irfft", "z.irfft()", "Tensor<f32, N, 10>"),
            ("fft!", "fft!(x, axes = [1])", "Tensor<Complex<f32>, N, 6>"),
            ("ifft!", "ifft!(z, axes = 1)", "Tensor<Complex<f32>, N, 6>"),
            ("fft", "x.t().fft()", "Tensor<Complex<f32>, 6, N>"),
            ("ifft", "z.t().ifft()", "Tensor<Complex<f32>, 6, N>"),
            (
                "rfft",
                "x.t().rfft()",
                "Tensor<Complex<f32>, 6, {N / 2 + 1}>",
            ),
            ("irfft", "z.t().irfft()", "Tensor<f32, 6, {2 * N - 2}>"),
            ("irfft", "z.irfft(N)", "Tensor<f32, N, N>"),
            ("irfft", "z.t().irfft(5)", "Tensor<f32, 6, 5>"),
            ("fft!", "fft!(x)", "Tensor<Complex<f32>, N, 6>"),
            ("ifft!", "ifft!(z, axes = 0)", "Tensor<Complex<f32>, N, 6>"),
        ],
    ),
    (
        "linear_algebra",
        &[
            ("cholesky", "positive.cholesky()", "Tensor<f32, N, 3, 3>"),
            (
                "triangular_solve!",
                "triangular_solve!(positive, right)",
                "Tensor<f32, N, 3, 2>",
            ),
            ("solve", "positive.solve(right)", "Tensor<f32, N, 3, 2>"),
            ("inv", "positive.inv()", "Tensor<f32, N, 3, 3>"),
            ("det", "positive.det()", "Tensor<f32, N>"),
            ("cholesky", "square.cholesky()", "Tensor<f32, N, N>"),
            (
                "triangular_solve!",
                "triangular_solve!(square, x, transpose = true)",
                "Tensor<f32, N, 6>",
            ),
            ("solve", "square.solve(x)", "Tensor<f32, N, 6>"),
            ("solve", "square.solve(v)", "Tensor<f32, N>"),
            ("inv", "square.inv()", "Tensor<f32, N, N>"),
            ("det", "square.det()", "Tensor<f32>"),
        ],
    ),
    (
        "control",
        &[
            ("cond", "cond(m.any(), || x, || y)", "Tensor<f32, N, 6>"),
            ("fori", "fori(3, x, |i, c| c * 2.0)", "Tensor<f32, N, 6>"),
            (
                "scan",
                "{ let (carry, all) = scan(x.sum_axis(0), x, |c, row| (c + row, c * 2.0)); all + carry }",
                "Tensor<f32, N, 6>",
            ),
            ("map", "map(x, |row| row.sum())", "Tensor<f32, N>"),
            (
                "range",
                "{ let mut sum = zeros::<f32, 6>(); for j in range(0, N as i32) { sum += x[j]; } sum }",
                "Tensor<f32, 6>",
            ),
        ],
    ),
    (
        "index",
        &[
            ("take", "x.take(i, 0)", "Tensor<f32, N, 6>"),
            ("take", "x.take(i, 1)", "Tensor<f32, N, N>"),
            (
                "take",
                "x.take(tensor([[1, 0], [2, 5]]), 1)",
                "Tensor<f32, N, 2, 2>",
            ),
            (
                "take_along_axis",
                "x.take_along_axis(k, 1)",
                "Tensor<f32, N, 6>",
            ),
            (
                "take_along_axis",
                "x.take_along_axis(k, 0)",
                "Tensor<f32, N, 6>",
            ),
            ("scatter", "table.scatter(i, y, 0)", "Tensor<f32, 7, 6>"),
            (
                "scatter_add",
                "table.scatter_add(i, y, 0)",
                "Tensor<f32, 7, 6>",
            ),
            (
                "scatter_mul",
                "table.scatter_mul(i, y, 0)",
                "Tensor<f32, 7, 6>",
            ),
            (
                "scatter_max",
                "table.scatter_max(i, y, 0)",
                "Tensor<f32, 7, 6>",
            ),
            (
                "scatter_min",
                "table.scatter_min(i, y, 0)",
                "Tensor<f32, 7, 6>",
            ),
            ("scatter", "x.scatter(i, y, 0)", "Tensor<f32, N, 6>"),
            ("scatter_add", "x.scatter_add(i, y, 0)", "Tensor<f32, N, 6>"),
            ("scatter_mul", "x.scatter_mul(i, y, 0)", "Tensor<f32, N, 6>"),
            ("scatter_max", "x.scatter_max(i, y, 0)", "Tensor<f32, N, 6>"),
            ("scatter_min", "x.scatter_min(i, y, 0)", "Tensor<f32, N, 6>"),
            (
                "scatter",
                "x.scatter(tensor([0, 2]), y.slice(s![.., ..2]), 1)",
                "Tensor<f32, N, 6>",
            ),
            (
                "scatter_add",
                "x.scatter_add(tensor([0, 2]), y.slice(s![.., ..2]), 1)",
                "Tensor<f32, N, 6>",
            ),
            (
                "dynamic_slice",
                "x.dynamic_slice([j, 0], [2, 3])",
                "Tensor<f32, 2, 3>",
            ),
            (
                "dynamic_update_slice",
                "x.dynamic_update_slice(ones::<f32, 2, 3>(), [j, 1])",
                "Tensor<f32, N, 6>",
            ),
            ("one_hot", "i.one_hot::<f32, 7>()", "Tensor<f32, N, 7>"),
        ],
    ),
    (
        "random",
        &[
            (
                "random::uniform",
                "x + random::uniform::<f32, N, 6>(key)",
                "Tensor<f32, N, 6>",
            ),
            (
                "random::normal",
                "x + random::normal::<f32, N, 6>(key)",
                "Tensor<f32, N, 6>",
            ),
            (
                "random::truncated_normal",
                "v + random::truncated_normal::<f32, N>(key, -2.0, 2.0)",
                "Tensor<f32, N>",
            ),
            (
                "random::permutation",
                "random::permutation(key, x, 1)",
                "Tensor<f32, N, 6>",
            ),
            (
                "random::permutation",
                "random::permutation(key, x)",
                "Tensor<f32, N, 6>",
            ),
            (
                "random::permutation",
                "i + random::permutation(key, N)",
                "Tensor<i32, N>",
            ),
            (
                "random::bits",
                "v + random::bits::<u32, N>(key) as f32",
                "Tensor<f32, N>",
            ),
            (
                "random::randint",
                "i + random::randint::<i32, N>(key, 0, 10)",
                "Tensor<i32, N>",
            ),
            (
                "random::bernoulli",
                "(v < 0.0) ^ random::bernoulli::<bool, N>(key, 0.3)",
                "Tensor<bool, N>",
            ),
            (
                "random::categorical",
                "random::categorical(key, x)",
                "Tensor<i32, N>",
            ),
            (
                "random::split",
                "{ let keys: Tensor<u32, N, 2> = random::split(key); v + keys.sum_axis(1) as f32 }",
                "Tensor<f32, N>",
            ),
        ],
    ),
    (
        "order",
        &[
            ("sort", "x.sort(1)", "Tensor<f32, N, 6>"),
            ("argsort", "x.argsort(-1)", "Tensor<i32, N, 6>"),
            ("sort", "x.sort(0)", "Tensor<f32, N, 6>"),
            ("argsort", "x.argsort(0)", "Tensor<i32, N, 6>"),
            ("sort_by_key", "x.sort_by_key(v, 0)", "Tensor<f32, N, 6>"),
            ("sort_by_key", "x.sort_by_key(y, 1)", "Tensor<f32, N, 6>"),
            (
                "top_k",
                "x.top_k(3)",
                "(Tensor<f32, N, 3>, Tensor<i32, N, 3>)",
            ),
            (
                "top_k",
                "x.t().top_k(3)",
                "(Tensor<f32, 6, 3>, Tensor<i32, 6, 3>)",
            ),
        ],
    ),
];

pub(super) const REFUSED: &[Refused] = &[
    Refused {
        operation: "split",
        expression: "x.split(N, 0)",
        result: "[Tensor<f32, 1, 6>; 5]",
        message: "the number of `split` is an integer known while building, found `usize`",
    },
    Refused {
        operation: "cholesky",
        expression: "x.cholesky()",
        result: "Tensor<f32, N, 6>",
        message: "`cholesky` needs square matrices in the last two axes",
    },
];

/// What expressions may mention.
pub(super) const PARAMETERS: &[Parameter] = &[
    ("x", "f32, N, 6", |n| numbers(&[n, 6], 0)),
    ("y", "f32, N, 6", |n| numbers(&[n, 6], 3)),
    ("v", "f32, N", |n| numbers(&[n], 1)),
    ("i", "i32, N", |n| integers(&[n])),
    ("k", "i32, N, 6", |n| integers(&[n, 6])),
    ("j", "i32", |_| HostTensor::new(&[], &[2])),
    ("m", "bool, N, 6", |n| {
        let truths: Vec<_> = (0..n * 6).map(|index| index % 3 == 0).collect();
        HostTensor::new(&[n, 6], &truths)
    }),
    ("z", "Complex<f32>, N, 6", |n| complex(&[n, 6])),
    ("image", "f32, N, 4, 4, 3", |n| numbers(&[n, 4, 4, 3], 2)),
    ("kernel", "f32, 3, 3, 3, 2", |_| numbers(&[3, 3, 3, 2], 4)),
    ("wide", "f32, 1, N, 4, 3", |n| numbers(&[1, n, 4, 3], 2)),
    ("positive", "f32, N, 3, 3", positive),
    ("square", "f32, N, N", |n| {
        let numbers = (0..n * n).map(|index| {
            let (row, column) = (index / n, index % n);
            let diagonal = if row == column { 4.0 } else { 0.0 };
            diagonal + ((row + column) % 3) as f32 / 10.0
        });
        HostTensor::new(&[n, n], &numbers.collect::<Vec<_>>())
    }),
    ("right", "f32, N, 3, 2", |n| numbers(&[n, 3, 2], 5)),
    ("table", "f32, 7, 6", |_| numbers(&[7, 6], 6)),
    ("key", "u32, 2", |_| HostTensor::list(&[1_u32, 2])),
];

/// Numbers between -0.9 and 0.9, for which nearly all functions are defined.
fn numbers(sizes: &[usize], first: usize) -> HostTensor {
    let count = sizes.iter().product::<usize>();
    let numbers = (first..first + count).map(|index| (index * 7 % 19) as f32 / 10.0 - 0.9);
    HostTensor::new(sizes, &numbers.collect::<Vec<_>>())
}

/// Places in axes of at least five elements.
fn integers(sizes: &[usize]) -> HostTensor {
    let count = sizes.iter().product();
    let numbers = (0..count).map(|index| (index * 3 % 5) as i32);
    HostTensor::new(sizes, &numbers.collect::<Vec<_>>())
}

fn complex(sizes: &[usize]) -> HostTensor {
    let count = sizes.iter().product::<usize>();
    let part = |index: usize| (index % 11) as f32 / 5.0 - 1.0;
    let numbers = (0..count).map(|index| Complex32::new(part(index * 3), part(index * 7 + 1)));
    HostTensor::new(sizes, &numbers.collect::<Vec<_>>())
}

/// Symmetric matrices with a heavy diagonal.
fn positive(count: usize) -> HostTensor {
    let numbers = (0..count * 9).map(|index| {
        let (matrix, row, column) = (index / 9, index / 3 % 3, index % 3);
        let diagonal = if row == column { 3.0 } else { 0.0 };
        diagonal + (matrix + row * column) as f32 / 10.0
    });
    HostTensor::new(&[count, 3, 3], &numbers.collect::<Vec<_>>())
}
