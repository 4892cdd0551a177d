//! The table of names.

use super::Here::{self, Say, Write};

/// Names of operations in NumPy, JAX, PyTorch, `ndarray` and the standard library, and how to write the same. The
/// test of this folder traces what is to be written, with `x`, `y` and the other variables as it declares them.
pub(super) const OPERATIONS: &[(&[&str], Here)] = &[
    // Macros of the standard library.
    (
        &[
            "print",
            "println",
            "eprint",
            "eprintln",
            "dbg",
            "format",
            "write",
            "writeln",
            "info",
            "debug",
            "log_value",
        ],
        Write(&["trace!(\"x\", x)"]),
    ),
    (
        &["assert_eq", "debug_assert_eq"],
        Write(&["assert!((x - y).abs().max() < 1e-6, \"x is y\")"]),
    ),
    (
        &[
            "assert_ne",
            "debug_assert",
            "debug_assert_ne",
            "panic",
            "todo",
            "unimplemented",
            "unreachable",
        ],
        Write(&["assert!(mask.all(), \"what must hold\")"]),
    ),
    (
        &["vec"],
        Say(
            "an array is written `[a, b]`; what a loop makes is stored in a tensor: `let mut rows = zeros(); rows[i] = row;`",
        ),
    ),
    // Methods of values in Rust.
    (
        &[
            "clone",
            "copied",
            "cloned",
            "copy",
            "to_owned",
            "deepcopy",
            "contiguous",
            "borrow",
            "as_ref",
            "as_mut",
        ],
        Say("leave it out: a tensor is a value, which may be used again and again"),
    ),
    (
        &["into", "try_into", "from"],
        Say("element types are converted with `as`: `x as f64`"),
    ),
    (
        &[
            "unwrap",
            "expect",
            "unwrap_or",
            "unwrap_or_default",
            "ok",
            "is_some",
            "is_none",
        ],
        Say(
            "leave it out: there is no `Option` and no `Result`, and mistakes of shape and type are found while building",
        ),
    ),
    (
        &[
            "iter",
            "into_iter",
            "iter_mut",
            "outer_iter",
            "axis_iter",
            "rows",
            "for_each",
            "chunks",
            "windows",
        ],
        Write(&[
            "for i in 0..x.dim(0) { trace!(\"row\", x[i]); }",
            "map(x, |row| row.sum())",
        ]),
    ),
    (
        &[
            "mapv",
            "mapv_inplace",
            "map_inplace",
            "par_map",
            "filter",
            "apply",
            "vectorize",
            "collect",
        ],
        Say(
            "operations take whole tensors: `x * 2.0 + 1.0`; `map(x, |row| row.sum())` goes through the first axis",
        ),
    ),
    (&["fold"], Write(&["x.reduce(0.0, 0, |a, b| a + b)"])),
    (
        &["get", "index_axis", "row", "select_axis"],
        Write(&["x[0]"]),
    ),
    (&["column"], Write(&["x[s![.., 0]]"])),
    (&["is_empty"], Write(&["x.len() == 0"])),
    (&["nrows"], Write(&["x.dim(0)"])),
    (&["ncols"], Write(&["x.dim(1)"])),
    (
        &["assign", "copy_from", "copy_", "set", "set_"],
        Say("store with `x = y;`, or a part with `x[0] = a;`"),
    ),
    (
        &["push", "append", "extend"],
        Write(&["concatenate([x, y], 0)"]),
    ),
    // What a tensor is.
    (&["ndim", "n_dims"], Write(&["x.rank()"])),
    (
        &["numel", "size", "nelement"],
        Write(&["x.len()", "x.dim(0)"]),
    ),
    (
        &["dtype", "type_as", "element_type"],
        Say(
            "the element type is part of the type of a tensor, and converted with `as`: `x as f64`",
        ),
    ),
    (
        &[
            "astype",
            "to",
            "type",
            "view_as",
            "asarray",
            "convert_element_type",
            "to_dtype",
        ],
        Write(&["x as f64"]),
    ),
    (&["float", "float32"], Write(&["x as f32"])),
    (&["double", "float64"], Write(&["x as f64"])),
    (&["half", "float16"], Write(&["x as f16"])),
    (&["bfloat16"], Write(&["x as bf16"])),
    (&["int", "int32"], Write(&["x as i32"])),
    (&["long", "int64"], Write(&["x as i64"])),
    (&["byte", "uint8"], Write(&["x as u8"])),
    (&["bitcast_convert_type"], Write(&["x.to_bits()"])),
    (
        &[
            "item",
            "tolist",
            "numpy",
            "cpu",
            "cuda",
            "to_vec",
            "to_array",
            "to_scalar",
            "as_slice",
            "data",
            "device",
            "block_until_ready",
        ],
        Say(
            "in a program a number is a scalar tensor, as `x.sum()` is; the host reads results, with `to_array()` or `to_scalar()`",
        ),
    ),
    (
        &["jit", "compile", "pmap", "xmap"],
        Say("leave it out: the program is compiled as a whole"),
    ),
    (
        &[
            "backward",
            "requires_grad",
            "requires_grad_",
            "autograd",
            "zero_grad",
        ],
        Say("derivatives are taken of functions: `let (loss, g) = value_and_grad(f)(x);`"),
    ),
    (
        &["no_grad", "detach", "lax_stop_gradient"],
        Write(&["x.stop_gradient()"]),
    ),
    (&["linearize"], Write(&["jvp(|x| x * x, x, y)"])),
    (
        &["jacobian"],
        Write(&["jacrev(|a| a * a)(a)", "jacfwd(|a| a * a)(a)"]),
    ),
    (
        &["remat", "rematerialize"],
        Write(&["checkpoint(|x| x.exp())(x)"]),
    ),
    (
        &["tree_map", "tree_leaves"],
        Write(&["map_tree(x, |x| x * 2.0)"]),
    ),
    // Arithmetic and comparisons, which are operators.
    (&["add", "plus"], Write(&["x + y"])),
    (&["sub", "subtract", "minus"], Write(&["x - y"])),
    (&["mul", "multiply", "times"], Write(&["x * y"])),
    (&["div", "divide", "true_divide"], Write(&["x / y"])),
    (&["floor_divide"], Write(&["(x / y).floor()"])),
    (&["fmod"], Write(&["x % y"])),
    (&["remainder", "mod"], Write(&["x.rem_euclid(y)"])),
    (&["neg", "negative"], Write(&["-x"])),
    (
        &["pow", "power", "float_power"],
        Write(&["x.powi(2)", "x.powf(y)"]),
    ),
    (&["square"], Write(&["x * x"])),
    (&["reciprocal"], Write(&["x.recip()"])),
    (&["addcmul", "fma"], Write(&["x.mul_add(x, y)"])),
    (&["eq", "equal", "isequal"], Write(&["x == y"])),
    (&["ne", "not_equal"], Write(&["x != y"])),
    (&["lt", "less"], Write(&["x < y"])),
    (&["le", "less_equal"], Write(&["x <= y"])),
    (&["gt", "greater"], Write(&["x > y"])),
    (&["ge", "greater_equal"], Write(&["x >= y"])),
    (
        &["allclose", "isclose", "array_equal"],
        Write(&["(x - y).abs().max() < 1e-6"]),
    ),
    (&["logical_and", "bitwise_and"], Write(&["mask & mask"])),
    (&["logical_or", "bitwise_or"], Write(&["mask | mask"])),
    (
        &["logical_xor", "bitwise_xor", "xor"],
        Write(&["mask ^ mask"]),
    ),
    (&["logical_not", "bitwise_not", "invert"], Write(&["!mask"])),
    // Functions of numbers.
    (&["absolute", "fabs"], Write(&["x.abs()"])),
    (&["arccos"], Write(&["x.acos()"])),
    (&["arccosh"], Write(&["x.acosh()"])),
    (&["arcsin"], Write(&["x.asin()"])),
    (&["arcsinh"], Write(&["x.asinh()"])),
    (&["arctan"], Write(&["x.atan()"])),
    (&["arctan2"], Write(&["y.atan2(x)"])),
    (&["arctanh"], Write(&["x.atanh()"])),
    (&["angle"], Write(&["z.im().atan2(z.re())"])),
    (&["real"], Write(&["z.re()"])),
    (&["imag"], Write(&["z.im()"])),
    (&["conjugate"], Write(&["z.conj()"])),
    (&["polar"], Write(&["complex(x * y.cos(), x * y.sin())"])),
    (&["view_as_complex"], Write(&["complex(x, y)"])),
    (
        &["clip", "clamp_", "clip_by_value"],
        Write(&["x.clamp(0.0, 1.0)"]),
    ),
    (&["clamp_min", "fmax"], Write(&["x.maximum(y)"])),
    (&["clamp_max", "fmin"], Write(&["x.minimum(y)"])),
    (&["expm1"], Write(&["x.exp_m1()"])),
    (&["log"], Write(&["x.ln()"])),
    (&["log1p"], Write(&["x.ln_1p()"])),
    (
        &["logaddexp"],
        Write(&["x.maximum(y) + (-(x - y).abs()).exp().ln_1p()"]),
    ),
    (&["logit"], Write(&["(x / (1.0 - x)).ln()"])),
    (&["sign", "sgn"], Write(&["x.signum()"])),
    (&["rint"], Write(&["x.round_ties_even()"])),
    (&["fix"], Write(&["x.trunc()"])),
    (&["frac"], Write(&["x.fract()"])),
    (
        &["deg2rad", "radians", "to_radians"],
        Write(&["x * (std::f32::consts::PI / 180.0)"]),
    ),
    (
        &["rad2deg", "degrees", "to_degrees"],
        Write(&["x * (180.0 / std::f32::consts::PI)"]),
    ),
    (&["erfinv"], Write(&["x.erf_inv()"])),
    (&["gammaln", "lgamma_"], Write(&["x.lgamma()"])),
    (&["expit"], Write(&["x.sigmoid()"])),
    (&["swish"], Write(&["x.silu()"])),
    (&["relu6"], Write(&["x.clamp(0.0, 6.0)"])),
    (&["leaky_relu", "prelu"], Write(&["x.maximum(x * 0.01)"])),
    (&["elu"], Write(&["select(x > 0.0, x, x.exp_m1())"])),
    (&["mish"], Write(&["x * x.softplus().tanh()"])),
    (&["log_sigmoid", "logsigmoid"], Write(&["-(-x).softplus()"])),
    (&["isnan"], Write(&["x.is_nan()"])),
    (&["isfinite"], Write(&["x.is_finite()"])),
    (&["isinf"], Write(&["x.is_infinite()"])),
    (&["nan_to_num"], Write(&["select(x.is_nan(), 0.0, x)"])),
    (
        &["where", "masked_fill", "if_else", "putmask", "mask"],
        Write(&["select(mask, x, y)"]),
    ),
    // Shapes.
    (
        &[
            "T",
            "mT",
            "transpose",
            "reversed_axes",
            "permute_axes",
            "permute_dims",
            "moveaxis",
            "movedim",
        ],
        Write(&["x.t()", "x.swap_axes(-2, -1)", "x.permute([1, 0])"]),
    ),
    (
        &["swapaxes", "transpose_axes"],
        Write(&["x.swap_axes(0, 1)"]),
    ),
    (
        &[
            "view",
            "into_shape",
            "to_shape",
            "into_shape_with_order",
            "resize",
            "unflatten",
        ],
        Write(&["x.reshape([2, -1])"]),
    ),
    (&["ravel"], Write(&["x.flatten()"])),
    (
        &["expand", "broadcast", "broadcast_in_dim", "expand_as"],
        Write(&["x.broadcast_to([2, 3, 4])"]),
    ),
    (
        &["expand_dims", "unsqueeze", "newaxis"],
        Write(&["x.insert_axis(0)"]),
    ),
    (&["squeeze"], Write(&["row.remove_axis(0)"])),
    (
        &["flip", "fliplr", "flipud", "invert_axis"],
        Write(&["x.reverse(0)"]),
    ),
    (&["rot90"], Write(&["x.t().reverse(0)"])),
    (&["repeat_interleave"], Write(&["x.repeat(2, 0)"])),
    (
        &[
            "chunk",
            "array_split",
            "tensor_split",
            "unbind",
            "unstack",
            "split_at",
        ],
        Write(&["x.split(2, 1)"]),
    ),
    (&["hsplit"], Write(&["x.split(2, 1)"])),
    (&["vsplit"], Write(&["x.split(3, 0)"])),
    (
        &["narrow", "slice_axis", "slice_in_dim", "lax_slice"],
        Write(&["x[s![1..3, ..]]"]),
    ),
    (
        &["concat", "cat", "vstack", "row_stack"],
        Write(&["concatenate([x, y], 0)"]),
    ),
    (
        &["hstack", "column_stack"],
        Write(&["concatenate([x, y], 1)"]),
    ),
    (&["dstack"], Write(&["stack([x, y], 2)"])),
    (&["meshgrid"], Write(&["a.insert_axis(1) + b"])),
    (&["tril"], Write(&["x.tri_lower()"])),
    (&["triu"], Write(&["x.tri_upper()"])),
    (&["tri"], Write(&["ones::<f32, 4, 4>().tri_lower()"])),
    (
        &["diag"],
        Write(&["x.diagonal()", "a * eye::<f32, 4, 4>()"]),
    ),
    (&["identity"], Write(&["eye::<f32, 4, 4>()"])),
    // Tensors that are built.
    (
        &["array", "as_tensor", "from_numpy", "constant"],
        Write(&["tensor([[1.0, 2.0], [3.0, 4.0]])"]),
    ),
    (&["empty"], Write(&["zeros::<f32, 3, 4>()"])),
    (&["empty_like"], Write(&["zeros_like(x)"])),
    (&["fill"], Write(&["full_like(x, 2.5)"])),
    (&["rand"], Write(&["random::uniform::<f32, 3, 4>(key)"])),
    (
        &["randn", "standard_normal"],
        Write(&["random::normal::<f32, 3, 4>(key)"]),
    ),
    (
        &[
            "manual_seed",
            "PRNGKey",
            "default_rng",
            "seed",
            "thread_rng",
        ],
        Write(&["random::key(0)"]),
    ),
    (
        &["multinomial", "choice"],
        Write(&["random::categorical(key, x)"]),
    ),
    (
        &["shuffle", "randperm"],
        Write(&["random::permutation(key, x)"]),
    ),
    (
        &["dropout"],
        Write(&["select(random::bernoulli::<bool, 3, 4>(key, 0.9), x / 0.9, 0.0)"]),
    ),
    // Reductions and order.
    (
        &["amax", "reduce_max"],
        Write(&["x.max()", "x.max_axis(0)"]),
    ),
    (
        &["amin", "reduce_min"],
        Write(&["x.min()", "x.min_axis(0)"]),
    ),
    (
        &["reduce_sum", "nansum"],
        Write(&["x.sum()", "x.sum_axis(0)"]),
    ),
    (
        &["average", "reduce_mean"],
        Write(&["x.mean()", "x.mean_axis(0)"]),
    ),
    (&["product"], Write(&["x.prod()"])),
    (
        &["argmax"],
        Write(&["x.argmax_axis(0)", "x.flatten().argmax_axis(0)"]),
    ),
    (
        &["argmin"],
        Write(&["x.argmin_axis(0)", "x.flatten().argmin_axis(0)"]),
    ),
    (&["count_nonzero"], Write(&["(mask as i32).sum()"])),
    (&["logsumexp"], Write(&["x.logsumexp_axis(0)"])),
    (
        &["norm"],
        Write(&["(x * x).sum().sqrt()", "(x * x).sum_axis(0).sqrt()"]),
    ),
    (&["median"], Write(&["a.sort(0)[2]"])),
    (&["ptp"], Write(&["x.max() - x.min()"])),
    (&["topk"], Write(&["x.top_k(3)"])),
    (&["sort_by", "sort_unstable"], Write(&["x.sort(-1)"])),
    (&["lexsort", "argpartition"], Write(&["x.argsort(-1)"])),
    (
        &["associative_scan", "accumulate"],
        Write(&["x.cumsum(0)", "scan(a, x, |a, b| (a + b, a))"]),
    ),
    (&["diff"], Write(&["x[s![1..]] - x[s![..-1]]"])),
    (
        &[
            "nonzero",
            "flatnonzero",
            "unique",
            "argwhere",
            "masked_select",
            "compress",
        ],
        Say(
            "how long its result is depends on the numbers, but sizes are known before a call: keep a mask, and `select(mask, x, 0.0)`",
        ),
    ),
    // Products.
    (
        &["mm", "bmm", "matvec", "mv"],
        Write(&["x.matmul(y.t())", "x.dot(a)"]),
    ),
    (&["inner", "vdot"], Write(&["a.dot(b)"])),
    (
        &["tensordot"],
        Write(&["dot_general!(x, y, batch = ([], []), contract = ([1], [1]))"]),
    ),
    (
        &["kron"],
        Write(&["einsum!(\"ab,cd->acbd\", x, y).reshape([9, 16])"]),
    ),
    (&["linear", "dense", "addmm"], Write(&["x.dot(y.t()) + c"])),
    (
        &[
            "conv1d",
            "conv2d",
            "conv3d",
            "conv_general_dilated",
            "convolve",
            "correlate",
        ],
        Write(&["conv!(image, kernel, padding = \"same\")"]),
    ),
    (
        &["max_pool1d", "max_pool2d", "max_pool3d"],
        Write(&["max_pool!(image, window = [2, 2])"]),
    ),
    (
        &["avg_pool1d", "avg_pool2d", "avg_pool3d"],
        Write(&["avg_pool!(image, window = [2, 2])"]),
    ),
    (&["fft2", "fftn"], Write(&["fft!(z, axes = [0, 1])"])),
    (&["ifft2", "ifftn"], Write(&["ifft!(z, axes = [0, 1])"])),
    (&["inverse", "pinv"], Write(&["square.inv()"])),
    (
        &["solve_triangular"],
        Write(&["triangular_solve!(square, a)"]),
    ),
    (
        &[
            "svd", "eig", "eigh", "eigvals", "eigvalsh", "qr", "lstsq", "lu",
        ],
        Say("of decompositions there is `x.cholesky()`; systems are solved with `x.solve(y)`"),
    ),
    // Layers and losses.
    (
        &["layer_norm", "LayerNorm"],
        Write(&["x.normalize_axis(-1)"]),
    ),
    (&["batch_norm"], Write(&["x.normalize_axis(0)"])),
    (
        &["cross_entropy", "nll_loss", "softmax_cross_entropy"],
        Write(&["-x.log_softmax(-1).take_along_axis(i.insert_axis(1), 1).mean()"]),
    ),
    (&["mse_loss"], Write(&["((x - y) * (x - y)).mean()"])),
    (&["l1_loss"], Write(&["(x - y).abs().mean()"])),
    (&["embedding"], Write(&["x.take(i, 0)"])),
    // Places.
    (
        &["gather", "index_select", "take_rows"],
        Write(&["x.take(i, 0)", "x.take_along_axis(i.insert_axis(1), 1)"]),
    ),
    (
        &["index_add", "scatter_add_", "segment_sum"],
        Write(&["x.scatter_add(i, y, 0)"]),
    ),
    (
        &["index_put", "put", "scatter_", "index_copy"],
        Write(&["x.scatter(i, y, 0)"]),
    ),
    (
        &["bincount", "histogram"],
        Write(&["i.one_hot::<f32, 10>().sum_axis(0)"]),
    ),
    // Control.
    (
        &["while_loop"],
        Say("write `while`: its condition may be a tensor"),
    ),
    (&["fori_loop"], Write(&["fori(3, x, |i, c| c * 2.0)"])),
    (
        &["switch"],
        Say("write `if` and `else if`, or `select(mask, x, y)`"),
    ),
];

