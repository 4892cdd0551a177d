"""The work in JAX, on the CPU. `EXAMPLES` is the folder of the examples."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_platforms", "cpu")


def layer_norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v)


def conv(layout, kernel):
    numbers = (layout, kernel, layout)
    return lambda x, w: jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers)


def mlp(x, w1, b1, w2, b2, w3, b3):
    x = jax.nn.relu(x @ w1 + b1)
    x = jax.nn.relu(x @ w2 + b2)
    return x @ w3 + b3


def cross_entropy(scores, y):
    return -(jax.nn.log_softmax(scores, -1) * y).sum(1).mean()


def mlp_gradient(x, y, *weights):
    return jax.grad(lambda weights: cross_entropy(mlp(x, *weights), y))(weights)


def conv_net_gradient(x, y, first, second, last):
    pool = lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    layer = lambda x, w: pool(jax.nn.relu(conv("NHWC", "HWIO")(x, w)))

    def loss(first, second, last):
        h = layer(layer(x, first), second).reshape(32, 1568)
        return cross_entropy(h @ last / 100, y)

    return jax.grad(loss, (0, 1, 2))(first, second, last)


def layer_norm_gradient(x, weight, scale, shift):
    return jax.grad(lambda *given: (layer_norm(*given) * weight).sum(), (0, 1, 2))(x, scale, shift)


def attention_gradient(q, k, v, weight):
    return jax.grad(lambda *given: (attention(*given) * weight).sum(), (0, 1, 2))(q, k, v)


def block_gradient(x, weight, *weights):
    def normalized(x, scale):
        return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-5) * scale

    def attended(x, queries, outputs):
        q, k, v = (x @ (queries / 16)).reshape(8, 128, 3, 4, 64).transpose(2, 0, 3, 1, 4)
        heads = jax.nn.softmax(q @ k.swapaxes(-2, -1) / 8, -1) @ v
        return heads.swapaxes(1, 2).reshape(8, 128, 256) @ (outputs / 16)

    def loss(weights):
        first, queries, outputs, second, up, down = weights
        y = x + attended(normalized(x, first), queries, outputs)
        hidden = jax.nn.silu(normalized(y, second) @ (up / 16))
        return ((y + hidden @ (down / 32)) * weight).sum()

    return jax.grad(loss)(weights)


def embedding_gradient(table, tokens, weight):
    tokens = ((tokens + 1) * 4999).astype(jnp.int32)
    return jax.grad(lambda table: (jnp.tanh(table[tokens]) * weight).sum())(table)


def recurrent_gradient(xs, *weights):
    def loss(weights):
        inside, across, offset = weights

        def step(h, x):
            h = jnp.tanh(x @ inside / 8 + h @ across / 12 + offset)
            return h, h.mean()

        last, means = jax.lax.scan(step, jnp.zeros((xs.shape[1], 128)), xs)
        return jnp.square(last).sum() + means.sum()

    return jax.grad(loss)(weights)


WORK = {
    "gelu": lambda x, w, b: jax.nn.gelu(x * w + b, approximate=False),
    "layer norm": layer_norm,
    "softmax": lambda x: jax.nn.softmax(x, -1),
    "attention": attention,
    "conv NHWC": conv("NHWC", "HWIO"),
    "conv NCHW": conv("NCHW", "OIHW"),
    "mlp": mlp,
    "matmul": jnp.matmul,
    "sum": jnp.sum,
    "mlp gradient": mlp_gradient,
    "conv net gradient": conv_net_gradient,
    "layer norm gradient": layer_norm_gradient,
    "attention gradient": attention_gradient,
    "block gradient": block_gradient,
    "embedding gradient": embedding_gradient,
    "recurrent gradient": recurrent_gradient,
}


def prepare_gpt(request):
    """A step goes on from the one before; the losses of the first are compared."""
    sys.path.insert(0, f"{EXAMPLES}/gpt")
    import reference

    losses = reference.compiled(1_000_000)
    # As many as `COMPARED` of `gradients/mod.rs`.
    np.save(request["result"], np.float32([next(losses) for _ in range(10)]))
    return lambda: next(losses)


def prepare(request):
    if request["prepare"] == "gpt step":
        return prepare_gpt(request)
    inputs = [jnp.asarray(np.load(file)) for file in request["inputs"]]
    if request["bf16"]:
        inputs = [x.astype(jnp.bfloat16) for x in inputs]
    function = jax.jit(WORK[request["prepare"]])
    result = jax.tree.map(lambda x: np.asarray(x.astype(jnp.float32)), function(*inputs))
    # Several results are compared as one.
    is_list = isinstance(result, tuple) or "gradient" in request["prepare"]
    np.save(request["result"], np.concatenate([x.ravel() for x in jax.tree.leaves(result)]) if is_list else result)
    return lambda: function(*inputs)


serve(jax.__version__, prepare, jax.block_until_ready)
