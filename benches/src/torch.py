"""The work in PyTorch, on the CPU or on a GPU."""

import numpy as np
import torch
import torch.nn.functional as F

DEVICE = torch.device(sys.argv[2])
torch.set_num_threads(THREADS)
# The same precision as the other sides.
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False


def layer_norm(x, scale, shift):
    return F.layer_norm(x, x.shape[-1:], scale, shift, 1e-5)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, scale=1 / 8)


def conv_nhwc(x, w):
    return F.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), padding="same").permute(0, 2, 3, 1)


def conv_nchw(x, w):
    return F.conv2d(x, w, padding="same")


def mlp(x, w1, b1, w2, b2, w3, b3):
    x = F.relu(x @ w1 + b1)
    x = F.relu(x @ w2 + b2)
    return x @ w3 + b3


WORK = {
    "gelu": lambda x, w, b: F.gelu(x * w + b),
    "layer norm": layer_norm,
    "softmax": lambda x: torch.softmax(x, -1),
    "attention": attention,
    "conv NHWC": conv_nhwc,
    "conv NCHW": conv_nchw,
    "mlp": mlp,
    "matmul": torch.matmul,
    "sum": torch.sum,
}


def finished(result):
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()
    return result


def prepare(request):
    inputs = [torch.from_numpy(np.load(file)).to(DEVICE) for file in request["inputs"]]
    if request["bf16"]:
        inputs = [x.bfloat16() for x in inputs]
    function = WORK[request["prepare"]]
    np.save(request["result"], finished(function(*inputs)).float().cpu().numpy())
    return lambda: function(*inputs)


with torch.inference_mode():
    serve(torch.__version__, prepare, finished)
