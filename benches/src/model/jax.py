"""all-MiniLM-L6-v2 in JAX, on the CPU."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file

jax.config.update("jax_platforms", "cpu")

HEADS, LAYERS, EPSILON = 12, 6, 1e-12


def dense(w, name, x):
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def layer_norm(w, name, x):
    centred = x - x.mean(-1, keepdims=True)
    variance = jnp.square(centred).mean(-1, keepdims=True)
    return centred / jnp.sqrt(variance + EPSILON) * w[f"{name}.weight"] + w[f"{name}.bias"]


def attention(w, name, x, mask):
    texts, places, width = x.shape
    query, key, value = (dense(w, f"{name}.self.{part}", x).reshape(texts, places, HEADS, -1).swapaxes(1, 2)
                         for part in ("query", "key", "value"))
    scores = query @ key.swapaxes(2, 3) / np.float32(np.sqrt(width // HEADS))
    shares = jax.nn.softmax(jnp.where(mask[:, None, None], scores, -1e9), -1)
    joined = (shares @ value).swapaxes(1, 2).reshape(texts, places, width)
    return layer_norm(w, f"{name}.output.LayerNorm", x + dense(w, f"{name}.output.dense", joined))


def embed(w, tokens, mask):
    x = w["embeddings.word_embeddings.weight"][tokens]
    x = x + w["embeddings.position_embeddings.weight"][:tokens.shape[1]]
    x = layer_norm(w, "embeddings.LayerNorm", x + w["embeddings.token_type_embeddings.weight"][0])
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        x = attention(w, f"{name}.attention", x, mask)
        hidden = jax.nn.gelu(dense(w, f"{name}.intermediate.dense", x), approximate=False)
        x = layer_norm(w, f"{name}.output.LayerNorm", x + dense(w, f"{name}.output.dense", hidden))
    weights = mask.astype(jnp.float32)[..., None]
    mean = (x * weights).sum(1) / weights.sum(1)
    return mean / jnp.sqrt(jnp.square(mean).sum(-1, keepdims=True))


stored = load_file(Path(sys.argv[2]) / "model.safetensors")
weights = {name: jnp.asarray(tensor) for name, tensor in stored.items() if tensor.dtype == np.float32}
function = jax.jit(embed)


def prepare(request):
    tokens, mask = (np.load(file) for file in request["inputs"])
    tokens, mask = jnp.asarray(tokens.astype(np.int32)), jnp.asarray(mask != 0)
    np.save(request["result"], np.asarray(function(weights, tokens, mask)))
    return lambda: function(weights, tokens, mask)


serve(jax.__version__, prepare, lambda result: result.block_until_ready())
