#!/usr/bin/python3
"""python3 web/model/activations.py FILE.safetensors TOKENS.json OUT.json

PyTorch's activations for the shipped weights, the reference values of tests/js/translator/translator.test.js.
TOKENS.json: [{ english, french, source, target }], the last two token ids without start and end tokens.
"""
import json
import math
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

PAD, START, END = 0, 1, 2
SHOWN_LOGITS = 48  # of the vocabulary, evenly spread, for each row
LARGEST_INTEGER = 8191

linear_of_floats = F.linear


def linear_of_integers(x, weight, bias=None):
    """Rows of x rounded to integers of 14 bits, as the library multiplies them with int8 weights."""
    factor = LARGEST_INTEGER / x.abs().amax(-1, keepdim=True)
    return linear_of_floats((x * factor).round() / factor, weight, bias)


# Every matrix of the model is int8. PyTorch's fused layers, used without gradients only, would not call it.
F.linear = linear_of_integers


class Translator(nn.Module):
    """Token ids -> logits. One table embeds the tokens of both languages and gives the logits."""

    def __init__(self, vocabulary, dim, heads, feedforward, encoder_layers, decoder_layers):
        super().__init__()
        self.scale = math.sqrt(dim)
        self.heads = heads
        self.embedding = nn.Embedding(vocabulary, dim)
        layer = {
            "d_model": dim,
            "nhead": heads,
            "dim_feedforward": feedforward,
            "dropout": 0.0,
            "batch_first": True,
            "norm_first": True,
        }
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(**layer), encoder_layers, nn.LayerNorm(dim), enable_nested_tensor=False
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(**layer), decoder_layers, nn.LayerNorm(dim)
        )

    def embed(self, ids):
        length = ids.shape[1]
        return self.embedding(ids) * self.scale + positions(length, self.embedding.embedding_dim)

    def encode(self, source):
        return self.encoder(self.embed(source), src_key_padding_mask=source == PAD)

    def decode(self, target, memory, source):
        length = target.shape[1]
        ahead = torch.ones(length, length, dtype=torch.bool).triu(1)
        return self.decoder(
            self.embed(target), memory, tgt_mask=ahead, memory_key_padding_mask=source == PAD
        )

    def logits(self, decoded):
        return F.linear(decoded, self.embedding.weight)


def positions(length, dim):
    """Sinusoids as in Vaswani et al., section 3.5: [length, dim], sine and cosine side by side."""
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(length, dim)


def read_safetensors(file):
    with open(file, "rb") as opened:
        data = opened.read()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        numbers = np.frombuffer(data[begin:end], dtype={"I8": np.int8, "F32": np.float32}[entry["dtype"]])
        tensors[name] = torch.from_numpy(numbers.copy()).reshape(entry["shape"])
    return tensors, metadata


def weights_of(file):
    """(weights in float32, metadata): int8 matrices are multiplied by NAME.scales, one per row."""
    tensors, metadata = read_safetensors(file)
    weights = {}
    for name, tensor in tensors.items():
        if name.endswith(".scales"):
            continue
        scales = tensors.get(f"{name}.scales")
        weights[name] = tensor if scales is None else tensor.float() * scales[:, None]
    return weights, metadata


def model_of(file):
    weights, metadata = weights_of(file)
    vocabulary, dim = weights["embedding.weight"].shape
    layers = lambda stack: 1 + max(int(n.split(".")[2]) for n in weights if n.startswith(f"{stack}.layers."))
    model = Translator(
        vocabulary,
        dim,
        int(metadata["heads"]),
        weights["encoder.layers.0.linear1.weight"].shape[0],
        layers("encoder"),
        layers("decoder"),
    )
    model.load_state_dict(weights)
    return model.eval()


def cross_weights(model, memory, target):
    """Cross-attention weights of the last decoder layer, [heads, target, source], from the layer's submodules."""
    x = model.embed(target)
    length = target.shape[1]
    ahead = torch.ones(length, length, dtype=torch.bool).triu(1)
    *before, last = model.decoder.layers
    for layer in before:
        x = layer(x, memory, tgt_mask=ahead)
    normed = last.norm1(x)
    x = x + last.self_attn(normed, normed, normed, attn_mask=ahead)[0]
    _, weights = last.multihead_attn(last.norm2(x), memory, memory, average_attn_weights=False)
    return weights[0]


def rounded(tensor):
    return [float(f"{number:.8g}") for number in tensor.detach().flatten().tolist()]


def main(file, tokens, out):
    model = model_of(file)
    step = model.embedding.num_embeddings // SHOWN_LOGITS
    cases = []
    for case in json.load(open(tokens)):
        source = torch.tensor([case["source"] + [END]])
        target = torch.tensor([[START] + case["target"]])
        memory = model.encode(source)
        logits = model.logits(model.decode(target, memory, source))[0]
        log_probabilities = logits.double().log_softmax(-1)
        wanted = torch.tensor(case["target"] + [END])
        cases.append(
            {
                **case,
                "memory": rounded(memory[0, :, ::8]),
                "logits": rounded(logits[:, ::step]),
                "logProbabilities": rounded(log_probabilities.gather(1, wanted[:, None])),
                "crossWeights": rounded(cross_weights(model, memory, target)),
            }
        )
    text = {"memoryStep": 8, "logitsStep": step, "cases": cases}
    with open(out, "w") as file:
        json.dump(text, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