/// What stands before the names of operations elsewhere.
pub(super) const LIBRARIES: &[&str] = &[
    "np", "numpy", "jnp", "jax", "lax", "torch", "tf", "F", "nn", "ndarray",
];

/// Names of arguments.
pub(super) const ARGUMENTS: &[(&[&str], Here)] = &[
    (
        &["keepdims", "keepdim", "keep_dims"],
        Write(&["x.sum_axis(0).insert_axis(0)"]),
    ),
    (&["dtype"], Write(&["x as f64"])),
];

/// Names of numbers and types.
pub(super) const VALUES: &[(&[&str], Here)] = &[
    (&["pi", "PI"], Write(&["std::f32::consts::PI"])),
    (&["TAU", "tau"], Write(&["std::f32::consts::TAU"])),
    (&["E"], Write(&["std::f32::consts::E"])),
    (&["LN_2"], Write(&["std::f32::consts::LN_2"])),
    (&["SQRT_2"], Write(&["std::f32::consts::SQRT_2"])),
    (
        &["Axis"],
        Say("an axis is a plain number, counted from the end if negative: `x.sum_axis(-1)`"),
    ),
    (&["inf", "infinity", "INFINITY"], Write(&["f32::INFINITY"])),
    (&["nan", "NAN", "NaN"], Write(&["f32::NAN"])),
    (&["True"], Write(&["true"])),
    (&["False"], Write(&["false"])),
    (&["newaxis"], Write(&["x.insert_axis(0)"])),
    (
        &["None", "Some", "Ok", "Err"],
        Say("there is no `Option` and no `Result` in the language"),
    ),
];
