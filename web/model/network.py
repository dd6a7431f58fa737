"""The English-French Transformer in PyTorch, its weights named as nn.Transformer names them."""
import math

import torch
from torch import nn
from torch.nn import functional as F

PAD, START, END = 0, 1, 2


class Translator(nn.Module):
    """Token ids -> logits. One table embeds the tokens of both languages and gives the logits."""

    def __init__(self, vocabulary, dim, heads, feedforward, encoder_layers, decoder_layers):
        super().__init__()
        self.scale = math.sqrt(dim)
        self.heads = heads
        self.embedding = nn.Embedding(vocabulary, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
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
        for weight in (*self.encoder.parameters(), *self.decoder.parameters()):
            if weight.dim() > 1:
                nn.init.xavier_uniform_(weight)

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

    def forward(self, source, target):
        return self.decode(target, self.encode(source), source)

    def logits(self, decoded):
        return F.linear(decoded, self.embedding.weight)


def positions(length, dim):
    """Sinusoids as in Vaswani et al., section 3.5: [length, dim], sine and cosine side by side."""
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(length, dim)


@torch.no_grad()
def grown(model, weights):
    """Weights of a model with fewer layers or a narrower feed-forward, put into this one so that it computes
    the same: parts that are new add nothing at first."""
    for name, weight in model.named_parameters():
        before = weights.get(name)
        if before is not None and before.shape == weight.shape:
            weight.copy_(before)
        elif before is not None:
            if name.endswith("linear2.weight"):
                weight.zero_()
            weight[tuple(slice(size) for size in before.shape)] = before
        elif "out_proj" in name or "linear2" in name:
            weight.zero_()
    return model
