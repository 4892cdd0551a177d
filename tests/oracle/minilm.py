"""What the example `bert` should compute, from NumPy in double precision. It needs the weights, which `./x model`
fetches, and the package `safetensors`."""

import json
import math
import unicodedata
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

import common

ROOT = Path(__file__).parents[2]
MODEL = ROOT / ".tools/minilm"
SENTENCES = ROOT / "examples/bert/sentences.txt"

LAYERS, HEADS, LONGEST, EPSILON = 6, 12, 256, 1e-12

erf = np.vectorize(math.erf, otypes=[np.float64])


# Text to tokens: the pieces of words that J. Devlin et al. describe, *BERT*, 2018.

def tokens_of(text, vocabulary):
    pieces = [piece for word in words_of(text) for piece in pieces_of(word, vocabulary)]
    names = ["[CLS]", *pieces[:LONGEST - 2], "[SEP]"]
    return [vocabulary[name] for name in names]


def words_of(text):
    """Lower case without accents, cut at spaces, punctuation and around each Chinese character."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn").lower()
    return "".join(f" {c} " if stands_alone(c) else c for c in plain).split()


def stands_alone(c):
    is_symbol = c.isascii() and not c.isalnum() and not c.isspace()
    return is_symbol or unicodedata.category(c).startswith("P") or 0x4E00 <= ord(c) <= 0x9FFF


def pieces_of(word, vocabulary):
    """The longest known piece at the start, then that of the rest."""
    pieces, start = [], 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if prefix + word[start:end] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces


# Tokens to vectors, one text at a time, so that there is nothing to mask.

def embed(weights, tokens):
    def dense(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def layer_norm(x, name):
        variance = x.var(axis=-1, keepdims=True)
        normal = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(variance + EPSILON)
        return normal * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def attention(x, name):
        query, key, value = (np.split(dense(x, f"{name}.self.{part}"), HEADS, axis=-1)
                             for part in ("query", "key", "value"))
        return np.concatenate([softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v
                               for q, k, v in zip(query, key, value)], axis=-1)

    x = weights["embeddings.word_embeddings.weight"][tokens]
    x = x + weights["embeddings.position_embeddings.weight"][:len(tokens)]
    x = layer_norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        joined = dense(attention(x, f"{name}.attention"), f"{name}.attention.output.dense")
        x = layer_norm(x + joined, f"{name}.attention.output.LayerNorm")
        hidden = gelu(dense(x, f"{name}.intermediate.dense"))
        x = layer_norm(x + dense(hidden, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def gelu(x):
    return x * (1 + erf(x / np.sqrt(2))) / 2


if __name__ == "__main__":
    vocabulary = json.loads((MODEL / "tokenizer.json").read_text())["model"]["vocab"]
    stored = load_file(MODEL / "model.safetensors")
    weights = {name: tensor.astype(np.float64) for name, tensor in stored.items() if tensor.dtype == np.float32}
    tokens = [tokens_of(line, vocabulary) for line in SENTENCES.read_text().splitlines()]
    lengths = np.array([len(text) for text in tokens], np.int32)
    print("tokens:", *lengths)
    common.save("minilm", {
        "tokens": np.concatenate([np.array(text, np.int32) for text in tokens]),
        "lengths": lengths,
        "embeddings": np.stack([embed(weights, text) for text in tokens]),
    })
