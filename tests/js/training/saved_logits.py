"""Logits of a saved model by PyTorch, in float64, as transformers computes them: config.json and model.safetensors in a
folder go into modules whose attributes have transformers' names (GPT2LMHeadModel, MBartForConditionalGeneration), and
every tensor must fit one of them. Written from the papers and from the names in published checkpoints.

    python3 saved_logits.py FOLDER '{"ids": [0, 1, 2], "decoderIds": [1, 2]}'        prints JSON; needs PyTorch
"""
import json
import math
import os
import struct
import sys

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    if header.pop("__metadata__", {}).get("format") != "pt":
        raise SystemExit("transformers opens files with the metadata format = pt alone")
    tensors = {}
    for name, tensor in header.items():
        assert tensor["dtype"] == "F32", name
        first, end = tensor["data_offsets"]
        values = struct.unpack_from(f"<{(end - first) // 4}f", data, 8 + length + first)
        tensors[name] = torch.tensor(values).reshape(tensor["shape"])
    return tensors


def gelu_new(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def attend(query, key, value, heads, causal):
    """Rows x width each; the columns of a head lie side by side."""
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(0, 1) for x in (query, key, value))
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1).flatten(1)


# ---- GPT-2 --------------------------------------------------------------------------------------

class Conv1D(nn.Module):
    """A linear map whose weight is in x out."""

    def __init__(self, out, inner):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inner, out))
        self.bias = nn.Parameter(torch.empty(out))

    def forward(self, x):
        return x @ self.weight + self.bias


class GPT2Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["n_embd"]
        self.heads = config["n_head"]
        self.c_attn = Conv1D(3 * width, width)
        self.c_proj = Conv1D(width, width)

    def forward(self, x):
        return self.c_proj(attend(*self.c_attn(x).chunk(3, -1), self.heads, causal=True))


class GPT2MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        hidden = config["n_inner"] or 4 * config["n_embd"]
        self.c_fc = Conv1D(hidden, config["n_embd"])
        self.c_proj = Conv1D(config["n_embd"], hidden)

    def forward(self, x):
        return self.c_proj(gelu_new(self.c_fc(x)))


class GPT2Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config["n_embd"], config["layer_norm_epsilon"])
        self.attn = GPT2Attention(config)
        self.ln_2 = nn.LayerNorm(config["n_embd"], config["layer_norm_epsilon"])
        self.mlp = GPT2MLP(config)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT2Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config["vocab_size"], config["n_embd"])
        self.wpe = nn.Embedding(config["n_positions"], config["n_embd"])
        self.h = nn.ModuleList(GPT2Block(config) for _ in range(config["n_layer"]))
        self.ln_f = nn.LayerNorm(config["n_embd"], config["layer_norm_epsilon"])

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(len(ids)))
        for block in self.h:
            x = block(x)
        return self.ln_f(x)


class GPT2LMHeadModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config["activation_function"] == "gelu_new"
        self.transformer = GPT2Model(config)
        self.lm_head = nn.Linear(config["n_embd"], config["vocab_size"], bias=False)
        self.tied = {"lm_head.weight": "transformer.wte.weight"} if config["tie_word_embeddings"] else {}

    def forward(self, ids):
        return self.lm_head(self.transformer(ids))


# ---- mBART --------------------------------------------------------------------------------------

class MBartAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.k_proj = nn.Linear(width, width)
        self.v_proj = nn.Linear(width, width)
        self.q_proj = nn.Linear(width, width)
        self.out_proj = nn.Linear(width, width)

    def forward(self, x, memory, causal=False):
        mixed = attend(self.q_proj(x), self.k_proj(memory), self.v_proj(memory), self.heads, causal)
        return self.out_proj(mixed)


class MBartLayer(nn.Module):
    def __init__(self, config, side):
        super().__init__()
        width, heads, hidden = config["d_model"], config[f"{side}_attention_heads"], config[f"{side}_ffn_dim"]
        self.self_attn = MBartAttention(width, heads)
        self.self_attn_layer_norm = nn.LayerNorm(width)
        if side == "decoder":
            self.encoder_attn = MBartAttention(width, heads)
            self.encoder_attn_layer_norm = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, hidden)
        self.fc2 = nn.Linear(hidden, width)
        self.final_layer_norm = nn.LayerNorm(width)

    def forward(self, x, memory=None):
        y = self.self_attn_layer_norm(x)
        x = x + self.self_attn(y, y, causal=memory is not None)
        if memory is not None:
            x = x + self.encoder_attn(self.encoder_attn_layer_norm(x), memory)
        return x + self.fc2(gelu_new(self.fc1(self.final_layer_norm(x))))


class MBartStack(nn.Module):
    unused_positions = 2

    def __init__(self, config, side):
        super().__init__()
        width = config["d_model"]
        self.scale = math.sqrt(width) if config["scale_embedding"] else 1.0
        self.embed_tokens = nn.Embedding(config["vocab_size"], width)
        self.embed_positions = nn.Embedding(config["max_position_embeddings"] + self.unused_positions, width)
        self.layers = nn.ModuleList(MBartLayer(config, side) for _ in range(config[f"{side}_layers"]))
        self.layernorm_embedding = nn.LayerNorm(width)
        self.layer_norm = nn.LayerNorm(width)

    def forward(self, ids, memory=None):
        positions = self.embed_positions(torch.arange(len(ids)) + self.unused_positions)
        x = self.layernorm_embedding(self.scale * self.embed_tokens(ids) + positions)
        for layer in self.layers:
            x = layer(x, memory)
        return self.layer_norm(x)


class MBartModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.shared = nn.Embedding(config["vocab_size"], config["d_model"])
        self.encoder = MBartStack(config, "encoder")
        self.decoder = MBartStack(config, "decoder")

    def forward(self, ids, decoder_ids):
        return self.decoder(decoder_ids, self.encoder(ids))


class MBartForConditionalGeneration(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config["activation_function"] == "gelu_new" and config["tie_word_embeddings"]
        self.model = MBartModel(config)
        self.register_buffer("final_logits_bias", torch.zeros(1, config["vocab_size"]))
        self.lm_head = nn.Linear(config["d_model"], config["vocab_size"], bias=False)
        names = ("lm_head", "model.encoder.embed_tokens", "model.decoder.embed_tokens")
        self.tied = {f"{name}.weight": "model.shared.weight" for name in names}

    def forward(self, ids, decoder_ids):
        return self.lm_head(self.model(ids, decoder_ids)) + self.final_logits_bias


# -------------------------------------------------------------------------------------------------

architectures = {
    ("gpt2", "GPT2LMHeadModel"): GPT2LMHeadModel,
    ("mbart", "MBartForConditionalGeneration"): MBartForConditionalGeneration,
}


def main():
    folder, arguments = sys.argv[1], json.loads(sys.argv[2])
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    (architecture,) = config["architectures"]
    model = architectures[config["model_type"], architecture](config)
    state = read_safetensors(os.path.join(folder, "model.safetensors"))
    for name, shared in model.tied.items():
        # Shared tensors are in a file once.
        assert name not in state, name
        state[name] = state[shared]
    model.load_state_dict(state, strict=True)
    rows = [torch.tensor(arguments[name]) for name in ("ids", "decoderIds") if name in arguments]
    with torch.no_grad():
        logits = model.eval()(*rows)
    print(json.dumps({"dims": list(logits.shape), "data": logits.flatten().tolist()}))


main()
