"""all-MiniLM-L6-v2 in ONNX Runtime, on the CPU: the graph as exporters write it, which the runtime then optimises."""

from pathlib import Path

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

HEADS, LAYERS, EPSILON = 12, 6, 1e-12


class Graph:
    """Operations of a graph, by the names of what they compute."""

    def __init__(self, weights):
        self.nodes, self.constants, self.weights = [], {}, weights

    def add(self, operation, *inputs, **attributes):
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, list(inputs), [name], **attributes))
        return name

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        return name

    def number(self, number):
        return self.constant(np.float32(number))

    def integers(self, *integers):
        return self.constant(np.array(integers, np.int64))

    def weight(self, name):
        self.constants[name] = self.weights[name]
        return name

    def dense(self, name, x):
        self.constants[name] = np.ascontiguousarray(self.weights[f"{name}.weight"].T)
        return self.add("Add", self.add("MatMul", x, name), self.weight(f"{name}.bias"))

    def layer_norm(self, name, x):
        parts = (self.weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self.add("LayerNormalization", x, *parts, axis=-1, epsilon=EPSILON)

    def gelu(self, x):
        error = self.add("Erf", self.add("Div", x, self.number(np.sqrt(2))))
        return self.add("Mul", self.add("Mul", x, self.add("Add", error, self.number(1))), self.number(0.5))

    def attention(self, name, x, unseen):
        def split(part, order):
            heads = self.add("Reshape", self.dense(f"{name}.self.{part}", x), self.integers(0, 0, HEADS, -1))
            return self.add("Transpose", heads, perm=order)

        query, key, value = (split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1]), split("value", [0, 2, 1, 3]))
        root = np.sqrt(self.weights[f"{name}.self.query.bias"].size // HEADS)
        scores = self.add("Div", self.add("MatMul", query, key), self.number(root))
        shares = self.add("Softmax", self.add("Add", scores, unseen), axis=-1)
        joined = self.add("Transpose", self.add("MatMul", shares, value), perm=[0, 2, 1, 3])
        joined = self.add("Reshape", joined, self.integers(0, 0, -1))
        joined = self.dense(f"{name}.output.dense", joined)
        return self.layer_norm(f"{name}.output.LayerNorm", self.add("Add", joined, x))

    def embed(self):
        places = self.add("Slice", self.add("Shape", "tokens"), self.integers(1), self.integers(2))
        table = self.weight("embeddings.position_embeddings.weight")
        positions = self.add("Slice", table, self.integers(0), places, self.integers(0))
        x = self.add("Gather", self.weight("embeddings.word_embeddings.weight"), "tokens")
        first = self.constant(self.weights["embeddings.token_type_embeddings.weight"][0])
        x = self.layer_norm("embeddings.LayerNorm", self.add("Add", self.add("Add", x, first), positions))
        seen = self.add("Unsqueeze", "mask", self.integers(1, 2))
        unseen = self.add("Mul", self.add("Sub", seen, self.number(1)), self.number(1e9))
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            x = self.attention(f"{name}.attention", x, unseen)
            hidden = self.gelu(self.dense(f"{name}.intermediate.dense", x))
            x = self.add("Add", self.dense(f"{name}.output.dense", hidden), x)
            x = self.layer_norm(f"{name}.output.LayerNorm", x)
        weights = self.add("Unsqueeze", "mask", self.integers(2))
        total = self.add("ReduceSum", self.add("Mul", x, weights), self.integers(1), keepdims=0)
        mean = self.add("Div", total, self.add("ReduceSum", weights, self.integers(1), keepdims=0))
        length = self.add("Sqrt", self.add("ReduceSum", self.add("Mul", mean, mean), self.integers(1)))
        return self.add("Div", mean, length)

    def model(self):
        result = self.embed()
        values = [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in (
            ("tokens", TensorProto.INT32, ["texts", "places"]), ("mask", TensorProto.FLOAT, ["texts", "places"]),
            (result, TensorProto.FLOAT, ["texts", None]))]
        constants = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "minilm", values[:2], values[2:], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


stored = load_file(Path(sys.argv[2]) / "model.safetensors")
options = onnxruntime.SessionOptions()
options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
model = Graph(stored).model().SerializeToString()
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def prepare(request):
    tokens, mask = (np.load(file) for file in request["inputs"])
    inputs = {"tokens": tokens.astype(np.int32), "mask": mask.astype(np.float32)}
    function = lambda: session.run(None, inputs)[0]
    np.save(request["result"], function())
    return function


serve(onnxruntime.__version__, prepare, lambda result: result)
